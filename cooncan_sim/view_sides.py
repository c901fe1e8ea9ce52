"""Playing for a side of partners: whose melds are whose, and what the opponents have taken."""

import numpy as np

from cooncan_sim.bits import ALL, NONE, U1, bit, first_to_throw
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan_state import RUN, SET
from cooncan_sim.games.cooncan_table import check_layoff, lay_off, room_of, stop
from cooncan_sim.kernel import kernel


@kernel
def is_partner(table, seat, other):
    """Whether seat number `other` is of the seat's side, or the seat itself."""
    return (other - seat.seat) % table.sides == 0


@kernel
def opponents_picked(table, seat):
    """The cards (mask) that opponents took from the pile and still hold."""
    cards = NONE
    for other in range(table.players):
        if not is_partner(table, seat, other):
            cards = cards | table.picked[other]
    return cards


@kernel
def side_runs_near(table, seat, steps):
    """The cards (mask) at most so many places beyond an end of a run of the seat's side."""
    cards = NONE
    for m in range(table.meld_count):
        meld = table.melds[m]
        if meld.kind == RUN and is_partner(table, seat, meld.owner):
            near = meld.cards
            for _ in range(steps):
                near = (near | (near << U1) | (near >> U1)) & ALL
            cards = cards | (near & ~meld.cards)
    return cards


@kernel
def next_layoff_sparing(table, seat):
    """The next lay-off in throw order: on opponents' melds first, of each on runs before sets."""
    cards = seat.hand & (table.run_ends[seat.seat] | table.set_gaps[seat.seat])
    while cards != NONE:
        card = first_to_throw(cards)
        cards = cards & ~bit(card)
        for own_side in (False, True):
            for kind in (RUN, SET):
                move = _layoff_on(table, seat, card, kind, own_side)
                if move.meld >= 0:
                    return move
    return stop()


@kernel
def _layoff_on(table, seat, card, kind, own_side):
    """The lay-off of a card on the first meld of that kind and of that side; or STOP."""
    for m in range(table.meld_count):
        meld = table.melds[m]
        if meld.kind == kind and is_partner(table, seat, meld.owner) == own_side:
            if bit(card) & room_of(table, m) != NONE:
                move = lay_off(table, card, np.int64(m))
                if check_layoff(table, seat, move) == breach.LEGAL:
                    return move
    return stop()
