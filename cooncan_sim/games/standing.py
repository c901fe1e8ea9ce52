"""Matches to a target, many at once: totals, who leaves, who has won, who deals next.

Arrays go by (match, side) or (match); a player alone is a side of his own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Standing:
    """Matches after a hand.

    scores: int64 (match, side). alive: bool (match, side), who plays the next hand. winners: bool
    (match, side), all False while a match goes on, several True if it is shared. dealer: int64
    (match), a seat.
    """

    scores: np.ndarray
    alive: np.ndarray
    winners: np.ndarray
    dealer: np.ndarray


def settle(
    rules: Mapping[str, str | int],
    before: Standing,
    points: np.ndarray,
    winner: np.ndarray,
    seats: int,
) -> Standing:
    """The standing after one more hand of each match (R-JAQ-24 … R-JAQ-26, R-JAQ-33).

    rules: MATCH_TARGET, ELIMINATION, DEALER_ROTATION. points: int64 (match, side), what the hand
    adds; winner: int64 (match), the seat that went out or -1. `before.winners` is all False.
    """
    sides = points.shape[1]
    totals = before.scores + points
    leaving = before.alive & (totals >= rules["MATCH_TARGET"])
    if rules["ELIMINATION"] == "first_only":
        highest = np.where(leaving, totals, -1).max(axis=1, keepdims=True)
        leaving &= totals == highest
    staying = before.alive & ~leaving
    left = staying.sum(axis=1, keepdims=True)
    lowest = np.where(before.alive, totals, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
    best = before.alive & (totals == lowest)
    winners = np.where(left == 1, staying, np.where(left == 0, best, False))
    in_game = staying[:, np.arange(seats) % sides]
    chosen = before.dealer
    if rules["DEALER_ROTATION"] != "left":
        chosen = _chosen(rules, before, points, winner, seats)
    return Standing(totals, staying, winners, _first_in_game(chosen, in_game))


def _chosen(
    rules: Mapping[str, str | int],
    before: Standing,
    points: np.ndarray,
    winner: np.ndarray,
    seats: int,
) -> np.ndarray:
    """Seat before the one that DEALER_ROTATION names, so that its left neighbour is that seat."""
    if rules["DEALER_ROTATION"] == "winner":
        named = winner
    else:
        sides = points.shape[1]
        side = np.arange(seats) % sides
        lost = before.alive[:, side] & (side != (winner % sides)[:, None])
        # Dearest hand first; among equals the first to the dealer's left.
        after_dealer = (np.arange(seats) - before.dealer[:, None] - 1) % seats
        rank = np.where(lost, points[:, side] * seats + seats - 1 - after_dealer, -1)
        named = rank.argmax(axis=1)
    return np.where(winner < 0, before.dealer, (named - 1) % seats)


def _first_in_game(seat: np.ndarray, in_game: np.ndarray) -> np.ndarray:
    """For each match the first seat to the left of `seat` that is still in the game."""
    seats = in_game.shape[1]
    steps = (np.arange(seats) - seat[:, None] - 1) % seats
    return np.where(in_game, steps, seats).argmin(axis=1)
