"""Which games are played on a deal, and which number per deal comes out of them.

STATS.md calls the strategy under test A, the strategy it replaces B, and the seat that plays
it the focal seat. Here they are the treatment, the control and the seat itself.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cooncan_sim.errors import CooncanError
from cooncan_sim.games import rulebook
from cooncan_sim.outcomes import Outcomes, share_unit

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Metric:
    """What is measured of one side in one game, as a whole number over a common unit.

    `numerators(outcomes, games, sides)` takes index arrays of one length k, the game and the
    side of each value, and returns int64 of shape (deals, k). `unit(sides)` is the denominator.
    `better` is +1 where more is better, −1 where less is, 0 where neither is; `more` and `less`
    are the verdicts on a gain and on a loss. `total(sides)` is what the numerators of all sides
    of a game sum to, None if they need not sum to anything. The values of a `share` lie in 0 … 1.
    `common`: of the hand, the same for all sides of a game.
    """

    name: str
    what: str
    scale: float
    suffix: str
    better: int
    numerators: Callable[[Outcomes, Counts, Counts], Counts]
    unit: Callable[[int], int]
    total: Callable[[int], int] | None = None
    share: bool = False
    common: bool = False
    more: str = "helps"
    less: str = "hurts"


def _wins(outcomes: Outcomes, games: Counts, sides: Counts) -> Counts:
    return outcomes.share[:, games, sides]


def _net(outcomes: Outcomes, games: Counts, sides: Counts) -> Counts:
    points = outcomes.points
    return points.sum(axis=2)[:, games] - points.shape[2] * points[:, games, sides]


def _points(outcomes: Outcomes, games: Counts, sides: Counts) -> Counts:
    return outcomes.points[:, games, sides]


def _turns(outcomes: Outcomes, games: Counts, sides: Counts) -> Counts:
    return outcomes.turns[:, games]


def _void(outcomes: Outcomes, games: Counts, sides: Counts) -> Counts:
    return outcomes.blank[:, games]


def _next(outcomes: Outcomes, games: Counts, sides: Counts) -> Counts:
    return outcomes.share[:, games, (sides + 1) % outcomes.share.shape[2]]


def _one(sides: int) -> int:
    return 1


METRICS = {
    metric.name: metric
    for metric in (
        Metric(
            "win",
            "hands won; a hand without a winner counts for each player alike",
            scale=100,
            suffix="pp",
            better=1,
            numerators=_wins,
            unit=share_unit,
            total=share_unit,
            share=True,
        ),
        Metric(
            "net",
            "points charged to the other players, on average, less those charged to oneself",
            scale=1,
            suffix="points",
            better=1,
            numerators=_net,
            unit=lambda sides: sides - 1,
            total=lambda sides: 0,
        ),
        Metric(
            "penalty",
            "points charged to oneself",
            scale=1,
            suffix="points",
            better=-1,
            numerators=_points,
            unit=_one,
        ),
        Metric(
            "score",
            "points written down for oneself: those charged, less the bonus of a hand won",
            scale=1,
            suffix="points",
            better=-1,
            numerators=_points,
            unit=_one,
        ),
        Metric(
            "balance",
            "units won from the other players and the pool, less those paid",
            scale=1,
            suffix="units",
            better=1,
            numerators=_points,
            unit=_one,
        ),
        Metric(
            "turns",
            "turns of all players in a hand, counted up to the cap",
            scale=1,
            suffix="turns",
            better=0,
            numerators=_turns,
            unit=_one,
            common=True,
            more="longer",
            less="shorter",
        ),
        Metric(
            "void",
            "hands without a winner",
            scale=100,
            suffix="pp",
            better=0,
            numerators=_void,
            unit=_one,
            share=True,
            common=True,
            more="more",
            less="fewer",
        ),
        Metric(
            "next",
            "hands won by the player, or side, to the left of the one who is looked at",
            scale=100,
            suffix="pp",
            better=-1,
            numerators=_next,
            unit=share_unit,
            total=share_unit,
            share=True,
        ),
    )
}

EVERYWHERE = ("void", "next")  # measured in any game and match, but only where asked for
_MEASURED = {  # by engine, the one that decides first
    "cooncan": ("win", "net", "penalty", "turns"),
    "conquian": ("win", "turns", "void"),
    "double_rum": ("win", "balance", "turns"),
    "konkan": ("win", "net", "score", "turns"),
}
_OF_A_MATCH = ("win", "turns")


def metrics_of(game: str, match: bool = False) -> tuple[str, ...]:
    """What is measured in a game, or in a match of it, in which `win` is the match.

    What is in EVERYWHERE can be measured in any.
    """
    return _OF_A_MATCH if match else _MEASURED[rulebook.game(game).engine]


Place = tuple[int, int]  # a game of a deal, and a side in it


@dataclass(frozen=True)
class Design:
    """The games of a deal: who sits where, and which game shows which strategy on which side.

    A side is a player, or two partners. `treated` are the places of the treatment, `baseline`
    those of the control with which they are compared; every side is among the treated. A game,
    an index into `seatings`, may serve several places. `symmetric` says that the whole field
    plays the control and one side the treatment, so that the baseline of a metric with a fixed
    sum is known and needs no game; `baseline` is empty if no metric needs one.
    """

    seatings: tuple[tuple[str, ...], ...]
    treated: tuple[Place, ...]
    baseline: tuple[Place, ...]
    symmetric: bool

    @property
    def sides(self) -> int:
        """Sides at the table."""
        return 1 + max(side for _, side in self.treated)

    def coupled(self, metric: Metric) -> bool:
        """Whether the metric's number per deal is a difference of two played arms."""
        return not (self.symmetric and metric.total)

    def games(self, metric: Metric) -> int:
        """Games per deal that the metric's number uses."""
        places = (*self.treated, *(self.baseline if self.coupled(metric) else ()))
        return len({game for game, _ in places})

    def span(self, metric: Metric) -> float:
        """No number per deal lies further from 0; NaN for a metric without limits."""
        if not metric.share:
            return math.nan
        return 1.0 if self.coupled(metric) else 1 - 1 / self.sides

    def unit(self, metric: Metric) -> int:
        """The numbers per deal are whole numbers of 1/this."""
        places = len(self.treated)
        if self.coupled(metric):
            places = math.lcm(places, len(self.baseline))
        return metric.unit(self.sides) * places

    def arms(self, metric: Metric, played: Outcomes) -> tuple[Counts, Counts | None]:
        """Numerators of the treatment and of the control, (deals, places); None if not played."""
        treated = metric.numerators(played, *np.array(self.treated).T)
        if not self.coupled(metric):
            return treated, None
        return treated, metric.numerators(played, *np.array(self.baseline).T)

    def differences(self, metric: Metric, treated: Counts, control: Counts | None) -> Counts:
        """One number per deal, in 1/`unit`: mean of the treatment less mean of the control."""
        if control is not None:
            common = math.lcm(treated.shape[1], control.shape[1])
            own, other = (common // arm.shape[1] for arm in (treated, control))
            return own * treated.sum(axis=1) - other * control.sum(axis=1)
        assert metric.total is not None  # or the control would have been played
        return treated.sum(axis=1) - metric.total(self.sides)


def rotations(
    players: int, treatment: str, control: str, field: str, metrics: list[Metric], sides: int = 0
) -> Design:
    """The treatment on each side in turn among sides of the field (STATS.md §2, D1 and D3).

    With two sides and the control as the field these are the two games with the seats swapped.
    A field of controls shares one baseline game, which is left out where the fixed sum of every
    metric makes it known; any other field gets the control on each side in turn. `sides`: seats
    that many places apart play together; every player for himself if not given.
    """
    sides = sides or players

    def alone(strategy: str) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(strategy if seat % sides == focal else field for seat in range(players))
            for focal in range(sides)
        )

    treated = tuple((side, side) for side in range(sides))
    if field != control:
        seatings = alone(treatment) + alone(control)
        return Design(seatings, treated, tuple((sides + s, s) for s in range(sides)), False)
    if all(metric.total for metric in metrics):
        return Design(alone(treatment), treated, (), True)
    everyone = ((control,) * players,)
    return Design(
        alone(treatment) + everyone, treated, tuple((sides, s) for s in range(sides)), True
    )


def mixed(players: int, treatment: str, control: str, treated: int) -> Design:
    """`treated` players of the treatment against the rest, in every distinct seating.

    The number per deal is the mean of all seats of the treatment less that of all seats of the
    control in the same games (STATS.md §2, a·A against b·B).
    """
    chosen = list(combinations(range(players), treated))
    places = [(game, seat) for game in range(len(chosen)) for seat in range(players)]
    return Design(
        tuple(
            tuple(treatment if seat in seats else control for seat in range(players))
            for seats in chosen
        ),
        tuple((game, seat) for game, seat in places if seat in chosen[game]),
        tuple((game, seat) for game, seat in places if seat not in chosen[game]),
        False,
    )


def check_balance(metrics: list[Metric], played: Outcomes) -> None:
    """Raises CooncanError where the sides of a game break a metric's fixed sum."""
    _, games, sides = played.points.shape
    every_game = np.repeat(np.arange(games), sides)
    every_side = np.tile(np.arange(sides), games)
    for metric in metrics:
        if metric.total:
            values = metric.numerators(played, every_game, every_side)
            sums = values.reshape(-1, games, sides).sum(axis=2)
            if (sums != metric.total(sides)).any():
                raise CooncanError(f"the seats' results of a hand do not balance: {metric.name}")
