"""What becomes of a claim, and the words that the steps of a question share."""

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
import pandas as pd

from cooncan_sim.designs import METRICS
from cooncan_sim.many import holm

ALPHA = 0.05
FAMILY = ("comparisons", "conditionals", "contrasts")  # tables of claims with a least effect
Tick = Callable[[int], None]
Tables = dict[str, pd.DataFrame]
Claim = Literal["supported", "refuted", "open", ""]


def judge(low: float, high: float, effect: float, least: float) -> Claim:
    """Whether a claim of a gain of at least `least` stands (RULES.md Part 3, *Decision*).

    Supported: the interval lies above 0 and the estimate reaches `least`. Refuted: the whole
    interval stays below `least`. Open: more deals are needed. A `least` below 0 claims a fall.
    """
    if least < 0:
        return judge(-high, -low, -effect, -least)
    if low > 0 and effect >= least:
        return "supported"
    return "refuted" if high < least else "open"


def judge_range(low: float, high: float, above: float | None, below: float | None) -> Claim:
    """Whether a claim that a number lies above one and below another stands; "" if none is made."""
    if above is None and below is None:
        return ""
    least = -math.inf if above is None else above
    most = math.inf if below is None else below
    if low > least and high < most:
        return "supported"
    return "refuted" if high < least or low > most else "open"


def judged(tables: Tables, tests: int) -> Tables:
    """The tables of a file with what depends on all its tests: p_holm, and the claims.

    Every row of FAMILY with a min_effect is a test. `tests` is how many the file states: one that
    is not played yet, or in which too few deals changed for a p-value, counts as one with p = 1.
    """
    family = {name: tables[name] for name in FAMILY if name in tables}
    if not family:
        return tables
    named = [rows["p"].where(rows["min_effect"].notna()) for rows in family.values()]
    p = pd.concat(named, ignore_index=True)
    known = p.dropna()
    others = np.ones(max(tests - len(known), 0))
    adjusted = pd.Series(holm([*known, *others])[: len(known)], index=known.index, dtype=float)
    adjusted = adjusted.reindex(p.index)
    found, start = dict(tables), 0
    for name, rows in family.items():
        own = adjusted[start : start + len(rows)].set_axis(rows.index)
        found[name] = rows.assign(p_holm=own, claim=_claims(name, rows, own))
        start += len(rows)
    return found


def _claims(name: str, rows: pd.DataFrame, adjusted: pd.Series) -> list[Claim]:
    """What becomes of the claim of each row; "" where none is made."""
    claims: list[Claim] = []
    for row, p in zip(rows.itertuples(), adjusted, strict=True):
        better = 1 if name == "contrasts" else METRICS[row.metric].better or 1
        low, high = sorted((better * row.low, better * row.high))
        named = not math.isnan(row.min_effect)
        claim = judge(low, high, better * row.effect, row.min_effect) if named else ""
        claims.append("open" if claim == "supported" and p > ALPHA else claim)
    return claims


def tests_in(tables: Mapping[str, pd.DataFrame]) -> int:
    """How many tests of claims the tables of a file hold."""
    family = [tables[name] for name in FAMILY if name in tables]
    return sum(int(rows["min_effect"].notna().sum()) for rows in family)


def words(rules: Mapping[str, Any]) -> str:
    """`HAND_SIZE=11, LAYOFF_SCOPE=own`."""
    return ", ".join(f"{name}={value}" for name, value in sorted(rules.items()))
