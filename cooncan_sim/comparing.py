"""Comparisons of two strategies as steps of a question; the columns of the tables they give.

Numbers are as measured, never scaled or rounded: shares lie in 0 … 1.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from cooncan_sim import catalog
from cooncan_sim.compare import PILOT, STOCK_ORDER, Comparison, Trial, decide, measure
from cooncan_sim.conditional import from_behind, lost_under_both
from cooncan_sim.designs import METRICS
from cooncan_sim.judging import ALPHA, Tables, Tick, words
from cooncan_sim.measures import Ratio
from cooncan_sim.observing import joined, on_same_deals, read
from cooncan_sim.question import Side
from cooncan_sim.simulate import Plan


@dataclass(frozen=True)
class Comparing:
    """One comparison of two strategies. Its tables have a row for each metric:

    comparisons   the metric that decides: comparison (number in the file, from 1), design (D1,
                  D3, D4; "2 v 2" where several play the treatment), treatment_label,
                  control_label, sweep ("k=1"), unit (deals, matches), game, players, control,
                  treatment, field (strategies), rules, seed, stock_order, deals, hands,
                  capped_hands (of the measurement), alpha, stopping, first_deal;
                  decision, decision_deals, decision_low, decision_high, decision_p (the screen
                  that stopped early; "" and NaN with a fixed number of deals); every field of
                  `estimates.Estimate`; p_holm (p among all tests of the file) and claim
    secondary     the other metrics of the same games: the same columns without the last two
    looks         the screen as it tightened: comparison, deals, gain, low, high

    The estimates are those of fresh deals, of which there are `deals`, however soon the screen
    stopped: whether an effect is as large as claimed takes longer to see than that there is one.
    """

    trial: Trial
    deals: int
    sequential: bool
    min_effect: float
    treatment: Side
    control: Side
    sweep: str = ""

    kind = "comparison"
    tests = 1  # claims that it puts to the test
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
            "fresh": self.deals,
            "min_effect": self.min_effect,
            "labels": [self.treatment.label, self.control.label],
        }

    def play(self, jobs: int | None, tick: Tick, memory: object) -> Tables:
        """Plays it; `tick(n)` hears of n more of `most_deals` that are done or not needed."""
        if self.sequential:
            found = decide(
                self.trial, self.deals, self.min_effect, alpha=ALPHA, fresh=self.deals, jobs=jobs
            )
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
        if self.trial.treated > 1:
            design = f"{self.trial.treated} v {self.trial.players - self.trial.treated}"
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
class Conditional:
    """Two strategies compared where something holds. Its table `conditionals` has a row:

    conditional (number in the file), design (D1, D4), given ("lost under both" or "30 behind"),
    metric (penalty, of the hands lost; win, of the matches), treatment_label, control_label,
    unit, game, players, control, treatment, field (strategies), rules, seed, stock_order, deals,
    hands, capped_hands (of matches: those that MAX_HANDS stopped), alpha; count (seats of deals
    where it held), treatment_mean, control_mean; effect, se, low, high, p, changed (share of
    deals that came out differently), vrf; min_effect, p_holm (p among all tests of the file) and
    claim.
    """

    trial: Trial
    deals: int
    behind: int | None
    min_effect: float
    treatment: Side
    control: Side

    kind = "conditional"
    tests = 1
    tables = ("conditionals",)

    @property
    def plans(self) -> list[Plan]:
        """What is played, to be checked before anything is."""
        return [self.trial.plan()]

    @property
    def most_deals(self) -> int:
        """Deals, or matches, that are played."""
        return self.deals

    def settings(self) -> dict[str, Any]:
        """All that decides the numbers."""
        return asdict(self)

    def play(self, jobs: int | None, tick: Tick, memory: object) -> Tables:
        """Plays it."""
        pieces = (
            lost_under_both(self.trial, self.deals, jobs)
            if self.behind is None
            else from_behind(self.trial, self.behind, self.deals, jobs)
        )
        played = []
        for piece in pieces:
            played.append(piece)
            tick(len(piece))
        row = self._row(
            joined([piece.treated for piece in played]),
            joined([piece.control for piece in played]),
            sum(piece.hands for piece in played),
            sum(piece.capped for piece in played),
        )
        return {"conditionals": pd.DataFrame([row])}

    def _row(self, treated: Ratio, control: Ratio, hands: int, capped: int) -> dict[str, Any]:
        metric = METRICS[self.trial.metrics[0]]
        found = on_same_deals([treated], [control], ALPHA, metric.share)
        means = [read([one], ALPHA, metric.share).value for one in (treated, control)]
        names = ("game", "players", "control", "treatment", "field")
        return {
            "design": "D1" if self.behind is None else "D4",
            "given": "lost under both" if self.behind is None else f"{self.behind} behind",
            "metric": metric.name,
            "treatment_label": self.treatment.label,
            "control_label": self.control.label,
            "unit": self.trial.unit,
            **{name: getattr(self.trial, name) for name in names},
            "rules": words(self.trial.rules),
            "seed": self.trial.seed,
            "stock_order": STOCK_ORDER,
            "deals": self.deals,
            "hands": hands,
            "capped_hands": capped,
            "alpha": ALPHA,
            "count": int(treated.counts.sum()) // treated.unit,
            "treatment_mean": means[0],
            "control_mean": means[1],
            **asdict(found),
            "min_effect": self.min_effect,
        }
