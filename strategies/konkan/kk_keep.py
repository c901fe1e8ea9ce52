"""Plays as `kk_greedy`, but keeps pairs back until it can win: only then does it lay them all.

It comes down with pairs worth as little as will do, and hits with cards that are in no pair.
Source: RULES, Part 3, claim T-26.
"""

from cooncan_sim.view_konkan_tips import next_keeping, would_win

GAMES = ("konkan",)
BASE = "kk-greedy"


def choose_table(table, seat):
    return next_keeping(table, seat, would_win(table, seat, -1))
