"""Results in sentences: what a page says, built from the rows it says it of.

A sentence is a list of words and `Number`s, so that each number in it can still be traced.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.designs import METRICS
from cooncan_sim.reports.tables import EffectRow, Number, by_group, listed, named, rank_text

Sentence = list[str | Number]

UNITS = {"pp": "percentage points", "points": "points a hand", "turns": "turns a hand"}
MORE_OR_LESS = {  # metric -> what an effect above, below and near 0 is called
    "win": ("wins more hands", "wins fewer hands", "wins as many hands"),
    "net": ("gains points", "loses points", "scores the same"),
    "penalty": ("is charged more", "is charged less", "is charged the same"),
    "turns": ("makes hands longer", "makes hands shorter", "leaves hands as long"),
}


class Answer(NamedTuple):
    """A verdict in a word or two, and what stands behind it, best for the tip first."""

    short: str
    lines: list[Sentence]


def answer(rows: Sequence[EffectRow]) -> Answer:
    """The verdict over all comparisons of a question."""
    tables = sorted({row.players for row in rows})
    return Answer(_short(rows), [_line(inside, tables) for inside in by_group(rows).values()])


def _short(rows: Sequence[EffectRow]) -> str:
    claims = {row.claim for row in rows}
    if claims == {"supported"}:
        return "Yes."
    if claims == {"refuted"}:
        return "No, it hurts." if {row.verdict for row in rows} == {"hurts"} else "No."
    if claims == {"open"}:
        return "Not settled yet."
    if claims == {"supported", "open"}:
        return "Yes, as far as it is settled."
    if claims == {"refuted", "open"}:
        return "No, as far as it is settled."
    if _split_by(rows, "group"):
        return "That depends on what you would do instead."
    if _split_by(rows, "players"):
        return "That depends on how many play."
    return "That depends on what you would do instead, and on how many play."


def _split_by(rows: Sequence[EffectRow], field: str) -> bool:
    """Whether the claim fares alike wherever `field` is alike."""
    fates: dict[object, set[str]] = {}
    for row in rows:
        fates.setdefault(getattr(row, field), set()).add(row.claim)
    return all(len(fate) == 1 for fate in fates.values())


def _line(rows: list[EffectRow], tables: list[int]) -> Sentence:
    """One sentence for all comparisons with the same alternative, a clause for each verdict."""
    sentence: Sentence = [f"Compared with {rows[0].group}, {rows[0].treatment} "]
    for number, verdict in enumerate(dict.fromkeys(row.verdict for row in rows)):
        alike = [row for row in rows if row.verdict == verdict]
        sentence += ["; it "] if number else []
        sentence += _clause(alike, tables)
    return [*sentence, "."]


def _clause(rows: list[EffectRow], tables: list[int]) -> Sentence:
    first = rows[0]
    more, less, alike = MORE_OR_LESS[first.metric]
    where = _where([row.players for row in rows], tables)
    unit = UNITS[first.unit]
    if first.verdict == "unresolved":
        return [f"may be better or worse {where}: that is not settled yet"]
    if first.verdict == "no practical difference":
        return [f"{alike} {where}, give or take ", first.least, f" {unit}"]
    return [f"{more if first.effect.value > 0 else less} {where}, by ", *_range(rows), f" {unit}"]


def _where(players: list[int], tables: list[int]) -> str:
    numbers = [named(number) for number in players]
    if len(numbers) > 1 and players == tables:
        return f"whether {listed(numbers, 'or')} play"
    return f"with {listed(numbers, 'or')} players"


def _range(rows: list[EffectRow]) -> Sentence:
    """`1.9 to 8.7`: sizes without signs, as round as prose wants them."""
    least, *_, most = sorted((_size(row) for row in [*rows, *rows]), key=lambda size: abs(size[0]))
    return [least] if least.text == most.text else [least, " to ", most]


def _size(row: EffectRow) -> Number:
    scale = METRICS[row.metric].scale
    return Number(row.effect.value, rounding.significant(scale * abs(row.effect.value)))


def notice(rows: Sequence[EffectRow]) -> Sentence:
    """How long a player would have to play to notice the largest and the least of the effects."""
    largest, *_, least = sorted([*rows, *rows], key=lambda row: row.notice.value)

    def which(row: EffectRow) -> str:
        return f"{row.treatment} against {row.group} with {named(row.players)} players"

    sentence: Sentence = [
        f"Would you notice? The largest of these differences, {which(largest)}, stands out from "
        "the luck of the deal after about ",
        largest.notice,
        " hands",
    ]
    if least is not largest:
        sentence += [f"; the smallest, {which(least)}, after about ", least.notice]
    return [*sentence, "."]


def counted(counts: pd.DataFrame, band: str, low: int, high: int) -> list[Sentence]:
    """What the counts of runs say of the ranks `low` to `high` (1 the ace), called `band`."""
    low_ace = counts[counts["ace"] == "low"]
    inside = set(range(low, high + 1))
    outside = set(range(1, 14)) - inside
    always_fewer, always_as_many = set(outside), set(outside)
    sentences: list[Sentence] = []
    for length, group in low_ace.groupby("length"):
        runs = dict(zip(group["position"], group["runs"], strict=True))
        least = min(runs[position] for position in inside)
        fewer = {position for position in outside if runs[position] < least}
        as_many = outside - fewer
        always_fewer &= fewer
        always_as_many -= fewer
        most = ", the most that any card does" if least == max(runs.values()) else " or more"
        so_do = f"; so {_do(as_many)} {ranks(as_many)}" if as_many else ""
        rest = f". {ranks(fewer)} {_fit(fewer)} into fewer." if fewer else "."
        said = f"Runs of {named(int(length))} cards: every card from {band} fits into "
        sentences.append([said, Number(int(least), named(int(least))), f"{most}{so_do}{rest}"])
    always = [(always_fewer, "fewer"), (always_as_many, "no fewer")]
    said_of = [f"{ranks(which)} {_fit(which)} into {many}" for which, many in always if which]
    if said_of:
        sentences.append([f"Whatever the length, {', '.join(said_of)}."])
    return sentences


def _do(positions: set[int]) -> str:
    return "does" if len(positions) == 1 else "do"


def _fit(positions: set[int]) -> str:
    return "fits" if len(positions) == 1 else "fit"


def dealt(chances: pd.DataFrame) -> Sentence:
    """The chance that a card of a dealt hand is in a run there: best ranks and worst."""
    chances = chances[chances["ace"] == "low"]
    size = int(chances["hand_size"].iloc[0])
    best, worst = chances["in_run_share"].max(), chances["in_run_share"].min()

    def who(share: float) -> str:
        return ranks(set(chances.loc[chances["in_run_share"] == share, "position"]))

    return [
        f"In a hand of {named(size)} as dealt, a card from {who(best)} is part of a run with a "
        "chance of ",
        Number(best, rounding.percent(best)),
        f", always the same; for {who(worst)} it is ",
        Number(worst, rounding.percent(worst)),
        ".",
    ]


def ranks(positions: Iterable[int]) -> str:
    """`3, 4 and 9 to J`: positions from 1 as ranks, three or more in a row as a span."""
    spans: list[list[int]] = []
    for position in sorted(positions):
        if spans and position == spans[-1][-1] + 1:
            spans[-1].append(position)
        else:
            spans.append([position])
    words = []
    for span in spans:
        names = [rank_text("A23456789TJQK"[position - 1]) for position in span]
        words += [f"{names[0]} to {names[-1]}"] if len(names) > 2 else names
    return listed(words)


def plain_text(sentence: Sentence) -> str:
    """The sentence without its values, for descriptions and alt texts."""
    return "".join(part if isinstance(part, str) else part.text for part in sentence)
