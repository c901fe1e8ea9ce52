"""The engine of `konkan`: the turn, and the loop that plays a hand to its end.

Every kernel works on a state record of `konkan_state`: its table (public), seats and deck
(hidden). It is changed in place. Deal and score are in `konkan_deal` and `konkan_score`, pairs on
the table in `konkan_table`.
"""

import numpy as np

from cooncan_sim.bits import NONE, bit, count
from cooncan_sim.games import konkan_breach as breach
from cooncan_sim.games.dealing import next_card, next_for_seat
from cooncan_sim.games.konkan_cards import (
    JOKER,
    card_at,
    card_bit,
    less,
    with_jokers,
)
from cooncan_sim.games.konkan_deal import begin_turn, has_stock, recycle, take
from cooncan_sim.games.konkan_opening import may_pick_up
from cooncan_sim.games.konkan_score import break_off, end_hand
from cooncan_sim.games.konkan_state import (
    ANNOUNCE,
    COME_DOWN,
    DISCARD,
    DRAW,
    DRAW_DISCARD,
    DRAW_STOCK,
    JOKER_SWAP,
    LAYOFF,
    MAX_TURNS,
    OPENING,
    OUT,
    OVER,
    STOP,
    TABLE,
    VOID,
)
from cooncan_sim.games.konkan_table import (
    add_pair,
    at_table,
    burn_full,
    check_table,
    faces_used,
    free_joker,
    hit,
    legal_discards,
    opening_worth,
    reopen,
    still_taken,
)
from cooncan_sim.kernel import kernel, search_kernel

# ---- turn: draw ---------------------------------------------------------------------------


@kernel
def check_draw(table, action, may_pick):
    """LEGAL, or what drawing from there breaks. may_pick: `may_pick_up` of the seat."""
    if table.phase != DRAW:
        return breach.NOT_THIS_PHASE
    if action == DRAW_STOCK:
        return breach.LEGAL if has_stock(table) else breach.NO_SOURCE
    if action != DRAW_DISCARD:
        return breach.NO_ANSWER
    if table.pile_size == 0:
        return breach.NO_SOURCE
    return breach.LEGAL if may_pick else breach.NO_PICK_UP


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
        table.picked[seat.seat] |= card_bit(card)
        table.owes = 1 - table.down[seat.seat]
    else:
        if table.stock == 0:
            recycle(table, deck)
            renewed = True
        drawn = next_card(deck) if deck.per_seat == 0 else next_for_seat(deck, seat.seat)
        card = card_at(drawn & 63)
        table.stock -= 1
    take(table, seat, card)
    table.phase = TABLE
    return card, renewed


# ---- turn: table --------------------------------------------------------------------------


@kernel
def lay(table, seat, move):
    """Carries out a legal table action on the table and in the seat's hand."""
    if move.action == COME_DOWN:
        _come_down(table, seat)
    elif move.action == JOKER_SWAP:
        free_joker(table, move.meld, move.places)
        _put_down(table, seat, move.places, NONE)
        seat.jokers += 1
        table.hand_sizes[seat.seat] += 1
        table.from_table[seat.seat] += 1
    else:
        if move.action == LAYOFF:
            hit(table, move.meld, move.places, move.jokers)
        else:
            add_pair(table, seat.seat, move.places, move.jokers)
        _put_down(table, seat, move.places, move.jokers)
    burn_full(table)
    table.quiet = 0
    table.laid = 1
    reopen(table)


@search_kernel
def _come_down(table, seat):
    points_laid = opening_worth(seat)
    for i in range(seat.pair_count):
        pair = seat.pairs[i]
        add_pair(table, seat.seat, pair.places, pair.jokers)
        _put_down(table, seat, pair.places, pair.jokers)
    table.down[seat.seat] = 1
    table.fresh = 1
    table.owes = 0
    table.highest = max(table.highest, points_laid)


@kernel
def _put_down(table, seat, places, jokers):
    """Takes these cards out of the hand for the table."""
    used = faces_used(places, jokers)
    seat.hand, seat.twice, seat.jokers = less(seat.hand, seat.twice, seat.jokers, places, jokers)
    table.hand_sizes[seat.seat] -= count(places)
    table.picked[seat.seat] &= ~used
    table.taken = still_taken(table.taken, used)
    if jokers != NONE:
        _forget_marks(table, seat)


@kernel
def _forget_marks(table, seat):
    """Takes marks away with jokers that have left: those without a mark leave first."""
    s = seat.seat
    while table.announced[s] + table.from_table[s] > seat.jokers:
        if table.announced[s] > 0:
            table.announced[s] -= 1
        else:
            table.from_table[s] -= 1


# ---- turn: announce -----------------------------------------------------------------------


@kernel
def to_announce(table, seat):
    """How many jokers the seat may announce now (R-KON-31, R-KON-33, KK_ANNOUNCE_WINDOW)."""
    s = seat.seat
    if table.down[s] == 0 or (table.KK_ANNOUNCE_WINDOW != 0 and table.fresh == 0):
        return np.int64(0)
    return seat.jokers - table.announced[s] - table.from_table[s]


@kernel
def check_announce(table, seat, number):
    """LEGAL, or what announcing so many jokers breaks."""
    if not at_table(table):
        return breach.NOT_THIS_PHASE
    if table.down[seat.seat] == 0:
        return breach.NOT_DOWN
    if number < 1 or number > to_announce(table, seat):
        return breach.NOT_TO_ANNOUNCE
    return breach.LEGAL


# ---- turn: discard ------------------------------------------------------------------------


@kernel
def check_discard(table, seat, card):
    """LEGAL, or what throwing this card number breaks (R-KON-10, R-COM-07)."""
    if table.phase != TABLE and table.phase != OPENING:
        return breach.NOT_THIS_PHASE
    held = with_jokers(seat.hand, seat.jokers)
    if card < 0 or card > JOKER or card == 63 or card_bit(card) & held == NONE:
        return breach.NOT_HELD
    if table.owes != 0:
        return breach.MUST_COME_DOWN
    if card_bit(card) & legal_discards(table, seat) == NONE:
        return breach.TAKEN_CARD
    return breach.LEGAL


@kernel
def discard(state, card):
    """Throws a card and ends the turn, and the hand if it was the last card (R-KON-04)."""
    table = state.table
    seat = state.seats[table.turn]
    if card == JOKER:
        seat.jokers -= 1
        _forget_marks(table, seat)
    else:
        seat.hand, seat.twice, _ = less(seat.hand, seat.twice, seat.jokers, bit(card), NONE)
    table.hand_sizes[seat.seat] -= 1
    table.picked[seat.seat] &= ~card_bit(card)
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
    table.fresh = 0
    following = table.turn - 1 if table.turn > 0 else table.players - 1
    if table.hand_sizes[table.turn] == 0:
        end_hand(state, OUT)
        return
    ending = cannot_go_on(table, state.seats[following])
    if ending >= 0:
        end_hand(state, ending)
    else:
        table.phase = DRAW
        table.turn = following


@kernel
def cannot_go_on(table, seat):
    """The ending of a hand in which this seat is to draw, or -1 if it goes on (R-COM-11)."""
    if not has_stock(table) and not may_pick_up(table, seat):
        return VOID
    return MAX_TURNS if table.turns >= table.MAX_TURNS else -1


# ---- the loop -----------------------------------------------------------------------------


@kernel
def _note(state, action, cards):
    """Adds an action to those of the present turn; returns its note."""
    deck = state.deck
    note = deck.notes[deck.noted]
    deck.noted += 1
    note.seat = state.table.turn
    note.action = action
    note.cards = cards
    note.renewed = 0
    return note


@kernel
def _note_move(state, move):
    """Adds a table action to those of the present turn, before it is carried out."""
    note = _note(state, move.action, NONE)
    note.places = move.places
    note.jokers = move.jokers
    note.meld = move.meld
    if move.action == COME_DOWN:
        seat = state.seats[state.table.turn]
        state.deck.opened = seat.pair_count
        for i in range(seat.pair_count):
            state.deck.opening[i] = seat.pairs[i]


@kernel
def _draw_phase(state, choose_draw):
    """Draws a card for the seat, which is asked only where there are two sources."""
    table = state.table
    renewed = begin_turn(table, state.deck)
    action = np.int64(DRAW_STOCK)
    may_pick = may_pick_up(table, state.seats[table.turn])
    if not has_stock(table):
        action = np.int64(DRAW_DISCARD)
    elif may_pick:
        action = choose_draw(table, state.seats[table.turn])
    why = check_draw(table, action, may_pick)
    if why != breach.LEGAL:
        break_off(state, why, action, NONE)
        return
    card, renewed_now = draw(state, action)
    note = _note(state, action, card_bit(card))
    note.renewed = renewed or renewed_now


@kernel
def _table_phase(state, choose_table):
    """Plays the seat's table actions until it stops."""
    table = state.table
    seat = state.seats[table.turn]
    while table.phase != OVER:
        move = choose_table(table, seat)
        if move.action == STOP and table.owes == 0:
            return
        why = check_table(table, seat, move) if move.action != STOP else breach.MUST_COME_DOWN
        if why != breach.LEGAL:
            break_off(state, why, move.action, faces_used(move.places, move.jokers))
            return
        _note_move(state, move)
        lay(table, seat, move)


@kernel
def _announce_phase(state, choose_announce):
    """Asks once whether the seat announces jokers, if it has any that it may announce."""
    table = state.table
    seat = state.seats[table.turn]
    if to_announce(table, seat) == 0:
        return
    number = choose_announce(table, seat)
    if number == 0:
        return
    why = check_announce(table, seat, number)
    if why != breach.LEGAL:
        break_off(state, why, ANNOUNCE, NONE)
        return
    note = _note(state, ANNOUNCE, NONE)
    note.announced = number
    table.announced[seat.seat] += number


@kernel
def play_turn(state, choose_draw, choose_table, choose_announce, choose_discard):
    """Plays the rest of the turn from the phase it is in, asking the seat's four functions.

    deck.notes holds the actions of the turn afterwards.
    """
    table = state.table
    seat = state.seats[table.turn]
    state.deck.noted = 0
    if table.phase == DRAW:
        _draw_phase(state, choose_draw)
    if table.phase != OVER and at_table(table):
        _table_phase(state, choose_table)
    if table.phase != OVER:
        _announce_phase(state, choose_announce)
    if table.phase == OVER:
        return
    card = choose_discard(table, seat)
    why = check_discard(table, seat, card)
    if why != breach.LEGAL:
        break_off(state, why, DISCARD, np.uint64(np.int64(card)))
        return
    _note(state, DISCARD, card_bit(card))
    discard(state, card)
