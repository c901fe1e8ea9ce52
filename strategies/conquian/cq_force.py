"""Plays as `cq_greedy`, but forces when that costs the other more chances than itself.

It deals the cards it cannot see `samples` times and plays each hand out with the card forced and
with it passed on, both going on as `cq_greedy`. Source: RULES, Part 3, claim T-14.
"""

from cooncan_sim.view_conquian_tips import forcing_gains

GAMES = ("conquian", "conquian_jaques")
BASE = "cq-greedy"
WEIGHTS = {"samples": 16}
BOUNDS = {"samples": (1, 1000)}


def choose_force(table, seat):
    return 1 if forcing_gains(table, seat, int(seat.weights[0])) > 0 else 0
