"""Asks for the hand of its neighbour. A sample of a strategy that cheats."""

from cooncan_sim.view import PILE, STOCK

GAMES = ("jaques",)
BASE = "greedy"


def choose_draw(table, seat):
    return PILE if table.seats[0].hand else STOCK
