"""Which new tables are legal when a card offered in Conquian is accepted.

R-CQN-16 … R-CQN-18 under the switches CQ_REARRANGE, CQ_HAND_CARDS and CQ_RUN_CAP. The new table of
a seat is its old table, the offered card and the hand cards that go down with it.
"""

from cooncan_sim.bits import NONE, bit, count
from cooncan_sim.games import conquian_breach as breach
from cooncan_sim.games.conquian_state import (
    MOST_MELDS,
    NO_ALL_HAND_MELD,
    OFFER,
    REARRANGE_NONE,
    WITH_CENTER,
)
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.conquian_search import is_meld


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
