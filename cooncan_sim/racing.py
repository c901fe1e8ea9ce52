"""Several tips on the same deals: the worse ones drop out, and the best is measured anew.

Every tip sits in each seat in turn among players of the field. Those that are behind the leader,
or practically level with it, stop playing as soon as that is settled (STATS.md §5).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cooncan_sim.arguments import read_rules
from cooncan_sim.compare import MAX_DEALS, PILOT, Comparison, Planned, Trial, check, measure, pilot
from cooncan_sim.designs import METRICS
from cooncan_sim.errors import CooncanError
from cooncan_sim.many import RaceResult, race
from cooncan_sim.outcomes import Outcomes, play_outcomes
from cooncan_sim.printed import html_lines, html_table, text_table
from cooncan_sim.screen import Course


@dataclass(frozen=True)
class Race:
    """The answer of `race_tips`: prints itself, and shows itself in a notebook.

    `result` numbers the tips in their order; `measured` is the leader against the field, on deals
    that the race did not play.
    """

    tips: tuple[str, ...]
    result: RaceResult
    measured: Comparison

    @property
    def leader(self) -> str:
        """The tip that was ahead at the end."""
        return self.tips[self.result.leader]

    def summary(self) -> pd.DataFrame:
        """One row per tip: `tip, place, deals`; its place was settled after so many deals."""
        left = {one.strategy: (one.why, one.n) for one in self.result.dropped}
        rows = []
        for number, tip in enumerate(self.tips):
            place, deals = left.get(number, ("level with the leader", self.result.n))
            rows.append((tip, "leader" if tip == self.leader else place, deals))
        return pd.DataFrame(rows, columns=["tip", "place", "deals"])

    def lines(self) -> list[str]:
        """How the race ended, in a sentence."""
        end = "unresolved: several are left at the cap" if self.result.unresolved else "settled"
        whole = self.result.n * len(self.tips)
        saved = f"of which the tips played {self.result.games / whole:.0%}"
        return [f"{self.leader} leads; {end} after {self.result.n:,} deals, {saved}"]

    def _cells(self) -> list[list[str]]:
        rows = [[row.tip, row.place, f"{row.deals:,}"] for row in self.summary().itertuples()]
        return [["tip", "place", "deals"], *rows]

    def __str__(self) -> str:
        return "\n".join([*self.lines(), "", text_table(self._cells()), "", str(self.measured)])

    def _repr_html_(self) -> str:
        place = html_lines(self.lines()) + html_table(self._cells())
        return place + self.measured._repr_html_()


def race_tips(
    game: str,
    tips: Sequence[str],
    field: str,
    *,
    players: int = 2,
    seed: int = 0,
    max_deals: int = MAX_DEALS,
    min_effect: float | None = None,
    alpha: float = 0.05,
    rules: Mapping[str, Any] | None = None,
    jobs: int | None = None,
) -> Race:
    """The best of several tips by hands won in a field, each deal played by all still in it.

    `min_effect`, in hands won, is the difference below which two tips count as level; 0.02
    standard deviations of a single hand if not given. With probability 1 − alpha no tip is dropped
    wrongly. The same seed gives the same answer for any `jobs`. Raises CooncanError for what
    cannot be played.
    """
    names = tuple(tips)
    if len(names) < 2 or len(set(names)) < len(names):
        raise CooncanError("a race needs at least two tips, each of them once")
    check(max_deals, min_effect, alpha)
    win = METRICS["win"]
    trials = [Trial(game, field, tip, field, players, seed, read_rules(rules)) for tip in names]
    courses = []
    for trial in trials:
        design = trial.design([win])
        courses.append(Course(trial.plan(design), design, win, 0, False, jobs))
        courses[-1].plan.prepare()
    plans = [Planned.of(pilot(course), max_deals, min_effect, alpha) for course in courses]
    widest = max(plans, key=lambda plan: plan.sd)

    def play(alive: tuple[int, ...], first: int, deals: int) -> NDArray[np.int64]:
        return np.stack([_gains(courses[one], PILOT + first, deals) for one in alive], axis=1)

    result = race(play, len(names), widest.rule(max_deals, alpha), courses[0].unit)
    best, fresh = plans[result.leader], PILOT + result.n
    trial, least = trials[result.leader], best.delta or None
    measured = measure(trial, best.fresh, first=fresh, min_effect=least, alpha=alpha, jobs=jobs)
    return Race(names, result, measured)


def _gains(course: Course, first: int, deals: int) -> NDArray[np.int64]:
    """Numerators of what a tip gains on each of these deals, int64 (deals)."""
    pieces = list(play_outcomes(course.plan, False, first, deals, course.jobs))
    arms = course.design.arms(course.metric, Outcomes.joined(pieces))
    return course.design.differences(course.metric, *arms)
