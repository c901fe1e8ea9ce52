"""Loses its temper in long hands. A sample of a strategy that breaks a hand."""

from cooncan_sim.view import throw

GAMES = ("jaques",)
BASE = "greedy"


def choose_discard(table, seat):
    if table.turns > 40:
        raise ValueError("this takes too long")
    return throw(table, seat)
