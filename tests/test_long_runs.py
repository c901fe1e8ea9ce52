"""Claim T-16, the exact part: against a plain search for melds."""

from itertools import combinations

import pytest

from cooncan_sim import long_runs

Card = tuple[int, int]


def splits(cards: frozenset[Card]) -> bool:
    """Whether (suit, rank) cards can be split into melds: by what holds the first of them."""
    if not cards:
        return True
    suit, rank = first = min(cards)
    same = [card for card in cards if card[1] == rank and card != first]
    for size in (2, 3):
        for others in combinations(same, size):
            if splits(cards - {first, *others}):
                return True
    run = {first}
    for low in range(rank - 1, -1, -1):
        if (suit, low) not in cards:
            break
        run.add((suit, low))
    lowest = min(r for _, r in run)
    for start in range(lowest, rank + 1):
        end = start
        while (suit, end) in cards:
            end += 1
            if end > rank and end - start >= 3:
                if splits(cards - {(suit, r) for r in range(start, end)}):
                    return True
    return False


@pytest.mark.parametrize(("start", "length"), [(0, 10), (0, 9), (1, 9)])
def test_ways_by_a_plain_search(start: int, length: int) -> None:
    run = frozenset((0, rank) for rank in range(start, start + length))
    others = [(s, r) for s in range(4) for r in range(10) if (s, r) not in run]
    found = sum(splits(run | set(more)) for more in combinations(others, 11 - length))
    assert long_runs.ways(start, length)[0] == found


def test_what_the_claim_asks() -> None:
    """Nine can be broken up, ten cannot, and whole neither can be completed; eight can."""
    table = long_runs.completions([8, 9, 10]).set_index(["rearrange", "length"])
    assert (table.loc[("free", 9), "ways"] > 0).all()
    for rearrange, length in (("free", 10), ("none", 9), ("none", 10)):
        assert (table.loc[(rearrange, length), "ways"] == 0).all()
    assert (table.loc[("none", 8), "ways"] > 0).all()
    assert len(table) == 2 * (3 + 2 + 1)
    assert table.loc[("free", 9), "run"].tolist() == ["A–Q", "2–K"]
    assert (table.loc[("free", 9), "sets"] == 31 * 30 // 2).all()


def test_a_whole_run_with_a_meld_beside_it() -> None:
    """Eight to the queen, kept whole: forty melds of three lie in the other three suits and ranks.

    Sets of three of four suits' ranks beside the run: ranks 2 … Q lack one suit, A and K lack none
    there, and the run may also grow.
    """
    beside = 3 * 8  # runs of three in each of the three other suits
    sets = 10 + 2 * 3  # of the other three suits; with the run's suit for its two missing ranks
    grown = 0  # by one or two cards two or one are left, which are no meld
    assert long_runs.ways(1, 8)[1] == beside + sets + grown
