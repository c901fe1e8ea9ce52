"""The best partition of a Conquian hand by itself, as text, and the rest of many hands.

All cards count alike in Conquian: the penalty is the number of cards in no meld.
"""

from collections.abc import Mapping

import numpy as np

from cooncan_sim.bits import bit, lowest
from cooncan_sim.games.conquian_melds import fewest_loose, first_around, next_around
from cooncan_sim.games.conquian_play import longest_run
from cooncan_sim.games.conquian_text import cards_text, mask
from cooncan_sim.games.cooncan_split import Split
from cooncan_sim.games.rulebook import Game
from cooncan_sim.kernel import kernel

Rules = Mapping[str, str | int]


def split(game: Game, rules: Rules, hand: list[str]) -> Split:
    """The best partition of a hand of card texts."""
    rest = mask(hand)
    penalty = allowed = int(fewest_loose(rest))
    most_run = longest_run(game.codes(rules))
    melds = []
    loose = np.uint64(0)
    while rest:
        # The first choice for the first card that still leaves a best partition is the one that
        # the search of RULES, Part 3, *Best melds* finds first.
        first = np.uint64(bit(lowest(rest)))
        meld = np.uint64(first_around(rest, first, most_run))
        while meld and fewest_loose(rest & ~meld) > allowed:
            meld = np.uint64(next_around(rest, first, meld, most_run))
        if meld:
            melds.append(cards_text(meld))
        else:
            loose |= first
            allowed -= 1
        rest &= ~(meld | first)
    return Split(penalty, melds, cards_text(loose))


def penalties(game: Game, rules: Rules, hands: np.ndarray) -> np.ndarray:
    """Fewest unmelded cards of each hand: (hands, 1) uint64 → (hands,) int64; frees the GIL."""
    out = np.empty(len(hands), dtype=np.int64)
    _penalties(hands, out)
    return out


@kernel
def _penalties(hands, out):
    """`fewest_loose` of each row of hands, shape (n, 1) uint64, into out, shape (n,) int64."""
    for i in range(hands.shape[0]):
        out[i] = fewest_loose(hands[i, 0])
