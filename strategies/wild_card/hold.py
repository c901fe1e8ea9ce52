"""Plays as `greedy`, but shows nothing: it lays cards only in the turn in which it can go out.

Source: RULES, Part 3, `hold`.
"""

from cooncan_sim.view import PILE, STOCK, bit, stop
from cooncan_sim.view_wild import (
    better_with,
    is_wild,
    next_laying,
    stalled,
    throw,
    throw_when_stalled,
    top_card,
    would_end,
)

GAMES = ("wild_card",)
ROUNDS = 12  # circuits without a card laid until it counts as stalled


def choose_draw(table, seat):
    card = top_card(table)
    if is_wild(table, card) or better_with(table, seat, card, stalled(table, ROUNDS)):
        return PILE
    return PILE if would_end(table, seat, seat.hand | bit(card), card) else STOCK


def choose_table(table, seat):
    if would_end(table, seat, seat.hand, table.taken):
        return next_laying(table, seat)
    return stop()


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    return throw(table, seat)
