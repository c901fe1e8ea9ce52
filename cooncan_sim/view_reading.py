"""Reading a one-pack table: which cards are gone, what a card can still become, who wants it."""

import numpy as np

from cooncan_sim.bits import (
    ALL,
    NONE,
    U1,
    bit,
    count,
    fold,
    runs_through,
    spread,
)
from cooncan_sim.games.cooncan import legal_discards
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.aces_search import suit_counts
from cooncan_sim.view import best_throw, dead, first_to_throw

SOON = 15  # points from the target at which a match is nearly lost (claim T-07)


@kernel
def gone_cards(table):
    """The cards (mask) in the discard pile and on the table: nobody draws them from the stock."""
    cards = NONE
    for i in range(table.pile_size):
        cards = cards | bit(np.int64(table.pile[i]))
    for m in range(table.meld_count):
        cards = cards | table.melds[m].cards
    return cards


@kernel
def unseen_cards(table, seat):
    """The cards (mask) of which the seat does not know where they are.

    Not in its hand, in the pile, on the table, or taken from the pile by somebody who holds it.
    """
    known = seat.hand | gone_cards(table)
    for other in range(table.players):
        known = known | table.picked[other]
    return ALL & ~known


@kernel
def possible_melds(card, gone):
    """How many melds of three with this card (int64) need none of the cards that are gone."""
    return links(bit(card), gone & ~bit(card))


@kernel
def links(cards, gone):
    """The possible melds of each of these cards (mask), none of them gone, added up (int64)."""
    alive = ALL & ~gone
    _, _, three, four = suit_counts(alive)
    # A card of a rank with three or four alive is in one or three of the sets of three.
    sets = count(cards & spread(three)) + 2 * count(cards & spread(four))
    return runs_through(cards, alive) + sets


@kernel
def neighbours(cards, steps):
    """The cards of the same rank as one of these, or at most so many places away in its suit."""
    near = cards
    for _ in range(steps):
        near = (near | (near << U1) | (near >> U1)) & ALL
    return near | spread(fold(cards))


@kernel
def throwable_within(table, seat, slack):
    """The cards (mask) that may go and leave at most `slack` points more than the best one."""
    allowed = legal_discards(table, seat)
    least = best_throw(table, seat.hand, seat.twice, allowed)[1]
    cards = NONE
    while allowed != NONE:
        card = first_to_throw(allowed)
        allowed = allowed & ~bit(card)
        if dead(table, seat.hand & ~bit(card), NONE) <= least + slack:
            cards = cards | bit(card)
    return cards


@kernel
def least_connected(cards, gone):
    """Of these cards (mask) the number of the one with the fewest possible melds; throw order."""
    best = np.int64(-1)
    fewest = np.int64(1 << 30)
    while cards != NONE:
        card = first_to_throw(cards)
        cards = cards & ~bit(card)
        melds = possible_melds(card, gone)
        if melds < fewest:
            best, fewest = card, melds
    return best


@kernel
def next_seat(table, seat):
    """The seat (int64) that plays after this one."""
    return seat.seat + 1 if seat.seat + 1 < table.players else np.int64(0)


@kernel
def own_turns(table):
    """How many turns each player has had before this one (int64), nobody counted twice."""
    return table.turns // table.players


@kernel
def is_behind(table, seat, points):
    """Whether a match is going badly: so many points behind the best total, or soon out.

    Soon: within 15 points of the target. A hand by itself (target 0) never goes badly.
    """
    if table.target == 0:
        return False
    own = table.scores[seat.seat % table.sides]
    best = own
    for side in range(table.sides):
        best = min(best, table.scores[side])
    return own - best >= points or table.target - own <= SOON


@kernel
def somebody_is_near(table, seat, cards):
    """Whether another player holds at most so many cards."""
    for other in range(table.players):
        if other != seat.seat and table.hand_sizes[other] <= cards:
            return True
    return False
