"""A strategy in three lines: draws from the stock, lays nothing and throws its first card."""

from cooncan_sim.view import STOCK, legal_discards, lowest, stop

GAMES = ("jaques",)


def choose_draw(table, seat):
    return STOCK


def choose_table(table, seat):
    return stop()


def choose_discard(table, seat):
    return lowest(legal_discards(table, seat))
