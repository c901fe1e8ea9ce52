"""The single-pack evaluator again, by trying everything: obvious, slow and independent of it.

A card is a number 0 … 51, 4 · rank + suit; a hand is a Python int with one bit a card. Only the
texts are shared with the engine.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from random import Random

RANKS = "A23456789TJQK"
SUITS = "SHDC"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]
VALUES = [min(number // 4 + 1, 10) for number in range(52)]


def bits(cards: Iterable[int]) -> int:
    """The set of these card numbers."""
    return sum(1 << card for card in cards)


def cards_in(hand: int) -> list[int]:
    """The card numbers of a set, lowest ranks first."""
    return [card for card in range(52) if hand >> card & 1]


def worth(hand: int) -> int:
    """Points of all its cards."""
    return sum(VALUES[card] for card in cards_in(hand))


def text(hand: int) -> str:
    """The cards as text, lowest ranks first."""
    return " ".join(CARDS[card] for card in cards_in(hand))


def number(card: str) -> int:
    """The number of a card text."""
    return CARDS.index(card)


def _every_meld() -> Iterator[int]:
    for rank in range(13):
        of_rank = [4 * rank + suit for suit in range(4)]
        for size in (3, 4):
            yield from map(bits, combinations(of_rank, size))
    for suit in range(4):
        for low, high in combinations(range(14), 2):
            if high - low >= 3:
                yield bits(4 * rank + suit for rank in range(low, high))


MELDS = tuple(_every_meld())
SETS = frozenset(meld for meld in MELDS if len({card // 4 for card in cards_in(meld)}) == 1)
_WORTH = {meld: worth(meld) for meld in MELDS}
_BY_LOWEST: dict[int, list[int]] = {}
for _meld in MELDS:
    _BY_LOWEST.setdefault(_meld & -_meld, []).append(_meld)


def melds_of(hand: int) -> list[int]:
    """Every meld that the hand holds."""
    found = []
    rest = hand
    while rest:
        lowest = rest & -rest
        rest ^= lowest
        found += [meld for meld in _BY_LOWEST.get(lowest, ()) if meld & ~hand == 0]
    return found


def least_penalty(hand: int) -> int:
    """The value of the hand less the dearest choice of melds that share no card."""
    return worth(hand) - _dearest(melds_of(hand), 0)


def _dearest(melds: list[int], used: int) -> int:
    best = 0
    for i, meld in enumerate(melds):
        if meld & used == 0:
            best = max(best, _WORTH[meld] + _dearest(melds[i + 1 :], used | meld))
    return best


def penalties_after_discard(hand: int) -> dict[int, int]:
    """For each card of the hand the least penalty without it."""
    return {card: least_penalty(hand & ~(1 << card)) for card in cards_in(hand)}


def best_discard(penalties: dict[int, int], allowed: Iterable[int]) -> tuple[int, int]:
    """The card whose loss leaves least, and what it leaves; ties: dearest, K … A, S H D C."""
    return min(
        ((card, penalties[card]) for card in allowed),
        key=lambda pair: (pair[1], -VALUES[pair[0]], -(pair[0] // 4), pair[0] % 4),
    )


def takes(meld: int) -> list[int]:
    """The cards that may join a meld on the table."""
    return [card for card in range(52) if not meld >> card & 1 and meld | 1 << card in _WORTH]


def least_penalty_laying(hand: int, table: frozenset[int]) -> int:
    """The least value left in hand by any sequence of melds and lay-offs."""
    _laid_out.cache_clear()
    return _laid_out(hand, table)


@cache
def _laid_out(hand: int, table: frozenset[int]) -> int:
    left = [worth(hand)]
    left += [_laid_out(hand & ~meld, table | {meld}) for meld in melds_of(hand)]
    for meld in table:
        for card in takes(meld):
            if hand >> card & 1:
                longer = table - {meld} | {meld | 1 << card}
                left.append(_laid_out(hand & ~(1 << card), longer))
    return min(left)


def uniform_hand(rng: Random, size: int) -> int:
    """A hand from the whole pack."""
    return bits(rng.sample(range(52), size))


def clustered_hand(rng: Random, size: int) -> int:
    """A hand from few neighbouring ranks and two to four suits, so that melds overlap."""
    suits = rng.sample(range(4), rng.randint(2, 4))
    least = -(-size // len(suits))
    width = min(13, least + rng.randint(0, 3))
    low = rng.randint(0, 13 - width)
    return bits(rng.sample([4 * r + s for r in range(low, low + width) for s in suits], size))


def table_of(rng: Random, cards: int, most: int) -> frozenset[int]:
    """Up to `most` melds from these cards, sharing none, short ones more often."""
    table: set[int] = set()
    for meld in sorted(MELDS, key=lambda meld: meld.bit_count() * rng.random()):
        if len(table) < most and meld & ~cards == 0:
            table.add(meld)
            cards &= ~meld
    return frozenset(table)
