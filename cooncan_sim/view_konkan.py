"""What strategies of `konkan` ask of the table and their own seat; see `view`.

A decision is called with two records, `table` (public) and `seat` (the strategy's own); their
fields are listed in `games.konkan_state`. The joker is card number 64, in masks bit 63. The terms
`dead`, `after`, `throw` and `melds` are those of RULES, Part 3.
"""

import numpy as np

from cooncan_sim.bits import ALL, NONE, U1, count, first_bit, lowest
from cooncan_sim.games import konkan_breach as breach
from cooncan_sim.games.konkan import to_announce as to_announce
from cooncan_sim.games.konkan_cards import (
    JOKER,
    JOKER_BIT,
    card_at,
    card_bit,
    less,
    pair_of_row,
    with_card,
)
from cooncan_sim.games.konkan_moves import table_move
from cooncan_sim.games.konkan_opening import barred, could_meld, points_in_reach
from cooncan_sim.games.konkan_state import DRAW_DISCARD, DRAW_STOCK, RUN, SET, STOP
from cooncan_sim.games.konkan_table import (
    check_table,
    come_down,
    hit_card,
    hit_joker,
    joker_room,
    lay_pair,
    legal_discards,
    needed,
    place_for,
    room,
    still_taken,
    stop,
    swap_joker,
    throwable,
)
from cooncan_sim.kernel import kernel, search_kernel
from cooncan_sim.melds import konkan
from cooncan_sim.melds.aces_search import faces_of
from cooncan_sim.melds.konkan_search import points, throw_place, thrown_card
from cooncan_sim.rng import below, below_many
from cooncan_sim.view_reading import own_turns as own_turns

STOCK, PILE = DRAW_STOCK, DRAW_DISCARD  # the answers of choose_draw
_MOST_ROWS = 6  # of the pairs of a hand of fifteen, and one


@kernel
def top_card(table):
    """The card number (int64) on top of the discard pile, which is not empty."""
    return np.int64(table.pile[table.pile_size - 1])


@kernel
def is_down(table, seat):
    """Whether the seat is down."""
    return table.down[seat.seat] != 0


# ---- deadwood -----------------------------------------------------------------------------


@kernel
def dead(table, hand, twice, jokers):
    """Least deadwood (int64) of a hand by itself: faces held, faces held twice, jokers."""
    return konkan.least_penalty(hand, twice, jokers, table.KK_JOKERS_PER_PAIR)


@kernel
def best_throw(table, hand, twice, jokers, allowed):
    """`throw` of a hand and the deadwood it leaves (int64 each); allowed: cards that may go."""
    joker_allowed = allowed & JOKER_BIT != NONE
    return konkan.best_discard(
        hand, twice, jokers, table.KK_JOKERS_PER_PAIR, allowed & ALL, joker_allowed
    )


@kernel
def after(table, hand, twice, jokers, taken):
    """The deadwood (int64) that `throw` leaves of a hand; of the whole hand if none may go."""
    allowed = throwable(table, hand, twice, jokers, taken)
    if allowed == NONE:
        return dead(table, hand, twice, jokers)
    return best_throw(table, hand, twice, jokers, allowed)[1]


@search_kernel
def better_with(table, seat, card):
    """Whether the top discard lowers the deadwood that is left after the best legal discard."""
    hand, twice, jokers = with_card(seat.hand, seat.twice, seat.jokers, card)
    now = dead(table, seat.hand, seat.twice, seat.jokers)
    return after(table, hand, twice, jokers, card) < now


@kernel
def throw(table, seat):
    """The plain card (int64) whose loss leaves the least deadwood; a joker if no other may go."""
    allowed = legal_discards(table, seat)
    return best_throw(table, seat.hand, seat.twice, seat.jokers, allowed)[0]


# ---- table actions ------------------------------------------------------------------------


@kernel
def clear_pairs(seat):
    """Begins the answer COME_DOWN; `write_pair` follows for each of its pairs."""
    seat.pair_count = 0


@kernel
def write_pair(seat, places, jokers):
    """Adds a pair (places, and those that jokers take: masks) to the answer COME_DOWN."""
    pair = seat.pairs[seat.pair_count]
    pair.places = places
    pair.jokers = jokers
    seat.pair_count += 1


@search_kernel
def opens(table, seat):
    """Writes the pairs to come down with into the seat's `pairs`; whether there are any.

    They are `melds` of the hand, worth enough, that leave a card to throw, with the card taken
    from the pile in them where KK_PICKUP_MUST_USE asks for it.
    """
    clear_pairs(seat)
    if points_in_reach(seat.hand, seat.twice, seat.jokers) < needed(table):
        return False
    rows = np.zeros((_MOST_ROWS, 6), dtype=np.int64)
    must_use = table.owes != 0 and table.KK_PICKUP_MUST_USE != 0
    found = konkan.comedown_melds(
        seat.hand,
        seat.twice,
        seat.jokers,
        table.KK_JOKERS_PER_PAIR,
        table.RUN_BOTH_ACES == 0,
        table.taken if must_use else barred(table, table.taken),
        table.TAKEN_CARD_MATCH != 0,
        must_use,
        needed(table),
        rows,
    )
    for i in range(found):
        places, jokers = pair_of_row(rows[i])
        write_pair(seat, places, jokers)
    return found > 0


@kernel
def fits_table(table, seat, card):
    """Whether the card could at once be hit, or exchanged for a joker."""
    if card == JOKER:
        for m in range(table.meld_count):
            meld = table.melds[m]
            if joker_room(table, meld.kind, meld.places, meld.jokers) != NONE:
                return True
        return False
    return card_bit(card) & (table.run_gaps | table.set_gaps | table.joker_faces) != NONE


@kernel
def is_useful(table, seat, card):
    """Whether a seat that is down takes a discard: a joker, what fits the table or is better."""
    if card == JOKER or fits_table(table, seat, card):
        return True
    return better_with(table, seat, card)


@kernel
def next_swap(table, seat):
    """The exchange of the first card in card order that frees a joker, as a move; or STOP."""
    faces = seat.hand & table.joker_faces
    while faces != NONE:
        face = first_bit(faces)
        faces = faces & ~face
        for m in range(table.meld_count):
            move = swap_joker(face, m)
            if check_table(table, seat, move) == breach.LEGAL:
                return move
    return stop()


@kernel
def next_meld(table, seat):
    """The first pair of `melds` that leave a card to throw, as a move; STOP if there is none."""
    if not could_meld(seat.hand, seat.twice, seat.jokers):
        return stop()
    rows = np.zeros((_MOST_ROWS, 6), dtype=np.int64)
    found = konkan.best_melds_leaving(
        seat.hand,
        seat.twice,
        seat.jokers,
        table.KK_JOKERS_PER_PAIR,
        table.RUN_BOTH_ACES == 0,
        barred(table, table.taken),
        table.TAKEN_CARD_MATCH != 0,
        rows,
    )
    for i in range(found):
        places, jokers = pair_of_row(rows[i])
        move = lay_pair(places, jokers)
        if check_table(table, seat, move) == breach.LEGAL:
            return move
    return stop()


@kernel
def first_to_throw(cards):
    """The face (mask) that comes first in throw order of a mask of faces that is not empty."""
    return card_bit(thrown_card(throw_place(cards)))


@kernel
def next_hit(table, seat):
    """The hit of a plain card that comes first, as a move: on runs, then on sets; or STOP.

    Cards in throw order, each on the lowest-numbered pair that takes it, aces at the low end.
    """
    for kind in (RUN, SET):
        cards = seat.hand & (table.run_gaps if kind == RUN else table.set_gaps)
        while cards != NONE:
            face = first_to_throw(cards)
            cards = cards & ~face
            for m in range(table.meld_count):
                meld = table.melds[m]
                if meld.kind == kind:
                    free = room(table, kind, meld.places, meld.jokers)
                    move = hit_card(place_for(free, face), m)
                    if move.places != NONE and check_table(table, seat, move) == breach.LEGAL:
                        return move
    return stop()


@kernel
def next_joker_hit(table, seat):
    """The hit of a joker after which plain cards worth most can follow, as a move; or STOP.

    Ties: lowest-numbered pair, high end before low end. In a set it takes the first missing suit.
    """
    best = stop()
    if seat.jokers == 0:
        return best
    most = np.int64(-1)
    for m in range(table.meld_count):
        meld = table.melds[m]
        free = joker_room(table, meld.kind, meld.places, meld.jokers)
        if meld.kind == SET:
            free = first_bit(free)
        while free != NONE:
            place = free & ~meld.places & (meld.places << U1) if meld.kind == RUN else free
            if place == NONE:
                place = free
            free = free & ~place
            move = hit_joker(place, m)
            if check_table(table, seat, move) == breach.LEGAL:
                follow = _points_to_follow(table, seat, m, place)
                if follow > most:
                    best, most = move, follow
    return best


@kernel
def _points_to_follow(table, seat, m, place):
    """Points of the plain cards that can be hit, one after another, once a joker is hit there.

    Before it none could be; so they follow on pair m, but for a last one that had to be kept.
    """
    meld = table.melds[m]
    places, jokers = meld.places | place, meld.jokers | place
    elsewhere = NONE
    for other in range(table.meld_count):
        pair = table.melds[other]
        if other != m:
            elsewhere = elsewhere | faces_of(room(table, pair.kind, pair.places, pair.jokers))
    hand, twice, held = seat.hand, seat.twice, seat.jokers - 1
    taken = still_taken(table.taken, JOKER_BIT)
    total = np.int64(0)
    cards = hand
    while cards != NONE:
        free = room(table, meld.kind, places, jokers)
        cards = cards & (faces_of(free) | elsewhere)
        if cards == NONE:
            return total
        face = first_to_throw(cards)
        cards = cards & ~face
        h, t, _ = less(hand, twice, held, face, NONE)
        now = still_taken(taken, face)
        if throwable(table, h, t, held, now) != NONE:
            hand, twice, taken, total = h, t, now, total + points(face)
            places = places | place_for(free, face)
            cards = hand
    return total


@search_kernel
def next_laying(table, seat):
    """The next move of a seat that lays all it can: exchange, meld, hit, joker hit; or STOP."""
    move = next_swap(table, seat)
    if move.action == STOP:
        move = next_meld(table, seat)
    if move.action == STOP:
        move = next_hit(table, seat)
    return move if move.action != STOP else next_joker_hit(table, seat)


# ---- chance -------------------------------------------------------------------------------


@kernel
def random_move(table, seat):
    """STOP or any legal move of the TABLE phase, each as likely, by the seat's own stream.

    Coming down is one answer: the pairs that `opens` writes.
    """
    if not is_down(table, seat):
        if not opens(table, seat) or (table.owes == 0 and below(seat, 2) == 0):
            return stop()
        return come_down()
    found, first = table_move(table, seat, 0)
    chosen = below_many(seat, found + 1)
    if chosen == found:
        return stop()
    return first if chosen == 0 else table_move(table, seat, chosen)[1]


@kernel
def random_discard(table, seat):
    """Any card number (int64) that may be thrown, each as likely, by the seat's own stream."""
    allowed = legal_discards(table, seat)
    for _ in range(below(seat, count(allowed))):
        allowed = allowed & (allowed - U1)
    return card_at(lowest(allowed))
