"""Looking a turn or two ahead at a one-pack table, by the cards that the seat has not seen.

Every unseen card counts as likely to be drawn next. A turn is taken to be: draw, lay all that
`greedy` lays, throw the dearest card that is left.
"""

import numpy as np

from cooncan_sim.bits import (
    NONE,
    U1,
    bit,
    card_value,
    count,
    first_bit,
    first_to_throw,
    lowest,
    value,
)
from cooncan_sim.games.cooncan import legal_discards
from cooncan_sim.kernel import kernel
from cooncan_sim.view import best_throw, cards_that_fit, left_after_laying

_MOST_SAVED = 7  # cards that one drawn card gets rid of, more count as so many
_BYTE, _MANY = np.uint64(8), np.uint64(255)


# ---- out within two turns -----------------------------------------------------------------


@kernel
def cards_left(table, seat, hand):
    """The number of cards (int64) of a hand that stay when everything that can go is laid."""
    return count(left_after_laying(table, seat, hand))


@kernel
def _saved_with(table, seat, hand, left, card):
    """How many cards fewer than with one that fits nowhere stay with this card (int64)."""
    saved = left + 1 - cards_left(table, seat, hand | bit(card))
    return min(max(saved, 0), _MOST_SAVED)


@kernel
def _savings(table, seat, hand, left, unseen):
    """How many unseen cards save 0, 1 … 7 cards: a byte each in a uint64."""
    fit = unseen & cards_that_fit(table, seat, hand)
    tally = np.uint64(count(unseen & ~fit))  # the others save nothing
    unseen = fit
    while unseen != NONE:
        saved = _saved_with(table, seat, hand, left, lowest(unseen))
        tally = tally + (U1 << (_BYTE * np.uint64(saved)))
        unseen = unseen & (unseen - U1)
    return tally


@kernel
def _saving_at_least(tally, least):
    """How many cards (int64) save so many."""
    cards = np.int64(0)
    for saved in range(max(least, 0), _MOST_SAVED + 1):
        cards += np.int64(tally >> (_BYTE * np.uint64(saved)) & _MANY)
    return cards


@kernel
def chance_out_in_two(table, seat, hand, unseen):
    """The chance (float64) to be out with the next two draws.

    Two draws make out if together they save as many cards as the hand (mask) has left: one more
    may be thrown each time. What two cards save only together does not count.
    """
    left = cards_left(table, seat, hand)
    if left > 2 * _MOST_SAVED:
        return 0.0
    tally = _savings(table, seat, hand, left, unseen)
    pairs = np.int64(0)
    for saved in range(_MOST_SAVED + 1):
        cards = np.int64(tally >> (_BYTE * np.uint64(saved)) & _MANY)
        others = _saving_at_least(tally, left - saved)
        pairs += cards * (others - 1 if 2 * saved >= left else others)
    cards = count(unseen)
    return pairs / max(cards * (cards - 1), 1)


@kernel
def chance_out_taking(table, seat, card, unseen):
    """`chance_out_in_two` if the first draw is this card from the pile."""
    left = cards_left(table, seat, seat.hand)
    saved = _saved_with(table, seat, seat.hand, left, card)
    tally = _savings(table, seat, seat.hand, left, unseen)
    return _saving_at_least(tally, left - saved) / max(count(unseen), 1)


@kernel
def fastest_throw(table, seat, unseen):
    """The card (int64) after which `chance_out_in_two` is greatest; of equal ones as `throw`."""
    allowed = legal_discards(table, seat)
    fastest = allowed
    best = 0.0
    cards = allowed
    while cards != NONE:
        card = first_bit(cards)
        cards = cards & ~card
        chance = chance_out_in_two(table, seat, seat.hand & ~card, unseen)
        if chance > best:
            best = chance
            fastest = card
        elif chance == best and best > 0.0:
            fastest = fastest | card
    return best_throw(table, seat.hand, NONE, fastest)[0]


# ---- the next card ------------------------------------------------------------------------


@kernel
def next_card_saves(table, seat, hand, unseen):
    """How many cards an unseen card gets rid of on average (float64), with itself left none."""
    left = cards_left(table, seat, hand)
    saved = np.int64(0)
    cards = unseen & cards_that_fit(table, seat, hand)
    while cards != NONE:
        saved += _saved_with(table, seat, hand, left, lowest(cards))
        cards = cards & (cards - U1)
    return saved / max(count(unseen), 1)


# ---- charge -------------------------------------------------------------------------------


@kernel
def _charge(left):
    """The points (int64) of cards left, but for the dearest, which is thrown."""
    return value(left) - card_value(first_to_throw(left)) if left != NONE else np.int64(0)


@kernel
def charge_after_draw(table, seat, hand, unseen):
    """The expected charge (float64) after the next turn of a hand (mask)."""
    total = np.int64(0)
    left = left_after_laying(table, seat, hand)
    fit = cards_that_fit(table, seat, hand)
    cards = unseen
    while cards != NONE:
        drawn = first_bit(cards)
        cards = cards & ~drawn
        fits = drawn & fit != NONE
        total += _charge(left_after_laying(table, seat, hand | drawn) if fits else left | drawn)
    return total / max(count(unseen), 1)


@kernel
def charge_taking(table, seat, card):
    """The charge (int64) after this turn with a card taken from the pile, which is not thrown."""
    left = left_after_laying(table, seat, seat.hand | bit(card))
    others = left & ~bit(card)
    return _charge(others) + value(left & bit(card))


@kernel
def cheapest_throw(table, seat, unseen, risk):
    """The card (int64) after which the expected charge is least; ties by throw order.

    risk: the chance that the hand ends before the seat's next turn.
    """
    best_card = np.int64(-1)
    least = 1e9
    cards = legal_discards(table, seat)
    while cards != NONE:
        card = first_to_throw(cards)
        cards = cards & ~bit(card)
        hand = seat.hand & ~bit(card)
        charge = risk * value(hand) + (1 - risk) * charge_after_draw(table, seat, hand, unseen)
        if charge < least:
            best_card, least = card, charge
    return best_card
