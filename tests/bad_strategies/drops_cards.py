"""Lets a card vanish from its hand every turn. A sample of a strategy that cheats."""

from cooncan_sim.view import bit, stop, throw

GAMES = ("jaques",)
BASE = "greedy"


def choose_table(table, seat):
    mine = seat
    if table.hand_sizes[seat.seat] > 8:
        mine.hand = mine.hand & ~bit(throw(table, seat))
    return stop()
