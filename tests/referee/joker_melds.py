"""Melds with jokers (Double Rum, KonKan): what is one, and the search of *Best melds*.

A meld on the table is a tuple of tokens, runs from low to high. The search follows the text of
the rules word by word; `best` keeps what it found for a remainder of cards, nothing else is
clever here.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from tests.referee.cards import JOKER, RANKS, SUITS, card_order, face, stands_for, value
from tests.referee.tokens2 import in_card_order, without

Meld = tuple[str, ...]


@dataclass(frozen=True)
class MeldRules:
    """What decides which melds there are."""

    game: str
    both_aces: bool  # RUN_BOTH_ACES
    jokers: int  # most jokers in one meld, KK_JOKERS_PER_PAIR

    @classmethod
    def of(cls, game: str, switches: dict[str, Any]) -> "MeldRules":
        both = switches["RUN_BOTH_ACES"] == "allowed"
        return cls(game, both, switches.get("KK_JOKERS_PER_PAIR", 2))


def face_at(position: int, suit: str) -> str:
    """The card at a position 1…14 of a suit, 14 being the high ace."""
    return RANKS[(position - 1) % 13] + suit


SUIT_PLACES = {suit: [face_at(p, suit) for p in range(1, 15)] for suit in SUITS}


def run_span(tokens: Sequence[str]) -> tuple[str, int, int] | None:
    """Suit, lowest and highest position of tokens that follow one another upwards, or None."""
    cards = [stands_for(token) for token in tokens]
    if any(len(card) != 2 for card in cards):
        return None
    suit, low = cards[0][1], RANKS.index(cards[0][0]) + 1
    high = low + len(cards) - 1
    if high > 14 or cards != SUIT_PLACES[suit][low - 1 : high]:
        return None
    return suit, low, high


@lru_cache(maxsize=400_000)
def kind(tokens: Meld, rules: MeldRules) -> str | None:
    """`run`, `set` or None for tokens in table order (R-DBR-08…10, R-KON-02, -03, -13, -14)."""
    jokers = [token for token in tokens if face(token) == JOKER]
    if len(tokens) < 3 or len(jokers) == len(tokens) or len(jokers) > rules.jokers:
        return None
    if run_span(tokens):
        return "run" if rules.both_aces or len(tokens) < 14 else None
    meanings = [stands_for(token) for token in tokens]
    if len({meaning[0] for meaning in meanings}) > 1 or JOKER in meanings:
        return None
    if rules.game == "double_rum":
        return "set" if all(len(stands_for(joker)) == 1 for joker in jokers) else None
    suits = [meaning[1:] for meaning in meanings]
    return "set" if len(set(suits)) == len(suits) and "" not in suits else None


def kinds_of_cards(cards: Sequence[str], rules: MeldRules) -> list[str]:
    """All kinds as which cards in any order can be laid, jokers without meaning being free."""
    free = sum(card == JOKER for card in cards)
    fixed = Counter(stands_for(card) for card in cards if card != JOKER)
    jokers = sum(face(card) == JOKER for card in cards)
    if len(cards) < 3 or jokers == len(cards) or jokers > rules.jokers:
        return []
    kinds = []
    longest = 14 if rules.both_aces else 13
    for suit in SUITS:
        for low in range(1, 16 - len(cards)):
            places = Counter(face_at(low + i, suit) for i in range(len(cards)))
            if len(cards) <= longest and not fixed - places and fixed.total() + free == len(cards):
                kinds = ["run"]
    if len({card[0] for card in fixed}) == 1:
        suits = [card[1:] for card in fixed.elements()]
        if rules.game == "double_rum" or (len(set(suits)) == len(suits) and len(cards) <= 4):
            kinds.append("set")
    return kinds


def runs_with(card: str, others: Sequence[str], rules: MeldRules) -> Iterator[Meld]:
    """Runs in which `card` stands for itself, of it and `others`, as the search tries them:
    longest first, then the highest start, then place by place the card before a joker."""
    suit = card[1]
    jokers = min(others.count(JOKER), rules.jokers)
    held = [False] + [place in others or place == card for place in SUIT_PLACES[suit]]
    own = RANKS.index(card[0]) + 1
    windows = set()
    for place in (own, 14) if own == 1 else (own,):
        for low in range(place, 0, -1):
            if sum(not held[p] for p in range(low, place)) > jokers:
                break
            for high in range(place, 15):
                if sum(not held[p] for p in range(low, high + 1)) > jokers:
                    break
                if high - low >= 2 and (rules.both_aces or high - low < 13):
                    windows.add((high - low + 1, low))
    for length, low in sorted(windows, reverse=True):
        places = SUIT_PLACES[suit][low - 1 : low + length - 1]
        for run in fillings(places, [card, *others], jokers):
            if card in run:
                yield run


def fillings(places: Sequence[str], cards: Sequence[str], jokers: int) -> Iterator[Meld]:
    """Every way to fill the places with the cards themselves or with jokers, in that order."""
    if not places:
        yield ()
        return
    first, *rest = places
    if first in cards:
        for more in fillings(rest, without(cards, [first]), jokers):
            yield (first, *more)
    if jokers:
        for more in fillings(rest, cards, jokers - 1):
            yield (f"*={first}", *more)


def sets_with(card: str, others: Sequence[str], rules: MeldRules) -> Iterator[Meld]:
    """Sets in which `card` stands for itself, of it and `others`, as the search tries them:
    largest first, then fewest jokers, then by the own cards in card order."""
    jokers = min(others.count(JOKER), rules.jokers)
    same_rank = in_card_order(c for c in others if c[0] == card[0])
    if rules.game == "konkan":
        same_rank = in_card_order({c for c in same_rank if c != card})
    if len(same_rank) + jokers < 2:
        return
    choices = set()
    for more in range(len(same_rank) + 1):
        for chosen in combinations(same_rank, more):
            for used in range(jokers + 1):
                if 3 <= 1 + more + used <= (4 if rules.game == "konkan" else 10):
                    choices.add((used, tuple(in_card_order([card, *chosen]))))

    def trying(choice: tuple[int, Meld]) -> tuple[int, int, list[tuple[int, int, int]]]:
        used, cards = choice
        return (-used - len(cards), used, [card_order(c) for c in cards])

    for used, cards in sorted(choices, key=trying):
        yield cards + jokers_in_set(cards, used, rules)


def jokers_in_set(cards: Sequence[str], count: int, rules: MeldRules) -> Meld:
    """Tokens for jokers that join a set: a bare rank, or in KonKan the first missing suits."""
    rank = stands_for(cards[0])[0]
    if rules.game == "double_rum":
        return (f"*={rank}",) * count
    missing = [suit for suit in SUITS if rank + suit not in map(stands_for, cards)]
    return tuple(f"*={rank}{suit}" for suit in missing[:count])


def melds_with(card: str, others: Sequence[str], rules: MeldRules) -> Iterator[Meld]:
    """Choices 1 and 2 of the search for `card`, in its order."""
    yield from runs_with(card, others, rules)
    yield from sets_with(card, others, rules)


Found = tuple[int, int, tuple[Meld, ...]]


def naturals(meld: Sequence[str]) -> list[str]:
    """The cards of a hand that a meld takes."""
    return [face(token) for token in meld]


@lru_cache(maxsize=400_000)
def best(cards: Meld, rules: MeldRules) -> Found:
    """Least deadwood of `cards` (in card order), cards left in hand, and the melds, such that
    the deadwood is least, then the cards left fewest, then the melds the first found."""
    if not cards:
        return 0, 0, ()
    first, *rest = cards
    results: list[Found] = []
    if first != JOKER:
        for meld in melds_with(first, rest, rules):
            cost, left, more = best(tuple(without(cards, naturals(meld))), rules)
            results.append((cost, left, (meld, *more)))
    cost, left, more = best(tuple(rest), rules)
    results.append((cost + value(first, rules.game), left + 1, more))
    return min(results, key=lambda result: result[:2])


def dead(hand: Sequence[str], rules: MeldRules) -> int:
    """`dead(H)` of the rules."""
    return best(tuple(in_card_order(hand)), rules)[0]


def melds(hand: Sequence[str], rules: MeldRules) -> tuple[Meld, ...]:
    """`melds(H)` of the rules, in the order in which they are laid."""
    return best(tuple(in_card_order(hand)), rules)[2]


def worth(tokens: Sequence[str], rules: MeldRules) -> int:
    """Value of a meld, jokers being worth what they stand for (R-KON-12…14)."""
    return sum(value(stands_for(token), rules.game) for token in tokens)


@lru_cache(maxsize=400_000)
def most_worth(cards: Meld, rules: MeldRules) -> int:
    """The highest total value of disjoint melds out of `cards` (in card order)."""
    if not cards or cards[0] == JOKER:
        return 0
    first, *rest = cards
    totals = [most_worth(tuple(rest), rules)]
    for meld in melds_with(first, rest, rules):
        left = tuple(without(cards, naturals(meld)))
        totals.append(worth(meld, rules) + most_worth(left, rules))
    return max(totals)


Condition = Callable[[tuple[Meld, ...], list[str]], bool]


def melds_where(
    hand: Sequence[str], rules: MeldRules, least_worth: int, condition: Condition
) -> tuple[Meld, ...] | None:
    """`melds(H | condition)`: as `melds`, among the results worth enough whose melds and cards
    left in hand meet the condition; None if no result does.

    Branches that cannot beat what was found, or cannot be worth enough, are left out.
    """
    found: list[tuple[tuple[int, int], tuple[Meld, ...]]] = []

    def search(cards: Meld, laid: tuple[Meld, ...], kept: list[str]) -> None:
        so_far = sum(worth(meld, rules) for meld in laid)
        if so_far < least_worth and so_far + most_worth(cards, rules) < least_worth:
            return
        cost, left, _ = best(cards, rules)
        loose = sum(value(card, rules.game) for card in kept)
        if found and (loose + cost, len(kept) + left) >= found[-1][0]:
            return
        if not cards:
            if condition(laid, kept):
                found.append(((loose, len(kept)), laid))
            return
        first, *rest = cards
        if first != JOKER:
            for meld in melds_with(first, rest, rules):
                search(tuple(without(cards, naturals(meld))), (*laid, meld), kept)
        search(tuple(rest), laid, [*kept, first])

    search(tuple(in_card_order(hand)), (), [])
    return found[-1][1] if found else None


def lay_off(tokens: Meld, token: str, end: str | None, rules: MeldRules) -> Meld | None:
    """The meld with one more token, or None. `end` matters for an ace that fits both ends."""
    if kind(tokens, rules) == "run":
        fits = {
            "low": kind((token, *tokens), rules) == "run",
            "high": kind((*tokens, token), rules) == "run",
        }
        if fits["low"] and (not fits["high"] or end != "high"):
            return (token, *tokens)
        return (*tokens, token) if fits["high"] else None
    return (*tokens, token) if kind((*tokens, token), rules) == "set" else None


def same_meld(one: Sequence[str], other: Sequence[str]) -> bool:
    """Equal melds: runs in order, sets as multisets."""
    return list(one) == list(other) or (not run_span(one) and Counter(one) == Counter(other))
