"""Plays as `greedy`, but shows nothing: it lays cards only in the turn in which it can go out.

Source: RULES, Part 3, `hold`.
"""

from cooncan_sim.view import (
    PILE,
    STOCK,
    better_with,
    next_laying,
    stalled,
    stop,
    throw,
    throw_when_stalled,
    top_card,
    with_card,
    would_end,
)

GAMES = ("jaques", "two_deck", "partnership")
ROUNDS = 12  # circuits without a card laid until it counts as stalled


def choose_draw(table, seat):
    card = top_card(table)
    hand, twice = with_card(seat, card)
    if better_with(table, seat, card, stalled(table, ROUNDS)):
        return PILE
    return PILE if would_end(table, seat, hand, twice, card) else STOCK


def choose_table(table, seat):
    if would_end(table, seat, seat.hand, seat.twice, table.taken):
        return next_laying(table, seat)
    return stop()


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    return throw(table, seat)
