"""Turns weighed by roll-outs under two rules, as a step of a question; the columns of its tables.

Numbers are as measured, never scaled or rounded: shares lie in 0 … 1.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cooncan_sim.arms import Memory
from cooncan_sim.compare import STOCK_ORDER
from cooncan_sim.judging import ALPHA, Tables, Tick, judge_range, words
from cooncan_sim.measures import Ratio
from cooncan_sim.observing import Arm, on_same_deals, read
from cooncan_sim.outcomes import share_unit
from cooncan_sim.rollouts import (
    ABOVE,
    BELOW,
    ERROR,
    EVERY,
    FIRST_WORLDS,
    KINDS,
    MOST_WORLDS,
    OPEN,
    Taken,
    Weighed,
    settled,
    take,
)
from cooncan_sim.simulate import Plan

WHOLE = "turn"  # all decisions of a turn together
SEEN = (WHOLE, *KINDS)
PARTS = FIRST_WORLDS // 2 * share_unit(4)  # gaps are whole numbers of 1/this, four sides at most


@dataclass(frozen=True)
class Weighing:
    """Turns under one rule against those under another on the same deals (D2). Its tables:

    decisions   a row for each rule and decision (turn: all together; draw, table, discard; a turn
                without such a decision has a gap of 0): rollout (number in the file), decision,
                primary (turn), label, game, rules, strategy, players, unit, seed, stock_order,
                deals, hands and capped_hands (under both rules together), alpha; worth (the
                difference in win rate that counts), every (turns of which one is taken), worlds
                (the most for one decision), error (see `rollouts`); turns (taken), above, below,
                open (turns by what is settled), rollouts; value (share of turns whose gap is
                estimated above worth), low, high (limits of the true share, with the open turns
                left out and counted in), gap (mean), gap_low, gap_high; least (share claimed,
                NaN if none is) and claim
    changes     a row for each decision: rollout, decision, primary, treatment_label,
                control_label, game, strategy, players; effect (value under the treatment's rule
                less that under the control's), low, high (t limits over deals); least, most
                (limits with all that is open counted one way, and the other); gap, gap_low,
                gap_high (change of the mean gap, t limits)
    weighed     a row for each decision of each turn taken: rollout, label, players, deal, turn,
                seat, decision, answers, worlds, settled, value, gap
    """

    treatment: Arm
    control: Arm
    labels: tuple[str, str]
    worth: float
    deals: int
    above: float | None = None

    kind = "rollout"
    tables = ("weighed", "changes", "decisions")
    tests = 0  # judged by limits, not by a p-value

    @property
    def plans(self) -> list[Plan]:
        """What is played, to be checked before anything is."""
        return [arm.plan("everyone") for arm in (self.treatment, self.control)]

    @property
    def most_deals(self) -> int:
        """Deals that are played."""
        return 2 * self.deals

    def settings(self) -> dict[str, Any]:
        """All that decides the numbers."""
        return asdict(self) | {"every": EVERY, "worlds": MOST_WORLDS, "error": ERROR}

    def play(self, jobs: int | None, tick: Tick, memory: Memory) -> Tables:
        """Plays both arms and weighs their turns."""
        arms = (self.treatment, self.control)
        taken = [take(arm, self.deals, self.worth, jobs, tick) for arm in arms]
        capped = sum(one.capped for one in taken)
        rows, raw = [], []
        for arm, label, one in zip(arms, self.labels, taken, strict=True):
            rows += [self._row(arm, label, one, of) | {"capped_hands": capped} for of in SEEN]
            raw.append(_raw(label, arm.players, one))
        changes = [self._change(taken, of) for of in SEEN]
        return {
            "weighed": pd.concat(raw, ignore_index=True),
            "changes": pd.DataFrame(changes),
            "decisions": pd.DataFrame(rows),
        }

    def _row(self, arm: Arm, label: str, taken: Taken, of: str) -> dict[str, Any]:
        seen = Gaps(taken, of, self.worth)
        low, high = seen.limits()
        gap = read([seen.gaps], ALPHA, False)
        all_of = [one for turn in taken.turns for one in _those(turn.decisions, of)]
        return {
            "decision": of,
            "primary": of == WHOLE,
            "label": label,
            "game": arm.game,
            "rules": words(arm.rules),
            "strategy": arm.strategy,
            "players": arm.players,
            "unit": "deals",
            "seed": arm.seed,
            "stock_order": STOCK_ORDER,
            "deals": self.deals,
            "hands": 2 * self.deals,
            "alpha": ALPHA,
            "worth": self.worth,
            "every": EVERY,
            "worlds": MOST_WORLDS,
            "error": ERROR,
            "turns": len(taken.turns),
            **{name: int(seen.of(name).sum()) for name in (ABOVE, BELOW, OPEN)},
            "rollouts": sum(one.answers * one.worlds for one in all_of),
            "value": read([seen.likely], ALPHA, True).value,
            "low": low,
            "high": high,
            "gap": gap.value,
            "gap_low": gap.low,
            "gap_high": gap.high,
            "least": np.nan if self.above is None or of != WHOLE else self.above,
            "claim": judge_range(low, high, self.above, None) if of == WHOLE else "",
        }

    def _change(self, taken: Sequence[Taken], of: str) -> dict[str, Any]:
        one, other = (Gaps(each, of, self.worth) for each in taken)
        found = on_same_deals([one.likely], [other.likely], ALPHA, False)
        least = on_same_deals([one.surely], [other.perhaps], ALPHA, False)
        most = on_same_deals([one.perhaps], [other.surely], ALPHA, False)
        gap = on_same_deals([one.gaps], [other.gaps], ALPHA, False)
        return {
            "decision": of,
            "primary": of == WHOLE,
            "treatment_label": self.labels[0],
            "control_label": self.labels[1],
            "game": self.treatment.game,
            "strategy": self.treatment.strategy,
            "players": self.treatment.players,
            "effect": found.effect,
            "low": found.low,
            "high": found.high,
            "least": least.low - 2 * ERROR,
            "most": most.high + 2 * ERROR,
            "gap": gap.effect,
            "gap_low": gap.low,
            "gap_high": gap.high,
        }


class Gaps:
    """Sums by deal over the turns taken: how many there were, and what their gaps were.

    turns: int64 (deal). The ratios are over all turns.
    """

    def __init__(self, taken: Taken, of: str, worth: float) -> None:
        self._deal = np.array([turn.deal for turn in taken.turns], dtype=np.int64)
        self._deals = taken.deals
        chosen = [_those(turn.decisions, of) for turn in taken.turns]
        self._settled = [settled(one) for one in chosen]
        # The decision on which most hangs is chosen in the worlds that its gap is not taken from.
        gaps = [max(one, key=lambda d: d.leaning).gap if one else 0.0 for one in chosen]
        self.turns = self._counted(np.ones(len(chosen)))
        self.gaps = Ratio(self._counted(PARTS * np.array(gaps)), PARTS * self.turns, PARTS)
        larger = np.array([any(d.value > worth for d in one) for one in chosen])
        self.likely = Ratio(self._counted(larger), self.turns)

    def _counted(self, values: NDArray[Any]) -> NDArray[np.int64]:
        return np.rint(np.bincount(self._deal, values, self._deals)).astype(np.int64)

    def of(self, name: str) -> NDArray[np.int64]:
        """Turns by deal of which this is settled."""
        return self._counted(np.array([one == name for one in self._settled]))

    @property
    def surely(self) -> Ratio:
        """Turns settled above, of all."""
        return Ratio(self.of(ABOVE), self.turns)

    @property
    def perhaps(self) -> Ratio:
        """Turns not settled below, of all."""
        return Ratio(self.turns - self.of(BELOW), self.turns)

    def limits(self) -> tuple[float, float]:
        """Limits of the share of turns above: what is open, and what may be wrong, left out or in.

        ERROR bounds the share of turns settled wrongly on average, so it widens both.
        """
        low = read([self.surely], ALPHA, True).low - ERROR
        high = read([self.perhaps], ALPHA, True).high + ERROR
        return max(low, 0.0), min(high, 1.0)


def _those(decisions: Sequence[Weighed], of: str) -> list[Weighed]:
    return [one for one in decisions if of in (WHOLE, one.kind)]


def _raw(label: str, players: int, taken: Taken) -> pd.DataFrame:
    columns = ("kind", "answers", "worlds", "settled", "value", "gap")
    return pd.DataFrame(
        [
            (label, players, turn.deal, turn.number, turn.seat,
             *(getattr(one, name) for name in columns))
            for turn in taken.turns
            for one in turn.decisions
        ],
        columns=["label", "players", "deal", "turn", "seat", "decision", *columns[1:]],
    )  # fmt: skip
