"""Lays three aces, held or not. A sample of a strategy that breaks a hand."""

from cooncan_sim.view import bit, lay_meld

GAMES = ("jaques",)
BASE = "greedy"


def choose_table(table, seat):
    return lay_meld(bit(0) | bit(16) | bit(32))
