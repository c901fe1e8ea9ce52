"""Plays as `greedy`, but draws and throws for the least expected charge.

With chance `risk` the hand ends before its next turn and it is charged what it holds, otherwise
what is left after a turn with an unseen card. Source: RULES, Part 3, claim T-08; the estimate
looks one turn ahead.
"""

from cooncan_sim.view import PILE, STOCK, better_with, stalled, throw_when_stalled, top_card
from cooncan_sim.view_chances import charge_after_draw, charge_taking, cheapest_throw
from cooncan_sim.view_reading import unseen_cards

GAMES = ("jaques", "partnership")
BASE = "greedy"
WEIGHTS = {"risk": 0.1}
BOUNDS = {"risk": (0, 1)}
ROUNDS = 4


def choose_draw(table, seat):
    card = top_card(table)
    if stalled(table, ROUNDS):
        return PILE if better_with(table, seat, card, True) else STOCK
    drawing = charge_after_draw(table, seat, seat.hand, unseen_cards(table, seat))
    return PILE if charge_taking(table, seat, card) < drawing else STOCK


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    return cheapest_throw(table, seat, unseen_cards(table, seat), seat.weights[0])
