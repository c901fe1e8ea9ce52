"""Whole hands of `jaques` through the public `simulate`, against strategy and loop fused in C."""

import ctypes
import os
import time
from collections.abc import Callable

import numpy as np

from benchmarks.rounds import HERE, Row, build, fastest, pointer
from cooncan_sim import simulate
from cooncan_sim.simulate import Plan, play

SEED = 3
CHECKED = 20_000
ROUNDS = 5
HANDS = {"greedy": 400_000, "random": 10_000, str(HERE / "plain.py"): 4_000}


def rows() -> list[Row]:
    """Greedy against the fused loop, other strategies, and two threads against one."""
    fused = build("fused.c")
    check(fused)
    count = HANDS["greedy"]
    tasks = {"C": lambda: fused_sums(fused, count)}
    for strategy in HANDS:
        tasks[strategy] = batch(strategy, 1)
        tasks[strategy]()
    seconds = fastest(tasks, ROUNDS)
    found = [Row("hands", "greedy v. greedy: fused C loop", count / seconds["C"], "hands/s")]
    for strategy, deals in HANDS.items():
        name = "a strategy in three lines" if strategy.endswith(".py") else strategy
        turns = simulate("jaques", (strategy, strategy), deals, SEED, jobs=1, keep=False).totals
        each = seconds[strategy] / turns.turns * 1e9
        what = f"{name} v. itself: simulate ({each:.0f} ns a turn)"
        if strategy == "greedy":
            ratio = seconds["C"] / seconds[strategy]
            found.append(
                Row("hands", what, deals / seconds[strategy], "hands/s", "fused C loop", ratio,
                    ">= 0.5", ratio >= 0.5)
            )  # fmt: skip
        else:
            found.append(Row("hands", what, deals / seconds[strategy], "hands/s"))
    return [*found, two_threads()]


def batch(strategy: str, jobs: int, times: int = 1) -> Callable[[], object]:
    """A task that plays the strategy against itself."""
    deals = HANDS[strategy] * times
    return lambda: simulate("jaques", (strategy, strategy), deals, SEED, jobs=jobs, keep=False)


def check(fused: ctypes.CDLL) -> None:
    """Every winner, number of turns and charge must be those of the C loop."""
    hands = play(Plan("jaques", (("greedy", "greedy"),), SEED), 0, CHECKED)
    winner, turns, points = fused_hands(fused, CHECKED)
    assert np.array_equal(hands.winner[:, 0], winner), "winners differ from C"
    assert np.array_equal(hands.turns[:, 0], turns), "turns differ from C"
    assert np.array_equal(hands.points[:, 0], points), "points differ from C"


def fused_hands(fused: ctypes.CDLL, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """winner int8, turns int32, points int16 (hand, seat) of the first deals, from the C loop."""
    winner = np.empty(count, dtype=np.int8)
    turns = np.empty(count, dtype=np.int32)
    points = np.empty((count, 2), dtype=np.int16)
    fused.play_deals(
        ctypes.c_uint64(SEED), ctypes.c_uint64(0), ctypes.c_long(count),
        pointer(winner), pointer(turns), pointer(points),
    )  # fmt: skip
    return winner, turns, points


def fused_sums(fused: ctypes.CDLL, count: int) -> tuple[int, int, int]:
    """What `simulate` adds up too: hands won by seat 0, turns, points."""
    winner, turns, points = fused_hands(fused, count)
    return int((winner == 0).sum()), int(turns.sum()), int(points.sum())


def two_threads() -> Row:
    """Wall-clock time of one thread over that of two; other load on the machine lowers it."""
    tasks = {"one": batch("greedy", 1, 2), "two": batch("greedy", 2, 2)}
    seconds = fastest(tasks, ROUNDS, time.perf_counter)
    ratio = seconds["one"] / seconds["two"]
    return Row(
        "hands",
        f"greedy v. greedy: two threads (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)",
        HANDS["greedy"] * 2 / seconds["two"],
        "hands/s",
        "one thread",
        ratio,
        ">= 1.9",
        ratio >= 1.9,
    )
