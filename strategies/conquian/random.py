"""Every legal answer is equally likely, "decline" and "let pass" among them.

Source: RULES, Part 3, `random`.
"""

from cooncan_sim.view_conquian import below, random_answer, random_card

GAMES = ("conquian", "conquian_jaques")


def choose_offer(table, seat):
    return random_answer(table, seat)


def choose_force(table, seat):
    return below(seat, 2)


def choose_discard(table, seat):
    return random_card(seat)
