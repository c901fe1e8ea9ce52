"""Ratings of a round robin, with what chance makes of them, and what one list would hide.

The games are kept as sums over at most 10,000 groups of deals: deal d goes to group d mod that
many, so groups are as independent as deals are, and the bootstrap draws groups in their place.
Memory and time so depend on the number of strategies only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from cooncan_sim.designs import Metric
from cooncan_sim.intervals import Interval, bootstrap
from cooncan_sim.outcomes import Outcomes, share_unit
from cooncan_sim.ratings import (
    Cyclicity,
    alpha_rank,
    cyclicity,
    davidson,
    points_ols,
    winner_only,
)

GROUPS = 10_000
RESAMPLES = 500
SELECTION = (0.1, 1.0, 10.0, 100.0)  # values of α, which the answer depends on strongly

Floats = NDArray[np.float64]


class Record:
    """All games of one strategy among players of another, summed by group of deals.

    wins, points: int64 (group, game, side), in game g the first strategy is side g; wins in
    1/`share_unit(sides)`, points in the unit of the metric. blank: int64 (group), games that
    nobody won.
    """

    def __init__(self, deals: int, sides: int, points: Metric | None) -> None:
        groups = min(deals, GROUPS)
        self.deals, self.sides, self.metric = deals, sides, points
        self.wins = np.zeros((groups, sides, sides), dtype=np.int64)
        self.points = np.zeros((groups, sides, sides), dtype=np.int64)
        self.blank = np.zeros(groups, dtype=np.int64)
        self.first = 0

    def add(self, played: Outcomes) -> None:
        """Adds the next deals, of which there are no more than groups."""
        group = (self.first + np.arange(len(played))) % len(self.blank)
        self.wins[group] += played.share[:, : self.sides]
        self.blank[group] += played.blank[:, : self.sides].sum(axis=1)
        if self.metric is not None:
            game, side = np.indices((self.sides, self.sides)).reshape(2, -1)
            numerators = self.metric.numerators(played, game, side)
            self.points[group] += numerators.reshape(-1, self.sides, self.sides)
        self.first += len(played)


@dataclass(frozen=True)
class Placings:
    """What the ratings say; every Interval holds arrays over the strategies.

    strength: log strengths that sum to 0; `padded` says that half a win each way was added for
    every pair, since some strategy never won or never lost. points: what a strategy adds to the
    mean points of a hand, None where a game has none. cyclic: None for fewer than three
    strategies or more than two sides. ranks: α → α-rank's shares, of two sides only.
    """

    strength: Interval
    padded: bool
    points: Interval | None
    cyclic: Cyclicity | None
    ranks: dict[float, Interval]


def place(
    records: dict[tuple[int, int], Record], strategies: int, unit: int, seed: int
) -> Placings:
    """Ratings from the records of all pairs, `unit` being that of the points.

    Of two sides a record stands for both orders of its pair. Raises ValueError or
    ArithmeticError where the games do not determine them.
    """
    some = next(iter(records.values()))
    games = _Games(list(records), strategies, some.sides, some.metric is not None, unit)
    parts = [
        part.reshape(len(record.blank), -1)
        for record in records.values()
        for part in (record.wins, record.blank, record.points)
    ]
    sums = np.concatenate(parts, axis=1).astype(np.float64)
    found = bootstrap(
        lambda weights: games.fitted(weights @ sums, float(weights.sum()) * some.deals / len(sums)),
        np.ones(len(sums)),
        seed,
        resamples=RESAMPLES,
    )
    pieces = range(0, len(np.asarray(found.estimate)), strategies)
    strength, points, *ranks = (_piece(found, slice(at, at + strategies)) for at in pieces)
    cyclic = None
    if some.sides == 2 and strategies > 2:
        cyclic = cyclicity(games.gains(sums, some.deals / len(sums)), seed)
    return Placings(
        strength,
        games.padded(sums.sum(axis=0)),
        points if some.metric is not None else None,
        cyclic,
        dict(zip(SELECTION, ranks, strict=False)),
    )


def _piece(found: Interval, which: slice) -> Interval:
    estimate, se, low, high = map(np.asarray, (found.estimate, found.se, found.low, found.high))
    return Interval(estimate[which], se[which], low[which], high[which])


@dataclass(frozen=True)
class _Games:
    """Which pair, game and side each column of the sums belongs to, and the fits to them."""

    pairs: list[tuple[int, int]]
    strategies: int
    sides: int
    pointed: bool
    unit: int

    def _split(self, sums: Floats) -> tuple[Floats, Floats, Floats]:
        """(…, pair, game, side) wins, (…, pair) blanks, (…, pair, game, side) points."""
        square = self.sides**2
        wide = sums.reshape(*sums.shape[:-1], len(self.pairs), 2 * square + 1)
        shape = (*wide.shape[:-1], self.sides, self.sides)
        wins = wide[..., :square].reshape(shape) / share_unit(self.sides)
        return wins, wide[..., square], wide[..., square + 1 :].reshape(shape)

    @property
    def _seated(self) -> NDArray[np.int64]:
        """(pair, game, side): the strategy there."""
        row, column = np.array(self.pairs).T
        return np.where(np.eye(self.sides, dtype=bool), row[:, None, None], column[:, None, None])

    def gains(self, sums: Floats, deals: float) -> Floats:
        """(…, pair): what the first strategy of a pair wins a deal, less the fair share."""
        wins, _, _ = self._split(sums)
        own = np.trace(wins, axis1=-2, axis2=-1)
        return own / (self.sides * deals) - 1 / self.sides

    def _counts(self, sums: Floats) -> tuple[Floats, Floats]:
        """Won and tied games (strategy, strategy), of two sides."""
        wins, blank, _ = self._split(sums)
        won, tied = np.zeros((2, self.strategies, self.strategies))
        row, column = np.array(self.pairs).T
        own = np.trace(wins, axis1=-2, axis2=-1)
        won[row, column] = own - blank / 2
        won[column, row] = wins.sum(axis=(-2, -1)) - own - blank / 2
        tied[row, column] = tied[column, row] = blank
        return won, tied

    def _strengths(self, sums: Floats) -> tuple[Floats, bool]:
        if self.sides == 2:
            rating = davidson(*self._counts(sums))
        else:
            wins, _, _ = self._split(sums)
            tables = self._seated.reshape(-1, self.sides)
            rating = winner_only(tables, wins.reshape(-1, self.sides), self.strategies)
        return rating.strength, rating.padded

    def padded(self, sums: Floats) -> bool:
        """Whether the wins alone do not connect the strategies."""
        return self._strengths(sums)[1]

    def fitted(self, sums: Floats, deals: float) -> Floats:
        """Strengths, points and α-rank's shares for each α, one after the other."""
        parts = [self._strengths(sums)[0], np.zeros(self.strategies)]
        if self.pointed:
            points = self._split(sums)[2].ravel() / (self.unit * deals)
            seat = np.broadcast_to(np.arange(self.sides), self._seated.shape)
            parts[1] = points_ols(self._seated.ravel(), seat.ravel(), points).strength
        if self.sides == 2:
            matrix = np.zeros((self.strategies, self.strategies))
            matrix[tuple(np.array(self.pairs).T)] = self.gains(sums, deals)
            parts += [alpha_rank(matrix - matrix.T, alpha) for alpha in SELECTION]
        return np.concatenate(parts)


def strongest_cycle(matrix: Floats) -> tuple[int, ...]:
    """Three strategies each of which gains on the next, the least of the gains as large as can be.

    Empty if there are none; the first of the three has the lowest number.
    """
    best = 0.0
    found: tuple[int, ...] = ()
    for trio in permutations(range(len(matrix)), 3):
        least = min(matrix[trio[k], trio[(k + 1) % 3]] for k in range(3))
        if least > best and trio[0] == min(trio):
            best, found = least, trio
    return found


def cycle_of(matrix: Floats, cyclic: Cyclicity | None) -> Sequence[int]:
    """The cycle that a report must show in place of one list, if there is one."""
    return strongest_cycle(matrix) if cyclic is not None and cyclic.clear else ()
