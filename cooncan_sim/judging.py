"""What becomes of a claim, and the words that the steps of a question share."""

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal

import pandas as pd

ALPHA = 0.05
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


def words(rules: Mapping[str, Any]) -> str:
    """`HAND_SIZE=11, LAYOFF_SCOPE=own`."""
    return ", ".join(f"{name}={value}" for name, value in sorted(rules.items()))
