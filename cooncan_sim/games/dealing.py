"""Dealing in every game: the first dealer, and a stock shuffled lazily from streams of its own.

Kernels change the record they are given, a table or deck of any engine, in place.
"""

import numpy as np

from cooncan_sim import rng
from cooncan_sim.bits import ALL, NONE, U1, bit, lowest
from cooncan_sim.kernel import kernel

FACES = np.array([16 * suit + rank for suit in range(4) for rank in range(13)], dtype=np.int8)


@kernel
def first_dealer(table, seed, deal):
    """The seat (int64) that deals a hand played by itself (R-COM-14, FIRST_DEALER)."""
    if table.FIRST_DEALER != 0:
        return np.int64(0)
    return rng.scaled(rng.mix(rng.stream(seed, deal, rng.DEALER, 0)), table.players)


@kernel
def shuffle(deck, purpose, index):
    """Starts a shuffle of the stock; `next_card` takes its steps one by one."""
    deck.rng = rng.stream(deck.seed, deck.deal, purpose, index)
    deck.next = 0
    deck.laid_out = 0
    deck.order_size = _list_stock(deck, deck.order)


@kernel
def shuffle_for_seats(table, deck, purpose, index):
    """Gives each seat an own order of the stock (STATS §1, `per_seat`), of physical cards."""
    for s in range(table.players):
        deck.seat_rng[s] = rng.stream(deck.seed, deck.deal, purpose, index + s)
        deck.seat_next[s] = 0
        deck.order_size = _list_stock(deck, deck.seat_order[s])


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
def next_for_seat(deck, s):
    """The first card in the seat's own order that is still in the stock, as `next_card`."""
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
def drawing_order(state, out):
    """The stock as it will be drawn in the shared order, into out, shape (stock,) int64.

    Uses up the state's stock: hand it a copy.
    """
    for i in range(out.shape[0]):
        out[i] = next_card(state.deck)
