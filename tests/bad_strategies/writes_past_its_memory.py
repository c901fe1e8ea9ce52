"""Writes where its memory has no place."""

from cooncan_sim.view import throw

GAMES = ("jaques",)
BASE = "greedy"


def choose_discard(table, seat):
    seat.memory[100_000] = 7
    return throw(table, seat)
