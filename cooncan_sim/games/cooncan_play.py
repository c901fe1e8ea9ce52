"""The entry points of the `jaques` engine: a batch of deals, and one turn from any state."""

from collections.abc import Iterable

import numpy as np
from numba import njit, types

from cooncan_sim.bits import NONE
from cooncan_sim.games import breach
from cooncan_sim.games.batch import DEALS, RESULTS, SEATINGS
from cooncan_sim.games.cooncan import play_turn
from cooncan_sim.games.cooncan_deal import deal_hand
from cooncan_sim.games.cooncan_score import break_off, cards_complete
from cooncan_sim.games.cooncan_state import (
    BROKEN,
    FUNCTIONS,
    OVER,
    RULE_FIELDS,
    STATE_DTYPE,
    STATE_TYPE,
    STOP,
)
from cooncan_sim.games.cooncan_state import DECISIONS as DECISIONS
from cooncan_sim.games.cooncan_state import MOST_WEIGHTS as MOST_WEIGHTS
from cooncan_sim.games.dealing import first_dealer
from cooncan_sim.games.rulebook import Game
from cooncan_sim.kernel import OPTIONS, records

MOST_STRATEGIES = 8  # in one batch
DEFAULTS = {"HAND_SIZE": 10}  # where a game has no such switch

PLAYERS = tuple(
    types.UniTuple(FUNCTIONS[name], MOST_STRATEGIES)
    for name in ("choose_draw", "choose_table", "choose_discard")
)


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
    draws,
    lays,
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

    draws, lays, discards: each strategy's functions. seatings: shape (seatings, players), the
    number of the strategy in each seat. weights: shape (strategies, weights). states: one state,
    in which players, rules and stock order are set. By deal: deals, its number; dealers, a seat
    or -1 for a hand by itself; scores (deal, side), totals before the hand; stakes, not used here.
    Results by (deal, seating): winner (seat or -1), ending, turns; points (deal, seating, seat);
    dealer (deal).
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
        for side in range(table.sides):
            table.scores[side] = scores[d, side]
        for s in range(table.players):
            own = state.seats[s].weights
            for i in range(weights.shape[1]):
                own[i] = weights[seatings[g, s], i]
        while table.phase != OVER:
            who = seatings[g, table.turn]
            play_turn(state, draws[who], lays[who], discards[who])
        if not cards_complete(state):
            break_off(state, breach.CARDS_CHANGED, STOP, NONE)
        if table.ending == BROKEN:
            return state.deck.played
        winner[d, g] = table.winner
        ending[d, g] = table.ending
        turns[d, g] = table.turns
        for s in range(table.players):
            points[d, g, s] = state.deck.points[s % table.sides]
    state.deck.played = winner.shape[0] * seating_count
    return state.deck.played


def new_state(game: Game, players: int, codes: dict[str, int], per_seat: bool) -> np.ndarray:
    """An array of one empty state, shape (1,), for so many players under these rule codes."""
    states = records(1, STATE_DTYPE)
    table = states["table"]
    table["players"] = players
    table["sides"] = 2 if game.partners else players
    table["packs"] = game.pack.copies
    for name, _ in RULE_FIELDS:
        table[name] = codes.get(name, DEFAULTS.get(name, 0))
    if "WILD_RANK" in codes:
        table["wild"] = sum(1 << (16 * suit + codes["WILD_RANK"]) for suit in range(4))
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

    stake: nothing is at stake here beside the points.
    """
    state = states[0]
    if dealer < 0:
        dealer = first_dealer(state["table"], seed, deal)
    deal_hand(state, seed, deal, dealer)
    state["table"]["scores"][: len(tuple(scores))] = tuple(scores)


def play_on(draws, lays, discards, seating, states):
    """Plays the rest of one turn from any state; deck.notes then hold its actions.

    draws, lays, discards: each strategy's functions; seating: the strategy in each seat.
    """
    who = seating[states["table"]["turn"][0]]
    play_one(draws[who], lays[who], discards[who], states)


# All functions of all strategies would take a millisecond to pass; these three take a tenth of it.
@njit(types.void(*(function for function in FUNCTIONS.values()), STATE_TYPE[::1]), **OPTIONS)
def play_one(choose_draw, choose_table, choose_discard, states):
    states[0].deck.noting = 1
    play_turn(states[0], choose_draw, choose_table, choose_discard)
