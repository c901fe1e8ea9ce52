"""The cheapest way to meld a hand of `konkan` without jokers: two packs, sets of different suits.

Runs have a closed form. A rank can have a set if three suits of it are held, and two sets if
three suits are held twice, or four suits and two of them twice. Where the runs take copies that
these sets need, or an ace at both ends, the search tries each way to fill the sets.

Costs are 128 * points + cards left, so that of ways with the same penalty the one that leaves
fewer cards is the cheapest. If some cards may be thrown, the dearest of those left is thrown
first, and the cost is 128 * points + its place in throw order (1 … 52), or + 0 where every card
that may be thrown lies in a meld. Leaving more cards makes either cost larger; so a cost in which
undecided cards are free is a bound.
"""

from collections import namedtuple

import numpy as np

from cooncan_sim.bits import LANE, NONE, U1, U16, count, first_bit, fold, lowest, spread, top_rank
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.aces_search import ACES, POINT, U13, in_runs, suit_counts, without

NO_BOUND = np.int64(1 << 20)
# What is sought: the cheapest result, the cheapest worth enough, or the one worth most.
CHEAPEST, ENOUGH, MOST = np.int64(0), np.int64(1), np.int64(2)
# allowed: the faces that may be thrown, empty if none is thrown; must, must_twins: the face of
# which a card, or two cards, must be in melds; jokers_a_pair: 1 or 2 (`KK_JOKERS_PER_PAIR`).
Goal = namedtuple("Goal", "aim allowed must must_twins jokers_a_pair")

U8 = np.uint64(8)
_TEN_TO_KING, _TWO_TO_NINE = np.uint64(0x1E00), np.uint64(0x1FE)
_POINTS = [10, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
_POINTS_1, _POINTS_2, _POINTS_4, _POINTS_8 = (
    np.uint64(sum(1 << (16 * s + r) for s in range(4) for r in range(13) if _POINTS[r] & digit))
    for digit in (1, 2, 4, 8)
)


@kernel
def points(mask):
    """Points of the faces in a mask (R-KON-12, R-KON-13), int64."""
    return (
        count(mask & _POINTS_1)
        + 2 * count(mask & _POINTS_2)
        + 4 * count(mask & _POINTS_4)
        + 8 * count(mask & _POINTS_8)
    )


@kernel
def throw_place(cards):
    """The place in throw order, 1 … 52, of the card of a mask that is thrown first.

    Dearest first, so king … ten, ace, nine … two, then S H D C.
    """
    ranks = fold(cards)
    height = top_rank(
        (ranks & _TEN_TO_KING) | ((ranks & U1) << U8) | ((ranks & _TWO_TO_NINE) >> U1)
    )
    suits = (cards >> np.uint64(_rank(height))) & ACES
    return 4 * (12 - height) + (lowest(suits) >> 4) + 1


@kernel
def _rank(height):
    """The rank number at a height in throw order, 12 for the king, 8 the ace, 0 the two."""
    if height > 8:
        return height
    return height + 1 if height < 8 else np.int64(0)


@kernel
def thrown_card(place):
    """The card number at a place in throw order."""
    return 16 * ((place - 1) & 3) + _rank(12 - ((place - 1) >> 2))


@kernel
def card_cost(faces):
    """The cost of leaving one card of each of these faces in hand."""
    return POINT * points(faces) + count(faces)


@kernel
def cost_of(left, left_twins, goal):
    """The cost of leaving these copies in hand; beyond any bound where a card has to be used."""
    if goal.allowed == NONE:
        missed = (left & goal.must) | (left_twins & goal.must_twins) != NONE
        return card_cost(left) + card_cost(left_twins) + (NO_BOUND if missed else 0)
    total = points(left) + points(left_twins)
    throwable = (left | left_twins) & goal.allowed
    if throwable == NONE:
        return POINT * total
    place = throw_place(throwable)
    return POINT * (total - min(14 - ((place - 1) >> 2), 10)) + place


@kernel
def after_meld(goal, faces):
    """The goal once a card of each of these faces lies in a meld."""
    if goal.must & faces == NONE:
        return goal
    still = goal.must_twins & faces
    return Goal(goal.aim, goal.allowed, still, NONE, goal.jokers_a_pair)


@kernel
def search(once, twice, barred, barred_twins, free, free_twins, undecided, goal, bound):
    """The least cost of a hand without jokers if it is below `bound`, otherwise `bound`.

    once, twice: the copies that runs may take; barred, barred_twins: places in runs closed to
    aces; free, free_twins: the faces of which one copy, or two, can join a set for nothing;
    undecided: the ranks (all suits) whose sets have not been given cards of their own.
    """
    first, second, clash = in_runs(once, twice, barred, barred_twins)
    left, left_twins = once & ~first, twice & ~second
    cost = cost_of(left & ~free, left_twins & ~free_twins & (left | ~free), goal)
    if cost >= bound:
        return bound
    rank, pairs = _short_rank(left, left_twins, free_twins, undecided)
    if rank != NONE and pairs:
        others = undecided & ~rank
        a = first_bit(rank)
        while a != NONE:
            b = a
            while b != NONE:
                # One set without the suit a, one without b; these two may still join.
                if rank & ~(a & b) & ~once == NONE and rank & ~(a | b) & ~twice == NONE:
                    o, t = without(once, twice, rank & ~a)
                    o, t = without(o, t, rank & ~b)
                    f, f2 = (free & ~rank) | a | b, (free_twins & ~rank) | (a & b)
                    rest = after_meld(after_meld(goal, rank & ~a), rank & ~b)
                    bound = search(o, t, barred, barred_twins, f, f2, others, rest, bound)
                b = (b << U16) & rank
            a = (a << U16) & rank
        one_set = free_twins & ~rank
        return search(once, twice, barred, barred_twins, free, one_set, undecided, goal, bound)
    if rank != NONE:
        others, free = undecided & ~rank, free & ~rank
        outs = rank & ~once
        if outs == NONE:
            outs = rank & ~(left | left_twins)
        while outs != NONE:
            out = first_bit(outs)
            outs = outs & ~out
            o, t = without(once, twice, rank & ~out)
            f, rest = free | out, after_meld(goal, rank & ~out)
            bound = search(o, t, barred, barred_twins, f, free_twins, others, rest, bound)
        return search(once, twice, barred, barred_twins, free, free_twins, others, goal, bound)
    if clash != NONE:
        low = first_bit(clash)
        high = low << U13
        if twice & low != NONE:
            one_each = barred_twins | low | high
            bound = search(once, twice, barred, one_each, free, free_twins, undecided, goal, bound)
        for end in (high, low):
            bar, bar_twins = barred | end, barred_twins | end
            bound = search(once, twice, bar, bar_twins, free, free_twins, undecided, goal, bound)
        return bound
    return cost


@kernel
def _short_rank(left, left_twins, free_twins, undecided):
    """A rank whose sets lack cards that the runs took, as (all its faces, should it have two sets).

    left, left_twins: the copies that the runs leave. Empty if the rest of every rank fits its
    sets, or needs none.
    """
    one, _, three, four = suit_counts((left | left_twins) & undecided)
    if one == NONE:
        return NONE, False
    one_twin, two_twins, three_twins, _ = suit_counts(left & left_twins & undecided)
    pairs = undecided & free_twins & LANE
    short = pairs & one & ~((three & ~one_twin) | three_twins | (four & two_twins))
    if short != NONE:
        return spread(first_bit(short)), True
    return spread(first_bit(one & ~three & ~pairs)), False


@kernel
def set_ranks(once, twice):
    """The ranks (all suits) that can have a set, and those that can have two."""
    _, _, three, four = suit_counts(once)
    _, two_twins, three_twins, _ = suit_counts(twice)
    return spread(three), spread(three_twins | (four & two_twins))


@kernel
def naturals(once, twice, goal, bound):
    """The least cost of a hand without jokers if it is below `bound`, otherwise `bound`."""
    free, free_twins = set_ranks(once, twice)
    return search(once, twice, NONE, NONE, free, free_twins, free, goal, bound)
