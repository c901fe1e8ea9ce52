"""Matches: the referee follows every hand of them, and the tables agree with each other."""

import numpy as np
import pytest

from cooncan_sim import replay, simulate
from cooncan_sim.catalog import GAMES, strategies
from cooncan_sim.games.standing import Standing, settle
from tests.referee.log import check_match

SETTINGS = [
    {},
    {"DEALER_ROTATION": "winner", "FIRST_DEALER": "seat0", "MATCH_TARGET": 60},
    {"DEALER_ROTATION": "loser", "ELIMINATION": "first_only", "MATCH_TARGET": 60},
    {"VOID_HAND_SCORING": "all_count", "MAX_TURNS": 50, "MATCH_TARGET": 60},
    {"CQ_STAKES": "carry", "CQ_MATCH": 5},
    {"KK_VOID_DEALER": "right", "KK_SET_LENGTH": 6, "MAX_TURNS": 60},
    {"DBR_MATCH": 3, "DBR_POOL_END": "stay"},
]


def own(game: str, settings: dict) -> dict:
    """The switches of these settings that the game has."""
    return {name: value for name, value in settings.items() if name in GAMES[game].switches}


def rotated(game: str, count: int, shift: int) -> list[str]:
    """Strategies for so many seats, all kinds of the game in turn."""
    names = [page.name for page in strategies(game) if page.name in REFERENCES]
    return [names[(seat + shift) % len(names)] for seat in range(count)]


REFERENCES = {"greedy", "hold", "random", "cq-greedy", "kk-greedy"}


@pytest.mark.parametrize("game", GAMES)
def test_the_referee_follows_whole_matches(game):
    for number, settings in enumerate(SETTINGS):
        rules = own(game, settings)
        for players in GAMES[game].players[-3:]:
            seats = rotated(game, players, number)
            logs = replay(game, seats, 77, number, 1, rules, match=True)
            assert check_match(logs) == [], (seats, rules)


@pytest.mark.parametrize("game", GAMES)
def test_matches_do_not_depend_on_threads(game):
    seats = rotated(game, GAMES[game].players[0], 0)
    one, two = (simulate(game, seats, 600, seed=5, match=True, jobs=jobs) for jobs in (1, 2))
    assert one.frame().equals(two.frame())
    assert one.matches().equals(two.matches())


def test_tables_of_a_match_agree():
    played = simulate("jaques", ["greedy", "hold", "greedy"], 200, seed=6, match=True)
    hands, matches = played.frame(), played.matches()
    last = matches.set_index(["match", "seat"])["score"]
    total = hands.groupby(["match", "seat"])["points"].sum()
    assert (last == total).all()
    assert (matches.groupby("match")["won"].sum() == 1).all()
    before = hands.sort_values("hand").groupby(["match", "seat"])["points"].cumsum()
    assert (hands["score"] == before - hands["points"]).all()
    survivors = matches[matches["won"] == 1]
    assert (survivors["score"] < 100).all()
    assert (matches[matches["won"] == 0]["score"] >= 100).all()
    assert played.summary()["matches"].tolist() == [200, 200, 200]


def test_a_match_stopped_by_max_hands_has_no_winner():
    played = simulate("jaques", ["greedy", "greedy"], 50, match=True, rules={"MAX_HANDS": 1})
    assert (played.matches()["won"] == 0).all()
    assert "50 matches unfinished" in str(played)


def test_three_leave_at_once_and_the_lowest_total_wins():
    """R-JAQ-33: everybody at the table leaves after the same hand."""
    before = Standing(
        np.array([[90, 95, 80, 130]]),
        np.array([[True, True, True, False]]),
        np.zeros((1, 4), dtype=bool),
        np.array([0]),
    )
    rules = {"MATCH_TARGET": 100, "ELIMINATION": "each_at_or_over", "DEALER_ROTATION": "left"}
    after = settle(rules, before, np.array([[20, 20, 30, 0]]), np.array([-1]), 4)
    assert after.winners.tolist() == [[True, False, True, False]]  # 110 each, 115 is more
    assert not after.alive.any()


def test_a_loser_who_has_just_left_does_not_deal():
    before = Standing(
        np.array([[0, 0, 95, 0]]),
        np.ones((1, 4), dtype=bool),
        np.zeros((1, 4), bool),
        np.array([3]),
    )
    rules = {"MATCH_TARGET": 100, "ELIMINATION": "each_at_or_over", "DEALER_ROTATION": "loser"}
    after = settle(rules, before, np.array([[0, 10, 40, 40]]), np.array([0]), 4)
    assert after.alive.tolist() == [[True, True, False, True]]
    # Seats 2 and 3 lost equally much; 2 comes first to the dealer's left, but has left.
    assert after.dealer.tolist() == [3]
