"""Dealing a hand of Conquian, and a count of its cards. A state record is changed in place."""

from cooncan_sim import rng
from cooncan_sim.bits import NONE, bit, count
from cooncan_sim.games import conquian_breach as breach
from cooncan_sim.games.conquian_state import CARDS, MOST_MELDS, SEATS, TURN
from cooncan_sim.games.dealing import next_card, shuffle, shuffle_for_seats
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.conquian import PACK


@kernel
def deal_hand(state, seed, deal, dealer):
    """Deals one hand (R-CQN-05 … R-CQN-08) from the streams of (seed, deal).

    Sizes, switches, stake and deck.per_seat are set before.
    """
    table = state.table
    deck = state.deck
    deck.seed = seed
    deck.deal = deal
    deck.noted = 0
    deck.breach = breach.LEGAL
    deck.stock[0] = PACK
    shuffle(deck, rng.DEAL, 0)
    table.dealer = dealer
    for s in range(SEATS):
        seat = state.seats[s]
        seat.seat = s
        seat.hand = NONE
        seat.rng = rng.stream(seed, deal, rng.POLICY, s)
        for i in range(seat.memory.shape[0]):
            seat.memory[i] = 0
        for _ in range(table.deal_size):
            seat.hand |= bit(next_card(deck))
        table.hand_sizes[s] = table.deal_size
        table.down[s] = NONE
        table.thrown[s] = NONE
        table.declined[s] = NONE
        for m in range(MOST_MELDS):
            table.melds[s, m] = NONE
    table.dead = NONE
    table.stock = deck.order_size - deck.next
    table.turn = 1 - dealer
    table.phase = TURN
    table.offered_to = table.turn
    table.offered = -1
    table.forced = 0
    table.turns = 0
    table.quiet = 0
    table.ending = -1
    table.winner = -1
    if deck.per_seat != 0:
        shuffle_for_seats(table, deck, rng.STOCK, 0)


@kernel
def cards_complete(state):
    """Whether hands, tables, dead cards, stock and the card on offer are the pack."""
    table = state.table
    offered = bit(table.offered) if table.offered >= 0 else NONE
    all_cards = table.dead | state.deck.stock[0] | offered
    total = count(table.dead) + count(state.deck.stock[0]) + count(offered)
    for s in range(SEATS):
        all_cards |= state.seats[s].hand | table.down[s]
        total += count(state.seats[s].hand) + count(table.down[s])
    return all_cards == PACK and total == CARDS
