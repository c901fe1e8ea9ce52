"""Least penalty and best melds of a hand from one pack without substitutes (`jaques`).

A card is *running* if three neighbours of its suit are held, *grouped* if three of its rank are.
Where no card is both, everything that is either goes down and the rest is the penalty. Only the
ranks where they collide are searched.
"""

import numpy as np

from cooncan_sim.bits import (
    ALL,
    NONE,
    U1,
    U2,
    U16,
    U32,
    U48,
    card_value,
    count,
    first_bit,
    first_to_throw,
    fold,
    spread,
    value,
)
from cooncan_sim.kernel import kernel

_BLOCK = 1024  # hands that stay in the fastest cache between the passes


@kernel
def running(hand):
    """The cards that lie in some run of three (R-JAQ-13)."""
    starts = hand & (hand >> U1) & (hand >> U2)
    return starts | (starts << U1) | (starts << U2)


@kernel
def grouped(hand):
    """The cards of which at least three of the rank are held (R-JAQ-12)."""
    b = (hand >> U16) | (hand << U48)
    c = (hand >> U32) | (hand << U32)
    d = (hand >> U48) | (hand << U16)
    return hand & ((b & c) | (c & d) | (b & d))


@kernel
def least_penalty(hand):
    """Least value (int64) of the cards in no meld, over all ways to meld a hand (uint64 mask)."""
    runs = running(hand)
    sets = grouped(hand)
    if runs & sets == NONE:
        return value(hand & ~(runs | sets))
    return _colliding(hand, runs, sets)


@kernel
def least_penalty_laying(hand, run_ends, set_gaps):
    """`least_penalty` when cards may also be laid off on melds that lie on the table.

    run_ends, set_gaps: the faces (masks) that fit a run, or a set, on the table now. A card laid
    on a run opens the next place beyond it.
    """
    # The rank of a set's gap has no three cards left for a set in hand, so that card is free: on
    # its set, or in a run.
    return _search(hand, run_ends, set_gaps, ALL, np.int64(1000))


@kernel
def _anchored(hand, run_ends):
    """The cards that can follow one another onto runs of the table."""
    grown = hand & run_ends
    before = NONE
    while grown != before:
        before = grown
        grown = grown | (((grown << U1) | (grown >> U1)) & hand)
    return grown


@kernel
def _left(hand, run_ends, sets):
    """The penalty (int64) if the runs of the hand and its cards among `sets` go down."""
    return value(hand & ~(running(hand) | _anchored(hand, run_ends) | sets))


@kernel
def _one_rank(hand, run_ends, sets, held, usable):
    """The least penalty (int64) where one rank only could go to a set or to runs.

    held: the cards of that rank; usable: those a run can use; sets: the cards of other sets.
    """
    rest = hand & ~held
    best = min(_left(rest, run_ends, sets), _left(hand, run_ends, sets))
    if count(held) == 4:
        # Three make a set too, and keeping a card out of it pays only if a run can use it.
        while usable != NONE:
            best = min(best, _left(rest | first_bit(usable), run_ends, sets))
            usable = usable & (usable - U1)
    return best


@kernel
def _colliding(hand, runs, sets):
    """`least_penalty` of a hand some of whose cards are both in `runs` and in `sets`."""
    ranks = fold(runs & sets)
    if ranks & (ranks - U1) != NONE:
        return _search(hand, NONE, NONE, ALL, np.int64(1000))
    rank = spread(ranks)
    return _one_rank(hand, NONE, sets & ~rank, hand & rank, runs & rank)


@kernel
def _search(hand, run_ends, set_gaps, open_ranks, bound):
    """The least penalty if it is below `bound`, otherwise some number not below it.

    hand: cards not yet in a set; open_ranks: ranks (all suits) about whose set nothing is decided.
    """
    runs = running(hand) | _anchored(hand, run_ends)
    sets = grouped(hand) & open_ranks
    both = runs & sets
    relaxed = value(hand & ~(runs | sets | set_gaps))
    if both == NONE or relaxed >= bound:
        return relaxed
    ranks = fold(both)
    rank = spread(first_bit(ranks))
    held = hand & rank
    usable = held & runs
    if ranks & (ranks - U1) == NONE:
        return _one_rank(hand, run_ends, (sets & ~rank) | set_gaps, held, usable)
    rest = hand & ~held
    open_ranks = open_ranks & ~rank
    best = min(bound, _search(rest, run_ends, set_gaps, open_ranks, bound))
    if count(held) == 4:
        while usable != NONE:
            left = rest | first_bit(usable)
            usable = usable & (usable - U1)
            best = min(best, _search(left, run_ends, set_gaps, open_ranks, best))
    return min(best, _search(hand, run_ends, set_gaps, open_ranks, best))


@kernel
def least_penalties(hands, out):
    """`least_penalty` of each row of hands, shape (n, 1) uint64, into out, shape (n,) int64.

    Block by block in three passes: the first has no branches, so it becomes vector code; the
    second lists the hands where runs and sets collide without a branch to mispredict; the third
    searches those.
    """
    colliding = np.empty(_BLOCK, dtype=np.int64)
    for start in range(0, hands.shape[0], _BLOCK):
        block = hands[start : start + _BLOCK]
        penalties = out[start : start + _BLOCK]
        for i in range(block.shape[0]):
            hand = block[i, 0]
            runs = running(hand)
            sets = grouped(hand)
            clear = value(hand & ~(runs | sets))
            penalties[i] = clear if runs & sets == NONE else -1
        found = 0
        for i in range(block.shape[0]):
            colliding[found] = i
            found += np.int64(penalties[i] < 0)
        for k in range(found):
            i = colliding[k]
            hand = block[i, 0]
            penalties[i] = _colliding(hand, running(hand), grouped(hand))


@kernel
def best_discard(hand, allowed):
    """The card to throw and the penalty left: `throw(H)` and `after(H)` of RULES, Part 3.

    Of the cards in the mask `allowed` (a part of the hand, not empty) the one without which the
    least penalty is smallest; ties by throw order. Returns (card number, penalty), both int64.
    """
    runs = running(hand)
    sets = grouped(hand)
    if runs & sets == NONE:
        loose = hand & ~(runs | sets)
        if loose & allowed != NONE:
            # Throwing a card saves its value at most, and a loose one saves all of it.
            card = first_to_throw(loose & allowed)
            return card, value(loose) - card_value(card)
    return _try_each(hand, allowed)


@kernel
def _try_each(hand, allowed):
    """`best_discard` where the closed form says nothing: dearest first, until none can better."""
    now = least_penalty(hand)
    best = np.int64(1000)
    best_card = np.int64(-1)
    while allowed != NONE:
        card = first_to_throw(allowed)
        if best <= now - card_value(card):
            break
        left = hand & ~(U1 << np.uint64(card))
        penalty = least_penalty(left)
        if penalty < best:
            best, best_card = penalty, card
        allowed = allowed & ~(U1 << np.uint64(card))
    return best_card, best


@kernel
def best_melds(hand):
    """`melds(H)` of RULES, Part 3: its cards in runs and its cards in sets, as two masks.

    Least penalty, then fewest cards left, then first found by the order of that search. The melds
    themselves follow from the masks (`first_meld`): no rank has two sets, and of neighbouring
    runs that search makes one.
    """
    runs = running(hand)
    sets = grouped(hand)
    if runs & sets == NONE:
        return runs, sets
    left, runs, sets = _first_best(hand, NONE, NONE, NONE, least_penalty(hand), np.int64(53))
    return runs, sets


@kernel
def first_meld(runs, sets):
    """The meld (mask) with the first card, of melds that `best_melds` returned; or no card."""
    first = first_bit(runs | sets)
    if first & sets != NONE:
        return sets & spread(fold(first))
    meld = first
    while (meld << U1) & runs & ~meld != NONE:
        meld = meld | ((meld << U1) & runs)
    return meld


@kernel
def _last_bit(mask):
    """The mask of the last card in card order of a mask that is not empty."""
    while mask & (mask - U1) != NONE:
        mask = mask & (mask - U1)
    return mask


@kernel
def _first_best(rest, loose, in_runs, in_sets, target, fewest):
    """Depth-first search in the order of RULES, Part 3, *Best melds*.

    rest: cards without a place yet; loose: cards that stay; in_runs, in_sets: cards placed so far;
    target: the least penalty; fewest: cards left of the best result so far.
    Returns (cards left, run cards, set cards) of the first result that leaves fewer than `fewest`
    and no other less; (fewest, none, none) if there is no such result.
    """
    stay = loose | (rest & ~(running(rest) | grouped(rest)))
    if value(stay) > target or count(stay) >= fewest:
        return fewest, NONE, NONE
    if rest == NONE:
        return count(loose), in_runs, in_sets
    first = first_bit(rest)
    best = (fewest, NONE, NONE)
    meld = first
    while (meld << U1) & rest & ~meld != NONE:
        meld = meld | ((meld << U1) & rest)
    while count(meld) >= 3:
        found = _first_best(rest & ~meld, loose, in_runs | meld, in_sets, target, best[0])
        best = found if found[0] < best[0] else best
        meld = meld & (meld >> U1)
    others = rest & spread(fold(first)) & ~first
    out = others if count(others) == 3 else NONE
    if count(others) >= 2:
        meld = first | others
        found = _first_best(rest & ~meld, loose, in_runs, in_sets | meld, target, best[0])
        best = found if found[0] < best[0] else best
    while out != NONE:
        # Three of the four: the set whose cards come first leaves the last of them out.
        last = _last_bit(out)
        out = out & ~last
        meld = (first | others) & ~last
        found = _first_best(rest & ~meld, loose, in_runs, in_sets | meld, target, best[0])
        best = found if found[0] < best[0] else best
    found = _first_best(rest & ~first, loose | first, in_runs, in_sets, target, best[0])
    return found if found[0] < best[0] else best
