"""Every way in which an answer can break the rules of `konkan`, by its breach.

The rule that decides stands beside each answer, by its id in the rules.
"""

import numpy as np
import pytest

from cooncan_sim.catalog import game
from cooncan_sim.games import konkan
from cooncan_sim.games.konkan_breach import (
    ALREADY_DOWN,
    LEGAL,
    NO_ANSWER,
    NO_PAIR,
    NO_PICK_UP,
    NO_SOURCE,
    NOT_DOWN,
    NOT_HELD,
    NOT_THIS_PHASE,
    NOTHING_TO_THROW,
    TAKEN_NOT_USED,
    TOO_FEW_POINTS,
)
from cooncan_sim.games.konkan_opening import may_pick_up
from cooncan_sim.games.konkan_script import PHASES, at_table, carry_out, script_state
from cooncan_sim.games.konkan_state import MELD, Move
from cooncan_sim.games.konkan_table import check_table

pytestmark = pytest.mark.plain
GAME = game("konkan")
NONE = np.uint64(0)


def position(
    hand: str,
    pairs: str = "",
    taken: str | None = None,
    down: bool = True,
    phase: str = "TABLE",
    **switches: object,
) -> np.void:
    """A state of two with seat 0 to play; the pairs, split by bars, are seat 1's."""
    laid = [pair.split() for pair in pairs.split("|") if pair]
    state = at_table(GAME, GAME.rules(switches), hand.split(), laid, taken, down)
    state["table"]["phase"] = PHASES[phase]
    return state


def act(name: str, card: str = "", meld: int = 0, **more: object) -> dict:
    return {"a": name, "card": card, "meld": meld} | more


def meld(cards: str) -> dict:
    return act("MELD", cards=cards.split())


def come_down(*pairs: str) -> dict:
    return act("COME_DOWN", melds=[pair.split() for pair in pairs])


# ---- draws and phases ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "given", "why"),
    [
        ("DRAW_STOCK", {}, LEGAL),  # R-KON-09
        ("DRAW_DISCARD", {}, LEGAL),  # R-KON-16
        ("DRAW_DISCARD", {"down": [False, False]}, NO_PICK_UP),  # R-KON-10
        ("DRAW_DISCARD", {"pile": []}, NO_SOURCE),
        ("DRAW_STOCK", {"stock": []}, LEGAL),  # R-KON-20: the pile becomes the stock
        ("DRAW_STOCK", {"stock": [], "pile": []}, NO_SOURCE),
        ("DRAW_STOCK", {"phase": "TABLE"}, NOT_THIS_PHASE),  # R-COM-04
        ("DRAW_STOCK", {"phase": "OPENING"}, NOT_THIS_PHASE),  # R-KON-07
    ],
)
def test_draws(source: str, given: dict, why: int) -> None:
    usual = {"players": 2, "turn": 0, "phase": "DRAW", "hands": [["2C", "9S"], ["KC"]],
             "stock": ["2D"], "pile": ["9D"], "table": [], "down": [True, True]}  # fmt: skip
    state = script_state(GAME, GAME.rules(), usual | given)
    assert carry_out(state, act(source)) == why
    assert konkan.check_draw(script_state(GAME, GAME.rules(), usual)["table"], 7, True) == NO_ANSWER


def test_the_top_discard_is_no_stock_where_it_stays() -> None:
    """KK_RESHUFFLE_KEEP_TOP."""
    given = {"players": 2, "turn": 0, "phase": "DRAW", "hands": [["2C", "9S"], ["KC"]],
             "stock": [], "pile": ["9D"], "table": [], "down": [True, True]}  # fmt: skip
    rules = GAME.rules({"KK_RESHUFFLE_KEEP_TOP": "yes"})
    assert carry_out(script_state(GAME, rules, given), act("DRAW_STOCK")) == NO_SOURCE
    empty = script_state(GAME, rules, given | {"pile": []})
    assert not may_pick_up(empty["table"], empty["seats"][0])


ACTIONS = [
    come_down("KS KH KD", "7S 7H 7D"),
    meld("KS KH KD"),
    act("LAYOFF", "8C"),
    act("JOKER_SWAP", "7C"),
    act("ANNOUNCE", n=1),
    act("DISCARD", "2D"),
]
HAND, PAIR = "KS KH KD 7S 7H 7D 8C 7C 2D *", "5C 6C *=7C"


@pytest.mark.parametrize(
    ("phase", "down", "whys"),
    [
        # R-KON-24, R-KON-15, R-KON-31: who is not down comes down, or throws
        ("TABLE", False, [LEGAL, NOT_DOWN, NOT_DOWN, NOT_DOWN, NOT_DOWN, LEGAL]),
        ("TABLE", True, [ALREADY_DOWN, LEGAL, LEGAL, LEGAL, LEGAL, LEGAL]),  # R-KON-25
        ("DRAW", True, [NOT_THIS_PHASE] * 6),
        ("DRAW", False, [NOT_THIS_PHASE] * 6),
        ("OPENING", False, [NOT_THIS_PHASE] * 5 + [LEGAL]),  # R-KON-07
    ],
)
def test_each_phase_has_its_own_actions(phase: str, down: bool, whys: list[int]) -> None:
    found = [carry_out(position(HAND, PAIR, None, down, phase), action) for action in ACTIONS]
    assert found == whys


def test_the_dealer_may_come_down_where_the_house_says_so() -> None:
    """KK_DEALER_COMEDOWN."""
    state = position(HAND, PAIR, None, False, "OPENING", KK_DEALER_COMEDOWN="yes")
    assert [carry_out(state, action) for action in ACTIONS[:1] + ACTIONS[3:]] == [LEGAL] * 4


# ---- pairs --------------------------------------------------------------------------------

SUIT = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"


@pytest.mark.parametrize(
    ("hand", "pair", "why"),
    [
        ("7S 7H 7D 2D", "7S 7H 7D", LEGAL),  # R-KON-02
        ("7S 7H 7D 7C 2D", "7S 7H 7D 7C", LEGAL),
        ("7S 7H 2D", "7S 7H", NO_PAIR),
        ("7S 7S 7H 2D", "7S 7S 7H", NO_PAIR),  # all of different suits
        ("7S 7H 8D 2D", "7S 7H 8D", NO_PAIR),
        ("7S 7H * 2D", "7S 7H *=7D", LEGAL),  # R-KON-14
        ("7S 7H * 2D", "7S 7H *=7H", NO_PAIR),  # a suit of its own
        ("7S * * 2D", "7S *=7H *=7D", LEGAL),
        ("* * 2D", "*=7S *=7H *=7D", NO_PAIR),  # one natural card at least
        ("5S 6S 7S 2D", "5S 6S 7S", LEGAL),  # R-KON-03
        ("5S 6S 8S 2D", "5S 6S 8S", NO_PAIR),
        ("5S 6S 7H 2D", "5S 6S 7H", NO_PAIR),
        ("5S 6S 2D", "5S 6S", NO_PAIR),
        ("5S * * 2D", "5S *=6S *=7S", LEGAL),
        ("AS 2S 3S 2D", "AS 2S 3S", LEGAL),  # R-KON-13
        ("QS KS AS 2D", "QS KS AS", LEGAL),
        ("KS AS 2S 2D", "KS AS 2S", NO_PAIR),
        (SUIT + " 2D", SUIT, LEGAL),
        (SUIT[3:] + " 2D", SUIT, NOT_HELD),  # that takes two aces
        ("5S 6S 2D", "5S 6S 7S", NOT_HELD),  # R-COM-06
        ("5S 6S 2D", "5S 6S *=7S", NOT_HELD),
        ("5S * 2D", "5S *=6S *=7S", NOT_HELD),
        ("5S 6S 7S", "5S 6S 7S", NOTHING_TO_THROW),  # R-KON-21
    ],
)
def test_pairs(hand: str, pair: str, why: int) -> None:
    assert carry_out(position(hand), meld(pair)) == why


def test_house_rules_about_pairs() -> None:
    """KK_JOKERS_PER_PAIR, RUN_BOTH_ACES."""
    lone, low = {"KK_JOKERS_PER_PAIR": 1}, {"RUN_BOTH_ACES": "forbidden"}
    assert carry_out(position("5S * * 2D", **lone), meld("5S *=6S *=7S")) == NO_PAIR
    assert carry_out(position("5S 6S * 2D", **lone), meld("5S 6S *=7S")) == LEGAL
    assert carry_out(position(SUIT + " 2D", **low), meld(SUIT)) == NO_PAIR
    assert carry_out(position(SUIT, **low), meld(SUIT[:-3])) == LEGAL


@pytest.mark.parametrize(
    ("places", "jokers"),
    [
        (7 << 13, 0),  # beyond the places of a suit
        (0b11100000, 0b1000000000),  # a joker in no place of the pair
        (1 << 13 | 1 << 29 | 1 << 45, 0),  # high aces are of runs
    ],
)
def test_places_that_are_no_pair(places: int, jokers: int) -> None:
    """R-KON-02, R-KON-03."""
    state = position("AS AH AD 6S 7S 8S * 2D")
    move = Move(MELD, np.uint64(places), np.uint64(jokers), -1)
    assert check_table(state["table"], state["seats"][0], move) == NO_PAIR


# ---- coming down --------------------------------------------------------------------------

BEAT = {"KK_OPEN_RULE": "beat_previous"}


@pytest.mark.parametrize(
    ("hand", "pairs", "why"),
    [
        ("KS KH KD 7S 7H 7D 2D", ("KS KH KD", "7S 7H 7D"), LEGAL),  # R-KON-25: 51
        ("KS KH KD 5S 6S 7S 2D", ("KS KH KD", "5S 6S 7S"), TOO_FEW_POINTS),  # R-KON-10: 48
        ("KS KH KD AS 2D", ("KS KH KD",), TOO_FEW_POINTS),
        ("AS 2S 3S 4S KS KH KD 2D", ("AS 2S 3S 4S", "KS KH KD"), TOO_FEW_POINTS),  # R-KON-13: 49
        ("AS 2S 3S 4S 5S KS KH KD 2D", ("AS 2S 3S 4S 5S", "KS KH KD"), LEGAL),  # 54
        ("KS KH * 7S 7H * 2D", ("KS KH *=KD", "7S 7H *=7D"), LEGAL),  # R-KON-14: 51
        ("KS KH KD 7S 7H 7D 2D", (), NO_PAIR),
        ("KS KH KD QS QH 2D", ("KS KH KD", "QS QH"), NO_PAIR),
        ("KS KH KD QS QH 2D", ("KS KH KD", "QS QH QD"), NOT_HELD),  # R-COM-06
        ("KS KH KD QS JS 2D", ("KS KH KD", "JS QS KS"), NOT_HELD),  # one king of spades
        ("KS KS KH KD QS JS 2D", ("KS KH KD", "JS QS KS"), LEGAL),
        ("KS KH KD 7S 7H 7D", ("KS KH KD", "7S 7H 7D"), NOTHING_TO_THROW),  # R-KON-21
        ("2D", ("KS KH KD",) * 6, NO_PAIR),  # more than a hand can hold
    ],
)
def test_coming_down(hand: str, pairs: tuple[str, ...], why: int) -> None:
    assert carry_out(position(hand, down=False), come_down(*pairs)) == why


def test_a_later_opening_must_be_dearer() -> None:
    """KK_OPEN_RULE."""
    for highest, why in ((0, LEGAL), (50, LEGAL), (51, TOO_FEW_POINTS), (60, TOO_FEW_POINTS)):
        state = position(HAND, down=False, **BEAT)
        state["table"]["highest"] = highest
        assert carry_out(state, ACTIONS[0]) == why


TWO = ("KS KH KD", "7S 7H 7D")


@pytest.mark.parametrize(
    ("hand", "taken", "switches", "why"),
    [
        ("KS KH KD 7S 7H 7D JC 2D", "JC", {}, LEGAL),  # R-KON-11
        ("KS KH KD 7S 7H 7D JC 2D", "JC", {"KK_PICKUP_MUST_USE": "yes"}, TAKEN_NOT_USED),
        ("KS KH KD 7S 7H 7D JC 2D", "7D", {"KK_PICKUP_MUST_USE": "yes"}, LEGAL),
        ("KS KH KD 7S 7H 7D JC", "JC", {}, NOTHING_TO_THROW),  # R-KON-21, R-COM-07
        ("KS KH KD 7S 7H 7D JC JC", "JC", {}, LEGAL),  # TAKEN_CARD_MATCH
        ("KS KH KD 7S 7H 7D JC JC", "JC", {"TAKEN_CARD_MATCH": "face"}, NOTHING_TO_THROW),
        ("KS KH KD 7S 7H 7D JC", "JC", {"RETURN_TAKEN_DISCARD": "allowed"}, LEGAL),
        ("KS KH KD 7S 7H 7D 7D", "7D", {"TAKEN_CARD_MATCH": "face"}, LEGAL),  # R-COM-02
    ],
)
def test_coming_down_with_the_discard(hand: str, taken: str, switches: dict, why: int) -> None:
    assert carry_out(position(hand, "", taken, False, **switches), come_down(*TWO)) == why
