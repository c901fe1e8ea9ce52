"""Deal and discard pile of the `jaques` family.

Kernels change a state record of `cooncan_state` in place.
"""

import numpy as np

from cooncan_sim import rng
from cooncan_sim.bits import ALL, NONE, bit
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan_state import DRAW
from cooncan_sim.games.dealing import next_card, shuffle, shuffle_for_seats
from cooncan_sim.kernel import kernel, search_kernel


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
    shuffle(deck, rng.DEAL, 0)
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
        shuffle_for_seats(table, deck, rng.STOCK, 0)


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


@search_kernel
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
        shuffle(deck, rng.RECYCLE, index)
    else:
        shuffle_for_seats(table, deck, rng.RECYCLE, index + 1)
