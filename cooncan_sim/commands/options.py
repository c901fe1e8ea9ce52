"""Options that several commands share, and the reading of what was typed."""

import json
import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from cooncan_sim.errors import CooncanError, either

Game = Annotated[str, typer.Argument(metavar="GAME", help="A game's key: see cooncan games.")]
Players = Annotated[
    str, typer.Option(metavar="A,B,…", help="A strategy for each seat, by name or file.")
]
Rule = Annotated[
    list[str] | None,
    typer.Option(metavar="K=V", help="A house rule; may be repeated. See cooncan rules GAME."),
]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same cards.")]
Jobs = Annotated[
    int | None, typer.Option(min=1, help="Threads to play on; all cores if not given.")
]
Json = Annotated[bool, typer.Option("--json", help="JSON for programs instead of words.")]


def split_players(text: str, option: str = "--players") -> list[str]:
    """`greedy,greedy-keep(low=5,high=8)` -> the two names; commas in parentheses stay."""
    names, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            raise CooncanError(f"{option} {text!r}: a bracket is closed that was not opened")
        if letter == "," and depth == 0:
            names.append("")
        else:
            names[-1] += letter
    if depth:
        raise CooncanError(
            f"{option} {text!r}: a bracket is not closed; write it like greedy-keep(low=5),hold"
        )
    names = [name.strip() for name in names]
    if "" in names:
        raise CooncanError(f"{option} {text!r}: a name is missing; write it like greedy,hold")
    return names


def read_rules(given: list[str] | None) -> dict[str, str] | None:
    """`["HAND_SIZE=11"]` -> `{"HAND_SIZE": "11"}`; None when no rule was given."""
    rules = {}
    for text in given or ():
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise CooncanError(f"--rule {text!r}: write it as NAME=VALUE, such as HAND_SIZE=11")
        if key.strip() in rules:
            raise CooncanError(f"--rule {key.strip()} is given twice")
        rules[key.strip()] = value.strip()
    return rules or None


def check_out(path: Path | None, *suffixes: str) -> None:
    """Refuses a file that could not be written, before anything is played."""
    if path is None:
        return
    if not path.name:
        raise CooncanError(f"the file's name is empty: it has to end in {either(suffixes)}")
    if suffixes and path.suffix.lower() not in suffixes:
        raise CooncanError(f"{path}: the name has to end in {either(suffixes)}")
    if path.is_dir():
        raise CooncanError(f"{path}: is a folder, not a file")
    if not path.parent.is_dir():
        raise CooncanError(f"{path}: the folder {path.parent} does not exist")
    try:
        with path.open("ab") if path.exists() else tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise CooncanError(f"{path}: cannot be written: {error.strerror}") from None


def print_json(value: Any) -> None:
    """One JSON document on one line. What is not finite, like an unknown mean, becomes null."""
    print(json.dumps(_plain(value), ensure_ascii=False, allow_nan=False))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if hasattr(value, "tolist"):  # a NumPy scalar or array
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def aligned(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows as text in columns; the last column is not padded."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
