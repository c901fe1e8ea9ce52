"""Batches of hands: deals × seatings → columns of results, on threads.

A deal is the shuffled pack of one hand; a seating says which strategy sits where. All seatings of
a deal play the same cards. Results depend on (seed, deal) alone, not on chunks or threads.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from cooncan_sim import catalog, workers
from cooncan_sim.arguments import check_count, check_flags, check_hearer, read_players, read_rules
from cooncan_sim.errors import CooncanError
from cooncan_sim.interrupt import heeding_ctrl_c
from cooncan_sim.page_copies import Pages
from cooncan_sim.page_errors import raised

if TYPE_CHECKING:
    import pandas as pd

    from cooncan_sim.match import MatchSimulation

ENDINGS = ("out", "void", "draw", "pool", "max_turns", "broken")
BROKEN = ENDINGS.index("broken")
STOCK_ORDERS = ("shared", "per_seat")
MOST_STRATEGIES, MOST_WEIGHTS = 8, 16  # in one plan, of one strategy; as in every engine
CHUNK = 512  # hands in the first pieces of work


class StrategyError(CooncanError):
    """A strategy gave an illegal answer or raised. `partial`: what was played before, if kept."""

    partial: Any = None


@dataclass(frozen=True)
class Plan:
    """What to play: a game, the seatings of every deal (strategy specs by seat), seed and rules.

    stock_order: `shared`, one order of the stock for the table; `per_seat`, one for each seat
    (STATS §1), which lowers the noise of comparisons. keep_going: a hand that a strategy breaks
    is counted as `broken` and the batch goes on. of: how many players the match began with, if
    some have left it.
    """

    game: str
    seatings: tuple[tuple[str, ...], ...]
    seed: int = 0
    rules: Mapping[str, object] = field(default_factory=dict)
    stock_order: str = "shared"
    keep_going: bool = False
    of: int = 0

    def __post_init__(self) -> None:
        game = catalog.game(self.game)
        for seating in self.seatings:
            read_players(seating)
        if self.stock_order not in STOCK_ORDERS:
            raise CooncanError(f"stock order {self.stock_order!r}: it is shared or per_seat")
        if not isinstance(self.seed, int | np.integer) or not 0 <= self.seed < 2**63:
            raise CooncanError(f"seed {self.seed}: it is a whole number from 0 to 2**63 - 1")
        game.check_players(self.of or self.players)
        game.rules(self.rules)

    @property
    def players(self) -> int:
        return len(self.seatings[0])

    @property
    def sides(self) -> int:
        """How many score: the players, or two sides of partners."""
        return 2 if catalog.game(self.game).partners else self.players

    @property
    def full_rules(self) -> dict[str, str | int]:
        """Every switch of the game with its value."""
        return catalog.game(self.game).rules(self.rules)

    @cached_property
    def strategies(self) -> tuple[catalog.Strategy, ...]:
        """The different strategies of the seatings, in the order of their first seat."""
        if len(self._specs) > MOST_STRATEGIES:
            raise CooncanError(f"{len(self._specs)} strategies: {MOST_STRATEGIES} at most")
        return tuple(catalog.strategy(spec, self.game) for spec in self._specs)

    @cached_property
    def _specs(self) -> list[str]:
        return list(dict.fromkeys(spec for seating in self.seatings for spec in seating))

    @cached_property
    def functions(self) -> list[tuple]:
        """For every decision the compiled functions of the strategies, repeated to fill up."""
        filled = [self.strategies[i % len(self.strategies)] for i in range(MOST_STRATEGIES)]
        decisions = self.engine("play").DECISIONS.items()
        return [
            tuple(catalog.decision(one.page, name, signature, self.game) for one in filled)
            for name, signature in decisions
        ]

    @cached_property
    def seats(self) -> np.ndarray:
        """The seatings as numbers of strategies, shape (seatings, players), int64."""
        return np.array(
            [[self._specs.index(spec) for spec in seating] for seating in self.seatings],
            dtype=np.int64,
        )

    @cached_property
    def weights(self) -> np.ndarray:
        """The strategies' weights, shape (strategies, most weights of one), float64."""
        rows = [list(strategy.weights.values()) for strategy in self.strategies]
        width = max(1, *map(len, rows))
        if width > MOST_WEIGHTS:
            raise CooncanError(f"a strategy has {width} weights: {MOST_WEIGHTS} at most")
        return np.array([row + [0.0] * (width - len(row)) for row in rows]).reshape(-1, width)

    def with_those_left(self, seats: tuple[int, ...]) -> "Plan":
        """The same table with these seats of its one seating only, in a match that goes on."""
        if seats not in self._smaller:
            left = tuple(self.seatings[0][seat] for seat in seats)
            self._smaller[seats] = replace(self, seatings=(left,), of=self.players)
        return self._smaller[seats]

    @cached_property
    def _smaller(self) -> "dict[tuple[int, ...], Plan]":
        return {}  # kept, because finding the functions takes longer than playing a few hands

    @property
    def pages(self) -> Pages:
        """The pages of its strategies, for another machine."""
        return Pages.of(self.game, self._specs)

    def __getstate__(self) -> dict[str, Any]:
        """Its fields alone: another machine finds the functions itself, from `pages`."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def prepare(self) -> None:
        """Finds and compiles all that playing needs, so that it happens once and on one thread."""
        with catalog.reading, heeding_ctrl_c():
            assert self.functions and self.seats.size and self.weights.size

    def new_state(self) -> np.ndarray:
        """One empty state with this plan's players, rules and stock order."""
        game = catalog.game(self.game)
        codes = game.codes(game.rules(self.rules))
        per_seat = self.stock_order == "per_seat"
        return self.engine("play").new_state(game, self.players, codes, per_seat)

    def engine(self, part: str) -> ModuleType:
        """A module of the engine that plays this game."""
        return catalog.game(self.game).part(part)


@dataclass(frozen=True)
class Hands:
    """Results by (deal, seating), and by seat where a last axis says so.

    winner: int8, a seat or -1; ending: int8, index into ENDINGS; turns: int32; points: int64, the
    score changes (deal, seating, seat); dealer: int8 (deal).
    """

    winner: np.ndarray
    ending: np.ndarray
    turns: np.ndarray
    points: np.ndarray
    dealer: np.ndarray

    @classmethod
    def empty(cls, deals: int, seatings: int, players: int) -> "Hands":
        shape = (deals, seatings)
        return cls(
            np.full(shape, -1, dtype=np.int8),
            np.zeros(shape, dtype=np.int8),
            np.zeros(shape, dtype=np.int32),
            np.zeros((*shape, players), dtype=np.int64),
            np.zeros(deals, dtype=np.int8),
        )

    @property
    def columns(self) -> tuple[np.ndarray, ...]:
        return self.winner, self.ending, self.turns, self.points, self.dealer

    def __len__(self) -> int:
        return len(self.winner)

    def __getitem__(self, deals: slice) -> "Hands":
        return Hands(*(column[deals] for column in self.columns))


def joined(parts: Sequence[Hands]) -> Hands:
    """One Hands of several, in their order."""
    return Hands(
        *(np.concatenate(columns) for columns in zip(*(p.columns for p in parts), strict=True))
    )


@dataclass(frozen=True)
class Deals:
    """Hands to play by deal: its number, the dealer (-1: drawn), totals by side, and the stake.

    number: int64 (deal); dealer: int8 (deal); scores: int64 (deal, side); stake: int64 (deal),
    the pool before a hand of `double_rum`, the worth of a hand of Conquian.
    """

    number: np.ndarray
    dealer: np.ndarray
    scores: np.ndarray
    stake: np.ndarray

    @classmethod
    def by_themselves(cls, first: int, count: int, sides: int) -> "Deals":
        """Deals first … first + count - 1, each a match of one hand."""
        return cls(
            np.arange(first, first + count, dtype=np.int64),
            np.full(count, -1, dtype=np.int8),
            np.zeros((count, sides), dtype=np.int64),
            np.zeros(count, dtype=np.int64),
        )


def play(plan: Plan, first: int, count: int) -> Hands:
    """Plays deals first … first + count - 1 in every seating, on this thread, without the GIL.

    Raises StrategyError for the first hand that a strategy breaks, `partial` then holds the whole
    deals before it; with plan.keep_going that hand counts as `broken`.
    """
    return play_these(plan, Deals.by_themselves(first, count, plan.sides), plan.new_state())


def play_these(plan: Plan, deals: Deals, states: np.ndarray) -> Hands:
    """Plays these deals in every seating on one state; else as `play`."""
    plan.prepare()
    seatings, count = len(plan.seatings), len(deals.number)
    hands = Hands.empty(count, seatings, plan.players)
    start = 0
    while start < count * seatings:
        error = None
        try:
            # As plain Python 64-bit numbers warn when they wrap, on each thread anew.
            with np.errstate(over="ignore"):
                plan.engine("play").play_deals(
                    *plan.functions,
                    plan.seats,
                    plan.weights,
                    states,
                    plan.seed,
                    deals.number,
                    deals.dealer,
                    deals.scores,
                    deals.stake,
                    start,
                    *hands.columns,
                )
        except Exception as raised:  # a strategy may raise anything
            error = raised
        start = int(states["deck"]["played"][0])
        if start < count * seatings:
            deal, seating = divmod(start, seatings)
            if not plan.keep_going:
                number = int(deals.number[deal])
                problem = broken_hand(plan, plan.seatings[seating], number, states, error)
                problem.partial = hands[:deal]
                raise problem from error
            hands.ending[deal, seating] = BROKEN
            start += 1
    return hands


def broken_hand(
    plan: Plan, seating: tuple[str, ...], deal: int, states: np.ndarray, error: Exception | None
) -> StrategyError:
    """The one line that says what a strategy did wrong, where, and how to see it again."""
    seat = int(states["table"]["turn"][0])
    if error is None:
        what = plan.engine("text").what_broke(states)
    else:
        what = raised(error)
    rules = "".join(f" --rule {name}={value}" for name, value in plan.rules.items())
    order = "" if plan.stock_order == "shared" else f" --stock-order {plan.stock_order}"
    return StrategyError(
        f"strategy {seating[seat]} in seat {seat}, deal {deal} of seed {plan.seed}, {what}; "
        f"to see it: cooncan replay {plan.game} --players '{','.join(seating)}' "
        f"--seed {plan.seed} --deal {deal}{rules}{order}"
    )


def play_many(
    plan: Plan,
    deals: int,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
    first: int = 0,
    backend: str | None = None,
) -> Iterator[tuple[int, Hands]]:
    """Plays so many deals in chunks on `jobs` threads (default: every core); in deal order.

    Yields (number of the first deal, its Hands). A hand broken by a strategy raises StrategyError
    after all whole deals before it have been yielded. progress is called with deals done.
    """
    end = first + deals
    pace: list[float] = []  # deals a second of the piece that came last
    threads = workers.count(jobs, backend)
    shares = 1 if threads == 1 else 2 * threads
    plan.prepare()

    def pieces() -> Iterator[tuple[int, int]]:
        start, count = first, CHUNK // len(plan.seatings)
        while start < end:
            # Smaller towards the end, so that no thread is left alone with a long piece.
            longest = max(8 * CHUNK // len(plan.seatings), (end - start) // shares)
            count = min(int(pace[0] * workers.PIECE_SECONDS[backend]), longest) if pace else count
            count = min(max(count, 1), end - start)
            yield start, count
            start += count

    pages = plan.pages if backend else None
    # Closed when a hand is broken: nobody plays on for as long as the error is kept.
    with closing(workers.in_order(partial(_piece, plan), pieces(), jobs, backend, pages)) as played:
        for start, hands, error, seconds in played:
            if len(hands):
                yield start, hands
            if error is not None:
                raise error
            pace[:] = [len(hands) / seconds]
            if progress is not None:
                progress(len(hands))


def _piece(
    plan: Plan, start_and_count: tuple[int, int]
) -> tuple[int, Hands, StrategyError | None, float]:
    """The number of the first deal, the hands, what broke the next one, and seconds taken."""
    start, count = start_and_count
    plan.prepare()
    began = time.perf_counter()
    try:
        hands, error = play(plan, start, count), None
    except StrategyError as broken:
        hands, error = broken.partial, broken
    return start, hands, error, time.perf_counter() - began


@dataclass(frozen=True)
class Simulation:
    """Played hands of one seating. Prints as its summary; `.frame()` has every hand."""

    game: str
    players: tuple[str, ...]
    deals: int
    seed: int
    rules: dict[str, str | int]
    totals: "Totals"
    hands: Hands | None

    def frame(self) -> "pd.DataFrame":
        """One row a seat a hand: deal, seating, seat, strategy, won, points, turns, ending.

        Raises CooncanError if the hands were not kept.
        """
        from cooncan_sim.results import frame

        if self.hands is None:
            raise CooncanError("the hands were not kept: simulate with keep=True")
        return frame(self, self.hands)

    def summary(self) -> "pd.DataFrame":
        """One row a seat: strategy, hands, win rate with its 95 % interval, points, endings."""
        from cooncan_sim.results import summary

        return summary(self)

    def __str__(self) -> str:
        from cooncan_sim.results import text

        return text(self)

    def _repr_html_(self) -> str:
        return self.summary().to_html()


@dataclass
class Totals:
    """Exact integer sums over hands, so that they do not depend on the order of adding."""

    players: int
    sides: int
    hands: int = 0
    turns: int = 0
    endings: np.ndarray = field(default_factory=lambda: np.zeros(len(ENDINGS), dtype=np.int64))
    wins: np.ndarray = field(init=False)
    points: np.ndarray = field(init=False)
    squares: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.wins, self.points, self.squares = (
            np.zeros(self.players, dtype=np.int64) for _ in range(3)
        )

    def add(self, hands: Hands) -> None:
        """Adds hands of one seating."""
        winner = hands.winner[:, 0]
        points = hands.points[:, 0]
        self.hands += len(hands)
        self.turns += int(hands.turns[:, 0].sum(dtype=np.int64))
        self.endings += np.bincount(hands.ending[:, 0], minlength=len(ENDINGS))
        won = np.bincount(winner[winner >= 0] % self.sides, minlength=self.sides)
        self.wins += won[np.arange(self.players) % self.sides]
        self.points += points.sum(axis=0)
        self.squares += (points**2).sum(axis=0)


def simulate(
    game: str,
    players: Sequence[str],
    deals: int,
    seed: int = 0,
    *,
    rules: Mapping[str, object] | None = None,
    match: bool = False,
    jobs: int | None = None,
    backend: str | None = None,
    keep: bool = True,
    keep_going: bool = False,
    progress: Callable[[int], None] | None = None,
) -> "Simulation | MatchSimulation":
    """Plays `deals` hands, or with `match` so many whole matches, one strategy a seat.

    players: names or paths. rules: switches that differ from the default. jobs: threads, default
    every core. backend: `dask` plays on the workers of the Dask client that is current (extra
    `cluster`). keep: keep every hand for `.frame()`, 16 bytes a hand and 8 a seat; without it
    memory does not grow. keep_going: count hands that a strategy breaks as `broken` and go on.
    Same seed, same result, whatever `jobs` and `backend`. Raises CooncanError for anything that
    does not exist or cannot be reached, StrategyError for a strategy that raises or answers
    illegally (`.partial`: what came before).
    """
    check_count(deals, "deals")
    check_flags(match=match, keep=keep, keep_going=keep_going)
    check_hearer(progress, "progress")
    specs = read_players(players)
    plan = Plan(game, (specs,), seed, read_rules(rules), keep_going=keep_going)
    if match:
        return _simulate_matches(plan, int(deals), jobs, backend, progress, keep)
    totals = Totals(plan.players, plan.sides)
    kept: list[Hands] = []

    def result() -> Simulation:
        names = tuple(catalog.strategy(spec, game).name for spec in specs)
        full = plan.full_rules
        hands = joined(kept or [Hands.empty(0, 1, plan.players)]) if keep else None
        return Simulation(game, names, totals.hands, seed, full, totals, hands)

    try:
        for _, hands in play_many(plan, int(deals), jobs, progress, backend=backend):
            totals.add(hands)
            if keep:
                kept.append(hands)
    except StrategyError as error:
        error.partial = result()
        raise
    return result()


def _simulate_matches(
    plan: Plan,
    count: int,
    jobs: int | None,
    backend: str | None,
    progress: Callable[[int], None] | None,
    keep: bool,
) -> "MatchSimulation":
    from cooncan_sim.match import MatchSimulation, play_many_matches

    names = tuple(catalog.strategy(spec, plan.game).name for spec in plan.seatings[0])
    rules = catalog.game(plan.game).rules(plan.rules)
    parts: list = []
    try:
        for part in play_many_matches(plan, count, jobs, backend, progress, keep):
            parts.append(part)
    except StrategyError as error:
        error.partial = MatchSimulation(plan.game, names, plan.seed, rules, tuple(parts))
        raise
    return MatchSimulation(plan.game, names, plan.seed, rules, tuple(parts))
