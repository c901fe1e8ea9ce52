"""Plays as `greedy`, but for its side: it spares the partner's melds and starves the opponents.

A card that fits several melds goes on an opponent's first. Among discards at most `slack` points
worse it avoids what an opponent may want, cards within two ranks in suit or of the rank of what
one took from the pile and holds, and then cards within two places of a run of its own side.
Source: RULES, Part 3, claim T-12; what a partner's meld needs is read from the table alone.
"""

from cooncan_sim.view import NONE, STOP, best_throw, next_meld, stalled, throw_when_stalled
from cooncan_sim.view_reading import neighbours, throwable_within
from cooncan_sim.view_sides import next_layoff_sparing, opponents_picked, side_runs_near

GAMES = ("partnership",)
BASE = "greedy"
WEIGHTS = {"slack": 2}
BOUNDS = {"slack": (0, 20)}
ROUNDS = 4


def choose_table(table, seat):
    move = next_meld(table, seat)
    return move if move.action != STOP else next_layoff_sparing(table, seat)


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    cards = throwable_within(table, seat, seat.weights[0])
    for avoided in (neighbours(opponents_picked(table, seat), 2), side_runs_near(table, seat, 2)):
        if cards & ~avoided != NONE:
            cards = cards & ~avoided
    return best_throw(table, seat.hand, seat.twice, cards)[0]
