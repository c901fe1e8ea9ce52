"""Plays as `kk_greedy`, but never takes a discard to come down.

Source: RULES, Part 3, claim T-25.
"""

from cooncan_sim.view_konkan import (
    JOKER,
    PILE,
    STOCK,
    better_with,
    fits_table,
    is_down,
    top_card,
)

GAMES = ("konkan",)
BASE = "kk-greedy"


def choose_draw(table, seat):
    card = top_card(table)
    if not is_down(table, seat):
        return STOCK
    if card == JOKER or fits_table(table, seat, card):
        return PILE
    return PILE if better_with(table, seat, card) else STOCK
