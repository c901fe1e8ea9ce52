"""Two strategies compared where something holds: in hands lost, or in matches from far behind.

Either gives, for each deal or match, sums of treatment and of control over the seats where it
holds, and how many seats that are; the deal or match is the unit, as everywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cooncan_sim import catalog
from cooncan_sim.compare import Trial
from cooncan_sim.designs import METRICS
from cooncan_sim.match import (
    DEALS_A_MATCH,
    MATCHES_A_PIECE,
    Matches,
    Round,
    first_dealers,
    play_matches,
    play_round,
)
from cooncan_sim.measures import Counts, Ratio
from cooncan_sim.outcomes import play_outcomes, share_unit
from cooncan_sim.simulate import Plan
from cooncan_sim.workers import in_order


@dataclass(frozen=True)
class Piece:
    """Some of the deals or matches: sums of both forms, and what was played for them.

    hands: all that were played; MAX_TURNS (of matches: MAX_HANDS) stopped `capped` games.
    """

    treated: Ratio
    control: Ratio
    hands: int
    capped: int

    def __len__(self) -> int:
        return len(self.treated.sums)


def lost_under_both(trial: Trial, deals: int, jobs: int | None = None) -> Iterator[Piece]:
    """Points charged to a seat in the hands that somebody else wins under both forms (T-05).

    A mean over each form's own losses would compare different hands.
    """
    design = trial.design([METRICS["penalty"]])
    for played in play_outcomes(trial.plan(design), False, 0, deals, jobs):
        arms = [tuple(np.array(places).T) for places in (design.treated, design.baseline)]
        lost = np.ones((len(played), design.sides), dtype=np.int64)
        for at in arms:
            lost &= played.share[:, *at] == 0
        treated, control = (played.points[:, *at] for at in arms)
        hands, capped = int(played.hands.sum()), int(played.stopped.sum())
        yield Piece(*_summed(treated, control, lost, 1), hands, capped)


def from_behind(
    trial: Trial, behind: int, matches: int, jobs: int | None = None
) -> Iterator[Piece]:
    """Matches won from the first hand before which a seat is `behind` points or more behind (T-07).

    The control plays the match until then in either case, so that both forms start from the same
    states. Behind whom: the best total among those still in the match.
    """
    seats = range(trial.players)
    same = trial.field == trial.control
    plans = [_seated(trial, trial.control, seat) for seat in ([0] if same else seats)]
    tips = [_seated(trial, trial.treatment, seat) for seat in seats]
    for plan in [*plans, *tips]:
        plan.prepare()

    def piece(first: int) -> Piece:
        count = min(MATCHES_A_PIECE, matches - first)
        known = [play_matches(plan, first, count) for plan in plans]
        hands = sum(int(one.hands.sum()) for one in known)
        capped = sum(int(one.unfinished.sum()) for one in known)
        treated = np.zeros((count, trial.players), dtype=np.int64)
        control, met = treated.copy(), treated.copy()
        for seat in seats:
            reference = known[0 if same else seat]
            start = first_behind(reference, seat, behind)
            met[:, seat] = start >= 0
            control[:, seat] = _shares(reference.share, seat)
            share, more = play_from(tips[seat], first, reference, start)
            treated[:, seat] = _shares(share, seat)
            hands += more
            capped += int((share[start >= 0].sum(axis=1) == 0).sum())
        return Piece(*_summed(treated, control, met, share_unit(trial.players)), hands, capped)

    yield from in_order(piece, range(0, matches, MATCHES_A_PIECE), jobs)


def _summed(treated: Counts, control: Counts, holds: Counts, unit: int) -> tuple[Ratio, Ratio]:
    """Sums over the seats where it holds; all int64 (deal, seat)."""
    counts = holds.sum(axis=1) * unit
    return (
        Ratio((treated * holds).sum(axis=1), counts, unit),
        Ratio((control * holds).sum(axis=1), counts, unit),
    )


def _seated(trial: Trial, strategy: str, seat: int) -> Plan:
    seating = tuple(strategy if s == seat else trial.field for s in range(trial.players))
    return replace(trial.plan(), seatings=(seating,))


def _shares(share: np.ndarray, seat: int) -> Counts:
    """A seat's part of each match in whole units; where nobody has won, everybody's alike."""
    unit = share_unit(share.shape[1])
    own = np.rint(share[:, seat] * unit).astype(np.int64)
    return np.where(share.sum(axis=1) == 0, unit // share.shape[1], own)


def first_behind(matches: Matches, seat: int, behind: int) -> Counts:
    """Number of the first hand before which the seat is so far behind, -1 if none is; (match)."""
    start = np.full(len(matches), -1, dtype=np.int64)
    for played in matches.rounds:
        totals = np.where(played.alive, played.scores, np.iinfo(np.int64).max)
        far = played.scores[:, seat] - totals.min(axis=1) >= behind
        new = played.match[far & played.alive[:, seat] & (start[played.match] < 0)]
        start[new] = played.hand
    return start


def play_from(plan: Plan, first: int, reference: Matches, start: Counts) -> tuple[np.ndarray, int]:
    """Matches played on from hand `start` of the reference; shares (match, side), 0 if start is -1.

    Also returns how many hands that took. reference: the same matches from number `first` on,
    with their rounds. The deals are those of the reference, hand by hand.
    """
    game, rules, kind = catalog.game(plan.game), plan.full_rules, plan.engine("match")
    numbers = np.arange(first, first + len(reference), dtype=np.int64) * DEALS_A_MATCH
    standings = kind.Standings(game, rules, plan.players, first_dealers(plan, rules, numbers))
    share = np.zeros(reference.share.shape)
    going = np.zeros(0, dtype=np.int64)
    states = {played.hand: played for played in reference.rounds}
    hands = 0
    for hand in range(kind.most_hands(rules, plan.players)):
        if hand in states:
            going = _join(standings, states[hand], start == hand, going)
        elif not going.size:
            break
        if going.size:
            played = play_round(plan, standings, numbers, going, hand)
            share[going] = standings.settle(going, played.points, played.winner, hand)
            hands += len(going)
            going = going[share[going].sum(axis=1) == 0]
    return share, hands


def _join(standings: Any, played: Round, joining: np.ndarray, going: np.ndarray) -> np.ndarray:
    """Puts the matches that join at this hand as they stand before it; all that go on, in order."""
    some = joining[played.match]
    new = played.match[some]
    standings.scores[new] = played.scores[some]
    standings.alive[new] = played.alive[some]
    standings.dealer[new] = played.dealer[some]
    standings.stake[new] = played.stake[some]
    return np.sort(np.concatenate([going, new]))
