"""Comes down as soon as it can, then lays and hits everything and frees every joker.

Takes the discard whenever it brings the hand down, and once down if that lowers the deadwood or
goes straight to the table; never announces. Source: RULES, Part 3, `kk_greedy`.
"""

from cooncan_sim.view_konkan import (
    PILE,
    STOCK,
    come_down,
    is_down,
    is_useful,
    next_laying,
    opens,
    stop,
    throw,
    top_card,
)

GAMES = ("konkan",)


def choose_draw(table, seat):
    card = top_card(table)
    return PILE if not is_down(table, seat) or is_useful(table, seat, card) else STOCK


def choose_table(table, seat):
    if is_down(table, seat):
        return next_laying(table, seat)
    return come_down() if opens(table, seat) else stop()


def choose_announce(table, seat):
    return 0


def choose_discard(table, seat):
    return throw(table, seat)
