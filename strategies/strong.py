"""Shows nothing until it can go out, and draws and throws for the hand that promises most.

A hand promises more the fewer cards are left when all that can go is laid, the more an unseen card
would save (`out`), the more melds its loose cards may become (`links`) and the fewer points they
cost (`points`); a discard has to better it by `margin`. In a match it lays all it can as soon as
somebody has at most `near` cards. Source: none; found by trying, the strongest of the catalogue.
"""

from cooncan_sim.view import (
    NONE,
    PILE,
    STOCK,
    better_with,
    bit,
    count,
    first_to_throw,
    left_after_laying,
    legal_discards,
    next_laying,
    stalled,
    stop,
    throw_when_stalled,
    top_card,
    value,
    with_card,
    would_end,
)
from cooncan_sim.view_chances import next_card_saves
from cooncan_sim.view_reading import gone_cards, links, somebody_is_near, unseen_cards

GAMES = ("jaques", "partnership")
WEIGHTS = {"out": 2, "links": 0.02, "points": 0.03, "margin": 0.7, "near": 4}
BOUNDS = {"out": (0, 5), "links": (0, 0.2), "points": (0, 0.3), "margin": (0, 3), "near": (0, 11)}
ROUNDS = 12


def choose_draw(table, seat):
    card = top_card(table)
    hand, twice = with_card(seat, card)
    if would_end(table, seat, hand, twice, card):
        return PILE
    if stalled(table, ROUNDS):
        return PILE if better_with(table, seat, card, True) else STOCK
    drawing = promise(table, seat, seat.hand) + seat.weights[3]
    return PILE if best_throw_of(table, seat, hand, seat.hand)[1] > drawing else STOCK


def choose_table(table, seat):
    in_danger = table.target > 0 and somebody_is_near(table, seat, seat.weights[4])
    if in_danger or would_end(table, seat, seat.hand, seat.twice, table.taken):
        return next_laying(table, seat)
    return stop()


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    return best_throw_of(table, seat, seat.hand, legal_discards(table, seat))[0]


def best_throw_of(table, seat, hand, allowed):
    """Of these cards of a hand the one without which it promises most, and how much."""
    best, most = first_to_throw(allowed), -1e9
    while allowed != NONE:
        card = first_to_throw(allowed)
        allowed = allowed & ~bit(card)
        promised = promise(table, seat, hand & ~bit(card))
        if promised > most:
            best, most = card, promised
    return best, most


def promise(table, seat, hand):
    """How good a hand is, in cards."""
    out, per_link, per_point = seat.weights[0], seat.weights[1], seat.weights[2]
    left = left_after_laying(table, seat, hand)
    saves = next_card_saves(table, seat, hand, unseen_cards(table, seat) & ~hand)
    linked = links(left, gone_cards(table) & ~hand)
    return out * saves + per_link * linked - per_point * value(left) - count(left)
