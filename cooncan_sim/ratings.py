"""Ratings of several strategies, and what a single list of ratings would hide.

The matrix of results comes first. Win models are fitted by maximum likelihood; every one of
them is a choice among alternatives whose log odds are sums of parameters, so one solver serves
all. Standard errors come from the bootstrap over deals: refit with the deals' weights.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from cooncan_sim.intervals import Interval, bootstrap_sums

Floats = NDArray[np.float64]

CYCLIC = 0.1  # share of the matrix that a single list cannot show


@dataclass(frozen=True)
class WinRating:
    """Log strengths (K,), summing to 0; of a batch of records (B, K), the rest alike.

    `tie` is Davidson's ν and `seat` the log advantage of each seat (summing to 0), where the
    model has them. `padded` says that half a win each way was added for every pair that met,
    because the wins alone did not connect the strategies: reports must say so.
    """

    strength: Floats
    padded: Any
    tie: Any = None
    seat: Floats | None = None


@dataclass(frozen=True)
class PointRating:
    """Mean net points, and what a strategy (K,) and a seat (N,) add to it, each summing to 0.

    Of a batch (B,), (B, K) and (B, N).
    """

    mean: Any
    strength: Floats
    seat: Floats


def davidson(wins: ArrayLike, ties: ArrayLike) -> WinRating:
    """Bradley–Terry–Davidson strengths of two-seat games (Davidson 1970).

    `wins[i, j]` counts wins of i over j and `ties`, symmetric, the tied games; both (K, K),
    fractions allowed, or (B, K, K) for a batch of records. Raises ValueError when some
    strategies never met the others.
    """
    w, t = np.asarray(wins, dtype=np.float64), np.asarray(ties, dtype=np.float64)
    if not np.array_equal(t, np.swapaxes(t, -1, -2)):
        raise ValueError("ties must be symmetric: tied games of i and j in both places")
    shape, k = w.shape[:-2], w.shape[-1]
    w, t = w.reshape(-1, k, k), t.reshape(-1, k, k)
    padding = _padding(w, w + np.swapaxes(w, 1, 2) + t > 0)
    w = w + padding
    met = w + np.swapaxes(w, 1, 2) + t > 0
    first, second = np.nonzero(np.triu(met.any(axis=0), 1))
    one, two = np.eye(k)[first], np.eye(k)[second]
    rows = np.stack([one, two, (one + two) / 2], axis=1)
    own_tie = np.zeros((len(first), 3, 1))
    own_tie[:, 2] = 1
    with_ties = np.concatenate([rows, own_tie], axis=2)
    counts = np.stack([w[:, first, second], w[:, second, first], t[:, first, second]], axis=2)
    strength, tie = np.zeros((len(w), k)), np.zeros(len(w))
    tied = t.any(axis=(1, 2))
    if not tied.all():  # ν would have no bound
        strength[~tied] = _fit([(rows[:, :2], counts[~tied, :, :2])], [k])
    if tied.any():
        fitted = _fit([(with_ties, counts[tied])], [k])
        strength[tied], tie[tied] = fitted[:, :k], np.exp(fitted[:, k])
    return WinRating(strength.reshape(*shape, k), _any(padding, shape), tie=tie.reshape(shape)[()])


def winner_only(
    tables: ArrayLike, wins: ArrayLike, strategies: int, *, seats: bool = True
) -> WinRating:
    """Strengths when only a game's winner is known: P(i) = e^(λ_i + γ_seat) / Σ over the table.

    `tables` (T, N) holds the strategy in each seat and `wins` (T, N), or (B, T, N) for a batch,
    how often that seat won (a blocked hand adds 1/N to each). `seats=False` leaves γ out. Raises
    ValueError when a seat never won, or strategies never changed seats.
    """
    table, won = np.asarray(tables), np.asarray(wins, dtype=np.float64)
    shape, n = won.shape[:-2], table.shape[1]
    won = won.reshape(-1, *table.shape)
    here = np.eye(strategies)[table]
    losers = np.einsum("tni,tj->tnij", here, here.sum(axis=1))
    beaten = np.tensordot(won, losers, axes=2)
    met = np.tensordot(won.sum(axis=2), losers.sum(axis=1), axes=1)
    padding = _padding(beaten, met > 0)
    blocks = [strategies]
    rows = here
    if seats:
        rows = np.concatenate([here, np.broadcast_to(np.eye(n), (len(table), n, n))], axis=2)
        blocks.append(n)
    fitted = _fit([(rows, won), *_padded_pairs(padding, rows.shape[2])], blocks)
    fitted = fitted.reshape(*shape, -1)
    seat = fitted[..., strategies:] if seats else None
    return WinRating(fitted[..., :strategies], _any(padding, shape), seat=seat)


def plackett_luce(orders: ArrayLike, counts: ArrayLike, strategies: int) -> WinRating:
    """Strengths from full finishing orders: each place is won among those not yet placed.

    `orders` (R, N) holds strategies, best first, and `counts` (R,), or (B, R) for a batch, how
    often the order was seen, fractions allowed; a strategy may stand in several places of a row.
    """
    order, seen = np.asarray(orders), np.asarray(counts, dtype=np.float64)
    shape, n = seen.shape[:-1], order.shape[1]
    seen = seen.reshape(-1, len(order))
    here = np.eye(strategies)[order]
    beaten = np.zeros((len(order), strategies, strategies))
    stages = []
    for place in range(n - 1):
        rest = here[:, place:]
        won = np.zeros((*seen.shape, n - place))
        won[:, :, 0] = seen
        stages.append((rest, won))
        beaten += np.einsum("ri,rj->rij", rest[:, 0], rest[:, 1:].sum(axis=1))
    wins = np.tensordot(seen, beaten, axes=1)
    padding = _padding(wins, wins + np.swapaxes(wins, 1, 2) > 0)
    fitted = _fit([*stages, *_padded_pairs(padding, strategies)], [strategies])
    return WinRating(fitted.reshape(*shape, -1), _any(padding, shape))


def points_ols(
    strategy: ArrayLike, seat: ArrayLike, net: ArrayLike, weights: ArrayLike | None = None
) -> PointRating:
    """Least squares of net points on strategy and seat; all arguments (rows,).

    A row is one seat of one game, `strategy` and `seat` count from 0, `weights` are those of
    the row's deal. A batch has its points in `net` (B, rows). Raises ValueError when strategies
    and seats cannot be told apart.
    """
    who, where = np.asarray(strategy), np.asarray(seat)
    y = np.asarray(net, dtype=np.float64)
    w = np.ones(len(who)) if weights is None else np.asarray(weights, dtype=np.float64)
    k, n = int(who.max()) + 1, int(where.max()) + 1
    cells = np.arange(k * n)
    inside = w[:, None] * (who * n + where == cells[:, None]).T
    rows = np.concatenate(
        [np.ones((k * n, 1)), np.eye(k)[cells // n], np.eye(n)[cells % n]], axis=1
    )
    curvature = rows.T @ (inside.sum(axis=0)[:, None] * rows)
    fitted = _solve(curvature[None], np.atleast_2d(y @ inside @ rows), [(1, k), (1 + k, n)])
    fitted = fitted.reshape(*y.shape[:-1], -1)
    return PointRating(fitted[..., 0][()], fitted[..., 1 : 1 + k], fitted[..., 1 + k :])


def strongly_connected(wins: ArrayLike) -> Any:
    """Whether every strategy is joined to every other by a chain of wins.

    `wins` (K, K), or (B, K, K) for a batch: bool, or bool (B,).
    """
    graph = np.asarray(wins) > 0
    reached = graph | np.eye(graph.shape[-1], dtype=bool)
    for _ in range(max(graph.shape[-1] - 1, 1).bit_length()):
        reached = reached @ reached
    return reached.all(axis=(-1, -2))


def _any(padding: Floats, shape: tuple[int, ...]) -> Any:
    """Which records were padded: bool, or bool of this shape."""
    return np.asarray(padding.any(axis=(1, 2))).reshape(shape)[()]


def _padding(wins: Floats, met: NDArray[np.bool_]) -> Floats:
    """Half a win each way for every pair that met, or nothing where the wins connect all.

    All arrays (B, K, K).
    """
    loose = ~strongly_connected(wins)
    either_way = met | np.swapaxes(met, 1, 2)
    if not strongly_connected(either_way[loose]).all():
        raise ValueError("no games join some strategies to the others: they cannot be rated")
    padding = np.where(met & loose[:, None, None], 0.5, 0.0)
    everyone = np.arange(wins.shape[1])
    padding[:, everyone, everyone] = 0
    return padding


def _padded_pairs(padding: Floats, width: int) -> list[tuple[Floats, Floats]]:
    first, second = np.nonzero(np.triu(padding.any(axis=0)))
    if not len(first):
        return []
    rows = np.eye(width)[np.stack([first, second], axis=1)]
    half = padding[:, first, second]
    return [(rows, np.stack([half, half], axis=2))]


Choices = list[tuple[Floats, Floats]]


def _fit(choices: Choices, blocks: list[int]) -> Floats:
    """Maximum likelihood of choices with log odds rows·θ: θ (B, parameters).

    `choices` are pairs of rows (choices, alternatives, parameters) and counts (B, choices,
    alternatives). The first parameters come in `blocks` that each sum to 0. A batch starts from
    the fit to the mean of its counts: resamples of one record lie close to it.
    """
    mean = [(rows, counts.mean(axis=0, keepdims=True)) for rows, counts in choices]
    zero_sums = [(sum(blocks[:b]), size) for b, size in enumerate(blocks)]
    theta = _climb(mean, np.zeros((1, choices[0][0].shape[2])), zero_sums)
    size = len(choices[0][1])
    return theta if size == 1 else _climb(choices, np.repeat(theta, size, axis=0), zero_sums)


def _climb(choices: Choices, theta: Floats, zero_sums: list[tuple[int, int]]) -> Floats:
    """The tops of the likelihoods, from θ (B, parameters) by damped Newton steps."""
    likelihood, slope, curvature = _likelihood(choices, theta)
    games = sum(counts.sum(axis=(1, 2)) for _, counts in choices)
    for _ in range(100):
        step = _solve(curvature, slope, zero_sums)
        climbing = np.max(np.abs(slope), axis=1) > 1e-11 * games
        if not climbing.any():
            return theta
        # A full step can overshoot; the likelihood is concave, so a short enough one climbs.
        size = climbing.astype(np.float64)
        for _ in range(50):
            trial = _likelihood(choices, theta + size[:, None] * step)
            fell = trial[0] < likelihood - 1e-12 * np.abs(likelihood)
            if not fell.any():
                break
            size[fell] /= 2
        theta = theta + size[:, None] * step
        likelihood, slope, curvature = trial
    raise ArithmeticError("the ratings did not settle")


def _likelihood(choices: Choices, theta: Floats) -> tuple[Floats, Floats, Floats]:
    """Log likelihoods (B,), their gradients and their negated Hessians."""
    batch, width = theta.shape
    value, slope = np.zeros(batch), np.zeros((batch, width))
    curvature = np.zeros((batch, width, width))
    for rows, counts in choices:
        flat = rows.reshape(-1, width)
        log_p = (theta @ flat.T).reshape(counts.shape)
        log_p -= log_p.max(axis=2, keepdims=True)
        p = np.exp(log_p)
        total = p.sum(axis=2, keepdims=True)
        log_p -= np.log(total)
        p /= total
        games = counts.sum(axis=2)
        expected = games[:, :, None] * p
        value += np.sum(counts * log_p, axis=(1, 2))
        slope += (counts - expected).reshape(batch, -1) @ flat
        squares = (flat[:, :, None] * flat[:, None, :]).reshape(len(flat), -1)
        curvature += (expected.reshape(batch, -1) @ squares).reshape(curvature.shape)
        mean = np.swapaxes(np.swapaxes(p, 0, 1) @ rows, 0, 1)
        curvature -= np.swapaxes(games[:, :, None] * mean, 1, 2) @ mean
    return value, slope, curvature


def _solve(curvature: Floats, slope: Floats, zero_sums: list[tuple[int, int]]) -> Floats:
    """Solves curvature·x = slope (B, p) where each (start, size) block of x sums to 0."""
    width = slope.shape[1]
    scale = np.trace(curvature, axis1=1, axis2=2)[:, None, None] / width
    fixed = curvature.copy()
    for start, size in zero_sums:
        fixed[:, start : start + size, start : start + size] += scale / size
    try:
        inverse = np.linalg.inv(fixed)
    except np.linalg.LinAlgError:
        inverse = np.full(fixed.shape, np.inf)
    size, largest = (np.sqrt(np.sum(one**2, axis=(1, 2))) for one in (fixed, inverse))
    if not np.all(size * largest < 1e10):  # the condition of the equations, at most
        raise ValueError("strategies and seats cannot be told apart, or one is without bound")
    return np.asarray((inverse @ slope[..., None])[..., 0])


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
    return Hodge(m.mean(axis=1), float(_cyclic_share(m)))


def _cyclic_share(m: Floats) -> Floats:
    """Share of Σ M² that no list explains, of antisymmetric matrices (…, K, K); 0 where M is 0."""
    strength = m.mean(axis=-1)
    rest = np.sum((m - strength[..., :, None] + strength[..., None, :]) ** 2, axis=(-1, -2))
    size = np.sum(m**2, axis=(-1, -2))
    return np.asarray(np.divide(rest, size, out=np.zeros_like(rest), where=size > 0))


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

    def shares(sums: Floats, deals: Floats) -> Floats:
        m = np.zeros((len(sums), strategies, strategies))
        m[:, *upper] = sums / deals[:, None]
        return _cyclic_share(m - np.swapaxes(m, 1, 2))

    share = bootstrap_sums(shares, scores, seed)
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

    `matrix` (K, K) is antisymmetric, M_rs the result of r against s (Omidshafiei et al. 2019); a
    batch (B, K, K) gives (B, K).
    Logarithms and a subtraction-free elimination keep it exact where a large α makes the
    chances of change smaller than any float. Sweep α: the answer depends on it strongly.
    """
    m = np.asarray(matrix, dtype=np.float64)
    k = m.shape[-1]
    gain = alpha * population / (population - 1) * np.swapaxes(m, -1, -2)
    flow = _log_fixation(gain, population) - np.log(k - 1)  # [s, r]: mutant r among residents s
    for last in range(k - 1, 0, -1):
        leaving = np.logaddexp.reduce(flow[..., last, :last], axis=-1)
        flow[..., :last, last] -= leaving[..., None]
        detour = flow[..., :last, last, None] + flow[..., None, last, :last]
        flow[..., :last, :last] = np.logaddexp(flow[..., :last, :last], detour)
    log_share = np.zeros(m.shape[:-1])
    for state in range(1, k):
        ways = log_share[..., :state] + flow[..., :state, state]
        log_share[..., state] = np.logaddexp.reduce(ways, axis=-1)
    return np.exp(log_share - np.logaddexp.reduce(log_share, axis=-1, keepdims=True))


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
