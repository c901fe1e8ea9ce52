"""Ratings of a round robin, with what chance makes of them, and what one list would hide.

The games are kept as sums over at most 1,000 groups of deals: deal d goes to group d mod that
many, so groups are as independent as deals are, and the bootstrap draws groups in their place.
(A standard error from 1,000 groups is itself good to 2 %, about what 2,000 resamples bear out.)
Memory and time so depend on the number of strategies only.

Who finished where: the winner first, then who stayed in the match longer (in a hand all do), then
who has the better points; players alike in all that share their places, each of their orders
counting alike, and so does everybody in a hand without a winner, as in the share of the win.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from cooncan_sim.designs import Metric
from cooncan_sim.intervals import MAX_RESAMPLED, Interval, bootstrap_sums
from cooncan_sim.outcomes import Outcomes, share_unit
from cooncan_sim.ratings import (
    Cyclicity,
    WinRating,
    alpha_rank,
    cyclicity,
    davidson,
    plackett_luce,
    points_ols,
    winner_only,
)

GROUPS = 1000
RESAMPLES = 2000
SELECTION = (0.1, 1.0, 10.0, 100.0)  # values of α, which the answer depends on strongly
DAVIDSON, FULL_ORDER, WINNER_ONLY = "Davidson", "Plackett–Luce", "winner only"

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


class Record:
    """All games of one strategy among players of another, summed by group of deals.

    In game g the first strategy is side g. wins, points: int64 (group, game, side); places: int64
    (group, place), how often the first strategy finished there. Wins and places in
    1/`share_unit(sides)`, points in the unit of the metric. blank: int64 (group), games that
    nobody won. ordered: whether two losers of a game ever finished apart. `better`: +1 where
    points are won, −1 where they are charged.
    """

    def __init__(self, deals: int, sides: int, points: Metric | None, better: int) -> None:
        groups = min(deals, GROUPS)
        self.deals, self.sides, self.metric, self.better = deals, sides, points, better
        self.wins = np.zeros((groups, sides, sides), dtype=np.int64)
        self.points = np.zeros((groups, sides, sides), dtype=np.int64)
        self.places = np.zeros((groups, sides), dtype=np.int64)
        self.blank = np.zeros(groups, dtype=np.int64)
        self.ordered = False
        self.first = 0

    def add(self, played: Outcomes) -> None:
        """Adds the next deals."""
        shares, blank = played.share[:, : self.sides], played.blank[:, : self.sides]
        added = [(self.wins, shares), (self.blank, blank.sum(axis=1))]
        if self.metric is not None:
            game, side = np.indices((self.sides, self.sides)).reshape(2, -1)
            points = self.metric.numerators(played, game, side).reshape(shares.shape)
            added.append((self.points, points))
        if self.sides > 2:
            lasted, points = played.lasted[:, : self.sides], played.points[:, : self.sides]
            order = np.where(blank[:, :, None] == 1, 0, (lasted << 32) + self.better * points)
            added.append((self.places, finishes(shares, order).sum(axis=1)))
            self.ordered |= bool(_told_apart(shares, order))
        start = 0
        while start < len(played):  # to the last group, and again from the first
            group = (self.first + start) % len(self.blank)
            count = min(len(self.blank) - group, len(played) - start)
            for sums, values in added:
                sums[group : group + count] += values[start : start + count]
            start += count
        self.first += len(played)

    @property
    def columns(self) -> Counts:
        """All of it, int64 (group, column), as `_Games` takes it apart."""
        parts = (self.wins, self.points, self.places, self.blank)
        return np.concatenate([part.reshape(len(self.blank), -1) for part in parts], axis=1)


def finishes(shares: Counts, order: Counts) -> Counts:
    """Where side g finished in game g: int64 (deal, game, place) in 1/`share_unit(sides)`.

    shares, order: (deal, game, side). More of the win comes first, then what is higher in
    `order`; of those alike in both each has an equal part of their places.
    """
    sides = shares.shape[2]
    own = np.arange(sides)
    own_share, own_order = shares[:, own, own, None], order[:, own, own, None]
    level = shares == own_share
    above = ((shares > own_share) | (level & (order > own_order))).sum(axis=2)
    alike = (level & (order == own_order)).sum(axis=2)
    place = np.arange(sides)
    theirs = (place >= above[..., None]) & (place < (above + alike)[..., None])
    return theirs * (share_unit(sides) // alike)[..., None]


def _told_apart(shares: Counts, order: Counts) -> np.bool_:
    """Whether two sides with no share of the win differ in `order` in some game."""
    lost = shares == 0
    most = np.where(lost, order, np.iinfo(np.int64).min).max(axis=2)
    least = np.where(lost, order, np.iinfo(np.int64).max).min(axis=2)
    return np.any(lost.any(axis=2) & (most > least))


@dataclass(frozen=True)
class Placings:
    """What the ratings say; every Interval holds arrays over the strategies.

    strength: log strengths that sum to 0, by `model`: DAVIDSON of two sides; of more FULL_ORDER,
    or WINNER_ONLY where nothing orders the losers. `padded` says that half a win each way
    was added for every pair, since some never won against others. `decided`: whether any game had
    a winner. points: what a strategy
    adds to the mean points of a hand, None where a game has none. cyclic: None for fewer than
    three strategies or more than two sides. ranks: α → α-rank's shares, of two sides only.
    """

    model: str
    strength: Interval
    padded: bool
    decided: bool
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
    model = DAVIDSON
    if some.sides > 2:
        ordered = any(record.ordered for record in records.values())
        model = FULL_ORDER if ordered else WINNER_ONLY
    games = _Games(list(records), strategies, some.sides, some.metric is not None, unit, model)
    sums = np.concatenate([record.columns for record in records.values()], axis=1).astype(float)
    deals_a_group = some.deals / len(sums)
    found = bootstrap_sums(
        lambda totals, groups: games.fitted(totals, groups * deals_a_group),
        sums,
        seed,
        resamples=RESAMPLES,
        poisson=some.deals > MAX_RESAMPLED,
    )
    pieces = range(0, len(np.asarray(found.estimate)), strategies)
    strength, points, *ranks = (_piece(found, slice(at, at + strategies)) for at in pieces)
    cyclic = None
    if some.sides == 2 and strategies > 2:
        cyclic = cyclicity(games.gains(sums, np.full(len(sums), deals_a_group)), seed)
    return Placings(
        model,
        strength,
        bool(games.strengths(sums.sum(axis=0)).padded),
        any(record.blank.sum() < record.deals * record.sides for record in records.values()),
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
    model: str

    def _split(self, sums: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Wins and points (…, pair, game, side), places (…, pair, place), blanks (…, pair)."""
        square = self.sides**2
        wide = sums.reshape(*sums.shape[:-1], len(self.pairs), 2 * square + self.sides + 1)
        shape = (*wide.shape[:-1], self.sides, self.sides)
        wins, points = wide[..., :square], wide[..., square : 2 * square]
        whole = share_unit(self.sides)
        places = wide[..., 2 * square : -1] / whole
        return wins.reshape(shape) / whole, points.reshape(shape), places, wide[..., -1]

    @property
    def _seated(self) -> Counts:
        """(pair, game, side): the strategy there."""
        row, column = np.array(self.pairs).T
        return np.where(np.eye(self.sides, dtype=bool), row[:, None, None], column[:, None, None])

    def gains(self, sums: Floats, deals: Floats) -> Floats:
        """(…, pair): what the first strategy of a pair wins a deal, less the fair share."""
        own = np.trace(self._split(sums)[0], axis1=-2, axis2=-1)
        return own / (self.sides * deals[..., None]) - 1 / self.sides

    def _counts(self, sums: Floats) -> tuple[Floats, Floats]:
        """Won and tied games (…, strategy, strategy), of two sides."""
        wins, _, _, blank = self._split(sums)
        won, tied = np.zeros((2, *sums.shape[:-1], self.strategies, self.strategies))
        row, column = np.array(self.pairs).T
        own = np.trace(wins, axis1=-2, axis2=-1)
        won[..., row, column] = own - blank / 2
        won[..., column, row] = wins.sum(axis=(-2, -1)) - own - blank / 2
        tied[..., row, column] = tied[..., column, row] = blank
        return won, tied

    def strengths(self, sums: Floats) -> WinRating:
        """The model's fit to sums (column,) or (B, column)."""
        if self.model == DAVIDSON:
            return davidson(*self._counts(sums))
        wins, _, places, _ = self._split(sums)
        batch = sums.shape[:-1]
        if self.model == FULL_ORDER:  # the first strategy's place says where all the others stand
            orders = self._seated.reshape(-1, self.sides)
            return plackett_luce(orders, places.reshape(*batch, -1), self.strategies)
        tables = self._seated.reshape(-1, self.sides)
        return winner_only(tables, wins.reshape(*batch, *tables.shape), self.strategies)

    def fitted(self, sums: Floats, deals: Floats) -> Floats:
        """Of a batch (B, column): strengths, points and α-rank's shares for each α, in a row."""
        parts = [self.strengths(sums).strength, np.zeros((len(sums), self.strategies))]
        if self.pointed:
            points = self._split(sums)[1].reshape(len(sums), -1) / (self.unit * deals[:, None])
            seat = np.broadcast_to(np.arange(self.sides), self._seated.shape)
            parts[1] = points_ols(self._seated.ravel(), seat.ravel(), points).strength
        if self.sides == 2:
            matrix = np.zeros((len(sums), self.strategies, self.strategies))
            matrix[:, *np.array(self.pairs).T] = self.gains(sums, deals)
            matrix -= np.swapaxes(matrix, 1, 2)
            parts += [alpha_rank(matrix, alpha) for alpha in SELECTION]
        return np.concatenate(parts, axis=1)


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
