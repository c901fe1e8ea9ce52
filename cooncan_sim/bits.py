"""Words of cards: counting, first and last, value. Scalars of uint64 in, plain numbers out."""

import numpy as np

from cooncan_sim.kernel import kernel

U0, U1, U2, U3, U4 = (np.uint64(n) for n in range(5))
U16, U32, U48, U56 = (np.uint64(n) for n in (16, 32, 48, 56))
NONE = U0
LANE = np.uint64(0x1FFF)  # the thirteen ranks of one suit, folded down to spades

_BY_1, _BY_2, _BY_4, _BYTES = (np.uint64(int(byte * 8, 16)) for byte in ("55", "33", "0f", "01"))


def _lanes(ranks):
    """The mask of these rank numbers in all four suits."""
    return np.uint64(sum(1 << (16 * suit + rank) for suit in range(4) for rank in ranks))


ALL = _lanes(range(13))
# Values in hand (R-JAQ-20) are A 1, 2 … 9, and 10 from the ten up: one mask per binary digit.
_VALUES = [min(rank + 1, 10) for rank in range(13)]
_VALUE_1, _VALUE_2, _VALUE_4, _VALUE_8 = (
    _lanes([rank for rank in range(13) if _VALUES[rank] & digit]) for digit in (1, 2, 4, 8)
)


@kernel
def count(mask):
    """How many cards (int64). LLVM makes one instruction of it."""
    mask = mask - ((mask >> U1) & _BY_1)
    mask = (mask & _BY_2) + ((mask >> U2) & _BY_2)
    mask = (mask + (mask >> U4)) & _BY_4
    return np.int64((mask * _BYTES) >> U56)


@kernel
def bit(card):
    """The mask of one card number."""
    return U1 << np.uint64(card)


@kernel
def lowest(mask):
    """The first card number in card order (int64) of a mask that is not empty."""
    return count((mask & (~mask + U1)) - U1)


@kernel
def first_bit(mask):
    """The mask of the first card in card order; empty for an empty mask."""
    return mask & (~mask + U1)


@kernel
def fold(mask):
    """The ranks that occur, in the lowest lane."""
    mask = mask | (mask >> U32)
    return (mask | (mask >> U16)) & LANE


@kernel
def spread(ranks):
    """The same ranks in all four suits; the inverse way of `fold`."""
    ranks = ranks | (ranks << U16)
    return ranks | (ranks << U32)


@kernel
def top_rank(ranks):
    """The highest rank number (int64) of a lane that is not empty."""
    # The exponent of a float is the highest bit: a shorter chain than smearing it down.
    return (np.float64(ranks).view(np.int64) >> 52) - 1023


@kernel
def value(mask):
    """Points of the cards in hand (R-JAQ-20), int64."""
    return (
        count(mask & _VALUE_1)
        + 2 * count(mask & _VALUE_2)
        + 4 * count(mask & _VALUE_4)
        + 8 * count(mask & _VALUE_8)
    )


@kernel
def card_value(card):
    """Points of one card number (R-JAQ-20), int64."""
    return np.int64(min((card & 15) + 1, 10))


@kernel
def first_to_throw(mask):
    """The card number that comes first in throw order: dearest, then K … A, then S H D C.

    With these values that is the highest rank, and of it the first suit.
    """
    return lowest(mask & spread(U1 << np.uint64(top_rank(fold(mask)))))


@kernel
def last_to_throw(mask):
    """The card number that comes last in throw order: lowest rank, last suit."""
    ranks = spread(first_bit(fold(mask)))
    cards = mask & ranks
    card = lowest(cards)
    while cards != NONE:
        card = lowest(cards)
        cards = cards & (cards - U1)
    return card


@kernel
def makes_runs(held):
    """The places (mask) that make a run of three with two of these."""
    above, below = held << U1, held >> U1
    return (above & below) | (above & (held << U2)) | (below & (held >> U2))


@kernel
def runs_through(cards, alive):
    """The runs of three among places that are alive, counted for each of these cards (int64)."""
    lowest_of = alive & (alive >> U1) & (alive >> U2)
    return (
        count(cards & lowest_of)
        + count(cards & (lowest_of << U1))
        + count(cards & (lowest_of << U2))
    )
