"""One dealt joker exchanged with a card of another hand: what a joker is worth by itself."""

import numpy as np

from cooncan_sim import rng
from cooncan_sim.bits import NONE, U1, bit, count, lowest
from cooncan_sim.kernel import kernel


@kernel
def exchange_joker(state, swap):
    """The seat whose joker goes to another hand for a card there, -1 if nobody was dealt one.

    Of several seats with a joker it is the first from the dealer's left. The other hand and its
    card are drawn at random, from a stream of the deal's own. Does it only if `swap` is 1, so
    that the hand can be played either way. Works on states with hand, twice and jokers.
    """
    table = state.table
    deck = state.deck
    for step in range(1, table.players + 1):
        giver = (table.dealer + step) % table.players
        if state.seats[giver].jokers > 0:
            if swap == 1:
                word = rng.stream(deck.seed, deck.deal, rng.CUT, 0)
                other = (giver + 1 + rng.scaled(rng.mix(word), table.players - 1)) % table.players
                size = table.hand_sizes[other]
                _exchange(
                    state.seats[giver],
                    state.seats[other],
                    rng.scaled(rng.mix(word + rng.WEYL), size),
                )
            return np.int64(giver)
    return np.int64(-1)


@kernel
def _exchange(giver, other, number):
    """A joker of the one against card `number` of the other: faces, second copies, jokers."""
    cards = other.hand
    place = number - count(cards)
    if place >= 0:
        cards = other.twice
        number = place
        place = number - count(cards)
    if place >= 0:  # a joker for a joker
        return
    for _ in range(number):
        cards &= cards - U1
    card = bit(lowest(cards))
    if other.twice & card != NONE:
        other.twice &= ~card
    else:
        other.hand &= ~card
    giver.twice |= giver.hand & card
    giver.hand |= card
    giver.jokers -= 1
    other.jokers += 1
