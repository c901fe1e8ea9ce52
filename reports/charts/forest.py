"""The forest plot: a line for each effect with its interval, beside it number and verdict.

The same drawing serves shares and means of which nothing is claimed: they have no verdict.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from cooncan_sim.reports.charts.drawing import (
    BAND,
    BLACK,
    BLUE,
    GAP,
    LINE,
    NARROW,
    RULE,
    VERMILLION,
    WHITE,
    WIDE,
    Chart,
    across,
    axes,
    beside,
    limits,
    lines_of,
    signed_ticks,
    text_width,
    wrapped,
)

VERDICT_MARKERS = {  # marker, colour, filled
    "helps": ("^", BLUE, True),
    "longer": ("^", BLUE, True),
    "more": ("^", BLUE, True),
    "hurts": ("v", VERMILLION, True),
    "shorter": ("v", VERMILLION, True),
    "fewer": ("v", VERMILLION, True),
    "no practical difference": ("o", BLACK, True),
    "unresolved": ("D", BLACK, False),
    "supported": ("^", BLUE, True),
    "refuted": ("v", VERMILLION, True),
    "open": ("D", BLACK, False),
    "": ("s", BLUE, True),
}
MOST_LABEL, MOST_VERDICT = 2.1, 1.5  # inches
ROW, HEADING, PAD = 0.25, 0.3, 0.09


class _Line(NamedTuple):
    """A heading, or a row with its words; `y` is the middle in inches below the top."""

    y: float
    row: int | None
    label: str
    number: str = ""
    verdict: str = ""


def forest(table: pd.DataFrame, ax: Axes, wide: bool = True) -> None:
    """Effects with their intervals, in the order of the table; a heading before each new group.

    Columns: `group` (may be empty), `label`, `effect`, `low`, `high` (NaN: not known), `least`
    (the smallest effect that counts, either side of 0; NaN: nothing is claimed, and 0 is no
    mark), `shown` (the effect as text), `verdict` (empty if none); all in the axis' unit. The
    grey band is the range too small to matter. The words at the sides need an Axes made by
    `forest_chart`, inches for y.
    """
    lines, columns = _lines(table, wide), _columns(table, wide)
    for line in lines:
        if line.row is None:
            beside(ax, 0.06, -line.y, line.label, weight="bold")
        else:
            _mark(ax, _mark_height(line, wide), table.iloc[line.row])
            _words(ax, line, columns, wide)
    claimed = not table["least"].isna().all()
    least = float(table["least"].max()) if claimed else math.nan
    if claimed:
        ax.axvspan(-least, least, color=BAND, linewidth=0, zorder=0)
        ax.axvline(0, color=BLACK, linewidth=0.8, zorder=1)
    values = table[["effect", "low", "high"]].to_numpy().ravel()
    ax.set_xlim(*limits(values, -least, least))
    ax.set_ylim(-_height(lines, wide), 0)
    ax.yaxis.set_visible(False)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x", color=RULE, linewidth=0.4, zorder=0)
    room = across(ax)
    ax.xaxis.set_major_locator(MaxNLocator(max(2, int(room / 0.55)), steps=[1, 2, 5, 10]))
    if claimed:
        signed_ticks(ax.xaxis)


def forest_chart(
    name: str, title: str, table: pd.DataFrame, axis: str, sides: tuple[str, str] = ("", "")
) -> Chart:
    """The forest plot of a table as `forest` takes it, its axis named and so its two sides."""

    def draw(figure: Figure, wide: bool) -> None:
        left, right, *_ = _columns(table, wide)
        ax = axes(figure, left, right, _foot(axis, wide), 0.24)
        forest(table, ax, wide)
        words = wrapped(axis, (WIDE if wide else NARROW) - 0.2)
        width = figure.get_size_inches()[0]
        inside = (left + width - right) / 2
        half = text_width(words) / 2 + 0.05
        middle = min(max(inside, half), width - half)
        figure.text(middle / width, 0.06 / figure.get_size_inches()[1], words,
                    ha="center", va="bottom")  # fmt: skip
        _name_sides(ax, sides)

    def height(wide: bool) -> float:
        return _height(_lines(table, wide), wide) + 0.24 + _foot(axis, wide)

    return Chart(name, title, forest_words(table), table, draw, height)


def forest_words(table: pd.DataFrame) -> str:
    """What the forest plot shows, row by row."""
    said = []
    for row in table.itertuples():
        of = f", {row.group}" if row.group else ""
        tail = f", {row.verdict}" if row.verdict else ""
        said.append(f"{row.label}{of}: {row.shown}, 95 % interval {row.interval}{tail}")
    return "Forest plot. " + "; ".join(said) + "."


def _name_sides(ax: Axes, sides: tuple[str, str]) -> None:
    """What lies left and right of 0, where the line of 0 leaves room for the words."""
    width, height = ax.figure.get_size_inches()
    zero = ax.transData.transform((0, 0))[0] / ax.figure.dpi
    for words, align in zip(sides, ("right", "left"), strict=True):
        arrowed = f"← {words}" if align == "right" else f"{words} →"
        long = text_width(arrowed)
        at = zero - GAP if align == "right" else zero + GAP
        inside = at - long if align == "right" else width - at - long
        if words and inside > 0.04:  # else the other side says enough
            ax.figure.text(at / width, 1 - 0.06 / height, arrowed, ha=align, va="top")


def _columns(table: pd.DataFrame, wide: bool) -> tuple[float, float, float, float]:
    """Inches left and right of the plot, where the numbers start, and where the verdicts do."""
    numbers = max(map(text_width, table["shown"])) + GAP
    verdicts = max(text_width(_verdict(one, wide)) for one in table["verdict"])
    if not wide:
        right = max(numbers, verdicts + GAP) + 0.06
        return 0.14, right, NARROW - right + GAP / 2, 0.0
    labels = max(text_width(_label(one, wide)) for one in table["label"])
    right = numbers + (verdicts + GAP if verdicts else 0) + 0.08
    start = WIDE - right + GAP
    return 0.2 + labels + 2 * GAP, right, start, start + numbers


def _label(words: str, wide: bool) -> str:
    return wrapped(words, MOST_LABEL if wide else NARROW - 0.3)


def _verdict(words: str, wide: bool) -> str:
    return wrapped(words, MOST_VERDICT if wide else 0.85)


def _lines(table: pd.DataFrame, wide: bool) -> list[_Line]:
    lines: list[_Line] = []
    y, group = 0.04, ""
    for number, row in enumerate(table.itertuples()):
        if row.group != group:
            group = row.group
            heading = wrapped(group, (WIDE if wide else NARROW) - 0.3, "bold")
            tall = HEADING + LINE * (lines_of(heading) - 1)
            lines.append(_Line(y + tall / 2, None, heading))
            y += tall
        label, verdict = _label(row.label, wide), _verdict(row.verdict, wide)
        if wide:
            tall = ROW + LINE * (max(lines_of(label), lines_of(verdict)) - 1)
        else:
            tall = LINE * (lines_of(label) + 1 + (lines_of(verdict) if verdict else 0)) + PAD
        lines.append(_Line(y + tall / 2, number, label, row.shown, verdict))
        y += tall
    return lines


def _tall(line: _Line, wide: bool) -> float:
    """Inches that a row takes in the narrow form, where its words stand in lines."""
    return LINE * (lines_of(line.label) + 1 + (lines_of(line.verdict) if line.verdict else 0)) + PAD


def _height(lines: Sequence[_Line], wide: bool) -> float:
    last = lines[-1]
    return last.y + (ROW / 2 + 0.04 if wide else _tall(last, wide) / 2 + 0.04)


def _mark_height(line: _Line, wide: bool) -> float:
    """Where the interval is drawn: beside its words, in the narrow form below the label."""
    if wide:
        return -line.y
    words = 1 + (lines_of(line.verdict) if line.verdict else 0)
    top = line.y - (_tall(line, wide) - PAD) / 2 + LINE * lines_of(line.label)
    return -(top + LINE * words / 2)


def _mark(ax: Axes, y: float, row: pd.Series) -> None:
    marker, colour, filled = VERDICT_MARKERS[row["verdict"]]
    ends = [row["low"], row["high"]]
    ax.plot(ends, [y, y], color=colour, linewidth=1.6, solid_capstyle="butt", zorder=2)
    face = colour if filled else WHITE
    ax.plot(row["effect"], y, marker, color=colour, markerfacecolor=face, markersize=6, zorder=3)


def _words(ax: Axes, line: _Line, columns: tuple[float, float, float, float], wide: bool) -> None:
    _, _, numbers, verdicts = columns
    if wide:
        beside(ax, 0.16, -line.y, line.label)
        beside(ax, numbers, -line.y, line.number)
        if line.verdict:
            beside(ax, verdicts, -line.y, line.verdict)
        return
    top = line.y - (_tall(line, wide) - PAD) / 2
    beside(ax, 0.06, -(top + LINE * lines_of(line.label) / 2), line.label)
    words = f"{line.number}\n{line.verdict}" if line.verdict else line.number
    beside(ax, numbers, _mark_height(line, wide), words)


def _foot(axis: str, wide: bool) -> float:
    return 0.34 + LINE * lines_of(wrapped(axis, (WIDE if wide else NARROW) - 0.2))
