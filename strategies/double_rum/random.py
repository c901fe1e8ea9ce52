"""Every legal answer is equally likely, "stop" among them.

Source: RULES, Part 3, `random`.
"""

from cooncan_sim.view_double_rum import PILE, STOCK, below, random_discard, random_move

GAMES = ("double_rum",)


def choose_draw(table, seat):
    return PILE if below(seat, 2) else STOCK


def choose_table(table, seat):
    return random_move(table, seat)


def choose_discard(table, seat):
    return random_discard(table, seat)
