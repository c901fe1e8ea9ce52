"""Plays as `hold` in its first `k` turns and as `greedy` from then on.

Source: RULES, Part 3, claim T-20, `hold(k)`.
"""

from cooncan_sim.view_double_rum import (
    JOKER,
    PILE,
    STOCK,
    better_with,
    fits_table,
    next_laying,
    own_turns,
    stalled,
    stop,
    throw,
    throw_when_stalled,
    top_card,
    would_end,
)

GAMES = ("double_rum",)
BASE = "greedy"
WEIGHTS = {"k": 3}
BOUNDS = {"k": (0, 30)}


def choose_draw(table, seat):
    card = top_card(table)
    if card == JOKER or better_with(table, seat, card, stalled(table, rounds(table, seat))):
        return PILE
    if holds(table, seat):
        return PILE if would_end(table, seat, card) else STOCK
    return PILE if fits_table(table, seat, card) else STOCK


def choose_table(table, seat):
    if holds(table, seat) and not would_end(table, seat, -1):
        return stop()
    return next_laying(table, seat)


def choose_discard(table, seat):
    if stalled(table, rounds(table, seat)):
        return throw_when_stalled(table, seat)
    return throw(table, seat)


def holds(table, seat):
    return own_turns(table) < seat.weights[0]


def rounds(table, seat):
    return 12 if holds(table, seat) else 4
