"""Designs, the numbers they give, and what is said of them."""

import itertools
import math
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from cooncan_sim.catalog import GAMES
from cooncan_sim.compare import Comparison, Estimate, Tally, Trial, compare, estimate, measure
from cooncan_sim.designs import METRICS, Design, check_balance, metrics_of, mixed, rotations
from cooncan_sim.errors import CooncanError
from cooncan_sim.intervals import Moments, clopper_pearson_upper
from cooncan_sim.match import Matches
from cooncan_sim.outcomes import Outcomes, share_unit
from cooncan_sim.simulate import ENDINGS, Plan
from tests import fake_play

ALL = list(METRICS.values())


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands by chance in place of the game."""
    monkeypatch.setattr("cooncan_sim.outcomes.play_many", fake_play.play_many)


def hands_of(design: Design, deals: int, seed: int = 1) -> SimpleNamespace:
    return fake_play.play(Plan(game="jaques", seatings=design.seatings, seed=seed), 0, deals)


# --- designs ---------------------------------------------------------------------------


def test_two_seats_swapped() -> None:
    design = rotations(2, "A", "B", "B", [METRICS["win"], METRICS["net"]])
    assert design.seatings == (("A", "B"), ("B", "A"))
    assert design.games(METRICS["win"]) == 2


def test_rotations_and_one_game_of_controls() -> None:
    design = rotations(3, "A", "B", "B", ALL)
    assert design.seatings == (
        ("A", "B", "B"), ("B", "A", "B"), ("B", "B", "A"), ("B", "B", "B"),
    )  # fmt: skip
    assert {metric.name: design.games(metric) for metric in ALL} == {
        "win": 3, "net": 3, "penalty": 4, "score": 4, "balance": 4, "turns": 4, "void": 4,
        "next": 3,
    }  # fmt: skip


def test_in_a_field_of_others_the_control_goes_round_too() -> None:
    design = rotations(2, "A", "B", "C", [METRICS["win"]])
    assert design.seatings == (("A", "C"), ("C", "A"), ("B", "C"), ("C", "B"))
    assert design.games(METRICS["win"]) == 4


def test_partners_change_places_in_pairs() -> None:
    design = rotations(4, "A", "B", "B", [METRICS["win"]], sides=2)
    assert design.seatings == (("A", "B", "A", "B"), ("B", "A", "B", "A"))
    design = rotations(4, "A", "B", "C", ALL, sides=2)
    assert design.seatings[2:] == (("B", "C", "B", "C"), ("C", "B", "C", "B"))
    assert (design.sides, design.games(METRICS["win"])) == (2, 4)


def test_no_number_per_deal_is_further_from_zero_than_its_span() -> None:
    """The treatment wins everywhere, or the control does: nothing is further apart."""
    for field, players in (("B", 2), ("B", 4), ("C", 3)):
        design = rotations(players, "A", "B", field, [METRICS["win"]])
        for best in "AB":
            winner = [seats.index(best if best in seats else field) for seats in design.seatings]
            hands = fake_play.play(Plan("jaques", (("s1",) * players,) * len(winner)), 0, 1)
            hands.winner[0] = winner
            [d] = design.differences(
                METRICS["win"], *design.arms(METRICS["win"], Outcomes.of_hands(hands, players))
            )
            unit = players * share_unit(players)
            assert abs(d) <= design.span(METRICS["win"]) * unit + 1e-9
            if best == "A":
                assert d / unit == pytest.approx(design.span(METRICS["win"]))
    assert math.isnan(design.span(METRICS["net"]))


@pytest.mark.parametrize(("players", "treated"), [(3, 2), (4, 2), (4, 3)])
def test_several_against_the_rest_by_hand(players: int, treated: int) -> None:
    """Every distinct seating; mean of all seats of the one less mean of those of the other."""
    metrics = [metric for metric in ALL if not metric.common]
    design = mixed(players, "s4", "s1", treated)
    wanted = sorted(set(itertools.permutations(["s4"] * treated + ["s1"] * (players - treated))))
    assert sorted(design.seatings) == wanted
    assert design.sides == players
    hands = hands_of(design, 40)
    tally = Tally.of(design, metrics, Outcomes.of_hands(hands, players))
    for metric in metrics:
        assert design.games(metric) == len(wanted)
        d = []
        for deal in range(40):
            own, other = [], []
            for game, seating in enumerate(design.seatings):
                for seat, name in enumerate(seating):
                    (own if name == "s4" else other).append(
                        value(metric.name, hands, deal, game, seat)
                    )
            d.append(Fraction(sum(own), len(own)) - Fraction(sum(other), len(other)))
        found = tally.differences[metric.name]
        assert Fraction(found.total, found.unit) == sum(d)
        assert Fraction(found.squares, found.unit**2) == sum(x * x for x in d)
        assert (found.n, found.nonzero) == (40, sum(x != 0 for x in d))
        shown = estimate(metric, design, tally, None, 0.05)
        assert shown.effect == pytest.approx(shown.treatment_mean - shown.control_mean)
        if metric.share:
            assert max(map(abs, d)) <= design.span(metric)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_against_the_rest_is_the_rotation_seen_from_both_sides(players: int) -> None:
    """What one gains the others lose between them: d = (the gain beyond a share) · n/(n − 1)."""
    together, alone = mixed(players, "s4", "s1", 1), rotations(players, "s4", "s1", "s1", ALL[:2])
    played = Outcomes.of_hands(hands_of(together, 50), players)
    assert together.seatings == alone.seatings
    for metric in ALL[:2]:
        pair, one = (
            design.differences(metric, *design.arms(metric, played)) for design in (together, alone)
        )
        assert metric.total is not None
        scaled = pair * (players - 1) * alone.unit(metric)
        assert scaled.tolist() == (one * players * together.unit(metric)).tolist()
        assert pair.any()


@pytest.mark.parametrize(("players", "treated"), [(3, 2), (4, 2), (4, 3)])
def test_a_strategy_against_itself_gains_nothing(players: int, treated: int) -> None:
    design = mixed(players, "s3", "s3", treated)
    played = Outcomes.of_hands(hands_of(design, 60), players)
    for metric in ALL:
        assert not design.differences(metric, *design.arms(metric, played)).any()


def test_several_against_the_rest_from_python(chance: None) -> None:
    found = compare("jaques", "s0", "s5", players=4, treated=2, max_deals=2000, min_effect=0.02)
    assert [one.metric for one in found.estimates] == ["win", "net", "penalty"]
    assert found.verdict == "helps"
    assert found.games == 6 * found.deals
    assert "2 of s5 against 2 of s0: jaques, 4 players" in str(found)
    seated = Counter(name for seating in found.trial.plan().seatings for name in seating)
    assert seated == {"s5": 12, "s0": 12}
    same = compare("jaques", "s2", "s2", players=3, treated=2, max_deals=1000)
    assert [one.changed for one in same.estimates] == [0] * 3


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"players": 3, "treated": 3}, "treated: from 1 to 2 players, not 3"),
        ({"players": 3, "treated": 0}, "treated: from 1 to 2 players, not 0"),
        ({"game": "partnership", "players": 4, "treated": 2}, "played by two sides"),
        ({"players": 3, "treated": 2, "field": "hold"}, "those with whom it is compared"),
        ({"players": 3, "treated": 2, "metrics": ("turns",)}, "turns is the same for all"),
    ],
)
def test_seatings_that_cannot_be(named: dict, message: str) -> None:
    usual = {"game": "jaques", "control": "greedy", "treatment": "speed", "field": "greedy"}
    with pytest.raises(CooncanError, match=message):
        Trial(**{**usual, **named})


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_metrics(game: str) -> None:
    names = metrics_of(game)
    assert names[0] == "win"
    assert set(names) <= set(METRICS)
    players = GAMES[game].players[0]
    trial = Trial(game, "random", "random", "random", players)
    assert [metric.name for metric in trial.measured] == list(names)
    strange = "balance" if "balance" not in names else "penalty"
    with pytest.raises(CooncanError, match=f"{game}: {strange} is not measured, but win, "):
        Trial(game, "random", "random", "random", players, metrics=(strange,))
    with pytest.raises(CooncanError, match=f"matches of {game}: {strange} is not measured"):
        Trial(game, "random", "random", "random", players, metrics=(strange,), match=True)


def value(name: str, hands: SimpleNamespace, deal: int, game: int, seat: int) -> Fraction:
    """One seat's result of one hand, in the words of STATS.md §1."""
    points = [int(p) for p in hands.points[deal, game]]
    if name in ("win", "next"):  # the seat's own win, or that of the seat on its left
        seat = seat if name == "win" else (seat + 1) % len(points)
        winner = int(hands.winner[deal, game])
        return Fraction(1, len(points)) if winner < 0 else Fraction(int(winner == seat))
    if name == "net":
        others = points[:seat] + points[seat + 1 :]
        return Fraction(sum(others), len(others)) - points[seat]
    if name == "void":
        return Fraction(int(hands.winner[deal, game] < 0))
    return Fraction(int(hands.turns[deal, game]) if name == "turns" else points[seat])


@pytest.mark.parametrize("field", ["s1", "s2"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_numbers_per_deal_by_hand(players: int, field: str) -> None:
    """Every sum of the tally against the design's table, deal by deal in fractions."""
    design = rotations(players, "s4", "s1", field, ALL)
    hands = hands_of(design, 60)
    tally = Tally.of(design, ALL, Outcomes.of_hands(hands, players))
    seats = range(players)
    for name, metric in METRICS.items():
        d, with_tip, without = [], [], []
        for deal in range(60):
            a = [value(name, hands, deal, s, s) for s in seats]
            if field != "s1":
                b = [value(name, hands, deal, players + s, s) for s in seats]
            elif metric.total:
                b = [Fraction(1, players) if metric.share else Fraction(0)] * players
            else:
                b = [value(name, hands, deal, players, s) for s in seats]
            d.append((sum(a) - sum(b)) / players)
            with_tip += a
            without += b
        found = tally.differences[name]
        assert Fraction(found.total, found.unit) == sum(d)
        assert Fraction(found.squares, found.unit**2) == sum(x * x for x in d)
        assert (found.n, found.nonzero) == (60, sum(x != 0 for x in d))
        assert tally.treated[name].mean == pytest.approx(float(sum(with_tip) / len(with_tip)))
        if design.coupled(metric):
            control = tally.control[name]
            assert Fraction(control.total, control.unit) == sum(without)
        else:
            assert name not in tally.control
        shown = estimate(metric, design, tally, None, 0.05)
        assert shown.control_mean == pytest.approx(float(sum(without) / len(without)))
        assert shown.effect == pytest.approx(float(sum(d) / 60))


def test_batches_add_up_to_the_whole() -> None:
    design = rotations(3, "s4", "s1", "s1", ALL)
    hands = hands_of(design, 50)
    hands.ending[3, 1] = hands.ending[44, 2] = ENDINGS.index("max_turns")

    def part(start: int, end: int) -> Tally:
        return Tally.of(design, ALL, Outcomes.of_hands(hands, 3)[start:end])

    assert part(0, 7) + part(7, 40) + part(40, 50) == part(0, 50)
    assert part(0, 50).capped == np.count_nonzero(hands.ending == ENDINGS.index("max_turns")) >= 2


@pytest.mark.parametrize("winner", [-2, 3])
def test_a_hand_that_does_not_balance_is_refused(winner: int) -> None:
    design = rotations(3, "s4", "s1", "s1", ALL)
    hands = hands_of(design, 5)
    check_balance(ALL, Outcomes.of_hands(hands, 3))
    hands.winner[2, 1] = winner
    with pytest.raises(CooncanError, match="do not balance: win"):
        Tally.of(design, ALL, Outcomes.of_hands(hands, 3))


def test_partners_win_together() -> None:
    """Seats 0 and 2 against 1 and 3; points go by side."""
    hands = fake_play.play(Plan("jaques", (("s1",) * 4,)), 0, 5)
    hands.winner[:, 0] = [0, 1, 2, 3, -1]
    hands.points[:, 0, :2] = [(0, 7), (8, 0), (0, 9), (10, 0), (0, 0)]
    played = Outcomes.of_hands(hands, 2)
    assert played.share[:, 0].tolist() == [[2, 0], [0, 2], [2, 0], [0, 2], [1, 1]]
    assert played.points[:, 0].tolist() == [[0, 7], [8, 0], [0, 9], [10, 0], [0, 0]]
    assert played.blank[:, 0].tolist() == [0, 0, 0, 0, 1]


def test_shares_of_matches_are_whole_numbers() -> None:
    """A match may be shared by any number of players; an unfinished one counts for all alike."""
    share = np.array([[1, 0, 0], [0.5, 0, 0.5], [1 / 3] * 3, [0, 0, 0]])
    hands, turns = np.array([3, 4, 5, 1000], dtype=np.int32), np.array([60, 70, 80, 9000])
    lasted = np.array([[3, 2, 1], [4, 4, 4], [5, 5, 5], [1000, 900, 1000]])
    matches = Matches(share, np.arange(12).reshape(4, 3), hands, turns, lasted, ())
    played = Outcomes.of_matches([matches, matches])
    assert share_unit(3) == 6
    assert played.share[:, 1].tolist() == [[6, 0, 0], [3, 0, 3], [2, 2, 2], [2, 2, 2]]
    assert played.stopped.tolist() == played.blank.tolist() == [[0, 0]] * 3 + [[1, 1]]
    assert played.hands[:, 0].tolist() == hands.tolist()
    assert played.lasted[:, 1].tolist() == lasted.tolist()
    check_balance([METRICS["win"]], played)


# --- estimates -------------------------------------------------------------------------


def tally_of(name: str, d: Moments, single: Moments, control: Moments | None = None) -> Tally:
    known = {name: control} if control else {}
    return Tally({name: d}, {name: single}, known, 3 * d.n, 3 * d.n, 0)


def test_precision_is_that_of_unrelated_games() -> None:
    """Independent games are worth one each, whichever way the arms are made up."""
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 40, (20_000, 2)), rng.integers(0, 40, (20_000, 2))
    design = rotations(2, "A", "B", "C", [METRICS["penalty"]])
    tally = tally_of(
        "penalty",
        Moments.of((a - b).sum(axis=1), 2),
        Moments.of(a.ravel()),
        Moments.of(b.ravel()),
    )
    assert estimate(METRICS["penalty"], design, tally, None, 0.05).vrf == pytest.approx(1, abs=0.03)
    wins = rng.integers(0, 2, (20_000, 2)) * 2
    design = rotations(2, "A", "B", "B", [METRICS["win"]])
    tally = tally_of("win", Moments.of(wins.sum(axis=1) - 2, 4), Moments.of(wins.ravel(), 2))
    assert estimate(METRICS["win"], design, tally, None, 0.05).vrf == pytest.approx(1, abs=0.03)


def win_estimate(d: list[int], least: float | None = 0.05, metric: str = "win") -> Estimate:
    """Two players; `d` in quarters of a hand, each repeated a hundred times."""
    single = Moments.of([0, 2] * 50 * len(d), 2)
    control = single if metric == "turns" else None
    design = rotations(2, "A", "B", "B", [METRICS[metric]])
    tally = tally_of(metric, Moments.of(d * 100, 4), single, control)
    return estimate(METRICS[metric], design, tally, least, 0.05)


@pytest.mark.parametrize(
    ("d", "metric", "verdict"),
    [
        ([2, 1, 0, 0], "win", "helps"),
        ([-2, -1, 0, 0], "win", "hurts"),
        ([1, -1] * 40, "win", "no practical difference"),
        ([2, -2], "win", "unresolved"),
        ([2, 1, 0, 0], "turns", "longer"),
        ([-2, -1, 0, 0], "turns", "shorter"),
    ],
)
def test_verdicts(d: list[int], metric: str, verdict: str) -> None:
    assert win_estimate(d, metric=metric).verdict == verdict


def test_less_is_better_for_a_penalty() -> None:
    design = rotations(2, "A", "B", "B", [METRICS["penalty"]])
    single = Moments.of([5, 10, 30, 0] * 100)
    tally = tally_of("penalty", Moments.of([-3, -1, 0, 0] * 100, 2), single, single)
    found = estimate(METRICS["penalty"], design, tally, None, 0.05)
    assert found.verdict == "helps"
    assert found.effect == -0.5
    assert found.ahead_after_100 > 0.5
    assert found.min_effect == pytest.approx(0.02 * math.sqrt(single.population_variance))


def test_few_changed_deals_get_a_bound_and_no_interval() -> None:
    design = rotations(2, "A", "B", "B", [METRICS["win"]])
    few = tally_of("win", Moments.of([1] * 49 + [0] * 9951, 4), Moments.of([0, 2] * 10_000, 2))
    found = estimate(METRICS["win"], design, few, 0.01, 0.05)
    bound = clopper_pearson_upper(49, 10_000)
    assert found.sparse
    assert (found.low, found.high) == (-bound / 2, bound / 2)
    assert found.changed_bound == bound
    assert found.verdict == "no practical difference"
    assert math.isnan(found.vrf)
    unbounded = estimate(
        METRICS["turns"],
        design,
        tally_of("turns", Moments.of([1] * 49 + [0] * 9951, 2), Moments.of([3, 4] * 10_000),
                 Moments.of([3, 4] * 10_000)),
        None,
        0.05,
    )  # fmt: skip
    assert math.isnan(unbounded.low)
    assert unbounded.verdict == "unresolved"
    assert unbounded.text()[0] == "too few deals changed"


def test_where_every_deal_comes_out_alike_the_interval_is_no_point() -> None:
    """Always a whole hand ahead: so it may be in all but u of the deals, and there lose one."""
    design = rotations(2, "A", "B", "B", [METRICS["win"]])
    always = tally_of("win", Moments.of([2] * 300, 4), Moments.of([2, 2] * 300, 2))
    found = estimate(METRICS["win"], design, always, None, 0.05)
    bound = clopper_pearson_upper(0, 300)
    assert (found.effect, found.low, found.high) == (0.5, 0.5 - bound, 0.5)
    assert (found.verdict, found.p, found.ahead_after_100) == ("helps", 0, 1)
    assert math.isnan(found.vrf)


def test_what_a_player_would_notice() -> None:
    found = win_estimate([2, 1, 0, 0])
    assert found.effect == 3 / 16
    assert found.single_sd == 0.5
    assert found.hands_to_notice == pytest.approx((1.959964 * 0.5 / (3 / 16)) ** 2, rel=1e-6)
    # Φ(Δ√100/σ) with Δ√100/σ = 3.75
    assert found.ahead_after_100 == pytest.approx(0.9999115827, abs=1e-9)


# --- runs of a fixed length ------------------------------------------------------------


def fixed(control: str, treatment: str, deals: int, **named: object) -> Comparison:
    players, jobs = int(named.pop("players", 2)), named.pop("jobs", None)  # type: ignore[call-overload]
    return measure(Trial("jaques", control, treatment, control, players), deals, jobs=jobs, **named)  # type: ignore[arg-type]


def test_same_answer_for_any_batches(chance: None) -> None:
    answers = [fixed("s1", "s5", 600, players=3, jobs=jobs) for jobs in (1, 2, 3)]
    assert answers[0] == answers[1] == answers[2]


def test_a_better_strategy_helps_and_against_itself_nothing_happens(chance: None) -> None:
    better = fixed("s0", "s5", 800, players=3, min_effect=0.01)
    assert better.verdict == "helps"
    assert [e.metric for e in better.estimates] == ["win", "net", "penalty", "turns"]
    assert [e.verdict for e in better.estimates[:3]] == ["helps"] * 3
    assert better.estimates[0].p < 1e-6
    same = fixed("s3", "s3", 800, players=3)
    for found in same.estimates:
        assert (found.effect, found.se, found.changed) == (0, 0, 0)
        assert math.isnan(found.p)
        assert found.text()[0] == "no deal changed"


def test_deals_may_begin_anywhere(chance: None) -> None:
    whole = measure(Trial("jaques", "s1", "s5", "s1"), 300)
    parts = [measure(Trial("jaques", "s1", "s5", "s1"), 150, first=first) for first in (0, 150)]
    assert whole.estimates[0].effect == sum(part.estimates[0].effect for part in parts) / 2
    assert parts[0].estimates[0].effect != parts[1].estimates[0].effect


def test_fields_are_told_apart(chance: None) -> None:
    trial = Trial("jaques", "s0", "s5", "s9", 2, metrics=("penalty",))
    answer = measure(trial, 300)
    assert answer.hands == answer.games == 4 * 300
    assert "among players of s9" in str(answer)


def test_ticks_count_the_deals(chance: None) -> None:
    ticks: list[int] = []
    measure(Trial("jaques", "s0", "s5", "s0"), 950, jobs=1, tick=ticks.append)
    assert sum(ticks) == 950
    assert len(ticks) > 1


def test_an_answer_prints_itself(chance: None) -> None:
    answer = fixed("s0", "s5", 800)
    text = str(answer)
    first = answer.estimates[0]
    assert "800 deals, 3 games on each" in text
    assert "fixed number of deals" in text
    assert f"{100 * first.effect:+.1f}" in text.replace("−", "-")
    assert "stopped by MAX_TURNS" in text
    shown = answer._repr_html_()
    assert shown.count("<tr>") == 5
    assert "s5 against s0" in shown
    summary = answer.summary()
    assert summary["metric"].tolist() == list(metrics_of("jaques"))
    assert summary["effect"].tolist() == [e.effect for e in answer.estimates]
    assert set(summary["deals"]) == {800}


def test_an_effect_clear_of_0_helps_also_where_it_lies_within_the_smallest(chance: None) -> None:
    """The rule as help tells it: the smallest effect only judges an interval about 0."""
    answer = compare("jaques", "s0", "s5", max_deals=3000, min_effect=0.5)
    [win] = [one for one in answer.estimates if one.metric == "win"]
    assert 0 < win.low < win.high < win.min_effect == 0.5
    assert (answer.verdict, win.verdict) == ("helps", "helps")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"max_deals": 1}, "deals must be a whole number from 2"),
        ({"alpha": 0.0}, "alpha must lie between"),
        ({"alpha": 1.0}, "alpha must lie between"),
        ({"min_effect": 0.0}, "must be a number above 0, not 0"),
        ({"min_effect": math.inf}, "must be a number above 0, not inf"),
        ({"min_effect": math.nan}, "must be a number above 0, not nan"),
        ({"metric": "net", "strict": True}, "net has no limits"),
        ({"metric": "balance"}, "jaques: balance is not measured, but win, net"),
    ],
)
def test_what_cannot_be_compared(
    wrong: dict[str, float], message: str, chance: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CooncanError, match=message):
        compare("jaques", "s1", "s2", **wrong)  # type: ignore[arg-type]


def test_an_unknown_metric_names_the_nearest() -> None:
    with pytest.raises(CooncanError, match=r"unknown metric 'wins' \(did you mean 'win'\?\)"):
        Trial("jaques", "greedy", "hold", "greedy", metrics=("wins",))


def test_several_of_a_real_strategy() -> None:
    for treatment, same in (("greedy", True), ("hold", False)):
        found = measure(Trial("jaques", "greedy", treatment, "greedy", 3, treated=2), 40)
        assert (found.estimates[0].changed == 0) == same
        assert found.games == 40 * 3
