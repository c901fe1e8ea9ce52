"""A part about ways of playing, each by itself: shares, means, how long and how dear hands are."""

import re
from collections.abc import Mapping
from typing import Any

import pandas as pd

from cooncan_sim import intervals, rounding
from cooncan_sim.games import rulebook
from cooncan_sim.measures import MEASURES
from cooncan_sim.reports import side_by_side
from cooncan_sim.reports.charts.forest import forest_chart
from cooncan_sim.reports.charts.lengths import ecdf_chart, survival_chart
from cooncan_sim.reports.parts import (
    Cell,
    Figure,
    Judged,
    Number,
    Part,
    Sentence,
    Table,
    Told,
    plain_text,
)
from cooncan_sim.reports.tables import MARKS, called, game_names, listed, named, varying

NAN = float("nan")
MOST_CURVES = 7  # in one chart
MOST_SENTENCES = 6  # more are better read in the table
FATES = {  # how a sentence ends that tells what became of a claim
    "": "",
    "supported": ", which bears the claim out",
    "refuted": ", which speaks against the claim",
    "open": ", which leaves the claim open",
}


def told(name: str, results: Mapping[str, pd.DataFrame]) -> Told | None:
    """What the observations of a question `name` say; None if there are none."""
    if "observations" not in results:
        return None
    seen = _once(results["observations"])
    labels = _labels(seen)
    main = seen[seen["primary"]]
    spread = results.get("distributions")
    if side_by_side.fits(seen):
        return _many_games(name, seen, main, spread, labels)
    figures = [_values(f"{name}-seen-{metric}", metric, inside, labels)
               for metric, inside in seen.groupby("metric", sort=False)]  # fmt: skip
    if spread is not None and len(spread):
        figures += _distributions(name, spread, seen)
    sentences = [_sentence(row, labels[at]) for at, row in main.head(MOST_SENTENCES).iterrows()]
    judged = [_judged(row) for _, row in main.iterrows() if row["claim"]]
    part = Part("What was seen", sentences, figures, [_table(seen, labels)], _notes(main))
    made = {"quoted_seen": pd.DataFrame({"hands": [int(_first_asked(main)["hands"].sum())]})}
    return Told(_quote(main), [], [part], judged, made)


def _many_games(
    name: str,
    seen: pd.DataFrame,
    main: pd.DataFrame,
    spread: pd.DataFrame | None,
    labels: Mapping[Any, tuple[str, str]],
) -> Told:
    """Games side by side: the table first, figures of what was asked and of one table a game."""
    costs = side_by_side.quantiles(spread)
    figures = [_values(f"{name}-seen-{metric}", metric, inside, labels)
               for metric, inside in seen.groupby("metric", sort=False)
               if metric in (main["metric"].iloc[0], "starter")]  # fmt: skip
    if spread is not None and len(spread):
        of_game = spread.groupby("game")  # at its smallest table, by the players named first
        shown = spread[
            (spread["players"] == of_game["players"].transform("min"))
            & (spread["strategy"] == of_game["strategy"].transform("first"))
        ]
        figures += [_curves(f"{name}-{metric}", metric, rows, seen)
                    for metric, rows in shown.groupby("metric", sort=False)]  # fmt: skip
    parts = [side_by_side.part(seen, costs), Part("In pictures", figures=figures)]
    judged = [_judged(row) for _, row in main.iterrows() if row["claim"]]
    made = {"luck": side_by_side.luck_table(seen)} | ({"costs": costs} if len(costs) else {})
    return Told(side_by_side.quote(seen), [], parts, judged, made)


def what_of(metric: str) -> str:
    """What a measure is, short enough for a sentence."""
    return MEASURES[metric].what.split(", counted")[0].split(":")[0]


def _once(seen: pd.DataFrame) -> pd.DataFrame:
    """Without what was measured besides of an arm that is also asked for it first."""
    arm = ["metric", "game", "rules", "strategy", "players", "unit"]
    firsts = seen.sort_values("primary", ascending=False, kind="stable").drop_duplicates(arm)
    return firsts.sort_index()


def _quote(main: pd.DataFrame) -> Sentence:
    """The least and the largest of what was asked first, of those that settle the claim."""
    alike = _first_asked(main)
    settled = alike[alike["claim"].isin(["supported", "refuted"])]
    ordered = (settled if len(settled) else alike).sort_values("value", kind="stable")
    least, most = ordered.iloc[0], ordered.iloc[-1]
    what = what_of(least["metric"])
    hands = int(alike["hands"].sum())
    number = Number(hands, rounding.count(hands))
    lead: Sentence = [f"{what[0].upper()}{what[1:]}, in ", number, " hands: "]
    if len(ordered) == 1:
        return [*lead, *_told_of(least), "."]
    return [*lead, "from ", *_told_of(least), " to ", *_told_of(most), "."]


def _first_asked(main: pd.DataFrame) -> pd.DataFrame:
    return main[main["metric"] == main["metric"].iloc[0]]


def _told_of(row: Any) -> Sentence:
    return [*_value(row), f" at {_where(row)} (95 % interval ", *_interval(row), ")"]


def _where(row: Any) -> str:
    rules = f" under {row['rules']}" if row["rules"] else ""
    name = rulebook.game(row["game"]).name
    return f"{name}{rules} with {seated(row['strategy'], row['players'])}"


def seated(strategies: str, players: int) -> str:
    """Who sits at a table: `two players of “greedy”`, `players of “cq-force” and “cq-select”`."""
    names = [called(name.strip()) for name in re.split(r",(?![^(]*\))", strategies)]
    if len(names) > 1:
        return f"players of {listed(names)}"
    return f"{named(players)} players of {names[0]}"


def _labels(seen: pd.DataFrame) -> dict[Any, tuple[str, str]]:
    """Heading and label of each row, without what all share."""
    several = {name: varying(list(seen[name])) for name in ("game", "rules", "strategy")}
    found = {}
    for at, row in seen.iterrows():
        heads = [rulebook.game(row["game"]).name] if several["game"] else []
        if several["rules"]:
            heads.append(row["rules"] or "house rules as they come")
        who = f", {row['strategy']}" if several["strategy"] else ""
        found[at] = (", ".join(heads), f"{row['players']} players{who}")
    return found


def places(row: Any) -> int:
    """Decimals that the interval of a row bears out."""
    measure = MEASURES[row["metric"]]
    return rounding.decimals(measure.scale * (row["high"] - row["low"]) / 2)


def _value(row: Any) -> Sentence:
    measure = MEASURES[row["metric"]]
    text = rounding.plain(measure.scale * row["value"], places(row) if row["value"] else 0)
    return [Number(row["value"], text), f" {measure.suffix}"]


def _interval(row: Any) -> Sentence:
    measure, shown = MEASURES[row["metric"]], places(row)
    ends = [
        Number(row[end], rounding.plain(measure.scale * row[end], shown if row[end] else 0))
        for end in ("low", "high")
    ]
    return [ends[0], " to ", ends[1]]


def _sentence(row: Any, label: tuple[str, str]) -> Sentence:
    said = ", ".join(part for part in label if part)
    lead = f"{said}: {what_of(row['metric'])} "
    return [lead, *_value(row), ", 95 % interval ", *_interval(row), f"{FATES[row['claim']]}."]


def _values(name: str, metric: str, seen: pd.DataFrame, labels: Mapping[Any, Any]) -> Figure:
    measure = MEASURES[metric]
    rows = []
    for at, row in seen.iterrows():
        shown, interval = plain_text(_value(row)), plain_text(_interval(row))
        ends = {"effect": row["value"], "low": row["low"], "high": row["high"]}
        scaled = {part: measure.scale * value for part, value in ends.items()}
        rows.append({"group": labels[at][0], "label": labels[at][1], **scaled, "least": NAN,
                     "shown": shown, "interval": interval, "verdict": row["claim"]})  # fmt: skip
    axis = f"{measure.what}, {measure.suffix}"
    chart = forest_chart(name, measure.what, pd.DataFrame(rows), axis)
    return Figure(chart, [f"{measure.what[0].upper()}{measure.what[1:]}. Bars are 95 % intervals."])


def _table(seen: pd.DataFrame, labels: Mapping[Any, tuple[str, str]]) -> Table:
    groups: dict[str, list[list[Cell]]] = {}
    judging = bool((seen["claim"] != "").any())
    for metric, inside in seen.groupby("metric", sort=False):
        for at, row in inside.iterrows():
            head, label = labels[at]
            measure = MEASURES[metric].what + (f", {head}" if head else "")
            played = [
                Number(int(row[of]), rounding.count(int(row[of]))) for of in ("deals", "hands")
            ]
            cells: list[Cell] = [label, _value(row), _interval(row), *played]
            cells += [claimed(row["claim"])] if judging else []
            groups.setdefault(measure, []).append(cells)
    heads = ["", "value", "95 % interval", seen["unit"].iloc[0], "hands"]
    return Table("All numbers", [*heads, "claim"] if judging else heads, groups)


def claimed(claim: str) -> str:
    """A claim's fate with its sign."""
    return f"{MARKS[claim]} {claim}" if claim else "–"


def _notes(main: pd.DataFrame) -> list[Sentence]:
    first = main.iloc[0]
    scale = MEASURES[first["metric"]].scale
    limits: list[Sentence] = []
    for side in ("above", "below"):
        if first[side] == first[side]:
            limits.append([f"{side} ", Number(first[side], f"{scale * first[side]:g}")])
    if not limits:
        return []
    both = [part for limit in limits for part in (*limit, " and ")][:-1]
    suffix = MEASURES[first["metric"]].suffix
    tail = f" {suffix}: supported where the whole interval does, refuted where none of it does."
    return [["The claim is that this lies ", *both, tail]]


def _judged(row: Any) -> Judged:
    return Judged(row["claim"], row["claim"], row["strategy"], "", row["game"], row["rules"], "",
                  row["players"])  # fmt: skip


def _distributions(name: str, spread: pd.DataFrame, seen: pd.DataFrame) -> list[Figure]:
    """How long hands last and what they cost, as curves; a chart for each game if they are many."""
    figures = []
    for metric, inside in spread.groupby("metric", sort=False):
        many = inside["observation"].nunique() > MOST_CURVES
        parts = inside.groupby("game", sort=False) if many else [("", inside)]
        for game, rows in parts:
            ending = f"-{game}" if game else ""
            figures.append(_curves(f"{name}-{metric}{ending}", metric, rows, seen))
    return figures


def _curves(name: str, metric: str, spread: pd.DataFrame, seen: pd.DataFrame) -> Figure:
    labels = _labels(spread)
    curves = []
    for _, one in spread.groupby("observation", sort=False):
        own = seen[seen["observation"] == one["observation"].iloc[0]].iloc[0]
        curves.append(curve(one, metric == "turns", own))
        curves[-1].insert(0, "curve", ", ".join(filter(None, labels[one.index[0]])))
    table = pd.concat(curves, ignore_index=True)
    games = game_names(spread["game"])
    if metric == "turns":
        chart = survival_chart(name, f"How long a hand lasts: {games}", table)
    else:
        axis = "points, or units, written down for a player in a hand"
        chart = ecdf_chart(name, f"What a hand costs: {games}", table, axis)
    wide = "Bands are 95 % limits, wide enough for hands of one deal that go alike."
    return Figure(chart, [f"{chart.title}. {wide}"])


def curve(values: pd.DataFrame, longer: bool, observation: Any) -> pd.DataFrame:
    """From how often each value came to the share above it (`longer`) or up to it, with limits.

    Columns `at, share, low, high`. Hands of one deal resemble each other; the limits hold even
    if they are all alike. What the limit on turns stopped is not known to end there: the curve
    ends before.
    """
    ordered = values.sort_values("value")
    counts = ordered["count"].to_numpy(dtype=float)
    share = counts.cumsum() / counts.sum()
    at = ordered["value"].to_numpy(dtype=float)
    if longer:
        share = 1 - share
        if observation["capped_hands"]:
            at, share = at[:-1], share[:-1]
        at, share = [0.0, *at], [1.0, *share]
    found = [intervals.wilson(float(one) * observation["deals"], int(observation["deals"]))
             for one in share]  # fmt: skip
    limits = {side: [float(getattr(one, side)) for one in found] for side in ("low", "high")}
    return pd.DataFrame({"at": at, "share": share, **limits})
