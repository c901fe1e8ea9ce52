"""Tables of a TOML file read into dataclasses: what a value has to be, and what to say if not.

Each table is one dataclass, its keys are the fields made with `key`, and the reader of a field
says what a value has to be. Whatever is wrong is told in one line with the file and the line.
"""

import dataclasses
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field
from pathlib import Path
from typing import Any

from cooncan_sim.errors import CooncanError, nearest

KINDS = {str: "text", bool: "true or false", int: "a whole number", float: "a number",
         list: "a list", dict: "a table"}  # fmt: skip

Reader = Callable[[Any, "Place"], Any]


@dataclass(frozen=True)
class Place:
    """Where in a file a value stands; `fail` ends the reading with file, line and reason."""

    path: Path
    text: str
    keys: tuple[str | int, ...] = ()

    def at(self, key: str | int) -> "Place":
        """The place of one key of the table here, or of one entry of the list."""
        return dataclasses.replace(self, keys=(*self.keys, key))

    def fail(self, message: str) -> CooncanError:
        """The error that says so, to be raised."""
        return CooncanError(f"{self.path}:{self.line()}: {message}")

    def line(self) -> int:
        """Line of the key: each key is looked for behind the one before. TOML gives no places."""
        text = re.sub(r"#[^\n\"']*$", lambda match: " " * len(match[0]), self.text, flags=re.M)
        position = 0
        for key in self.keys:
            if isinstance(key, str):
                name = re.escape(key)
                pattern = rf"^\s*\[\[?\s*{name}\s*\]\]?|(?:^|[{{,])[ \t]*\"?{name}\"?[ \t]*="
                found = re.compile(pattern, re.M).search(text, position)
                position = found.start() if found else position
                position += len(text[position:]) - len(text[position:].lstrip("{, \t\n"))
                header = found[0].strip() if found else ""
            else:  # the entry of a list: its own header, or its own pair of braces
                opening = re.escape(header) if header.startswith("[[") else r"\{"
                entries = [entry.start() for entry in re.finditer(opening, text[position:])]
                position += entries[key] if key < len(entries) else 0
        return text.count("\n", 0, position) + 1


def is_a(kind: type, least: float | None = None, most: float | None = None) -> Reader:
    """A reader of one TOML type; whole numbers pass for numbers, truth values never do."""

    def read(value: Any, place: Place) -> Any:
        fits = type(value) is kind or (kind is float and type(value) is int)
        if not fits:
            got = KINDS.get(type(value), type(value).__name__)
            got = f"{got} ({value})" if isinstance(value, int | float) else got
            if (kind, type(value)) == (list, dict):
                got = f"{got}: write [[{place.keys[-1]}]]"
            raise place.fail(f"{place.keys[-1]} has to be {KINDS[kind]}, not {got}")
        if kind is float and not math.isfinite(value):
            raise place.fail(f"{place.keys[-1]} has to be a number, not {value}")
        if least is not None and value < least:
            raise place.fail(f"{place.keys[-1]} has to be at least {least}, not {value}")
        if most is not None and value > most:
            raise place.fail(f"{place.keys[-1]} has to be at most {most:,}, not {value:,}")
        return float(value) if kind is float else value

    return read


def text(value: Any, place: Place) -> str:
    """A reader of text that is not blank."""
    if not is_a(str)(value, place).strip():
        raise place.fail(f"{place.keys[-1]} is empty")
    return value


def above_zero(value: Any, place: Place) -> float:
    """A reader of a number above 0."""
    number = is_a(float)(value, place)
    if not number > 0:
        raise place.fail(f"{place.keys[-1]} has to be above 0, not {value}")
    return number


def one_of(choices: Mapping[str, Any], command: str = "") -> Reader:
    """A reader of one of these words; `command` lists them, if there is such a one."""

    def read(value: Any, place: Place) -> str:
        if text(value, place) not in choices:
            known = nearest(value, choices, "it is one of", command)
            raise place.fail(f"unknown {place.keys[-1]} {value!r}{known}")
        return value

    return read


def many(entry: Reader) -> Reader:
    """A reader of a list with at least one entry and none twice."""

    def read(value: Any, place: Place) -> tuple[Any, ...]:
        values = is_a(list)(value, place)
        if not values:
            raise place.fail(f"{place.keys[-1]} is empty")
        entries = []
        for number, one in enumerate(values):
            inside = place.at(number) if isinstance(one, dict) else place
            entries.append(entry(one, inside))
            if entries[-1] in entries[:-1]:
                raise place.fail(f"{place.keys[-1]} holds the same entry twice: {one}")
        return tuple(entries)

    return read


def one_or_many(entry: Reader) -> Reader:
    """A reader of one entry, or of a list of them; a tuple either way."""

    def read(value: Any, place: Place) -> tuple[Any, ...]:
        return many(entry)(value, place) if isinstance(value, list) else (entry(value, place),)

    return read


def named(entry: Reader) -> Reader:
    """A reader of a table whose keys are free: each value is read alike."""

    def read(value: Any, place: Place) -> dict[str, Any]:
        return {name: entry(one, place.at(name)) for name, one in is_a(dict)(value, place).items()}

    return read


def option(value: Any, place: Place) -> str | int:
    """A reader of one option of a switch: a word or a whole number."""
    if type(value) not in (str, int):
        got = KINDS.get(type(value), type(value).__name__)
        raise place.fail(f"{place.keys[-1]} has to be text or a whole number, not {got}")
    return value


def table(kind: type) -> Reader:
    """A reader of a table that is one dataclass, key by key.

    What no single value shows to be wrong is told by the dataclass's own `check(place)`.
    """

    def read(value: Any, place: Place) -> Any:
        if not isinstance(value, dict):
            raise place.fail(f"{place.keys[-1]} has to be a table, not {KINDS[type(value)]}")
        fields = {one.name: one for one in dataclasses.fields(kind) if one.metadata}
        for key in value:
            if key not in fields:
                known = nearest(key, fields, "known here:")
                raise place.at(key).fail(f"unknown key {key!r}{known}")
        for name, one in fields.items():
            needed = one.default is MISSING and one.default_factory is MISSING
            if needed and name not in value:
                raise place.fail(f"the key {name!r} is missing")
        read_values = {
            key: fields[key].metadata["read"](one, place.at(key)) for key, one in value.items()
        }
        made = kind(**read_values)
        if hasattr(made, "check"):
            made.check(place)
        return made

    return read


def key(read: Reader, **default: Any) -> Any:
    """A field of a dataclass that is a key of the table; needed unless it has a default."""
    return field(metadata={"read": read}, **default)
