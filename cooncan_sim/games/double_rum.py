"""The engine of `double_rum`: deal, turn, score, and the loop that plays a hand to its end.

Every kernel works on a state record of `double_rum_state`: its table (public), seats and deck
(hidden). It is changed in place.
"""

import numpy as np

from cooncan_sim import rng
from cooncan_sim.bits import ALL, NONE, count
from cooncan_sim.games import double_rum_breach as breach
from cooncan_sim.games.dealing import next_card, next_for_seat, shuffle, shuffle_for_seats
from cooncan_sim.games.double_rum_state import (
    BROKEN,
    DISCARD,
    DRAW,
    DRAW_DISCARD,
    DRAW_STOCK,
    HOLD,
    MAX_TURNS,
    OUT,
    OVER,
    POOL,
    STOP,
    TABLE,
    Move,
)
from cooncan_sim.games.double_rum_table import (
    JOKER,
    JOKER_BIT,
    card_at,
    card_bit,
    check_table,
    may_go_back,
    put_down,
    reopen,
    twins,
    with_jokers,
)
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.aces_search import plus, without
from cooncan_sim.melds.rum import least_penalty
from cooncan_sim.melds.rum_search import JOKER_POINTS, points

HAND_SIZE = 10
PACK_SIZE = 106

# ---- deal ---------------------------------------------------------------------------------


@kernel
def deal_hand(state, seed, deal, dealer):
    """Deals one hand (R-DBR-03 … R-DBR-06, R-DBR-11) from the streams of (seed, deal).

    table.players, table.pool, the rule fields and deck.per_seat are set before.
    """
    table = state.table
    deck = state.deck
    deck.seed = seed
    deck.deal = deal
    deck.noted = 0
    deck.breach = breach.LEGAL
    deck.stock[0] = ALL | JOKER_BIT
    deck.stock[1] = ALL | JOKER_BIT
    shuffle(deck, rng.DEAL, 0)
    for s in range(table.players):
        seat = state.seats[s]
        seat.rng = rng.stream(seed, deal, rng.POLICY, s)
        clear_seat(table, seat, s)
        for _ in range(HAND_SIZE):
            _take(table, seat, card_at(next_card(deck) & 63))
    table.pile[0] = card_at(next_card(deck) & 63)
    table.pile_size = 1
    table.stock = deck.order_size - deck.next
    clear_table(table, dealer)
    if deck.per_seat != 0:
        shuffle_for_seats(table, deck, rng.STOCK, 0)


@kernel
def clear_seat(table, seat, number):
    """An empty hand for seat number `number`, which has laid nothing."""
    seat.seat = number
    seat.hand = NONE
    seat.twice = NONE
    seat.jokers = 0
    for i in range(seat.memory.shape[0]):
        seat.memory[i] = 0
    table.hand_sizes[number] = 0
    table.melded[number] = 0
    table.picked[number] = NONE


@kernel
def clear_table(table, dealer):
    """The table before the first draw, which is that of the dealer's left neighbour."""
    table.dealer = dealer
    table.turn = dealer + 1 if dealer + 1 < table.players else 0
    table.phase = DRAW
    table.turns = 0
    table.quiet = 0
    table.idle = -1
    table.laid = 0
    table.taken = -1
    table.meld_count = 0
    table.ending = -1
    table.winner = -1
    reopen(table)


@kernel
def _take(table, seat, card):
    """Puts a card into a hand."""
    if card == JOKER:
        seat.jokers += 1
    else:
        seat.hand, seat.twice = plus(seat.hand, seat.twice, card_bit(card))
    table.hand_sizes[seat.seat] += 1


@kernel
def _part_with(table, seat, cards, twice, jokers):
    """Takes these faces, those of `twice` a second time, and so many jokers out of a hand."""
    once, doubles = without(seat.hand, seat.twice, cards)
    seat.hand, seat.twice = without(once, doubles, twice)
    seat.jokers -= jokers
    table.hand_sizes[seat.seat] -= count(cards) + count(twice) + jokers
    table.picked[seat.seat] &= ~with_jokers(cards, jokers)


# ---- turn: draw ---------------------------------------------------------------------------


@kernel
def check_draw(table, action):
    """LEGAL, or what drawing from there breaks (R-DBR-13, R-DBR-26)."""
    if table.phase != DRAW:
        return breach.NOT_THIS_PHASE
    if action == DRAW_STOCK and table.stock > 0:
        return breach.LEGAL
    if action == DRAW_DISCARD and table.pile_size > 0:
        return breach.LEGAL
    return breach.NO_SOURCE


@kernel
def draw(state, action):
    """Draws a card into the hand and returns its number (int64)."""
    table = state.table
    deck = state.deck
    seat = state.seats[table.turn]
    if action == DRAW_DISCARD:
        table.pile_size -= 1
        card = np.int64(table.pile[table.pile_size])
        table.taken = card
        table.picked[seat.seat] |= card_bit(card)
    else:
        drawn = next_card(deck) if deck.per_seat == 0 else next_for_seat(deck, seat.seat)
        card = card_at(drawn & 63)
        table.taken = -1
        table.stock -= 1
    _take(table, seat, card)
    table.phase = TABLE
    return card


# ---- turn: table --------------------------------------------------------------------------


@kernel
def play_down(table, seat, move):
    """Carries out a legal MELD, LAYOFF or JOKER_MOVE on the table and in the seat's hand."""
    put_down(table, seat.seat, move)
    _part_with(table, seat, move.cards, move.twice, move.jokers)
    if table.taken >= 0 and card_bit(table.taken) & with_jokers(move.cards, move.jokers) != NONE:
        table.taken = -1
    table.quiet = 0
    table.laid = 1
    reopen(table)


@kernel
def lay(state, move):
    """Carries out a legal table action; the hand ends if it empties the hand (R-DBR-22)."""
    table = state.table
    play_down(table, state.seats[table.turn], move)
    if table.hand_sizes[table.turn] == 0:
        table.turns += 1
        end_hand(state, OUT)


# ---- turn: discard ------------------------------------------------------------------------


@kernel
def legal_discards(table, seat):
    """The cards (mask, bit 63 for a joker) that the seat may throw now (R-COM-07)."""
    if table.GO_OUT_BY_DISCARD != 0 and table.hand_sizes[seat.seat] == 1:
        return NONE
    cards = with_jokers(seat.hand, seat.jokers)
    if table.taken >= 0 and not may_go_back(table):
        # Of two equal cards the other one may go (TAKEN_CARD_MATCH).
        twin = twins(seat.twice, seat.jokers) if table.TAKEN_CARD_MATCH == 0 else NONE
        cards = cards & ~(card_bit(table.taken) & ~twin)
    return cards


@kernel
def check_discard(table, seat, card):
    """LEGAL, or what throwing this card number breaks (R-DBR-14, R-DBR-26, R-COM-07)."""
    if table.phase != TABLE:
        return breach.NOT_THIS_PHASE
    held = with_jokers(seat.hand, seat.jokers)
    if card < 0 or card > JOKER or card == 63 or card_bit(card) & held == NONE:
        return breach.NOT_HELD
    if card_bit(card) & legal_discards(table, seat) != NONE:
        return breach.LEGAL
    if card == table.taken and not may_go_back(table):
        return breach.TAKEN_CARD
    return breach.LAST_CARD


@kernel
def check_hold(table, seat):
    """LEGAL, or what ending the turn without a discard breaks (R-COM-08)."""
    if table.phase != TABLE:
        return breach.NOT_THIS_PHASE
    return breach.LEGAL if legal_discards(table, seat) == NONE else breach.MAY_DISCARD


@kernel
def discard(state, card):
    """Throws a card and ends the turn, and the hand if it was the last card (R-DBR-22)."""
    table = state.table
    seat = state.seats[table.turn]
    if card == JOKER:
        _part_with(table, seat, NONE, NONE, 1)
    else:
        _part_with(table, seat, card_bit(card), NONE, 0)
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
    if table.stock == 0:
        # The turn that drew the last stock card is not an idle one (R-DBR-27).
        table.idle = 0 if table.idle < 0 or table.laid != 0 else table.idle + 1
    table.laid = 0
    table.taken = -1
    ending = OUT if table.hand_sizes[table.turn] == 0 else cannot_go_on(table)
    if ending >= 0:
        end_hand(state, ending)
    else:
        table.phase = DRAW
        table.turn = table.turn + 1 if table.turn + 1 < table.players else 0


@kernel
def cannot_go_on(table):
    """The ending of a hand whose next player is to draw, or -1 if it goes on (R-DBR-27)."""
    if table.idle >= table.DBR_BLOCK_ROUNDS * table.players:
        return POOL
    if table.stock == 0 and table.pile_size == 0:
        return POOL
    return MAX_TURNS if table.turns >= table.MAX_TURNS else -1


# ---- score --------------------------------------------------------------------------------


@kernel
def hand_value(seat):
    """Points of all the cards in a hand (R-DBR-24), int64."""
    return points(seat.hand) + points(seat.twice) + JOKER_POINTS * seat.jokers


@kernel
def payment(table, seat):
    """What a hand costs that loses (R-DBR-23, DBR_PENALTY_SCOPE), int64."""
    if table.DBR_PENALTY_SCOPE != 0:
        return least_penalty(seat.hand, seat.twice, seat.jokers)
    return hand_value(seat)


@kernel
def end_hand(state, ending):
    """Names the ending, writes each seat's units into deck.points and what stays in the pool.

    The winner collects what the others pay and the pool (R-DBR-23); a hand without a winner is
    paid into the pool (R-DBR-27, DBR_POOL).
    """
    table = state.table
    deck = state.deck
    table.phase = OVER
    table.ending = ending
    table.winner = table.turn if ending == OUT else -1
    deck.pool = 0 if ending == OUT else table.pool
    total = np.int64(0)
    for s in range(table.players):
        deck.points[s] = 0
        if ending == OUT:
            deck.points[s] = -payment(table, state.seats[s])
            total -= deck.points[s]
        elif ending != BROKEN:
            held = hand_value(state.seats[s])
            deck.points[s] = -held if table.DBR_POOL == 0 else 0
            deck.pool += held
    if ending == OUT:
        deck.points[table.winner] = total + table.pool


@kernel
def break_off(state, why, action, cards):
    """Ends the hand because a strategy gave this illegal answer."""
    state.deck.breach = why
    state.deck.broken = action
    state.deck.broken_cards = cards
    end_hand(state, BROKEN)


@kernel
def cards_complete(state):
    """Whether hands, table, pile and stock together are the pack, each card twice."""
    table = state.table
    first = state.deck.stock[0]
    second = state.deck.stock[1]
    total = count(first) + count(second) + table.pile_size
    for s in range(table.players):
        seat = state.seats[s]
        held = with_jokers(seat.hand, seat.jokers)
        second |= twins(seat.twice, seat.jokers) | (first & held)
        first |= held
        total += count(seat.hand) + count(seat.twice) + seat.jokers
    for m in range(table.meld_count):
        meld = table.melds[m]
        laid = with_jokers(meld.cards, meld.jokers)
        second |= twins(meld.twice, meld.jokers) | (first & laid)
        first |= laid
        total += count(meld.cards) + count(meld.twice) + meld.jokers
    for i in range(table.pile_size):
        card = card_bit(np.int64(table.pile[i]))
        second |= first & card
        first |= card
    pack = ALL | JOKER_BIT
    return first == pack and second == pack and total == PACK_SIZE


# ---- the loop -----------------------------------------------------------------------------


@kernel
def _note(state, move):
    """Adds an action to those of the present turn."""
    deck = state.deck
    note = deck.notes[deck.noted]
    note.seat = state.table.turn
    note.action = move.action
    note.cards = move.cards
    note.twice = move.twice
    note.jokers = move.jokers
    note.places = move.places
    note.stands = move.stands
    note.meld = move.meld
    deck.noted += 1


@kernel
def _plain(action, cards):
    """A draw, a discard or a hold as a move."""
    return Move(np.int64(action), cards, NONE, np.int64(0), NONE, NONE, np.int64(-1))


@kernel
def _choose_source(state, choose_draw):
    """The source that the seat draws from; it is asked only where there are two."""
    table = state.table
    if table.stock == 0:
        return np.int64(DRAW_DISCARD)
    if table.pile_size == 0:
        return np.int64(DRAW_STOCK)
    return choose_draw(table, state.seats[table.turn])


@kernel
def play_turn(state, choose_draw, choose_table, choose_discard):
    """Plays the rest of the turn from the phase it is in, asking the seat's three functions.

    deck.notes holds the actions of the turn afterwards.
    """
    table = state.table
    deck = state.deck
    seat = state.seats[table.turn]
    deck.noted = 0
    if table.phase == DRAW:
        action = _choose_source(state, choose_draw)
        if action != DRAW_STOCK and action != DRAW_DISCARD:
            break_off(state, breach.NO_ANSWER, action, NONE)
            return
        card = draw(state, action)
        _note(state, _plain(action, card_bit(card)))
    while table.phase == TABLE:
        move = choose_table(table, seat)
        if move.action == STOP:
            break
        why = check_table(table, seat, move)
        if why != breach.LEGAL:
            cards = with_jokers(move.cards, move.jokers)
            break_off(state, why, move.action, cards)
            return
        _note(state, move)
        lay(state, move)
    if table.phase == OVER:
        return
    if legal_discards(table, seat) == NONE:
        _note(state, _plain(HOLD, NONE))
        end_turn(state)
        return
    card = choose_discard(table, seat)
    why = check_discard(table, seat, card)
    if why != breach.LEGAL:
        break_off(state, why, DISCARD, np.uint64(np.int64(card)))
        return
    _note(state, _plain(DISCARD, card_bit(card)))
    discard(state, card)
