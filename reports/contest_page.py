"""Pages of a tournament and of a search for weights."""

from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.designs import METRICS
from cooncan_sim.games import rulebook
from cooncan_sim.placings import RESAMPLES
from cooncan_sim.reports.charts.contests import cycle_chart, heatmap_chart
from cooncan_sim.reports.charts.courses import tuning_chart
from cooncan_sim.reports.charts.forest import forest_chart
from cooncan_sim.reports.charts.lengths import ecdf_chart, survival_chart
from cooncan_sim.reports.distributions import ecdf, survival
from cooncan_sim.reports.parts import Cell, Figure, Number, Part, Table
from cooncan_sim.reports.tables import likelihood
from cooncan_sim.reports.writing import CHARTS, as_links, render, save_charts
from cooncan_sim.tournament import Tournament
from cooncan_sim.tune import Tuned

NAN = float("nan")
LOOKED_AT = 500  # deals that are played once more for the curves of their hands
MOST_CURVES = 7


@dataclass(frozen=True)
class Sheet:
    """A page about one contest: a few lines on top, parts, and the tables behind them."""

    title: str
    lead: list[str]
    parts: list[Part]
    tables: dict[str, pd.DataFrame]

    @property
    def csv(self) -> dict[str, str]:
        """The tables as links."""
        return as_links(self.tables)


def write(sheet: Sheet, place: Path) -> None:
    """Writes the page, and its charts into a folder `charts` beside it.

    The charts begin with the page's name, so that those of another page may lie there too.
    """
    named = replace(sheet, parts=[_named_after(place.stem, part) for part in sheet.parts])
    charts = place.parent / CHARTS
    charts.mkdir(exist_ok=True)
    save_charts(named.parts, charts)
    place.write_text(render("sheet.html.jinja", sheet=named), "utf-8")


def _named_after(page: str, part: Part) -> Part:
    figures = [
        figure._replace(chart=replace(figure.chart, name=f"{page}-{figure.chart.name}"))
        for figure in part.figures
    ]
    return replace(part, figures=figures)


# --- a tournament -------------------------------------------------------------------------


def of_tournament(answer: Tournament) -> Sheet:
    """The matrix first, then ratings, then what one list would hide."""
    parts = [_matrix(answer)]
    if answer.cycle():
        parts.append(_cycle(answer))
    if answer.placings is not None:
        parts.append(_ratings(answer))
    tables = {"meetings": answer.meetings(), "summary": answer.summary()}
    if len(answer.alpha_ranks()):
        parts.append(_crowd(answer))
        tables["alpha_ranks"] = answer.alpha_ranks()
    if not answer.match:
        parts.append(_hands(answer))
    game = rulebook.game(answer.game).name
    return Sheet(f"{game}: who beats whom?", answer.lines(), parts, tables)


def _metrics(answer: Tournament) -> list[str]:
    return list(answer.meetings()["metric"].unique())


def _what(answer: Tournament, metric: str) -> str:
    what = METRICS[metric].what
    return what.replace("hand", "match").replace("matchs", "matches") if answer.match else what


def _cells(answer: Tournament, metric: str) -> tuple[pd.DataFrame, int]:
    """The matrix in the metric's unit as `row, column, value`, best first; and its decimals."""
    order = list(answer.summary()["strategy"])
    matrix = METRICS[metric].scale * answer.matrix(metric).loc[order, order]
    cells = [(row, column, matrix.loc[row, column])
             for row in order for column in order if row != column]  # fmt: skip
    places = rounding.decimals(METRICS[metric].scale * answer.widest(metric))
    return pd.DataFrame(cells, columns=["row", "column", "value"]), places


def _matrix(answer: Tournament) -> Part:
    figures = []
    against = "against the column" if answer.sides == 2 else "in a field of the column"
    for metric in _metrics(answer):
        one = METRICS[metric]
        table, places = _cells(answer, metric)
        beyond = " beyond one’s share" if metric == "win" else ""
        says = f"{_what(answer, metric).split(';')[0]}{beyond}, {one.suffix}: the row {against}"
        chart = heatmap_chart(f"matrix-{metric}", f"Matrix: {metric}", table, says, places)
        figures.append(Figure(chart, ["Orange: the row gains; purple: it loses."]))
    return Part("Everybody against everybody", [], figures, [_meetings(answer)])


def _meetings(answer: Tournament) -> Table:
    groups: dict[str, list[list[Cell]]] = {}
    for row in answer.meetings().itertuples():
        metric = METRICS[row.metric]
        places = rounding.decimals(metric.scale * (row.high - row.low) / 2)
        effect, low, high = (
            Number(value, rounding.signed(metric.scale * value, places))
            for value in (row.effect, row.low, row.high)
        )
        cells: list[Cell] = [f"{row.row} against {row.column}", effect, [low, " to ", high],
                             Number(row.p_holm, likelihood(row.p_holm))]  # fmt: skip
        what = _what(answer, row.metric)
        groups.setdefault(f"{what}, {metric.suffix}", []).append(cells)
    return Table("Each meeting", ["", "gain", "95 % interval", "p (Holm)"], groups)


def _cycle(answer: Tournament) -> Part:
    names = list(answer.cycle())
    what = "matches" if answer.match else "hands"
    table, places = _cells(answer, "win")
    gains = table.set_index(["row", "column"])["value"]
    pairs = zip(names, [*names[1:], names[0]], strict=True)
    shown = [f"{rounding.signed(gains[pair], places)} pp" for pair in pairs]
    chart = cycle_chart("cycle", "A ring of strategies", table, names, shown)
    sentence = "No list can show this: each of these beats the next, and the last beats the first."
    return Part("A ring", [[sentence]], [Figure(chart, [f"Gains in {what} won."])])


def _ratings(answer: Tournament) -> Part:
    summary = answer.summary()
    figures, heads = [], ["", "mean gain, pp"]
    rows: list[list[Cell]] = [
        [row["strategy"], Number(row["gain"], rounding.signed(100 * row["gain"], 2))]
        for _, row in summary.iterrows()
    ]
    kinds = {"strength": "log strength", "points": "points a hand"}
    for name, axis in kinds.items():
        if name not in summary:
            continue
        heads += [axis, "95 % interval"]
        shown = []
        for cells, (_, row) in zip(rows, summary.iterrows(), strict=True):
            places = rounding.decimals((row[f"{name}_high"] - row[f"{name}_low"]) / 2)
            value, low, high = (Number(row[of], rounding.signed(row[of], places))
                                for of in (name, f"{name}_low", f"{name}_high"))  # fmt: skip
            cells += [value, [low, " to ", high]]
            shown.append({"group": "", "label": row["strategy"], "effect": value.value,
                          "low": low.value, "high": high.value, "least": NAN,
                          "shown": value.text, "interval": f"{low.text} to {high.text}",
                          "verdict": ""})  # fmt: skip
        chart = forest_chart(f"ratings-{name}", f"Ratings: {axis}", pd.DataFrame(shown), axis)
        figures.append(Figure(chart, [f"Ratings in {axis}. Bars are 95 % intervals."]))
    assert answer.placings is not None
    note = f"Log strength: {answer.rated_by}."
    if answer.placings.points is not None:
        note += " Points a hand: least squares on strategy and seat."
    limits = f" Limits from {RESAMPLES:,} resamples of the deals."
    return Part("Ratings", [], figures, [Table("", heads, {"": rows})], [[note + limits]])


def _crowd(answer: Tournament) -> Part:
    ranks = answer.alpha_ranks()
    heads = [f"α = {alpha:g}" for alpha in ranks["alpha"].unique()]
    rows: list[list[Cell]] = []
    for name in answer.summary()["strategy"]:
        shares = ranks.loc[ranks["strategy"] == name, "share"]
        rows.append([name, *(Number(share, rounding.chance(share)) for share in shares)])
    note = ("The share of a crowd that plays it in the long run, where the better is copied; "
            "the larger α, the more surely (α-rank).")  # fmt: skip
    return Part("In a crowd", tables=[Table("", ["", *heads], {"": rows})], notes=[[note]])


def _hands(answer: Tournament) -> Part:
    """How long hands last with each strategy at the table, and what they cost it."""
    deals = min(answer.deals, LOOKED_AT)
    best = answer.summary()["strategy"].head(MOST_CURVES)
    rows = answer.frame(0, deals).astype({"strategy": object})
    rows = pd.concat(rows[rows["strategy"] == name] for name in best)
    rows = rows.rename(columns={"strategy": "curve", "points": "value"})
    hands = rows.drop_duplicates(["curve", "deal", "seating"])
    lengths = survival(hands.assign(stopped=hands["ending"] == "max_turns"))
    charts = [
        survival_chart("lengths", "How long a hand lasts", lengths),
        ecdf_chart("costs", "What a hand costs", ecdf(rows), "points written down in a hand"),
    ]
    bands = "Bands are 95 % intervals over deals."
    figures = [Figure(chart, [f"{chart.title}, by who plays. {bands}"]) for chart in charts]
    return Part("The hands", [[f"From the first {deals:,} deals of each meeting."]], figures)


# --- a search for weights -----------------------------------------------------------------


def of_tuning(answer: Tuned) -> Sheet:
    """The path of the search, and the test of what it found."""
    low_high = answer.search.bounds
    path = answer.frame().melt("step", var_name="weight", value_name="value")
    path["low"] = [low_high[name][0] for name in path["weight"]]
    path["high"] = [low_high[name][1] for name in path["weight"]]
    start = answer.search.found.name
    chart = tuning_chart("tuning", f"Weights of {start} while they were searched", path)
    caption = "Each weight between the least and the largest value allowed, from step to step."
    summary = answer.summary()
    rows: list[list[Cell]] = []
    for row in summary.itertuples():
        metric = METRICS[row.metric]
        places = rounding.decimals(metric.scale * (row.high - row.low) / 2)
        effect, low, high = (
            Number(value, rounding.signed(metric.scale * value, places))
            for value in (row.effect, row.low, row.high)
        )
        rows.append([row.field, f"{row.gate}", Number(row.gate_deals, f"{row.gate_deals:,}"),
                     [effect, f" {metric.suffix}"], [low, " to ", high]])  # fmt: skip
    heads = ["in a field of", "gate", "after deals", "gain", "95 % interval"]
    parts = [
        Part("The search", figures=[Figure(chart, [caption])]),
        Part("The test, on fresh deals", tables=[Table("", heads, {"": rows})]),
    ]
    tables = {"path": answer.frame(), "summary": summary}
    return Sheet(f"Better weights for {start}?", answer.lines(), parts, tables)
