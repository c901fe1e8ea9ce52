"""A part about roll-outs: on how many turns it matters what one does, under two rules."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.games import rulebook
from cooncan_sim.reports.charts.forest import forest_chart
from cooncan_sim.reports.observed import claimed
from cooncan_sim.reports.parts import (
    Cell,
    Figure,
    Judged,
    Number,
    Part,
    Sentence,
    Table,
    Told,
    plain_text,
)
from cooncan_sim.reports.tables import named

NAN = float("nan")
ENDS = ("effect", "low", "high")
Text = Callable[[float, int], str]
WORDS = {  # decision -> the words for it
    "turn": "any decision of the turn",
    "draw": "where to draw from",
    "table": "what to lay",
    "discard": "what to throw",
}


def told(name: str, results: Mapping[str, pd.DataFrame]) -> Told | None:
    """What the roll-outs of a question `name` say; None if there are none."""
    if "decisions" not in results:
        return None
    seen, changes = results["decisions"], results["changes"]
    main = seen[seen["primary"]]
    sentences = [_sentence(row) for _, row in main.iterrows()]
    changed = [_change(row) for _, row in changes[changes["primary"]].iterrows()]
    figures = [_shares(name, seen), _gaps(name, seen)]
    part = Part(
        "What hangs on a turn",
        [*sentences, *changed[1:]],
        figures,
        _tables(seen, changes),
        _notes(main),
    )
    judged = [_judged(row) for _, row in main.iterrows() if row["claim"]]
    quoted = pd.DataFrame({"rollouts": [int(main["rollouts"].sum())]})
    return Told(_quote(main), changed[:1], [part], judged, {"rolled_out": quoted})


def _quote(main: pd.DataFrame) -> Sentence:
    """What was found under the first rule, at the first table size."""
    row = main.iloc[0]
    rollouts = int(main["rollouts"].sum())
    game = rulebook.game(row["game"]).name
    return [
        f"{game}, {named(row['players'])} players of {row['strategy']}, {row['label']}: on ",
        *_share(row), " of the turns (limits ", *_limits(row), ") two answers to one decision ",
        "differ by more than ", *_worth(row), " of hands won; from ",
        Number(rollouts, rounding.count(rollouts)), " roll-outs in all.",
    ]  # fmt: skip


def _places(row: Any) -> int:
    return rounding.decimals(100 * (row["high"] - row["low"]) / 2)


def _share(row: Any) -> Sentence:
    return [Number(row["value"], rounding.plain(100 * row["value"], _places(row))), " %"]


def _limits(row: Any) -> Sentence:
    low, high = (
        Number(row[end], rounding.plain(100 * row[end], _places(row))) for end in ("low", "high")
    )
    return [low, " to ", high, " %"]


def _worth(row: Any) -> Sentence:
    worth = f"{100 * row['worth']:g}"
    return [Number(row["worth"], worth), f" percentage point{'s' if worth != '1' else ''}"]


def _signed(row: Any, end: str) -> Number:
    return Number(row[end], rounding.signed(100 * row[end], _places(row)))


def _gap_number(row: Any, end: str, text: Text = rounding.plain) -> Number:
    places = rounding.decimals(100 * (row["gap_high"] - row["gap_low"]) / 2)
    return Number(row[end], text(100 * row[end], places))


def _gap(row: Any) -> Sentence:
    return [_gap_number(row, "gap"), " pp"]


def _gap_limits(row: Any) -> Sentence:
    return [_gap_number(row, "gap_low"), " to ", _gap_number(row, "gap_high")]


def _group(row: Any) -> str:
    return f"{row['players']} players of {row['strategy']}: {row['label']}"


def _sentence(row: Any) -> Sentence:
    verdict = f": {row['claim']}" if row["claim"] else ""
    counts: Sentence = []
    for name, words in (("above", " settled above, "), ("below", " below, "), ("open", " open")):
        counts += [Number(int(row[name]), rounding.count(int(row[name]))), words]
    return [
        f"{_group(row)}: it matters on ", *_share(row), " of the turns, limits ", *_limits(row),
        f"{verdict}. Of ", Number(int(row["turns"]), rounding.count(int(row["turns"]))),
        " turns ", *counts, "; the mean gap is ", *_gap(row), ", 95 % interval ",
        *_gap_limits(row), ".",
    ]  # fmt: skip


def _change(row: Any) -> Sentence:
    lead = (
        f"{row['players']} players of {row['strategy']}, {row['treatment_label']} in place of "
        f"{row['control_label']}: the share of turns on which it matters changes by "
    )
    said: Sentence = [lead, _signed(row, "effect"), " pp"]
    if not _known(row, "low", "high"):
        return [*said, "; too few deals came out differently for an interval."]
    said += [", 95 % interval ", *_between(row, "low", "high")]
    if _known(row, "least", "most"):
        said += ["; with every open turn counted against it, ", *_between(row, "least", "most")]
    if _known(row, "gap_low", "gap_high"):
        said += ["; the mean gap by ", *_gap_change(row)]
    if row["low"] <= 0 <= row["high"]:
        return [*said, ". Whether it matters on more turns or on fewer is not settled."]
    more = "more" if row["low"] > 0 else "fewer"
    return [*said, f". It matters on {more} turns where {row['treatment_label']}."]


def _gap_change(row: Any) -> Sentence:
    value, low, high = (
        _gap_number(row, end, rounding.signed) for end in ("gap", "gap_low", "gap_high")
    )
    return [value, " pp, ", low, " to ", high]


def _known(row: Any, low: str, high: str) -> bool:
    """Whether these limits could be found."""
    return row[low] == row[low] and row[high] == row[high]


def _between(row: Any, low: str, high: str) -> Sentence:
    return [_signed(row, low), " to ", _signed(row, high)]


def _shares(name: str, seen: pd.DataFrame) -> Figure:
    title, axis = "How often it matters", "turns on which it matters what one does, %"
    table = _lines(seen, ("value", "low", "high"), _share, _limits)
    table["verdict"] = seen["claim"].to_list()
    caption: Sentence = [
        "Turns on which two answers differ by more than ", *_worth(seen.iloc[0]),
        " of hands won. The bars go from the lowest share to the highest that the roll-outs "
        "leave open, 95 % limits over deals.",
    ]  # fmt: skip
    return Figure(forest_chart(f"{name}-matters", title, table, axis), caption)


def _gaps(name: str, seen: pd.DataFrame) -> Figure:
    title = "How much hangs on a turn"
    axis = "hands won with the best answer less those with the worst, percentage points"
    table = _lines(seen, ("gap", "gap_low", "gap_high"), _gap, _gap_limits)
    caption = (
        "The mean over all turns, those without such a decision included. Best and worst are "
        "chosen in other worlds than those they are compared in. Bars are 95 % intervals."
    )
    return Figure(forest_chart(f"{name}-gap", title, table, axis), [caption])


def _lines(
    seen: pd.DataFrame,
    parts: tuple[str, str, str],
    shown: Callable[[Any], Sentence],
    interval: Callable[[Any], Sentence],
) -> pd.DataFrame:
    """The rows as the forest plot takes them: estimate and limits in per cent, with their words."""
    rows = [
        {
            "group": _group(row),
            "label": WORDS[row["decision"]],
            **{end: 100 * row[of] for end, of in zip(ENDS, parts, strict=True)},
            "least": NAN,
            "shown": plain_text(shown(row)),
            "interval": plain_text(interval(row)),
            "verdict": "",
        }
        for _, row in seen.iterrows()
    ]
    return pd.DataFrame(rows)


def _tables(seen: pd.DataFrame, changes: pd.DataFrame) -> list[Table]:
    groups: dict[str, list[list[Cell]]] = {}
    for _, row in seen.iterrows():
        counts: list[Cell] = [
            Number(int(row[of]), rounding.count(int(row[of])))
            for of in ("turns", "above", "below", "open", "rollouts")
        ]
        cells: list[Cell] = [WORDS[row["decision"]], _share(row), _limits(row), _gap(row),
                             _gap_limits(row)]  # fmt: skip
        groups.setdefault(_group(row), []).append([*cells, *counts, claimed(row["claim"])])
    heads = ["", "it matters on", "limits", "mean gap", "95 % interval", "turns", "above", "below",
             "open", "roll-outs", "claim"]  # fmt: skip
    return [Table("All numbers", heads, groups), _change_table(changes)]


def _change_table(changes: pd.DataFrame) -> Table:
    groups: dict[str, list[list[Cell]]] = {}
    for _, row in changes.iterrows():
        head = f"{row['players']} players of {row['strategy']}: {row['treatment_label']}"
        cells: list[Cell] = [WORDS[row["decision"]], [_signed(row, "effect"), " pp"]]
        for low, high in (("low", "high"), ("least", "most")):
            cells.append(_between(row, low, high) if _known(row, low, high) else ["–"])
        cells.append(_gap_change(row) if _known(row, "gap_low", "gap_high") else ["–"])
        groups.setdefault(f"{head} in place of {row['control_label']}", []).append(cells)
    heads = ["", "share", "95 % interval", "open turns counted against it", "mean gap"]
    return Table("What the rule changes", heads, groups)


def _notes(main: pd.DataFrame) -> list[Sentence]:
    row = main.iloc[0]
    every, worlds = (
        Number(int(row[of]), rounding.count(int(row[of]))) for of in ("every", "worlds")
    )
    error = Number(row["error"], f"{100 * row['error']:g}")
    notes: list[Sentence] = [
        [
            "An action is one legal answer to one decision of the turn as it was played: the pile "
            "or the stock; each move on the table, or no more of them; each card that may be "
            "thrown. Its value is the chance to win of the player whose turn it is, when the rest "
            f"of the turn and of the hand is played by {row['strategy']} in all seats; a hand that "
            "nobody wins is shared by all. One turn in ", every, " is taken, at random."
        ],
        [
            "Each answer is played out in the same worlds, in which the cards that the player does "
            "not see are dealt anew: the stock and the others' hands, but for cards they were seen "
            "to take from the pile. Nothing is inferred from how they played, nor from what lay "
            "under a renewed stock."
        ],
        [
            "Of several noisy values two always differ, so the pair to be compared is chosen in "
            "one half of the worlds and compared in the other. Their number is doubled, up to ",
            worlds, ", until the turn is settled: above, if the pair differs by more than ",
            *_worth(row), "; below, if all pairs differ by less. At most ", error,
            " % of the turns are settled wrongly. The low limit counts only turns settled above, "
            "the high one all but those settled below, each with what the deals leave unsure.",
        ],
    ]  # fmt: skip
    if row["least"] == row["least"]:
        least = Number(row["least"], f"{100 * row['least']:g}")
        tail = " %: supported where both limits do, refuted where neither does."
        notes.append(["The claim is that this share lies above ", least, tail])
    return notes


def _judged(row: Any) -> Judged:
    return Judged(row["claim"], row["claim"], row["strategy"], row["label"], row["game"],
                  row["rules"], "", row["players"])  # fmt: skip
