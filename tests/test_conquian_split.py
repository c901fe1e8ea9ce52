"""The best partition of a Conquian hand, against a search that tries everything."""

from random import Random

import numpy as np
import pytest

from cooncan_sim import evaluate, min_penalty, parse_hands
from tests.referee.conquian_table import melds_with
from tests.sizes import sizes

SUITS, RANKS = "SHDC", "A234567JQK"
PACK = [rank + suit for suit in SUITS for rank in RANKS]


def slow(cards: list[str], rules: dict) -> tuple[int, list[list[str]]]:
    """Cards left over and the melds: the first of the best in the order of the search."""
    if not cards:
        return 0, []
    first, *rest = cards
    best: tuple[int, list[list[str]]] | None = None
    for meld in melds_with(first, rest, rules):
        left, melds = slow([card for card in rest if card not in meld], rules)
        if best is None or left < best[0]:
            best = left, [meld, *melds]
    left, melds = slow(rest, rules)
    return best if best is not None and best[0] <= left + 1 else (left + 1, melds)


def hands(count: int, seed: int) -> list[list[str]]:
    """Hands of up to twelve cards, every second one from five neighbouring ranks."""
    dice = Random(seed)
    found = []
    for n in range(count):
        low = dice.randrange(6)
        cards = [c for c in PACK if c[0] in RANKS[low : low + 5]] if n % 2 else PACK
        hand = dice.sample(cards, dice.randint(0, 12))
        found.append(sorted(hand, key=PACK.index))
    return found


@pytest.mark.parametrize("count", sizes(plain=60, ordinary=20_000, soak=1_000_000))
@pytest.mark.parametrize("cap", ["none", 8])
def test_the_best_partition_is_the_slow_one(count: int, cap: object) -> None:
    rules = {"CQ_RUN_CAP": cap}
    few = hands(count, seed=3)
    rows = parse_hands([" ".join(hand) for hand in few], "conquian")
    penalties = min_penalty(rows, "conquian", rules)
    several = 0
    for place, (hand, penalty) in enumerate(zip(few, penalties, strict=True)):
        left, melds = slow(hand, rules)
        assert penalty == left, hand
        if place % 10 == 0:
            found = evaluate(hand, "conquian", rules)
            assert (found.penalty, found.melds) == (left, melds), hand
            assert sorted(found.unmelded + sum(melds, [])) == sorted(hand)
        several += len(melds) > 1
    assert several > count // 20


@pytest.mark.plain
def test_a_full_suit_is_one_run_or_two() -> None:
    suit = [rank + "D" for rank in RANKS]
    assert evaluate(suit, "conquian").melds == [suit]
    capped = evaluate(suit, "conquian", {"CQ_RUN_CAP": 8})
    assert capped.penalty == 0 and capped.melds == [suit[:7], suit[7:]]


@pytest.mark.plain
def test_each_card_counts_one() -> None:
    assert evaluate("KS QS 2D 7H 7D 7C", "conquian_jaques").penalty == 3
    assert (min_penalty(np.zeros((2, 1), dtype=np.uint64), "conquian") == 0).all()
