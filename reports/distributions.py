"""From hands to curves: what share lasts longer than t turns, or costs no more than x points.

A curve is a table `curve, at, share, low, high`, one row a step; `charts.lengths` draws it. The
arithmetic is that of `intervals`: a deal counts once, however many hands it gave.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cooncan_sim import intervals


def survival(hands: pd.DataFrame) -> pd.DataFrame:
    """What share of the hands lasts longer than each number of turns, with 95 % bands.

    Columns of `hands`, one row a hand: `curve`, `deal`, `turns` and `stopped` (the turn cap ended
    it: it would have lasted longer). Below one and the same cap the share needs no correction,
    and the band is a t interval over deals, all with the same number of hands; where caps differ
    the curve is Kaplan and Meier's with Greenwood's band. `at` begins at 0; behind the cap nothing
    is known and nothing is said.
    """
    return _curves(hands, _survival)


def ecdf(hands: pd.DataFrame) -> pd.DataFrame:
    """What share of the hands comes to no more than each value, with 95 % bands over deals.

    Columns of `hands`, one row a hand: `curve`, `deal` and `value`, a whole number.
    """

    def one_curve(one: pd.DataFrame) -> pd.DataFrame:
        least = int(one["value"].min())
        values = _by_deal(one, "value") - least
        found = intervals.survival(values, int(values.max()) + 1)
        share, low, high = 1 - np.array([found.estimate, found.high, found.low]).clip(0, 1)
        return _steps(np.arange(len(share)) + least, share, low, high)

    return _curves(hands, one_curve)


def median(curve: pd.DataFrame) -> float:
    """Where a curve passes one half; NaN if it never does.

    A survival curve falls to one half or less there, an ECDF rises to one half or more.
    """
    falling = curve["share"].iloc[0] > curve["share"].iloc[-1]
    past = curve["share"] <= 0.5 if falling else curve["share"] >= 0.5
    return float(curve.loc[past, "at"].iloc[0]) if past.any() else float("nan")


def _curves(hands: pd.DataFrame, make: Callable[[pd.DataFrame], pd.DataFrame]) -> pd.DataFrame:
    parts = []
    for name, inside in hands.groupby("curve", sort=False, observed=True):
        parts.append(make(inside))
        parts[-1].insert(0, "curve", name)
    return pd.concat(parts, ignore_index=True)


def _survival(hands: pd.DataFrame) -> pd.DataFrame:
    turns, stopped = hands["turns"], hands["stopped"].astype(bool)
    caps = turns[stopped].unique()
    if len(caps) > 1 or (len(caps) == 1 and turns.max() > caps[0]):
        times, found = intervals.kaplan_meier(turns, ~stopped)
        columns = [found.estimate, found.low, found.high]
        share, low, high = (np.insert(np.asarray(column), 0, 1.0) for column in columns)
        return _steps(np.insert(times, 0, 0), share, low, high)
    cap = int(caps[0]) if len(caps) else int(turns.max()) + 1
    found = intervals.survival(_by_deal(hands, "turns"), cap)
    share, low, high = np.array([found.estimate, found.low, found.high]).clip(0, 1)
    return _steps(np.arange(cap), share, low, high)


def _by_deal(hands: pd.DataFrame, column: str) -> NDArray[np.int64]:
    """The values as (deals, hands of a deal)."""
    ordered = hands.sort_values("deal", kind="stable")
    return ordered[column].to_numpy(dtype=np.int64).reshape(hands["deal"].nunique(), -1)


def _steps(
    at: NDArray[np.float64],
    share: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> pd.DataFrame:
    """The rows at which the curve steps, the first and the last among them."""
    keep = np.insert(np.diff(share) != 0, 0, True)
    keep[-1] = True
    table = pd.DataFrame({"at": at, "share": share, "low": low, "high": high})
    return table[keep].reset_index(drop=True)
