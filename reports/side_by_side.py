"""Many games side by side: one table of all that was measured, and where luck or skill counts most.

For a question that observes more than two games. `skill` is read against what luck alone would
give, which is one's share of the sides at the table.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.games import rulebook
from cooncan_sim.measures import MEASURES
from cooncan_sim.reports.parts import Cell, Number, Part, Sentence, Table
from cooncan_sim.reports.tables import called, named

FEWEST_GAMES = 3
HEADS = {
    "skill": "one player of skill among random ones wins, %",
    "starter": "whoever acts first wins, %",
    "turns": "turns in a hand",
    "void": "hands nobody wins, %",
    "points": "points of a player in a hand",
    "spread": "between best and worst",
}
MEASURED = ["game", "rules", "strategy", "players"]  # what tells one row from another
QUANTILES = {0.5: "half of the players at most", 0.9: "nine in ten at most"}


def fits(seen: pd.DataFrame) -> bool:
    """Whether observations are of so many games that they are told side by side."""
    return seen["game"].nunique() >= FEWEST_GAMES and (seen["metric"] == "skill").any()


def luck_table(seen: pd.DataFrame) -> pd.DataFrame:
    """For each game what luck alone would give, and how much of the rest skill takes.

    Of each game the strategy that the question names first: only players of much the same skill
    tell something about games. Columns game, players, strategy, wins, luck, rest; from most skill
    to least.
    """
    skill = seen[seen["metric"] == "skill"]
    skill = skill[skill["strategy"] == skill.groupby("game")["strategy"].transform("first")]
    luck = [1 / (2 if rulebook.game(row.game).partners else row.players)
            for row in skill.itertuples()]  # fmt: skip
    table = skill[["game", "players", "strategy"]].assign(wins=skill["value"], luck=luck)
    table["rest"] = (table["wins"] - table["luck"]) / (1 - table["luck"])
    return table.sort_values("rest", ascending=False, kind="stable", ignore_index=True)


def quote(seen: pd.DataFrame) -> Sentence:
    """The game of most skill and that of most luck."""
    table = luck_table(seen)
    most, least = table.iloc[0], table.iloc[-1]
    return ["Skill counts most at ", *_wins(most), ". Luck counts most at ", *_wins(least), "."]


def _wins(row: Any) -> Sentence:
    game = f"{rulebook.game(row['game']).name} with {named(row['players'])} players"
    wins = Number(row["wins"], rounding.plain(100 * row["wins"], 0))
    luck = Number(row["luck"], rounding.plain(100 * row["luck"], 0))
    lead = f"{game}: a player of {called(row['strategy'])} among players who play at random wins "
    return [lead, wins, " of 100 hands, where luck alone would give ", luck]


def quantiles(spread: pd.DataFrame | None) -> pd.DataFrame:
    """How many points a player is charged at most, half of the time and nine times in ten.

    Columns game, rules, strategy, players, share, points; empty without a distribution of points.
    """
    rows = []
    if spread is not None:
        points = spread[spread["metric"] == "points"]
        for key, one in points.groupby(MEASURED, sort=False):
            ordered = one.sort_values("value")
            share = ordered["count"].cumsum() / ordered["count"].sum()
            for quantile in QUANTILES:
                at = int(np.searchsorted(share, quantile - 1e-12))
                value = int(ordered["value"].iloc[at])
                rows.append(dict(zip(MEASURED, key, strict=True)) | {"share": quantile,
                                                                     "points": value})  # fmt: skip
    return pd.DataFrame(rows, columns=[*MEASURED, "share", "points"])


def part(seen: pd.DataFrame, costs: pd.DataFrame) -> Part:
    """One row for each game and number of players, one column for each measure."""
    metrics = [metric for metric in HEADS if (seen["metric"] == metric).any()]
    known: Mapping[Any, Any] = costs.set_index([*MEASURED, "share"])["points"].to_dict()
    groups: dict[str, list[list[Cell]]] = {}
    for key, inside in seen.groupby(MEASURED, sort=False):
        game, rules, strategy, players = key
        rows = inside.set_index("metric", drop=False)
        cells: list[Cell] = [f"{players} players"]
        cells += [_cell(rows.loc[metric]) if metric in rows.index else "–" for metric in metrics]
        for quantile in QUANTILES if len(costs) else ():
            cost = known[(*key, quantile)]
            cells.append(Number(cost, rounding.plain(cost, 0)))
        head = f"{rulebook.game(game).name}, {called(strategy)}"
        groups.setdefault(head + (f", {rules}" if rules else ""), []).append(cells)
    heads = ["", *(HEADS[metric] for metric in metrics)]
    heads += [f"points: {words}" for words in QUANTILES.values()] if len(costs) else []
    note = ("95 % intervals stand in brackets. A hand that nobody wins counts for all alike. "
            "Points are charged at Coon Can and KonKan; at Double Rum and Conquian they are units "
            "won or lost, so the last columns compare within a game only.")  # fmt: skip
    return Part("All games side by side", [], [], [Table("", heads, groups)], [[note]])


def _cell(row: Any) -> Cell:
    scale = MEASURES[row["metric"]].scale
    places = rounding.decimals(scale * (row["high"] - row["low"]) / 2, 1)
    value, low, high = (Number(row[of], rounding.plain(scale * row[of], places))
                        for of in ("value", "low", "high"))  # fmt: skip
    return [value, " (", low, " to ", high, ")"]
