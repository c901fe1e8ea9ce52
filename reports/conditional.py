"""A part about two strategies where something holds: in hands lost, or from far behind."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.designs import METRICS
from cooncan_sim.reports.charts.forest import forest_chart
from cooncan_sim.reports.parts import Cell, Figure, Judged, Number, Part, Sentence, Table, Told
from cooncan_sim.reports.tables import AXES, MARKS, TOGETHER, among, likelihood, named

WHERE = {"lost under both": "hands lost either way"}  # else "30 behind"


def told(name: str, results: Mapping[str, pd.DataFrame]) -> Told | None:
    """What the table `conditionals` of a question says; None if there is none."""
    if "conditionals" not in results:
        return None
    found = results["conditionals"]
    rows = [row for _, row in found.iterrows()]
    figures = [
        _forest(f"{name}-where-{metric}", metric, inside)
        for metric, inside in found.groupby("metric", sort=False)
    ]
    judged = [
        Judged(row["claim"], row["claim"], _field(row), row["control"], row["game"], row["rules"],
               row["given"], row["players"])
        for row in rows
    ]  # fmt: skip
    part = Part("Where it should matter most", [_sentence(row) for row in rows], figures,
                [_table(rows)], [[TOGETHER]])  # fmt: skip
    return Told(_sentence(rows[0]), [], [part], judged)


def _field(row: Any) -> str:
    return "" if row["field"] == row["control"] else row["field"]


def _where(row: Any) -> str:
    given = row["given"]
    return WHERE.get(given) or f"matches, {given.removesuffix('behind').strip()} points behind"


def _numbers(row: Any) -> tuple[Number, Number, Number]:
    """Effect and its limits."""
    scale = METRICS[row["metric"]].scale
    places = rounding.decimals(scale * (row["high"] - row["low"]) / 2)
    effect, low, high = (
        Number(row[of], rounding.signed(scale * row[of], places))
        for of in ("effect", "low", "high")
    )
    return effect, low, high


def _sentence(row: Any) -> Sentence:
    effect, low, high = _numbers(row)
    suffix = METRICS[row["metric"]].suffix
    what = "matches won" if row["metric"] == "win" else METRICS[row["metric"]].what
    lead = (
        f"In {_where(row)}, {row['treatment_label']} against {row['control_label']} with "
        f"{named(row['players'])} players, {among(row['field'], not _field(row))}: {what} "
    )
    return [lead, effect, f" {suffix}, 95 % interval ", low, " to ", high, f": {row['claim']}."]


def _group(row: Any) -> str:
    others = among(row["field"], not _field(row))
    return f"{_where(row)}: {row['treatment_label']} against {row['control_label']}, {others}"


def _forest(name: str, metric: str, found: pd.DataFrame) -> Figure:
    scale, suffix = METRICS[metric].scale, METRICS[metric].suffix
    rows = []
    for _, row in found.iterrows():
        effect, low, high = _numbers(row)
        scaled = {of: scale * row[of] for of in ("effect", "low", "high")}
        rows.append({"group": _group(row), "label": f"{row['players']} players", **scaled,
                     "least": scale * row["min_effect"], "shown": f"{effect.text} {suffix}",
                     "interval": f"{low.text} to {high.text}",
                     "verdict": row["claim"]})  # fmt: skip
    axis, less, more = AXES[metric]
    axis = axis.replace("hands", "matches") if metric == "win" else axis
    chart = forest_chart(name, axis, pd.DataFrame(rows), axis, (less, more))
    caption = "The grey band holds differences too small to matter. Bars are 95 % intervals."
    return Figure(chart, [caption])


def _table(rows: list[Any]) -> Table:
    groups: dict[str, list[list[Cell]]] = {}
    for row in rows:
        effect, low, high = _numbers(row)
        cells: list[Cell] = [
            f"{row['players']} players", [effect, f" {METRICS[row['metric']].suffix}"],
            [low, " to ", high], Number(int(row["count"]), rounding.count(int(row["count"]))),
            Number(int(row["deals"]), rounding.count(int(row["deals"]))),
            Number(row["p_holm"], likelihood(row["p_holm"])),
            f"{MARKS[row['claim']]} {row['claim']}",
        ]  # fmt: skip
        groups.setdefault(_group(row), []).append(cells)
    heads = ["", "difference", "95 % interval", "times it held", rows[0]["unit"], "p (Holm)",
             "claim"]  # fmt: skip
    return Table("", heads, groups)
