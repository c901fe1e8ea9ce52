"""From result tables to what a page shows: each number with its text, rounded in one place.

A `Number` keeps the value as it stands in the CSV beside the text that a reader sees, so that
a page can carry both and anyone can check the one against the other.
"""

from collections.abc import Iterable
from statistics import median
from typing import Any, NamedTuple

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.designs import METRICS

MARKS = {  # a sign beside each verdict, so that colour is never the only cue
    "helps": "▲",
    "hurts": "▼",
    "longer": "▲",
    "shorter": "▼",
    "more": "▲",
    "fewer": "▼",
    "no practical difference": "●",
    "unresolved": "◇",
}
AXES = {  # what the axis of a metric is called, and what its two directions are
    "win": ("difference in hands won, percentage points", "wins fewer", "wins more"),
    "net": ("difference in net points a hand", "loses points", "gains points"),
    "penalty": ("difference in points charged a hand", "charged fewer", "charged more"),
    "score": ("difference in points written down a hand", "fewer points", "more points"),
    "balance": ("difference in units won a hand", "loses units", "gains units"),
    "turns": ("difference in turns a hand", "shorter", "longer"),
    "void": ("difference in hands without a winner, percentage points", "fewer", "more"),
}
NAMED = "no one two three four five six seven eight nine ten eleven twelve".split()


class Number(NamedTuple):
    """A value as it stands in the results, and the same as text."""

    value: float
    text: str


class EffectRow(NamedTuple):
    """One comparison as a line of a table or of a forest plot; numbers in units of `unit`."""

    metric: str
    label: str
    treatment: str
    group: str
    players: int
    effect: Number
    low: Number
    high: Number
    least: Number
    unit: str
    verdict: str
    mark: str
    claim: str
    treatment_mean: Number
    control_mean: Number
    deals: Number
    hands: Number
    changed: Number
    precision: Number
    notice: Number
    ahead: Number


def effect_rows(comparisons: pd.DataFrame) -> list[EffectRow]:
    """The rows of `comparisons`, all with the same number of decimals, in their order."""
    scales = comparisons["metric"].map(lambda name: METRICS[name].scale)
    widths = (scales * (comparisons["high"] - comparisons["low"]) / 2).dropna()
    places = rounding.decimals(median(widths)) if len(widths) else 0
    return [_effect_row(row, places) for row in comparisons.itertuples()]


def _effect_row(row: Any, places: int) -> EffectRow:
    metric = METRICS[row.metric]

    def signed(value: float) -> Number:
        return Number(value, rounding.signed(metric.scale * value, places))

    def mean(value: float) -> Number:
        return Number(value, rounding.plain(metric.scale * value, places))

    return EffectRow(
        metric=row.metric,
        label=f"{row.players} players",
        treatment=row.treatment_label,
        group=row.control_label,
        players=row.players,
        effect=signed(row.effect),
        low=signed(row.low),
        high=signed(row.high),
        least=Number(row.min_effect, f"{metric.scale * row.min_effect:g}"),
        unit=metric.suffix,
        verdict=row.verdict,
        mark=MARKS[row.verdict],
        claim=row.claim,
        treatment_mean=mean(row.treatment_mean),
        control_mean=mean(row.control_mean),
        deals=Number(row.deals, rounding.count(row.deals)),
        hands=Number(row.hands, rounding.count(row.hands)),
        changed=Number(row.changed, rounding.percent(row.changed)),
        precision=Number(row.vrf, rounding.significant(row.vrf)),
        notice=Number(row.hands_to_notice, rounding.whole(row.hands_to_notice)),
        ahead=Number(row.ahead_after_100, rounding.chance(row.ahead_after_100)),
    )


def forest_table(rows: Iterable[EffectRow]) -> pd.DataFrame:
    """The rows as the forest plot takes them: in units of the axis, grouped, best group first."""
    return pd.DataFrame(
        {
            "group": f"against {group}",
            "label": row.label,
            "effect": METRICS[row.metric].scale * row.effect.value,
            "low": METRICS[row.metric].scale * row.low.value,
            "high": METRICS[row.metric].scale * row.high.value,
            "least": METRICS[row.metric].scale * row.least.value,
            "shown": f"{row.effect.text} {row.unit}",
            "interval": f"{row.low.text} to {row.high.text}",
            "verdict": row.verdict,
        }
        for group, inside in by_group(rows).items()
        for row in inside
    )


def by_group(rows: Iterable[EffectRow]) -> dict[str, list[EffectRow]]:
    """The rows by what they are compared with, the group with the greatest mean effect first."""
    groups: dict[str, list[EffectRow]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)

    def mean(name: str) -> float:
        return sum(row.effect.value for row in groups[name]) / len(groups[name])

    return {name: groups[name] for name in sorted(groups, key=mean, reverse=True)}


class RankRow(NamedTuple):
    """What was counted of one rank."""

    rank: str
    runs: list[Number]
    in_run: Number
    in_meld: Number


def rank_rows(counts: pd.DataFrame, chances: pd.DataFrame, ace: str = "low") -> list[RankRow]:
    """One row per rank: runs of each length through it, and the chances to be in a meld."""
    counts, chances = counts[counts["ace"] == ace], chances[chances["ace"] == ace]
    rows = []
    for chance in chances.itertuples():
        runs = counts[counts["rank"] == chance.rank].sort_values("length")["runs"]
        rows.append(
            RankRow(
                rank_text(chance.rank),
                [Number(int(number), str(number)) for number in runs],
                Number(chance.in_run_share, rounding.percent(chance.in_run_share)),
                Number(chance.in_meld_share, rounding.percent(chance.in_meld_share, 3)),
            )
        )
    return rows


def band_rows(bands: pd.DataFrame, ace: str = "low") -> list[tuple[str, list[Number]]]:
    """One row per band, in the order of the question: mean runs of each length."""
    bands = bands[bands["ace"] == ace]
    return [
        (
            name,
            [
                Number(runs, rounding.plain(runs, 2))
                for runs in bands[bands["band"] == name].sort_values("length")["runs"]
            ],
        )
        for name in bands["band"].unique()
    ]


def named(number: int) -> str:
    """`three`, `12`: small numbers as words, for prose."""
    return NAMED[number] if number < len(NAMED) else str(number)


def listed(words: Iterable[str], link: str = "and") -> str:
    """`2, 3 and 4`."""
    *first, last = words
    return f"{', '.join(first)} {link} {last}" if first else last


def rank_text(name: str) -> str:
    """A rank as people write it: 10 for `T`."""
    return "10" if name == "T" else name
