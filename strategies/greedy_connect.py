"""Plays as `greedy`, but of equally good discards it throws the one with the fewest possible melds.

In its first `early` turns a discard may cost up to `slack` points more. A possible meld is one of
three cards with none of them in the pile or on the table. Source: RULES, Part 3, claim T-01.
"""

from cooncan_sim.view import stalled, throw_when_stalled
from cooncan_sim.view_reading import (
    gone_cards,
    least_connected,
    own_turns,
    throwable_within,
)

GAMES = ("jaques", "partnership")
BASE = "greedy"
WEIGHTS = {"early": 5, "slack": 3}
ROUNDS = 4


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    slack = seat.weights[1] if own_turns(table) < seat.weights[0] else 0.0
    return least_connected(throwable_within(table, seat, slack), gone_cards(table))
