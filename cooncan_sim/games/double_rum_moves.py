"""Every legal move of the TABLE phase of `double_rum`, one after another.

Runs come first, then sets, lay-offs and joker moves. Two moves with the same tokens are one.
"""

import numpy as np

from cooncan_sim.bits import NONE, U1, U16, count, first_bit, fold, spread
from cooncan_sim.games import double_rum_breach as breach
from cooncan_sim.games.double_rum_state import SET
from cooncan_sim.games.double_rum_table import (
    JOKER,
    check_table,
    fits_table,
    lay_joker_off,
    lay_off,
    lay_run,
    lay_set,
    move_joker,
    places_for,
    run_room,
    stop,
)
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.aces_search import with_high_aces


@kernel
def table_move(table, seat, wanted):
    """How many legal moves there are but STOP, and number `wanted` of them (STOP if none is)."""
    found = np.int64(0)
    chosen = stop()
    found, chosen = _runs(table, seat, wanted, found, chosen)
    found, chosen = _sets(table, seat, wanted, found, chosen)
    found, chosen = _layoffs(table, seat, wanted, found, chosen)
    return _joker_moves(table, seat, wanted, found, chosen)


@kernel
def _add(table, seat, wanted, found, chosen, move):
    """Counts a move if it is legal, and keeps it if it is the one wanted."""
    if check_table(table, seat, move) != breach.LEGAL:
        return found, chosen
    return found + 1, move if found == wanted else chosen


@kernel
def _runs(table, seat, wanted, found, chosen):
    held = with_high_aces(seat.hand)
    for suit in range(4):
        for low in range(12):
            for size in range(3, 15 - low):
                run = (((U1 << np.uint64(size)) - U1) << np.uint64(low)) << (U16 * np.uint64(suit))
                if count(run & ~held) <= seat.jokers:
                    found, chosen = _fillings(table, seat, wanted, found, chosen, run, held)
    return found, chosen


@kernel
def _fillings(table, seat, wanted, found, chosen, run, held):
    """A run with jokers in its gaps, and with those to spare in every place of a natural card."""
    gaps = run & ~held
    spare = seat.jokers - count(gaps)
    found, chosen = _add(table, seat, wanted, found, chosen, lay_run(run, gaps))
    first = run & held
    while spare > 0 and first != NONE:
        one = first_bit(first)
        first = first & ~one
        found, chosen = _add(table, seat, wanted, found, chosen, lay_run(run, gaps | one))
        second = first
        while spare > 1 and second != NONE:
            two = first_bit(second)
            second = second & ~two
            found, chosen = _add(table, seat, wanted, found, chosen, lay_run(run, gaps | one | two))
    return found, chosen


@kernel
def _sets(table, seat, wanted, found, chosen):
    """Every choice of none, one or both copies in each suit, and of jokers."""
    ranks = fold(seat.hand)
    while ranks != NONE:
        rank = spread(first_bit(ranks))
        ranks = ranks & (ranks - U1)
        held = seat.hand & rank
        cards = held
        while cards != NONE:
            twice = seat.twice & cards
            twins = twice
            while True:
                for jokers in range(seat.jokers + 1):
                    if count(cards) + count(twins) + jokers >= 3:
                        move = lay_set(cards, twins, jokers)
                        found, chosen = _add(table, seat, wanted, found, chosen, move)
                if twins == NONE:
                    break
                twins = (twins - U1) & twice
            cards = (cards - U1) & held
    return found, chosen


@kernel
def _layoffs(table, seat, wanted, found, chosen):
    cards = seat.hand & (table.run_ends | table.set_ranks)
    while cards != NONE:
        face = first_bit(cards)
        cards = cards & ~face
        for m in range(table.meld_count):
            if table.melds[m].kind == SET:
                found, chosen = _add(table, seat, wanted, found, chosen, lay_off(face, NONE, m))
                continue
            places = places_for(table, m, face)
            while places != NONE:
                move = lay_off(face, first_bit(places), m)
                places = places & (places - U1)
                found, chosen = _add(table, seat, wanted, found, chosen, move)
    if seat.jokers > 0 and fits_table(table, seat, JOKER):
        found, chosen = _joker_layoffs(table, seat, wanted, found, chosen)
    return found, chosen


@kernel
def _joker_layoffs(table, seat, wanted, found, chosen):
    for m in range(table.meld_count):
        meld = table.melds[m]
        if meld.kind == SET:
            found, chosen = _add(table, seat, wanted, found, chosen, lay_joker_off(NONE, m))
            continue
        places = run_room(table, meld.places)
        while places != NONE:
            move = lay_joker_off(first_bit(places), m)
            places = places & (places - U1)
            found, chosen = _add(table, seat, wanted, found, chosen, move)
    return found, chosen


@kernel
def _joker_moves(table, seat, wanted, found, chosen):
    cards = seat.hand & (table.replacing | table.sliding)
    while cards != NONE:
        face = first_bit(cards)
        cards = cards & ~face
        for m in range(table.meld_count):
            found, chosen = _add(table, seat, wanted, found, chosen, move_joker(face, m))
    return found, chosen
