"""What came of the games of each deal: the win, points and turns, by side.

A side is a player, or two partners. A deal is one shuffled pack and so one hand in every game,
or with `match` one sequence of packs and so one whole match in every game (design D4).
"""

import math
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cooncan_sim.match import MATCHES_A_PIECE, Matches, play_matches
from cooncan_sim.sequential import next_look
from cooncan_sim.simulate import ENDINGS, Hands, Plan, joined, play_many
from cooncan_sim.workers import in_order

CAPPED = ENDINGS.index("max_turns")


def share_unit(sides: int) -> int:
    """Shares of a win are whole numbers of 1/this, however many sides share it."""
    return math.lcm(*range(1, sides + 1))


@dataclass(frozen=True)
class Outcomes:
    """int64 by (deal, game), and by side where a last axis says so.

    share: part of the win in 1/`share_unit(sides)`; where nobody has won, each side has a part
    alike. points: the hand's score changes, or a match's totals. turns, hands: how many. lasted:
    in how many of the hands the side took part. blank: 1 where nobody has won. stopped: 1 where
    MAX_TURNS (of a match: MAX_HANDS) ended it.
    """

    share: NDArray[np.int64]
    points: NDArray[np.int64]
    turns: NDArray[np.int64]
    hands: NDArray[np.int64]
    lasted: NDArray[np.int64]
    blank: NDArray[np.int64]
    stopped: NDArray[np.int64]

    @classmethod
    def of_hands(cls, hands: Hands, sides: int) -> "Outcomes":
        """A game is a hand. A winner who is no seat of the game has no share."""
        winner = hands.winner.astype(np.int64)
        unit, players = share_unit(sides), hands.points.shape[2]
        seated = (winner >= 0) & (winner < players)
        won = seated[..., None] & (winner[..., None] % sides == np.arange(sides))
        blank = winner == -1
        return cls(
            np.where(blank[..., None], unit // sides, unit * won),
            hands.points[..., :sides],
            hands.turns.astype(np.int64),
            np.ones(winner.shape, dtype=np.int64),
            np.ones((*winner.shape, sides), dtype=np.int64),
            blank.astype(np.int64),
            (hands.ending == CAPPED).astype(np.int64),
        )

    @classmethod
    def of_matches(cls, games: Sequence[Matches]) -> "Outcomes":
        """A game is a match; `games` holds the same matches in one seating after the other."""
        share = np.stack([game.share for game in games], axis=1)
        sides = share.shape[2]
        unit = share_unit(sides)
        open_ended = np.stack([game.unfinished for game in games], axis=1).astype(np.int64)
        shares = np.rint(share * unit).astype(np.int64)
        return cls(
            np.where(open_ended[..., None] == 1, unit // sides, shares),
            np.stack([game.scores for game in games], axis=1).astype(np.int64),
            np.stack([game.turns for game in games], axis=1).astype(np.int64),
            np.stack([game.hands for game in games], axis=1).astype(np.int64),
            np.stack([game.lasted for game in games], axis=1),
            open_ended,
            open_ended,
        )

    @property
    def _columns(self) -> tuple[NDArray[np.int64], ...]:
        everything = self.share, self.points, self.turns, self.hands, self.lasted
        return *everything, self.blank, self.stopped

    def __len__(self) -> int:
        return len(self.share)

    def __getitem__(self, deals: slice) -> "Outcomes":
        return Outcomes(*(column[deals] for column in self._columns))

    @classmethod
    def joined(cls, parts: Sequence["Outcomes"]) -> "Outcomes":
        """One Outcomes of several, in their order."""
        if len(parts) == 1:
            return parts[0]
        columns = zip(*(part._columns for part in parts), strict=True)
        return cls(*(np.concatenate(column) for column in columns))


def play_outcomes(
    plan: Plan, match: bool, first: int, deals: int, jobs: int | None = None
) -> Generator[Outcomes, None, None]:
    """Plays every game of deals first … first + deals − 1; outcomes in deal order, in pieces."""
    if match:
        yield from _play_matches(plan, first, deals, jobs)
        return
    for _, hands in play_many(plan, deals=deals, jobs=jobs, first=first):
        yield Outcomes.of_hands(hands, plan.sides)


def _play_matches(plan: Plan, first: int, deals: int, jobs: int | None) -> Iterator[Outcomes]:
    games = [replace(plan, seatings=(seating,)) for seating in plan.seatings]
    for game in games:
        game.prepare()

    def piece(start: int) -> Outcomes:
        count = min(MATCHES_A_PIECE, first + deals - start)
        return Outcomes.of_matches([play_matches(game, start, count, False) for game in games])

    yield from in_order(piece, range(first, first + deals, MATCHES_A_PIECE), jobs)


def play_to_looks(
    plan: Plan, match: bool, first: int, most: int, jobs: int | None = None
) -> Iterator[Outcomes]:
    """The same in batches that end where a run may be looked at, whatever the pieces.

    So what is seen at a look is a complete prefix of the deals, in their order.
    """
    waiting: list[Outcomes] = []
    done, end = 0, next_look(0, most)
    with closing(play_outcomes(plan, match, first, most, jobs)) as pieces:
        for piece in pieces:
            while len(piece) and done + len(piece) >= end:
                cut = end - done
                yield Outcomes.joined([*waiting, piece[:cut]])
                waiting, piece, done = [], piece[cut:], end
                end = next_look(end, most)
            if len(piece):
                waiting.append(piece)
                done += len(piece)


def hand_rows(plan: Plan, first: int, count: int) -> pd.DataFrame:
    """One row per seat per hand of these deals, which are played again.

    Columns `deal, seating, seat, strategy, won, points, turns, ending`.
    """
    hands = joined([part for _, part in play_many(plan, deals=count, first=first)])
    rows = _rows(plan, first, hands.points.shape, "deal")
    seats = hands.points.shape[2]
    winner, turns, ending = (
        np.repeat(column.ravel(), seats) for column in (hands.winner, hands.turns, hands.ending)
    )
    won = (winner >= 0) & (winner % plan.sides == rows["seat"] % plan.sides)
    return rows.assign(
        won=won,
        points=hands.points.ravel(),
        turns=turns,
        ending=pd.Categorical.from_codes(ending, pd.Index(ENDINGS)),
    )


def match_rows(plan: Plan, first: int, count: int) -> pd.DataFrame:
    """One row per seat per match, which are played again.

    Columns `match, seating, seat, strategy, won, score, hands, turns`; `won` is the share.
    """
    played = Outcomes.joined(list(play_outcomes(plan, True, first, count)))
    shape = (*played.turns.shape, plan.players)
    rows = _rows(plan, first, shape, "match")
    sides = np.arange(plan.players) % plan.sides
    share = np.where(played.blank[..., None] == 1, 0, played.share) / share_unit(plan.sides)
    return rows.assign(
        won=share[..., sides].ravel(),
        score=played.points[..., sides].ravel(),
        hands=np.repeat(played.hands.ravel(), plan.players),
        turns=np.repeat(played.turns.ravel(), plan.players),
    )


def _rows(plan: Plan, first: int, shape: tuple[int, ...], unit: str) -> pd.DataFrame:
    number, seating, seat = (index.ravel() for index in np.indices(shape, dtype=np.int32))
    strategies = np.broadcast_to(np.array(plan.seatings), shape).ravel()
    return pd.DataFrame(
        {
            unit: number + first,
            "seating": seating,
            "seat": seat,
            "strategy": pd.Categorical(strategies),
        }
    )
