"""Plays as `greedy`, but keeps a set of three in hand for up to `k` of its turns.

It waits while an unseen card would make the set four cards or would let the whole hand go out at
once; with `runs=1` it does so with runs of three, and with no sets. Source: RULES, Part 3, claims
T-04 and T-05.
"""

from cooncan_sim.view import RUN, SET, STOP, next_laying, would_end
from cooncan_sim.view_waiting import next_laying_but, note_waiting, waiting_melds

GAMES = ("jaques", "partnership")
BASE = "greedy"
WEIGHTS = {"k": 1, "runs": 0}
BOUNDS = {"k": (0, 9), "runs": (0, 1)}


def choose_table(table, seat):
    if would_end(table, seat, seat.hand, seat.twice, table.taken):
        return next_laying(table, seat)
    kind = RUN if seat.weights[1] else SET
    kept = waiting_melds(table, seat, kind, seat.weights[0])
    move = next_laying_but(table, seat, kept)
    if move.action == STOP:
        note_waiting(seat, kept, kind)
    return move
