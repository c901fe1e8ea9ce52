"""Least penalty and best melds of a hand from one pack without substitutes (`jaques`).

A card is *running* if three neighbours of its suit are held, *grouped* if three of its rank are.
Where no card is both, everything that is either goes down and the rest is the penalty. Only the
ranks where they collide are searched.
"""

import numpy as np

from cooncan_sim.bits import (
    ALL,
    LANE,
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
    lowest,
    spread,
    value,
)
from cooncan_sim.kernel import kernel

MOST_MELDS = 17


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
    return _search(hand, NONE, NONE, ALL, np.int64(1000))


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
def _search(hand, run_ends, set_gaps, open_ranks, bound):
    """The least penalty if it is below `bound`, otherwise some number not below it.

    hand: cards not yet in a set; open_ranks: ranks (all suits) about whose set nothing is decided.
    """
    runs = running(hand) | _anchored(hand, run_ends)
    sets = grouped(hand) & open_ranks
    relaxed = value(hand & ~(runs | sets | set_gaps))
    both = runs & sets
    if both == NONE or relaxed >= bound:
        return relaxed
    rank = spread(first_bit(fold(both)))
    held = hand & rank
    open_ranks = open_ranks & ~rank
    best = min(bound, _search(hand & ~held, run_ends, set_gaps, open_ranks, bound))
    runnable = held & runs
    if count(held) == 4:
        # Keeping a card out of the set pays only if a run can use it.
        rest = runnable
        while rest != NONE:
            out = first_bit(rest)
            rest = rest & ~out
            left = hand & ~(held & ~out)
            best = min(best, _search(left, run_ends, set_gaps, open_ranks, best))
        if count(runnable) == 1:
            return best
    return min(best, _search(hand, run_ends, set_gaps, open_ranks, best))


@kernel
def least_penalties(hands, out):
    """`least_penalty` of each row of hands, shape (n, 1) uint64, into out, shape (n,) int64.

    Two passes: the first has no branches, so it becomes vector code; the second searches.
    """
    for i in range(hands.shape[0]):
        hand = hands[i, 0]
        runs = running(hand)
        sets = grouped(hand)
        clear = value(hand & ~(runs | sets))
        out[i] = clear if runs & sets == NONE else -1
    for i in range(hands.shape[0]):
        if out[i] < 0:
            out[i] = least_penalty(hands[i, 0])


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
def melded_cards(hand):
    """The cards in `melds(H)`, as one mask; quicker than the melds themselves."""
    runs = running(hand)
    sets = grouped(hand)
    if runs & sets == NONE:
        return runs | sets
    found = np.zeros(MOST_MELDS, dtype=np.uint64)
    melded = NONE
    for i in range(best_melds(hand, found)):
        melded = melded | found[i]
    return melded


@kernel
def best_melds(hand, out):
    """`melds(H)` of RULES, Part 3: the melds as masks into out, shape (17,) uint64; how many.

    Least penalty, then fewest cards left, then first found by the order of that search.
    """
    runs = running(hand)
    sets = grouped(hand)
    if runs & sets == NONE:
        return _clear_melds(hand, sets, out)
    path = np.zeros(MOST_MELDS, dtype=np.uint64)
    left = np.array([53, 0])  # fewest cards left so far; melds in `out`
    _first_best(hand, NONE, np.int64(0), least_penalty(hand), path, out, left)
    return left[1]


@kernel
def _clear_melds(hand, sets, out):
    """`best_melds` where no card could be in two melds: whole runs and sets, by first card."""
    melds = np.int64(0)
    rest = running(hand) | sets
    while rest != NONE:
        first = first_bit(rest)
        if first & sets != NONE:
            meld = rest & spread(fold(first))
        else:
            meld = first
            while (meld << U1) & rest & ~sets & ~meld != NONE:
                meld = meld | ((meld << U1) & rest)
        out[melds] = meld
        melds += 1
        rest = rest & ~meld
    return melds


@kernel
def _first_best(rest, loose, depth, target, path, out, left):
    """Depth-first search in the order of RULES, Part 3, *Best melds*.

    rest: cards without a place yet; loose: cards that stay; path: melds so far (`depth`);
    left: [fewest cards left of a result so far, its number of melds], changed in place.
    """
    if rest == NONE:
        if value(loose) == target and count(loose) < left[0]:
            left[0] = count(loose)
            left[1] = depth
            for i in range(depth):
                out[i] = path[i]
        return
    stay = loose | (rest & ~(running(rest) | grouped(rest)))
    if value(stay) > target or count(stay) >= left[0]:
        return
    first = first_bit(rest)
    meld = first
    while (meld << U1) & rest & ~meld != NONE:
        meld = meld | ((meld << U1) & rest)
    while count(meld) >= 3:
        path[depth] = meld
        _first_best(rest & ~meld, loose, depth + 1, target, path, out, left)
        meld = meld & (meld >> U1)
    _sets_first(rest, loose, depth, target, path, out, left, first)
    _first_best(rest & ~first, loose | first, depth, target, path, out, left)


@kernel
def _sets_first(rest, loose, depth, target, path, out, left, first):
    """The part of `_first_best` that tries the sets of the first card, largest first."""
    others = rest & spread(fold(first)) & ~first
    if count(others) == 3:
        path[depth] = first | others
        _first_best(rest & ~(first | others), loose, depth + 1, target, path, out, left)
    a_left = others
    while count(a_left) >= 2:
        a = first_bit(a_left)
        a_left = a_left & ~a
        b_left = a_left
        while b_left != NONE:
            b = first_bit(b_left)
            b_left = b_left & ~b
            path[depth] = first | a | b
            _first_best(rest & ~(first | a | b), loose, depth + 1, target, path, out, left)
