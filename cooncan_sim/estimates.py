"""What the deals of a comparison add up to, and what that says of each metric."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from cooncan_sim import intervals, rounding
from cooncan_sim.designs import METRICS, Design, Metric, check_balance
from cooncan_sim.intervals import Moments, SparseBound
from cooncan_sim.outcomes import Outcomes
from cooncan_sim.sequential import verdict

SMALLEST_EFFECT = 0.02  # in standard deviations of a single hand, where no effect is named
SESSION = 100  # hands after which the chance to be ahead is told


@dataclass(frozen=True)
class Tally:
    """All that is kept of the deals played so far, in whole numbers: tallies of batches add.

    `differences` has one number per deal, `treated` and `control` one per place; each is
    keyed by metric, and `control` lacks the metrics whose baseline needs no game. `hands` and
    `games` were played, of which MAX_TURNS (MAX_HANDS) stopped `capped`.
    """

    differences: Mapping[str, Moments]
    treated: Mapping[str, Moments]
    control: Mapping[str, Moments]
    hands: int
    games: int
    capped: int

    @classmethod
    def of(cls, design: Design, metrics: list[Metric], played: Outcomes) -> "Tally":
        """Tally of one batch. Raises CooncanError where the sides of a game do not balance."""
        check_balance(metrics, played)
        differences, treated, control = {}, {}, {}
        for metric in metrics:
            unit = metric.unit(design.sides)
            with_tip, without = design.arms(metric, played)
            numerators = design.differences(metric, with_tip, without)
            differences[metric.name] = Moments.of(numerators, design.unit(metric))
            treated[metric.name] = Moments.of(with_tip.ravel(), unit)
            if without is not None:
                control[metric.name] = Moments.of(without.ravel(), unit)
        hands, capped = int(played.hands.sum()), int(played.stopped.sum())
        return cls(differences, treated, control, hands, played.stopped.size, capped)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            {name: self.differences[name] + other.differences[name] for name in self.differences},
            {name: self.treated[name] + other.treated[name] for name in self.treated},
            {name: self.control[name] + other.control[name] for name in self.control},
            self.hands + other.hands,
            self.games + other.games,
            self.capped + other.capped,
        )


@dataclass(frozen=True)
class Estimate:
    """What one metric says: treatment less control, per hand (in a comparison of matches: each).

    `low` and `high` are the limits at confidence 1 − alpha; where fewer than 50 deals came out
    differently (`sparse`) they are the bound that the share of changed deals puts on the
    effect, NaN if the metric has no range. `min_effect` is the smallest effect that counts.
    `control_mean` is played or, for a metric with a fixed sum in a field of controls, known.
    `single_sd` is the spread of a single hand, `vrf` how many independent games one game of
    this design is worth, `games` the games per deal that the number uses, `changed` the share
    of deals that came out differently and `changed_bound` its one-sided upper 95 % bound. The
    next two say what a player would notice: after how many hands the effect stands out of
    luck, and the chance to be ahead after 100. `p` is the two-sided p-value of no effect, NaN
    where sparse.
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
    p: float

    def text(self) -> tuple[str, str, str]:
        """Effect, interval and verdict for people: `+1.20 pp`, `+0.95 … +1.45`, `helps`."""
        if self.sparse and not self.changed:
            return "no deal changed", "–", self.verdict
        if math.isnan(self.low):
            return "too few deals changed", "–", self.verdict
        return *spoken(METRICS[self.metric], self.effect, self.low, self.high), self.verdict


def spoken(metric: Metric, effect: float, low: float, high: float) -> tuple[str, str]:
    """An effect and its interval for people, with the decimals that the interval bears out."""
    low, high = metric.scale * low, metric.scale * high
    places = rounding.decimals((high - low) / 2)
    limits = f"{rounding.signed(low, places)} … {rounding.signed(high, places)}"
    return f"{rounding.signed(metric.scale * effect, places)} {metric.suffix}", limits


def least_effect(single_sd: float, named: float | None) -> float:
    """The smallest effect that counts: the one named, or 0.02 SDs of a single hand."""
    return SMALLEST_EFFECT * single_sd if named is None else named


def worded(metric: Metric, settled: str | None) -> str:
    """A verdict on a gain in the metric's own words."""
    return {"helps": metric.more, "hurts": metric.less}.get(settled or "", settled or "unresolved")


def estimate(
    metric: Metric, design: Design, tally: Tally, min_effect: float | None, alpha: float
) -> Estimate:
    """What the tally says of one metric."""
    paired = tally.differences[metric.name]
    with_tip, without = tally.treated[metric.name], tally.control.get(metric.name)
    sd = math.sqrt(with_tip.population_variance)
    least = least_effect(sd, min_effect)
    found = intervals.effect_interval(paired, design.span(metric), 1 - alpha)
    sparse = isinstance(found, SparseBound)
    better, low, high = metric.better or 1, float(found.low), float(found.high)
    if low == high:
        low, high = _of_like_deals(paired, design.span(metric))
    gain = (low, high) if better > 0 else (-high, -low)
    effect, spread = paired.mean, math.sqrt(paired.variance)
    return Estimate(
        metric=metric.name,
        effect=effect,
        low=low,
        high=high,
        se=spread / math.sqrt(paired.n),
        sparse=sparse,
        min_effect=least,
        verdict=worded(metric, verdict(*gain, least)),
        treatment_mean=with_tip.mean,
        control_mean=_control_mean(metric, design.sides, without),
        single_sd=sd,
        games=design.games(metric),
        vrf=_variance_reduction(design.games(metric), with_tip, without, paired),
        changed=paired.nonzero / paired.n,
        changed_bound=intervals.clopper_pearson_upper(paired.nonzero, paired.n),
        hands_to_notice=intervals.hands_to_notice(effect, sd) if effect else math.inf,
        ahead_after_100=_chance_ahead(better * effect, sd),
        p=math.nan if sparse else intervals.t_test(paired.summary) if spread else 0.0,
    )


def _of_like_deals(paired: Moments, span: float) -> tuple[float, float]:
    """Limits where every deal came out alike: without spread a t interval would be a point.

    The share of deals that could come out otherwise is bounded, and how far they could lie off;
    without a range nothing is known of that, and the point stays.
    """
    if math.isnan(span):
        return paired.mean, paired.mean
    share = intervals.clopper_pearson_upper(0, paired.n)
    return paired.mean - share * (span + paired.mean), paired.mean + share * (span - paired.mean)


def _control_mean(metric: Metric, sides: int, played: Moments | None) -> float:
    """Mean of the control: as played, or the fair share where a fixed sum makes it known."""
    if played is not None:
        return played.mean
    assert metric.total is not None  # or it would have been played
    return metric.total(sides) / (sides * metric.unit(sides))


def _chance_ahead(gain: float, single_sd: float) -> float:
    if not single_sd:  # every hand of the treatment came out alike
        return 0.5 if not gain else float(gain > 0)
    return float(intervals.chance_ahead(gain, single_sd, SESSION))


def _variance_reduction(
    games: int, with_tip: Moments, without: Moments | None, paired: Moments
) -> float:
    """Independent games that one game of the design is worth; NaN where too few deals changed.

    With two played arms the same number of independent games would be split between them.
    """
    if paired.nonzero < intervals.MIN_CHANGED or not paired.variance:
        return math.nan
    single = with_tip.population_variance
    if without is not None:
        single = 2 * (single + without.population_variance)
    return intervals.variance_reduction(single, games, paired.variance)
