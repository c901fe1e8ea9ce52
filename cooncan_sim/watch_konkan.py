"""What happens inside the hands of `konkan`, counted while they are played."""

import numpy as np
from numba import njit, types

from cooncan_sim.games.batch import RESULTS, SEATINGS
from cooncan_sim.games.dealing import first_dealer
from cooncan_sim.games.konkan import to_announce
from cooncan_sim.games.konkan_deal import deal_hand
from cooncan_sim.games.konkan_play import PLAYERS, play_one
from cooncan_sim.games.konkan_state import ANNOUNCE, BROKEN, OVER, STATE_TYPE
from cooncan_sim.kernel import OPTIONS, kernel
from cooncan_sim.watch_jokers import exchange_joker

# By seat. jokers: dealt to it; parted: whether it is the one whose joker was exchanged, or in the
# other game would be. spoke, silent: own turns in which it could announce a joker and did or did
# not, the hand going on; spoke_won, silent_won: those of them after which it won within two own
# turns. The rest is memory: what it did one and two own turns ago.
COLUMNS = ("jokers", "parted", "spoke", "spoke_won", "silent", "silent_won", "last", "before")
JOKERS, PARTED, SPOKE, SPOKE_WON, SILENT, SILENT_WON, LAST, BEFORE = range(8)
NEITHER = 0  # as a memory; SPOKE and SILENT are the other two


@kernel
def _note_deal(state, swap, seen):
    """Counts what was dealt; swap: -1 leave it, 0 look for a joker to exchange, 1 do it."""
    for s in range(state.table.players):
        for column in range(seen.shape[1]):
            seen[s, column] = 0
        seen[s, JOKERS] = state.seats[s].jokers
    if swap >= 0:
        seat = exchange_joker(state, swap)
        if seat >= 0:
            seen[seat, PARTED] = 1


@kernel
def _note_turn(state, who, seen):
    """Counts one turn of seat `who`: whether it announced, and whether it has now won."""
    table = state.table
    deck = state.deck
    if table.phase == OVER:
        if table.winner == who:
            for moment in (LAST, BEFORE):
                did = seen[who, moment]
                if did != NEITHER:
                    seen[who, did + 1] += 1
        return
    did = NEITHER
    for i in range(deck.noted):
        if deck.notes[i].action == ANNOUNCE:
            did = SPOKE
    # A joker just thrown was still there to be announced, but nobody keeps one who throws it.
    if did == NEITHER and to_announce(table, state.seats[who]) > 0:
        did = SILENT
    if did != NEITHER:
        seen[who, did] += 1
    seen[who, BEFORE] = seen[who, LAST]
    seen[who, LAST] = did


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
    announces,
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
    """Plays deals `first` … in every seating, as `konkan_play.play_deals`, and counts.

    seen: int64 (deal, seating, seat, column), see COLUMNS. swaps: in every second seating one
    dealt joker is exchanged first. Returns the number of hands played;
    it stops at one that a strategy breaks.
    """
    state = states[0]
    table = state.table
    for d in range(winner.shape[0]):
        for g in range(seatings.shape[0]):
            dealer[d] = first_dealer(table, seed, first + d)
            deal_hand(state, seed, first + d, dealer[d])
            for s in range(table.players):
                own = state.seats[s].weights
                for i in range(weights.shape[1]):
                    own[i] = weights[seatings[g, s], i]
            _note_deal(state, g % 2 if swaps else -1, seen[d, g])
            while table.phase != OVER:
                seat = table.turn
                who = seatings[g, seat]
                play_one(draws[who], lays[who], announces[who], discards[who], states)
                _note_turn(state, seat, seen[d, g])
            if table.ending == BROKEN:
                return d * seatings.shape[0] + g
            winner[d, g] = table.winner
            ending[d, g] = table.ending
            turns[d, g] = table.turns
            for s in range(table.players):
                points[d, g, s] = state.deck.points[s]
    return winner.shape[0] * np.int64(seatings.shape[0])
