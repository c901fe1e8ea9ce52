"""Simulated matches as tables: a row a seat a hand, a row a seat a match, a row a seat."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cooncan_sim import catalog, rounding
from cooncan_sim.intervals import wilson

if TYPE_CHECKING:
    from cooncan_sim.match import MatchSimulation


def hands_frame(played: "MatchSimulation") -> pd.DataFrame:
    """One row a seat a hand; `score` is the seat's (or side's) total before the hand."""
    from cooncan_sim.simulate import ENDINGS

    seats = np.arange(len(played.players))
    frames, first = [], 0
    for part in played.parts:
        for hand in part.rounds:
            side = seats % hand.alive.shape[1]
            inside = hand.alive[:, side]
            row, seat = inside.nonzero()
            won = (hand.winner[row] >= 0) & (hand.winner[row] % hand.alive.shape[1] == side[seat])
            frames.append(
                pd.DataFrame(
                    {
                        "match": first + hand.match[row],
                        "hand": hand.hand,
                        "seat": seat,
                        "won": won,
                        "points": hand.points[row, side[seat]],
                        "score": hand.scores[row, side[seat]],
                        "dealer": hand.dealer[row],
                        "turns": hand.turns[row],
                        "ending": np.array(ENDINGS)[hand.ending[row]],
                    }
                )
            )
        first += len(part)
    columns = ["match", "hand", "seat", "won", "points", "score", "dealer", "turns", "ending"]
    frame = pd.concat(frames) if frames else pd.DataFrame(columns=columns)
    frame.insert(3, "strategy", np.array(played.players, dtype=object)[frame["seat"].astype(int)])
    return frame.sort_values(["match", "hand", "seat"], ignore_index=True)


def matches_frame(played: "MatchSimulation") -> pd.DataFrame:
    """One row a seat a match; `won` is the share of the match (a half each if two share it)."""
    players = len(played.players)
    side = np.arange(players) % played.parts[0].scores.shape[1]
    share = np.concatenate([part.share for part in played.parts])[:, side]
    count = len(share)
    return pd.DataFrame(
        {
            "match": np.repeat(np.arange(count), players),
            "seat": np.tile(np.arange(players), count),
            "strategy": np.tile(np.array(played.players, dtype=object), count),
            "won": share.ravel(),
            "score": np.concatenate([part.scores for part in played.parts])[:, side].ravel(),
            "hands": np.repeat(np.concatenate([part.hands for part in played.parts]), players),
            "turns": np.repeat(np.concatenate([part.turns for part in played.parts]), players),
        }
    )


def summary(played: "MatchSimulation") -> pd.DataFrame:
    """One row a seat: matches, win_rate with low and high (95 % Wilson), hands and turns."""
    matches = matches_frame(played)
    rows = []
    for seat, of_seat in matches.groupby("seat"):
        n = len(of_seat)
        won = wilson(float(of_seat["won"].sum()), n)
        rows.append(
            {
                "seat": seat,
                "strategy": played.players[seat],
                "matches": n,
                "wins": float(of_seat["won"].sum()),
                "win_rate": won.estimate,
                "low": won.low,
                "high": won.high,
                "hands": float(of_seat["hands"].mean()),
                "turns": float(of_seat["turns"].mean()),
            }
        )
    return pd.DataFrame(rows)


def text(played: "MatchSimulation") -> str:
    """The summary for a terminal."""
    rows = summary(played)
    unfinished = sum(int(part.unfinished.sum()) for part in played.parts)
    matches = rounding.counted(int(rows["matches"].iloc[0]), "match", "matches")
    lines = [f"{played.game}, {matches}, seed {played.seed}"]
    for row in rows.itertuples():
        lines.append(
            f"  seat {row.seat}  {row.strategy:<24} won {row.win_rate:7.2%} "
            f"[{row.low:.2%}, {row.high:.2%}]"
        )
    first = rows.iloc[0]
    lines.append(f"  {first['hands']:.1f} hands and {first['turns']:.0f} turns a match")
    if unfinished:
        stopped = rounding.counted(unfinished, "match", "matches")
        lines.append(f"  {stopped} unfinished, stopped by MAX_HANDS")
    remarks = catalog.game(played.game).remarks(played.rules)
    lines += [f"  {remark}" for remark in remarks]
    return "\n".join(lines)
