"""The best partition of a hand of `double_rum`, as text, and penalties of many hands."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from cooncan_sim.games.double_rum_state import RUN
from cooncan_sim.games.double_rum_text import cards_text, run_text, set_text, words
from cooncan_sim.games.game import Game
from cooncan_sim.melds.order_search import ROW
from cooncan_sim.melds.rum import MOST_MELDS, best_melds, least_penalties, least_penalty


class Split(NamedTuple):
    """Least penalty, melds in the order of RULES Part 3 *Best melds*, and the other cards."""

    penalty: int
    melds: list[list[str]]
    unmelded: list[str]


def split(game: Game, rules: Mapping[str, str | int], hand: list[str]) -> Split:
    """The best partition of a hand of card texts."""
    once, twice, jokers = words(hand)
    rows = np.zeros((MOST_MELDS, ROW), dtype=np.int64)
    both_aces = rules["RUN_BOTH_ACES"] == "allowed"
    count = best_melds(once, twice, np.int64(jokers), both_aces, rows)
    melds = [_meld_text([int(number) for number in row]) for row in rows[:count]]
    held = Counter(cards_text(once, twice, jokers))
    held.subtract(token.partition("=")[0] for meld in melds for token in meld)
    penalty = least_penalty(once, twice, np.int64(jokers))
    return Split(int(penalty), melds, list(held.elements()))


def _meld_text(row: list[int]) -> list[str]:
    """The tokens of a row of `best_melds`, see `melds.order_search`."""
    kind, group, first, size, twins, jokers = row
    if kind == RUN:
        up = 16 * group + first
        return run_text(((1 << size) - 1) << up, jokers << up)
    once, twice = (
        sum(1 << (16 * suit + group) for suit in range(4) if suits >> suit & 1)
        for suits in (first, twins)
    )
    return set_text(once, twice, jokers)


def penalties(game: Game, rules: Mapping[str, str | int], hands: np.ndarray) -> np.ndarray:
    """Least penalty of each hand: (hands, 3) uint64 → (hands,) int64; frees the GIL."""
    out = np.empty(len(hands), dtype=np.int64)
    least_penalties(hands, out)
    return out
