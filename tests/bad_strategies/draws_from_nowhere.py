"""Answers 7 when asked where to draw. A sample of a strategy that breaks a hand."""

GAMES = ("jaques",)
BASE = "greedy"


def choose_draw(table, seat):
    return 7
