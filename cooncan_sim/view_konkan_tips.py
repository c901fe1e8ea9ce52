"""What the tips about KonKan need: winning in one turn, pairs kept back, what a card can become."""

import numpy as np

from cooncan_sim.bits import ALL, NONE, U1, bit, count, first_bit, fold, spread
from cooncan_sim.games.konkan import lay
from cooncan_sim.games.konkan_cards import card_bit, less, pair_of_row, with_card, worth
from cooncan_sim.games.konkan_state import SEAT_DTYPE, STOP, TABLE, TABLE_DTYPE
from cooncan_sim.games.konkan_table import come_down, faces_used, legal_discards, needed, stop
from cooncan_sim.kernel import kernel, search_kernel
from cooncan_sim.melds import konkan
from cooncan_sim.melds.aces_search import faces_of, with_high_aces
from cooncan_sim.melds.konkan_search import throw_place, thrown_card
from cooncan_sim.view_konkan import (
    clear_pairs,
    is_down,
    next_hit,
    next_joker_hit,
    next_laying,
    next_swap,
    opens,
    throw,
    write_pair,
)

_MOST_ROWS = 6  # of the pairs of a hand of fifteen, and one


# ---- winning in this turn -----------------------------------------------------------------


@search_kernel
def would_win(table, seat, card):
    """Whether laying all it can, coming down if need be, leaves the seat one card to throw.

    card: one that it would have just taken from the pile, or -1 for the hand as it is.
    """
    tables = np.empty(1, dtype=TABLE_DTYPE)
    seats = np.empty(1, dtype=SEAT_DTYPE)
    tables[0] = table
    seats[0] = seat
    shadow = tables[0]
    own = seats[0]
    if card >= 0:
        own.hand, own.twice, own.jokers = with_card(own.hand, own.twice, own.jokers, card)
        shadow.hand_sizes[own.seat] += 1
        shadow.taken = card
        shadow.phase = TABLE
        shadow.owes = 1 - shadow.down[own.seat]
    if not is_down(shadow, own):
        if not opens(shadow, own):
            return False
        lay(shadow, own, come_down())
    move = next_laying(shadow, own)
    while move.action != STOP:
        lay(shadow, own, move)
        move = next_laying(shadow, own)
    wins = shadow.hand_sizes[own.seat] == 1 and legal_discards(shadow, own) != NONE
    # The records lie in the arrays, which Numba frees after the last mention of their names.
    return wins and tables.size == seats.size


# ---- pairs kept back ----------------------------------------------------------------------


@search_kernel
def loose_cards(table, seat):
    """The hand without its `melds`: faces held, faces held twice, jokers."""
    rows = np.zeros((_MOST_ROWS, 6), dtype=np.int64)
    hand, twice, jokers = seat.hand, seat.twice, seat.jokers
    both_aces = table.RUN_BOTH_ACES == 0
    found = konkan.best_melds(hand, twice, jokers, table.KK_JOKERS_PER_PAIR, both_aces, rows)
    for i in range(found):
        places, of_jokers = pair_of_row(rows[i])
        hand, twice, jokers = less(hand, twice, jokers, places, of_jokers)
    return hand, twice, jokers


@search_kernel
def next_loose_laying(table, seat):
    """The next move of a seat that keeps its pairs: an exchange, or a hit of a loose card; or STOP.

    A loose card is always kept to be thrown.
    """
    move = next_swap(table, seat)
    if move.action != STOP:
        return move
    seats = np.empty(1, dtype=SEAT_DTYPE)
    seats[0] = seat
    own = seats[0]
    own.hand, own.twice, own.jokers = loose_cards(table, seat)
    move = next_hit(table, own)
    if move.action == STOP:
        move = next_joker_hit(table, own)
    # The record lies in the array, which Numba frees after the last mention of its name.
    return move if seats.size else stop()


@kernel
def opens_with_least(table, seat):
    """As `opens`, but of those pairs it writes the ones that are worth least and still enough."""
    if not opens(table, seat):
        return False
    must_use = table.owes != 0 and table.KK_PICKUP_MUST_USE != 0
    taken = card_bit(table.taken) if must_use else NONE
    pairs = seat.pair_count
    best, least = (1 << pairs) - 1, np.int64(1 << 30)
    for chosen in range(1, 1 << pairs):
        points = np.int64(0)
        used = NONE
        for i in range(pairs):
            if chosen >> i & 1:
                points += worth(seat.pairs[i].places)
                used = used | faces_used(seat.pairs[i].places, seat.pairs[i].jokers)
        if needed(table) <= points < least and taken & ~used == NONE:
            best, least = chosen, points
    clear_pairs(seat)
    for i in range(pairs):
        if best >> i & 1:
            write_pair(seat, seat.pairs[i].places, seat.pairs[i].jokers)
    return True


@kernel
def next_keeping(table, seat, lays_all):
    """The next move of a seat that lays all it can, or keeps back the pairs that it can."""
    if is_down(table, seat):
        return next_laying(table, seat) if lays_all else next_loose_laying(table, seat)
    found = opens(table, seat) if lays_all else opens_with_least(table, seat)
    return come_down() if found else stop()


@kernel
def heard(table, seat):
    """Whether another player has announced a joker that he still holds."""
    for other in range(table.players):
        if other != seat.seat and table.announced[other] > 0:
            return True
    return False


# ---- what a card can become ---------------------------------------------------------------


@kernel
def gone_faces(table):
    """The faces (mask) of which both copies are in the pile or on the table."""
    once = NONE
    twice = NONE
    for i in range(table.pile_size):
        card = np.int64(table.pile[i])
        if card < 64:
            twice = twice | (once & bit(card))
            once = once | bit(card)
    for m in range(table.meld_count):
        naturals = table.melds[m].places & ~table.melds[m].jokers
        low, high = naturals & ALL, faces_of(naturals & ~ALL)
        twice = twice | (once & low) | ((once | low) & high)
        once = once | low | high
    return twice


@kernel
def possible_melds(face, gone):
    """How many pairs of three naturals with this face (mask) need no face that is gone (int64)."""
    faces = ALL & ~gone | face
    places = with_high_aces(faces)
    melds = np.int64(0)
    own = with_high_aces(face)
    while own != NONE:
        place = first_bit(own)
        own = own & ~place
        for first in (place, place >> U1, place >> U1 >> U1):
            run = first | (first << U1) | (first << U1 << U1)
            # Where a suit ends there are bits that are no place, so no run leaves its suit.
            if first != NONE and run & ~places == NONE:
                melds += 1
    mates = count(faces & spread(fold(face))) - 1
    return melds + (mates * (mates - 1)) // 2


@kernel
def least_connected(faces, gone):
    """Of these faces (mask) the card number with the fewest possible pairs; ties by throw order."""
    best = np.int64(-1)
    fewest = np.int64(1 << 30)
    while faces != NONE:
        card = thrown_card(throw_place(faces))
        faces = faces & ~card_bit(card)
        melds = possible_melds(card_bit(card), gone)
        if melds < fewest:
            best, fewest = card, melds
    return best


@kernel
def has_partner(seat, face):
    """Whether the hand has another face of that rank, or one at most two places away in suit."""
    near = with_high_aces(face)
    for _ in range(2):
        near = near | (near << U1) | (near >> U1)
    near = faces_of(near & with_high_aces(ALL)) | spread(fold(face))
    return seat.hand & near & ~face != NONE


@kernel
def dearest_lone(table, seat, loose):
    """Of these loose faces (mask) the card of the dearest without a partner, or `throw`; int64."""
    while loose != NONE:
        card = thrown_card(throw_place(loose))
        loose = loose & ~card_bit(card)
        if not has_partner(seat, card_bit(card)):
            return card
    return throw(table, seat)
