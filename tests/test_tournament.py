"""Round robins: the matrix against the hands themselves, ratings against their formulas."""

import itertools
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cooncan_sim import cli, tournament
from cooncan_sim.designs import METRICS
from cooncan_sim.errors import CooncanError
from cooncan_sim.intervals import Interval
from cooncan_sim.match import MatchSimulation, play_matches
from cooncan_sim.match_results import hands_frame
from cooncan_sim.outcomes import Outcomes, share_unit
from cooncan_sim.placings import (
    FULL_ORDER,
    SELECTION,
    WINNER_ONLY,
    Placings,
    Record,
    finishes,
    strongest_cycle,
)
from cooncan_sim.ratings import alpha_rank, davidson, plackett_luce, points_ols, winner_only
from cooncan_sim.reports import contest_page
from cooncan_sim.simulate import Plan
from cooncan_sim.tournament import Tournament, pairs_of
from tests import fake_play

NAMES = ("s1", "s4", "s2")
DEALS = 600


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands by chance in place of the game, and strategies that need not exist."""
    monkeypatch.setattr("cooncan_sim.outcomes.play_many", fake_play.play_many)
    monkeypatch.setattr(Plan, "prepare", lambda plan: None)


def played(
    names: tuple[str, ...], seats: int
) -> Iterator[tuple[tuple[str, ...], np.ndarray, np.ndarray]]:
    """Every seating of the round robin with the winners and points of its hands."""
    for i, j in pairs_of("jaques", len(names), seats):
        for place in range(seats):
            seating = tuple(names[i] if seat == place else names[j] for seat in range(seats))
            hands = fake_play.play(Plan("jaques", (seating,), 3), 0, DEALS)
            yield seating, hands.winner[:, 0].astype(int), hands.points[:, 0].astype(float)


def shares(winner: np.ndarray, seats: int) -> np.ndarray:
    return np.where(winner[:, None] == -1, 1 / seats, winner[:, None] == np.arange(seats))


def round_robin(seats: int, **named: object) -> Tournament:
    return tournament("jaques", NAMES, seats=seats, deals=DEALS, seed=3, **named)  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_matrix_is_what_one_wins_in_a_field_of_the_other(seats: int, chance: None) -> None:
    expected = pd.DataFrame(0.0, index=list(NAMES), columns=list(NAMES))
    net = expected.copy()
    for seating, winner, points in played(NAMES, seats):
        share = shares(winner, seats)
        others = (points.sum(axis=1, keepdims=True) - points) / (seats - 1)
        for seat, name in enumerate(seating):
            [other] = set(seating) - {name} if seating.count(name) == 1 else {None}
            if other:
                expected.loc[name, other] += (share[:, seat].mean() - 1 / seats) / seats
                net.loc[name, other] += (others - points)[:, seat].mean() / seats
    found = round_robin(seats)
    pd.testing.assert_frame_equal(found.matrix(), expected, rtol=1e-12, atol=1e-14)
    pd.testing.assert_frame_equal(found.matrix("net"), net, rtol=1e-12, atol=1e-12)
    gains = found.matrix().to_numpy()
    assert np.array_equal(gains, -gains.T) == (seats == 2)
    assert found.hands == DEALS * seats * len(pairs_of("jaques", 3, seats))
    summary = found.summary()
    assert summary["strategy"].tolist() == ["s4", "s2", "s1"]
    assert summary["gain"].tolist() == pytest.approx(sorted(gains.sum(axis=1) / 2, reverse=True))
    assert summary["uninvadable"].tolist() == [True, False, False]
    with pytest.raises(CooncanError, match="measured win, net, not penalty"):
        found.matrix("penalty")


def test_ratings_of_two_seats(chance: None) -> None:
    wins, ties = np.zeros((3, 3)), np.zeros((3, 3))
    cells: list[tuple[int, int, float]] = []
    for seating, winner, points in played(NAMES, 2):
        who = [NAMES.index(name) for name in seating]
        for seat in (0, 1):
            wins[who[seat], who[1 - seat]] += (winner == seat).sum()
            cells.append((who[seat], seat, float((points[:, 1 - seat] - points[:, seat]).mean())))
        ties[who[0], who[1]] += (winner == -1).sum()
        ties[who[1], who[0]] += (winner == -1).sum()
    found = round_robin(2)
    assert found.placings is not None and found.placings.points is not None
    assert found.placings.strength.estimate == pytest.approx(davidson(wins, ties).strength)
    fit = points_ols(*map(np.array, zip(*cells, strict=True)))
    assert found.placings.points.estimate == pytest.approx(fit.strength)
    matrix = found.matrix().to_numpy()
    ranks = found.alpha_ranks()
    for alpha in SELECTION:
        shown = ranks[ranks["alpha"] == alpha]["share"]
        assert shown.tolist() == pytest.approx(alpha_rank(matrix, alpha).tolist(), rel=1e-9)
    assert (ranks["low"] <= ranks["high"]).all()
    assert found.placings.cyclic is not None
    assert not found.placings.cyclic.clear
    assert found.cycle() == ()


def orders_of(keys: Sequence[Any]) -> list[tuple[int, ...]]:
    """Every order of the seats in which no seat stands before one with a lower key."""
    return [
        order
        for order in itertools.permutations(range(len(keys)))
        if all(keys[one] <= keys[other] for one, other in itertools.pairwise(order))
    ]


def finishing_orders(seats: int) -> tuple[list[tuple[int, ...]], list[float]]:
    """Every order of strategies in the round robin and how often it came: ties broken in all ways.

    The winner stands first, the others by what they were charged; a hand without a winner is a
    tie of all.
    """
    seen: dict[tuple[int, ...], float] = {}
    for seating, winner, points in played(NAMES, seats):
        who = [NAMES.index(name) for name in seating]
        for won, charged in zip(winner, points, strict=True):
            place = [(won not in (-1, s), 0 if won == -1 else charged[s]) for s in range(seats)]
            orders = orders_of(place)
            for order in orders:
                strategies = tuple(who[s] for s in order)
                seen[strategies] = seen.get(strategies, 0) + 1 / len(orders)
    return list(seen), list(seen.values())


@pytest.mark.parametrize("seats", [3, 4])
def test_ratings_of_more_seats_go_by_full_orders(seats: int, chance: None) -> None:
    orders, counts = finishing_orders(seats)
    found = round_robin(seats)
    assert found.placings is not None
    assert found.placings.model == FULL_ORDER
    fit = plackett_luce(orders, counts, 3)
    assert found.placings.strength.estimate == pytest.approx(fit.strength, abs=1e-9)
    assert (found.placings.cyclic, found.placings.ranks) == (None, {})
    assert len(found.alpha_ranks()) == 0
    assert "from full finishing orders: the winner, then by points, equals sharing" in str(found)
    assert "ratings (log strength: Plackett–Luce)" in str(found)
    assert found.placings.points is not None
    cells = []
    for seating, _, points in played(NAMES, seats):
        net = (points.sum(axis=1, keepdims=True) - points) / (seats - 1) - points
        cells += [(NAMES.index(name), s, net[:, s].mean()) for s, name in enumerate(seating)]
    by_points = points_ols(*map(np.array, zip(*cells, strict=True)))
    assert found.placings.points.estimate == pytest.approx(by_points.strength)


def finished(match: Any) -> list[tuple[bool, int, int]]:
    """By seat: not the winner, minus the hands played, and the total at the end of one match."""
    last = match.groupby("seat")["hand"].max()
    total = (match["score"] + match["points"]).groupby(match["seat"]).last()
    return [(total[seat] >= 100, -last[seat], total[seat]) for seat in range(3)]


def test_matches_go_by_the_order_of_elimination() -> None:
    """Against the hands of each match: who won, who was still in when others had left."""
    names, count = ["random", "greedy", "hold"], 50
    found = tournament("jaques", names, seats=3, deals=count, seed=3, match=True)
    assert found.placings is not None
    assert found.placings.model == FULL_ORDER
    assert found.placings.points is None
    seen: dict[tuple[int, ...], float] = {}
    for i, j in pairs_of("jaques", 3, 3):
        for focal in range(3):
            seating = tuple(names[i] if seat == focal else names[j] for seat in range(3))
            plan = Plan("jaques", (seating,), 3, {}, "per_seat")
            matches = play_matches(plan, 0, count)
            hands = hands_frame(MatchSimulation("jaques", seating, 3, {}, (matches,)))
            for _, match in hands.groupby("match"):
                orders = orders_of(finished(match))
                for order in orders:
                    strategies = tuple(names.index(seating[s]) for s in order)
                    seen[strategies] = seen.get(strategies, 0) + 1 / len(orders)
    fit = plackett_luce(list(seen), list(seen.values()), 3)
    assert found.placings.strength.estimate == pytest.approx(fit.strength, abs=1e-9)
    assert str(found).startswith("matches of jaques, 3 players: 3 strategies\nevery strategy in a "
                                 "field of each other on the same 50 matches")  # fmt: skip
    assert "matches won beyond one's share" in str(found)
    assert "orders: the winner, then who stayed in longer, then by points, equals" in str(found)
    rows = found.frame()
    assert len(rows) == count * 6 * 3 * 3
    shares = rows.query("seating < 3 and strategy == 'random'")["won"]
    assert found.matrix().loc["random", "greedy"] == pytest.approx(shares.mean() - 1 / 3)
    sheet = contest_page.of_tournament(found)
    assert [part.title for part in sheet.parts] == ["Everybody against everybody", "Ratings"]
    [(what, _)] = sheet.parts[0].tables[0].groups.items()
    assert what.startswith("matches won; a match without a winner")


def test_where_all_losers_pay_alike_only_the_winner_is_known(
    chance: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play_many(*args: object, **named: object) -> Iterator[tuple[int, SimpleNamespace]]:
        for first, hands in fake_play.play_many(*args, **named):  # type: ignore[arg-type]
            hands.points[hands.points > 0] = 10
            yield first, hands

    monkeypatch.setattr("cooncan_sim.outcomes.play_many", play_many)
    tables, wins = [], []
    for seating, winner, _ in played(NAMES, 3):
        tables.append([NAMES.index(name) for name in seating])
        wins.append(shares(winner, 3).sum(axis=0))
    found = round_robin(3)
    assert found.placings is not None
    assert found.placings.model == WINNER_ONLY
    fit = winner_only(tables, wins, 3)
    assert found.placings.strength.estimate == pytest.approx(fit.strength, abs=1e-9)
    assert "from the winners, with a term for the seat" in str(found)


@pytest.mark.parametrize("sides", [3, 4, 5])
def test_finishes_are_the_mean_over_all_orders_of_equals(sides: int) -> None:
    rng = np.random.default_rng(sides)
    points = rng.integers(0, 3, (40, sides, sides))
    shared = rng.integers(0, 2, (40, sides, sides))
    got = finishes(shared, points)
    unit = share_unit(sides)
    assert (got.sum(axis=2) == unit).all()
    for deal in range(40):
        for game in range(sides):
            keys = [(-shared[deal, game, s], -points[deal, game, s]) for s in range(sides)]
            orders = orders_of(keys)
            share = [sum(order[k] == game for order in orders) for k in range(sides)]
            assert (got[deal, game] * len(orders)).tolist() == [unit * n for n in share]


def test_groups_take_up_deals_however_they_come(chance: None) -> None:
    """Deal d goes to group d mod 50, in whatever pieces."""
    plan = Plan("jaques", (("s1", "s4", "s4"), ("s4", "s1", "s4"), ("s4", "s4", "s1")), 3)
    whole = Outcomes.of_hands(fake_play.play(plan, 0, 230), 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cooncan_sim.placings.GROUPS", 50)
        records = [Record(230, 3, METRICS["net"], -1) for _ in range(2)]
        records[0].add(whole)
        for start, end in ((0, 7), (7, 130), (130, 131), (131, 230)):
            records[1].add(whole[start:end])
    assert np.array_equal(records[0].columns, records[1].columns)
    assert records[0].ordered
    wins = [whole.share[group::50].sum(axis=0) for group in range(50)]
    assert np.array_equal(records[0].wins, wins)


def test_standard_errors_count_deals(chance: None) -> None:
    """Of two strategies the strength is ½ ln(wins/losses); its error by the delta method."""
    found = tournament("jaques", ["s1", "s3"], deals=DEALS, seed=3)
    won = np.zeros((DEALS, 2))
    for seating, winner, _ in played(("s1", "s3"), 2):
        for seat, name in enumerate(seating):
            won[:, ("s1", "s3").index(name)] += winner == seat
    mean = won.mean(axis=0)
    slope = np.array([0.5 / mean[0], -0.5 / mean[1]])
    se = math.sqrt(slope @ np.cov(won.T) @ slope / DEALS)
    assert found.placings is not None
    strength = found.placings.strength
    assert strength.estimate[0] == pytest.approx(0.5 * math.log(mean[0] / mean[1]))  # type: ignore[index]
    assert strength.se[0] == pytest.approx(se, rel=0.06)  # type: ignore[index]
    assert strength.high[0] - strength.low[0] == pytest.approx(3.92 * se, rel=0.1)  # type: ignore[index]


def test_groups_of_deals_change_no_estimate(chance: None, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = round_robin(2, jobs=1)
    monkeypatch.setattr("cooncan_sim.placings.GROUPS", 250)
    grouped = round_robin(2, jobs=1)
    assert whole.placings is not None and grouped.placings is not None
    for name in ("strength", "points"):
        one, other = getattr(whole.placings, name), getattr(grouped.placings, name)
        assert one.estimate == pytest.approx(other.estimate, rel=1e-9)
        assert one.se == pytest.approx(other.se, rel=0.2)
    one, other = whole.placings.cyclic, grouped.placings.cyclic
    assert one is not None and other is not None
    assert one.share.estimate == pytest.approx(other.share.estimate, rel=1e-9)


def test_same_answer_for_any_threads(chance: None) -> None:
    answers = [round_robin(3, jobs=jobs) for jobs in (1, 2, 3)]
    assert str(answers[0]) == str(answers[1]) == str(answers[2])
    assert answers[0].pairs == answers[1].pairs == answers[2].pairs


def test_a_cycle_is_shown_in_place_of_one_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paper, scissors, stone with a good deal of luck."""

    def play_many(plan: Plan, deals: int, jobs: object = None, first: int = 0):
        hands = fake_play.play(Plan("jaques", (("s0", "s0"),) * 2, plan.seed), first, deals)
        for game, seating in enumerate(plan.seatings):
            ahead = (int(seating[0][1]) - int(seating[1][1])) % 3 == 1
            turned = np.random.default_rng(first + game).random(deals) < 0.3
            hands.winner[turned, game] = 0 if ahead else 1
        yield first, hands

    monkeypatch.setattr("cooncan_sim.outcomes.play_many", play_many)
    monkeypatch.setattr(Plan, "prepare", lambda plan: None)
    found = tournament("jaques", ["s0", "s1", "s2"], deals=1000)
    assert found.placings is not None and found.placings.cyclic is not None
    assert found.placings.cyclic.clear
    assert found.placings.cyclic.share.estimate > 0.8
    assert found.cycle() == ("s0", "s2", "s1")
    assert "s0 → s2 → s1 → s0" in str(found)
    assert "nobody alone gains in a field of: none of them" in str(found)


def test_strongest_cycle() -> None:
    m = np.zeros((4, 4))
    for i, j, gain in (
        (0, 1, 0.1),
        (1, 2, 0.1),
        (2, 0, 0.1),
        (1, 3, 0.3),
        (3, 2, 0.2),
        (2, 1, -0.1),
    ):
        m[i, j], m[j, i] = gain, -gain
    assert strongest_cycle(m) == (0, 1, 2)
    m[3, 0], m[0, 3] = 0.2, -0.2
    m[0, 1], m[1, 0] = 0.15, -0.15
    assert strongest_cycle(m) == (0, 1, 3)
    assert strongest_cycle(np.triu(np.ones((4, 4)), 1) - np.tril(np.ones((4, 4)), -1)) == ()


def test_one_who_always_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ratings then need half a win added, and say so."""

    def play_many(plan: Plan, deals: int, jobs: object = None, first: int = 0):
        hands = fake_play.play(Plan("jaques", plan.seatings, plan.seed), first, deals)
        for game, seating in enumerate(plan.seatings):
            if "s9" in seating:
                hands.winner[:, game] = seating.index("s9")
        yield first, hands

    monkeypatch.setattr("cooncan_sim.outcomes.play_many", play_many)
    monkeypatch.setattr(Plan, "prepare", lambda plan: None)
    found = tournament("jaques", ["s9", "s1", "s2"], deals=200)
    assert found.placings is not None and found.placings.padded
    assert "half a win each way added: some never won against others" in str(found)
    assert found.matrix().loc["s9"].tolist() == [0, 0.5, 0.5]


@pytest.mark.parametrize("seats", [2, 3])
def test_hands_that_nobody_won(seats: int, chance: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has won or lost anything then, and the lines do not say so."""

    def play_many(*args: object, **named: object) -> Iterator[tuple[int, SimpleNamespace]]:
        for first, hands in fake_play.play_many(*args, **named):  # type: ignore[arg-type]
            hands.winner[:] = -1
            yield first, hands

    monkeypatch.setattr("cooncan_sim.outcomes.play_many", play_many)
    found = tournament("jaques", ["s1", "s2"], seats=seats, deals=60)
    assert found.placings is not None
    assert (found.placings.decided, found.placings.padded) == (False, seats == 2)
    said = "ratings with half a win each way added: no hand had a winner"
    assert (said if seats == 2 else "no hand had a winner") in found.lines()
    assert "somebody" not in str(found) and "some never" not in str(found)


@pytest.mark.parametrize(
    ("game", "match", "longer"),
    [("jaques", False, False), ("jaques", True, True), ("two_deck", True, True),
     ("konkan", True, False), ("double_rum", True, False)],
)  # fmt: skip
def test_who_stayed_in_longer_counts_only_where_players_leave(
    game: str, match: bool, longer: bool
) -> None:
    strength = Interval(np.zeros(2), np.zeros(2), np.zeros(2), np.zeros(2))
    placings = Placings(FULL_ORDER, strength, False, True, None, None, {})
    found = Tournament(game, ("a", "b"), 3, 50, 0, {}, 0, 0, {}, placings, match=match)
    assert ("who stayed in longer, then by points" in found.rated_by) == longer
    assert "the winner, then" in found.rated_by and "by points" in found.rated_by


def test_meetings_have_every_number_of_the_estimate(chance: None) -> None:
    found = round_robin(3)
    meetings = found.meetings()
    assert len(meetings) == 6 * 2
    matrix = found.matrix()
    for row in meetings[meetings["metric"] == "win"].itertuples():
        assert row.effect == matrix.loc[row.row, row.column]
        assert row.low < row.effect < row.high
        assert row.p <= row.p_holm <= 1


def test_the_head_of_the_matrix_tells_the_widest_interval_shown(chance: None) -> None:
    """Of sparse meetings too, whose limits come from the share of deals that changed."""
    found = tournament("jaques", ["s2", "s2(k=1)"], deals=60, seed=3)
    estimates = found.pairs[0, 1]
    sparse = replace(estimates[0], sparse=True, low=-0.233, high=0.233, se=0.001)
    shown = replace(found, pairs={(0, 1): (sparse, *estimates[1:])})
    assert shown.widest() == 0.233
    assert "hands won beyond one's share, in pp (± 23 at most): the row" in str(shown)
    text = str(round_robin(3))
    wide = round_robin(3).meetings().query("metric == 'win'")
    half = 100 * ((wide["high"] - wide["low"]) / 2).max()
    assert f"in pp (± {half:.1f} at most)" in text


def test_it_prints_and_shows_itself(chance: None) -> None:
    found = round_robin(2)
    text = str(found)
    assert "jaques, 2 players: 3 strategies" in text
    assert "on the same 600 deals" in text
    assert "ratings (log strength: Davidson)" in text
    assert f"{100 * found.matrix().loc['s4', 's1']:+.1f}" in text.replace("−", "-")
    shown = found._repr_html_()
    assert shown.count("<table>") == 3
    assert shown.count("<tr>") == 3 * 4


@pytest.mark.parametrize(
    ("names", "named", "message"),
    [
        (["greedy"], {}, "at least two strategies"),
        (["greedy", "hold", "greedy"], {}, "each of them once"),
        (["greedy", "hold"], {"deals": 49}, "at least 50 deals, not 49"),
        (["greedy", "hold"], {"seats": 5}, "jaques is for 2, 3 or 4 players"),
        (["greedy", "hodl"], {}, "unknown strategy 'hodl'"),
        (["greedy", "hold"], {"rules": {"HAND_SIZE": 12}}, "HAND_SIZE"),
    ],
)
def test_what_cannot_be_played(names: list[str], named: dict, message: str) -> None:
    with pytest.raises(CooncanError, match=message):
        tournament("jaques", names, **named)


def test_the_game_itself() -> None:
    found = tournament("jaques", ["random", "greedy", "hold"], deals=150)
    assert found.summary()["strategy"].tolist() == ["hold", "greedy", "random"]
    frame = found.frame(count=10)
    assert len(frame) == 10 * 3 * 2 * 2
    assert sorted(frame["seating"].unique()) == list(range(6))
    whole = found.frame()
    pair = whole[whole["seating"].isin([0, 1]) & (whole["strategy"] == "random")]
    share = (pair["won"].sum() + (pair["ending"] != "out").sum() / 2) / len(pair)
    assert found.matrix().loc["random", "greedy"] == pytest.approx(share - 0.5, rel=1e-12)


def test_partners_are_two_sides() -> None:
    found = tournament("partnership", ["random", "greedy"], seats=4, deals=100)
    assert found.sides == 2
    assert found.matrix().loc["greedy", "random"] > 0.2
    assert found.hands == 200


def test_from_the_command_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["cooncan", "tournament", "jaques", "--players", "greedy,hold", "--deals", "100"]
    for json_too in ([], ["--json"]):
        monkeypatch.setattr("sys.argv", words + json_too)
        with pytest.raises(SystemExit) as end:
            cli.main()
        assert end.value.code == 0
    text, answer = capsys.readouterr().out.split("\n{", 1)
    assert "hands won beyond one's share" in text
    told = json.loads("{" + answer)
    assert told["players"] == ["greedy", "hold"]
    assert told["matrix"][0][1] == -told["matrix"][1][0] < 0
    assert {row["strategy"] for row in told["summary"]} == {"greedy", "hold"}
    assert told["cyclic"] is None
