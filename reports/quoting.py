"""The sentence that can be quoted by itself, and the tally that goes with it.

What is quoted are the comparisons that carry the verdict: where some are settled, those, and
nothing of the others but their number.
"""

from collections.abc import Sequence

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.reports.parts import SETTLED, Judged, Number, Sentence, Told
from cooncan_sim.reports.tables import EffectRow, called, game_names, named, varying
from cooncan_sim.reports.wording import gain, least_of, of_hands, outcome, places_of_play, sizes

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


def quoted(rows: Sequence[EffectRow]) -> list[list[EffectRow]]:
    """The rows that the quotable sentence tells of, a list for each clause.

    For each side on which the claim is settled somewhere: of the first alternative that settles it
    there, all table sizes that do; of a sweep the best value. Settled nowhere: the first
    alternative.
    """
    groups: dict[str, list[EffectRow]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    found = []
    for claim in SETTLED:
        carrying = [[row for row in group if row.claim == claim] for group in groups.values()]
        found += [inside for inside in carrying if inside][:1]
    return [_best(told) for told in found or [next(iter(groups.values()))]]


def _best(told: list[EffectRow]) -> list[EffectRow]:
    return [max(told, key=gain)] if varying([row.treatment for row in told]) else told


def quote(rows: Sequence[EffectRow]) -> Sentence:
    """One sentence that can be quoted by itself: what was played, and what came of it."""
    return [*_lead(quoted(rows)), *clauses(rows), "."]


def clauses(rows: Sequence[EffectRow]) -> Sentence:
    """What came of it, first where the claim holds, then where it does not."""
    sentence: Sentence = []
    for clause in quoted(rows):
        sentence += ["; but "] if sentence else []
        sentence += _clause(clause, rows)
    return sentence


def _lead(told: list[list[EffectRow]]) -> Sentence:
    hands = sum(row.hands.value for clause in told for row in clause)
    games = game_names([row.game for clause in told for row in clause])
    counted = Number(hands, rounding.count(int(hands)))
    if all(row.match for clause in told for row in clause):
        return [f"In matches of {games}, ", counted, " hands in all, "]
    return ["In ", counted, f" hands of {games}, "]


def _clause(told: list[EffectRow], rows: Sequence[EffectRow]) -> Sentence:
    """Everything that is said of one alternative: a part for each outcome."""
    first = told[0]
    group = [row for row in rows if row.group == first.group]
    best = varying([row.treatment for row in group]) and first is max(group, key=gain)
    sentence: Sentence = [first.treatment, ", the best of those tried, " if best else " "]
    tables = sorted({row.players for row in group})
    outcomes = list(dict.fromkeys(outcome(row) for row in told))
    for number, one in enumerate(outcomes):
        sentence += ["; it "] if number else []
        sentence += _told(one, [row for row in told if outcome(row) == one], tables, rows)
    return sentence


def _told(
    said: str, told: list[EffectRow], tables: list[int], rows: Sequence[EffectRow]
) -> Sentence:
    first = told[0]
    others = f", among players of {called(first.field)}," if first.field else ""
    others = f", {first.sides} at a table," if first.sides else others
    rules = f" under {first.rules}" if varying([row.rules for row in rows]) and first.rules else ""
    where = f"{places_of_play(told, tables, 'played')}{rules}"
    if said == "unsettled":
        return [f"may have done better or worse than {first.control}{others} {where}"]
    if said == "no better":
        return [f"did no better than {first.control}{others} {where}"]
    if said == "alike":
        lead = f"made no difference to {first.control}{others} {where}, give or take "
        return [lead, *least_of(first)]
    verb, more, less = (of_hands(first, words) for words in TOLD[first.metric])
    than = more if said == "more" else less
    return [f"{verb} ", *sizes(told), f"{than} {first.control}{others} {where}"]


def tally(judged: Sequence[Judged], finished: bool = True) -> Sentence:
    """In how many places the claim holds, and in how many it does not; empty for a single one.

    `finished`: no place is still to be played.
    """
    if len(judged) < 2:
        return []
    counts = {fate: sum(one.claim == fate for one in judged) for fate in (*SETTLED, "open")}
    words = {"supported": "bear the claim out", "refuted": "speak against it",
             "open": "leave it open"}  # fmt: skip
    single = {"supported": "bears the claim out", "refuted": "speaks against it",
              "open": "leaves it open"}  # fmt: skip
    whole = [fate for fate, count in counts.items() if count == len(judged)]
    number = Number(len(judged), named(len(judged)))
    tried = "tried" if finished else "tried so far"
    if whole:
        every = [" Both"] if len(judged) == 2 else [" All ", number]
        return [*every, f" settings {tried} {words[whole[0]]}."]
    sentence: Sentence = [" Of ", number, f" settings {tried}, "]
    parts = [(fate, count) for fate, count in counts.items() if count]
    for place, (fate, count) in enumerate(parts):
        link = "" if not place else " and " if place == len(parts) - 1 else ", "
        sentence += [link, Number(count, named(count)),
                     f" {single[fate] if count == 1 else words[fate]}"]  # fmt: skip
    return [*sentence, "."]


def carrying(told: Sequence[Told]) -> Sentence:
    """The quotes of the kinds of results that settle the claim: the first for each side."""
    sides: set[str] = set()
    found: Sentence = []
    for one in told:
        new = {other.claim for other in one.judged} & set(SETTLED) - sides
        if new:
            found += [" ", *one.quote] if found else one.quote
            sides |= new
    return found or told[0].quote


def settings_table(judged: Sequence[Judged]) -> pd.DataFrame:
    """The numbers of `tally`: claim, settings, and settings_in_all."""
    claims = pd.Series([one.claim for one in judged], dtype=object).value_counts(sort=False)
    return pd.DataFrame(
        {"claim": claims.index, "settings": claims.to_numpy(), "settings_in_all": len(judged)}
    )
