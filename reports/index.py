"""*Do the tips hold?*: all questions of a report on one page."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.designs import METRICS
from cooncan_sim.judging import FAMILY
from cooncan_sim.many import holm
from cooncan_sim.measures import MEASURES
from cooncan_sim.reports import tables
from cooncan_sim.reports.charts.forest import forest_chart
from cooncan_sim.reports.compared import MARKS_MEAN
from cooncan_sim.reports.parts import Figure, Number, Part, Sentence
from cooncan_sim.reports.tables import AXES, EffectRow
from cooncan_sim.reports.writing import as_links

if TYPE_CHECKING:
    from cooncan_sim.reports.page import Page

KINDS = {  # how a verdict begins, and what is said of one such claim and of several
    "Yes": ("holds", "hold"),
    "No": ("does not hold", "do not hold"),
    "That": ("depends", "depend"),
    "Not": ("is not settled", "are not settled"),
}


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
        firsts = [re.split(r"[ ,.]", page.short)[0] for page in self.pages if page.judged]
        counts = {start: firsts.count(start) for start in KINDS if start in firsts}
        said = [f"{tables.named(n)} {KINDS[start][n > 1]}" for start, n in counts.items()]
        lead = ""
        if said:
            judged = tables.named(sum(counts.values()))
            lead = f"Of {judged} claims put to the test, {tables.listed(said)}. "
        hands = sum(page.hands.value for page in self.pages)
        tail = f" hands were played for these {tables.named(len(self.pages))} questions."
        return [lead, Number(hands, rounding.count(int(hands))), tail]

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

    @property
    def questions(self) -> pd.DataFrame:
        """One row per question: name, claim, verdict, hands, and hands_in_all of all of them."""
        return pd.DataFrame(
            {
                "name": [page.name for page in self.pages],
                "claim": [page.manifest["claim"] for page in self.pages],
                "verdict": [page.short for page in self.pages],
                "hands": [page.hands.value for page in self.pages],
                "hands_in_all": sum(page.hands.value for page in self.pages),
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

    def settings(self, page: "Page") -> Sentence:
        """From where to where the effects reach in the places where the claim was tested.

        [] for one place, and where nothing is compared. How many there are the quote tells.
        """
        ranges = _ranges(page.results) if len(page.judged) > 1 else []
        return ["From the least to the most in these settings.", *ranges] if ranges else []

    @property
    def tests(self) -> pd.DataFrame:
        """One row per test of a claim, of all questions: the effects that `settings` tells of.

        Columns name, table, metric, effect, low, high, p_holm, claim.
        """
        found = []
        for page in self.pages:
            for table, rows in _families(page.results):
                shown = rows[["metric", "effect", "low", "high", "p_holm", "claim"]]
                found.append(shown.assign(name=page.name, table=table))
        columns = ["name", "table", "metric", "effect", "low", "high", "p_holm", "claim"]
        return pd.concat(found)[columns] if found else pd.DataFrame(columns=columns)

    @property
    def csv(self) -> dict[str, str]:
        """The tables as links."""
        tables = {"index": self.table, "questions": self.questions, "tests": self.tests}
        return as_links(tables)


def _families(results: Mapping[str, pd.DataFrame]) -> list[tuple[str, pd.DataFrame]]:
    """The rows that put a claim to the test, by the table in which they stand."""
    rows = [(name, results[name]) for name in FAMILY if name in results]
    return [(name, table[table["min_effect"].notna()]) for name, table in rows]


def _ranges(results: Mapping[str, pd.DataFrame]) -> Sentence:
    """` Hands won: −0.2 to +1.9 pp.`: the least and the largest effect on each metric."""
    said: Sentence = []
    for table, rows in _families(results):
        for (name, unit_of_play), inside in rows.groupby(["metric", "unit"], sort=False):
            metric = (MEASURES if table == "contrasts" else METRICS)[name]
            unit = metric.suffix.replace("%", "pp")
            widths = metric.scale * (inside["high"] - inside["low"]).dropna() / 2
            places = rounding.decimals(widths.median()) if len(widths) else 0
            least, most = (
                Number(value, rounding.signed(metric.scale * value, places))
                for value in (inside["effect"].min(), inside["effect"].max())
            )
            what = metric.what.split(";")[0]
            if name == "win" and unit_of_play == "matches":
                what = what.replace("hands", "matches")
            ends = [least] if least.text == most.text else [least, " to ", most]
            said += [f" {what[0].upper()}{what[1:]}: ", *ends, f" {unit}."]
    return said


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
        rows = [
            row._replace(
                group=page.name,  # a group each, so that the best comes first
                label=f"{page.manifest['claim']} {row.treatment} {row.group}, "
                f"{row.players} players".lstrip(),
            )
            for page, row in inside
        ]
        table = tables.forest_table(rows).assign(group="")
        axis, less, more = AXES[metric]
        chart = forest_chart(f"index-{metric}", f"All tips: {axis}", table, axis, (less, more))
        what = METRICS[metric].what
        caption = (
            f"The first comparison of each question: {what}. The grey band is the widest of the "
            f"ranges that are too small to matter. {MARKS_MEAN}"
        )
        figures.append(Figure(chart, [caption]))
    return figures
