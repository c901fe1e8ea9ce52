"""Plays as `kk_greedy`, but in its first `w` turns comes down only to win in that turn.

Until then it takes no discard that would not win. Source: RULES, Part 3, claim T-25.
"""

from cooncan_sim.view_konkan import (
    PILE,
    STOCK,
    come_down,
    is_down,
    is_useful,
    next_laying,
    opens,
    own_turns,
    stop,
    top_card,
)
from cooncan_sim.view_konkan_tips import would_win

GAMES = ("konkan",)
BASE = "kk-greedy"
WEIGHTS = {"w": 3}
BOUNDS = {"w": (0, 30)}


def choose_draw(table, seat):
    card = top_card(table)
    if not is_down(table, seat):
        free = own_turns(table) >= seat.weights[0]
        return PILE if free or would_win(table, seat, card) else STOCK
    return PILE if is_useful(table, seat, card) else STOCK


def choose_table(table, seat):
    if is_down(table, seat):
        return next_laying(table, seat)
    free = table.owes or own_turns(table) >= seat.weights[0]
    if not free and not would_win(table, seat, -1):
        return stop()
    return come_down() if opens(table, seat) else stop()
