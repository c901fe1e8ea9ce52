"""Numbers that need no play: they are counted, every case once.

Runs through a rank, and the exact chance that a card dealt to a hand finds a meld there
(claim T-02, part (a)). Ranks are positions 0 … 12, ace to king.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import pandas as pd

RANKS = "A23456789TJQK"
TWINS = 3  # the same rank in the other suits
PACK = 52
SHORTEST = 3


def runs(length: int, high_ace: bool = False) -> list[frozenset[int]]:
    """The rank sets of all runs of that length in one suit, lowest first; no round the corner.

    With `high_ace` the ace may also follow the king. A run of more than 13 cards would need
    two aces and is not one of ordinary length: ValueError, as for fewer than 3.
    """
    if not SHORTEST <= length <= len(RANKS):
        raise ValueError(f"a run has {SHORTEST} to {len(RANKS)} cards, not {length}")
    line = [*range(len(RANKS)), 0] if high_ace else list(range(len(RANKS)))
    return [frozenset(line[start : start + length]) for start in range(len(line) - length + 1)]


def runs_through(rank: int, length: int, high_ace: bool = False) -> int:
    """How many runs of that length hold a card of this rank."""
    return sum(rank in run for run in runs(length, high_ace))


def hands_with_meld(rank: int, size: int = 10, high_ace: bool = False) -> tuple[int, int, int]:
    """Of all hands of `size` cards from one pack that hold one given card of this rank:

    those in which it is in a run, those in which it is in a run or a set, and all of them.
    Counted over the other 12 cards of its suit, subset by subset, and its three twins; what is
    left of the hand is any of the other 36 cards.
    """
    near = [run - {rank} for run in runs(SHORTEST, high_ace) if rank in run]
    others = [other for other in range(len(RANKS)) if other != rank]
    rest = PACK - len(RANKS) - TWINS
    in_run = in_meld = 0
    for held in range(min(len(others), size - 1) + 1):
        linked = sum(
            any(pair <= suit for pair in near)
            for suit in map(frozenset, combinations(others, held))
        )
        for twins in range(min(TWINS, size - 1 - held) + 1):
            ways = comb(TWINS, twins) * comb(rest, size - 1 - held - twins)
            in_run += linked * ways
            in_meld += (comb(len(others), held) if twins >= 2 else linked) * ways
    return in_run, in_meld, comb(PACK - 1, size - 1)


def count_runs(lengths: Sequence[int], high_ace: bool = False) -> pd.DataFrame:
    """One row per rank and length: `ace, length, rank, position, runs`, runs in one suit."""
    return pd.DataFrame(
        [
            {
                "ace": "both" if high_ace else "low",
                "length": length,
                "rank": name,
                "position": rank + 1,
                "runs": runs_through(rank, length, high_ace),
            }
            for length in lengths
            for rank, name in enumerate(RANKS)
        ]
    )


def chances(size: int, high_ace: bool = False) -> pd.DataFrame:
    """One row per rank: of the hands of `size` with a given card of it, how many meld it.

    `in_run` and `in_meld` (run or set) are counts out of `hands`; the `…_share` columns are the
    chances.
    """
    rows = []
    for rank, name in enumerate(RANKS):
        in_run, in_meld, hands = hands_with_meld(rank, size, high_ace)
        rows.append(
            {
                "ace": "both" if high_ace else "low",
                "hand_size": size,
                "rank": name,
                "position": rank + 1,
                "in_run": in_run,
                "in_meld": in_meld,
                "hands": hands,
                "in_run_share": in_run / hands,
                "in_meld_share": in_meld / hands,
            }
        )
    return pd.DataFrame(rows)


def band_averages(counts: pd.DataFrame, bands: Sequence[tuple[int, int]]) -> pd.DataFrame:
    """Mean number of runs through a card of each band, per length.

    `counts` comes from `count_runs`; a band is its lowest and highest position, 1 for the ace.
    """
    rows = []
    for low, high in bands:
        inside = counts[counts["position"].between(low, high)]
        for (ace, length), group in inside.groupby(["ace", "length"], sort=True):
            rows.append(
                {
                    "ace": ace,
                    "length": length,
                    "low": low,
                    "high": high,
                    "runs": group["runs"].sum() / len(group),
                }
            )
    return pd.DataFrame(rows)
