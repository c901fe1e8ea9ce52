"""The best partition of a hand of `konkan`, as text, and penalties of many hands."""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from cooncan_sim.games.cooncan_split import Split
from cooncan_sim.games.konkan_cards import pair_of_row
from cooncan_sim.games.konkan_text import cards_text, laid_text, words
from cooncan_sim.games.rulebook import Game
from cooncan_sim.melds import konkan

Rules = Mapping[str, str | int]
MOST_ROWS = 36  # pairs that 106 cards can make, and one


def split(game: Game, rules: Rules, hand: list[str]) -> Split:
    """The best partition of a hand of card texts."""
    row = np.array([game.pack.row(game.pack.numbers(hand))], dtype=np.uint64)
    out = np.zeros((MOST_ROWS, 6), dtype=np.int64)
    found = konkan.best_melds(
        *words(hand), rules["KK_JOKERS_PER_PAIR"], rules["RUN_BOTH_ACES"] == "allowed", out
    )
    melds = rows_text(out[:found])
    held = Counter(cards_text(*words(hand)))
    held.subtract(token.partition("=")[0] for meld in melds for token in meld)
    return Split(int(penalties(game, rules, row)[0]), melds, list(held.elements()))


def opening_pairs(rules: Rules, hand: list[str], points: int) -> list[list[str]]:
    """Pairs worth at least so many points that leave a card of the hand; none if there are none."""
    out = np.zeros((MOST_ROWS, 6), dtype=np.int64)
    terms = (rules["KK_JOKERS_PER_PAIR"], rules["RUN_BOTH_ACES"] == "allowed")
    found = konkan.comedown_melds(*words(hand), *terms, -1, False, False, points, out)
    return rows_text(out[:found])


def rows_text(rows: np.ndarray) -> list[list[str]]:
    """The tokens of pairs written as rows, shape (pairs, 6) int64, by `melds.konkan`."""
    return [laid_text(*(int(mask) for mask in pair_of_row(row))) for row in rows]


def penalties(game: Game, rules: Rules, hands: np.ndarray) -> np.ndarray:
    """Least penalty of each hand: (hands, 3) uint64 → (hands,) int64; frees the GIL."""
    out = np.empty(len(hands), dtype=np.int64)
    konkan.least_penalties(hands, rules["KK_JOKERS_PER_PAIR"], out)
    return out
