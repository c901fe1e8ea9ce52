"""The best ways to meld a `konkan` hand under the conditions of coming down and of the last card.

A result may have to be worth enough, to hold the card taken from the pile, and to leave a card
that may be thrown. Left cards fail the last condition only if there are none, or if they are all
the cards of the face just taken and none of those may be thrown: `stuck_cost` is their cost.
"""

from collections import namedtuple

import numpy as np

from cooncan_sim.bits import NONE, U1, bit, first_bit, fold, lowest, spread
from cooncan_sim.kernel import search_kernel
from cooncan_sim.melds.aces_search import POINT, POINT_BITS, without
from cooncan_sim.melds.konkan_jokers_search import JOKER_COST, best_cost
from cooncan_sim.melds.konkan_search import (
    CHEAPEST,
    ENOUGH,
    MOST,
    NO_BOUND,
    Goal,
    card_cost,
    points,
)

JOKER = np.int64(64)
# leave: must a card that may be thrown be left; taken: the card number taken from the pile in
# this turn, -1 for none; by_face: nothing like it may be thrown while it is held
# (`TAKEN_CARD_MATCH`); jokers_a_pair: `KK_JOKERS_PER_PAIR`; both_aces: `RUN_BOTH_ACES`.
Terms = namedtuple("Terms", "leave taken by_face jokers_a_pair both_aces")


@search_kernel
def copies(once, twice, jokers, card):
    """How many of a card (a number, -1 for none) are in a hand."""
    if card < 0:
        return np.int64(0)
    if card == JOKER:
        return jokers
    face = bit(card)
    return np.int64(once & face != NONE) + np.int64(twice & face != NONE)


@search_kernel
def stuck_cost(once, twice, jokers, terms):
    """The cost of leaving just the cards of the face taken if none may be thrown, otherwise 0."""
    held = copies(once, twice, jokers, terms.taken)
    if held == 1 or (held == 2 and terms.by_face):
        return held * (JOKER_COST if terms.taken == JOKER else card_cost(bit(terms.taken)))
    return np.int64(0)


@search_kernel
def least_meeting(once, twice, jokers, must, worth, jokers_a_pair, bound):
    """The least cost, below `bound`, of melds worth enough and with the face `must` in them.

    Returns `bound` if there are none.
    """
    aim = ENOUGH if worth > 0 else CHEAPEST
    cap = POINT * (points(once) + points(twice) - worth + 1) if worth > 0 else NO_BOUND
    goal = Goal(aim, NONE, must, NONE, jokers_a_pair)
    bound, _ = best_cost(once, twice, jokers, goal, bound, cap)
    return bound


@search_kernel
def least_leaving(once, twice, jokers, must, worth, terms, bound):
    """`least_meeting` if the melds must also leave a card that may be thrown: tries each."""
    pair = terms.jokers_a_pair
    cards = once
    while cards != NONE:
        face = _cheapest(cards)
        cards = cards & ~face
        own = card_cost(face)
        if own >= bound:
            return bound
        may_stay, needed = _kept(once, twice, jokers, lowest(face), must, terms)
        if may_stay:
            o, t = without(once, twice, face)
            bound = own + least_meeting(o, t, jokers, needed, worth, pair, bound - own)
    if jokers > 0 and JOKER_COST < bound and _kept(once, twice, jokers, JOKER, must, terms)[0]:
        rest = bound - JOKER_COST
        bound = JOKER_COST + least_meeting(once, twice, jokers - 1, must, worth, pair, rest)
    return bound


@search_kernel
def _cheapest(cards):
    """The first of the cheapest faces of a mask that is not empty; aces are dear."""
    ranks = fold(cards)
    low = first_bit(ranks & ~U1)
    return first_bit(cards & spread(low if low != NONE else U1))


@search_kernel
def is_reached(once, twice, jokers, must, worth, terms):
    """Are there melds worth enough, with the face `must` in them, that leave a card to throw?"""
    if points(once) + points(twice) + 10 * jokers < worth:
        return False
    pair = terms.jokers_a_pair
    cost = least_meeting(once, twice, jokers, must, worth, pair, NO_BOUND)
    if cost == 0 or cost == stuck_cost(once, twice, jokers, terms):
        cost = least_leaving(once, twice, jokers, must, worth, terms, NO_BOUND)
    return cost < NO_BOUND


@search_kernel
def _kept(once, twice, jokers, card, must, terms):
    """May this card be the one that is left and thrown, and which face must then be in melds?

    The other card of the face taken has to be, if none may be thrown while that is held.
    """
    if card != terms.taken:
        return True, must
    if copies(once, twice, jokers, card) == 1:
        return False, must
    if terms.by_face and card != JOKER:
        return True, bit(card)
    return True, must


@search_kernel
def most_worth(once, twice, jokers, must, terms):
    """The greatest worth of melds with the face `must` in them that leave a card to throw.

    0 if there are none.
    """
    goal = Goal(MOST, NONE, must, NONE, terms.jokers_a_pair)
    held = points(once) + points(twice)
    left, cap = best_cost(once, twice, jokers, goal, NO_BOUND, NO_BOUND)
    if left != 0 and left != stuck_cost(once, twice, jokers, terms):
        return max(held - (cap >> POINT_BITS), 0)
    best = np.int64(0)
    cards = once
    while cards != NONE:
        face = _cheapest(cards)
        cards = cards & ~face
        rest = held - points(face)
        if rest + 10 * jokers <= best:
            break
        may_stay, needed = _kept(once, twice, jokers, lowest(face), must, terms)
        if may_stay:
            o, t = without(once, twice, face)
            goal = Goal(MOST, NONE, needed, NONE, terms.jokers_a_pair)
            _, cap = best_cost(o, t, jokers, goal, NO_BOUND, POINT * (rest - best))
            best = rest - (cap >> POINT_BITS)
    if jokers > 0 and _kept(once, twice, jokers, JOKER, must, terms)[0]:
        goal = Goal(MOST, NONE, must, NONE, terms.jokers_a_pair)
        _, cap = best_cost(once, twice, jokers - 1, goal, NO_BOUND, POINT * (held - best))
        best = held - (cap >> POINT_BITS)
    return best
