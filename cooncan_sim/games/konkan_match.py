"""Sets of hands of `konkan`: a fixed number of them, the winner of a hand deals the next."""

from collections.abc import Mapping

import numpy as np

from cooncan_sim.games.rulebook import Game

Rules = Mapping[str, str | int]


def most_hands(rules: Rules, players: int) -> int:
    """Hands in a set (R-KON-30)."""
    return int(rules["KK_SET_LENGTH"])


def target(rules: Rules) -> int:
    """Hands in a set, shown to strategies."""
    return int(rules["KK_SET_LENGTH"])


class Standings:
    """Many sets: scores, alive (set, seat), dealer, stake (set); changed by `settle`."""

    def __init__(self, game: Game, rules: Rules, players: int, dealers: np.ndarray) -> None:
        self.rules = rules
        self.scores = np.zeros((len(dealers), players), dtype=np.int64)
        self.alive = np.ones((len(dealers), players), dtype=bool)
        self.dealer = dealers
        self.stake = np.zeros(len(dealers), dtype=np.int64)

    def settle(
        self, going: np.ndarray, points: np.ndarray, winner: np.ndarray, hand: int
    ) -> np.ndarray:
        """Adds hand number `hand` of the sets `going`; their winners' shares (set, seat).

        points: (set, seat) what the hand added; winner: (set) seat or -1. The lowest total wins
        the set, equal ones share it (R-KON-22, R-KON-29, KK_TIE, KK_VOID_DEALER).
        """
        self.scores[going] += points
        nobody = self.dealer[going]
        if self.rules["KK_VOID_DEALER"] == "right":
            nobody = (nobody - 1) % points.shape[1]
        self.dealer[going] = np.where(winner < 0, nobody, winner)
        if hand + 1 < most_hands(self.rules, points.shape[1]):
            return np.zeros(points.shape)
        totals = self.scores[going]
        best = totals == totals.min(axis=1, keepdims=True)
        return best / best.sum(axis=1, keepdims=True)
