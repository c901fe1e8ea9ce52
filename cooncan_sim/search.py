"""The search for better weights: strategies that differ in them play each other.

Each generation plays deals of its own. What a search returns is the middle of where it has come
to, never its luckiest sample (STATS.md §7).
"""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cooncan_sim import catalog, spsa
from cooncan_sim.compare import STOCK_ORDER
from cooncan_sim.designs import METRICS, rotations
from cooncan_sim.errors import CooncanError
from cooncan_sim.outcomes import Outcomes
from cooncan_sim.screen import Watch
from cooncan_sim.simulate import Deals, Plan, play_these
from cooncan_sim.workers import in_order

DEALS_A_STEP = 4
DEALS_A_CANDIDATE = 500
CANDIDATES = 12
SPREAD = 0.2  # of the first generation, on a scale where weights run from 0 to 1
DIGITS = 4  # of a weight that was found
TOLD = 200  # steps between two lines for the watcher

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Search:
    """What is searched: some weights of a strategy, between bounds, at one kind of table.

    `bounds`: weight → its least and its greatest value; the others stay as they are.
    """

    game: str
    strategy: str
    bounds: Mapping[str, tuple[float, float]]
    players: int = 2
    metric: str = "win"
    seed: int = 0
    rules: Mapping[str, Any] = field(default_factory=dict)

    @property
    def found(self) -> catalog.Strategy:
        """The strategy with its weights as they are."""
        return catalog.strategy(self.strategy, self.game)

    def start(self) -> Floats:
        """Those weights on the scale of the search, 0 … 1; what lies beyond a bound at it."""
        weights = self.found.weights
        scaled = [(weights[name] - low) / (high - low) for name, (low, high) in self.bounds.items()]
        return np.clip(np.array(scaled), 0, 1)

    def unscaled(self, scaled: Floats) -> Floats:
        """Weights, shape (…, weights), from that scale."""
        low, high = np.array(list(self.bounds.values())).T
        return low + np.asarray(scaled) * (high - low)

    def named(self, scaled: Floats) -> catalog.Strategy:
        """The strategy with these weights, to four digits."""
        found, own = self.found, {}
        for (name, (low, high)), value in zip(
            self.bounds.items(), self.unscaled(scaled), strict=True
        ):
            own[name] = min(max(float(f"{value:.{DIGITS}g}"), low), high)
        return replace(found, weights=found.weights | own)


class Arena:
    """Plays weights against weights: one side in each seat in turn among players of the other."""

    def __init__(self, search: Search) -> None:
        self.search, self.metric = search, METRICS[search.metric]
        # Two names for the plan; the weights are those of each call.
        one, other = (search.named(np.full(len(search.bounds), end)).name for end in (0, 1))
        sides = 2 if catalog.game(search.game).partners else search.players
        self.design = rotations(search.players, one, other, other, [self.metric], sides)
        self.plan = Plan(
            search.game, self.design.seatings, search.seed, dict(search.rules), STOCK_ORDER
        )
        self.plan.prepare()
        self.columns = [list(search.found.weights).index(name) for name in search.bounds]

    def gain(self, one: Floats, other: Floats, first: int, deals: int) -> float:
        """What weights `one` gain on `other` per hand on these deals; both on the scale 0 … 1."""
        weights = self.plan.weights.copy()
        weights[:, self.columns] = self.search.unscaled(np.stack([one, other]))
        plan = copy.copy(self.plan)
        plan.__dict__["weights"] = weights  # where the plan keeps them once they are read
        numbers = Deals.by_themselves(first, deals, plan.sides)
        played = Outcomes.of_hands(play_these(plan, numbers, plan.new_state()), plan.sides)
        total = self.design.differences(self.metric, *self.design.arms(self.metric, played)).sum()
        return (self.metric.better or 1) * float(total) / (self.design.unit(self.metric) * deals)


def climb(search: Search, steps: int, watch: Watch) -> Floats:
    """SPSA: the path of the weights, (steps + 1, weights), on the scale 0 … 1."""
    arena, gains = Arena(search), spsa.Gains(steps)

    def play(plus: Floats, minus: Floats, step: int) -> float:
        if step % TOLD == 0:
            at = search.named((plus + minus) / 2).name
            watch(f"step {step:,} of {spsa.PILOT + steps:,}: about {at}")
        return arena.gain(plus, minus, DEALS_A_STEP * step, DEALS_A_STEP)

    try:
        sd = spsa.pilot_sd(play, search.start(), gains, search.seed)
    except ValueError as error:
        raise CooncanError(f"{search.strategy}: {error}") from error
    return spsa.spsa(play, search.start(), gains, sd, search.seed)


def evolve(search: Search, generations: int, jobs: int | None, watch: Watch) -> Floats:
    """CMA-ES: the mean of each generation, (generations + 1, weights), on the scale 0 … 1.

    Every candidate plays the same deals against the strategy as it was. Raises CooncanError
    without the package `cma`, and for a single weight.
    """
    try:
        import cma
    except ImportError as error:
        raise CooncanError(
            "method cma needs the package cma: pip install 'cooncan-sim[tune]'"
        ) from error
    if len(search.bounds) < 2:
        raise CooncanError("method cma needs at least two weights to search; spsa takes one")
    arena, start = Arena(search), search.start()
    options = {"popsize": CANDIDATES, "bounds": [0, 1], "seed": search.seed + 1, "verbose": -9}
    strategy = cma.CMAEvolutionStrategy(start, SPREAD, options)
    path = [start]
    for generation in range(generations):
        candidates = strategy.ask()
        first = generation * DEALS_A_CANDIDATE

        def loss(number: int, first: int = first, all_of: list[Floats] = candidates) -> float:
            return -arena.gain(all_of[number], start, first, DEALS_A_CANDIDATE)

        strategy.tell(candidates, list(in_order(loss, range(len(candidates)), jobs)))
        path.append(np.array(strategy.result.xfavorite))
        watch(f"generation {generation + 1} of {generations}: {search.named(path[-1]).name}")
    return np.array(path)
