"""Ways of playing, observed one by one or set against each other (designs D2 and D5).

An arm is one way of playing: a game, its rules, how many play, and what everybody plays. Two arms
of one game see the same cards, so they are compared deal by deal; arms of different games are
independent samples.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from scipy import stats

from cooncan_sim import catalog, intervals
from cooncan_sim.compare import STOCK_ORDER
from cooncan_sim.errors import CooncanError
from cooncan_sim.intervals import MIN_CHANGED, Interval
from cooncan_sim.match import DEALS_A_MATCH, first_dealers
from cooncan_sim.measures import ALONE, EXCHANGED, MEASURES, WEAK, Counts, Games, Ratio
from cooncan_sim.outcomes import Outcomes, play_outcomes
from cooncan_sim.simulate import Hands, Plan, play_many
from cooncan_sim.watch import watch_many

Tick = Callable[[int], None]


def seats_of(strategy: str) -> list[str]:
    """The names in `force-always, cq-select`; commas within brackets do not part them."""
    return re.split(r",\s*(?![^()]*\))", strategy)


@dataclass(frozen=True)
class Arm:
    """One way of playing; with `match` a deal is a whole match.

    strategy: what everybody plays, or what each seat does: `force-always, cq-select`.
    """

    game: str
    players: int
    strategy: str
    rules: Mapping[str, str | int] = field(default_factory=dict)
    match: bool = False
    seed: int = 0

    @property
    def seats(self) -> tuple[str, ...]:
        """The strategy of each seat. Raises CooncanError for too few names, or too many."""
        names = seats_of(self.strategy)
        if len(names) == 1:
            return tuple(names * self.players)
        if len(names) != self.players:
            raise CooncanError(f"{self.strategy!r}: {len(names)} players, not {self.players}")
        return tuple(names)

    def plan(self, table: str) -> Plan:
        """The games of each deal, by who sits at the table (see `Measure.table`)."""
        sides = 2 if catalog.game(self.game).partners else self.players
        alone = tuple(
            tuple(self.strategy if seat % sides == focal else WEAK for seat in range(self.players))
            for focal in range(sides)
        )
        seatings = alone if table == ALONE else (self.seats,)
        return Plan(self.game, seatings, self.seed, dict(self.rules), STOCK_ORDER)


@dataclass(frozen=True)
class Seen:
    """What an arm has shown: by measure its ratios, and by quantity how often each value came.

    hands: played in all, of which the limit on turns stopped `capped`.
    """

    deals: int
    hands: int
    capped: int
    ratios: Mapping[str, tuple[Ratio, ...]]
    values: Mapping[str, tuple[Counts, Counts]]


def observe(
    arm: Arm,
    measures: Sequence[str],
    deals: int,
    jobs: int | None = None,
    tick: Tick | None = None,
    distribution: Sequence[str] = (),
) -> Seen:
    """Plays deals 0 … deals − 1 of an arm once for each kind of table that the measures need.

    `distribution`: of `points` and `turns`, how often each value came; where everybody plays the
    strategy. `tick(n)` hears of n more deals done. The same for any `jobs`.
    """
    tables = dict.fromkeys(MEASURES[name].table for name in measures)
    ratios: dict[str, tuple[Ratio, ...]] = {}
    values: dict[str, tuple[Counts, Counts]] = {}
    hands = capped = 0
    for table in tables:
        own = [name for name in measures if MEASURES[name].table == table]
        looking = any(MEASURES[name].watched for name in own)
        found: dict[str, list[tuple[Ratio, ...]]] = {name: [] for name in own}
        tallies: dict[str, list[Counts]] = {name: [] for name in distribution}
        for games in _games(arm, table, deals, jobs, looking):
            hands += int(games.outcomes.hands.sum())
            capped += int(games.outcomes.stopped.sum())
            for name in own:
                found[name].append(MEASURES[name].of(games))
            if table == next(iter(tables)):
                for name in distribution:
                    tallies[name].append(getattr(games.outcomes, name).ravel())
            if tick is not None:
                tick(len(games.outcomes))
        ratios |= {name: _joined(parts) for name, parts in found.items()}
        if table == next(iter(tables)):
            values = {name: _counted(parts) for name, parts in tallies.items()}
    return Seen(deals, hands, capped, ratios, values)


def tables_needed(measures: Sequence[str]) -> int:
    """How many times `observe` plays each deal, in kinds of tables."""
    return len({MEASURES[name].table for name in measures})


def _games(arm: Arm, table: str, deals: int, jobs: int | None, looking: bool) -> Iterator[Games]:
    plan = arm.plan(table)
    if arm.match:
        first = 0
        for outcomes in play_outcomes(plan, True, 0, deals, jobs):
            numbers = np.arange(first, first + len(outcomes), dtype=np.int64)
            dealers = first_dealers(plan, plan.full_rules, numbers * DEALS_A_MATCH)
            won = np.zeros(0, dtype=np.int64)  # shared wins: no measure of matches asks who won
            yield Games(outcomes, _starters(plan, dealers), won)
            first += len(outcomes)
    elif looking:
        for watched in watch_many(plan, deals, jobs, exchange=table == EXCHANGED):
            yield _of_hands(plan, watched.hands, watched.seen)
    else:
        for _, hands in play_many(plan, deals, jobs):
            yield _of_hands(plan, hands, {})


def _of_hands(plan: Plan, hands: Hands, seen: Mapping[str, Counts]) -> Games:
    winner = hands.winner.astype(np.int64)[..., None]
    won = (winner >= 0) & (winner % plan.sides == np.arange(plan.players) % plan.sides)
    starters = _starters(plan, hands.dealer.astype(np.int64))
    return Games(Outcomes.of_hands(hands, plan.sides), starters, won.astype(np.int64), seen)


def _starters(plan: Plan, dealers: Counts) -> Counts:
    """Who draws first: the dealer's left neighbour; in `konkan`, played backwards, the right."""
    return (dealers + (-1 if plan.game == "konkan" else 1)) % plan.players


def _joined(parts: list[tuple[Ratio, ...]]) -> tuple[Ratio, ...]:
    return tuple(joined([part[k] for part in parts]) for k in range(len(parts[0])))


def joined(parts: Sequence[Ratio]) -> Ratio:
    """One ratio of those of several batches of deals, in their order."""
    sums = np.concatenate([part.sums for part in parts])
    return Ratio(sums, np.concatenate([part.counts for part in parts]), parts[0].unit)


def _counted(parts: list[Counts]) -> tuple[Counts, Counts]:
    values, counts = np.unique(np.concatenate(parts), return_counts=True)
    return values, counts.astype(np.int64)


# --- what the numbers say ------------------------------------------------------------------


@dataclass(frozen=True)
class Reading:
    """A number read off deals: value, standard error, limits, and how the limits were found.

    events and count: sums over all deals of what was counted and of what it is divided by, of
    the first of two ratios, shares of a win in parts of one. The rest is NaN where nothing was
    counted.
    """

    value: float
    se: float
    low: float
    high: float
    interval: str
    events: int
    count: int


def read(ratios: Sequence[Ratio], alpha: float, share: bool) -> Reading:
    """Value and interval of a ratio, or of a difference of two on the same deals.

    Shares with one thing counted a deal, and shares of rare things, get Wilson's interval; all
    else the linearised ratio with t limits over deals (STATS.md §3).
    """
    events, count = int(ratios[0].sums.sum()), int(ratios[0].counts.sum())
    if not all(int(ratio.counts.sum()) for ratio in ratios):
        return Reading(math.nan, math.nan, math.nan, math.nan, "nothing counted", events, count)
    value, se = _linearised(ratios, [1, -1][: len(ratios)])
    first = ratios[0]
    if share and len(ratios) == 1 and _wants_wilson(first):
        found = intervals.wilson(events / first.unit, count // first.unit, 1 - alpha)
        return Reading(value, se, float(found.low), float(found.high), "Wilson", events, count)
    half = float(stats.t.ppf(1 - alpha / 2, len(first.sums) - 1)) * se
    return Reading(value, se, value - half, value + half, "t over deals", events, count)


def _wants_wilson(ratio: Ratio) -> bool:
    """Whether a deal counts one thing at most, or too few deals show one, or lack one."""
    events = int(np.count_nonzero(ratio.sums))
    others = int(np.count_nonzero(ratio.sums < ratio.counts))
    single = int(ratio.counts.max()) == ratio.unit or min(events, others) < MIN_CHANGED
    return single and bool((ratio.sums <= ratio.counts).all())


def _linearised(ratios: Sequence[Ratio], signs: Sequence[int]) -> tuple[float, float]:
    """Signed sum of ratios over the same deals, and its standard error; exact until the root."""
    columns = np.stack([side for ratio in ratios for side in (ratio.sums, ratio.counts)])
    totals = [int(total) for total in columns.sum(axis=1)]
    products = [[int(entry) for entry in row] for row in columns @ columns.T]
    value, weights = Fraction(0), []
    for sign, top, bottom in zip(signs, totals[0::2], totals[1::2], strict=True):
        value += Fraction(sign * top, bottom)
        weights += [Fraction(sign, bottom), Fraction(-sign * top, bottom * bottom)]
    spread = sum(
        a * b * products[i][j] for i, a in enumerate(weights) for j, b in enumerate(weights)
    )
    n = columns.shape[1]
    return float(value), math.sqrt(float(spread * n / (n - 1)))


@dataclass(frozen=True)
class Difference:
    """Treatment less control: effect, limits, p-value of no effect, share of deals changed.

    changed and vrf (independent games that one coupled game is worth) are NaN in design D5.
    """

    effect: float
    se: float
    low: float
    high: float
    p: float
    changed: float
    vrf: float


def on_same_deals(
    treatment: Sequence[Ratio], control: Sequence[Ratio], alpha: float, share: bool
) -> Difference:
    """Design D2: both arms on the same deals. NaN where nothing was counted.

    With fewer than 50 changed deals the limits are the bound that their share puts on a share,
    and unknown for anything else.
    """
    ratios = [*treatment, *control]
    signs = [1, -1][: len(treatment)] + [-1, 1][: len(control)]
    if not all(int(ratio.counts.sum()) for ratio in ratios):
        return Difference(*[math.nan] * 7)
    n = len(treatment[0].sums)
    differ = np.zeros(n, dtype=bool)
    for one, other in zip(treatment, control, strict=True):
        differ |= (one.sums != other.sums) | (one.counts != other.counts)
    changed = int(differ.sum())
    effect, se = _linearised(ratios, signs)
    if changed < MIN_CHANGED:
        bound = intervals.clopper_pearson_upper(changed, n) if share else math.nan
        return Difference(effect, se, -bound, bound, math.nan, changed / n, math.nan)
    apart = [_linearised(arm, [1, -1][: len(arm)])[1] ** 2 for arm in (treatment, control)]
    half = float(stats.t.ppf(1 - alpha / 2, n - 1)) * se
    p = float(2 * stats.t.sf(abs(effect) / se, n - 1)) if se else 0.0
    vrf = sum(apart) / se**2 if se else math.nan
    return Difference(effect, se, effect - half, effect + half, p, changed / n, vrf)


def on_their_own(treatment: Reading, control: Reading, deals: int, alpha: float) -> Difference:
    """Design D5: independent samples of so many deals each. Newcombe for shares, else Welch."""
    effect, se = treatment.value - control.value, math.hypot(treatment.se, control.se)
    if math.isnan(effect) or not se:
        return Difference(effect, se, effect, effect, math.nan, math.nan, math.nan)
    a, b = treatment.se**2, control.se**2
    df = (a + b) ** 2 * (deals - 1) / (a**2 + b**2)
    if treatment.interval == control.interval == "Wilson":
        pair = [Interval(one.value, one.se, one.low, one.high) for one in (treatment, control)]
        found = intervals.newcombe(*pair)
        low, high = float(found.low), float(found.high)
    else:
        half = float(stats.t.ppf(1 - alpha / 2, df)) * se
        low, high = effect - half, effect + half
    p = float(2 * stats.t.sf(abs(effect) / se, df))
    return Difference(effect, se, low, high, p, math.nan, math.nan)
