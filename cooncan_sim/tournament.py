"""Round robin: every strategy against every other, on the same deals.

The matrix comes first: what one strategy wins in a field of another (STATS.md §6). Ratings,
which squeeze it into one list, come second, with a word on whether one list will do.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd

from cooncan_sim import catalog, rounding
from cooncan_sim.arguments import check_count, check_flags, check_hearer, read_players, read_rules
from cooncan_sim.compare import NOTABLE_CAP_SHARE, STOCK_ORDER
from cooncan_sim.designs import METRICS, Design, Metric, metrics_of, rotations
from cooncan_sim.errors import CooncanError
from cooncan_sim.estimates import Estimate, Tally, estimate
from cooncan_sim.many import holm
from cooncan_sim.outcomes import hand_rows, match_rows, play_outcomes
from cooncan_sim.placings import (
    DAVIDSON,
    FULL_ORDER,
    WINNER_ONLY,
    Placings,
    Record,
    cycle_of,
    place,
)
from cooncan_sim.printed import html_lines, html_table, text_table
from cooncan_sim.ratings import uninvadable
from cooncan_sim.simulate import Plan

DEALS = 10_000
FEWEST = 50  # deals below which no rating could be trusted
ALPHA = 0.05
CAPPED_HANDS = "hands were stopped by MAX_TURNS"
WIN = METRICS["win"]
MODELS = {  # of the ratings -> what there is to say about it
    DAVIDSON: "Davidson’s model, from wins and ties",
    FULL_ORDER: "Plackett–Luce, from full finishing orders: the winner, then {others}, equals "
    "sharing their places; later places count too, so strengths need not follow the wins",
    WINNER_ONLY: "from the winners, with a term for the seat",
}


@dataclass(frozen=True)
class Tournament:
    """The answer of `tournament`: prints itself, and shows itself in a notebook.

    `match`: a deal is a whole match. `pairs` has the estimates of row against column, by metric: of
    two sides for each pair once, of more for both orders. `placings` is None where the games
    determine no ratings, `unrated` then says why.
    """

    game: str
    players: tuple[str, ...]
    seats: int
    deals: int
    seed: int
    rules: Mapping[str, Any]
    hands: int
    capped: int
    pairs: Mapping[tuple[int, int], tuple[Estimate, ...]]
    placings: Placings | None
    unrated: str = ""
    match: bool = False

    @property
    def games(self) -> int:
        """Hands that were played by themselves, or matches."""
        return self.deals * len(self.pairs) * self.sides

    @property
    def rated_by(self) -> str:
        """Which model made the strengths, and from what; "" without ratings."""
        leaving = self.match and "ELIMINATION" in catalog.game(self.game).rules()
        others = "who stayed in longer, then by points" if leaving else "by points"
        return MODELS[self.placings.model].format(others=others) if self.placings else ""

    @property
    def sides(self) -> int:
        """How many compete at a table: the seats, or two pairs of partners."""
        return 2 if catalog.game(self.game).partners else self.seats

    def matrix(self, metric: str = "win") -> pd.DataFrame:
        """What one of the row gains in a field of the column, per hand, less the fair share.

        Shares of the hands for `win`, points for `net`. Of two sides it is antisymmetric. Raises
        CooncanError for a metric that was not measured.
        """
        gains = self._numbers("effect", metric)
        return pd.DataFrame(gains, index=list(self.players), columns=list(self.players))

    def _numbers(self, what: str, metric: str = "win") -> np.ndarray:
        names = [one.metric for one in next(iter(self.pairs.values()))]
        if metric not in names:
            raise CooncanError(f"the tournament measured {', '.join(names)}, not {metric}")
        gains = np.zeros((len(self.players), len(self.players)))
        for (row, column), estimates in self.pairs.items():
            gains[row, column] = getattr(estimates[names.index(metric)], what)
            if self.sides == 2:
                gains[column, row] = -gains[row, column]
        return gains

    def widest(self, metric: str = "win") -> float:
        """Half of the widest interval of a meeting, in the unit of `matrix`.

        It is read off the limits that the meetings are shown with: those of a sparse meeting are
        far wider than its standard error would have them.
        """
        meetings = self.meetings()
        shown = meetings[meetings["metric"] == metric]
        return float((shown["high"] - shown["low"]).max() / 2)

    def meetings(self) -> pd.DataFrame:
        """One row per pair and metric with every number of the estimate, as in a comparison.

        `p_holm` is corrected for the number of pairs.
        """
        rows = [
            {"row": self.players[row], "column": self.players[column]} | asdict(found)
            for (row, column), estimates in self.pairs.items()
            for found in estimates
        ]
        table = pd.DataFrame(rows)
        p = table["p"].fillna(1)
        return table.assign(p_holm=p.groupby(table["metric"]).transform(lambda some: holm(some)))

    def summary(self) -> pd.DataFrame:
        """One row per strategy, best first: what it gains on average, its ratings, and its risks.

        gain: mean of its row in the matrix. strength: log strength by `placings.model`, with
        standard error and 95 % limits from the bootstrap over deals; points: what it adds to the
        points of a hand, by least squares on strategy and seat.
        uninvadable: nobody alone gains in a field of it, by the estimates.
        """
        matrix = self._numbers("effect")
        others = len(self.players) - 1
        table = pd.DataFrame({"strategy": self.players, "gain": matrix.sum(axis=1) / others})
        if self.placings is not None:
            for name in ("strength", "points"):
                found = getattr(self.placings, name)
                if found is not None:
                    table[name], table[f"{name}_se"] = found.estimate, found.se
                    table[f"{name}_low"], table[f"{name}_high"] = found.low, found.high
        table["uninvadable"] = [i in uninvadable(matrix) for i in range(len(table))]
        return table.sort_values("gain", ascending=False, ignore_index=True, kind="stable")

    def alpha_ranks(self) -> pd.DataFrame:
        """One row per strategy and α: its share of the population, with 95 % limits."""
        ranks = self.placings.ranks if self.placings else {}
        rows = [
            (self.players[i], alpha, found.estimate[i], found.low[i], found.high[i])  # type: ignore[index]
            for alpha, found in ranks.items()
            for i in range(len(self.players))
        ]
        return pd.DataFrame(rows, columns=["strategy", "alpha", "share", "low", "high"])

    def cycle(self) -> tuple[str, ...]:
        """Strategies each of which beats the next, the last the first; if no list can show them."""
        cyclic = self.placings.cyclic if self.placings else None
        return tuple(self.players[i] for i in cycle_of(self._numbers("effect"), cyclic))

    def frame(self, first: int = 0, count: int | None = None) -> pd.DataFrame:
        """One row per seat per hand of `count` deals from number `first` on, by default all.

        Columns `deal, seating, seat, strategy, won, points, turns, ending`; of matches one row per
        seat: `match, seating, seat, strategy, won, score, hands, turns`. The hands are not kept
        but played again.
        """
        table, unit = (match_rows, "match") if self.match else (hand_rows, "deal")
        deals = self.deals - first if count is None else count
        frames = []
        for number, (row, column) in enumerate(self.pairs):
            design = _design(self.players[row], self.players[column], self.seats, self.sides)
            plan = Plan(self.game, design.seatings, self.seed, self.rules, STOCK_ORDER)
            rows = table(plan, first, deals)
            rows["seating"] += number * len(design.seatings)
            frames.append(rows.astype({"strategy": object}))
        together = pd.concat(frames).sort_values([unit, "seating", "seat"], ignore_index=True)
        return together.astype({"strategy": "category"})

    def lines(self) -> list[str]:
        """What was played, and what has to be said about it, a sentence each."""
        what = "pair" if self.sides == 2 else "strategy in a field of each other"
        deals = f"{rounding.count(self.deals)} {'matches' if self.match else 'deals'}"
        game = f"matches of {self.game}" if self.match else self.game
        lines = [
            f"{game}, {self.seats} players: {len(self.players)} strategies",
            f"every {what} on the same {deals} with the seats changed round; "
            f"seed {self.seed}; {100 * (1 - ALPHA):g} % intervals",
        ]
        if self.capped > NOTABLE_CAP_SHARE * self.games:
            share = rounding.percent(self.capped / self.games)
            what = "matches were stopped by MAX_HANDS" if self.match else CAPPED_HANDS
            lines.append(f"{share} of the {what}")
        safe = [self.players[i] for i in uninvadable(self._numbers("effect"))]
        lines.append(f"nobody alone gains in a field of: {', '.join(safe) or 'none of them'}")
        remarks = catalog.game(self.game).remarks(self.rules)
        return [*lines, *self._about_ratings(), *remarks]

    def _about_ratings(self) -> list[str]:
        if self.placings is None:
            return [f"no ratings: {self.unrated}"]
        lines = []
        if self.sides > 2:
            lines.append(f"strengths: {self.rated_by}")
        nobody = f"no {'match' if self.match else 'hand'} had a winner"
        why = "some never won against others" if self.placings.decided else nobody
        if self.placings.padded:
            lines.append(f"ratings with half a win each way added: {why}")
        elif not self.placings.decided:
            lines.append(why)
        cyclic = self.placings.cyclic
        if cyclic is not None:
            share = cyclic.share
            said = "one list does not show it" if cyclic.clear else "one list will do"
            lines.append(
                f"share of the matrix that goes round in circles: {share.estimate:.3f} "
                f"({share.low:.3f} … {share.high:.3f}), p {cyclic.p:.2g}: {said}"
            )
            if self.cycle():
                lines.append("beats the next: " + " → ".join([*self.cycle(), self.cycle()[0]]))
        return lines

    def _matrix_cells(self) -> tuple[str, list[list[str]]]:
        gains, widest = 100 * self._numbers("effect"), 100 * self.widest()
        places = rounding.decimals(widest)
        field = "against the column" if self.sides == 2 else "in a field of the column"
        wide = rounding.plain(widest, places)
        what = "matches" if self.match else "hands"
        title = f"{what} won beyond one's share, in pp (± {wide} at most): the row {field}"
        rows = [["", *self.players]]
        for i, name in enumerate(self.players):
            rows.append([name, *(rounding.signed(gain, places) for gain in gains[i])])
            rows[-1][1 + i] = ""
        return title, rows

    def _rating_cells(self) -> tuple[str, list[list[str]]]:
        summary = self.summary()
        columns = [name for name in ("strength", "points") if name in summary]
        rows = [
            ["strategy", "mean gain", *(cell for name in columns for cell in (name, "interval"))]
        ]
        for _, row in summary.iterrows():
            rows.append([row["strategy"], f"{rounding.signed(100 * row['gain'], 2)} pp"])
            for name in columns:
                low, high = row[f"{name}_low"], row[f"{name}_high"]
                places = rounding.decimals((high - low) / 2)
                limits = f"{rounding.signed(low, places)} … {rounding.signed(high, places)}"
                rows[-1] += [rounding.signed(row[name], places), limits]
        assert self.placings is not None
        return f"ratings (log strength: {self.placings.model})", rows

    def _rank_cells(self) -> tuple[str, list[list[str]]]:
        ranks = self.alpha_ranks()
        wide = ranks.pivot(index="strategy", columns="alpha", values="share")
        head = ["α", *(f"{alpha:g}" for alpha in wide.columns)]
        order = self.summary()["strategy"]
        rows = [[name, *map(rounding.chance, wide.loc[name])] for name in order]
        return "share of a crowd in which the better is copied (α-rank)", [head, *rows]

    def _tables(self) -> list[tuple[str, list[list[str]]]]:
        rated = [self._rating_cells()] if self.placings else []
        ranked = [self._rank_cells()] if self.placings and self.placings.ranks else []
        return [self._matrix_cells(), *rated, *ranked]

    def __str__(self) -> str:
        tables = [f"{title}\n{text_table(cells, numbers=True)}" for title, cells in self._tables()]
        return "\n\n".join(["\n".join(self.lines()), *tables])

    def _repr_html_(self) -> str:
        tables = [html_table(cells, title) for title, cells in self._tables()]
        return html_lines(self.lines()) + "".join(tables)


def tournament(
    game: str,
    players: Sequence[str],
    *,
    seats: int = 2,
    deals: int = DEALS,
    seed: int = 0,
    rules: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
    match: bool = False,
) -> Tournament:
    """Every strategy of `players` against every other at tables of `seats`, on the same deals.

    At two seats (or of two pairs of partners) each pair plays each deal twice, the seats swapped;
    at more one strategy sits in each seat in turn among players of another. The same seed gives
    the same answer for any `jobs`. `progress(n)` hears of n more deals that a pair has played.
    `match`: whole matches in place of hands, `deals` of them.
    Raises CooncanError for what cannot be played.
    """
    names, given = read_players(players), read_rules(rules)
    check_count(deals, "deals")
    check_flags(match=match)
    check_hearer(progress, "progress")
    catalog.game(game).check_players(seats)
    if len(names) < 2 or len(set(names)) < len(names):
        raise CooncanError("a tournament needs at least two strategies, each of them once")
    if deals < FEWEST:
        raise CooncanError(f"a tournament needs at least {FEWEST} deals, not {deals}")
    sides = 2 if catalog.game(game).partners else seats
    plans = {
        (row, column): Plan(
            game, _design(names[row], names[column], seats, sides).seatings, seed,
            given, STOCK_ORDER,
        )
        for row, column in pairs_of(game, len(names), seats)
    }  # fmt: skip
    for plan in plans.values():
        plan.prepare()  # what is wrong with the last strategy is said before the first plays
    points = None if match else _points_metric(game)
    records, pairs, hands, capped = {}, {}, 0, 0
    for pair, plan in plans.items():
        design = _design(names[pair[0]], names[pair[1]], seats, sides)
        tally, records[pair] = _meeting(plan, design, points, deals, match, jobs, progress)
        pairs[pair] = tuple(
            estimate(metric, design, tally, None, ALPHA) for metric in _metrics(points)
        )
        hands, capped = hands + tally.hands, capped + tally.capped
    unrated, placings = "", None
    try:
        placings = place(records, len(names), points.unit(sides) if points else 1, seed)
    except (ValueError, ArithmeticError) as error:
        unrated = str(error)
    return Tournament(
        game,
        names,
        seats,
        deals,
        seed,
        given,
        hands,
        capped,
        pairs,
        placings,
        unrated,
        match,
    )


def pairs_of(game: str, strategies: int, seats: int) -> list[tuple[int, int]]:
    """The pairs of strategies that meet; where more than two sides sit, both orders of each."""
    sides = 2 if catalog.game(game).partners else seats
    order = combinations if sides == 2 else permutations
    return list(order(range(strategies), 2))


def _points_metric(game: str) -> Metric | None:
    """The metric for the rating by points, None where a hand is just won or lost."""
    named = [name for name in metrics_of(game) if name in ("net", "balance")]
    return METRICS[named[0]] if named else None


def _metrics(points: Metric | None) -> list[Metric]:
    """What the matrix shows: metrics whose sum is fixed, so that no further games are needed."""
    return [WIN, *([points] if points is not None and points.total else [])]


def _design(row: str, column: str, seats: int, sides: int) -> Design:
    return rotations(seats, row, column, column, [WIN], sides)


def _meeting(
    plan: Plan,
    design: Design,
    points: Metric | None,
    deals: int,
    match: bool,
    jobs: int | None,
    progress: Callable[[int], None] | None,
) -> tuple[Tally, Record]:
    better = 1 if "balance" in metrics_of(plan.game) else -1
    tally, record = None, Record(deals, design.sides, points, better)
    for played in play_outcomes(plan, match, 0, deals, jobs):
        batch = Tally.of(design, _metrics(points), played)
        tally = batch if tally is None else tally + batch
        record.add(played)
        if progress is not None:
            progress(len(played))
    assert tally is not None  # deals ≥ 1
    return tally, record
