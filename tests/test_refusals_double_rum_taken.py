"""`double_rum`: which joker moves, and what becomes of the card just taken, by the breach.

The rule that decides stands beside each answer, by its id in the rules.
"""

import pytest

from cooncan_sim.games import double_rum
from cooncan_sim.games.double_rum_breach import (
    LAST_CARD,
    LEGAL,
    MAY_DISCARD,
    NO_JOKER_TO_MOVE,
    NO_SUCH_MELD,
    NOT_HELD,
    ONLY_TAKEN_LEFT,
    TAKEN_CARD,
)
from cooncan_sim.games.double_rum_text import FACES, joker_move_of, table_text
from tests.test_refusals_double_rum import joker_move, layoff, meld, position

pytestmark = pytest.mark.plain

# ---- joker moves --------------------------------------------------------------------------

FOSTER = {"JOKER_MOVE_MODE": "foster"}


@pytest.mark.parametrize(
    ("run", "card", "replaces", "slides"),
    [
        ("6S 7S *=8S", "8S", LEGAL, LEGAL),  # R-DBR-17
        ("*=6S 7S 8S", "6S", LEGAL, LEGAL),
        ("6S 7S *=8S", "4S", NO_JOKER_TO_MOVE, LEGAL),  # JOKER_MOVE_MODE
        ("*=6S 7S 8S", "TS", NO_JOKER_TO_MOVE, LEGAL),
        ("6S 7S *=8S", "9S", NO_JOKER_TO_MOVE, NO_JOKER_TO_MOVE),  # a lay-off
        ("6S 7S *=8S", "5S", NO_JOKER_TO_MOVE, NO_JOKER_TO_MOVE),
        ("6S 7S *=8S", "8H", NO_JOKER_TO_MOVE, NO_JOKER_TO_MOVE),
        ("*=6S *=7S 8S", "7S", NO_JOKER_TO_MOVE, NO_JOKER_TO_MOVE),
        ("6S *=7S 8S", "7S", NO_JOKER_TO_MOVE, NO_JOKER_TO_MOVE),  # R-DBR-20
        ("6S *=7S 8S", "4S", NO_JOKER_TO_MOVE, NO_JOKER_TO_MOVE),
        ("*x=6S 7S 8S", "6S", NO_JOKER_TO_MOVE, NO_JOKER_TO_MOVE),  # R-DBR-19
        ("6S 7S *x=8S", "4S", NO_JOKER_TO_MOVE, NO_JOKER_TO_MOVE),
        ("*=6S 7S *x=8S", "6S", LEGAL, LEGAL),  # the other one has not moved
        ("*=6S 7S *x=8S", "8S", NO_JOKER_TO_MOVE, NO_JOKER_TO_MOVE),
        ("AS 2S *=3S", "3S", NO_JOKER_TO_MOVE, NO_JOKER_TO_MOVE),  # no place below the ace
        ("*=QS KS AS", "QS", NO_JOKER_TO_MOVE, NO_JOKER_TO_MOVE),  # nor above it
        ("2S 3S *=4S", "4S", LEGAL, LEGAL),
        ("8S 8H *=8", "8S", NO_JOKER_TO_MOVE, NO_JOKER_TO_MOVE),  # a set has no ends
        ("6S 7S 8S", "8S", NO_JOKER_TO_MOVE, NO_JOKER_TO_MOVE),
    ],
)
def test_joker_moves(run: str, card: str, replaces: int, slides: int) -> None:
    assert joker_move(card, position(f"{card} KC", (run,))) == replaces
    assert joker_move(card, position(f"{card} KC", (run,), **FOSTER)) == slides


def test_a_natural_card_of_the_hand_moves_a_joker() -> None:
    """R-DBR-17, R-COM-06."""
    state = position("8S * KC", ("6S 7S *=8S", "6S 7S 8S"))
    assert joker_move("*", state) == NO_JOKER_TO_MOVE
    assert joker_move("8H", state) == NOT_HELD
    assert joker_move("8S", state, 2) == NO_SUCH_MELD
    assert joker_move("8S", state, 0) == LEGAL


def test_no_joker_goes_where_a_second_ace_may_not_lie() -> None:
    """R-DBR-17, RUN_BOTH_ACES."""
    run = ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS *=KS", "*=2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS")
    for n, card in enumerate(("KS", "2S")):
        assert joker_move(card, position(f"{card} KC", run), n) == NO_JOKER_TO_MOVE
    full = ("*=AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS",)
    assert joker_move("AS", position("AS KC", full)) == LEGAL
    assert joker_move("AS", position("AS KC", full, RUN_BOTH_ACES="forbidden")) == NO_JOKER_TO_MOVE


@pytest.mark.parametrize(
    ("run", "card", "after"),
    [
        ("6S 7S *=8S", "8S", "*x=5S 6S 7S 8S"),  # R-DBR-18
        ("*=6S 7S 8S", "6S", "6S 7S 8S *x=9S"),
        ("6S 7S *=8S", "4S", "4S *x=5S 6S 7S"),  # as Foster tells it
        ("*=6S 7S 8S", "TS", "7S 8S *x=9S TS"),
        ("*=6S 7S *=8S", "8S", "*x=5S *=6S 7S 8S"),
        ("*=6S 7S *=8S", "6S", "6S 7S *=8S *x=9S"),
    ],
)
def test_where_a_joker_goes(run: str, card: str, after: str) -> None:
    state = position(f"{card} KC", (run,), **FOSTER)
    double_rum.play_down(state["table"], state["seats"][0], joker_move_of(card, 0))
    assert table_text(state["table"]) == [after.split()]


# ---- the card just taken ------------------------------------------------------------------

ILLEGAL, BY_FACE = {"ONLY_TAKEN_LEFT": "illegal"}, {"TAKEN_CARD_MATCH": "face"}
BACK = {"RETURN_TAKEN_DISCARD": "allowed"}
OWN, KEPT = {"LAYOFF_NEEDS_OWN_MELD": "yes"}, {"GO_OUT_BY_DISCARD": "forbidden"}


@pytest.mark.parametrize(
    ("hand", "taken", "laid", "why"),
    [
        ("4S 5S 6S KD", "KD", (), ONLY_TAKEN_LEFT),  # ONLY_TAKEN_LEFT, R-COM-08
        ("4S 5S 6S KD", "", (), LEGAL),  # from the stock
        ("4S 5S 6S KD 2C", "KD", (), LEGAL),  # one more card, which can be thrown
        ("4S 5S 6S", "6S", (), LEGAL),  # goes down itself
        ("4S 5S 6S 7S", "7S", (), LEGAL),  # can follow
        ("4S 5S 6S KD", "KD", ("KS KH KC",), LEGAL),
        ("4S 5S 6S 7D", "7D", ("8D 9D TD",), LEGAL),
        ("4S 5S 6S 7D", "7D", ("5D 6D *=7D",), LEGAL),  # moves the joker
        ("4S 5S 6S 7D", "7D", ("5D 6D *x=7D",), ONLY_TAKEN_LEFT),
        ("4S 5S 6S *", "*", (), LEGAL),
    ],
)
def test_a_meld_that_leaves_the_taken_card(hand: str, taken: str, laid: tuple, why: int) -> None:
    assert meld("4S 5S 6S", position(hand, laid, taken, **ILLEGAL)) == why
    assert meld("4S 5S 6S", position(hand, laid, taken)) == LEGAL  # `hold`


@pytest.mark.parametrize(
    ("hand", "switches", "why"),
    [
        ("4S 5S 6S KD KD", {}, LEGAL),  # TAKEN_CARD_MATCH: the twin may go
        ("4S 5S 6S KD KD", BY_FACE, ONLY_TAKEN_LEFT),
        ("4S 5S 6S KD KD", BY_FACE | BACK, LEGAL),
        ("4S 5S 6S KD", BACK, LEGAL),  # RETURN_TAKEN_DISCARD: it may go itself
        ("4S 5S 6S KD", BACK | {"stock": ""}, ONLY_TAKEN_LEFT),  # R-DBR-26
        ("4S 5S 6S KD", BACK | KEPT, ONLY_TAKEN_LEFT),  # GO_OUT_BY_DISCARD
    ],
)
def test_whether_it_could_be_thrown(hand: str, switches: dict, why: int) -> None:
    assert meld("4S 5S 6S", position(hand, (), "KD", **ILLEGAL | switches)) == why


@pytest.mark.parametrize(
    ("taken", "others", "why"),
    [
        ("KD", (), ONLY_TAKEN_LEFT),
        ("9S", (), LEGAL),  # at the end that is new
        ("3S", (), LEGAL),
        ("KD", ("KS KH KC",), LEGAL),
        ("KD", ("JD QD *=KD",), LEGAL),
        ("*", (), LEGAL),
    ],
)
def test_a_layoff_or_joker_move_that_leaves_it(taken: str, others: tuple, why: int) -> None:
    hand = f"8S {taken}"
    state = position(hand, ("4S 5S 6S *x=7S", *others), taken, **ILLEGAL)
    assert layoff("8S", state) == why
    state = position(hand, ("5S 6S 7S *=8S", *others), taken, **ILLEGAL)
    assert joker_move("8S", state) == why


def test_a_layoff_on_a_set_that_leaves_it() -> None:
    """ONLY_TAKEN_LEFT; R-DBR-08: sets have no upper limit."""
    fours = ("8H 8D 8C",)
    assert layoff("8S", position("8S KD", fours, "KD", **ILLEGAL)) == ONLY_TAKEN_LEFT
    assert layoff("8S", position("8S 8H", fours, "8H", **ILLEGAL)) == LEGAL
    assert layoff("*=8", position("* KD", fours, "KD", **ILLEGAL)) == ONLY_TAKEN_LEFT


def test_a_joker_that_would_slide_for_it() -> None:
    """ONLY_TAKEN_LEFT, JOKER_MOVE_MODE: on another run, and on the one that grows."""
    given = ("4S 5S 6S 7D", ("9D TD *=JD",), "7D")
    assert meld("4S 5S 6S", position(*given, **ILLEGAL)) == ONLY_TAKEN_LEFT
    assert meld("4S 5S 6S", position(*given, **ILLEGAL, **FOSTER)) == LEGAL
    given = ("5S 3S", ("6S 7S *=8S",), "3S")
    assert layoff("5S", position(*given, **ILLEGAL)) == ONLY_TAKEN_LEFT
    assert layoff("5S", position(*given, **ILLEGAL, **FOSTER)) == LEGAL


@pytest.mark.parametrize(
    ("taken", "others", "why"),
    [
        ("9S", (), ONLY_TAKEN_LEFT),  # fits, but is not for this seat to lay off
        ("*", (), ONLY_TAKEN_LEFT),
        ("KD", ("JD QD *=KD",), LEGAL),  # a joker move needs no own meld
    ],
)
def test_what_fits_is_no_way_out_without_an_own_meld(taken: str, others: tuple, why: int) -> None:
    """ONLY_TAKEN_LEFT, LAYOFF_NEEDS_OWN_MELD."""
    run = ("5S 6S 7S *=8S", *others)
    state = position(f"8S {taken}", run, taken, **ILLEGAL, **OWN)
    assert joker_move("8S", state) == why
    state["table"]["melded"][0] = 1
    assert joker_move("8S", state) == LEGAL
    # a meld is an own one from the moment that it lies
    state = position(f"4H 5H 6H {taken}", run, taken, **ILLEGAL, **OWN)
    assert meld("4H 5H 6H", state) == LEGAL


# ---- discards and holds -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "card", "taken", "switches", "why"),
    [
        ("7S 9C", "7S", "", {}, LEGAL),  # R-DBR-14
        ("7S 9C", "8S", "", {}, NOT_HELD),
        ("7S 9C", "*", "", {}, NOT_HELD),
        ("7S *", "*", "", {}, LEGAL),
        ("7S 9C", "7S", "7S", {}, TAKEN_CARD),  # R-DBR-13, R-COM-07
        ("7S 9C", "9C", "7S", {}, LEGAL),
        ("7S 7S", "7S", "7S", {}, LEGAL),
        ("7S 7S", "7S", "7S", BY_FACE, TAKEN_CARD),
        ("* 9C", "*", "*", {}, TAKEN_CARD),
        ("* *", "*", "*", {}, LEGAL),
        ("* *", "*", "*", BY_FACE, TAKEN_CARD),
        ("7S 9C", "7S", "7S", BACK, LEGAL),
        ("7S 9C", "7S", "7S", BACK | {"stock": ""}, TAKEN_CARD),  # R-DBR-26
        ("7S", "7S", "", {}, LEGAL),  # R-DBR-22
        ("7S", "7S", "", KEPT, LAST_CARD),
        ("7S 9C", "7S", "", KEPT, LEGAL),
        ("7S", "7S", "7S", BACK | KEPT, LAST_CARD),  # it could go back, were it not the last
        ("7S", "7S", "7S", KEPT, TAKEN_CARD),
        ("7S 7S", "7S", "7S", KEPT, LEGAL),
    ],
)
def test_discards(hand: str, card: str, taken: str, switches: dict, why: int) -> None:
    state = position(hand, (), taken, **switches)
    table, seat = state["table"], state["seats"][0]
    assert double_rum.check_discard(table, seat, FACES.number(card)) == why


@pytest.mark.parametrize("card", [-1, 13, 63, 65, 200])
def test_numbers_that_are_no_card(card: int) -> None:
    state = position("7S *")
    assert double_rum.check_discard(state["table"], state["seats"][0], card) == NOT_HELD


@pytest.mark.parametrize(
    ("hand", "taken", "switches", "why"),
    [
        ("7S", "", {}, MAY_DISCARD),  # R-COM-08: holding is legal only where nothing can go
        ("7S 9C", "7S", {}, MAY_DISCARD),
        ("7S", "7S", {}, LEGAL),
        ("7S 7S", "7S", BY_FACE, LEGAL),
        ("7S", "", KEPT, LEGAL),
        ("7S 9C", "", KEPT, MAY_DISCARD),
    ],
)
def test_holds(hand: str, taken: str, switches: dict, why: int) -> None:
    state = position(hand, (), taken, **switches)
    assert double_rum.check_hold(state["table"], state["seats"][0]) == why
