"""Everybody against everybody: the matrix, and the cycle where one list will not do."""

import math
from collections.abc import Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle

from cooncan_sim import rounding
from cooncan_sim.reports.charts.drawing import (
    BLACK,
    BLUE,
    GAP,
    LINE,
    NARROW,
    RULE,
    SIZE,
    SMALL,
    WHITE,
    WIDE,
    Chart,
    across,
    axes,
    lines_of,
    text_width,
    wrapped,
)

MAP = "PuOr_r"
DARK_INK, LIGHT_INK = "#010101", "#FEFEFE"  # on a cell, whatever the page's colours
BEND = 0.2  # of an arrow between two of a cycle, outwards
FLAT = 0.3  # inches: height of a cell at least


def heatmap(table: pd.DataFrame, ax: Axes, places: int) -> bool:
    """What each row gains against each column, as a coloured cell with its number.

    Columns: `row`, `column`, `value` in the unit to be shown; the order is that of first
    appearance among the rows, and the cells of a name with itself stay empty. Colours diverge
    from white at 0. `places`: decimals, fewer where a cell is too narrow; without any room the
    numbers are left out. Returns whether they are there.
    """
    matrix = matrix_of(table)
    size = len(matrix)
    values = matrix.to_numpy(dtype=float)
    most = float(np.nanmax(np.abs(values), initial=0)) or 1.0
    colours = matplotlib.colormaps[MAP]
    width = across(ax) / size
    fitting = _fitting(values, places, width)
    for row in range(size):
        for column in range(size):
            value = values[row, column]
            if row == column or math.isnan(value):
                ax.add_patch(Rectangle((column, row), 1, 1, facecolor="none", edgecolor=RULE,
                                       linewidth=0.4))  # fmt: skip
                continue
            colour = colours((value / most + 1) / 2)
            ax.add_patch(Rectangle((column, row), 1, 1, facecolor=colour, linewidth=0))
            if fitting is not None:
                ink = DARK_INK if _light(colour) else LIGHT_INK
                ax.text(column + 0.5, row + 0.5, rounding.signed(value, fitting), ha="center",
                        va="center", color=ink, fontsize=SMALL)  # fmt: skip
    ax.set_xlim(0, size)
    ax.set_ylim(size, 0)
    for side in ax.spines.values():
        side.set_visible(False)
    ax.tick_params(length=0)
    ax.xaxis.tick_top()
    return fitting is not None


def matrix_of(table: pd.DataFrame) -> pd.DataFrame:
    """The table as a square, rows and columns in the order in which the rows first appear."""
    names = list(dict.fromkeys([*table["row"], *table["column"]]))
    return table.pivot(index="row", columns="column", values="value").reindex(
        index=names, columns=names
    )


def _fitting(values: np.ndarray, places: int, width: float) -> int | None:
    shown = values[~np.isnan(values)]
    for decimals in range(places, -1, -1):
        wide = [text_width(rounding.signed(value, decimals)) * SMALL / SIZE for value in shown]
        if max(wide, default=0) + 0.06 <= width:
            return decimals
    return None


def _light(colour: tuple[float, ...]) -> bool:
    """Whether dark ink stands out better on it (relative luminance of sRGB)."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
              for part in colour[:3]]  # fmt: skip
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.18


def heatmap_chart(name: str, title: str, table: pd.DataFrame, says: str, places: int = 1) -> Chart:
    """The chart of `heatmap`; `says` tells what a cell is, above it.

    Columns bear the numbers of the rows where their names do not fit.
    """
    names = list(matrix_of(table).index)

    def labels(wide: bool) -> list[str]:
        numbered = [f"{place}  {text}" for place, text in enumerate(names, start=1)]
        return [wrapped(text, 2.0 if wide else 1.2) for text in numbered]

    def layout(wide: bool) -> tuple[float, float]:
        left = 0.12 + max(map(text_width, labels(wide)))
        return left, ((WIDE if wide else NARROW) - left - 0.1) / len(names)

    def tall(wide: bool) -> float:
        most = max(lines_of(text) for text in labels(wide))
        return max(FLAT, LINE * most + 0.06)

    def draw(figure: Figure, wide: bool) -> None:
        width, height = figure.get_size_inches()
        left, cell = layout(wide)
        words = wrapped(says, width - 0.2)
        foot = 0.52
        ax = axes(figure, left, 0.1, foot, 0.32 + LINE * lines_of(words))
        shown = heatmap(table, ax, places)
        middles = np.arange(len(names)) + 0.5
        ax.set_yticks(middles, labels(wide), fontsize=SIZE, ha="left")
        ax.tick_params(axis="y", pad=72 * (left - 0.08))
        heads = [f"{place}  {text}" for place, text in enumerate(names, start=1)]
        if max(map(text_width, heads)) + GAP > cell:
            every = math.ceil((text_width(str(len(names))) + 0.05) / cell)
            heads = [str(n) if n % every == 0 else "" for n in range(1, len(names) + 1)]
        ax.set_xticks(middles, heads, fontsize=SIZE)
        figure.text(0.08 / width, 1 - 0.05 / height, words, va="top")
        _scale(figure, table, left, shown)

    def height(wide: bool) -> float:
        words = lines_of(wrapped(says, (WIDE if wide else NARROW) - 0.2))
        return 0.32 + LINE * words + tall(wide) * len(names) + 0.52

    return Chart(name, title, heatmap_words(table, says, places), table, draw, height)


def _scale(figure: Figure, table: pd.DataFrame, left: float, shown: bool) -> None:
    """The colours from the largest loss to the largest gain."""
    most = float(table["value"].abs().max()) or 1.0
    width, height = figure.get_size_inches()
    long = min(2.4, width - left - 0.6) / (1 if shown else 2)
    bar = figure.add_axes((left / width, 0.3 / height, long / width, 0.1 / height))
    scale = figure.colorbar(ScalarMappable(Normalize(-most, most), MAP), bar,
                            orientation="horizontal")  # fmt: skip
    edge = float(f"{most:.1g}") if float(f"{most:.1g}") <= most else float(f"{most:.1g}") / 2
    scale.set_ticks([-edge, 0, edge])
    scale.ax.xaxis.set_major_formatter(
        lambda x, _: rounding.signed(x, rounding.decimals(edge, 1, 4))
    )
    scale.outline.set_visible(False)
    scale.solids.set_rasterized(False)
    if not shown:
        bar.annotate("numbers: see the table", (1, 0.5), (8, 0), xycoords="axes fraction",
                     textcoords="offset points", va="center", fontsize=SMALL)  # fmt: skip


def heatmap_words(table: pd.DataFrame, says: str, places: int) -> str:
    """What the matrix shows, row by row."""
    said = []
    for name, inside in table[table["row"] != table["column"]].groupby("row", sort=False):
        each = [f"{row.column} {rounding.signed(row.value, places)}" for row in inside.itertuples()]
        said.append(f"{name} against {', '.join(each)}")
    return f"Matrix, {says}: {'; '.join(said)}."


def cycle(table: pd.DataFrame, names: Sequence[str], ax: Axes, shown: Sequence[str]) -> None:
    """Strategies in a ring, each with an arrow to the one it beats.

    Columns of the table: `row`, `column`, `value`, what the row gains on the column. `names` in
    the order of the cycle, the last beats the first; `shown` the gain of each on the next.
    """
    count = len(names)
    angles = np.pi / 2 - 2 * np.pi * np.arange(count) / count
    spots = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    gains = table.set_index(["row", "column"])["value"]
    most = max(abs(gains[name, names[(k + 1) % count]]) for k, name in enumerate(names))
    for k in range(count):
        start, end = spots[k], spots[(k + 1) % count]
        gain = gains[names[k], names[(k + 1) % count]]
        ax.add_patch(FancyArrowPatch(
            start, end, arrowstyle="-|>", mutation_scale=14, color=BLUE, shrinkA=12, shrinkB=12,
            linewidth=1 + 2 * abs(gain) / most, connectionstyle=f"arc3,rad={-BEND}",
        ))  # fmt: skip
        bulge = np.pi / count  # half the angle between two neighbours
        out = (np.cos(bulge) + BEND * np.sin(bulge)) / np.cos(bulge)
        ax.text(*(out * (start + end) / 2), shown[k], ha="center", va="center", zorder=3,
                bbox={"facecolor": WHITE, "edgecolor": "none", "pad": 1})  # fmt: skip
    ax.plot(*spots.T, "o", color=BLACK, markersize=5)
    ax.set_aspect("equal")
    ax.axis("off")


def cycle_chart(
    name: str, title: str, table: pd.DataFrame, names: Sequence[str], shown: Sequence[str]
) -> Chart:
    """The chart of `cycle`; names stand outside the ring."""

    def draw(figure: Figure, wide: bool) -> None:
        width, height = figure.get_size_inches()
        room = 2.0 if wide else 0.8
        side = min(width - 2 * room, height - 0.9)
        left, low = (width - side) / 2, (height - side) / 2
        ax = axes(figure, left, left, low, low)
        cycle(table, names, ax, shown)
        ax.set_xlim(-1.15, 1.15)
        ax.set_ylim(-1.15, 1.15)
        for k, text in enumerate(names):
            angle = np.pi / 2 - 2 * np.pi * k / len(names)
            across, up = np.cos(angle), np.sin(angle)
            align = "center" if abs(across) < 0.1 else "left" if across > 0 else "right"
            most = room + 0.3 if align != "center" else width - 0.3
            ax.annotate(
                wrapped(text, most - 0.3, "bold"), (across, up), (9 * across, 11 * up),
                textcoords="offset points", ha=align, fontweight="bold", annotation_clip=False,
                va="bottom" if up > 0.5 else "top" if up < -0.5 else "center",
            )  # fmt: skip

    pairs = zip(names, [*names[1:], names[0]], shown, strict=True)
    said = "; ".join(f"{one} beats {other} by {gain}" for one, other, gain in pairs)
    words = f"A ring of strategies, each of which beats the next: {said}."
    return Chart(name, title, words, table, draw, lambda wide: 3.2 if wide else 3.0)
