"""What a question asks, step by step: each step is played by itself and gives rows of tables.

The columns of the tables stand in the docstrings of the three kinds of step; a report reads them
from there. Numbers are as measured, never scaled or rounded: shares lie in 0 … 1.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import pandas as pd

from cooncan_sim import catalog
from cooncan_sim.compare import PILOT, STOCK_ORDER, Comparison, Trial, decide, measure
from cooncan_sim.measures import MEASURES, Ratio
from cooncan_sim.observing import (
    Arm,
    Difference,
    Seen,
    observe,
    on_same_deals,
    on_their_own,
    read,
    tables_needed,
)
from cooncan_sim.question import CONTROL, Contest, Question, Side, combinations
from cooncan_sim.simulate import Plan

ALPHA = 0.05
Tick = Callable[[int], None]
Tables = dict[str, pd.DataFrame]
Claim = Literal["supported", "refuted", "open", ""]


def judge(low: float, high: float, effect: float, least: float) -> Claim:
    """Whether a claim of a gain of at least `least` stands (RULES.md Part 3, *Decision*).

    Supported: the interval lies above 0 and the estimate reaches `least`. Refuted: the whole
    interval stays below `least`. Open: more deals are needed. A `least` below 0 claims a fall.
    """
    if least < 0:
        return judge(-high, -low, -effect, -least)
    if low > 0 and effect >= least:
        return "supported"
    return "refuted" if high < least else "open"


def judge_range(low: float, high: float, above: float | None, below: float | None) -> Claim:
    """Whether a claim that a number lies above one and below another stands; "" if none is made."""
    if above is None and below is None:
        return ""
    least = -math.inf if above is None else above
    most = math.inf if below is None else below
    if low > least and high < most:
        return "supported"
    return "refuted" if high <= least or low >= most else "open"


def words(rules: Mapping[str, Any]) -> str:
    """`HAND_SIZE=11, LAYOFF_SCOPE=own`."""
    return ", ".join(f"{name}={value}" for name, value in sorted(rules.items()))


@dataclass(frozen=True)
class Comparing:
    """One comparison of two strategies. Its tables have a row for each metric:

    comparisons   the metric that decides: comparison (number in the file, from 1), design (D1,
                  D3, D4), treatment_label, control_label, sweep ("k=1"), unit (deals, matches),
                  game, players, control, treatment, field (strategies), rules, seed, stock_order,
                  deals, hands, capped_hands (of the measurement), alpha, stopping, first_deal;
                  decision, decision_deals, decision_low, decision_high, decision_p (the screen
                  that stopped early; "" and NaN with a fixed number of deals); every field of
                  `estimates.Estimate`; p_holm (p among the comparisons of the file) and claim
    secondary     the other metrics of the same games: the same columns without the last two
    looks         the screen as it tightened: comparison, deals, gain, low, high

    The estimates are those of fresh deals.
    """

    trial: Trial
    deals: int
    sequential: bool
    min_effect: float
    treatment: Side
    control: Side
    sweep: str = ""

    kind = "comparison"
    tables = ("secondary", "looks", "comparisons")  # the last one says that the step is done

    @property
    def plans(self) -> list[Plan]:
        """What is played, to be checked before anything is."""
        return [self.trial.plan()]

    @property
    def most_deals(self) -> int:
        """Deals that are played at most."""
        return PILOT + 2 * self.deals if self.sequential else self.deals

    def settings(self) -> dict[str, Any]:
        """All that decides the numbers."""
        return asdict(self.trial) | {
            "deals": self.deals,
            "sequential": self.sequential,
            "min_effect": self.min_effect,
            "labels": [self.treatment.label, self.control.label],
        }

    def play(self, jobs: int | None, tick: Tick, memory: "Memory") -> Tables:
        """Plays it; `tick(n)` hears of n more of `most_deals` that are done or not needed."""
        if self.sequential:
            found = decide(self.trial, self.deals, self.min_effect, alpha=ALPHA, jobs=jobs)
            tick(self.most_deals)
        else:
            found = measure(
                self.trial,
                self.deals,
                min_effect=self.min_effect,
                alpha=ALPHA,
                jobs=jobs,
                tick=tick,
            )
        rows = self._rows(found)
        looks = found.screen.path() if found.screen else pd.DataFrame()
        return {"comparisons": rows[:1], "secondary": rows[1:], "looks": looks}

    def _rows(self, found: Comparison) -> pd.DataFrame:
        rows = found.summary()
        sides = 2 if catalog.game(self.trial.game).partners else self.trial.players
        design = "D4" if self.trial.match else "D3" if sides == 2 else "D1"
        heads = {
            "design": design,
            "treatment_label": self.treatment.label,
            "control_label": self.control.label,
            "sweep": self.sweep,
            "unit": self.trial.unit,
            "first_deal": found.first,
        }
        if not found.screen:
            none = {f"decision_{what}": math.nan for what in ("deals", "low", "high", "p")}
            heads |= {"decided_by": "", "decision": "", **none}
        for name, value in heads.items():
            rows[name] = value
        rows["decision_deals"] = rows["decision_deals"].astype(float)
        return rows


@dataclass(frozen=True)
class Contrasting:
    """One way of playing against another. Its table `contrasts` has a row for each measure:

    contrast (number in the file), metric, primary (the one the claim is about), design (D2 on the
    same deals, D5 independent), treatment_label, control_label, switch and option (of house rules,
    else ""), treatment_game, control_game, treatment_rules, control_rules, strategy, players, unit,
    seed, stock_order, deals (of each arm), hands, capped_hands (of both together), alpha;
    treatment_mean, treatment_low, treatment_high and the same of control; effect, se, low, high,
    p (of no effect), changed (share of deals that came out differently), vrf (both NaN in D5);
    min_effect (NaN if nothing is claimed), p_holm (among the primary rows of the file with a
    claim) and claim ("" without one).
    """

    treatment: Arm
    control: Arm
    labels: tuple[str, str]
    measures: tuple[str, ...]
    deals: int
    min_effect: float | str | None = None
    switch: str = ""
    option: str = ""

    kind = "contrast"
    tables = ("contrasts",)

    @property
    def plans(self) -> list[Plan]:
        """What is played, to be checked before anything is."""
        return _plans((self.treatment, self.control), self.measures)

    @property
    def most_deals(self) -> int:
        """Deals that are played."""
        return 2 * self.deals * tables_needed(self.measures)

    def settings(self) -> dict[str, Any]:
        """All that decides the numbers."""
        return asdict(self)

    def play(self, jobs: int | None, tick: Tick, memory: "Memory") -> Tables:
        """Plays both arms, the control only if `memory` has not just done so."""
        treated = observe(self.treatment, self.measures, self.deals, jobs, tick)
        control = memory.observe(self.control, self.measures, self.deals, jobs, tick)
        rows = [self._row(name, treated, control) for name in self.measures]
        return {"contrasts": pd.DataFrame(rows)}

    def _row(self, name: str, treated: Seen, control: Seen) -> dict[str, Any]:
        one, other = treated.ratios[name], control.ratios[name]
        share = _is_share(name)
        with_it, without = read(one, ALPHA, share), read(other, ALPHA, share)
        coupled = self.treatment.game == self.control.game
        found = (
            on_same_deals(one, other, ALPHA, share)
            if coupled
            else on_their_own(with_it, without, self.deals, ALPHA)
        )
        primary = name == self.measures[0]
        return {
            "metric": name,
            "primary": primary,
            "design": "D2" if coupled else "D5",
            "treatment_label": self.labels[0],
            "control_label": self.labels[1],
            "switch": self.switch,
            "option": self.option,
            "treatment_game": self.treatment.game,
            "control_game": self.control.game,
            "treatment_rules": words(self.treatment.rules),
            "control_rules": words(self.control.rules),
            **_shared(self.treatment, self.deals),
            "hands": treated.hands + control.hands,
            "capped_hands": treated.capped + control.capped,
            **{f"treatment_{k}": v for k, v in _limits(with_it).items()},
            **{f"control_{k}": v for k, v in _limits(without).items()},
            **asdict(found),
            **self._judged(found, without.value, primary),
        }

    def _judged(self, found: Difference, mean: float, primary: bool) -> dict[str, Any]:
        least = self.min_effect
        if least is None or not primary:
            return {"min_effect": math.nan, "claim": ""}
        if isinstance(least, str):
            least = float(least.removesuffix("%")) / 100 * mean
        return {
            "min_effect": least,
            "claim": judge(found.low, found.high, found.effect, least),
        }


@dataclass(frozen=True)
class Observing:
    """One way of playing by itself. Its tables have a row for each measure, and for each value:

    observations    observation (number in the file), metric, primary (the one the claim is about),
                    game, rules, strategy, players, unit, seed, stock_order, deals, hands,
                    capped_hands, alpha; value, se, low, high, interval (how the limits were
                    found), events and count (what was counted, and out of how many; shares of a
                    win in parts of one); above and below (NaN if not claimed) and claim ("" if
                    nothing is claimed)
    distributions   observation, game, rules, strategy, players, metric (points of a player or
                    side, turns of a hand), value, count (how often it came)
    """

    arm: Arm
    measures: tuple[str, ...]
    deals: int
    above: float | None = None
    below: float | None = None
    distribution: tuple[str, ...] = field(default=())

    kind = "observation"
    tables = ("distributions", "observations")

    @property
    def plans(self) -> list[Plan]:
        """What is played, to be checked before anything is."""
        return _plans((self.arm,), self.measures)

    @property
    def most_deals(self) -> int:
        """Deals that are played."""
        return self.deals * tables_needed(self.measures)

    def settings(self) -> dict[str, Any]:
        """All that decides the numbers."""
        return asdict(self)

    def play(self, jobs: int | None, tick: Tick, memory: "Memory") -> Tables:
        """Plays it."""
        seen = observe(self.arm, self.measures, self.deals, jobs, tick, self.distribution)
        heads = {
            "game": self.arm.game,
            "rules": words(self.arm.rules),
            **_shared(self.arm, self.deals),
            "hands": seen.hands,
            "capped_hands": seen.capped,
        }
        rows = [self._row(name, seen.ratios[name], heads) for name in self.measures]
        head = {name: heads[name] for name in ("game", "rules", "strategy", "players")}
        values = [
            pd.DataFrame({**head, "metric": name, "value": value, "count": count})
            for name, (value, count) in seen.values.items()
        ]
        spread = pd.concat(values, ignore_index=True) if values else pd.DataFrame()
        return {"observations": pd.DataFrame(rows), "distributions": spread}

    def _row(self, name: str, ratios: Sequence[Ratio], heads: dict[str, Any]) -> dict[str, Any]:
        reading = read(ratios, ALPHA, _is_share(name))
        primary = name == self.measures[0]
        above, below = (self.above, self.below) if primary else (None, None)
        return {
            "metric": name,
            "primary": primary,
            **heads,
            **asdict(reading),
            "above": math.nan if above is None else above,
            "below": math.nan if below is None else below,
            "claim": judge_range(reading.low, reading.high, above, below),
        }


Step = Comparing | Contrasting | Observing


class Memory:
    """Remembers the arm that was observed last: house rules are all set against one default."""

    def __init__(self) -> None:
        self._last: tuple[Any, Seen] | None = None

    def observe(
        self, arm: Arm, measures: tuple[str, ...], deals: int, jobs: int | None, tick: Tick
    ) -> Seen:
        """As `observing.observe`, but not twice running."""
        asked = (arm, measures, deals)
        if self._last is None or self._last[0] != asked:
            self._last = (asked, observe(arm, measures, deals, jobs, tick))
        else:
            tick(deals * tables_needed(measures))
        return self._last[1]


def steps(question: Question, quick: bool) -> list[Step]:
    """Everything to play, in the order in which it is played."""
    return [
        *(step for contest in question.compare for step in _compared(contest, question, quick)),
        *_contrasted(question, quick),
        *_by_house_rule(question, quick),
        *_observed(question, quick),
    ]


def _compared(contest: Contest, question: Question, quick: bool) -> Iterator[Comparing]:
    fixed = contest.deals is not None
    deals = contest.quick_deals if quick else (contest.deals or contest.max_deals)
    for game in contest.game:
        for rules in combinations(contest.rules):
            for weights in combinations(contest.sweep):
                for plain in contest.controls:
                    treatment = contest.treatment.with_weights(weights)
                    control = plain.with_weights(weights)
                    for name in contest.fields:
                        others = control if name == CONTROL else Side(name, name)
                        for players in contest.players:
                            trial = Trial(
                                game,
                                control.strategy,
                                treatment.strategy,
                                others.with_weights(weights).strategy,
                                players,
                                question.seed,
                                rules,
                                (contest.metric, *contest.secondary),
                                contest.match,
                            )
                            least, swept = (
                                contest.min_effect,
                                words({k: f"{v:g}" for k, v in weights.items()}),
                            )
                            yield Comparing(
                                trial, deals, not fixed, least, treatment, control, swept
                            )


def _contrasted(question: Question, quick: bool) -> Iterator[Contrasting]:
    for asked in question.contrast:
        for strategy in asked.strategies:
            for players in asked.players:
                arms = [
                    Arm(one.game, players, strategy, one.rules, asked.match, question.seed)
                    for one in (asked.treatment, asked.control)
                ]
                yield Contrasting(
                    arms[0],
                    arms[1],
                    (asked.treatment.label, asked.control.label),
                    (asked.metric, *asked.secondary),
                    asked.quick_deals if quick else asked.deals,
                    asked.min_effect,
                )


def _by_house_rule(question: Question, quick: bool) -> Iterator[Contrasting]:
    for asked in question.house_rules:
        for game in asked.game:
            usual = catalog.game(game).rules()
            for strategy in asked.strategies:
                for players in asked.players:
                    control = Arm(game, players, strategy, {}, asked.match, question.seed)
                    for switch, options in asked.options.items():
                        for option in options:
                            yield Contrasting(
                                Arm(
                                    game,
                                    players,
                                    strategy,
                                    {switch: option},
                                    asked.match,
                                    question.seed,
                                ),
                                control,
                                (f"{switch} {option}", f"{switch} {usual[switch]}"),
                                (asked.metric, *asked.secondary),
                                asked.quick_deals if quick else asked.deals,
                                None,
                                switch,
                                str(option),
                            )


def _observed(question: Question, quick: bool) -> Iterator[Observing]:
    for asked in question.observe:
        for game in asked.game:
            for rules in combinations(asked.rules):
                for strategy in asked.strategies:
                    for players in asked.players:
                        yield Observing(
                            Arm(game, players, strategy, rules, asked.match, question.seed),
                            (asked.metric, *asked.secondary),
                            asked.quick_deals if quick else asked.deals,
                            asked.above,
                            asked.below,
                            asked.distribution,
                        )


def _plans(arms: Sequence[Arm], measures: Sequence[str]) -> list[Plan]:
    tables = dict.fromkeys(MEASURES[name].table for name in measures)
    return [arm.plan(table) for arm in arms for table in tables]


def _is_share(name: str) -> bool:
    return MEASURES[name].scale == 100


def _shared(arm: Arm, deals: int) -> dict[str, Any]:
    return {
        "strategy": arm.strategy,
        "players": arm.players,
        "unit": "matches" if arm.match else "deals",
        "seed": arm.seed,
        "stock_order": STOCK_ORDER,
        "deals": deals,
        "alpha": ALPHA,
    }


def _limits(reading: Any) -> dict[str, float]:
    return {"mean": reading.value, "low": reading.low, "high": reading.high}
