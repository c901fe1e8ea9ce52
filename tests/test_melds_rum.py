"""Double Rum: penalties, discards and melds against the search of the rules, word for word."""

import json
from pathlib import Path

import numpy as np
import pytest

from cooncan_sim.cards import Pack
from cooncan_sim.melds import rum
from tests.slow_melds_jokers import (
    JOKER,
    condition,
    double_rum,
    random_hands,
    slow_discards,
    slow_melds,
    words,
)

PACK = Pack(copies=2, jokers=2)
MOST_CARDS = 11
THROW_ORDER = [13 * suit + rank for rank in (0, *range(12, 0, -1)) for suit in range(4)]
CASES = json.loads((Path(__file__).parent / "cases/rules_cases.json").read_text())["cases"]
PARTITIONS = [c for c in CASES if c["game"] == "double_rum" and c["kind"] == "best_partition"]


def hand(text):
    once, twice, jokers = PACK.row(PACK.numbers(text))
    return np.uint64(once), np.uint64(twice), np.int64(jokers)


def check_melds(hands, both_aces=True):
    """`least_penalty` and `best_melds`, joker meanings and order included."""
    results, melds = slow_melds(hands, double_rum(both_aces), condition())
    out = np.zeros((rum.MOST_MELDS, 6), dtype=np.int64)
    for row, (dead, _, laid), expected in zip(words(hands), results, melds, strict=True):
        assert rum.least_penalty(*row) == dead
        assert rum.best_melds(*row, both_aces, out) == laid
        assert np.array_equal(out[:laid], expected[:laid])


def check_discards(hands, rng):
    """`best_discard` against the slow deadwood without each card in turn."""
    expected = slow_discards(hands, double_rum(), THROW_ORDER, rng)
    for row, (allowed, joker_allowed, choice) in zip(words(hands), expected, strict=True):
        assert rum.best_discard(*row, allowed, joker_allowed) == choice


@pytest.mark.plain
@pytest.mark.parametrize("case", PARTITIONS, ids=lambda case: case["id"])
def test_worked_partitions(case):
    row = hand(case["given"]["hand"])
    assert rum.least_penalty(*row) == case["expect"]["min_deadwood"]
    assert (rum.least_penalty(*row) == 0) == case["expect"]["melds_all"]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "penalty"),
    [
        ("", 0),
        ("*", 15),
        ("* *", 30),
        ("* 7H 9S", 31),
        ("* * 7H", 0),
        ("KS AS 2S", 23),
        ("AS 2S 3S QS KS", 5),
        ("AS AS 2S 3S QS KS", 0),
        ("5S 5S 5H 5H 5D 5D 5C 5C *", 0),
        ("9S 9S 9H 9H 9D 9D 9C 9C 4S 4S 4H 4H 4D 4D 4C 4C * *", 0),
        ("4H 4H 5H 5H 6H 6H 5S *", 5),
    ],
)
def test_penalties_by_hand(text, penalty):
    assert rum.least_penalty(*hand(text)) == penalty


@pytest.mark.plain
def test_small_hands_in_plain_python_too():
    hands = random_hands(np.random.default_rng(1), 90, 9)
    check_melds(hands)
    check_discards(hands, np.random.default_rng(2))


@pytest.mark.plain
def test_a_batch_is_its_hands():
    hands = random_hands(np.random.default_rng(3), 40, 8)
    batch = np.array([[once, twice, jokers] for once, twice, jokers in words(hands)], np.uint64)
    out = np.zeros(len(batch), dtype=np.int64)
    rum.least_penalties(batch, out)
    assert out.tolist() == [rum.least_penalty(*row) for row in words(hands)]


@pytest.mark.plain
def test_rows_say_where_the_jokers_are():
    out = np.zeros((rum.MOST_MELDS, 6), dtype=np.int64)
    assert rum.best_melds(*hand("9C * JC 7H 7H 7D *"), True, out) == 2
    # 7H 7H 7D and a joker; 9C, a joker as its second card, JC.
    assert out[:2].tolist() == [[1, 6, 0b0110, 4, 0b0010, 1], [0, 3, 8, 3, 0, 0b010]]


def test_twenty_thousand_hands():
    check_melds(random_hands(np.random.default_rng(11), 20_000, MOST_CARDS))


def test_discards_of_twenty_thousand_hands():
    rng = np.random.default_rng(12)
    check_discards(random_hands(rng, 20_000, MOST_CARDS), rng)


@pytest.mark.parametrize("both_aces", [True, False])
def test_hands_of_one_suit(both_aces):
    """Long runs, also A … K A, which `RUN_BOTH_ACES` may forbid."""
    rng = np.random.default_rng(13)
    hands = np.zeros((300, 53), dtype=np.int64)
    hands[:, :13] = rng.choice([0, 1, 2], (300, 13), p=[0.1, 0.85, 0.05])
    hands[:, 0] = rng.integers(0, 3, 300)
    hands[:, JOKER] = rng.integers(0, 3, 300)
    check_melds(hands, both_aces)


@pytest.mark.soak
def test_a_million_hands():
    for seed in range(50):
        rng = np.random.default_rng((14, seed))
        hands = random_hands(rng, 20_000, MOST_CARDS + seed % 3)
        check_melds(hands)
        check_discards(hands[::5], rng)
