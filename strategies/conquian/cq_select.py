"""Plays as `cq_greedy`, but declines what costs the hand `pairs` waiting pairs or more.

A pair waits if one card still to come would make a meld of it; it accepts nevertheless if `cards`
cards or more come down, the offered one among them. Source: RULES, Part 3, claim T-18.
"""

from cooncan_sim.view_conquian import count, decline, most_down
from cooncan_sim.view_conquian_tips import pairs_used_up

GAMES = ("conquian", "conquian_jaques")
BASE = "cq-greedy"
WEIGHTS = {"pairs": 2, "cards": 4}
BOUNDS = {"pairs": (1, 10), "cards": (1, 11)}


def choose_offer(table, seat):
    answer = most_down(table, seat)
    if not answer.accept or table.forced:
        return answer
    cards = (answer.first | answer.second | answer.third) & seat.hand
    costs = pairs_used_up(table, seat, cards) >= seat.weights[0]
    return decline() if costs and count(cards) + 1 < seat.weights[1] else answer
