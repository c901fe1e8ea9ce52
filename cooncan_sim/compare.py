"""Two strategies on the same deals: what a tip is worth, and how sure we are.

Every deal is played several times with the same cards and the seats changed round, and gives
one number for each metric. A deal is the unit: intervals and `n` count deals (STATS.md §1–3).
"""

import html
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np
import pandas as pd

from cooncan_sim import intervals, rounding
from cooncan_sim.designs import METRICS, Design, Metric, broken_sums, rotations
from cooncan_sim.errors import CooncanError, nearest
from cooncan_sim.intervals import Moments, SparseBound
from cooncan_sim.sequential import verdict
from cooncan_sim.simulate import ENDINGS, Hands, Plan, joined, play_many

MAX_DEALS = 100_000
SMALLEST_EFFECT = 0.02  # in standard deviations of a single hand, where no effect is named
NOTABLE_CAP_SHARE = 0.001  # more capped hands than this must be mentioned (R-COM-11)
SESSION = 100  # hands after which the chance to be ahead is told
STOPPING = "fixed number of deals"
STOCK_ORDER = "per_seat"
TURN_VERDICTS = {"helps": "longer", "hurts": "shorter"}

Tick = Callable[[int], None]


@dataclass(frozen=True)
class Trial:
    """What is compared with what: everything that decides which hands are played.

    `field` is the strategy of the other seats. Raises CooncanError for what cannot be played.
    """

    game: str
    control: str
    treatment: str
    field: str
    players: int = 2
    seed: int = 0
    rules: Mapping[str, Any] = dataclass_field(default_factory=dict)
    metrics: tuple[str, ...] = tuple(METRICS)

    def __post_init__(self) -> None:
        for name in self.metrics:
            if name not in METRICS:
                known = ", ".join(METRICS)
                raise CooncanError(
                    f"unknown metric {name!r}{nearest(name, METRICS)} (one of {known})"
                )

    @property
    def measured(self) -> list[Metric]:
        """The metrics, the one that decides first."""
        return [METRICS[name] for name in self.metrics]

    def design(self) -> Design:
        """The games of each deal."""
        return rotations(self.players, self.treatment, self.control, self.field, self.measured)

    def plan(self) -> Plan:
        """The same for the simulator."""
        return Plan(
            game=self.game,
            seatings=self.design().seatings,
            seed=self.seed,
            rules=dict(self.rules),
            stock_order=STOCK_ORDER,
        )


@dataclass(frozen=True)
class Tally:
    """All that is kept of the deals played so far, in whole numbers: tallies of batches add.

    `differences` has one number per deal, `treated` and `control` one per focal hand; each is
    keyed by metric, and `control` lacks the metrics whose baseline needs no game.
    """

    differences: Mapping[str, Moments]
    treated: Mapping[str, Moments]
    control: Mapping[str, Moments]
    hands: int
    capped: int

    @classmethod
    def of(cls, design: Design, metrics: list[Metric], hands: Hands) -> "Tally":
        """Tally of one batch. Raises CooncanError where the seats of a hand do not balance."""
        broken = broken_sums(metrics, hands)
        if broken:
            raise CooncanError(f"the seats' results of a hand do not balance: {broken}")
        differences, treated, control = {}, {}, {}
        for metric in metrics:
            unit = metric.unit(design.players)
            with_tip, without = design.arms(metric, hands)
            numerators = design.differences(metric, with_tip, without)
            differences[metric.name] = Moments.of(numerators, unit * design.players)
            treated[metric.name] = Moments.of(with_tip.ravel(), unit)
            if without is not None:
                control[metric.name] = Moments.of(without.ravel(), unit)
        capped = int(np.count_nonzero(hands.ending == ENDINGS.index("max_turns")))
        return cls(differences, treated, control, hands.ending.size, capped)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            {name: self.differences[name] + other.differences[name] for name in self.differences},
            {name: self.treated[name] + other.treated[name] for name in self.treated},
            {name: self.control[name] + other.control[name] for name in self.control},
            self.hands + other.hands,
            self.capped + other.capped,
        )


@dataclass(frozen=True)
class Estimate:
    """What one metric says: treatment less control, per hand.

    `low` and `high` are the limits at confidence 1 − alpha; where fewer than 50 deals came out
    differently (`sparse`) they are the bound that the share of changed deals puts on the
    effect, NaN if the metric has no range. `min_effect` is the smallest effect that counts.
    `control_mean` is played or, for a metric with a fixed sum in a field of controls, known.
    `single_sd` is the spread of a single hand, `vrf` how many independent games one game of
    this design is worth, `games` the games per deal that the number uses, `changed` the share
    of deals that came out differently and `changed_bound` its one-sided upper 95 % bound. The
    last two say what a player would notice: after how many hands the effect stands out of
    luck, and the chance to be ahead after 100.
    """

    metric: str
    effect: float
    low: float
    high: float
    se: float
    sparse: bool
    min_effect: float
    verdict: str
    treatment_mean: float
    control_mean: float
    single_sd: float
    games: int
    vrf: float
    changed: float
    changed_bound: float
    hands_to_notice: float
    ahead_after_100: float

    def text(self) -> tuple[str, str, str]:
        """Effect, interval and verdict for people: `+1.20 pp`, `+0.95 … +1.45`, `helps`."""
        metric = METRICS[self.metric]
        if self.sparse and not self.changed:
            return "no deal changed", "–", self.verdict
        if math.isnan(self.low):
            return "too few deals changed", "–", self.verdict
        low, high = metric.scale * self.low, metric.scale * self.high
        places = rounding.decimals((high - low) / 2)
        effect = rounding.signed(metric.scale * self.effect, places)
        limits = f"{rounding.signed(low, places)} … {rounding.signed(high, places)}"
        return f"{effect} {metric.suffix}", limits, self.verdict


@dataclass(frozen=True)
class Comparison:
    """The answer of `compare`: prints itself, and shows itself in a notebook."""

    trial: Trial
    deals: int
    hands: int
    capped: int
    alpha: float
    stopping: str
    estimates: tuple[Estimate, ...]

    @property
    def verdict(self) -> str:
        """The verdict of the metric that decides."""
        return self.estimates[0].verdict

    def summary(self) -> pd.DataFrame:
        """One row per metric: what was compared, how, and every number of the estimate."""
        trial = asdict(self.trial)
        shared = {
            **{name: trial[name] for name in ("game", "players", "control", "treatment", "field")},
            "rules": ", ".join(f"{key}={value}" for key, value in sorted(trial["rules"].items())),
            "seed": self.trial.seed,
            "stock_order": STOCK_ORDER,
            "deals": self.deals,
            "hands": self.hands,
            "capped_hands": self.capped,
            "alpha": self.alpha,
            "stopping": self.stopping,
        }
        return pd.DataFrame([shared | asdict(estimate) for estimate in self.estimates])

    def frame(self, first: int = 0, count: int | None = None) -> pd.DataFrame:
        """One row per seat per hand of `count` deals from `first` on; all deals if not given.

        Columns `deal, seating, seat, strategy, won, points, turns, ending`. The hands are not
        kept but played again, so memory grows with what is asked for and not with the run.
        """
        plan = self.trial.plan()
        deals = self.deals - first if count is None else count
        hands = joined([part for _, part in play_many(plan, deals=deals, first=first)])
        shape = hands.points.shape
        deal, seating, seat = (index.ravel() for index in np.indices(shape, dtype=np.int32))
        strategies = np.broadcast_to(np.array(plan.seatings), shape).ravel()
        winner, turns, ending = (
            np.repeat(column.ravel(), shape[2])
            for column in (hands.winner, hands.turns, hands.ending)
        )
        return pd.DataFrame(
            {
                "deal": deal + first,
                "seating": seating,
                "seat": seat,
                "strategy": pd.Categorical(strategies),
                "won": winner == seat,
                "points": hands.points.ravel(),
                "turns": turns,
                "ending": pd.Categorical.from_codes(ending, pd.Index(ENDINGS)),
            }
        )

    def lines(self) -> list[str]:
        """What was played, and what has to be said about it, a sentence each."""
        trial, games = self.trial, self.hands // self.deals
        seats = f"{trial.players} players"
        among = "" if trial.field == trial.control else f", among players of {trial.field}"
        lines = [
            f"{trial.treatment} against {trial.control}{among}: {trial.game}, {seats}",
            f"{rounding.count(self.deals)} deals, {games} games on each with the seats changed "
            f"round; seed {trial.seed}; {self.stopping}; {100 * (1 - self.alpha):g} % intervals",
        ]
        if self.capped > NOTABLE_CAP_SHARE * self.hands:
            share = rounding.percent(self.capped / self.hands)
            lines.append(f"{share} of the hands were stopped by MAX_TURNS")
        return lines

    def _cells(self) -> list[tuple[str, ...]]:
        head = ("metric", "effect a hand", "interval", "verdict", "deals changed", "precision")
        rows = [
            (
                estimate.metric,
                *estimate.text(),
                rounding.percent(estimate.changed),
                "–" if math.isnan(estimate.vrf) else f"× {rounding.significant(estimate.vrf)}",
            )
            for estimate in self.estimates
        ]
        return [head, *rows]

    def __str__(self) -> str:
        cells = self._cells()
        widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
        table = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in cells
        ]
        return "\n".join([*self.lines(), "", *table])

    def _repr_html_(self) -> str:
        head, *rows = [[html.escape(cell) for cell in row] for row in self._cells()]
        said = "<br>".join(html.escape(line) for line in self.lines())
        top = "".join(f"<th>{cell}</th>" for cell in head)
        body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        return f"<p>{said}</p><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def compare(
    game: str,
    control: str,
    treatment: str,
    *,
    others: str | None = None,
    players: int = 2,
    seed: int = 0,
    max_deals: int = MAX_DEALS,
    min_effect: float | None = None,
    alpha: float = 0.05,
    rules: Mapping[str, Any] | None = None,
    jobs: int | None = None,
) -> Comparison:
    """Plays `treatment` and `control` on the same deals and says what the difference is.

    One seat after the other plays the treatment while `others` (the control, if not given)
    play the rest. `min_effect` is the smallest difference in hands won per hand that counts;
    0.02 standard deviations of a single hand if not given, as for the other metrics.
    Strategies are names of the catalogue or paths. The same seed gives the same answer for any
    `jobs`. Raises CooncanError for what cannot be played.
    """
    trial = Trial(game, control, treatment, others or control, players, seed, dict(rules or {}))
    return measure(trial, max_deals, min_effect=min_effect, alpha=alpha, jobs=jobs)


def measure(
    trial: Trial,
    deals: int,
    *,
    min_effect: float | None = None,
    alpha: float = 0.05,
    jobs: int | None = None,
    tick: Tick | None = None,
) -> Comparison:
    """Plays a trial over a fixed number of deals; `tick(n)` hears of every n deals done."""
    if deals < 2:
        raise CooncanError(f"a comparison needs at least 2 deals, not {deals}")
    if not 0 < alpha < 1:
        raise CooncanError(f"alpha must lie between 0 and 1, not {alpha:g}")
    if min_effect is not None and not min_effect > 0:
        raise CooncanError(f"the smallest effect that counts must be above 0, not {min_effect:g}")
    design, metrics = trial.design(), trial.measured
    tally: Tally | None = None
    for _, hands in play_many(trial.plan(), deals=deals, jobs=jobs, progress=tick):
        batch = Tally.of(design, metrics, hands)
        tally = batch if tally is None else tally + batch
    assert tally is not None  # deals ≥ 2
    wanted: Sequence[float | None] = [min_effect, *[None] * (len(metrics) - 1)]
    estimates = tuple(
        estimate(metric, design, tally, least, alpha)
        for metric, least in zip(metrics, wanted, strict=True)
    )
    return Comparison(trial, deals, tally.hands, tally.capped, alpha, STOPPING, estimates)


def estimate(
    metric: Metric, design: Design, tally: Tally, min_effect: float | None, alpha: float
) -> Estimate:
    """What the tally says of one metric."""
    paired = tally.differences[metric.name]
    with_tip, without = tally.treated[metric.name], tally.control.get(metric.name)
    sd = math.sqrt(with_tip.population_variance)
    least = SMALLEST_EFFECT * sd if min_effect is None else min_effect
    span = metric.span(design.players) if metric.span else math.nan
    found = intervals.effect_interval(paired, span, 1 - alpha)
    better, low, high = metric.better or 1, float(found.low), float(found.high)
    gain = (low, high) if better > 0 else (-high, -low)
    settled = verdict(*gain, least) or "unresolved"
    effect, spread = paired.mean, math.sqrt(paired.variance)
    return Estimate(
        metric=metric.name,
        effect=effect,
        low=low,
        high=high,
        se=spread / math.sqrt(paired.n),
        sparse=isinstance(found, SparseBound),
        min_effect=least,
        verdict=settled if metric.better else TURN_VERDICTS.get(settled, settled),
        treatment_mean=with_tip.mean,
        control_mean=_control_mean(metric, design.players, without),
        single_sd=sd,
        games=design.games(metric),
        vrf=_variance_reduction(design.games(metric), with_tip, without, paired),
        changed=paired.nonzero / paired.n,
        changed_bound=intervals.clopper_pearson_upper(paired.nonzero, paired.n),
        hands_to_notice=intervals.hands_to_notice(effect, sd) if effect else math.inf,
        ahead_after_100=float(intervals.chance_ahead(better * effect, sd, SESSION) if sd else 0.5),
    )


def _control_mean(metric: Metric, players: int, played: Moments | None) -> float:
    """Mean of the control: as played, or the fair share where a fixed sum makes it known."""
    if played is not None:
        return played.mean
    assert metric.total is not None  # or it would have been played
    return metric.total(players) / (players * metric.unit(players))


def _variance_reduction(
    games: int, with_tip: Moments, without: Moments | None, paired: Moments
) -> float:
    """Independent games that one game of the design is worth; NaN where too few deals changed.

    With two played arms the same number of independent games would be split between them.
    """
    if paired.nonzero < intervals.MIN_CHANGED:
        return math.nan
    single = with_tip.population_variance
    if without is not None:
        single = 2 * (single + without.population_variance)
    return intervals.variance_reduction(single, games, paired.variance)
