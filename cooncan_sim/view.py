"""What strategies of `jaques`, `two_deck` and `partnership` ask of the table and their own seat.

A decision is called with two records, `table` (public) and `seat` (the strategy's own); their
fields are listed in `games.cooncan_state`. Cards are card numbers, sets of cards are masks.
The terms `dead`, `after`, `throw` and `melds` are those of RULES, Part 3.
"""

import numpy as np

from cooncan_sim.bits import (
    ALL,
    NONE,
    U1,
    bit,
    count,
    first_to_throw,
    fold,
    last_to_throw,
    lowest,
    makes_runs,
    spread,
)
from cooncan_sim.bits import card_value as card_value
from cooncan_sim.bits import first_bit as first_bit
from cooncan_sim.bits import top_rank as top_rank
from cooncan_sim.bits import value as value
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan import legal_discards, play_down
from cooncan_sim.games.cooncan_moves import table_move
from cooncan_sim.games.cooncan_state import (
    DRAW_DISCARD,
    DRAW_STOCK,
    RUN,
    SEAT_DTYPE,
    SET,
    STOP,
    TABLE,
    TABLE_DTYPE,
)
from cooncan_sim.games.cooncan_table import (
    check_layoff,
    check_meld,
    lay_meld,
    lay_off,
    lay_twins,
    may_lay_off,
    open_room,
    room,
    room_of,
    set_limit,
    stop,
)
from cooncan_sim.kernel import kernel
from cooncan_sim.melds import single, twins
from cooncan_sim.melds.aces_search import suit_counts
from cooncan_sim.melds.single import least_penalty_laying as least_penalty_laying
from cooncan_sim.rng import below, below_many
from cooncan_sim.view_hopes import Loose

STOCK, PILE = DRAW_STOCK, DRAW_DISCARD  # the answers of choose_draw
MOST_TWIN_MELDS = 5


@kernel
def top_card(table):
    """The card number (int64) on top of the discard pile, which is not empty."""
    return np.int64(table.pile[table.pile_size - 1])


@kernel
def stalled(table, rounds):
    """Whether the hand has stood still for an odd number of `rounds` circuits (*Stalled hands*)."""
    turns = rounds * table.players
    # The division is kept for the few hands that need it: this is asked at every decision.
    return table.quiet >= turns and (table.quiet // turns) & 1 == 1


@kernel
def dead(table, hand, twice):
    """Least deadwood (int64) of a hand by itself: faces held, faces held twice."""
    if twice != NONE:
        return twins.least_penalty(hand, twice, set_limit(table))
    return single.least_penalty(hand)


@kernel
def throwable(table, hand, twice, taken):
    """The faces (mask) of a hand that could be thrown, with card number `taken` (-1: none)."""
    if taken >= 0:
        hand = hand & ~(bit(taken) & ~(twice if table.TAKEN_CARD_MATCH == 0 else NONE))
    if table.GO_OUT_BY_DISCARD != 0 and hand & (hand - U1) == NONE and twice == NONE and taken < 0:
        return NONE
    return hand


@kernel
def best_throw(table, hand, twice, allowed):
    """`throw` of a hand and the deadwood it leaves (int64 each); allowed: faces that may go."""
    if twice != NONE:
        return twins.best_discard(hand, twice, set_limit(table), allowed)
    return single.best_discard(hand, allowed)


@kernel
def after(table, hand, twice, taken):
    """The deadwood (int64) that `throw` leaves of a hand; of the whole hand if none may go."""
    allowed = throwable(table, hand, twice, taken)
    if allowed == NONE:
        return dead(table, hand, twice)
    return best_throw(table, hand, twice, allowed)[1]


@kernel
def with_card(seat, card):
    """The seat's hand with one more card: faces held, faces held twice."""
    return seat.hand | bit(card), seat.twice | (seat.hand & bit(card))


@kernel
def better_with(table, seat, card, is_stalled):
    """Whether the top discard lowers the deadwood that is left after the best legal discard.

    Compared with the deadwood of the hand as it is, or, stalled, with that after a discard.
    """
    hand, twice = with_card(seat, card)
    if is_stalled:
        now = after(table, seat.hand, seat.twice, -1)
    else:
        now = dead(table, seat.hand, seat.twice)
    return after(table, hand, twice, card) < now


@kernel
def is_useful(table, seat, card, is_stalled):
    """Whether `greedy` takes the top discard: it fits the table, or lowers the deadwood."""
    return fits_table(table, seat, card) or better_with(table, seat, card, is_stalled)


@kernel
def throw(table, seat):
    """The card number (int64) whose loss leaves the least deadwood; ties by throw order."""
    return best_throw(table, seat.hand, seat.twice, legal_discards(table, seat))[0]


@kernel
def best_melds(table, hand, twice):
    """`melds` as four masks: faces in runs, in two of them; faces in sets, both copies of them.

    With one pack the melds follow from the masks, see `single.first_meld`.
    """
    if twice == NONE:
        runs, sets = single.best_melds(hand)
        return runs, NONE, sets, NONE
    found = np.zeros((MOST_TWIN_MELDS, 3), dtype=np.uint64)
    runs = runs_twice = sets = sets_twice = NONE
    for i in range(twins.best_melds(hand, twice, set_limit(table), found)):
        if found[i, 0] == np.uint64(RUN):
            runs_twice = runs_twice | (runs & found[i, 1])
            runs = runs | found[i, 1]
        else:
            sets_twice = sets_twice | found[i, 2] | (sets & found[i, 1])
            sets = sets | found[i, 1]
    return runs, runs_twice, sets, sets_twice


@kernel
def loose_cards(table, seat):
    """The faces (mask) of which a copy is outside `melds` of the hand."""
    runs, runs_twice, sets, sets_twice = best_melds(table, seat.hand, seat.twice)
    melded = runs | sets
    both = runs_twice | sets_twice | (runs & sets)
    return (seat.hand & ~melded) | (seat.twice & ~both)


@kernel
def loose_of(table, seat, hand, twice):
    """A hand (faces, those held twice) as `view_hopes.Loose`: what `melds` leave of it."""
    runs, runs_twice, sets, sets_twice = best_melds(table, hand, twice)
    both = runs_twice | sets_twice | (runs & sets)
    loose = (hand & ~(runs | sets)) | (twice & ~both)
    fits = table.run_ends[seat.seat] | table.set_gaps[seat.seat] | spread(fold(sets))
    fits = fits | (((runs << U1) | (runs >> U1)) & ALL)
    return Loose(loose, twice & loose & ~(runs | sets), fits, False)


@kernel
def throw_when_stalled(table, seat):
    """The card number (int64) last in throw order, cards outside `melds` before the others."""
    allowed = legal_discards(table, seat)
    loose = allowed & loose_cards(table, seat)
    return last_to_throw(loose if loose != NONE else allowed)


@kernel
def fits_table(table, seat, card):
    """Whether the card could at once be laid off by this seat."""
    return bit(card) & (table.run_ends[seat.seat] | table.set_gaps[seat.seat]) != NONE


@kernel
def next_meld(table, seat):
    """The first meld of `melds` that may be laid, as a move; STOP if there is none."""
    if seat.twice != NONE:
        return _next_twin_meld(table, seat)
    runs, sets = single.best_melds(seat.hand)
    return next_meld_of(table, seat, runs, sets)


@kernel
def next_meld_of(table, seat, runs, sets):
    """The first that may be laid, as a move, of melds that `single.best_melds` found; or STOP."""
    while runs | sets != NONE:
        cards = single.first_meld(runs, sets)
        move = lay_meld(cards)
        if check_meld(table, seat, move) == breach.LEGAL:
            return move
        runs = runs & ~cards
        sets = sets & ~cards
    return stop()


@kernel
def _next_twin_meld(table, seat):
    found = np.zeros((MOST_TWIN_MELDS, 3), dtype=np.uint64)
    for i in range(twins.best_melds(seat.hand, seat.twice, set_limit(table), found)):
        move = lay_twins(found[i, 1], found[i, 2])
        if check_meld(table, seat, move) == breach.LEGAL:
            return move
    return stop()


@kernel
def next_layoff(table, seat):
    """The lay-off that comes first, as a move: on runs before sets, in throw order; or STOP."""
    move = next_layoff_on(table, seat, RUN, False)
    return move if move.action != STOP else next_layoff_on(table, seat, SET, False)


@kernel
def next_layoff_on(table, seat, kind, own):
    """The first lay-off in throw order on melds of a kind (RUN, SET), or on own ones; or STOP."""
    return next_layoff_of(table, seat, seat.hand & ~table.wild, kind, own)


@kernel
def next_layoff_of(table, seat, cards, kind, own):
    """`next_layoff_on` of these plain cards (mask) of the hand alone."""
    if kind == RUN:
        cards = cards & table.run_ends[seat.seat]
    else:
        cards = cards & table.set_gaps[seat.seat]
    while cards != NONE:
        card = first_to_throw(cards)
        cards = cards & ~bit(card)
        for m in range(table.meld_count):
            meld = table.melds[m]
            mine = meld.owner == seat.seat or not own
            if mine and meld.kind == kind and bit(card) & room_of(table, m) != NONE:
                move = lay_off(table, card, m)
                if check_layoff(table, seat, move) == breach.LEGAL:
                    return move
    return stop()


@kernel
def fits_own(table, seat, card):
    """Whether the card could at once be laid off on a meld of the seat's own."""
    for m in range(table.meld_count):
        if table.melds[m].owner == seat.seat and bit(card) & room_of(table, m) != NONE:
            return True
    return False


@kernel
def next_laying(table, seat):
    """The next move that lays all it can: the melds of `melds`, then every lay-off; or STOP."""
    move = next_meld(table, seat)
    return move if move.action != STOP else next_layoff(table, seat)


@kernel
def would_end(table, seat, hand, twice, taken):
    """Whether laying `melds` and all lay-offs of a hand lets the seat go out in this turn.

    taken: card number just taken from the pile, which may not be the last discard; -1 for none.
    """
    if table.packs == 2:
        return _ends_with_twins(table, seat, hand, twice, taken)
    left = left_after_laying(table, seat, hand)
    if left & (left - U1) != NONE:
        return False
    if left == NONE:
        return True
    return table.GO_OUT_BY_DISCARD == 0 and not (taken >= 0 and left == bit(taken))


@kernel
def left_after_laying(table, seat, hand):
    """The cards (mask) of a one-pack hand left when its `melds` and all lay-offs are laid."""
    return _laid(table, seat, hand)[0]


@kernel
def cards_that_fit(table, seat, hand):
    """The cards (mask) that could be laid with this one-pack hand, its own among them.

    Of any other card it is certain that it would be left, and all else as without it.
    """
    _, ends, gaps, grown = _laid(table, seat, hand)
    pairs = spread(suit_counts(hand)[1])
    return makes_runs(hand) | pairs | ends | gaps | (grown << U1) | (grown >> U1)


@kernel
def _laid(table, seat, hand):
    """What laying all of a one-pack hand comes to, as masks.

    The cards left, those that fit on runs and those that fit on sets, and the hand's own laid off
    on runs.
    """
    runs, sets = single.best_melds(hand)
    ends = table.run_ends[seat.seat]
    gaps = table.set_gaps[seat.seat]
    if runs | sets != NONE and not may_lay_off(table, seat.seat):
        # The first own meld opens the others.
        ends = open_room(table, seat.seat, RUN, -1)
        gaps = open_room(table, seat.seat, SET, -1)
    hand = hand & ~(runs | sets)
    ends = ends | room(table, RUN, runs, runs, NONE)
    gaps = gaps | (spread(fold(sets)) & ~sets)
    grown = hand & ends
    before = NONE
    while grown != before:
        before = grown
        grown = grown | (((grown << U1) | (grown >> U1)) & hand)
    return hand & ~(grown | gaps), ends, gaps, grown


@kernel
def _ends_with_twins(table, seat, hand, twice, taken):
    """`would_end` with two packs, where laying off is played out on copies of table and seat."""
    tables = np.empty(1, dtype=TABLE_DTYPE)
    seats = np.empty(1, dtype=SEAT_DTYPE)
    tables[0] = table
    seats[0] = seat
    shadow = tables[0]
    own = seats[0]
    own.hand = hand
    own.twice = twice
    shadow.phase = TABLE
    shadow.taken = taken
    shadow.hand_sizes[seat.seat] = count(hand) + count(twice)
    move = next_laying(shadow, own)
    while move.action != STOP:
        play_down(shadow, own, move)
        if own.hand == NONE:
            return True
        move = next_laying(shadow, own)
    ends = shadow.hand_sizes[seat.seat] == 1 and legal_discards(shadow, own) != NONE
    # The records lie in the arrays, which Numba frees after the last mention of their names.
    return ends and tables.size == seats.size


@kernel
def random_move(table, seat):
    """STOP or any legal move of the TABLE phase, each as likely, by the seat's own stream."""
    found, first = table_move(table, seat, 0)
    if found == 0:
        return stop()
    chosen = below_many(seat, found + 1)
    return first if chosen == 0 else table_move(table, seat, chosen)[1]


@kernel
def nth_card(cards, n):
    """The n-th card number (int64), from 0 in card order, of a mask that has more than n."""
    for _ in range(n):
        cards = cards & (cards - U1)
    return lowest(cards)


@kernel
def random_discard(table, seat):
    """Any card number (int64) that may be thrown, each as likely, by the seat's own stream."""
    allowed = legal_discards(table, seat)
    return nth_card(allowed, below(seat, count(allowed)))


@kernel
def ranks_between(low, high):
    """All cards (mask) of the ranks low … high, counted A = 1 … K = 13."""
    cards = NONE
    for rank in range(int(low) - 1, int(high)):
        cards = cards | spread(U1 << np.uint64(rank))
    return cards
