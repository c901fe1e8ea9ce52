"""Parts about one way of playing against another: two rules, or two games."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.games import rulebook
from cooncan_sim.measures import MEASURES
from cooncan_sim.reports.charts.forest import forest_chart
from cooncan_sim.reports.observed import FATES, claimed, places, seated, what_of
from cooncan_sim.reports.parts import (
    SETTLED,
    Cell,
    Figure,
    Judged,
    Number,
    Part,
    Sentence,
    Table,
    Told,
)
from cooncan_sim.reports.tables import TOGETHER, called, likelihood

MOST_SENTENCES = 6  # more are better read in the table


def told(name: str, results: Mapping[str, pd.DataFrame]) -> Told | None:
    """What the contrasts of a question say: one way of playing against another."""
    if "contrasts" not in results:
        return None
    found = results["contrasts"]
    found = found[found["switch"] == ""]
    if not len(found):
        return None
    main = found[found["primary"]]
    figures = [_effects(f"{name}-change-{metric}", metric, inside)
               for metric, inside in found.groupby("metric", sort=False)]  # fmt: skip
    sentences = [_change(row) for _, row in main.head(MOST_SENTENCES).iterrows()]
    judged = [
        Judged(row["claim"], row["claim"], row["strategy"], row["control_label"],
               row["treatment_game"], row["treatment_rules"], "", row["players"])
        for _, row in main.iterrows() if row["claim"]
    ]  # fmt: skip
    notes: list[Sentence] = [[TOGETHER]] if (found["claim"] != "").any() else []
    part = Part("What changes", sentences, figures, [_change_table(found)], notes)
    return Told(_quote(main), [], [part], judged)


def _quote(main: pd.DataFrame) -> Sentence:
    """The first change on each side on which the claim is settled; else the first."""
    sides = [main[main["claim"] == claim] for claim in SETTLED]
    first = [side.iloc[0] for side in sides if len(side)] or [main.iloc[0]]
    sentence = _change(first[0])
    for row in first[1:]:
        sentence += [" ", *_change(row)]
    return sentence


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
    what = what_of(row["metric"])
    where = seated(row["strategy"], row["players"])
    if row["treatment_game"] == row["control_game"]:
        where = f"{rulebook.game(row['control_game']).name}, {where}"
    interval: Sentence = [_signed(row, row["low"]), " to ", _signed(row, row["high"])]
    return [f"{what[0].upper()}{what[1:]}: ", _mean(row, "treatment_mean"),
            f" {measure.suffix} with {row['treatment_label']}, ", _mean(row, "control_mean"),
            f" {measure.suffix} with {row['control_label']} ({where}), a difference of ",
            _signed(row, row["effect"]), f" {unit} (95 % interval ", *interval,
            f"){FATES[row['claim']]}."]  # fmt: skip


def _effects(name: str, metric: str, found: pd.DataFrame) -> Figure:
    measure, unit = MEASURES[metric], _difference_unit(metric)
    rows = []
    for _, row in found.iterrows():
        group, label = _contrast_names(row)
        scaled = {part: measure.scale * row[part] for part in ("effect", "low", "high")}
        least = abs(row["min_effect"]) if row["min_effect"] == row["min_effect"] else 0.0
        limits = f"{_signed(row, row['low']).text} to {_signed(row, row['high']).text}"
        rows.append({"group": group, "label": label, **scaled, "least": measure.scale * least,
                     "shown": f"{_signed(row, row['effect']).text} {unit}", "interval": limits,
                     "verdict": row["claim"]})  # fmt: skip
    table = pd.DataFrame(rows)
    axis = f"change of {measure.what}, {unit}"
    chart = forest_chart(name, axis, table, axis, ("less", "more"))
    return Figure(chart, [f"Change of {measure.what}. Bars are 95 % intervals."])


def _contrast_names(row: Any) -> tuple[str, str]:
    who = f"{row['players']} players of {called(row['strategy'])}"
    return f"{row['treatment_label']} in place of {row['control_label']}", who


def _change_table(found: pd.DataFrame) -> Table:
    groups: dict[str, list[list[Cell]]] = {}
    judging = bool((found["claim"] != "").any())
    for metric, inside in found.groupby("metric", sort=False):
        for _, row in inside.iterrows():
            group, label = _contrast_names(row)
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
