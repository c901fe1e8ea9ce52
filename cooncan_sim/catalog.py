"""Strategies: find a page by name, path or entry point, read what it says, compile it.

A page is a file of plain functions named after the decisions they make; `greedy_keep.py` is the
page of `greedy-keep`. What the catalogue tells of it (docstring, GAMES, BASE, WEIGHTS, BOUNDS) is
read without running it.
"""

import ast
import importlib.util
import math
import re
import sys
import threading
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from importlib.metadata import entry_points
from pathlib import Path
from types import FunctionType, ModuleType

from cooncan_sim.errors import CooncanError, nearest
from cooncan_sim.games.rulebook import GAMES as GAMES
from cooncan_sim.games.rulebook import game as game
from cooncan_sim.interrupt import heeding_ctrl_c, within
from cooncan_sim.page_errors import not_compiled, not_loaded
from cooncan_sim.page_facts import check_decision, facts_of, refuse_imports, refuse_writing

LOADING = 60.0  # seconds that the top level of a page may take: the first import takes three
ENTRY_POINTS = "cooncan_sim.strategies"
DECISIONS = (
    "choose_draw",
    "choose_table",
    "choose_discard",
    "choose_offer",
    "choose_force",
    "choose_announce",
)
# Pages are read and compiled by one thread at a time, which holds this.
reading = threading.RLock()
# Path as typed → the file that stands for it, on a machine that has no file there.
copies: ContextVar[Mapping[str, Path]] = ContextVar("copies")
_SPEC = re.compile(r"\s*(?P<name>[^()]+?)\s*(?:\((?P<weights>[^()]*)\))?\s*")


@dataclass(frozen=True)
class Page:
    """A strategy as its file describes it. `weights`: the base's first, then its own.

    `bounds`: between which values a weight has to lie, where the page says so.
    """

    name: str
    path: Path
    about: str
    games: tuple[str, ...]
    base: str | None
    weights: dict[str, float]
    decisions: tuple[str, ...]
    bounds: dict[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Strategy:
    """A page with values for its weights, as a player asks for it: `greedy-keep(low=5)`."""

    page: Page
    weights: dict[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The page's name, with the weights that differ from its defaults."""
        changed = [
            f"{key}={number:g}"
            for key, number in self.weights.items()
            if number != self.page.weights[key]
        ]
        return f"{self.page.name}({', '.join(changed)})" if changed else self.page.name


def strategies(game_key: str | None = None) -> list[Page]:
    """Every page of the catalogue (of one game), by name. Raises CooncanError for no such game."""
    if game_key is not None:
        game(game_key)
    pages = [page for name in sorted(_known()) for page in _pages(name)]
    return [page for page in pages if game_key is None or game_key in page.games]


def strategy(spec: str, game_key: str) -> Strategy:
    """The strategy that `greedy`, `greedy-keep(low=5, high=8)` or `./mine.py` names, for a game.

    Raises CooncanError if there is none, it does not play the game, or a weight is not its own.
    """
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise CooncanError(f"strategy {spec!r} is not of the form name or name(weight=number, …)")
    page = _page(match["name"], game_key)
    return Strategy(page, page.weights | _read_weights(page, match["weights"] or ""))


def _read_weights(page: Page, text: str) -> dict[str, float]:
    given: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, _, number = (piece.strip() for piece in part.partition("="))
        if key not in page.weights:
            known = (
                nearest(key, page.weights, "its weights are") if page.weights else "; it has none"
            )
            raise CooncanError(f"strategy {page.name} has no weight {key!r}{known}")
        if key in given:
            raise CooncanError(f"weight {key} of strategy {page.name} is given twice")
        try:
            given[key] = float(number)
        except ValueError:
            given[key] = math.nan
        if not math.isfinite(given[key]):
            raise CooncanError(
                f"weight {key} of strategy {page.name} must be a number, not {number!r}"
            )
        low, high = page.bounds.get(key, (given[key], given[key]))
        if not low <= given[key] <= high:
            raise CooncanError(
                f"weight {key} of strategy {page.name} must lie in {low:g} … {high:g} "
                f"(its BOUNDS), not {number}"
            )
    return given


def _known() -> dict[str, list[Path]]:
    """Name → files of the bundled pages and of those that installed packages offer.

    Pages of one name play different games: `greedy.py`, and `wild_card/greedy.py`.
    """
    folder = Path(str(resources.files("cooncan_sim.strategies")))
    known: dict[str, list[Path]] = {}
    for path in [*sorted(folder.glob("*.py")), *sorted(folder.glob("*/*.py"))]:
        if path.name != "__init__.py":
            known.setdefault(path.stem.replace("_", "-"), []).append(path)
    for offered, path in _installed():
        known.setdefault(offered, []).append(path)
    return known


@cache
def _installed() -> list[tuple[str, Path]]:
    """Name and file of each page of other packages: asked for once, since it takes long."""
    found = []
    for offered in entry_points(group=ENTRY_POINTS):
        try:
            spec = importlib.util.find_spec(offered.value)
        except ImportError:  # a package that is gone offers nothing
            continue
        if spec is not None and spec.origin:
            found.append((offered.name, Path(spec.origin)))
    return found


def is_path(name: str) -> bool:
    """Whether this names a page by its file, not one of the catalogue."""
    return name.endswith(".py") or "/" in name


def _pages(name: str) -> list[Page]:
    """All pages of this name, or the one of this path."""
    if is_path(name):
        path = copies.get({}).get(name) or Path(name).expanduser()
        if path.is_dir():
            raise CooncanError(f"strategy {name} is a folder: name a file in it that ends in .py")
        if not path.is_file():
            raise CooncanError(f"strategy file {name} does not exist")
        return [read_page(path, name)]
    known = _known()
    if name not in known:  # kk_greedy is kk-greedy
        name = name.replace("_", "-")
    if name not in known:
        raise CooncanError(
            f"unknown strategy {name!r}{nearest(name, known, 'there are', 'cooncan strategies')}, "
            f"or give the path of a file ending in .py"
        )
    return [read_page(path, name) for path in known[name]]


def _page(name: str, game_key: str) -> Page:
    """The page of this name that plays the game."""
    pages = _pages(name)
    for page in pages:
        if game_key in page.games:
            return page
    plays = ", ".join(key for page in pages for key in page.games)
    raise CooncanError(f"strategy {name} does not play {game_key}; it plays {plays}")


def read_page(path: Path, name: str) -> Page:
    """What the file at `path` says of itself; `name` is what players call it.

    Raises CooncanError with the line that is wrong.
    """
    try:
        stamp = path.stat().st_mtime_ns
    except OSError as error:
        raise CooncanError(f"strategy file {path} cannot be read: {error.strerror}") from None
    return _read_page(path, name, stamp)


@cache
def _read_page(path: Path, name: str, stamp: int) -> Page:
    try:
        tree = ast.parse(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise CooncanError(f"strategy file {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CooncanError(f"strategy file {path} is not a text in UTF-8") from None
    except SyntaxError as error:
        raise CooncanError(f"{path}:{error.lineno}: {error.msg}") from None
    refuse_imports(path, tree)
    facts = facts_of(path, tree)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    decisions = tuple(node.name for node in functions if node.name.startswith("choose_"))
    for node in functions:
        refuse_writing(path, node)
        if node.name in DECISIONS:
            check_decision(path, node)
        if node.name.startswith("choose_") and node.name not in DECISIONS:
            raise CooncanError(
                f"{path}:{node.lineno}: no game asks for {node.name!r}"
                f"{nearest(node.name, DECISIONS, 'they ask for')}"
            )
    games, base = _games_and_base(path, facts)
    weights = (base.weights if base else {}) | {
        key: float(number) for key, number in facts.get("WEIGHTS", {}).items()
    }
    bounds = (base.bounds if base else {}) | {
        key: (float(low), float(high)) for key, (low, high) in facts.get("BOUNDS", {}).items()
    }
    for key, (low, high) in bounds.items():
        if key not in weights:
            known = nearest(key, weights, "the weights are")
            raise CooncanError(f"{path}: BOUNDS: there is no weight {key!r}{known}")
        if not low <= weights[key] <= high:
            raise CooncanError(
                f"{path}: WEIGHTS: {key} must lie in {low:g} … {high:g} (its BOUNDS), "
                f"not {weights[key]:g}"
            )
    return Page(
        name=name,
        path=path,
        about=" ".join((ast.get_docstring(tree) or "").split()),
        games=games,
        base=facts.get("BASE"),
        weights=weights,
        decisions=decisions,
        bounds=bounds,
    )


_in_reading: list[Path] = []


def _games_and_base(path: Path, facts: dict) -> tuple[tuple[str, ...], Page | None]:
    """The games a page plays, its base's if it names none, and the page it builds on."""
    if "BASE" not in facts:
        return tuple(facts.get("GAMES") or GAMES), None
    if path in _in_reading:
        raise CooncanError(f"{path}: BASE: the page builds on itself")
    _in_reading.append(path)
    try:
        games = tuple(facts.get("GAMES") or _pages(facts["BASE"])[0].games)
        return games, _page(facts["BASE"], games[0])
    except CooncanError as error:
        line = str(error)
        raise CooncanError(line if str(path) in line else f"{path}: BASE: {line}") from None
    finally:
        _in_reading.pop()


def lineage(page: Page, game_key: str) -> list[Page]:
    """The page and, after it, those that it builds on in this game."""
    pages = [page]
    while pages[-1].base is not None:
        pages.append(_page(pages[-1].base, game_key))
    return pages


def load(page: Page) -> ModuleType:
    """The page's module, run once for each state of its file; helpers in it are compiled."""
    return _load(page.path.resolve(), page.path.stat().st_mtime_ns)


@cache
def _load(path: Path, stamp: int) -> ModuleType:
    import numba

    from cooncan_sim.kernel import PAGE_OPTIONS

    folder = Path(str(resources.files("cooncan_sim.strategies"))).resolve()
    bundled = path.is_relative_to(folder)
    parts = path.relative_to(folder).with_suffix("").parts if bundled else (path.stem,)
    name = ".".join(("cooncan_sim.strategies" if bundled else "cooncan_strategy", *parts))
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    try:
        # Not through the loader: its bytecode files tell states of a source apart by the second.
        with within(LOADING, "reading the page"):
            exec(compile(path.read_bytes(), str(path), "exec"), vars(module))
    except (Exception, SystemExit) as error:
        raise not_loaded(error, path, module) from error
    for key, item in list(vars(module).items()):
        own = getattr(item, "__module__", None) == name and isinstance(item, FunctionType)
        if own and not key.startswith("choose_"):
            setattr(module, key, numba.njit(**PAGE_OPTIONS)(item))
    return module


def decision(page: Page, name: str, signature, game_key: str):
    """The page's function of this name, or its base's for that game, compiled for one signature.

    Raises CooncanError if neither it nor a base has it, or it cannot be compiled.
    """
    owner = page
    while name not in owner.decisions:
        if owner.base is None:
            raise CooncanError(
                f"strategy {page.name} ({page.path}) has no function {name}(table, seat) "
                f"and no BASE to take it from"
            )
        owner = _page(owner.base, game_key)
    return _compile(owner, name, signature, game(game_key).engine)


_compiled: dict = {}


def _compile(owner: Page, name: str, signature, engine: str):
    key = (owner.path.resolve(), owner.path.stat().st_mtime_ns, name, signature)
    if key not in _compiled:
        import numba

        from cooncan_sim.kernel import PAGE_OPTIONS

        function = getattr(load(owner), name)
        if not isinstance(function, FunctionType):
            raise CooncanError(f"{owner.path}: {name} has to be a function to the end of the page")
        try:
            with heeding_ctrl_c():
                compiled = numba.njit(signature, **PAGE_OPTIONS)(function)
        except Exception as error:  # Numba has no one class for what it cannot compile
            raise not_compiled(error, owner.path, function, signature, engine) from error
        # Numba lets a function pass that has no way to its end; the loop could not take it.
        for got in getattr(compiled, "nopython_signatures", ()):
            if got.return_type != signature.return_type:
                line = function.__code__.co_firstlineno
                raise CooncanError(f"{owner.path}:{line}: {name} never returns an answer")
        _compiled[key] = compiled
    return _compiled[key]
