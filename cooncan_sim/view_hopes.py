"""How good a hand is by what its loose cards may become: for two packs, and for wild cards.

A hand is taken apart once a decision, into its melds and the rest (`Loose`), and then judged by a
few operations on masks, for with jokers and twins a search for every unseen card would be slow.
Aces at both ends of a run, and worth 11, are those of `double_rum`.
"""

from typing import NamedTuple

import numpy as np

from cooncan_sim.bits import (
    ALL,
    NONE,
    bit,
    count,
    first_bit,
    first_to_throw,
    fold,
    makes_runs,
    runs_through,
    spread,
)
from cooncan_sim.bits import value as value_of
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.aces_search import (
    ACES,
    PLACES,
    faces_of,
    plus,
    suit_counts,
    with_high_aces,
    without,
)

LEAST = -1e9
_FACES = 64  # card numbers from here on are jokers
_MELD = 3  # cards that go when one card comes to two that wait for it


class Loose(NamedTuple):
    """The plain cards of a hand in no meld: faces, those of them held twice (masks).

    open: the faces that would go on a meld of the hand or the table; high_aces: see above.
    """

    once: np.uint64
    twice: np.uint64
    open: np.uint64
    high_aces: bool


class Unseen(NamedTuple):
    """The faces of which a copy, and two copies, may still be drawn (masks).

    near, near_twice: the same with the cards of the own hand, which may come to be in a meld.
    """

    once: np.uint64
    twice: np.uint64
    near: np.uint64
    near_twice: np.uint64


@kernel
def unseen_by(table, seat, twice, packs):
    """The `Unseen` of a seat that holds these faces twice, with so many packs."""
    once = both = NONE
    for i in range(table.pile_size):
        if table.pile[i] < _FACES:
            once, both = plus(once, both, bit(np.int64(table.pile[i])))
    for m in range(table.meld_count):
        once, both = plus(once, both, table.melds[m].cards & ALL)
        once, both = plus(once, both, table.melds[m].twice & ALL)
    for other in range(table.players):
        if other != seat.seat:
            once, both = plus(once, both, table.picked[other] & ALL)
    near, near_twice = _others(once, both, packs)
    once, both = plus(once, both, seat.hand)
    once, both = plus(once, both, twice)
    first, second = _others(once, both, packs)
    return Unseen(first, second, near, near_twice)


@kernel
def _others(once, twice, packs):
    """The faces of which a copy, and two copies, are not among these."""
    if packs == 2:
        return ALL & ~twice, ALL & ~once
    return ALL & ~once, NONE


@kernel
def promise(seat, loose, unseen):
    """How good a hand is, in cards (float64): fewer are left, and may soon be.

    seat.weights begin with `out`, `links` and `points`.
    """
    saves = cards_saved(loose, unseen)
    linked = links(loose, unseen)
    left = count(loose.once) + count(loose.twice)
    return seat.weights[0] * saves + seat.weights[1] * linked - seat.weights[2] * cost(loose) - left


@kernel
def best_throw_of(seat, loose, unseen, allowed):
    """Of the loose cards that may go the one (int64) without which a hand promises most.

    Returns it and what is promised (float64); -1 and LEAST if no loose card may go.
    """
    best, most = np.int64(-1), LEAST
    cards = loose.once & allowed
    while cards != NONE:
        card = first_to_throw(cards)
        cards = cards & ~bit(card)
        once, twice = without(loose.once, loose.twice, bit(card))
        promised = promise(seat, Loose(once, twice, loose.open, loose.high_aces), unseen)
        if promised > most:
            best, most = card, promised
    return best, most


@kernel
def cost(loose):
    """The points (int64) of loose cards."""
    points = value_of(loose.once) + value_of(loose.twice)
    if loose.high_aces:
        points += 10 * (count(loose.once & ACES) + count(loose.twice & ACES))
    return points


@kernel
def cards_saved(loose, unseen):
    """How many cards an unseen card gets rid of on average (float64), with itself.

    Three if it makes a meld with two loose ones, itself if it fits a meld, otherwise none.
    """
    makes = waited_for(loose)
    fits = loose.open & ~makes
    saved = _MELD * _copies(makes, unseen) + _copies(fits, unseen)
    return saved / max(_copies(ALL, unseen), 1)


@kernel
def _copies(faces, unseen):
    return count(faces & unseen.once) + count(faces & unseen.twice)


@kernel
def waited_for(loose):
    """The faces (mask) that make a set or run of three with two loose cards."""
    held = _places(loose.once, loose.high_aces)
    gaps = makes_runs(held)
    in_runs = faces_of(gaps & PLACES) if loose.high_aces else gaps & ALL
    return in_runs | spread(suit_counts(loose.once)[1] | fold(loose.twice))


@kernel
def _places(faces, high_aces):
    return with_high_aces(faces) if high_aces else faces


@kernel
def links(loose, unseen):
    """How many melds of three with each loose face are still possible, added up (int64).

    A run counts four times where two copies of each of its cards are left, otherwise once.
    """
    total = _windows(loose, unseen.near) + 3 * _windows(loose, unseen.near_twice)
    faces = loose.once
    while faces != NONE:
        rank = spread(fold(first_bit(faces)))
        mates = count(rank & unseen.near) + count(rank & unseen.near_twice) - 1
        total += count(faces & rank) * (mates * (mates - 1) // 2)
        faces = faces & ~rank
    return total


@kernel
def _windows(loose, alive):
    """The runs of three of these faces, counted for each loose card in them (int64)."""
    held = _places(loose.once, loose.high_aces)
    return runs_through(held, _places(alive, loose.high_aces))
