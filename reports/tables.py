"""From result tables to what a page shows: each number with its text, rounded in one place."""

import re
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any, NamedTuple

import pandas as pd

from cooncan_sim import intervals, rounding
from cooncan_sim.designs import METRICS
from cooncan_sim.games import rulebook
from cooncan_sim.reports.parts import Judged, Number

MARKS = {  # a sign beside each verdict, so that colour is never the only cue
    "helps": "▲",
    "hurts": "▼",
    "longer": "▲",
    "shorter": "▼",
    "more": "▲",
    "fewer": "▼",
    "no practical difference": "●",
    "unresolved": "◇",
    "supported": "▲",
    "refuted": "▼",
    "open": "◇",
}
AXES = {  # what the axis of a metric is called, and what its two directions are
    "win": ("difference in hands won, percentage points", "wins fewer", "wins more"),
    "net": ("difference in net points a hand", "loses points", "gains points"),
    "penalty": ("difference in points charged a hand", "charged fewer", "charged more"),
    "score": ("difference in points written down a hand", "fewer points", "more points"),
    "balance": ("difference in units won a hand", "loses units", "gains units"),
    "turns": ("difference in turns a hand", "shorter", "longer"),
    "next": ("difference in hands won by the next player, percentage points", "fewer", "more"),
    "void": ("difference in hands without a winner, percentage points", "fewer", "more"),
}
TOGETHER = (
    "A claim counts as supported where it stands when all tests of the question are taken "
    "together (Holm)."
)
NAMED = "no one two three four five six seven eight nine ten eleven twelve".split()
SESSIONS = (10, 100, 1000)  # hands after which the chance to be ahead is told


class EffectRow(NamedTuple):
    """One comparison as a line of a table or of a forest plot; numbers in units of `unit`.

    `field` is empty where the others play what is compared with; `sides` is "2 v 2" where several
    of the treatment sit against the rest, else empty. `group` and `label` tell the
    row from the others of its question: the heading it stands under, and its own name.
    """

    number: int
    metric: str
    group: str
    label: str
    game: str
    rules: str
    sweep: str
    players: int
    treatment: str
    control: str
    field: str
    sides: str
    match: bool
    effect: Number
    low: Number
    high: Number
    least: Number
    unit: str
    verdict: str
    claim: str
    treatment_mean: Number
    control_mean: Number
    deals: Number
    hands: Number
    changed: Number
    precision: Number
    notice: Number
    ahead: tuple[Number, ...]
    p: Number

    @property
    def judged(self) -> Judged:
        """What became of the claim here."""
        return Judged(self.claim, self.verdict, self.field, self.control, self.game, self.rules,
                      self.sweep, self.players)  # fmt: skip


def effect_rows(comparisons: pd.DataFrame) -> list[EffectRow]:
    """The rows of `comparisons` (or `secondary`), in their order.

    Rows of one metric have the same number of decimals.
    """
    table = comparisons.assign(own_field=comparisons["field"] == comparisons["control"])
    places = {}
    for name, inside in table.groupby("metric"):
        widths = (METRICS[name].scale * (inside["high"] - inside["low"]) / 2).dropna()
        places[name] = rounding.decimals(median(widths)) if len(widths) else 0
    names = _names(table)
    return [
        _effect_row(row, places[row.metric], *name)
        for row, name in zip(table.itertuples(), names, strict=True)
    ]


def _names(table: pd.DataFrame) -> list[tuple[str, str]]:
    """Heading and label of each row: what all rows share is not repeated."""
    kinds = ("game", "rules", "sweep", "treatment", "unit")
    varied = {name: table[name].nunique() > 1 for name in kinds}
    several_fields = table.groupby("control")["field"].nunique().max() > 1
    swept = varied["sweep"]
    found = []
    for row in table.itertuples():
        heads = [f"against {singular(row.control_label)}"]
        if varied["treatment"] and not swept:
            heads.insert(0, singular(row.treatment_label))
        if sides_of(row.design):
            heads.append(f"{row.design} at a table")
        elif several_fields or not row.own_field:
            heads.append(among(row.field, row.own_field))
        if varied["game"]:
            heads.append(f"at {rulebook.game(row.game).name}")
        if varied["rules"]:
            heads.append(f"with {row.rules or 'house rules as they come'}")
        if varied["unit"]:
            heads.append("in matches" if row.unit == "matches" else "hand by hand")
        if swept:
            heads.append(f"{row.players} players")
        own = singular(row.treatment_label) if swept else f"{row.players} players"
        found.append((", ".join(heads), own))
    return found


def sides_of(design: str) -> str:
    """`2 v 2` of such a design, "" of one that seats the treatment alone."""
    return design if " v " in design else ""


def among(field: str, own: bool) -> str:
    """Who the others are: `among players of hold`."""
    return "among players who do the same" if own else f"among players of {called(field)}"


def called(strategy: str) -> str:
    """A strategy by its name in the catalogue, as a name."""
    return f"“{strategy}”"


def _effect_row(row: Any, places: int, group: str, label: str) -> EffectRow:
    metric = METRICS[row.metric]
    match = row.unit == "matches"

    def signed(value: float) -> Number:
        return Number(value, rounding.signed(metric.scale * value, places))

    def mean(value: float) -> Number:
        return Number(value, rounding.plain(metric.scale * value, places))

    p = getattr(row, "p_holm", row.p)
    return EffectRow(
        number=row.comparison,
        metric=row.metric,
        group=group,
        label=label,
        game=row.game,
        rules=row.rules,
        sweep=row.sweep,
        players=row.players,
        treatment=singular(row.treatment_label),
        control=singular(row.control_label),
        field="" if row.own_field else row.field,
        sides=sides_of(row.design),
        match=match,
        effect=signed(row.effect),
        low=signed(row.low),
        high=signed(row.high),
        least=Number(row.min_effect, f"{metric.scale * row.min_effect:.3g}"),
        unit=metric.suffix,
        verdict=row.verdict,
        claim=getattr(row, "claim", ""),
        treatment_mean=mean(row.treatment_mean),
        control_mean=mean(row.control_mean),
        deals=Number(row.deals, rounding.count(row.deals)),
        hands=Number(row.hands, rounding.count(row.hands)),
        changed=Number(row.changed, rounding.percent(row.changed)),
        precision=Number(row.vrf, rounding.significant(row.vrf)),
        notice=Number(row.hands_to_notice, rounding.whole(row.hands_to_notice)),
        ahead=tuple(Number(chance, rounding.chance(chance)) for chance in ahead(row)),
        p=Number(p, likelihood(p)),
    )


def ahead(row: Any) -> list[float]:
    """The chance to have gained after 10, 100 and 1,000 hands, by one row of `comparisons`."""
    gain = (METRICS[row.metric].better or 1) * row.effect
    if not row.single_sd:
        return [0.5 if not gain else float(gain > 0)] * len(SESSIONS)
    return [float(intervals.chance_ahead(gain, row.single_sd, hands)) for hands in SESSIONS]


def ahead_table(comparisons: pd.DataFrame) -> pd.DataFrame:
    """`ahead` for all rows: comparison, metric, hands, chance. What a page tells, as a table."""
    return pd.DataFrame(
        {"comparison": row.comparison, "metric": row.metric, "hands": hands,
         "chance": chance}
        for row in comparisons.itertuples()
        for hands, chance in zip(SESSIONS, ahead(row), strict=True)
    )  # fmt: skip


def likelihood(p: float) -> str:
    """A p-value for a table: `0.012`, `< 0.000001`."""
    if p != p:
        return "–"
    return "< 0.000001" if p < 1e-6 else rounding.significant(p)


def forest_table(rows: Iterable[EffectRow]) -> pd.DataFrame:
    """The rows as the forest plot takes them: in units of the axis, grouped, best group first."""
    return pd.DataFrame(
        {
            "group": group,
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
    """The rows by the heading they stand under, the group with the greatest mean gain first."""
    groups: dict[str, list[EffectRow]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)

    def mean(name: str) -> float:
        better = METRICS[groups[name][0].metric].better or 1
        return better * sum(row.effect.value for row in groups[name]) / len(groups[name])

    return {name: groups[name] for name in sorted(groups, key=mean, reverse=True)}


def singular(label: str) -> str:
    """A label made from a pattern, as people say it: `1 turn`, not `1 turns`."""
    return re.sub(r"\b1 (turn|point|hand|card)s\b", r"1 \1", label)


def game_names(keys: Iterable[str]) -> str:
    """`Coon Can and KonKan`."""
    return listed(rulebook.game(key).name for key in dict.fromkeys(keys))


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


def varying(values: Sequence[object]) -> bool:
    """Whether they are not all the same."""
    return len(set(values)) > 1
