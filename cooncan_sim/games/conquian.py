"""The engine of Conquian: turn, score, and the round about one offered card.

Every kernel works on a state record of `conquian_state`: its table (public), seats and deck
(hidden). It is changed in place.
"""

import numpy as np

from cooncan_sim.bits import NONE, bit, count
from cooncan_sim.games import conquian_breach as breach
from cooncan_sim.games.conquian_moves import forceable
from cooncan_sim.games.conquian_state import (
    ACCEPT,
    BROKEN,
    DECLINE,
    DISCARD,
    DISCARDED,
    DISCARDING,
    DRAWN,
    FORCE,
    FORCING,
    LET_PASS,
    MOST_MELDS,
    OFFER,
    OUT,
    OVER,
    REARRANGE_NONE,
    SEATS,
    STOCK,
    TURN,
)
from cooncan_sim.games.conquian_table import check_accept
from cooncan_sim.games.dealing import next_card, next_for_seat
from cooncan_sim.kernel import kernel

# ---- turn: the stock card -----------------------------------------------------------------


@kernel
def ends_without_stock(table):
    """Whether the hand is drawn already because the stock is empty (CQ_STOCK_END)."""
    return table.CQ_STOCK_END != 0 and table.stock == 0


@kernel
def turn_stock_card(state):
    """The seat on turn turns a stock card and is offered it; without one the hand is drawn.

    R-CQN-09, R-CQN-12, R-CQN-24. The vain reach is a turn (R-COM-15).
    """
    table = state.table
    deck = state.deck
    if table.stock == 0:
        table.turns += 1
        end_hand(state, DRAWN)
        return
    table.offered = next_card(deck) if deck.per_seat == 0 else next_for_seat(deck, table.turn)
    table.stock -= 1
    table.offered_to = table.turn
    table.origin = STOCK
    table.phase = OFFER


# ---- turn: offer and force ----------------------------------------------------------------


@kernel
def check_decline(table):
    """LEGAL, or what declining the offered card breaks (R-CQN-20, R-CQN-21)."""
    if table.phase != OFFER:
        return breach.NOT_THIS_PHASE
    return breach.MUST_ACCEPT if table.forced != 0 else breach.LEGAL


@kernel
def decline_card(state):
    """The seat passes up the card; the opponent may now force it, or the card passes on."""
    table = state.table
    s = table.offered_to
    table.declined[s] |= bit(table.offered)
    if table.origin == STOCK and ends_without_stock(table):
        table.dead |= bit(table.offered)
        table.offered = -1
        table.turns += 1
        table.quiet += 1
        end_hand(state, DRAWN)
    elif forceable(table, state.seats[s]):
        table.phase = FORCING
        table.turn = 1 - s
    else:
        pass_on(table)


@kernel
def pass_on(table):
    """The card is declined for good (R-CQN-11, R-CQN-12, R-CQN-25, R-CQJ-06).

    A stock card is offered to the opponent as a discard; a discard is dead, and who declined it
    has to turn a stock card.
    """
    if table.origin == STOCK:
        table.turns += 1
        table.quiet += 1
        _offer_discard(table, table.offered, 1 - table.offered_to)
    else:
        table.dead |= bit(table.offered)
        table.offered = -1
        table.turn = table.offered_to
        table.phase = TURN


@kernel
def _offer_discard(table, card, s):
    table.offered = card
    table.offered_to = s
    table.origin = DISCARDED
    table.turn = s
    table.phase = OFFER


@kernel
def check_force(table, answer):
    """LEGAL, or what FORCE or LET_PASS breaks; answer: 1 or 0 (R-CQN-21, CQ_FORCING)."""
    if table.phase != FORCING or table.CQ_FORCING != 0:
        return breach.NOT_THIS_PHASE
    return breach.LEGAL if answer == 0 or answer == 1 else breach.NO_ANSWER


@kernel
def settle_force(table, answer):
    """Makes the other seat accept the card (1), or lets it pass on (0)."""
    if answer == 0:
        pass_on(table)
    else:
        table.forced = 1
        table.turn = table.offered_to
        table.phase = OFFER


@kernel
def accept_card(state, answer):
    """Carries out a legal acceptance: the hand is won, or a discard follows (R-CQN-10)."""
    table = state.table
    s = table.offered_to
    seat = state.seats[s]
    whole = answer.first | answer.second | answer.third
    cards = whole & seat.hand
    _lay(table, s, answer)
    table.down[s] = whole
    seat.hand &= ~cards
    table.hand_sizes[s] -= count(cards)
    table.offered = -1
    table.forced = 0
    table.turns += 1
    table.quiet = 0
    if count(whole) >= table.need:
        end_hand(state, OUT)
    elif table.origin == STOCK and ends_without_stock(table):
        end_hand(state, DRAWN)
    else:
        table.phase = DISCARDING


@kernel
def _lay(table, s, answer):
    """Puts the melds of an answer in their places; frozen melds keep theirs."""
    first = answer.first
    second = answer.second
    third = answer.third
    place = 0
    if table.CQ_REARRANGE == REARRANGE_NONE:
        while place < MOST_MELDS and table.melds[s, place] != NONE:
            old = table.melds[s, place]
            if first & old != NONE:
                table.melds[s, place] = first
                first = NONE
            elif second & old != NONE:
                table.melds[s, place] = second
                second = NONE
            else:
                table.melds[s, place] = third
                third = NONE
            place += 1
    for meld in (first, second, third):
        if meld != NONE:
            table.melds[s, place] = meld
            place += 1
    for m in range(place, MOST_MELDS):
        table.melds[s, m] = NONE


# ---- turn: discard ------------------------------------------------------------------------


@kernel
def check_discard(table, seat, card):
    """LEGAL, or what throwing this card number breaks (R-CQN-10)."""
    if table.phase != DISCARDING:
        return breach.NOT_THIS_PHASE
    if card < 0 or card > 63 or bit(card) & seat.hand == NONE:
        return breach.NOT_HELD
    return breach.LEGAL


@kernel
def discard(state, card):
    """Throws a card, which is offered to the opponent (R-CQN-11)."""
    table = state.table
    s = table.turn
    state.seats[s].hand &= ~bit(card)
    table.hand_sizes[s] -= 1
    table.thrown[s] |= bit(card)
    _offer_discard(table, np.int64(card), 1 - s)


# ---- score --------------------------------------------------------------------------------


@kernel
def end_hand(state, ending):
    """Names the ending and writes each seat's score change into deck.points (CQ_STAKES)."""
    table = state.table
    table.phase = OVER
    table.ending = ending
    table.winner = table.offered_to if ending == OUT else -1
    for s in range(SEATS):
        state.deck.points[s] = 0
        if ending == OUT:
            state.deck.points[s] = table.stake if s == table.winner else -table.stake


@kernel
def break_off(state, why, action, cards):
    """Ends the hand because a strategy gave this illegal answer."""
    state.deck.breach = why
    state.deck.broken = action
    state.deck.broken_cards = cards
    end_hand(state, BROKEN)


# ---- the round about one card -------------------------------------------------------------


@kernel
def _note(state, action, card, cards):
    """Adds an action of the seat on turn to those about the present card; cards: of an ACCEPT."""
    deck = state.deck
    note = deck.notes[deck.noted]
    note.seat = state.table.turn
    note.action = action
    note.card = card
    note.cards = cards
    deck.noted += 1


@kernel
def _has_touched(state, seat, hand):
    """Whether a decision has changed the seat's hand, which was so before; that ends the hand."""
    if seat.hand == hand:
        return False
    break_off(state, breach.CARDS_CHANGED, DECLINE, NONE)
    return True


@kernel
def _ask_offer(state, choose_offer):
    """Asks the seat that a card is offered to, and carries out its answer."""
    table = state.table
    seat = state.seats[table.turn]
    hand = seat.hand
    answer = choose_offer(table, seat)
    if _has_touched(state, seat, hand):
        return
    if answer.accept == 0:
        why = check_decline(table)
        if why != breach.LEGAL:
            break_off(state, why, DECLINE, bit(table.offered))
            return
        _note(state, DECLINE, table.offered, NONE)
        decline_card(state)
        return
    whole = answer.first | answer.second | answer.third
    why = check_accept(table, seat, answer) if answer.accept == 1 else breach.NO_ANSWER
    if why != breach.LEGAL:
        break_off(state, why, ACCEPT, whole)
        return
    _note(state, ACCEPT, table.offered, whole & seat.hand)
    accept_card(state, answer)
    note = state.deck.notes[state.deck.noted - 1]
    for m in range(MOST_MELDS):
        note.melds[m] = table.melds[seat.seat, m]


@kernel
def _ask_force(state, choose_force):
    """Asks the opponent whether he forces the card, and carries out his answer."""
    table = state.table
    seat = state.seats[table.turn]
    hand = seat.hand
    answer = choose_force(table, seat)
    if _has_touched(state, seat, hand):
        return
    why = check_force(table, answer)
    if why != breach.LEGAL:
        break_off(state, why, FORCE, bit(table.offered))
        return
    _note(state, FORCE if answer != 0 else LET_PASS, -1, NONE)
    settle_force(table, answer)


@kernel
def _ask_discard(state, choose_discard):
    """Asks the seat that has accepted for a discard, and throws it."""
    table = state.table
    seat = state.seats[table.turn]
    hand = seat.hand
    card = choose_discard(table, seat)
    if _has_touched(state, seat, hand):
        return
    why = check_discard(table, seat, card)
    if why != breach.LEGAL:
        break_off(state, why, DISCARD, np.uint64(np.int64(card)))
        return
    _note(state, DISCARD, card, NONE)
    discard(state, card)


@kernel
def play_round(state, choose_offer, choose_force, choose_discard):
    """Plays the rest of the round about one card, from the phase it is in.

    A round goes from the turning or offering of a card until it is declined for good, or accepted
    and a discard thrown. choose_offer, choose_discard: of the seat that the card is offered to;
    choose_force: of its opponent. deck.notes holds the actions afterwards.
    """
    table = state.table
    state.deck.noted = 0
    if table.phase == TURN:
        turn_stock_card(state)
    if table.phase == OFFER:
        _ask_offer(state, choose_offer)
    if table.phase == FORCING:
        _ask_force(state, choose_force)
        if table.forced != 0 and table.phase == OFFER:
            _ask_offer(state, choose_offer)
    if table.phase == DISCARDING:
        _ask_discard(state, choose_discard)
