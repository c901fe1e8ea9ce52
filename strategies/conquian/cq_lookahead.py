"""Plays each answer out in sampled hands and gives the one that wins most.

It deals the cards it cannot see `samples` times and goes on as `cq_greedy` for both, to accept as
`cq_greedy` or decline, force or not, and throw each of its cards. Source: none; a plain search.
"""

from cooncan_sim.view_conquian import decline, most_down
from cooncan_sim.view_conquian_tips import accepting_gains, best_discard, forcing_gains

GAMES = ("conquian", "conquian_jaques")
WEIGHTS = {"samples": 16}
BOUNDS = {"samples": (1, 1000)}


def choose_offer(table, seat):
    answer = most_down(table, seat)
    if table.forced or not answer.accept:
        return answer
    gains = accepting_gains(table, seat, answer, int(seat.weights[0]))
    return answer if gains >= 0 else decline()


def choose_force(table, seat):
    return 1 if forcing_gains(table, seat, int(seat.weights[0])) > 0 else 0


def choose_discard(table, seat):
    return best_discard(table, seat, int(seat.weights[0]))
