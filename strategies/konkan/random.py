"""Every legal answer is equally likely, "stop" and no announcement among them.

It comes down with the pairs of `kk_greedy`. Source: RULES, Part 3, `random`.
"""

from cooncan_sim.view_konkan import (
    PILE,
    STOCK,
    below,
    random_discard,
    random_move,
    to_announce,
)

GAMES = ("konkan",)


def choose_draw(table, seat):
    return PILE if below(seat, 2) else STOCK


def choose_table(table, seat):
    return random_move(table, seat)


def choose_announce(table, seat):
    return below(seat, to_announce(table, seat) + 1)


def choose_discard(table, seat):
    return random_discard(table, seat)
