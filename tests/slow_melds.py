"""Least deadwood and best melds the slow way, for two packs and for a wild rank.

Every part of a hand is asked whether it is a meld, and every way to choose such parts is tried.
Nothing is shared with the kernels: a hand is a list of card numbers, a part of it a number with
one bit a card, and what a meld is stands here once more in the words of the rules. A cost is
100 * points + cards, so that of equal deadwood the one with fewer cards left is less.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, product

import numba
import numpy as np
from numpy.typing import NDArray

MOST_CARDS = 12
VALUES = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10])
FACES = [16 * suit + rank for suit in range(4) for rank in range(13)]


@numba.njit(cache=True)
def is_natural_meld(cards, part, set_limit):
    """Is this part of a hand in card order a run or a set? (R-JAQ-12, R-JAQ-13, R-TWO-04)"""
    size, before = 0, -1
    run = alike = True
    for place, card in enumerate(cards):
        if part >> place & 1:
            if size > 0:
                run = run and card == before + 1
                alike = alike and card % 16 == before % 16
            size, before = size + 1, card
    return size >= 3 and (run or (alike and size <= set_limit))


@numba.njit(cache=True)
def is_wild_meld(cards, part, wild_rank, min_naturals):
    """Can this part of a hand of one pack be laid, wilds as any card? (R-WLD-02)"""
    size, plain, lowest, highest, suit = 0, 0, 13, -1, -1
    wild_of_suit = [False, False, False, False]
    one_suit = True
    for place, card in enumerate(cards):
        if part >> place & 1:
            size += 1
            if card % 16 == wild_rank:
                wild_of_suit[card // 16] = True
            else:
                plain += 1
                lowest, highest = min(lowest, card % 16), max(highest, card % 16)
                one_suit = one_suit and suit in (-1, card // 16)
                suit = card // 16
    if size < 3:
        return False
    if size <= 4 and (plain == 0 or (plain >= min_naturals and lowest == highest)):
        return True
    if not one_suit or plain == 0:
        return False  # larger parts of wilds alone do not exist
    for low in range(max(0, highest - size + 1), min(lowest, 13 - size) + 1):
        at_own_place = wild_of_suit[suit] and low <= wild_rank < low + size
        if plain + at_own_place >= min_naturals:
            return True
    return False


@numba.njit(cache=True)
def _least_of_parts(melds, costs):
    """The least cost of each part of a hand.

    melds: for each part, is it a meld; costs: of each card if it is in none. A part costs what
    its first card costs and the rest, or what is left of it after a meld with its first card.
    """
    least = np.zeros(len(melds), dtype=np.int64)
    for part in range(1, len(melds)):
        first = part & -part
        others = part & ~first
        card = 0
        while first >> card > 1:
            card += 1
        least[part] = costs[card] + least[others]
        mates = others
        while mates > 0:
            if melds[mates | first]:
                least[part] = min(least[part], least[others & ~mates])
            mates = (mates - 1) & others
    return least


@numba.njit(cache=True)
def twins_parts(cards, set_limit):
    """The least cost of each part of a two-pack hand: int64, shape (2 ** len(cards),)."""
    melds = np.zeros(1 << len(cards), dtype=np.bool_)
    for part in range(len(melds)):
        melds[part] = is_natural_meld(cards, part, set_limit)
    return _least_of_parts(melds, 100 * VALUES[cards % 16] + 1)


@numba.njit(cache=True)
def wild_parts(cards, wild_rank, min_naturals, wild_cost):
    """The same with a wild rank; wild_cost 0: an unused wild costs its face value."""
    melds = np.zeros(1 << len(cards), dtype=np.bool_)
    for part in range(len(melds)):
        melds[part] = is_wild_meld(cards, part, wild_rank, min_naturals)
    points = VALUES[cards % 16]
    if wild_cost > 0:
        points[cards % 16 == wild_rank] = wild_cost
    return _least_of_parts(melds, 100 * points + 1)


@numba.njit(cache=True)
def twins_costs(hands, set_limit):
    """The least cost of each hand, int64. hands: as `hands_array` gives them."""
    return np.array([twins_parts(hand[hand >= 0], set_limit)[-1] for hand in hands])


@numba.njit(cache=True)
def wild_costs(hands, wild_rank, min_naturals, wild_cost):
    """The same with a wild rank."""
    costs = np.zeros(len(hands), dtype=np.int64)
    for i in range(len(hands)):
        cards = hands[i][hands[i] >= 0]
        costs[i] = wild_parts(cards, wild_rank, min_naturals, wild_cost)[-1]
    return costs


Meld = tuple[str, int, int, tuple[int, ...]]  # kind, suit or rank, lowest rank of a run, cards


def in_card_order(cards: list[int], wild_rank: int | None = None) -> list[int]:
    """S, H, D, C, each from the ace; cards of the wild rank last (RULES, Part 3, *Orders*)."""
    return sorted(cards, key=lambda card: (card % 16 == wild_rank, card))


def slow_best_melds(
    cards: list[int], least: NDArray, melds_with_first: Callable[[list[int]], Iterator[Meld]]
) -> list[Meld]:
    """`melds(H)` by going through the results of the search in its order (RULES, Part 3).

    cards: in card order; least: the least cost of each part; melds_with_first: the melds in which
    the first of these cards stands for itself, in the order in which they are tried. Results that
    are dearer than need be are left out; the first of the others is the one that counts.
    """

    def search(part: int, allowed: int) -> list[Meld] | None:
        if least[part] > allowed:
            return None
        places = [i for i in range(len(cards)) if part >> i & 1]
        if not places:
            return []
        for meld in melds_with_first([cards[i] for i in places]):
            rest, free = part, list(places)
            for card in meld[3]:
                place = next(i for i in free if cards[i] == card)
                free.remove(place)
                rest ^= 1 << place
            if (found := search(rest, allowed)) is not None:
                return [meld, *found]
        alone = 1 << places[0]
        return search(part ^ alone, allowed - (least[alone]))

    whole = len(least) - 1
    found = search(whole, least[whole])
    assert found is not None
    return found


def natural_melds(cards: list[int], set_limit: int) -> Iterator[Meld]:
    """The melds with the first card of a two-pack hand, in the order of the search."""
    suit, low = cards[0] // 16, cards[0] % 16
    for length in range(13 - low, 2, -1):
        run = tuple(range(cards[0], cards[0] + length))
        if set(run) <= set(cards):
            yield "run", suit, low, run
    others = [card for card in cards[1:] if card % 16 == low]
    for size in range(set_limit, 2, -1):
        for more in combinations(others, size - 1):
            yield "set", low, 0, (cards[0], *more)


def wild_melds(cards: list[int], wild_rank: int, min_naturals: int) -> Iterator[Meld]:
    """The melds in which the first card stands for itself, wilds as anything, in that order."""
    yield from _wild_runs(cards, wild_rank, min_naturals)
    rank = cards[0] % 16
    others = [card for card in cards[1:] if card % 16 == rank]
    pool = [card for card in cards if card % 16 == wild_rank] if rank != wild_rank else []
    for size in (4, 3):
        for own in range(size, min_naturals - 1, -1):
            for more in combinations(others, own - 1):
                for wilds in combinations(pool, size - own):
                    yield "set", rank, 0, (cards[0], *more, *wilds)


def _wild_runs(cards: list[int], wild_rank: int, min_naturals: int) -> Iterator[Meld]:
    suit, rank = cards[0] // 16, cards[0] % 16
    wilds = [card for card in cards if card % 16 == wild_rank]
    for length in range(13, 2, -1):
        for low in range(min(rank, 13 - length), max(rank - length, -1), -1):
            places = range(16 * suit + low, 16 * suit + low + length)
            ways = [(True,) if p == cards[0] else (True, False) if p in cards else (False,)
                    for p in places]  # fmt: skip
            if sum(way == (False,) for way in ways) > len(wilds):
                continue
            for natural in product(*ways):
                gaps = [p for p, own in zip(places, natural, strict=True) if not own]
                if length - len(gaps) < min_naturals:
                    continue
                own_cards = [p for p, own in zip(places, natural, strict=True) if own]
                pool = [card for card in wilds if card not in own_cards]
                for chosen in combinations(pool, len(gaps)):
                    if any(gap == card for gap, card in zip(gaps, chosen, strict=True)):
                        continue  # it stands for itself: the way with that place natural
                    fill = dict(zip(gaps, chosen, strict=True))
                    yield "run", suit, low, tuple(fill.get(p, p) for p in places)


def in_throw_order(cards: list[int]) -> list[int]:
    """Dearest first, then K … A, then S, H, D, C; for cards of plain ranks."""
    return sorted(cards, key=lambda c: (-VALUES[c % 16], -(c % 16), c // 16))


def random_hand(
    rng: np.random.Generator, copies: int, wild_rank: int | None = None, most: int = MOST_CARDS
) -> list[int]:
    """A hand of 1 … `most` cards out of `copies` packs: one in two out of few ranks and suits.

    With a wild rank, one in two has some wilds put in by force.
    """
    suits, ranks = range(4), range(13)
    kind = rng.integers(4)
    if kind == 0:
        ranks = range(first := int(rng.integers(8)), first + 6)
    elif kind == 1:
        suits = rng.choice(4, rng.integers(1, 4), replace=False).tolist()
        first, width = int(rng.integers(8)), int(rng.integers(2, 6))
        ranks = range(first, first + width)
    pack = [16 * suit + rank for suit in suits for rank in ranks for _ in range(copies)]
    size = int(rng.integers(1, most + 1))
    hand = rng.permutation(pack)[:size].tolist()
    if wild_rank is not None and rng.integers(2):
        wilds = [
            16 * suit + wild_rank for suit in rng.permutation(4)[: rng.integers(1, 5)].tolist()
        ]
        hand = (wilds + [card for card in hand if card not in wilds])[:size]
    return in_card_order(hand, wild_rank)


def hands_array(hands: list[list[int]]) -> NDArray:
    """The hands as rows of card numbers, filled up with -1."""
    rows = np.full((len(hands), max(map(len, hands))), -1)
    for row, hand in zip(rows, hands, strict=True):
        row[: len(hand)] = hand
    return rows


def words_of(hands: list[list[int]]) -> NDArray:
    """The hands as (faces held once, faces held twice), uint64, shape (n, 2)."""
    words = []
    for hand in hands:
        once = sum({1 << card for card in hand})
        words.append((once, sum(1 << card for card in hand) - once))
    return np.array(words, dtype=np.uint64)
