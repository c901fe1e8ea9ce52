"""Roll-outs of the `jaques` family: every answer of a turn, played to the end of many hands.

A turn is a chain of decisions: where to draw from, what to lay (one move at a time, or no more),
what to throw. To weigh the answers of one of them the hand is played on from each, in worlds: in
every world the cards that the seat does not see are dealt anew, and all answers meet the same one.
"""

import numpy as np
from numba import njit, types

from cooncan_sim import rng
from cooncan_sim.bits import NONE, U1, count, lowest
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan import (
    begin_turn,
    check_draw,
    discard,
    draw,
    end_turn,
    lay,
    legal_discards,
    play_discard,
    play_turn,
)
from cooncan_sim.games.cooncan_deal import deal_hand, take
from cooncan_sim.games.cooncan_moves import table_move
from cooncan_sim.games.cooncan_state import (
    BROKEN,
    DISCARD,
    DRAW,
    DRAW_DISCARD,
    DRAW_STOCK,
    FUNCTIONS,
    LAYOFF,
    MELD,
    MOST_ACTIONS,
    OUT,
    OVER,
    STATE_TYPE,
    Move,
)
from cooncan_sim.games.dealing import first_dealer, next_card, shuffle, shuffle_for_seats
from cooncan_sim.kernel import OPTIONS, kernel, search_kernel

# Kinds of decision. The answers of each, from 0: the stock, the pile; the moves in the order of
# `table_move`, then no more of them; the cards that may go, in card order.
DRAWING, LAYING, THROWING = range(3)
MOST_DECISIONS = 2 * MOST_ACTIONS  # in one turn

PLAYER = tuple(FUNCTIONS.values())  # one strategy's functions


@search_kernel
def _nth_move(table, seat, wanted):
    """`table_move`, compiled once for all who ask."""
    return table_move(table, seat, wanted)


@kernel
def answer_count(state, kind):
    """How many legal answers (int64) there are to a decision of this kind, here and now."""
    table = state.table
    seat = state.seats[table.turn]
    if kind == DRAWING:
        both = check_draw(table, DRAW_STOCK) == check_draw(table, DRAW_DISCARD) == breach.LEGAL
        return np.int64(2 if both else 1)
    if kind == LAYING:
        return _nth_move(table, seat, 0)[0] + 1
    return max(np.int64(1), count(legal_discards(table, seat)))


@kernel
def play_answer(state, kind, answer, choose_discard):
    """Carries out an answer; a seat that lays no more throws what it chooses at once."""
    table = state.table
    seat = state.seats[table.turn]
    if kind == DRAWING:
        begin_turn(table, state.deck)
        draw(state, DRAW_STOCK if answer == 0 else DRAW_DISCARD)
    elif kind == LAYING:
        found, move = _nth_move(table, seat, answer)
        if answer < found:
            lay(state, move)
        else:
            play_discard(state, choose_discard)
    else:
        cards = legal_discards(table, seat)
        for _ in range(answer):
            cards = cards & (cards - U1)
        discard(state, lowest(cards))


@kernel
def deal_unseen(state, seed, world):
    """Deals anew what the seat to play does not see: the others' hands and the stock.

    A card that somebody took from the pile stays where it is. Nothing of the state but that is
    kept of the hidden cards, their order included; all streams are those of (seed, world).
    """
    table = state.table
    deck = state.deck
    for s in range(table.players):
        seat = state.seats[s]
        seat.rng = rng.stream(seed, world, rng.POLICY, s)
        if s != table.turn:
            for i in range(seat.memory.shape[0]):
                seat.memory[i] = 0
            known = seat.hand & table.picked[s]
            for cards in (seat.hand & ~known, seat.twice):
                deck.stock[1] |= deck.stock[0] & cards
                deck.stock[0] |= cards
            seat.hand = known
            seat.twice = NONE
    deck.seed = seed
    deck.deal = world
    deck.recycled = 0
    shuffle(deck, rng.DEAL, 0)
    for s in range(table.players):
        if s != table.turn:
            seat = state.seats[s]
            for _ in range(table.hand_sizes[s] - count(seat.hand)):
                take(seat, next_card(deck) & 63)
    if deck.per_seat != 0:
        shuffle_for_seats(table, deck, rng.STOCK, 0)


@njit(
    types.int64(
        *PLAYER,
        STATE_TYPE[::1],
        types.int64,
        types.int64,
        types.int64,
        types.int8[:, ::1],
    ),
    **OPTIONS,
)
def roll_out(choose_draw, choose_table, choose_discard, states, kind, seed, first, shares):
    """Plays every answer of a decision to the end in worlds `first` … of a seed.

    states: the position, and two more to play in. All seats play the one strategy; the weights
    are in the position. shares: int8 (answers, worlds), the part of the win that the seat to play
    gets, in 1/sides: all of it or nothing, and one where nobody wins. Returns the worlds played;
    it stops at one in which the strategy breaks a hand, and states[2] shows that.
    """
    world = states[1]
    state = states[2]
    table = state.table
    seat = states[0].table.turn
    for w in range(shares.shape[1]):
        states[1] = states[0]
        deal_unseen(world, seed, first + w)
        for answer in range(shares.shape[0]):
            states[2] = states[1]
            play_answer(state, kind, answer, choose_discard)
            while table.phase != OVER:
                play_turn(state, choose_draw, choose_table, choose_discard)
            if table.ending == BROKEN:
                return w
            if table.ending == OUT:
                won = (table.winner - seat) % table.sides == 0
                shares[answer, w] = table.sides if won else 0
            else:
                shares[answer, w] = 1
    return np.int64(shares.shape[1])


@kernel
def repeat(state, note):
    """Carries out once more an action that was noted in the same position."""
    if note.action == DRAW_STOCK or note.action == DRAW_DISCARD:
        begin_turn(state.table, state.deck)
        draw(state, note.action)
    elif note.action == MELD or note.action == LAYOFF:
        lay(state, Move(note.action, note.cards, note.twice, note.meld, note.end, note.substitutes))
    elif note.action == DISCARD:
        discard(state, lowest(note.cards))
    else:
        end_turn(state)


@njit(types.int64(STATE_TYPE[::1], STATE_TYPE[::1], types.int64[:, ::1]), **OPTIONS)
def decisions_of(states, positions, decisions):
    """Walks through a turn that was played and keeps each decision that had more than one answer.

    states: the position before the turn, the one after it with its notes, and one to play in.
    positions: the position of each decision; decisions: int64 (…, 2), its kind and its answers.
    Returns how many decisions there were.
    """
    played = states[1]
    state = states[2]
    states[2] = states[0]
    found = np.int64(0)
    for i in range(played.deck.noted):
        note = played.deck.notes[i]
        drawing = state.table.phase == DRAW
        last = note.action != MELD and note.action != LAYOFF
        for kind in range(DRAWING if drawing else LAYING, THROWING + 1):
            if (kind == DRAWING) == drawing and (kind < THROWING or last):
                answers = answer_count(state, kind)
                if answers > 1:
                    positions[found] = states[2]
                    decisions[found, 0] = kind
                    decisions[found, 1] = answers
                    found += 1
        repeat(state, note)
    return found


@njit(
    types.int64(
        *PLAYER,
        types.float64[::1],
        STATE_TYPE[::1],
        types.int64,
        types.int64,
        types.int64,
        STATE_TYPE[::1],
        types.int64[::1],
        types.int8[::1],
    ),
    **OPTIONS,
)
def take_turns(
    choose_draw,
    choose_table,
    choose_discard,
    weights,
    states,
    seed,
    first,
    every,
    taken,
    turns,
    ending,
):
    """Plays deals `first` … and takes each turn with a chance of one in `every` (128 at most).

    All seats play the one strategy with these weights. states: one state, to play in. taken: the
    positions before the turns taken, as many as fit; by deal: turns, int64, how many were taken;
    ending, int8. Returns how many there are in all; it stops at a hand that the strategy breaks.
    """
    state = states[0]
    table = state.table
    found = np.int64(0)
    for d in range(turns.shape[0]):
        deal_hand(state, seed, first + d, first_dealer(table, seed, first + d))
        for s in range(table.players):
            own = state.seats[s].weights
            for i in range(weights.shape[0]):
                own[i] = weights[i]
        turns[d] = 0
        while table.phase != OVER:
            word = rng.mix(rng.stream(seed, first + d, rng.TAKEN, table.turns))
            if rng.scaled(word, every) == 0:
                if found < taken.shape[0]:
                    taken[found] = states[0]
                turns[d] += 1
                found += 1
            play_turn(state, choose_draw, choose_table, choose_discard)
        ending[d] = table.ending
        if table.ending == BROKEN:
            return found
    return found
