"""Random streams: the published generator, no bias, no two purposes or deals that touch."""

from collections.abc import Callable
from itertools import product

import numba
import numpy as np
import pytest
from scipy.stats import chisquare

from cooncan_sim import rng
from cooncan_sim.kernel import records

# Chance alone fails a test with this p-value once in a million seeds; the seeds are fixed.
TOO_UNLIKELY = 1e-6
TOP = 2**64 - 1


def words(start: int, count: int) -> list[int]:
    """The first numbers of the stream with this start."""
    return [int(rng.mix(np.uint64((start + k * int(rng.WEYL)) & TOP))) for k in range(1, count + 1)]


@pytest.mark.plain
def test_the_generator_is_splitmix64() -> None:
    # The published numbers of SplitMix64 for the seed 1234567.
    assert words(1234567, 5) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.plain
def test_mix_loses_nothing() -> None:
    """A bijection: steps backwards lead to where it came from."""

    def unshift(word: int, by: int) -> int:
        found = word
        for _ in range(64 // by):
            found = word ^ (found >> by)
        return found

    def unmix(word: int) -> int:
        word = unshift(word, 31) * pow(0x94D049BB133111EB, -1, 2**64) & TOP
        word = unshift(word, 27) * pow(0xBF58476D1CE4E5B9, -1, 2**64) & TOP
        return unshift(word, 30)

    for word in (0, 1, 2**63, TOP, *words(7, 100)):
        assert unmix(int(rng.mix(np.uint64(word)))) == word


@pytest.mark.plain
def test_every_seed_deal_purpose_and_index_has_a_stream_of_its_own() -> None:
    purposes = (rng.DEALER, rng.DEAL, rng.STOCK, rng.RECYCLE, rng.POLICY, rng.CUT)
    assert len(set(purposes)) == 6
    ends = (0, 1, 2, 3, 7, 1000, 2**31, 2**62)
    starts = [
        int(rng.stream(seed, deal, purpose, index))
        for seed, deal, purpose, index in product(ends, ends, purposes, (0, 1, 2, 3, 8, 9, 800))
    ]
    assert len(set(starts)) == len(starts)


@pytest.mark.plain
def test_streams_are_the_same_on_every_machine() -> None:
    """Results must come again from their seed: these numbers may never change."""
    assert int(rng.stream(0, 0, rng.DEAL, 0)) == 8374052749663755816
    assert int(rng.stream(1, 7_000_000, rng.STOCK, 3)) == 12380508288194461800
    assert int(rng.stream(2**63 - 1, 2**40, rng.POLICY, 1)) == 14456488182745627278


@pytest.mark.plain
def test_numbers_below_n_have_the_least_bias_possible() -> None:
    """The shares of two numbers differ by less than 2**-50 of them: counted, not sampled."""
    for n in (1, 2, 3, 7, 31, 51, 52, 104, 106, 127, 128):
        # Number k is made of the 57-bit words from ceil(k·2^57/n) to before ceil((k+1)·2^57/n).
        edges = [-(-(k << 57) // n) for k in range(n + 1)]
        counts = [high - low for low, high in zip(edges, edges[1:], strict=False)]
        assert max(counts) - min(counts) <= min(counts) >> 50
        for k, (low, high) in enumerate(zip(edges, edges[1:], strict=False)):
            first, last = np.uint64(low << 7), np.uint64((high << 7) - 1)
            assert rng.scaled(first, n) == rng.scaled(last, n) == k


@pytest.mark.plain
@pytest.mark.parametrize(
    ("below", "n", "shift"), [(rng.below, 128, 57), (rng.below_many, 4096, 52)]
)
def test_below_goes_on_in_its_stream(below: Callable, n: int, shift: int) -> None:
    start = int(rng.stream(3, 4, rng.POLICY, 1))
    owners = records(1, np.dtype([("rng", "u8")]))
    owners["rng"] = start
    found = [below(owners[0], n) for _ in range(50)]
    assert found == [word >> shift for word in words(start, 50)]
    assert [below(owners[0], 1) for _ in range(3)] == [0, 0, 0]


@pytest.mark.parametrize("n", [2, 3, 10, 31, 52, 104])
def test_numbers_are_uniform_within_a_stream_and_across_deals(n: int) -> None:
    along = scaled_words(np.arange(1, 400_001), n)
    assert chisquare(np.bincount(along, minlength=n)).pvalue > TOO_UNLIKELY
    across = first_of_deals(400_000, n)
    assert chisquare(np.bincount(across, minlength=n)).pvalue > TOO_UNLIKELY
    pairs = np.bincount(across[:-1] * n + across[1:], minlength=n * n)
    assert chisquare(pairs).pvalue > TOO_UNLIKELY


@numba.njit
def scaled_words(steps, n):
    """Numbers below n of the stream with start 5, by their place in it."""
    found = np.empty(len(steps), dtype=np.int64)
    for i, step in enumerate(steps):
        found[i] = rng.scaled(rng.mix(np.uint64(5) + np.uint64(step) * rng.WEYL), n)
    return found


@numba.njit
def first_of_deals(deals, n):
    """The first number below n of one purpose of deals 0, 1, 2, …"""
    found = np.empty(deals, dtype=np.int64)
    for deal in range(deals):
        found[deal] = rng.scaled(rng.mix(rng.stream(1, deal, rng.DEAL, 0) + rng.WEYL), n)
    return found
