"""Many tips at once, and the best of several strategies.

Claims from a confirmation run go through Holm, exploratory sweeps through Benjamini–Hochberg
or, when each tip stopped at its own time, e-BH. The best of K strategies is found by a race on
common deals; OCBA is for the case where deals cannot be shared.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import false_discovery_control

from cooncan_sim.intervals import Moments
from cooncan_sim.sequential import ConfidenceRule, next_look


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """Adjusted p-values (Holm 1979): those ≤ α may be claimed together at level α."""
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    steps = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted


def benjamini_hochberg(p: ArrayLike) -> NDArray[np.float64]:
    """Adjusted p-values: those ≤ q are discoveries at false discovery rate q."""
    return np.asarray(false_discovery_control(np.asarray(p, dtype=np.float64), method="bh"))


def e_benjamini_hochberg(log_e: ArrayLike, q: float = 0.05) -> NDArray[np.bool_]:
    """Discoveries at false discovery rate q among e-values given as ln e (Wang & Ramdas 2022).

    Rejects the k largest with e_(k) ≥ m/(kq), for the largest such k. Take ln e at the look
    where each tip stopped, never its running maximum, which is no e-value.
    """
    values = np.asarray(log_e, dtype=np.float64)
    m = len(values)
    order = np.argsort(-values, kind="stable")
    enough = values[order] >= np.log(m / (np.arange(1, m + 1) * q))
    found = np.zeros(m, dtype=bool)
    if enough.any():
        found[order[: np.flatnonzero(enough)[-1] + 1]] = True
    return found


def joint_rules(
    delta: float, sds: Sequence[float], max_deals: int, alpha: float = 0.05
) -> list[ConfidenceRule]:
    """One stopping rule per tip, all of whose intervals hold together: α/m each.

    `sds` are the SDs of d from the tips' pilots.
    """
    share = alpha / len(sds)
    return [ConfidenceRule.planned(delta, sd, max_deals, share) for sd in sds]


@dataclass(frozen=True)
class Dropped:
    """A strategy that left the race after `n` deals, and the leader it fell to."""

    strategy: int
    leader: int
    n: int
    why: Literal["worse", "no practical difference"]


@dataclass(frozen=True)
class RaceResult:
    """The leader at the end, the strategies still level with it, and who dropped out when.

    `games` counts strategies × deals played; `unresolved` says that the cap ended the race.
    """

    leader: int
    alive: tuple[int, ...]
    dropped: tuple[Dropped, ...]
    n: int
    games: int

    @property
    def unresolved(self) -> bool:
        """More than one strategy was left at the cap."""
        return len(self.alive) > 1


Play = Callable[[tuple[int, ...], int, int], NDArray[np.int64]]


def race(play: Play, strategies: int, rule: ConfidenceRule, unit: int = 1) -> RaceResult:
    """Best of several strategies on common deals (after Maron & Moore's Hoeffding races).

    `play(alive, first, deals)` returns the integer numerators, in 1/unit, of each strategy's
    result on deals first … first+deals−1, shape (deals, len(alive)). A strategy is dropped when
    the paired confidence sequence of (leader − it) at α/(K−1) is above 0 or within ±δ.
    """
    pairwise = replace(rule, alpha=rule.alpha / (strategies - 1))
    field = _Field.start(strategies)
    alive = tuple(range(strategies))
    dropped: list[Dropped] = []
    games = 0
    while len(alive) > 1 and field.n < rule.max_deals:
        count = next_look(field.n, rule.max_deals) - field.n
        results = np.asarray(play(alive, field.n, count))
        games += count * len(alive)
        field = field.extend(results)
        leader, leavers = _leavers(field, pairwise, unit)
        for column, why in leavers.items():
            dropped.append(Dropped(alive[column], alive[leader], field.n, why))
        stay = [column for column in range(len(alive)) if column not in leavers]
        alive = tuple(alive[column] for column in stay)
        field = field.keep(stay)
    return RaceResult(alive[field.leader], alive, tuple(dropped), field.n, games)


def _leavers(
    field: "_Field", rule: ConfidenceRule, unit: int
) -> tuple[int, dict[int, Literal["worse", "no practical difference"]]]:
    leader = field.leader
    leavers: dict[int, Literal["worse", "no practical difference"]] = {}
    for column in range(len(field.totals)):
        if column == leader:
            continue
        seen = rule.look(field.difference(leader, column, unit)).verdict
        if seen == "helps":
            leavers[column] = "worse"
        elif seen == "no practical difference":
            leavers[column] = seen
    return leader, leavers


@dataclass(frozen=True)
class _Field:
    """Exact sums over deals of the strategies still racing, enough for every paired difference.

    Python integers in object arrays: totals (k,), products Σ x_i·x_j (k, k) and the number of
    deals on which two strategies differ (k, k).
    """

    n: int
    totals: NDArray[np.object_]
    products: NDArray[np.object_]
    differing: NDArray[np.object_]

    @classmethod
    def start(cls, strategies: int) -> "_Field":
        square = np.zeros((strategies, strategies), dtype=object)
        return cls(0, np.zeros(strategies, dtype=object), square, square)

    def extend(self, results: NDArray[np.int64]) -> "_Field":
        if results.dtype.kind not in "iub":
            raise TypeError(f"results must be integer numerators, not {results.dtype}")
        x = results.astype(np.int64)
        differing = (x[:, :, None] != x[:, None, :]).sum(axis=0)
        return _Field(
            self.n + len(x),
            self.totals + x.sum(axis=0).astype(object),
            self.products + (x.T @ x).astype(object),
            self.differing + differing.astype(object),
        )

    def keep(self, columns: list[int]) -> "_Field":
        square = np.ix_(columns, columns)
        return _Field(self.n, self.totals[columns], self.products[square], self.differing[square])

    @property
    def leader(self) -> int:
        return max(range(len(self.totals)), key=lambda column: (self.totals[column], -column))

    def difference(self, i: int, j: int, unit: int) -> Moments:
        squares = self.products[i, i] + self.products[j, j] - 2 * self.products[i, j]
        total = self.totals[i] - self.totals[j]
        return Moments(self.n, total, squares, self.differing[i, j], unit)


def ocba(means: ArrayLike, sds: ArrayLike, games: float) -> NDArray[np.float64]:
    """Split of `games` that best shows which mean is largest (Chen et al. 2000); not rounded.

    n_i ∝ (σ_i/Δ_i)² for the others, n_b = σ_b·√Σ(n_i/σ_i)² for the best. Raises ValueError
    when two share the best mean.
    """
    mean, sd = np.asarray(means, dtype=np.float64), np.asarray(sds, dtype=np.float64)
    best = int(np.argmax(mean))
    others = np.arange(len(mean)) != best
    gap = mean[best] - mean[others]
    if np.any(gap == 0):
        raise ValueError("two strategies share the best mean: no split can part them")
    share = np.empty_like(mean)
    share[others] = (sd[others] / gap) ** 2
    share[best] = sd[best] * np.sqrt(np.sum((share[others] / sd[others]) ** 2))
    return games * share / share.sum()
