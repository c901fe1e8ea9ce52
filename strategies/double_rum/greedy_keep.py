"""Plays as `greedy`, but of its loose cards it throws those outside a band of ranks first.

Ranks count A = 1 … K = 13, `low` to `high` belong to the band; a joker goes if nothing else may.
Source: RULES, Part 3, claim T-02.
"""

from cooncan_sim.view_double_rum import (
    first_to_throw,
    legal_discards,
    loose_faces,
    ranks_between,
    stalled,
    throw,
    throw_when_stalled,
)

GAMES = ("double_rum",)
BASE = "greedy"
WEIGHTS = {"low": 5, "high": 8}
ROUNDS = 4


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    loose = legal_discards(table, seat) & loose_faces(table, seat)
    outside = loose & ~ranks_between(seat.weights[0], seat.weights[1])
    if outside:
        return first_to_throw(outside)
    if loose:
        return first_to_throw(loose)
    return throw(table, seat)
