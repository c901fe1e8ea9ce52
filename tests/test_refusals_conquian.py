"""Every way in which an answer can break the rules of Conquian, by its breach.

The rule that decides stands beside each answer, by its id in the rules.
"""

import numpy as np
import pytest

from cooncan_sim.catalog import game
from cooncan_sim.games import conquian
from cooncan_sim.games.conquian_breach import (
    FROZEN,
    HAND_CARDS,
    LEGAL,
    MUST_ACCEPT,
    NO_ANSWER,
    NO_DISCARD_LEFT,
    NO_MELD,
    NOT_HELD,
    NOT_THE_TABLE,
    NOT_THIS_PHASE,
)
from cooncan_sim.games.conquian_moves import arrange, forceable
from cooncan_sim.games.conquian_rulings import script_state
from cooncan_sim.games.conquian_state import DISCARDING, FORCING, OFFER, OVER, TURN, Answer
from cooncan_sim.games.conquian_table import check_accept
from cooncan_sim.games.conquian_text import FACES, accept_answer, mask
from cooncan_sim.rulings import ruling

pytestmark = pytest.mark.plain


def position(
    card: str = "4S",
    hand: str = "5S 6S 2H",
    laid: tuple[str, ...] = (),
    key: str = "conquian",
    phase: int = OFFER,
    **switches: object,
) -> np.void:
    """A state in which seat 0, with these melds down, is offered a card from the stock."""
    given = {
        "hands": [hand.split(), ["KC"]],
        "tables": [[meld.split() for meld in laid], []],
        "card": card,
        "stock": ["QC"],
    }
    state = script_state(game(key), game(key).rules(switches), given)
    state["table"]["phase"] = phase
    return state


def accepted(state: np.void, *melds: str) -> int:
    """What the acceptance that leaves these melds on the table of seat 0 breaks."""
    answer = accept_answer(meld.split() for meld in melds)
    return check_accept(state["table"], state["seats"][0], answer)


@pytest.mark.parametrize("phase", [TURN, OFFER, FORCING, DISCARDING, OVER])
def test_each_phase_has_its_own_actions(phase: int) -> None:
    """Procedure, 1 to 5; R-CQN-10: who passes a card up throws none."""
    state = position(phase=phase)
    table, seat = state["table"], state["seats"][0]
    found = {
        "ACCEPT": accepted(state, "4S 5S 6S"),
        "DECLINE": conquian.check_decline(table),
        "FORCE": conquian.check_force(table, 1),
        "LET_PASS": conquian.check_force(table, 0),
        "DISCARD": conquian.check_discard(table, seat, FACES.number("2H")),
    }
    asked = {OFFER: ("ACCEPT", "DECLINE"), FORCING: ("FORCE", "LET_PASS"), DISCARDING: ("DISCARD",)}
    there = asked.get(phase, ())
    assert found == {name: LEGAL if name in there else NOT_THIS_PHASE for name in found}


# ---- accepting ----------------------------------------------------------------------------

THREE = ("2H 2D 2C",)
RUN_AND_FOURS = ("AS 2S 3S", "4S 4H 4D 4C")
APART = ("AS 2S 3S", "5S 6S 7S")


@pytest.mark.parametrize(
    ("laid", "melds", "why"),
    [
        ((), ["4S 5S 6S"], LEGAL),  # R-CQN-09
        ((), [], NOT_THE_TABLE),  # R-CQN-03: the card has to be melded
        (THREE, THREE, NOT_THE_TABLE),
        (THREE, ["2H 2D 2C", "4S 5S 6S"], LEGAL),
        (THREE, ["4S 5S 6S"], NOT_THE_TABLE),  # R-CQN-18: table cards do not return to the hand
        (("2S 2H 2D 2C",), ["2H 2D 2C", "4S 5S 6S"], NOT_THE_TABLE),
        (("4H 4D 4C",), ["4S 4H 4D 4C", "4S 5S 6S"], NOT_THE_TABLE),  # no card lies twice
        ((), ["3S 4S 5S"], NOT_HELD),  # R-COM-06
        (THREE, ["2H 2D 2C 2S", "4S 5S 6S"], NOT_HELD),
    ],
)
def test_the_new_table_is_the_old_one_the_card_and_hand_cards(
    laid: tuple[str, ...], melds: list[str], why: int
) -> None:
    assert accepted(position(laid=laid), *melds) == why


def test_numbers_that_are_no_card_are_not_in_the_hand() -> None:
    """R-CQN-05: after the ten ranks of a suit come six numbers that no card has."""
    table, seat = (state := position())["table"], state["seats"][0]
    for number in (10, 15, 26, 63):
        whole = mask(["4S", "5S", "6S"]) | np.uint64(1 << number)
        assert check_accept(table, seat, Answer(1, whole, *[np.uint64(0)] * 2)) == NOT_HELD


@pytest.mark.parametrize(
    ("card", "hand", "meld", "why"),
    [
        ("4S", "5S 2H", "4S 5S", NO_MELD),  # R-CQN-13, R-CQN-14: three at least
        ("4S", "5S 7S 2H", "4S 5S 7S", NO_MELD),
        ("4S", "5S 6H 2H", "4S 5S 6H", NO_MELD),
        ("4S", "4H 5H 2H", "4S 4H 5H", NO_MELD),
        ("4S", "4H 4D 2H", "4S 4H 4D", LEGAL),
        ("JS", "6S 7S 2H", "6S 7S JS", LEGAL),  # R-COM-03: the pack lacks what is between them
        ("AS", "2S 3S 2H", "AS 2S 3S", LEGAL),
        ("AS", "QS KS 2H", "QS KS AS", NO_MELD),  # R-CQN-26
        ("AS", "KS 2S 2H", "AS 2S KS", NO_MELD),
    ],
)
def test_sets_and_runs_are_laid(card: str, hand: str, meld: str, why: int) -> None:
    assert accepted(position(card, hand), meld) == why


def test_long_runs() -> None:
    """CQ_RUN_CAP, R-CQN-14."""
    given = ("JS", "QS KC", ("AS 2S 3S 4S 5S 6S 7S",))
    assert accepted(position(*given), "AS 2S 3S 4S 5S 6S 7S JS QS") == LEGAL
    assert accepted(position(*given, CQ_RUN_CAP=8), "AS 2S 3S 4S 5S 6S 7S JS QS") == NO_MELD
    assert accepted(position(*given, CQ_RUN_CAP=8), "AS 2S 3S 4S 5S 6S 7S JS") == LEGAL


@pytest.mark.parametrize(
    ("melds", "whys"),
    [
        (["2S 2H 2D", "5H 6H 7H"], [LEGAL, LEGAL, LEGAL]),
        # a hand card joins another meld than that of the card
        (["2S 2H 2D", "4H 5H 6H 7H"], [HAND_CARDS, LEGAL, LEGAL]),
        (["4H 5H 6H 7H", "2S 2H 2D"], [HAND_CARDS, LEGAL, LEGAL]),
        # a meld of hand cards alone
        (["2S 2H 2D", "KS KH KD", "5H 6H 7H"], [HAND_CARDS, HAND_CARDS, LEGAL]),
        (["KS KH KD", "2S 2H 2D", "5H 6H 7H"], [HAND_CARDS, HAND_CARDS, LEGAL]),
    ],
)
def test_hand_cards_go_where_the_house_lets_them(melds: list[str], whys: list[int]) -> None:
    """R-CQN-16, CQ_HAND_CARDS."""
    given = ("2S", "2H 2D 4H KS KH KD 7C", ("5H 6H 7H",))
    for option, why in zip(("with_center", "no_all_hand_meld", "any"), whys, strict=True):
        assert accepted(position(*given, CQ_HAND_CARDS=option), *melds) == why


@pytest.mark.parametrize(
    ("card", "laid", "melds", "why"),
    [
        ("5S", RUN_AND_FOURS, ["AS 2S 3S 4S 5S", "4H 4D 4C"], FROZEN),  # R-CQN-19 allows it
        ("7S", ("AS 2S 3S 4S 5S 6S",), ["AS 2S 3S", "4S 5S 6S 7S"], FROZEN),  # stays whole
        ("4S", APART, ["AS 2S 3S 4S 5S 6S 7S"], FROZEN),  # no two are joined
        ("4S", APART, ["AS 2S 3S 4S", "5S 6S 7S"], LEGAL),
        ("4S", APART, ["4S 5S 6S 7S", "AS 2S 3S"], LEGAL),
    ],
)
def test_laid_melds_are_frozen_in_the_short_note(
    card: str, laid: tuple[str, ...], melds: list[str], why: int
) -> None:
    """R-CQJ-07, CQ_REARRANGE."""
    given = (card, "2H 3D", laid)
    assert accepted(position(*given, "conquian_jaques"), *melds) == why
    assert accepted(position(*given, "conquian_jaques", CQ_REARRANGE="free"), *melds) == LEGAL
    assert accepted(position(*given, CQ_REARRANGE="none"), *melds) == why
    assert accepted(position(*given), *melds) == LEGAL


LITERAL = {"CQJ_SIZE": "deal9_need11_literal"}
SEVEN = ("AS 2S 3S 4S", "KS KH KD")


@pytest.mark.parametrize(
    ("key", "switches", "laid", "why"),
    [
        ("conquian_jaques", {}, SEVEN, LEGAL),  # R-CQJ-05: ten cards down win
        ("conquian_jaques", LITERAL, SEVEN, NO_DISCARD_LEFT),  # R-CQJ-05, R-CQN-10
        ("conquian_jaques", {"CQJ_SIZE": "deal10_need11"}, ("AS 2S 3S 4S 5S", SEVEN[1]), LEGAL),
        ("conquian", {}, ("AS 2S 3S 4S 5S", SEVEN[1]), LEGAL),  # R-CQN-23: eleven do
    ],
)
def test_a_discard_follows_unless_the_hand_is_won(
    key: str, switches: dict, laid: tuple[str, ...], why: int
) -> None:
    state = position("7H", "7D 7C", laid, key, **switches)
    assert accepted(state, *laid, "7H 7D 7C") == why
    cards = state["seats"][0]["hand"]
    answer = arrange(state["table"], state["seats"][0], np.uint64(cards))
    assert answer.accept == (why == LEGAL)
    if why == LEGAL:
        conquian.accept_card(state, accept_answer(meld.split() for meld in (*laid, "7H 7D 7C")))
        assert (state["table"]["phase"], state["table"]["winner"]) == (OVER, 0)


def test_cards_that_make_no_meld_are_not_arranged() -> None:
    """R-CQN-09: what a player asks the engine to lay down is a meld, or he declines."""
    table, seat = (state := position())["table"], state["seats"][0]
    assert arrange(table, seat, mask(["5S", "2H"])).accept == 0
    assert arrange(table, seat, mask(["5S", "6S"])).accept == 1


# ---- declining, forcing, discarding -------------------------------------------------------


def test_whoever_is_forced_accepts() -> None:
    """R-CQN-20, R-CQN-21."""
    state = position()
    assert conquian.check_decline(state["table"]) == LEGAL
    state["table"]["forced"] = 1
    assert conquian.check_decline(state["table"]) == MUST_ACCEPT


def test_forcing_is_answered_by_yes_or_no() -> None:
    """Procedure, 3; R-COM-06; CQ_FORCING."""
    asked = position(phase=FORCING)["table"]
    found = [conquian.check_force(asked, answer) for answer in (-1, 0, 1, 2)]
    assert found == [NO_ANSWER, LEGAL, LEGAL, NO_ANSWER]
    off = position(phase=FORCING, CQ_FORCING="off")["table"]
    assert conquian.check_force(off, 1) == NOT_THIS_PHASE


@pytest.mark.parametrize(
    ("card", "laid", "scope", "can"),
    [
        ("4S", ("AS 2S 3S",), "table", True),  # R-CQN-21: table cards alone
        ("4S", (), "table", False),
        ("4S", (), "any", True),  # CQ_FORCE_SCOPE: with 5S 6S of the hand
        ("5S", RUN_AND_FOURS, "table", True),  # rearranging included
        ("5S", RUN_AND_FOURS, "table_direct", False),
        ("4S", ("AS 2S 3S",), "table_direct", True),
    ],
)
def test_what_can_be_forced(card: str, laid: tuple[str, ...], scope: str, can: bool) -> None:
    state = position(card, "5S 6S 2H", laid, CQ_FORCE_SCOPE=scope)
    assert forceable(state["table"], state["seats"][0]) == can
    off = position(card, "5S 6S 2H", laid, CQ_FORCE_SCOPE=scope, CQ_FORCING="off")
    assert not forceable(off["table"], off["seats"][0])


def test_a_hand_card_is_thrown() -> None:
    """Procedure, 5: no table card is; nor is a number that is no card."""
    state = position(laid=("AS 2S 3S",), phase=DISCARDING)
    table, seat = state["table"], state["seats"][0]
    assert conquian.check_discard(table, seat, FACES.number("2H")) == LEGAL
    for number in (*FACES.numbers(["3H", "AS"]), -1, 10, 64, 200):
        assert conquian.check_discard(table, seat, number) == NOT_HELD


# ---- one action after another -------------------------------------------------------------

DECLINE, FORCE, LET_PASS = {"a": "DECLINE"}, {"a": "FORCE"}, {"a": "LET_PASS"}


def taking(cards: str, *melds: str) -> dict:
    return {"a": "ACCEPT", "hand_cards": cards.split(), "melds": [meld.split() for meld in melds]}


def throwing(card: str) -> dict:
    return {"a": "DISCARD", "card": card}


GIVEN = {
    "hands": [["2H", "5D", "6D", "7D", "JD", "QH", "KC"], ["3H", "KH"]],
    "tables": [[["AS", "2S", "3S"]], []],
    "stock": ["6C", "6H"],
    "to": 0,
    "card": "4S",
    "from": "stock",
}
ONE_RUN = taking("", "AS 2S 3S 4S")


@pytest.mark.parametrize(
    ("actions", "illegal_at"),
    [
        ([DECLINE, FORCE, ONE_RUN, throwing("KC")], None),
        ([DECLINE, FORCE, DECLINE], 2),  # R-CQN-21
        ([DECLINE, ONE_RUN], 1),  # the opponent is asked first: procedure, 3
        ([DECLINE, LET_PASS, FORCE], 2),
        ([DECLINE, LET_PASS, DECLINE, DECLINE], None),  # R-CQN-11, R-CQN-12
        ([DECLINE, LET_PASS, DECLINE, throwing("3H")], 3),  # R-CQN-10
        ([ONE_RUN, DECLINE], 1),
        ([ONE_RUN, throwing("4S")], 1),  # on the table now
        ([ONE_RUN, throwing("KC"), taking("KH", "KC KH")], 2),  # R-CQN-13
        ([taking("QH", "AS 2S 3S 4S")], 0),  # names a card that no meld has
        ([ONE_RUN, ONE_RUN], 1),
        ([{"a": "LAYOFF", "card": "4S"}], 0),  # no action of this game
    ],
)
def test_scripts(actions: list[dict], illegal_at: int | None) -> None:
    found = ruling("conquian", "script", GIVEN | {"actions": actions})
    assert found["illegal_at"] == illegal_at
