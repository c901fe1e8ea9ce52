"""Plays as `cq_greedy`, but declines or lays fewer cards rather than have over eight in a row.

A row is cards of a suit that follow one another on its table, however they are split into runs:
otherwise free rearranging would let it have any run. Forced past eight, it goes on as `cq_greedy`.
Source: RULES, Part 3, claim T-17.
"""

from cooncan_sim.view_conquian import most_down
from cooncan_sim.view_conquian_tips import longest_row, most_down_within

GAMES = ("conquian", "conquian_jaques")
BASE = "cq-greedy"
LONGEST = 8


def choose_offer(table, seat):
    if longest_row(table.down[seat.seat]) > LONGEST:
        return most_down(table, seat)
    answer = most_down_within(table, seat, LONGEST)
    return answer if answer.accept or not table.forced else most_down(table, seat)
