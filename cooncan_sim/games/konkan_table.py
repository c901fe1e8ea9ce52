"""Pairs on the table of `konkan`: what may join them, what is legal, and how they change."""

import numpy as np

from cooncan_sim.bits import ALL, NONE, U1, bit, count, first_bit, fold, lowest, spread
from cooncan_sim.games import konkan_breach as breach
from cooncan_sim.games.konkan_cards import (
    JOKER,
    JOKER_BIT,
    card_bit,
    holds,
    kind_of,
    less,
    twins,
    with_jokers,
    worth,
)
from cooncan_sim.games.konkan_state import (
    COME_DOWN,
    JOKER_SWAP,
    LAYOFF,
    MELD,
    MOST_OPENING,
    OPENING,
    RUN,
    SET,
    STOP,
    TABLE,
    Move,
)
from cooncan_sim.kernel import kernel, search_kernel
from cooncan_sim.melds.aces_search import PLACES, faces_of

_U13 = np.uint64(13)

# ---- what may join a pair -----------------------------------------------------------------


@kernel
def missing_suits(places):
    """The faces (mask) that a set of these faces lacks."""
    return spread(fold(places)) & ~places


@kernel
def room(table, kind, places, jokers):
    """The places (mask) where a card may be hit as itself (R-KON-15, KK_SET_JOKER_SUIT)."""
    if kind == RUN:
        if table.RUN_BOTH_ACES != 0 and count(places) == 13:
            return NONE
        return ((places << U1) | (places >> U1)) & PLACES & ~places
    if missing_suits(places) == NONE:
        return NONE
    # A joker that may stand for any missing suit makes way for a card of the suit it declared.
    return missing_suits(places & ~jokers if table.KK_SET_JOKER_SUIT != 0 else places)


@kernel
def joker_room(table, kind, places, jokers):
    """The places (mask) where a joker may be hit (R-KON-14, KK_JOKERS_PER_PAIR)."""
    if count(jokers) >= table.KK_JOKERS_PER_PAIR:
        return NONE
    return room(table, kind, places, NONE)


@kernel
def freeing(table, kind, places, jokers):
    """The faces (mask) that free a joker of a pair (R-KON-18, KK_SET_JOKER_SUIT)."""
    if kind == SET and table.KK_SET_JOKER_SUIT != 0 and jokers != NONE:
        return missing_suits(places & ~jokers)
    return faces_of(jokers)


@kernel
def is_full(table, kind, places, jokers):
    """Whether a pair is a set that burns (R-KON-17, KK_BURN_WITH_JOKER)."""
    if kind != SET or missing_suits(places) != NONE:
        return False
    return jokers == NONE or table.KK_BURN_WITH_JOKER != 0


@kernel
def place_for(room, face):
    """The place (mask) in a room where a face fits, an ace at the low end first; empty if none."""
    if room & face != NONE:
        return face
    return (face << _U13) & room & ~ALL


@kernel
def reopen(table):
    """Finds anew which faces may be hit and which free a joker; called after every table action."""
    table.run_gaps = NONE
    table.set_gaps = NONE
    table.joker_faces = NONE
    for m in range(table.meld_count):
        meld = table.melds[m]
        faces = faces_of(room(table, meld.kind, meld.places, meld.jokers))
        if meld.kind == RUN:
            table.run_gaps |= faces
        else:
            table.set_gaps |= faces
        if meld.jokers != NONE:
            table.joker_faces |= freeing(table, meld.kind, meld.places, meld.jokers)


# ---- what may be thrown -------------------------------------------------------------------


@kernel
def throwable(table, hand, twice, jokers, taken):
    """The cards (mask, bit 63: joker) of a hand that may be thrown (R-COM-07).

    taken: the card number taken from the pile in this turn and still held, -1 for none.
    """
    cards = with_jokers(hand, jokers)
    if taken >= 0 and table.RETURN_TAKEN_DISCARD == 0:
        # Of two equal cards the other one may go (TAKEN_CARD_MATCH).
        twin = twins(twice, jokers) if table.TAKEN_CARD_MATCH == 0 else NONE
        cards = cards & ~(card_bit(taken) & ~twin)
    return cards


@kernel
def legal_discards(table, seat):
    """The cards (mask, bit 63: joker) that the seat may throw now."""
    return throwable(table, seat.hand, seat.twice, seat.jokers, table.taken)


@kernel
def faces_used(places, jokers):
    """The cards (mask, bit 63: joker) that a pair, or a card hit, takes from a hand."""
    return faces_of(places & ~jokers) | (JOKER_BIT if jokers != NONE else NONE)


@kernel
def still_taken(taken, used):
    """The card number taken in this turn, -1 once a card like it goes to the table (R-COM-02)."""
    return np.int64(-1) if taken >= 0 and card_bit(taken) & used != NONE else taken


@kernel
def keeps_a_throw(table, seat, places, jokers, gained):
    """Whether a card that may be thrown stays when these cards go down (R-KON-21).

    gained: jokers that come into the hand for them.
    """
    hand, twice, held = less(seat.hand, seat.twice, seat.jokers, places, jokers)
    taken = still_taken(table.taken, faces_used(places, jokers))
    return throwable(table, hand, twice, held + gained, taken) != NONE


# ---- legality -----------------------------------------------------------------------------


@kernel
def at_table(table):
    """Whether cards may go to the table at this point of the turn (KK_DEALER_COMEDOWN)."""
    return table.phase == TABLE or (table.phase == OPENING and table.KK_DEALER_COMEDOWN != 0)


@kernel
def check_table(table, seat, move):
    """LEGAL, or what this table action breaks."""
    if not at_table(table):
        return breach.NOT_THIS_PHASE
    if move.action == COME_DOWN:
        return _check_come_down(table, seat)
    if move.action != MELD and move.action != LAYOFF and move.action != JOKER_SWAP:
        return breach.NO_ANSWER
    if table.down[seat.seat] == 0:
        return breach.NOT_DOWN
    if move.action == MELD:
        return _check_meld(table, seat, move)
    if move.meld < 0 or move.meld >= table.meld_count:
        return breach.NO_SUCH_PAIR
    if move.action == LAYOFF:
        return _check_layoff(table, seat, move)
    return _check_swap(table, seat, move)


@kernel
def pair_kind(table, places, jokers):
    """RUN or SET for a pair under the rules of this table, else -1."""
    return kind_of(places, jokers, table.KK_JOKERS_PER_PAIR, table.RUN_BOTH_ACES == 0)


@kernel
def _check_meld(table, seat, move):
    if pair_kind(table, move.places, move.jokers) < 0:
        return breach.NO_PAIR
    if not holds(seat.hand, seat.twice, seat.jokers, move.places, move.jokers):
        return breach.NOT_HELD
    if not keeps_a_throw(table, seat, move.places, move.jokers, 0):
        return breach.NOTHING_TO_THROW
    return breach.LEGAL


@kernel
def _check_layoff(table, seat, move):
    place = move.places
    if count(place) != 1 or place & ~PLACES != NONE or move.jokers & ~place != NONE:
        return breach.NO_ANSWER
    if not holds(seat.hand, seat.twice, seat.jokers, place, move.jokers):
        return breach.NOT_HELD
    meld = table.melds[move.meld]
    if move.jokers != NONE:
        free = joker_room(table, meld.kind, meld.places, meld.jokers)
    else:
        free = room(table, meld.kind, meld.places, meld.jokers)
    if place & free == NONE:
        return breach.DOES_NOT_FIT
    if not keeps_a_throw(table, seat, place, move.jokers, 0):
        return breach.NOTHING_TO_THROW
    return breach.LEGAL


@search_kernel
def _check_swap(table, seat, move):
    face = move.places
    if count(face) != 1 or face & ~ALL != NONE or move.jokers != NONE:
        return breach.NO_ANSWER
    if face & ~seat.hand != NONE:
        return breach.NOT_HELD
    if table.fresh != 0 and table.KK_SWAP_SAME_TURN != 0:
        return breach.SWAP_TOO_SOON
    meld = table.melds[move.meld]
    if face & freeing(table, meld.kind, meld.places, meld.jokers) == NONE:
        return breach.NO_SUCH_JOKER
    if not keeps_a_throw(table, seat, face, NONE, 1):
        return breach.NOTHING_TO_THROW
    return breach.LEGAL


@kernel
def needed(table):
    """Points that pairs need to come down with now (R-KON-10, KK_OPEN_RULE), int64."""
    if table.KK_OPEN_RULE != 0:
        return max(table.KK_OPEN_POINTS, table.highest + 1)
    return table.KK_OPEN_POINTS


@kernel
def opening_worth(seat):
    """Points of the pairs in the seat's answer (int64)."""
    total = np.int64(0)
    for i in range(seat.pair_count):
        total += worth(seat.pairs[i].places)
    return total


@search_kernel
def _check_come_down(table, seat):
    if table.down[seat.seat] != 0:
        return breach.ALREADY_DOWN
    if seat.pair_count < 1 or seat.pair_count > MOST_OPENING:
        return breach.NO_PAIR
    hand, twice, jokers, used = seat.hand, seat.twice, seat.jokers, NONE
    for i in range(seat.pair_count):
        pair = seat.pairs[i]
        if pair_kind(table, pair.places, pair.jokers) < 0:
            return breach.NO_PAIR
        if not holds(hand, twice, jokers, pair.places, pair.jokers):
            return breach.NOT_HELD
        hand, twice, jokers = less(hand, twice, jokers, pair.places, pair.jokers)
        used = used | faces_used(pair.places, pair.jokers)
    if opening_worth(seat) < needed(table):
        return breach.TOO_FEW_POINTS
    taken = still_taken(table.taken, used)
    if table.owes != 0 and table.KK_PICKUP_MUST_USE != 0 and taken >= 0:
        return breach.TAKEN_NOT_USED
    if throwable(table, hand, twice, jokers, taken) == NONE:
        return breach.NOTHING_TO_THROW
    return breach.LEGAL


# ---- changing the table -------------------------------------------------------------------


@kernel
def add_pair(table, owner, places, jokers):
    """Lays a pair on the table, after those that lie there."""
    meld = table.melds[table.meld_count]
    meld.owner = owner
    meld.kind = pair_kind(table, places, jokers)
    meld.places = places
    meld.jokers = jokers
    table.meld_count += 1


@kernel
def hit(table, m, place, jokers):
    """Adds a card to pair number m, a joker if its place is in `jokers`."""
    meld = table.melds[m]
    if meld.jokers & place != NONE:
        # Of a set with a card of the suit that a joker declared: it now stands for the last suit.
        meld.jokers = (meld.jokers & ~place) | missing_suits(meld.places)
        meld.places = meld.places | meld.jokers
        return
    meld.places |= place
    meld.jokers |= jokers


@kernel
def free_joker(table, m, face):
    """Puts a natural card of this face into pair number m for a joker that stands for it."""
    meld = table.melds[m]
    place = place_for(meld.jokers, face)
    if place == NONE:
        # Any missing suit will do: the first joker of the set leaves.
        place = first_bit(meld.jokers)
        meld.places = (meld.places & ~place) | face
    meld.jokers &= ~place


@kernel
def burn_full(table):
    """Puts every full set under the discard pile, or on it (R-KON-17, KK_BURN_POSITION)."""
    left = np.int64(0)
    for m in range(table.meld_count):
        meld = table.melds[m]
        if is_full(table, meld.kind, meld.places, meld.jokers):
            _burn(table, meld.places, meld.jokers)
        else:
            if left < m:
                table.melds[left] = table.melds[m]
            left += 1
    table.meld_count = left


@search_kernel
def _burn(table, places, jokers):
    top = table.pile_size - 1
    cards = places
    while cards != NONE:
        place = lowest(cards)
        cards = cards & (cards - U1)
        table.pile[table.pile_size] = JOKER if bit(place) & jokers != NONE else place
        table.pile_size += 1
    if table.KK_BURN_POSITION == 0 and top >= 0:
        last = table.pile_size - 1
        card = table.pile[top]
        table.pile[top] = table.pile[last]
        table.pile[last] = card


# ---- moves --------------------------------------------------------------------------------


@kernel
def lay_pair(places, jokers):
    """The move that lays these places as a new pair."""
    return Move(np.int64(MELD), places, jokers, np.int64(-1))


@kernel
def hit_card(place, m):
    """The move that hits the card of this place on pair number m."""
    return Move(np.int64(LAYOFF), place, NONE, np.int64(m))


@kernel
def hit_joker(place, m):
    """The move that hits a joker as the card of this place on pair number m."""
    return Move(np.int64(LAYOFF), place, place, np.int64(m))


@kernel
def swap_joker(face, m):
    """The move that exchanges a joker of pair number m for the card of this face."""
    return Move(np.int64(JOKER_SWAP), face, NONE, np.int64(m))


@kernel
def come_down():
    """The move that lays the pairs written in the seat's `pairs`."""
    return Move(np.int64(COME_DOWN), NONE, NONE, np.int64(-1))


@kernel
def stop():
    """The answer of a seat that lays nothing more in this turn."""
    return Move(np.int64(STOP), NONE, NONE, np.int64(-1))
