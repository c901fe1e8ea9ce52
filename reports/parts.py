"""What a page is made of: parts with sentences, figures and tables, whatever they tell of.

A sentence is a list of words and `Number`s, and so may be a cell of a table: every number keeps
its value as it stands in the results, so that each one on a page can be checked. Templates turn
parts into HTML or Markdown and know nothing of where they come from.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd

from cooncan_sim.reports.charts.drawing import Chart


class Number(NamedTuple):
    """A value as it stands in the results, and the same as text."""

    value: float
    text: str


Sentence = list[str | Number]
Cell = str | Number | Sentence


class Figure(NamedTuple):
    """A chart with what stands below it."""

    chart: Chart
    caption: Sentence


class Table(NamedTuple):
    """Rows under headings; a heading "" is not shown. The first cell of a row names it."""

    caption: str
    heads: list[str]
    groups: dict[str, list[list[Cell]]]


@dataclass
class Part:
    """One section of a page."""

    title: str
    sentences: list[Sentence] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    notes: list[Sentence] = field(default_factory=list)


SETTLED = ("supported", "refuted")  # what a claim can come to, but for `open`


class Judged(NamedTuple):
    """What became of a claim in one place, and what tells that place from the others."""

    claim: str
    verdict: str
    field: str
    control: str
    game: str
    rules: str
    sweep: str
    players: int


def plain_text(sentence: Sentence) -> str:
    """The sentence without its values, for descriptions and alt texts."""
    return "".join(part if isinstance(part, str) else part.text for part in sentence)


@dataclass
class Told:
    """What one kind of results has to tell: a quotable sentence, more of them, parts, verdicts.

    `made` holds tables with numbers that stand in no table of the results, by name.
    """

    quote: Sentence
    sentences: list[Sentence]
    parts: list[Part]
    judged: list[Judged] = field(default_factory=list)
    made: dict[str, pd.DataFrame] = field(default_factory=dict)
