"""Plays as `greedy`, but shows nothing: it lays cards only in the turn in which it can go out.

Source: RULES, Part 3, `hold`.
"""

from cooncan_sim.view import (
    PILE,
    STOCK,
    after,
    bit,
    dead,
    next_laying,
    stalled,
    stop,
    throw,
    throw_when_stalled,
    top_card,
    would_end,
)

GAMES = ("jaques",)
ROUNDS = 12  # circuits without a card laid until it counts as stalled


def choose_draw(table, seat):
    card = top_card(table)
    hand = seat.hand | bit(card)
    now = after(table, seat.hand, -1) if stalled(table, ROUNDS) else dead(seat.hand)
    if after(table, hand, card) < now or would_end(table, seat, hand, card):
        return PILE
    return STOCK


def choose_table(table, seat):
    if would_end(table, seat, seat.hand, table.taken):
        return next_laying(table, seat)
    return stop()


def choose_discard(table, seat):
    if stalled(table, ROUNDS):
        return throw_when_stalled(table, seat)
    return throw(table, seat)
