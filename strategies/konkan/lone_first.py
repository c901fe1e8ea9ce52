"""Plays as `kk_greedy`, but throws the dearest loose card that has no partner in hand.

A partner is another face of the same rank, or one of the same suit at most two places away. If
every loose card has one it throws as `kk_greedy`. Source: RULES, Part 3, claim T-27, lone-first.
"""

from cooncan_sim.view_konkan import legal_discards
from cooncan_sim.view_konkan_tips import dearest_lone, loose_cards

GAMES = ("konkan",)
BASE = "kk-greedy"


def choose_discard(table, seat):
    loose = legal_discards(table, seat) & loose_cards(table, seat)[0]
    return dearest_lone(table, seat, loose)
