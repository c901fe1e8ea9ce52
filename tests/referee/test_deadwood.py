"""Least deadwood and best melds against every subset, every result, and hands worked by hand."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random

import pytest

from tests.referee import rummy
from tests.referee.cards import PACKS, face
from tests.referee.deadwood import (
    Hand,
    Melds,
    best_melds,
    choices,
    dead,
    dead_without,
    in_card_order,
    least_deadwood,
    left_over,
)
from tests.referee.frame import without
from tests.referee.melds import MeldRules, kind_of, meld_rules, possible_kinds


def _settled(game: str, **switches: object) -> dict:
    return rummy.settled({"game": game, "switches": switches})


def _clustered(game: str, size: int, rng: Random) -> list[str]:
    """A hand from few ranks, so that melds overlap."""
    low = rng.randrange(8)
    ranks = "A23456789TJQK"[low : low + 5] + rng.choice(["", "2"])
    return rng.sample([card for card in PACKS[game] if card[0] in ranks], size)


def _by_subsets(hand: list[str], game: str, switches: dict) -> int:
    """Least deadwood from every subset that is a meld by the rules for laying one."""
    rules = meld_rules(game, _settled(game, **switches))
    places = range(len(hand))
    melds = [
        frozenset(chosen)
        for size in range(3, len(hand) + 1)
        for chosen in combinations(places, size)
        if possible_kinds([hand[place] for place in chosen], rules)
    ]
    worth = [rules.value(card) for card in hand]

    @cache
    def most(free: frozenset[int]) -> int:
        return max(
            (sum(worth[p] for p in meld) + most(free - meld) for meld in melds if meld <= free),
            default=0,
        )

    return sum(worth) - most(frozenset(places))


@pytest.mark.parametrize(
    ("game", "switches", "size", "count"),
    [
        ("jaques", {}, 8, 15),
        ("two_deck", {}, 8, 15),
        ("two_deck", {"TWO_DECK_SET_MAX": 7}, 8, 15),
        ("wild_card", {}, 7, 30),
        ("wild_card", {"WILD_RANK": "7", "WILD_PENALTY": 15}, 7, 25),
        ("wild_card", {"WILD_MIN_NATURALS": 2}, 7, 25),
        ("wild_card", {"WILD_MIN_NATURALS": 3, "WILD_PENALTY": 25}, 7, 25),
    ],
)
def test_least_deadwood_is_that_of_all_subsets(
    game: str, switches: dict, size: int, count: int
) -> None:
    rng = Random(5)
    for _ in range(count):
        hand = _clustered(game, size, rng)
        right = _by_subsets(hand, game, switches)
        assert least_deadwood(hand, game, switches) == right, hand
        rules = meld_rules(game, _settled(game, **switches))
        assert left_over(hand, best_melds(hand, game, switches), rules) == right


@pytest.mark.parametrize(
    ("game", "hand", "melds"),
    [
        # a run is tried before a set, the longer before the shorter
        ("jaques", "4S 5S 6S 4H 4D 5H 5D 6H 6D", "4S 5S 6S|4H 5H 6H|4D 5D 6D"),
        # in the order in which the first cards of the melds come
        ("jaques", "7H 8H 9H TH 7S 7D", "7S 7H 7D|8H 9H TH"),
        # the run of spades is found first, but leaves two cards where this leaves one for as much
        ("jaques", "2S 3S 4S 2H 3H 3D 2C 3C", "2S 2H 2C|3S 3H 3D 3C"),
        # equally long runs: the one that starts highest
        ("wild_card", "9S TS 2H KD", "9S TS 2H=JS"),
        # the card itself before a substitute; wilds fill the places in card order
        ("wild_card", "5S 7S 2H 2D", "5S 2H=6S 7S 2D=8S"),
        # a wild card at its own place stands for itself
        ("wild_card", "AH 2H 3H 2C", "AH 2H 3H 2C=4H"),
        # fewest substitutes, then own cards first in card order
        ("two_deck", "7S 7S 7H 7D 7C", "7S 7S 7H 7D"),
        # even of wild cards alone a run comes first
        ("wild_card", "2S 2H 2D 2C", "2S 2H=3S 2D=4S 2C=5S"),
    ],
)
def test_best_melds_are_the_first_found(game: str, hand: str, melds: str) -> None:
    shuffled = Random(2).sample(hand.split(), len(hand.split()))
    assert best_melds(shuffled, game) == [meld.split() for meld in melds.split("|")]


@pytest.mark.parametrize(
    ("tokens", "kind"),
    [
        ("5H 6H 7H", "run"),
        ("7H 6H 5H", None),
        ("QS KS AS", None),
        ("AS 2H=2S 3S", "run"),
        ("AS 2S 2D=3S", "run"),
        ("2H=6S 2D=7S 2C=8S", None),
        ("8S 8H 2C=8", "set"),
        ("8S 8H 2C=8D", None),
        ("8S 8H 2C", None),
        ("8S 8H 9C=8", None),
        ("8S 8H 8D 8C 2C=8", None),
        ("2S 2H 2D", "set"),
        ("2S=AS 2H=2S 2D=3S", None),
        ("2H=AS 2S 2D=3S", "run"),
    ],
)
def test_kinds_of_melds_with_wild_twos(tokens: str, kind: str | None) -> None:
    assert kind_of(tokens.split(), meld_rules("wild_card", _settled("wild_card"))) == kind


@pytest.mark.parametrize("game", ["jaques", "two_deck", "wild_card"])
def test_deadwood_without_a_card(game: str) -> None:
    rng = Random(9)
    rules = meld_rules(game, _settled(game))
    for size in (7, 9, 11):
        for hand in (rng.sample(PACKS[game], size), _clustered(game, size, rng)):
            for card in hand:
                assert dead_without(hand, card, rules) == dead(without(hand, [card]), rules)


def _in_full(hand: Hand, rules: MeldRules) -> Iterator[tuple[int, int, Melds]]:
    """Deadwood, cards left and melds of every result of the search, in the order found."""
    if not hand:
        yield 0, 0, ()
        return
    first, rest = hand[0], hand[1:]
    for meld in choices(first, hand, rules):
        left = without(list(hand), [face(token) for token in meld])
        for worth, count, melds in _in_full(tuple(left), rules):
            yield worth, count, (meld, *melds)
    for worth, count, melds in _in_full(rest, rules):
        yield worth + rules.value(first), count + 1, melds


@pytest.mark.parametrize(
    ("game", "size", "count"), [("jaques", 10, 60), ("two_deck", 9, 60), ("wild_card", 6, 60)]
)
def test_best_melds_are_the_first_best_of_all_results(game: str, size: int, count: int) -> None:
    rng = Random(7)
    rules = meld_rules(game, _settled(game))
    for _ in range(count):
        hand = in_card_order(_clustered(game, size, rng), rules)
        first_best = min(_in_full(hand, rules), key=lambda result: result[:2])
        assert best_melds(list(hand), game) == [list(meld) for meld in first_best[2]]
