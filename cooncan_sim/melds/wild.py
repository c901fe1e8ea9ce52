"""Least penalty of a hand in which one rank is wild (`wild_card`, R-WLD-02).

What runs alone can take from one suit with up to four wilds stands in a table. The search goes
through the ways to put cards of one rank into sets; the wilds that these do not need are dealt
out among the suits. A wild that nothing needs still goes along with any run, for it can stand at
an end, and with sets as far as they have room.

Costs are 64 * points + cards, so that of two ways with the same penalty the one that leaves
fewer cards is the better one.
"""

from typing import NamedTuple

import numpy as np

from cooncan_sim.bits import (
    LANE,
    NONE,
    U1,
    U16,
    U32,
    U48,
    bit,
    card_value,
    count,
    first_bit,
    first_to_throw,
    fold,
    lowest,
    spread,
    top_rank,
    value,
)
from cooncan_sim.kernel import kernel, search_kernel
from cooncan_sim.melds import single

RANKS, _MOST_WILDS = 13, 4
_POINT, _POINT_BITS = 64, 6
FIELD = np.uint64(0xFFFF)
# Typed: with a literal the recursion is compiled for that literal, and cannot be cached.
NO_BOUND, _NO_SETS = np.int64(1 << 20), np.int64(0)


def _run_gains(min_naturals: int) -> np.ndarray:
    """For each mask of one suit, what 1 … 4 wilds add to that which its runs take without any.

    Costs, packed in a uint64 with sixteen bits a number of wilds. Each run has `min_naturals`
    cards of the mask at least. Goes from the ace up; a state is the length of the run so far
    (3: or more), its cards of the mask, and the wilds used.
    """
    best = np.full((4, min_naturals + 1, _MOST_WILDS + 1, 1), -(1 << 20))
    best[0, 0, 0] = 0
    for rank in range(RANKS):
        before = best.copy()
        before[0, 0] = np.maximum(best[0, 0], best[3, min_naturals])
        after = np.full((*best.shape[:3], 2, best.shape[3]), -(1 << 20))
        after[0, 0] = before[0, 0][:, None]
        for length in range(4):
            longer = after[min(length + 1, 3)]
            for naturals in range(min_naturals + 1):
                with_wild = longer[naturals, 1:, 0]
                np.maximum(with_wild, before[length, naturals, :-1], out=with_wild)
                with_card = longer[min(naturals + 1, min_naturals), :, 1]
                taken = before[length, naturals] + _POINT * min(rank + 1, 10) + 1
                np.maximum(with_card, taken, out=with_card)
        best = after.reshape(*best.shape[:3], -1)
    gains = np.maximum.accumulate(np.maximum(best[0, 0], best[3, min_naturals]))
    added = (gains[1:] - gains[0]).astype(np.uint64)
    return added[0] | added[1] << U16 | added[2] << U32 | added[3] << U48


_GAINS = np.array([_run_gains(min_naturals) for min_naturals in (1, 2, 3)])


class Wilds(NamedTuple):
    """The wild cards of a hand (mask), the cost of one left over, and what each meld needs."""

    cards: np.uint64
    cost: int
    min_naturals: int


@kernel
def least_penalty(hand, wild_rank, min_naturals, wild_cost):
    """Least value (int64) of the cards in no meld, over all ways to meld a hand (uint64 mask).

    wild_rank: 0 … 12; min_naturals: 1 … 3, natural cards that each meld needs; wild_cost: points
    of a wild in no meld, 0 for the value of its rank.
    """
    wilds = wilds_of(hand, wild_rank, min_naturals, wild_cost)
    if wilds.cards == NONE:
        return single.least_penalty(hand)
    return least_cost(hand & ~wilds.cards, wilds, count(wilds.cards), NO_BOUND) >> _POINT_BITS


@kernel
def least_penalties(hands, wild_rank, min_naturals, wild_cost, out):
    """`least_penalty` of each row of hands, shape (n, 1) uint64, into out, shape (n,) int64."""
    for i in range(hands.shape[0]):
        out[i] = least_penalty(hands[i, 0], wild_rank, min_naturals, wild_cost)


@kernel
def wilds_of(hand, wild_rank, min_naturals, wild_cost):
    """The `Wilds` of a hand; see `least_penalty`."""
    points = wild_cost if wild_cost > 0 else card_value(wild_rank)
    return Wilds(hand & spread(U1 << np.uint64(wild_rank)), _POINT * points + 1, min_naturals)


@kernel
def cost_of(mask):
    """The cost (int64) of these cards if they are in no meld."""
    return _POINT * value(mask) + count(mask)


@kernel
def least_cost(plain, wilds, spare, bound):
    """The least cost of plain cards and `spare` of these wilds if below `bound`, else `bound`."""
    pairs = fold(plain & (plain >> U16)) | fold(plain & (plain >> U32)) | (plain & (plain >> U48))
    settled, cost = _without_search(plain, pairs, wilds, spare, bound)
    return cost if settled else _search(plain, pairs, wilds, spare, _NO_SETS, _NO_SETS, bound)


@kernel
def _without_search(plain, ranks, wilds, spare, bound):
    """Whether no search is needed, and what it would return; see `_search`."""
    if spare == 1 and wilds.min_naturals == 1:
        return _with_one_wild(plain, ranks, bound)
    if spare > 0:
        return False, bound
    runs = single.running(plain)
    sets = single.grouped(plain) & spread(ranks)
    relaxed = cost_of(plain & ~(runs | sets))
    return relaxed >= bound or runs & sets == NONE, min(bound, relaxed)


@search_kernel
def _with_one_wild(plain, ranks, bound):
    """Whether no search is needed with a wild and one natural needed, and what it would return.

    No way can take more than what natural melds take and the wild adds by itself, and where
    these melds do not collide there is one that does.
    """
    runs = single.running(plain)
    sets = single.grouped(plain) & spread(ranks)
    pairs = ranks & ~fold(sets)
    pair = plain & spread(bit(top_rank(pairs))) if pairs != NONE else NONE
    in_set = cost_of(pair)
    in_run = _one_in_a_run(plain, 0)
    least = cost_of(plain & ~(runs | sets)) - max(in_set, in_run)
    if least >= bound:
        return True, bound
    # A wild that adds nothing is taken by any run.
    sure = pair & runs == NONE and (pairs | runs) != NONE
    if in_set < in_run:
        sure = sets == NONE or in_run == _one_in_a_run(plain & ~sets, 0)
    return sure and runs & sets == NONE, least


@kernel
def _search(plain, ranks, wilds, spare, roomy, full, bound):
    """The least cost of a hand if it is below `bound`, otherwise `bound`.

    plain: cards in no set; ranks: those (in the lowest lane) of which sets may still be made;
    spare: wilds in no set; roomy, full: sets so far of two or three plain cards, and of four.
    """
    gain = _best_runs(plain, wilds, spare)
    cost = cost_of(plain) - gain
    if gain == 0 and spare > 0:
        cost += wilds.cost * _stranded(spare, roomy, full, wilds.min_naturals)
    bound = min(bound, cost)
    smallest = 2 if spare > 0 and wilds.min_naturals < 3 else 3
    while ranks != NONE and bound > 0:
        held = plain & spread(first_bit(ranks))
        ranks = ranks & (ranks - U1)
        meld = held if count(held) >= smallest else NONE
        while meld != NONE:
            size = count(meld)
            if size >= smallest:
                rest = plain & ~meld
                left = spare - 1 if size == 2 else spare
                settled, cost = _without_search(rest, ranks, wilds, left, bound)
                if settled:
                    bound = cost
                elif size == 4:
                    bound = _search(rest, ranks, wilds, left, roomy, full + 1, bound)
                else:
                    bound = _search(rest, ranks, wilds, left, roomy + 1, full, bound)
            meld = (meld - U1) & held
    return bound


@kernel
def _stranded(spare, roomy, full, min_naturals):
    """Wilds left over where there is no run: three make a set of their own."""
    if spare >= 3:
        return 0
    if spare == 2 and full > 0 and min_naturals < 3:
        return 0  # a set of four becomes two sets of two with a wild each
    return max(0, spare - roomy)


@kernel
def _best_runs(plain, wilds, spare):
    """The most that runs can take (as cost) of these plain cards with `spare` wilds."""
    gain = _deal_out(plain, spare, wilds.min_naturals - 1)
    if wilds.min_naturals > 1 and spare > 0:
        return max(gain, _own_places(plain, wilds.cards, wilds.min_naturals, spare))
    return gain


@kernel
def _deal_out(plain, spare, table):
    """The most that runs can take if wilds are no naturals: the best way to share them out."""
    natural = cost_of(single.running(plain))
    if spare == 0:
        return natural
    if spare == 1:
        return natural + _one_in_a_run(plain, table)
    a = _GAINS[table, plain & LANE]
    b = _GAINS[table, (plain >> U16) & LANE]
    c = _GAINS[table, (plain >> U32) & LANE]
    d = _GAINS[table, (plain >> U48) & LANE]
    return natural + _most_added(_shared(a, b, spare), _shared(c, d, spare), spare)


@kernel
def _one_in_a_run(plain, table):
    """What one wild adds to that which runs of these plain cards take (as cost)."""
    a = _GAINS[table, plain & LANE] & FIELD
    b = _GAINS[table, (plain >> U16) & LANE] & FIELD
    c = _GAINS[table, (plain >> U32) & LANE] & FIELD
    d = _GAINS[table, (plain >> U48) & LANE] & FIELD
    return np.int64(max(max(a, b), max(c, d)))


@kernel
def _added(gains, wilds):
    return np.int64((gains >> np.uint64(16 * wilds - 16)) & FIELD)


@kernel
def _most_added(a, b, wilds):
    """What wilds add in two suits (or pairs of suits) together."""
    best = max(_added(a, wilds), _added(b, wilds))
    for n in range(1, wilds):
        best = max(best, _added(a, n) + _added(b, wilds - n))
    return best


@kernel
def _shared(a, b, spare):
    """The packed gains of two suits together, for 1 … spare wilds."""
    both = NONE
    for wilds in range(1, spare + 1):
        both = both | (np.uint64(_most_added(a, b, wilds)) << np.uint64(16 * wilds - 16))
    return both


@kernel
def _own_places(plain, own, min_naturals, spare):
    """`_best_runs` where wilds at their own places (`own`) may be naturals that a run needs.

    Runs with enough plain cards are in the table; here one is short of a single natural.
    """
    best = _deal_out(plain, spare, min_naturals - 1)
    while own != NONE and spare > 0:
        place = lowest(own)
        own = own & (own - U1)
        for low in range(place & ~15, place + 1):
            for high in range(max(place, low + 2), (place & ~15) + RANKS):
                taken = plain & (bit(high + 1) - bit(low))
                naturals = count(taken) + 1
                needed = high - low + 2 - naturals
                if needed > spare or naturals > min_naturals:
                    break
                if naturals == min_naturals:
                    rest = _own_places(plain & ~taken, own, min_naturals, spare - needed)
                    best = max(best, cost_of(taken) + rest)
    return best


@kernel
def best_discard(hand, wild_rank, min_naturals, wild_cost, allowed):
    """The card to throw and the penalty left: `throw(H)` and `after(H)` of RULES, Part 3.

    allowed: the faces that may be thrown. Of the plain ones held, or else of the wild ones, it is
    the one without which the least penalty is smallest; ties by throw order. Returns (card
    number, penalty), both int64; the card is -1, and the penalty that of the whole hand, if none
    may be thrown.
    """
    wilds = wilds_of(hand, wild_rank, min_naturals, wild_cost)
    allowed = allowed & hand
    if wilds.cards == NONE and allowed != NONE:
        return single.best_discard(hand, allowed)
    plain = hand & ~wilds.cards
    if allowed & plain != NONE:
        return _plain_discard(plain, wilds, allowed & plain, NO_BOUND)
    card, least = np.int64(-1), least_cost(plain, wilds, count(wilds.cards), NO_BOUND)
    if allowed != NONE:
        least = NO_BOUND
    while allowed != NONE:
        left = Wilds(wilds.cards & ~first_bit(allowed), wilds.cost, min_naturals)
        cost = least_cost(plain, left, count(left.cards), NO_BOUND)
        if cost >> _POINT_BITS < least >> _POINT_BITS:
            card, least = lowest(allowed), cost
        allowed = allowed & (allowed - U1)
    return card, least >> _POINT_BITS


@kernel
def leaves_less(hand, wild_rank, min_naturals, wild_cost, allowed, penalty):
    """Whether `best_discard` of a hand leaves less than this penalty (int64)."""
    wilds = wilds_of(hand, wild_rank, min_naturals, wild_cost)
    plain = hand & ~wilds.cards
    if allowed & plain == NONE:
        return best_discard(hand, wild_rank, min_naturals, wild_cost, allowed)[1] < penalty
    return _plain_discard(plain, wilds, allowed & plain, _POINT * penalty)[0] >= 0


@kernel
def _plain_discard(plain, wilds, allowed, bound):
    """`best_discard` of plain cards if below `bound`, else -1; the dearest first."""
    spare = count(wilds.cards)
    now = least_cost(plain, wilds, spare, NO_BOUND) >> _POINT_BITS
    card = np.int64(-1)
    while allowed != NONE:
        next_card = first_to_throw(allowed)
        if _POINT * max(0, now - card_value(next_card)) >= bound:
            break
        cost = least_cost(plain & ~bit(next_card), wilds, spare, bound)
        if cost < bound:
            card, bound = next_card, cost & -_POINT
        allowed = allowed & ~bit(next_card)
    return card, bound >> _POINT_BITS
