"""Keeps its deadwood low, lays down whatever it can at once and throws the dearest loose card.

Takes the discard if that lowers the deadwood or goes straight to the table. Source: RULES, Part 3,
`greedy`.
"""

from cooncan_sim.view import (
    PILE,
    STOCK,
    is_useful,
    next_laying,
    stalled,
    throw,
    throw_when_stalled,
    top_card,
)

GAMES = ("jaques", "two_deck", "partnership")
ROUNDS = 4  # circuits without a card laid until it counts as stalled


def choose_draw(table, seat):
    card = top_card(table)
    return PILE if is_useful(table, seat, card, stalled(table, ROUNDS)) else STOCK


def choose_table(table, seat):
    return next_laying(table, seat)


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    return throw(table, seat)
