"""Plays as `kk_keep`, but announces its jokers when it holds at most `cards` cards.

Source: RULES, Part 3, claims T-22 and T-24, the rule that depends on the hand.
"""

from cooncan_sim.view_konkan import to_announce

GAMES = ("konkan",)
BASE = "kk-keep"
WEIGHTS = {"cards": 4}
BOUNDS = {"cards": (1, 15)}


def choose_announce(table, seat):
    close = table.hand_sizes[seat.seat] <= seat.weights[0]
    return to_announce(table, seat) if close else 0
