"""What the searches of `double_rum` and `konkan` share: two packs, the ace at both ends of runs.

A hand is two words, the faces held at least once and those held twice. In a run the ace has a
second place, bit 13 of its lane, above the king. One copy cannot stand at both ends: where the
closed form for runs takes more aces of a suit than are held, the suit *clashes*, and a search
fixes the ends.
"""

import numpy as np

from cooncan_sim.bits import ALL, LANE, U1, U2, U16, U32, U48
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.twins import running

U3, U13 = np.uint64(3), np.uint64(13)
# Costs inside the searches count points in steps of 128 and something smaller below that.
POINT, POINT_BITS = np.int64(128), np.int64(7)
ACES = np.uint64(0x0001000100010001)
PLACES = np.uint64(0x3FFF3FFF3FFF3FFF)  # the fourteen places of a run in each suit
_FOUR_LOW = np.uint64(0x07FF07FF07FF07FF)  # the places that have another three above them


@kernel
def with_high_aces(faces):
    """The places of a run, 14 a suit, that these faces can take."""
    return faces | ((faces & ACES) << U13)


@kernel
def faces_of(places):
    """The faces of places in runs; the high ace is an ace."""
    return (places & ALL) | ((places >> U13) & ACES)


@kernel
def in_runs(once, twice, barred, barred_twins):
    """The copies that runs can take at most, as (first copies, second copies, clashing suits).

    barred, barred_twins: places that first and second copies may not take. A clashing suit is
    given by its ace; where there is none, the answer is exact.
    """
    first, second = running(with_high_aces(once) & ~barred, with_high_aces(twice) & ~barred_twins)
    ends = first & (first >> U13) & ACES
    clash = ends & (~twice | second | (second >> U13))
    return faces_of(first), faces_of(second) | ends, clash


@kernel
def suit_counts(mask):
    """The ranks (lowest lane) that a mask has in at least one, two, three and four suits."""
    either = mask | (mask >> U16)
    both = mask & (mask >> U16)
    either_high, both_high = (either >> U32) & LANE, (both >> U32) & LANE
    either, both = either & LANE, both & LANE
    two = both | both_high | (either & either_high)
    three = (both & either_high) | (both_high & either)
    return either | either_high, two, three, both & both_high


@kernel
def first_suits(mask):
    """Of each rank in a mask the face that comes first in card order."""
    s = mask & LANE
    h = (mask >> U16) & LANE & ~s
    d = (mask >> U32) & LANE & ~(s | h)
    c = (mask >> U48) & ~(s | h | d)
    return s | (h << U16) | (d << U32) | (c << U48)


@kernel
def run_gaps(once, twice):
    """The faces, not held twice, that make three in a row with two cards of a hand."""
    held = with_high_aces(once)
    up, down = held << U1, held >> U1
    gaps = (up & down) | (up & (held << U2)) | (down & (held >> U2))
    return faces_of(gaps & PLACES) & ~twice


@kernel
def wide_gaps(once):
    """The places of cards in a hand that have another card three places above them."""
    held = with_high_aces(once)
    return held & (held >> U3) & _FOUR_LOW


@kernel
def plus(once, twice, faces):
    """A hand with one more card of each of these faces; none of them may be held twice."""
    return once | faces, twice | (once & faces)


@kernel
def without(once, twice, faces):
    """A hand less one card of each of these faces."""
    return once & ~(faces & ~twice), twice & ~faces
