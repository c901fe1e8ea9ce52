"""Plays as `greedy`, but takes risks when a match goes badly.

At least `d` points behind the best total or within 15 of the target, and while the hand does not
stand still, it takes every discard that makes a pair or neighbours in suit with a card it holds.
Source: RULES, Part 3, claim T-07.
"""

from cooncan_sim.view import PILE, STOCK, bit, is_useful, stalled, top_card
from cooncan_sim.view_reading import is_behind, neighbours

GAMES = ("jaques", "partnership")
BASE = "greedy"
WEIGHTS = {"d": 30}
BOUNDS = {"d": (1, 100)}
ROUNDS = 4


def choose_draw(table, seat):
    card = top_card(table)
    is_stalled = stalled(table, ROUNDS)
    if is_useful(table, seat, card, is_stalled):
        return PILE
    makes_start = neighbours(bit(card), 1) & seat.hand != 0
    if makes_start and not is_stalled and is_behind(table, seat, seat.weights[0]):
        return PILE
    return STOCK
