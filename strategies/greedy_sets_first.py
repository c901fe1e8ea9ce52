"""Plays as `greedy`, but a card that fits a set and a run goes on the set.

Source: RULES, Part 3, claim T-06 (c).
"""

from cooncan_sim.view import RUN, SET, STOP, next_layoff_on, next_meld

GAMES = ("jaques", "two_deck", "partnership")
BASE = "greedy"


def choose_table(table, seat):
    move = next_meld(table, seat)
    if move.action == STOP:
        move = next_layoff_on(table, seat, SET, False)
    return move if move.action != STOP else next_layoff_on(table, seat, RUN, False)
