"""What may be done with an offered card of Conquian: which tables are legal, how they are arranged.

R-CQN-16 … R-CQN-18 under the switches CQ_REARRANGE, CQ_HAND_CARDS and CQ_RUN_CAP. The new table of
a seat is its old table, the offered card and the hand cards that go down with it.
"""

import numpy as np

from cooncan_sim.bits import NONE, bit, count, first_bit
from cooncan_sim.games import conquian_breach as breach
from cooncan_sim.games.conquian_melds import first_around, next_around
from cooncan_sim.games.conquian_state import (
    MOST_MELDS,
    NO_ALL_HAND_MELD,
    OFFER,
    REARRANGE_NONE,
    WITH_CENTER,
    Answer,
)
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.conquian_search import covered, is_meld

# ---- legality -----------------------------------------------------------------------------


@kernel
def most_from_hand(table, s):
    """How many hand cards seat s may put down with the offered card (int64).

    A discard has to follow unless the hand is won (R-CQN-10, R-CQN-23, R-CQJ-05).
    """
    held = table.hand_sizes[s]
    return held if count(table.down[s]) + 1 + held >= table.need else held - 1


@kernel
def keeps_melds(table, s, meld):
    """Whether a new meld (mask) takes nothing from the melds of seat s, or one of them whole."""
    part = table.down[s] & meld
    if part == NONE:
        return True
    for m in range(MOST_MELDS):
        if table.melds[s, m] == part:
            return True
    return False


@kernel
def leaves_melds(table, s, meld):
    """Whether the table of seat s is still in order without the cards of a new meld (mask)."""
    if table.CQ_REARRANGE == REARRANGE_NONE:
        return keeps_melds(table, s, meld)
    return covered(table.down[s] & ~meld)


@kernel
def check_part(table, s, cards, meld):
    """LEGAL, or what `meld` breaks as a part of the new table of seat s; cards: from the hand."""
    if not is_meld(meld, table.most_run):
        return breach.NO_MELD
    from_hand = meld & cards
    if table.CQ_HAND_CARDS == WITH_CENTER:
        astray = cards & ~meld if meld & bit(table.offered) != NONE else from_hand
        if astray != NONE:
            return breach.HAND_CARDS
    elif table.CQ_HAND_CARDS == NO_ALL_HAND_MELD and from_hand == meld:
        return breach.HAND_CARDS
    if table.CQ_REARRANGE == REARRANGE_NONE and not keeps_melds(table, s, meld):
        return breach.FROZEN
    return breach.LEGAL


@kernel
def check_accept(table, seat, answer):
    """LEGAL, or what this acceptance of the offered card breaks."""
    if table.phase != OFFER:
        return breach.NOT_THIS_PHASE
    s = seat.seat
    whole = answer.first | answer.second | answer.third
    before = table.down[s] | bit(table.offered)
    laid = count(answer.first) + count(answer.second) + count(answer.third)
    if laid != count(whole) or before & ~whole != NONE:
        return breach.NOT_THE_TABLE
    cards = whole & ~before
    if cards & ~seat.hand != NONE:
        return breach.NOT_HELD
    for meld in (answer.first, answer.second, answer.third):
        if meld != NONE:
            why = check_part(table, s, cards, meld)
            if why != breach.LEGAL:
                return why
    if count(cards) > most_from_hand(table, s):
        return breach.NO_DISCARD_LEFT
    return breach.LEGAL


# ---- arrangement --------------------------------------------------------------------------


@kernel
def decline():
    """The answer of a seat that does not want the offered card."""
    return Answer(np.int64(0), NONE, NONE, NONE)


@kernel
def arrange(table, seat, cards):
    """The acceptance that brings down these hand cards (mask); a decline if none is legal.

    Arranged as RULES, Part 3, `cq_greedy` says: the meld of the offered card first.
    """
    s = seat.seat
    if count(cards) > most_from_hand(table, s):
        return decline()
    if table.CQ_HAND_CARDS != WITH_CENTER:
        return _split(table, s, cards, table.down[s] | bit(table.offered) | cards)
    if table.CQ_REARRANGE == REARRANGE_NONE:
        meld = _joined(table, s, bit(table.offered) | cards)
    else:
        meld = _around_offered(table, s, cards)
    if meld == NONE:
        return decline()
    others = _split(table, s, cards, table.down[s] & ~meld)
    return Answer(np.int64(1), meld, others.first, others.second)


@kernel
def _around_offered(table, s, cards):
    """The first meld (mask) that holds the offered card and these hand cards; or no card."""
    centre = bit(table.offered)
    wanted = centre | cards
    pool = table.down[s] | wanted
    meld = first_around(pool, centre, table.most_run)
    while meld != NONE:
        if wanted & ~meld == NONE and leaves_melds(table, s, meld):
            return meld
        meld = next_around(pool, centre, meld, table.most_run)
    return NONE


@kernel
def _joined(table, s, cards):
    """The oldest meld of seat s that takes all these cards, with them; else they alone; or none."""
    for m in range(MOST_MELDS):
        old = table.melds[s, m]
        if old != NONE and is_meld(old | cards, table.most_run):
            return old | cards
    return cards if is_meld(cards, table.most_run) else NONE


@kernel
def _split(table, s, cards, rest):
    """The first split of `rest` into legal parts by the search of *Best melds*, as an answer.

    cards: those from the hand. A decline if there is no split.
    """
    if rest == NONE:
        return Answer(np.int64(1), NONE, NONE, NONE)
    if not covered(rest):
        return decline()
    first = first_bit(rest)
    meld = first_around(rest, first, table.most_run)
    while meld != NONE:
        if check_part(table, s, cards, meld) == breach.LEGAL:
            others = _split(table, s, cards, rest & ~meld)
            if others.accept != 0 and others.third == NONE:
                return Answer(np.int64(1), meld, others.first, others.second)
        meld = next_around(rest, first, meld, table.most_run)
    return decline()
