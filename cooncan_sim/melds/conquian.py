"""What a card from the centre can do for a Conquian player, and whether a hand can still be won.

A table is its melds: masks in a uint64 array with room for MOST_MELDS, and their number. With
free rearrangement only their union matters, save for `forceable` with TABLE_DIRECT.
"""

from collections import namedtuple

import numpy as np

from cooncan_sim.bits import NONE, U1, bit, count, first_bit, lowest
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.conquian_search import (
    covered,
    is_meld,
    mixed,
    rank_of,
    run_around,
    run_at,
    run_from,
    sets_with,
    split,
)
from cooncan_sim.melds.single import grouped, running

MOST_MELDS = 6
NO_CAP = 10
PACK = np.uint64(0x03FF03FF03FF03FF)
WITH_CENTER, NO_ALL_HAND_MELD, ANY_MELD = 0, 1, 2
TABLE, TABLE_DIRECT, ANY_FORCED = 0, 1, 2
# free: may old melds be rearranged (`CQ_REARRANGE`); hand_cards: `CQ_HAND_CARDS`, WITH_CENTER …;
# cap: longest run, NO_CAP or 8 (`CQ_RUN_CAP`); keep: how many hand cards must be left (1 where
# nobody can win, R-CQJ-05); force: `CQ_FORCE_SCOPE`, TABLE ….
CqRules = namedtuple("CqRules", "free hand_cards cap keep force")


@kernel
def table_cards(melds, size):
    """The union of `size` melds."""
    cards = NONE
    for i in range(size):
        cards = cards | melds[i]
    return cards


@kernel
def can_join(melds, size, card, hand, cards, rules):
    """May just these cards of the hand (masks) go down with the centre card (a number)?"""
    own = bit(card)
    if cards & ~hand != NONE or count(hand & ~cards) < rules.keep:
        return False
    if not rules.free:
        if rules.hand_cards == WITH_CENTER:
            return _taker(melds, size, cards | own, rules.cap) >= 0
        out = np.zeros(MOST_MELDS, dtype=np.uint64)
        return _arrange_frozen(melds, size, own, cards, rules, out) >= 0
    table = table_cards(melds, size)
    if rules.hand_cards == WITH_CENTER:
        return _center_meld(table, own, cards, rules.cap) != NONE
    if rules.hand_cards == NO_ALL_HAND_MELD:
        return mixed(table | own | cards, cards, rules.cap)
    return covered(table | own | cards)


@kernel
def _center_meld(table, own, cards, cap):
    """The first meld with the centre card and just these hand cards that leaves a table of melds.

    In the order of RULES, Part 3: runs, longest first, of equal length the one that starts
    highest; then sets, largest first, then in card order. Empty if there is none.
    """
    held = table | own | cards
    low, place, high = run_around(held, own)
    for length in range(min(high - low + 1, cap), 2, -1):
        for start in range(min(place, high - length + 1), max(low, place - length + 1) - 1, -1):
            meld = run_at(own, start, length)
            if cards & ~meld == NONE and covered(table & ~meld):
                return meld
    for number in range(4):
        meld = sets_with(held & rank_of(own), own, number)
        if meld != NONE and cards & ~meld == NONE and covered(table & ~meld):
            return meld
    return NONE


@kernel
def _taker(melds, size, pool, cap):
    """The lowest-numbered meld that takes the pool of cards; `size` for a new one, -1 for none."""
    for i in range(size):
        if is_meld(melds[i] | pool, cap):
            return np.int64(i)
    return np.int64(size) if is_meld(pool, cap) else np.int64(-1)


@kernel
def _lay_frozen(melds, size, cards, from_hand, cap, out, laid):
    """Splits cards into melds that take old ones whole, as RULES, Part 3, *Best melds* searches.

    No meld is made of the cards `from_hand` alone. Writes the melds to out, another array that
    holds `laid` of them already, and returns how many it holds then; -1 if there is no way.
    """
    if cards == NONE:
        return laid
    first = first_bit(cards)
    run = run_from(cards, first)
    for number in range(-count(run), 4):
        # The runs with the first card, longest first, then the four sets there may be.
        meld = run if number < 0 else sets_with(cards & rank_of(first), first, number)
        run = run & (run >> U1)
        if meld & ~from_hand != NONE and is_meld(meld, cap) and _keeps(melds, size, meld):
            out[laid] = meld
            rest = cards & ~meld
            found = _lay_frozen(melds, size, rest, from_hand, cap, out, laid + 1)
            if found >= 0:
                return found
    return np.int64(-1)


@kernel
def _keeps(melds, size, meld):
    """Does a new meld take nothing from the old ones, or one of them whole?"""
    part = meld & table_cards(melds, size)
    for i in range(size):
        if melds[i] == part:
            return True
    return part == NONE


@kernel
def _grown(meld, below, above):
    """A run with so many cards more at its ends, or the set of four, where there is one."""
    low = first_bit(meld)
    if meld & ~rank_of(low) == NONE:
        if below + above == 0:
            return meld
        return rank_of(low) if below == 0 and above == 4 - count(meld) else NONE
    start = (lowest(meld) & 15) - below
    length = count(meld) + below + above
    if start < 0 or start + length > 10:
        return NONE
    return run_at(low, start, length)


@kernel
def arrange(melds, size, card, cards, rules, out):
    """The new table when these hand cards go down with the centre card, as `cq_greedy` lays it.

    Writes its melds (masks) to out, another array of shape (6,) uint64, and returns how many; -1
    if it cannot be (`can_join`). With free rearrangement the meld of the centre card comes first
    where hand cards must lie in it; frozen melds keep their numbers.
    """
    own = bit(card)
    if not rules.free:
        return _arrange_frozen(melds, size, own, cards, rules, out)
    table = table_cards(melds, size)
    if rules.hand_cards == WITH_CENTER:
        out[0] = _center_meld(table, own, cards, rules.cap)
        if out[0] == NONE:
            return np.int64(-1)
        return split(table & ~out[0], NONE, rules.cap, out, np.int64(1))
    from_hand = cards if rules.hand_cards == NO_ALL_HAND_MELD else NONE
    return split(table | own | cards, from_hand, rules.cap, out, np.int64(0))


@kernel
def _arrange_frozen(melds, size, own, cards, rules, out):
    """`arrange` where old melds stay whole."""
    if rules.hand_cards != WITH_CENTER:
        pool = table_cards(melds, size) | own | cards
        from_hand = cards if rules.hand_cards == NO_ALL_HAND_MELD else NONE
        return _lay_frozen(melds, size, pool, from_hand, rules.cap, out, np.int64(0))
    taker = _taker(melds, size, cards | own, rules.cap)
    if taker < 0:
        return np.int64(-1)
    for i in range(size):
        out[i] = melds[i]
    out[taker] = cards | own if taker == size else melds[taker] | cards | own
    return max(np.int64(size), taker + 1)


@kernel
def _usable(melds, size, card, hand):
    """The hand cards that can lie in a meld at all, and whether the centre card can."""
    everything = table_cards(melds, size) | bit(card) | hand
    fitting = running(everything) | grouped(everything)
    return hand & fitting, bit(card) & fitting != NONE


@kernel
def joinable(melds, size, card, hand, rules, out):
    """Every set of hand cards that may go down with the centre card, the empty set included.

    Writes them as masks to out, shape (1024,) uint64, and returns how many; 0: no acceptance.
    """
    usable, fits = _usable(melds, size, card, hand)
    found = np.int64(0)
    cards = usable
    while fits:
        if can_join(melds, size, card, hand, cards, rules):
            out[found] = cards
            found += 1
        if cards == NONE:
            break
        cards = (cards - U1) & usable
    return found


@kernel
def best_join(melds, size, card, hand, rules):
    """Can the centre card be accepted, and with which hand cards (a mask) at most?

    As many as possible; of equally many those that come first in card order (`cq_greedy`).
    """
    if rules.free and rules.hand_cards == WITH_CENTER:
        return best_with_center(table_cards(melds, size), card, hand, rules)
    return _best_of_all(melds, size, card, hand, rules)


@kernel
def _best_of_all(melds, size, card, hand, rules):
    """`best_join` by trying every set of hand cards."""
    usable, fits = _usable(melds, size, card, hand)
    can, best = False, NONE
    cards = usable
    while fits:
        if not can or better(cards, best):
            if can_join(melds, size, card, hand, cards, rules):
                can, best = True, cards
        if cards == NONE:
            break
        cards = (cards - U1) & usable
    return can, best


@kernel
def better(cards, best):
    """More cards, or as many that come first in card order?"""
    more = count(cards) - count(best)
    return more > 0 or (more == 0 and first_bit(cards ^ best) & cards != NONE)


@kernel
def best_with_center(table, card, hand, rules):
    """`best_join` for the default rules, where a table is just a mask: the quickest way to ask."""
    own = bit(card)
    held = table | own | hand
    most = count(hand) - rules.keep
    can, best = False, NONE
    if most < 0 or own & (running(held) | grouped(held)) == NONE:
        return can, best
    low, place, high = run_around(held, own)
    for length in range(min(high - low + 1, rules.cap), 2, -1):
        for start in range(max(low, place - length + 1), min(place, high - length + 1) + 1):
            meld = run_at(own, start, length)
            cards = meld & hand
            if (not can or better(cards, best)) and count(cards) <= most and covered(table & ~meld):
                can, best = True, cards
    for number in range(4):
        meld = sets_with(held & rank_of(own), own, number)
        cards = meld & hand
        if meld != NONE and (not can or better(cards, best)) and count(cards) <= most:
            if covered(table & ~meld):
                can, best = True, cards
    return can, best


@kernel
def most_melded(melds, size, card, hand, rules):
    """Most own cards on the table (int64) after accepting the centre card; 0 if it cannot be."""
    can, cards = best_join(melds, size, card, hand, rules)
    return count(table_cards(melds, size)) + 1 + count(cards) if can else np.int64(0)


@kernel
def forceable(melds, size, card, hand, rules):
    """May the opponent make the player meld this centre card (a number)? (R-CQN-21)"""
    if count(hand) < rules.keep:
        return False
    if rules.force == ANY_FORCED:
        return best_join(melds, size, card, hand, rules)[0]
    if rules.force == TABLE:
        return can_join(melds, size, card, hand, NONE, rules)
    for i in range(size):
        if is_meld(melds[i] | bit(card), rules.cap):
            return True
    return False


@kernel
def can_still_win(melds, size, unavailable, target, rules):
    """Can a table be brought to `target` cards with cards that can still come? (kind `cq_future`)

    unavailable: mask of cards that can no longer come. The order of their coming is ignored.
    """
    table = table_cards(melds, size)
    left = target - count(table)
    fresh = PACK & ~table & ~unavailable
    if left < 0:
        return False
    if rules.free:
        return _completes(table, fresh, left)
    return _grows(melds, size, np.int64(0), fresh, left, rules.cap)


@kernel
def _completes(table, fresh, left):
    """Can cards of a table and exactly `left` fresh ones be split into melds?"""
    if left == 0:
        return covered(table)
    if table == NONE and (left < 3 or fresh == NONE):
        return False
    cards = table | fresh
    card = first_bit(table if table != NONE else fresh)
    low, place, high = run_around(cards, card)
    for start in range(low, place + 1):
        for end in range(max(place, start + 2), high + 1):
            meld = run_at(card, start, end - start + 1)
            used = count(meld & fresh)
            if used <= left and _completes(table & ~meld, fresh & ~meld, left - used):
                return True
    for number in range(4):
        meld = sets_with(cards & rank_of(card), card, number)
        used = count(meld & fresh)
        if meld != NONE and used <= left and _completes(table & ~meld, fresh & ~meld, left - used):
            return True
    return table == NONE and _completes(table, fresh & ~card, left)


@kernel
def _grows(melds, size, k, fresh, left, cap):
    """The same if old melds stay whole: they grow from number k on, the others are new."""
    if k == size:
        return _completes(NONE, fresh, left)
    for below in range(10):
        for above in range(10):
            meld = _grown(melds[k], below, above)
            used = count(meld & ~melds[k])
            if meld == NONE or used > left or count(meld) > max(cap, 4):
                continue
            if (meld & ~melds[k]) & ~fresh == NONE:
                if _grows(melds, size, k + 1, fresh & ~meld, left - used, cap):
                    return True
    return False
