"""*Do the tips hold?*: all questions of a report on one page."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.designs import METRICS
from cooncan_sim.many import holm
from cooncan_sim.reports import tables
from cooncan_sim.reports.charts.forest import forest_chart
from cooncan_sim.reports.compared import MARKS_MEAN
from cooncan_sim.reports.parts import Figure, Number, Part, Sentence
from cooncan_sim.reports.tables import AXES, EffectRow

if TYPE_CHECKING:
    from cooncan_sim.reports.page import Page

KINDS = {"Yes": "hold", "No": "do not hold", "That": "depend", "Not": "are not settled"}


class Index:
    """What the index shows: the verdicts at a glance, one chart for each metric, all questions."""

    title = "Do the tips hold?"

    def __init__(self, pages: Sequence["Page"], kind: str) -> None:
        self.pages = sorted(pages, key=lambda page: (page.manifest["claim"], page.name))
        self.kind = kind
        self.heads = _heads(self.pages)
        self.parts = [Part("At a glance", figures=_figures(self.heads))] if self.heads else []

    def file(self, page: "Page") -> str:
        """Where the page of a question lies."""
        return f"{page.name}.{self.kind}"

    @property
    def summary(self) -> Sentence:
        """How many tips hold, and how many do not."""
        counts: dict[str, int] = {}
        for page in self.pages:
            for start, words in KINDS.items():
                if page.short.startswith(start):
                    counts[words] = counts.get(words, 0) + 1
        said = [f"{tables.named(counts[words])} {words}" for words in KINDS.values()
                if words in counts]  # fmt: skip
        judged = sum(counts.values())
        hands = sum(page.hands.value for page in self.pages)
        lead = f"Of {tables.named(judged)} claims put to the test, {tables.listed(said)}. "
        tail = f" hands were played for these {tables.named(len(self.pages))} questions."
        return [lead if judged else "", Number(hands, rounding.count(int(hands))), tail]

    @property
    def table(self) -> pd.DataFrame:
        """The first comparison of each question: what the chart shows, and Holm over all of them.

        Columns name, metric, effect, low, high, p, p_holm.
        """
        p = [row.p.value for _, row in self.heads]
        known = [one if one == one else 1.0 for one in p]
        return pd.DataFrame(
            {
                "name": [page.name for page, _ in self.heads],
                "metric": [row.metric for _, row in self.heads],
                "effect": [row.effect.value for _, row in self.heads],
                "low": [row.low.value for _, row in self.heads],
                "high": [row.high.value for _, row in self.heads],
                "p": p,
                "p_holm": holm(known) if known else [],
            }
        )

    def head(self, page: "Page") -> tuple[EffectRow, Number] | None:
        """The first comparison of a question and its p-value among all questions."""
        adjusted = self.table["p_holm"]
        for number, (other, row) in enumerate(self.heads):
            if other is page:
                p = float(adjusted.iloc[number])
                return row, Number(p, tables.likelihood(p))
        return None

    @property
    def csv(self) -> dict[str, str]:
        """The table as a link."""
        from cooncan_sim.reports.page import as_link

        text = self.table.to_csv(index=False, lineterminator="\n").encode()
        return {"index.csv": as_link(text)}


def _heads(pages: Sequence["Page"]) -> list[tuple["Page", EffectRow]]:
    found = []
    for page in pages:
        if "comparisons" in page.results:
            found.append((page, tables.effect_rows(page.results["comparisons"])[0]))
    return found


def _figures(heads: Sequence[tuple["Page", EffectRow]]) -> list[Figure]:
    """A forest plot for each metric, the best tip first."""
    figures = []
    ordered = sorted(heads, key=lambda head: (head[1].metric != "win", head[1].metric))
    for metric, inside in groupby(ordered, key=lambda head: head[1].metric):
        rows = sorted(inside, key=lambda head: head[1].effect.value, reverse=True)
        table = tables.forest_table([row._replace(group=str(k)) for k, (_, row) in enumerate(rows)])
        table["label"] = [f"{page.manifest['claim']} {row.treatment} {row.group}, "
                          f"{row.players} players" for page, row in rows]  # fmt: skip
        table["group"] = ""
        axis, less, more = AXES[metric]
        chart = forest_chart(f"index-{metric}", f"All tips: {axis}", table, axis, (less, more))
        what = METRICS[metric].what
        caption = (
            f"The first comparison of each question: {what}. The grey band is the widest of the "
            f"ranges that are too small to matter. {MARKS_MEAN}"
        )
        figures.append(Figure(chart, [caption]))
    return figures
