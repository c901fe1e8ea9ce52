"""Who may take the discard in `konkan`: those who are down, and those who can come down with it."""

import numpy as np

from cooncan_sim.bits import NONE
from cooncan_sim.games.konkan_cards import with_card
from cooncan_sim.games.konkan_table import needed, throwable
from cooncan_sim.kernel import kernel
from cooncan_sim.melds import konkan
from cooncan_sim.melds.aces_search import in_runs
from cooncan_sim.melds.konkan_search import NO_BOUND, points, set_ranks


@kernel
def barred(table, taken):
    """The card number, of the one taken in this turn, that may not go back; -1 for none."""
    return taken if table.RETURN_TAKEN_DISCARD == 0 else np.int64(-1)


@kernel
def can_come_down(table, hand, twice, jokers, taken):
    """Whether a hand could come down and leave a card to throw (R-KON-10, R-KON-21).

    taken: the card number just taken from the pile, which is in the hand. Where KK_PICKUP_MUST_USE
    asks for it, it has to be in the pairs.
    """
    if points_in_reach(hand, twice, jokers) < needed(table):
        return False
    must_use = table.KK_PICKUP_MUST_USE != 0
    return konkan.can_come_down(
        hand,
        twice,
        jokers,
        table.KK_JOKERS_PER_PAIR,
        taken if must_use else barred(table, taken),
        table.TAKEN_CARD_MATCH != 0,
        must_use,
        needed(table),
    )


@kernel
def points_in_reach(hand, twice, jokers):
    """A bound (int64) on the points of the pairs of a hand: those of all cards in some pair."""
    if jokers > 0:
        return NO_BOUND
    first, second, _ = in_runs(hand, twice, NONE, NONE)
    free, free_twins = set_ranks(hand, twice)
    left, left_twins = hand & ~first, twice & ~second
    loose = points(left & ~free) + points(left_twins & ~free_twins & (left | ~free))
    return points(hand) + points(twice) - loose


@kernel
def could_meld(hand, twice, jokers):
    """Whether some cards of a hand may make a pair; with jokers always."""
    if jokers > 0:
        return True
    return in_runs(hand, twice, NONE, NONE)[0] | set_ranks(hand, twice)[0] != NONE


@kernel
def may_pick_up(table, seat):
    """Whether the seat may take the top discard (R-KON-10, R-KON-16, R-KON-21)."""
    if table.pile_size == 0:
        return False
    card = np.int64(table.pile[table.pile_size - 1])
    hand, twice, jokers = with_card(seat.hand, seat.twice, seat.jokers, card)
    if table.down[seat.seat] != 0:
        return throwable(table, hand, twice, jokers, card) != NONE
    return can_come_down(table, hand, twice, jokers, card)
