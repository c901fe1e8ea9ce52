"""Curves of shares: how many hands last longer than t turns, how many cost at most x points."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from cooncan_sim import rounding
from cooncan_sim.reports.charts.drawing import (
    BLACK,
    GAP,
    LINE,
    NARROW,
    RULE,
    SERIES,
    SMALL,
    WHITE,
    WIDE,
    Chart,
    axes,
    lines_of,
    wrapped,
)
from cooncan_sim.reports.distributions import median

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
STEP = 0.01  # of a share: hardly more than a point of height
KEPT = 0.02  # the axis ends where every curve is this close to its end


def survival(table: pd.DataFrame, ax: Axes) -> None:
    """The share of hands that last longer than t, as steps with their bands.

    Columns: `curve`, `at`, `share`, `low`, `high` (NaN: not known), as `distributions.survival`
    gives them. Each curve bears a letter, in the order of the table.
    """
    _steps(table, ax)
    ax.axhline(0.5, color=RULE, linewidth=0.8, zorder=0)


def ecdf(table: pd.DataFrame, ax: Axes) -> None:
    """The share of hands that come to no more than x; columns as in `survival`."""
    _steps(table, ax)
    ax.axhline(0.5, color=RULE, linewidth=0.8, zorder=0)


def survival_chart(name: str, title: str, table: pd.DataFrame) -> Chart:
    """The chart of `survival`: turns of all players together."""
    above = "share of the hands that last longer"
    half = "half are over after {} turns"
    return _chart(name, title, table, "turns of all players", above, half)


def ecdf_chart(name: str, title: str, table: pd.DataFrame, axis: str) -> Chart:
    """The chart of `ecdf`; `axis` names the value."""
    return _chart(name, title, table, axis, "share of the hands with at most so many", "median {}")


def _steps(table: pd.DataFrame, ax: Axes) -> None:
    names = list(dict.fromkeys(table["curve"]))
    across = _across(table)
    for number, name in enumerate(names):
        colour, dash, _ = SERIES[number % len(SERIES)]
        curve = _thinned(table[(table["curve"] == name) & (table["at"] <= across[1])])
        if len(curve) > 1:
            ax.fill_between(curve["at"], curve["low"], curve["high"], step="post", color=colour,
                            alpha=0.2, linewidth=0)  # fmt: skip
        ax.step(curve["at"], curve["share"], where="post", color=colour, linestyle=dash,
                linewidth=1.4)  # fmt: skip
        if len(curve) == 1:
            ax.plot(curve["at"], curve["share"], "o", color=colour, markersize=5)
        if len(names) > 1:
            x, y = _badge(curve, 0.85 - 0.7 * (number + 0.5) / len(names))
            ax.text(x, y, LETTERS[number % 26], ha="center", va="center", fontsize=SMALL, zorder=5,
                    bbox={"boxstyle": "circle,pad=0.12", "facecolor": WHITE, "edgecolor": colour,
                          "linewidth": 1})  # fmt: skip
    ax.set_ylim(0, 1.02)
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))
    ax.set_xlim(*across)
    ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    ax.grid(axis="y")


def _thinned(curve: pd.DataFrame) -> pd.DataFrame:
    """Without steps too small to be seen."""
    seen = (curve["share"] / STEP).round().diff() != 0
    seen.iloc[-1:] = True
    return curve[seen]


def _badge(curve: pd.DataFrame, height: float) -> tuple[float, float]:
    """A place on the curve near this height; on the upright of the step that passes it."""
    share, at = curve["share"].to_numpy(), curve["at"].to_numpy()
    falling = share[0] > share[-1]
    past = np.flatnonzero(share <= height if falling else share >= height)
    if not len(past):
        return float(at[-1]), float(share[-1])
    return float(at[past[0]]), height if past[0] else float(share[0])


def _across(table: pd.DataFrame) -> tuple[float, float]:
    """From the first step to where the last curve has all but ended."""
    ends = []
    for _, curve in table.groupby("curve", sort=False):
        share = curve["share"]
        near = (share - share.iloc[-1]).abs() <= KEPT
        ends.append(curve.loc[near, "at"].iloc[0])
    low, high = min(0.0, float(table["at"].min())), float(max(ends))
    return low, high + 0.03 * (high - low) or 1.0


def _chart(name: str, title: str, table: pd.DataFrame, axis: str, above: str, half: str) -> Chart:
    labels = _labels(table, half)

    def key(wide: bool) -> list[str]:
        return [wrapped(label, (WIDE if wide else NARROW) - 0.75) for label in labels]

    def draw(figure: Figure, wide: bool) -> None:
        width, height = figure.get_size_inches()
        words = key(wide)
        tall = sum(LINE * lines_of(text) + 0.04 for text in words)
        ax = axes(figure, 0.52, 0.12, 0.56 + tall, 0.28)
        (survival if "longer" in above else ecdf)(table, ax)
        ax.set_xlabel(axis)
        figure.text(0.08 / width, 1 - 0.05 / height, above, va="top")
        _key(figure, words, tall)

    def height(wide: bool) -> float:
        tall = sum(LINE * lines_of(text) + 0.04 for text in key(wide))
        return 0.84 + (2.2 if wide else 1.9) + tall

    return Chart(name, title, f"{title}: {above}. {'; '.join(labels)}.", table, draw, height)


def _labels(table: pd.DataFrame, half: str) -> list[str]:
    said = []
    for name, curve in table.groupby("curve", sort=False):
        middle = median(curve)
        known = half.format(rounding.plain(middle, 0 if middle % 1 == 0 else 1))
        said.append(f"{name}: " + (known if middle == middle else "less than half within the cap"))
    return said


def _key(figure: Figure, words: list[str], tall: float) -> None:
    """Under the chart: a piece of each line with its letter, and what it is."""
    width, height = figure.get_size_inches()
    y = tall + 0.06
    for number, text in enumerate(words):
        colour, dash, _ = SERIES[number % len(SERIES)]
        middle = y - LINE * lines_of(text) / 2
        x = [0.1 / width, 0.42 / width]
        figure.add_artist(
            Line2D(x, [middle / height] * 2, color=colour, linestyle=dash, linewidth=1.4)
        )
        if len(words) > 1:
            figure.text(0.5 / width, middle / height, LETTERS[number % 26], va="center",
                        ha="center", color=BLACK, fontweight="bold")  # fmt: skip
        figure.text((0.5 + GAP) / width, middle / height, text, va="center")
        y -= LINE * lines_of(text) + 0.04
