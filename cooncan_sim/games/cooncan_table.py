"""Melds on the table of the `jaques` engine: what is one, what may join it, every legal action."""

import numpy as np

from cooncan_sim.bits import (
    ALL,
    NONE,
    U1,
    bit,
    count,
    first_bit,
    fold,
    lowest,
    spread,
)
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan_state import HIGH, LAYOFF, LOW, MELD, RUN, SET, STOP, TABLE, Move
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.single import grouped, running


@kernel
def kind_of(cards):
    """RUN or SET for a mask that is a meld (R-JAQ-12, R-JAQ-13), else -1."""
    size = count(cards)
    if size < 3:
        return -1
    if size <= 4 and count(fold(cards)) == 1:
        return SET
    # The empty bits above each king keep a chain of bits inside one suit.
    chain = cards >> np.uint64(lowest(cards))
    return RUN if chain & (chain + U1) == NONE else -1


@kernel
def room(kind, cards):
    """The faces (mask) that may join a meld of this kind and these cards (R-JAQ-12, R-JAQ-28)."""
    if kind == RUN:
        return ((cards << U1) | (cards >> U1)) & ALL & ~cards
    return spread(fold(cards)) & ~cards


@kernel
def is_open(table, owner, seat):
    """Whether the melds of `owner` are open to `seat` (LAYOFF_SCOPE)."""
    return table.LAYOFF_SCOPE == 0 or owner == seat


@kernel
def may_lay_off(table, seat):
    """Whether the seat is free to lay off at all (LAYOFF_NEEDS_OWN_MELD)."""
    return table.LAYOFF_NEEDS_OWN_MELD == 0 or table.melded[seat] > 0


@kernel
def open_room(table, seat, skip):
    """The faces that fit melds open to the seat, without meld number `skip` (-1: all)."""
    faces = NONE
    for m in range(table.meld_count):
        meld = table.melds[m]
        if m != skip and is_open(table, meld.owner, seat):
            faces = faces | room(meld.kind, meld.cards)
    return faces


@kernel
def reopen(table):
    """Finds anew which faces each seat may lay off; called after every table action."""
    for seat in range(table.players):
        ends = NONE
        gaps = NONE
        if may_lay_off(table, seat):
            for m in range(table.meld_count):
                meld = table.melds[m]
                if is_open(table, meld.owner, seat):
                    if meld.kind == RUN:
                        ends = ends | room(RUN, meld.cards)
                    else:
                        gaps = gaps | room(SET, meld.cards)
        table.run_ends[seat] = ends
        table.set_gaps[seat] = gaps


@kernel
def _leaves_only_taken(table, seat, cards, faces):
    """Whether playing `cards` leaves the card just taken alone, with no place among `faces`."""
    if table.ONLY_TAKEN_LEFT == 0 or table.taken < 0:
        return False
    taken = bit(table.taken)
    return seat.hand & ~cards == taken and taken & faces == NONE


@kernel
def check_meld(table, seat, cards):
    """LEGAL, or what laying these cards (mask) as a new meld breaks."""
    if table.phase != TABLE:
        return breach.NOT_THIS_PHASE
    if cards & ~seat.hand != NONE:
        return breach.NOT_HELD
    kind = kind_of(cards)
    if kind < 0:
        return breach.NO_MELD
    if table.ONLY_TAKEN_LEFT != 0:
        faces = room(kind, cards) | open_room(table, seat.seat, -1)
        if _leaves_only_taken(table, seat, cards, faces):
            return breach.ONLY_TAKEN_LEFT
    return breach.LEGAL


@kernel
def check_layoff(table, seat, cards, m, end):
    """LEGAL, or what laying the one card of the mask on meld number m breaks.

    end: LOW or HIGH for a run; without meaning for a set.
    """
    if table.phase != TABLE:
        return breach.NOT_THIS_PHASE
    if count(cards) != 1 or cards & ~seat.hand != NONE:
        return breach.NOT_HELD
    if m < 0 or m >= table.meld_count:
        return breach.NO_SUCH_MELD
    meld = table.melds[m]
    if not is_open(table, meld.owner, seat.seat):
        return breach.MELD_CLOSED
    if not may_lay_off(table, seat.seat):
        return breach.NEEDS_OWN_MELD
    if cards & room(meld.kind, meld.cards) == NONE:
        return breach.DOES_NOT_FIT
    if meld.kind == RUN and (end == LOW) != (cards < first_bit(meld.cards)):
        return breach.DOES_NOT_FIT
    if table.ONLY_TAKEN_LEFT != 0:
        faces = room(meld.kind, meld.cards | cards) | open_room(table, seat.seat, m)
        if _leaves_only_taken(table, seat, cards, faces):
            return breach.ONLY_TAKEN_LEFT
    return breach.LEGAL


@kernel
def find_meld(table, seat, card):
    """The number of the first meld (int64) that takes this card from the seat, runs before sets.

    -1 if none does.
    """
    found = np.int64(-1)
    if not may_lay_off(table, seat):
        return found
    for m in range(table.meld_count):
        meld = table.melds[m]
        if bit(card) & room(meld.kind, meld.cards) != NONE and is_open(table, meld.owner, seat):
            if meld.kind == RUN:
                return np.int64(m)
            if found < 0:
                found = np.int64(m)
    return found


@kernel
def lay_off(table, card, m):
    """The lay-off of a card on meld number m, at the end that it fits."""
    high = bit(card) > table.melds[m].cards
    return Move(LAYOFF, bit(card), np.int64(m), HIGH if high else LOW)


@kernel
def lay_meld(cards):
    """The move that lays these cards (mask) as a new meld."""
    return Move(MELD, cards, np.int64(-1), LOW)


@kernel
def stop():
    """The answer of a seat that lays nothing more in this turn."""
    return Move(STOP, NONE, np.int64(-1), LOW)


@kernel
def table_moves(table, seat, out):
    """Every legal move of the TABLE phase but STOP, into out, shape (moves,) of MOVE_DTYPE.

    Runs, sets, then lay-offs, each in card order. Returns how many there are; those beyond the
    length of `out` are counted and not written.
    """
    found = np.int64(0)
    starts = running(seat.hand)
    while starts != NONE:
        first = first_bit(starts)
        starts = starts & ~first
        cards = first
        while (cards << U1) & seat.hand & ~cards != NONE:
            cards = cards | ((cards << U1) & seat.hand)
            if count(cards) >= 3 and check_meld(table, seat, cards) == breach.LEGAL:
                found = _list_move(out, found, lay_meld(cards))
    found = _list_sets(table, seat, out, found)
    rest = seat.hand & (table.run_ends[seat.seat] | table.set_gaps[seat.seat])
    while rest != NONE:
        card = first_bit(rest)
        rest = rest & ~card
        for m in range(table.meld_count):
            move = lay_off(table, lowest(card), m)
            if check_layoff(table, seat, card, m, move.end) == breach.LEGAL:
                found = _list_move(out, found, move)
    return found


@kernel
def _list_sets(table, seat, out, found):
    """The part of `table_moves` that lists sets: of each rank the whole, then one card less."""
    ranks = fold(grouped(seat.hand))
    while ranks != NONE:
        held = seat.hand & spread(first_bit(ranks))
        ranks = ranks & (ranks - U1)
        if check_meld(table, seat, held) == breach.LEGAL:
            found = _list_move(out, found, lay_meld(held))
        without = held
        while count(held) == 4 and without != NONE:
            cards = held & ~first_bit(without)
            without = without & (without - U1)
            if check_meld(table, seat, cards) == breach.LEGAL:
                found = _list_move(out, found, lay_meld(cards))
    return found


@kernel
def _list_move(out, found, move):
    """Writes a move if there is space for it; the new number of moves."""
    if found < out.shape[0]:
        row = out[found]  # as plain Python it has names, but no attributes
        row["action"] = move.action
        row["cards"] = move.cards
        row["meld"] = move.meld
        row["end"] = move.end
    return found + 1
