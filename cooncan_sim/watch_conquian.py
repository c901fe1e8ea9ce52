"""What happens inside the hands of Conquian, counted while they are played."""

import numpy as np
from numba import njit, types

from cooncan_sim.bits import NONE, count, first_bit
from cooncan_sim.games.batch import RESULTS, SEATINGS
from cooncan_sim.games.conquian_deal import deal_hand
from cooncan_sim.games.conquian_play import PLAYERS, play_one
from cooncan_sim.games.conquian_state import (
    ACCEPT,
    BROKEN,
    FORCE,
    MOST_MELDS,
    OVER,
    REARRANGE_NONE,
    SEATS,
    STATE_TYPE,
)
from cooncan_sim.games.dealing import first_dealer
from cooncan_sim.kernel import OPTIONS, kernel
from cooncan_sim.melds.conquian import CqRules, can_join, can_still_win
from cooncan_sim.melds.conquian_search import rank_of

# By seat. forced: acceptances it was forced to; dead: those of them after which no full table was
# left to it, where there was one before; longest: cards of the longest run it had on the table;
# regrouped: acceptances that melds left as they lay would not have allowed.
COLUMNS = ("forced", "dead", "longest", "regrouped")
FORCED, DEAD, LONGEST, REGROUPED = range(4)


@kernel
def _meld_count(melds):
    """How many of a seat's melds are not empty; those come first."""
    size = np.int64(0)
    while size < MOST_MELDS and melds[size] != NONE:
        size += 1
    return size


@kernel
def _can_win(table, seat, melds, rules):
    """Whether the seat can still fill its table (kind `cq_future`)."""
    gone = table.dead | table.down[1 - seat]
    return can_still_win(melds, _meld_count(melds), gone, table.need, rules)


@kernel
def _note_accept(state, note, was_forced, before, seen):
    """Counts an acceptance; before: the seat's melds as they lay."""
    table = state.table
    seat = note.seat
    free = table.CQ_REARRANGE != REARRANGE_NONE
    rules = CqRules(free, table.CQ_HAND_CARDS, table.most_run, np.int64(0), table.CQ_FORCE_SCOPE)
    frozen = CqRules(False, table.CQ_HAND_CARDS, table.most_run, np.int64(0), table.CQ_FORCE_SCOPE)
    held = state.seats[seat].hand | note.cards
    if not can_join(before, _meld_count(before), note.card, held, note.cards, frozen):
        seen[seat, REGROUPED] += 1
    after = np.zeros(MOST_MELDS, dtype=np.uint64)
    for m in range(MOST_MELDS):
        after[m] = note.melds[m]
        meld = after[m]
        if meld != NONE and meld & ~rank_of(first_bit(meld)) != NONE:
            seen[seat, LONGEST] = max(seen[seat, LONGEST], count(meld))
    if was_forced:
        seen[seat, FORCED] += 1
        if _can_win(table, seat, before, rules) and not _can_win(table, seat, after, rules):
            seen[seat, DEAD] += 1


@kernel
def _note_round(state, before, seen):
    """Counts what was done about one card; before: both seats' melds as they lay."""
    deck = state.deck
    was_forced = False
    for i in range(deck.noted):
        note = deck.notes[i]
        was_forced = was_forced or note.action == FORCE
        if note.action == ACCEPT:
            _note_accept(state, note, was_forced, before[note.seat], seen)


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
    offers,
    forces,
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
    """Plays deals `first` … in every seating, as `conquian_play.play_deals`, and counts.

    seen: int64 (deal, seating, seat, column), see COLUMNS. Returns the number of hands played;
    it stops at one that a strategy breaks.
    """
    state = states[0]
    table = state.table
    before = np.zeros((SEATS, MOST_MELDS), dtype=np.uint64)
    for d in range(winner.shape[0]):
        for g in range(seatings.shape[0]):
            dealer[d] = first_dealer(table, seed, first + d)
            deal_hand(state, seed, first + d, dealer[d])
            table.stake = 1
            for s in range(SEATS):
                own = state.seats[s].weights
                for i in range(weights.shape[1]):
                    own[i] = weights[seatings[g, s], i]
            seen[d, g] = 0
            while table.phase != OVER:
                for s in range(SEATS):
                    for m in range(MOST_MELDS):
                        before[s, m] = table.melds[s, m]
                who = seatings[g, table.offered_to]
                other = seatings[g, 1 - table.offered_to]
                play_one(offers[who], forces[other], discards[who], states)
                _note_round(state, before, seen[d, g])
            if table.ending == BROKEN:
                return d * seatings.shape[0] + g
            winner[d, g] = table.winner
            ending[d, g] = table.ending
            turns[d, g] = table.turns
            for s in range(SEATS):
                points[d, g, s] = state.deck.points[s]
    return winner.shape[0] * np.int64(seatings.shape[0])
