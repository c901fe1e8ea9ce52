"""The two entry points of the `jaques` engine: a batch of deals, and one hand from any state."""

import numpy as np
from numba import from_dtype, njit, types

from cooncan_sim.bits import NONE
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan import (
    break_off,
    cards_complete,
    deal_hand,
    play_turn,
)
from cooncan_sim.games.cooncan_state import (
    BROKEN,
    DECK_TYPE,
    FUNCTIONS,
    MOST_SEATS,
    NOTE_DTYPE,
    OVER,
    SEAT_TYPE,
    STOP,
    TABLE_TYPE,
)
from cooncan_sim.kernel import OPTIONS, kernel

MOST_STRATEGIES = 8  # in one batch

_ROSTER = tuple(
    types.UniTuple(FUNCTIONS[name], MOST_STRATEGIES)
    for name in ("choose_draw", "choose_table", "choose_discard")
)
_STATE = (TABLE_TYPE[::1], SEAT_TYPE[::1], DECK_TYPE[::1])
_LOG = from_dtype(NOTE_DTYPE)[::1]


@kernel
def _to_the_end(draws, tables_, discards, seating, table, seats, deck, log, whole):
    """Plays on to the end of the hand; a `whole` pack must still be whole there."""
    while table.phase != OVER:
        who = seating[table.turn]
        play_turn(table, seats, deck, log, draws[who], tables_[who], discards[who])
    if whole and not cards_complete(table, seats, deck):
        break_off(table, seats, deck, breach.CARDS_CHANGED, STOP, NONE)


@njit(
    types.int64(
        *_ROSTER,
        types.int64[:, ::1],
        types.float64[:, ::1],
        *_STATE,
        types.int64,
        types.int64,
        types.int8[:, ::1],
        types.int8[:, ::1],
        types.int32[:, ::1],
        types.int16[:, :, ::1],
        types.int8[::1],
    ),
    **OPTIONS,
)
def play_deals(
    draws,
    tables_,
    discards,
    seatings,
    weights,
    tables,
    seats,
    decks,
    seed,
    first,
    winner,
    ending,
    turns,
    points,
    dealer,
):
    """Plays deals first, first + 1, … in every seating; stops at a hand that a strategy breaks.

    draws, tables_, discards: each strategy's functions. seatings: shape (seatings, players), the
    number of the strategy in each seat. weights: shape (strategies, WEIGHTS). tables, seats,
    decks: one state; players, rules and stock order are set in it. Results by (deal, seating):
    winner (seat or -1), ending, turns; points (deal, seating, seat); dealer (deal).
    Returns the number of seatings played, the broken one not counted; the state shows that one.
    """
    table = tables[0]
    deck = decks[0]
    log = np.empty(0, dtype=NOTE_DTYPE)
    played = np.int64(0)
    for d in range(winner.shape[0]):
        for g in range(seatings.shape[0]):
            deal_hand(table, seats, deck, seed, first + d)
            for s in range(table.players):
                seats[s].weights[:] = weights[seatings[g, s]]
            _to_the_end(draws, tables_, discards, seatings[g], table, seats, deck, log, True)
            if table.ending == BROKEN:
                return played
            played += 1
            winner[d, g] = table.winner
            ending[d, g] = table.ending
            turns[d, g] = table.turns
            for s in range(table.players):
                points[d, g, s] = deck.points[s]
        dealer[d] = table.dealer
    return played


@njit(types.void(*_ROSTER, types.int64[::1], *_STATE, _LOG), **OPTIONS)
def play_on(draws, tables_, discards, seating, tables, seats, decks, log):
    """Plays one hand on from any state, writing its actions into log, shape (actions,).

    deck.noted counts the actions, also those beyond the length of the log.
    """
    table = tables[0]
    deck = decks[0]
    whole = cards_complete(table, seats, deck)
    _to_the_end(draws, tables_, discards, seating, table, seats, deck, log, whole)
