"""Plays as `greedy`, but throws the dearest loose card that has no partner in hand.

A partner is a card of the same rank, or of the same suit at most two places away. If every loose
card has one it throws as `greedy`. Source: RULES, Part 3, claim T-27, lone-first.
"""

from cooncan_sim.view import (
    NONE,
    bit,
    first_to_throw,
    legal_discards,
    loose_cards,
    stalled,
    throw,
    throw_when_stalled,
)
from cooncan_sim.view_reading import neighbours

GAMES = ("jaques", "partnership")
BASE = "greedy"
ROUNDS = 4


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    loose = legal_discards(table, seat) & loose_cards(table, seat)
    while loose != NONE:
        card = first_to_throw(loose)
        if neighbours(bit(card), 2) & seat.hand == bit(card):
            return card
        loose = loose & ~bit(card)
    return throw(table, seat)
