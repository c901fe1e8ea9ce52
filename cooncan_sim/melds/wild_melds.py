"""The best melds of a hand in which one rank is wild (`wild_card`, R-WLD-02), one after another.

Costs are those of `wild`: 64 * points + cards.
"""

from typing import NamedTuple

import numpy as np

from cooncan_sim.bits import LANE, NONE, U1, U2, U3, U4, U16, U32, U48, bit, count, lowest, spread
from cooncan_sim.kernel import kernel, search_kernel
from cooncan_sim.melds import single
from cooncan_sim.melds.wild import FIELD, NO_BOUND, RANKS, Wilds, cost_of, least_cost, wilds_of

RUN, SET = 0, 1
MOST_MELDS, MELD_WIDTH = 17, 17
_UNKNOWN = np.uint64((1 << 64) - 1)


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
    wilds = wilds_of(hand, wild_rank, min_naturals, wild_cost)
    plain = hand & ~wilds.cards
    return Rest(plain, wilds, least_cost(plain, wilds, count(wilds.cards), NO_BOUND))


@search_kernel
def next_meld(rest):
    """The next meld of `melds(H)` of RULES, Part 3, and the `Rest` after it.

    A meld without cards if there is no other. Each card takes the first meld in the order of the
    search after which the rest can still be as cheap as it must be, so nothing is ever taken back.
    """
    plain, wilds, least = rest
    losses = _UNKNOWN
    # Every meld saves something: when all that is left costs as much as it can, there is none.
    while least < cost_of(plain) + wilds.cost * count(wilds.cards):
        card = lowest(plain) if plain != NONE else lowest(wilds.cards)
        meld, losses = _first_run(plain, wilds, card, losses, least)
        if meld.own == NONE:
            meld, losses = _first_set(plain, wilds, card, losses, least)
        if meld.own != NONE:
            cards = meld.own | meld.fillers
            wilds = Wilds(wilds.cards & ~cards, wilds.cost, wilds.min_naturals)
            return meld, Rest(plain & ~cards, wilds, least)
        least -= cost_of(bit(card)) if plain != NONE else wilds.cost
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
    natural = single.running(held)
    if spare == 1 and natural & bit(rank) == NONE:
        losses = _known(plain, wilds, 1, losses, least)
        # Beyond a gap, and more than four places away, there is only what a natural run holds.
        held = (((held << U4) & (np.uint64(511) << np.uint64(rank))) >> U4) | natural
        if np.int64(losses & FIELD) > cost_of((held << shift) & plain):
            return _no_meld(), losses
    longest = _longest(held, rank) if spare == 1 else min(count(held) + spare, RANKS)
    for length in range(longest, 2, -1):
        for low in range(min(rank, RANKS - length), max(rank - length, -1), -1):
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
def _longest(held, rank):
    """The most places (int64) of a run through this rank of which one at most is not held."""
    length = 1
    gapless, most = held, LANE  # where so many places begin of which none, or one, is missing
    around = bit(rank)
    while most & around != NONE:
        above = held >> np.uint64(length)
        most = (most & above) | (gapless & (LANE >> np.uint64(length)))
        gapless = gapless & above
        around = around | (around >> U1)
        length += 1
    return length - 1


@kernel
def _mirrored(ranks):
    """A lane from the king down instead of from the ace up."""
    result = NONE
    while ranks != NONE:
        result = result | bit(RANKS - 1 - lowest(ranks))
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
def _known(plain, wilds, used, losses, least):
    """`losses` in which that without `used` wilds is known; see `_fillers`."""
    field = np.uint64(16 * used - 16)
    if (losses >> field) & FIELD != FIELD:
        return losses
    left = least_cost(plain, wilds, count(wilds.cards) - used, NO_BOUND)
    return losses & ~(FIELD << field) | (np.uint64(max(0, left - least)) << field)


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
        losses = _known(plain, wilds, used, losses, least)
        if np.int64((losses >> np.uint64(16 * used - 16)) & FIELD) > cost_of(own & plain):
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
        if least_cost(plain & ~own, other, count(other.cards), least + 1) == least:
            return True, fillers, losses
        if wilds.min_naturals == 1:
            break  # any other wilds would leave the same cost
    return False, NONE, losses
