"""Hands played with an eye on what happens in them: results and counts by deal and seat.

The counting is done by one compiled loop for each engine, `watch_…`, whose COLUMNS say what is
counted; the hands are those that `simulate.play_many` plays.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from cooncan_sim import catalog
from cooncan_sim.simulate import Hands, Plan, broken_hand
from cooncan_sim.workers import in_order

CHUNK = 2048  # hands in one piece of work


@dataclass(frozen=True)
class Watched:
    """Hands, and by column of the engine's counts int64 (deal, seating, seat)."""

    hands: Hands
    seen: dict[str, NDArray[np.int64]]

    def __len__(self) -> int:
        return len(self.hands)


def eye(game: str) -> ModuleType:
    """The module that watches this game."""
    return import_module(f"cooncan_sim.watch_{catalog.game(game).engine}")


def watch_many(
    plan: Plan, deals: int, jobs: int | None = None, first: int = 0, exchange: bool = False
) -> Iterator[Watched]:
    """Plays so many deals in chunks on `jobs` threads; yields them in deal order.

    exchange: every seating is played twice, and in the second game one dealt joker has been
    exchanged with a card of another hand (games with jokers). Raises StrategyError for the first
    hand that a strategy breaks.
    """
    plan.prepare()
    seats = np.repeat(plan.seats, 2, axis=0) if exchange else plan.seats
    chunk = max(1, CHUNK // len(seats))

    def piece(start: int) -> Watched:
        return _watch(plan, seats, start, min(chunk, first + deals - start), exchange)

    yield from in_order(piece, range(first, first + deals, chunk), jobs)


def _watch(plan: Plan, seats: np.ndarray, first: int, count: int, exchange: bool) -> Watched:
    module = eye(plan.game)
    hands = Hands.empty(count, len(seats), plan.players)
    seen = np.zeros((*hands.points.shape, len(module.COLUMNS)), dtype=np.int64)
    states = plan.new_state()
    swaps = (exchange,) if "jokers" in module.COLUMNS else ()
    played = module.watch_deals(
        *plan.functions, seats, plan.weights, states, plan.seed, first, *hands.columns, seen, *swaps
    )
    if played < count * len(seats):
        deal, game = divmod(int(played), len(seats))
        seating = tuple(plan.strategies[who].name for who in seats[game])
        raise broken_hand(plan, seating, first + deal, states, None)
    columns = {name: seen[..., number] for number, name in enumerate(module.COLUMNS)}
    return Watched(hands, columns)
