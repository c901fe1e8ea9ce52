"""Designs, the numbers they give, and what is said of them."""

import math
from fractions import Fraction
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

from cooncan_sim.compare import Comparison, Estimate, Tally, Trial, compare, estimate, measure
from cooncan_sim.designs import METRICS, Design, broken_sums, rotations
from cooncan_sim.errors import CooncanError
from cooncan_sim.intervals import Moments, clopper_pearson_upper
from cooncan_sim.simulate import ENDINGS, Plan
from tests import fake_play

ALL = list(METRICS.values())


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands by chance in place of the game."""
    # The package has a function of the module's name.
    monkeypatch.setattr(import_module("cooncan_sim.compare"), "play_many", fake_play.play_many)


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
        "win": 3, "net": 3, "penalty": 4, "turns": 4,
    }  # fmt: skip


def test_in_a_field_of_others_the_control_goes_round_too() -> None:
    design = rotations(2, "A", "B", "C", [METRICS["win"]])
    assert design.seatings == (("A", "C"), ("C", "A"), ("B", "C"), ("C", "B"))
    assert design.games(METRICS["win"]) == 4


def value(name: str, hands: SimpleNamespace, deal: int, game: int, seat: int) -> Fraction:
    """One seat's result of one hand, in the words of STATS.md §1."""
    points = [int(p) for p in hands.points[deal, game]]
    if name == "win":
        winner = int(hands.winner[deal, game])
        return Fraction(1, len(points)) if winner < 0 else Fraction(int(winner == seat))
    if name == "net":
        others = points[:seat] + points[seat + 1 :]
        return Fraction(sum(others), len(others)) - points[seat]
    return Fraction(points[seat] if name == "penalty" else int(hands.turns[deal, game]))


@pytest.mark.parametrize("field", ["s1", "s2"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_numbers_per_deal_by_hand(players: int, field: str) -> None:
    """Every sum of the tally against the design's table, deal by deal in fractions."""
    design = rotations(players, "s4", "s1", field, ALL)
    hands = hands_of(design, 60)
    tally = Tally.of(design, ALL, hands)
    seats = range(players)
    for name, metric in METRICS.items():
        d, with_tip, without = [], [], []
        for deal in range(60):
            a = [value(name, hands, deal, s, s) for s in seats]
            if field != "s1":
                b = [value(name, hands, deal, players + s, s) for s in seats]
            elif metric.total:
                b = [Fraction(1, players) if name == "win" else Fraction(0)] * players
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
        return Tally.of(
            design, ALL, SimpleNamespace(**{k: v[start:end] for k, v in vars(hands).items()})
        )

    assert part(0, 7) + part(7, 40) + part(40, 50) == part(0, 50)
    assert part(0, 50).capped == np.count_nonzero(hands.ending == ENDINGS.index("max_turns")) >= 2


@pytest.mark.parametrize("winner", [-2, 3])
def test_a_hand_that_does_not_balance_is_refused(winner: int) -> None:
    design = rotations(3, "s4", "s1", "s1", ALL)
    hands = hands_of(design, 5)
    assert broken_sums(ALL, hands) is None
    hands.winner[2, 1] = winner
    assert broken_sums(ALL, hands) == "win"
    with pytest.raises(CooncanError, match="do not balance: win"):
        Tally.of(design, ALL, hands)


# --- estimates -------------------------------------------------------------------------


def tally_of(name: str, d: Moments, single: Moments, control: Moments | None = None) -> Tally:
    return Tally({name: d}, {name: single}, {name: control} if control else {}, 3 * d.n, 0)


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


def test_what_a_player_would_notice() -> None:
    found = win_estimate([2, 1, 0, 0])
    assert found.effect == 3 / 16
    assert found.single_sd == 0.5
    assert found.hands_to_notice == pytest.approx((1.959964 * 0.5 / (3 / 16)) ** 2, rel=1e-6)
    # Φ(Δ√100/σ) with Δ√100/σ = 3.75
    assert found.ahead_after_100 == pytest.approx(0.9999115827, abs=1e-9)


# --- whole comparisons -----------------------------------------------------------------


def test_same_answer_for_any_batches(chance: None) -> None:
    answers = [
        compare("jaques", "s1", "s5", players=3, max_deals=600, jobs=jobs) for jobs in (1, 2, 3)
    ]
    assert answers[0] == answers[1] == answers[2]


def test_a_better_strategy_helps_and_against_itself_nothing_happens(chance: None) -> None:
    better = compare("jaques", "s0", "s5", max_deals=800, players=3, min_effect=0.01)
    assert better.verdict == "helps"
    assert [e.metric for e in better.estimates] == ["win", "net", "penalty", "turns"]
    assert [e.verdict for e in better.estimates[:3]] == ["helps"] * 3
    same = compare("jaques", "s3", "s3", max_deals=800, players=3)
    for found in same.estimates:
        assert (found.effect, found.se, found.changed) == (0, 0, 0)
        assert found.text()[0] == "no deal changed"


def test_fields_are_told_apart(chance: None) -> None:
    trial = Trial("jaques", "s0", "s5", "s9", 2, metrics=("penalty",))
    answer = measure(trial, 300)
    assert answer.hands == 4 * 300
    assert "among players of s9" in str(answer)


def test_ticks_count_the_deals(chance: None) -> None:
    ticks: list[int] = []
    measure(Trial("jaques", "s0", "s5", "s0"), 950, jobs=1, tick=ticks.append)
    assert sum(ticks) == 950
    assert len(ticks) > 1


def test_an_answer_prints_itself(chance: None) -> None:
    answer = compare("jaques", "s0", "s5", max_deals=800)
    text = str(answer)
    first = answer.estimates[0]
    assert "800 deals, 3 games on each" in text
    assert f"{100 * first.effect:+.1f}" in text.replace("−", "-")
    assert "stopped by MAX_TURNS" in text
    shown = answer._repr_html_()
    assert shown.count("<tr>") == 5
    assert "s5 against s0" in shown
    summary = answer.summary()
    assert summary["metric"].tolist() == list(METRICS)
    assert summary["effect"].tolist() == [e.effect for e in answer.estimates]
    assert set(summary["deals"]) == {800}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"max_deals": 1}, "at least 2 deals"),
        ({"alpha": 0.0}, "alpha must lie between"),
        ({"alpha": 1.0}, "alpha must lie between"),
        ({"min_effect": 0.0}, "must be above 0"),
    ],
)
def test_what_cannot_be_compared(wrong: dict[str, float], message: str) -> None:
    with pytest.raises(CooncanError, match=message):
        compare("jaques", "greedy", "hold", **wrong)


def test_an_unknown_metric_names_the_nearest() -> None:
    with pytest.raises(CooncanError, match=r"unknown metric 'wins' \(did you mean 'win'\?\)"):
        Trial("jaques", "greedy", "hold", "greedy", metrics=("wins",))


def test_the_game_itself() -> None:
    """`greedy` against `random` is found by a small batch, whatever the number of threads."""
    answers: list[Comparison] = [
        compare("jaques", "random", "greedy", max_deals=300, jobs=jobs) for jobs in (1, 2)
    ]
    assert answers[0] == answers[1]
    assert answers[0].verdict == "helps"
    assert answers[0].estimates[0].effect > 0.2
    frame = answers[0].frame(first=290)
    assert len(frame) == 10 * 3 * 2
    assert frame["deal"].min() == 290
    won = frame[(frame["strategy"] == "greedy") & (frame["seating"] < 2)].groupby("seat")["won"]
    assert won.count().tolist() == [10, 10]
    again = answers[0].frame()
    treated = again[(again["strategy"] == "greedy") & (again["seating"] < 2)]
    blocked = treated["ending"] != "out"
    shares = treated["won"].sum() + blocked.sum() / 2
    assert answers[0].estimates[0].treatment_mean == shares / 600
    itself = compare("jaques", "greedy", "greedy", max_deals=50)
    assert {(e.effect, e.se, e.changed) for e in itself.estimates} == {(0, 0, 0)}
