"""Least penalty and best melds of a hand from two packs without jokers (`two_deck`, R-TWO-04).

A hand is two words: the faces held at least once and the faces held twice. Runs alone have a
closed form even with twins, and so have sets alone. Where the runs take a copy that the set of
its rank needs, the search tries each way to keep copies back from the runs; whatever the runs
then leave goes into sets as far as it can.

Costs inside the search are 128 * points + cards, so that of two ways with the same penalty the
one that leaves fewer cards is the better one.
"""

import numpy as np

from cooncan_sim.bits import (
    LANE,
    NONE,
    U1,
    U2,
    U16,
    U32,
    U48,
    bit,
    card_value,
    count,
    first_bit,
    first_to_throw,
    fold,
    spread,
    value,
)
from cooncan_sim.kernel import kernel

RUN, SET = np.uint64(0), np.uint64(1)
MOST_MELDS = 34
_POINT, _POINT_BITS = 128, 7
_NO_BOUND = np.int64(1 << 20)


@kernel
def running(once, twice):
    """The copies that runs can take at most, as (first copies, second copies).

    None of them stands in another's way. A second copy joins if it lies in three second copies
    in a row, if it is one of two neighbours with a first copy on both sides, or if two first
    copies lie on both sides of it.
    """
    starts = once & (once >> U1) & (once >> U2)
    threes = twice & (twice >> U1) & (twice >> U2)
    pairs = twice & (twice >> U1) & (once << U1) & (once >> U2)
    lone = twice & (once << U2) & (once << U1) & (once >> U1) & (once >> U2)
    first = starts | (starts << U1) | (starts << U2)
    return first, threes | (threes << U1) | (threes << U2) | pairs | (pairs << U1) | lone


@kernel
def rank_counts(once, twice):
    """Copies of each rank, 0 … 8, as four binary digits from the ones up, alike in all suits."""
    ones = once ^ twice
    twos = once & twice
    a = (ones >> U32) | (ones << U32)
    b = (twos >> U32) | (twos << U32)
    carry = ones & a
    ones = ones ^ a
    fours = (twos & b) | (carry & (twos | b))
    twos = twos ^ b ^ carry
    a = (ones >> U16) | (ones << U48)
    b = (twos >> U16) | (twos << U48)
    c = (fours >> U16) | (fours << U48)
    carry = ones & a
    over = (twos & b) | (carry & (twos | b))
    return ones ^ a, twos ^ b ^ carry, (fours ^ c) | over, fours & c


@kernel
def _grouped(once, twice, set_limit):
    """The ranks with three copies or more, and those of which one copy stays out (all suits).

    With sets of at most four one of five copies stays out. Every other number from three up can
    be split into sets.
    """
    ones, twos, fours, eights = rank_counts(once, twice)
    odd = ones & fours & ~twos if set_limit == 4 else NONE
    return (ones & twos) | fours | eights, odd


@kernel
def least_penalty(once, twice, set_limit):
    """Least value (int64) of the cards in no meld, over all ways to meld a hand.

    once, twice: uint64 masks; set_limit: most cards in a set, 4 … 8 (`TWO_DECK_SET_MAX`).
    """
    first, second = running(once, twice)
    sets, odd = _grouped(once, twice, set_limit)
    if (first & sets) | odd == NONE:
        return _clear_penalty(once, twice, first | sets, second | sets)
    return _search(once, twice, once, twice, ~sets, set_limit, _NO_BOUND) >> _POINT_BITS


@kernel
def least_cost(once, twice, set_limit):
    """128 * penalty + cards left (int64): the least penalty, and of that the fewest cards left."""
    sets, _ = _grouped(once, twice, set_limit)
    return _search(once, twice, once, twice, ~sets, set_limit, _NO_BOUND)


@kernel
def _clear_penalty(once, twice, melded, melded_twins):
    return value(once & ~melded) + value(twice & ~melded_twins)


@kernel
def _cost(mask):
    return _POINT * value(mask) + count(mask)


@kernel
def _search(once, twice, free, free_twins, settled, set_limit, bound):
    """The least cost of a hand if it is below `bound`, otherwise `bound`.

    free, free_twins: the copies that runs may take; settled: the ranks (all suits) of which no
    more copies are kept back from the runs, whether or not the rest makes a set.
    """
    first, second = running(free, free_twins)
    left = once ^ first
    left_twins = twice ^ second
    sets, odd = _grouped(left, left_twins, set_limit)
    paid = settled & ~sets
    cost = _cost(left & paid) + _cost(left_twins & paid) + _cost(odd & settled & LANE)
    # Copies of the other ranks cost nothing yet: the runs take all, or enough is left for sets.
    short = (left | left_twins) & (odd | ~sets) & ~settled
    while short != NONE and cost < bound:
        rank = spread(fold(first_bit(short)))
        short = short & ~rank
        loose = count(left & rank) + count(left_twins & rank)
        missing = max(3 - loose, 1)
        taken = first & rank
        taken_twins = second & rank
        others = free & ~rank
        other_twins = free_twins & ~rank
        if count(taken) + count(taken_twins) == missing:
            bound = _search(once, twice, others, other_twins, settled, set_limit, bound)
            taken = NONE
        # One copy back at a time: where a second one is missing, the next call finds the rank
        # short again.
        rest = taken
        while rest != NONE:
            face = first_bit(rest)
            rest = rest & ~face
            fewer = others | (taken & ~(face & ~taken_twins))
            fewer_twins = other_twins | (taken_twins & ~face)
            bound = _search(once, twice, fewer, fewer_twins, settled, set_limit, bound)
        settled = settled | rank
        if loose < 3:
            cost += _cost(left & rank) + _cost(left_twins & rank)
        else:
            cost += _cost(rank & LANE)
    return min(bound, cost)


@kernel
def least_penalties(hands, set_limit, out):
    """`least_penalty` of each row of hands, shape (n, 2) uint64, into out, shape (n,) int64."""
    for i in range(hands.shape[0]):
        out[i] = least_penalty(hands[i, 0], hands[i, 1], set_limit)


@kernel
def best_discard(once, twice, set_limit, allowed):
    """The card to throw and the penalty left: `throw(H)` and `after(H)` of RULES, Part 3.

    allowed: the faces that may be thrown. Of those held it is the one without which the least
    penalty is smallest; ties by throw order. Returns (card number, penalty), both int64; the card
    is -1, and the penalty that of the whole hand, if none may be thrown.
    """
    first, second = running(once, twice)
    sets, odd = _grouped(once, twice, set_limit)
    allowed = allowed & once
    loose = ((once & ~first) | (twice & ~second)) & ~sets & allowed
    if (first & sets) | odd == NONE and loose != NONE:
        # Throwing a card saves its value at most, and a loose one saves all of it.
        card = first_to_throw(loose)
        penalty = _clear_penalty(once, twice, first | sets, second | sets)
        return card, penalty - card_value(card)
    return _try_each(once, twice, set_limit, allowed, loose)


@kernel
def _try_each(once, twice, set_limit, allowed, loose):
    """`best_discard` where the closed form says nothing; loose: those that no meld can take."""
    now = least_penalty(once, twice, set_limit)
    card, least, bound = np.int64(-1), now, _NO_BOUND
    if loose != NONE:
        # Nothing later in throw order can do better; something earlier has to do as well.
        card = first_to_throw(loose)
        least = now - card_value(card)
        bound = _POINT * (least + 1)
        allowed = allowed & _thrown_before(card)
    while allowed != NONE:
        next_card = first_to_throw(allowed)
        if _POINT * max(0, now - card_value(next_card)) >= bound:
            break
        face = bit(next_card)
        allowed = allowed & ~face
        rest, twins = once & ~(face & ~twice), twice & ~face
        sets, _ = _grouped(rest, twins, set_limit)
        cost = _search(rest, twins, rest, twins, ~sets, set_limit, bound)
        if cost < bound:
            card, least = next_card, cost >> _POINT_BITS
            bound = _POINT * least
    return card, least


@kernel
def _thrown_before(card):
    """The faces that come before this card in throw order: higher ranks, then earlier suits."""
    rank = U1 << np.uint64(card & 15)
    return spread(LANE & ~(rank | (rank - U1))) | (spread(rank) & (bit(card) - U1))


@kernel
def best_melds(once, twice, set_limit, out):
    """`melds(H)` of RULES, Part 3, into out, shape (34, 3) uint64; returns how many.

    A row is a meld: kind (RUN, SET), the faces in it, and the faces that stand twice in it. Each
    card takes the first meld in the order of the search after which the rest can still be as
    cheap as it must be, so nothing is ever taken back.
    """
    melds = np.int64(0)
    target = least_cost(once, twice, set_limit)
    while once != NONE:
        face = first_bit(once)
        meld = _first_run(once, twice, face, set_limit, target)
        twins, kind = NONE, RUN
        if meld == NONE:
            meld, twins = _first_set(once, twice, face, set_limit, target)
            kind = SET
        if meld == NONE:
            target -= _cost(face)
            meld = face
        else:
            out[melds, 0], out[melds, 1], out[melds, 2] = kind, meld, twins
            melds += 1
        once, twice = _without(once, twice, meld, twins)
    return melds


@kernel
def _without(once, twice, meld, twins):
    """A hand less the faces of a meld and, once more, its twins."""
    return once & ~((meld & ~twice) | twins), twice & ~meld


@kernel
def _first_run(once, twice, face, set_limit, target):
    """The longest run from this face on after which the rest costs `target`; empty if none."""
    run = face
    while (run << U1) & once & ~run != NONE:
        run = run | ((run << U1) & once)
    while run & (face << U2) != NONE:
        rest, twins = _without(once, twice, run, NONE)
        if least_cost(rest, twins, set_limit) == target:
            return run
        run = run & (run >> U1)
    return NONE


@kernel
def _first_set(once, twice, face, set_limit, target):
    """The first set with this face after which the rest costs `target`, as (faces, twins).

    Largest first, then those whose cards come first in card order; empty if there is none. The
    other copies of the rank lie in this suit and the later ones: those before have their place.
    """
    f1, f2, f3 = face << U16, face << U32, face << U48
    n0, n1 = _copies(once, twice, face), _copies(once, twice, f1)
    n2, n3 = _copies(once, twice, f2), _copies(once, twice, f3)
    for size in range(min(set_limit, n0 + n1 + n2 + n3), 2, -1):
        for a in range(n0, 0, -1):
            for b in range(n1, -1, -1):
                for c in range(n2, -1, -1):
                    d = size - a - b - c
                    if d < 0 or d > n3:
                        continue
                    twins = _if(a == 2, face) | _if(b == 2, f1) | _if(c == 2, f2) | _if(d == 2, f3)
                    meld = face | _if(b > 0, f1) | _if(c > 0, f2) | _if(d > 0, f3)
                    rest, rest_twins = _without(once, twice, meld, twins)
                    if least_cost(rest, rest_twins, set_limit) == target:
                        return meld, twins
    return NONE, NONE


@kernel
def _copies(once, twice, face):
    return count(once & face) + count(twice & face)


@kernel
def _if(condition, face):
    return face if condition else NONE
