"""Claim T-02, part (a): what can be counted, against the claim's own words and brute force."""

from itertools import combinations
from math import comb

import pytest

from cooncan_sim import exact


def test_three_card_runs_as_the_claim_counts_them() -> None:
    counts = exact.count_runs([3])
    assert dict(zip(counts["rank"], counts["runs"], strict=True)) == {
        "A": 1, "2": 2, "3": 3, "4": 3, "5": 3, "6": 3, "7": 3, "8": 3, "9": 3, "T": 3, "J": 3,
        "Q": 2, "K": 1,
    }  # fmt: skip


@pytest.mark.parametrize("high_ace", [False, True])
@pytest.mark.parametrize("length", range(3, 14))
def test_runs_by_their_definition(length: int, high_ace: bool) -> None:
    """A set of ranks is a run when its positions, ace at either end if allowed, have no gap."""

    def is_run(positions: tuple[int, ...]) -> bool:
        both = [positions, tuple(p or 13 for p in positions)] if high_ace else [positions]
        return any(max(ends) - min(ends) == length - 1 for ends in both)

    expected = {frozenset(c) for c in combinations(range(13), length) if is_run(c)}
    found = exact.runs(length, high_ace)
    assert set(found) == expected
    # The run of all thirteen cards is one set of ranks, yet lies on the table in two ways.
    assert len(found) == len(expected) + (length == 13 and high_ace)
    for rank in range(13):
        assert exact.runs_through(rank, length, high_ace) == sum(rank in run for run in found)


@pytest.mark.parametrize("length", [2, 14])
def test_no_such_run(length: int) -> None:
    with pytest.raises(ValueError, match="3 to 13 cards"):
        exact.runs(length)


@pytest.mark.parametrize("high_ace", [False, True])
@pytest.mark.parametrize("rank", [0, 1, 6, 12])
def test_chances_equal_a_count_of_every_hand(rank: int, high_ace: bool) -> None:
    """All hands of four with one given card, one by one."""
    pack = [(r, s) for s in range(4) for r in range(13) if (r, s) != (rank, 0)]
    places = {rank, 13} if high_ace and rank == 0 else {rank}
    in_run = in_meld = 0
    for others in combinations(pack, 3):
        suit = {r for r, s in others if s == 0}
        suit |= {13} if high_ace and 0 in suit else set()
        run = any(
            {place + a, place + b} <= suit
            for place in places
            for a, b in ((-2, -1), (-1, 1), (1, 2))
        )
        twins = sum(r == rank for r, _ in others)
        in_run += run
        in_meld += run or twins >= 2
    assert exact.hands_with_meld(rank, 4, high_ace) == (in_run, in_meld, comb(51, 3))


def test_hands_of_ten_treat_three_to_jack_alike() -> None:
    table = exact.chances(10)
    alike = table[table["position"].between(3, 11)]
    assert alike["in_run"].nunique() == 1
    assert (table["in_run"].max() == alike["in_run"]).all()
    assert (table["hands"] == comb(51, 9)).all()
    assert table["in_run_share"].tolist() == [i / comb(51, 9) for i in table["in_run"]]


def test_band_averages() -> None:
    bands = exact.band_averages(exact.count_runs([3, 4, 5]), [(5, 8), (1, 4), (2, 4)])
    found = {(b.low, b.high, b.length): b.runs for b in bands.itertuples()}
    assert found[5, 8, 3] == 3
    assert found[1, 4, 3] == (1 + 2 + 3 + 3) / 4
    assert found[1, 4, 4] == (1 + 2 + 3 + 4) / 4
    assert found[2, 4, 5] == (2 + 3 + 4) / 3
    assert len(found) == 9
