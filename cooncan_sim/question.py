"""A question in TOML: what its tables and keys mean.

A comment in an experiment is worth more than a key: new keys are added only when a question
cannot be asked without. A file asks with any of these, each as often as it needs:

    [[compare]]      two strategies on the same deals (designs D1, D3; with `match` D4)
    [[where]]        two strategies compared where something holds (D1, D4)
    [[contrast]]     one way of playing under two rules or in two games (D2, D5)
    [[house_rules]]  the same for every switch named: the default against each option (D2)
    [[observe]]      what happens in hands that everybody plays alike: shares and means
    [[rollouts]]     how much hangs on a turn: its answers played out, under two rules (D2)
    [exact]          runs through each rank, counted          (once)
    [long_runs]      what can still come of a long run of Conquian, counted   (once)
"""

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from cooncan_sim.arguments import MOST_DEALS
from cooncan_sim.compare import MAX_DEALS, Trial
from cooncan_sim.designs import EVERYWHERE, METRICS, metrics_of
from cooncan_sim.errors import CooncanError, nearest
from cooncan_sim.games import rulebook
from cooncan_sim.measures import MEASURES, check_measure
from cooncan_sim.observing import seats_of
from cooncan_sim.toml_tables import (
    Place,
    above_zero,
    is_a,
    key,
    many,
    named,
    one_of,
    one_or_many,
    option,
    table,
    text,
)

ASKING = ("compare", "where", "contrast", "house_rules", "observe", "rollouts", "exact",
          "long_runs")  # fmt: skip
CONTROL = "control"  # in `fields`: the others play what is compared with
QUICK_DEALS = 2_000  # in a quick run, where a comparison does not say
NOTABLE_WINS = 0.01  # hands won: the least gain that counts, where a comparison does not say
Rules = Mapping[str, str | int]
_game = one_of(rulebook.GAMES, "cooncan games")
_games = one_or_many(_game)
_tables = many(is_a(int, 2))
_length = is_a(int, 2, MOST_DEALS - 1)
_swept = named(one_or_many(option))


def _rise(value: Any, place: Place) -> float | str:
    """A number other than 0, or a text like "5 %"."""
    if isinstance(value, str):
        number = value.removesuffix("%").strip()
        try:
            share = float(number) / 100
        except ValueError:
            share = 0
        if not value.endswith("%") or not share:
            raise place.fail(f"min_effect has to be a number or a text like '5 %', not {value!r}")
        return value
    number = is_a(float)(value, place)
    if not number:
        raise place.fail("min_effect has to be above or below 0")
    return number


def _check_tables(
    games: tuple[str, ...],
    players: tuple[int, ...],
    rules: Mapping[str, tuple[str | int, ...]],
    place: Place,
    word: str = "rules",
) -> None:
    """Whether these games have these table sizes and switches."""
    for name in games:
        game = rulebook.game(name)
        for number in players:
            try:
                game.check_players(number)
            except CooncanError as error:
                raise place.at("players").fail(str(error)) from None
        for switch, values in rules.items():
            for value in values:
                try:
                    game.rules({switch: value})
                except CooncanError as error:
                    raise place.at(word).at(switch).fail(str(error)) from None


def _check_measures(asked: Any, games: tuple[str, ...], place: Place) -> None:
    for name in (asked.metric, *asked.secondary):
        for game in games:
            try:
                check_measure(name, game, asked.match)
            except CooncanError as error:
                where = "metric" if name == asked.metric else "secondary"
                raise place.at(where).fail(str(error)) from None
    if asked.metric in asked.secondary:
        raise place.at("secondary").fail(f"secondary names {asked.metric} again, the metric")


def _check_quick(asked: Any, place: Place) -> None:
    """Whether a quick run is no longer than the whole one."""
    name = "max_deals" if asked.deals is None else "deals"
    most = getattr(asked, name)
    if asked.quick_deals is not None and asked.quick_deals > most:
        raise place.at("quick_deals").fail(
            f"quick_deals has to be at most {name}, {most:,}, not {asked.quick_deals:,}"
        )


@dataclass(frozen=True)
class Side:
    """A strategy and the words for it: `keeping 5–8`, to stand in "… wins more hands"."""

    strategy: str = key(text)
    label: str = key(text)

    def with_weights(self, weights: Mapping[str, float]) -> "Side":
        """`greedy-wait(k={k})` with the weights of a sweep put in, in the label too."""
        strategy, label = self.strategy, self.label
        for name, number in weights.items():
            strategy = strategy.replace(f"{{{name}}}", f"{number:g}")
            label = label.replace(f"{{{name}}}", f"{number:g}")
        return Side(strategy, label)


def _side(value: Any, place: Place) -> Side:
    """A table, or the strategy alone: its name, or that of its file, is then its label."""
    if isinstance(value, str):
        strategy = text(value, place)
        return Side(strategy, Path(strategy).stem if strategy.endswith(".py") else strategy)
    if not isinstance(value, dict):
        raise place.fail(f"{place.keys[-1]} has to be a strategy or a table, not {value!r}")
    return table(Side)(value, place)


@dataclass(frozen=True)
class Band:
    """A range of ranks, 1 for the ace to 13 for the king, and the words for it."""

    label: str = key(text)
    low: int = key(is_a(int, 1))
    high: int = key(is_a(int, 1))

    def check(self, place: Place) -> None:
        if not self.low <= self.high <= 13:
            raise place.fail(
                f"bands: low to high has to lie within 1 to 13, not {self.low} to {self.high}"
            )


@dataclass(frozen=True)
class Counting:
    """`[exact]`: runs through each rank, counted. The tip favours the first of the bands."""

    lengths: tuple[int, ...] = key(many(is_a(int, 3)))
    hand_size: int = key(is_a(int, 3))
    bands: tuple[Band, ...] = key(many(table(Band)))

    def check(self, place: Place) -> None:
        if max(self.lengths) > 13:
            raise place.at("lengths").fail("lengths: no run has more than 13 cards")
        if self.hand_size > 52:
            raise place.at("hand_size").fail("hand_size: there are 52 cards")


@dataclass(frozen=True)
class LongRuns:
    """`[long_runs]`: the ways from a run of each of these lengths to eleven cards on the table."""

    lengths: tuple[int, ...] = key(many(is_a(int, 6)))

    def check(self, place: Place) -> None:
        if max(self.lengths) > 10:
            raise place.at("lengths").fail("lengths: a suit of Conquian has 10 cards")


@dataclass(frozen=True)
class Contest:
    """`[[compare]]`: one treatment against each control, in each field, at each table size.

    A side is a table of strategy and label, or a strategy alone. Without `players` as few play as
    the game allows.
    The treatment sits in each seat in turn; of partners, one pair after the other. `fields` are
    the strategies of the other seats, one after another; "control", which is also the default,
    stands for what is compared with. `metric` decides, and `min_effect` is the least gain in it
    that the claim needs, one hand won in a hundred if not given; `secondary` is measured besides.
    A comparison stops when it is settled, at the latest after `max_deals`, and is then measured on
    as many fresh deals; with `deals` in its place it has that fixed length. `quick_deals` stands
    for either in a quick run, 2,000 of them at most if not given. `match`: whole matches in place
    of hands. `treated`: so many players of the treatment at a table, if more than one against the
    rest in every distinct seating. A list under `rules`, as under `game`, is gone through one by
    one; so is `sweep`, whose names stand in braces in strategies and labels.
    """

    game: tuple[str, ...] = key(_games)
    treatment: Side = key(_side)
    controls: tuple[Side, ...] = key(many(_side))
    players: tuple[int, ...] = key(_tables, default=())
    metric: str = key(one_of(METRICS), default="win")
    min_effect: float | None = key(above_zero, default=None)
    quick_deals: int | None = key(_length, default=None)
    max_deals: int = key(_length, default=MAX_DEALS)
    deals: int | None = key(_length, default=None)
    fields: tuple[str, ...] = key(many(text), default=(CONTROL,))
    secondary: tuple[str, ...] = key(many(one_of(METRICS)), default=())
    match: bool = key(is_a(bool), default=False)
    treated: int = key(is_a(int, 1), default=1)
    rules: Mapping[str, tuple[str | int, ...]] = key(_swept, default_factory=dict)
    sweep: Mapping[str, tuple[float, ...]] = key(named(many(is_a(float))), default_factory=dict)

    @property
    def least(self) -> float:
        """The least gain that counts."""
        return NOTABLE_WINS if self.min_effect is None else self.min_effect

    def length(self, quick: bool) -> int:
        """Deals of a comparison, at most so many if it has no fixed length."""
        whole = self.deals or self.max_deals
        return (self.quick_deals or min(QUICK_DEALS, whole)) if quick else whole

    def tables(self, game: str) -> tuple[int, ...]:
        """The numbers of players at which this game is played."""
        return self.players or rulebook.game(game).players[:1]

    def check(self, place: Place) -> None:
        for game in self.game:
            _check_tables((game,), self.tables(game), self.rules, place)
        if self.min_effect is None and self.metric != "win":
            raise place.fail(f"the key 'min_effect' is missing: how much {self.metric} counts?")
        for name in (self.metric, *self.secondary):
            for game in self.game:
                if name not in (*metrics_of(game, self.match), *EVERYWHERE):
                    known = ", ".join(metrics_of(game, self.match))
                    where = "metric" if name == self.metric else "secondary"
                    raise place.at(where).fail(f"{name} is not measured in {game}, but {known}")
        _check_quick(self, place)
        if self.treated > 1:
            self._check_treated(place)
        if self.metric in self.secondary:
            raise place.at("secondary").fail(f"secondary names {self.metric} again, the metric")

    def _check_treated(self, place: Place) -> None:
        """Whether one comparison of each kind could be made."""
        for game in self.game:
            for players in self.players:
                for field in self.fields:
                    try:
                        Trial(
                            game, CONTROL, "", field, players, treated=self.treated,
                            metrics=(self.metric, *self.secondary), match=self.match,
                        )  # fmt: skip
                    except CooncanError as error:
                        raise place.at("treated").fail(str(error)) from None


@dataclass(frozen=True)
class Where:
    """`[[where]]`: two strategies compared in the hands that are lost under both forms.

    The gain is a lower charge there. With `behind`, in matches, from the first hand before which
    the player is so many points behind; the gain is then in matches won. `{behind}` in the
    treatment stands for that number. `fields` as in `[[compare]]`; the length is fixed.
    """

    game: str = key(_game)
    treatment: Side = key(table(Side))
    controls: tuple[Side, ...] = key(many(table(Side)))
    players: tuple[int, ...] = key(_tables)
    min_effect: float = key(above_zero)
    deals: int = key(_length)
    quick_deals: int = key(_length)
    fields: tuple[str, ...] = key(many(text), default=(CONTROL,))
    behind: tuple[int, ...] = key(many(is_a(int, 1)), default=())

    def check(self, place: Place) -> None:
        _check_tables((self.game,), self.players, {}, place)
        _check_quick(self, place)
        if rulebook.game(self.game).engine != "cooncan" or rulebook.game(self.game).partners:
            raise place.at("game").fail(f"{self.game}: only where each player is charged his hand")


@dataclass(frozen=True)
class Variant:
    """A game under some rules, and the words for it: `two packs`."""

    game: str = key(_game)
    label: str = key(text)
    rules: Rules = key(named(option), default_factory=dict)


@dataclass(frozen=True)
class Contrast:
    """`[[contrast]]`: the same players under two rules (D2), or in two games (D5).

    Everybody plays the same strategy, one after another of `strategies`; measures that need a
    weaker opponent have `random` in the other seats. `min_effect` is the rise from control to
    treatment that the claim needs, below 0 for a fall, a text such as "5 %" in shares of the
    control's mean; without it nothing is judged.
    """

    treatment: Variant = key(table(Variant))
    control: Variant = key(table(Variant))
    strategies: tuple[str, ...] = key(many(text))
    players: tuple[int, ...] = key(_tables)
    metric: str = key(one_of(MEASURES))
    deals: int = key(_length)
    quick_deals: int = key(_length)
    secondary: tuple[str, ...] = key(many(one_of(MEASURES)), default=())
    min_effect: float | str | None = key(_rise, default=None)
    match: bool = key(is_a(bool), default=False)

    def check(self, place: Place) -> None:
        for name in ("treatment", "control"):
            side = getattr(self, name)
            rules = {switch: (value,) for switch, value in side.rules.items()}
            _check_tables((side.game,), self.players, rules, place.at(name))
            _check_measures(self, (side.game,), place)
        _check_quick(self, place)


@dataclass(frozen=True)
class HouseRules:
    """`[[house_rules]]`: a contrast of the default with every option that `options` names."""

    game: tuple[str, ...] = key(_games)
    options: Mapping[str, tuple[str | int, ...]] = key(_swept)
    strategies: tuple[str, ...] = key(many(text))
    players: tuple[int, ...] = key(_tables)
    metric: str = key(one_of(MEASURES))
    deals: int = key(_length)
    quick_deals: int = key(_length)
    secondary: tuple[str, ...] = key(many(one_of(MEASURES)), default=())
    match: bool = key(is_a(bool), default=False)

    def check(self, place: Place) -> None:
        _check_tables(self.game, self.players, self.options, place, "options")
        _check_measures(self, self.game, place)
        _check_quick(self, place)


@dataclass(frozen=True)
class Observation:
    """`[[observe]]`: what happens in hands (with `match`: matches) that all play alike.

    One observation for each game, combination of `rules`, strategy and table size; an entry such
    as "force-always, cq-select" gives each seat its own strategy. The claim is
    that `metric` lies above `above` and below `below`; without either nothing is judged.
    `distribution` keeps how often each value of these came: points of a player, turns of a hand.
    """

    game: tuple[str, ...] = key(_games)
    strategies: tuple[str, ...] = key(many(text))
    players: tuple[int, ...] = key(_tables)
    metric: str = key(one_of(MEASURES))
    deals: int = key(_length)
    quick_deals: int = key(_length)
    secondary: tuple[str, ...] = key(many(one_of(MEASURES)), default=())
    rules: Mapping[str, tuple[str | int, ...]] = key(_swept, default_factory=dict)
    above: float | None = key(is_a(float), default=None)
    below: float | None = key(is_a(float), default=None)
    distribution: tuple[str, ...] = key(many(one_of({"points": 0, "turns": 0})), default=())
    match: bool = key(is_a(bool), default=False)

    def check(self, place: Place) -> None:
        _check_tables(self.game, self.players, self.rules, place)
        _check_measures(self, self.game, place)
        _check_quick(self, place)
        if self.above is not None and self.below is not None and self.above >= self.below:
            raise place.at("above").fail(
                f"nothing lies above {self.above:g} and below {self.below:g}"
            )


@dataclass(frozen=True)
class Rollouts:
    """`[[rollouts]]`: of how many turns the answers differ in what they are worth (`rollouts`).

    Turns are taken from the same deals under two rules of one game; everybody plays the same
    strategy, one after another of `strategies`, also in the roll-outs. `worth` is the difference
    between two answers, in shares of a win, that counts; the claim is that more than a share
    `above` of the turns has one. Without it nothing is judged.
    """

    treatment: Variant = key(table(Variant))
    control: Variant = key(table(Variant))
    strategies: tuple[str, ...] = key(many(text))
    players: tuple[int, ...] = key(_tables)
    worth: float = key(above_zero)
    deals: int = key(_length)
    quick_deals: int = key(_length)
    above: float | None = key(is_a(float), default=None)

    def check(self, place: Place) -> None:
        if self.control.game != self.treatment.game:
            raise place.at("control").fail("control: both have to be of one game")
        for name in ("treatment", "control"):
            side = getattr(self, name)
            if rulebook.game(side.game).engine != "cooncan":
                able = ", ".join(g for g in rulebook.GAMES if rulebook.game(g).engine == "cooncan")
                raise place.at(name).fail(f"{side.game}: roll-outs are made in {able}")
            rules = {switch: (value,) for switch, value in side.rules.items()}
            _check_tables((side.game,), self.players, rules, place.at(name))
        for name in self.strategies:
            if len(seats_of(name)) > 1:
                raise place.at("strategies").fail(f"strategies: everybody plays one, not {name!r}")
        _check_quick(self, place)


@dataclass(frozen=True)
class Question:
    """A whole file. `tip` is the advice in full, `source` who gave it, `claim` its number.

    `name` is the file's; `asked` is what to type to ask it again, the name if it is shipped.
    """

    question: str = key(text)
    tip: str = key(text)
    claim: str = key(text, default="")
    source: str = key(text, default="")
    seed: int = key(is_a(int, 0), default=0)
    compare: tuple[Contest, ...] = key(many(table(Contest)), default=())
    where: tuple[Where, ...] = key(many(table(Where)), default=())
    contrast: tuple[Contrast, ...] = key(many(table(Contrast)), default=())
    house_rules: tuple[HouseRules, ...] = key(many(table(HouseRules)), default=())
    observe: tuple[Observation, ...] = key(many(table(Observation)), default=())
    rollouts: tuple[Rollouts, ...] = key(many(table(Rollouts)), default=())
    exact: Counting | None = key(table(Counting), default=None)
    long_runs: LongRuns | None = key(table(LongRuns), default=None)
    name: str = ""
    asked: str = ""

    def check(self, place: Place) -> None:
        if not any(getattr(self, name) for name in ASKING):
            raise place.fail("nothing is asked: a [[compare]] or an [exact] table is missing")


def combinations(choices: Mapping[str, tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Every way to choose one entry for each name, the last name changing fastest."""
    return [dict(zip(choices, chosen, strict=True)) for chosen in product(*choices.values())]


def load(source: str | Path) -> Question:
    """Reads a question: a TOML file, or the name of one that comes with the package.

    Raises CooncanError, one line with file and line number, for whatever is wrong with it.
    """
    path = _find(Path(source))
    try:
        written = path.read_text("utf-8")
        tables = tomllib.loads(written)
    except OSError as error:
        raise CooncanError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CooncanError(f"{path}: not a text file in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise CooncanError(f"{path}: not right as TOML: {error}") from error
    question = table(Question)(tables, Place(path, written))
    ours = shipped().get(path.stem)
    asked = path.stem if ours and ours.samefile(path) else str(path)
    return dataclasses.replace(question, name=path.stem, asked=asked)


def shipped() -> dict[str, Path]:
    """The questions that come with the package, by name."""
    folder = Path(str(files("cooncan_sim.experiments")))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def _find(path: Path) -> Path:
    if path.exists() and not path.is_dir():
        return path
    ours = shipped()
    if str(path) in ours:
        return ours[str(path)]
    if path.is_dir():
        raise CooncanError(f"{path}: is a folder; a question is a TOML file")
    raise CooncanError(f"{path}: there is no such file{nearest(path.stem, ours)}")
