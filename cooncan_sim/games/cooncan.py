"""The engine of the `jaques` family: deal, turn, score, and the loop that plays a hand to its end.

Every kernel works on a state record of `cooncan_state`: its table (public), seats and deck
(hidden). It is changed in place.
"""

import numpy as np

from cooncan_sim import rng
from cooncan_sim.bits import ALL, NONE, U1, bit, count, lowest, value
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan_state import (
    BROKEN,
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
    reopen,
    shape_of,
    stand_in,
    stands_at,
)
from cooncan_sim.kernel import kernel

FACES = np.array([16 * suit + rank for suit in range(4) for rank in range(13)], dtype=np.int8)

# ---- deal ---------------------------------------------------------------------------------


@kernel
def first_dealer(table, seed, deal):
    """The seat (int64) that deals a hand played by itself (R-COM-14, FIRST_DEALER)."""
    if table.FIRST_DEALER != 0:
        return np.int64(0)
    return rng.scaled(rng.mix(rng.stream(seed, deal, rng.DEALER, 0)), table.players)


@kernel
def deal_hand(state, seed, deal, dealer):
    """Deals one hand (R-JAQ-03 … R-JAQ-09) from the streams of (seed, deal).

    table.players, the rule fields and deck.per_seat are set before.
    """
    table = state.table
    deck = state.deck
    deck.seed = seed
    deck.deal = deal
    deck.recycled = 0
    deck.noted = 0
    deck.breach = breach.LEGAL
    deck.stock[0] = ALL
    deck.stock[1] = ALL if table.packs == 2 else NONE
    _shuffle(deck, rng.DEAL, 0)
    table.dealer = dealer
    for s in range(table.players):
        seat = state.seats[s]
        seat.seat = s
        seat.hand = NONE
        seat.twice = NONE
        seat.rng = rng.stream(seed, deal, rng.POLICY, s)
        for i in range(seat.memory.shape[0]):
            seat.memory[i] = 0
        for _ in range(table.HAND_SIZE):
            _take(seat, _next_card(deck) & 63)
        table.hand_sizes[s] = table.HAND_SIZE
        table.melded[s] = 0
        table.picked[s] = NONE
        table.run_ends[s] = NONE
        table.set_gaps[s] = NONE
    table.pile[0] = _next_card(deck) & 63
    table.pile_size = 1
    table.stock = deck.order_size - deck.next
    table.turn = dealer + 1 if dealer + 1 < table.players else 0
    table.phase = DRAW
    table.turns = 0
    table.quiet = 0
    table.laid = 0
    table.taken = -1
    table.meld_count = 0
    table.ending = -1
    table.winner = -1
    if deck.per_seat != 0:
        _shuffle_for_seats(table, deck, rng.STOCK, 0)


@kernel
def _take(seat, card):
    """Puts a card into a hand."""
    seat.twice |= seat.hand & bit(card)
    seat.hand |= bit(card)


@kernel
def _give(seat, cards, twice):
    """Takes these faces out of a hand, and those of `twice` a second time."""
    once = cards & ~twice
    gone = once & ~seat.twice | twice
    seat.twice &= ~cards
    seat.hand &= ~gone


@kernel
def _shuffle(deck, purpose, index):
    """Starts a shuffle of the stock; `_next_card` takes its steps one by one."""
    deck.rng = rng.stream(deck.seed, deck.deal, purpose, index)
    deck.next = 0
    deck.laid_out = 0
    deck.order_size = _list_stock(deck, deck.order)


@kernel
def _list_stock(deck, order):
    """The cards of the stock in card order, second copies (+ 64) last; how many."""
    size = 0
    for copy in range(2):
        cards = deck.stock[copy]
        if cards == ALL:
            for i in range(FACES.shape[0]):
                order[size + i] = FACES[i] + 64 * copy
            size += FACES.shape[0]
            cards = NONE
        while cards != NONE:
            order[size] = lowest(cards) + 64 * copy
            size += 1
            cards = cards & (cards - U1)
    return size


@kernel
def _next_card(deck):
    """The next card of the shared order, + 64 for a second copy (int64): a Fisher–Yates step."""
    i = deck.next
    j = i if i < deck.laid_out else i + rng.below(deck, deck.order_size - i)
    card = np.int64(deck.order[j])
    deck.order[j] = deck.order[i]
    deck.order[i] = card
    deck.next = i + 1
    deck.stock[card >> 6] &= ~bit(card & 63)
    return card


@kernel
def drawing_order(state, out):
    """The stock as it will be drawn in the shared order, into out, shape (stock,) int64.

    Uses up the state's stock: hand it a copy.
    """
    for i in range(out.shape[0]):
        out[i] = _next_card(state.deck)


@kernel
def _shuffle_for_seats(table, deck, purpose, index):
    """Gives each seat an own order of the stock (STATS §1, `per_seat`), of physical cards."""
    for s in range(table.players):
        deck.seat_rng[s] = rng.stream(deck.seed, deck.deal, purpose, index + s)
        deck.seat_next[s] = 0
        deck.order_size = _list_stock(deck, deck.seat_order[s])


@kernel
def _next_for_seat(deck, s):
    """The first card in the seat's own order that is still in the stock, as `_next_card`."""
    order = deck.seat_order[s]
    while True:
        i = deck.seat_next[s]
        deck.seat_rng[s] += rng.WEYL
        j = i + rng.scaled(rng.mix(deck.seat_rng[s]), deck.order_size - i)
        card = np.int64(order[j])
        order[j] = order[i]
        order[i] = card
        deck.seat_next[s] = i + 1
        if bit(card & 63) & deck.stock[card >> 6] != NONE:
            deck.stock[card >> 6] &= ~bit(card & 63)
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
    last = table.pile_size - 1
    for i in range(last):
        card = bit(np.int64(table.pile[i]))
        deck.stock[1] |= deck.stock[0] & card
        deck.stock[0] |= card
    table.pile[0] = table.pile[last]
    table.pile_size = 1
    table.stock = last
    deck.recycled += 1
    # Eight streams a recycling: the shared order, and one a seat behind it.
    index = 8 * deck.recycled
    if deck.per_seat == 0:
        _shuffle(deck, rng.RECYCLE, index)
    else:
        _shuffle_for_seats(table, deck, rng.RECYCLE, index + 1)


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
            _recycle(table, deck)
            renewed = True
        drawn = _next_card(deck) if deck.per_seat == 0 else _next_for_seat(deck, seat.seat)
        card = drawn & 63
        table.stock -= 1
    _take(seat, card)
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
    _give(seat, move.cards, move.twice)
    table.hand_sizes[seat.seat] -= count(move.cards) + count(move.twice)
    table.picked[seat.seat] &= ~move.cards
    if table.taken >= 0 and bit(table.taken) & move.cards != NONE:
        table.taken = -1
    table.quiet = 0
    table.laid = 1
    reopen(table)


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
    _give(seat, bit(card), NONE)
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


# ---- score --------------------------------------------------------------------------------


@kernel
def hand_value(table, seat):
    """Points of a hand that loses (R-JAQ-20, R-JAQ-22, WILD_PENALTY), int64."""
    points = value(seat.hand) + value(seat.twice)
    if table.WILD_PENALTY != 0:
        wild = seat.hand & table.wild
        points += table.WILD_PENALTY * count(wild) - value(wild)
    return points


@kernel
def end_hand(state, ending):
    """Names the ending and writes each side's score change into deck.points.

    A player alone is a side of his own. R-JAQ-21, R-JAQ-22, R-PAR-05, R-WLD-03 and the switches
    VOID_HAND_SCORING, PARTNER_SCORING, WILD_BONUS.
    """
    table = state.table
    table.phase = OVER
    table.ending = ending
    table.winner = table.turn if ending == OUT else -1
    points = state.deck.points
    charged = ending == OUT or (ending != BROKEN and table.VOID_HAND_SCORING != 0)
    for s in range(table.sides):
        points[s] = 0
    if charged:
        for s in range(table.players):
            points[s % table.sides] += hand_value(table, state.seats[s])
    if ending == OUT:
        own = table.winner % table.sides
        leftover = points[own]
        if table.PARTNER_SCORING != 2:
            points[own] = 0
        if table.PARTNER_SCORING == 1:
            other = 1 - own
            points[other] = max(0, points[other] - leftover)
        points[own] -= table.WILD_BONUS * _natural_melds(table, table.winner)


@kernel
def _natural_melds(table, owner):
    """How many of the owner's melds have no substitute in them (R-WLD-03), int64."""
    found = np.int64(0)
    for m in range(table.meld_count):
        if table.melds[m].owner == owner and table.melds[m].substitutes == NONE:
            found += 1
    return found


@kernel
def break_off(state, why, action, cards):
    """Ends the hand because a strategy gave this illegal answer."""
    state.deck.breach = why
    state.deck.broken = action
    state.deck.broken_cards = cards
    end_hand(state, BROKEN)


@kernel
def cards_complete(state):
    """Whether hands, table, pile and stock together are the pack, each card once."""
    table = state.table
    first = state.deck.stock[0]
    second = state.deck.stock[1]
    total = count(first) + count(second)
    for s in range(table.players):
        seat = state.seats[s]
        second |= seat.twice | (first & seat.hand)
        first |= seat.hand
        total += count(seat.hand) + count(seat.twice)
    for m in range(table.meld_count):
        meld = table.melds[m]
        second |= meld.twice | (first & meld.cards)
        first |= meld.cards
        total += count(meld.cards) + count(meld.twice)
    for i in range(table.pile_size):
        card = bit(np.int64(table.pile[i]))
        second |= first & card
        first |= card
    pack = first == ALL and second == (ALL if table.packs == 2 else NONE)
    return pack and total + table.pile_size == FACES.shape[0] * table.packs


# ---- the loop -----------------------------------------------------------------------------


@kernel
def _note(state, move, renewed):
    """Adds an action to those of the present turn."""
    deck = state.deck
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
def play_turn(state, choose_draw, choose_table, choose_discard):
    """Plays the rest of the turn from the phase it is in, asking the seat's three functions.

    deck.notes holds the actions of the turn afterwards.
    """
    table = state.table
    deck = state.deck
    seat = state.seats[table.turn]
    deck.noted = 0
    if table.phase == DRAW:
        renewed = begin_turn(table, deck)
        action = _choose_source(state, choose_draw)
        if action != DRAW_STOCK and action != DRAW_DISCARD:
            break_off(state, breach.NO_ANSWER, action, NONE)
            return
        card, renewed_now = draw(state, action)
        _note(state, _plain(action, bit(card)), renewed or renewed_now)
    while table.phase == TABLE:
        move = choose_table(table, seat)
        if move.action == STOP:
            break
        why = check_table(table, seat, move)
        if why != breach.LEGAL:
            break_off(state, why, move.action, move.cards)
            return
        _note(state, move, False)
        lay(state, move)
    if table.phase == OVER:
        return
    if legal_discards(table, seat) == NONE:
        _note(state, _plain(HOLD, NONE), False)
        end_turn(state)
        return
    card = choose_discard(table, seat)
    why = check_discard(table, seat, card)
    if why != breach.LEGAL:
        break_off(state, why, DISCARD, bit(card) if 0 <= card < 64 else NONE)
        return
    _note(state, _plain(DISCARD, bit(card)), False)
    discard(state, card)
