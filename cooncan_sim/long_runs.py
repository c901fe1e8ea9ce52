"""What can still come of a long run of Conquian: every way to eleven cards, counted (claim T-16).

A run of the given length lies on the table; all other 40 − length cards are still to be had. Which
sets of further cards make eleven that split into melds? With melds that stay whole the run must
stand in it, perhaps grown; with free rearrangement it may be broken up.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd

from cooncan_sim.melds.conquian_search import covered

RANKS = "A234567JQK"
SUITS = 4
NEEDED = 11  # cards on the table that win (R-CQN-04)


def completions(lengths: Sequence[int]) -> pd.DataFrame:
    """One row per way of melding, length and start of a run in one suit.

    Columns `rearrange` (free, none), `length`, `run` (`A–Q`: lowest and highest rank),
    `ways` (sets of further cards that fill the table) and `sets` (all sets of so many cards).
    """
    rows = []
    for length in lengths:
        for start in range(len(RANKS) - length + 1):
            free, whole = ways(start, length)
            for rearrange, number in (("free", free), ("none", whole)):
                rows.append(
                    {
                        "rearrange": rearrange,
                        "length": length,
                        "run": f"{RANKS[start]}–{RANKS[start + length - 1]}",
                        "ways": number,
                        "sets": comb(SUITS * len(RANKS) - length, max(NEEDED - length, 0)),
                    }
                )
    table = pd.DataFrame(rows)
    return table.sort_values(["rearrange", "length"], kind="stable", ignore_index=True)


def ways(start: int, length: int) -> tuple[int, int]:
    """Sets of further cards that fill the table: with the run broken up or not, and with it whole.

    start: rank of its lowest card, 0 for the ace.
    """
    suit = [1 << rank for rank in range(len(RANKS))]
    run = sum(suit[start : start + length])
    others = [1 << (16 * s + rank) for s in range(SUITS) for rank in range(len(RANKS))]
    others = [card for card in others if not card & run]
    grown = [
        sum(suit[low:high])
        for low in range(start + 1)
        for high in range(start + length, len(RANKS) + 1)
    ]
    free = whole = 0
    for chosen in combinations(others, NEEDED - length):
        table = run | sum(chosen)
        if _covered(table):
            free += 1
            whole += any(not longer & ~table and _covered(table & ~longer) for longer in grown)
    return free, whole


def _covered(cards: int) -> bool:
    return bool(covered(np.uint64(cards)))
