"""Plays as `kk_keep`, but announces its jokers, whatever its hand is like.

It does so with chance `chance`, decided once a hand. (`kk_greedy` lays its jokers before it could
announce one.) Source: RULES, Part 3, claims T-22 and T-24.
"""

from cooncan_sim.view_konkan import below, to_announce

GAMES = ("konkan",)
BASE = "kk-keep"
WEIGHTS = {"chance": 1}
BOUNDS = {"chance": (0, 1)}
SILENT, ANNOUNCES = 1, 2


def choose_announce(table, seat):
    if seat.memory[0] == 0:
        seat.memory[0] = ANNOUNCES if below(seat, 100) < 100 * seat.weights[0] else SILENT
    return to_announce(table, seat) if seat.memory[0] == ANNOUNCES else 0
