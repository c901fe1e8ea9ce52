"""Estimates and intervals for numbers that come one per deal.

All games played on one deal form a cluster, and the cluster is the only independent unit, so
everything here takes one number per deal and `n` counts deals. Sums are kept as integers: a
value per deal is a multiple of 1/unit, its numerators add without rounding, and a result is
the same to the last bit however the deals were cut into batches.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

MIN_CHANGED = 50  # with fewer non-zero differences neither a t interval nor a look is trusted
MAX_RESAMPLED = 100_000  # above this many deals the bootstrap draws Poisson weights
RESAMPLES_AT_ONCE = 200
INT64_LIMIT = 2**63

Number = float | NDArray[np.float64]


class Summary(NamedTuple):
    """Deals, mean and sample SD (ddof 1) of a value per deal; the last two may be arrays."""

    n: int
    mean: Number
    sd: Number


@dataclass(frozen=True)
class Interval:
    """An estimate with its standard error and two-sided limits: floats, or arrays of one shape.

    `df` holds the degrees of freedom of a t interval and is None for any other.
    """

    estimate: Number
    se: Number
    low: Number
    high: Number
    df: float | None = None


@dataclass(frozen=True)
class SparseBound:
    """What too few changed deals allow one to say.

    `share` is the share of deals changed, `upper` its one-sided 95 % bound, and the mean
    effect lies between `low` and `high`.
    """

    share: float
    upper: float
    low: float
    high: float


@dataclass(frozen=True)
class Moments:
    """Sufficient statistics of one value per deal; `a + b` merges two sets of deals exactly.

    A value is numerator/unit. `total` and `squares` are the sums of the numerators and of
    their squares, `nonzero` the number of values other than 0. Four integers and a unit, so
    `dataclasses.asdict` gives what a file needs to carry on.
    """

    n: int = 0
    total: int = 0
    squares: int = 0
    nonzero: int = 0
    unit: int = 1

    @classmethod
    def of(cls, numerators: ArrayLike, unit: int = 1) -> "Moments":
        """Moments of the values `numerators / unit`, an integer array of shape (deals,).

        Raises TypeError for anything but whole numbers and ValueError for a unit below 1.
        """
        values = np.asarray(numerators)
        if values.size and values.dtype.kind not in "iub":
            raise TypeError(f"values per deal must be integer numerators, not {values.dtype}")
        if unit < 1:
            raise ValueError(f"unit must be at least 1, not {unit}")
        if values.size == 0:
            return cls(unit=unit)
        largest = max(abs(int(values.min())), abs(int(values.max())))
        exact = np.int64 if largest**2 * values.size < INT64_LIMIT else object
        values = values.astype(exact)
        return cls(
            n=values.size,
            total=int(values.sum()),
            squares=int((values * values).sum()),
            nonzero=int(np.count_nonzero(values)),
            unit=unit,
        )

    def __add__(self, other: "Moments") -> "Moments":
        if self.unit != other.unit:
            raise ValueError(f"cannot add values in 1/{self.unit} to values in 1/{other.unit}")
        return Moments(
            self.n + other.n,
            self.total + other.total,
            self.squares + other.squares,
            self.nonzero + other.nonzero,
            self.unit,
        )

    @property
    def mean(self) -> float:
        """Mean value per deal."""
        return self.total / (self.n * self.unit)

    @property
    def variance(self) -> float:
        """Sample variance (ddof 1). Raises ValueError for fewer than two deals."""
        if self.n < 2:
            raise ValueError("a variance needs at least two deals")
        # Integers until the one division: no cancellation between large sums.
        return self._spread / (self.n * (self.n - 1) * self.unit**2)

    @property
    def population_variance(self) -> float:
        """Variance with ddof 0."""
        return self._spread / (self.n * self.unit) ** 2

    @property
    def summary(self) -> Summary:
        """Deals, mean and sample SD. Raises ValueError for fewer than two deals."""
        return Summary(self.n, self.mean, math.sqrt(self.variance))

    @property
    def _spread(self) -> int:
        return self.n * self.squares - self.total**2


def t_interval(deals: Summary, confidence: float = 0.95) -> Interval:
    """Mean ± t(n−1)·s/√n over deals; needs n ≥ 2."""
    se = deals.sd / math.sqrt(deals.n)
    return _symmetric(deals.mean, se, confidence, deals.n - 1)


def t_test(deals: Summary) -> float:
    """Two-sided p-value of a mean of 0 after a run of fixed length; needs n ≥ 2 and sd > 0."""
    t = float(deals.mean) * math.sqrt(deals.n) / float(deals.sd)
    return float(2 * stats.t.sf(abs(t), deals.n - 1))


def effect_interval(
    deals: Moments, span: float, confidence: float = 0.95
) -> Interval | SparseBound:
    """Interval of a paired difference, or the bound for sparse differences.

    `span` is the range of a difference: no |d| exceeds it. With fewer than 50 non-zero d the
    answer is a SparseBound, since a t interval would be far too sure of itself.
    """
    if deals.nonzero >= MIN_CHANGED:
        return t_interval(deals.summary, confidence)
    upper = clopper_pearson_upper(deals.nonzero, deals.n)
    return SparseBound(deals.nonzero / deals.n, upper, -upper * span, upper * span)


def cluster_ratio(sums: ArrayLike, games: ArrayLike, confidence: float = 0.95) -> Interval:
    """Mean per game when deals hold different numbers of games.

    `sums` and `games` have shape (deals,): the total over a deal's games and how many there
    were. Linearised ratio estimator, limits from t(deals−1).
    """
    y, m = np.asarray(sums, dtype=np.float64), np.asarray(games, dtype=np.float64)
    clusters = len(y)
    mean = math.fsum(y) / math.fsum(m)
    spread = math.fsum((y - mean * m) ** 2)
    se = math.sqrt(clusters / (clusters - 1) * spread) / math.fsum(m)
    return _symmetric(mean, se, confidence, clusters - 1)


def welch(x: Summary, y: Summary, confidence: float = 0.95) -> Interval:
    """Difference of means x − y of two uncoupled arms, Welch–Satterthwaite degrees of freedom."""
    a, b = float(x.sd) ** 2 / x.n, float(y.sd) ** 2 / y.n
    df = (a + b) ** 2 / (a**2 / (x.n - 1) + b**2 / (y.n - 1))
    return _symmetric(x.mean - y.mean, math.sqrt(a + b), confidence, df)


def wilson(wins: float, n: int, confidence: float = 0.95) -> Interval:
    """Score interval of a win rate from one game per deal.

    `wins` may be fractional, as blocked hands are shared out; the interval is then on the wide
    side, because a share varies less than a win or loss of the same mean.
    """
    z = _z(confidence)
    rate = wins / n
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    se = math.sqrt(rate * (1 - rate) / n)
    return Interval(rate, se, max(0.0, centre - half), min(1.0, centre + half))


def newcombe(x: Interval, y: Interval) -> Interval:
    """Difference x − y of two independent Wilson proportions (Newcombe 1998, method 10)."""
    difference = x.estimate - y.estimate
    below = math.hypot(x.estimate - x.low, y.high - y.estimate)
    above = math.hypot(x.high - x.estimate, y.estimate - y.low)
    return Interval(difference, math.hypot(x.se, y.se), difference - below, difference + above)


def clopper_pearson_upper(count: int, n: int, confidence: float = 0.95) -> float:
    """One-sided exact upper bound of a proportion, Beta⁻¹(confidence; count+1, n−count)."""
    exact = stats.binomtest(count, n, alternative="less")
    return float(exact.proportion_ci(confidence, method="exact").high)


def bootstrap(
    statistic: Callable[[NDArray[np.float64]], ArrayLike],
    multiplicity: ArrayLike,
    seed: int,
    *,
    resamples: int = 2000,
    confidence: float = 0.95,
    bayesian: bool = False,
) -> Interval:
    """Percentile bootstrap over deals of any statistic that takes a weight per row.

    `statistic(weights)` gets float64 weights of shape (rows,) and returns a number or an array.
    `multiplicity` (rows,) says how many deals are alike in each row: all ones, or counts when
    equal deals have been put together, which is faster and the same in law. Up to 100,000
    deals are resampled; more get Poisson(1) weights; `bayesian` gives Exp(1) weights instead.
    """
    counts = np.asarray(multiplicity, dtype=np.int64)
    rng = np.random.default_rng(seed)
    draw = _weights(rng, counts, bayesian)
    repeats = np.array([statistic(draw()) for _ in range(resamples)])
    tail = (1 - confidence) / 2
    low, high = np.quantile(repeats, [tail, 1 - tail], axis=0)
    estimate = np.asarray(statistic(counts.astype(np.float64)))
    return Interval(estimate[()], repeats.std(axis=0, ddof=1), low, high)


def bootstrap_sums(
    statistic: Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]],
    sums: ArrayLike,
    seed: int,
    *,
    resamples: int = 2000,
    confidence: float = 0.95,
    poisson: bool = False,
) -> Interval:
    """Percentile bootstrap of a statistic of sums over groups of deals, all resamples at once.

    `sums` (groups, columns). `statistic(sums, weights)` gets the sums (B, columns) of B resamples
    and how many groups each has drawn (B,), and returns (B, …); as many groups are drawn as there
    are, or with `poisson` each of them Poisson(1) times.
    """
    rows = np.asarray(sums, dtype=np.float64)
    rng = np.random.default_rng(seed)
    groups = len(rows)
    totals, drawn = [rows.sum(axis=0)[None]], [np.array([float(groups)])]
    for start in range(0, resamples, RESAMPLES_AT_ONCE):
        count = min(RESAMPLES_AT_ONCE, resamples - start)
        weights = _group_weights(rng, count, groups, poisson)
        totals.append(weights @ rows)
        drawn.append(weights.sum(axis=1))
    found = statistic(np.concatenate(totals), np.concatenate(drawn))
    estimate, repeats = found[0], found[1:]
    tail = (1 - confidence) / 2
    low, high = np.quantile(repeats, [tail, 1 - tail], axis=0)
    return Interval(estimate[()], repeats.std(axis=0, ddof=1), low, high)


def _group_weights(
    rng: np.random.Generator, count: int, groups: int, poisson: bool
) -> NDArray[np.float64]:
    """How often each group is drawn in each of `count` resamples, (count, groups)."""
    if poisson:
        return rng.poisson(1, (count, groups)).astype(np.float64)
    drawn = rng.integers(0, groups, (count, groups)) + groups * np.arange(count)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=count * groups)
    return counts.reshape(count, groups).astype(np.float64)


def quantile_interval(
    values: ArrayLike, levels: ArrayLike, seed: int, confidence: float = 0.95
) -> Interval:
    """Quantiles of whole numbers ≥ 0 over all games, bootstrapped over deals.

    `values` has shape (deals, games). A quantile is the least value that at least that share
    of the games do not exceed; levels and results have the same shape.
    """
    clusters, counts = np.unique(np.sort(np.asarray(values), axis=1), axis=0, return_counts=True)
    games = clusters.shape[1]
    wanted = np.asarray(levels, dtype=np.float64)

    def quantiles(weights: NDArray[np.float64]) -> NDArray[np.int64]:
        mass = np.cumsum(np.bincount(clusters.ravel(), np.repeat(weights, games)))
        # A hair below the level, or rounding in 0.1·n would step over a value reached exactly.
        return np.searchsorted(mass, wanted * mass[-1] * (1 - 1e-12))

    return bootstrap(quantiles, counts, seed, confidence=confidence)


def survival(turns: ArrayLike, cap: int, confidence: float = 0.95) -> Interval:
    """Share of games lasting longer than t turns for t = 0 … cap−1, with cluster-t bands.

    `turns` (deals, games) holds whole numbers; a game stopped at the common cap has any value
    from `cap` up. The mean of the in-cluster shares and their variance come from integer
    counts: with a deal's games in rising order, the j-th is the shorter one of 2(g−1−j)+1
    ordered pairs, so Σ(number lasting longer)² is a weighted count.
    """
    lengths = np.sort(np.minimum(np.asarray(turns), cap), axis=1)
    deals, games = lengths.shape
    longer = np.stack(
        [deals - np.cumsum(np.bincount(column, minlength=cap + 1))[:cap] for column in lengths.T]
    )
    pairs = 2 * np.arange(games)[::-1] + 1
    totals, squares = longer.sum(axis=0), pairs @ longer
    sd = np.sqrt((deals * squares - totals**2) / (deals * (deals - 1))) / games
    return t_interval(Summary(deals, totals / (deals * games), sd), confidence)


def restricted_mean(turns: ArrayLike, cap: int, confidence: float = 0.95) -> Interval:
    """Mean of min(turns, cap) per game: the only honest mean when games stop at a cap.

    `turns` (deals, games) as for `survival`, whose sum over t is this estimate.
    """
    lengths = np.minimum(np.asarray(turns), cap)
    return t_interval(Moments.of(lengths.sum(axis=1), lengths.shape[1]).summary, confidence)


def kaplan_meier(
    times: ArrayLike, ended: ArrayLike, confidence: float = 0.95
) -> tuple[NDArray[np.float64], Interval]:
    """Survival when games were stopped at different caps: the distinct times and S after each.

    `times` and `ended` have shape (games,); `ended` is False where the game was stopped. The
    standard error is Greenwood's, which holds for one game per deal; with more, bootstrap.
    """
    t, event = np.asarray(times, dtype=np.float64), np.asarray(ended, dtype=bool)
    curve = stats.ecdf(stats.CensoredData(uncensored=t[event], right=t[~event])).sf
    at_risk = len(t) - np.searchsorted(np.sort(t), curve.quantiles)
    finished = np.sort(t[event])
    deaths = np.diff(np.searchsorted(finished, curve.quantiles, side="right"), prepend=0)
    alive = at_risk > deaths  # once S is 0, Greenwood's 0·∞ is 0
    hazard = np.divide(deaths, at_risk * (at_risk - deaths), where=alive, out=np.zeros(len(alive)))
    survivors = curve.probabilities
    half = _z(confidence) * (se := survivors * np.sqrt(np.cumsum(hazard)))
    limits = np.clip([survivors - half, survivors + half], 0, 1)
    return curve.quantiles, Interval(survivors, se, *limits)


def variance_reduction(single: float, games: int, paired: float) -> float:
    """Games that one game of the design is worth: Var(single game) / (games · Var(d))."""
    return single / (games * paired)


def variance_reduction_of_arms(x: float, y: float, difference: float) -> float:
    """The same for two coupled arms: (Var X + Var Y) / Var(X−Y)."""
    return (x + y) / difference


def deals_for_power(delta: float, sd: float, power: float = 0.9, alpha: float = 0.05) -> float:
    """Deals at which a two-sided test at `alpha` finds an effect `delta`; not rounded."""
    return ((stats.norm.ppf(1 - alpha / 2) + stats.norm.ppf(power)) * sd / delta) ** 2


def deals_for_half_width(half_width: float, sd: float, confidence: float = 0.95) -> float:
    """Deals at which the interval of the mean is ± `half_width`; not rounded."""
    return (_z(confidence) * sd / half_width) ** 2


def hands_to_notice(effect: float, single_sd: float) -> float:
    """Hands a player must play for the effect per hand to stand out: (1.96·σ₁/Δ)²."""
    return deals_for_half_width(effect, single_sd)


def chance_ahead(effect: float, single_sd: float, hands: ArrayLike) -> Number:
    """Probability of being ahead after so many hands: Φ(Δ√n/σ₁)."""
    return stats.norm.cdf(effect * np.sqrt(hands) / single_sd)


def _symmetric(mean: Number, se: Number, confidence: float, df: float) -> Interval:
    half = stats.t.ppf((1 + confidence) / 2, df) * se
    return Interval(mean, se, mean - half, mean + half, df)


def _z(confidence: float) -> float:
    return float(stats.norm.ppf((1 + confidence) / 2))


def _weights(
    rng: np.random.Generator, counts: NDArray[np.int64], bayesian: bool
) -> Callable[[], NDArray[np.float64]]:
    if bayesian:
        return lambda: rng.standard_gamma(counts)
    deals = int(counts.sum())
    if deals > MAX_RESAMPLED:
        return lambda: rng.poisson(counts).astype(np.float64)
    rows = np.repeat(np.arange(len(counts)), counts)
    return lambda: np.bincount(rows[rng.integers(0, deals, deals)], minlength=len(counts)).astype(
        np.float64
    )
