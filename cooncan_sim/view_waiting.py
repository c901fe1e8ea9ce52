"""Keeping melds of three back at a one-pack table: which of them wait, and how long they have."""

import numpy as np

from cooncan_sim.bits import ALL, NONE, U1, bit, count, fold, lowest, spread
from cooncan_sim.games.cooncan import legal_discards
from cooncan_sim.games.cooncan_state import RUN, SET, STOP
from cooncan_sim.kernel import kernel
from cooncan_sim.melds import single
from cooncan_sim.view import next_layoff_of, next_meld_of, throw, would_end
from cooncan_sim.view_reading import unseen_cards

# How many turns a meld has been kept stands in four bits of seat.memory: those of a set's rank in
# the first number, those of a run's lowest card in the number of its suit, after that one.
_DIGIT = 15


@kernel
def _turns_kept(meld, kind):
    """Where that count is: (which number of the memory, by how many bits it is shifted)."""
    card = lowest(meld)
    return (0 if kind == SET else 1 + (card >> 4)), 4 * (card & 15)


@kernel
def _grows(meld, kind, unseen):
    """Whether an unseen card would make a meld of three one of four."""
    if kind == SET:
        return unseen & spread(fold(meld)) != NONE
    return ((meld << U1) | (meld >> U1)) & ALL & ~meld & unseen != NONE


@kernel
def _a_card_ends(table, seat, hand, unseen):
    """Whether some unseen card, drawn next, would let this hand (mask) go out at once."""
    while unseen != NONE:
        if would_end(table, seat, hand | bit(lowest(unseen)), NONE, -1):
            return True
        unseen = unseen & (unseen - U1)
    return False


@kernel
def waiting_melds(table, seat, kind, turns):
    """The cards (mask) of melds of three of a kind (RUN, SET) that are kept back in this turn.

    Each for so many turns, while an unseen card would make it four or let the hand that is left
    after the discard go out at once; none of whose cards would have to be thrown.
    """
    runs, sets = single.best_melds(seat.hand)
    melds = sets if kind == SET else runs
    kept = NONE
    if melds == NONE:
        return kept
    allowed = legal_discards(table, seat)
    thrown = bit(throw(table, seat)) if allowed != NONE else NONE
    unseen = unseen_cards(table, seat)
    ends = _a_card_ends(table, seat, seat.hand & ~thrown, unseen)
    while melds != NONE:
        meld = single.first_meld(melds if kind == RUN else NONE, melds if kind == SET else NONE)
        melds = melds & ~meld
        number, shift = _turns_kept(meld, kind)
        is_new = seat.memory[number] >> shift & _DIGIT < turns
        if count(meld) == 3 and is_new and meld & thrown == NONE:
            if ends or _grows(meld, kind, unseen):
                kept = kept | meld
    return kept


@kernel
def note_waiting(seat, kept, kind):
    """Counts one turn more for each of these melds of three."""
    while kept != NONE:
        meld = single.first_meld(kept if kind == RUN else NONE, kept if kind == SET else NONE)
        kept = kept & ~meld
        number, shift = _turns_kept(meld, kind)
        seat.memory[number] += np.int64(1) << shift


@kernel
def next_laying_but(table, seat, kept):
    """The next move that lays all it can but these cards (mask): melds, then lay-offs; or STOP."""
    runs, sets = single.best_melds(seat.hand)
    move = next_meld_of(table, seat, runs & ~kept, sets & ~kept)
    if move.action == STOP:
        move = next_layoff_of(table, seat, seat.hand & ~kept, RUN, False)
    if move.action == STOP:
        move = next_layoff_of(table, seat, seat.hand & ~kept, SET, False)
    return move
