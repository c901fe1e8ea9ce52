"""Comparisons in sentences: what a page says, built from the rows it says it of."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from cooncan_sim import rounding
from cooncan_sim.designs import METRICS
from cooncan_sim.reports.parts import Judged, Number, Sentence
from cooncan_sim.reports.tables import (
    SESSIONS,
    EffectRow,
    among,
    by_group,
    game_names,
    likelihood,
    listed,
    named,
    varying,
)

UNITS = {"pp": "percentage points", "points": "points a hand", "units": "units a hand",
         "turns": "turns a hand"}  # fmt: skip
MORE_OR_LESS = {  # metric -> what an effect above, below and near 0 is called
    "win": ("wins more hands", "wins fewer hands", "wins as many hands"),
    "net": ("gains points", "loses points", "scores the same"),
    "penalty": ("is charged more", "is charged less", "is charged the same"),
    "score": ("writes down more", "writes down less", "writes down the same"),
    "balance": ("gains units", "loses units", "gains as much"),
    "turns": ("makes hands longer", "makes hands shorter", "leaves hands as long"),
    "next": ("lets the next player win more hands", "lets the next player win fewer hands",
             "lets the next player win as many hands"),
    "void": ("leaves more hands without a winner", "leaves fewer hands without a winner",
             "leaves as many hands without a winner"),
}  # fmt: skip
TOLD = {  # metric -> how a size is told of what was played, with a place for it
    "win": ("won", " more hands in a hundred than", " fewer hands in a hundred than"),
    "net": ("came out", " points a hand better than", " points a hand worse than"),
    "penalty": ("was charged", " points a hand more than", " points a hand less than"),
    "score": ("wrote down", " points a hand more than", " points a hand less than"),
    "balance": ("came out", " units a hand better than", " units a hand worse than"),
    "turns": ("made hands", " turns longer than", " turns shorter than"),
    "next": ("let the next player win", " more hands in a hundred than",
             " fewer hands in a hundred than"),
    "void": ("left", " more hands in a hundred without a winner than",
             " fewer hands in a hundred without a winner than"),
}  # fmt: skip
DIFFER = {  # what the places where verdicts differ have in common -> what it depends on
    "field": "what the others play",
    "control": "what you would do instead",
    "game": "which game you play",
    "rules": "the house rules",
    "sweep": "how far you take it",
    "players": "how many play",
}


def short(judged: Sequence[Judged]) -> str:
    """The verdict over all places where the claim was put to the test; "" if nowhere."""
    claims = {one.claim for one in judged}
    if not claims:
        return ""
    if claims == {"supported"}:
        return "Yes."
    if claims == {"refuted"}:
        return "No, it hurts." if {one.verdict for one in judged} == {"hurts"} else "No."
    if claims == {"open"}:
        return "Not settled yet."
    if claims == {"supported", "open"}:
        return "Yes, as far as it is settled."
    if claims == {"refuted", "open"}:
        return "No, as far as it is settled."
    splitting = [name for name in DIFFER if varying([getattr(one, name) for one in judged])]
    for size in (1, 2):
        for names in combinations(splitting, size):
            if _split_by(judged, names):
                words = ", and on ".join(DIFFER[name] for name in names)
                return f"That depends on {words}."
    return "That depends on where you play."


def _split_by(judged: Sequence[Judged], names: tuple[str, ...]) -> bool:
    """Whether the claim fares alike wherever these are alike."""
    fates: dict[tuple[object, ...], set[str]] = {}
    for one in judged:
        fates.setdefault(tuple(getattr(one, name) for name in names), set()).add(one.claim)
    return all(len(fate) == 1 for fate in fates.values())


def lines(rows: Sequence[EffectRow]) -> list[Sentence]:
    """A sentence for each group of comparisons, best for the tip first."""
    tables = sorted({row.players for row in rows})
    return [_line(inside, tables) for inside in by_group(rows).values()]


def _line(rows: list[EffectRow], tables: list[int]) -> Sentence:
    """All comparisons with the same alternative: a clause for each verdict."""
    compared = rows[0].group.split("against ", 1)[1]
    if varying([row.treatment for row in rows]):
        best = max(rows, key=_gain)
        clause = _clause([best], [best.players])
        return [f"Compared with {compared}, best of those tried is {best.treatment}: it ",
                *clause, "."]  # fmt: skip
    sentence: Sentence = [f"Compared with {compared}, {rows[0].treatment} "]
    for number, verdict in enumerate(dict.fromkeys(row.verdict for row in rows)):
        alike = [row for row in rows if row.verdict == verdict]
        sentence += ["; it "] if number else []
        sentence += _clause(alike, tables)
    return [*sentence, "."]


def _gain(row: EffectRow) -> float:
    return (METRICS[row.metric].better or 1) * row.effect.value


def _clause(rows: list[EffectRow], tables: list[int]) -> Sentence:
    first = rows[0]
    more, less, alike = (_of(first, words) for words in MORE_OR_LESS[first.metric])
    where = _where(rows, tables)
    if first.verdict == "unresolved":
        return [f"may be better or worse {where}: that is not settled yet"]
    if first.verdict == "no practical difference":
        return [f"{alike} {where}, give or take ", *_least(first)]
    unit = _of(first, UNITS[first.unit])
    return [f"{more if first.effect.value > 0 else less} {where}, by ", *_range(rows), f" {unit}"]


def _least(row: EffectRow) -> Sentence:
    """The smallest effect that counts, with its unit."""
    unit = _of(row, UNITS[row.unit])
    return [row.least, " " + (unit.replace("s", "", 1) if row.least.text == "1" else unit)]


def _of(row: EffectRow, words: str) -> str:
    """The words for hands, or the same for matches."""
    return words.replace("hand", "match").replace("matchs", "matches") if row.match else words


def _where(rows: Sequence[EffectRow], tables: list[int]) -> str:
    players = list(dict.fromkeys(row.players for row in rows))
    numbers = [named(number) for number in players]
    if len(numbers) > 1 and players == tables:
        return f"whether {listed(numbers, 'or')} play"
    return f"with {listed(numbers, 'or')} players"


def _range(rows: Sequence[EffectRow]) -> Sentence:
    """`1.9 to 8.7`: sizes without signs, as round as prose wants them."""
    sizes = sorted((_size(row.metric, row.effect.value) for row in rows), key=lambda n: abs(n[0]))
    least, most = sizes[0], sizes[-1]
    return [least] if least.text == most.text else [least, " to ", most]


def _size(metric: str, value: float) -> Number:
    return Number(value, rounding.significant(METRICS[metric].scale * abs(value)))


def quoted(rows: Sequence[EffectRow]) -> list[EffectRow]:
    """The rows that the quotable sentence tells of; of a sweep the best one alone."""
    told = [row for row in rows if row.group == rows[0].group]
    return [max(told, key=_gain)] if varying([row.treatment for row in told]) else told


def quote(rows: Sequence[EffectRow]) -> Sentence:
    """One sentence that can be quoted by itself: what was played, and what came of it.

    It tells of the first comparison that the question names, at all its table sizes.
    """
    told = quoted(rows)
    swept = varying([row.treatment for row in rows if row.group == rows[0].group])
    hands = sum(row.hands.value for row in told)
    first = told[0]
    which = ", the best of those tried," if swept else ""
    sentence: Sentence = ["In ", Number(hands, rounding.count(int(hands)))]
    sentence += [f" hands of {game_names([first.game])}, {first.treatment}{which} "]
    for number, verdict in enumerate(dict.fromkeys(row.verdict for row in told)):
        alike = [row for row in told if row.verdict == verdict]
        sentence += ["; it "] if number else []
        sentence += _told(alike, sorted({row.players for row in told}))
    return [*sentence, "."]


def _told(rows: list[EffectRow], tables: list[int]) -> Sentence:
    first = rows[0]
    where = _where(rows, tables).replace(" play", " played")
    where = where if where.startswith("whether") else _where(rows, tables)
    others = f", among players of {first.field}," if first.field else ""
    others = f", {first.sides} at a table," if first.sides else others
    if first.verdict == "unresolved":
        return [f"may have done better or worse than {first.control}{others} {where}"]
    if first.verdict == "no practical difference":
        lead = f"did as well as {first.control}{others} {where}, give or take "
        return [lead, *_least(first)]
    verb, more, less = (_of(first, words) for words in TOLD[first.metric])
    than = more if first.effect.value > 0 else less
    return [f"{verb} ", *_range(rows), f"{than} {first.control}{others} {where}"]


def sure(rows: Sequence[EffectRow], tests: int) -> Sentence:
    """How sure that is: the interval of the first comparison, and what chance would do.

    `tests`: how many there are in the question.
    """
    first = rows[0]
    if first.low.text == "–":
        return ["How sure is that? Too few deals came out differently for an interval: only ",
                first.changed, " of them did."]  # fmt: skip
    unit = _of(first, UNITS[first.unit])
    sentence: Sentence = [f"How sure is that? For {_which(first)} the difference is ",
                          first.effect, f" {unit}, and a 95 % interval goes from ", first.low,
                          " to ", first.high]  # fmt: skip
    if first.p.value == first.p.value:
        chance = "less than once in a million" if first.p.value < 1e-6 else "with a chance of "
        sentence += [f"; without any difference luck alone would bring one as large {chance}"]
        if first.p.value >= 1e-6:
            sentence += [Number(first.p.value, likelihood(first.p.value))]
        if tests > 1:
            sentence += [" (all tests of this question taken together, Holm)"]
    return [*sentence, "."]


def notice(rows: Sequence[EffectRow]) -> Sentence:
    """How long a player would have to play to notice the largest and the least of the effects."""
    largest, *_, least = sorted([*rows, *rows], key=lambda row: row.notice.value)
    if largest.notice.text == "∞":
        return ["Would you notice? No: no difference was seen that could stand out from the luck."]
    unit = "matches" if largest.match else "hands"
    sentence: Sentence = [
        f"Would you notice? The largest of these differences, {_which(largest)}, stands out from "
        "the luck of the deal after about ",
        largest.notice,
        f" {unit}",
    ]
    if least is not largest and least.notice.text == "∞":
        sentence += [f"; the smallest, {_which(least)}, never does"]
    elif least is not largest:
        sentence += [f"; the smallest, {_which(least)}, after about ", least.notice]
    return [*sentence, "."]


def session(row: EffectRow) -> Sentence:
    """The chance to be ahead after an evening, a month and a year, so to speak."""
    unit = "matches" if row.match else "hands"
    after = listed([f"{count:,}" for count in SESSIONS])
    sentence: Sentence = [f"The chance to have gained by it ({_which(row)}) after {after} {unit}: "]
    for place, chance in enumerate(row.ahead):
        sentence += [chance, "" if place == len(row.ahead) - 1 else ", "]
    return [*sentence, "."]


def _which(row: EffectRow) -> str:
    others = f" among players of {row.field}" if row.field else ""
    others = f", {row.sides} at a table," if row.sides else others
    return f"{row.treatment} against {row.control}{others} with {named(row.players)} players"


def fields(rows: Sequence[EffectRow]) -> list[Sentence]:
    """Whether it matters what the others play, where a question has asked in several fields."""
    if not varying([row.field for row in rows]):
        return []
    places: dict[tuple[object, ...], list[EffectRow]] = {}
    for row in rows:
        key = (row.treatment, row.control, row.game, row.rules, row.players)
        places.setdefault(key, []).append(row)
    settled = [[row for row in inside if row.verdict != "unresolved"] for inside in places.values()]
    parted = [inside for inside in settled if varying([row.verdict for row in inside])]
    if not parted and any(row.verdict == "unresolved" for row in rows):
        return [["Nothing settled so far says that it matters what the others play."]]
    if not parted:
        return [["It does not matter what the others play: the verdicts are the same."]]
    first = parted[0]
    said = "; ".join(f"{among(row.field, not row.field)}: {row.verdict}" for row in first)
    which = f"{first[0].treatment} against {first[0].control} with {named(first[0].players)}"
    lead = f"It matters what the others play. {which[0].upper()}{which[1:]} players, {said}"
    if len(parted) == 1:
        return [[f"{lead}; everywhere else the verdicts agree."]]
    return [[f"{lead}; and the verdicts differ like that in {named(len(parted))} places of "
             f"{named(len(places))}."]]  # fmt: skip


def sentences_of(rows: Iterable[EffectRow], tests: int) -> list[Sentence]:
    """All that a page says first of its comparisons: quote, certainty, notice, fields."""
    told = list(rows)
    return [sure(told, tests), notice(told), session(told[0]), *fields(told)]
