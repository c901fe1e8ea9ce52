"""Shows nothing until it can go out, and draws and throws for the hand that promises most.

It takes and keeps every wild card. A hand promises more the fewer plain cards are in no meld, the
more an unseen card would save (`out`), the more melds its loose cards may become (`links`) and the
fewer points they cost (`points`); a discard has to better it by `margin`. In a match it lays all
it can as soon as somebody has at most `near` cards. Source: none; the weights are those found by
hand without wild cards. `cooncan tournament wild_card --players greedy,hold,strong` sets it beside
the others.
"""

from cooncan_sim.bits import NONE, bit
from cooncan_sim.view import PILE, STOCK, legal_discards, stop, throwable
from cooncan_sim.view_hopes import best_throw_of, promise, unseen_by
from cooncan_sim.view_reading import somebody_is_near
from cooncan_sim.view_wild import (
    better_with,
    is_wild,
    loose_of,
    next_laying,
    stalled,
    throw,
    throw_when_stalled,
    top_card,
    would_end,
)

GAMES = ("wild_card",)
WEIGHTS = {"out": 2, "links": 0.02, "points": 0.03, "margin": 0.7, "near": 4}
BOUNDS = {"out": (0, 5), "links": (0, 0.2), "points": (0, 0.3), "margin": (0, 3), "near": (0, 11)}
ROUNDS = 12


def choose_draw(table, seat):
    card = top_card(table)
    hand = seat.hand | bit(card)
    if is_wild(table, card) or would_end(table, seat, hand, card):
        return PILE
    if stalled(table, ROUNDS):
        return PILE if better_with(table, seat, card, True) else STOCK
    unseen = unseen_by(table, seat, NONE, 1)
    drawing = promise(seat, loose_of(table, seat, seat.hand), unseen)
    allowed = throwable(table, hand, NONE, card)
    taking = best_throw_of(seat, loose_of(table, seat, hand), unseen, allowed)[1]
    return PILE if taking > drawing + seat.weights[3] else STOCK


def choose_table(table, seat):
    in_danger = table.target > 0 and somebody_is_near(table, seat, seat.weights[4])
    if in_danger or would_end(table, seat, seat.hand, table.taken):
        return next_laying(table, seat)
    return stop()


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    unseen = unseen_by(table, seat, NONE, 1)
    loose = loose_of(table, seat, seat.hand)
    card = best_throw_of(seat, loose, unseen, legal_discards(table, seat))[0]
    return card if card >= 0 else throw(table, seat)
