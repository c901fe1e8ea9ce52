"""Matches of `double_rum`: a round of deals with the pool; the highest balance wins."""

from collections.abc import Mapping

import numpy as np

from cooncan_sim.games.game import Game

Rules = Mapping[str, str | int]


def most_hands(rules: Rules, players: int) -> int:
    """Hands of a match: every player deals once, or as many as DBR_MATCH says."""
    return players if rules["DBR_MATCH"] == "n" else int(rules["DBR_MATCH"])


def target(rules: Rules) -> int:
    """No balance ends a match."""
    return 0


class Standings:
    """Many matches: scores (balances), alive (match, seat), dealer, stake (match): the pool.

    Changed by `settle`. `paid` (match, seat): what each seat has paid into the pool. A pool that
    the bank pays is known to the engine alone: `play_deals` leaves it in its stakes.
    """

    def __init__(self, game: Game, rules: Rules, players: int, dealers: np.ndarray) -> None:
        self.rules, self.players = rules, players
        self.scores = np.zeros((len(dealers), players), dtype=np.int64)
        self.alive = np.ones((len(dealers), players), dtype=bool)
        self.dealer = dealers
        self.stake = np.zeros(len(dealers), dtype=np.int64)
        self.paid = np.zeros((len(dealers), players), dtype=np.int64)

    def settle(
        self, going: np.ndarray, points: np.ndarray, winner: np.ndarray, hand: int
    ) -> np.ndarray:
        """Adds hand number `hand` of the matches `going`; their winners' shares (match, seat).

        points: (match, seat) units won; winner: (match) seat or -1. All zero until the last hand;
        then the highest balance wins, ties share (R-COM-17).
        """
        open_pool = (winner < 0)[:, None]
        self.paid[going] = np.where(open_pool, self.paid[going] - points, 0)
        self.scores[going] += points
        if self.rules["DBR_POOL"] == "each_pays":
            self.stake[going] = self.paid[going].sum(axis=1)
        self.dealer[going] = self._next_dealer(self.dealer[going], points, winner)
        if hand + 1 < most_hands(self.rules, self.players):
            return np.zeros(points.shape)
        if self.rules["DBR_POOL_END"] == "refund":
            self.scores[going] += self.paid[going]
        totals = self.scores[going]
        best = totals == totals.max(axis=1, keepdims=True)
        return best / best.sum(axis=1, keepdims=True)

    def _next_dealer(
        self, dealer: np.ndarray, points: np.ndarray, winner: np.ndarray
    ) -> np.ndarray:
        """The left neighbour, or whom DEALER_ROTATION names if the hand had a winner."""
        left = (dealer + 1) % self.players
        if self.rules["DEALER_ROTATION"] == "left":
            return left
        if self.rules["DEALER_ROTATION"] == "winner":
            return np.where(winner < 0, left, winner)
        # The dearest hand of the losers; among equals the first to the dealer's left.
        order = (left[:, None] + np.arange(self.players)) % self.players
        by_place = np.take_along_axis(points, order, axis=1)
        lost = order != winner[:, None]
        dearest = np.where(lost, by_place, np.iinfo(np.int64).max).argmin(axis=1)
        named = np.take_along_axis(order, dearest[:, None], axis=1)[:, 0]
        return np.where(winner < 0, left, named)
