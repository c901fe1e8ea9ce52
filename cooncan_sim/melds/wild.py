"""Least penalty and best melds of a hand in which one rank is wild (`wild_card`, R-WLD-02).

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
    U2,
    U3,
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
    value,
)
from cooncan_sim.kernel import kernel, search_kernel
from cooncan_sim.melds import single

RUN, SET = 0, 1
MOST_MELDS, MELD_WIDTH = 17, 17
_RANKS, _MOST_WILDS = 13, 4
_POINT, _POINT_BITS = 64, 6
_FIELD = np.uint64(0xFFFF)
# Typed: with a literal the recursion is compiled for that literal, and cannot be cached.
_NO_BOUND, _NO_SETS = np.int64(1 << 20), np.int64(0)
_UNKNOWN = np.uint64((1 << 64) - 1)


def _run_gains(min_naturals: int) -> np.ndarray:
    """For each mask of one suit, what 1 … 4 wilds add to that which its runs take without any.

    Costs, packed in a uint64 with sixteen bits a number of wilds. Each run has `min_naturals`
    cards of the mask at least. Goes from the ace up; a state is the length of the run so far
    (3: or more), its cards of the mask, and the wilds used.
    """
    best = np.full((4, min_naturals + 1, _MOST_WILDS + 1, 1), -(1 << 20))
    best[0, 0, 0] = 0
    for rank in range(_RANKS):
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


class Meld(NamedTuple):
    """A meld: RUN or SET, the cards that stand for themselves, and the wilds that stand for others.

    places: those that a run covers, which the wilds fill in card order from the low end; of a set
    its rank in all suits. A meld without cards is none.
    """

    kind: int
    own: np.uint64
    fillers: np.uint64
    places: np.uint64


class Rest(NamedTuple):
    """What the search for melds has left of a hand: plain cards, wilds, and their least cost."""

    plain: np.uint64
    wilds: Wilds
    least: int


@kernel
def least_penalty(hand, wild_rank, min_naturals, wild_cost):
    """Least value (int64) of the cards in no meld, over all ways to meld a hand (uint64 mask).

    wild_rank: 0 … 12; min_naturals: 1 … 3, natural cards that each meld needs; wild_cost: points
    of a wild in no meld, 0 for the value of its rank.
    """
    wilds = _wilds_of(hand, wild_rank, min_naturals, wild_cost)
    if wilds.cards == NONE:
        return single.least_penalty(hand)
    return _least_cost(hand & ~wilds.cards, wilds, count(wilds.cards), _NO_BOUND) >> _POINT_BITS


@kernel
def least_penalties(hands, wild_rank, min_naturals, wild_cost, out):
    """`least_penalty` of each row of hands, shape (n, 1) uint64, into out, shape (n,) int64."""
    for i in range(hands.shape[0]):
        out[i] = least_penalty(hands[i, 0], wild_rank, min_naturals, wild_cost)


@kernel
def _wilds_of(hand, wild_rank, min_naturals, wild_cost):
    points = wild_cost if wild_cost > 0 else card_value(wild_rank)
    return Wilds(hand & spread(U1 << np.uint64(wild_rank)), _POINT * points + 1, min_naturals)


@kernel
def _cost(mask):
    return _POINT * value(mask) + count(mask)


@kernel
def _least_cost(plain, wilds, spare, bound):
    """The least cost of plain cards and `spare` of these wilds if below `bound`, else `bound`."""
    pairs = fold(plain & (plain >> U16)) | fold(plain & (plain >> U32)) | (plain & (plain >> U48))
    settled, cost = _without_search(plain, pairs, spare, bound)
    return cost if settled else _search(plain, pairs, wilds, spare, _NO_SETS, _NO_SETS, bound)


@kernel
def _without_search(plain, ranks, spare, bound):
    """Whether no search is needed, and what it would return; see `_search`."""
    if spare > 0:
        return False, bound
    runs = single.running(plain)
    sets = single.grouped(plain) & spread(ranks)
    relaxed = _cost(plain & ~(runs | sets))
    return relaxed >= bound or runs & sets == NONE, min(bound, relaxed)


@kernel
def _search(plain, ranks, wilds, spare, roomy, full, bound):
    """The least cost of a hand if it is below `bound`, otherwise `bound`.

    plain: cards in no set; ranks: those (in the lowest lane) of which sets may still be made;
    spare: wilds in no set; roomy, full: sets so far of two or three plain cards, and of four.
    """
    gain = _best_runs(plain, wilds, spare)
    cost = _cost(plain) - gain
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
                settled, cost = _without_search(rest, ranks, left, bound)
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
    natural = _cost(single.running(plain))
    if spare == 0:
        return natural
    a = _GAINS[table, plain & LANE]
    b = _GAINS[table, (plain >> U16) & LANE]
    c = _GAINS[table, (plain >> U32) & LANE]
    d = _GAINS[table, (plain >> U48) & LANE]
    if spare == 1:
        return natural + np.int64(max(max(a & _FIELD, b & _FIELD), max(c & _FIELD, d & _FIELD)))
    return natural + _most_added(_shared(a, b, spare), _shared(c, d, spare), spare)


@kernel
def _added(gains, wilds):
    return np.int64((gains >> np.uint64(16 * wilds - 16)) & _FIELD)


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
            for high in range(max(place, low + 2), (place & ~15) + _RANKS):
                taken = plain & (bit(high + 1) - bit(low))
                naturals = count(taken) + 1
                needed = high - low + 2 - naturals
                if needed > spare or naturals > min_naturals:
                    break
                if naturals == min_naturals:
                    rest = _own_places(plain & ~taken, own, min_naturals, spare - needed)
                    best = max(best, _cost(taken) + rest)
    return best


@kernel
def best_discard(hand, wild_rank, min_naturals, wild_cost, allowed):
    """The card to throw and the penalty left: `throw(H)` and `after(H)` of RULES, Part 3.

    allowed: the faces that may be thrown. Of the plain ones held, or else of the wild ones, it is
    the one without which the least penalty is smallest; ties by throw order. Returns (card
    number, penalty), both int64; the card is -1, and the penalty that of the whole hand, if none
    may be thrown.
    """
    wilds = _wilds_of(hand, wild_rank, min_naturals, wild_cost)
    allowed = allowed & hand
    if wilds.cards == NONE and allowed != NONE:
        return single.best_discard(hand, allowed)
    plain = hand & ~wilds.cards
    if allowed & plain != NONE:
        return _plain_discard(plain, wilds, allowed & plain, _NO_BOUND)
    card, least = np.int64(-1), _least_cost(plain, wilds, count(wilds.cards), _NO_BOUND)
    if allowed != NONE:
        least = _NO_BOUND
    while allowed != NONE:
        left = Wilds(wilds.cards & ~first_bit(allowed), wilds.cost, min_naturals)
        cost = _least_cost(plain, left, count(left.cards), _NO_BOUND)
        if cost >> _POINT_BITS < least >> _POINT_BITS:
            card, least = lowest(allowed), cost
        allowed = allowed & (allowed - U1)
    return card, least >> _POINT_BITS


@kernel
def leaves_less(hand, wild_rank, min_naturals, wild_cost, allowed, penalty):
    """Whether `best_discard` of a hand leaves less than this penalty (int64)."""
    wilds = _wilds_of(hand, wild_rank, min_naturals, wild_cost)
    plain = hand & ~wilds.cards
    if allowed & plain == NONE:
        return best_discard(hand, wild_rank, min_naturals, wild_cost, allowed)[1] < penalty
    return _plain_discard(plain, wilds, allowed & plain, _POINT * penalty)[0] >= 0


@kernel
def _plain_discard(plain, wilds, allowed, bound):
    """`best_discard` of plain cards if below `bound`, else -1; the dearest first."""
    spare = count(wilds.cards)
    now = _least_cost(plain, wilds, spare, _NO_BOUND) >> _POINT_BITS
    card = np.int64(-1)
    while allowed != NONE:
        next_card = first_to_throw(allowed)
        if _POINT * max(0, now - card_value(next_card)) >= bound:
            break
        cost = _least_cost(plain & ~bit(next_card), wilds, spare, bound)
        if cost < bound:
            card, bound = next_card, cost & -_POINT
        allowed = allowed & ~bit(next_card)
    return card, bound >> _POINT_BITS


@kernel
def best_melds(hand, wild_rank, min_naturals, wild_cost, out):
    """`melds(H)` of RULES, Part 3, into out, shape (17, 17) int64; returns how many.

    A row is a meld: RUN or SET; suit of the run or rank of the set; rank of the lowest place of a
    run (a set: 0); number of cards; and from column 4 on the cards, in a run from the low end up,
    in a set its own before the wilds. The place of a run says what a wild stands for.
    """
    melds = np.int64(0)
    meld, rest = next_meld(before_melds(hand, wild_rank, min_naturals, wild_cost))
    while meld.own != NONE:
        row = out[melds]
        melds += 1
        low = lowest(meld.places)
        row[0] = meld.kind
        row[1] = low >> 4 if meld.kind == RUN else low
        row[2] = low & 15 if meld.kind == RUN else 0
        row[3] = count(meld.own | meld.fillers)
        own, fillers = meld.own, meld.fillers
        for i in range(row[3]):
            own_next = own & bit(low + i) != NONE if meld.kind == RUN else own != NONE
            row[4 + i] = lowest(own) if own_next else lowest(fillers)
            if own_next:
                own = own & (own - U1)
            else:
                fillers = fillers & (fillers - U1)
        meld, rest = next_meld(rest)
    return melds


@kernel
def before_melds(hand, wild_rank, min_naturals, wild_cost):
    """The `Rest` that a whole hand is before the first of its melds; see `least_penalty`."""
    wilds = _wilds_of(hand, wild_rank, min_naturals, wild_cost)
    plain = hand & ~wilds.cards
    return Rest(plain, wilds, _least_cost(plain, wilds, count(wilds.cards), _NO_BOUND))


@search_kernel
def next_meld(rest):
    """The next meld of `melds(H)` of RULES, Part 3, and the `Rest` after it.

    A meld without cards if there is no other. Each card takes the first meld in the order of the
    search after which the rest can still be as cheap as it must be, so nothing is ever taken back.
    """
    plain, wilds, least = rest
    losses = _UNKNOWN
    # Every meld saves something: when all that is left costs as much as it can, there is none.
    while least < _cost(plain) + wilds.cost * count(wilds.cards):
        card = lowest(plain) if plain != NONE else lowest(wilds.cards)
        meld, losses = _first_run(plain, wilds, card, losses, least)
        if meld.own == NONE:
            meld, losses = _first_set(plain, wilds, card, losses, least)
        if meld.own != NONE:
            cards = meld.own | meld.fillers
            wilds = Wilds(wilds.cards & ~cards, wilds.cost, wilds.min_naturals)
            return meld, Rest(plain & ~cards, wilds, least)
        least -= _cost(bit(card)) if plain != NONE else wilds.cost
        plain = plain & ~bit(card)
        wilds = Wilds(wilds.cards & ~bit(card), wilds.cost, wilds.min_naturals)
    return _no_meld(), Rest(plain, wilds, least)


@kernel
def _no_meld():
    return Meld(np.int64(RUN), NONE, NONE, NONE)


@kernel
def _first_run(plain, wilds, card, losses, least):
    """The first run in which this card stands for itself and that loses nothing, and `losses`.

    Longest first; of equal length the one that starts highest; of equal start, place by place
    from the low end, the card itself before a substitute. See `_fillers` for losses.
    """
    suit, rank = card >> 4, card & 15
    shift = np.uint64(16 * suit)
    held = ((plain | wilds.cards) >> shift) & LANE
    spare = count(wilds.cards)
    near = (held << U2) & (np.uint64(31) << np.uint64(rank))
    if count(near) + spare < 3:
        return _no_meld(), losses
    for length in range(min(count(held) + spare, _RANKS), 2, -1):
        for low in range(min(rank, _RANKS - length), max(rank - length, -1), -1):
            window = bit(low + length) - bit(low)
            may_swap = spare - length + count(held & window)
            if may_swap < 0:
                continue
            # A wild at its own place stands for itself or is in another meld.
            pool = wilds.cards & ~(window << shift)
            # Mirrored, the order of numbers is that of places from the low end.
            swappable = _mirrored(held & window & ~bit(rank)) if may_swap > 0 else NONE
            swapped = NONE
            while True:
                own = held & window & ~_mirrored(swapped)
                if count(swapped) <= may_swap and count(own) >= wilds.min_naturals:
                    own = own << shift
                    number = length - count(own)
                    found, fillers, losses = _fillers(
                        plain, wilds, own, pool, number, losses, least
                    )
                    if found:
                        return Meld(np.int64(RUN), own, fillers, window << shift), losses
                swapped = (swapped - swappable) & swappable
                if swapped == NONE:
                    break
    return _no_meld(), losses


@kernel
def _mirrored(ranks):
    """A lane from the king down instead of from the ace up."""
    result = NONE
    while ranks != NONE:
        result = result | bit(_RANKS - 1 - lowest(ranks))
        ranks = ranks & (ranks - U1)
    return result


@kernel
def _first_set(plain, wilds, card, losses, least):
    """The first set in which this card stands for itself and that loses nothing, and `losses`.

    Largest first, then fewest substitutes, then the set whose own cards come first. See
    `_fillers` for losses.
    """
    rank = card & 15
    places = spread(bit(rank))
    mates = (plain | wilds.cards) & places
    others = wilds.cards & ~mates
    held, fill = count(mates), count(others)
    all_mates = _suits_of(mates, rank)
    for size in range(min(4, held + fill), 2, -1):
        for own_size in range(min(size, held), max(wilds.min_naturals, size - fill) - 1, -1):
            pattern = all_mates
            while pattern > 0:
                own = _of_suits(pattern, rank)
                pattern = (pattern - 1) & all_mates
                if count(own) != own_size or own & bit(card) == NONE:
                    continue
                found, fillers, losses = _fillers(
                    plain, wilds, own, others, size - own_size, losses, least
                )
                if found:
                    return Meld(np.int64(SET), own, fillers, places), losses
    return _no_meld(), losses


@kernel
def _suits_of(cards, rank):
    """The number (int64), as `_of_suits` takes it, of the suits of these cards of a rank."""
    cards = cards >> np.uint64(rank)
    high = (cards & U1) << U3 | ((cards >> U16) & U1) << U2
    low = ((cards >> U32) & U1) << U1 | ((cards >> U48) & U1)
    return np.int64(high | low)


@kernel
def _of_suits(pattern, rank):
    """The cards of a rank, from a number with 8 for spades … 1 for clubs.

    Of equally many cards, those that come first in card order have the greater number.
    """
    spades, hearts = np.uint64(pattern >> 3 & 1), np.uint64(pattern >> 2 & 1)
    diamonds, clubs = np.uint64(pattern >> 1 & 1), np.uint64(pattern & 1)
    suits = spades | (hearts << U16) | (diamonds << U32) | (clubs << U48)
    return suits << np.uint64(rank)


@kernel
def _fillers(plain, wilds, own, pool, substitutes, losses, least):
    """The first wilds of the pool that can fill a meld with these own cards, losing nothing.

    least: the least cost of the hand; losses: by how much it rises at least without 1 … 4 of the
    wilds, sixteen bits each, all set if not known. Returns whether there are such wilds, their
    mask, and losses.
    """
    if substitutes > count(pool):
        return False, NONE, losses
    used = substitutes + count(own & wilds.cards)
    if used > 0:
        field = np.uint64(16 * used - 16)
        if (losses >> field) & _FIELD == _FIELD:
            left = _least_cost(plain, wilds, count(wilds.cards) - used, _NO_BOUND)
            losses = losses & ~(_FIELD << field) | (np.uint64(max(0, left - least)) << field)
        if np.int64((losses >> field) & _FIELD) > _cost(own & plain):
            return False, NONE, losses
    rank = lowest(pool) & 15 if substitutes > 0 else 0
    suits = _suits_of(pool, rank) if substitutes > 0 else np.int64(0)
    pattern = suits + 1
    while pattern > 0:
        pattern = (pattern - 1) & suits
        fillers = _of_suits(pattern, rank)
        if count(fillers) != substitutes:
            continue
        other = Wilds(wilds.cards & ~(own | fillers), wilds.cost, wilds.min_naturals)
        if _least_cost(plain & ~own, other, count(other.cards), least + 1) == least:
            return True, fillers, losses
        if wilds.min_naturals == 1:
            break  # any other wilds would leave the same cost
    return False, NONE, losses
