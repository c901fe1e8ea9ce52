"""Parts about one way of playing against another: two rules, two games, every house rule."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.games import rulebook
from cooncan_sim.measures import MEASURES
from cooncan_sim.reports.charts.forest import forest_chart
from cooncan_sim.reports.observed import claimed, places, what_of
from cooncan_sim.reports.parts import Cell, Figure, Judged, Number, Part, Sentence, Table, Told
from cooncan_sim.reports.tables import TOGETHER, likelihood, named

MOST_SENTENCES = 12
UNSURE = "Of all the house rules tried, none is sure to change that; the largest change seen: "


def told(name: str, results: Mapping[str, pd.DataFrame]) -> Told | None:
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
    first = ordered.iloc[0]
    lead = ""
    if by_switch:
        sure = first["low"] * first["high"] > 0
        lead = "Of all the house rules tried, the one that matters most: " if sure else UNSURE
    quote: Sentence = [lead, *_change(first)]
    sentences = [_change(row) for _, row in ordered.head(MOST_SENTENCES).iterrows()]
    title = "What each house rule changes" if by_switch else "What changes"
    notes: list[Sentence] = [[TOGETHER]] if (found["claim"] != "").any() else []
    return quote, Part(title, sentences, figures, [_change_table(found, by_switch)], notes)


def _largest_first(found: pd.DataFrame) -> pd.DataFrame:
    """By the size that is certain: how far the interval stays from 0, then by the estimate."""
    apart = found[["low", "high"]].abs().min(axis=1).where(found["low"] * found["high"] > 0, 0)
    sized = found.assign(apart=apart, size=found["effect"].abs())
    ordered = sized.sort_values(["apart", "size"], ascending=False, kind="stable")
    return ordered.drop(columns=["apart", "size"])


def _signed(row: Any, value: float) -> Number:
    scale = MEASURES[row["metric"]].scale
    return Number(value, rounding.signed(scale * value, places(row)))


def _mean(row: Any, of: str) -> Number:
    scale = MEASURES[row["metric"]].scale
    return Number(row[of], rounding.plain(scale * row[of], max(places(row), 1)))


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
    change = f"{change[0].upper()}{change[1:]} ({where}) takes {what_of(row['metric'])} from "
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
    judging = bool((found["claim"] != "").any())
    for metric, inside in found.groupby("metric", sort=False):
        for _, row in inside.iterrows():
            group, label = _contrast_names(row, by_switch)
            cells: list[Cell] = [
                label, _mean(row, "control_mean"), _mean(row, "treatment_mean"),
                _signed(row, row["effect"]),
                [_signed(row, row["low"]), " to ", _signed(row, row["high"])],
                Number(int(row["deals"]), rounding.count(int(row["deals"]))),
            ]  # fmt: skip
            if judging:
                p = float(row["p_holm"])
                cells += [Number(p, likelihood(p)), claimed(row["claim"])]
            head = f"{MEASURES[metric].what}, {_difference_unit(metric)}: {group}"
            groups.setdefault(head, []).append(cells)
    heads = ["", "before", "after", "change", "95 % interval", "deals"]
    return Table("All numbers", [*heads, "p (Holm)", "claim"] if judging else heads, groups)
