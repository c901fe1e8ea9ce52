"""Every legal table action of a player who is down in `konkan`, one after another.

Runs come first, then sets, hits, exchanges. Jokers stand where the search of RULES, Part 3,
*Best melds* would place them: anywhere in a run, at either end when they are hit, and in sets for
the first missing suits.
"""

import numpy as np

from cooncan_sim.bits import NONE, U1, U16, count, first_bit, fold, spread
from cooncan_sim.games import konkan_breach as breach
from cooncan_sim.games.konkan_state import SET
from cooncan_sim.games.konkan_table import (
    check_table,
    freeing,
    hit_card,
    hit_joker,
    joker_room,
    lay_pair,
    place_for,
    room,
    stop,
    swap_joker,
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
    found, chosen = _hits(table, seat, wanted, found, chosen)
    found, chosen = _joker_hits(table, seat, wanted, found, chosen)
    return _swaps(table, seat, wanted, found, chosen)


@kernel
def _counted(table, seat, wanted, found, chosen, move):
    """Counts a move if it is legal, and keeps it if it is the one wanted."""
    if check_table(table, seat, move) != breach.LEGAL:
        return found, chosen
    return found + 1, move if found == wanted else chosen


@kernel
def _runs(table, seat, wanted, found, chosen):
    held = with_high_aces(seat.hand)
    most = min(seat.jokers, table.KK_JOKERS_PER_PAIR)
    for suit in range(4):
        lane = U16 * np.uint64(suit)
        for low in range(12):
            for length in range(3, 15 - low):
                places = (((U1 << np.uint64(length)) - U1) << np.uint64(low)) << lane
                if count(places & ~held) <= most:
                    found, chosen = _run(table, seat, wanted, found, chosen, places, most)
    return found, chosen


@kernel
def _run(table, seat, wanted, found, chosen, places, most):
    """The run of these places with jokers at every choice of them."""
    first = NONE
    while True:
        second = first
        while True:
            jokers = first | second
            if count(jokers) <= most:
                move = lay_pair(places, jokers)
                found, chosen = _counted(table, seat, wanted, found, chosen, move)
            # From one place to the next above it, from none to the lowest.
            second = _next_place(places, second)
            if second == NONE or first == NONE:
                break
        first = _next_place(places, first)
        if first == NONE:
            return found, chosen


@kernel
def _next_place(places, place):
    """The place of a run above this one; the lowest after none, none after the highest."""
    return first_bit(places) if place == NONE else (place << U1) & places


@kernel
def _sets(table, seat, wanted, found, chosen):
    most = min(seat.jokers, table.KK_JOKERS_PER_PAIR)
    ranks = fold(seat.hand)
    while ranks != NONE:
        rank = spread(first_bit(ranks))
        ranks = ranks & (ranks - U1)
        held = seat.hand & rank
        naturals = held
        while naturals != NONE:
            jokers = NONE
            missing = rank & ~naturals
            while True:
                move = lay_pair(naturals | jokers, jokers)
                found, chosen = _counted(table, seat, wanted, found, chosen, move)
                if missing == NONE or count(jokers) == most:
                    break
                jokers = jokers | first_bit(missing)
                missing = missing & (missing - U1)
            naturals = (naturals - U1) & held
    return found, chosen


@kernel
def _hits(table, seat, wanted, found, chosen):
    cards = seat.hand & (table.run_gaps | table.set_gaps)
    while cards != NONE:
        face = first_bit(cards)
        cards = cards & ~face
        for m in range(table.meld_count):
            meld = table.melds[m]
            free = room(table, meld.kind, meld.places, meld.jokers)
            place = place_for(free, face)
            while place != NONE:
                found, chosen = _counted(table, seat, wanted, found, chosen, hit_card(place, m))
                free = free & ~place
                place = place_for(free, face)
    return found, chosen


@kernel
def _joker_hits(table, seat, wanted, found, chosen):
    if seat.jokers == 0:
        return found, chosen
    for m in range(table.meld_count):
        meld = table.melds[m]
        free = joker_room(table, meld.kind, meld.places, meld.jokers)
        if meld.kind == SET:
            free = first_bit(free)
        while free != NONE:
            move = hit_joker(first_bit(free), m)
            found, chosen = _counted(table, seat, wanted, found, chosen, move)
            free = free & (free - U1)
    return found, chosen


@kernel
def _swaps(table, seat, wanted, found, chosen):
    for m in range(table.meld_count):
        meld = table.melds[m]
        faces = seat.hand & freeing(table, meld.kind, meld.places, meld.jokers)
        while faces != NONE:
            move = swap_joker(first_bit(faces), m)
            found, chosen = _counted(table, seat, wanted, found, chosen, move)
            faces = faces & (faces - U1)
    return found, chosen
