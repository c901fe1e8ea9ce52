"""A part about two strategies where something holds: in hands lost, or from far behind."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.designs import METRICS
from cooncan_sim.reports import quoting, tables, wording
from cooncan_sim.reports.charts.forest import forest_chart
from cooncan_sim.reports.parts import Cell, Figure, Judged, Number, Part, Sentence, Table, Told
from cooncan_sim.reports.tables import AXES, MARKS, TOGETHER, EffectRow, among, likelihood

WHERE = {"lost under both": "hands lost either way"}  # else "30 behind"


def told(name: str, results: Mapping[str, pd.DataFrame]) -> Told | None:
    """What the table `conditionals` of a question says; None if there is none."""
    if "conditionals" not in results:
        return None
    found = results["conditionals"]
    rows = [row for _, row in found.iterrows()]
    effects = _effects(found)
    figures = [
        _forest(f"{name}-where-{metric}", metric, inside)
        for metric, inside in found.groupby("metric", sort=False)
    ]
    judged = [
        Judged(row["claim"], row["claim"], _field(row), row["control"], row["game"], row["rules"],
               row["given"], row["players"])
        for row in rows
    ]  # fmt: skip
    part = Part("Where it should matter most", _sentences(effects), figures,
                [_table(rows)], [[TOGETHER]])  # fmt: skip
    count = sum(row.hands.value for clause in quoting.quoted(effects) for row in clause)
    made = {"quoted_where": pd.DataFrame({"count": [int(count)]})}
    return Told(_quote(effects), [], [part], judged, made)


def _effects(found: pd.DataFrame) -> list[EffectRow]:
    """The rows as those of comparisons, so that the same words can be used of them."""
    scales = found["metric"].map(lambda metric: METRICS[metric].better or 1)
    gains = found[["low", "high"]].mul(scales, axis=0)
    verdict = pd.Series("unresolved", index=found.index)
    verdict[gains.min(axis=1) > 0] = "helps"
    verdict[gains.max(axis=1) < 0] = "hurts"
    table = found.assign(
        comparison=range(1, len(found) + 1), verdict=verdict, hands=found["count"],
        hands_to_notice=float("nan"), single_sd=0.0, sweep="",
    )  # fmt: skip
    rows: list[EffectRow] = []
    for given, inside in table.groupby("given", sort=False):
        own = tables.effect_rows(inside)
        rows += [row._replace(group=f"{_where(str(given))}: {row.group}") for row in own]
    return rows


def _quote(effects: list[EffectRow]) -> Sentence:
    clauses = quoting.quoted(effects)
    count = sum(row.hands.value for clause in clauses for row in clause)
    place = clauses[0][0].group.split(":")[0]
    games = tables.game_names([row.game for clause in clauses for row in clause])
    number = Number(count, rounding.count(int(count)))
    return [f"{place[0].upper()}{place[1:]} ({games}, ", number, " times), ",
            *quoting.clauses(effects), "."]  # fmt: skip


def _sentences(effects: list[EffectRow]) -> list[Sentence]:
    """One for each place and alternative."""
    numbers = sorted({row.players for row in effects})
    sentences: list[Sentence] = []
    for group, inside in tables.by_group(effects).items():
        first, *rest = wording.line(inside, numbers)
        place = group.split(":")[0]
        assert isinstance(first, str)
        sentences.append([f"{place[0].upper()}{place[1:]}, {first[0].lower()}{first[1:]}", *rest])
    return sentences


def _field(row: Any) -> str:
    return "" if row["field"] == row["control"] else row["field"]


def _where(given: str) -> str:
    if given in WHERE:
        return f"in {WHERE[given]}"
    return f"in matches, from {given.removesuffix('behind').strip()} points behind on"


def _numbers(row: Any) -> tuple[Number, Number, Number]:
    """Effect and its limits."""
    scale = METRICS[row["metric"]].scale
    places = rounding.decimals(scale * (row["high"] - row["low"]) / 2)
    effect, low, high = (
        Number(row[of], rounding.signed(scale * row[of], places))
        for of in ("effect", "low", "high")
    )
    return effect, low, high


def _group(row: Any) -> str:
    others = among(row["field"], not _field(row))
    return (
        f"{_where(row['given'])}: {row['treatment_label']} against {row['control_label']}, {others}"
    )


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
