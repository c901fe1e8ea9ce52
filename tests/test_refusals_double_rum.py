"""Every way in which an answer can break the rules of `double_rum`, by its breach.

The rule that decides stands beside each answer, by its id in the rules.
"""

import numpy as np
import pytest

from cooncan_sim.games import double_rum
from cooncan_sim.games.double_rum_breach import (
    DOES_NOT_FIT,
    LEGAL,
    NEEDS_OWN_MELD,
    NO_ANSWER,
    NO_MELD,
    NO_SOURCE,
    NO_SUCH_MELD,
    NOT_HELD,
    NOT_THIS_PHASE,
)
from cooncan_sim.games.double_rum_moves import table_move
from cooncan_sim.games.double_rum_state import DRAW_DISCARD, DRAW_STOCK, MELD, Move
from cooncan_sim.games.double_rum_table import check_table
from cooncan_sim.games.double_rum_text import (
    FACES,
    as_kernels_do,
    joker_move_of,
    layoff_move,
    meld_move,
    run_text,
    words,
)
from tests.double_rum_positions import laid_out

pytestmark = pytest.mark.plain


def position(
    hand: str = "",
    laid: tuple[str, ...] = (),
    taken: str = "",
    phase: str = "TABLE",
    stock: str = "2D",
    pile: str = "9D",
    **switches: object,
) -> np.void:
    """A state of two with seat 0 to play; the melds are seat 1's, `taken` is of the pile."""
    given = {
        "players": 2,
        "turn": 0,
        "phase": phase,
        "hands": [hand.split(), ["KC"]],
        "stock": stock.split(),
        "pile": pile.split(),
        "table": [{"owner": 1, "cards": meld.split()} for meld in laid],
    }
    state = laid_out(switches, given)[0]
    if taken:
        state["table"]["taken"] = FACES.number(taken)
    return state


def refused(state: np.void, move: Move) -> int:
    return check_table(state["table"], state["seats"][0], as_kernels_do(move))


def meld(tokens: str, state: np.void) -> int:
    return refused(state, meld_move(tokens.split()))


def layoff(token: str, state: np.void, m: int = 0, end: str | None = None) -> int:
    return refused(state, layoff_move(state["table"], token, m, end))


def joker_move(card: str, state: np.void, m: int = 0) -> int:
    return refused(state, joker_move_of(card, m))


# ---- draws and phases ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "given", "why"),
    [
        (DRAW_STOCK, {}, LEGAL),  # R-DBR-13
        (DRAW_DISCARD, {}, LEGAL),
        (DRAW_STOCK, {"stock": ""}, NO_SOURCE),  # R-DBR-26: nothing is reshuffled
        (DRAW_DISCARD, {"stock": ""}, LEGAL),
        (DRAW_DISCARD, {"pile": ""}, NO_SOURCE),
        (MELD, {}, NO_SOURCE),
        (DRAW_STOCK, {"phase": "TABLE"}, NOT_THIS_PHASE),  # R-COM-04: one card a turn
    ],
)
def test_draws(source: int, given: dict, why: int) -> None:
    assert double_rum.check_draw(position(**{"phase": "DRAW"} | given)["table"], source) == why


def test_the_draw_comes_first() -> None:
    """R-DBR-13, R-DBR-14, R-DBR-15."""
    state = position("4S 5S 6S 8S", ("5H 6H *=7H",), phase="DRAW")
    table, seat = state["table"], state["seats"][0]
    assert meld("4S 5S 6S", state) == NOT_THIS_PHASE
    assert layoff("8H", state) == NOT_THIS_PHASE
    assert joker_move("7H", state) == NOT_THIS_PHASE
    assert double_rum.check_discard(table, seat, FACES.number("4S")) == NOT_THIS_PHASE
    assert double_rum.check_hold(table, seat) == NOT_THIS_PHASE


def test_drawing_and_throwing_are_no_table_actions() -> None:
    """R-COM-06."""
    state = position("4S")
    assert refused(state, Move(DRAW_STOCK, *words(["4S"]), 0, 0, -1)) == NO_ANSWER


# ---- melds --------------------------------------------------------------------------------

HELD = "4S 5S 6S 7S 7S 7H 9S * * KH"
SUIT = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"


@pytest.mark.parametrize(
    ("tokens", "why"),
    [
        ("4S 5S 6S", LEGAL),  # R-DBR-09
        ("7S 7S 7H", LEGAL),  # R-DBR-08: twins too
        ("7S 7S 7H *=7 *=7", LEGAL),
        ("KH *=K *=K", LEGAL),  # R-DBR-10: one natural card is enough
        ("4S 5S 6S 7S *=8S 9S", LEGAL),
        ("4S *=5S *=6S", LEGAL),
        ("7S 7H", NO_MELD),  # three at least
        ("7S *=7", NO_MELD),
        ("4S 5S", NO_MELD),
        ("4S 5S 7S", NO_MELD),  # a gap
        ("7S 9S *=TS", NO_MELD),
        ("4S 6S 5S 7H", NO_MELD),
        ("7S 7H 9S", NO_MELD),  # two ranks
        ("7S 7H *=9", NO_MELD),
        ("4S 5S *=5S", NO_MELD),  # R-DBR-10: a place of its own
        ("4S 5S *=6", NO_MELD),  # rank and suit in a run
        ("7S 7H *=7D *=7", NO_MELD),  # one way to name jokers, not both
        ("4S 5S *x=6S", NO_MELD),  # R-DBR-19: no joker is locked before it has moved
        ("7H 7H 7S", NOT_HELD),  # R-COM-06
        ("4S 5S 6S 7S 8S", NOT_HELD),
        ("KH KS *=K", NOT_HELD),
    ],
)
def test_melds(tokens: str, why: int) -> None:
    assert meld(tokens, position(HELD)) == why


def test_two_jokers_are_all_there_are() -> None:
    """R-DBR-03, R-DBR-10."""
    assert meld("4S 5S *=6S *=7S", position("4S 5S * * KH")) == LEGAL
    assert meld("4S 5S *=6S *=7S", position("4S 5S * KH")) == NOT_HELD
    lying = meld_move(["4S", "5S", "*=6S"])
    for jokers, why in ((0, NO_MELD), (2, NO_MELD), (-1, NOT_HELD), (3, NOT_HELD)):
        assert refused(position("4S 5S * *"), lying._replace(jokers=jokers)) == why


@pytest.mark.parametrize(
    ("tokens", "why"),
    [
        ("AS 2S 3S", LEGAL),  # R-DBR-09: low or high, never passed through
        ("QS KS AS", LEGAL),
        ("KS AS 2S", NO_MELD),
        (SUIT, LEGAL),
    ],
)
def test_aces(tokens: str, why: int) -> None:
    assert meld(tokens, position(SUIT + " KH")) == why


def test_an_ace_at_both_ends() -> None:
    """RUN_BOTH_ACES; it takes two aces."""
    assert meld(SUIT, position(SUIT + " KH", RUN_BOTH_ACES="forbidden")) == NO_MELD
    assert meld(SUIT, position(SUIT[3:] + " KH")) == NOT_HELD
    assert meld(SUIT[:-3], position(SUIT, RUN_BOTH_ACES="forbidden")) == LEGAL


def test_a_meld_is_what_it_says() -> None:
    """R-COM-06: places that are no cards, other cards than those of the places, a meld's number."""
    state, run = position("4S 5S 6S * KH"), as_kernels_do(meld_move(["4S", "5S", "6S"]))
    one = np.uint64(1)
    assert refused(state, run) == LEGAL
    assert refused(state, run._replace(meld=0)) == NO_MELD
    assert refused(state, run._replace(places=run.places << one)) == NO_MELD
    assert refused(state, run._replace(places=np.uint64(7 << 13))) == NO_MELD
    assert refused(state, run._replace(stands=one, jokers=1)) == NO_MELD
    assert refused(state, run._replace(stands=run.places, jokers=1)) == NO_MELD
    assert refused(state, run._replace(twice=run.cards)) == NOT_HELD


def test_two_jokers_may_stand_anywhere_in_a_run() -> None:
    """R-DBR-10: of 4-5-6 none, one or two cards stay in the hand; one natural card is laid."""
    state, seven = position("4S 5S 6S * * KH"), set()
    table, seat = state["table"], state["seats"][0]
    for number in range(table_move(table, seat, 0)[0]):
        move = as_kernels_do(table_move(table, seat, number)[1])
        if move.places == meld_move(["4S", "5S", "6S"]).places:
            seven.add(" ".join(run_text(move.places, move.stands)))
    one = {"*=4S 5S 6S", "4S *=5S 6S", "4S 5S *=6S"}
    two = {"*=4S *=5S 6S", "*=4S 5S *=6S", "4S *=5S *=6S"}
    assert seven == {"4S 5S 6S"} | one | two


# ---- laying off ---------------------------------------------------------------------------

RUN, SET, MIXED = "4S 5S 6S", "9S 9H 9D", "5H 6H *=7H"
TABLE = (RUN, SET, MIXED)


@pytest.mark.parametrize(
    ("token", "m", "why"),
    [
        ("3S", 0, LEGAL),  # R-DBR-16
        ("7S", 0, LEGAL),
        ("*=7S", 0, LEGAL),
        ("8H", 2, LEGAL),  # beyond an end joker
        ("9S", 1, LEGAL),  # R-DBR-08: a twin
        ("*=9", 1, LEGAL),
        ("8H", 0, DOES_NOT_FIT),
        ("*=8S", 0, DOES_NOT_FIT),  # a gap
        ("*=5S", 0, DOES_NOT_FIT),  # inside
        ("*=7", 0, DOES_NOT_FIT),  # rank and suit in a run
        ("7H", 2, DOES_NOT_FIT),  # the joker's place: that is a joker move
        ("7S", 1, DOES_NOT_FIT),
        ("*=8", 1, DOES_NOT_FIT),
        ("7S", 3, NO_SUCH_MELD),
        ("7S", -1, NO_SUCH_MELD),
        ("TS", 0, NOT_HELD),
    ],
)
def test_layoffs(token: str, m: int, why: int) -> None:
    assert layoff(token, position("3S 7S 8H 9S 7H * KC", TABLE), m) == why


def test_one_card_at_a_time() -> None:
    """R-COM-05."""
    state = position("7S 7S 8S *", TABLE)
    cards, twice, _ = words(["7S", "8S", "7S"])
    for two in ((cards, np.uint64(0), 0), (cards & ~twice, np.uint64(0), 1)):
        move = layoff_move(state["table"], "7S", 0, None)
        assert refused(state, move._replace(cards=two[0], jokers=two[2])) == NOT_HELD
    assert refused(state, layoff_move(state["table"], "7S", 0, None)) == LEGAL


def test_laying_off_before_an_own_meld() -> None:
    """R-DBR-16, LAYOFF_NEEDS_OWN_MELD; a joker move is no lay-off."""
    state = position("7S 7H KC", TABLE, LAYOFF_NEEDS_OWN_MELD="yes")
    assert layoff("7S", state) == NEEDS_OWN_MELD
    assert joker_move("7H", state, 2) == LEGAL
    state["table"]["melded"][0] = 1
    assert layoff("7S", state) == LEGAL


def test_the_second_ace_of_a_run() -> None:
    """RUN_BOTH_ACES, R-DBR-09."""
    run = (SUIT[3:],)  # 2 … A
    assert layoff("AS", position("AS KC", run)) == LEGAL
    assert layoff("AS", position("AS KC", run, RUN_BOTH_ACES="forbidden")) == DOES_NOT_FIT
    assert layoff("2S", position("2S KC", (SUIT,))) == DOES_NOT_FIT
