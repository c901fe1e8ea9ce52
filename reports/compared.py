"""Parts about two strategies on the same deals: what the tip is worth, and everywhere how sure."""

from collections.abc import Mapping, Sequence
from itertools import groupby

import pandas as pd

from cooncan_sim.designs import METRICS
from cooncan_sim.judging import tests_in
from cooncan_sim.reports import quoting, tables, wording
from cooncan_sim.reports.charts.courses import funnel_chart
from cooncan_sim.reports.charts.drawing import Chart
from cooncan_sim.reports.charts.forest import forest_chart
from cooncan_sim.reports.charts.slopes import ridges_chart, slopes_chart
from cooncan_sim.reports.parts import Cell, Figure, Part, Sentence, Table, Told
from cooncan_sim.reports.tables import AXES, EffectRow

NUMBERS = "All numbers"  # the part that stands last
MOST_LINES = 8  # in a slope chart; more cannot be told apart
FEWEST_PLACES = 3  # fewer are better seen in the forest plot
FEWEST_RIDGES, MOST_RIDGES = 4, 4  # values of a weight in one figure; figures
MARKS_MEAN = (
    "▲ helps, ▼ hurts, ● no practical difference, ◇ unresolved. Bars are 95 % intervals; where "
    "none shows, the mark is wider."
)

ALIKE = (
    "Tested among players who otherwise play alike; against other styles the tip may be worth "
    "more or less."
)


def told(name: str, results: Mapping[str, pd.DataFrame]) -> Told | None:
    """What the comparisons of a question `name` say; None if there are none."""
    if "comparisons" not in results:
        return None
    comparisons = results["comparisons"]
    rows = tables.effect_rows(comparisons)
    parts = [_main(name, rows, comparisons, results.get("looks"))]
    lead = quoting.quoted(rows)[0][0]
    ordered = [lead, *(row for row in rows if row is not lead)]
    hands = sum(row.hands.value for clause in quoting.quoted(rows) for row in clause)
    made = {
        "ahead": tables.ahead_table(comparisons),
        "quoted": pd.DataFrame({"hands": [int(hands)]}),
    }
    if "secondary" in results and len(results["secondary"]):
        parts.append(_besides(name, tables.effect_rows(results["secondary"])))
    parts.append(_numbers(rows))
    judged = [row.judged for row in rows]
    said = wording.sentences_of(ordered, tests_in(results))
    return Told(quoting.quote(rows), said, parts, judged, made)


def _main(
    name: str, rows: list[EffectRow], comparisons: pd.DataFrame, looks: pd.DataFrame | None
) -> Part:
    figures = []
    for number, (metric, inside) in enumerate(_alike(rows), start=1):
        caption: Sentence = [
            "Right of the line the tip does better. " if METRICS[metric].better > 0 else "",
            "The grey band about the line holds differences too small to matter (less than ",
            inside[0].least, f" {inside[0].unit} either way). {MARKS_MEAN}",
        ]  # fmt: skip
        figures.append(Figure(_forest(f"{name}-{metric}-{number}", inside), caption))
    figures += _slopes(name, rows) + _ridges(name, rows, comparisons)
    if looks is not None and len(looks):
        figures.append(_funnel(name, rows[0], looks))
    notes: list[Sentence] = [] if any(row.field for row in rows) else [[ALIKE]]
    return Part("What playing says", wording.lines(rows), figures, [_differences(rows)], notes)


def _besides(name: str, rows: list[EffectRow]) -> Part:
    figures = []
    for metric, inside in _by_metric(rows):
        what = METRICS[metric].what
        caption: Sentence = [
            f"{what[0].upper()}{what[1:]}. The grey band: less than 0.02 standard deviations of "
            f"a single hand. {MARKS_MEAN}"
        ]
        figures.append(Figure(_forest(f"{name}-{metric}-besides", inside), caption))
    return Part("What else changes", [], figures, [_differences(rows)])


def _alike(rows: Sequence[EffectRow]) -> list[tuple[str, list[EffectRow]]]:
    """The rows that one forest plot can hold: one metric, one smallest effect."""

    def key(row: EffectRow) -> tuple[str, float]:
        return row.metric, row.least.value

    return [(name[0], list(group)) for name, group in groupby(sorted(rows, key=key), key=key)]


def _by_metric(rows: Sequence[EffectRow]) -> list[tuple[str, list[EffectRow]]]:
    ordered = sorted(rows, key=lambda row: row.metric)
    return [(name, list(group)) for name, group in groupby(ordered, key=lambda row: row.metric)]


def _axis(row: EffectRow) -> str:
    axis = AXES[row.metric][0]
    return axis.replace("hands", "matches").replace("hand", "match") if row.match else axis


def _forest(name: str, rows: Sequence[EffectRow]) -> Chart:
    title = f"{rows[0].treatment}: {_axis(rows[0])}"
    _, less, more = AXES[rows[0].metric]
    return forest_chart(name, title, tables.forest_table(rows), _axis(rows[0]), (less, more))


def _slopes(name: str, rows: Sequence[EffectRow]) -> list[Figure]:
    """How it changes with the number of players, where that can be told."""
    if len({row.players for row in rows}) < FEWEST_PLACES or any(row.sweep for row in rows):
        return []
    table = pd.DataFrame(
        {
            "line": row.group,
            "at": str(row.players),
            **{part: METRICS[row.metric].scale * getattr(row, part).value
               for part in ("effect", "low", "high", "least")},
        }
        for row in sorted(rows, key=lambda row: row.players)
    )  # fmt: skip
    lines = list(dict.fromkeys(row.group for row in rows))[:MOST_LINES]
    table = table[table["line"].isin(lines)].reset_index(drop=True)
    title = f"{rows[0].treatment}, by the number of players"
    chart = slopes_chart(f"{name}-players", title, table, _axis(rows[0]))
    return [Figure(chart, ["The same by the number of players. Bars are 95 % intervals."])]


def _ridges(name: str, rows: Sequence[EffectRow], comparisons: pd.DataFrame) -> list[Figure]:
    """The effect over a weight that was swept: one chart for each alternative."""
    rows = [row for row in rows if row.sweep.count("=") == 1]
    weights = {row.sweep.split("=")[0] for row in rows}
    if len(weights) != 1 or len({row.sweep for row in rows}) < FEWEST_RIDGES:
        return []
    figures = []
    groups = list(tables.by_group(rows).items())[:MOST_RIDGES]
    for number, (group, inside) in enumerate(groups, start=1):
        scale = METRICS[inside[0].metric].scale
        ses = comparisons.set_index("comparison")["se"]
        table = pd.DataFrame(
            {"at": f"{float(row.sweep.split('=')[1]):g}", "effect": scale * row.effect.value,
             "se": scale * ses[row.number], "low": scale * row.low.value,
             "high": scale * row.high.value, "least": scale * row.least.value}
            for row in inside
        )  # fmt: skip
        title = f"{group}: the effect over {next(iter(weights))}"
        weight = f"{next(iter(weights))}, {group}"
        chart = ridges_chart(f"{name}-sweep-{number}", title, table, weight, _axis(inside[0]))
        caption = "Each curve shows what the effect may be at one value; filled: the 95 % interval."
        figures.append(Figure(chart, [caption]))
    return figures


def _funnel(name: str, row: EffectRow, looks: pd.DataFrame) -> Figure:
    """How the first comparison settled."""
    metric = METRICS[row.metric]
    own = looks[looks["comparison"] == row.number].drop(columns="comparison")
    table = own.assign(**{part: metric.scale * own[part] for part in ("gain", "low", "high")})
    title = f"{row.treatment} {row.group}, {row.label}: how it settled"
    axis = _axis(row) if metric.better > 0 else f"gain: {_axis(row)}, turned round"
    least = metric.scale * row.least.value
    chart = funnel_chart(f"{name}-looks", title, table.reset_index(drop=True), axis, least)
    caption = (
        f"The first comparison ({row.group}, {row.label}) while it was played: the running mean "
        "within limits that hold at every look at once. It stopped when these were clear of 0, "
        "or within the grey band; the figures above are those of fresh deals."
    )
    return Figure(chart, [caption])


def _differences(rows: list[EffectRow]) -> Table:
    several = tables.varying([row.metric for row in rows])
    heads = [*(["metric"] if several else []), "difference", "95 % interval", "verdict"]
    groups: dict[str, list[list[Cell]]] = {}
    for group, inside in tables.by_group(rows).items():
        groups[group] = [
            [
                row.label,
                *([row.metric] if several else []),
                [row.effect, f" {row.unit}"],
                [row.low, " to ", row.high],
                f"{tables.MARKS[row.verdict]} {row.verdict}",
            ]
            for row in inside
        ]
    return Table(f"{_capital(rows[0].treatment)}, compared", ["", *heads], groups)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _numbers(rows: list[EffectRow]) -> Part:
    heads = ["", "claim", "with the tip", "without", "deals", "hands", "deals changed",
             "precision", "p (Holm)", "hands to notice",
             *(f"ahead after {hands:,}" for hands in tables.SESSIONS)]  # fmt: skip
    groups: dict[str, list[list[Cell]]] = {}
    for group, inside in tables.by_group(rows).items():
        groups[group] = [
            [row.label, row.claim, row.treatment_mean, row.control_mean, row.deals, row.hands,
             row.changed, ["× ", row.precision], row.p, row.notice, *row.ahead]
            for row in inside
        ]  # fmt: skip
    first = rows[0]
    what = METRICS[first.metric].what.split(";")[0]
    note: Sentence = [
        "Each comparison has a verdict of its own, whether the tip helps or hurts there; “claim” "
        "says what that means for the tip. The claim is supported where the interval lies above "
        "zero, the difference reaches ",
        first.least,
        f" {first.unit} and it stands when all tests of the question are taken together; "
        "refuted where the whole interval stays below that; open otherwise. With the tip and "
        f"without: {what}{', in percent' if METRICS[first.metric].share else ''}. Deals changed: "
        "the two forms fared differently on that deal. Precision: how many unrelated hands one "
        "hand of this design is worth. Hands to notice: until the difference stands out from "
        "luck. Ahead: the chance to have done better than without the tip after so many hands.",
    ]
    return Part(NUMBERS, tables=[Table("", heads, groups)], notes=[note])
