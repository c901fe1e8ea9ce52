"""Runs that stop when they are settled: looks, verdicts, fresh deals, and the real game."""

import math
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from cooncan_sim import compare, experiment
from cooncan_sim.catalog import GAMES, strategies
from cooncan_sim.compare import PILOT, Comparison, Trial, by_metric, decide, measure
from cooncan_sim.designs import METRICS
from cooncan_sim.intervals import Moments
from cooncan_sim.outcomes import Outcomes, play_to_looks
from cooncan_sim.screen import Course, Screen, gate, screen
from cooncan_sim.sequential import ConfidenceRule, Gate, StrictSequence, next_look
from cooncan_sim.simulate import Plan, joined, play_many
from tests import fake_play
from tests.sizes import sizes

REFERENCES = ("greedy", "cq-greedy", "kk-greedy")


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands by chance in place of the game."""
    monkeypatch.setattr("cooncan_sim.outcomes.play_many", fake_play.play_many)


def course(treatment: str, control: str, seed: int = 0, **named: object) -> Course:
    """A run of two players of chance, or of the game."""
    trial = Trial("jaques", control, treatment, control, 2, seed)
    design = trial.design([METRICS["win"]])
    return Course(trial.plan(design), design, METRICS["win"], **named)  # type: ignore[arg-type]


# --- looks -----------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_looks_end_batches_whatever_the_pieces(jobs: int, chance: None) -> None:
    plan = course("s4", "s1").plan
    batches = list(play_to_looks(plan, False, 17, 1500, jobs))
    ends = np.cumsum([len(batch) for batch in batches]).tolist()
    assert ends[:3] == [200, 400, 600]
    assert ends == [next_look(n, 1500) for n in [0, *ends[:-1]]]
    assert ends[-1] == 1500
    whole = Outcomes.of_hands(fake_play.play(plan, 17, 1500), 2)
    assert np.array_equal(Outcomes.joined(batches).share, whole.share)
    assert np.array_equal(Outcomes.joined(batches).turns, whole.turns)


def by_hand(seed: int, rule: ConfidenceRule) -> list[tuple[int, float, float, str | None]]:
    """The looks of s2 against s1 from the hands themselves, deal by deal."""
    hands = fake_play.play(course("s2", "s1", seed).plan, PILOT, rule.max_deals)
    share = np.where(hands.winner == -1, 0.5, hands.winner == np.arange(2))
    d = share.mean(axis=1) - 0.5
    looks, n = [], 0
    while not looks or looks[-1][3] is None:
        n = next_look(n, rule.max_deals)
        seen = rule.look(Moments.of((4 * d[:n]).astype(int), 4))
        looks.append((n, seen.low, seen.high, seen.verdict))
    return looks


def test_the_looks_are_those_of_the_rule(chance: None) -> None:
    rule = ConfidenceRule(0.02, 1200, n_opt=500)
    found = screen(course("s2", "s1", 5, first=PILOT), rule)
    shown = [(look.n, look.low, look.high, look.verdict) for look in found.looks]
    assert shown == by_hand(5, rule)
    assert len(shown) > 1
    path = found.path()
    assert path["deals"].tolist() == [look[0] for look in shown]
    assert found.p == found.looks[-1].p < 1


@pytest.mark.parametrize("strict", [False, True])
def test_same_looks_on_any_threads(strict: bool, chance: None) -> None:
    rule = ConfidenceRule(0.02, 2500)
    runs = [screen(course("s3", "s1", jobs=jobs), rule, strict) for jobs in (1, 2, 3)]
    assert runs[0] == runs[1] == runs[2]


def test_the_strict_interval(chance: None) -> None:
    found = screen(course("s8", "s1"), ConfidenceRule(0.01, 3000), strict=True)
    assert found.verdict == "helps"
    hands = fake_play.play(course("s8", "s1").plan, 0, found.deals)
    share = np.where(hands.winner == -1, 0.5, hands.winner == np.arange(2))
    sequence = StrictSequence(-0.5, 0.5).extend(share.mean(axis=1) - 0.5)
    centre, half = sequence.interval
    assert found.limits == (centre - half, centre + half)
    assert math.isnan(found.p)
    assert "strict" in found.line()


def test_less_is_a_gain_where_less_is_better(chance: None) -> None:
    trial = by_metric(Trial("jaques", "s1", "s8", "s1", 3), "penalty")
    answer = decide(trial, 2000)
    assert (answer.verdict, answer.estimates[0].metric) == ("helps", "penalty")
    assert answer.screen is not None
    low, high = answer.screen.limits
    assert low < high < 0
    assert answer.screen.looks[-1].low == -high
    assert decide(by_metric(Trial("jaques", "s1", "s8", "s1"), "turns"), 2000).verdict == "longer"


def test_a_gate_passes_what_is_better_and_fails_what_is_not(chance: None) -> None:
    rule = Gate(0, 0.05, 20_000)
    assert gate(course("s6", "s1"), rule).verdict == "passes"
    assert gate(course("s1", "s6"), rule).verdict == "fails"
    # against itself no deal changes, and without changed deals there is no look
    assert gate(course("s1", "s1"), Gate(0, 0.05, 600)).verdict == "unresolved"


# --- whole comparisons -----------------------------------------------------------------


def settled(control: str, treatment: str, **named: object) -> Comparison:
    return compare("jaques", control, treatment, **named)  # type: ignore[arg-type]


def screened(answer: Comparison) -> Screen:
    assert answer.screen is not None
    return answer.screen


def test_what_is_found_is_measured_on_fresh_deals(
    chance: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pilot, looks and measurement follow one another and share no deal."""
    played: list[tuple[int, int]] = []
    original = fake_play.play_many

    def noting(
        plan: Plan, deals: int, jobs: object = None, progress: object = None, first: int = 0
    ):
        played.append((first, deals))
        return original(plan, deals, jobs, progress, first)  # type: ignore[arg-type]

    monkeypatch.setattr("cooncan_sim.outcomes.play_many", noting)
    answer = settled("s0", "s5", max_deals=3000)
    found = screened(answer)
    assert found.deals < 3000
    assert played == [(0, PILOT), (PILOT, 3000), (PILOT + found.deals, answer.deals)]
    assert (answer.first, answer.verdict, answer.confirmed) == (PILOT + found.deals, "helps", True)
    plain = measure(answer.trial, answer.deals, first=answer.first,
                               min_effect=found.delta)  # fmt: skip
    assert plain.estimates == answer.estimates


def test_the_smallest_effect_and_the_lengths_come_from_the_pilot(chance: None) -> None:
    answer = settled("s0", "s1", max_deals=2000)
    pilot = measure(answer.trial, PILOT).estimates[0]
    delta = 0.02 * pilot.single_sd
    sd = pilot.se * math.sqrt(PILOT)
    assert screened(answer).delta == pytest.approx(delta, rel=1e-12)
    assert ConfidenceRule.planned(delta, sd, 2000).n_opt == math.ceil(9.21197 * (sd / delta) ** 2)
    assert answer.deals == 2000  # it takes more than the most allowed
    named = settled("s0", "s1", max_deals=20_000, min_effect=0.05)
    # ((z₀.₉₇₅ + z₀.₉₅)·σ/δ)², the length at which a fixed run has a power of 95 %
    assert named.deals == max(PILOT, math.ceil(12.99471 * (sd / 0.05) ** 2))
    assert screened(named).delta == 0.05


@pytest.mark.parametrize(
    ("control", "treatment", "least", "most", "verdict"),
    [
        ("s0", "s5", 0.02, 5000, "helps"),
        ("s5", "s0", 0.02, 5000, "hurts"),
        ("s3", "s4", 0.0001, 600, "unresolved"),
        ("s3", "s3", 0.02, 600, "no practical difference"),
        ("s3", "s3", 0.0001, 600, "unresolved"),
    ],
)
def test_verdicts(
    control: str, treatment: str, least: float, most: int, verdict: str, chance: None
) -> None:
    answer = settled(control, treatment, min_effect=least, max_deals=most)
    assert answer.verdict == verdict
    assert verdict in str(answer)
    summary = answer.summary()
    assert set(summary["decision"]) == {verdict}
    assert set(summary["stopping"]) == {answer.stopping} != {"fixed number of deals"}
    assert set(summary["decision_deals"]) == {screened(answer).deals}


def test_fresh_deals_that_say_something_else_are_owned_up_to(chance: None) -> None:
    """A run too short for the wide interval of a screen is long enough for one of fixed length."""
    sure = settled("s0", "s5", max_deals=2000)
    short = settled("s0", "s3", seed=1, min_effect=0.001, max_deals=200)
    assert (sure.confirmed, short.confirmed) == (True, False)
    assert (short.verdict, short.estimates[0].verdict) == ("unresolved", "helps")
    assert "which by themselves say: helps" in str(short)
    assert "by themselves" not in str(sure)
    for answer in (sure, short):
        assert answer.deals >= screened(answer).deals


def test_same_answer_for_any_threads(chance: None) -> None:
    answers = [settled("s1", "s4", max_deals=2500, jobs=jobs) for jobs in (1, 2, 3)]
    assert answers[0] == answers[1] == answers[2]
    assert settled("s1", "s4", max_deals=2500, seed=1) != answers[0]


def test_whoever_watches_hears_of_every_look(chance: None) -> None:
    heard: list[str] = []
    answer = decide(Trial("jaques", "s1", "s4", "s1"), 2500, watch=heard.append)
    looks = [line for line in heard if ": win " in line]
    assert len(looks) == len(screened(answer).looks)
    assert looks[0].startswith("200 deals: win +")
    assert heard[0] == "1,000 deals to plan by"
    assert heard[-1].endswith(f"{answer.deals:,} of {answer.deals:,} deals")


@pytest.mark.parametrize("seeds", sizes(ordinary=25, soak=2000))
def test_a_planted_effect_is_inside_the_interval(seeds: int, chance: None) -> None:
    """s5 draws from 0.25 higher up: it wins with 1 − 0.75²/2 where a hand is won, 98 in 100.

    Of the runs at most 5 % (and what chance allows, 1 in 10,000) may ever leave the truth out.
    """
    truth = 0.98 * (1 - 0.75**2 / 2 - 0.5)
    looks = [screen(course("s5", "s0", seed), ConfidenceRule(1e-9, 1200, n_opt=500)).looks
             for seed in range(seeds)]  # fmt: skip
    missed = sum(any(not one.low <= truth <= one.high for one in run) for run in looks)
    assert missed <= binom.ppf(0.9999, seeds, 0.05)


# --- the real game ---------------------------------------------------------------------

COIN = '''\
"""Plays as `greedy`, but throws now one card and now another. Source: a test."""

from cooncan_sim.view import below, legal_discards, random_discard, throw

GAMES = ("jaques",)
BASE = "greedy"


def choose_discard(table, seat):
    {burn}
    return random_discard(table, seat) if below(seat, 3) == 0 else throw(table, seat)
'''


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Two strategies of the same law that play different hands: one throws a number away."""
    folder = tmp_path_factory.mktemp("twins")
    for name, burn in (("coin", "pass"), ("twin", "below(seat, 3)")):
        (folder / f"{name}.py").write_text(COIN.format(burn=burn), "utf-8")
    return str(folder / "coin.py"), str(folder / "twin.py")


@pytest.mark.parametrize("seeds", sizes(ordinary=10, soak=300))
def test_few_false_verdicts_between_equals(seeds: int, twins: tuple[str, str]) -> None:
    """At most α of the runs, and what chance allows, find a difference that is not there."""
    rule = ConfidenceRule(1e-9, 1500, n_opt=700)
    runs = [screen(course(*twins, seed), rule) for seed in range(seeds)]
    assert min(run.looks[-1].se for run in runs) > 0
    wrong = sum(run.verdict in ("helps", "hurts") for run in runs)
    assert wrong <= binom.ppf(0.999, seeds, 0.05)
    means = np.array([run.looks[-1].estimate / run.looks[-1].se for run in runs])
    assert abs(means.sum() / math.sqrt(seeds)) < 4


def test_no_practical_difference(twins: tuple[str, str]) -> None:
    answer = settled(*twins, min_effect=0.08, max_deals=5000)
    assert answer.verdict == "no practical difference"
    assert screened(answer).deals < 5000
    low, high = screened(answer).limits
    assert -0.08 < low < 0 < high < 0.08
    assert answer.estimates[0].changed > 0.3


def tables_of_the_catalogue() -> list[tuple[str, int, str]]:
    """Every game and number of players, with the strategy that others are compared with."""
    return [
        (key, players, page.name)
        for key, game in GAMES.items()
        for players in game.players
        for page in strategies(key)
        if page.name in REFERENCES
    ]


@pytest.mark.parametrize(("game", "players", "strategy"), tables_of_the_catalogue())
def test_a_strategy_against_itself_changes_no_deal(game: str, players: int, strategy: str) -> None:
    trial = Trial(game, strategy, strategy, strategy, players)
    answer = measure(trial, 60)
    for found in answer.estimates:
        assert (found.effect, found.se, found.changed) == (0, 0, 0)


def first_tables() -> list[tuple[str, int, str]]:
    """The smallest table of every game."""
    seen: dict[str, tuple[str, int, str]] = {}
    for table in tables_of_the_catalogue():
        seen.setdefault(table[0], table)
    return list(seen.values())


def what_happens(plan: Plan, deals: int) -> np.ndarray:
    """By deal: whether the first to play won, points of the first seat, turns; float64."""
    hands = joined([part for _, part in play_many(plan, deals=deals)])
    first = (hands.dealer[:, None] + 1) % plan.players == hands.winner
    return np.stack([first[:, 0], hands.points[:, 0, 0], hands.turns[:, 0]], axis=1).astype(float)


@pytest.mark.parametrize(("game", "players", "strategy"), first_tables())
@pytest.mark.parametrize("deals", sizes(ordinary=1200, soak=200_000))
def test_both_stock_orders_are_the_same_game(
    game: str, players: int, strategy: str, deals: int
) -> None:
    seating = ((strategy,) * players,)
    shared, per_seat = (
        what_happens(Plan(game, seating, 11, stock_order=order), deals)
        for order in ("shared", "per_seat")
    )
    d = shared - per_seat
    assert (d != 0).any()
    for column in d.T:
        z = column.mean() / (column.std(ddof=1) / math.sqrt(deals))
        assert abs(z) < 4


def test_the_game_itself() -> None:
    """`greedy` against `random` is found by the smallest batch, whatever the threads."""
    answers = [settled("random", "greedy", max_deals=400, jobs=jobs) for jobs in (1, 2)]
    assert answers[0] == answers[1]
    assert (answers[0].verdict, screened(answers[0]).deals) == ("helps", 200)
    assert answers[0].estimates[0].effect > 0.2
    first = answers[0].first
    frame = answers[0].frame(first=first + 390)
    assert len(frame) == 10 * 3 * 2
    assert frame["deal"].min() == first + 390
    again = answers[0].frame()
    treated = again[(again["strategy"] == "greedy") & (again["seating"] < 2)]
    shares = treated["won"].sum() + (treated["ending"] != "out").sum() / 2
    assert answers[0].estimates[0].treatment_mean == shares / 800


def test_partners() -> None:
    """A pair against a pair: both partners win, and the hand counts once."""
    trial = Trial("partnership", "random", "greedy", "random", 4)
    answer = measure(trial, 150)
    assert answer.games == 3 * 150
    frame = answer.frame()
    hand = frame.groupby(["deal", "seating"])
    assert set(hand["won"].sum()) <= {0, 2}
    pairs = frame[(frame["seating"] < 2) & (frame["seat"] < 2) & (frame["strategy"] == "greedy")]
    blocked = pairs["ending"] != "out"
    won = (pairs["won"].sum() + blocked.sum() / 2) / len(pairs)
    assert answer.estimates[0].treatment_mean == pytest.approx(won, rel=1e-12)
    assert answer.estimates[0].effect > 0.2


def test_matches() -> None:
    """Whole matches: the match is the unit, and each seating plays the same packs."""
    trial = Trial("jaques", "random", "greedy", "random", 2, rules={"MATCH_TARGET": 40}, match=True)
    answer = measure(trial, 60)
    assert answer.deals == 60 and answer.games == 180 and answer.hands > 400
    frame = answer.frame()
    assert len(frame) == 60 * 3 * 2
    treated = frame[(frame["seating"] < 2) & (frame["strategy"] == "greedy")]
    assert answer.estimates[0].treatment_mean == pytest.approx(treated["won"].mean(), rel=1e-12)
    assert answer.estimates[0].effect > 0.3
    assert frame["hands"].sum() == 2 * answer.hands
    assert "60 matches" in str(answer)
    same = measure(Trial("jaques", "greedy", "greedy", "greedy", match=True), 20)
    assert same.estimates[0].changed == 0


QUESTION = """\
question = "Does holding help?"
claim = "T-00"
tip = "Hold."
source = "a test"
seed = 4

[[compare]]
game = "jaques"
treatment = { strategy = "hold", label = "holding" }
controls = [
    { strategy = "greedy", label = "laying at once" },
    { strategy = "greedy-keep", label = "keeping 5–8" },
    { strategy = "greedy-keep(low=1)", label = "keeping A–8" },
]
players = [2, 3]
metric = "win"
min_effect = 0.01
deals = 3000
quick_deals = 100
"""


def test_a_killed_run_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """Killed without warning after the first result is on disk, and taken up again."""
    path = tmp_path / "hold.toml"
    path.write_text(QUESTION, "utf-8")
    experiment.run([path], tmp_path / "whole")
    start = "from cooncan_sim.cli import main; main()"
    words = [sys.executable, "-c", start, "run", str(path), "--out", "killed"]
    killed = tmp_path / "killed" / "hold" / "comparisons.csv"
    process = subprocess.Popen(words, cwd=tmp_path)
    limit = time.monotonic() + 120
    while not killed.exists() and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert 1 <= len(pd.read_csv(killed)) < 6
    experiment.run([path], tmp_path / "killed", resume=True)
    for form in ("csv", "parquet"):
        whole = (tmp_path / "whole" / "hold" / "comparisons").with_suffix(f".{form}")
        assert killed.with_suffix(f".{form}").read_bytes() == whole.read_bytes()
