"""Plays as `greedy`, but does not feed the next player.

Among discards at most `slack` points worse than the best it avoids cards within two ranks in suit,
or of the rank, of what that player took from the pile and has not laid. Source: RULES, Part 3,
claim T-03.
"""

from cooncan_sim.view import NONE, best_throw, stalled, throw, throw_when_stalled
from cooncan_sim.view_reading import neighbours, next_seat, throwable_within

GAMES = ("jaques", "partnership")
BASE = "greedy"
WEIGHTS = {"slack": 2}
ROUNDS = 4


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    wanted = neighbours(table.picked[next_seat(table, seat)], 2)
    safe = throwable_within(table, seat, seat.weights[0]) & ~wanted
    if safe == NONE:
        return throw(table, seat)
    return best_throw(table, seat.hand, seat.twice, safe)[0]
