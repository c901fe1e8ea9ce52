"""What strategies of `wild_card` ask of the table and their own seat; see `view`."""

import numpy as np

from cooncan_sim.bits import ALL, NONE, U1, bit, count, last_to_throw, lowest, value
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan import legal_discards, play_down
from cooncan_sim.games.cooncan_state import (
    HIGH,
    LOW,
    MELD,
    RUN,
    SEAT_DTYPE,
    STOP,
    TABLE,
    TABLE_DTYPE,
    Move,
)
from cooncan_sim.games.cooncan_table import (
    AS_RANK,
    check_layoff,
    check_meld,
    lay_off,
    lay_wild_off,
    place_of,
    room_of,
    stand_in,
    stop,
)
from cooncan_sim.kernel import kernel, search_kernel
from cooncan_sim.melds import single, wild, wild_melds
from cooncan_sim.view import fits_table as fits_table
from cooncan_sim.view import next_layoff, next_meld_of, throwable
from cooncan_sim.view import stalled as stalled
from cooncan_sim.view import top_card as top_card
from cooncan_sim.view_hopes import Loose


@kernel
def wild_rank(table):
    """The rank number (int64) that is wild."""
    return lowest(table.wild)


@kernel
def is_wild(table, card):
    """Whether a card number is of the wild rank."""
    return bit(card) & table.wild != NONE


@kernel
def dead(table, hand):
    """Least deadwood (int64) of a hand by itself."""
    return wild.least_penalty(hand, wild_rank(table), table.WILD_MIN_NATURALS, table.WILD_PENALTY)


@kernel
def best_throw(table, hand, allowed):
    """`throw` of a hand and the deadwood it leaves (int64 each); allowed: faces that may go."""
    return wild.best_discard(
        hand, wild_rank(table), table.WILD_MIN_NATURALS, table.WILD_PENALTY, allowed
    )


@kernel
def after(table, hand, taken):
    """The deadwood (int64) that `throw` leaves of a hand; of the whole hand if none may go."""
    allowed = throwable(table, hand, NONE, taken)
    if allowed == NONE:
        return dead(table, hand)
    return best_throw(table, hand, allowed)[1]


@kernel
def better_with(table, seat, card, is_stalled):
    """Whether the top discard lowers the deadwood left after the best legal discard; see `view`."""
    if (seat.hand | bit(card)) & table.wild == NONE:
        if is_stalled:
            now = _natural_after(table, seat.hand, -1)
        else:
            now = single.least_penalty(seat.hand)
        return _natural_after(table, seat.hand | bit(card), card) < now
    return _better_with_wild(table, seat, card, is_stalled)


@kernel
def _natural_after(table, hand, taken):
    """`after` of a hand without a wild card."""
    allowed = throwable(table, hand, NONE, taken)
    if allowed == NONE:
        return single.least_penalty(hand)
    return single.best_discard(hand, allowed)[1]


@search_kernel
def _better_with_wild(table, seat, card, is_stalled):
    now = after(table, seat.hand, -1) if is_stalled else dead(table, seat.hand)
    hand = seat.hand | bit(card)
    allowed = throwable(table, hand, NONE, card)
    naturals = table.WILD_MIN_NATURALS
    return wild.leaves_less(hand, wild_rank(table), naturals, table.WILD_PENALTY, allowed, now)


@kernel
def throw(table, seat):
    """The plain card (int64) whose loss leaves the least deadwood; wild if no other may go."""
    allowed = legal_discards(table, seat)
    if seat.hand & table.wild == NONE:
        return single.best_discard(seat.hand, allowed)[0]
    return _throw_beside_wild(table, seat, allowed)


@search_kernel
def _throw_beside_wild(table, seat, allowed):
    return best_throw(table, seat.hand, allowed)[0]


@kernel
def before_melds(table, hand):
    """The `Rest` of a hand of which `melds` is to be found by `wild_melds.next_meld`."""
    return wild_melds.before_melds(
        hand, wild_rank(table), table.WILD_MIN_NATURALS, table.WILD_PENALTY
    )


@kernel
def loose_cards(table, seat):
    """The cards (mask) outside `melds` of the hand."""
    loose = seat.hand
    meld, rest = wild_melds.next_meld(before_melds(table, seat.hand))
    while meld.own != NONE:
        loose = loose & ~(meld.own | meld.fillers)
        meld, rest = wild_melds.next_meld(rest)
    return loose


@search_kernel
def throw_when_stalled(table, seat):
    """The plain card (int64) last in throw order, cards outside `melds` before the others."""
    allowed = legal_discards(table, seat)
    if allowed & ~table.wild != NONE:
        allowed = allowed & ~table.wild
    loose = allowed & loose_cards(table, seat)
    return last_to_throw(loose if loose != NONE else allowed)


@kernel
def loose_of(table, seat, hand):
    """A hand as `view_hopes.Loose`: the plain cards that `melds` leave of it."""
    left = hand & ~table.wild
    fits = table.run_ends[seat.seat] | table.set_gaps[seat.seat]
    meld, rest = wild_melds.next_meld(before_melds(table, hand))
    while meld.own != NONE:
        cards = meld.own | meld.fillers
        left = left & ~cards
        if meld.kind == RUN:
            fits = fits | (((meld.places << U1) | (meld.places >> U1)) & ALL & ~meld.places)
        elif count(cards) < 4:
            fits = fits | (meld.places & ~cards)
        meld, rest = wild_melds.next_meld(rest)
    return Loose(left, NONE, fits & ~table.wild, False)


@kernel
def next_meld(table, seat):
    """The first meld of `melds` that may be laid, as a move; STOP if there is none."""
    if seat.hand & table.wild != NONE:
        return _next_meld_with_wilds(table, seat)
    runs, sets = single.best_melds(seat.hand)
    return next_meld_of(table, seat, runs, sets)


@search_kernel
def _next_meld_with_wilds(table, seat):
    meld, rest = wild_melds.next_meld(before_melds(table, seat.hand))
    while meld.own != NONE:
        move = _move_of(meld)
        if check_meld(table, seat, move) == breach.LEGAL:
            return move
        meld, rest = wild_melds.next_meld(rest)
    return stop()


@kernel
def _move_of(meld):
    """A meld that `wild_melds.next_meld` found, as a move."""
    substitutes = NONE
    fillers = meld.fillers
    places = meld.places & ~meld.own
    while fillers != NONE:
        place = lowest(places)
        if meld.kind == RUN:
            places = places & (places - U1)
        else:
            place = AS_RANK + (place & 15)
        substitutes = stand_in(substitutes, lowest(fillers), place)
        fillers = fillers & (fillers - U1)
    cards = meld.own | meld.fillers
    return Move(np.int64(MELD), cards, NONE, np.int64(-1), np.int64(LOW), substitutes)


@kernel
def next_laying(table, seat):
    """The next move that lays all it can: melds, then plain cards, then wild ones; or STOP."""
    move = next_meld(table, seat)
    if move.action == STOP:
        move = next_layoff(table, seat)
    if move.action != STOP or seat.hand & table.wild == NONE:
        return move
    return _next_wild_layoff(table, seat)


@search_kernel
def _next_wild_layoff(table, seat):
    """The lay-off of the first wild card that can go, where most value can follow; or STOP.

    Ties: lowest meld number, high end before low end.
    """
    wilds = seat.hand & table.wild
    while wilds != NONE:
        card = lowest(wilds)
        wilds = wilds & (wilds - U1)
        best = stop()
        least = np.int64(1 << 30)
        for m in range(table.meld_count):
            for end in range(HIGH, LOW - 1, -1):
                move = _wild_layoff(table, card, m, end)
                if check_layoff(table, seat, move) == breach.LEGAL:
                    left = _value_left(table, seat, move)
                    if left < least:
                        best, least = move, left
        if best.action != STOP:
            return best
    return stop()


@kernel
def _wild_layoff(table, card, m, end):
    """A wild card on that end of meld m: as itself at its own place, else as a substitute."""
    meld = table.melds[m]
    if bit(card) & room_of(table, m) != NONE:
        move = lay_off(table, card, m)
        if meld.kind != RUN or move.end == end:
            return move
    return lay_wild_off(table, card, m, end)


@kernel
def _value_left(table, seat, move):
    """Points (int64) of plain cards left when this wild is laid off and plain ones follow it."""
    if table.ONLY_TAKEN_LEFT != 0 and table.taken >= 0:
        return _value_left_played(table, seat, move)
    left = seat.hand & ~table.wild
    if table.melds[move.meld].kind == RUN:
        # Where no plain card could go before, the place behind the wild is the only new one.
        place = place_of(move)
        while place != NONE:
            place = (place << U1 if move.end == HIGH else place >> U1) & left
            left = left & ~place
    return value(left)


@kernel
def _value_left_played(table, seat, move):
    """`_value_left` where a lay-off may be refused for what it leaves in hand: played out."""
    tables = np.empty(1, dtype=TABLE_DTYPE)
    seats = np.empty(1, dtype=SEAT_DTYPE)
    tables[0] = table
    seats[0] = seat
    shadow = tables[0]
    own = seats[0]
    while move.action != STOP:
        play_down(shadow, own, move)
        move = next_layoff(shadow, own)
    left = value(own.hand & ~table.wild)
    # The records lie in the arrays, which Numba frees after the last mention of their names.
    return left if tables.size == seats.size else np.int64(-1)


@kernel
def would_end(table, seat, hand, taken):
    """Whether laying all it can of a hand lets the seat go out in this turn; see `view`."""
    tables = np.empty(1, dtype=TABLE_DTYPE)
    seats = np.empty(1, dtype=SEAT_DTYPE)
    tables[0] = table
    seats[0] = seat
    shadow = tables[0]
    own = seats[0]
    own.hand = hand
    shadow.phase = TABLE
    shadow.taken = taken
    shadow.hand_sizes[seat.seat] = count(hand)
    move = next_laying(shadow, own)
    while move.action != STOP:
        play_down(shadow, own, move)
        if own.hand == NONE:
            return True
        move = next_laying(shadow, own)
    ends = shadow.hand_sizes[seat.seat] == 1 and legal_discards(shadow, own) != NONE
    return ends and tables.size == seats.size  # as above: the arrays have to last until here
