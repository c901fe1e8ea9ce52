"""What happens inside the hands of `double_rum`, counted while they are played."""

import numpy as np
from numba import njit, types

from cooncan_sim.games.batch import RESULTS, SEATINGS
from cooncan_sim.games.dealing import first_dealer
from cooncan_sim.games.double_rum import deal_hand
from cooncan_sim.games.double_rum_play import PLAYERS, play_one
from cooncan_sim.games.double_rum_state import BROKEN, OVER, STATE_TYPE
from cooncan_sim.kernel import OPTIONS, kernel
from cooncan_sim.watch_jokers import exchange_joker

# By seat. jokers: dealt to it; exhausted: whether the stock ran out (the same for every seat);
# parted: whether it is the one whose joker was exchanged, or in the other game would be.
COLUMNS = ("jokers", "exhausted", "parted")
JOKERS, EXHAUSTED, PARTED = range(3)


@kernel
def _note_deal(state, swap, seen):
    """Counts what was dealt; swap: -1 leave it, 0 look for a joker to exchange, 1 do it."""
    for s in range(state.table.players):
        seen[s, JOKERS] = state.seats[s].jokers
        seen[s, EXHAUSTED] = 0
        seen[s, PARTED] = 0
    if swap >= 0:
        seat = exchange_joker(state, swap)
        if seat >= 0:
            seen[seat, PARTED] = 1


@njit(
    types.int64(
        *PLAYERS,
        *SEATINGS,
        STATE_TYPE[::1],
        types.int64,
        types.int64,
        *RESULTS,
        types.int64[:, :, :, ::1],
        types.boolean,
    ),
    **OPTIONS,
)
def watch_deals(
    draws,
    lays,
    discards,
    seatings,
    weights,
    states,
    seed,
    first,
    winner,
    ending,
    turns,
    points,
    dealer,
    seen,
    swaps,
):
    """Plays deals `first` … in every seating, as `double_rum_play.play_deals`, and counts.

    seen: int64 (deal, seating, seat, column), see COLUMNS. swaps: in every second seating one
    dealt joker is exchanged first. Returns the number of hands played;
    it stops at one that a strategy breaks.
    """
    state = states[0]
    table = state.table
    for d in range(winner.shape[0]):
        for g in range(seatings.shape[0]):
            dealer[d] = first_dealer(table, seed, first + d)
            table.pool = 0
            deal_hand(state, seed, first + d, dealer[d])
            for s in range(table.players):
                own = state.seats[s].weights
                for i in range(weights.shape[1]):
                    own[i] = weights[seatings[g, s], i]
            _note_deal(state, g % 2 if swaps else -1, seen[d, g])
            while table.phase != OVER:
                who = seatings[g, table.turn]
                play_one(draws[who], lays[who], discards[who], states)
                if table.stock == 0:
                    for s in range(table.players):
                        seen[d, g, s, EXHAUSTED] = 1
            if table.ending == BROKEN:
                return d * seatings.shape[0] + g
            winner[d, g] = table.winner
            ending[d, g] = table.ending
            turns[d, g] = table.turns
            for s in range(table.players):
                points[d, g, s] = state.deck.points[s]
    return winner.shape[0] * np.int64(seatings.shape[0])
