"""Strategies by name, path and entry point; their weights; files that are not as they should be."""

import os
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from cooncan_sim import CooncanError, catalog, replay, simulate
from cooncan_sim.catalog import strategies, strategy
from cooncan_sim.simulate import Plan

Write = Callable[..., str]
# A page that takes every discard, or none; both texts have the same length.
TAKES = """
GAMES = ("jaques",)
BASE = "hold"


def choose_draw(table, seat):
    return {}
"""
PILE, STOCK = TAKES.format(4), TAKES.format(3)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a strategy page and returns its path."""

    def write(text: str | bytes, name: str = "mine.py") -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return write


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """Lets an installed package offer a page: its name and module."""

    def offer(name: str, module: str) -> None:
        entries = [EntryPoint(name, module, catalog.ENTRY_POINTS)]
        monkeypatch.setattr(catalog, "entry_points", lambda group: entries)
        catalog._installed.cache_clear()

    yield offer
    catalog._installed.cache_clear()


def refused(spec: str) -> str:
    """The one line with which a strategy is refused, by the time a hand is to be played."""
    with pytest.raises(CooncanError) as error:
        Plan("jaques", ((spec, "greedy"),)).functions  # noqa: B018
    text = str(error.value)
    assert "\n" not in text and "\x1b" not in text
    return text


def draws(*players: str) -> set[str]:
    """The kinds of draw in one hand in which there was a choice, by all seats."""
    log = replay("jaques", players, 1, 0)[0]
    return {action["a"] for action in log["actions"] if action["a"].startswith("DRAW")}


# ---- names and weights --------------------------------------------------------------------


def test_the_catalogue_lists_what_every_page_says() -> None:
    pages = {page.name: page for page in strategies("jaques")}
    assert {"random", "greedy", "hold", "greedy-keep"} <= pages.keys()
    for page in strategies():
        assert page.about.endswith(".") and "Source: " in page.about
        assert page.games and set(page.games) <= set(catalog.GAMES)
    keep = pages["greedy-keep"]
    assert (keep.base, keep.weights, keep.decisions) == (
        "greedy",
        {"low": 5.0, "high": 8.0},
        ("choose_discard",),
    )
    assert list(pages) == sorted(pages)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("spec", "weights", "name"),
    [
        ("greedy", {}, "greedy"),
        ("greedy()", {}, "greedy"),
        ("greedy-keep", {"low": 5, "high": 8}, "greedy-keep"),
        ("greedy-keep(low=5,high=8)", {"low": 5, "high": 8}, "greedy-keep"),
        (" greedy-keep ( high = 9 ) ", {"low": 5, "high": 9}, "greedy-keep(high=9)"),
        ("greedy-keep(high=9, low=2.5)", {"low": 2.5, "high": 9}, "greedy-keep(low=2.5, high=9)"),
        ("greedy-keep(low=1e0)", {"low": 1, "high": 8}, "greedy-keep(low=1)"),
        ("greedy-keep(high=13)", {"low": 5, "high": 13}, "greedy-keep(high=13)"),
        ("greedy-watch(slack=-1e1)", {"slack": -10}, "greedy-watch(slack=-10)"),
        ("greedy_keep(low=2)", {"low": 2, "high": 8}, "greedy-keep(low=2)"),
    ],
)
def test_a_name_may_change_weights(spec: str, weights: dict, name: str) -> None:
    found = strategy(spec, "jaques")
    assert found.weights == weights and list(found.weights) == list(weights)
    assert found.name == name


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (
            "gredy",
            "unknown strategy 'gredy' (did you mean 'greedy'?); cooncan strategies lists all, or "
            "give the path of a file ending in .py",
        ),
        (
            "xyz",
            "unknown strategy 'xyz'; cooncan strategies lists them, or give the path of a file",
        ),
        ("greedy(slack=2)", "strategy greedy has no weight 'slack'; it has none"),
        ("greedy-keep(lo=2)", "strategy greedy-keep has no weight 'lo' (did you mean 'low'?)"),
        ("greedy-keep(x=2)", "has no weight 'x'; its weights are low, high"),
        ("greedy-keep(low=two)", "weight low of strategy greedy-keep must be a number, not 'two'"),
        ("greedy-keep(low)", "weight low of strategy greedy-keep must be a number, not ''"),
        ("greedy-keep(low=nan)", "weight low of strategy greedy-keep must be a number, not 'nan'"),
        (
            "greedy-keep(low=0.99)",
            "weight low of strategy greedy-keep must lie in 1 … 13 (its BOUNDS), not 0.99",
        ),
        ("greedy-keep(high=14)", "weight high of strategy greedy-keep must lie in 1 … 13"),
        ("greedy-keep(low=1, low=2)", "weight low of strategy greedy-keep is given twice"),
        ("greedy-keep(low=2", "is not of the form name or name(weight=number, …)"),
        ("greedy)(", "is not of the form"),
        ("", "is not of the form"),
        ("no/such.py", "strategy file no/such.py does not exist"),
        (".", "unknown strategy '.'"),
        ("./", "strategy ./ is a folder: name a file in it that ends in .py"),
    ],
)
def test_what_no_strategy_is_called(spec: str, said: str) -> None:
    assert said in refused(spec)


def test_a_strategy_plays_its_own_games_only(write: Write) -> None:
    path = write('GAMES = ("jaques",)\nBASE = "greedy"\n')
    with pytest.raises(CooncanError, match=r"does not play two_deck; it plays jaques$"):
        strategy(path, "two_deck")
    with pytest.raises(CooncanError, match="unknown game"):
        strategies("whist")


# ---- pages of the user's own --------------------------------------------------------------


def test_a_file_plays_by_its_path(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(PILE)
    assert draws(path, path) == {"DRAW_DISCARD"}
    monkeypatch.chdir(Path(path).parent)
    assert draws("mine.py", "./mine.py") == {"DRAW_DISCARD"}


def test_a_page_that_was_edited_is_compiled_anew(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = write(PILE)
    assert draws(path, path) == {"DRAW_DISCARD"}
    stamp = Path(path).stat().st_mtime_ns
    write(STOCK)
    # Within the same second, and as long as before: nothing but the nanoseconds tell.
    os.utime(path, ns=(stamp + 1000, stamp + 1000))
    assert draws(path, path) == {"DRAW_STOCK"}


def test_two_files_of_one_name_are_two_strategies(write: Write) -> None:
    takes, leaves = write(PILE, "one/mine.py"), write(STOCK, "two/mine.py")
    assert draws(takes, takes) == {"DRAW_DISCARD"}
    assert draws(leaves, leaves) == {"DRAW_STOCK"}
    first, *_ = replay("jaques", [takes, leaves], 1, 0)
    sources = {(act["seat"], act["a"]) for act in first["actions"] if act["a"].startswith("DRAW")}
    assert (0, "DRAW_STOCK") not in sources and (1, "DRAW_STOCK") in sources


def test_helpers_and_constants_of_a_page_are_compiled_with_it(write: Write) -> None:
    path = write(
        'GAMES = ("jaques",)\nBASE = "hold"\nSOURCE = 4\n\n\n'
        "def source(table):\n    return SOURCE\n\n\n"
        "def choose_draw(table, seat):\n    return source(table)\n"
    )
    assert draws(path, path) == {"DRAW_DISCARD"}


def test_a_page_may_keep_notes_for_the_length_of_a_hand(write: Write) -> None:
    """It draws from the pile in its first two turns of every hand."""
    path = write(
        'GAMES = ("jaques",)\nBASE = "hold"\n\n\ndef choose_draw(table, seat):\n'
        "    seat.memory[3] += 1\n    return 4 if seat.memory[3] <= 2 else 3\n"
    )
    for log in replay("jaques", [path, "greedy"], 1, 0, 3):
        own = [act["a"] for act in log["actions"] if act["seat"] == 0 and "DRAW" in act["a"]]
        assert own[:2] == ["DRAW_DISCARD"] * 2 and set(own[2:]) == {"DRAW_STOCK"}


def test_bases_form_a_chain(write: Write) -> None:
    """Decisions come from the nearest page that has them; weights from the farthest first."""
    middle = write(
        'BASE = "greedy-keep"\nWEIGHTS = {"source": 3, "high": 13}\n\n\n'
        "def choose_draw(table, seat):\n    return int(seat.weights[2])\n",
        "middle.py",
    )
    last = write(f'BASE = {middle!r}\nWEIGHTS = {{"own": 1}}\n', "last.py")
    found = strategy(f"{last}(own=2)", "jaques")
    assert list(found.weights.items()) == [("low", 5), ("high", 13), ("source", 3), ("own", 2)]
    assert found.name == f"{last}(own=2)"
    assert found.page.games == strategy("greedy-keep", "jaques").page.games
    assert draws(last, last) == {"DRAW_STOCK"}
    taking = f"{last}(source=4)"
    assert draws(taking, taking) == {"DRAW_DISCARD"}


def test_entry_points_of_other_packages(
    write: Write, offer: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(write(PILE, "other_package/takes.py")).parent
    write("", "other_package/__init__.py")
    monkeypatch.syspath_prepend(folder.parent)
    offer("takes-it", "other_package.takes")
    assert "takes-it" in [page.name for page in strategies("jaques")]
    assert draws("takes-it", "takes-it") == {"DRAW_DISCARD"}


def test_a_broken_entry_point_spoils_nothing_else(offer: Callable[[str, str], None]) -> None:
    offer("gone", "no_such_package.page")
    assert strategy("greedy", "jaques").name == "greedy"
    assert "unknown strategy 'gone'" in refused("gone")


# ---- files that are not as they should be -------------------------------------------------

DECIDES = "\n\ndef choose_draw(table, seat):\n    {}\n"
TOP = "\n\ndef top(seat):\n    return seat.weights[0] / 2\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def choose_draw(table, seat:\n", "mine.py:1: '(' was never closed"),
        (b'"""caf\xe9"""\n', "mine.py is not a text in UTF-8"),
        ("x = '\0'\n", "mine.py"),
        (
            "import cooncan_sim.no_such\nBASE = 'hold'" + DECIDES.format("return 3"),
            "mine.py:1: cannot be loaded: ModuleNotFoundError: No module named",
        ),
        (
            "raise SystemExit(3)\nBASE = 'hold'" + DECIDES.format("return 3"),
            "mine.py:1: cannot be loaded: SystemExit: 3",
        ),
        (
            "1 / 0\nBASE = 'hold'" + DECIDES.format("return 3"),
            "mine.py:1: cannot be loaded: ZeroDivisionError",
        ),
        ("", "has no function choose_draw(table, seat) and no BASE to take it from"),
        ("BASE = 'gredy'\n", "mine.py: BASE: unknown strategy 'gredy' (did you mean 'greedy'?)"),
        ("BASE = None\n", "mine.py:1: BASE must be a plain str"),
        ("import random\n", "mine.py:1: a strategy may not use random: of modules"),
        ("from time import time\n", "mine.py:1: a strategy may not use time"),
        ("import numpy.random\n", "mine.py:1: a strategy may not use numpy.random"),
        ("from numpy import random\n", "mine.py:1: a strategy may not use numpy.random"),
        ("import numpy as np\nA = np.random\n", "mine.py:2: a strategy may not use numpy.random"),
        ("from . import friend\n", "mine.py:1: a strategy may not use "),
        ("WEIGHTS = {'a': 9}\nBOUNDS = {'a': (1, 5)}\n", "a must lie in 1 … 5 (its BOUNDS), not 9"),
        ("GAMES = ('jaques')\n", 'plain tuple: GAMES = ("jaques",)'),
        ("GAMES = 'jaques'\n", "mine.py:1: GAMES must be a plain tuple"),
        ("GAMES = tuple(['jaques'])\n", "mine.py:1: GAMES must be a plain tuple"),
        ("GAMES = ('whist',)\n", "mine.py: GAMES: unknown game 'whist'"),
        ("GAMES = (3,)\n", "mine.py: GAMES: unknown game 3"),
        ("WEIGHTS = ['low']\n", "mine.py:1: WEIGHTS must be a plain dict"),
        ("WEIGHTS = {'low': '5'}\n", "mine.py: WEIGHTS: low must be a number, not '5'"),
        ("WEIGHTS = {'low': True}\n", "mine.py: WEIGHTS: low must be a number, not True"),
        ("BASE = 'hold'\nWEIGHTS = {5: 5}\n", "mine.py: WEIGHTS: 5"),
        ("WEIGHTS = {['low']: 5}\n", "mine.py:1: WEIGHTS must be a plain dict"),
        ("BASE = 'hold'\nGAMES: tuple = ('two_deck',)\n", "mine.py"),
        (DECIDES.format("return 3") + "return 3\n", "mine.py:5: 'return' outside function"),
        ("BASE = 'greedy'" + DECIDES.format("raise ValueError"), "mine.py:3: choose_draw never "),
        (
            "BASE = 'greedy'\n\n\ndef choose_draw(table):\n    return 3\n",
            "mine.py:4: choose_draw has to take (table, seat), not (table)",
        ),
        (
            "BASE = 'greedy'\n\n\ndef choose_draw(table, seat, least=3):\n    return 3\n",
            "mine.py:4: choose_draw has to take (table, seat), not (table, seat, least=3)",
        ),
        (
            "BASE = 'greedy'\n\n\ndef choose_draw(*both):\n    return 3\n",
            "mine.py:4: choose_draw has to take (table, seat), not (*both)",
        ),
        (
            "BASE = 'greedy'\n\n\n@once\ndef choose_draw(table, seat):\n    return 3\n",
            "mine.py:4: choose_draw has to be a plain function, without @once",
        ),
        (
            "BASE = 'greedy'" + DECIDES.format("return 3") + "choose_draw = 3\n",
            "mine.py: choose_draw has to be a function to the end of the page",
        ),
        ("BASE = 'greedy'\n\n\ndef choose_drew(table, seat):\n    return 3\n", "'choose_draw'"),
        (
            "BASE = 'greedy'" + DECIDES.format("table.stock = 0\n    return 3"),
            "mine.py:4: a strategy may not change table.stock; it may write to seat.memory only",
        ),
        (
            "BASE = 'greedy'" + DECIDES.format("seat.hand |= table.pile[0]\n    return 3"),
            "mine.py:4: a strategy may not change seat.hand",
        ),
        (
            "BASE = 'greedy'" + DECIDES.format("del table.melds[0]\n    return 3"),
            "mine.py:4: a strategy may not change table.melds[0]",
        ),
        (
            "BASE = 'greedy'" + DECIDES.format("t = table\n    t.stock = 0\n    return 3"),
            "mine.py:5: a strategy may not change t.stock",
        ),
        (
            "BASE = 'greedy'" + DECIDES.format("table.stock, x = 0, 1\n    return 3"),
            "mine.py:4: a strategy may not change",
        ),
    ],
)
def test_a_broken_file_is_told_in_one_line(text: str | bytes, said: str, write: Write) -> None:
    path = write(text)
    line = refused(path)
    assert said in line and path in line


def test_a_page_cannot_be_its_own_base(tmp_path: Path, write: Write) -> None:
    path = str(tmp_path / "mine.py")
    write(f"BASE = {path!r}\n")
    assert path in refused(path)


def test_a_file_that_cannot_be_read(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(PILE)

    def denied(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(Path, "read_text", denied)
    assert refused(path) == f"strategy file {path} cannot be read: Permission denied"


def test_too_many_weights_are_refused(write: Write) -> None:
    weights = {f"w{n}": n for n in range(17)}
    assert "has 17 weights: 16 at most" in refused_to_play(write(f"{PILE}WEIGHTS = {weights}\n"))


def refused_to_play(path: str) -> str:
    with pytest.raises(CooncanError) as error:
        simulate("jaques", [path, "greedy"], 1)
    return str(error.value)


def test_a_compiled_page_is_not_compiled_again(write: Write) -> None:
    plans = [Plan("jaques", ((write(PILE), "greedy"),)) for _ in range(2)]
    one, two = (plan.functions for plan in plans)
    assert all(
        a is b
        for here, there in zip(one, two, strict=True)
        for a, b in zip(here, there, strict=True)
    )
    assert "cooncan_strategy.mine" in sys.modules


def test_a_byte_order_mark_is_no_card(tmp_path: Path) -> None:
    page = tmp_path / "mine.py"
    page.write_bytes(b'\xef\xbb\xbf"""Plays as `greedy`."""\n\nBASE = "greedy"\n')
    assert catalog.read_page(page, "mine").about == "Plays as `greedy`."
