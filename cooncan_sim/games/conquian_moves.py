"""Every set of hand cards that an acceptance of the offered card can bring down in Conquian."""

import numpy as np

from cooncan_sim.bits import NONE, U1, bit, count, first_bit
from cooncan_sim.games.conquian_melds import chain, first_around, next_around
from cooncan_sim.games.conquian_state import WITH_CENTER
from cooncan_sim.games.conquian_table import arrange, leaves_melds, most_from_hand
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.conquian_search import rank_of
from cooncan_sim.melds.single import grouped, running


@kernel
def takings(table, seat, wanted):
    """How many sets of hand cards can go down with the offered card, and number `wanted` of them.

    The empty set counts if the card fits the table alone. (int64, mask)
    """
    found = np.int64(0)
    chosen = NONE
    near = _near(table, seat)
    cards = near
    while True:
        if arrange(table, seat, cards).accept != 0:
            chosen = cards if found == wanted else chosen
            found += 1
        if cards == NONE:
            return found, chosen
        cards = (cards - U1) & near


@kernel
def _near(table, seat):
    """The hand cards (mask) that could lie in some meld when the offered card is down."""
    centre = bit(table.offered)
    pool = table.down[seat.seat] | seat.hand | centre
    if table.CQ_HAND_CARDS == WITH_CENTER:
        return seat.hand & (chain(pool, centre) | rank_of(centre))
    melding = running(pool) | grouped(pool)
    return seat.hand & melding if melding & centre != NONE else NONE


@kernel
def largest_taking(table, seat):
    """Whether the offered card can be accepted (bool), and the most hand cards with it (mask).

    Of equally many those that come first in card order, compared card by card.
    """
    if table.CQ_HAND_CARDS != WITH_CENTER:
        return _largest_anywhere(table, seat)
    s = seat.seat
    centre = bit(table.offered)
    pool = table.down[s] | seat.hand | centre
    best = NONE
    most = np.int64(-1)
    meld = first_around(pool, centre, table.most_run)
    while meld != NONE:
        cards = meld & seat.hand
        if _is_better(cards, best, most) and leaves_melds(table, s, meld):
            if count(cards) <= most_from_hand(table, s):
                best, most = cards, count(cards)
        meld = next_around(pool, centre, meld, table.most_run)
    return most >= 0, best


@kernel
def _largest_anywhere(table, seat):
    """`largest_taking` where hand cards may join other melds than that of the offered card."""
    best = NONE
    most = np.int64(-1)
    near = _near(table, seat)
    cards = near
    while True:
        if _is_better(cards, best, most) and arrange(table, seat, cards).accept != 0:
            best, most = cards, count(cards)
        if cards == NONE:
            return most >= 0, best
        cards = (cards - U1) & near


@kernel
def _is_better(cards, best, most):
    """Whether cards are more than `most`, or as many and before `best` in card order."""
    size = count(cards)
    return size > most or (size == most and first_bit(cards ^ best) & cards != NONE)
