"""Ways of playing, contrasted and observed, as steps of a question; the columns of their tables.

Numbers are as measured, never scaled or rounded: shares lie in 0 … 1.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import pandas as pd

from cooncan_sim.compare import STOCK_ORDER
from cooncan_sim.judging import ALPHA, Tables, Tick, judge_range, words
from cooncan_sim.measures import MEASURES, Ratio
from cooncan_sim.observing import (
    Arm,
    Reading,
    Seen,
    observe,
    on_same_deals,
    on_their_own,
    read,
    tables_needed,
)
from cooncan_sim.simulate import Plan


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


@dataclass(frozen=True)
class Contrasting:
    """One way of playing against another. Its table `contrasts` has a row for each measure:

    contrast (number in the file), metric, primary (the one the claim is about), design (D2 on the
    same deals, D5 independent), treatment_label, control_label, switch and option (of house rules,
    else ""), treatment_game, control_game, treatment_rules, control_rules, strategy, players, unit,
    seed, stock_order, deals (of each arm), hands, capped_hands (of both together), alpha;
    treatment_mean, treatment_low, treatment_high and the same of control; effect, se, low, high,
    p (of no effect), changed (share of deals that came out differently), vrf (both NaN in D5);
    min_effect (NaN if nothing is claimed), p_holm (p among all tests of the file) and
    claim ("" without one).
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
    def tests(self) -> int:
        """Claims that it puts to the test."""
        return int(self.min_effect is not None)

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
            "min_effect": self._least(without.value) if primary else math.nan,
        }

    def _least(self, mean: float) -> float:
        """The least change that the claim needs; NaN if nothing is claimed."""
        if self.min_effect is None:
            return math.nan
        if isinstance(self.min_effect, str):
            return float(self.min_effect.removesuffix("%")) / 100 * mean
        return self.min_effect


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
    tests = 0  # what lies in a range is judged by its interval
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


def _limits(reading: Reading) -> dict[str, float]:
    return {"mean": reading.value, "low": reading.low, "high": reading.high}
