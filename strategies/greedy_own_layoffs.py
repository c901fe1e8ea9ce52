"""Plays as `greedy`, but lays off on its own melds only. Source: RULES, Part 3, claim T-06 (a)."""

from cooncan_sim.view import (
    PILE,
    RUN,
    SET,
    STOCK,
    STOP,
    better_with,
    fits_own,
    next_layoff_on,
    next_meld,
    stalled,
    top_card,
)

GAMES = ("jaques", "two_deck", "partnership")
BASE = "greedy"
ROUNDS = 4


def choose_draw(table, seat):
    card = top_card(table)
    if fits_own(table, seat, card) or better_with(table, seat, card, stalled(table, ROUNDS)):
        return PILE
    return STOCK


def choose_table(table, seat):
    move = next_meld(table, seat)
    if move.action == STOP:
        move = next_layoff_on(table, seat, RUN, True)
    return move if move.action != STOP else next_layoff_on(table, seat, SET, True)
