"""A page for a strategy of one's own, and a question about it: written to be edited.

The templates lie beside this file, one for each way to play a game. What they make plays at once.
"""

import importlib.util
import json
import keyword
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from cooncan_sim import catalog
from cooncan_sim.errors import CooncanError


class Kind(NamedTuple):
    """Games whose strategies are asked alike, and what a page for them builds on if not told."""

    template: str
    games: tuple[str, ...]
    base: str


KINDS = (
    Kind("cooncan", ("jaques", "two_deck", "partnership"), "greedy"),
    Kind("wild_card", ("wild_card",), "greedy"),
    Kind("conquian", ("conquian", "conquian_jaques"), "cq-greedy"),
    Kind("double_rum", ("double_rum",), "greedy"),
    Kind("konkan", ("konkan",), "kk-greedy"),
)
# Who else sits at the table when a tip is put to the test: strong play that is quick to play.
STRONG = {
    "jaques": "strong",
    "partnership": "strong",
    "two_deck": "strong",
    "wild_card": "strong",
    "conquian": "cq-select",
    "conquian_jaques": "cq-select",
    "double_rum": "strong",
    "konkan": "kk-strong",
}


@dataclass(frozen=True)
class Written:
    """What was written: the page with the games it plays and its base, the question, what next."""

    page: Path
    question: Path
    games: tuple[str, ...]
    base: str
    commands: tuple[str, ...]


def write(
    name: str, game: str = "jaques", base: str | None = None, folder: str | Path = "."
) -> Written:
    """Writes the page `name`.py and the question `name`.toml into a folder.

    The page plays `game`, and others whose strategies are asked alike, as `base` does: a name of
    the catalogue or a file; the game's usual one if not given. One decision is there to be edited.
    Raises CooncanError for a name that will not do, that of a module among them, an unknown game
    or base, and a file that is already there.
    """
    _check_name(name)
    kind = next(kind for kind in KINDS if catalog.game(game).key in kind.games)
    built_on = catalog.strategy(base or kind.base, game)
    if built_on.name != built_on.page.name:
        raise CooncanError(f"a page builds on another page, not on its weights: {base}")
    page, question = (Path(folder) / f"{name}.{suffix}" for suffix in ("py", "toml"))
    for path in (page, question):
        if path.exists():
            raise CooncanError(f"{path} is there already; choose another name or remove it")
    if _is_module(name):
        raise CooncanError(
            f"{name} is a module of Python or of an installed package, which {name}.py would hide "
            "from programs beside it: another name"
        )
    games = tuple(key for key in kind.games if key in built_on.page.games)
    named = built_on.page.name
    written = Written(page, question, games, named, _commands(name, game, named))
    shown = {
        "name": name,
        "game": game,
        "games": games,
        "base": named,
        # Where a weight stands among the page's: the base's come first, and keep their places.
        "at": lambda weight: [*built_on.page.weights, weight].index(weight),
        "fields": ["control", STRONG[game] if named != STRONG[game] else kind.base],
        "players": catalog.game(game).players[0],
        "commands": written.commands,
    }
    for path, template in ((page, f"{kind.template}.py"), (question, "question.toml")):
        with path.open("x", encoding="utf-8") as file:
            file.write(_filled(f"{template}.jinja", shown))
    return written


def _check_name(name: str) -> None:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise CooncanError(
            f"{name!r} is no name for a strategy: letters, digits and _, such as keep_aces"
        )
    if name.replace("_", "-") in {page.name for page in catalog.strategies()}:
        raise CooncanError(f"there is a strategy {name.replace('_', '-')} already: another name")


def _is_module(name: str) -> bool:
    """Whether `import name` means something already. Folders without modules hide nothing."""
    spec = importlib.util.find_spec(name)
    return name in sys.stdlib_module_names or (spec is not None and spec.origin is not None)


def _commands(name: str, game: str, base: str) -> tuple[str, ...]:
    """What to type next: compare at once, then ask the question and write it up."""
    players = catalog.game(game).players[0]
    table = "" if players == 2 else f" --players {players}"
    return (
        f"cooncan compare {game} --control {shlex.quote(base)} --treatment ./{name}.py{table}",
        f"cooncan run {name}.toml --quick",
        f"cooncan report results/{name}",
    )


def _filled(template: str, shown: dict[str, object]) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["quoted"] = lambda text: json.dumps(text, ensure_ascii=False)
    return environment.get_template(template).render(shown)
