"""`melds(H | condition)` of a `konkan` hand in the order of RULES, Part 3."""

from collections import namedtuple

import numpy as np

from cooncan_sim.bits import NONE, U16, U32, U48, bit, count, first_bit, fold, lowest
from cooncan_sim.kernel import search_kernel
from cooncan_sim.melds.aces_search import ACES, U13, faces_of, without
from cooncan_sim.melds.konkan_jokers_search import JOKER_COST
from cooncan_sim.melds.konkan_search import NO_BOUND, card_cost, points
from cooncan_sim.melds.opening_search import (
    JOKER,
    Terms,
    least_leaving,
    least_meeting,
    stuck_cost,
)
from cooncan_sim.melds.order_search import (
    first_cursor,
    next_run,
    run_places,
    run_row,
    run_taken,
    set_row,
)

# The cards without a place and what the melds still to come must achieve: the face `must` in
# them, so much worth, just this cost. watch: is a card that may be thrown still to be left; taken:
# the card of which the last one may not be that card; half: one of two such cards stays.
Rest = namedtuple("Rest", "once twice jokers must worth target watch taken half")


@search_kernel
def find_melds(once, twice, jokers, must, worth, terms, out):
    """Writes the melds to out, shape (35, 6) int64, and returns how many; 0 for no result.

    Each card takes the first meld after which the rest can still reach the least cost under the
    conditions, so nothing is ever taken back.
    """
    melds = np.int64(0)
    pair = terms.jokers_a_pair
    target = least_meeting(once, twice, jokers, must, worth, pair, NO_BOUND)
    # Any other cost leaves a card that may be thrown.
    watch = terms.leave and (target == 0 or target == stuck_cost(once, twice, jokers, terms))
    if watch:
        target = least_leaving(once, twice, jokers, must, worth, terms, NO_BOUND)
    if target >= NO_BOUND:
        return melds
    rest = Rest(once, twice, jokers, must, worth, target, watch, terms.taken, False)
    while rest.once != NONE and rest.target < _all_left(rest):
        face = first_bit(rest.once)
        found, after = _first_run(rest, face, terms, out[melds])
        if not found:
            found, after = _first_set(rest, face, terms, out[melds])
        if found:
            melds += 1
            rest = after
        else:
            rest = _stays(rest, face, terms)
    return melds


@search_kernel
def _all_left(rest):
    return card_cost(rest.once) + card_cost(rest.twice) + rest.jokers * JOKER_COST


@search_kernel
def _stays(rest, face, terms):
    """The rest once a card of this face stays in hand."""
    watch, half = rest.watch, rest.half
    if lowest(face) != rest.taken:
        watch = False
    elif rest.twice & face != NONE:
        watch, half = watch and terms.by_face, True
    o, t = without(rest.once, rest.twice, face)
    target = rest.target - card_cost(face)
    return Rest(o, t, rest.jokers, rest.must, rest.worth, target, watch, rest.taken, half)


@search_kernel
def _melded(rest, once, twice, jokers, faces, worth):
    """The rest once these faces lie in a meld worth so much and these cards are left."""
    must = NONE if rest.must & faces != NONE else rest.must
    watch, taken = rest.watch, rest.taken
    used = jokers < rest.jokers if taken == JOKER else faces & _face(taken) != NONE
    if used:
        watch, taken = watch and not rest.half, np.int64(-1)
    need = rest.worth - worth
    return Rest(once, twice, jokers, must, need, rest.target, watch, taken, rest.half)


@search_kernel
def _face(card):
    """The face of a card number; empty for the joker and for none."""
    return bit(card) if 0 <= card and card < JOKER else NONE


@search_kernel
def _reaches(rest, terms):
    """Can the rest be melded at its target cost?"""
    o, t, j, target = rest.once, rest.twice, rest.jokers, rest.target
    pair = terms.jokers_a_pair
    cost = least_meeting(o, t, j, rest.must, rest.worth, pair, target + 1)
    if cost > target or not rest.watch:
        return cost == target
    own = Terms(True, rest.taken, terms.by_face, pair, terms.both_aces)
    if cost == target and cost != 0 and cost != stuck_cost(o, t, j, own):
        return True
    if (
        rest.half
        and least_meeting(o, t, j, _face(rest.taken), rest.worth, pair, target + 1) == target
    ):
        return True
    return least_leaving(o, t, j, rest.must, rest.worth, own, target + 1) == target


@search_kernel
def _first_run(rest, face, terms, row):
    """The first run with this face after which the target can be reached, written to row.

    Returns (found, the rest after it).
    """
    card = lowest(face)
    suit = card >> 4
    jokers = min(rest.jokers, terms.jokers_a_pair)
    cursor = first_cursor(rest.once, suit, jokers, terms.both_aces)
    cursor = next_run(rest.once, rest.twice, card, jokers, cursor)
    while cursor >= 0:
        run, marks = run_places(suit, cursor)
        o, t, j = run_taken(rest.once, rest.twice, rest.jokers, suit, cursor)
        both_ends = run & (run >> U13) & ACES
        worth = points(faces_of(run)) + points(both_ends)
        after = _melded(rest, o, t, j, faces_of(run & ~marks), worth)
        if _reaches(after, terms):
            run_row(suit, cursor, row)
            return True, after
        cursor = next_run(rest.once, rest.twice, card, jokers, cursor)
    return False, rest


@search_kernel
def _first_set(rest, face, terms, row):
    """The same for sets: largest first, then fewest jokers, then in card order.

    The other suits of the rank are the later ones: cards before this one have their place.
    """
    f1, f2, f3 = face << U16, face << U32, face << U48
    most = min(rest.jokers, terms.jokers_a_pair)
    for size in range(4, 2, -1):
        for jokers in range(most + 1):
            for missing in range(8):
                faces = face
                faces |= NONE if missing & 4 else f1
                faces |= NONE if missing & 2 else f2
                faces |= NONE if missing & 1 else f3
                if count(faces) != size - jokers or faces & ~rest.once != NONE:
                    continue
                o, t = without(rest.once, rest.twice, faces)
                worth = size * points(face)
                after = _melded(rest, o, t, rest.jokers - jokers, faces, worth)
                if _reaches(after, terms):
                    set_row(lowest(face), faces, NONE, jokers, _stand_for(faces, jokers), row)
                    return True, after
    return False, rest


@search_kernel
def _stand_for(faces, jokers):
    """The first suits (bits) that a set lacks, one for each of its jokers."""
    rank = fold(faces)
    marks = np.int64(0)
    for suit in range(4):
        if jokers > 0 and (rank << np.uint64(16 * suit)) & faces == NONE:
            marks |= 1 << suit
            jokers -= 1
    return marks
