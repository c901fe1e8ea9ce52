"""Matches by hand: totals, who has won, who deals next and for how much, from the rules alone."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from cooncan_sim import replay, simulate
from cooncan_sim.catalog import game
from cooncan_sim.errors import CooncanError
from tests.referee.log import check_match

pytestmark = pytest.mark.plain


def match_of(key: str, **switches: object) -> Any:
    """The module of the game's matches, and the rules."""
    return game(key).part("match"), game(key).rules(switches)


def settled(
    key: str, hands: Sequence[tuple[list[int], int]], dealer: int = 0, **switches: object
) -> tuple[Any, list[int], list[int], np.ndarray]:
    """One match after these hands, each the points and the winner.

    Standings, who deals after each hand, what is at stake then, and the shares of the win.
    """
    module, rules = match_of(key, **switches)
    standings = module.Standings(game(key), rules, len(hands[0][0]), np.array([dealer]))
    going, dealers, stakes, share = np.array([0]), [], [], np.zeros(1)
    for number, (points, winner) in enumerate(hands):
        assert not share.any()  # nobody has won before the last hand
        share = standings.settle(going, np.array([points]), np.array([winner]), number)[0]
        dealers.append(int(standings.dealer[0]))
        stakes.append(int(standings.stake[0]))
    return standings, dealers, stakes, share


@pytest.mark.parametrize(
    ("key", "switches", "players", "hands", "shown"),
    [
        ("jaques", {}, 3, 1000, 100),  # MAX_HANDS, MATCH_TARGET
        ("jaques", {"MAX_HANDS": 20, "MATCH_TARGET": 60}, 3, 20, 60),
        ("conquian", {}, 2, 10, 10),  # CQ_MATCH
        ("conquian_jaques", {"CQ_MATCH": 3}, 2, 3, 3),
        ("double_rum", {}, 5, 5, 0),  # DBR_MATCH: every player deals once
        ("double_rum", {"DBR_MATCH": 12}, 5, 12, 0),
        ("konkan", {}, 4, 7, 7),  # KK_SET_LENGTH
        ("konkan", {"KK_SET_LENGTH": 8}, 4, 8, 8),
    ],
)
def test_how_long_a_match_is(
    key: str, switches: dict, players: int, hands: int, shown: int
) -> None:
    module, rules = match_of(key, **switches)
    assert module.most_hands(rules, players) == hands
    assert module.target(rules) == shown


# ---- Conquian -----------------------------------------------------------------------------

WON, LOST, DRAWN = ([1, -1], 0), ([-1, 1], 1), ([0, 0], -1)
THREE = {"CQ_MATCH": 3}


def test_most_points_win_a_match_of_conquian() -> None:
    """Scoring: +1 and -1; R-COM-17: equal totals share."""
    standings, _, _, share = settled("conquian", [WON, DRAWN, WON], **THREE)
    assert standings.scores.tolist() == [[2, -2]] and share.tolist() == [1, 0]
    _, _, _, share = settled("conquian", [WON, DRAWN, LOST], **THREE)
    assert share.tolist() == [0.5, 0.5]
    _, _, _, share = settled("conquian", [WON, LOST], **THREE)
    assert share.tolist() == [0, 0]  # one hand is still to come


@pytest.mark.parametrize(
    ("rotation", "dealers"),
    [
        ("left", [1, 0, 1]),  # DEALER_ROTATION: alternate
        ("winner", [1, 0, 1]),  # a draw passes the deal to the other player
        ("loser", [0, 1, 0]),
    ],
)
def test_who_deals_at_conquian(rotation: str, dealers: list[int]) -> None:
    hands = [LOST, DRAWN, LOST]
    assert settled("conquian", hands, DEALER_ROTATION=rotation)[1] == dealers


def test_a_draw_doubles_the_next_hand_where_stakes_carry() -> None:
    """CQ_STAKES."""
    hands = [DRAWN, DRAWN, ([4, -4], 0), LOST]
    assert settled("conquian", hands, CQ_STAKES="carry")[2] == [2, 4, 1, 1]
    assert settled("conquian", hands)[2] == [1, 1, 1, 1]


def test_stakes_double_as_long_as_they_can_be_counted() -> None:
    """A stake of 2**60 can be added up, and not more."""
    rules = {"CQ_STAKES": "carry", "CQ_MATCH": 99}
    standings, *_ = settled("conquian", [DRAWN] * 60, **rules)
    assert standings.stake.tolist() == [2**60]
    with pytest.raises(CooncanError, match="61 hands in a row were drawn"):
        settled("conquian", [DRAWN] * 61, **rules)
    *_, share = settled("conquian", [DRAWN] * 61, **rules | {"CQ_MATCH": 61})
    assert share.tolist() == [0.5, 0.5]  # no hand follows


# ---- KonKan -------------------------------------------------------------------------------

SIX = {"KK_SET_LENGTH": 6}


def test_the_lowest_total_wins_a_set() -> None:
    """R-KON-28, R-KON-29; KK_TIE."""
    hands = [([-30, 12, 40], 0)] * 5
    standings, _, _, share = settled("konkan", [*hands, ([90, -30, 8], 1)], **SIX)
    assert standings.scores.tolist() == [[-60, 30, 208]] and share.tolist() == [1, 0, 0]
    _, _, _, share = settled("konkan", [*hands, ([90, -30, 8], 1)])
    assert share.tolist() == [0, 0, 0]  # a set has seven hands
    _, _, _, share = settled("konkan", [*hands, ([210, 0, 9], 1)], **SIX)
    assert share.tolist() == [0.5, 0.5, 0]


@pytest.mark.parametrize(("option", "dealers"), [("same", [1, 1, 2, 2]), ("right", [1, 0, 2, 1])])
def test_who_deals_at_konkan(option: str, dealers: list[int]) -> None:
    """R-KON-22: the winner; KK_VOID_DEALER after a hand without one."""
    nobody = ([0, 0, 0], -1)
    hands = [([12, -30, 9], 1), nobody, ([8, 9, -30], 2), nobody]
    assert settled("konkan", hands, KK_VOID_DEALER=option)[1] == dealers


def test_the_right_hand_neighbour_of_the_first_seat_is_the_last() -> None:
    """R-COM-01, KK_VOID_DEALER."""
    assert settled("konkan", [([0, 0, 0], -1)], 0, KK_VOID_DEALER="right")[1] == [2]


# ---- Double Rum ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rotation", "dealers"),
    [("left", [0, 1, 2]), ("winner", [1, 2, 0]), ("loser", [2, 0, 1])],
)
def test_who_deals_at_double_rum(rotation: str, dealers: list[int]) -> None:
    """DEALER_ROTATION; after a hand without a winner: to the left."""
    hands = [([-9, 29, -20], 1), ([-1, -2, -3], -1), ([50, -30, -20], 0)]
    assert settled("double_rum", hands, 2, DEALER_ROTATION=rotation, DBR_MATCH=4)[1] == dealers


def test_the_highest_balance_wins_a_round_of_deals() -> None:
    """DBR_MATCH, DBR_POOL: each pays into the pool what he holds."""
    hands = [([-5, -6, -7], -1), ([38, -10, -10], 0), ([-40, 55, -15], 1)]
    standings, _, stakes, share = settled("double_rum", hands)
    assert stakes == [18, 0, 0]
    assert standings.scores.tolist() == [[-7, 39, -32]] and share.tolist() == [0, 1, 0]


# ---- the `jaques` family ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rotation", "dealers"),
    [("left", [1, 2, 0]), ("winner", [2, 0, 1]), ("loser", [0, 1, 2])],
)
def test_who_deals_at_jaques(rotation: str, dealers: list[int]) -> None:
    """DEALER_ROTATION: of equal losers the first to the left; after a void hand: to the left."""
    hands = [([9, 4, 0], 2), ([0, 0, 0], -1), ([5, 0, 5], 1)]
    assert settled("jaques", hands, DEALER_ROTATION=rotation)[1] == dealers


def test_only_the_highest_total_leaves_where_the_house_says_so() -> None:
    """ELIMINATION, R-JAQ-25: ties leave together."""
    hands = [([110, 120, 120, 40], -1)]
    each, *_ = settled("jaques", hands)
    first, *_, share = settled("jaques", hands, ELIMINATION="first_only")
    assert each.alive.tolist() == [[False, False, False, True]]
    assert first.alive.tolist() == [[True, False, False, True]] and not share.any()


def test_sides_win_at_partnership() -> None:
    """R-PAR-02, R-PAR-07."""
    module, rules = match_of("partnership")
    standings = module.Standings(game("partnership"), rules, 4, np.array([3]))
    share = standings.settle(np.array([0]), np.array([[0, 104]]), np.array([2]), 0)
    assert standings.alive.tolist() == [[True, False]] and share.tolist() == [[1, 0]]


# ---- whole matches ------------------------------------------------------------------------

SHORT = {
    "jaques": {"VOID_HAND_SCORING": "all_count", "MAX_TURNS": 9},
    "conquian": {"CQ_MATCH": 3},
    "double_rum": {"DBR_MATCH": 2, "MAX_TURNS": 12},
    "konkan": {"KK_SET_LENGTH": 6, "VOID_HAND_SCORING": "all_count", "MAX_TURNS": 9},
}
SEATS = {
    "jaques": ("greedy", "hold", "greedy"),
    "conquian": ("cq-greedy", "random"),
    "double_rum": ("greedy", "hold"),
    "konkan": ("kk-greedy", "random"),
}


@pytest.mark.parametrize("key", SHORT)
def test_the_referee_follows_a_short_match(key: str) -> None:
    logs = replay(key, SEATS[key], 5, 0, 1, SHORT[key], match=True)
    assert check_match(logs) == [] and len(logs) > 1
    hands = simulate(key, SEATS[key], 1, 5, rules=SHORT[key], match=True, jobs=1).frame()
    for log, (_, rows) in zip(logs, hands.groupby("hand"), strict=True):
        assert rows["points"].tolist() == log["result"]["points"]
        assert rows["score"].tolist() == [log["match"]["scores"][s] for s in log["match"]["seats"]]
