"""Ratings of several strategies, and what a single list of ratings would hide.

The matrix of results comes first. Win models are fitted by maximum likelihood; every one of
them is a choice among alternatives whose log odds are sums of parameters, so one solver serves
all. Standard errors come from the bootstrap over deals: refit with the deals' weights.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.sparse.csgraph import connected_components

from cooncan_sim.intervals import Interval, bootstrap

Floats = NDArray[np.float64]

CYCLIC = 0.1  # share of the matrix that a single list cannot show


@dataclass(frozen=True)
class WinRating:
    """Log strengths (K,), summing to 0.

    `tie` is Davidson's ν and `seat` the log advantage of each seat (summing to 0), where the
    model has them. `padded` says that half a win each way was added for every pair that met,
    because the wins alone did not connect the strategies: reports must say so.
    """

    strength: Floats
    padded: bool
    tie: float | None = None
    seat: Floats | None = None


@dataclass(frozen=True)
class PointRating:
    """Mean net points, and what a strategy (K,) and a seat (N,) add to it, each summing to 0."""

    mean: float
    strength: Floats
    seat: Floats


def davidson(wins: ArrayLike, ties: ArrayLike) -> WinRating:
    """Bradley–Terry–Davidson strengths of two-seat games (Davidson 1970).

    `wins[i, j]` counts wins of i over j and `ties`, symmetric, the tied games; both (K, K),
    fractions allowed. Raises ValueError when some strategies never met the others.
    """
    w, t = np.asarray(wins, dtype=np.float64), np.asarray(ties, dtype=np.float64)
    if not np.array_equal(t, t.T):
        raise ValueError("ties must be symmetric: tied games of i and j in both places")
    k = len(w)
    padding = _padding(w, w + w.T + t > 0)
    w = w + padding
    first, second = np.nonzero(np.triu(w + w.T + t, 1))
    one, two = np.eye(k)[first], np.eye(k)[second]
    rows = np.stack([one, two, (one + two) / 2], axis=1)
    tie = np.zeros((len(first), 3, 1))
    tie[:, 2] = 1
    counts = np.stack([w[first, second], w[second, first], t[first, second]], axis=1)
    if not t.any():
        rows, counts = rows[:, :2], counts[:, :2]
        return WinRating(_fit([(rows, counts)], [k]), bool(padding.any()), tie=0.0)
    fitted = _fit([(np.concatenate([rows, tie], axis=2), counts)], [k])
    return WinRating(fitted[:k], bool(padding.any()), tie=float(np.exp(fitted[k])))


def winner_only(
    tables: ArrayLike, wins: ArrayLike, strategies: int, *, seats: bool = True
) -> WinRating:
    """Strengths when only a game's winner is known: P(i) = e^(λ_i + γ_seat) / Σ over the table.

    `tables` (T, N) holds the strategy in each seat and `wins` (T, N) how often that seat won
    (a blocked hand adds 1/N to each). `seats=False` leaves γ out. Raises ValueError when a seat
    never won, or strategies never changed seats.
    """
    table, won = np.asarray(tables), np.asarray(wins, dtype=np.float64)
    here = np.eye(strategies)[table]
    beaten = np.einsum("tn,tni,tj->ij", won, here, here.sum(axis=1))
    met = np.einsum("t,ti,tj->ij", won.sum(axis=1), here.sum(axis=1), here.sum(axis=1))
    padding = _padding(beaten, met > 0)
    blocks = [strategies]
    rows = here
    if seats:
        n = table.shape[1]
        rows = np.concatenate([here, np.broadcast_to(np.eye(n), (len(table), n, n))], axis=2)
        blocks.append(n)
    fitted = _fit([(rows, won), *_padded_pairs(padding, rows.shape[2])], blocks)
    seat = fitted[strategies:] if seats else None
    return WinRating(fitted[:strategies], bool(padding.any()), seat=seat)


def plackett_luce(orders: ArrayLike, counts: ArrayLike, strategies: int) -> WinRating:
    """Strengths from full finishing orders: each place is won among those not yet placed.

    `orders` (R, N) holds strategies, best first, and `counts` (R,) how often the order was
    seen; no strategy stands twice in a row.
    """
    order, seen = np.asarray(orders), np.asarray(counts, dtype=np.float64)
    here = np.eye(strategies)[order]
    beaten = np.zeros((strategies, strategies))
    stages = []
    for place in range(order.shape[1] - 1):
        rest = here[:, place:]
        won = np.zeros(rest.shape[:2])
        won[:, 0] = seen
        stages.append((rest, won))
        beaten += np.einsum("r,ri,rj->ij", seen, rest[:, 0], rest[:, 1:].sum(axis=1))
    padding = _padding(beaten, beaten + beaten.T > 0)
    fitted = _fit([*stages, *_padded_pairs(padding, strategies)], [strategies])
    return WinRating(fitted, bool(padding.any()))


def points_ols(
    strategy: ArrayLike, seat: ArrayLike, net: ArrayLike, weights: ArrayLike | None = None
) -> PointRating:
    """Least squares of net points on strategy and seat; all arguments (rows,).

    A row is one seat of one game, `strategy` and `seat` count from 0, `weights` are those of
    the row's deal. Raises ValueError when strategies and seats cannot be told apart.
    """
    who, where = np.asarray(strategy), np.asarray(seat)
    y = np.asarray(net, dtype=np.float64)
    w = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=np.float64)
    k, n = int(who.max()) + 1, int(where.max()) + 1
    cell = who * n + where
    weight = np.bincount(cell, w, minlength=k * n)
    total = np.bincount(cell, w * y, minlength=k * n)
    cells = np.arange(k * n)
    rows = np.concatenate(
        [np.ones((k * n, 1)), np.eye(k)[cells // n], np.eye(n)[cells % n]], axis=1
    )
    curvature = rows.T @ (weight[:, None] * rows)
    fitted = _solve(curvature, rows.T @ total, [(1, k), (1 + k, n)])
    return PointRating(float(fitted[0]), fitted[1 : 1 + k], fitted[1 + k :])


def strongly_connected(wins: ArrayLike) -> bool:
    """Whether every strategy is joined to every other by a chain of wins, `wins` (K, K)."""
    graph = np.asarray(wins) > 0
    return bool(connected_components(graph, connection="strong", return_labels=False) == 1)


def _padding(wins: Floats, met: NDArray[np.bool_]) -> Floats:
    """Half a win each way for every pair that met, or nothing when the wins connect all."""
    if strongly_connected(wins):
        return np.zeros_like(wins)
    if connected_components(met, connection="weak", return_labels=False) > 1:
        raise ValueError("no games join some strategies to the others: they cannot be rated")
    padding = np.where(met, 0.5, 0.0)
    np.fill_diagonal(padding, 0)
    return padding


def _padded_pairs(padding: Floats, width: int) -> list[tuple[Floats, Floats]]:
    first, second = np.nonzero(np.triu(padding))
    if not len(first):
        return []
    rows = np.eye(width)[np.stack([first, second], axis=1)]
    return [(rows, np.full((len(first), 2), 0.5))]


def _fit(choices: list[tuple[Floats, Floats]], blocks: list[int]) -> Floats:
    """Maximum likelihood of choices with log odds rows·θ, by damped Newton steps.

    `choices` are pairs of rows (choices, alternatives, parameters) and counts (choices,
    alternatives). The first parameters come in `blocks` that each sum to 0.
    """
    theta = np.zeros(choices[0][0].shape[2])
    zero_sums = [(sum(blocks[:b]), size) for b, size in enumerate(blocks)]
    likelihood, slope, curvature = _likelihood(choices, theta)
    games = sum(float(counts.sum()) for _, counts in choices)
    for _ in range(100):
        step = _solve(curvature, slope, zero_sums)
        if np.max(np.abs(slope)) <= 1e-11 * games:
            return theta
        # A full step can overshoot; the likelihood is concave, so a short enough one climbs.
        for size in 0.5 ** np.arange(50):
            trial = _likelihood(choices, theta + size * step)
            if trial[0] >= likelihood - 1e-12 * abs(likelihood):
                break
        theta = theta + size * step
        likelihood, slope, curvature = trial
    raise ArithmeticError("the ratings did not settle")


def _likelihood(
    choices: list[tuple[Floats, Floats]], theta: Floats
) -> tuple[float, Floats, Floats]:
    """Log likelihood, its gradient and its negated Hessian."""
    value, slope = 0.0, np.zeros(len(theta))
    curvature = np.zeros((len(theta), len(theta)))
    for rows, counts in choices:
        log_p = rows @ theta
        log_p = log_p - np.logaddexp.reduce(log_p, axis=1, keepdims=True)
        p, games = np.exp(log_p), counts.sum(axis=1)
        value += float(np.sum(counts * log_p))
        mean = (p[:, None] @ rows)[:, 0]
        slope += np.tensordot(counts, rows, 2) - games @ mean
        expected = (games[:, None] * p)[..., None] * rows
        curvature += np.tensordot(expected, rows, axes=((0, 1), (0, 1)))
        curvature -= (games[:, None] * mean).T @ mean
    return value, slope, curvature


def _solve(curvature: Floats, slope: Floats, zero_sums: list[tuple[int, int]]) -> Floats:
    """Solves curvature·x = slope where each (start, size) block of x sums to 0."""
    scale = np.trace(curvature) / len(curvature)
    fixed = curvature.copy()
    for start, size in zero_sums:
        fixed[start : start + size, start : start + size] += scale / size
    eigenvalues = np.linalg.eigvalsh(fixed)
    if eigenvalues[0] < 1e-10 * eigenvalues[-1]:
        raise ValueError("strategies and seats cannot be told apart, or one is without bound")
    return np.asarray(np.linalg.solve(fixed, slope))


@dataclass(frozen=True)
class Hodge:
    """The part of an antisymmetric matrix that one list of strengths explains, and the rest.

    `strength` (K,) are the row means, `cyclic_share` the share of Σ M² left over.
    """

    strength: Floats
    cyclic_share: float


@dataclass(frozen=True)
class Cyclicity:
    """Cyclic share with its bootstrap interval and the p-value of there being no cycle.

    `clear` tells a report to show the cycle rather than one list.
    """

    share: Interval
    p: float

    @property
    def clear(self) -> bool:
        """Over a tenth of the matrix, and not noise."""
        return bool(self.share.estimate > CYCLIC and self.p < 0.05)


def hodge(matrix: ArrayLike) -> Hodge:
    """HodgeRank of mean results M (K, K) with every pair played (Jiang et al. 2011).

    Raises ValueError unless M_ij = −M_ji.
    """
    m = np.asarray(matrix, dtype=np.float64)
    if not np.allclose(m, -m.T, rtol=0, atol=1e-12 * np.max(np.abs(m), initial=0)):
        raise ValueError("the matrix must be antisymmetric")
    strength = m.mean(axis=1)
    rest = m - strength[:, None] + strength
    size = np.sum(m**2)
    return Hodge(strength, float(np.sum(rest**2) / size) if size else 0.0)


def cyclicity(results: ArrayLike, seed: int) -> Cyclicity:
    """Cyclic share of a tournament on common deals.

    `results` (deals, K(K−1)/2) has the result of i against j for i < j, in the order of
    `np.triu_indices(K, 1)`, K ≥ 3. Noise alone makes the share large, so it is tested apart: the
    tours 0 → i → j → 0 have mean 0 without cycles (Hotelling's T² over deals).
    """
    scores = np.asarray(results, dtype=np.float64)
    strategies = round((1 + np.sqrt(1 + 8 * scores.shape[1])) / 2)
    if strategies < 3:
        raise ValueError("a cycle needs at least three strategies")
    upper = np.triu_indices(strategies, 1)

    def matrix(pairs: Floats) -> Floats:
        m = np.zeros((strategies, strategies))
        m[upper] = pairs
        return m - m.T

    share = bootstrap(
        lambda w: hodge(matrix(w @ scores / w.sum())).cyclic_share, np.ones(len(scores)), seed
    )
    column = np.zeros((strategies, strategies), dtype=int)
    column[upper] = np.arange(scores.shape[1])
    i, j = np.array(upper)[:, upper[0] > 0]
    tours = scores[:, column[0, i]] + scores[:, column[i, j]] - scores[:, column[0, j]]
    return Cyclicity(share, _p_of_zero_mean(tours))


def _p_of_zero_mean(x: Floats) -> float:
    """Hotelling's T² for many rows (rows, columns), chi-squared limit.

    A direction in which no row differs from another proves its mean at once.
    """
    spread, axes = np.linalg.eigh(np.atleast_2d(np.cov(x, rowvar=False)) / len(x))
    centre = x.mean(axis=0) @ axes
    size = np.max(np.abs(x), initial=0)
    varies = spread > (1e-12 * size) ** 2
    if np.any(np.abs(centre[~varies]) > 1e-9 * size):
        return 0.0
    t2 = np.sum(centre[varies] ** 2 / spread[varies])
    return float(stats.chi2.sf(t2, varies.sum())) if varies.any() else 1.0


def alpha_rank(matrix: ArrayLike, alpha: float, population: int = 50) -> Floats:
    """α-rank of a two-seat game: stationary shares (K,) of a population at selection strength α.

    `matrix` (K, K) is antisymmetric, M_rs the result of r against s (Omidshafiei et al. 2019).
    Logarithms and a subtraction-free elimination keep it exact where a large α makes the
    chances of change smaller than any float. Sweep α: the answer depends on it strongly.
    """
    m = np.asarray(matrix, dtype=np.float64)
    k = len(m)
    gain = alpha * population / (population - 1) * m.T  # [s, r]: mutant r among residents s
    flow = _log_fixation(gain, population) - np.log(k - 1)
    for last in range(k - 1, 0, -1):
        flow[:last, last] -= np.logaddexp.reduce(flow[last, :last])
        detour = flow[:last, last, None] + flow[None, last, :last]
        flow[:last, :last] = np.logaddexp(flow[:last, :last], detour)
    log_share = np.zeros(k)
    for state in range(1, k):
        log_share[state] = np.logaddexp.reduce(log_share[:state] + flow[:state, state])
    return np.exp(log_share - np.logaddexp.reduce(log_share))


def _log_fixation(u: Floats, population: int) -> Floats:
    """ln of (1−e^(−u)) / (1−e^(−mu)), 1/m at u = 0."""
    size = np.where(u == 0, 1, np.abs(u))
    rising = np.log(-np.expm1(-size)) - np.log(-np.expm1(-population * size))
    falling = rising - (population - 1) * size
    return np.where(u == 0, -np.log(population), np.where(u > 0, rising, falling))


def uninvadable(matrix: ArrayLike) -> list[int]:
    """Strategies whose field no single other strategy does better in.

    `matrix[i, j]` (K, K) is the gain of one i in a field of j over a j in its place.
    """
    m = np.array(matrix, dtype=np.float64)
    np.fill_diagonal(m, 0)
    return [int(j) for j in np.flatnonzero(~np.any(m > 0, axis=0))]
