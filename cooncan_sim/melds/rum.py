"""Least penalty, best discard and best melds of a hand of `double_rum`.

A hand is its three words: faces held at least once and held twice (uint64 masks), jokers (int64).
"""

import numpy as np

from cooncan_sim.bits import NONE, U16, U32, U48, bit, count, first_bit, lowest
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.aces_search import POINT, POINT_BITS, without
from cooncan_sim.melds.order_search import (
    first_cursor,
    next_run,
    run_row,
    run_taken,
    set_row,
)
from cooncan_sim.melds.rum_search import (
    NO_BOUND,
    cost_of,
    least_cost,
    throw_place,
    thrown_card,
)

JOKER = np.int64(64)
MOST_MELDS = 35
_LARGEST_SET = 10


@kernel
def least_penalty(once, twice, jokers):
    """Least points (int64) of the cards in no meld, over all ways to meld a hand."""
    return least_cost(once, twice, jokers, NONE, NO_BOUND) >> POINT_BITS


@kernel
def least_penalties(hands, out):
    """`least_penalty` of each row of hands, shape (n, 3) uint64, into out, shape (n,) int64."""
    for i in range(hands.shape[0]):
        out[i] = least_penalty(hands[i, 0], hands[i, 1], np.int64(hands[i, 2]))


@kernel
def best_discard(once, twice, jokers, allowed, joker_allowed):
    """The card to throw and the penalty left: `throw(H)` and `after(H)` of RULES, Part 3.

    allowed: the faces that may be thrown; a joker goes only if it may and no face does. Returns
    (card number, penalty), both int64; the card is -1, and the penalty that of the whole hand, if
    nothing may be thrown.
    """
    allowed = allowed & once
    if allowed == NONE:
        if joker_allowed and jokers > 0:
            return JOKER, least_penalty(once, twice, jokers - 1)
        return np.int64(-1), least_penalty(once, twice, jokers)
    cost = least_cost(once, twice, jokers, allowed, NO_BOUND)
    place, penalty = cost & (POINT - 1), cost >> POINT_BITS
    if place > 0:
        return thrown_card(place), penalty
    return _try_each(once, twice, jokers, allowed, penalty)


@kernel
def _try_each(once, twice, jokers, allowed, least):
    """`best_discard` where the best melds leave nothing to throw; least: no penalty is smaller."""
    card, penalty = np.int64(-1), NO_BOUND >> POINT_BITS
    while allowed != NONE and penalty > least:
        place = throw_place(allowed)
        face = bit(thrown_card(place))
        allowed = allowed & ~face
        o, t = without(once, twice, face)
        found = least_cost(o, t, jokers, NONE, POINT * penalty) >> POINT_BITS
        if found < penalty:
            card, penalty = thrown_card(place), found
    return card, penalty


@kernel
def best_melds(once, twice, jokers, both_aces, out):
    """`melds(H)` of RULES, Part 3, into out, shape (35, 6) int64; returns how many.

    both_aces: may a run have an ace at either end (`RUN_BOTH_ACES`). For the rows see
    `order_search`. Each card takes the first meld in the order of the search after which the rest
    can still be as cheap as it must be, so nothing is ever taken back.
    """
    melds = np.int64(0)
    target = least_cost(once, twice, jokers, NONE, NO_BOUND)
    while once != NONE and target < cost_of(once, twice, NONE):
        face = first_bit(once)
        row = out[melds]
        found, o, t, j = _first_run(once, twice, jokers, both_aces, face, target, row)
        if not found:
            found, o, t, j = _first_set(once, twice, jokers, face, target, row)
        if found:
            melds += 1
        else:
            target -= cost_of(face, NONE, NONE)
            o, t = without(once, twice, face)
        once, twice, jokers = o, t, j
    return melds


@kernel
def _first_run(once, twice, jokers, both_aces, face, target, row):
    """The first run with this face after which the rest costs `target`, written to row.

    Returns (found, once, twice, jokers): the rest of the hand.
    """
    card = lowest(face)
    suit = card >> 4
    cursor = next_run(once, twice, card, jokers, first_cursor(once, suit, jokers, both_aces))
    while cursor >= 0:
        o, t, j = run_taken(once, twice, jokers, suit, cursor)
        if least_cost(o, t, j, NONE, target + 1) == target:
            run_row(suit, cursor, row)
            return True, o, t, j
        cursor = next_run(once, twice, card, jokers, cursor)
    return False, once, twice, jokers


@kernel
def _first_set(once, twice, jokers, face, target, row):
    """The same for sets: largest first, then fewest jokers, then in card order.

    The other cards of the rank lie in this suit and the later ones: those before have their place.
    """
    f1, f2, f3 = face << U16, face << U32, face << U48
    n0, n1 = _copies(once, twice, face), _copies(once, twice, f1)
    n2, n3 = _copies(once, twice, f2), _copies(once, twice, f3)
    held = n0 + n1 + n2 + n3
    for size in range(min(_LARGEST_SET, held + jokers), 2, -1):
        for substitutes in range(max(0, size - held), jokers + 1):
            for a in range(n0, 0, -1):
                for b in range(n1, -1, -1):
                    for c in range(n2, -1, -1):
                        d = size - substitutes - a - b - c
                        if d < 0 or d > n3:
                            continue
                        twins = _if(a == 2, face) | _if(b == 2, f1) | _if(c == 2, f2)
                        twins |= _if(d == 2, f3)
                        faces = face | _if(b > 0, f1) | _if(c > 0, f2) | _if(d > 0, f3)
                        o, t = without(once, twice, faces)
                        o, t = without(o, t, twins)
                        j = jokers - substitutes
                        if least_cost(o, t, j, NONE, target + 1) == target:
                            set_row(lowest(face), faces, twins, substitutes, substitutes, row)
                            return True, o, t, j
    return False, once, twice, jokers


@kernel
def _copies(once, twice, face):
    return count(once & face) + count(twice & face)


@kernel
def _if(condition, face):
    return face if condition else NONE
