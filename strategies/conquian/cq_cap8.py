"""Plays as `cq_greedy`, but declines or rearranges rather than have a run of more than eight.

Forced past eight, it goes on as `cq_greedy`. Source: RULES, Part 3, claim T-17.
"""

from cooncan_sim.view_conquian import most_down
from cooncan_sim.view_conquian_tips import longest_run, most_down_within

GAMES = ("conquian", "conquian_jaques")
BASE = "cq-greedy"
LONGEST = 8


def choose_offer(table, seat):
    if longest_run(table, seat) > LONGEST:
        return most_down(table, seat)
    answer = most_down_within(table, seat, LONGEST)
    return answer if answer.accept or not table.forced else most_down(table, seat)
