"""Deal, stock and discard pile of `konkan`: two packs with their jokers, shuffled lazily.

Kernels change a state record of `konkan_state` in place.
"""

import numpy as np

from cooncan_sim import rng
from cooncan_sim.bits import ALL, NONE
from cooncan_sim.games import konkan_breach as breach
from cooncan_sim.games.dealing import next_card, shuffle, shuffle_for_seats
from cooncan_sim.games.konkan_cards import JOKER_BIT, card_at, card_bit, with_card
from cooncan_sim.games.konkan_state import OPENING
from cooncan_sim.games.konkan_table import reopen
from cooncan_sim.kernel import kernel, search_kernel

CARDS_EACH = 14  # and one more for the dealer


@kernel
def deal_hand(state, seed, deal, dealer):
    """Deals one hand (R-KON-05, R-KON-06) from the streams of (seed, deal).

    table.players, the rule fields and deck.per_seat are set before.
    """
    table = state.table
    deck = state.deck
    deck.seed = seed
    deck.deal = deal
    deck.recycled = 0
    deck.noted = 0
    deck.breach = breach.LEGAL
    deck.stock[0] = ALL | JOKER_BIT
    deck.stock[1] = ALL | JOKER_BIT
    shuffle(deck, rng.DEAL, 0)
    for s in range(table.players):
        seat = state.seats[s]
        seat.rng = rng.stream(seed, deal, rng.POLICY, s)
        clear_seat(table, seat, s)
        for _ in range(CARDS_EACH + (s == dealer)):
            take(table, seat, card_at(next_card(deck) & 63))
    table.stock = deck.order_size - deck.next
    clear_table(table, dealer)
    if deck.per_seat != 0:
        shuffle_for_seats(table, deck, rng.STOCK, 0)


@kernel
def clear_seat(table, seat, number):
    """An empty hand for seat number `number`, which is not down."""
    seat.seat = number
    seat.hand = NONE
    seat.twice = NONE
    seat.jokers = 0
    seat.pair_count = 0
    for i in range(seat.memory.shape[0]):
        seat.memory[i] = 0
    table.hand_sizes[number] = 0
    table.down[number] = 0
    table.announced[number] = 0
    table.from_table[number] = 0
    table.picked[number] = NONE


@kernel
def clear_table(table, dealer):
    """The table before the dealer's opening (R-KON-07)."""
    table.dealer = dealer
    table.turn = dealer
    table.phase = OPENING
    table.pile_size = 0
    table.turns = 0
    table.quiet = 0
    table.laid = 0
    table.taken = -1
    table.owes = 0
    table.fresh = 0
    table.meld_count = 0
    table.ending = -1
    table.winner = -1
    table.highest = 0
    reopen(table)


@kernel
def take(table, seat, card):
    """Puts a card into a hand."""
    seat.hand, seat.twice, seat.jokers = with_card(seat.hand, seat.twice, seat.jokers, card)
    table.hand_sizes[seat.seat] += 1


@kernel
def _kept(table):
    """How many cards stay on the pile when it becomes the stock (KK_RESHUFFLE_KEEP_TOP)."""
    return min(table.KK_RESHUFFLE_KEEP_TOP, table.pile_size)


@kernel
def has_stock(table):
    """Whether a card can be drawn from the stock, after recycling if it is empty (R-KON-20)."""
    return table.stock > 0 or table.pile_size > _kept(table)


@kernel
def begin_turn(table, deck):
    """Renews an empty stock before the draw where RESHUFFLE_TIMING says so; whether it did."""
    if table.RESHUFFLE_TIMING != 0 and table.stock == 0 and has_stock(table):
        recycle(table, deck)
        return True
    return False


@search_kernel
def recycle(table, deck):
    """Shuffles the pile into a new stock (R-KON-20, R-COM-13)."""
    kept = _kept(table)
    last = table.pile_size - kept
    for i in range(last):
        card = card_bit(np.int64(table.pile[i]))
        deck.stock[1] |= deck.stock[0] & card
        deck.stock[0] |= card
    table.pile[0] = table.pile[table.pile_size - 1]
    table.pile_size = kept
    table.stock = last
    deck.recycled += 1
    # Eight streams a recycling: the shared order, and one a seat behind it.
    index = 8 * deck.recycled
    if deck.per_seat == 0:
        shuffle(deck, rng.RECYCLE, index)
    else:
        shuffle_for_seats(table, deck, rng.RECYCLE, index + 1)
