"""Matches: the referee follows every hand of them, and the tables agree with each other."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from cooncan_sim import replay, simulate
from cooncan_sim.catalog import GAMES, strategies
from cooncan_sim.errors import CooncanError
from cooncan_sim.games.standing import Standing, settle
from cooncan_sim.simulate import Deals, Plan, play_these
from tests.referee.log import check_match

SETTINGS = [
    {},
    {"DEALER_ROTATION": "winner", "FIRST_DEALER": "seat0", "MATCH_TARGET": 60},
    {"DEALER_ROTATION": "loser", "ELIMINATION": "first_only", "MATCH_TARGET": 60},
    {"VOID_HAND_SCORING": "all_count", "MAX_TURNS": 50, "MATCH_TARGET": 60},
    {"MATCH_TARGET": 15},
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
    left_at_once = Counter()
    for number, settings in enumerate(SETTINGS):
        rules = own(game, settings)
        for players in GAMES[game].players[-3:]:
            seats = rotated(game, players, number)
            logs = replay(game, seats, 77, number, 1, rules, match=True)
            assert check_match(logs) == [], (seats, rules)
            if "MATCH_TARGET" in GAMES[game].switches:
                left_at_once.update(leaving(log, rules.get("MATCH_TARGET", 100)) for log in logs)
    if 4 in GAMES[game].players and left_at_once:
        assert left_at_once[1 if game == "partnership" else 3], left_at_once


def leaving(log, target):
    """How many players, or sides, reach the target in a hand."""
    match, points = log["match"], log["result"]["points"]
    sides = [0, 1] if log["game"] == "partnership" else match["seats"]
    totals = [match["scores"][side] + won for side, won in zip(sides, points, strict=True)]
    return sum(total >= target for total in totals)


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


@pytest.mark.plain
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


@pytest.mark.plain
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


@pytest.mark.parametrize("game", ["conquian", "double_rum"])
def test_what_is_at_stake_may_be_large(game):
    """A hand that has doubled forty times, or a pool of very many hands."""
    stake = 2**40
    deals = replace(Deals.by_themselves(0, 200, 2), stake=np.full(200, stake))
    plan = Plan(game, (tuple(rotated(game, 2, 0)),), 8)
    hands = play_these(plan, deals, plan.new_state())
    won = hands.winner[:, 0] >= 0
    assert won.sum() > 20
    best = hands.points[won, 0].max(axis=1)
    assert (best == stake).all() if game == "conquian" else (best > stake).all()


def test_a_stake_beyond_counting_is_refused():
    rules = {"CQJ_SIZE": "deal9_need11_literal", "CQ_STAKES": "carry", "CQ_MATCH": 61}
    seats = ("cq-greedy", "cq-greedy")
    played = simulate("conquian_jaques", seats, 2, rules=rules, match=True)
    assert (played.matches()["won"] == 0.5).all()
    with pytest.raises(CooncanError, match="CQ_STAKES=carry: 61 hands in a row were drawn"):
        simulate("conquian_jaques", seats, 2, rules=rules | {"CQ_MATCH": 62}, match=True)
