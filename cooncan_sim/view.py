"""What strategies of the `jaques` family use: questions about the table and their own seat.

A decision is called with two records, `table` (public) and `seat` (the strategy's own); their
fields are listed in `games.cooncan_state`. Cards are card numbers, sets of cards are masks.
The terms `dead`, `after`, `throw` and `melds` are those of RULES, Part 3.
"""

import numpy as np

from cooncan_sim.bits import NONE, U1, bit, count, first_to_throw, last_to_throw, lowest
from cooncan_sim.bits import card_value as card_value
from cooncan_sim.bits import first_bit as first_bit
from cooncan_sim.bits import fold as fold
from cooncan_sim.bits import spread as spread
from cooncan_sim.bits import top_rank as top_rank
from cooncan_sim.bits import value as value
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan import legal_discards as legal_discards
from cooncan_sim.games.cooncan_state import (
    DRAW_DISCARD,
    DRAW_STOCK,
    MOVE_DTYPE,
    RUN,
    SET,
    STOP,
    Move,
)
from cooncan_sim.games.cooncan_table import check_layoff, check_meld, is_open, room, table_moves
from cooncan_sim.games.cooncan_table import lay_meld as lay_meld
from cooncan_sim.games.cooncan_table import lay_off as lay_off
from cooncan_sim.games.cooncan_table import may_lay_off as may_lay_off
from cooncan_sim.games.cooncan_table import stop as stop
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.single import best_discard, best_melds, first_meld, least_penalty
from cooncan_sim.melds.single import least_penalty_laying as least_penalty_laying
from cooncan_sim.rng import below as below

STOCK, PILE = DRAW_STOCK, DRAW_DISCARD  # the answers of choose_draw
_MOST_MOVES = 127


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
def dead(hand):
    """Least deadwood (int64) of a hand by itself."""
    return least_penalty(hand)


@kernel
def throwable(table, hand, taken):
    """The cards (mask) of a hand that could be thrown, with card number `taken` (-1: none)."""
    if taken >= 0:
        hand = hand & ~bit(taken)
    if table.GO_OUT_BY_DISCARD != 0 and hand & (hand - U1) == NONE and taken < 0:
        return NONE
    return hand


@kernel
def after(table, hand, taken):
    """The deadwood (int64) that `throw` leaves of a hand; of the whole hand if none may go."""
    allowed = throwable(table, hand, taken)
    if allowed == NONE:
        return least_penalty(hand)
    return best_discard(hand, allowed)[1]


@kernel
def throw(table, seat):
    """The card number (int64) whose loss leaves the least deadwood; ties by throw order."""
    return best_discard(seat.hand, legal_discards(table, seat))[0]


@kernel
def loose_cards(seat):
    """The cards (mask) outside `melds` of the hand."""
    runs, sets = best_melds(seat.hand)
    return seat.hand & ~(runs | sets)


@kernel
def throw_when_stalled(table, seat):
    """The card number (int64) last in throw order, cards outside `melds` before the others."""
    allowed = legal_discards(table, seat)
    loose = allowed & loose_cards(seat)
    return last_to_throw(loose if loose != NONE else allowed)


@kernel
def fits_table(table, seat, card):
    """Whether the card could at once be laid off by this seat."""
    return bit(card) & (table.run_ends[seat.seat] | table.set_gaps[seat.seat]) != NONE


@kernel
def next_meld(table, seat):
    """The first meld of `melds` that may be laid, as a move; STOP if there is none."""
    runs, sets = best_melds(seat.hand)
    while runs | sets != NONE:
        cards = first_meld(runs, sets)
        if check_meld(table, seat, cards) == breach.LEGAL:
            return lay_meld(cards)
        runs = runs & ~cards
        sets = sets & ~cards
    return stop()


@kernel
def next_layoff(table, seat):
    """The lay-off that comes first, as a move: on runs before sets, in throw order; or STOP."""
    for faces, kind in (
        (table.run_ends[seat.seat], RUN),
        (table.set_gaps[seat.seat], SET),
    ):
        cards = seat.hand & faces
        while cards != NONE:
            card = first_to_throw(cards)
            cards = cards & ~bit(card)
            for m in range(table.meld_count):
                if table.melds[m].kind == kind:
                    move = lay_off(table, card, m)
                    if check_layoff(table, seat, bit(card), m, move.end) == breach.LEGAL:
                        return move
    return stop()


@kernel
def next_laying(table, seat):
    """The next move that lays all it can: the melds of `melds`, then every lay-off; or STOP."""
    move = next_meld(table, seat)
    return move if move.action != STOP else next_layoff(table, seat)


@kernel
def left_after_laying(table, seat, hand):
    """The cards (mask) of a hand left when its `melds` and then all lay-offs are on the table."""
    runs, sets = best_melds(hand)
    ends = table.run_ends[seat.seat]
    gaps = table.set_gaps[seat.seat]
    if runs | sets != NONE and not may_lay_off(table, seat.seat):
        # The first own meld opens the others.
        for m in range(table.meld_count):
            meld = table.melds[m]
            if is_open(table, meld.owner, seat.seat):
                if meld.kind == RUN:
                    ends = ends | room(RUN, meld.cards)
                else:
                    gaps = gaps | room(SET, meld.cards)
    hand = hand & ~(runs | sets)
    ends = ends | room(RUN, runs)
    gaps = gaps | room(SET, sets)
    grown = hand & ends
    before = NONE
    while grown != before:
        before = grown
        grown = grown | (((grown << U1) | (grown >> U1)) & hand)
    return hand & ~(grown | gaps)


@kernel
def would_end(table, seat, hand, taken):
    """Whether laying `melds` and all lay-offs of a hand lets the seat go out in this turn.

    taken: card number just taken from the pile, which may not be the last discard; -1 for none.
    """
    left = left_after_laying(table, seat, hand)
    if left & (left - U1) != NONE:
        return False
    if left == NONE:
        return True
    return table.GO_OUT_BY_DISCARD == 0 and not (taken >= 0 and left == bit(taken))


@kernel
def random_move(table, seat):
    """STOP or any legal move of the TABLE phase, each as likely, by the seat's own stream."""
    moves = np.empty(_MOST_MOVES, dtype=MOVE_DTYPE)
    found = min(table_moves(table, seat, moves), _MOST_MOVES)
    chosen = below(seat, found + 1)
    if chosen == found:
        return stop()
    row = moves[chosen]
    return Move(row["action"], row["cards"], row["meld"], row["end"])


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
