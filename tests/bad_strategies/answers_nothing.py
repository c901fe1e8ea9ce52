"""Answers a number that stands for no card. A sample of a strategy that breaks a hand."""

GAMES = ("jaques",)
BASE = "greedy"


def choose_discard(table, seat):
    return -5
