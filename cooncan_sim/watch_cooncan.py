"""What happens inside the hands of the `jaques` family, counted while they are played."""

import numpy as np
from numba import njit, types

from cooncan_sim.bits import NONE
from cooncan_sim.games.batch import RESULTS, SEATINGS
from cooncan_sim.games.cooncan_deal import deal_hand
from cooncan_sim.games.cooncan_play import PLAYERS, play_one
from cooncan_sim.games.cooncan_state import BROKEN, OVER, RUN, STATE_TYPE
from cooncan_sim.games.dealing import first_dealer
from cooncan_sim.kernel import OPTIONS, kernel
from cooncan_sim.melds.single import running

# By seat. run_turn: own turns until the hand first held a run, 0 if it was dealt one, -1 if none
# came; laid_runs, laid_sets: melds it laid; own_turns: turns it played.
COLUMNS = ("run_turn", "laid_runs", "laid_sets", "own_turns")
RUN_TURN, LAID_RUNS, LAID_SETS, OWN_TURNS = range(4)


@kernel
def _note_deal(state, seen):
    for s in range(state.table.players):
        for column in range(seen.shape[1]):
            seen[s, column] = 0
        seen[s, RUN_TURN] = 0 if running(state.seats[s].hand) != NONE else -1


@kernel
def _note_turn(state, who, melds, seen):
    """Counts one turn of seat `who`, before which so many melds lay on the table."""
    table = state.table
    deck = state.deck
    seen[who, OWN_TURNS] += 1
    for m in range(melds, table.meld_count):
        seen[who, LAID_RUNS if table.melds[m].kind == RUN else LAID_SETS] += 1
    if seen[who, RUN_TURN] >= 0:
        return
    # The most that was in the hand in this turn: what is left, what was laid and what was thrown.
    held = state.seats[who].hand
    for i in range(1, deck.noted):
        held |= deck.notes[i].cards
    if running(held) != NONE:
        seen[who, RUN_TURN] = seen[who, OWN_TURNS]


@njit(
    types.int64(
        *PLAYERS,
        *SEATINGS,
        STATE_TYPE[::1],
        types.int64,
        types.int64,
        *RESULTS,
        types.int64[:, :, :, ::1],
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
):
    """Plays deals `first` … in every seating, as `cooncan_play.play_deals`, and counts.

    seen: int64 (deal, seating, seat, column), see COLUMNS. Returns the number of hands played;
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
            _note_deal(state, seen[d, g])
            while table.phase != OVER:
                seat, melds = table.turn, table.meld_count
                who = seatings[g, seat]
                play_one(draws[who], lays[who], discards[who], states)
                _note_turn(state, seat, melds, seen[d, g])
            if table.ending == BROKEN:
                return d * seatings.shape[0] + g
            winner[d, g] = table.winner
            ending[d, g] = table.ending
            turns[d, g] = table.turns
            for s in range(table.players):
                points[d, g, s] = state.deck.points[s % table.sides]
    return winner.shape[0] * np.int64(seatings.shape[0])
