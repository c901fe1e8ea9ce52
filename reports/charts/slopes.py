"""One effect under several conditions: across table sizes or variants, or over a swept weight."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from scipy import stats

from cooncan_sim.reports.charts.drawing import (
    BAND,
    BLACK,
    BLUE,
    GAP,
    LINE,
    NARROW,
    SERIES,
    WHITE,
    WIDE,
    Chart,
    across,
    axes,
    beside,
    end_room,
    label_ends,
    limits,
    lines_of,
    signed_ticks,
    text_width,
    wrapped,
)

LEFT = 0.55  # inches for the numbers of the y axis
RIDGE_STEP, RIDGE_TALL = 0.3, 0.42  # inches from one ridge to the next, and the highest peak


def slopes(table: pd.DataFrame, ax: Axes, wide: bool = True) -> None:
    """How each line's effect changes from one place to the next.

    Columns: `line` (its words stand at its end), `at` (a place on the axis, in order of
    appearance), `effect`, `low`, `high` (NaN: not known), `least` (half-width of the grey band
    of effects too small to matter; NaN: none), all in the axis' unit. Lines stand a little apart
    so that their intervals can be told from each other.
    """
    places = list(dict.fromkeys(table["at"]))
    names = list(dict.fromkeys(table["line"]))
    step = min(0.12, 0.5 / max(len(names), 1))
    ends = []
    for number, name in enumerate(names):
        colour, dash, marker = SERIES[number % len(SERIES)]
        inside = table[table["line"] == name].set_index("at").reindex(places)
        x = np.arange(len(places)) + step * (number - (len(names) - 1) / 2)
        ax.vlines(x, inside["low"], inside["high"], color=colour, linewidth=1.2)
        ax.plot(x, inside["effect"], color=colour, linestyle=dash, marker=marker, markersize=5,
                linewidth=1.4)  # fmt: skip
        last = np.flatnonzero(inside["effect"].notna())
        if len(last):
            ends.append((x[last[-1]], inside["effect"].iloc[last[-1]], name, colour))
    least = table["least"].max()
    if least > 0:
        ax.axhspan(-least, least, color=BAND, linewidth=0, zorder=0)
    ax.axhline(0, color=BLACK, linewidth=0.8, zorder=1)
    ax.set_ylim(*limits(table[["effect", "low", "high"]].to_numpy().ravel(), 0))
    ax.set_xlim(-0.5, len(places) - 0.5)
    words, turned = _places(places, across(ax))
    ax.set_xticks(range(len(places)), words, rotation=90 if turned else 0)
    ax.grid(axis="y")
    signed_ticks(ax.yaxis)
    label_ends(ax, ends, end_room(names, wide))


def slopes_chart(name: str, title: str, table: pd.DataFrame, axis: str) -> Chart:
    """The chart of `slopes`, with its y axis named above it."""
    names = list(dict.fromkeys(table["line"]))

    def draw(figure: Figure, wide: bool) -> None:
        right = end_room(names, wide) + 3 * GAP
        top, bottom = _top(axis, wide), _places_height(table, wide, right) + 0.12
        ax = axes(figure, LEFT, right, bottom, top)
        slopes(table, ax, wide)
        _name_above(figure, axis, wide)

    def height(wide: bool) -> float:
        room = 1.7 if wide else 0.95
        words = sum(LINE * lines_of(wrapped(one, room)) for one in names)
        below = _places_height(table, wide, end_room(names, wide) + 3 * GAP)
        return _top(axis, wide) + max(2.1, words) + below + 0.16

    return Chart(name, title, slopes_words(table), table, draw, height)


def slopes_words(table: pd.DataFrame) -> str:
    """What the slope chart shows, line by line."""
    said = []
    for name, inside in table.groupby("line", sort=False):
        each = [f"{row.at}: {_said(row)}" for row in inside.itertuples()]
        said.append(f"{name}: {', '.join(each)}")
    return f"Slope chart. {'; '.join(said)}."


def _said(row: Any) -> str:
    return f"{row.effect:+.3g} ({row.low:+.3g} to {row.high:+.3g})".replace("-", "−")


def _top(axis: str, wide: bool) -> float:
    return 0.14 + LINE * lines_of(wrapped(axis, (WIDE if wide else NARROW) - 0.2))


def _name_above(figure: Figure, axis: str, wide: bool) -> None:
    """The name of the y axis, where it can be read without turning the head."""
    width, height = figure.get_size_inches()
    words = wrapped(axis, width - 0.2)
    figure.text(0.08 / width, 1 - 0.05 / height, words, va="top")


def _places(places: Sequence[str], inches: float) -> tuple[list[str], bool]:
    """The words under the axis, in lines, and whether they have to be turned to fit."""
    room = inches / len(places) - 0.06
    words = [wrapped(str(place), room) for place in places]
    if max(map(text_width, words)) <= room:
        return words, False
    return [wrapped(str(place), 1.2) for place in places], True


def _places_height(table: pd.DataFrame, wide: bool, right: float) -> float:
    places = list(dict.fromkeys(table["at"]))
    words, turned = _places(places, (WIDE if wide else NARROW) - LEFT - right)
    if turned:
        return 0.1 + max(map(text_width, words))
    return 0.08 + LINE * max(map(lines_of, words))


def ridges(table: pd.DataFrame, ax: Axes, labels: Sequence[str]) -> None:
    """The effect at each value of a swept weight, as the curve of what it may be.

    Columns: `at` (the value), `effect`, `se`, `low`, `high`, `least` (half-width of the grey
    band; NaN: none), in the axis' unit. A ridge is the normal density of the estimate: the tall
    and narrow ones are known well. The part inside the interval is filled, the mark is the
    estimate. Where there is no `se` the mark stands alone.
    """
    ends = _across(table)
    spread = table["se"].where(table["se"] > 0)
    step, tall = RIDGE_STEP, RIDGE_TALL
    for number, (row, se) in enumerate(zip(table.itertuples(), spread, strict=True)):
        y = -step * number
        if not np.isnan(se):
            x = np.linspace(row.effect - 4 * se, row.effect + 4 * se, 81)
            # The area would make narrow ridges towers: the height says how narrow, gently.
            peak = tall * min(1.0, (float(spread.min()) / se) ** 0.5)
            top = y + peak * np.exp(-(((x - row.effect) / se) ** 2) / 2)
            inside = (x >= row.low) & (x <= row.high)
            order = 2 + number
            ax.fill_between(x, y, top, color=WHITE, linewidth=0, zorder=order)
            ax.fill_between(x[inside], y, top[inside], color=BLUE, alpha=0.35, linewidth=0,
                            zorder=order)  # fmt: skip
            ax.plot(x, top, color=BLUE, linewidth=1, zorder=order)
        ax.plot(row.effect, y, "|", color=BLACK, markersize=7, zorder=3 + len(table))
        beside(ax, 0.08, y + 0.02, labels[number])
    least = table["least"].max()
    if least > 0:
        ax.axvspan(-least, least, color=BAND, linewidth=0, zorder=0)
    ax.axvline(0, color=BLACK, linewidth=0.8, zorder=1)
    ax.set_xlim(*ends)
    ax.set_ylim(-step * (len(table) - 1) - 0.1, tall + 0.06)
    ax.yaxis.set_visible(False)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x")
    room = across(ax)
    ax.xaxis.set_major_locator(MaxNLocator(max(2, int(room / 0.55)), steps=[1, 2, 5, 10]))
    signed_ticks(ax.xaxis)


def ridges_chart(name: str, title: str, table: pd.DataFrame, weight: str, axis: str) -> Chart:
    """The chart of `ridges`; `weight` names what is swept, `axis` the effect."""

    def labels(wide: bool) -> list[str]:
        return [wrapped(str(value), 1.5 if wide else 0.9) for value in table["at"]]

    def draw(figure: Figure, wide: bool) -> None:
        width, height = figure.get_size_inches()
        left = 0.2 + max(map(text_width, labels(wide)))
        above, below = wrapped(weight, width - 0.2), wrapped(axis, width - 0.2)
        bottom = 0.34 + LINE * lines_of(below)
        ax = axes(figure, left, 0.1, bottom, 0.06 + LINE * lines_of(above))
        ridges(table, ax, labels(wide))
        figure.text(0.08 / width, 1 - 0.04 / height, above, va="top")
        figure.text(0.5, 0.06 / height, below, ha="center", va="bottom")

    def tall(wide: bool) -> float:
        words = sum(lines_of(wrapped(text, (WIDE if wide else NARROW) - 0.2))
                    for text in (weight, axis))  # fmt: skip
        return RIDGE_STEP * (len(table) - 1) + RIDGE_TALL + 0.16 + 0.4 + LINE * words

    said = ", ".join(f"{row.at}: {_said(row)}" for row in table.itertuples())
    words = f"Ridge plot over {weight}. {said}."
    return Chart(name, title, words, table, draw, tall)


def _across(table: pd.DataFrame) -> tuple[float, float]:
    """Limits that show every ridge to where it is flat."""
    far = stats.norm.ppf(0.998) * table["se"].fillna(0)
    ends = [*(table["effect"] - far), *(table["effect"] + far)]
    return limits(ends, 0, spare=0.03)
