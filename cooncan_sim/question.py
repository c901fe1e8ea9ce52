"""A question in TOML: what its keys mean, and what to say when one is wrong.

Each table of the file is one dataclass here, its keys are the fields, and the reader of a
field says what a value has to be. A comment in an experiment is worth more than a key: new
keys are added only when a question cannot be asked without.
"""

import dataclasses
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from cooncan_sim.compare import Trial
from cooncan_sim.designs import METRICS
from cooncan_sim.errors import CooncanError, nearest

KINDS = {str: "text", bool: "true or false", int: "a whole number", float: "a number",
         list: "a list", dict: "a table"}  # fmt: skip

Reader = Callable[[Any, "_Place"], Any]


@dataclass(frozen=True)
class _Place:
    """Where in a file a value stands; `fail` ends the reading with file, line and reason."""

    path: Path
    text: str
    keys: tuple[str | int, ...] = ()

    def at(self, key: str | int) -> "_Place":
        return dataclasses.replace(self, keys=(*self.keys, key))

    def fail(self, message: str) -> CooncanError:
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


def _is(kind: type, least: float | None = None) -> Reader:
    """A reader of one TOML type; whole numbers pass for numbers, truth values never do."""

    def read(value: Any, place: _Place) -> Any:
        fits = type(value) is kind or (kind is float and type(value) is int)
        if not fits:
            got = KINDS.get(type(value), type(value).__name__)
            raise place.fail(f"{place.keys[-1]} has to be {KINDS[kind]}, not {got}")
        if least is not None and value < least:
            raise place.fail(f"{place.keys[-1]} has to be at least {least}, not {value}")
        return float(value) if kind is float else value

    return read


def _text(value: Any, place: _Place) -> str:
    if not _is(str)(value, place).strip():
        raise place.fail(f"{place.keys[-1]} is empty")
    return value


def _above_zero(value: Any, place: _Place) -> float:
    number = _is(float)(value, place)
    if not number > 0:
        raise place.fail(f"{place.keys[-1]} has to be above 0, not {value}")
    return number


def _one_of(choices: Mapping[str, Any]) -> Reader:
    def read(value: Any, place: _Place) -> str:
        if _text(value, place) not in choices:
            known = f"{nearest(value, choices)} (one of {', '.join(choices)})"
            raise place.fail(f"unknown {place.keys[-1]} {value!r}{known}")
        return value

    return read


def _many(entry: Reader) -> Reader:
    """A reader of a list with at least one entry and none twice."""

    def read(value: Any, place: _Place) -> tuple[Any, ...]:
        values = _is(list)(value, place)
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


def _table(kind: type) -> Reader:
    """A reader of a table that is one dataclass, key by key."""

    def read(value: Any, place: _Place) -> Any:
        if not isinstance(value, dict):
            raise place.fail(f"{place.keys[-1]} has to be a table, not {KINDS[type(value)]}")
        fields = {one.name: one for one in dataclasses.fields(kind) if one.metadata}
        for key in value:
            if key not in fields:
                known = nearest(key, fields) or f" (known here: {', '.join(fields)})"
                raise place.at(key).fail(f"unknown key {key!r}{known}")
        for name, one in fields.items():
            needed = one.default is MISSING and one.default_factory is MISSING
            if needed and name not in value:
                raise place.fail(f"the key {name!r} is missing")
        read_values = {
            key: fields[key].metadata["read"](one, place.at(key)) for key, one in value.items()
        }
        return kind(**read_values)

    return read


def _key(read: Reader, **default: Any) -> Any:
    return field(metadata={"read": read}, **default)


@dataclass(frozen=True)
class Side:
    """A strategy and the words for it: `keeping 5–8`, to stand in "… wins more hands"."""

    strategy: str = _key(_text)
    label: str = _key(_text)


@dataclass(frozen=True)
class Band:
    """A range of ranks, 1 for the ace to 13 for the king, and the words for it."""

    label: str = _key(_text)
    low: int = _key(_is(int, 1))
    high: int = _key(_is(int, 1))


@dataclass(frozen=True)
class Counting:
    """`[exact]`: runs through each rank, counted. The tip favours the first of the bands."""

    lengths: tuple[int, ...] = _key(_many(_is(int, 3)))
    hand_size: int = _key(_is(int, 3))
    bands: tuple[Band, ...] = _key(_many(_table(Band)))


@dataclass(frozen=True)
class Contest:
    """`[[compare]]`: one treatment against each control at each table size.

    The treatment sits in each seat in turn; the others play the control, or `field` if given.
    `min_effect` is the least gain that the claim needs, in units of the metric.
    """

    game: str = _key(_text)
    treatment: Side = _key(_table(Side))
    controls: tuple[Side, ...] = _key(_many(_table(Side)))
    players: tuple[int, ...] = _key(_many(_is(int, 2)))
    metric: str = _key(_one_of(METRICS))
    min_effect: float = _key(_above_zero)
    deals: int = _key(_is(int, 2))
    quick_deals: int = _key(_is(int, 2))
    field: Side | None = _key(_table(Side), default=None)
    rules: Mapping[str, Any] = _key(_is(dict), default_factory=dict)


@dataclass(frozen=True)
class Comparing:
    """One comparison to play: the trial, its length and the words for both sides."""

    trial: Trial
    deals: int
    min_effect: float
    treatment: Side
    control: Side


@dataclass(frozen=True)
class Question:
    """A whole file. `tip` is the advice in full, `source` who gave it.

    `name` is the file's; `asked` is what to type to ask it again, the name if it is shipped.
    """

    question: str = _key(_text)
    claim: str = _key(_text)
    tip: str = _key(_text)
    source: str = _key(_text)
    seed: int = _key(_is(int, 0))
    compare: tuple[Contest, ...] = _key(_many(_table(Contest)), default=())
    exact: Counting | None = _key(_table(Counting), default=None)
    name: str = ""
    asked: str = ""

    def comparisons(self, quick: bool) -> list[Comparing]:
        """Everything to play, in the order in which it is played."""
        return [
            Comparing(
                Trial(
                    contest.game,
                    control.strategy,
                    contest.treatment.strategy,
                    (contest.field or control).strategy,
                    players,
                    self.seed,
                    contest.rules,
                    (contest.metric,),
                ),
                contest.quick_deals if quick else contest.deals,
                contest.min_effect,
                contest.treatment,
                control,
            )
            for contest in self.compare
            for control in contest.controls
            for players in contest.players
        ]


def load(source: str | Path) -> Question:
    """Reads a question: a TOML file, or the name of one that comes with the package.

    Raises CooncanError, one line with file and line number, for whatever is wrong with it.
    """
    path = _find(Path(source))
    try:
        text = path.read_text("utf-8")
        table = tomllib.loads(text)
    except OSError as error:
        raise CooncanError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CooncanError(f"{path}: not a text file in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise CooncanError(f"{path}: not right as TOML: {error}") from error
    place = _Place(path, text)
    question = _table(Question)(table, place)
    if not question.compare and question.exact is None:
        raise place.fail("nothing is asked: a [[compare]] or an [exact] table is missing")
    _check_counting(question.exact, place)
    ours = shipped().get(path.stem)
    asked = path.stem if ours and ours.samefile(path) else str(path)
    return dataclasses.replace(question, name=path.stem, asked=asked)


def shipped() -> dict[str, Path]:
    """The questions that come with the package, by name."""
    folder = Path(str(files("cooncan_sim.experiments")))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def _find(path: Path) -> Path:
    if path.exists():
        return path
    ours = shipped()
    if str(path) in ours:
        return ours[str(path)]
    raise CooncanError(f"{path}: there is no such file{nearest(path.stem, ours)}")


def _check_counting(counting: Counting | None, place: _Place) -> None:
    if counting is None:
        return
    inside = place.at("exact")
    if max(counting.lengths) > 13:
        raise inside.at("lengths").fail("lengths: no run has more than 13 cards")
    if counting.hand_size > 52:
        raise inside.at("hand_size").fail("hand_size: there are 52 cards")
    for number, band in enumerate(counting.bands):
        if not band.low <= band.high <= 13:
            raise (
                inside.at("bands")
                .at(number)
                .fail(
                    f"bands: low to high has to lie within 1 to 13, not {band.low} to {band.high}"
                )
            )
