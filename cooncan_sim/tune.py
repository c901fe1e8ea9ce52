"""Better weights for a strategy: a search on one set of deals, and a test on others.

What a search finds is called better only if it passes a gate on fresh deals in every field
asked for, at least two (STATS.md §7).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from cooncan_sim import catalog, rounding, spsa
from cooncan_sim.arguments import is_number, read_players, read_rules
from cooncan_sim.compare import (
    MAX_DEALS,
    PILOT,
    Comparison,
    Planned,
    Trial,
    by_metric,
    check,
    measure,
    pilot,
)
from cooncan_sim.errors import CooncanError, either, nearest
from cooncan_sim.printed import html_lines, html_table, text_table
from cooncan_sim.screen import Course, Watch, gate
from cooncan_sim.search import (
    DEALS_A_CANDIDATE,
    DEALS_A_STEP,
    Floats,
    Search,
    climb,
    evolve,
)
from cooncan_sim.sequential import Gate, GateLook

STEPS = {"spsa": 50_000, "cma": 60}  # of SPSA, and generations of CMA-ES
ALPHA = 0.05  # of the gate: to pass what is no better, and to fail what is


@dataclass(frozen=True)
class Tuned:
    """The answer of `tune`: prints itself, and shows itself in a notebook.

    `path` (steps + 1, weights) has the weights after each step, the start first. `gates` has the
    test in each field and `measured`, on deals fresh once more, what the found weights are worth
    there against those of the start.
    """

    search: Search
    method: str
    path: Floats
    deals: int
    found: catalog.Strategy
    gates: Mapping[str, GateLook]
    measured: Mapping[str, Comparison]

    @property
    def better(self) -> bool:
        """Whether the found weights passed in every field."""
        return all(look.verdict == "passes" for look in self.gates.values())

    def frame(self) -> pd.DataFrame:
        """The path, one row per step: `step` and each weight."""
        table = pd.DataFrame(self.path, columns=list(self.search.bounds))
        table.insert(0, "step", range(len(table)))
        return table

    def summary(self) -> pd.DataFrame:
        """One row per field: the gate, and the effect measured anew."""
        rows = []
        for name, look in self.gates.items():
            effect = self.measured[name].estimates[0]
            rows.append(
                {
                    "field": name,
                    "gate": look.verdict,
                    "gate_deals": look.n,
                    "log_likelihood_ratio": look.llr,
                    "metric": effect.metric,
                    "effect": effect.effect,
                    "low": effect.low,
                    "high": effect.high,
                    "deals": self.measured[name].deals,
                }
            )
        return pd.DataFrame(rows)

    def lines(self) -> list[str]:
        """What was searched and what came of it, a sentence each."""
        search, start = self.search, self.search.found.name
        inside = ", ".join(
            f"{key} {low:g} … {high:g}" for key, (low, high) in search.bounds.items()
        )
        verdict = (
            f"better than {start}: it passed in every field"
            if self.better
            else f"not shown to be better than {start}: keep that"
        )
        return [
            f"{start}: {search.game}, {search.players} players; {inside}",
            f"{rounding.counted(len(self.path) - 1, 'step', 'steps')} of {self.method} "
            f"on {self.deals:,} deals; "
            f"seed {search.seed}",
            f"found {self.found.name}: {verdict}",
        ]

    def _cells(self) -> list[list[str]]:
        rows = [["in a field of", "gate", "after", f"gain in {self.search.metric}", "interval"]]
        for name, look in self.gates.items():
            effect, limits, _ = self.measured[name].estimates[0].text()
            rows.append([name, str(look.verdict), f"{look.n:,} deals", effect, limits])
        return rows

    def __str__(self) -> str:
        return "\n".join([*self.lines(), "", text_table(self._cells())])

    def _repr_html_(self) -> str:
        return html_lines(self.lines()) + html_table(self._cells())


def tune(
    game: str,
    strategy: str,
    *,
    others: Sequence[str] = (),
    players: int = 2,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    method: str = "spsa",
    steps: int | None = None,
    metric: str = "win",
    seed: int = 0,
    max_deals: int = MAX_DEALS,
    min_effect: float | None = None,
    rules: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    watch: Watch | None = None,
) -> Tuned:
    """Searches the weights of a strategy and tests what it finds on fresh deals.

    The search begins at the strategy's own weights and keeps within `bounds`, by default those
    of its page. `method`: `spsa` (`steps` steps of four deals) or `cma` (`steps` generations;
    needs the extra `[tune]`). The gate then asks in each field, the strategy as it was and
    `others` (the game's plainest strategy if none are named), whether the found weights gain
    `min_effect` of `metric` or nothing; 0.02 standard deviations of a single hand if not given.
    The same seed gives the same answer for any `jobs`. Raises CooncanError for what cannot be
    searched.
    """
    check(max_deals, min_effect, ALPHA)
    hear = watch or (lambda line: None)
    if method not in STEPS:
        raise CooncanError(f"unknown method {method!r}: it is {either(STEPS)}")
    search = Search(game, strategy, {}, players, metric, seed, read_rules(rules))
    search = replace(search, bounds=bounds_of(search, bounds or {}))
    fields = fields_of(search, read_players(others))
    trials = {name: by_metric(_trial(search, search.found, name), metric) for name in fields}
    for trial in trials.values():
        trial.plan().prepare()  # what is wrong with a field is said before the search
    count = STEPS[method] if steps is None else steps
    if count < 1:
        raise CooncanError(f"a search needs at least one step, not {count}")
    if method == "spsa":
        path, deals = climb(search, count, hear), DEALS_A_STEP * (spsa.PILOT + count)
    else:
        path, deals = evolve(search, count, jobs, hear), DEALS_A_CANDIDATE * count
    found = search.named(path[-1])
    gates, measured = {}, {}
    for name in fields:
        trial = by_metric(_trial(search, found, name), metric)
        gates[name], measured[name] = _test(trial, deals, max_deals, min_effect, jobs, hear)
    return Tuned(search, method, search.unscaled(path), deals, found, gates, measured)


def bounds_of(
    search: Search, given: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """The weights to search with their bounds: those of the page, changed as `given` says.

    A weight whose bounds are equal stays as it is. Raises CooncanError for a weight without any.
    """
    page = search.found.page
    if not page.weights:
        raise CooncanError(f"strategy {page.name} has no weights to search")
    unknown = [name for name in given if name not in page.weights]
    if unknown:
        known = nearest(unknown[0], page.weights, "its weights are")
        raise CooncanError(f"strategy {page.name} has no weight {unknown[0]!r}{known}")
    bounds = {}
    for name in page.weights:
        if name not in {**page.bounds, **given}:
            raise CooncanError(
                f"weight {name} of {page.name} has no bounds: give some, or BOUNDS in its page"
            )
        low, high = {**page.bounds, **given}[name]
        if not is_number(low) or not is_number(high):
            raise CooncanError(f"weight {name}: bounds are two numbers, not {low!r} and {high!r}")
        if low > high:
            raise CooncanError(f"weight {name}: bounds {low:g} to {high:g} are the wrong way round")
        if low < high:
            bounds[name] = (float(low), float(high))
    if not bounds:
        raise CooncanError(f"no weight of {page.name} is left to search")
    return bounds


def fields_of(search: Search, others: Sequence[str]) -> list[str]:
    """The fields to test in: the strategy as it was, and those named or else the plainest."""
    own = search.found.name
    named = list(dict.fromkeys(other for other in others if other != own))
    if not named:
        plain = [page.name for page in catalog.strategies(search.game) if not page.weights]
        plain.sort(key=lambda name: ("greedy" not in name, len(name), name))
        named = [name for name in plain if name != search.found.page.name][:1]
    if not named:
        raise CooncanError(f"nobody else plays {search.game}: name a second field to test in")
    return [own, *named]


def _trial(search: Search, treatment: catalog.Strategy, others: str) -> Trial:
    return Trial(
        search.game,
        search.found.name,
        treatment.name,
        others,
        search.players,
        search.seed,
        search.rules,
    )


def _test(
    trial: Trial,
    first: int,
    max_deals: int,
    min_effect: float | None,
    jobs: int | None,
    hear: Watch,
) -> tuple[GateLook, Comparison]:
    """The gate from deal `first` on, and the measurement on the deals after it."""
    metric = trial.measured[0]
    design = trial.design([metric])
    course = Course(trial.plan(design), design, metric, first, trial.match, jobs)
    plan = Planned.of(pilot(course), max_deals, min_effect, ALPHA)
    course = replace(course, first=first + PILOT)
    rule = Gate(0, plan.delta, max_deals, ALPHA, ALPHA)
    look = gate(course, rule, lambda line: hear(f"{trial.field}: {line}"))
    start = first + PILOT + look.n
    hear(f"{trial.field}: {look.verdict}; measured anew on {plan.fresh:,} deals")
    return look, measure(trial, plan.fresh, first=start, min_effect=plan.delta or None, jobs=jobs)
