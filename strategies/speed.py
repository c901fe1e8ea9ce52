"""Plays as `greedy`, but draws and throws for the best chance to be out within two turns.

The chance counts the pairs of unseen cards which, drawn one after the other, would together save
as many cards as are left; where it does not differ it plays as `greedy`. Source: RULES, Part 3,
claim T-08; the estimate is the simplest that needs no search.
"""

from cooncan_sim.view import (
    PILE,
    STOCK,
    is_useful,
    stalled,
    throw_when_stalled,
    top_card,
)
from cooncan_sim.view_chances import chance_out_in_two, chance_out_taking, fastest_throw
from cooncan_sim.view_reading import unseen_cards

GAMES = ("jaques", "partnership")
BASE = "greedy"
ROUNDS = 4


def choose_draw(table, seat):
    card = top_card(table)
    unseen = unseen_cards(table, seat)
    taking = chance_out_taking(table, seat, card, unseen)
    drawing = chance_out_in_two(table, seat, seat.hand, unseen)
    if taking != drawing:
        return PILE if taking > drawing else STOCK
    return PILE if is_useful(table, seat, card, stalled(table, ROUNDS)) else STOCK


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    return fastest_throw(table, seat, unseen_cards(table, seat))
