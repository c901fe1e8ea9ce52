"""Every house rule against the default, one at a time: which of them matters most, and for what.

Hands and matches are told apart, and each measure has a ranking of its own: the length in percent
of what it was, shares in percentage points. A rule ranks by the size that is certain: how far its
change stays from none with an interval that holds for all rules of the ranking at once.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from scipy import stats

from cooncan_sim import rounding
from cooncan_sim.games import rulebook
from cooncan_sim.measures import MEASURES
from cooncan_sim.reports.charts.forest import forest_chart
from cooncan_sim.reports.parts import Cell, Figure, Number, Part, Sentence, Table, Told
from cooncan_sim.reports.tables import named

MOST_SHOWN = 10  # in a chart
MOST_SENTENCES = 3  # for each measure
NAN = float("nan")
DEPENDS = {  # measure -> what a rule changes
    "turns": "the length of a hand",
    "starter": "how often whoever acts first wins",
    "skill": "how often one player of skill wins among random players",
    "void": "how many hands nobody wins",
}
SHORT = {
    "turns": "turns",
    "starter": "wins of whoever acts first, %",
    "skill": "wins of skill among random players, %",
    "void": "hands nobody wins, %",
}


def told(name: str, results: Mapping[str, pd.DataFrame]) -> Told | None:
    """What the house rules of a question change; None if it asks for none."""
    if "contrasts" not in results:
        return None
    found = results["contrasts"]
    found = found[found["switch"] != ""]
    if not len(found):
        return None
    changes = _changes(found)
    hands, matches = (changes[changes["unit"] == unit] for unit in ("deals", "matches"))
    main = hands if len(hands) else matches
    parts = [_ranked(name, main)]
    if len(hands):
        parts.append(_everything("Every rule, hand by hand", hands))
    if len(matches):
        parts.append(_everything("Every rule, in matches", matches))
    rankings = changes[["unit", "metric", "game", "switch", "option", "change", "change_low",
                        "change_high", "sure"]]  # fmt: skip
    tried = pd.DataFrame({"tried": [_tried(main)]})
    return Told(_quote(main), [], parts, [], {"rankings": rankings, "rules_tried": tried})


def _changes(found: pd.DataFrame) -> pd.DataFrame:
    """With `change` and its limits as they are ranked, and `sure`: what of it is certain.

    Of turns they are shares of the default's length; those of shares stay as they are.
    """
    relative = found["metric"].map(lambda metric: MEASURES[metric].suffix != "%")
    per = found["control_mean"].where(relative, 1.0)
    table = found.assign(
        game=found["control_game"],
        change=found["effect"] / per,
        change_low=found["low"] / per,
        change_high=found["high"] / per,
    )
    together = stats.norm.ppf(1 - found["alpha"] / 2 / _each(table))
    known = table["low"].notna()
    apart = (table["change"].abs() - together * table["se"] / per).where(known, 0.0)
    table = table.assign(sure=apart.clip(lower=0.0))
    order = ["sure", "change"]
    return table.sort_values(order, ascending=False, kind="stable", key=abs)


def _each(changes: pd.DataFrame) -> pd.Series:
    """For each row how many changes stand in its ranking."""
    return changes.groupby(["unit", "metric"])["change"].transform("size")


def _tried(changes: pd.DataFrame) -> int:
    return len(changes.drop_duplicates(["game", "switch", "option"]))


def _quote(changes: pd.DataFrame) -> Sentence:
    """The strongest rule for each measure."""
    number = _tried(changes)
    sentence: Sentence = [
        "Of ",
        Number(number, named(number)),
        " house rules tried one at a time, ",
    ]
    told = [
        _strongest(changes, metric) for metric in DEPENDS if (changes["metric"] == metric).any()
    ]
    for place, clause in enumerate(told):
        sentence += ["; "] if place else []
        sentence += clause
    return [*sentence, "."]


def _strongest(changes: pd.DataFrame, metric: str) -> Sentence:
    first = changes[changes["metric"] == metric].iloc[0]
    what = DEPENDS[metric]
    if not first["sure"]:
        return [f"none is sure to change {what}"]
    return [f"{what} depends most on {first['switch']}: ", *_change(first)]


def _change(row: Any) -> Sentence:
    """One rule in words: the game, the two options, and from where to where they take it."""
    game = rulebook.game(row["game"]).name
    before = str(row["control_label"]).removeprefix(f"{row['switch']} ")
    lead = f"at {game}, “{row['option']}” in place of “{before}” takes it from "
    unit = f" {MEASURES[row['metric']].suffix}"
    return [lead, _mean(row, "control_mean"), " to ", _mean(row, "treatment_mean"), unit]


def _places(row: Any) -> int:
    measure = MEASURES[row["metric"]]
    half = measure.scale * (row["high"] - row["low"]) / 2
    return min(rounding.decimals(half, 1), 2) if half == half else 1


def _mean(row: Any, of: str) -> Number:
    scale = MEASURES[row["metric"]].scale
    return Number(row[of], rounding.plain(scale * row[of], max(_places(row), 1)))


def _percent(value: float, sample: float) -> Number:
    """A change in percent, or in percentage points."""
    if value != value:
        return Number(value, "–")
    return Number(value, rounding.signed(100 * value, 0 if abs(100 * sample) >= 10 else 1))


def _unit(metric: str) -> str:
    return "pp" if MEASURES[metric].suffix == "%" else "%"


def _ranked(name: str, changes: pd.DataFrame) -> Part:
    sentences: list[Sentence] = []
    figures = []
    for metric, what in DEPENDS.items():
        inside = changes[changes["metric"] == metric]
        if not len(inside):
            continue
        figures.append(_figure(f"{name}-rules-{metric}", metric, inside))
        firsts = inside.drop_duplicates("switch").head(MOST_SENTENCES)
        for number, (_, row) in enumerate(firsts.iterrows()):
            if not row["sure"]:
                break
            place = ("most with", "next with", "after that with")[number]
            lead = f"{what[0].upper()}{what[1:]} changes {place} {row['switch']} ({_about(row)}): "
            sentences.append([lead, *_change(row), "."])
    note = ("Each rule was changed by itself, all others as they come, among players who all play "
            "the same way. The length is compared in percent, shares in percentage points; a rule "
            "ranks by what is certain of its change, all of them taken together.")  # fmt: skip
    return Part("Which rules matter most", sentences, figures, [], [[note]])


def _about(row: Any) -> str:
    switches = rulebook.game(row["game"]).switches
    return switches[row["switch"]].about if row["switch"] in switches else row["switch"]


def _figure(name: str, metric: str, changes: pd.DataFrame) -> Figure:
    """The first of a ranking."""
    rows = []
    for _, row in changes.head(MOST_SHOWN).iterrows():
        ends = [_percent(row[of], row["change"]).text for of in ("change_low", "change_high")]
        scaled = {"effect": "change", "low": "change_low", "high": "change_high"}
        shown = f"{_percent(row['change'], row['change']).text} {_unit(metric)}"
        rows.append({"group": "", **{to: 100 * row[of] for to, of in scaled.items()},
                     "label": f"{rulebook.game(row['game']).name}: {row['switch']} {row['option']}",
                     "least": 0.0, "shown": shown, "interval": " to ".join(ends),
                     "verdict": ""})  # fmt: skip
    what = DEPENDS[metric]
    axis = f"change of {what}, {'percent' if _unit(metric) == '%' else 'percentage points'}"
    chart = forest_chart(name, axis, pd.DataFrame(rows), axis, ("less", "more"))
    tail = f"the {named(len(rows))} rules that matter most" if len(rows) > 1 else "one rule"
    if not changes["sure"].any():
        tail = "no rule is sure to matter; the largest changes seen"
    return Figure(chart, [f"{axis[0].upper()}{axis[1:]}: {tail}. Bars are 95 % intervals."])


def _everything(title: str, changes: pd.DataFrame) -> Part:
    """A table of all rules: what each measure was and became."""
    metrics = [metric for metric in DEPENDS if (changes["metric"] == metric).any()]
    groups: dict[str, list[list[Cell]]] = {}
    keys = ["game", "strategy", "players", "switch", "option"]
    for key, inside in changes.groupby(keys, sort=False):
        game, strategy, players, switch, option = key
        rows = inside.set_index("metric", drop=False)
        cells: list[Cell] = [f"{switch} {option}"]
        cells += [_cell(rows.loc[metric]) if metric in rows.index else "–" for metric in metrics]
        head = f"{rulebook.game(game).name}, {players} players of “{strategy}”"
        groups.setdefault(head, []).append(cells)
    heads = ["", *(f"change of {SHORT[metric]}" for metric in metrics)]
    ordered = {
        head: sorted(rows, key=lambda row: str(row[0])) for head, rows in sorted(groups.items())
    }
    note = "Each change with its 95 % interval; – where too few deals came out differently for one."
    return Part(title, [], [], [Table("", heads, ordered)], [[note]])


def _cell(row: Any) -> Cell:
    scale = MEASURES[row["metric"]].scale
    numbers = [Number(row[of], rounding.signed(scale * row[of], _places(row)))
               for of in ("effect", "low", "high")]  # fmt: skip
    if row["low"] != row["low"]:
        return [numbers[0]]
    return [numbers[0], " (", numbers[1], " to ", numbers[2], ")"]
