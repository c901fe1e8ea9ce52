"""Hands without a game: chance alone, weighted by the strategy, the same for a deal's seatings.

Stands in for the simulator where a test is about what becomes of the hands.
"""

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import numpy as np

from cooncan_sim.simulate import ENDINGS, Plan

OUT, VOID, CAPPED = (ENDINGS.index(name) for name in ("out", "void", "max_turns"))


def play(plan: Plan, first: int, count: int) -> SimpleNamespace:
    """Deals `first` to `first + count`: the arrays that the simulator gives."""
    players = len(plan.seatings[0])
    deals = range(first, first + count)
    streams = [np.random.default_rng((plan.seed, players, deal)) for deal in deals]
    luck = np.array([stream.random(players) for stream in streams])
    blocked = np.array([stream.random() for stream in streams]) < 0.02
    # A strategy's strength is a digit in its name: "s3" wins a little more often than "s1".
    strength = np.array([[int(name[1]) for name in seats] for seats in plan.seatings])
    score = luck[:, None, :] + 0.05 * strength
    winner = score.argmax(axis=2).astype(np.int8)
    points = (30 * (2 - score)).astype(np.int32)
    np.put_along_axis(points, winner[..., None].astype(np.int64), 0, axis=2)
    winner[blocked] = -1
    points[blocked] = 0
    turns = (10 + 20 * score.max(axis=2)).astype(np.int32)
    ending = np.where(blocked[:, None], np.where(turns > 25, CAPPED, VOID), OUT).astype(np.int8)
    dealer = (np.arange(first, first + count) % players).astype(np.int8)
    return SimpleNamespace(winner=winner, points=points, turns=turns, ending=ending, dealer=dealer)


def play_many(
    plan: Plan,
    deals: int,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
    first: int = 0,
) -> Iterator[tuple[int, SimpleNamespace]]:
    """Deals `first` to `first + deals`, in batches whose size depends on `jobs`."""
    size = 400 if jobs is None else 100 * jobs + 7
    for start in range(first, first + deals, size):
        count = min(size, first + deals - start)
        yield start, play(plan, start, count)
        if progress:
            progress(count)
