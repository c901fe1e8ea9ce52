"""Plays as `kk_greedy`, but throws the loose card with the fewest possible pairs, at any cost.

A possible pair is one of three cards of which no face is gone with both its copies. A joker goes
if no plain card may. Source: RULES, Part 3, claim T-27, connectivity-first.
"""

from cooncan_sim.view_konkan import legal_discards, throw
from cooncan_sim.view_konkan_tips import gone_faces, least_connected, loose_cards

GAMES = ("konkan",)
BASE = "kk-greedy"


def choose_discard(table, seat):
    loose = legal_discards(table, seat) & loose_cards(table, seat)[0]
    return least_connected(loose, gone_faces(table)) if loose else throw(table, seat)
