"""Two strategies on the same deals: what a tip is worth, and how sure we are.

Every deal is played several times with the same cards and the seats changed round, and gives
one number for each metric. A deal is the unit: intervals and `n` count deals (STATS.md §1–3).
A run is looked at as it goes on and stops when it is settled (§4); what it has found is then
measured on fresh deals, because the figures of a run that stopped early are inflated.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any

import pandas as pd

from cooncan_sim import catalog, intervals, rounding
from cooncan_sim.arguments import check_count, check_flags, is_number, is_whole, read_rules
from cooncan_sim.designs import EVERYWHERE, METRICS, Design, Metric, metrics_of, mixed, rotations
from cooncan_sim.errors import CooncanError, nearest
from cooncan_sim.estimates import Estimate as Estimate
from cooncan_sim.estimates import Tally as Tally
from cooncan_sim.estimates import estimate as estimate
from cooncan_sim.estimates import least_effect
from cooncan_sim.outcomes import Outcomes, hand_rows, match_rows, play_outcomes
from cooncan_sim.printed import html_lines, html_table, text_table
from cooncan_sim.screen import Course, Screen, Watch, screen
from cooncan_sim.sequential import ConfidenceRule
from cooncan_sim.simulate import Plan

MAX_DEALS = 100_000
PILOT = 1000  # deals that plan a run and are then thrown away
POWER = 0.95  # of the run on fresh deals to find the smallest effect that counts
NOTABLE_CAP_SHARE = 0.001  # more capped hands than this must be mentioned (R-COM-11)
STOPPING = "fixed number of deals"
SEQUENTIAL = "confidence sequence, then a fixed number of fresh deals"
STOCK_ORDER = "per_seat"

Tick = Callable[[int], None]


@dataclass(frozen=True)
class Trial:
    """What is compared with what: everything that decides which hands are played.

    `field` is the strategy of the other seats; where partners play, treatment and control are
    pairs of partners. `metrics`: the one that decides first; those of the game if not given.
    `match`: a deal is a whole match. `treated`: so many players of the treatment at a table, of
    more than one against the rest in every distinct seating. Raises CooncanError for what cannot
    be played or measured.
    """

    game: str
    control: str
    treatment: str
    field: str
    players: int = 2
    seed: int = 0
    rules: Mapping[str, Any] = dataclass_field(default_factory=dict)
    metrics: tuple[str, ...] = ()
    match: bool = False
    treated: int = 1

    def __post_init__(self) -> None:
        game = catalog.game(self.game)
        game.check_players(self.players)
        if not is_whole(self.treated) or not 1 <= self.treated < self.players:
            most = self.players - 1
            raise CooncanError(f"treated: from 1 to {most} players, not {self.treated!r}")
        if self.treated > 1 and game.partners:
            raise CooncanError(
                f"treated: {self.game} is played by two sides, one against the other"
            )
        if self.treated > 1 and self.field != self.control:
            raise CooncanError("treated: the other players are those with whom it is compared")
        usual = self.usual
        for name in self.metrics:
            if not isinstance(name, str) or name not in METRICS:
                known = nearest(name, METRICS, "it is one of")
                raise CooncanError(f"unknown metric {name!r}{known}")
            if self.treated > 1 and METRICS[name].common:
                raise CooncanError(f"{name} is the same for all at a table, whoever plays there")
            if name not in (*usual, *EVERYWHERE):
                where = f"matches of {self.game}" if self.match else self.game
                raise CooncanError(f"{where}: {name} is not measured, but {', '.join(usual)}")

    @property
    def usual(self) -> tuple[str, ...]:
        """The metrics of the game that tell the players of a table apart, if that is asked for."""
        names = metrics_of(self.game, self.match)
        return tuple(name for name in names if self.treated == 1 or not METRICS[name].common)

    @property
    def measured(self) -> list[Metric]:
        """The metrics, the one that decides first."""
        return [METRICS[name] for name in self.metrics or self.usual]

    @property
    def unit(self) -> str:
        """What is counted: deals, or matches."""
        return "matches" if self.match else "deals"

    def design(self, metrics: Sequence[Metric] = ()) -> Design:
        """The games of each deal that these metrics need, all of them if none are given."""
        if self.treated > 1:
            return mixed(self.players, self.treatment, self.control, self.treated)
        sides = 2 if catalog.game(self.game).partners else self.players
        wanted = list(metrics) or self.measured
        return rotations(self.players, self.treatment, self.control, self.field, wanted, sides)

    def plan(self, design: Design | None = None) -> Plan:
        """The games for the simulator."""
        return Plan(
            game=self.game,
            seatings=(design or self.design()).seatings,
            seed=self.seed,
            rules=dict(self.rules),
            stock_order=STOCK_ORDER,
        )


@dataclass(frozen=True)
class Comparison:
    """The answer of `compare`: prints itself, and shows itself in a notebook.

    The estimates are those of `deals` deals from number `first` on, a length fixed before they
    were played: `games` games with `hands` hands, of which MAX_TURNS (MAX_HANDS) stopped `capped`
    games. `screen` is the run that came before and settled the matter, None if there was none.
    """

    trial: Trial
    first: int
    deals: int
    games: int
    hands: int
    capped: int
    alpha: float
    estimates: tuple[Estimate, ...]
    screen: Screen | None = None

    @property
    def stopping(self) -> str:
        """The rule that decided how many deals were played."""
        return SEQUENTIAL if self.screen else STOPPING

    @property
    def verdict(self) -> str:
        """What was settled about the metric that decides."""
        return self.screen.verdict if self.screen else self.estimates[0].verdict

    @property
    def confirmed(self) -> bool:
        """Whether the fresh deals by themselves say the same as the run that was looked at."""
        return self.verdict == self.estimates[0].verdict

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
            **self._screened(),
        }
        return pd.DataFrame([shared | asdict(estimate) for estimate in self.estimates])

    def _screened(self) -> dict[str, Any]:
        if self.screen is None:
            return {}
        low, high = self.screen.limits
        return {
            "unit": self.trial.unit,
            "first_deal": self.first,
            "decided_by": self.screen.metric,
            "decision": self.screen.verdict,
            "decision_deals": self.screen.deals,
            "decision_low": low,
            "decision_high": high,
            "decision_p": self.screen.p,
        }

    def frame(self, first: int | None = None, count: int | None = None) -> pd.DataFrame:
        """One row per seat per hand of `count` deals from number `first` on, by default all.

        Columns `deal, seating, seat, strategy, won, points, turns, ending`; of matches, one row
        per seat: `match, seating, seat, strategy, won, score, hands, turns`. The hands are not
        kept but played again, so memory grows with what is asked for and not with the run.
        """
        begin = self.first if first is None else first
        deals = self.first + self.deals - begin if count is None else count
        rows = match_rows if self.trial.match else hand_rows
        return rows(self.trial.plan(), begin, deals)

    def lines(self) -> list[str]:
        """What was played, and what has to be said about it, a sentence each."""
        trial, games = self.trial, self.games // self.deals
        what = f"matches of {trial.game}" if trial.match else trial.game
        among = "" if trial.field == trial.control else f", among players of {trial.field}"
        against = f"{trial.treatment} against {trial.control}{among}"
        if trial.treated > 1:
            rest = trial.players - trial.treated
            against = f"{trial.treated} of {trial.treatment} against {rest} of {trial.control}"
        design = f"{games} games on each with the seats changed round; seed {trial.seed}; "
        intervals = f"{100 * (1 - self.alpha):g} % intervals"
        deals = rounding.count(self.deals)
        lines = [f"{against}: {what}, {trial.players} players"]
        if self.screen:
            anew = self.estimates[0].verdict
            doubt = "" if self.confirmed else f", which by themselves say: {anew}"
            lines.append(self.screen.line())
            lines.append(f"measured anew on {deals} fresh {trial.unit}{doubt}, {design}{intervals}")
        else:
            lines.append(f"{deals} {trial.unit}, {design}{self.stopping}; {intervals}")
        if self.capped > NOTABLE_CAP_SHARE * self.games:
            share = rounding.percent(self.capped / self.games)
            stopped = "matches were stopped by MAX_HANDS"
            lines.append(
                f"{share} of the " + (stopped if trial.match else "hands were stopped by MAX_TURNS")
            )
        return lines + catalog.game(trial.game).remarks(trial.rules)

    def _cells(self) -> list[tuple[str, ...]]:
        effect = "effect a match" if self.trial.match else "effect a hand"
        head = ("metric", effect, "interval", "verdict", f"{self.trial.unit} changed", "precision")
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
        return "\n".join([*self.lines(), "", text_table(self._cells())])

    def _repr_html_(self) -> str:
        return html_lines(self.lines()) + html_table(self._cells())


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
    metric: str = "win",
    match: bool = False,
    strict: bool = False,
    treated: int = 1,
) -> Comparison:
    """Plays `treatment` and `control` on the same deals and says what the difference is.

    One seat after the other plays the treatment while `others` (the control, if not given)
    play the rest; of partners, one pair after the other. The run stops as soon as the
    confidence sequence of `metric` settles it, at the latest after `max_deals`; its verdict is
    `helps`, `hurts`, `no practical difference` or `unresolved`. Fresh deals then say how much.
    An interval clear of 0 says `helps` or `hurts`, however small the effect; one about 0 that
    lies within ± `min_effect` says `no practical difference`. That is per hand, in the unit of
    the metric: hands won for `win`, points for `net`; 0.02 standard deviations of a single hand
    if not given. `match`: whole matches in place of hands. `strict`: an interval that needs no
    central limit theorem, and more deals.
    `treated`: more than one player of the treatment at a table against the rest, who play the
    control, in every distinct seating; the effect is the mean of the ones less that of the others.
    Strategies are names of the catalogue or paths. The same seed gives the same answer for any
    `jobs`. Raises CooncanError for what cannot be played.
    """
    check_flags(match=match, strict=strict)
    given, field = read_rules(rules), control if others is None else others
    trial = Trial(game, control, treatment, field, players, seed, given, (), match, treated)
    return decide(
        by_metric(trial, metric), max_deals, min_effect, alpha=alpha, strict=strict, jobs=jobs
    )


def by_metric(trial: Trial, metric: str) -> Trial:
    """The trial with this metric as the one that decides, the others after it."""
    others = [name for name in trial.usual if name != metric]
    return replace(trial, metrics=(metric, *others))


def decide(
    trial: Trial,
    max_deals: int = MAX_DEALS,
    min_effect: float | None = None,
    *,
    alpha: float = 0.05,
    strict: bool = False,
    fresh: int = 0,
    jobs: int | None = None,
    watch: Watch | None = None,
) -> Comparison:
    """Screens a trial and measures on fresh deals what it found; `watch` hears how it goes.

    Deals 0 … 999 are the pilot, which plans both parts and is thrown away; the screen follows
    at once, and where that stopped the measurement: no shorter than the screen, nor than `fresh`.
    """
    check(max_deals, min_effect, alpha)
    hear = watch or (lambda line: None)
    metric = trial.measured[0]
    design = trial.design([metric])
    course = Course(trial.plan(design), design, metric, 0, trial.match, jobs)
    hear(f"{PILOT:,} {trial.unit} to plan by")
    plan = Planned.of(pilot(course), max_deals, min_effect, alpha)
    found = screen(replace(course, first=PILOT), plan.rule(max_deals, alpha), strict, hear)
    # What took long to settle takes as long to confirm.
    fresh = max(plan.fresh, found.deals, fresh)
    start, done = PILOT + found.deals, 0

    def tick(deals: int) -> None:
        nonlocal done
        done += deals
        hear(f"{found.verdict}; measured anew: {done:,} of {fresh:,} {trial.unit}")

    least = plan.delta or None
    answer = measure(trial, fresh, first=start, min_effect=least, alpha=alpha, jobs=jobs, tick=tick)
    return replace(answer, screen=found)


def pilot(course: Course) -> Tally:
    """The first 1,000 deals of a course, to plan by and then to throw away."""
    pieces = play_outcomes(course.plan, course.match, course.first, PILOT, course.jobs)
    return Tally.of(course.design, [course.metric], Outcomes.joined(list(pieces)))


@dataclass(frozen=True)
class Planned:
    """From a pilot: the smallest effect that counts, the SD of a deal, and a fixed length.

    `fresh` deals find that effect with a power of 95 %; at least as many as the pilot's, and at
    most `max_deals`.
    """

    delta: float
    sd: float
    fresh: int

    @classmethod
    def of(cls, tried: Tally, max_deals: int, min_effect: float | None, alpha: float) -> "Planned":
        """The plan for the one metric of a pilot."""
        [single], [paired] = tried.treated.values(), tried.differences.values()
        sd = math.sqrt(paired.variance)
        delta = least_effect(math.sqrt(single.population_variance), min_effect)
        wanted = PILOT  # where no deal of the pilot changed there is nothing to plan by
        if sd and delta:
            wanted = math.ceil(intervals.deals_for_power(delta, sd, POWER, alpha))
        return cls(delta, sd, min(max(wanted, PILOT), max_deals))

    def rule(self, max_deals: int, alpha: float) -> ConfidenceRule:
        """The stopping rule that this makes tightest where it matters."""
        if not self.sd or not self.delta:
            return ConfidenceRule(self.delta, max_deals, alpha)
        return ConfidenceRule.planned(self.delta, self.sd, max_deals, alpha)


def measure(
    trial: Trial,
    deals: int,
    *,
    first: int = 0,
    min_effect: float | None = None,
    alpha: float = 0.05,
    jobs: int | None = None,
    tick: Tick | None = None,
) -> Comparison:
    """Plays a fixed number of deals from number `first` on; `tick(n)` hears of n more done."""
    check(deals, min_effect, alpha)
    design, metrics = trial.design(), trial.measured
    tally: Tally | None = None
    for played in play_outcomes(trial.plan(), trial.match, first, deals, jobs):
        batch = Tally.of(design, metrics, played)
        tally = batch if tally is None else tally + batch
        if tick is not None:
            tick(len(played))
    assert tally is not None  # deals ≥ 2
    wanted: Sequence[float | None] = [min_effect, *[None] * (len(metrics) - 1)]
    estimates = tuple(
        estimate(metric, design, tally, least, alpha)
        for metric, least in zip(metrics, wanted, strict=True)
    )
    return Comparison(trial, first, deals, tally.games, tally.hands, tally.capped, alpha, estimates)


def check(deals: int, min_effect: float | None, alpha: float) -> None:
    """Raises CooncanError for a run that could say nothing."""
    check_count(deals, "deals", least=2)
    if not is_number(alpha) or not 0 < alpha < 1:
        raise CooncanError(f"alpha must lie between 0 and 1, not {alpha!r}")
    if min_effect is not None and (not is_number(min_effect) or not min_effect > 0):
        raise CooncanError(
            f"the smallest effect that counts must be a number above 0, not {min_effect!r}"
        )
