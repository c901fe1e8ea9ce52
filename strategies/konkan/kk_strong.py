"""Plays as `kk_keep`, but throws the dearest loose card that has no partner in hand.

Source: none; found by trying, the strongest of the catalogue.
"""

from cooncan_sim.view_konkan import legal_discards
from cooncan_sim.view_konkan_tips import dearest_lone, loose_cards

GAMES = ("konkan",)
BASE = "kk-keep"


def choose_discard(table, seat):
    loose = legal_discards(table, seat) & loose_cards(table, seat)[0]
    return dearest_lone(table, seat, loose)
