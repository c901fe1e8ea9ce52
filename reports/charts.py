"""Charts: each draws result rows on an Axes it is given and has words that say the same.

A chart comes in two widths, 7 and 3.5 inches. Colours are Okabe and Ito's and never the only
cue. In a page the same drawing takes its colours from the page, light or dark.
"""

import io
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import blended_transform_factory

from cooncan_sim import rounding
from cooncan_sim.designs import METRICS
from cooncan_sim.reports.tables import EffectRow, by_group, listed, rank_text

WIDE, NARROW = 7.0, 3.5  # inches
DOTS = 300
BLUE, VERMILLION, GREEN, BLACK = "#0072B2", "#D55E00", "#009E73", "#000000"
BAND, RULE = "#E3E3E3", "#BBBBBB"
# What each colour is called in the page's style sheet.
PAGE_COLOURS = {
    BLUE: "var(--blue)",
    VERMILLION: "var(--vermillion)",
    GREEN: "var(--green)",
    BLACK: "var(--ink)",
    BAND: "var(--band)",
    RULE: "var(--rule)",
    "#FFFFFF": "var(--paper)",
}
VERDICT_MARKERS = {  # marker, colour, filled
    "helps": ("^", BLUE, True),
    "longer": ("^", BLUE, True),
    "hurts": ("v", VERMILLION, True),
    "shorter": ("v", VERMILLION, True),
    "no practical difference": ("o", BLACK, True),
    "unresolved": ("D", BLACK, False),
}
LEFT, NARROW_LEFT = 1.0, 0.72  # inches beside a forest plot for the rows' names
LETTER = 0.066  # inches that a letter takes
LINE = 0.25  # inches per line of a forest plot
AXES = {  # what the axis of a metric is called, and what its two directions are
    "win": ("difference in hands won, percentage points", "wins fewer", "wins more"),
    "net": ("difference in net points a hand", "loses points", "gains points"),
    "penalty": ("difference in points charged a hand", "charged fewer", "charged more"),
    "turns": ("difference in turns a hand", "shorter", "longer"),
}
STYLE = {
    "font.family": ["sans-serif"],
    "font.size": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.labelsize": 8.5,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8.5,
    "svg.fonttype": "none",
    "figure.facecolor": "#FFFFFF",
    "axes.facecolor": "none",
}


@dataclass(frozen=True)
class Chart:
    """A drawing with a name for its files and words for those who do not see it.

    `draw(figure, wide)` fills an empty Figure; `height(wide)` is in inches.
    """

    name: str
    title: str
    alt: str
    draw: Callable[[Figure, bool], None]
    height: Callable[[bool], float]

    def figure(self, wide: bool = True) -> Figure:
        """The chart, drawn."""
        figure = Figure(figsize=(WIDE if wide else NARROW, self.height(wide)))
        self.draw(figure, wide)
        return figure

    def save(self, folder: Path) -> list[Path]:
        """Writes SVG and 300 dpi PNG of the wide form; returns both paths."""
        with matplotlib.rc_context(STYLE | {"svg.hashsalt": self.name}):
            figure = self.figure()
            paths = [folder / f"{self.name}.svg", folder / f"{self.name}.png"]
            figure.savefig(paths[0], metadata={"Date": None})
            figure.savefig(paths[1], dpi=DOTS)
        return paths

    def inline(self, wide: bool) -> str:
        """The chart as an `<svg>` for a page: its colours are the page's, its text stays text."""
        salt = f"{self.name}-{'wide' if wide else 'narrow'}"
        drawn = io.StringIO()
        with matplotlib.rc_context(STYLE | {"svg.hashsalt": salt}):
            self.figure(wide).savefig(
                drawn, format="svg", transparent=True, metadata={"Date": None}
            )
        return _for_page(drawn.getvalue(), salt, self.title, self.alt)


def _for_page(svg: str, salt: str, title: str, alt: str) -> str:
    """Strips what only a file needs, makes ids unique in the page and names the drawing."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<(metadata|style)\b.*?</\1>\s*", "", svg, flags=re.S)
    used = set(re.findall(r"(?:href=\"|url\()#([\w-]+)", svg))
    svg = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in used else "", svg)
    svg = re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{salt}-", svg)
    for colour, name in PAGE_COLOURS.items():
        svg = re.sub(colour, name, svg, flags=re.I)
    box = re.search(r'viewBox="[^"]*"', svg)
    assert box is not None  # Matplotlib always writes one
    kind = "wide" if salt.endswith("wide") else "narrow"
    opening = (
        f'<svg class="{kind}" {box[0]} role="img" aria-labelledby="{salt}-title {salt}-desc">'
        f'<title id="{salt}-title">{escape(title)}</title>'
        f'<desc id="{salt}-desc">{escape(alt)}</desc>'
    )
    return opening + svg[svg.index(">") + 1 :].strip()


def forest(rows: Sequence[EffectRow], ax: Axes, wide: bool = True) -> None:
    """Effects with their intervals, grouped by what they are compared with, best group first.

    The grey band is the range too small to matter; marker and words give the verdict.
    """
    lines = _forest_lines(rows, wide)
    for y, line in lines:
        if isinstance(line, str):
            _beside(ax, 0.06, y, line, weight="bold")
        else:
            _forest_mark(ax, y, line)
            _forest_words(ax, y, line, rows, wide)
    least = METRICS[rows[0].metric].scale * rows[0].least.value
    ax.axvspan(-least, least, color=BAND, linewidth=0, zorder=0)
    ax.axvline(0, color=BLACK, linewidth=0.8, zorder=1)
    ax.set_xlim(*_forest_limits(rows, least))
    ax.set_ylim(lines[-1][0] - 0.7, 0.6)
    ax.yaxis.set_visible(False)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x", color=RULE, linewidth=0.4, zorder=0)
    ax.tick_params(axis="x", length=3)
    ax.xaxis.set_major_locator(MaxNLocator(8 if wide else 6, steps=[1, 2, 5, 10]))
    ax.xaxis.set_major_formatter(lambda x, _: rounding.signed(x, rounding.decimals(x, 1, 2)))
    ax.set_xlabel(AXES[rows[0].metric][0])
    for side, words in zip((-1, 1), AXES[rows[0].metric][1:], strict=True):
        ax.annotate(
            words,
            (0, 1),
            (side * 5, 2),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="left" if side > 0 else "right",
        )


def forest_chart(name: str, rows: Sequence[EffectRow]) -> Chart:
    """The forest plot of rows that share one metric and one smallest effect."""

    def draw(figure: Figure, wide: bool) -> None:
        width, height = figure.get_size_inches()
        left, right = LEFT if wide else NARROW_LEFT, _right(rows, wide) + 0.1
        low, high = 0.48, 0.22
        box = (left / width, low / height, 1 - (left + right) / width, 1 - (low + high) / height)
        forest(rows, figure.add_axes(box), wide)

    def height(wide: bool) -> float:
        return 0.7 + LINE * (0.6 - _forest_lines(rows, wide)[-1][0] + 0.7)

    title = f"{rows[0].treatment}: {AXES[rows[0].metric][0]}"
    return Chart(name, title, forest_words(rows), draw, height)


def forest_words(rows: Sequence[EffectRow]) -> str:
    """What the forest plot shows, row by row."""
    said = [
        f"{row.label}, {row.treatment} against {group}: {row.effect.text} {row.unit}, "
        f"95 % interval {row.low.text} to {row.high.text}, {row.verdict}"
        for group, inside in by_group(rows).items()
        for row in inside
    ]
    return "Forest plot. " + "; ".join(said) + "."


def _forest_lines(rows: Sequence[EffectRow], wide: bool) -> list[tuple[float, str | EffectRow]]:
    """Heights of the headings and rows, the first at 0 and downwards."""
    long = any(len(row.verdict) > len("unresolved") for row in rows)
    step = 1.0 if wide else 1.7 if long else 1.35  # beside a narrow plot a row has 2 or 3 lines
    lines: list[tuple[float, str | EffectRow]] = []
    y = 0.0
    for group, inside in by_group(rows).items():
        lines.append((y, f"against {group}"))
        lines += [(y - 1.1 - step * place, row) for place, row in enumerate(inside)]
        y = lines[-1][0] - step - 0.35
    return lines


def _number_width(rows: Sequence[EffectRow]) -> float:
    """Inches that the widest effect needs, with a gap behind it."""
    return LETTER * (1.5 + max(len(f"{row.effect.text} {row.unit}") for row in rows))


def _right(rows: Sequence[EffectRow], wide: bool) -> float:
    """Inches that numbers and verdicts need beside the plot."""
    if not wide:
        return max(_number_width(rows), LETTER * len("no practical"))
    return _number_width(rows) + LETTER * (1 + max(len(row.verdict) for row in rows))


def _forest_limits(rows: Sequence[EffectRow], least: float) -> tuple[float, float]:
    scale = METRICS[rows[0].metric].scale
    ends = [scale * end.value for row in rows for end in (row.low, row.effect, row.high)]
    ends = [-least, least, *(end for end in ends if not math.isnan(end))]
    spare = 0.06 * (max(ends) - min(ends))
    return min(ends) - spare, max(ends) + spare


def _forest_mark(ax: Axes, y: float, row: EffectRow) -> None:
    scale = METRICS[row.metric].scale
    marker, colour, filled = VERDICT_MARKERS[row.verdict]
    ends = [scale * row.low.value, scale * row.high.value]
    ax.plot(ends, [y, y], color=colour, linewidth=1.6, solid_capstyle="butt", zorder=2)
    face = colour if filled else "#FFFFFF"
    middle = scale * row.effect.value
    ax.plot(middle, y, marker, color=colour, markerfacecolor=face, markersize=6, zorder=3)


def _forest_words(
    ax: Axes, y: float, row: EffectRow, rows: Sequence[EffectRow], wide: bool
) -> None:
    words = f"{row.effect.text} {row.unit}"
    start = (WIDE if wide else NARROW) - _right(rows, wide)
    if wide:
        _beside(ax, 0.16, y, row.label)
        _beside(ax, start, y, words)
        _beside(ax, start + _number_width(rows), y, row.verdict)
    else:
        _beside(ax, 0.06, y, row.label)
        verdict = row.verdict.replace("practical ", "practical\n")
        _beside(ax, start, y, f"{words}\n{verdict}")


def _beside(ax: Axes, inches: float, y: float, words: str, **style: Any) -> None:
    """Text at a height of the axes, `inches` from the figure's left edge."""
    place = blended_transform_factory(ax.figure.dpi_scale_trans, ax.transData)
    box = {"facecolor": "#FFFFFF", "edgecolor": "none", "pad": 1}  # covers the grid behind it
    ax.text(inches, y, words, transform=place, va="center", bbox=box, **style)


def runs_through_ranks(counts: pd.DataFrame, band: tuple[int, int], ax: Axes) -> None:
    """Runs of each length through a card of each rank; the band that a tip favours is shaded."""
    ax.axvspan(band[0] - 0.5, band[1] + 0.5, color=BAND, linewidth=0, zorder=0)
    for (length, group), (marker, colour) in zip(
        counts.groupby("length"), (("o", BLUE), ("s", VERMILLION), ("^", GREEN)), strict=False
    ):
        ax.plot(group["position"], group["runs"], color=colour, marker=marker, markersize=4.5)
        ax.annotate(
            f"{length}-card runs",
            ((band[0] + band[1]) / 2, group["runs"].max()),
            (0, 4),
            textcoords="offset points",
            ha="center",
        )
    ranks = counts.drop_duplicates("position")
    ax.set_xticks(ranks["position"], [rank_text(rank) for rank in ranks["rank"]])
    ax.set_yticks(range(counts["runs"].max() + 1))
    ax.set_ylim(0, counts["runs"].max() + 0.8)
    ax.set_xlim(0.4, 13.6)
    ax.set_ylabel("runs through the card")
    ax.grid(axis="y", color=RULE, linewidth=0.4)
    ax.tick_params(length=3)


def runs_chart(name: str, counts: pd.DataFrame, band: tuple[str, int, int]) -> Chart:
    """The chart of runs through each rank, with the favoured band `(label, low, high)`."""

    def draw(figure: Figure, wide: bool) -> None:
        ax = figure.add_axes((0.08, 0.13, 0.9, 0.83) if wide else (0.13, 0.12, 0.85, 0.84))
        runs_through_ranks(counts, band[1:], ax)
        middle = (band[1] + band[2]) / 2
        ax.text(middle, 0.25, f"the tip: {band[0]}", ha="center", va="bottom")

    said = []
    for length, group in counts.groupby("length"):
        each = [f"{rank_text(row.rank)} {row.runs}" for row in group.itertuples()]
        said.append(f"runs of {length} cards: {listed(each)}")
    words = f"Number of runs in one suit that hold a card of each rank. {'; '.join(said)}."
    return Chart(name, "Runs through a card of each rank", words, draw, lambda _: 2.6)
