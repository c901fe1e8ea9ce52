"""Runs through each rank, counted."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cooncan_sim.reports.charts.drawing import BAND, BLUE, GREEN, VERMILLION, Chart
from cooncan_sim.reports.tables import listed, rank_text


def runs_through_ranks(table: pd.DataFrame, band: tuple[int, int], ax: Axes) -> None:
    """Runs of each length through a card of each rank; the band that a tip favours is shaded.

    Columns: `length`, `position` (1 the ace), `rank`, `runs`.
    """
    ax.axvspan(band[0] - 0.5, band[1] + 0.5, color=BAND, linewidth=0, zorder=0)
    for (length, group), (marker, colour) in zip(
        table.groupby("length"), (("o", BLUE), ("s", VERMILLION), ("^", GREEN)), strict=False
    ):
        ax.plot(group["position"], group["runs"], color=colour, marker=marker, markersize=4.5)
        ax.annotate(
            f"{length}-card runs",
            ((band[0] + band[1]) / 2, group["runs"].max()),
            (0, 4),
            textcoords="offset points",
            ha="center",
        )
    ranks = table.drop_duplicates("position")
    ax.set_xticks(ranks["position"], [rank_text(rank) for rank in ranks["rank"]])
    ax.set_yticks(range(table["runs"].max() + 1))
    ax.set_ylim(0, table["runs"].max() + 0.8)
    ax.set_xlim(0.4, 13.6)
    ax.set_ylabel("runs through the card")
    ax.grid(axis="y")


def runs_chart(name: str, table: pd.DataFrame, band: tuple[str, int, int]) -> Chart:
    """The chart of runs through each rank, with the favoured band `(label, low, high)`."""

    def draw(figure: Figure, wide: bool) -> None:
        ax = figure.add_axes((0.08, 0.13, 0.9, 0.83) if wide else (0.13, 0.12, 0.85, 0.84))
        runs_through_ranks(table, band[1:], ax)
        middle = (band[1] + band[2]) / 2
        ax.text(middle, 0.25, f"the tip: {band[0]}", ha="center", va="bottom")

    said = []
    for length, group in table.groupby("length"):
        each = [f"{rank_text(row.rank)} {row.runs}" for row in group.itertuples()]
        said.append(f"runs of {length} cards: {listed(each)}")
    words = f"Number of runs in one suit that hold a card of each rank. {'; '.join(said)}."
    return Chart(name, "Runs through a card of each rank", words, table, draw, lambda _: 2.6)
