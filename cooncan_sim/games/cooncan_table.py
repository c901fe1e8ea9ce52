"""Melds on the table of the `jaques` family: what is one, what may join it, every legal action."""

import numpy as np

from cooncan_sim.bits import ALL, NONE, U1, bit, count, first_bit, fold, lowest, spread
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan_state import HIGH, LAYOFF, LOW, MELD, RUN, SET, STOP, TABLE, Move
from cooncan_sim.kernel import kernel, search_kernel

# A substitute is 16 bits of Move.substitutes: bit 15 set, the wild card in bits 0 … 6, and in bits
# 7 … 14 its place: the card number it stands for in a run, or 64 + rank in a set.
_ENTRY, _ENTRY_BITS = np.uint64(0xFFFF), np.uint64(16)
_SEVEN, _CARD, _USED = np.uint64(7), np.uint64(0x7F), np.uint64(0x8000)
AS_RANK = 64


# ---- substitutes --------------------------------------------------------------------------


@kernel
def stand_in(others, card, place):
    """`others` (uint64) with one more substitute: this wild card at this place."""
    entry = _USED | (np.uint64(place) << _SEVEN) | np.uint64(card)
    return (others << _ENTRY_BITS) | entry


@kernel
def stands_at(entry):
    """The card number and the place (int64 each) of the lowest substitute of a packed word."""
    return np.int64(entry & _CARD), np.int64((entry & (_USED - U1)) >> _SEVEN)


@kernel
def other_substitutes(substitutes):
    """A packed word without its lowest substitute."""
    return substitutes >> _ENTRY_BITS


# ---- melds --------------------------------------------------------------------------------


@kernel
def set_limit(table):
    """The most cards in a set (R-JAQ-12, TWO_DECK_SET_MAX), int64."""
    return table.TWO_DECK_SET_MAX if table.packs == 2 else np.int64(4)


@kernel
def is_chain(cards):
    """Whether the cards are neighbours of one suit. The empty bits above kings part the suits."""
    chain = cards >> np.uint64(lowest(cards))
    return chain & (chain + U1) == NONE


@kernel
def kind_of(cards, twice, limit):
    """RUN or SET for a natural meld (R-JAQ-12, R-JAQ-13, R-TWO-04), else -1. limit: of a set."""
    size = count(cards) + count(twice)
    if size < 3:
        return -1
    if size <= limit and count(fold(cards)) == 1:
        return SET
    return RUN if twice == NONE and is_chain(cards) else -1


@kernel
def shape_of(table, cards, twice, substitutes):
    """(kind, places) of cards laid with these substitutes; kind -1 if they are no meld.

    places: the faces that a run covers, or the rank of a set in all suits (R-WLD-02).
    """
    if substitutes == NONE:
        kind = kind_of(cards, twice, set_limit(table))
        return kind, spread(fold(cards)) if kind == SET else cards
    naturals = cards
    places = NONE
    ranks = NONE
    while substitutes != NONE:
        card, place = stands_at(substitutes)
        substitutes = other_substitutes(substitutes)
        if bit(card) & table.wild & naturals == NONE or place == card:
            return -1, NONE
        naturals = naturals & ~bit(card)
        if place >= AS_RANK:
            ranks = ranks | spread(U1 << np.uint64(place - AS_RANK))
        elif bit(place) & ALL & ~places != NONE:
            places = places | bit(place)
        else:
            return -1, NONE
    if naturals & places != NONE or count(naturals) < table.WILD_MIN_NATURALS:
        return -1, NONE
    if ranks == NONE:
        places = places | naturals
        return RUN if count(places) >= 3 and is_chain(places) else -1, places
    fits = places == NONE and count(fold(ranks)) == 1 and naturals & ~ranks == NONE
    if fits and ranks & table.wild == NONE and 3 <= count(cards) <= set_limit(table):
        return SET, ranks
    return -1, NONE


@kernel
def room(table, kind, places, cards, twice):
    """The faces (mask) that may join a meld as themselves (R-JAQ-12, R-JAQ-28, R-WLD-04)."""
    if kind == RUN:
        return ((places << U1) | (places >> U1)) & ALL & ~places
    if count(cards) + count(twice) >= set_limit(table):
        return NONE
    return places & ~(twice if table.packs == 2 else cards)


@kernel
def room_of(table, m):
    """`room` of meld number m on the table."""
    meld = table.melds[m]
    return room(table, meld.kind, meld.places, meld.cards, meld.twice)


# ---- who may lay off where ----------------------------------------------------------------


@kernel
def is_open(table, owner, seat):
    """Whether the melds of `owner` are open to `seat` (LAYOFF_SCOPE, PARTNER_LAYOFF_SCOPE)."""
    if table.PARTNER_LAYOFF_SCOPE != 0:
        return (owner - seat) % table.sides == 0
    return table.LAYOFF_SCOPE == 0 or owner == seat


@kernel
def may_lay_off(table, seat):
    """Whether the seat is free to lay off at all (LAYOFF_NEEDS_OWN_MELD)."""
    return table.LAYOFF_NEEDS_OWN_MELD == 0 or table.melded[seat] > 0


@kernel
def open_room(table, seat, kind, skip):
    """The faces that fit melds of a kind open to the seat, without meld number `skip`."""
    faces = NONE
    for m in range(table.meld_count):
        meld = table.melds[m]
        if meld.kind == kind and m != skip and is_open(table, meld.owner, seat):
            faces = faces | room_of(table, m)
    return faces


@kernel
def reopen(table):
    """Finds anew which faces each seat may lay off."""
    for seat in range(table.players):
        may = may_lay_off(table, seat)
        table.run_ends[seat] = open_room(table, seat, RUN, -1) if may else NONE
        table.set_gaps[seat] = open_room(table, seat, SET, -1) if may else NONE


@kernel
def reopen_one(table, m, is_new):
    """`reopen` after meld number m was laid, or has grown: what other melds take stays."""
    if table.LAYOFF_SCOPE + table.PARTNER_LAYOFF_SCOPE + table.LAYOFF_NEEDS_OWN_MELD != 0:
        reopen(table)
    elif table.melds[m].kind == RUN:
        faces = table.run_ends[0] | room_of(table, m) if is_new else open_room(table, 0, RUN, -1)
        for seat in range(table.players):
            table.run_ends[seat] = faces
    else:
        faces = table.set_gaps[0] | room_of(table, m) if is_new else open_room(table, 0, SET, -1)
        for seat in range(table.players):
            table.set_gaps[seat] = faces


@search_kernel
def _strands_taken(table, seat, move, faces, skip):
    """Whether a move leaves the card just taken alone with no place (ONLY_TAKEN_LEFT).

    faces: what the meld it changes takes next; skip: the number of that meld, -1 for a new one.
    """
    if table.taken < 0:
        return False
    taken = bit(table.taken)
    # By face a twin of the taken card is as stuck as that card.
    stuck = 2 if table.TAKEN_CARD_MATCH != 0 and taken & seat.twice != NONE else 1
    left = table.hand_sizes[seat.seat] - count(move.cards) - count(move.twice)
    if left != stuck or taken & move.cards != NONE:
        return False
    faces = faces | open_room(table, seat.seat, RUN, skip) | open_room(table, seat.seat, SET, skip)
    return faces == NONE or (taken & table.wild == NONE and taken & faces == NONE)


# ---- legality -----------------------------------------------------------------------------


@kernel
def check_meld(table, seat, move):
    """LEGAL, or what laying the cards of the move as a new meld breaks."""
    if table.phase != TABLE:
        return breach.NOT_THIS_PHASE
    if move.cards & ~seat.hand != NONE or move.twice & ~(seat.twice & move.cards) != NONE:
        return breach.NOT_HELD
    kind, places = shape_of(table, move.cards, move.twice, move.substitutes)
    if kind < 0:
        return breach.NO_MELD
    if table.ONLY_TAKEN_LEFT != 0:
        faces = room(table, kind, places, move.cards, move.twice)
        if _strands_taken(table, seat, move, faces, -1):
            return breach.ONLY_TAKEN_LEFT
    return breach.LEGAL


@kernel
def fits(table, m, card, end, substitutes):
    """Whether a card, as itself or as its one substitute says, may go to that end of meld m."""
    meld = table.melds[m]
    place = np.int64(card)
    if substitutes != NONE:
        stands, place = stands_at(substitutes)
        if stands != card or place == card or bit(card) & table.wild == NONE:
            return False
        if place >= AS_RANK:
            rank = spread(U1 << np.uint64(place - AS_RANK))
            wide = meld.kind == SET and rank == meld.places and rank & table.wild == NONE
            return wide and room_of(table, m) != NONE and other_substitutes(substitutes) == NONE
        if meld.kind == SET or other_substitutes(substitutes) != NONE:
            return False
    if bit(place) & room_of(table, m) == NONE:
        return False
    return meld.kind == SET or (end == LOW) == (bit(place) < first_bit(meld.places))


@kernel
def check_layoff(table, seat, move):
    """LEGAL, or what laying off the one card of the move breaks.

    move.end: LOW or HIGH for a run; without meaning for a set.
    """
    if table.phase != TABLE:
        return breach.NOT_THIS_PHASE
    if count(move.cards) != 1 or move.cards & ~seat.hand != NONE or move.twice != NONE:
        return breach.NOT_HELD
    if move.meld < 0 or move.meld >= table.meld_count:
        return breach.NO_SUCH_MELD
    meld = table.melds[move.meld]
    if not is_open(table, meld.owner, seat.seat):
        return breach.MELD_CLOSED
    if not may_lay_off(table, seat.seat):
        return breach.NEEDS_OWN_MELD
    if not fits(table, move.meld, lowest(move.cards), move.end, move.substitutes):
        return breach.DOES_NOT_FIT
    if table.ONLY_TAKEN_LEFT != 0:
        places = meld.places | place_of(move)
        twice = meld.twice | (meld.cards & move.cards)
        faces = room(table, meld.kind, places, meld.cards | move.cards, twice)
        if _strands_taken(table, seat, move, faces, move.meld):
            return breach.ONLY_TAKEN_LEFT
    return breach.LEGAL


@kernel
def place_of(move):
    """The place (mask) that the card of a lay-off takes in a run; none in a set of another rank."""
    if move.substitutes == NONE:
        return move.cards
    place = stands_at(move.substitutes)[1]
    return NONE if place >= AS_RANK else bit(place)


# ---- moves --------------------------------------------------------------------------------


@kernel
def lay_off(table, card, m):
    """The lay-off of a card as itself on meld number m, at the end that it fits."""
    high = bit(card) > table.melds[m].places
    return Move(LAYOFF, bit(card), NONE, np.int64(m), HIGH if high else LOW, NONE)


@kernel
def lay_wild_off(table, card, m, end):
    """The lay-off of a wild card as a substitute on meld number m: at that end, or in the set."""
    meld = table.melds[m]
    if meld.kind == SET:
        place = AS_RANK + lowest(fold(meld.places))
    elif end == LOW:
        place = lowest(meld.places) - 1
    else:
        place = lowest(meld.places) + count(meld.places)
    return Move(LAYOFF, bit(card), NONE, np.int64(m), end, stand_in(NONE, card, place))


@kernel
def lay_meld(cards):
    """The move that lays these cards (mask) as a new meld, each as itself."""
    return Move(MELD, cards, NONE, np.int64(-1), LOW, NONE)


@kernel
def lay_twins(cards, twice):
    """The move that lays these faces as a new meld, those of `twice` with both copies."""
    return Move(MELD, cards, twice, np.int64(-1), LOW, NONE)


@kernel
def stop():
    """The answer of a seat that lays nothing more in this turn."""
    return Move(STOP, NONE, NONE, np.int64(-1), LOW, NONE)
