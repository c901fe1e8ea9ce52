"""Score of `konkan`: what a hand costs, how it ends, and whether no card is missing."""

import numpy as np

from cooncan_sim.bits import ALL, NONE, U1, count
from cooncan_sim.games.konkan_cards import JOKER_BIT, card_bit, twins, with_jokers
from cooncan_sim.games.konkan_state import BROKEN, OUT, OVER
from cooncan_sim.games.konkan_table import faces_used
from cooncan_sim.kernel import kernel, search_kernel
from cooncan_sim.melds.konkan_search import points


@kernel
def hand_value(table, seat):
    """Points of the cards of a hand (R-KON-12, R-KON-13, R-KON-32, R-KON-33), int64."""
    marked = min(seat.jokers, table.announced[seat.seat] + table.from_table[seat.seat])
    return points(seat.hand) + points(seat.twice) + 2 * marked + 25 * (seat.jokers - marked)


@kernel
def charge(table, seat):
    """Points that a losing hand is charged (R-KON-28, KK_NOT_DOWN_PENALTY), int64."""
    if table.KK_NOT_DOWN_PENALTY != 0 and table.down[seat.seat] == 0:
        return table.KK_NOT_DOWN_PENALTY
    return hand_value(table, seat)


@search_kernel
def end_hand(state, ending):
    """Names the ending and writes each seat's score change into deck.points.

    R-KON-28 and the switches KK_WINNER_BONUS, VOID_HAND_SCORING.
    """
    table = state.table
    table.phase = OVER
    table.ending = ending
    table.winner = table.turn if ending == OUT else -1
    charged = ending == OUT or (ending != BROKEN and table.VOID_HAND_SCORING != 0)
    for s in range(table.players):
        state.deck.points[s] = charge(table, state.seats[s]) if charged else 0
    if ending == OUT:
        state.deck.points[table.winner] = -table.KK_WINNER_BONUS


@search_kernel
def break_off(state, why, action, cards):
    """Ends the hand because a strategy gave this illegal answer."""
    state.deck.breach = why
    state.deck.broken = action
    state.deck.broken_cards = cards
    end_hand(state, BROKEN)


@kernel
def cards_complete(state):
    """Whether hands, table, pile and stock together are the two packs with their jokers."""
    table = state.table
    first = state.deck.stock[0]
    second = state.deck.stock[1]
    total = count(first) + count(second) + table.pile_size
    for s in range(table.players):
        seat = state.seats[s]
        held = with_jokers(seat.hand, seat.jokers)
        both = twins(seat.twice, seat.jokers)
        second |= both | (first & held)
        first |= held
        total += count(held) + count(both)
    for m in range(table.meld_count):
        meld = table.melds[m]
        total += count(meld.places)
        cards = meld.places
        while cards != NONE:
            place = cards & (~cards + U1)
            cards = cards & ~place
            card = faces_used(place, place & meld.jokers)
            second |= first & card
            first |= card
    for i in range(table.pile_size):
        card = card_bit(np.int64(table.pile[i]))
        second |= first & card
        first |= card
    pack = ALL | JOKER_BIT
    return first == pack and second == pack and total == 2 * count(pack)
