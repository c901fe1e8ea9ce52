"""Whole matches: hand after hand with totals, eliminated players skipped, the deal passed on.

Many matches are played side by side: hand number h of all of them, then number h + 1. Hand h of
match m is deal m · 2**20 + h of the seed, so all seatings of a match see the same deals.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from cooncan_sim import catalog, rng, workers
from cooncan_sim.kernel import kernel
from cooncan_sim.simulate import Deals, Plan, StrategyError, play_these

if TYPE_CHECKING:
    import pandas as pd

DEALS_A_MATCH = 2**20
# In one piece of work: with fewer, a round takes longer to start than to play.
MATCHES_A_PIECE = 1024


@dataclass(frozen=True)
class Round:
    """Hand number `hand` of the matches that were still going on.

    By match: match (its place in the batch), dealer and winner (seats of the match, -1 for none),
    ending, turns, stake (the pool before the hand, or its worth); by (match, side): scores before
    the hand, points, alive (still in the match).
    """

    hand: int
    match: np.ndarray
    dealer: np.ndarray
    winner: np.ndarray
    ending: np.ndarray
    turns: np.ndarray
    scores: np.ndarray
    points: np.ndarray
    alive: np.ndarray
    stake: np.ndarray


@dataclass(frozen=True)
class Matches:
    """Matches that were played: `share` (match, side) of the win, `scores`, hands and turns.

    lasted (match, side): how many of the hands that side took part in. A match that MAX_HANDS
    stopped is unfinished: nobody has a share of it (R-COM-17).
    """

    share: np.ndarray
    scores: np.ndarray
    hands: np.ndarray
    turns: np.ndarray
    lasted: np.ndarray
    rounds: tuple[Round, ...]

    def __len__(self) -> int:
        return len(self.share)

    @property
    def unfinished(self) -> np.ndarray:
        return self.share.sum(axis=1) == 0


def play_matches(plan: Plan, first: int, count: int, keep: bool = True) -> Matches:
    """Plays matches first … first + count - 1 in the plan's one seating, on this thread.

    keep: keep every hand in `.rounds`. Raises StrategyError as `simulate.play` does.
    """
    game, rules, kind = catalog.game(plan.game), plan.full_rules, plan.engine("match")
    numbers = np.arange(first, first + count, dtype=np.int64) * DEALS_A_MATCH
    standings = kind.Standings(game, rules, plan.players, first_dealers(plan, rules, numbers))
    share = np.zeros(standings.scores.shape)
    hands = np.zeros(count, dtype=np.int32)
    turns = np.zeros(count, dtype=np.int64)
    lasted = np.zeros(share.shape, dtype=np.int64)
    rounds = []
    going = np.arange(count)
    for hand in range(kind.most_hands(rules, plan.players)):
        played = play_round(plan, standings, numbers, going, hand)
        hands[going] += 1
        turns[going] += played.turns
        lasted[going] += played.alive
        share[going] = standings.settle(going, played.points, played.winner, hand)
        if keep:
            rounds.append(played)
        going = going[share[going].sum(axis=1) == 0]
        if not going.size:
            break
    return Matches(share, standings.scores, hands, turns, lasted, tuple(rounds))


def first_dealers(plan: Plan, rules: dict, numbers: np.ndarray) -> np.ndarray:
    """The seat that deals first in each match; numbers: its first deal, int64 (match)."""
    dealers = np.zeros(len(numbers), dtype=np.int64)
    if rules["FIRST_DEALER"] == "random":
        _draw_dealers(plan.seed, numbers, plan.players, dealers)
    return dealers


@kernel
def _draw_dealers(seed, numbers, players, out):
    """The first dealer of each match (int64), from the streams of these deals (int64)."""
    for i in range(numbers.shape[0]):
        out[i] = rng.scaled(rng.mix(rng.stream(seed, numbers[i], rng.DEALER, 0)), players)


def play_round(plan: Plan, standings, numbers: np.ndarray, going: np.ndarray, hand: int) -> Round:
    """Plays one hand of each match in `going`, those with the same players left together."""
    alive = standings.alive[going]
    sides = alive.shape[1]
    played = Round(
        hand,
        going,
        standings.dealer[going],
        np.full(len(going), -1),
        np.zeros(len(going), dtype=np.int8),
        np.zeros(len(going), dtype=np.int32),
        standings.scores[going],
        np.zeros(alive.shape, dtype=np.int64),
        alive,
        standings.stake[going],
    )
    patterns = alive @ (1 << np.arange(sides))
    for pattern in np.unique(patterns):
        some = np.flatnonzero(patterns == pattern)
        _play_together(plan, standings, numbers[going] + hand, some, played)
    return played


def those_left(plan: Plan, alive: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The seats and the sides of a match that are still in it; alive: bool (side)."""
    return np.flatnonzero(alive[np.arange(plan.players) % len(alive)]), np.flatnonzero(alive)


def _play_together(plan: Plan, standings, numbers: np.ndarray, some: np.ndarray, played: Round):
    """Plays the matches `some` of a round, which have the same players left, and notes results."""
    seats, sides = those_left(plan, played.alive[some[0]])
    sub = plan.with_those_left(tuple(seats.tolist()))
    place = np.zeros(plan.players, dtype=np.int8)
    place[seats] = np.arange(len(seats))
    deals = Deals(
        numbers[some],
        place[played.dealer[some]],
        np.ascontiguousarray(played.scores[some][:, sides]),
        played.stake[some],
    )
    states = sub.new_state()
    states["table"]["hand_number"] = played.hand
    states["table"]["target"] = plan.engine("match").target(plan.full_rules)
    hands = play_these(sub, deals, states)
    standings.stake[played.match[some]] = deals.stake  # a pool as the hand has left it
    won = hands.winner[:, 0]
    played.winner[some] = np.where(won >= 0, seats[won], -1)
    played.ending[some] = hands.ending[:, 0]
    played.turns[some] = hands.turns[:, 0]
    played.points[some[:, None], sides] = hands.points[:, 0, : len(sides)]


def play_many_matches(
    plan: Plan,
    count: int,
    jobs: int | None = None,
    backend: str | None = None,
    progress: Callable[[int], None] | None = None,
    keep: bool = True,
) -> Iterator[Matches]:
    """Plays matches 0 … count - 1 in chunks on `jobs` threads; yields them in order.

    A match broken by a strategy raises StrategyError when the chunks before it have been yielded.
    """
    pace: list[float] = []  # chunks a second of the piece that came last
    shares = 2 * workers.count(jobs, backend)
    plan.prepare()

    def pieces() -> Iterator[range]:
        start = 0
        while start < count:
            left = -(-(count - start) // MATCHES_A_PIECE)
            # Here a chunk is a piece; a cluster takes several at once, fewer towards the end.
            wanted = int(pace[0] * workers.PIECE_SECONDS[backend]) if pace and backend else 1
            chunks = max(1, min(wanted, left // shares))
            end = min(start + chunks * MATCHES_A_PIECE, count)
            yield range(start, end)
            start = end

    pages = plan.pages if backend else None
    work = partial(_piece, plan, keep)
    with closing(workers.in_order(work, pieces(), jobs, backend, pages)) as played:
        for parts, error, seconds in played:
            for matches in parts:
                yield matches
                if progress is not None:
                    progress(len(matches))
            if error is not None:
                raise error
            pace[:] = [len(parts) / seconds]


def _piece(
    plan: Plan, keep: bool, numbers: range
) -> tuple[list[Matches], StrategyError | None, float]:
    """The matches of these numbers in chunks, what broke the next chunk, and seconds taken."""
    parts: list[Matches] = []
    plan.prepare()
    began = time.perf_counter()
    error = None
    try:
        for start in numbers[::MATCHES_A_PIECE]:
            parts.append(
                play_matches(plan, start, min(MATCHES_A_PIECE, numbers.stop - start), keep)
            )
    except StrategyError as broken:
        error = broken
    return parts, error, time.perf_counter() - began


@dataclass(frozen=True)
class MatchSimulation:
    """Played matches of one seating. Prints as its summary."""

    game: str
    players: tuple[str, ...]
    seed: int
    rules: dict[str, str | int]
    parts: tuple[Matches, ...]

    def frame(self) -> "pd.DataFrame":
        """One row a seat a hand: match, hand, seat, strategy, won, points, score, turns, ending.

        score: the total before the hand. Seats that have left the match have no row.
        """
        from cooncan_sim.match_results import hands_frame

        return hands_frame(self)

    def matches(self) -> "pd.DataFrame":
        """One row a seat a match: match, seat, strategy, won (share), score, hands, turns."""
        from cooncan_sim.match_results import matches_frame

        return matches_frame(self)

    def summary(self) -> "pd.DataFrame":
        """One row a seat: strategy, matches, win_rate with its 95 % interval, hands, turns."""
        from cooncan_sim.match_results import summary

        return summary(self)

    def __str__(self) -> str:
        from cooncan_sim.match_results import text

        return text(self)

    def _repr_html_(self) -> str:
        return self.summary().to_html()
