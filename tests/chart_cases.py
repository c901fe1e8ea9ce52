"""Charts of made-up tables, plain and hard ones: a single row, forty, long names, no interval."""

import numpy as np
import pandas as pd

from cooncan_sim.exact import count_runs
from cooncan_sim.reports import distributions
from cooncan_sim.reports.charts import contests, counts, courses, forest, lengths, slopes
from cooncan_sim.reports.charts.drawing import Chart

NAN = float("nan")
AXIS = "difference in hands won, percentage points"
SIDES = ("wins fewer", "wins more")
VERDICTS = ("helps", "no practical difference", "unresolved", "hurts")
LONG = "a rather long label such as greedy-keep(low=5,high=8) among players of hold(k=3)"


def effects(rows: int, label: str = "{} players") -> pd.DataFrame:
    """A table for the forest plot."""
    made = [
        {
            "group": "against keeping A–4" if 2 * row < rows else "against keeping 10–K",
            "label": label.format(2 + row % 7),
            "effect": 1.5 * (row % 5) - 3,
            "low": 1.5 * (row % 5) - 3.2,
            "high": 1.5 * (row % 5) - 2.7,
            "least": 0.3,
            "shown": f"{1.5 * (row % 5) - 3:+.1f} pp".replace("-", "−"),
            "interval": f"{1.5 * (row % 5) - 3.2:+.1f} to {1.5 * (row % 5) - 2.7:+.1f}",
            "verdict": VERDICTS[row % 4],
        }
        for row in range(rows)
    ]
    return pd.DataFrame(made)


def without_intervals() -> pd.DataFrame:
    """An interval that is not known, one of no width, and nothing at all; 0 far to the left."""
    table = effects(4)
    table["effect"] += 6
    table[["low", "high"]] += 6
    table.loc[0, ["low", "high"]] = NAN
    table.loc[1, ["low", "high"]] = table.loc[1, "effect"]
    table.loc[2, ["effect", "low", "high"]] = NAN
    return table


def shares() -> pd.DataFrame:
    """Shares of which nothing is claimed."""
    table = effects(3).assign(group="", least=NAN, verdict="")
    return table.assign(effect=[0.5, 8, 61], low=[0.4, 7, 60], high=[0.6, 9, 62])


def lines(count: int, places: int, name: str = "line {}") -> pd.DataFrame:
    """A table for the slope chart."""
    return pd.DataFrame(
        {"line": name.format(one), "at": str(2 + place), "effect": one / 4 + place / 10,
         "low": one / 4 + place / 10 - 0.3, "high": one / 4 + place / 10 + 0.3, "least": 0.3}
        for one in range(count) for place in range(places)
    )  # fmt: skip


def swept(rows: int) -> pd.DataFrame:
    """A table for the ridges; without a spread in row 1, without anything known in row 2."""
    effect = np.array([0.5 - (row - 4) ** 2 / 50 for row in range(rows)])
    table = pd.DataFrame({"at": range(rows), "effect": effect, "se": 0.1, "least": 0.2})
    table.loc[1:1, "se"] = 0
    table = table.assign(low=table["effect"] - 0.2, high=table["effect"] + 0.2)
    table.loc[2:2, ["se", "low", "high"]] = NAN
    return table


def looks(count: int) -> pd.DataFrame:
    """The path of a screened run; the first look has no interval yet."""
    deals = np.unique(np.geomspace(200, 90_000, count).astype(int))
    gain = 2 + np.sin(deals) / np.sqrt(deals)
    table = pd.DataFrame({"deals": deals, "gain": gain, "low": gain - 40 / np.sqrt(deals)})
    table["high"] = gain + 40 / np.sqrt(deals)
    table.loc[0, ["low", "high"]] = -np.inf, np.inf
    return table


def path(weights: int, steps: int) -> pd.DataFrame:
    """Weights while they are tuned."""
    step = np.arange(steps + 1)
    return pd.concat(
        pd.DataFrame({"step": step, "weight": f"weight-{one}", "value": 1 + one + step / 1000,
                      "low": 1.0, "high": 13.0})
        for one in range(weights)
    )  # fmt: skip


def hands(name: str, deals: int, scale: int, cap: int | None = None) -> pd.DataFrame:
    """Two hands a deal, some of them stopped at a cap."""
    turns = 3 + np.arange(2 * deals) * scale % 97
    stopped = turns >= (cap or 1000)
    table = pd.DataFrame({"curve": name, "deal": np.repeat(np.arange(deals), 2)})
    return table.assign(turns=np.minimum(turns, cap or 1000), stopped=stopped)


def matrix(names: list[str], size: float = 5.0) -> pd.DataFrame:
    """An antisymmetric matrix as a tidy table."""
    return pd.DataFrame(
        {"row": one, "column": other, "value": size * np.sin(3 * (i - j) * (1 + i + j))}
        for i, one in enumerate(names) for j, other in enumerate(names) if i != j
    )  # fmt: skip


def ring() -> pd.DataFrame:
    """Three that beat each other in turn."""
    beats = [("first", LONG[26:51], 3.1), (LONG[26:51], "hold", 1.2), ("hold", "first", 0.8)]
    return pd.DataFrame(beats, columns=["row", "column", "value"])


def _several(*tables: pd.DataFrame) -> pd.DataFrame:
    return pd.concat(tables, ignore_index=True)


def _forest(name: str, table: pd.DataFrame) -> Chart:
    return forest.forest_chart(name, "Effects", table, AXIS, SIDES)


def _survival(name: str, *of: pd.DataFrame) -> Chart:
    table = distributions.survival(_several(*of))
    return lengths.survival_chart(name, "How long a hand lasts", table)


def _heatmap(name: str, table: pd.DataFrame) -> Chart:
    return contests.heatmap_chart(name, "Matrix", table, "row against column, in pp", 2)


def all_charts() -> dict[str, Chart]:
    """Every chart, in plain and in hard cases, by name."""
    one_turn = pd.DataFrame({"curve": "x", "deal": [0, 1], "turns": 3, "stopped": False})
    costs = hands("greedy", 60, 7).rename(columns={"turns": "value"})
    charts = [
        _forest("forest", effects(8)),
        _forest("forest-one", effects(1).assign(group="")),
        _forest("forest-forty", effects(40)),
        _forest("forest-long", effects(5, LONG)),
        _forest("forest-unknown", without_intervals()),
        forest.forest_chart("shares", "Shares", shares(), "share of the hands, percent"),
        slopes.slopes_chart("slopes", "Slopes", lines(3, 7), AXIS),
        slopes.slopes_chart("slopes-one", "Slopes", lines(1, 1), AXIS),
        slopes.slopes_chart("slopes-many", "Slopes", lines(10, 7), AXIS),
        slopes.slopes_chart("slopes-long", "Slopes", _variants(), AXIS),
        slopes.ridges_chart("ridges", "Ridges", swept(13), "slack", AXIS),
        slopes.ridges_chart("ridges-one", "Ridges", swept(1), LONG, AXIS),
        slopes.ridges_chart("ridges-forty", "Ridges", swept(40), "slack", AXIS),
        courses.funnel_chart("funnel", "Funnel", looks(30), AXIS, 0.3),
        courses.funnel_chart("funnel-one", "Funnel", looks(30).iloc[-1:], AXIS, 0.3),
        courses.funnel_chart("funnel-unknown", "Funnel", looks(30).iloc[:1], AXIS, 0.3),
        courses.tuning_chart("tuning", "Tuning", path(3, 3000)),
        courses.tuning_chart("tuning-one", "Tuning", path(1, 1)),
        courses.tuning_chart("tuning-many", "Tuning", path(12, 50)),
        _survival("survival", hands("two", 60, 5), hands("three", 60, 7, 60), hands(LONG, 9, 5)),
        _survival("survival-one", one_turn),
        _survival("survival-many", *(hands(f"{k} players", 30, k) for k in range(2, 11))),
        lengths.ecdf_chart("ecdf", "Costs", distributions.ecdf(costs), "points"),
        _heatmap("heatmap", matrix(["greedy", "hold", "random"])),
        _heatmap("heatmap-long", matrix([LONG, "hold", "connect-first(slack=3,bonus=2)"])),
        _heatmap("heatmap-many", matrix([f"strategy-{one}" for one in range(20)])),
        _heatmap("heatmap-flat", matrix(["a", "b"], 0.0)),
        contests.cycle_chart(
            "cycle", "Cycle", ring(), list(ring()["row"]), ["+3.1 pp", "+1.2 pp", "+0.8 pp"]
        ),
        counts.runs_chart("runs", _low_ace(), ("5–8", 5, 8)),
    ]  # fmt: skip
    return {chart.name: chart for chart in charts}


def _variants() -> pd.DataFrame:
    table = lines(3, 4, LONG + " {}")
    return table.assign(at="HAND_SIZE=" + table["at"])


def _low_ace() -> pd.DataFrame:
    table = count_runs([3, 4, 5])
    return table[table["ace"] == "low"]
