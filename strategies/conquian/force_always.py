"""Plays as `cq_greedy`, but forces whenever it may. Source: RULES, Part 3, claim T-14."""

GAMES = ("conquian", "conquian_jaques")
BASE = "cq-greedy"


def choose_force(table, seat):
    return 1
