"""How a number settled: a running mean inside its limits, and weights while they are tuned."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from cooncan_sim import rounding
from cooncan_sim.reports.charts.drawing import (
    BAND,
    BLACK,
    BLUE,
    GAP,
    LINE,
    SERIES,
    Chart,
    axes,
    end_room,
    label_ends,
    limits,
    lines_of,
    signed_ticks,
    wrapped,
)

POINTS = 400  # more than this many steps of a path cannot be told apart


def funnel(table: pd.DataFrame, ax: Axes, least: float, wide: bool = True) -> None:
    """The running mean inside its confidence sequence, over the number of deals (log scale).

    Columns as those of `Screen.path()`, in the axis' unit: `deals`, `gain`, `low`, `high`; looks
    without an interval (infinite or NaN) show their mean alone. `least`: the smallest effect
    that counts, the grey band.
    """
    deals = table["deals"].to_numpy(dtype=float)
    ends = table[["low", "high"]].replace([np.inf, -np.inf], np.nan).to_numpy(dtype=float)
    known = ~np.isnan(ends).any(axis=1)
    ax.axhspan(-least, least, color=BAND, linewidth=0, zorder=0)
    ax.axhline(0, color=BLACK, linewidth=0.8, zorder=1)
    ax.fill_between(deals, ends[:, 0], ends[:, 1], where=known, color=BLUE, alpha=0.2, linewidth=0)
    for side in (0, 1):
        ax.plot(deals, ends[:, side], color=BLUE, linewidth=0.9, linestyle="--")
    ax.vlines(deals[known][-1:], *ends[known][-1:].T, color=BLUE, linewidth=1.6)
    ax.plot(deals, table["gain"], color=BLUE, linewidth=1.6)
    ax.plot(deals[-1], table["gain"].iloc[-1], "o", color=BLUE, markersize=5)
    ax.set_xscale("log")
    ticks = _log_ticks(deals.min(), deals.max(), 6 if wide else 3)
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
    edge = 1.25 if deals.min() == deals.max() else 1.04
    ax.set_xlim(deals.min() / edge, deals.max() * edge)
    ax.set_ylim(*limits([*ends.ravel(), *table["gain"]], -least, least))
    ax.grid(axis="y")
    signed_ticks(ax.yaxis)
    last = [(deals[-1], table["gain"].iloc[-1], "running mean", BLUE)]
    if known.any():
        at = np.flatnonzero(known)[-1]
        last += [(deals[at], ends[at, 1], "upper limit", BLUE)]
        last += [(deals[at], ends[at, 0], "lower limit", BLUE)]
    label_ends(ax, last, end_room([text for *_, text, _ in last], wide))


def _log_ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers between the two, at most so many."""
    for steps in ((1, 2, 5), (1, 3), (1,)):
        powers = range(int(np.log10(max(low, 1))) - 1, int(np.log10(high)) + 2)
        ticks = [step * 10.0**power for power in powers for step in steps]
        inside = [tick for tick in ticks if low <= tick <= high]
        if len(inside) <= most:
            return inside or [high]
    return inside[:: -(-len(inside) // most)]


def funnel_chart(name: str, title: str, table: pd.DataFrame, axis: str, least: float) -> Chart:
    """The chart of `funnel`; `axis` names the effect."""

    def draw(figure: Figure, wide: bool) -> None:
        width, height = figure.get_size_inches()
        words = wrapped(axis, width - 0.2)
        right = end_room(["running mean", "upper limit"], wide) + 3 * GAP
        ax = axes(figure, 0.55, right, 0.46, 0.12 + LINE * lines_of(words))
        funnel(table, ax, least, wide)
        ax.set_xlabel("deals played")
        figure.text(0.08 / width, 1 - 0.05 / height, words, va="top")

    last = table.iloc[-1]
    words = (
        f"Convergence. Running mean and its limits at {len(table)} looks, from "
        f"{int(table['deals'].iloc[0]):,} to {int(last['deals']):,} deals; at the last look "
        f"{_three(last['gain'])}, limits {_three(last['low'])} to {_three(last['high'])}."
    )
    return Chart(name, title, words, table, draw, lambda wide: 2.9 if wide else 2.7)


def _three(value: float) -> str:
    places = rounding.decimals(value, 3)
    return rounding.signed(value, places)


def tuning_path(table: pd.DataFrame, ax: Axes, wide: bool = True) -> None:
    """The weights of a strategy while they are searched, each within its bounds.

    Columns: `step`, `weight`, `value`, `low`, `high` (its bounds). The axis runs from the lowest
    value allowed to the highest; where a weight began and where it ended stands beside its line.
    """
    ends = []
    names = list(dict.fromkeys(table["weight"]))
    for number, name in enumerate(names):
        colour, dash, marker = SERIES[number % len(SERIES)]
        inside = _thinned(table[table["weight"] == name])
        wide_range = (inside["high"] - inside["low"]).replace(0, np.nan)
        place = ((inside["value"] - inside["low"]) / wide_range).fillna(0.5)
        ax.plot(inside["step"], place, color=colour, linestyle=dash, linewidth=1.4)
        ax.plot(inside["step"].iloc[0], place.iloc[0], marker, color=colour, markersize=5,
                markerfacecolor="none")  # fmt: skip
        ax.plot(inside["step"].iloc[-1], place.iloc[-1], marker, color=colour, markersize=5)
        ends.append((inside["step"].iloc[-1], place.iloc[-1], _from_to(name, inside), colour))
    last = int(table["step"].max())
    ax.set_xlim(-0.02 * max(last, 1), 1.02 * max(last, 1))
    ax.set_ylim(-0.04, 1.04)
    ax.set_yticks([0, 1], ["lowest", "highest"])
    ax.xaxis.set_major_locator(FixedLocator(_step_ticks(last, 5 if wide else 2)))
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
    ax.grid(axis="x")
    label_ends(ax, ends, end_room([text for *_, text, _ in ends], wide))


def _thinned(path: pd.DataFrame) -> pd.DataFrame:
    """At most so many of its steps, the first and the last among them."""
    keep = np.unique(np.linspace(0, len(path) - 1, min(len(path), POINTS)).round().astype(int))
    return path.iloc[keep]


def _step_ticks(last: int, most: int) -> list[float]:
    size = 1
    for size in (step * 10**power for power in range(9) for step in (1, 2, 5)):
        if last / size <= most:
            break
    return [float(tick) for tick in range(0, last + 1, size)]


def _from_to(name: str, path: pd.DataFrame) -> str:
    first, last = path["value"].iloc[0], path["value"].iloc[-1]
    numbers = f"{first:.4g} → {last:.4g}".replace("-", rounding.MINUS)
    return f"{name} {numbers}"


def _path_labels(table: pd.DataFrame) -> Sequence[str]:
    return [_from_to(name, inside) for name, inside in table.groupby("weight", sort=False)]


def tuning_chart(name: str, title: str, table: pd.DataFrame) -> Chart:
    """The chart of `tuning_path`."""
    labels = _path_labels(table)

    def draw(figure: Figure, wide: bool) -> None:
        ax = axes(figure, 0.62, end_room(labels, wide) + 3 * GAP, 0.46, 0.1)
        tuning_path(table, ax, wide)
        ax.set_xlabel("steps of the search")

    def height(wide: bool) -> float:
        room = 1.7 if wide else 0.95
        return 0.56 + max(2.1, sum(LINE * lines_of(wrapped(text, room)) for text in labels))

    bounds = table.groupby("weight", sort=False)[["low", "high"]].first()
    ends = zip(labels, bounds["low"], bounds["high"], strict=True)
    said = [f"{label}, searched from {low:g} to {high:g}" for label, low, high in ends]
    steps = int(table["step"].max())
    words = f"Weights over {steps:,} steps of the search. {'; '.join(said)}."
    return Chart(name, title, words, table, draw, height)
