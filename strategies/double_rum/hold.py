"""Plays as `greedy`, but shows nothing: it lays cards only in the turn in which it can go out.

Source: RULES, Part 3, `hold`.
"""

from cooncan_sim.view_double_rum import (
    JOKER,
    PILE,
    STOCK,
    better_with,
    next_laying,
    stalled,
    stop,
    throw,
    throw_when_stalled,
    top_card,
    would_end,
)

GAMES = ("double_rum",)
ROUNDS = 12  # circuits without a card laid until it counts as stalled


def choose_draw(table, seat):
    card = top_card(table)
    if card == JOKER or better_with(table, seat, card, stalled(table, ROUNDS)):
        return PILE
    return PILE if would_end(table, seat, card) else STOCK


def choose_table(table, seat):
    return next_laying(table, seat) if would_end(table, seat, -1) else stop()


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    return throw(table, seat)
