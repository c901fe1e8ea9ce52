"""Keeps its deadwood low, lays down whatever it can at once and throws the dearest loose card.

Takes every joker, and the discard if that lowers the deadwood, goes straight to the table or moves
a joker there; lays jokers off last. Source: RULES, Part 3, `greedy`.
"""

from cooncan_sim.view_double_rum import (
    JOKER,
    PILE,
    STOCK,
    better_with,
    fits_table,
    next_laying,
    stalled,
    throw,
    throw_when_stalled,
    top_card,
)

GAMES = ("double_rum",)
ROUNDS = 4  # circuits without a card laid until it counts as stalled


def choose_draw(table, seat):
    card = top_card(table)
    if card == JOKER or fits_table(table, seat, card):
        return PILE
    return PILE if better_with(table, seat, card, stalled(table, ROUNDS)) else STOCK


def choose_table(table, seat):
    return next_laying(table, seat)


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    return throw(table, seat)
