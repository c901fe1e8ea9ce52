"""Melds with jokers in the order of RULES, Part 3, *Best melds*, and as rows of numbers.

A row is one meld, six int64:

- RUN (0), suit, lowest place (0 … 12 from the ace, 13 for the high ace), cards, 0, jokers as bits
  from the low end;
- SET (1), rank, suits held (bits S H D C), cards, suits held twice, jokers: how many in
  `double_rum`, which suits they stand for (bits) in `konkan`.
"""

import numpy as np

from cooncan_sim.bits import NONE, U1, bit, count
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.aces_search import ACES, faces_of, with_high_aces, without

RUN, SET = np.int64(0), np.int64(1)
ROW = 6
_PLACES = np.uint64(0x3FFF)


@kernel
def first_cursor(once, suit, jokers, both_aces):
    """Where `next_run` begins: before the longest run that could be."""
    held = count((with_high_aces(once) >> np.uint64(16 * suit)) & _PLACES)
    longest = min(held + jokers, 14 if both_aces else 13)
    return ((longest + 1) << 12) | 1


@kernel
def next_run(once, twice, card, jokers, cursor):
    """The next run with this card after the one at the cursor; -1 if there is none.

    Longest first; of equal length the one that starts highest; then place by place from the low
    end, the card itself before a joker. A cursor is four hexadecimal digits: length, lowest place,
    the first joker's place in the run and the second's, or the length where there is no joker.
    """
    suit = np.uint64(card & 48)
    lane = (with_high_aces(once) >> suit) & _PLACES
    own = (with_high_aces(bit(card)) >> suit) & _PLACES
    one_ace = (twice >> suit) & U1 == NONE
    length, low, first, second = cursor >> 12, cursor >> 8 & 15, cursor >> 4 & 15, cursor & 15
    while True:
        if jokers > 1 and second > first + 1:
            second -= 1
        elif jokers > 0 and first > 0:
            first, second = first - 1, length
        else:
            if low > 0:
                low -= 1
            elif length > 3:
                length -= 1
                low = 14 - length
            else:
                return np.int64(-1)
            first = second = length
        run = ((U1 << np.uint64(length)) - U1) << np.uint64(low)
        if count(run & ~lane) > jokers or run & own == NONE:
            first, second = np.int64(0), np.int64(1)
            continue
        naturals = run & ~(_marks(length, first, second) << np.uint64(low))
        ends = one_ace and naturals & U1 != NONE and naturals >> np.uint64(13) != NONE
        if naturals & ~lane == NONE and naturals & own != NONE and not ends:
            return (length << 12) | (low << 8) | (first << 4) | second


@kernel
def _marks(length, first, second):
    """The joker places of a run as bits from its low end."""
    marks = (U1 << np.uint64(first)) | (U1 << np.uint64(second))
    return marks & ((U1 << np.uint64(length)) - U1)


@kernel
def run_places(suit, cursor):
    """The places of the run at a cursor, and those of them that jokers take (uint64 masks)."""
    length = cursor >> 12
    up = np.uint64(16 * suit + (cursor >> 8 & 15))
    run = (U1 << np.uint64(length)) - U1
    return run << up, _marks(length, cursor >> 4 & 15, cursor & 15) << up


@kernel
def run_taken(once, twice, jokers, suit, cursor):
    """A hand less the run at a cursor, as (once, twice, jokers)."""
    run, marks = run_places(suit, cursor)
    naturals = run & ~marks
    once, twice = without(once, twice, faces_of(naturals))
    both_ends = naturals & (naturals >> np.uint64(13)) & ACES
    once, twice = without(once, twice, both_ends)
    return once, twice, jokers - count(marks)


@kernel
def run_row(suit, cursor, row):
    """Writes the run at a cursor as a row."""
    length = cursor >> 12
    row[0], row[1], row[2], row[3], row[4] = RUN, suit, cursor >> 8 & 15, length, 0
    row[5] = np.int64(_marks(length, cursor >> 4 & 15, cursor & 15))


@kernel
def set_row(card, faces, twins, jokers, marks, row):
    """Writes a set of the rank of this card as a row; faces, twins: its cards and those twice."""
    rank = np.uint64(card & 15)
    row[0], row[1], row[2], row[4], row[5] = SET, card & 15, 0, 0, marks
    for suit in range(4):
        face = rank + np.uint64(16 * suit)
        row[2] |= np.int64((faces >> face) & U1) << suit
        row[4] |= np.int64((twins >> face) & U1) << suit
    row[3] = count(faces) + count(twins) + jokers
