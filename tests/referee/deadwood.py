"""Least deadwood and best melds of a hand, by trying everything (RULES.md, *Best melds*)."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product

from tests.referee.cards import RANKS, card_order, face, position
from tests.referee.frame import settle_switches, without
from tests.referee.melds import (
    MeldRules,
    as_run_card,
    as_set_card,
    is_natural,
    meld_rules,
    possible_kinds,
)
from tests.referee.rummy import SWITCHES

Hand = tuple[str, ...]
Melds = tuple[Hand, ...]


def least_deadwood(hand: list[str], game: str, switches: dict | None = None) -> int:
    """Least value of the cards in no meld, over all ways of forming disjoint melds."""
    return dead(hand, _rules(game, switches))


def best_melds(hand: list[str], game: str, switches: dict | None = None) -> list[list[str]]:
    """`melds(H)`: the melds in the order in which they are laid, tokens in table order."""
    return [list(meld) for meld in melds(hand, _rules(game, switches))]


def left_over(hand: list[str], melds: list[list[str]], rules: MeldRules) -> int:
    """Value of the cards left when these melds are laid from a hand, in any order of their cards.

    ValueError if they cannot be.
    """
    left = list(hand)
    for meld in melds:
        if not possible_kinds(meld, rules):
            raise ValueError(f"{meld} is not a meld")
        left = without(left, [face(token) for token in meld])
    return sum(rules.value(card) for card in left)


def _rules(game: str, switches: dict | None) -> MeldRules:
    return meld_rules(game, settle_switches(switches or {}, SWITCHES[game]))


def dead(hand: list[str], rules: MeldRules) -> int:
    """`dead(H)` for rules already settled."""
    return _apart(in_card_order(hand, rules), rules)[0]


def melds(hand: list[str], rules: MeldRules) -> Melds:
    """`melds(H)` for rules already settled."""
    return _apart(in_card_order(hand, rules), rules)[1]


def in_card_order(hand: list[str], rules: MeldRules) -> Hand:
    """The hand sorted in card order."""
    return tuple(sorted(hand, key=lambda card: card_order(card, rules.wild_rank)))


def dead_without(hand: list[str], card: str, rules: MeldRules) -> int:
    """`dead` of the hand less one card. One that fits no meld takes just its value with it."""
    if card in _usable(in_card_order(hand, rules), rules):
        return dead(without(hand, [card]), rules)
    return dead(hand, rules) - rules.value(card)


@lru_cache(maxsize=1 << 16)
def _usable(hand: Hand, rules: MeldRules) -> Hand:
    """The cards that fit some meld. The others stay in hand, whatever the search does."""
    return tuple(c for c in hand if rules.is_wild(c) or next(choices(c, hand, rules), None))


@lru_cache(maxsize=1 << 16)
def _apart(hand: Hand, rules: MeldRules) -> tuple[int, Melds]:
    """Deadwood and melds."""
    usable = _usable(hand, rules)
    worth, _, found = _search(usable, rules)
    return worth + sum(rules.value(card) for card in without(list(hand), usable)), found


@lru_cache(maxsize=1 << 18)
def _search(hand: Hand, rules: MeldRules) -> tuple[int, int, Melds]:
    """Deadwood, cards left and melds of the best result; of equal ones the first found.

    The three choices for the first card are tried in their order. Deadwood and cards left add up,
    so the best result of each choice is that choice with the best result of the rest.
    """
    if not hand:
        return 0, 0, ()
    first, rest = hand[0], hand[1:]
    results = []
    for meld in choices(first, hand, rules):
        faces = [face(token) for token in meld]
        worth, left, found = _search(tuple(without(list(hand), faces)), rules)
        results.append((worth, left, (meld, *found)))
    worth, left, found = _search(rest, rules)
    results.append((worth + rules.value(first), left + 1, found))
    return min(results, key=lambda result: result[:2])  # the first of equals


def choices(card: str, hand: Hand, rules: MeldRules) -> Iterator[Hand]:
    """Every meld of cards of the hand in which `card` stands for itself, in the search's order."""
    yield from _runs(card, hand, rules)
    yield from _sets(card, hand, rules)


def _runs(card: str, hand: Hand, rules: MeldRules) -> Iterator[Hand]:
    """Longest first, then the highest start, then the card itself before a substitute."""
    wilds = [c for c in hand if c[0] == rules.wild_rank]
    own = {c for c in hand if c[1] == card[1]}
    if len(own) + len(wilds) < 3:
        return
    place = position(card)
    lowest = place - _reach(card, RANKS[: place - 1][::-1], own, len(wilds))
    highest = place + _reach(card, RANKS[place:], own, len(wilds))
    for length in range(highest - lowest + 1, 2, -1):
        for start in range(min(place, highest - length + 1), lowest - 1, -1):
            if start + length > place:
                cards = [RANKS[p - 1] + card[1] for p in range(start, start + length)]
                yield from _fillings(cards, card, own, wilds, rules)


def _reach(card: str, ranks: str, own: set[str], wilds: int) -> int:
    """How many places on from the card can be filled one after another with so many wilds."""
    for steps, rank in enumerate(ranks):
        wilds -= rank + card[1] not in own
        if wilds < 0:
            return steps
    return len(ranks)


def _fillings(
    cards: list[str], card: str, own: set[str], wilds: list[str], rules: MeldRules
) -> Iterator[Hand]:
    """Every way to fill the places of a run, `card` standing for itself."""
    if sum(c not in own for c in cards) > len(wilds):
        return
    itself = [(True,) if c == card else (True, False) if c in own else (False,) for c in cards]
    for pattern in product(*itself):
        at_home = [c for c, own_card in zip(cards, pattern, strict=True) if own_card]
        spare = [wild for wild in wilds if wild not in at_home]
        for chosen in combinations(spare, pattern.count(False)):
            fill = iter(chosen)
            run = tuple(c if c in at_home else as_run_card(next(fill), c) for c in cards)
            if sum(map(is_natural, run)) >= rules.min_naturals:
                yield run


def _sets(card: str, hand: Hand, rules: MeldRules) -> Iterator[Hand]:
    """Largest first, then fewest substitutes, then own cards first in card order."""
    own = [c for c in hand if c[0] == card[0]]
    wilds = [c for c in hand if c[0] == rules.wild_rank != card[0]]
    own.remove(card)
    for size in range(min(rules.set_max, 1 + len(own) + len(wilds)), 2, -1):
        for substitutes in range(min(len(wilds), size - rules.min_naturals) + 1):
            naturals = dict.fromkeys(combinations(own, size - 1 - substitutes))
            for mates, chosen in product(naturals, combinations(wilds, substitutes)):
                own_cards = in_card_order([card, *mates], rules)
                yield own_cards + tuple(as_set_card(wild, card[0]) for wild in chosen)
