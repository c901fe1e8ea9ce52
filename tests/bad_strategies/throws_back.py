"""Takes each discard and throws it back. A sample of a strategy that breaks a hand."""

from cooncan_sim.view import PILE

GAMES = ("jaques",)
BASE = "hold"


def choose_draw(table, seat):
    return PILE


def choose_discard(table, seat):
    return table.taken
