"""The evaluator of a single pack against a slow search, and hands from public bug reports."""

import json
from collections.abc import Iterator
from itertools import chain, combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cooncan_sim import evaluate, min_penalty, parse_hands
from cooncan_sim.cards import Pack, mask_of
from cooncan_sim.melds import single
from tests import slow_single as slow
from tests.referee.deadwood import best_melds
from tests.sizes import sizes

PACK = Pack()
CHUNK = 10_000
PUBLIC_HANDS = json.loads((Path(__file__).parent / "cases" / "public_hands.json").read_text())


def mask(hand: int) -> np.uint64:
    """The engine's mask of a slow hand."""
    return mask_of([PACK.number(slow.CARDS[card]) for card in slow.cards_in(hand)])


def dealt(count: int, seed: int) -> Iterator[list[int]]:
    """Hands of 10 and 11 cards in chunks, half of them clustered."""
    kinds = [(make, size) for make in (slow.uniform_hand, slow.clustered_hand) for size in (10, 11)]
    for first in range(0, count, CHUNK):
        rng = Random(f"{seed} {first}")
        numbers = range(first, min(first + CHUNK, count))
        yield [make(rng, size) for make, size in (kinds[n % 4] for n in numbers)]


def crowded(count: int, seed: int) -> Iterator[int]:
    """Hands in which melds overlap: 6 to 12 cards from few ranks and suits."""
    rng = Random(seed)
    return (slow.clustered_hand(rng, rng.randint(6, 12)) for _ in range(count))


def small_hands(low: int, count: int) -> list[int]:
    """Every hand of at most 5 cards from a pack of `count` ranks, the lowest being `low`."""
    cards = range(4 * low, 4 * (low + count))
    return [slow.bits(hand) for size in range(6) for hand in combinations(cards, size)]


def assert_penalties(hands: list[int]) -> None:
    """The least penalty of all hands, in one batch and one by one."""
    right = [slow.least_penalty(hand) for hand in hands]
    rows = parse_hands([slow.text(hand) for hand in hands], "jaques")
    batch = min_penalty(rows, "jaques").tolist()
    alone = [single.least_penalty(row[0]) for row in rows]
    wrong = [
        f"{slow.text(hand)}: {least}, not {one} (batch) and {other} (alone)"
        for hand, least, one, other in zip(hands, right, batch, alone, strict=True)
        if not least == one == other
    ]
    assert not wrong, wrong[:5]


@pytest.mark.parametrize("count", sizes(plain=400, ordinary=50_000, soak=5_000_000))
def test_least_penalty(count: int) -> None:
    for hands in dealt(count, seed=1):
        assert_penalties(hands)


# Aces to fives, and the ranks round the ten, where values stop growing.
@pytest.mark.parametrize("low", [0, 8])
def test_least_penalty_of_every_small_hand(low: int) -> None:
    hands = small_hands(low, 5)
    assert len(hands) == 21_700
    assert_penalties(hands)


@pytest.mark.plain
def test_least_penalty_of_every_hand_of_two_ranks_and_three() -> None:
    assert_penalties([hand for ranks in (2, 3) for hand in small_hands(0, ranks)])


@pytest.mark.parametrize("count", sizes(plain=60, ordinary=4_000, soak=400_000))
def test_best_discard(count: int) -> None:
    rng = Random(2)
    for hand in chain.from_iterable(dealt(count, seed=2)):
        penalties = slow.penalties_after_discard(hand)
        assert_best_discard(hand, penalties, list(penalties))
        for _ in range(4):
            allowed = rng.sample(list(penalties), rng.randint(1, len(penalties)))
            assert_best_discard(hand, penalties, allowed)


def assert_best_discard(hand: int, penalties: dict[int, int], allowed: list[int]) -> None:
    card, penalty = slow.best_discard(penalties, allowed)
    found, left = single.best_discard(mask(hand), mask(slow.bits(allowed)))
    assert (PACK.text(found), left) == (slow.CARDS[card], penalty), (
        f"{slow.text(hand)}, of {slow.text(slow.bits(allowed))}"
    )


def test_best_discard_of_every_small_hand() -> None:
    for hand in small_hands(0, 4):
        if hand:
            penalties = slow.penalties_after_discard(hand)
            assert_best_discard(hand, penalties, list(penalties))


@pytest.mark.parametrize("count", sizes(plain=80, ordinary=8_000, soak=800_000))
def test_best_melds(count: int) -> None:
    for hand in chain(crowded(count, seed=3), *dealt(count // 4, seed=3)):
        assert_best_melds(hand)


def assert_best_melds(hand: int) -> None:
    found = evaluate(slow.text(hand), "jaques")
    assert found.melds == best_melds(slow.text(hand).split(), "jaques"), slow.text(hand)
    melded = [slow.number(card) for meld in found.melds for card in meld]
    assert slow.bits(melded) | slow.bits(map(slow.number, found.unmelded)) == hand
    assert found.penalty == slow.worth(hand & ~slow.bits(melded)) == slow.least_penalty(hand)


def test_best_melds_of_every_small_hand() -> None:
    for hand in small_hands(1, 4):
        assert_best_melds(hand)


@pytest.mark.parametrize("count", sizes(plain=60, ordinary=10_000, soak=1_000_000))
def test_least_penalty_with_melds_on_the_table(count: int) -> None:
    rng = Random(4)
    for n in range(count):
        make = slow.clustered_hand if n % 3 else slow.uniform_hand
        hand = make(rng, rng.randint(1, 9))
        table = slow.table_of(rng, (1 << 52) - 1 & ~hand, rng.randint(0, 5))
        runs = slow.bits({card for meld in table - slow.SETS for card in slow.takes(meld)})
        sets = slow.bits({card for meld in table & slow.SETS for card in slow.takes(meld)})
        found = single.least_penalty_laying(mask(hand), mask(runs), mask(sets))
        assert found == slow.least_penalty_laying(hand, table), (
            f"{slow.text(hand)} beside {[slow.text(meld) for meld in table]}"
        )


@pytest.mark.plain
@pytest.mark.parametrize("case", PUBLIC_HANDS["cases"], ids=lambda case: case["id"])
def test_public_hand(case: dict) -> None:
    hand = case["hand"].split()
    row = parse_hands([case["hand"]], case["game"])
    penalty = int(min_penalty(row, case["game"])[0])
    assert evaluate(hand, case["game"]).penalty == penalty == case.get("penalty", penalty)
    after = case.get("penalty_after_discard", {})
    assert {
        card: evaluate([c for c in hand if c != card], case["game"]).penalty for card in after
    } == after
    if "best_after_discard" in case:
        card, left = single.best_discard(row[0, 0], row[0, 0])
        assert left == case["best_after_discard"] == after[PACK.text(card)]


@pytest.mark.plain
def test_a_hand_without_cards_costs_nothing() -> None:
    assert evaluate("", "jaques").penalty == 0
    assert single.least_penalty_laying(np.uint64(0), mask(0b1111), np.uint64(0)) == 0
