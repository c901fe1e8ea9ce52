"""Which games are played on a deal, and which number per deal comes out of them.

STATS.md calls the strategy under test A, the strategy it replaces B, and the seat that plays
it the focal seat. Here they are the treatment, the control and the seat itself.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cooncan_sim.simulate import Hands

Numerators = Callable[[Hands, NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]


@dataclass(frozen=True)
class Metric:
    """What is measured of one seat in one hand, as a whole number over a common unit.

    `numerators(hands, games, seats)` takes index arrays of one length k, the seating and the
    seat of each value, and returns int64 of shape (deals, k). `unit(players)` is the
    denominator. `better` is +1 where more is better, −1 where less is, 0 where neither is.
    `total(players)` is what the numerators of all seats of a hand sum to, None if they need
    not sum to anything; `span(players)` is a bound of a difference, None if there is none.
    """

    name: str
    what: str
    scale: float
    suffix: str
    better: int
    numerators: Numerators
    unit: Callable[[int], int]
    total: Callable[[int], int] | None = None
    span: Callable[[int], float] | None = None


def _wins(hands: Hands, games: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.int64]:
    players = hands.points.shape[2]
    winner = hands.winner[:, games].astype(np.int64)
    return np.where(winner == -1, 1, players * (winner == seats))


def _net(hands: Hands, games: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.int64]:
    points = hands.points.astype(np.int64)
    return points.sum(axis=2)[:, games] - points.shape[2] * points[:, games, seats]


def _penalty(hands: Hands, games: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.int64]:
    return hands.points[:, games, seats].astype(np.int64)


def _turns(hands: Hands, games: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.int64]:
    return hands.turns[:, games].astype(np.int64)


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
            unit=lambda players: players,
            total=lambda players: players,
            span=lambda players: 1 - 1 / players,
        ),
        Metric(
            "net",
            "points charged to the other players, on average, less those charged to oneself",
            scale=1,
            suffix="points",
            better=1,
            numerators=_net,
            unit=lambda players: players - 1,
            total=lambda players: 0,
        ),
        Metric(
            "penalty",
            "points charged to oneself",
            scale=1,
            suffix="points",
            better=-1,
            numerators=_penalty,
            unit=lambda players: 1,
        ),
        Metric(
            "turns",
            "turns of all players in a hand, counted up to the cap",
            scale=1,
            suffix="turns",
            better=0,
            numerators=_turns,
            unit=lambda players: 1,
        ),
    )
}


@dataclass(frozen=True)
class Design:
    """The games of a deal: who sits where, and which game shows which strategy in which seat.

    `treated[s]` is the game with the treatment in seat s, `baseline[s]` the game with the
    control there. Both hold one index into `seatings` per seat; games may serve several seats.
    `symmetric` says that the whole field plays the control, so that the baseline of a metric
    with a fixed sum is known and needs no game; `baseline` is empty if no metric needs one.
    """

    seatings: tuple[tuple[str, ...], ...]
    treated: tuple[int, ...]
    baseline: tuple[int, ...]
    symmetric: bool

    @property
    def players(self) -> int:
        """Seats at the table."""
        return len(self.treated)

    def coupled(self, metric: Metric) -> bool:
        """Whether the metric's number per deal is a difference of two played arms."""
        return not (self.symmetric and metric.total)

    def games(self, metric: Metric) -> int:
        """Games per deal that the metric's number uses."""
        return len({*self.treated, *(self.baseline if self.coupled(metric) else ())})

    def arms(
        self, metric: Metric, hands: Hands
    ) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
        """Numerators of the treatment and of the control, (deals, players); None if not played."""
        seats = np.arange(self.players)
        treated = metric.numerators(hands, np.array(self.treated), seats)
        if not self.coupled(metric):
            return treated, None
        return treated, metric.numerators(hands, np.array(self.baseline), seats)

    def differences(
        self, metric: Metric, treated: NDArray[np.int64], control: NDArray[np.int64] | None
    ) -> NDArray[np.int64]:
        """One number per deal, in 1/(unit · players): treatment less control, mean over seats."""
        if control is not None:
            return (treated - control).sum(axis=1)
        assert metric.total is not None  # or the control would have been played
        return treated.sum(axis=1) - metric.total(self.players)


def rotations(
    players: int, treatment: str, control: str, field: str, metrics: list[Metric]
) -> Design:
    """The treatment in each seat in turn among players of the field (STATS.md §2).

    With two players and the control as the field these are the two games with the seats
    swapped. A field of controls shares one baseline game, which is left out where the fixed sum
    of every metric makes it known; any other field gets the control in each seat in turn.
    """

    def alone(strategy: str) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(strategy if seat == focal else field for seat in range(players))
            for focal in range(players)
        )

    treated = tuple(range(players))
    if field != control:
        seatings = alone(treatment) + alone(control)
        return Design(seatings, treated, tuple(range(players, 2 * players)), False)
    if all(metric.total for metric in metrics):
        return Design(alone(treatment), treated, (), True)
    everyone = ((control,) * players,)
    return Design(alone(treatment) + everyone, treated, (players,) * players, True)


def broken_sums(metrics: list[Metric], hands: Hands) -> str | None:
    """The metric whose fixed sum over the seats some hand breaks, None if all hold."""
    _, games, players = hands.points.shape
    every_game = np.repeat(np.arange(games), players)
    every_seat = np.tile(np.arange(players), games)
    for metric in metrics:
        if metric.total:
            values = metric.numerators(hands, every_game, every_seat)
            sums = values.reshape(-1, games, players).sum(axis=2)
            if (sums != metric.total(players)).any():
                return metric.name
    return None
