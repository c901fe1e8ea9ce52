"""Plays as `greedy`, but throws the loose card with the fewest possible melds, whatever it costs.

Source: RULES, Part 3, claim T-27, connectivity-first.
"""

from cooncan_sim.view import (
    NONE,
    legal_discards,
    loose_cards,
    stalled,
    throw,
    throw_when_stalled,
)
from cooncan_sim.view_reading import gone_cards, least_connected

GAMES = ("jaques", "partnership")
BASE = "greedy"
ROUNDS = 4


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    loose = legal_discards(table, seat) & loose_cards(table, seat)
    return throw(table, seat) if loose == NONE else least_connected(loose, gone_cards(table))
