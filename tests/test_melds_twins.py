"""Two packs without jokers: equal to the slow search of slow_melds, and by hand."""

from itertools import product

import numpy as np
import pytest

from cooncan_sim.cards import Pack
from cooncan_sim.melds import single, twins
from tests import slow_melds as slow

TWO_PACKS = Pack(copies=2)


def check_costs(hands: list[list[int]], set_limit: int) -> None:
    """Penalty and cards left of every hand, one at a time and as a batch."""
    words = slow.words_of(hands)
    expected = slow.twins_costs(slow.hands_array(hands), set_limit)
    penalties = np.empty(len(hands), dtype=np.int64)
    twins.least_penalties(words, set_limit, penalties)
    wrong = np.flatnonzero(penalties != expected // 100)
    assert not wrong.size, hands[wrong[0]]
    costs = [twins.least_cost(once, twice, set_limit) for once, twice in words]
    assert [divmod(cost, 128) for cost in costs] == [
        divmod(cost, 100) for cost in expected.tolist()
    ]


def penalty_of(text: str, set_limit: int = 4) -> int:
    once, twice = np.array(TWO_PACKS.row(TWO_PACKS.numbers(text)), dtype=np.uint64)
    return int(twins.least_penalty(once, twice, set_limit))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("hand", "set_limit", "penalty"),
    [
        ("", 4, 0),
        ("6H 6H 7H 7H 8H 8H 9C 9C 9D KS QS", 4, 20),  # C-TWO-10
        ("5D 6D 6D 7D", 4, 6),
        ("4S 5S 6S 6S 7S 8S", 4, 0),  # two runs share the six
        ("4S 5S 5S 6S 6S 7S", 4, 0),
        ("5S 5S 6S 6S 7S", 4, 11),
        ("9S 9S 9H 9D 9C", 4, 9),
        ("9S 9S 9H 9D 9C", 5, 0),
        ("9S 9S 9H 9H 9D 9D 9C 9C", 4, 0),
        ("9S 9S 9H 9H 9D 7S 8S", 4, 0),  # one nine runs, four are a set
        ("KS KS KH QS JS", 4, 20),  # the run, or the set: twenty are left either way
        ("KS KS KH KH QS JS TS", 4, 0),
    ],
)
def test_hands_anybody_can_check(hand: str, set_limit: int, penalty: int) -> None:
    assert penalty_of(hand, set_limit) == penalty


@pytest.mark.parametrize(("set_limit", "count"), [(4, 12000), (5, 4000), (6, 2000), (8, 2000)])
def test_least_penalty_of_random_hands(set_limit: int, count: int) -> None:
    rng = np.random.default_rng(set_limit)
    check_costs([slow.random_hand(rng, 2) for _ in range(count)], set_limit)


@pytest.mark.parametrize("set_limit", [4, 5])
@pytest.mark.parametrize(("suits", "ranks"), [(1, 8), (2, 4), (4, 2)])
def test_every_hand_of_a_tiny_pack(suits: int, ranks: int, set_limit: int) -> None:
    faces = [16 * suit + rank for suit in range(suits) for rank in range(8, 8 + ranks)]
    faces = [face - 3 if ranks == 8 else face for face in faces]
    hands = [
        [face for face, copies in zip(faces, held, strict=True) for _ in range(copies)]
        for held in product(range(3), repeat=len(faces))
    ]
    check_costs([hand for hand in hands if len(hand) <= slow.MOST_CARDS], set_limit)


def test_hands_longer_than_any_in_play() -> None:
    rng = np.random.default_rng(2)
    check_costs([slow.random_hand(rng, 2, most=14) for _ in range(300)], 4)


def test_one_pack_is_the_single_evaluator() -> None:
    rng = np.random.default_rng(1)
    hands = slow.words_of([slow.random_hand(rng, 1) for _ in range(20000)])
    ours, theirs = np.empty((2, len(hands)), dtype=np.int64)
    twins.least_penalties(hands, 4, ours)
    single.least_penalties(np.ascontiguousarray(hands[:, :1]), theirs)
    assert not hands[:, 1].any()
    assert np.array_equal(ours, theirs)


def check_discards(hands: list[list[int]], rng: np.random.Generator, set_limit: int) -> None:
    """`best_discard` against throwing each card, with every face allowed and with some barred."""
    for hand, (once, twice) in zip(hands, slow.words_of(hands), strict=True):
        least = slow.twins_parts(np.array(hand), set_limit) // 100
        barred = set(rng.choice(hand, rng.integers(len(hand) + 1)).tolist())
        may_go = [card for card in slow.in_throw_order(hand) if card not in barred]
        left = {card: least[-1 - (1 << hand.index(card))] for card in may_go}
        expected = min(may_go, key=lambda card: left[card], default=-1)
        mask = np.uint64(sum(1 << card for card in range(64) if card not in barred))
        found = twins.best_discard(once, twice, set_limit, mask)
        assert found == (expected, left.get(expected, least[-1])), (hand, barred)


@pytest.mark.parametrize(("set_limit", "count"), [(4, 3000), (8, 1000)])
def test_best_discard_is_that_of_trying_every_card(set_limit: int, count: int) -> None:
    rng = np.random.default_rng(count)
    check_discards([slow.random_hand(rng, 2) for _ in range(count)], rng, set_limit)


def check_melds(hands: list[list[int]], set_limit: int) -> None:
    out = np.zeros((twins.MOST_MELDS, 3), dtype=np.uint64)
    for hand, (once, twice) in zip(hands, slow.words_of(hands), strict=True):
        count = twins.best_melds(once, twice, set_limit, out)
        least = slow.twins_parts(np.array(hand), set_limit)
        expected = slow.slow_best_melds(
            hand, least, lambda cards: slow.natural_melds(cards, set_limit)
        )
        found = [(("run", "set")[row[0]], TWO_PACKS.cards(row[1:])) for row in out[:count]]
        assert found == [(meld[0], list(meld[3])) for meld in expected], hand


@pytest.mark.parametrize(("set_limit", "count"), [(4, 3000), (8, 1000)])
def test_best_melds_are_the_first_in_order(set_limit: int, count: int) -> None:
    rng = np.random.default_rng(count)
    check_melds([slow.random_hand(rng, 2) for _ in range(count)], set_limit)


@pytest.mark.plain
def test_plain_python_gives_the_same() -> None:
    rng = np.random.default_rng(3)
    hands = [slow.random_hand(rng, 2)[:8] for _ in range(30)]
    check_costs(hands, 4)
    check_discards(hands, rng, 4)
    check_melds(hands, 5)


@pytest.mark.soak
@pytest.mark.parametrize("set_limit", [4, 5])
def test_half_a_million_hands(set_limit: int) -> None:
    rng = np.random.default_rng(100 + set_limit)
    for _ in range(25):
        hands = [slow.random_hand(rng, 2) for _ in range(20000)]
        check_costs(hands, set_limit)
        check_discards(hands[:1000], rng, set_limit)
        check_melds(hands[:1000], set_limit)
