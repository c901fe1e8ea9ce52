"""Parts about ways of playing: one by itself, and one against another (rules, games)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from cooncan_sim import intervals, rounding
from cooncan_sim.games import rulebook
from cooncan_sim.measures import MEASURES
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
from cooncan_sim.reports.tables import MARKS, named, varying

NAN = float("nan")
MOST_SENTENCES = 12


def told(name: str, results: Mapping[str, pd.DataFrame]) -> Told | None:
    """What the observations of a question `name` say; None if there are none."""
    if "observations" not in results:
        return None
    seen = results["observations"]
    labels = _labels(seen)
    main = seen[seen["primary"]]
    figures = [_values(f"{name}-seen-{metric}", metric, inside, labels)
               for metric, inside in seen.groupby("metric", sort=False)]  # fmt: skip
    spread = results.get("distributions")
    if spread is not None and len(spread):
        figures += _distributions(name, spread, seen)
    first = main.iloc[0]
    quote: Sentence = [f"{_where(first)}: {_what(first['metric'])} ",
                       *_value(first), " (95 % interval ", *_interval(first), "), in ",
                       Number(int(first["hands"]), rounding.count(int(first["hands"]))),
                       " hands."]  # fmt: skip
    sentences = [_sentence(row, labels[at]) for at, row in main.iterrows()]
    judged = [_judged(row) for _, row in main.iterrows() if row["claim"]]
    part = Part("What was seen", sentences, figures, [_table(seen, labels)], _notes(main))
    return Told(quote, [], [part], judged)


def contrasted(name: str, results: Mapping[str, pd.DataFrame]) -> Told | None:
    """What the contrasts of a question say: one way of playing against another."""
    if "contrasts" not in results:
        return None
    found = results["contrasts"]
    parts, quotes = [], []
    for by_switch in (False, True):
        inside = found[(found["switch"] != "") == by_switch]
        if len(inside):
            quote, part = _contrasts(name, inside, by_switch)
            quotes.append(quote)
            parts.append(part)
    judged = [
        Judged(row["claim"], row["claim"], row["strategy"], row["control_label"],
               row["treatment_game"], row["treatment_rules"], "", row["players"])
        for _, row in found[found["primary"]].iterrows() if row["claim"]
    ]  # fmt: skip
    return Told(quotes[0], quotes[1:], parts, judged)


def _contrasts(name: str, found: pd.DataFrame, by_switch: bool) -> tuple[Sentence, Part]:
    """What matters first in a sentence, and all of it; of house rules the largest change first."""
    main = found[found["primary"]]
    kind = "rules" if by_switch else "change"
    ordered = _largest_first(main) if by_switch else main
    figures = [_effects(f"{name}-{kind}-{metric}", metric, inside, by_switch)
               for metric, inside in found.groupby("metric", sort=False)]  # fmt: skip
    lead = "Of all the house rules tried, the one that matters most: " if by_switch else ""
    quote: Sentence = [lead, *_change(ordered.iloc[0])]
    sentences = [_change(row) for _, row in ordered.head(MOST_SENTENCES).iterrows()]
    title = "What each house rule changes" if by_switch else "What changes"
    return quote, Part(title, sentences, figures, [_change_table(found, by_switch)])


def _largest_first(found: pd.DataFrame) -> pd.DataFrame:
    """By the size that is certain: how far the interval stays from 0, then by the estimate."""
    apart = found[["low", "high"]].abs().min(axis=1).where(found["low"] * found["high"] > 0, 0)
    sized = found.assign(apart=apart, size=found["effect"].abs())
    ordered = sized.sort_values(["apart", "size"], ascending=False, kind="stable")
    return ordered.drop(columns=["apart", "size"])


def _what(metric: str) -> str:
    """What a measure is, short enough for a sentence."""
    return MEASURES[metric].what.split(", counted")[0].split(":")[0]


# --- one way of playing -------------------------------------------------------------------


def _where(row: Any) -> str:
    rules = f" ({row['rules']})" if row["rules"] else ""
    name = rulebook.game(row["game"]).name
    return f"{name}{rules} with {named(row['players'])} players of {row['strategy']}"


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


def _places(row: Any) -> int:
    measure = MEASURES[row["metric"]]
    return rounding.decimals(measure.scale * (row["high"] - row["low"]) / 2)


def _value(row: Any) -> Sentence:
    measure = MEASURES[row["metric"]]
    text = rounding.plain(measure.scale * row["value"], _places(row))
    return [Number(row["value"], text), f" {measure.suffix}"]


def _interval(row: Any) -> Sentence:
    measure, places = MEASURES[row["metric"]], _places(row)
    ends = [Number(row[end], rounding.plain(measure.scale * row[end], places))
            for end in ("low", "high")]  # fmt: skip
    return [ends[0], " to ", ends[1]]


def _sentence(row: Any, label: tuple[str, str]) -> Sentence:
    said = ", ".join(part for part in label if part)
    verdict = f": {row['claim']}" if row["claim"] else ""
    lead = f"{said}: {_what(row['metric'])} "
    return [lead, *_value(row), ", 95 % interval ", *_interval(row), f"{verdict}."]


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
    for metric, inside in seen.groupby("metric", sort=False):
        for at, row in inside.iterrows():
            head, label = labels[at]
            measure = MEASURES[metric].what + (f", {head}" if head else "")
            cells: list[Cell] = [label, _value(row), _interval(row),
                                 Number(int(row["deals"]), rounding.count(int(row["deals"]))),
                                 Number(int(row["hands"]), rounding.count(int(row["hands"]))),
                                 _claimed(row["claim"])]  # fmt: skip
            groups.setdefault(measure, []).append(cells)
    unit = seen["unit"].iloc[0]
    return Table("All numbers", ["", "value", "95 % interval", unit, "hands", "claim"], groups)


def _claimed(claim: str) -> str:
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
    """How long hands last and what they cost, as curves."""
    labels = _labels(spread)
    figures = []
    for metric, inside in spread.groupby("metric", sort=False):
        curves = []
        for _, one in inside.groupby("observation", sort=False):
            own = seen[seen["observation"] == one["observation"].iloc[0]].iloc[0]
            curves.append(curve(one, metric == "turns", own))
            curves[-1].insert(0, "curve", ", ".join(filter(None, labels[one.index[0]])))
        table = pd.concat(curves, ignore_index=True)
        wide = "Bands are 95 % limits, wide enough for hands of one deal that go alike."
        if metric == "turns":
            chart = survival_chart(f"{name}-lengths", "How long a hand lasts", table)
        else:
            axis = "points, or units, written down for a player in a hand"
            chart = ecdf_chart(f"{name}-points", "What a hand costs", table, axis)
        figures.append(Figure(chart, [f"{chart.title}. {wide}"]))
    return figures


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


# --- one way of playing against another ---------------------------------------------------


def _signed(row: Any, value: float) -> Number:
    scale = MEASURES[row["metric"]].scale
    return Number(value, rounding.signed(scale * value, _places(row)))


def _mean(row: Any, of: str) -> Number:
    scale = MEASURES[row["metric"]].scale
    return Number(row[of], rounding.plain(scale * row[of], max(_places(row), 1)))


def _difference_unit(metric: str) -> str:
    suffix = MEASURES[metric].suffix
    return "pp" if suffix == "%" else suffix


def _change(row: Any) -> Sentence:
    """One contrast in a sentence."""
    measure, unit = MEASURES[row["metric"]], _difference_unit(row["metric"])
    where = f"{named(row['players'])} players of {row['strategy']}"
    game = rulebook.game(row["control_game"]).name
    where = f"{game}, {where}" if row["treatment_game"] == row["control_game"] else where
    verdict = f": {row['claim']}" if row["claim"] else ""
    change = f"{row['treatment_label']} in place of {row['control_label']}"
    change = f"{change[0].upper()}{change[1:]} ({where}) takes {_what(row['metric'])} from "
    means: Sentence = [_mean(row, "control_mean"), " to ", _mean(row, "treatment_mean")]
    interval: Sentence = [_signed(row, row["low"]), " to ", _signed(row, row["high"])]
    return [change, *means, f" {measure.suffix}, a change of ", _signed(row, row["effect"]),
            f" {unit} (95 % interval ", *interval, f"){verdict}."]  # fmt: skip


def _effects(name: str, metric: str, found: pd.DataFrame, by_switch: bool) -> Figure:
    measure, unit = MEASURES[metric], _difference_unit(metric)
    rows = []
    for _, row in found.iterrows():
        group, label = _contrast_names(row, by_switch)
        scaled = {part: measure.scale * row[part] for part in ("effect", "low", "high")}
        least = abs(row["min_effect"]) if row["min_effect"] == row["min_effect"] else 0.0
        limits = f"{_signed(row, row['low']).text} to {_signed(row, row['high']).text}"
        rows.append({"group": group, "label": label, **scaled, "least": measure.scale * least,
                     "shown": f"{_signed(row, row['effect']).text} {unit}", "interval": limits,
                     "verdict": row["claim"]})  # fmt: skip
    table = pd.DataFrame(rows)
    if by_switch:
        table = _largest_first(table).sort_values("group", kind="stable", ignore_index=True)
    axis = f"change of {measure.what}, {unit}"
    chart = forest_chart(name, axis, table, axis, ("less", "more"))
    return Figure(chart, [f"Change of {measure.what}. Bars are 95 % intervals."])


def _contrast_names(row: Any, by_switch: bool) -> tuple[str, str]:
    who = f"{row['players']} players of {row['strategy']}"
    if by_switch:
        return f"{rulebook.game(row['control_game']).name}, {who}", row["treatment_label"]
    return f"{row['treatment_label']} in place of {row['control_label']}", who


def _change_table(found: pd.DataFrame, by_switch: bool) -> Table:
    groups: dict[str, list[list[Cell]]] = {}
    for metric, inside in found.groupby("metric", sort=False):
        for _, row in inside.iterrows():
            group, label = _contrast_names(row, by_switch)
            cells: list[Cell] = [
                label, _mean(row, "control_mean"), _mean(row, "treatment_mean"),
                _signed(row, row["effect"]),
                [_signed(row, row["low"]), " to ", _signed(row, row["high"])],
                Number(int(row["deals"]), rounding.count(int(row["deals"]))),
                _claimed(row["claim"]),
            ]  # fmt: skip
            head = f"{MEASURES[metric].what}, {_difference_unit(metric)}: {group}"
            groups.setdefault(head, []).append(cells)
    heads = ["", "before", "after", "change", "95 % interval", "deals", "claim"]
    return Table("All numbers", heads, groups)
