"""What strategies of `conquian` and `conquian_jaques` ask of the table and their own seat.

A decision is called with two records, `table` (public) and `seat` (the strategy's own); their
fields are listed in `games.conquian_state`. Cards are card numbers, sets of cards are masks.
`choose_offer` answers `decline()` or `arrange(table, seat, cards)`, the acceptance that brings
down these hand cards.
"""

import numpy as np

from cooncan_sim.bits import (
    NONE,
    U1,
    U2,
    bit,
    count,
    first_to_throw,
    fold,
    lowest,
    spread,
)
from cooncan_sim.games.conquian_moves import arrange as arrange
from cooncan_sim.games.conquian_moves import decline as decline
from cooncan_sim.games.conquian_moves import forceable as forceable
from cooncan_sim.games.conquian_moves import largest_taking as largest_taking
from cooncan_sim.games.conquian_moves import takings as takings
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.conquian import PACK
from cooncan_sim.rng import below as below
from cooncan_sim.rng import below_many
from cooncan_sim.view import nth_card


@kernel
def most_down(table, seat):
    """The acceptance that brings down as many hand cards as can be, or a decline."""
    can_accept, cards = largest_taking(table, seat)
    return arrange(table, seat, cards) if can_accept else decline()


@kernel
def partners(card):
    """The other three cards (mask) of its rank, and those of its suit at most two places away."""
    own = bit(card)
    near = (own << U1) | (own << U2) | (own >> U1) | (own >> U2)
    return (spread(fold(own)) & ~own) | near


@kernel
def live_partners(table, seat, card):
    """How many partners of a card are neither dead nor on the opponent's table (int64)."""
    return count(partners(card) & PACK & ~(table.dead | table.down[1 - seat.seat]))


@kernel
def fewest_partners(table, seat):
    """The hand card (int64) with the fewest live partners; ties by throw order."""
    best = NONE
    fewest = np.int64(100)
    cards = seat.hand
    while cards != NONE:
        card = lowest(cards)
        cards = cards & (cards - U1)
        live = live_partners(table, seat, card)
        if live < fewest:
            fewest = live
            best = NONE
        if live == fewest:
            best = best | bit(card)
    return first_to_throw(best)


@kernel
def random_answer(table, seat):
    """Any legal answer to the offer, each as likely, by the seat's own stream."""
    found = takings(table, seat, 0)[0]
    if found == 0:
        return decline()
    # A decline is one more answer, unless the seat is forced.
    chosen = below_many(seat, found + 1 - table.forced)
    return decline() if chosen == found else arrange(table, seat, takings(table, seat, chosen)[1])


@kernel
def random_card(seat):
    """Any hand card (int64), each as likely, by the seat's own stream."""
    return nth_card(seat.hand, below(seat, count(seat.hand)))
