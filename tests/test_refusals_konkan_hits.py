"""`konkan`: which hits, exchanges, announcements and discards are refused, by the breach.

The rule that decides stands beside each answer, by its id in the rules.
"""

import numpy as np
import pytest

from cooncan_sim.games import konkan
from cooncan_sim.games.konkan_breach import (
    DOES_NOT_FIT,
    LEGAL,
    MUST_COME_DOWN,
    NO_ANSWER,
    NO_SUCH_JOKER,
    NO_SUCH_PAIR,
    NOT_HELD,
    NOT_TO_ANNOUNCE,
    NOTHING_TO_THROW,
    SWAP_TOO_SOON,
    TAKEN_CARD,
)
from cooncan_sim.games.konkan_script import carry_out
from cooncan_sim.games.konkan_state import LAYOFF, STOP, Move
from cooncan_sim.games.konkan_table import check_table
from cooncan_sim.games.konkan_text import swap_move, words
from tests.test_refusals_konkan import SUIT, act, position

pytestmark = pytest.mark.plain

ANY, LONE = {"KK_SET_JOKER_SUIT": "any_missing"}, {"KK_JOKERS_PER_PAIR": 1}
BY_FACE, BACK = {"TAKEN_CARD_MATCH": "face"}, {"RETURN_TAKEN_DISCARD": "allowed"}


def judged(state: np.void, move: Move) -> int:
    return check_table(state["table"], state["seats"][0], move)


# ---- hits ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "pair", "token", "switches", "why"),
    [
        ("8C 2D", "5C 6C 7C", "8C", {}, LEGAL),  # R-KON-15
        ("4C 2D", "5C 6C 7C", "4C", {}, LEGAL),
        ("9C 2D", "5C 6C 7C", "9C", {}, DOES_NOT_FIT),
        ("8H 2D", "5C 6C 7C", "8H", {}, DOES_NOT_FIT),
        ("6C 2D", "5C 6C 7C", "6C", {}, DOES_NOT_FIT),
        ("7C 2D", "5C 6C *=7C", "7C", {}, DOES_NOT_FIT),  # R-KON-18: that is an exchange
        ("8C 2D", "5C 6C *=7C", "8C", {}, LEGAL),
        ("AS 2D", "2S 3S 4S", "AS", {}, LEGAL),  # R-KON-13
        ("AS 2D", "JS QS KS", "AS", {}, LEGAL),
        ("AS 2D", "3S 4S 5S", "AS", {}, DOES_NOT_FIT),
        ("2S 2D", "QS KS AS", "2S", {}, DOES_NOT_FIT),  # nothing goes round
        ("AS 2D", SUIT[3:], "AS", {}, LEGAL),  # RUN_BOTH_ACES
        ("AS 2D", SUIT[3:], "AS", {"RUN_BOTH_ACES": "forbidden"}, DOES_NOT_FIT),
        ("* 2D", SUIT[3:], "*=AS", {"RUN_BOTH_ACES": "forbidden"}, DOES_NOT_FIT),
        ("AS 2D", SUIT, "AS", {}, DOES_NOT_FIT),
        ("9D 2D", "9S 9H 9C", "9D", {}, LEGAL),  # R-KON-02
        ("9S 2D", "9S 9H 9C", "9S", {}, DOES_NOT_FIT),  # all of different suits
        ("8D 2D", "9S 9H 9C", "8D", {}, DOES_NOT_FIT),
        ("9C 2D", "9S 9H *=9C", "9C", {}, DOES_NOT_FIT),  # KK_SET_JOKER_SUIT
        ("9C 2D", "9S 9H *=9C", "9C", ANY, LEGAL),
        ("9D 2D", "9S 9H *=9C", "9D", {}, LEGAL),
        ("9D 2D", "9S 9H *=9C", "9D", ANY, LEGAL),
        ("9D 2D", "9S 9H 9D *=9C", "9D", {}, DOES_NOT_FIT),
        ("9C 2D", "9S 9H 9D *=9C", "9C", ANY, DOES_NOT_FIT),  # four cards are all a set takes
        ("* 2D", "5C 6C 7C", "*=8C", {}, LEGAL),  # R-KON-14
        ("* 2D", "5C 6C *=7C", "*=8C", {}, LEGAL),
        ("* 2D", "5C 6C *=7C", "*=8C", LONE, DOES_NOT_FIT),  # KK_JOKERS_PER_PAIR
        ("* 2D", "5C 6C 7C", "*=9C", {}, DOES_NOT_FIT),
        ("* 2D", "9S 9H 9C", "*=9D", {}, LEGAL),
        ("* 2D", "9S 9H 9C", "*=9C", {}, DOES_NOT_FIT),
        ("* 2D", "9S 9H *=9C", "*=9C", ANY, DOES_NOT_FIT),  # each joker has a suit of its own
        ("9C 2D", "5C 6C 7C", "8C", {}, NOT_HELD),  # R-COM-06
        ("8C 2D", "5C 6C 7C", "*=8C", {}, NOT_HELD),
        ("8C", "5C 6C 7C", "8C", {}, NOTHING_TO_THROW),  # R-KON-21
        ("*", "5C 6C 7C", "*=8C", {}, NOTHING_TO_THROW),
    ],
)
def test_hits(hand: str, pair: str, token: str, switches: dict, why: int) -> None:
    assert carry_out(position(hand, pair, **switches), act("LAYOFF", token)) == why


def test_pairs_that_do_not_lie_there() -> None:
    """R-KON-15, R-KON-18."""
    state = position("8C 7C 2D", "5C 6C *=7C")
    for number in (-1, 1, 40):
        assert carry_out(state, act("LAYOFF", "8C", number)) == NO_SUCH_PAIR
        assert carry_out(state, act("JOKER_SWAP", "7C", number)) == NO_SUCH_PAIR


@pytest.mark.parametrize(
    ("places", "jokers"),
    [
        (0b11 << 55, 0),  # two cards at once
        (0, 0),
        (1 << 62, 0),  # no place of a suit
        (1 << 55, 1 << 54),  # a joker somewhere else
    ],
)
def test_a_hit_is_one_card_at_one_place(places: int, jokers: int) -> None:
    """R-COM-05, R-KON-26."""
    state = position("8C 9C * 2D", "5C 6C 7C")
    move = Move(LAYOFF, np.uint64(1 << 55), np.uint64(0), np.int64(0))
    assert judged(state, move) == LEGAL
    wrong = move._replace(places=np.uint64(places), jokers=np.uint64(jokers))
    assert judged(state, wrong) == NO_ANSWER
    assert judged(state, move._replace(action=STOP)) == NO_ANSWER


# ---- exchanges ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "pair", "card", "switches", "why"),
    [
        ("7C 2D", "5C 6C *=7C", "7C", {}, LEGAL),  # R-KON-18
        ("6C 2D", "5C *=6C 7C", "6C", {}, LEGAL),  # anywhere in a pair
        ("9C 2D", "9S 9H *=9C", "9C", {}, LEGAL),
        ("AS 2D", "QS KS *=AS", "AS", {}, LEGAL),
        ("AS 2D", "*=AS 2S 3S", "AS", {}, LEGAL),
        ("8C 2D", "5C 6C *=7C", "8C", {}, NO_SUCH_JOKER),
        ("5C 2D", "5C 6C *=7C", "5C", {}, NO_SUCH_JOKER),
        ("7C 2D", "5C 6C 7C", "7C", {}, NO_SUCH_JOKER),
        ("9D 2D", "9S 9H *=9C", "9D", {}, NO_SUCH_JOKER),  # KK_SET_JOKER_SUIT
        ("9D 2D", "9S 9H *=9C", "9D", ANY, LEGAL),
        ("9S 2D", "9S 9H *=9C", "9S", ANY, NO_SUCH_JOKER),  # no missing suit
        ("9D 2D", "9S 9H 9C", "9D", ANY, NO_SUCH_JOKER),
        ("7H 2D", "5C 6C *=7C", "7H", ANY, NO_SUCH_JOKER),  # a run
        ("8C 2D", "5C 6C *=7C", "7C", {}, NOT_HELD),  # R-COM-06
        ("7C", "5C 6C *=7C", "7C", {}, LEGAL),  # R-KON-19: the joker may be thrown
    ],
)
def test_exchanges(hand: str, pair: str, card: str, switches: dict, why: int) -> None:
    assert carry_out(position(hand, pair, **switches), act("JOKER_SWAP", card)) == why


def test_an_exchange_is_one_natural_card() -> None:
    """R-KON-18."""
    state, swap = position("7C 8C * 2D", "5C 6C *=7C"), swap_move("7C", 0)
    assert judged(state, swap) == LEGAL
    assert judged(state, swap._replace(places=words(["7C", "8C"])[0])) == NO_ANSWER
    assert judged(state, swap._replace(places=np.uint64(1 << 61))) == NO_ANSWER  # a place, no face
    assert judged(state, swap._replace(jokers=swap.places)) == NO_ANSWER


@pytest.mark.parametrize(("fresh", "option", "why"), [
    (1, "no", SWAP_TOO_SOON),
    (1, "yes", LEGAL),
    (0, "no", LEGAL),
])  # fmt: skip
def test_exchanges_in_the_turn_of_coming_down(fresh: int, option: str, why: int) -> None:
    """KK_SWAP_SAME_TURN."""
    state = position("7C 2D", "5C 6C *=7C", KK_SWAP_SAME_TURN=option)
    state["table"]["fresh"] = fresh
    assert carry_out(state, act("JOKER_SWAP", "7C")) == why


@pytest.mark.parametrize(
    ("hand", "switches", "why"),
    [
        ("7C *", {}, LEGAL),  # R-KON-21: of the two jokers the freed one may go
        ("7C *", BY_FACE, NOTHING_TO_THROW),  # TAKEN_CARD_MATCH
        ("7C * 2D", BY_FACE, LEGAL),
        ("7C *", BY_FACE | BACK, LEGAL),
    ],
)
def test_an_exchange_after_taking_a_joker(hand: str, switches: dict, why: int) -> None:
    state = position(hand, "5C 6C *=7C", "*", **switches)
    assert carry_out(state, act("JOKER_SWAP", "7C")) == why


# ---- announcements ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "number", "announced", "from_table", "why"),
    [
        ("* KD", 1, 0, 0, LEGAL),  # R-KON-31
        ("* * KD", 2, 0, 0, LEGAL),
        ("* * KD", 1, 1, 0, LEGAL),
        ("* KD", 2, 0, 0, NOT_TO_ANNOUNCE),  # announcements are truthful
        ("KD", 1, 0, 0, NOT_TO_ANNOUNCE),
        ("* KD", 0, 0, 0, NOT_TO_ANNOUNCE),
        ("* KD", -1, 0, 0, NOT_TO_ANNOUNCE),
        ("* KD", 1, 1, 0, NOT_TO_ANNOUNCE),
        ("* KD", 1, 0, 1, NOT_TO_ANNOUNCE),  # R-KON-33
        ("* * KD", 2, 0, 1, NOT_TO_ANNOUNCE),
    ],
)
def test_announcements(hand: str, number: int, announced: int, from_table: int, why: int) -> None:
    state = position(hand)
    state["table"]["announced"][0], state["table"]["from_table"][0] = announced, from_table
    assert carry_out(state, act("ANNOUNCE", n=number)) == why


def test_the_window_of_announcements() -> None:
    """KK_ANNOUNCE_WINDOW."""
    state = position("* KD", KK_ANNOUNCE_WINDOW="comedown_turn")
    assert carry_out(state, act("ANNOUNCE", n=1)) == NOT_TO_ANNOUNCE
    state["table"]["fresh"] = 1
    assert carry_out(state, act("ANNOUNCE", n=1)) == LEGAL


# ---- discards -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "card", "taken", "switches", "why"),
    [
        ("7S 9C", "7S", None, {}, LEGAL),  # R-KON-09
        ("7S 9C", "8S", None, {}, NOT_HELD),  # R-COM-06
        ("7S 9C", "*", None, {}, NOT_HELD),
        ("*", "*", None, {}, LEGAL),  # a joker as the final discard
        ("7S 9C", "7S", "7S", {}, TAKEN_CARD),  # R-COM-07, RETURN_TAKEN_DISCARD
        ("7S 9C", "9C", "7S", {}, LEGAL),
        ("7S 9C", "7S", "7S", BACK, LEGAL),
        ("7S 7S", "7S", "7S", {}, LEGAL),
        ("7S 7S", "7S", "7S", BY_FACE, TAKEN_CARD),
        ("* *", "*", "*", {}, LEGAL),
        ("* *", "*", "*", BY_FACE, TAKEN_CARD),
    ],
)
def test_discards(hand: str, card: str, taken: str | None, switches: dict, why: int) -> None:
    assert carry_out(position(hand, "", taken, **switches), act("DISCARD", card)) == why


def test_nobody_holds() -> None:
    """Procedure, 4 and R-KON-21: there is always a card to throw."""
    assert carry_out(position("7S 9C"), act("HOLD")) == NO_ANSWER


def test_nobody_throws_before_coming_down_with_the_discard() -> None:
    """R-KON-10: first the pairs."""
    for card in ("7S", "9C"):
        assert carry_out(position("7S 9C", "", "7S", False), act("DISCARD", card)) == MUST_COME_DOWN


@pytest.mark.parametrize("card", [-1, 13, 63, 65, 200])
def test_numbers_that_are_no_card(card: int) -> None:
    state = position("7S *")
    assert konkan.check_discard(state["table"], state["seats"][0], card) == NOT_HELD
