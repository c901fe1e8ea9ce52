"""The evaluator of one pack against C: one hand at a time, in batch, best discard."""

import ctypes
from collections.abc import Callable

import numpy as np

from benchmarks.rounds import Row, build, fastest, pointer
from cooncan_sim import deal_hands, min_penalty
from cooncan_sim.kernel import kernel
from cooncan_sim.melds import single

HANDS = 100_000
ROUNDS = 25


@kernel
def one_at_a_time(hands, out):
    """`least_penalty` of each row of hands (n, 1) uint64, one by one, into out (n,) int64."""
    for i in range(hands.shape[0]):
        out[i] = single.least_penalty(hands[i, 0])


@kernel
def best_discards(hands, cards, out):
    """`best_discard` of each row of hands (n, 1): card numbers and penalties, int64 (n,)."""
    for i in range(hands.shape[0]):
        cards[i], out[i] = single.best_discard(hands[i, 0], hands[i, 0])


def clustered(count: int, size: int, seed: int) -> np.ndarray:
    """Hands from six adjacent ranks, in which melds overlap: masks, shape (count, 1), uint64."""
    rng = np.random.default_rng(seed)
    low = rng.integers(0, 8, (count, 1))
    cards = rng.random((count, 24)).argsort(axis=1)[:, :size]
    bits = np.uint64(1) << (16 * (cards // 6) + cards % 6 + low).astype(np.uint64)
    return np.bitwise_or.reduce(bits, axis=1)[:, None]


def rows() -> list[Row]:
    """Measures all of it, after checking that C and kernels agree on every hand."""
    limit = build("limit.c")
    found = []
    for size in (10, 11):
        for kind in ("uniform", "clustered"):
            if kind == "uniform":
                hands = deal_hands(HANDS, size, "jaques", seed=1)
            else:
                hands = clustered(HANDS, size, seed=1)
            found += _penalties(limit, hands, f"{size} cards, {kind}")
            if size == 11:
                found += _discards(limit, hands, f"best discard of 11, {kind}")
    return found


def _penalties(limit: ctypes.CDLL, hands: np.ndarray, what: str) -> list[Row]:
    out = np.empty(len(hands), dtype=np.int64)

    def in_c(function: Callable) -> Callable[[], np.ndarray]:
        def task() -> np.ndarray:
            function(pointer(hands), ctypes.c_long(len(hands)), pointer(out))
            return out

        return task

    def alone() -> np.ndarray:
        one_at_a_time(hands, out)
        return out

    tasks = {
        "C, one at a time": in_c(limit.one_at_a_time),
        "C, batch, compiler's vectors": in_c(limit.two_passes),
        "one at a time": alone,
        "batch": lambda: min_penalty(hands, "jaques"),
    }
    if hasattr(limit, "by_hand"):
        tasks["C, batch, vectors by hand"] = in_c(limit.by_hand)
    right = min_penalty(hands, "jaques")
    for name, task in tasks.items():
        assert np.array_equal(task(), right), f"{what}: {name} differs"
    seconds = fastest(tasks, ROUNDS)
    beside = {
        "one at a time": [("C, one at a time", 0.9)],
        "batch": [
            ("C, one at a time", 1.0),
            ("C, batch, compiler's vectors", 1.0),
            ("C, batch, vectors by hand", None),
        ],
    }
    found = [
        Row("evaluator", f"{what}: {name}", seconds[name] / len(hands) * 1e9, "ns a hand")
        for name in tasks
        if name.startswith("C")
    ]
    for name, others in beside.items():
        for other, target in others:
            if other in seconds:
                found.append(_against(seconds, what, name, other, target, len(hands)))
    return found


def _against(
    seconds: dict[str, float], what: str, name: str, other: str, target: float | None, hands: int
) -> Row:
    ratio = seconds[other] / seconds[name]
    wanted = f">= {target}" if target else ""
    met = ratio >= target if target else None
    figure = seconds[name] / hands * 1e9
    return Row("evaluator", f"{what}: {name}", figure, "ns a hand", other, ratio, wanted, met)


def _discards(limit: ctypes.CDLL, hands: np.ndarray, what: str) -> list[Row]:
    results = [np.empty((2, len(hands)), dtype=np.int64) for _ in range(2)]
    in_c, ours = results

    def c_task() -> None:
        limit.best_discards(
            pointer(hands), ctypes.c_long(len(hands)), pointer(in_c[0]), pointer(in_c[1])
        )

    tasks = {"C": c_task, "ours": lambda: best_discards(hands, ours[0], ours[1])}
    for task in tasks.values():
        task()
    assert np.array_equal(in_c, ours), f"{what}: C differs"
    seconds = fastest(tasks, ROUNDS)
    return [
        Row("evaluator", f"{what}: C", seconds["C"] / len(hands) * 1e9, "ns a hand"),
        _against(seconds, what, "ours", "C", 0.9, len(hands)),
    ]
