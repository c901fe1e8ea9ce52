"""Plays as `greedy`, but never lays a card off. Source: RULES, Part 3, claim T-06 (b)."""

from cooncan_sim.view import PILE, STOCK, better_with, next_meld, stalled, top_card

GAMES = ("jaques", "two_deck", "partnership")
BASE = "greedy"
ROUNDS = 4


def choose_draw(table, seat):
    return PILE if better_with(table, seat, top_card(table), stalled(table, ROUNDS)) else STOCK


def choose_table(table, seat):
    return next_meld(table, seat)
