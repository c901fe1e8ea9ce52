"""What is wrong with the code of a page is said in Python's and players' words, with its line."""

import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from cooncan_sim import CooncanError, catalog
from cooncan_sim.page_types import words
from cooncan_sim.simulate import Plan

Write = Callable[[str], str]
DECISION = "\n\ndef choose_draw(table, seat):\n    return 3\n"
VIEW = "from cooncan_sim import view\nfrom cooncan_sim.view import legal_discards, lowest, stop\n"
HELPER = "\n\ndef helper(table, seat):\n    {}\n"
COMPILERS = re.compile(r"Literal|Record|float64|unicode|array\(|signature|compile|numba", re.I)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a strategy page and returns its path."""

    def write(text: str) -> str:
        (tmp_path / "mine.py").write_text(text, "utf-8")
        return str(tmp_path / "mine.py")

    return write


def refused(spec: str) -> str:
    """The one line with which a strategy is refused, by the time a hand is to be played."""
    with pytest.raises(CooncanError) as error:
        Plan("jaques", ((spec, "greedy"),)).functions  # noqa: B018
    assert "\n" not in str(error.value)
    return str(error.value)


def decides(
    write: Write, body: str, name: str = "choose_draw", more: str = "", head: str = VIEW
) -> str:
    """What is said of a page whose decision does this, without the name of its file."""
    text = f"{head}BASE = 'greedy'\n\n\ndef {name}(table, seat):\n    {body}\n{more}"
    path = write(text)
    line = refused(path)
    assert line.startswith(f"{path}:") and not COMPILERS.search(line.removeprefix(path))
    return line.removeprefix(f"{path}:")


@pytest.mark.parametrize(
    ("body", "given"),
    [
        ("return 'PILE'", "the text 'PILE'"),
        ("return None", "nothing"),
        ("pass", "nothing"),
        ("return 3, 4", "a tuple"),
        ("return [3]", "a list"),
        ("return table", "the table"),
        ("return seat", "the seat"),
        ("return table.melds[0]", "a meld"),
        ("return seat.memory", "an array"),
        ("return stop", "the function stop"),
        ("return stop()", "a move"),
        ("return 3j", "a complex number"),
        ("return {1: 2}", "a dict"),
        ("return {1, 2}", "a set"),
        ("return range(3)", "a range"),
        ("return lowest", "the function lowest"),
        ("return 3.7", "a number that may have a fraction"),
        ("return 3 if table.turns > 2 else table.turns / 2", "a number that may have a fraction"),
    ],
)
def test_what_a_decision_returned_is_told_beside_what_it_has_to(
    body: str, given: str, write: Write
) -> None:
    whole = ": int(…) makes it whole" if "fraction" in given else ""
    assert decides(write, body) == f"7: choose_draw returns {given}, not STOCK or PILE{whole}"


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("choose_table", "return 3", "returns 3, not a move such as stop()"),
        ("choose_table", "return seat.hand", "returns a mask of cards, not a move such as stop()"),
        ("choose_table", "return 'STOP'", "returns the text 'STOP', not a move such as stop()"),
        ("choose_table", "return False", "returns False, not a move such as stop()"),
        ("choose_discard", "return '5H'", "returns the text '5H', not a card number"),
        ("choose_discard", "return stop()", "returns a move, not a card number"),
    ],
)
def test_each_decision_has_an_answer_of_its_own(
    name: str, body: str, said: str, write: Write
) -> None:
    assert decides(write, body, name) == f"7: {name} {said}"


@pytest.mark.parametrize(
    ("game", "base", "word", "home"),
    [
        ("jaques", "greedy", "legal_discards", "view"),
        ("konkan", "kk-greedy", "legal_discards", "view_konkan"),
        ("konkan", "kk-greedy", "ranks_between", "view"),
        ("conquian", "cq-greedy", "live_partners", "view_conquian"),
        ("double_rum", "greedy", "legal_discards", "view_double_rum"),
    ],
)
def test_what_was_not_imported_is_told_its_home(
    game: str, base: str, word: str, home: str, write: Write
) -> None:
    text = f"GAMES = ({game!r},)\nBASE = {base!r}\n\n\ndef choose_discard(table, seat):\n"
    path = write(f"{text}    return {word}(table, seat)\n")
    page = catalog.strategy(path, game).page
    signature = catalog.game(game).part("play").DECISIONS["choose_discard"]
    said = f"{path}:6: in choose_discard: there is no '{word}' here: it can be imported from "
    with pytest.raises(CooncanError, match=f"^{re.escape(said)}cooncan_sim.{home}$"):
        catalog.decision(page, "choose_discard", signature, game)


def test_kinds_of_values_in_words() -> None:
    for kind, said in {
        "unicode_type": "a text",
        "OptionalType(unicode_type)": "a text or nothing",
        "reflected set(int64)": "a set",
        "Literal[bool](True)": "True",
        "Answer(int64, uint64, uint64, uint64)": "an answer",
        "pyobject": "something of another kind",
    }.items():
        assert words(kind) == said


def test_a_part_of_a_move_that_is_of_the_wrong_kind(write: Write) -> None:
    head = "from cooncan_sim.games.cooncan_state import Move\n\n"
    told = decides(write, "return Move(1, seat.hand, 0, 0, 0, 0)", "choose_table", head=head)
    assert told == (
        "7: choose_table returns a move whose twice is a whole number, not a mask of cards: "
        "np.uint64(…) makes one"
    )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return 1 - seat", "there is no way to do 1 - the seat"),
        ("return seat.hand & 1.5", "no way to do a mask of cards & a number that may have a frac"),
        ("return len(seat.hand)", "there is no way to do len(a mask of cards)"),
        ("return -seat", "there is no way to do -the seat"),
        ("return 3 if 5 in seat.hand else 4", "no way to look for 5 in a mask of cards"),
        ("return seat.weights['low']", "there is no entry the text 'low' in an array"),
        ("return int(seat)", "there is no way to do int(the seat)"),
        ("return lowest('5H')", "there is no way to do ~the text '5H'"),
        ("return lowest(seat.hand, 3)", "a function that takes (mask) is called otherwise: too"),
        (
            "return lowest(legal_discards(table))",
            "a function that takes (table, seat) is called otherwise: missing a required argument",
        ),
        (
            "return lowest(legal_discards(seat, table))",
            "what is handed on has no field 'hand': are table and seat in their places?",
        ),
        ("return table.turns()", "a whole number is called, but is no function"),
        ("return table.turns.real_part", "a whole number has no 'real_part'"),
        ("a, b = seat.hand; return 3", "a mask of cards cannot be given to several names"),
        ("a, b = 1, 2, 3; return 3", "2 names are given a tuple of 3"),
        ("y = x; x = 3; return y", "'x' is used before it has a value"),
        ("x = []; return 3", "it cannot be known what 'x' holds"),
        ("x = [3]; x.append('a'); return 3", "append does not take the text 'a'"),
        ("return open('x')", "a strategy may not use open"),
        ("import math; return 3", "this is beyond what a strategy may use"),
        ("print(3, sep=''); return 3", "this is beyond what a strategy may use"),
        ("return max(c for c in (1, 2))", "this is beyond what a strategy may use"),
        ("return NAMES[0]", "'NAMES' is a list, which a strategy may not use"),
        ("return RANKS[0]", "'RANKS' is of a kind that a strategy may not use (dict)"),
    ],
)
def test_what_a_strategy_cannot_do_is_said_in_python(body: str, said: str, write: Write) -> None:
    head = "NAMES, RANKS = [1, 2], {1: 2}\n" + VIEW.splitlines(keepends=True)[1]
    told = decides(write, body, "choose_discard", head=head)
    assert re.match(r"[67]: in choose_discard: ", told) and said in told


def test_a_function_and_a_name_are_one_thing_at_all_times(write: Write) -> None:
    helper = HELPER.format("if table.turns > 3:\n        return 3\n    return 'a'")
    told = decides(write, "return helper(table, seat)", more=helper)
    assert "in choose_draw: what a function returns is at one time 3 and at another the" in told
    told = decides(write, "x = 3\n    if table.turns:\n        x = stop()\n    return x")
    assert told == "10: in choose_draw: 'x' is at one time 3 and at another a move"
    told = decides(write, "return f(3)", more="\n\ndef f(x):\n    return f(x)\n")
    assert told.endswith("in choose_draw: a function calls itself with no way out")


@pytest.mark.parametrize(
    ("body", "line", "said"),
    [
        ("return nothing", 7, "there is no 'nothing'"),
        ("return helpr(table, seat)", 7, "there is no 'helpr' (did you mean 'helper'?)"),
        ("if table.turns:\n        return helpr(table, seat)", 8, "there is no 'helpr'"),
        ("return helper(table, seat)", 11, "there is no 'lowst' (did you mean 'lowest'?)"),
        ("turn = 3\n    return trn", 8, "there is no 'trn' (did you mean 'turn'?)"),
        ("def f(x):\n        return x + zz\n    return f(3)", 8, "there is no 'zz'"),
        ("return PILE", 7, "there is no 'PILE' here: it can be imported from cooncan_sim.view"),
        ("return view.lowst(seat.hand)", 7, "cooncan_sim.view has no 'lowst' (did you mean"),
        ("return table.stok", 7, "table has no field 'stok' (did you mean 'stock'?)"),
        ("return table.deck", 7, "table has no field 'deck'"),
        ("return table.hand", 7, "table has no field 'hand': the seat has"),
        ("return seat.turns", 7, "seat has no field 'turns': the table has"),
        ("return table.melds[0].crads", 7, "table.melds[0] has no field 'crads' (did you"),
    ],
)
def test_what_is_not_there_is_told_with_its_line(
    body: str, line: int, said: str, write: Write
) -> None:
    helper = HELPER.format("return lowst(seat.hand)")
    assert decides(write, body, more=helper).startswith(f"{line}: in choose_draw: {said}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("HIGH = 9\nTOP = HIHG\n", "2: there is no 'HIHG' (did you mean 'HIGH'?)"),
        ("def top():\n    return lw\n\n\nTOP = top()\n", "2: there is no 'lw'"),
        (
            "TOP = leggal_discards\n",
            "1: there is no 'leggal_discards' (did you mean 'legal_discards'?)",
        ),
        (
            "from cooncan_sim.view import (\n    lowst,\n)\n",
            "1: cooncan_sim.view has no 'lowst' (did you mean 'lowest'?)",
        ),
    ],
)
def test_so_it_is_at_the_top_level(text: str, said: str, write: Write) -> None:
    path = write(text + "BASE = 'greedy'" + DECISION)
    assert refused(path) == f"{path}:{said}"


@pytest.mark.parametrize(
    "more", ["pass", "try:\n        x = 3\n    except Exception:\n        pass"]
)
def test_a_page_that_is_never_read_to_its_end(
    more: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "LOADING", 0.5)
    before = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    path = write("BASE = 'greedy'" + DECISION + f"\n\nwhile True:\n    {more}\n")
    said = r"reading the page has taken 0\.5 seconds: is there a loop that never ends\?"
    assert re.fullmatch(rf"{re.escape(path)}:\d+: {said}", refused(path))
    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == before
