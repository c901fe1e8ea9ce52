"""What the tips about Conquian need: stricter ways to accept, waiting pairs, and looking ahead."""

import numpy as np

from cooncan_sim.bits import NONE, U1, U2, bit, count, first_bit, lowest
from cooncan_sim.games.conquian import (
    accept_card,
    decline_card,
    discard,
    settle_force,
    turn_stock_card,
)
from cooncan_sim.games.conquian_moves import takings
from cooncan_sim.games.conquian_state import (
    FORCING,
    OFFER,
    REARRANGE_NONE,
    STATE_DTYPE,
    TABLE_DTYPE,
    TURN,
)
from cooncan_sim.kernel import kernel, search_kernel
from cooncan_sim.melds.conquian import PACK, better
from cooncan_sim.melds.conquian_search import rank_of, run_around, run_at
from cooncan_sim.rng import below
from cooncan_sim.view import nth_card
from cooncan_sim.view_conquian import arrange, decline, fewest_partners, most_down

# As np.record fields are attributes in plain Python too; for Numba it is the same type.
_STATE = np.dtype((np.record, STATE_DTYPE))


# ---- stricter ways to accept --------------------------------------------------------------


@kernel
def most_down_whole(table, seat):
    """`most_down` if old melds had to stay whole, CQ_REARRANGE `none`; or a decline."""
    tables = np.empty(1, dtype=TABLE_DTYPE)
    tables[0] = table
    shadow = tables[0]
    shadow.CQ_REARRANGE = REARRANGE_NONE
    answer = most_down(shadow, seat)
    # The record lies in the array, which Numba frees after the last mention of its name.
    return answer if tables.size else decline()


@kernel
def longest_row(cards):
    """The most cards (int64) of a mask that are neighbours in one suit, however they are split."""
    longest = np.int64(0)
    rest = cards
    while rest != NONE:
        low, _, high = run_around(cards, first_bit(rest))
        longest = max(longest, np.int64(high - low + 1))
        rest = rest & ~run_at(first_bit(rest), low, high - low + 1)
    return longest


@kernel
def most_down_within(table, seat, longest):
    """`most_down` among the acceptances without a row of more cards on the table; or a decline."""
    answer = most_down(table, seat)
    if longest_row(answer.first | answer.second | answer.third) <= longest:
        return answer
    best, cards = decline(), NONE
    for number in range(takings(table, seat, 0)[0]):
        others = takings(table, seat, number)[1]
        row = longest_row(table.down[seat.seat] | bit(table.offered) | others)
        if row <= longest and (best.accept == 0 or better(others, cards)):
            best, cards = arrange(table, seat, others), others
    return best


# ---- waiting pairs ------------------------------------------------------------------------


@kernel
def _waits(a, b, live):
    """Whether some live card (mask) would make a meld of two cards (masks of one, a before b)."""
    if b & rank_of(a) != NONE:
        return rank_of(a) & live != NONE
    if b == a << U1:
        return ((a >> U1) | (b << U1)) & live != NONE
    return b == a << U2 and (a << U1) & live != NONE


@kernel
def waiting_pairs(hand, live):
    """How many pairs of hand cards (int64) one live card would make a meld."""
    pairs = np.int64(0)
    while hand != NONE:
        a = first_bit(hand)
        hand = hand & ~a
        others = hand
        while others != NONE:
            b = first_bit(others)
            others = others & ~b
            pairs += np.int64(_waits(a, b, live))
    return pairs


@kernel
def pairs_used_up(table, seat, cards):
    """How many waiting pairs (int64) the hand loses with these cards (mask).

    Live is what is neither a dead discard, nor on a table, nor in the hand itself.
    """
    live = PACK & ~(table.dead | table.down[0] | table.down[1] | seat.hand)
    return waiting_pairs(seat.hand, live) - waiting_pairs(seat.hand & ~cards, live)


# ---- looking ahead ------------------------------------------------------------------------


@kernel
def forcing_gains(table, seat, samples):
    """How much more the other's chance falls than one's own if he is forced, in sampled hands.

    In each the hidden hand and the stock are drawn from the unseen cards, and the hand is played
    out twice, with and without forcing, both seats going on as `cq_greedy`. (int64)
    """
    states = np.zeros(2, dtype=_STATE)
    gain = np.int64(0)
    for _ in range(samples):
        _deal_unseen(table, seat, states[0])
        states[1] = states[0]
        for force in range(2):
            settle_force(states[force].table, force)
            worth = _play_out(states[force], seat.seat)
            gain += worth if force == 1 else -worth
    return gain


@kernel
def accepting_gains(table, seat, answer, samples):
    """How many more hands are won than lost by an acceptance instead of a decline (int64)."""
    states = np.zeros(2, dtype=_STATE)
    gain = np.int64(0)
    for _ in range(samples):
        _deal_unseen(table, seat, states[0])
        states[1] = states[0]
        decline_card(states[0])
        accept_card(states[1], answer)
        gain += _play_out(states[1], seat.seat) - _play_out(states[0], seat.seat)
    return gain


@kernel
def best_discard(table, seat, samples):
    """The hand card (int64) after which most sampled hands are won; ties in card order.

    Each sample gives the same hidden cards to every one of them.
    """
    states = np.zeros(2, dtype=_STATE)
    gains = np.zeros(count(seat.hand), dtype=np.int64)
    for _ in range(samples):
        _deal_unseen(table, seat, states[0])
        for number in range(gains.shape[0]):
            states[1] = states[0]
            discard(states[1], nth_card(seat.hand, number))
            gains[number] += _play_out(states[1], seat.seat)
    return nth_card(seat.hand, np.int64(np.argmax(gains)))


@search_kernel
def _deal_unseen(table, seat, state):
    """Writes into `state` the position with the hidden cards dealt by the seat's own stream."""
    s = seat.seat
    state.table = table
    state.seats[s] = seat
    unseen = PACK & ~(seat.hand | table.down[0] | table.down[1] | table.dead)
    if table.offered >= 0:
        unseen = unseen & ~bit(table.offered)
    other = state.seats[1 - s]
    other.seat = 1 - s
    other.hand = NONE
    for _ in range(table.hand_sizes[1 - s]):
        card = bit(nth_card(unseen, below(seat, count(unseen))))
        unseen = unseen & ~card
        other.hand |= card
    deck = state.deck
    deck.rng = seat.rng
    deck.per_seat = 0
    deck.stock[0] = unseen
    deck.next = 0
    deck.laid_out = 0
    deck.order_size = count(unseen)
    for i in range(deck.order_size):
        deck.order[i] = lowest(unseen)
        unseen = unseen & (unseen - U1)


@search_kernel
def _play_out(state, seat):
    """1, 0 or -1 (int64): what the seat makes of the hand if both go on as `cq_greedy`."""
    table = state.table
    while table.ending < 0:
        if table.phase == TURN:
            turn_stock_card(state)
        elif table.phase == OFFER:
            answer = most_down(table, state.seats[table.offered_to])
            if answer.accept != 0:
                accept_card(state, answer)
            else:
                decline_card(state)
        elif table.phase == FORCING:
            settle_force(table, 0)
        else:
            discard(state, fewest_partners(table, state.seats[table.turn]))
    return np.int64(table.winner == seat) - np.int64(table.winner == 1 - seat)
