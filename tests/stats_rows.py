"""Rows of known statistics: how each quantity is asked of the public functions.

A row is {"id", "quantity", "input", "value", "tolerance"}. `quantity` names a function below and
`input` its arguments. `value` is a number, a list, or names with either. `tolerance` is
relative, or {"absolute": x} where a value is shown rounded; it may also go by the names of
`value`. It is 1e-6 where a row has none.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cooncan_sim import intervals, many, ratings, sequential, spsa
from cooncan_sim.intervals import Summary
from cooncan_sim.sequential import Gate

OWN = Path(__file__).parent / "cases" / "stats_rows.json"
RELATIVE = 1e-6

Row = dict[str, Any]


def rows(path: str | Path | None = None) -> list[Row]:
    """The rows of a JSON file, the project's own if none is named."""
    return json.loads(Path(path or OWN).read_text(encoding="utf-8"))


def check(row: Row) -> None:
    """Raises AssertionError where the library's answer is not the row's value."""
    if row["quantity"] not in QUANTITIES:
        raise ValueError(f"row {row['id']}: unknown quantity {row['quantity']!r}")
    found = QUANTITIES[row["quantity"]](**row["input"])
    wanted, tolerance = row["value"], row.get("tolerance", RELATIVE)
    if not isinstance(wanted, dict):
        found, wanted, tolerance = {"": found}, {"": wanted}, {"": tolerance}
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        allowed = tolerance
        if isinstance(tolerance, dict) and "absolute" not in tolerance:
            allowed = tolerance.get(name, RELATIVE)
        rounded = isinstance(allowed, dict)
        relative, absolute = (0, allowed["absolute"]) if rounded else (allowed, 0)
        assert np.shape(found[name]) == np.shape(value), name
        assert found[name] == pytest.approx(value, rel=relative, abs=absolute), name


def pair_record(counts: list[int]) -> dict[str, Any]:
    record = sequential.pair_record(counts)
    return {
        "score": record.score,
        "elo": [record.elo.estimate, record.elo.low, record.elo.high],
        "nelo": record.nelo.estimate,
        "nelo_half_width": (record.nelo.high - record.nelo.low) / 2,
        "los": record.los,
    }


def expected_deals(
    alpha: float, beta: float, bounds: list[float], sd: float, effects: list[float]
) -> list[float]:
    gate = Gate(*bounds, max_deals=10**9, alpha=alpha, beta=beta)
    return [gate.expected_deals(effect, sd) for effect in effects]


def sequence_radius(n: int, sd: float, n_opt: int, alpha: float) -> float:
    rho2 = sequential.rho_squared(n_opt, alpha)
    return float(sequential.radius(Summary(n, 0, sd), rho2, alpha))


def evidence(n: int, mean: float, sd: float, n_opt: int, alpha: float) -> dict[str, float]:
    rho2 = sequential.rho_squared(n_opt, alpha)
    log_e = float(sequential.log_evidence(Summary(n, mean, sd), rho2))
    return {"log_e": log_e, "p": sequential.anytime_p(log_e)}


def strict_sequence(alpha: float, values: list[float], repeats: int) -> dict[str, float]:
    sequence = sequential.StrictSequence(0, 1, alpha).extend(values * repeats)
    return dict(zip(("centre", "radius"), sequence.interval, strict=True))


def welch(x: list[float], y: list[float]) -> dict[str, Any]:
    found = intervals.welch(Summary(*x), Summary(*y))
    return {"df": found.df, "interval": [found.low, found.high]}


def davidson(wins: list[list[int]], ties: list[list[int]]) -> dict[str, Any]:
    found = ratings.davidson(wins, ties)
    return {"strength": found.strength.tolist(), "tie": found.tie}


def hodge(matrix: list[list[float]]) -> dict[str, Any]:
    found = ratings.hodge(matrix)
    return {"strength": found.strength.tolist(), "cyclic_share": found.cyclic_share}


def kaplan_meier(times: list[int], ended: list[int], at: list[int]) -> dict[str, Any]:
    distinct, curve = intervals.kaplan_meier(times, ended)
    places = [list(distinct).index(t) for t in at]
    return {"survival": curve.estimate[places].tolist(), "se_at_first": curve.se[places[0]]}


def limits(found: intervals.Interval) -> list[float]:
    return [float(found.low), float(found.high)]


QUANTITIES: dict[str, Callable[..., Any]] = {
    "normalized_llr": lambda counts, bounds: sequential.normalized_llr(counts, *bounds),
    "logistic_llr": lambda counts, bounds: sequential.logistic_llr(counts, *bounds),
    "pair_record": pair_record,
    "normal_llr": lambda n, mean, variance, bounds: float(
        sequential.normal_llr(n, mean, variance, *bounds)
    ),
    "expected_deals": expected_deals,
    "rho_squared": lambda n_opt, alpha: list(map(sequential.rho_squared, n_opt, alpha)),
    "sequence_radius": sequence_radius,
    "evidence": evidence,
    "strict_sequence": strict_sequence,
    "cluster_ratio": lambda sums, games: {
        name: getattr(intervals.cluster_ratio(sums, games), name) for name in ("estimate", "se")
    },
    "t_interval": lambda n, mean, sd: limits(intervals.t_interval(Summary(n, mean, sd))),
    "welch": welch,
    "newcombe": lambda x, y: limits(intervals.newcombe(intervals.wilson(*x), intervals.wilson(*y))),
    "holm": lambda p: many.holm(p).tolist(),
    "benjamini_hochberg": lambda p: many.benjamini_hochberg(p).tolist(),
    "davidson": davidson,
    "plackett_luce": lambda **game: ratings.plackett_luce(**game).strength.tolist(),
    "winner_only": lambda **game: ratings.winner_only(**game, seats=False).strength.tolist(),
    "alpha_rank": lambda **game: ratings.alpha_rank(**game).tolist(),
    "hodge": hodge,
    "ocba": lambda **game: many.ocba(**game).tolist(),
    "kaplan_meier": kaplan_meier,
    "clopper_pearson_upper": lambda count, n: list(map(intervals.clopper_pearson_upper, count, n)),
    "deals_for_power": lambda **design: float(intervals.deals_for_power(**design)),
    "spsa_gains": lambda k, **gains: list(spsa.Gains(**gains).at(k)),
}
