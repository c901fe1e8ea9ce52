"""Matches of Conquian: a fixed number of hands, most points win (CQ_MATCH, CQ_STAKES)."""

from collections.abc import Mapping

import numpy as np

from cooncan_sim.errors import CooncanError
from cooncan_sim.games.rulebook import Game

Rules = Mapping[str, str | int]

MOST_STAKE = 2**60  # sums of twice as much are still exact


def most_hands(rules: Rules, players: int) -> int:
    """Hands of a match."""
    return int(rules["CQ_MATCH"])


def target(rules: Rules) -> int:
    """Hands of a match, shown to strategies."""
    return int(rules["CQ_MATCH"])


class Standings:
    """Many matches: scores, alive (match, seat), dealer, stake (match); changed by `settle`."""

    def __init__(self, game: Game, rules: Rules, players: int, dealers: np.ndarray) -> None:
        self.rules = rules
        self.scores = np.zeros((len(dealers), players), dtype=np.int64)
        self.alive = np.ones((len(dealers), players), dtype=bool)
        self.dealer = dealers
        self.stake = np.ones(len(dealers), dtype=np.int64)

    def settle(
        self, going: np.ndarray, points: np.ndarray, winner: np.ndarray, hand: int
    ) -> np.ndarray:
        """Adds hand number `hand` of the matches `going`; their winners' shares (match, seat).

        points: (match, seat) what the hand added; winner: (match) seat or -1. Raises CooncanError
        where a stake has doubled beyond counting.
        """
        self.scores[going] += points
        drawn = winner < 0
        carried = drawn & (self.rules["CQ_STAKES"] == "carry")
        self.stake[going] = np.where(carried, 2 * self.stake[going], 1)
        named = {"winner": winner, "loser": 1 - winner}.get(str(self.rules["DEALER_ROTATION"]))
        other = 1 - self.dealer[going]
        self.dealer[going] = other if named is None else np.where(drawn, other, named)
        if hand + 1 < int(self.rules["CQ_MATCH"]):
            if self.stake.max() > MOST_STAKE:
                raise CooncanError(
                    f"CQ_STAKES=carry: {MOST_STAKE.bit_length()} hands in a row were drawn, and "
                    "the worth of the next is beyond counting; fewer hands a match (CQ_MATCH) help"
                )
            return np.zeros(points.shape)
        scores = self.scores[going]
        best = scores == scores.max(axis=1, keepdims=True)
        return best / best.sum(axis=1, keepdims=True)
