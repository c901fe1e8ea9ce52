"""Score of the `jaques` family: what a hand costs, how it ends, and whether no card is missing."""

import numpy as np

from cooncan_sim.bits import ALL, NONE, bit, count, value
from cooncan_sim.games.cooncan_state import BROKEN, OUT, OVER
from cooncan_sim.games.dealing import FACES
from cooncan_sim.kernel import kernel, search_kernel


@kernel
def hand_value(table, seat):
    """Points of a hand that loses (R-JAQ-20, R-JAQ-22, WILD_PENALTY), int64."""
    points = value(seat.hand) + value(seat.twice)
    if table.WILD_PENALTY != 0:
        wild = seat.hand & table.wild
        points += table.WILD_PENALTY * count(wild) - value(wild)
    return points


@search_kernel
def end_hand(state, ending):
    """Names the ending and writes each side's score change into deck.points.

    A player alone is a side of his own. R-JAQ-21, R-JAQ-22, R-PAR-05, R-WLD-03 and the switches
    VOID_HAND_SCORING, PARTNER_SCORING, WILD_BONUS.
    """
    table = state.table
    table.phase = OVER
    table.ending = ending
    table.winner = table.turn if ending == OUT else -1
    points = state.deck.points
    charged = ending == OUT or (ending != BROKEN and table.VOID_HAND_SCORING != 0)
    for s in range(table.sides):
        points[s] = 0
    if charged:
        for s in range(table.players):
            points[s % table.sides] += hand_value(table, state.seats[s])
    if ending == OUT:
        own = table.winner % table.sides
        leftover = points[own]
        if table.PARTNER_SCORING != 2:
            points[own] = 0
        if table.PARTNER_SCORING == 1:
            other = 1 - own
            points[other] = max(0, points[other] - leftover)
        points[own] -= table.WILD_BONUS * _natural_melds(table, table.winner)


@kernel
def _natural_melds(table, owner):
    """How many of the owner's melds have no substitute in them (R-WLD-03), int64."""
    found = np.int64(0)
    for m in range(table.meld_count):
        if table.melds[m].owner == owner and table.melds[m].substitutes == NONE:
            found += 1
    return found


@kernel
def break_off(state, why, action, cards):
    """Ends the hand because a strategy gave this illegal answer."""
    state.deck.breach = why
    state.deck.broken = action
    state.deck.broken_cards = cards
    end_hand(state, BROKEN)


@kernel
def cards_complete(state):
    """Whether hands, table, pile and stock together are the pack, each card once."""
    table = state.table
    first = state.deck.stock[0]
    second = state.deck.stock[1]
    total = count(first) + count(second)
    for s in range(table.players):
        seat = state.seats[s]
        second |= seat.twice | (first & seat.hand)
        first |= seat.hand
        total += count(seat.hand) + count(seat.twice)
    for m in range(table.meld_count):
        meld = table.melds[m]
        second |= meld.twice | (first & meld.cards)
        first |= meld.cards
        total += count(meld.cards) + count(meld.twice)
    for i in range(table.pile_size):
        card = bit(np.int64(table.pile[i]))
        second |= first & card
        first |= card
    pack = first == ALL and second == (ALL if table.packs == 2 else NONE)
    return pack and total + table.pile_size == FACES.shape[0] * table.packs
