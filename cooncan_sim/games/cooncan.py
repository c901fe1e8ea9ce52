"""The engine of `jaques`: deal, turn, score, and the loop that plays a hand to its end.

Every kernel works on the records of `cooncan_state`: table (public), seats (array), deck
(hidden). They are changed in place.
"""

import numpy as np

from cooncan_sim import rng
from cooncan_sim.bits import ALL, NONE, bit, count, first_bit, lowest, value
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan_state import (
    BROKEN,
    DISCARD,
    DRAW,
    DRAW_DISCARD,
    DRAW_STOCK,
    HOLD,
    LAYOFF,
    MAX_TURNS,
    MELD,
    MOST_CARDS,
    OUT,
    OVER,
    STOP,
    TABLE,
    VOID,
)
from cooncan_sim.games.cooncan_table import check_layoff, check_meld, kind_of, reopen
from cooncan_sim.kernel import kernel

FACES = np.array([16 * suit + rank for suit in range(4) for rank in range(13)], dtype=np.int8)

# ---- deal ---------------------------------------------------------------------------------


@kernel
def deal_hand(table, seats, deck, seed, deal):
    """Deals one hand (R-JAQ-03 … R-JAQ-09) from the streams of (seed, deal).

    table.players, the rule fields and deck.per_seat are set before.
    """
    deck.seed = seed
    deck.deal = deal
    deck.recycled = 0
    deck.noted = 0
    deck.breach = breach.LEGAL
    _shuffle(deck, ALL, rng.DEAL, 0)
    table.dealer = 0
    if table.FIRST_DEALER == 0:
        word = rng.mix(rng.stream(seed, deal, rng.DEALER, 0))
        table.dealer = rng.scaled(word, table.players)
    dealt = NONE
    for s in range(table.players):
        seat = seats[s]
        seat.seat = s
        seat.hand = NONE
        seat.rng = rng.stream(seed, deal, rng.POLICY, s)
        for i in range(seat.memory.shape[0]):
            seat.memory[i] = 0
        for _ in range(table.HAND_SIZE):
            seat.hand |= bit(_next_card(deck))
        dealt |= seat.hand
        table.hand_sizes[s] = table.HAND_SIZE
        table.melded[s] = 0
        table.picked[s] = NONE
        table.run_ends[s] = NONE
        table.set_gaps[s] = NONE
    up = _next_card(deck)
    table.pile[0] = up
    table.pile_size = 1
    deck.stock = ALL & ~(dealt | bit(up))
    table.stock = count(deck.stock)
    table.turn = (table.dealer + 1) % table.players
    table.phase = DRAW
    table.turns = 0
    table.quiet = 0
    table.laid = 0
    table.taken = -1
    table.meld_count = 0
    table.winner = -1
    if deck.per_seat != 0:
        _shuffle_for_seats(table, deck, rng.STOCK, 0)


@kernel
def _shuffle(deck, cards, purpose, index):
    """Starts a shuffle of these cards (mask); `_next_card` takes its steps one by one."""
    deck.rng = rng.stream(deck.seed, deck.deal, purpose, index)
    deck.next = 0
    if cards == ALL:
        deck.size = MOST_CARDS
        for i in range(MOST_CARDS):
            deck.order[i] = FACES[i]
        return
    deck.size = 0
    while cards != NONE:
        deck.order[deck.size] = lowest(cards)
        deck.size += 1
        cards = cards & ~first_bit(cards)


@kernel
def _next_card(deck):
    """The next card (int64) of the shared order: one step of the Fisher–Yates shuffle."""
    i = deck.next
    j = i + rng.below(deck, deck.size - i)
    card = np.int64(deck.order[j])
    deck.order[j] = deck.order[i]
    deck.order[i] = card
    deck.next = i + 1
    return card


@kernel
def _shuffle_for_seats(table, deck, purpose, index):
    """Gives each seat an own order of the whole pack (STATS §1, `per_seat`)."""
    for s in range(table.players):
        deck.seat_rng[s] = rng.stream(deck.seed, deck.deal, purpose, index + s)
        deck.seat_next[s] = 0
        for i in range(MOST_CARDS):
            deck.seat_order[s, i] = FACES[i]


@kernel
def _next_for_seat(deck, s):
    """The first card (int64) in the seat's own order that is still in the stock."""
    order = deck.seat_order[s]
    while True:
        i = deck.seat_next[s]
        deck.seat_rng[s] += rng.WEYL
        j = i + rng.scaled(rng.mix(deck.seat_rng[s]), MOST_CARDS - i)
        card = np.int64(order[j])
        order[j] = order[i]
        order[i] = card
        deck.seat_next[s] = i + 1
        if bit(card) & deck.stock != NONE:
            return card


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
        _recycle(table, deck)
        return True
    return False


@kernel
def _recycle(table, deck):
    """Shuffles the pile under its top card into a new stock (R-JAQ-17, R-COM-13)."""
    cards = NONE
    last = table.pile_size - 1
    for i in range(last):
        cards |= bit(np.int64(table.pile[i]))
    table.pile[0] = table.pile[last]
    table.pile_size = 1
    deck.stock = cards
    table.stock = last
    deck.recycled += 1
    # Eight streams a recycling: the shared order, and one a seat behind it.
    index = 8 * deck.recycled
    if deck.per_seat == 0:
        _shuffle(deck, cards, rng.RECYCLE, index)
    else:
        _shuffle_for_seats(table, deck, rng.RECYCLE, index + 1)


@kernel
def draw(table, seat, deck, action):
    """Draws a card into the hand; returns (card, whether the stock was renewed for it)."""
    renewed = False
    table.taken = -1
    if action == DRAW_DISCARD:
        table.pile_size -= 1
        card = np.int64(table.pile[table.pile_size])
        table.taken = card
        table.picked[seat.seat] |= bit(card)
    else:
        if table.stock == 0:
            _recycle(table, deck)
            renewed = True
        card = _next_card(deck) if deck.per_seat == 0 else _next_for_seat(deck, seat.seat)
        deck.stock &= ~bit(card)
        table.stock -= 1
    seat.hand |= bit(card)
    table.hand_sizes[seat.seat] += 1
    table.phase = TABLE
    return card, renewed


# ---- turn: table --------------------------------------------------------------------------


@kernel
def check_table(table, seat, move):
    """LEGAL, or what this move of the TABLE phase breaks."""
    if move.action == MELD:
        return check_meld(table, seat, move.cards)
    if move.action == LAYOFF:
        return check_layoff(table, seat, move.cards, move.meld, move.end)
    return breach.NO_ANSWER


@kernel
def lay(table, seats, seat, deck, move):
    """Carries out a legal MELD or LAYOFF; the hand ends if it empties the seat's hand."""
    if move.action == MELD:
        meld = table.melds[table.meld_count]
        meld.owner = seat.seat
        meld.kind = kind_of(move.cards)
        meld.cards = move.cards
        table.meld_count += 1
        table.melded[seat.seat] += 1
    else:
        table.melds[move.meld].cards |= move.cards
    seat.hand &= ~move.cards
    table.hand_sizes[seat.seat] -= count(move.cards)
    table.picked[seat.seat] &= ~move.cards
    if table.taken >= 0 and bit(table.taken) & move.cards != NONE:
        table.taken = -1
    table.quiet = 0
    table.laid = 1
    if seat.hand == NONE:
        table.turns += 1
        _end_hand(table, seats, deck, OUT)
    else:
        reopen(table)


# ---- turn: discard ------------------------------------------------------------------------


@kernel
def legal_discards(table, seat):
    """The cards (mask) that the seat may throw now (R-COM-07, GO_OUT_BY_DISCARD)."""
    cards = seat.hand
    if table.taken >= 0:
        cards = cards & ~bit(table.taken)
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
    if card == table.taken:
        return breach.TAKEN_CARD
    if bit(card) & legal_discards(table, seat) == NONE:
        return breach.LAST_CARD
    return breach.LEGAL


@kernel
def check_hold(table, seat):
    """LEGAL, or what ending the turn without a discard breaks (R-COM-08)."""
    if table.phase != TABLE:
        return breach.NOT_THIS_PHASE
    return breach.LEGAL if legal_discards(table, seat) == NONE else breach.MAY_DISCARD


@kernel
def discard(table, seats, seat, deck, card):
    """Throws a card and ends the turn, and the hand if it was the last card (R-JAQ-18)."""
    seat.hand &= ~bit(card)
    table.hand_sizes[seat.seat] -= 1
    table.picked[seat.seat] &= ~bit(card)
    table.pile[table.pile_size] = card
    table.pile_size += 1
    end_turn(table, seats, seat, deck)


@kernel
def end_turn(table, seats, seat, deck):
    """Counts the turn and passes it on, or ends the hand, in the order of R-COM-16."""
    table.turns += 1
    if table.laid == 0:
        table.quiet += 1
    table.laid = 0
    table.taken = -1
    if seat.hand == NONE:
        _end_hand(table, seats, deck, OUT)
    elif table.stock == 0 and table.pile_size == 0:
        _end_hand(table, seats, deck, VOID)
    elif table.turns >= table.MAX_TURNS:
        _end_hand(table, seats, deck, MAX_TURNS)
    else:
        table.phase = DRAW
        table.turn = (table.turn + 1) % table.players


# ---- score --------------------------------------------------------------------------------


@kernel
def _end_hand(table, seats, deck, ending):
    """Names the ending and writes each seat's charge (R-JAQ-21, R-JAQ-22) into deck.points."""
    table.phase = OVER
    table.ending = ending
    table.winner = table.turn if ending == OUT else -1
    charged = ending == OUT or (ending != BROKEN and table.VOID_HAND_SCORING != 0)
    for s in range(table.players):
        deck.points[s] = value(seats[s].hand) if charged else 0


@kernel
def break_off(table, seats, deck, why, action, cards):
    """Ends the hand because a strategy gave this illegal answer."""
    deck.breach = why
    deck.broken = action
    deck.broken_cards = cards
    _end_hand(table, seats, deck, BROKEN)


@kernel
def cards_complete(table, seats, deck):
    """Whether hands, table, pile and stock together are the pack, each card once."""
    cards = deck.stock
    total = count(deck.stock)
    for s in range(table.players):
        cards |= seats[s].hand
        total += count(seats[s].hand)
    for m in range(table.meld_count):
        cards |= table.melds[m].cards
        total += count(table.melds[m].cards)
    for i in range(table.pile_size):
        cards |= bit(np.int64(table.pile[i]))
    return cards == ALL and total + table.pile_size == MOST_CARDS


# ---- the loop -----------------------------------------------------------------------------


@kernel
def _note(log, table, deck, action, cards, meld, renewed):
    """Writes an action into the log if there is space, and counts it."""
    if deck.noted < log.shape[0]:
        row = log[deck.noted]
        row.seat = table.turn
        row.action = action
        row.cards = cards
        row.meld = meld
        row.renewed = renewed
    deck.noted += 1


@kernel
def play_turn(table, seats, deck, log, choose_draw, choose_table, choose_discard):
    """Plays the rest of the turn from the phase it is in, asking the seat's three functions."""
    seat = seats[table.turn]
    if table.phase == DRAW:
        renewed = begin_turn(table, deck)
        action = np.int64(DRAW_STOCK)
        if check_draw(table, DRAW_STOCK) != breach.LEGAL:
            action = np.int64(DRAW_DISCARD)
        elif table.pile_size > 0:
            action = choose_draw(table, seat)
            if action != DRAW_STOCK and action != DRAW_DISCARD:
                break_off(table, seats, deck, breach.NO_ANSWER, action, NONE)
                return
        card, renewed_now = draw(table, seat, deck, action)
        _note(log, table, deck, action, bit(card), -1, renewed or renewed_now)
    while table.phase == TABLE:
        move = choose_table(table, seat)
        if move.action == STOP:
            break
        why = check_table(table, seat, move)
        if why != breach.LEGAL:
            break_off(table, seats, deck, why, move.action, move.cards)
            return
        _note(log, table, deck, move.action, move.cards, move.meld, False)
        lay(table, seats, seat, deck, move)
    if table.phase == OVER:
        return
    if legal_discards(table, seat) == NONE:
        _note(log, table, deck, HOLD, NONE, -1, False)
        end_turn(table, seats, seat, deck)
        return
    card = choose_discard(table, seat)
    why = check_discard(table, seat, card)
    if why != breach.LEGAL:
        shown = bit(card) if 0 <= card < 64 else NONE
        break_off(table, seats, deck, why, DISCARD, shown)
        return
    _note(log, table, deck, DISCARD, bit(card), -1, False)
    discard(table, seats, seat, deck, card)
