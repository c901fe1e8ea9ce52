"""The entry points of the Conquian engine: a batch of deals, and one round from any state."""

from collections.abc import Iterable

import numpy as np
from numba import njit, types

from cooncan_sim.bits import NONE
from cooncan_sim.games import conquian_breach as breach
from cooncan_sim.games.batch import DEALS, RESULTS, SEATINGS
from cooncan_sim.games.conquian import break_off, play_round
from cooncan_sim.games.conquian_deal import cards_complete, deal_hand
from cooncan_sim.games.conquian_state import (
    BROKEN,
    DECLINE,
    FUNCTIONS,
    OVER,
    RULE_FIELDS,
    SEATS,
    STATE_DTYPE,
    STATE_TYPE,
)
from cooncan_sim.games.conquian_state import DECISIONS as DECISIONS
from cooncan_sim.games.dealing import first_dealer
from cooncan_sim.games.rulebook import Game
from cooncan_sim.kernel import OPTIONS, records

MOST_STRATEGIES = 8  # in one batch
# CQJ_SIZE: cards dealt and cards that must be down to win; `conquian` is the second (R-CQN-04).
SIZES = ((9, 10), (10, 11), (9, 11))
WHOLE_SUIT = 10

PLAYERS = tuple(types.UniTuple(FUNCTIONS[name], MOST_STRATEGIES) for name in DECISIONS)


@njit(
    types.int64(
        *PLAYERS,
        *SEATINGS,
        STATE_TYPE[::1],
        types.int64,
        *DEALS,
        types.int64,
        *RESULTS,
    ),
    **OPTIONS,
)
def play_deals(
    offers,
    forces,
    discards,
    seatings,
    weights,
    states,
    seed,
    deals,
    dealers,
    scores,
    stakes,
    start,
    winner,
    ending,
    turns,
    points,
    dealer,
):
    """Plays these deals in every seating, from hand number `start` of them on.

    offers, forces, discards: each strategy's functions. seatings: shape (seatings, players), the
    number of the strategy in each seat. weights: shape (strategies, weights). states: one state,
    in which rules and stock order are set. By deal: deals, its number; dealers, a seat or -1 for
    a hand by itself; scores (deal, seat), totals before the hand; stakes, the worth of the hand,
    0 for a hand by itself, which is worth 1. Results by (deal, seating): winner (seat or -1),
    ending, turns; points (deal, seating, seat); dealer (deal).
    Stops at a hand that a strategy breaks; the state shows that one. deck.played and the value
    returned are the number of the next hand.
    """
    state = states[0]
    table = state.table
    seating_count = seatings.shape[0]
    for hand in range(start, winner.shape[0] * seating_count):
        state.deck.played = hand
        d = hand // seating_count
        g = hand - d * seating_count
        dealer[d] = dealers[d] if dealers[d] >= 0 else first_dealer(table, seed, deals[d])
        deal_hand(state, seed, deals[d], dealer[d])
        table.stake = max(1, stakes[d])
        for s in range(SEATS):
            table.scores[s] = scores[d, s]
            own = state.seats[s].weights
            for i in range(weights.shape[1]):
                own[i] = weights[seatings[g, s], i]
        while table.phase != OVER:
            who = seatings[g, table.offered_to]
            other = seatings[g, 1 - table.offered_to]
            play_round(state, offers[who], forces[other], discards[who])
        if not cards_complete(state):
            break_off(state, breach.CARDS_CHANGED, DECLINE, NONE)
        if table.ending == BROKEN:
            return state.deck.played
        winner[d, g] = table.winner
        ending[d, g] = table.ending
        turns[d, g] = table.turns
        for s in range(SEATS):
            points[d, g, s] = state.deck.points[s]
    state.deck.played = winner.shape[0] * seating_count
    return state.deck.played


def longest_run(codes: dict[str, int]) -> int:
    """Cards in the longest run allowed (CQ_RUN_CAP)."""
    return codes["CQ_RUN_CAP"] or WHOLE_SUIT


def new_state(game: Game, players: int, codes: dict[str, int], per_seat: bool) -> np.ndarray:
    """An array of one empty state, shape (1,), under these rule codes; players is 2 (R-CQN-01)."""
    states = records(1, STATE_DTYPE)
    table = states["table"]
    table["players"] = table["sides"] = players
    table["stake"] = 1
    table["offered"] = table["winner"] = -1
    table["deal_size"], table["need"] = SIZES[codes.get("CQJ_SIZE", 1)]
    table["most_run"] = longest_run(codes)
    for name, _ in RULE_FIELDS:
        table[name] = codes[name]
    states["deck"]["per_seat"] = per_seat
    return states


def begin(
    states: np.ndarray,
    seed: int,
    deal: int,
    dealer: int = -1,
    scores: Iterable[int] = (),
    stake: int = 0,
) -> None:
    """Deals a hand into the state: one by itself, or with this dealer and totals in a match.

    stake: what the hand is worth; 0 for a hand by itself, which is worth 1.
    """
    state = states[0]
    if dealer < 0:
        dealer = first_dealer(state["table"], seed, deal)
    deal_hand(state, seed, deal, dealer)
    state["table"]["scores"][: len(tuple(scores))] = tuple(scores)
    state["table"]["stake"] = max(1, stake)


def play_on(
    offers: tuple, forces: tuple, discards: tuple, seating: np.ndarray, states: np.ndarray
) -> None:
    """Plays the rest of one round from any state; deck.notes then hold its actions.

    offers, forces, discards: each strategy's functions; seating: the strategy in each seat.
    """
    asked = states["table"]["offered_to"][0]
    who, other = seating[asked], seating[1 - asked]
    # Numba looks at every function of its arguments at each call, so it gets no more than it needs.
    play_one(offers[who], forces[other], discards[who], states)


@njit(types.void(*FUNCTIONS.values(), STATE_TYPE[::1]), **OPTIONS)
def play_one(choose_offer, choose_force, choose_discard, states):
    play_round(states[0], choose_offer, choose_force, choose_discard)
