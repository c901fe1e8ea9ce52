"""Holds its melds back while that is safe, and draws and throws for the hand that promises most.

It takes every joker and throws none. A hand promises more the fewer cards are in no meld, the more
an unseen card would save (`out`), the more melds its loose cards may become (`links`) and the
fewer points they cost (`points`); a discard has to better it by `margin`. It lays all it can as
soon as somebody has at most `near` cards, or the stock has not more than `rest` cards a player.
Source: none; the weights are those found by hand at one pack, with links, of which there are more,
scaled down, and `cooncan tune double_rum strong --players 4 --method cma --steps 8 --metric balance
--others hold --seed 1 --max-deals 4000` found none that passed its gate. `cooncan tournament
double_rum --players greedy,hold,strong --seats 4` shows that it beats both.
"""

from cooncan_sim.view_double_rum import (
    JOKER,
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

GAMES = ("double_rum",)
WEIGHTS = {"out": 2, "links": 0.005, "points": 0.03, "margin": 0.7, "near": 4, "rest": 0.5}
BOUNDS = {
    "out": (0, 5),
    "links": (0, 0.05),
    "points": (0, 0.3),
    "margin": (0, 3),
    "near": (0, 11),
    "rest": (0, 8),
}
ROUNDS = 12


def choose_draw(table, seat):
    card = top_card(table)
    if card == JOKER or would_end(table, seat, card):
        return PILE
    if stalled(table, ROUNDS):
        return PILE if better_with(table, seat, card, True) else STOCK
    unseen = unseen_by(table, seat, seat.twice, 2)
    drawing = promise(seat, loose_of(table, seat.hand, seat.twice, seat.jokers), unseen)
    hand, twice = with_card(seat, card)
    allowed = throwable(table, hand, twice, card)
    loose = loose_of(table, hand, twice, seat.jokers)
    taking = best_throw_of(seat, loose, unseen, allowed)[1]
    return PILE if taking > drawing + seat.weights[3] else STOCK


def choose_table(table, seat):
    if in_danger(table, seat) or would_end(table, seat, -1):
        return next_laying(table, seat)
    return stop()


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    unseen = unseen_by(table, seat, seat.twice, 2)
    loose = loose_of(table, seat.hand, seat.twice, seat.jokers)
    card = best_throw_of(seat, loose, unseen, legal_discards(table, seat))[0]
    return card if card >= 0 else throw(table, seat)


def in_danger(table, seat):
    """Whether the hand may soon be over, so that what is held would be paid for."""
    near = somebody_is_near(table, seat, seat.weights[4])
    return near or table.stock <= seat.weights[5] * table.players
