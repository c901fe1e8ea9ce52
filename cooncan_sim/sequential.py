"""Stopping rules that stay honest when the run is looked at while it goes on.

The confidence sequence is the default: one interval that holds at all looks at once, and a
verdict read off it. The gate (GSPRT) is for pass or fail. Both read nothing but the moments of
the paired differences, in deal order, at the looks that `next_look` allows.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import lambertw
from scipy.stats import norm

from cooncan_sim.intervals import MIN_CHANGED, Interval, Moments, Number, Summary

FIRST_LOOK = 200  # deals before the first look, and the smallest batch
UNPLANNED = 10_000  # deals at which the sequence is tightest when no pilot says otherwise
PAIR_SCORES = np.array([0, 0.25, 0.5, 0.75, 1])
EMPTY_COUNT = 0.001  # a pair score never seen: zero would make the likelihood ratio explode
ELO = 400 / math.log(10)
NELO = 800 / math.log(10)

Verdict = Literal["helps", "hurts", "no practical difference", "unresolved"]


def next_look(n: int, max_deals: int) -> int:
    """Deals at the look after the one at `n` (0 before the first): batches of max(200, 10 %)."""
    return min(n + max(FIRST_LOOK, n // 10), max_deals)


def may_look(n: int, nonzero: int) -> bool:
    """Whether there is enough to go by: without this guard early zeros look like certainty.

    The guard is not a cure for everything. With 50 changed deals a null whose rare losses are
    nine times its gains still fooled the confidence sequence in 5 to 7 % of runs at α = 5 %;
    for differences as lopsided as that there is the strict sequence.
    """
    return n >= FIRST_LOOK and nonzero >= MIN_CHANGED


# --- the asymptotic confidence sequence --------------------------------------------------


@lru_cache
def mixing_weight(alpha: float) -> float:
    """The w with w − ln(1+w) = −2 ln α, that is −W₋₁(−α²/e) − 1."""
    return float(-lambertw(-(alpha**2) / math.e, -1).real - 1)


def rho_squared(n_opt: float, alpha: float) -> float:
    """The mixture's ρ² that makes the sequence tightest at n_opt deals."""
    return mixing_weight(alpha) / n_opt


def radius(deals: Summary, rho2: float, alpha: float) -> Number:
    """Half-width of the two-sided sequence (Waudby-Smith et al. 2024); arrays broadcast."""
    k = deals.n * rho2
    width = 2 * (k + 1) / (deals.n * k) * np.log(np.sqrt(k + 1) / alpha)
    return deals.sd * np.sqrt(width)


def log_evidence(deals: Summary, rho2: float) -> Number:
    """ln of the mixture's e-value against a mean of 0; arrays broadcast."""
    k = deals.n * rho2
    with np.errstate(divide="ignore"):
        score = np.divide(deals.mean, deals.sd) ** 2 * deals.n
    return k * score / (2 * (k + 1)) - np.log(k + 1) / 2


def anytime_p(peak: float) -> float:
    """p-value valid at any stopping time, from the running maximum of ln e."""
    return math.exp(-max(0.0, peak))


def verdict(low: float, high: float, delta: float) -> Verdict | None:
    """What an interval of the effect settles, None while it settles nothing.

    An interval clear of 0 helps or hurts, be it within ± delta or not: delta only says when one
    about 0 is narrow enough to make no practical difference (STATS.md §4).
    """
    if low > 0:
        return "helps"
    if high < 0:
        return "hurts"
    if -delta < low and high < delta:
        return "no practical difference"
    return None


@dataclass(frozen=True)
class Look:
    """The sequence at one look: valid together with all looks before it.

    `log_e` is ln of the e-value at this look and `peak` its maximum over the looks so far;
    before the guard is met there is no interval (infinite limits) and no evidence (0).
    `verdict` is None while the run should go on. The estimate at a stopping time is inflated:
    a headline figure needs a confirmation run on fresh deals.
    """

    n: int
    estimate: float
    se: float
    low: float
    high: float
    log_e: float
    peak: float
    verdict: Verdict | None

    @property
    def p(self) -> float:
        """Anytime p-value of no effect."""
        return anytime_p(self.peak)


@dataclass(frozen=True)
class ConfidenceRule:
    """The default stopping rule, fixed before the run.

    `delta` is the smallest effect of interest on the scale of d, `n_opt` the number of deals
    at which the interval is tightest, `max_deals` the cap that ends a run as "unresolved".
    """

    delta: float
    max_deals: int
    alpha: float = 0.05
    n_opt: int = UNPLANNED

    @classmethod
    def planned(
        cls, delta: float, sd: float, max_deals: int, alpha: float = 0.05
    ) -> "ConfidenceRule":
        """The rule tuned to `delta`, given the SD of d from a discarded pilot.

        n_opt = ⌈(1+w)(sd/δ)²⌉ is where the radius of the sequence comes down to δ.
        """
        n_opt = math.ceil((1 + mixing_weight(alpha)) * (sd / delta) ** 2)
        return cls(delta, max_deals, alpha, max(n_opt, 1))

    def look(self, deals: Moments, before: Look | None = None) -> Look:
        """What the deals so far say; `before` is the previous look of the same run."""
        n, mean, sd = deals.n, deals.mean, math.sqrt(deals.variance)
        half, log_e = math.inf, 0.0
        if may_look(n, deals.nonzero):
            rho2 = rho_squared(self.n_opt, self.alpha)
            half = float(radius(deals.summary, rho2, self.alpha))
            log_e = float(log_evidence(deals.summary, rho2))
        low, high = mean - half, mean + half
        settled = verdict(low, high, self.delta)
        if settled is None and n >= self.max_deals:
            settled = "unresolved"
        peak = max(log_e, before.peak if before else 0.0)
        return Look(n, mean, sd / math.sqrt(n), low, high, log_e, peak, settled)


# --- strict mode -------------------------------------------------------------------------


@dataclass(frozen=True)
class StrictSequence:
    """Empirical-Bernstein sequence for d in [lowest, highest]: no central limit theorem.

    Predictable plug-in form of Waudby-Smith and Ramdas (2024). The state is the running sums
    over x, which is d rescaled to [0, 1]; `extend` gives the state after more deals, the same
    to the last bit however the deals are cut into batches.
    """

    lowest: float
    highest: float
    alpha: float = 0.05
    n: int = 0
    nonzero: int = 0
    total: float = 0.0  # Σ x
    spread: float = 0.0  # Σ (x_i − μ̂_i)²
    bets: float = 0.0  # Σ λ
    weighted: float = 0.0  # Σ λ x
    penalty: float = 0.0  # Σ (x_i − μ̂_{i−1})² (−ln(1−λ_i) − λ_i)

    def extend(self, values: ArrayLike) -> "StrictSequence":
        """The sequence after the next `values` of d, shape (deals,), in deal order.

        Raises ValueError for a value outside [lowest, highest].
        """
        d = np.asarray(values, dtype=np.float64)
        x = (d - self.lowest) / (self.highest - self.lowest)
        if x.size and not (x.min() >= 0 and x.max() <= 1):
            raise ValueError(f"a value lies outside [{self.lowest}, {self.highest}]")
        t = self.n + np.arange(len(x) + 1)
        totals = _running(self.total, x)
        centre = (0.5 + totals) / (t + 1)
        spreads = _running(self.spread, (x - centre[1:]) ** 2)
        variance = (0.25 + spreads[:-1]) / (t[:-1] + 1)
        t = t[1:]
        bets = np.minimum(np.sqrt(2 * self._log / (variance * t * np.log1p(t))), 0.5)
        penalties = (x - centre[:-1]) ** 2 * (-np.log1p(-bets) - bets)
        return replace(
            self,
            n=self.n + len(x),
            nonzero=self.nonzero + int(np.count_nonzero(d)),
            total=float(totals[-1]),
            spread=float(spreads[-1]),
            bets=float(_running(self.bets, bets)[-1]),
            weighted=float(_running(self.weighted, bets * x)[-1]),
            penalty=float(_running(self.penalty, penalties)[-1]),
        )

    @property
    def interval(self) -> tuple[float, float]:
        """Centre and radius on the scale of d; needs one deal."""
        span = self.highest - self.lowest
        centre = self.lowest + span * self.weighted / self.bets
        return centre, span * (self._log + self.penalty) / self.bets

    def verdict(self, delta: float, max_deals: int) -> Verdict | None:
        """As for the default rule, under the same guards and cap."""
        centre, half = self.interval
        settled = None
        if may_look(self.n, self.nonzero):
            settled = verdict(centre - half, centre + half, delta)
        return "unresolved" if settled is None and self.n >= max_deals else settled

    @property
    def _log(self) -> float:
        return math.log(2 / self.alpha)


def _running(carry: float, values: NDArray[np.float64]) -> NDArray[np.float64]:
    # Starting from the carry makes the additions the same ones whatever the batches.
    return np.add.accumulate(np.concatenate(([carry], values)))


# --- the gate ----------------------------------------------------------------------------


@dataclass(frozen=True)
class GateLook:
    """The gate at one look; `verdict` is None while the run should go on."""

    n: int
    estimate: float
    llr: float
    verdict: Literal["passes", "fails", "unresolved"] | None


@dataclass(frozen=True)
class Gate:
    """Generalised sequential probability ratio test of mean = h0 against mean = h1, h0 < h1.

    (0, δ) asks whether something is better, (−δ, 0) whether it is no worse. `alpha` bounds
    passing under h0, `beta` failing under h1.
    """

    h0: float
    h1: float
    max_deals: int
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Log likelihood ratios at which the test fails and passes (Wald)."""
        fails = math.log(self.beta / (1 - self.alpha))
        return fails, math.log((1 - self.beta) / self.alpha)

    def look(self, deals: Moments) -> GateLook:
        """What the deals so far say."""
        llr = float(normal_llr(deals.n, deals.mean, deals.population_variance, self.h0, self.h1))
        fails, passes = self.bounds
        settled: Literal["passes", "fails", "unresolved"] | None = None
        if may_look(deals.n, deals.nonzero) and not fails < llr < passes:
            settled = "passes" if llr >= passes else "fails"
        elif deals.n >= self.max_deals:
            settled = "unresolved"
        return GateLook(deals.n, deals.mean, llr, settled)

    def expected_deals(self, effect: float, sd: float) -> float:
        """Mean length at a true effect when d is a Brownian motion (Wald, Siegmund)."""
        fails, passes = self.bounds
        pull = (self.h1 - self.h0) / sd
        drift = pull * (effect - (self.h0 + self.h1) / 2) / sd
        if drift == 0:
            return -fails * passes / pull**2
        tilt = -2 * drift / pull**2
        reach = math.expm1(tilt * fails) / (math.expm1(tilt * fails) - math.expm1(tilt * passes))
        return (fails + reach * (passes - fails)) / drift


def normal_llr(n: Number, mean: Number, variance: Number, h0: float, h1: float) -> Number:
    """LLR of mean h1 against h0 with the variance profiled out; `variance` has ddof 0.

    Arrays broadcast. Infinite when the differences are all equal to one of the hypotheses.
    """
    with np.errstate(divide="ignore"):
        return n / 2 * (np.log(variance + (mean - h0) ** 2) - np.log(variance + (mean - h1) ** 2))


def logistic_llr(counts: ArrayLike, elo0: float, elo1: float) -> float:
    """LLR of two-seat pair scores for logistic Elo bounds (Van den Bergh).

    `counts` (5,) says how many pairs of games on one deal scored 0, ¼, ½, ¾, 1.
    """
    share, n = _shares(counts)
    p0, p1 = (_tilted(share, PAIR_SCORES - 1 / (1 + math.exp(-e / ELO))) for e in (elo0, elo1))
    return float(n * (share @ np.log(p1 / p0)))


def normalized_llr(counts: ArrayLike, nelo0: float, nelo1: float) -> float:
    """LLR of two-seat pair scores, `counts` (5,) as above, for normalized Elo bounds.

    Raises ValueError for bounds beyond ±230.
    """
    share, n = _shares(counts)
    p0, p1 = (_normalized_fit(share, math.sqrt(2) * e / NELO) for e in (nelo0, nelo1))
    return float(n * (share @ np.log(p1 / p0)))


def _shares(counts: ArrayLike) -> tuple[NDArray[np.float64], float]:
    c = np.asarray(counts, dtype=np.float64)
    c = np.where(c == 0, EMPTY_COUNT, c)
    return c / c.sum(), float(c.sum())


def _tilted(share: NDArray[np.float64], phi: NDArray[np.float64]) -> NDArray[np.float64]:
    """The likeliest p with Σ p·φ = 0: p̂/(1+θφ), for φ of both signs."""
    if not phi.min() < 0 < phi.max():
        raise ValueError("the bounds lie further out than pair scores can reach")
    # θ lies between 0 and the pole on the side of the lean, and for one-sided records so close
    # to the pole that only the distance from it keeps its digits.
    edge = phi.min() if share @ phi > 0 else phi.max()
    at_pole = (edge - phi) / edge
    near, far = 1e-12 * share.min() / edge, (1 + 1e-6) / edge
    distance = brentq(lambda d: share @ (phi / (at_pole + d * phi)), near, far, xtol=1e-300)
    return share / (at_pole + distance * phi)


def _normalized_fit(share: NDArray[np.float64], t: float) -> NDArray[np.float64]:
    """The likeliest p with (mean − ½)/sd = t, by the fixed point of its linearisation."""
    p = np.full(len(share), 1 / len(share))
    for _ in range(1000):
        mean = p @ PAIR_SCORES
        sd = math.sqrt(p @ (PAIR_SCORES - mean) ** 2)
        bend = 1 + ((PAIR_SCORES - mean) / sd) ** 2
        new = _tilted(share, PAIR_SCORES - 0.5 - t * sd * bend / 2)
        if np.max(np.abs(new - p)) < 1e-12:
            return new
        p = new
    raise ArithmeticError(f"normalized Elo fit did not settle for shares {share} and t = {t}")


@dataclass(frozen=True)
class PairRecord:
    """Strength shown by two-seat pair scores, with 95 % intervals.

    `los` is the likelihood of superiority. A record without spread (all won, all lost) has no
    finite Elo: the estimate is infinite and nothing bounds it.
    """

    score: float
    elo: Interval
    nelo: Interval
    los: float


def pair_record(counts: ArrayLike) -> PairRecord:
    """Score, Elo, normalized Elo and likelihood of superiority from `counts` (5,) as above."""
    c = np.asarray(counts, dtype=np.float64)
    n = c.sum()
    score = float(c @ PAIR_SCORES / n)
    sd = math.sqrt(c @ (PAIR_SCORES - score) ** 2 / n)
    z = float(norm.ppf(0.975))
    if sd == 0:
        edge = 0.0 if score == 0.5 else math.copysign(math.inf, score - 0.5)
        unbounded = Interval(edge, math.inf, -math.inf, math.inf)
        return PairRecord(score, unbounded, unbounded, float(norm.cdf(edge)))
    se = sd / math.sqrt(n)
    slope = ELO / (score * (1 - score))
    elo = Interval(_elo(score), slope * se, _elo(score - z * se), _elo(score + z * se))
    normal = (score - 0.5) / sd / math.sqrt(2) * NELO
    nelo_se = NELO / math.sqrt(2 * n)
    nelo = Interval(normal, nelo_se, normal - z * nelo_se, normal + z * nelo_se)
    return PairRecord(score, elo, nelo, float(norm.cdf((score - 0.5) / se)))


def _elo(score: float) -> float:
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return ELO * math.log(score / (1 - score))
