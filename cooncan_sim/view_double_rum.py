"""What strategies of `double_rum` ask of the table and their own seat.

A decision is called with two records, `table` (public) and `seat` (the strategy's own); their
fields are listed in `games.double_rum_state`. Cards are card numbers, the joker 64; sets of faces
are masks. The terms `dead`, `after`, `throw` and `melds` are those of RULES, Part 3.
"""

import numpy as np

from cooncan_sim.bits import ALL, NONE, U1, count, first_bit, fold, lowest, spread
from cooncan_sim.games import double_rum_breach as breach
from cooncan_sim.games.double_rum import hand_value, legal_discards, play_down
from cooncan_sim.games.double_rum_moves import table_move
from cooncan_sim.games.double_rum_state import RUN, SEAT_DTYPE, SET, STOP, TABLE, TABLE_DTYPE
from cooncan_sim.games.double_rum_table import (
    JOKER,
    JOKER_BIT,
    card_at,
    card_bit,
    check_table,
    lay_joker_off,
    lay_off,
    lay_run,
    lay_set,
    may_go_back,
    may_lay_off,
    move_joker,
    places_for,
    replacing_faces,
    run_room,
    sliding_faces,
    stop,
)
from cooncan_sim.games.double_rum_table import fits_table as fits_table
from cooncan_sim.kernel import kernel
from cooncan_sim.melds import rum
from cooncan_sim.melds.aces_search import POINT, faces_of, plus, without
from cooncan_sim.melds.order_search import ROW
from cooncan_sim.melds.rum_search import (
    JOKER_POINTS,
    NO_BOUND,
    least_cost,
    throw_place,
    thrown_card,
)
from cooncan_sim.rng import below, below_many
from cooncan_sim.view import PILE as PILE
from cooncan_sim.view import STOCK as STOCK
from cooncan_sim.view import nth_card
from cooncan_sim.view import ranks_between as ranks_between
from cooncan_sim.view import stalled as stalled
from cooncan_sim.view import top_card as top_card
from cooncan_sim.view_hopes import Loose
from cooncan_sim.view_reading import own_turns as own_turns

_MOST_MELDS = 5  # of a hand


# ---- deadwood -----------------------------------------------------------------------------


@kernel
def dead(seat):
    """Least deadwood (int64) of the seat's hand by itself."""
    return rum.least_penalty(seat.hand, seat.twice, seat.jokers)


@kernel
def after(table, seat):
    """The deadwood (int64) that `throw` leaves of the seat's hand, with no card just taken."""
    if table.GO_OUT_BY_DISCARD != 0 and table.hand_sizes[seat.seat] == 1:
        return dead(seat)
    return rum.best_discard(seat.hand, seat.twice, seat.jokers, seat.hand, True)[1]


@kernel
def after_taking(table, seat, card):
    """The deadwood (int64) that `throw` leaves of the hand with this face, just taken, in it."""
    hand, twice = with_card(seat, card)
    allowed = throwable(table, hand, twice, card)
    return rum.best_discard(hand, twice, seat.jokers, allowed, True)[1]


@kernel
def with_card(seat, card):
    """The seat's hand with one more face (card number or joker): faces held, faces held twice."""
    return plus(seat.hand, seat.twice, card_bit(card))


@kernel
def throwable(table, hand, twice, card):
    """The faces (mask) of a hand that could be thrown, with this face just taken."""
    face = card_bit(card)
    if not may_go_back(table) and (table.TAKEN_CARD_MATCH != 0 or twice & face == NONE):
        return hand & ~face
    return hand


@kernel
def better_with(table, seat, card, is_stalled):
    """Whether the top discard lowers the deadwood that is left after the best legal discard.

    Compared with the deadwood of the hand as it is, or, stalled, with that after a discard.
    """
    return after_taking(table, seat, card) < (after(table, seat) if is_stalled else dead(seat))


@kernel
def throw(table, seat):
    """The card number (int64) whose loss leaves the least deadwood; a joker if no other may go."""
    allowed = legal_discards(table, seat)
    jokers_too = allowed & JOKER_BIT != NONE
    return rum.best_discard(seat.hand, seat.twice, seat.jokers, allowed & ALL, jokers_too)[0]


@kernel
def loose_faces(table, seat):
    """The faces (mask) of which a copy is outside `melds` of the hand."""
    rows = np.empty((_MOST_MELDS, ROW), dtype=np.int64)
    hand, twice = seat.hand, seat.twice
    for i in range(best_melds(table, seat, rows)):
        move = move_of(rows[i])
        hand, twice = without(hand, twice, move.cards)
        hand, twice = without(hand, twice, move.twice)
    return hand


@kernel
def loose_of(table, hand, twice, jokers):
    """A hand as `view_hopes.Loose`: the plain cards that `melds` leave of it."""
    rows = np.empty((_MOST_MELDS, ROW), dtype=np.int64)
    fits = table.run_ends | table.set_ranks | table.replacing | table.sliding
    both_aces = table.RUN_BOTH_ACES == 0
    for i in range(rum.best_melds(hand, twice, jokers, both_aces, rows)):
        move = move_of(rows[i])
        hand, twice = without(hand, twice, move.cards)
        hand, twice = without(hand, twice, move.twice)
        if rows[i, 0] == RUN:
            fits = fits | faces_of(run_room(table, move.places))
        else:
            fits = fits | spread(fold(move.cards))
    return Loose(hand, twice, fits & ALL, True)


@kernel
def throw_when_stalled(table, seat):
    """The plain card (int64) last in throw order, cards outside `melds` before the others."""
    allowed = legal_discards(table, seat) & ALL
    if allowed == NONE:
        return np.int64(JOKER)
    loose = allowed & loose_faces(table, seat)
    return last_to_throw(loose if loose != NONE else allowed)


@kernel
def first_to_throw(faces):
    """The card number (int64) that comes first in throw order: dearest, then K … 2, S H D C."""
    return thrown_card(throw_place(faces))


@kernel
def last_to_throw(faces):
    """The card number (int64) that comes last in throw order: 2 … K, aces last of all."""
    ranks = fold(faces)
    if ranks != U1:
        ranks = ranks & ~U1
    cards = faces & spread(first_bit(ranks))
    while cards & (cards - U1) != NONE:
        cards = cards & (cards - U1)
    return lowest(cards)


# ---- laying down --------------------------------------------------------------------------


@kernel
def best_melds(table, seat, rows):
    """`melds` of the hand into rows, see `melds.rum.best_melds`; how many."""
    both_aces = table.RUN_BOTH_ACES == 0
    return rum.best_melds(seat.hand, seat.twice, seat.jokers, both_aces, rows)


@kernel
def move_of(row):
    """The move that lays a row of `best_melds`."""
    if row[0] == RUN:
        up = np.uint64(16 * row[1] + row[2])
        run = (U1 << np.uint64(row[3])) - U1
        return lay_run(run << up, np.uint64(row[5]) << up)
    cards = NONE
    twice = NONE
    for suit in range(4):
        face = U1 << np.uint64(16 * suit + row[1])
        if row[2] >> suit & 1 != 0:
            cards = cards | face
        if row[4] >> suit & 1 != 0:
            twice = twice | face
    return lay_set(cards, twice, row[5])


@kernel
def next_meld(table, seat):
    """The first meld of `melds` that may be laid, as a move; STOP if there is none."""
    if dead(seat) == hand_value(seat):
        return stop()
    rows = np.empty((_MOST_MELDS, ROW), dtype=np.int64)
    for i in range(best_melds(table, seat, rows)):
        move = move_of(rows[i])
        if check_table(table, seat, move) == breach.LEGAL:
            return move
    return stop()


@kernel
def next_plain(table, seat):
    """The lay-off or joker move of a plain card that comes first, as a move; or STOP.

    On runs, for a joker that moves, on sets; in throw order; on the lowest-numbered meld.
    """
    open_to = may_lay_off(table, seat.seat)
    if open_to and seat.hand & table.run_ends != NONE:
        move = _next_on_runs(table, seat)
        if move.action != STOP:
            return move
    for faces, slides in ((table.replacing, False), (table.sliding, True)):
        if seat.hand & faces != NONE:
            move = _next_joker_move(table, seat, faces, slides)
            if move.action != STOP:
                return move
    if open_to and seat.hand & table.set_ranks != NONE:
        return _next_on_sets(table, seat)
    return stop()


@kernel
def _next_on_runs(table, seat):
    """The first lay-off of a plain card on a run; or STOP."""
    cards = seat.hand & table.run_ends
    while cards != NONE:
        face = card_bit(first_to_throw(cards))
        cards = cards & ~face
        for m in range(table.meld_count):
            places = places_for(table, m, face) if table.melds[m].kind == RUN else NONE
            while places != NONE:
                move = lay_off(face, first_bit(places), m)
                if check_table(table, seat, move) == breach.LEGAL:
                    return move
                places = places & (places - U1)
    return stop()


@kernel
def _next_on_sets(table, seat):
    """The first lay-off of a plain card on a set; or STOP."""
    cards = seat.hand & table.set_ranks
    while cards != NONE:
        face = card_bit(first_to_throw(cards))
        cards = cards & ~face
        for m in range(table.meld_count):
            if table.melds[m].kind == SET and face & table.melds[m].places != NONE:
                move = lay_off(face, NONE, m)
                if check_table(table, seat, move) == breach.LEGAL:
                    return move
    return stop()


@kernel
def _next_joker_move(table, seat, faces, slides):
    """The first joker move for one of these faces; or STOP. slides: not by replacing a joker."""
    cards = seat.hand & faces
    while cards != NONE:
        face = card_bit(first_to_throw(cards))
        cards = cards & ~face
        for m in range(table.meld_count):
            meld = table.melds[m]
            if meld.kind == RUN and meld.stands & ~meld.locked != NONE:
                replaced = replacing_faces(table, meld.places, meld.stands, meld.locked)
                move = move_joker(face, m)
                if (face & replaced == NONE) == slides:
                    if check_table(table, seat, move) == breach.LEGAL:
                        return move
    return stop()


@kernel
def next_joker_layoff(table, seat):
    """The lay-off of a joker after which most value can follow, as a move; or STOP.

    Asked when no plain card can go. Ties: lowest meld number, high end before low end.
    """
    best = stop()
    if seat.jokers == 0 or not fits_table(table, seat, JOKER):
        return best
    least = np.int64(1 << 30)
    for m in range(table.meld_count):
        for high in (True, False):
            move = _joker_layoff(table, m, high)
            if move.action != STOP and check_table(table, seat, move) == breach.LEGAL:
                left = _value_left(table, seat, move)
                if left < least:
                    best, least = move, left
    return best


@kernel
def _joker_layoff(table, m, high):
    """A joker on that end of run number m, or on a set (which has one end: high); or STOP."""
    meld = table.melds[m]
    if meld.kind == SET:
        return lay_joker_off(NONE, m) if high else stop()
    below = first_bit(meld.places) - U1
    place = run_room(table, meld.places) & (~below if high else below)
    return lay_joker_off(place, m) if place != NONE else stop()


@kernel
def _value_left(table, seat, move):
    """Points (int64) left in hand when a joker is laid off and every plain card that can follows.

    No plain card can go as the table lies, so on a set, or where none fits beyond, none follows.
    """
    meld = table.melds[move.meld]
    run = meld.places | move.places
    stands = meld.stands | move.stands
    opened = faces_of(run_room(table, run))
    opened = opened | replacing_faces(table, run, stands, meld.locked)
    opened = opened | sliding_faces(table, run, stands, meld.locked)
    if meld.kind == SET or seat.hand & opened == NONE:
        return hand_value(seat) - JOKER_POINTS
    tables = np.empty(1, dtype=TABLE_DTYPE)
    seats = np.empty(1, dtype=SEAT_DTYPE)
    tables[0] = table
    seats[0] = seat
    shadow = tables[0]
    own = seats[0]
    while move.action != STOP:
        play_down(shadow, own, move)
        move = next_plain(shadow, own)
    left = hand_value(own)
    # The records lie in the arrays, which Numba frees after the last mention of their names.
    return left if tables.size == seats.size else -left


@kernel
def next_laying(table, seat):
    """The next move that lays all it can: melds, then plain cards, then jokers; or STOP."""
    move = next_meld(table, seat)
    if move.action == STOP:
        move = next_plain(table, seat)
    return move if move.action != STOP else next_joker_layoff(table, seat)


@kernel
def would_end(table, seat, card):
    """Whether laying all it can lets the seat go out in this turn.

    card: a face that it would have just taken from the pile, or -1 for the hand as it is.
    """
    hand, twice = seat.hand, seat.twice
    if card >= 0:
        hand, twice = plus(hand, twice, card_bit(card))
    if _keeps_two(table, seat, hand, twice):
        return False
    tables = np.empty(1, dtype=TABLE_DTYPE)
    seats = np.empty(1, dtype=SEAT_DTYPE)
    tables[0] = table
    seats[0] = seat
    shadow = tables[0]
    own = seats[0]
    own.hand, own.twice = hand, twice
    if card >= 0:
        shadow.hand_sizes[own.seat] += 1
        shadow.taken = card
        shadow.phase = TABLE
    move = next_laying(shadow, own)
    while move.action != STOP:
        play_down(shadow, own, move)
        if shadow.hand_sizes[own.seat] == 0:
            return True
        move = next_laying(shadow, own)
    ends = shadow.hand_sizes[own.seat] == 1 and legal_discards(shadow, own) != NONE
    # The records lie in the arrays, which Numba frees after the last mention of their names.
    return ends and tables.size == seats.size


@kernel
def _keeps_two(table, seat, hand, twice):
    """Whether it is plain that two cards stay: `melds` leave them, and nothing fits the table.

    What `melds` leave never fits those melds: the deadwood could be less. False says nothing.
    """
    fitting = table.run_ends | table.set_ranks | table.replacing | table.sliding
    if hand & fitting != NONE or table.ONLY_TAKEN_LEFT != 0:
        return False
    if seat.jokers > 0 and table.meld_count > 0:
        return False
    return least_cost(hand, twice, seat.jokers, NONE, NO_BOUND) & (POINT - 1) > 1


# ---- random answers -----------------------------------------------------------------------


@kernel
def random_move(table, seat):
    """STOP or any legal move of the TABLE phase, each as likely, by the seat's own stream."""
    found, first = table_move(table, seat, 0)
    if found == 0:
        return stop()
    chosen = below_many(seat, found + 1)
    return first if chosen == 0 else table_move(table, seat, chosen)[1]


@kernel
def random_discard(table, seat):
    """Any card number (int64) that may be thrown, each as likely, by the seat's own stream."""
    allowed = legal_discards(table, seat)
    return card_at(nth_card(allowed, below(seat, count(allowed))))
