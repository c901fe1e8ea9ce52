"""Plays as `cq_greedy`, but never rearranges: it takes what fits while its old melds stay whole.

Forced, it accepts as `cq_greedy`. Source: RULES, Part 3, claim T-13.
"""

from cooncan_sim.view_conquian import most_down
from cooncan_sim.view_conquian_tips import most_down_whole

GAMES = ("conquian", "conquian_jaques")
BASE = "cq-greedy"


def choose_offer(table, seat):
    answer = most_down_whole(table, seat)
    return answer if answer.accept or not table.forced else most_down(table, seat)
