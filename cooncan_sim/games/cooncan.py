"""A turn of the `jaques` family: draw, table, discard, and the loop that asks the strategies.

Every kernel works on a state record of `cooncan_state`: its table (public), seats and deck
(hidden). It is changed in place.
"""

import numpy as np

from cooncan_sim.bits import NONE, bit, count
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan_deal import give, recycle, take
from cooncan_sim.games.cooncan_score import break_off, end_hand
from cooncan_sim.games.cooncan_state import (
    DISCARD,
    DRAW,
    DRAW_DISCARD,
    DRAW_STOCK,
    HOLD,
    LAYOFF,
    LOW,
    MAX_TURNS,
    MELD,
    OUT,
    OVER,
    RUN,
    STOP,
    TABLE,
    VOID,
    Move,
)
from cooncan_sim.games.cooncan_table import (
    check_layoff,
    check_meld,
    place_of,
    reopen_one,
    shape_of,
    stand_in,
    stands_at,
)
from cooncan_sim.games.dealing import next_card, next_for_seat
from cooncan_sim.kernel import kernel

# ---- turn: draw ---------------------------------------------------------------------------


@kernel
def check_draw(table, action):
    """LEGAL, or what drawing from there breaks (R-JAQ-10, R-JAQ-17)."""
    if table.phase != DRAW:
        return breach.NOT_THIS_PHASE
    if action == DRAW_STOCK and (table.stock > 0 or table.pile_size > 1):
        return breach.LEGAL
    if action == DRAW_DISCARD and table.pile_size > 0:
        return breach.LEGAL
    return breach.NO_SOURCE


@kernel
def begin_turn(table, deck):
    """Renews an empty stock before the draw where RESHUFFLE_TIMING says so; whether it did."""
    if table.RESHUFFLE_TIMING != 0 and table.stock == 0 and table.pile_size > 1:
        recycle(table, deck)
        return True
    return False


@kernel
def draw(state, action):
    """Draws a card into the hand; returns (card, whether the stock was renewed for it)."""
    table = state.table
    deck = state.deck
    seat = state.seats[table.turn]
    renewed = False
    table.taken = -1
    if action == DRAW_DISCARD:
        table.pile_size -= 1
        card = np.int64(table.pile[table.pile_size])
        table.taken = card
        table.picked[seat.seat] |= bit(card)
    else:
        if table.stock == 0:
            recycle(table, deck)
            renewed = True
        drawn = next_card(deck) if deck.per_seat == 0 else next_for_seat(deck, seat.seat)
        card = drawn & 63
        table.stock -= 1
    take(seat, card)
    table.hand_sizes[seat.seat] += 1
    table.phase = TABLE
    return card, renewed


# ---- turn: table --------------------------------------------------------------------------


@kernel
def check_table(table, seat, move):
    """LEGAL, or what this move of the TABLE phase breaks."""
    if move.action == MELD:
        return check_meld(table, seat, move)
    if move.action == LAYOFF:
        return check_layoff(table, seat, move)
    return breach.NO_ANSWER


@kernel
def put_down(table, owner, move):
    """Adds a legal MELD or LAYOFF to the melds on the table."""
    if move.action == MELD:
        meld = table.melds[table.meld_count]
        meld.owner = owner
        meld.kind, meld.places = shape_of(table, move.cards, move.twice, move.substitutes)
        meld.cards = move.cards
        meld.twice = move.twice
        meld.substitutes = move.substitutes
        table.meld_count += 1
        table.melded[owner] += 1
    else:
        meld = table.melds[move.meld]
        if meld.kind == RUN:
            meld.places |= place_of(move)
        meld.twice |= meld.cards & move.cards
        meld.cards |= move.cards
        if move.substitutes != NONE:
            card, place = stands_at(move.substitutes)
            meld.substitutes = stand_in(meld.substitutes, card, place)


@kernel
def play_down(table, seat, move):
    """Carries out a legal MELD or LAYOFF on the table and in the seat's hand."""
    put_down(table, seat.seat, move)
    give(seat, move.cards, move.twice)
    table.hand_sizes[seat.seat] -= count(move.cards) + count(move.twice)
    table.picked[seat.seat] &= ~move.cards
    if table.taken >= 0 and bit(table.taken) & move.cards != NONE:
        table.taken = -1
    table.quiet = 0
    table.laid = 1
    if move.action == MELD:
        reopen_one(table, table.meld_count - 1, True)
    else:
        reopen_one(table, move.meld, False)


@kernel
def lay(state, move):
    """Carries out a legal MELD or LAYOFF; the hand ends if it empties the hand (R-JAQ-18)."""
    table = state.table
    play_down(table, state.seats[table.turn], move)
    if table.hand_sizes[table.turn] == 0:
        table.turns += 1
        end_hand(state, OUT)


# ---- turn: discard ------------------------------------------------------------------------


@kernel
def legal_discards(table, seat):
    """The cards (mask) that the seat may throw now (R-COM-07, GO_OUT_BY_DISCARD)."""
    cards = seat.hand
    if table.taken >= 0:
        # Of two equal cards the other one may go (TAKEN_CARD_MATCH).
        twin = seat.twice if table.TAKEN_CARD_MATCH == 0 else NONE
        cards = cards & ~(bit(table.taken) & ~twin)
    if table.GO_OUT_BY_DISCARD != 0 and table.hand_sizes[seat.seat] == 1:
        cards = NONE
    return cards


@kernel
def check_discard(table, seat, card):
    """LEGAL, or what throwing this card number breaks (R-JAQ-16, R-COM-07)."""
    if table.phase != TABLE:
        return breach.NOT_THIS_PHASE
    if card < 0 or card > 63 or bit(card) & seat.hand == NONE:
        return breach.NOT_HELD
    if bit(card) & legal_discards(table, seat) != NONE:
        return breach.LEGAL
    return breach.TAKEN_CARD if card == table.taken else breach.LAST_CARD


@kernel
def check_hold(table, seat):
    """LEGAL, or what ending the turn without a discard breaks (R-COM-08)."""
    if table.phase != TABLE:
        return breach.NOT_THIS_PHASE
    return breach.LEGAL if legal_discards(table, seat) == NONE else breach.MAY_DISCARD


@kernel
def discard(state, card):
    """Throws a card and ends the turn, and the hand if it was the last card (R-JAQ-18)."""
    table = state.table
    seat = state.seats[table.turn]
    give(seat, bit(card), NONE)
    table.hand_sizes[seat.seat] -= 1
    table.picked[seat.seat] &= ~bit(card)
    table.pile[table.pile_size] = card
    table.pile_size += 1
    end_turn(state)


@kernel
def end_turn(state):
    """Counts the turn and passes it on, or ends the hand, in the order of R-COM-16."""
    table = state.table
    table.turns += 1
    if table.laid == 0:
        table.quiet += 1
    table.laid = 0
    table.taken = -1
    ending = OUT if state.seats[table.turn].hand == NONE else cannot_go_on(table)
    if ending >= 0:
        end_hand(state, ending)
    else:
        table.phase = DRAW
        table.turn = table.turn + 1 if table.turn + 1 < table.players else 0


@kernel
def cannot_go_on(table):
    """The ending of a hand whose next player is to draw, or -1 if it goes on (R-COM-11)."""
    if table.stock == 0 and table.pile_size == 0:
        return VOID
    return MAX_TURNS if table.turns >= table.MAX_TURNS else -1


# ---- the loop -----------------------------------------------------------------------------


@kernel
def _note(state, move, renewed):
    """Adds an action to those of the present turn, where somebody will read them."""
    deck = state.deck
    if deck.noting == 0:
        return
    note = deck.notes[deck.noted]
    note.seat = state.table.turn
    note.action = move.action
    note.cards = move.cards
    note.twice = move.twice
    note.meld = move.meld
    note.end = move.end
    note.substitutes = move.substitutes
    note.renewed = renewed
    deck.noted += 1


@kernel
def _plain(action, cards):
    """A draw, a discard or a hold as a move."""
    return Move(np.int64(action), cards, NONE, np.int64(-1), LOW, NONE)


@kernel
def _choose_source(state, choose_draw):
    """The source that the seat draws from; it is asked only where there are two."""
    table = state.table
    if check_draw(table, DRAW_STOCK) != breach.LEGAL:
        return np.int64(DRAW_DISCARD)
    if table.pile_size == 0:
        return np.int64(DRAW_STOCK)
    return choose_draw(table, state.seats[table.turn])


@kernel
def _has_touched(state, seat, hand, twice):
    """Whether a decision has changed the seat's hand, which was so before; that ends the hand."""
    if seat.hand == hand and seat.twice == twice:
        return False
    break_off(state, breach.CARDS_CHANGED, STOP, NONE)
    return True


@kernel
def play_turn(state, choose_draw, choose_table, choose_discard):
    """Plays the rest of the turn from the phase it is in, asking the seat's three functions.

    If deck.noting is set, deck.notes holds the actions of the turn afterwards.
    """
    table = state.table
    deck = state.deck
    seat = state.seats[table.turn]
    deck.noted = 0
    if table.phase == DRAW:
        renewed = begin_turn(table, deck)
        hand, twice = seat.hand, seat.twice
        action = _choose_source(state, choose_draw)
        if _has_touched(state, seat, hand, twice):
            return
        if action != DRAW_STOCK and action != DRAW_DISCARD:
            break_off(state, breach.NO_ANSWER, action, NONE)
            return
        card, renewed_now = draw(state, action)
        _note(state, _plain(action, bit(card)), renewed or renewed_now)
    while table.phase == TABLE:
        hand, twice = seat.hand, seat.twice
        move = choose_table(table, seat)
        if _has_touched(state, seat, hand, twice):
            return
        if move.action == STOP:
            break
        why = check_table(table, seat, move)
        if why != breach.LEGAL:
            break_off(state, why, move.action, move.cards)
            return
        _note(state, move, False)
        lay(state, move)
    if table.phase != OVER:
        play_discard(state, choose_discard)


@kernel
def play_discard(state, choose_discard):
    """Asks a seat that lays no more for its discard, if there is one, and ends its turn."""
    table = state.table
    seat = state.seats[table.turn]
    if legal_discards(table, seat) == NONE:
        _note(state, _plain(HOLD, NONE), False)
        end_turn(state)
        return
    hand, twice = seat.hand, seat.twice
    card = choose_discard(table, seat)
    if _has_touched(state, seat, hand, twice):
        return
    why = check_discard(table, seat, card)
    if why != breach.LEGAL:
        break_off(state, why, DISCARD, np.uint64(np.int64(card)))
        return
    _note(state, _plain(DISCARD, bit(card)), False)
    discard(state, card)
