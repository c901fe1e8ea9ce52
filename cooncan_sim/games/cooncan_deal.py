"""Deal, stock and discard pile of the `jaques` family: shuffling lazily, from streams of its own.

Kernels change a state record of `cooncan_state` in place.
"""

import numpy as np

from cooncan_sim import rng
from cooncan_sim.bits import ALL, NONE, U1, bit, lowest
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan_state import DRAW
from cooncan_sim.kernel import kernel

FACES = np.array([16 * suit + rank for suit in range(4) for rank in range(13)], dtype=np.int8)


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
            take(seat, next_card(deck) & 63)
        table.hand_sizes[s] = table.HAND_SIZE
        table.melded[s] = 0
        table.picked[s] = NONE
        table.run_ends[s] = NONE
        table.set_gaps[s] = NONE
    table.pile[0] = next_card(deck) & 63
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
def take(seat, card):
    """Puts a card into a hand."""
    seat.twice |= seat.hand & bit(card)
    seat.hand |= bit(card)


@kernel
def give(seat, cards, twice):
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
def next_card(deck):
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
        out[i] = next_card(state.deck)


@kernel
def _shuffle_for_seats(table, deck, purpose, index):
    """Gives each seat an own order of the stock (STATS §1, `per_seat`), of physical cards."""
    for s in range(table.players):
        deck.seat_rng[s] = rng.stream(deck.seed, deck.deal, purpose, index + s)
        deck.seat_next[s] = 0
        deck.order_size = _list_stock(deck, deck.seat_order[s])


@kernel
def next_for_seat(deck, s):
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


@kernel
def recycle(table, deck):
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
