"""Searching weights: the play behind it, the search, and the test of what it finds."""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from cooncan_sim import cli
from cooncan_sim.catalog import read_page, strategy
from cooncan_sim.compare import PILOT, Trial, measure
from cooncan_sim.errors import CooncanError
from cooncan_sim.screen import Course
from cooncan_sim.search import DEALS_A_CANDIDATE, DEALS_A_STEP, Arena, Search, climb, evolve
from cooncan_sim.sequential import Gate, GateLook
from cooncan_sim.tune import Tuned, bounds_of, fields_of, tune

BAND = {"low": (1.0, 13.0), "high": (1.0, 13.0)}
PILOT_STEPS = 60


@pytest.fixture(autouse=True)
def short_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cooncan_sim.spsa.PILOT", PILOT_STEPS)


def searching(spec: str = "greedy-keep", **named: object) -> Search:
    return Search("jaques", spec, BAND, **named)  # type: ignore[arg-type]


# --- the play behind a search ----------------------------------------------------------


def test_weights_on_the_scale_of_the_search() -> None:
    search = searching("greedy-keep(high=10)")
    assert search.start() == pytest.approx([4 / 12, 9 / 12])
    assert search.unscaled(search.start()) == pytest.approx([5, 10])
    assert search.named(np.array([0, 1])).weights == {"low": 1, "high": 13}
    assert search.named(np.array([1 / 3, 0.123456789])).name == "greedy-keep(high=2.481)"
    one = Search("jaques", "greedy-keep(low=2)", {"high": (4, 8)})
    assert one.start() == [1]
    assert one.named(np.array([0.5])).weights == {"low": 2, "high": 6}


@pytest.mark.parametrize(("players", "metric"), [(2, "win"), (3, "net"), (2, "penalty")])
def test_a_gain_is_that_of_a_comparison(players: int, metric: str) -> None:
    search = searching(players=players, metric=metric, seed=4)
    one, other = np.array([0.0, 0.3]), np.array([0.8, 1.0])
    named = [search.named(weights).name for weights in (other, one)]
    trial = Trial("jaques", *named, named[0], players, 4, metrics=(metric,))
    effect = measure(trial, 40, first=100).estimates[0].effect
    gain = Arena(search).gain(one, other, 100, 40)
    assert gain == pytest.approx(-effect if metric == "penalty" else effect, rel=1e-12)
    assert gain != 0


def test_gains_of_two_seats_are_the_others_losses() -> None:
    arena = Arena(searching())
    one, other = np.array([0.1, 0.5]), np.array([0.6, 0.9])
    assert arena.gain(one, other, 0, 50) == -arena.gain(other, one, 0, 50) != 0
    assert arena.gain(one, one, 0, 50) == 0


# --- the search ------------------------------------------------------------------------


def test_climbing_plays_each_step_on_deals_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[int, int]] = []

    def gain(arena: Arena, one: np.ndarray, other: np.ndarray, first: int, deals: int) -> float:
        played.append((first, deals))
        return float(one[0] - other[0] + np.sin(first))

    monkeypatch.setattr(Arena, "gain", gain)
    path = climb(searching(), 300, lambda line: None)
    assert played == [(DEALS_A_STEP * k, DEALS_A_STEP) for k in range(PILOT_STEPS + 300)]
    assert path.shape == (301, 2)
    assert path[0] == pytest.approx([4 / 12, 7 / 12])
    assert path[-1][0] > path[0][0] + 0.05  # the first weight gains, the second does nothing
    assert ((path >= 0) & (path <= 1)).all()


def test_evolving_returns_the_middle_and_not_the_best_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a hill with its top at 0.7, 0.2: candidates of a generation share their deals."""
    played: list[int] = []
    seen: list[np.ndarray] = []

    def gain(arena: Arena, one: np.ndarray, other: np.ndarray, first: int, deals: int) -> float:
        played.append(first)
        seen.append(one)
        assert deals == DEALS_A_CANDIDATE
        assert other == pytest.approx([4 / 12, 7 / 12])
        return -float(np.sum((one - [0.7, 0.2]) ** 2))

    monkeypatch.setattr(Arena, "gain", gain)
    path = evolve(searching(), 12, 1, lambda line: None)
    assert played == [DEALS_A_CANDIDATE * g for g in range(12) for _ in range(12)]
    assert path.shape == (13, 2)
    assert path[-1] == pytest.approx([0.7, 0.2], abs=0.05)
    assert not any(np.array_equal(path[-1], one) for one in seen)


def test_both_are_the_same_each_time() -> None:
    runs = [climb(searching(seed=1), 20, lambda line: None) for _ in range(2)]
    assert np.array_equal(*runs)
    other = climb(searching(seed=2), 20, lambda line: None)
    assert not np.array_equal(runs[0], other)
    found = [evolve(searching(seed=1), 1, jobs, lambda line: None) for jobs in (1, 2)]
    assert np.array_equal(*found)


def test_without_the_package_cma(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(CooncanError, match=r"pip install 'cooncan-sim\[tune\]'"):
        tune("jaques", "greedy-keep", method="cma", steps=1)


# --- the test of what was found --------------------------------------------------------


def test_found_weights_are_tested_on_fresh_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search, pilot, gate and measurement follow one another, in every field."""
    asked: list[tuple[str, int, float]] = []

    def gate(course: Course, rule: Gate, watch: object) -> GateLook:
        asked.append((course.plan.seatings[0][1], course.first, rule.h1))
        return GateLook(777, 0.1, 3.1, "passes" if len(asked) == 1 else "fails")

    monkeypatch.setattr("cooncan_sim.tune.gate", gate)
    heard: list[str] = []
    found = tune("jaques", "greedy-keep", steps=15, max_deals=1200, min_effect=0.25,
                 watch=heard.append)  # fmt: skip
    searched = DEALS_A_STEP * (PILOT_STEPS + 15)
    assert found.deals == searched
    assert asked == [(name, searched + PILOT, 0.25) for name in ("greedy-keep", "greedy")]
    for name in ("greedy-keep", "greedy"):
        measured = found.measured[name]
        assert (measured.first, measured.deals) == (searched + PILOT + 777, 1000)
        assert (measured.trial.control, measured.trial.field) == ("greedy-keep", name)
        assert measured.trial.treatment == found.found.name
    assert not found.better
    assert "not shown to be better than greedy-keep" in str(found)
    assert heard[0].startswith("step 0 of 75: about greedy-keep")
    assert found.frame().columns.tolist() == ["step", "low", "high"]
    assert len(found.frame()) == 16
    assert found.summary()["gate"].tolist() == ["passes", "fails"]
    assert found._repr_html_().count("<tr>") == 3


def test_better_means_in_every_field() -> None:
    passed, open_still = GateLook(300, 0.1, 3, "passes"), GateLook(300, 0.1, 0, "unresolved")
    kept = strategy("greedy-keep", "jaques")
    for last, better in ((passed, True), (open_still, False)):
        gates = {"greedy": passed, "hold": last}
        assert Tuned(searching(), "spsa", np.zeros((1, 2)), 0, kept, gates, {}).better == better


def test_the_game_itself() -> None:
    """Keeping 5 to 8 loses to keeping nothing in particular: a search soon finds its way out."""
    found = tune("jaques", "greedy-keep", steps=700, seed=3, max_deals=3000)
    assert found.better
    for comparison in found.measured.values():
        assert comparison.estimates[0].low > 0
    assert strategy(found.found.name, "jaques") == found.found


# --- what cannot be searched -----------------------------------------------------------


def test_bounds_come_from_the_page_and_from_the_caller() -> None:
    assert strategy("greedy-keep", "jaques").page.bounds == BAND
    search = searching()
    assert bounds_of(search, {}) == BAND
    assert bounds_of(search, {"low": (2, 4)}) == {"low": (2, 4), "high": (1, 13)}
    assert bounds_of(search, {"low": (5, 5)}) == {"high": (1, 13)}


def test_fields() -> None:
    assert fields_of(searching(), []) == ["greedy-keep", "greedy"]
    assert fields_of(searching(), ["hold", "greedy-keep", "hold"]) == ["greedy-keep", "hold"]
    assert fields_of(searching("greedy-keep(low=2)"), ["random"])[0] == "greedy-keep(low=2)"


@pytest.mark.parametrize(
    ("spec", "named", "message"),
    [
        ("greedy", {}, "greedy has no weights to search"),
        ("greedy-keep", {"bounds": {"lo": (1, 2)}}, "greedy-keep has no weight 'lo'"),
        ("greedy-keep", {"bounds": {"low": (9, 2)}}, "bounds 9 to 2 are the wrong way round"),
        ("greedy-keep", {"bounds": {"low": (2, 2), "high": (3, 3)}}, "no weight .* is left"),
        (
            "greedy-keep",
            {"bounds": {"low": (math.nan, 3)}},
            "bounds are two numbers, not nan and 3",
        ),
        (
            "greedy-keep",
            {"bounds": {"low": (2, math.inf)}},
            "bounds are two numbers, not 2 and inf",
        ),
        ("greedy-keep", {"bounds": {"low": ("2", 3)}}, "bounds are two numbers, not '2' and 3"),
        ("greedy-keep", {"method": "grid"}, "unknown method 'grid': it is spsa or cma"),
        ("greedy-keep", {"steps": 0}, "at least one step"),
        ("greedy-keep", {"metric": "balance"}, "balance is not measured"),
        ("greedy-keep", {"others": "hold"}, "a list of strategies, one a seat, not 'hold'"),
        ("greedy-keep", {"others": ["hodl"]}, "unknown strategy 'hodl'"),
        ("greedy-keep", {"bounds": {"low": (2, 2)}, "method": "cma"}, "at least two weights"),
        ("greedy-keep", {"min_effect": 0.0}, "must be a number above 0"),
    ],
)
def test_what_cannot_be_searched(spec: str, named: dict, message: str) -> None:
    with pytest.raises(CooncanError, match=message):
        tune("jaques", spec, **named)


PAGE = '''\
"""Plays as `greedy`. Source: a test."""

GAMES = ("jaques",)
BASE = "greedy"
WEIGHTS = {"idle": 1}
BOUNDS = {"idle": (0, 2)}
'''


def test_weights_that_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "idle.py"
    path.write_text(PAGE, "utf-8")
    with pytest.raises(CooncanError, match="these weights change no play"):
        tune("jaques", str(path), steps=10)
    path.write_text(PAGE.replace("BOUNDS", "OTHERS"), "utf-8")
    with pytest.raises(CooncanError, match="weight idle of .* has no bounds"):
        tune("jaques", str(path), steps=10)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ('{"idel": (0, 2)}', "no weight 'idel' (did you mean 'idle'?)"),
        ('{"idle": (2, 0)}', "idle must be like (1, 13), not (2, 0)"),
        ('{"idle": 3}', "idle must be like (1, 13), not 3"),
        ('{"idle": (0, 1, 2)}', "idle must be like (1, 13), not (0, 1, 2)"),
        ('{"idle": ("a", "b")}', "idle must be like (1, 13)"),
        ("(0, 2)", "BOUNDS must be a plain dict"),
    ],
)
def test_bounds_of_a_page_are_read_with_care(tmp_path: Path, wrong: str, message: str) -> None:
    path = tmp_path / "idle.py"
    path.write_text(PAGE.replace('{"idle": (0, 2)}', wrong), "utf-8")
    with pytest.raises(CooncanError) as said:
        read_page(path, str(path))
    assert message in str(said.value)


def test_from_the_command_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["cooncan", "tune", "jaques", "greedy-keep", "--steps", "10", "--max-deals", "400"]
    words += ["--bound", "low=1:6", "--others", "hold", "--json"]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["field"] for row in told["fields"]] == ["greedy-keep", "hold"]
    assert set(told["weights"]) == {"low", "high"}
    assert 1 <= told["weights"]["low"] <= 6
    monkeypatch.setattr("sys.argv", [*words[:4], "--bound", "low=1-6"])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 2
    assert "write it as NAME=LOW:HIGH" in capsys.readouterr().err
