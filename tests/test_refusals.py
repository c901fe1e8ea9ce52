"""Every way in which an answer can break the rules of the `jaques` family, by its breach."""

import numpy as np
import pytest

from cooncan_sim.bits import NONE, bit
from cooncan_sim.catalog import game
from cooncan_sim.games import breach, cooncan
from cooncan_sim.games.cooncan_play import play_on
from cooncan_sim.games.cooncan_rulings import script_state
from cooncan_sim.games.cooncan_state import DRAW_DISCARD, DRAW_STOCK, HIGH, LAYOFF, LOW, MELD, Move
from cooncan_sim.games.cooncan_table import AS_RANK, stand_in
from cooncan_sim.games.cooncan_text import FACES
from cooncan_sim.kernel import records
from cooncan_sim.simulate import Plan

pytestmark = pytest.mark.plain


def position(name: str = "jaques", phase: str = "TABLE", hand: str = "", **given) -> np.void:
    """A state for two (three at two_deck) with seat 0 to play; other keys as in a script."""
    switches = given.pop("switches", {})
    taken = given.pop("taken", None)
    players = min(game(name).players)
    place = {
        "players": players,
        "turn": 0,
        "phase": phase,
        "hands": [hand.split()] + [["KC"]] * (players - 1),
        "stock": ["2D", "3D"],
        "pile": ["9D"],
        "table": [],
    }
    state = script_state(game(name), game(name).rules(switches), place | given)
    if taken is not None:
        state["table"]["taken"] = FACES.number(taken)
    return state


def move(action: int, cards: str, meld: int = -1, end: int = LOW, **more: object) -> Move:
    """A move; `stands`: wild card and place of each substitute, `twice`: faces moved twice."""
    mask = twice = substitutes = NONE
    for card in cards.split():
        twice |= mask & bit(FACES.number(card))
        mask |= bit(FACES.number(card))
    for card, place in more.get("stands", ()):
        at = FACES.number(place) if isinstance(place, str) else AS_RANK + place
        substitutes = np.uint64(stand_in(substitutes, FACES.number(card), at))
    return Move(action, np.uint64(mask), np.uint64(twice), np.int64(meld), end, substitutes)


def refused(state: np.void, move: Move) -> int:
    return cooncan.check_table(state["table"], state["seats"][0], move)


RUN = [{"owner": 0, "cards": ["4S", "5S", "6S"]}]
THEIRS = [{"owner": 1, "cards": ["4S", "5S", "6S"]}]


@pytest.mark.parametrize(
    ("phase", "stock", "pile", "source", "why"),
    [
        ("TABLE", ["2D"], ["9D"], DRAW_STOCK, breach.NOT_THIS_PHASE),
        ("DRAW", ["2D"], ["9D"], DRAW_STOCK, breach.LEGAL),
        ("DRAW", [], ["9D", "8D"], DRAW_STOCK, breach.LEGAL),
        ("DRAW", [], ["9D"], DRAW_STOCK, breach.NO_SOURCE),
        ("DRAW", [], ["9D"], DRAW_DISCARD, breach.LEGAL),
        ("DRAW", ["2D"], [], DRAW_DISCARD, breach.NO_SOURCE),
        ("DRAW", ["2D"], ["9D"], MELD, breach.NO_SOURCE),
    ],
)
def test_draws(phase: str, stock: list[str], pile: list[str], source: int, why: int) -> None:
    state = position(phase=phase, hand="4S", stock=stock, pile=pile)
    assert cooncan.check_draw(state["table"], source) == why


@pytest.mark.parametrize(
    ("given", "tried", "why"),
    [
        ({"phase": "DRAW", "hand": "4S 5S 6S"}, move(MELD, "4S 5S 6S"), breach.NOT_THIS_PHASE),
        ({"hand": "4S 5S 6S 9C"}, move(MELD, "4S 5S 6S"), breach.LEGAL),
        ({"hand": "4S 5S 9C"}, move(MELD, "4S 5S 6S"), breach.NOT_HELD),
        ({"hand": "4S 5S 9C"}, move(MELD, "4S 5S"), breach.NO_MELD),
        ({"hand": "4S 5S 7S 9C"}, move(MELD, "4S 5S 7S"), breach.NO_MELD),
        ({"hand": "4S 5S 6S 9C"}, move(DRAW_STOCK, "4S"), breach.NO_ANSWER),
        (
            {"hand": "4S 5S 6S 9C", "taken": "9C", "switches": {"ONLY_TAKEN_LEFT": "illegal"}},
            move(MELD, "4S 5S 6S"),
            breach.ONLY_TAKEN_LEFT,
        ),
        (
            {"hand": "4S 5S 6S 7S", "taken": "7S", "switches": {"ONLY_TAKEN_LEFT": "illegal"}},
            move(MELD, "4S 5S 6S"),
            breach.LEGAL,  # it can follow
        ),
    ],
)
def test_melds(given: dict, tried: Move, why: int) -> None:
    assert refused(position(**given), tried) == why


@pytest.mark.parametrize(
    ("given", "tried", "why"),
    [
        ({"phase": "DRAW"}, move(LAYOFF, "7S", 0, HIGH), breach.NOT_THIS_PHASE),
        ({}, move(LAYOFF, "7S", 0, HIGH), breach.LEGAL),
        ({}, move(LAYOFF, "7S", 0, LOW), breach.DOES_NOT_FIT),
        ({}, move(LAYOFF, "9C", 0, HIGH), breach.DOES_NOT_FIT),
        ({}, move(LAYOFF, "3S", 0, LOW), breach.NOT_HELD),
        ({}, move(LAYOFF, "7S 9C", 0, HIGH), breach.NOT_HELD),
        ({}, move(LAYOFF, "7S 7S", 0, HIGH), breach.NOT_HELD),
        ({}, move(LAYOFF, "7S", 1, HIGH), breach.NO_SUCH_MELD),
        ({}, move(LAYOFF, "7S", -1, HIGH), breach.NO_SUCH_MELD),
        (
            {"table": THEIRS, "switches": {"LAYOFF_SCOPE": "own"}},
            move(LAYOFF, "7S", 0, HIGH),
            breach.MELD_CLOSED,
        ),
        (
            {"table": THEIRS, "switches": {"LAYOFF_NEEDS_OWN_MELD": "yes"}},
            move(LAYOFF, "7S", 0, HIGH),
            breach.NEEDS_OWN_MELD,
        ),
        (
            {"taken": "9C", "switches": {"ONLY_TAKEN_LEFT": "illegal"}},
            move(LAYOFF, "7S", 0, HIGH),
            breach.ONLY_TAKEN_LEFT,
        ),
    ],
)
def test_layoffs(given: dict, tried: Move, why: int) -> None:
    assert refused(position(**{"hand": "7S 9C", "table": RUN} | given), tried) == why


@pytest.mark.parametrize(
    ("tried", "why"),
    [
        (move(MELD, "4S 5S 2H", stands=[("2H", "6S")]), breach.LEGAL),
        (move(MELD, "4S 5S 2H", stands=[("2H", "7S")]), breach.NO_MELD),  # a gap
        (move(MELD, "4S 5S 2H", stands=[("2H", "2H")]), breach.NO_MELD),  # stands for itself
        (move(MELD, "4S 5S 9C", stands=[("9C", "6S")]), breach.NO_MELD),  # not wild
        (move(MELD, "4S 5S 2H", stands=[("2H", "5S")]), breach.NO_MELD),  # a place taken
        (move(MELD, "4S 2H 2D", stands=[("2H", "5S"), ("2D", "5S")]), breach.NO_MELD),
        (move(MELD, "4S 4H 2H", stands=[("2H", 3)]), breach.LEGAL),
        (move(MELD, "4S 4H 2H", stands=[("2H", 4)]), breach.NO_MELD),  # as fives
        (move(MELD, "4S 2H 2D", stands=[("2H", 3), ("2D", "5S")]), breach.NO_MELD),
        (move(LAYOFF, "2H", 0, HIGH, stands=[("2H", "JD")]), breach.LEGAL),
        (move(LAYOFF, "2H", 0, LOW, stands=[("2H", "JD")]), breach.DOES_NOT_FIT),
        (move(LAYOFF, "2H", 0, HIGH, stands=[("2D", "JD")]), breach.DOES_NOT_FIT),
        (move(LAYOFF, "9C", 0, HIGH, stands=[("9C", "JD")]), breach.DOES_NOT_FIT),
        (move(LAYOFF, "2H", 1, LOW, stands=[("2H", 11)]), breach.LEGAL),
        (move(LAYOFF, "2H", 1, LOW, stands=[("2H", 10)]), breach.DOES_NOT_FIT),
        (move(LAYOFF, "2H", 1, LOW, stands=[("2H", "QC")]), breach.DOES_NOT_FIT),
    ],
)
def test_wild_cards(tried: Move, why: int) -> None:
    laid = [{"owner": 0, "cards": ["8D", "9D", "TD"]}, {"owner": 0, "cards": ["QS", "QH", "QD"]}]
    state = position("wild_card", hand="4S 5S 4H 2H 2D 9C", table=laid)
    assert refused(state, tried) == why


def test_twins() -> None:
    state = position("two_deck", hand="7H 7H 7S 8H 8H 6H")
    assert refused(state, move(MELD, "7H 7H 7S")) == breach.LEGAL
    assert refused(state, move(MELD, "7S 7S 7H")) == breach.NOT_HELD
    assert refused(state, move(MELD, "6H 7H 7H 8H")) == breach.NO_MELD  # one of each in a run


@pytest.mark.parametrize(
    ("given", "card", "why"),
    [
        ({"phase": "DRAW"}, "7S", breach.NOT_THIS_PHASE),
        ({}, "7S", breach.LEGAL),
        ({}, "8S", breach.NOT_HELD),
        ({"taken": "7S"}, "7S", breach.TAKEN_CARD),
        ({"taken": "7S"}, "9C", breach.LEGAL),
        ({"hand": "7S", "switches": {"GO_OUT_BY_DISCARD": "forbidden"}}, "7S", breach.LAST_CARD),
    ],
)
def test_discards(given: dict, card: str, why: int) -> None:
    state = position(**{"hand": "7S 9C"} | given)
    number = FACES.number(card)
    assert cooncan.check_discard(state["table"], state["seats"][0], number) == why


@pytest.mark.parametrize("card", [-1, 13, 64, 200])
def test_numbers_that_are_no_card(card: int) -> None:
    state = position(hand="7S 9C")
    assert cooncan.check_discard(state["table"], state["seats"][0], card) == breach.NOT_HELD


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"phase": "DRAW", "hand": "7S"}, breach.NOT_THIS_PHASE),
        ({"hand": "7S"}, breach.MAY_DISCARD),
        ({"hand": "7S", "taken": "7S"}, breach.LEGAL),
    ],
)
def test_holds(given: dict, why: int) -> None:
    state = position(**given)
    assert cooncan.check_hold(state["table"], state["seats"][0]) == why


def test_a_renewal_at_once_comes_before_the_draw() -> None:
    """RESHUFFLE_TIMING: the pile becomes the stock before anybody chooses where to draw from."""
    plan = Plan("jaques", (("greedy", "greedy"),))
    state = position(
        phase="DRAW",
        hand="7S 9C",
        stock=[],
        pile=["KD", "QD", "9D"],
        switches={"RESHUFFLE_TIMING": "at_turn_start"},
    )
    states = records(1, state.dtype)
    states[0] = state
    play_on(*plan.functions, plan.seats[0], states)
    assert states["deck"]["recycled"][0] == 1
    assert states["table"]["stock"][0] + states["table"]["pile_size"][0] == 3
