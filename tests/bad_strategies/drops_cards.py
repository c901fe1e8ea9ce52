"""Lets a card vanish from its hand every turn. A sample of a strategy that cheats."""

from cooncan_sim.games.cooncan_deal import give
from cooncan_sim.view import NONE, bit, stop, throw

GAMES = ("jaques",)
BASE = "greedy"


def choose_table(table, seat):
    if table.hand_sizes[seat.seat] > 8:
        give(seat, bit(throw(table, seat)), NONE)
    return stop()
