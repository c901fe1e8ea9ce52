"""Cards of `konkan`: jokers in masks, hands that gain and lose cards, places and worth of pairs."""

import numpy as np

from cooncan_sim.bits import ALL, NONE, U1, bit, count, fold, lowest
from cooncan_sim.games.konkan_state import RUN, SET
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.aces_search import ACES, PLACES, faces_of, without
from cooncan_sim.melds.konkan_search import points

JOKER = 64  # as a card number
JOKER_BIT = np.uint64(1 << 63)
_U13, _U63 = np.uint64(13), np.uint64(63)


@kernel
def card_bit(card):
    """The mask of a card number; bit 63 for the joker."""
    return U1 << np.uint64(card - (card >> 6))


@kernel
def card_at(place):
    """The card number (int64) of a place in a mask; the inverse of `card_bit`."""
    return place + (place == 63)


@kernel
def with_jokers(hand, jokers):
    """The cards held at least once: the faces, and bit 63 if a joker is held."""
    return hand | (np.uint64(jokers > 0) << _U63)


@kernel
def twins(twice, jokers):
    """The cards held twice: the faces, and bit 63 if both jokers are held."""
    return twice | (np.uint64(jokers > 1) << _U63)


@kernel
def with_card(hand, twice, jokers, card):
    """A hand (faces held, held twice, jokers) with one more card."""
    if card == JOKER:
        return hand, twice, jokers + 1
    return hand | card_bit(card), twice | (hand & card_bit(card)), jokers


# ---- pairs --------------------------------------------------------------------------------


@kernel
def kind_of(places, jokers, jokers_a_pair, both_aces):
    """RUN or SET if these places make a pair (R-KON-02, R-KON-03, R-KON-13, R-KON-14), else -1.

    jokers: the places that jokers take. jokers_a_pair, both_aces: KK_JOKERS_PER_PAIR, and whether
    one run may hold an ace at both ends (RUN_BOTH_ACES).
    """
    cards = count(places)
    if cards < 3 or jokers & ~places != NONE or places & ~PLACES != NONE:
        return -1
    if jokers == places or count(jokers) > jokers_a_pair:
        return -1
    if places & ~ALL == NONE and count(fold(places)) == 1:
        return SET
    chain = places >> np.uint64(lowest(places))
    if chain & (chain + U1) != NONE or (cards == 14 and not both_aces):
        return -1
    return RUN


@kernel
def worth(places):
    """Points of a pair (R-KON-12 … R-KON-14), int64: a joker is worth what it stands for."""
    return points(places & ALL) + 10 * count(places & ~ALL)


@kernel
def both_ends(places):
    """The aces (faces) that stand at both ends of a run."""
    return places & (places >> _U13) & ACES


@kernel
def holds(hand, twice, jokers, places, joker_places):
    """Whether a hand has the cards of a pair."""
    naturals = places & ~joker_places
    if faces_of(naturals) & ~hand != NONE or both_ends(naturals) & ~twice != NONE:
        return False
    return count(joker_places) <= jokers


@kernel
def less(hand, twice, jokers, places, joker_places):
    """A hand (faces held, held twice, jokers) less the cards of a pair that it has."""
    naturals = places & ~joker_places
    hand, twice = without(hand, twice, faces_of(naturals))
    hand, twice = without(hand, twice, both_ends(naturals))
    return hand, twice, jokers - count(joker_places)


@kernel
def pair_of_row(row):
    """The (places, jokers) of a pair that `melds.konkan` wrote as a row of six numbers."""
    if row[0] == RUN:
        up = np.uint64(16 * row[1] + row[2])
        run = (U1 << np.uint64(row[3])) - U1
        return run << up, np.uint64(row[5]) << up
    places = NONE
    jokers = NONE
    for suit in range(4):
        face = bit(16 * suit + row[1])
        if row[5] >> suit & 1:
            jokers = jokers | face
        elif row[2] >> suit & 1:
            places = places | face
    return places | jokers, jokers
