"""Ends hands when it pleases. A sample of a strategy that cheats."""

from cooncan_sim.view import throw

GAMES = ("jaques",)
BASE = "greedy"


def choose_discard(table, seat):
    rules = table
    rules.MAX_TURNS = 3
    return throw(table, seat)
