"""Random streams: one for every (seed, deal, purpose, index).

A stream is a 64-bit word that a Weyl sequence moves on and SplitMix64's finaliser turns into
numbers (Steele, Lea & Flood, *Fast splittable pseudorandom number generators*, 2014). Its start
is mixed from the four words above, so the ten-millionth deal is made without the ones before it,
and what one purpose draws moves nothing in another.
"""

import numpy as np

from cooncan_sim.kernel import kernel

DEALER, DEAL, STOCK, RECYCLE, POLICY, CUT, TAKEN, WORLD = range(8)

WEYL = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_U7, _U12, _U27, _U30, _U31, _U52, _U57 = (np.uint64(n) for n in (7, 12, 27, 30, 31, 52, 57))


@kernel
def mix(word):
    """SplitMix64's finaliser: a bijection of uint64 that leaves no visible pattern."""
    word = (word ^ (word >> _U30)) * _MIX_1
    word = (word ^ (word >> _U27)) * _MIX_2
    return word ^ (word >> _U31)


@kernel
def stream(seed, deal, purpose, index):
    """The start (uint64) of the stream of these four non-negative integers."""
    word = mix(np.uint64(seed) + WEYL)
    word = mix(word ^ (np.uint64(deal) + WEYL))
    return mix(word ^ mix(np.uint64(purpose) * WEYL + np.uint64(index)))


@kernel
def scaled(word, n):
    """A word of a stream as an int64 in 0 … n-1, n at most 128.

    The upper 57 bits are scaled by a multiplication; no number is more likely than another by
    more than 2**-50.
    """
    return np.int64(((word >> _U7) * np.uint64(n)) >> _U57)


@kernel
def below(owner, n):
    """The next int64 in 0 … n-1, n at most 128, of the stream in the record field `owner.rng`."""
    owner.rng += WEYL
    return scaled(mix(owner.rng), n)


@kernel
def below_many(owner, n):
    """As `below`, for n up to 4096: from the upper 52 bits, even to 2**-40."""
    owner.rng += WEYL
    return np.int64(((mix(owner.rng) >> _U12) * np.uint64(n)) >> _U52)
