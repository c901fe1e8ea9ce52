"""Simultaneous-perturbation tuning of a strategy's weights (Spall 1998, fishtest's gains).

Weights are scaled to [0, 1]. Each step plays θ+c·flip against θ−c·flip on fresh deals and moves
θ along the flip by the result. What comes back is the last θ, never the best-scoring sample.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

# Result of plus against minus, in the plus side's favour: the mean over 4 swapped deals that
# belong to the given step alone.
Play = Callable[[Floats, Floats, int], float]

PILOT = 500  # steps of the pilot, whose deals come before those of the first step


class Gains(NamedTuple):
    """How the search cools over `steps`: end values of the perturbation and of the step."""

    steps: int
    c_end: float = 0.1
    r_end: float = 0.005

    def at(self, k: int) -> tuple[float, float]:
        """(c_k, a_k) of step k = 1 … steps."""
        stable = 0.1 * self.steps
        c = self.c_end * (self.steps / k) ** 0.101
        a = self.r_end * self.c_end**2 * ((stable + self.steps) / (stable + k)) ** 0.602
        return c, a


def flips(weights: int, step: int, seed: int) -> Floats:
    """The ±1 of one step, shape (weights,), from a stream of its own: a run can be resumed."""
    rng = np.random.default_rng([seed, step])
    return rng.choice([-1.0, 1.0], size=weights)


def sides(theta: Floats, c: float, flip: Floats) -> tuple[Floats, Floats]:
    """The two strategies to play: θ ± c·flip, kept inside [0, 1]."""
    return np.clip(theta + c * flip, 0, 1), np.clip(theta - c * flip, 0, 1)


def moved(theta: Floats, gains: tuple[float, float], flip: Floats, result: float) -> Floats:
    """θ + (a_k/c_k)·result·flip, kept inside [0, 1]; `gains` is (c_k, a_k)."""
    c, a = gains
    return np.clip(theta + a / c * result * flip, 0, 1)


def pilot_sd(play: Play, start: ArrayLike, gains: Gains, seed: int) -> float:
    """SD of a step's result at the start, from a 500-step pilot that moves nothing.

    `play` is called for steps 0 … 499. Raises ValueError when no weight changed any result.
    """
    theta = np.asarray(start, dtype=np.float64)
    c, _ = gains.at(1)
    results = [play(*sides(theta, c, flips(len(theta), step, seed)), step) for step in range(PILOT)]
    sd = float(np.std(results, ddof=1))
    if sd == 0:
        raise ValueError("every pilot result was the same: these weights change no play")
    return sd


def spsa(play: Play, start: ArrayLike, gains: Gains, sd: float, seed: int) -> Floats:
    """The path of θ, shape (steps+1, weights): the start first, the answer last.

    `play` is called for steps 500 … 499+gains.steps, after the pilot's; its results are
    divided by `sd` from `pilot_sd`.
    """
    theta = np.asarray(start, dtype=np.float64)
    path = np.empty((gains.steps + 1, len(theta)))
    path[0] = theta
    for k in range(1, gains.steps + 1):
        step = PILOT + k - 1
        c, a = gains.at(k)
        flip = flips(len(theta), step, seed)
        result = play(*sides(theta, c, flip), step) / sd
        theta = moved(theta, (c, a), flip, result)
        path[k] = theta
    return path
