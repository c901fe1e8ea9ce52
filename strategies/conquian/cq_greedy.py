"""Accepts whenever it can, with as many hand cards as possible, and never forces.

Throws the card with the fewest live partners. Source: RULES, Part 3, `cq_greedy`.
"""

from cooncan_sim.view_conquian import fewest_partners, most_down

GAMES = ("conquian", "conquian_jaques")


def choose_offer(table, seat):
    return most_down(table, seat)


def choose_force(table, seat):
    return 0


def choose_discard(table, seat):
    return fewest_partners(table, seat)
