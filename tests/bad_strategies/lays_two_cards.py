"""Takes any two cards for a meld. A sample of a strategy that breaks a hand."""

from cooncan_sim.view import first_bit, lay_meld

GAMES = ("jaques",)
BASE = "greedy"


def choose_table(table, seat):
    first = first_bit(seat.hand)
    return lay_meld(first | first_bit(seat.hand & ~first))
