"""Melds on the table of `double_rum`: what is one, what may join it, every legal action."""

import numpy as np

from cooncan_sim.bits import NONE, U1, U2, count, first_bit, fold, lowest, spread
from cooncan_sim.games import double_rum_breach as breach
from cooncan_sim.games.double_rum_state import JOKER_MOVE, LAYOFF, MELD, RUN, SET, STOP, TABLE, Move
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.aces_search import ACES, PLACES, faces_of, with_high_aces

JOKER = 64  # as a card number
JOKER_BIT = np.uint64(1 << 63)
_U13, _U63 = np.uint64(13), np.uint64(63)


# ---- cards --------------------------------------------------------------------------------


@kernel
def card_bit(card):
    """The mask of a card number; bit 63 for the joker."""
    return U1 << np.uint64(card - (card >> 6))


@kernel
def card_at(place):
    """The card number (int64) of a place in a mask; the inverse of `card_bit`."""
    return place + (place == 63)


@kernel
def with_jokers(cards, jokers):
    """A mask of faces, and bit 63 if there is a joker."""
    return cards | (np.uint64(jokers > 0) << _U63)


@kernel
def twins(twice, jokers):
    """A mask of the faces held twice, and bit 63 if there are both jokers."""
    return twice | (np.uint64(jokers > 1) << _U63)


@kernel
def both_ends(places):
    """The aces (faces) that stand at both ends of a run."""
    return places & (places >> _U13) & ACES


@kernel
def cards_moved(move):
    """How many cards (int64) leave the hand with a move."""
    return count(move.cards) + count(move.twice) + move.jokers


# ---- melds --------------------------------------------------------------------------------


@kernel
def is_meld(table, move):
    """Whether the cards of a MELD are a set or a run (R-DBR-08 … R-DBR-10, RUN_BOTH_ACES)."""
    if move.places == NONE:
        return count(fold(move.cards)) == 1 and cards_moved(move) >= 3
    size = count(move.places)
    naturals = move.places & ~move.stands
    if size < 3 or naturals == NONE or (size == 14 and table.RUN_BOTH_ACES != 0):
        return False
    if move.places & ~PLACES != NONE or move.stands & ~move.places != NONE:
        return False
    if faces_of(naturals) != move.cards or both_ends(naturals) != move.twice:
        return False
    chain = move.places >> np.uint64(lowest(move.places))
    return chain & (chain + U1) == NONE and count(move.stands) == move.jokers


@kernel
def run_room(table, places):
    """The free places (mask) at the ends of a run."""
    if table.RUN_BOTH_ACES != 0 and count(places) == 13:
        return NONE
    return ((places << U1) | (places >> U1)) & PLACES & ~places


@kernel
def _ends(places):
    """The lowest and the highest place (masks) of a run."""
    first = first_bit(places)
    return first, (places + first) >> U1


@kernel
def replacing_faces(table, places, stands, locked):
    """The faces (mask) that may replace a joker of a run, which goes to its other end (R-DBR-17).

    Only a joker at an end moves, and only once (R-DBR-19, R-DBR-20).
    """
    movable = stands & ~locked
    if movable == NONE or run_room(table, places) == NONE:
        return NONE
    first, last = _ends(places)
    below = (first >> U1) & PLACES
    above = (last << U1) & PLACES
    found = NONE
    if below != NONE:
        found = movable & last
    if above != NONE:
        found = found | (movable & first)
    return faces_of(found)


@kernel
def sliding_faces(table, places, stands, locked):
    """The faces (mask) for which a joker of a run may go to the other end, there to be inside.

    The card is added beyond the joker's new place (JOKER_MOVE_MODE `foster`).
    """
    movable = stands & ~locked
    if movable == NONE or table.JOKER_MOVE_MODE == 0:
        return NONE
    first, last = _ends(places)
    found = NONE
    if movable & last != NONE:
        found = (first >> U2) & PLACES
    if movable & first != NONE:
        found = found | ((last << U2) & PLACES)
    return faces_of(found)


@kernel
def joker_moved(table, places, stands, locked, face):
    """(places, stands, locked) of a run when a joker has moved for this face; places 0: it cannot.

    Where a face could do both, it replaces a joker; where it could be added at both ends, it is at
    the low one.
    """
    first, last = _ends(places)
    movable = stands & ~locked
    if face & replacing_faces(table, places, stands, locked) != NONE:
        at_last = movable & last != NONE and faces_of(last) == face
        old, new = (last, first >> U1) if at_last else (first, last << U1)
        return places | new, (stands & ~old) | new, locked | new
    if face & sliding_faces(table, places, stands, locked) != NONE:
        at_last = movable & last != NONE and faces_of((first >> U2) & PLACES) == face
        old, new = (last, first >> U1) if at_last else (first, last << U1)
        added = first >> U2 if at_last else last << U2
        return (places & ~old) | new | added, (stands & ~old) | new, locked | new
    return NONE, NONE, NONE


# ---- what fits where ----------------------------------------------------------------------


@kernel
def may_lay_off(table, seat):
    """Whether the seat is free to lay off at all (LAYOFF_NEEDS_OWN_MELD)."""
    return table.LAYOFF_NEEDS_OWN_MELD == 0 or table.melded[seat] > 0


@kernel
def open_faces(table, skip):
    """The faces (masks) that fit runs, fit sets, replace a joker, make one slide.

    Of all melds but number `skip`.
    """
    ends = ranks = replacing = sliding = NONE
    for m in range(table.meld_count):
        meld = table.melds[m]
        if m != skip and meld.kind == SET:
            ranks = ranks | meld.places
        elif m != skip:
            ends = ends | faces_of(run_room(table, meld.places))
            run = meld.places, meld.stands, meld.locked
            replacing = replacing | replacing_faces(table, *run)
            sliding = sliding | sliding_faces(table, *run)
    return ends, ranks, replacing, sliding


@kernel
def reopen(table):
    """Finds anew what fits the melds on the table; called after every table action."""
    table.run_ends, table.set_ranks, table.replacing, table.sliding = open_faces(table, -1)


@kernel
def fits_table(table, seat, card):
    """Whether this seat could at once lay the card off, or move a joker for it."""
    room = table.run_ends | table.set_ranks
    if not may_lay_off(table, seat.seat):
        room = NONE
    if card == JOKER:
        return room != NONE
    return card_bit(card) & (room | table.replacing | table.sliding) != NONE


# ---- the card just taken ------------------------------------------------------------------


@kernel
def may_go_back(table):
    """Whether the card just taken may be thrown (RETURN_TAKEN_DISCARD, R-DBR-26)."""
    return table.RETURN_TAKEN_DISCARD != 0 and table.stock > 0


@kernel
def _strands_taken(table, seat, move, places, stands, locked):
    """Whether a move leaves the card just taken alone with no place (ONLY_TAKEN_LEFT).

    places, stands, locked: of the run it lays or changes, as it will be; empty for a set.
    """
    if table.taken < 0:
        return False
    taken = card_bit(table.taken)
    twin = taken & twins(seat.twice, seat.jokers) != NONE
    # By face a twin of the taken card is as stuck as that card.
    stuck = 2 if table.TAKEN_CARD_MATCH != 0 and twin else 1
    if table.hand_sizes[seat.seat] - cards_moved(move) != stuck:
        return False
    if may_go_back(table) and (stuck == 2 or table.GO_OUT_BY_DISCARD == 0):
        return False
    if taken & with_jokers(move.cards, move.jokers) != NONE:
        return False
    ends, ranks, replacing, sliding = open_faces(table, move.meld)
    if places == NONE:
        ranks = ranks | spread(fold(move.cards))
        if move.meld >= 0:
            ranks = ranks | table.melds[move.meld].places
    else:
        ends = ends | faces_of(run_room(table, places))
        replacing = replacing | replacing_faces(table, places, stands, locked)
        sliding = sliding | sliding_faces(table, places, stands, locked)
    room = ends | ranks
    if move.action != MELD and not may_lay_off(table, seat.seat):
        room = NONE
    if table.taken == JOKER:
        return room == NONE
    return taken & (room | replacing | sliding) == NONE


# ---- legality -----------------------------------------------------------------------------


@kernel
def check_table(table, seat, move):
    """LEGAL, or what this move of the TABLE phase breaks."""
    if move.action != MELD and move.action != LAYOFF and move.action != JOKER_MOVE:
        return breach.NO_ANSWER
    if table.phase != TABLE:
        return breach.NOT_THIS_PHASE
    cards, twice = move.cards & ~seat.hand, move.twice & ~(seat.twice & move.cards)
    if cards | twice != NONE or not 0 <= move.jokers <= seat.jokers:
        return breach.NOT_HELD
    if move.action == MELD:
        return _check_meld(table, seat, move)
    if cards_moved(move) != 1 or move.twice != NONE:
        return breach.NOT_HELD
    if move.meld < 0 or move.meld >= table.meld_count:
        return breach.NO_SUCH_MELD
    if move.action == LAYOFF:
        return _check_layoff(table, seat, move)
    return _check_joker_move(table, seat, move)


@kernel
def _check_meld(table, seat, move):
    if move.meld != -1 or not is_meld(table, move):
        return breach.NO_MELD
    if table.ONLY_TAKEN_LEFT != 0:
        if _strands_taken(table, seat, move, move.places, move.stands, NONE):
            return breach.ONLY_TAKEN_LEFT
    return breach.LEGAL


@kernel
def _check_layoff(table, seat, move):
    meld = table.melds[move.meld]
    if not may_lay_off(table, seat.seat):
        return breach.NEEDS_OWN_MELD
    places = stands = NONE
    if meld.kind == SET:
        fits = move.places == NONE and move.cards & ~meld.places == NONE
    else:
        fits = count(move.places) == 1 and move.places & run_room(table, meld.places) != NONE
        fits = fits and (move.jokers == 1 or faces_of(move.places) == move.cards)
        places, stands = meld.places | move.places, meld.stands | move.stands
    if not fits or move.stands != (move.places if move.jokers == 1 else NONE):
        return breach.DOES_NOT_FIT
    if table.ONLY_TAKEN_LEFT != 0:
        if _strands_taken(table, seat, move, places, stands, meld.locked):
            return breach.ONLY_TAKEN_LEFT
    return breach.LEGAL


@kernel
def _check_joker_move(table, seat, move):
    meld = table.melds[move.meld]
    if meld.kind == SET or move.jokers != 0:
        return breach.NO_JOKER_TO_MOVE
    run = joker_moved(table, meld.places, meld.stands, meld.locked, move.cards)
    if run[0] == NONE:
        return breach.NO_JOKER_TO_MOVE
    if table.ONLY_TAKEN_LEFT != 0:
        if _strands_taken(table, seat, move, *run):
            return breach.ONLY_TAKEN_LEFT
    return breach.LEGAL


# ---- moves --------------------------------------------------------------------------------


@kernel
def lay_set(cards, twice, jokers):
    """The move that lays these faces, those of `twice` with both copies, and jokers as a set."""
    return Move(np.int64(MELD), cards, twice, np.int64(jokers), NONE, NONE, np.int64(-1))


@kernel
def lay_run(places, stands):
    """The move that lays a run of these places, those of `stands` taken by jokers."""
    naturals = places & ~stands
    cards, twice = faces_of(naturals), both_ends(naturals)
    return Move(np.int64(MELD), cards, twice, count(stands), places, stands, np.int64(-1))


@kernel
def lay_off(face, place, m):
    """The lay-off of a face (mask) at this place of run number m; on a set the place is empty."""
    return Move(np.int64(LAYOFF), face, NONE, np.int64(0), place, NONE, np.int64(m))


@kernel
def lay_joker_off(place, m):
    """The lay-off of a joker at this place of run number m; on a set the place is empty."""
    return Move(np.int64(LAYOFF), NONE, NONE, np.int64(1), place, place, np.int64(m))


@kernel
def move_joker(face, m):
    """The move that puts down a face (mask) for which a joker of run number m moves."""
    return Move(np.int64(JOKER_MOVE), face, NONE, np.int64(0), NONE, NONE, np.int64(m))


@kernel
def stop():
    """The answer of a seat that lays nothing more in this turn."""
    return Move(np.int64(STOP), NONE, NONE, np.int64(0), NONE, NONE, np.int64(-1))


@kernel
def places_for(table, m, face):
    """The places (mask) at the ends of run number m that a face fits: an ace may fit both."""
    return with_high_aces(face) & run_room(table, table.melds[m].places)


@kernel
def put_down(table, owner, move):
    """Adds a legal move to the melds on the table."""
    if move.action == MELD:
        meld = table.melds[table.meld_count]
        meld.owner = owner
        meld.kind = SET if move.places == NONE else RUN
        meld.cards = move.cards
        meld.twice = move.twice
        meld.jokers = move.jokers
        meld.places = spread(fold(move.cards)) if move.places == NONE else move.places
        meld.stands = move.stands
        meld.locked = NONE
        table.meld_count += 1
        table.melded[owner] += 1
        return
    meld = table.melds[move.meld]
    if move.action == JOKER_MOVE:
        meld.places, meld.stands, meld.locked = joker_moved(
            table, meld.places, meld.stands, meld.locked, move.cards
        )
    else:
        meld.places |= move.places
        meld.stands |= move.stands
    meld.twice |= meld.cards & move.cards
    meld.cards |= move.cards
    meld.jokers += move.jokers
