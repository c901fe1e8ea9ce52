"""Shows nothing until it can go out, and draws and throws for the hand that promises most.

A hand promises more the fewer cards are in no meld, the more an unseen card would save (`out`),
the more melds its loose cards may become (`links`) and the fewer points they cost (`points`); a
discard has to better it by `margin`. In a match it lays all it can as soon as somebody has at most
`near` cards. Source: none; the weights are those found by hand at one pack, with links, of which
there are more, scaled down. `cooncan tournament two_deck --players greedy,hold,strong --seats 3`
shows that it beats both.
"""

from cooncan_sim.view import (
    PILE,
    STOCK,
    better_with,
    legal_discards,
    loose_of,
    next_laying,
    stalled,
    stop,
    throw,
    throw_when_stalled,
    throwable,
    top_card,
    with_card,
    would_end,
)
from cooncan_sim.view_hopes import best_throw_of, promise, unseen_by
from cooncan_sim.view_reading import somebody_is_near

GAMES = ("two_deck",)
WEIGHTS = {"out": 2, "links": 0.005, "points": 0.03, "margin": 0.7, "near": 4}
BOUNDS = {"out": (0, 5), "links": (0, 0.05), "points": (0, 0.3), "margin": (0, 3), "near": (0, 11)}
ROUNDS = 12


def choose_draw(table, seat):
    card = top_card(table)
    hand, twice = with_card(seat, card)
    if would_end(table, seat, hand, twice, card):
        return PILE
    if stalled(table, ROUNDS):
        return PILE if better_with(table, seat, card, True) else STOCK
    unseen = unseen_by(table, seat, seat.twice, 2)
    drawing = promise(seat, loose_of(table, seat, seat.hand, seat.twice), unseen)
    allowed = throwable(table, hand, twice, card)
    taking = best_throw_of(seat, loose_of(table, seat, hand, twice), unseen, allowed)[1]
    return PILE if taking > drawing + seat.weights[3] else STOCK


def choose_table(table, seat):
    in_danger = table.target > 0 and somebody_is_near(table, seat, seat.weights[4])
    if in_danger or would_end(table, seat, seat.hand, seat.twice, table.taken):
        return next_laying(table, seat)
    return stop()


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    unseen = unseen_by(table, seat, seat.twice, 2)
    loose = loose_of(table, seat, seat.hand, seat.twice)
    card = best_throw_of(seat, loose, unseen, legal_discards(table, seat))[0]
    return card if card >= 0 else throw(table, seat)
