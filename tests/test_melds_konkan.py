"""KonKan: penalties, discards, melds and come-downs against the search of the rules."""

import json
from pathlib import Path

import numpy as np
import pytest

from cooncan_sim.cards import Pack
from cooncan_sim.melds import konkan as kk
from tests.slow_melds_jokers import (
    JOKER,
    MOST_WORTH,
    condition,
    konkan,
    number,
    random_hands,
    slow_discards,
    slow_melds,
    words,
)

PACK = Pack(copies=2, jokers=2)
MOST_CARDS = 15
THROW_ORDER = [
    13 * suit + rank for rank in (12, 11, 10, 9, 0, *range(8, 0, -1)) for suit in range(4)
]
CASES = json.loads((Path(__file__).parent / "cases/rules_cases.json").read_text())["cases"]
OPENINGS = [c for c in CASES if c["game"] == "konkan" and c["kind"] == "open_max"]
COME_DOWNS = [c for c in CASES if c["game"] == "konkan" and c["kind"] == "come_down"]
PICKUPS = [
    c for c in CASES if c["game"] == "konkan" and c["kind"] == "pickup" and not c["given"]["down"]
]


def hand(text):
    once, twice, jokers = PACK.row(PACK.numbers(text))
    return np.uint64(once), np.uint64(twice), np.int64(jokers)


def check_melds(hands, jokers_a_pair=2, both_aces=True):
    """`least_penalty` and `best_melds`, joker meanings and order included."""
    results, melds = slow_melds(hands, konkan(jokers_a_pair, both_aces), condition())
    out = np.zeros((kk.MOST_MELDS, 6), dtype=np.int64)
    for row, (dead, _, laid), expected in zip(words(hands), results, melds, strict=True):
        assert kk.least_penalty(*row, jokers_a_pair) == dead
        assert kk.best_melds(*row, jokers_a_pair, both_aces, out) == laid
        assert np.array_equal(out[:laid], expected[:laid])


def check_discards(hands, rng, jokers_a_pair=2):
    """`best_discard` against the slow deadwood without each card in turn."""
    expected = slow_discards(hands, konkan(jokers_a_pair), THROW_ORDER, rng)
    for row, (allowed, joker_allowed, choice) in zip(words(hands), expected, strict=True):
        assert kk.best_discard(*row, jokers_a_pair, allowed, joker_allowed) == choice


def check_conditions(hands, rng, jokers_a_pair=2):
    """Melds that leave a card to throw, come-downs and the greatest worth, with a card taken."""
    rules = konkan(jokers_a_pair)
    leaving, opening, most = [], [], []
    for held in hands:
        taken = rng.choice(np.nonzero(held)[0]) if rng.random() < 0.8 else -1
        by_face, must_use = bool(rng.random() < 0.3), bool(rng.random() < 0.3)
        worth = int(rng.choice([20, 35, 51, 51, 70, 90]))
        leaving.append(condition(0, True, taken, by_face))
        opening.append(condition(worth, True, taken, by_face, must_use))
        most.append(condition(0, True, taken, by_face, must_use, MOST_WORTH))
    left_results, left_melds = slow_melds(hands, rules, leaving)
    open_results, open_melds = slow_melds(hands, rules, opening)
    most_results, _ = slow_melds(hands, rules, most)
    out = np.zeros((kk.MOST_MELDS, 6), dtype=np.int64)
    for i, row in enumerate(words(hands)):
        worth, _, place, by_face, must_use, _ = opening[i]
        taken = number(place)
        laid = max(left_results[i, 2], 0)
        assert kk.best_melds_leaving(*row, jokers_a_pair, True, taken, by_face, out) == laid
        assert np.array_equal(out[:laid], left_melds[i, :laid])
        laid = max(open_results[i, 2], 0)
        terms = (taken, by_face, must_use)
        assert kk.comedown_melds(*row, jokers_a_pair, True, *terms, worth, out) == laid
        assert np.array_equal(out[:laid], open_melds[i, :laid])
        assert kk.can_come_down(*row, jokers_a_pair, *terms, worth) == (laid > 0)
        assert kk.open_max(*row, jokers_a_pair, *terms) == max(most_results[i, 0], 0)


@pytest.mark.plain
@pytest.mark.parametrize("case", OPENINGS, ids=lambda case: case["id"])
def test_worked_openings(case):
    row = hand(case["given"]["hand"])
    expect = case["expect"]
    assert kk.open_max(*row, 2, -1, False, False) == expect["max_points"]
    assert kk.can_come_down(*row, 2, -1, False, False, 51) == expect["can_come_down"]


@pytest.mark.plain
@pytest.mark.parametrize("case", COME_DOWNS, ids=lambda case: case["id"])
def test_worked_come_downs_are_no_better_than_the_best(case):
    """A laid come-down is worth what it says, and the hand may hold one worth more."""
    row = hand(case["given"]["hand"])
    points = case["expect"]["points"]
    assert kk.open_max(*row, 2, -1, False, False) >= points
    assert kk.can_come_down(*row, 2, -1, False, False, points)


@pytest.mark.plain
@pytest.mark.parametrize("case", PICKUPS, ids=lambda case: case["id"])
def test_worked_pickups(case):
    row = hand([*case["given"]["hand"], case["given"]["top"]])
    taken = PACK.number(case["given"]["top"])
    must_use = case.get("switches", {}).get("KK_PICKUP_MUST_USE") == "yes"
    assert kk.can_come_down(*row, 2, taken, False, must_use, 51) == case["expect"]["legal"]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "penalty", "apart"),
    [
        ("", 0, 0),
        ("*", 25, 25),
        ("* *", 50, 50),
        ("* * 7H", 0, 57),
        ("* 7H 9S", 41, 41),
        ("7S 7H 7D 7C *", 7, 7),
        ("7S 7S 7H 7H 7D 7D", 0, 0),
        ("7S 7S 7H 7H 7D 7C", 0, 0),
        ("7S 7S 7H 7D", 7, 7),
        ("AS 2S 3S QS KS", 5, 5),
        ("5S 5S 5H 5H 5D 5D 5C 5C *", 0, 0),
        # Every other suit of the rank is taken twice by runs: the joker is a third copy.
        ("7D 7D 8D 8D 9D 9D 7C 7C 8C 8C 9C 9C 8S 8H *", 0, 0),
        ("7S 7S 8S 8S 9S 9S 7C 7C 8C 8C 9C 9C 8D * *", 0, 0),
    ],
)
def test_penalties_by_hand(text, penalty, apart):
    """apart: with one joker a pair at most."""
    assert kk.least_penalty(*hand(text), 2) == penalty
    assert kk.least_penalty(*hand(text), 1) == apart


@pytest.mark.plain
def test_small_hands_in_plain_python_too():
    hands = random_hands(np.random.default_rng(1), 90, 9)
    for jokers_a_pair in (1, 2):
        check_melds(hands, jokers_a_pair)
        check_discards(hands, np.random.default_rng(2), jokers_a_pair)
        check_conditions(hands, np.random.default_rng(3), jokers_a_pair)


@pytest.mark.plain
def test_a_batch_is_its_hands():
    hands = random_hands(np.random.default_rng(4), 40, 8)
    batch = np.array([[once, twice, jokers] for once, twice, jokers in words(hands)], np.uint64)
    out = np.zeros(len(batch), dtype=np.int64)
    kk.least_penalties(batch, 2, out)
    assert out.tolist() == [kk.least_penalty(*row, 2) for row in words(hands)]


def test_twenty_thousand_hands():
    check_melds(random_hands(np.random.default_rng(11), 20_000, MOST_CARDS))


def test_discards_of_twenty_thousand_hands():
    rng = np.random.default_rng(12)
    check_discards(random_hands(rng, 20_000, 10), rng)
    check_discards(random_hands(rng, 1_500, MOST_CARDS), rng)


def test_conditions_on_twenty_thousand_hands():
    rng = np.random.default_rng(13)
    check_conditions(random_hands(rng, 20_000, 11), rng)
    check_conditions(random_hands(rng, 3_000, MOST_CARDS), rng)


def test_one_joker_a_pair():
    rng = np.random.default_rng(14)
    hands = random_hands(rng, 4_500, MOST_CARDS)
    hands[:, JOKER] = np.where(rng.random(len(hands)) < 0.8, 2, hands[:, JOKER])
    check_melds(hands, 1)
    check_discards(hands[::3], rng, 1)
    check_conditions(hands[::2], rng, 1)


@pytest.mark.parametrize("both_aces", [True, False])
def test_hands_of_one_suit(both_aces):
    """Long runs, also A … K A, which `RUN_BOTH_ACES` may forbid."""
    rng = np.random.default_rng(15)
    hands = np.zeros((300, 53), dtype=np.int64)
    hands[:, :13] = rng.choice([0, 1, 2], (300, 13), p=[0.1, 0.85, 0.05])
    hands[:, 0] = rng.integers(0, 3, 300)
    hands[:, JOKER] = rng.integers(0, 3, 300)
    check_melds(hands, 1, both_aces)
    check_melds(hands, 2, both_aces)


@pytest.mark.soak
def test_a_million_hands():
    for seed in range(50):
        rng = np.random.default_rng((16, seed))
        hands = random_hands(rng, 20_000, MOST_CARDS + seed % 2)
        jokers_a_pair = 1 + (seed % 4 > 0)
        check_melds(hands, jokers_a_pair)
        check_discards(hands[::5], rng, jokers_a_pair)
        check_conditions(hands, rng, jokers_a_pair)
