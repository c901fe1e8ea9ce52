"""Insists on throwing a card that it does not hold. A sample of a strategy that breaks a hand."""

from cooncan_sim.view import lowest

GAMES = ("jaques",)
BASE = "greedy"


def choose_discard(table, seat):
    return lowest(~seat.hand)
