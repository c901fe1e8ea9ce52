"""Plays as `kk_keep`, but lays all its pairs once another player has announced a joker.

Source: RULES, Part 3, claim T-23.
"""

from cooncan_sim.view_konkan_tips import heard, next_keeping, would_win

GAMES = ("konkan",)
BASE = "kk-keep"


def choose_table(table, seat):
    if heard(table, seat):
        seat.memory[0] = 1
    return next_keeping(table, seat, seat.memory[0] or would_win(table, seat, -1))
