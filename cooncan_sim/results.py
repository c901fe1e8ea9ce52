"""Simulations as tables: one row a seat a hand, one row a seat, and the text of both."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cooncan_sim import catalog, rounding
from cooncan_sim.intervals import wilson

if TYPE_CHECKING:
    from cooncan_sim.simulate import Hands, Simulation


def frame(simulation: "Simulation", hands: "Hands") -> pd.DataFrame:
    """Columns deal, seating, seat, strategy, won, points, turns, ending; compact types."""
    from cooncan_sim.simulate import ENDINGS

    deals, players = len(hands), len(simulation.players)
    seats = np.tile(np.arange(players, dtype=np.int8), deals)
    names = list(dict.fromkeys(simulation.players))
    codes = np.array([names.index(name) for name in simulation.players], dtype=np.int8)
    sides = simulation.totals.sides
    winner = np.repeat(hands.winner[:, 0], players)
    endings = np.repeat(hands.ending[:, 0], players)
    return pd.DataFrame(
        {
            "deal": np.repeat(np.arange(deals, dtype=np.uint32), players),
            "seating": np.zeros(deals * players, dtype=np.int8),
            "seat": seats,
            "strategy": pd.Categorical.from_codes(np.tile(codes, deals), names),
            "won": (winner >= 0) & (winner % sides == seats % sides),
            "points": hands.points[:, 0].ravel(),
            "turns": np.repeat(hands.turns[:, 0], players),
            "ending": pd.Categorical.from_codes(endings, ENDINGS),
        },
        copy=False,
    )


def summary(simulation: "Simulation") -> pd.DataFrame:
    """One row a seat: strategy, hands, wins, win_rate with low and high, points, turns.

    win_rate, low, high: share of the hands and its 95 % Wilson interval; points: mean score change
    a hand with its standard error; turns: mean length of a hand, turns of all seats together.
    """
    totals = simulation.totals
    n = totals.hands
    rows = []
    for seat, name in enumerate(simulation.players):
        won = wilson(int(totals.wins[seat]), n) if n else None
        mean = totals.points[seat] / n if n else np.nan
        spread = (
            (totals.squares[seat] - totals.points[seat] ** 2 / n) / (n - 1) if n > 1 else np.nan
        )
        rows.append(
            {
                "seat": seat,
                "strategy": name,
                "hands": n,
                "wins": int(totals.wins[seat]),
                "win_rate": won.estimate if won else np.nan,
                "low": won.low if won else np.nan,
                "high": won.high if won else np.nan,
                "points": mean,
                "points_se": (spread / n) ** 0.5 if n > 1 else np.nan,
                "turns": totals.turns / n if n else np.nan,
            }
        )
    return pd.DataFrame(rows)


def text(simulation: "Simulation") -> str:
    """The summary for a terminal, how the hands ended, and what must be known of the rules.

    It says what the points are: charged in one game, won in another.
    """
    from cooncan_sim.simulate import ENDINGS

    totals, game = simulation.totals, catalog.game(simulation.game)
    points = f"{game.points[0].lower()}{game.points[1:]} a hand"
    played = rounding.counted(totals.hands, "hand", "hands")
    lines = [f"{simulation.game}, {played}, seed {simulation.seed}"]
    for row in summary(simulation).itertuples():
        lines.append(
            f"  seat {row.seat}  {row.strategy:<24} won {row.win_rate:7.2%} "
            f"[{row.low:.2%}, {row.high:.2%}]  {points} {rounding.plain(row.points, 2):>6}"
        )
    ended = [
        f"{name} {count:,} ({count / totals.hands:.2%})"
        for name, count in zip(ENDINGS, totals.endings, strict=True)
        if count
    ]
    lines.append(
        f"  {totals.turns / max(totals.hands, 1):.1f} turns a hand; ended: {', '.join(ended)}"
    )
    lines += [f"  {remark}" for remark in game.remarks(simulation.rules)]
    return "\n".join(lines)
