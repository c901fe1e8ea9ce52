"""A comparison that is looked at while it goes on, and stops as soon as it is settled.

Looks come at the ends of batches of deals in their order, so where a run stops and what it says
depend on the seed alone (STATS.md §4).
"""

import math
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.designs import METRICS, Design, Metric, check_balance
from cooncan_sim.errors import CooncanError
from cooncan_sim.estimates import spoken, worded
from cooncan_sim.intervals import MIN_CHANGED, Moments, clopper_pearson_upper
from cooncan_sim.outcomes import play_to_looks
from cooncan_sim.sequential import (
    ConfidenceRule,
    Gate,
    GateLook,
    Look,
    StrictSequence,
    Verdict,
    verdict,
)
from cooncan_sim.simulate import Plan

Watch = Callable[[str], None]
Looks = Generator[tuple[Look, Moments], None, None]  # each with the moments up to it


@dataclass(frozen=True)
class Course:
    """Where a screened run plays: its games, the metric that decides, and its first deal."""

    plan: Plan
    design: Design
    metric: Metric
    first: int = 0
    match: bool = False
    jobs: int | None = None

    @property
    def unit(self) -> int:
        """The differences are whole numbers of 1/this."""
        return self.design.unit(self.metric)

    def batches(self, max_deals: int) -> Generator[np.ndarray, None, None]:
        """Numerators of the deals' gains, int64, up to each look in turn."""
        sign = self.metric.better or 1
        for played in play_to_looks(self.plan, self.match, self.first, max_deals, self.jobs):
            check_balance([self.metric], played)
            arms = self.design.arms(self.metric, played)
            yield sign * self.design.differences(self.metric, *arms)


@dataclass(frozen=True)
class Screen:
    """The looks of a run, the last of which settled it or reached the cap.

    The looks are about *gains*: where less of the metric is better, a fall of it. The interval
    holds at all looks together, with probability 1 − alpha. The estimate is inflated where a
    run stopped early, so no figure should be quoted from here. `delta` is the smallest gain
    that counts, `sparse` says that fewer than 50 deals had come out differently at the end,
    `unit` what was counted: deals or matches.
    """

    metric: str
    first: int
    looks: tuple[Look, ...]
    delta: float
    alpha: float
    strict: bool
    sparse: bool
    unit: str

    @property
    def deals(self) -> int:
        """Deals at the last look."""
        return self.looks[-1].n

    @property
    def verdict(self) -> str:
        """What the run settled, in the metric's words; `unresolved` at the cap."""
        return worded(METRICS[self.metric], self.looks[-1].verdict)

    @property
    def limits(self) -> tuple[float, float]:
        """The interval of the effect at the last look."""
        return _effect(METRICS[self.metric], self.looks[-1])[1:]

    @property
    def p(self) -> float:
        """p-value of no effect, valid wherever the run stops; NaN in strict mode."""
        return math.nan if self.strict else self.looks[-1].p

    def path(self) -> pd.DataFrame:
        """The interval as it tightened, one row per look: `deals, gain, low, high`."""
        rows = [(look.n, look.estimate, look.low, look.high) for look in self.looks]
        return pd.DataFrame(rows, columns=["deals", "gain", "low", "high"])

    def line(self) -> str:
        """What the run came to, in a sentence."""
        metric, after = METRICS[self.metric], f"{self.deals:,} {self.unit}"
        if self.verdict == "unresolved":
            said = f"unresolved after {after}, the most allowed"
        elif self.sparse:
            said = f"{self.verdict}: next to none of {after} changed"
        else:
            said = f"{self.verdict}: settled after {after}"
        if math.isinf(self.looks[-1].low) or not self.looks[-1].se:  # no interval, or a point
            return said
        kind = "a strict interval" if self.strict else "an interval"
        shown = spoken(metric, *_effect(metric, self.looks[-1]))[1]
        return f"{said} by {kind} that holds at every look ({self.metric} {shown} {metric.suffix})"


def screen(
    course: Course, rule: ConfidenceRule, strict: bool = False, watch: Watch | None = None
) -> Screen:
    """Plays until the rule settles it; `watch` hears a line at every look.

    `strict` puts the empirical-Bernstein sequence in the rule's place, which needs no central
    limit theorem and takes longer. Raises CooncanError for a metric without limits there.
    """
    looking = _strict(course, rule) if strict else _asymptotic(course, rule)
    looks, seen = [], Moments(unit=course.unit)
    with closing(looking):
        for look, moments in looking:
            looks.append(look)
            seen = moments
            if watch is not None:
                watch(_progress(course.metric, look))
            if look.verdict is not None:
                break
    sparse = seen.nonzero < MIN_CHANGED
    if sparse:
        looks[-1] = replace(looks[-1], verdict=_of_few_changes(course, seen, rule.delta))
    return Screen(
        metric=course.metric.name,
        first=course.first,
        looks=tuple(looks),
        delta=rule.delta,
        alpha=rule.alpha,
        strict=strict,
        sparse=sparse,
        unit="matches" if course.match else "deals",
    )


def _asymptotic(course: Course, rule: ConfidenceRule) -> Looks:
    look, moments = None, Moments(unit=course.unit)
    for numerators in course.batches(rule.max_deals):
        moments += Moments.of(numerators, course.unit)
        look = rule.look(moments, look)
        yield look, moments


def _strict(course: Course, rule: ConfidenceRule) -> Looks:
    span = course.design.span(course.metric)
    if math.isnan(span):
        raise CooncanError(f"{course.metric.name} has no limits: the strict rule needs them")
    sequence, moments = StrictSequence(-span, span, rule.alpha), Moments(unit=course.unit)
    for numerators in course.batches(rule.max_deals):
        moments += Moments.of(numerators, course.unit)
        sequence = sequence.extend(numerators / course.unit)
        centre, half = sequence.interval
        settled = sequence.verdict(rule.delta, rule.max_deals)
        se = math.sqrt(moments.variance / moments.n)
        yield Look(moments.n, centre, se, centre - half, centre + half, 0, 0, settled), moments


def _of_few_changes(course: Course, moments: Moments, delta: float) -> Verdict:
    """At the cap with too few changed deals for an interval: what their share allows to say."""
    bound = clopper_pearson_upper(moments.nonzero, moments.n) * course.design.span(course.metric)
    return verdict(-bound, bound, delta) or "unresolved"


def gate(course: Course, rule: Gate, watch: Watch | None = None) -> GateLook:
    """Plays until the gate passes or fails, or to its cap."""
    look, moments = None, Moments(unit=course.unit)
    with closing(course.batches(rule.max_deals)) as batches:
        for numerators in batches:
            moments += Moments.of(numerators, course.unit)
            look = rule.look(moments)
            if watch is not None:
                watch(f"{look.n:,} deals: log likelihood ratio {rounding.signed(look.llr, 2)}")
            if look.verdict is not None:
                break
    assert look is not None  # max_deals ≥ 1
    return look


def _effect(metric: Metric, look: Look) -> tuple[float, float, float]:
    """Estimate and limits of the effect, where a look speaks of gains."""
    if metric.better < 0:
        return -look.estimate, -look.high, -look.low
    return look.estimate, look.low, look.high


def _progress(metric: Metric, look: Look) -> str:
    if math.isinf(look.low):
        return f"{look.n:,} deals: too few changed to tell"
    effect, limits = spoken(metric, *_effect(metric, look))
    return f"{look.n:,} deals: {metric.name} {effect} ({limits})"
