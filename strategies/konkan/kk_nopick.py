"""Plays as `kk_greedy`, but never takes a discard to come down.

Source: RULES, Part 3, claim T-25.
"""

from cooncan_sim.view_konkan import (
    PILE,
    STOCK,
    is_down,
    is_useful,
    top_card,
)

GAMES = ("konkan",)
BASE = "kk-greedy"


def choose_draw(table, seat):
    takes = is_down(table, seat) and is_useful(table, seat, top_card(table))
    return PILE if takes else STOCK
