"""What can become of the offered card of Conquian: who can take it, with which hand cards.

The evaluators of `melds.conquian` are asked with the table, the seat and the house rules.
"""

import numpy as np

from cooncan_sim.bits import NONE, U1, bit, count
from cooncan_sim.games.conquian_state import (
    MOST_MELDS,
    REARRANGE_NONE,
    SCOPE_ANY,
    Answer,
)
from cooncan_sim.games.conquian_table import most_from_hand
from cooncan_sim.kernel import kernel
from cooncan_sim.melds import conquian as evaluators
from cooncan_sim.melds.conquian import CqRules
from cooncan_sim.melds.single import grouped, running


@kernel
def known_rules(table, s):
    """The house rules about a card offered to seat s, as the evaluators take them."""
    return CqRules(
        table.CQ_REARRANGE != REARRANGE_NONE,
        table.CQ_HAND_CARDS,
        table.most_run,
        table.hand_sizes[s] - most_from_hand(table, s),
        table.CQ_FORCE_SCOPE,
    )


@kernel
def meld_count(table, s):
    """How many melds seat s has down (int64)."""
    size = np.int64(0)
    while size < MOST_MELDS and table.melds[s, size] != NONE:
        size += 1
    return size


@kernel
def _melding(table, cards):
    """The cards (mask) that lie in some meld of these and the offered card; none if that does not.

    A quick look that spares most questions to the evaluators.
    """
    pool = cards | bit(table.offered)
    melding = running(pool) | grouped(pool)
    return melding if melding & bit(table.offered) != NONE else NONE


@kernel
def largest_taking(table, seat):
    """Whether the offered card can be accepted (bool), and the most hand cards with it (mask).

    Of equally many those that come first in card order, compared card by card.
    """
    s = seat.seat
    if _melding(table, table.down[s] | seat.hand) == NONE:
        return False, NONE
    size = meld_count(table, s)
    rules = known_rules(table, s)
    return evaluators.best_join(table.melds[s], size, table.offered, seat.hand, rules)


@kernel
def takings(table, seat, wanted):
    """How many sets of hand cards can go down with the offered card, and number `wanted` of them.

    The empty set counts if the card fits the table alone. (int64, mask)
    """
    s = seat.seat
    found = np.int64(0)
    chosen = NONE
    melding = _melding(table, table.down[s] | seat.hand)
    if melding == NONE:
        return found, chosen
    size = meld_count(table, s)
    rules = known_rules(table, s)
    near = seat.hand & melding
    cards = near
    while True:
        if evaluators.can_join(table.melds[s], size, table.offered, seat.hand, cards, rules):
            chosen = cards if found == wanted else chosen
            found += 1
        if cards == NONE:
            return found, chosen
        cards = (cards - U1) & near


@kernel
def forceable(table, seat):
    """Whether the seat may be made to take the offered card (R-CQN-21, CQ_FORCE_SCOPE)."""
    s = seat.seat
    if table.CQ_FORCING != 0:
        return False
    usable = table.down[s] | (seat.hand if table.CQ_FORCE_SCOPE == SCOPE_ANY else NONE)
    if _melding(table, usable) == NONE:
        return False
    size = meld_count(table, s)
    rules = known_rules(table, s)
    return evaluators.forceable(table.melds[s], size, table.offered, seat.hand, rules)


# ---- answers ------------------------------------------------------------------------------


@kernel
def decline():
    """The answer of a seat that does not want the offered card."""
    return Answer(np.int64(0), NONE, NONE, NONE)


@kernel
def arrange(table, seat, cards):
    """The acceptance that brings down these hand cards (mask); a decline if none is legal.

    Arranged as RULES, Part 3, `cq_greedy` says.
    """
    s = seat.seat
    rules = known_rules(table, s)
    if count(seat.hand & ~cards) < rules.keep:
        return decline()
    out = np.zeros(evaluators.MOST_MELDS, dtype=np.uint64)
    size = meld_count(table, s)
    if evaluators.arrange(table.melds[s], size, table.offered, cards, rules, out) < 0:
        return decline()
    return Answer(np.int64(1), out[0], out[1], out[2])
