"""Least penalty, best discard, best melds and come-down of a hand of `konkan`.

A hand is its three words: faces held at least once and held twice (uint64 masks), jokers (int64).
Cards are numbers, 16 * suit + rank, the joker 64; `taken` is the card taken from the pile in this
turn, -1 for none. Switches are numbers: jokers_a_pair 1 or 2 (`KK_JOKERS_PER_PAIR`), both_aces
(`RUN_BOTH_ACES`), by_face (`TAKEN_CARD_MATCH`), must_use (`KK_PICKUP_MUST_USE`). For the rows of
melds see `order_search`.
"""

import numpy as np

from cooncan_sim.bits import NONE, bit
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.aces_search import POINT, POINT_BITS, without
from cooncan_sim.melds.konkan_jokers_search import least_cost
from cooncan_sim.melds.konkan_order_search import find_melds
from cooncan_sim.melds.konkan_search import NO_BOUND, throw_place, thrown_card
from cooncan_sim.melds.opening_search import JOKER, Terms, is_reached, most_worth

MOST_MELDS = 35


@kernel
def least_penalty(once, twice, jokers, jokers_a_pair):
    """Least points (int64) of the cards in no pair, over all ways to meld a hand."""
    return least_cost(once, twice, jokers, NONE, jokers_a_pair, NO_BOUND) >> POINT_BITS


@kernel
def least_penalties(hands, jokers_a_pair, out):
    """`least_penalty` of each row of hands, shape (n, 3) uint64, into out, shape (n,) int64."""
    for i in range(hands.shape[0]):
        jokers = np.int64(hands[i, 2])
        out[i] = least_penalty(hands[i, 0], hands[i, 1], jokers, jokers_a_pair)


@kernel
def best_discard(once, twice, jokers, jokers_a_pair, allowed, joker_allowed):
    """The card to throw and the penalty left: `throw(H)` and `after(H)` of RULES, Part 3.

    allowed: the faces that may be thrown; a joker goes only if it may and no face does. Returns
    (card number, penalty), both int64; the card is -1, and the penalty that of the whole hand, if
    nothing may be thrown.
    """
    allowed = allowed & once
    if allowed == NONE:
        if joker_allowed and jokers > 0:
            return JOKER, least_penalty(once, twice, jokers - 1, jokers_a_pair)
        return np.int64(-1), least_penalty(once, twice, jokers, jokers_a_pair)
    cost = least_cost(once, twice, jokers, allowed, jokers_a_pair, NO_BOUND)
    place, penalty = cost & (POINT - 1), cost >> POINT_BITS
    if place > 0:
        return thrown_card(place), penalty
    return _try_each(once, twice, jokers, jokers_a_pair, allowed, penalty)


@kernel
def _try_each(once, twice, jokers, jokers_a_pair, allowed, least):
    """`best_discard` where the best melds leave nothing to throw; least: no penalty is smaller."""
    card, penalty = np.int64(-1), NO_BOUND >> POINT_BITS
    while allowed != NONE and penalty > least:
        place = throw_place(allowed)
        face = bit(thrown_card(place))
        allowed = allowed & ~face
        o, t = without(once, twice, face)
        found = least_cost(o, t, jokers, NONE, jokers_a_pair, POINT * penalty) >> POINT_BITS
        if found < penalty:
            card, penalty = thrown_card(place), found
    return card, penalty


@kernel
def best_melds(once, twice, jokers, jokers_a_pair, both_aces, out):
    """`melds(H)` of RULES, Part 3, into out, shape (35, 6) int64; returns how many."""
    terms = Terms(False, np.int64(-1), False, jokers_a_pair, both_aces)
    return find_melds(once, twice, jokers, NONE, np.int64(0), terms, out)


@kernel
def best_melds_leaving(once, twice, jokers, jokers_a_pair, both_aces, taken, by_face, out):
    """`melds(H | a card that may be thrown is left)` into out; how many, 0 for no result."""
    terms = Terms(True, taken, by_face != 0, jokers_a_pair, both_aces)
    return find_melds(once, twice, jokers, NONE, np.int64(0), terms, out)


@kernel
def comedown_melds(
    once, twice, jokers, jokers_a_pair, both_aces, taken, by_face, must_use, worth, out
):
    """The pairs with which `kk_greedy` comes down, into out; how many, 0 if it cannot.

    `melds(H | worth that much; a card that may be thrown is left; with must_use the taken card is
    in them)`; worth is at least 1.
    """
    terms = Terms(True, taken, by_face != 0, jokers_a_pair, both_aces)
    return find_melds(once, twice, jokers, _must(taken, must_use), worth, terms, out)


@kernel
def can_come_down(once, twice, jokers, jokers_a_pair, taken, by_face, must_use, worth):
    """Would `comedown_melds` find pairs? (R-KON-10)"""
    terms = Terms(True, taken, by_face != 0, jokers_a_pair, True)
    return is_reached(once, twice, jokers, _must(taken, must_use), worth, terms)


@kernel
def open_max(once, twice, jokers, jokers_a_pair, taken, by_face, must_use):
    """The greatest worth (int64) of pairs that leave a card to throw, under the same conditions.

    0 if there are none.
    """
    terms = Terms(True, taken, by_face != 0, jokers_a_pair, True)
    return most_worth(once, twice, jokers, _must(taken, must_use), terms)


@kernel
def _must(taken, must_use):
    """The face that must be in pairs. A taken joker always is in the best of them."""
    return bit(taken) if must_use and 0 <= taken < JOKER else NONE
