"""Matches of the `jaques` family: to a target, with elimination."""

from collections.abc import Mapping

import numpy as np

from cooncan_sim.games.rulebook import Game
from cooncan_sim.games.standing import Standing, settle

Rules = Mapping[str, str | int]


def most_hands(rules: Rules, players: int) -> int:
    """Hands after which a match is stopped."""
    return int(rules["MAX_HANDS"])


def target(rules: Rules) -> int:
    """Points that end a player's match, shown to strategies."""
    return int(rules["MATCH_TARGET"])


class Standings:
    """Many matches: scores, alive (match, side), dealer, stake (match); changed by `settle`."""

    def __init__(self, game: Game, rules: Rules, players: int, dealers: np.ndarray) -> None:
        sides = 2 if game.partners else players
        self.rules, self.players = rules, players
        self.scores = np.zeros((len(dealers), sides), dtype=np.int64)
        self.alive = np.ones((len(dealers), sides), dtype=bool)
        self.dealer = dealers
        self.stake = np.zeros(len(dealers), dtype=np.int64)

    def settle(
        self, going: np.ndarray, points: np.ndarray, winner: np.ndarray, hand: int
    ) -> np.ndarray:
        """Adds hand number `hand` of the matches `going`; their winners' shares (match, side).

        points: (match, side) what the hand added; winner: (match) seat or -1.
        """
        none = np.zeros(points.shape, dtype=bool)
        before = Standing(self.scores[going], self.alive[going], none, self.dealer[going])
        after = settle(self.rules, before, points, winner, self.players)
        self.scores[going], self.alive[going] = after.scores, after.alive
        self.dealer[going] = after.dealer
        return after.winners / np.maximum(after.winners.sum(axis=1, keepdims=True), 1)
