"""Lays a card off on a meld that does not lie there. A sample of a strategy that breaks a hand."""

from cooncan_sim.games.cooncan_state import LAYOFF, LOW, Move
from cooncan_sim.view import first_bit

GAMES = ("jaques",)
BASE = "greedy"


def choose_table(table, seat):
    none = seat.hand & ~seat.hand
    return Move(LAYOFF, first_bit(seat.hand), none, 33, LOW, none)
