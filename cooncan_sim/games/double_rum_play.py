"""The entry points of the `double_rum` engine: a batch of deals, and one turn from any state."""

from collections.abc import Iterable

import numpy as np
from numba import njit, types

from cooncan_sim.bits import NONE
from cooncan_sim.games import double_rum_breach as breach
from cooncan_sim.games.batch import DEALS, RESULTS, SEATINGS
from cooncan_sim.games.dealing import first_dealer
from cooncan_sim.games.double_rum import break_off, cards_complete, deal_hand, play_turn
from cooncan_sim.games.double_rum_state import (
    BROKEN,
    FUNCTIONS,
    OVER,
    RULE_FIELDS,
    STATE_DTYPE,
    STATE_TYPE,
    STOP,
)
from cooncan_sim.games.double_rum_state import DECISIONS as DECISIONS
from cooncan_sim.games.double_rum_state import MOST_WEIGHTS as MOST_WEIGHTS
from cooncan_sim.games.game import Game
from cooncan_sim.kernel import OPTIONS, records

MOST_STRATEGIES = 8  # in one batch

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
    or -1 for a hand by itself; scores (deal, seat), balances, and stakes, the pool before the
    hand, which becomes the pool after it when the last seating has played the deal.
    Results by (deal, seating): winner (seat or -1), ending, turns; points (deal, seating, seat),
    units won; dealer (deal).
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
        table.pool = stakes[d]
        deal_hand(state, seed, deals[d], dealer[d])
        for s in range(table.players):
            table.scores[s] = scores[d, s]
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
            points[d, g, s] = state.deck.points[s]
        if g + 1 == seating_count:
            stakes[d] = state.deck.pool
    state.deck.played = winner.shape[0] * seating_count
    return state.deck.played


def new_state(game: Game, players: int, codes: dict[str, int], per_seat: bool) -> np.ndarray:
    """An array of one empty state, shape (1,), for so many players under these rule codes."""
    states = records(1, STATE_DTYPE)
    table = states["table"]
    table["players"] = table["sides"] = players
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
    """Deals a hand into the state: one by itself, or one of a match.

    dealer: its seat, -1 to draw it; scores: balances by seat; stake: the pool before the hand.
    """
    state = states[0]
    if dealer < 0:
        dealer = first_dealer(state["table"], seed, deal)
    state["table"]["pool"] = stake
    deal_hand(state, seed, deal, dealer)
    balances = tuple(scores)
    state["table"]["scores"][: len(balances)] = balances


def play_on(draws, lays, discards, seating, states):
    """Plays the rest of one turn from any state; deck.notes then hold its actions.

    draws, lays, discards: each strategy's functions; seating: the strategy in each seat.
    """
    who = seating[states["table"]["turn"][0]]
    play_one(draws[who], lays[who], discards[who], states)


# All functions of all strategies would take a millisecond to pass; these three take a tenth of it.
@njit(types.void(*FUNCTIONS.values(), STATE_TYPE[::1]), **OPTIONS)
def play_one(choose_draw, choose_table, choose_discard, states):
    play_turn(states[0], choose_draw, choose_table, choose_discard)
