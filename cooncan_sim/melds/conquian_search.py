"""Splitting Conquian cards into melds. Cards are masks: 40 faces, ranks 0 … 9 in each lane.

A run longer than a cap can be split into shorter ones, so a cap (`CQ_RUN_CAP`) matters only where
one certain meld is asked for.
"""

import numpy as np

from cooncan_sim.bits import ALL, NONE, U1, U2, count, first_bit, fold, lowest, spread
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.single import grouped, running


@kernel
def is_meld(cards, cap):
    """Is this mask one run of at most `cap` cards or one set? (R-CQN-13, R-CQN-14)"""
    if count(cards) < 3:
        return False
    low = first_bit(cards)
    if cards & ~rank_of(low) == NONE:
        return True
    return cards == run_from(cards, low) and count(cards) <= cap


@kernel
def rank_of(card):
    """All four cards of the rank of a card (masks)."""
    return spread(fold(card))


@kernel
def run_from(cards, low):
    """The neighbours above a card (masks) that follow without a gap, with the card itself."""
    run = low
    longer = low | ((low << U1) & cards)
    while longer != run:
        run = longer
        longer = run | ((run << U1) & cards)
    return run


@kernel
def covered(cards):
    """Can all these cards be split into melds?"""
    return _covered(cards, ALL)


@kernel
def _covered(cards, open_ranks):
    """The same; open_ranks: the ranks (all suits) of which a set may still be made."""
    runs = running(cards)
    sets = grouped(cards) & open_ranks
    if cards & ~(runs | sets) != NONE:
        return False
    both = runs & sets
    if both == NONE:
        return True
    rank = rank_of(first_bit(both))
    held = cards & rank
    others = open_ranks & ~rank
    if _covered(cards & ~held, others):
        return True
    outs = held & runs if count(held) == 4 else NONE
    while outs != NONE:
        out = first_bit(outs)
        outs = outs & ~out
        if _covered(cards & ~(held & ~out), others):
            return True
    return held & ~runs == NONE and _covered(cards, others)


@kernel
def mixed(cards, from_hand, cap):
    """Can these cards be split into melds of which none is made of the cards `from_hand` alone?"""
    if cards & from_hand == NONE:
        return covered(cards)
    card = first_bit(cards)
    run = run_from(cards, card)
    while run & (card << U2) != NONE:
        if count(run) <= cap and run & ~from_hand != NONE and mixed(cards & ~run, from_hand, cap):
            return True
        run = run & (run >> U1)
    for number in range(4):
        meld = sets_with(cards & rank_of(card), card, number)
        if meld & ~from_hand != NONE and mixed(cards & ~meld, from_hand, cap):
            return True
    return False


@kernel
def split(cards, from_hand, cap, out, melds):
    """Splits cards as `mixed` allows into melds, in the order of RULES, Part 3, *Best melds*.

    Writes the melds as masks to out, a uint64 array that holds `melds` of them already, and
    returns how many it holds then; -1 if the cards cannot be split so.
    """
    if not mixed(cards, from_hand, cap):
        return np.int64(-1)
    while cards != NONE:
        meld = _first_meld(cards, from_hand, cap)
        out[melds] = meld
        melds += 1
        cards = cards & ~meld
    return melds


@kernel
def _first_meld(cards, from_hand, cap):
    """The first meld of the first card after which the rest can be split."""
    card = first_bit(cards)
    run = run_from(cards, card)
    while run & (card << U2) != NONE:
        if count(run) <= cap and run & ~from_hand != NONE and mixed(cards & ~run, from_hand, cap):
            return run
        run = run & (run >> U1)
    for number in range(4):
        meld = sets_with(cards & rank_of(card), card, number)
        if meld & ~from_hand != NONE and mixed(cards & ~meld, from_hand, cap):
            return meld
    return NONE


@kernel
def run_around(cards, card):
    """The first place, the place and the last place (0 … 9) of the gapless stretch with a card."""
    place = lowest(card) & 15
    lane = (cards | card) >> np.uint64(lowest(card) & 48)
    low = high = place
    while low > 0 and (lane >> np.uint64(low - 1)) & U1 != NONE:
        low -= 1
    while (lane >> np.uint64(high + 1)) & U1 != NONE:
        high += 1
    return low, place, high


@kernel
def run_at(card, low, size):
    """The run of this size from a place on, in the suit of a card."""
    return ((U1 << np.uint64(size)) - U1) << np.uint64((lowest(card) & 48) + low)


@kernel
def sets_with(held, card, number):
    """The sets with a card (a mask): largest first, then in card order; number 0 … 3.

    held: the cards of its rank that may be used. Empty where that is no set.
    """
    others = held & ~card
    a = first_bit(others)
    b = first_bit(others & ~a)
    c = others & ~(a | b)
    if b == NONE or (c == NONE and number != 1):
        return NONE
    if number == 0:
        return others | card
    if number == 1:
        return card | a | b
    return card | c | (a if number == 2 else b)
