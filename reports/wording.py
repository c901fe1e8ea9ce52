"""Results in sentences: what a page says, built from the rows it says it of.

A sentence is a list of words and `Number`s, so that each number in it can still be traced.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.reports.tables import MARKS, EffectRow, Number, by_group, listed, named, rank_text

Sentence = list[str | Number]

UNITS = {"pp": "percentage points", "points": "points a hand", "turns": "turns a hand"}
MORE_OR_LESS = {  # metric -> what an effect above and below 0 is called, and both together
    "win": ("wins more hands than", "wins fewer hands than", "wins as many hands as"),
    "net": ("gains points on", "loses points to", "scores as well as"),
    "penalty": ("is charged more than", "is charged less than", "is charged as much as"),
    "turns": ("makes longer hands than", "makes shorter hands than", "makes hands as long as"),
}


class Answer(NamedTuple):
    """A verdict in a word or two, and what stands behind it, best for the tip first."""

    short: str
    lines: list[Sentence]


def answer(rows: Sequence[EffectRow]) -> Answer:
    """The verdict over all comparisons of a question."""
    tables = sorted({row.players for row in rows})
    lines = []
    for inside in by_group(rows).values():
        for _, alike in groupby(sorted(inside, key=_verdict_order), key=_verdict_order):
            lines.append(_line(list(alike), tables))
    return Answer(_short(rows), lines)


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
    return "That depends."


def _split_by(rows: Sequence[EffectRow], field: str) -> bool:
    """Whether the claim fares alike wherever `field` is alike."""
    fates: dict[object, set[str]] = {}
    for row in rows:
        fates.setdefault(getattr(row, field), set()).add(row.claim)
    return all(len(fate) == 1 for fate in fates.values())


def _verdict_order(row: EffectRow) -> int:
    return list(MARKS).index(row.verdict)


def _line(rows: list[EffectRow], tables: list[int]) -> Sentence:
    """One sentence for comparisons with the same alternative and the same verdict."""
    first = rows[0]
    more, less, alike = MORE_OR_LESS[first.metric]
    tip = first.treatment[0].upper() + first.treatment[1:]
    where = _where([row.players for row in rows], tables)
    unit = UNITS[first.unit]
    if first.verdict == "unresolved":
        return [f"Whether {first.treatment} {more} {first.group} {where} is not settled yet."]
    if first.verdict == "no practical difference":
        least = first.least
        return [f"{tip} {alike} {first.group} {where}, give or take ", least, f" {unit}."]
    phrase = more if first.effect.value > 0 else less
    return [f"{tip} {phrase} {first.group} {where}: by ", *_range(rows), f" {unit}."]


def _where(players: list[int], tables: list[int]) -> str:
    numbers = [named(number) for number in players]
    if len(numbers) > 1 and players == tables:
        return f"whether {', '.join(numbers[:-1])} or {numbers[-1]} play"
    return f"with {listed(numbers)} players"


def _range(rows: list[EffectRow]) -> Sentence:
    """`0.72 to 0.99`, sizes without signs."""
    sizes = sorted((abs(row.effect.value), row.effect) for row in rows)
    least, most = (Number(size.value, size.text.lstrip("+−")) for _, size in (sizes[0], sizes[-1]))
    return [least] if least.text == most.text else [least, " to ", most]


def notice(rows: Sequence[EffectRow]) -> Sentence:
    """How long a player would have to play to notice the largest of the effects."""
    largest = min(rows, key=lambda row: row.notice.value)
    return [
        f"Would you notice? Even the largest of these differences, {largest.treatment} against "
        f"{largest.group} with {named(largest.players)} players, takes about ",
        largest.notice,
        " hands to stand out from the luck of the deal.",
    ]


def counted(counts: pd.DataFrame, band: str, low: int, high: int) -> list[Sentence]:
    """What the counts of runs say of the ranks `low` to `high` (1 the ace), called `band`."""
    sentences: list[Sentence] = []
    for length, group in counts[counts["ace"] == "low"].groupby("length"):
        runs = dict(zip(group["position"], group["runs"], strict=True))
        most = max(runs.values())
        inside = range(low, high + 1)
        best = {position for position in runs if runs[position] == most}
        number = Number(int(most), named(int(most)))
        if not best >= set(inside):
            sentences.append([f"Runs of {named(length)}: not every card of {band} is in the most."])
            continue
        others = best - set(inside)
        said = f" each. So do {ranks(others)}; " if others else " each. No other card does; "
        rest = ranks(set(runs) - best)
        sentences.append(
            [f"Runs of {named(length)}: {band} lie in ", number, f"{said}{rest} lie in fewer."]
        )
    return sentences


def dealt(chances: pd.DataFrame) -> Sentence:
    """The chance that a card of a dealt hand is in a run there: best ranks and worst."""
    chances = chances[chances["ace"] == "low"]
    size = int(chances["hand_size"].iloc[0])
    best, worst = chances["in_run_share"].max(), chances["in_run_share"].min()

    def who(share: float) -> str:
        return ranks(set(chances.loc[chances["in_run_share"] == share, "position"]))

    return [
        f"In a hand of {named(size)} as dealt, a card from {who(best)} is in a run with a chance of ",
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
