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
    called,
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
        verdicts = {one.verdict for one in judged}
        if verdicts == {"no practical difference"}:
            return "No, it makes no difference."
        return "No, it hurts." if verdicts == {"hurts"} else "No."
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
    return "That depends."


def _split_by(judged: Sequence[Judged], names: tuple[str, ...]) -> bool:
    """Whether the claim fares alike wherever these are alike."""
    fates: dict[tuple[object, ...], set[str]] = {}
    for one in judged:
        fates.setdefault(tuple(getattr(one, name) for name in names), set()).add(one.claim)
    return all(len(fate) == 1 for fate in fates.values())


def lines(rows: Sequence[EffectRow]) -> list[Sentence]:
    """A sentence for each group of comparisons, best for the tip first."""
    tables = sorted({row.players for row in rows})
    return [line(inside, tables) for inside in by_group(rows).values()]


def line(rows: list[EffectRow], tables: list[int]) -> Sentence:
    """All comparisons with the same alternative: a clause for each verdict."""
    compared = rows[0].group.split("against ", 1)[1]
    if varying([row.treatment for row in rows]):
        best = max(rows, key=gain)
        clause = _clause([best], [best.players])
        return [f"Compared with {compared}, best of those tried is {best.treatment}: it ",
                *clause, "."]  # fmt: skip
    sentence: Sentence = [f"Compared with {compared}, {rows[0].treatment} "]
    for number, said in enumerate(dict.fromkeys(outcome(row) for row in rows)):
        alike = [row for row in rows if outcome(row) == said]
        sentence += ["; it "] if number else []
        sentence += _clause(alike, tables)
    return [*sentence, "."]


def gain(row: EffectRow) -> float:
    """How much better the tip does, by the metric's own idea of better."""
    return (METRICS[row.metric].better or 1) * row.effect.value


def outcome(row: EffectRow) -> str:
    """What can be said of a comparison: `more`, `less`, `alike`, `no better` or `unsettled`.

    An effect that lies in the band of what makes no difference with its whole interval is none,
    even where it is sure not to be zero.
    """
    better = METRICS[row.metric].better
    if max(abs(row.low.value), abs(row.high.value)) <= row.least.value:
        return "alike"
    if row.verdict == "no practical difference":
        return "alike"
    if row.verdict == "unresolved":
        return "no better" if row.claim == "refuted" and better else "unsettled"
    return "more" if row.effect.value > 0 else "less"


def _clause(rows: list[EffectRow], tables: list[int]) -> Sentence:
    first = rows[0]
    more, less, alike = (of_hands(first, words) for words in MORE_OR_LESS[first.metric])
    where = places_of_play(rows, tables)
    said = outcome(first)
    if said == "unsettled":
        return [f"may be better or worse {where}: that is not settled yet"]
    if said == "no better":
        return [f"is no better {where}"]
    if said == "alike":
        return [f"{alike} {where}, give or take ", *least_of(first)]
    found = sizes(rows)
    one = [part.text for part in found if isinstance(part, Number)] == ["1"]
    return [f"{more if said == 'more' else less} {where}, by ", *found, f" {_unit(first, one)}"]


def least_of(row: EffectRow) -> Sentence:
    """The smallest effect that counts, with its unit."""
    return [row.least, f" {_unit(row, row.least.text == '1')}"]


def _unit(row: EffectRow, one: bool) -> str:
    """What effects are counted in, for one of it or for any other number."""
    unit = of_hands(row, UNITS[row.unit])
    return unit.replace("s", "", 1) if one else unit


def of_hands(row: EffectRow, words: str) -> str:
    """The words for hands, or the same for matches."""
    return words.replace("hand", "match").replace("matchs", "matches") if row.match else words


def places_of_play(rows: Sequence[EffectRow], tables: list[int], verb: str = "play") -> str:
    """At how many players: `with two players`, or `whether two or three play` if that is all."""
    players = list(dict.fromkeys(row.players for row in rows))
    numbers = [named(number) for number in players]
    if len(numbers) > 1 and players == tables:
        return f"whether {listed(numbers, 'or')} {verb}"
    return f"with {listed(numbers, 'or')} players"


def sizes(rows: Sequence[EffectRow]) -> Sentence:
    """`1.9 to 8.7`: sizes without signs, as round as prose wants them and no rounder than known."""
    found = sorted((_size(row) for row in rows), key=lambda number: abs(number.value))
    least, most = found[0], found[-1]
    return [least] if least.text == most.text else [least, " to ", most]


def _size(row: EffectRow) -> Number:
    size = METRICS[row.metric].scale * abs(row.effect.value)
    half = METRICS[row.metric].scale * (row.high.value - row.low.value) / 2
    known = max(rounding.decimals(half, 1), rounding.decimals(size, 1))
    shown = float(f"{size:.1e}") if size >= 100 else size
    return Number(row.effect.value, rounding.plain(shown, min(rounding.decimals(size), known)))


def sure(rows: Sequence[EffectRow], tests: int) -> Sentence:
    """How sure that is: the interval of the first comparison, and what chance would do.

    `tests`: how many there are in the question.
    """
    first = rows[0]
    if first.low.text == "–":
        return ["How sure is that? Too few deals came out differently for an interval: only ",
                first.changed, " of them did."]  # fmt: skip
    unit = of_hands(first, UNITS[first.unit])
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
    others = f" among players of {called(row.field)}" if row.field else ""
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
    """What a page says of its comparisons after the quote: certainty, notice, fields.

    The first of the rows is the one whose certainty is told; `tests`: how many the question has.
    """
    told = list(rows)
    return [sure(told, tests), notice(told), session(told[0]), *fields(told)]
