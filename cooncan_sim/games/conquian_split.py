"""The best partition of a Conquian hand by itself, as text, and the rest of many hands.

All cards count alike in Conquian: the penalty is the number of cards in no meld.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from cooncan_sim.bits import ALL, NONE, count, first_bit
from cooncan_sim.games.conquian_play import longest_run
from cooncan_sim.games.conquian_state import CARDS
from cooncan_sim.games.conquian_text import cards_text, mask
from cooncan_sim.games.cooncan_split import Split
from cooncan_sim.games.rulebook import Game
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.conquian_search import rank_of, run_from, sets_with
from cooncan_sim.melds.single import grouped, running

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
        first = np.uint64(first_bit(rest))
        for meld in _melds_from(rest, first, most_run):
            if fewest_loose(rest & ~meld) == allowed:
                melds.append(cards_text(meld))
                rest &= ~meld
                break
        else:
            loose |= first
            rest &= ~first
            allowed -= 1
    return Split(penalty, melds, cards_text(loose))


def _melds_from(rest: np.uint64, first: np.uint64, most_run: int) -> Iterator[np.uint64]:
    """The melds (masks) with the first of the cards: runs, longest first, then sets."""
    run = np.uint64(run_from(rest, first))
    while count(run) >= 3:
        if count(run) <= most_run:
            yield run
        run &= run >> np.uint64(1)
    for number in range(4):
        meld = np.uint64(sets_with(rest & np.uint64(rank_of(first)), first, number))
        if meld:
            yield meld


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


@kernel
def fewest_loose(cards):
    """The fewest cards (int64) in no meld, over all ways to meld some of these cards (mask).

    CQ_RUN_CAP does not matter: longer runs are split.
    """
    runs = running(cards)
    sets = grouped(cards)
    if runs & sets == NONE:
        return count(cards & ~(runs | sets))
    return _search(cards, ALL, np.int64(CARDS))


@kernel
def _search(cards, open_ranks, bound):
    """The fewest loose cards if they are below `bound`, otherwise some number not below it.

    cards: those not yet in a set; open_ranks: ranks (all suits) about whose set nothing is
    decided.
    """
    runs = running(cards)
    sets = grouped(cards) & open_ranks
    loose = count(cards & ~(runs | sets))
    both = runs & sets
    if both == NONE or loose >= bound:
        return loose
    rank = rank_of(first_bit(both))
    held = cards & rank
    open_ranks = open_ranks & ~rank
    best = min(bound, _search(cards & ~held, open_ranks, bound))
    outs = held & runs if count(held) == 4 else NONE
    while outs != NONE:
        # Keeping a card out of the set pays only if a run can use it.
        out = first_bit(outs)
        outs = outs & ~out
        best = min(best, _search(cards & ~(held & ~out), open_ranks, best))
    return min(best, _search(cards, open_ranks, best))
