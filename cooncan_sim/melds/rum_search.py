"""The cheapest way to meld a hand of `double_rum`: two packs, two jokers, sets of any size.

Without jokers: runs have a closed form, and so have sets. Only where runs take copies that the
set of their rank needs, or an ace at both ends, is there something to search. A joker is one more
card, tried where it makes three with two cards, and two jokers also where they make a meld with
one card or fill a gap of two.

Costs are 128 * points + cards left, so that of ways with the same penalty the one that leaves
fewer cards is the cheapest. If some cards may be thrown, the dearest of those left is thrown
first, and the cost is 128 * points + its place in throw order (1 … 52), or + 0 where every card
that may be thrown lies in a meld. Leaving more cards makes either cost larger; so a cost in which
undecided cards are free is a bound.
"""

import numpy as np

from cooncan_sim.bits import (
    NONE,
    U1,
    count,
    first_bit,
    fold,
    lowest,
    spread,
    top_rank,
)
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.aces_search import (
    ACES,
    POINT,
    U3,
    U13,
    faces_of,
    first_suits,
    in_runs,
    plus,
    run_gaps,
    suit_counts,
    wide_gaps,
    without,
)

NO_BOUND = np.int64(1 << 20)
JOKER_POINTS = 15
U12 = np.uint64(12)
_POINTS = [11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
_POINTS_1, _POINTS_2, _POINTS_4, _POINTS_8 = (
    np.uint64(sum(1 << (16 * s + r) for s in range(4) for r in range(13) if _POINTS[r] & digit))
    for digit in (1, 2, 4, 8)
)


@kernel
def points(mask):
    """Points of the faces in a mask (R-DBR-24), int64."""
    return (
        count(mask & _POINTS_1)
        + 2 * count(mask & _POINTS_2)
        + 4 * count(mask & _POINTS_4)
        + 8 * count(mask & _POINTS_8)
    )


@kernel
def throw_place(cards):
    """The place in throw order, 1 … 52, of the card of a mask that is thrown first.

    Dearest first, so ace, king … two, then S H D C.
    """
    ranks = fold(cards)
    height = top_rank((ranks >> U1) | ((ranks & U1) << U12))
    suits = (cards >> np.uint64(_rank(height))) & ACES
    return 4 * (12 - height) + (lowest(suits) >> 4) + 1


@kernel
def _rank(height):
    """The rank number at a height in throw order, 12 for the ace down to 0 for the two."""
    return height + 1 if height < 12 else np.int64(0)


@kernel
def thrown_card(place):
    """The card number at a place in throw order."""
    return 16 * ((place - 1) & 3) + _rank(12 - ((place - 1) >> 2))


@kernel
def _thrown_points(place):
    height = 12 - ((place - 1) >> 2)
    return np.int64(11) if height == 12 else min(height + 2, np.int64(10))


@kernel
def cost_of(left, left_twins, allowed):
    """The cost of leaving these copies in hand; allowed: the faces that may be thrown."""
    total = points(left) + points(left_twins)
    if allowed == NONE:
        return POINT * total + count(left) + count(left_twins)
    throwable = (left | left_twins) & allowed
    if throwable == NONE:
        return POINT * total
    place = throw_place(throwable)
    return POINT * (total - _thrown_points(place)) + place


@kernel
def _search(once, twice, barred, barred_twins, sets, undecided, allowed, bound):
    """The least cost of a hand without jokers if it is below `bound`, otherwise `bound`.

    once, twice: the copies that runs may take; barred, barred_twins: places in runs closed to
    aces; sets: the ranks (all suits) with a set, whose other cards are free; undecided: those of
    them whose set has not been given three cards of its own.
    """
    first, second, clash = in_runs(once, twice, barred, barred_twins)
    left, left_twins = once & ~first, twice & ~second
    cost = cost_of(left & ~sets, left_twins & ~sets, allowed)
    if cost >= bound:
        return bound
    one, two, three, _ = suit_counts((left | left_twins) & undecided)
    one_twin, _, _, _ = suit_counts(left & left_twins & undecided)
    short = one & ~(three | (two & one_twin))
    if short != NONE:
        # Runs leave one or two cards of this rank: the set takes back what is missing, or falls.
        rank = spread(first_bit(short))
        undecided = undecided & ~rank
        loose = count(left & rank) + count(left_twins & rank)
        rest, rest_twins = once & ~(left & rank), twice & ~(left_twins & rank)
        held = rest & rank
        while held != NONE:
            face = first_bit(held)
            o, t = without(rest, rest_twins, face)
            others = face if loose == 2 else held & o
            while others != NONE:
                other = first_bit(others)
                others = others & ~other
                if loose == 2:
                    o2, t2 = o, t
                else:
                    o2, t2 = without(o, t, other)
                bound = _search(o2, t2, barred, barred_twins, sets, undecided, allowed, bound)
            held = held & ~face
        return _search(once, twice, barred, barred_twins, sets & ~rank, undecided, allowed, bound)
    if clash != NONE:
        low = first_bit(clash)
        high = low << U13
        if twice & low != NONE:
            one_each = barred_twins | low | high
            bound = _search(once, twice, barred, one_each, sets, undecided, allowed, bound)
        for end in (high, low):
            bound = _search(
                once, twice, barred | end, barred_twins | end, sets, undecided, allowed, bound
            )
        return bound
    return cost


@kernel
def _set_ranks(once, twice):
    """The ranks (all suits) of which three cards are held."""
    _, two, three, _ = suit_counts(once)
    one_twin, _, _, _ = suit_counts(twice)
    return spread(three | (two & one_twin))


@kernel
def _naturals(once, twice, allowed, bound):
    """The least cost of a hand without jokers if it is below `bound`, otherwise `bound`."""
    sets = _set_ranks(once, twice)
    return _search(once, twice, NONE, NONE, sets, sets, allowed, bound)


@kernel
def _joker_places(once, twice):
    """Faces as which a joker makes three with two cards of a hand; one a rank for sets."""
    runs = run_gaps(once, twice)
    _, two, _, four = suit_counts(once)
    one_twin, _, _, _ = suit_counts(twice)
    sets = (two | one_twin) & ~fold(runs)
    return runs | first_suits((spread(sets) & ~once) | (spread(sets & four) & ~twice))


@kernel
def _loose_jokers(jokers, allowed):
    return jokers * (POINT * JOKER_POINTS + (1 if allowed == NONE else 0))


@kernel
def _one_joker(once, twice, tried, allowed, bound):
    """`_naturals` with a joker; tried: the faces that it need not be.

    It joins any meld for nothing, so it is left only if there is none.
    """
    places = _joker_places(once, twice)
    if places == NONE:
        # No two cards go together, or only eight of a rank.
        loose = _loose_jokers(1, allowed) if _set_ranks(once, twice) == NONE else 0
        return min(bound, _naturals(once, twice, allowed, bound) + loose)
    places = places & ~tried
    while places != NONE:
        face = first_bit(places)
        places = places & ~face
        o, t = plus(once, twice, face)
        bound = _naturals(o, t, allowed, bound)
    return bound


@kernel
def _two_jokers(once, twice, allowed, bound):
    """`_naturals` with two jokers."""
    if once == NONE:
        return min(bound, _loose_jokers(2, allowed))
    tried = NONE
    places = _joker_places(once, twice)
    if places == NONE and _set_ranks(once, twice) != NONE:
        bound = _naturals(once, twice, allowed, bound)
    while places != NONE:
        face = first_bit(places)
        places = places & ~face
        o, t = plus(once, twice, face)
        bound = _one_joker(o, t, tried, allowed, bound)
        tried = tried | face
    gaps = wide_gaps(once)
    while gaps != NONE:
        low = first_bit(gaps)
        gaps = gaps & ~low
        o, t = without(once, twice, faces_of(low | (low << U3)))
        bound = _naturals(o, t, allowed, bound)
    # Both beside the only card of a rank; as a set, for a run would save no more.
    one, two, _, _ = suit_counts(once)
    singles = spread(one & ~two) & once & ~twice
    while singles != NONE:
        face = first_bit(singles)
        singles = singles & ~face
        bound = _naturals(once & ~face, twice, allowed, bound)
    return bound


@kernel
def least_cost(once, twice, jokers, allowed, bound):
    """The least cost of a hand if it is below `bound`, otherwise `bound`; all int64.

    once, twice: uint64 masks; allowed: the faces that may be thrown, empty if none is thrown.
    """
    if jokers == 0:
        return _naturals(once, twice, allowed, bound)
    if jokers == 1:
        return _one_joker(once, twice, NONE, allowed, bound)
    return _two_jokers(once, twice, allowed, bound)
