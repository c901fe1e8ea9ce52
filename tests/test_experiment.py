"""Questions in TOML: read, refused with a reason, played, and kept."""

import json
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import pytest

from cooncan_sim import experiment, judging
from cooncan_sim.compare import Comparison, Trial, decide, measure
from cooncan_sim.comparing import Comparing
from cooncan_sim.errors import CooncanError
from cooncan_sim.judging import judge, judge_range
from cooncan_sim.many import holm
from cooncan_sim.question import Question, load, shipped
from cooncan_sim.simulate import Plan
from cooncan_sim.steps import steps
from tests import fake_play

GOOD = """\
# A comment with deals = "none" in it.
question = "Is more better?"
claim = "T-99"
tip = "Have more."
source = "nobody"
seed = 3

[exact]
lengths = [3, 4]
hand_size = 4
bands = [
    { label = "5–8", low = 5, high = 8 },
    { label = "A–4", low = 1, high = 4 },
]

[[compare]]
game = "jaques"
treatment = { strategy = "s6", label = "having more" }
controls = [
    { strategy = "s1", label = "having little" },
    { strategy = "s3", label = "having some" },
]
players = [2, 3]
metric = "win"
min_effect = 0.003
deals = 700
quick_deals = 300
"""


@pytest.fixture
def question(tmp_path: Path) -> Path:
    path = tmp_path / "more.toml"
    path.write_text(GOOD, "utf-8")
    return path


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands by chance, and strategies that need not exist."""
    monkeypatch.setattr("cooncan_sim.outcomes.play_many", fake_play.play_many)
    monkeypatch.setattr(Plan, "strategies", ())


# --- reading ---------------------------------------------------------------------------


def test_a_question_is_read(question: Path) -> None:
    asked = load(question)
    assert (asked.name, asked.seed, asked.asked) == ("more", 3, str(question))
    planned = steps(asked, quick=False)
    assert [(c.control.strategy, c.trial.players, c.deals) for c in planned] == [
        ("s1", 2, 700), ("s1", 3, 700), ("s3", 2, 700), ("s3", 3, 700),
    ]  # fmt: skip
    assert {(c.trial.treatment, c.trial.field == c.trial.control) for c in planned} == {
        ("s6", True)
    }
    assert {c.deals for c in steps(asked, quick=True)} == {300}


def test_every_shipped_question_is_right(tmp_path: Path) -> None:
    assert "hold-middle-cards" in shipped()
    for name in shipped():
        asked = load(name)
        assert asked.asked == name
        for quick in (True, False):
            results = experiment.Results(tmp_path / name, asked, quick)
            results.check(resume=False)
            assert results.settings["strategies"]
            assert results.missing()


def test_holding_middle_cards_asks_what_the_claim_says() -> None:
    asked = load("hold-middle-cards")
    jaques = [step for step in compared(asked) if step.trial.game == "jaques"]
    keep = "greedy-keep(low={},high={})"
    bands = [(1, 4), (10, 13), (2, 4), (9, 12)]
    assert [(c.trial.control, c.trial.field, c.trial.players) for c in jaques] == [
        (keep.format(*band), field or keep.format(*band), players)
        for field in ("", "strong")
        for band in bands
        for players in (2, 3, 4)
    ]
    for c in compared(asked):
        assert c.trial.treatment == keep.format(5, 8)
        assert c.sequential
        assert (c.trial.metrics[0], c.min_effect) == ("win", 0.003)
    assert asked.exact is not None
    assert asked.exact.lengths == (3, 4, 5)
    assert (asked.exact.bands[0].low, asked.exact.bands[0].high) == (5, 8)


def test_sweeps_go_through_games_rules_weights_controls_fields_and_tables(question: Path) -> None:
    text = GOOD.replace('game = "jaques"', 'game = ["jaques", "wild_card"]')
    text = text.replace('"s6", label = "having more"', '"s6(k={k})", label = "having {k} more"')
    text = text.replace("quick_deals = 300", SWEEPS).replace("deals = 700\n", "max_deals = 900\n")
    question.write_text(text, "utf-8")
    planned = compared(load(question))
    assert len(planned) == 2 * 2 * 2 * 2 * 2 * 2
    first, second, *_, last = planned
    assert first.trial.rules == {"GO_OUT_BY_DISCARD": "allowed", "MATCH_TARGET": 50}
    assert (first.trial.treatment, first.treatment.label) == ("s6(k=1)", "having 1 more")
    assert (first.trial.field, first.sweep, first.trial.players) == ("s1", "k=1", 2)
    assert (second.trial.field, second.trial.players) == ("s1", 3)
    assert planned[2].trial.field == "s2(k=1)"
    assert last.trial.game == "wild_card"
    assert last.trial.rules == {"GO_OUT_BY_DISCARD": "forbidden", "MATCH_TARGET": 50}
    assert (last.trial.treatment, last.trial.field) == ("s6(k=2.5)", "s2(k=2.5)")
    for one in planned:
        assert (one.sequential, one.deals, one.most_deals) == (True, 900, 1000 + 2 * 900)
        assert one.trial.metrics == ("win", "penalty", "void")
    assert {one.deals for one in steps(load(question), quick=True)} == {300}


SWEEPS = """\
quick_deals = 300
fields = ["control", "s2(k={k})"]
secondary = ["penalty", "void"]
rules = { GO_OUT_BY_DISCARD = ["allowed", "forbidden"], MATCH_TARGET = 50 }
sweep = { k = [1, 2.5] }
"""


SHORT = """\
question = "Is six more than three?"
tip = "Have six."

[[compare]]
game = ["jaques", "partnership"]
treatment = "folder/s6.py"
controls = ["s3"]
"""


def test_a_question_of_a_few_lines_takes_the_rest_as_usual(question: Path, chance: None) -> None:
    question.write_text(SHORT, "utf-8")
    asked = load(question)
    assert (asked.seed, asked.claim, asked.source) == (0, "", "")
    two, four = compared(asked)
    assert (two.treatment.label, two.control.label) == ("s6", "s3")
    assert (two.trial.game, two.trial.players, two.trial.field) == ("jaques", 2, "s3")
    assert (four.trial.game, four.trial.players) == ("partnership", 4)
    assert (two.trial.metrics, two.min_effect) == (("win",), 0.01)
    assert (two.sequential, two.deals) == (True, 100_000)
    assert [one.deals for one in steps(asked, quick=True)] == [2_000, 2_000]


def compared(asked: Question) -> list[Comparing]:
    return [step for step in steps(asked, quick=False) if isinstance(step, Comparing)]


@pytest.mark.parametrize(
    ("right", "wrong", "line", "reason"),
    [
        ('claim = "T-99"', 'clam = "T-99"', 3, "unknown key 'clam' (did you mean 'claim'?)"),
        ("seed = 3", 'seed = "3"', 6, "seed has to be a whole number, not text"),
        ("seed = 3", "seed = true", 6, "seed has to be a whole number, not true or false"),
        ("seed = 3", "seed = -1", 6, "seed has to be at least 0, not -1"),
        ('tip = "Have more."', "tip = ' '", 4, "tip is empty"),
        ('tip = "Have more."\n', "", 1, "the key 'tip' is missing"),
        ("lengths = [3, 4]", "lengths = [3, 3]", 9, "lengths holds the same entry twice: 3"),
        ("lengths = [3, 4]", "lengths = [2]", 9, "lengths has to be at least 3, not 2"),
        ("lengths = [3, 4]", "lengths = [14]", 9, "lengths: no run has more than 13 cards"),
        ("lengths = [3, 4]", "lengths = []", 9, "lengths is empty"),
        ("hand_size = 4", "hand_size = 53", 10, "hand_size: there are 52 cards"),
        ("low = 1, high = 4", "low = 5, high = 4", 13, "within 1 to 13, not 5 to 4"),
        ("low = 1, high = 4", "low = 1, hihg = 4", 13, "unknown key 'hihg' (did you mean 'high'"),
        ('game = "jaques"', "game = 1", 17, "game has to be text, not a whole number"),
        ('{ strategy = "s6", label = "having more" }', "6", 18, "has to be a strategy or a table"),
        ('{ strategy = "s6", label = "having more" }', '" "', 18, "treatment is empty"),
        ('{ strategy = "s1", label = "having little" }', "1", 19, "controls has to be a strategy"),
        ('"s3", label', '"s3", lable', 21, "unknown key 'lable' (did you mean 'label'?)"),
        (', label = "having some"', "", 21, "the key 'label' is missing"),
        ('"s3", label', '3, label', 21, "strategy has to be text, not a whole number (3)"),
        ("players = [2, 3]", "players = 2", 23, "players has to be a list, not a whole number"),
        ("players = [2, 3]", "players = [2, 1]", 23, "players has to be at least 2, not 1"),
        ('metric = "win"', 'metric = "wim"', 24, "unknown metric 'wim' (did you mean 'win'?)"),
        ("min_effect = 0.003", "min_effect = 0", 25, "min_effect has to be above 0, not 0"),
        ("deals = 700", "deals = 7.5", 26, "deals has to be a whole number, not a number (7.5)"),
        ('game = "jaques"\n', "", 16, "the key 'game' is missing"),
        (
            'metric = "win"\nmin_effect = 0.003', 'metric = "penalty"', 16,
            "the key 'min_effect' is missing: how much penalty counts?",
        ),
        ("[[compare]]", "[compare]", 16, "compare has to be a list, not a table"),
        ('"jaques"', '"jaqes"', 17, "unknown game 'jaqes' (did you mean 'jaques'?)"),
        ("players = [2, 3]", "players = [2, 5]", 23, "jaques is for 2 or 3 or 4 players, not 5"),
        ('metric = "win"', 'metric = "score"', 24, "score is not measured in jaques, but win, net"),
        ("deals = 700", "max_deals = '700'", 26, "max_deals has to be a whole number, not text"),
        ("deals = 700", 'secondary = ["win"]', 26, "secondary names win again"),
        ("deals = 700", "fields = 'greedy'", 26, "fields has to be a list, not text"),
        ("deals = 700", "match = 1", 26, "match has to be true or false, not a whole number"),
        ("deals = 700", "rules = { HAND = 11 }", 26, "jaques has no switch 'HAND' (did you"),
        ("deals = 700", "rules = { HAND_SIZE = [10, 12] }", 26, "HAND_SIZE cannot be 12"),
        ("deals = 700", "rules = { HAND_SIZE = 10.5 }", 26, "has to be text or a whole number"),
        ("deals = 700", "sweep = { k = 1 }", 26, "k has to be a list, not a whole number"),
        ("deals = 700", "sweep = { k = ['a'] }", 26, "k has to be a number, not text"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(
    question: Path, right: str, wrong: str, line: int, reason: str
) -> None:
    assert GOOD.count(right) >= 1
    question.write_text(GOOD.replace(right, wrong, 1), "utf-8")
    with pytest.raises(CooncanError) as said:
        load(question)
    message = str(said.value)
    assert message.startswith(f"{question}:{line}: ")
    assert reason in message
    assert "\n" not in message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CooncanError, match="no such file.*did you mean 'hold-middle-cards'"):
        load("hold-midle-cards.toml")
    with pytest.raises(CooncanError, match="Is a directory"):
        load(tmp_path)
    broken = tmp_path / "broken.toml"
    broken.write_text("seed = = 3", "utf-8")
    with pytest.raises(CooncanError, match=r"broken\.toml: not right as TOML: .*line 1"):
        load(broken)
    broken.write_bytes(b'tip = "\xff"')
    with pytest.raises(CooncanError, match="UTF-8"):
        load(broken)
    broken.write_text(GOOD[: GOOD.index("[exact]")], "utf-8")
    with pytest.raises(CooncanError, match="nothing is asked"):
        load(broken)


# --- playing and keeping ---------------------------------------------------------------


def tables(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.suffix != ".json"}


def test_same_question_same_bytes(question: Path, tmp_path: Path, chance: None) -> None:
    for jobs in (1, 3):
        experiment.run([question], tmp_path / str(jobs), quick=True, jobs=jobs)
    first = tables(tmp_path / "1" / "more")
    assert first == tables(tmp_path / "3" / "more")
    assert set(first) == {
        f"{name}.{form}"
        for name in ("comparisons", "counts", "bands", "chances")
        for form in ("csv", "parquet")
    }


def test_results_and_manifest(question: Path, tmp_path: Path, chance: None) -> None:
    ticks: list[int] = []
    out = tmp_path / "out"
    assert experiment.deals_to_play([question], out) == 4 * 700
    assert experiment.run([question], out, progress=ticks.append) == out
    assert sum(ticks) == 4 * 700
    rows = pd.read_parquet(out / "more" / "comparisons.parquet")
    blank = ["rules", "sweep", "decided_by", "decision"]
    assert (rows[blank] == "").all(axis=None)
    pd.testing.assert_frame_equal(
        rows.drop(columns=blank),
        pd.read_csv(out / "more" / "comparisons.csv").drop(columns=blank),
        check_exact=True,
    )
    assert rows["comparison"].tolist() == [1, 2, 3, 4]
    assert rows["control_label"].tolist() == ["having little"] * 2 + ["having some"] * 2
    planned = steps(load(question), quick=False)
    answer = measure(planned[2].trial, 700, min_effect=0.003)
    assert rows["effect"][2] == answer.estimates[0].effect
    manifest = json.loads((out / "more" / "manifest.json").read_text("utf-8"))
    assert manifest["finished"]
    assert manifest["stopping"] == "fixed number of deals"
    assert manifest["settings"]["seed"] == 3
    assert [c["deals"] for c in manifest["settings"]["comparisons"]] == [700] * 4
    assert manifest["played"]["hands"] == 2 * 700 * (2 + 3) == rows["hands"].sum()
    [run] = manifest["runs"]
    assert run["steps"] == [["comparison", number] for number in (1, 2, 3, 4)]
    assert run["versions"]["numba"] == version("numba")
    assert run["started"] <= run["ended"]
    assert run["machine"]["cores"] >= 1


def stop_at(number: int, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Lets the measuring fail when that many comparisons have been made."""
    made: list[Comparison] = []

    def failing(*args: object, **named: object) -> Comparison:
        if len(made) == number:
            raise error
        made.append(measure(*args, **named))  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr("cooncan_sim.comparing.measure", failing)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), CooncanError("a strategy broke")])
@pytest.mark.parametrize("done", [0, 1, 3])
def test_a_stopped_run_is_taken_up_again(
    question: Path, tmp_path: Path, chance: None, done: int, error: BaseException
) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    experiment.run([question], whole, quick=True)
    with pytest.MonkeyPatch.context() as patch:
        stop_at(done, patch, error)
        with pytest.raises(type(error)):
            experiment.run([question], out, quick=True)
    manifest = json.loads((out / "more" / "manifest.json").read_text("utf-8"))
    assert not manifest["finished"]
    assert manifest["runs"][0]["steps"] == [["comparison", n] for n in range(1, done + 1)]
    assert experiment.deals_to_play([question], out, True, True) == (4 - done) * 300
    with pytest.MonkeyPatch.context() as patch:
        stop_at(4 - done, patch, AssertionError("played again what was there"))
        experiment.run([question], out, quick=True, resume=True)
    assert tables(out / "more") == tables(whole / "more")
    manifest = json.loads((out / "more" / "manifest.json").read_text("utf-8"))
    assert manifest["finished"]
    assert [[number for _, number in run["steps"]] for run in manifest["runs"]] == [
        list(range(1, done + 1)),
        list(range(done + 1, 5)),
    ]


def test_results_of_other_settings_are_refused(
    question: Path, tmp_path: Path, chance: None
) -> None:
    out = tmp_path / "out"
    experiment.run([question], out, quick=True)
    before = tables(out / "more")
    for changed, reason in (
        (GOOD, "deals 300, now 700"),
        (GOOD.replace("seed = 3", "seed = 4"), "seed 3, now 4"),
        (GOOD.replace("[2, 3]", "[2]"), "4 comparisons, now 2"),
    ):
        question.write_text(changed, "utf-8")
        for resume in (False, True):
            with pytest.raises(CooncanError, match=f"other settings .*{reason}"):
                experiment.run([question], out, quick="700" not in reason, resume=resume)
    assert tables(out / "more") == before
    question.write_text(GOOD.replace("Is more better?", "Is less worse?"), "utf-8")
    experiment.run([question], out, quick=True)
    assert tables(out / "more") == before


def test_a_folder_that_holds_something_else(question: Path, tmp_path: Path, chance: None) -> None:
    folder = tmp_path / "out" / "more"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text("{}", "utf-8")
    with pytest.raises(CooncanError, match="not a manifest"):
        experiment.run([question], tmp_path / "out")


def test_two_questions_of_one_name(question: Path, tmp_path: Path) -> None:
    with pytest.raises(CooncanError, match="two questions are called more"):
        experiment.run([question, question], tmp_path / "out")


def test_nothing_is_played_before_all_is_known_to_be_right(question: Path, tmp_path: Path) -> None:
    question.write_text(GOOD.replace('"s3"', '"no-such-strategy"'), "utf-8")
    with pytest.raises(CooncanError, match="s6"):
        experiment.run([question], tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("low", "high", "effect", "claim"),
    [
        (0.1, 0.9, 0.5, "supported"),
        (0.1, 0.5, 0.25, "open"),
        (-0.1, 0.7, 0.3, "open"),
        (-0.1, 0.2, 0.05, "refuted"),
        (0.05, 0.2, 0.12, "refuted"),
        (-0.9, -0.1, -0.5, "refuted"),
        (float("nan"), float("nan"), 0.0, "open"),
    ],
)
def test_the_decision_on_a_claim(low: float, high: float, effect: float, claim: str) -> None:
    assert judge(low, high, effect, 0.3) == claim


def test_the_game_itself(tmp_path: Path) -> None:
    """A question about real strategies, through the real game."""
    path = tmp_path / "more.toml"
    text = GOOD.replace('"s6"', '"greedy"').replace('"s1"', '"hold"').replace('"s3"', '"greedy"')
    path.write_text(text.replace("quick_deals = 300", "quick_deals = 60"), "utf-8")
    experiment.run([path], tmp_path / "out", quick=True)
    rows = pd.read_parquet(tmp_path / "out" / "more" / "comparisons.parquet")
    assert rows["effect"][2:].tolist() == [0, 0]
    assert (rows["effect"][:2] != 0).all()


@pytest.mark.parametrize(
    ("above", "below", "low", "high", "claim"),
    [
        (None, None, 0.1, 0.2, ""),
        (0.0, None, 0.1, 0.2, "supported"),
        (0.0, None, 0.0, 0.2, "open"),
        (0.3, None, 0.1, 0.2, "refuted"),
        (None, 0.05, 0.1, 0.2, "refuted"),
        (None, 0.15, 0.1, 0.2, "open"),
        (0.05, 0.3, 0.1, 0.2, "supported"),
        (None, 0.0, 0.01, 0.2, "refuted"),
        (None, 0.0, 0.0, 0.2, "open"),
        (None, 0.3, float("nan"), float("nan"), "open"),
    ],
)
def test_the_decision_on_a_range(
    above: float | None, below: float | None, low: float, high: float, claim: str
) -> None:
    assert judge_range(low, high, above, below) == claim


def test_a_fall_is_claimed_by_a_least_below_zero() -> None:
    assert judge(-0.9, -0.1, -0.5, -0.3) == "supported"
    assert judge(0.1, 0.9, 0.5, -0.3) == "refuted"


SCREENED = GOOD.replace("deals = 700\n", "max_deals = 900\n").replace(
    "quick_deals = 300", 'quick_deals = 300\nsecondary = ["penalty"]'
)


def test_a_screened_comparison_is_measured_on_fresh_deals(
    question: Path, tmp_path: Path, chance: None
) -> None:
    question.write_text(SCREENED, "utf-8")
    ticks: list[int] = []
    total = experiment.deals_to_play([question], tmp_path)
    experiment.run([question], tmp_path, progress=ticks.append, jobs=2)
    assert sum(ticks) == total == 4 * (1000 + 2 * 900)
    folder = tmp_path / "more"
    rows = pd.read_parquet(folder / "comparisons.parquet")
    assert (rows["first_deal"] == 1000 + rows["decision_deals"]).all()
    assert set(rows["metric"]) == {"win"}
    assert set(rows["design"]) == {"D1", "D3"}
    found = decide(compared(load(question))[1].trial, 900, 0.003, fresh=900)
    assert rows["effect"][1] == found.estimates[0].effect
    assert rows["decision"][1] == found.verdict
    second = pd.read_parquet(folder / "secondary.parquet")
    assert second["comparison"].tolist() == [1, 2, 3, 4]
    assert second["effect"][1] == found.estimates[1].effect
    assert set(second["metric"]) == {"penalty"}
    looks = pd.read_parquet(folder / "looks.parquet")
    assert found.screen is not None
    of_second = looks[looks["comparison"] == 2]
    assert of_second["low"].tolist() == found.screen.path()["low"].tolist()
    adjusted = rows["p_holm"]
    assert adjusted.tolist() == holm(rows["p"]).tolist()
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["stopping"] == "confidence sequence, then a fixed number of fresh deals"


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("broken", ["secondary", "looks", "comparisons"])
def test_a_step_half_written_is_played_again(
    question: Path,
    tmp_path: Path,
    chance: None,
    broken: str,
    number: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Stopped between the tables of one comparison."""
    question.write_text(SCREENED, "utf-8")
    experiment.run([question], tmp_path / "whole", quick=True)

    def stopping(table: pd.DataFrame, stem: Path) -> None:
        if stem.name == broken and table["comparison"].max() == number:
            raise KeyboardInterrupt
        saving(table, stem)

    saving = experiment.save
    monkeypatch.setattr(experiment, "save", stopping)
    with pytest.raises(KeyboardInterrupt):
        experiment.run([question], tmp_path / "out", quick=True)
    monkeypatch.setattr(experiment, "save", saving)
    experiment.run([question], tmp_path / "out", quick=True, resume=True)
    assert tables(tmp_path / "out" / "more") == tables(tmp_path / "whole" / "more")


def rows_of(p: list[float], **named: object) -> pd.DataFrame:
    """Rows of a table of claims in which only luck can be in the way of the claim."""
    usual = {"metric": "win", "low": 0.001, "high": 0.02, "effect": 0.01, "min_effect": 0.003}
    return pd.DataFrame({**usual, "p": p, **named})


NAN = float("nan")


def test_several_claims_are_held_to_more() -> None:
    """What is found by itself at 5 % may not be found among others; p = 1 where there is none."""
    judged = judging.judged({"comparisons": rows_of([0.03, 0.04, 0.0001, NAN])}, 4)["comparisons"]
    assert judged["p_holm"].round(6).tolist()[:3] == [0.09, 0.09, 0.0004]
    assert judged["claim"].tolist() == ["open", "open", "supported", "supported"]
    early = judging.judged({"comparisons": rows_of([0.01])}, 6)["comparisons"]
    assert early["p_holm"].tolist() == [0.06]
    assert early["claim"].tolist() == ["open"]


def test_all_tables_of_a_file_are_one_family() -> None:
    """Holm by hand over the claims of three tables; what claims nothing is left out."""
    tables = {
        "comparisons": rows_of([0.012, 0.0001]),
        "conditionals": rows_of(
            [0.02, 0.013], metric="penalty", low=-0.02, high=-0.001, effect=-0.01
        ),
        "contrasts": rows_of([0.0002, 0.011], min_effect=[NAN, 0.003], metric="turns"),
        "observations": rows_of([0.5]),
    }
    found = judging.judged(tables, judging.tests_in(tables))
    p = sorted([0.012, 0.0001, 0.02, 0.013, 0.011])
    by_hand = {one: max(p[k] * (5 - k) for k in range(p.index(one) + 1)) for one in p}
    for name in judging.FAMILY:
        for row in found[name].itertuples():
            if row.min_effect == row.min_effect:
                assert row.p_holm == pytest.approx(by_hand[row.p])
            else:
                assert row.p_holm != row.p_holm
    assert found["comparisons"]["claim"].tolist() == ["supported"] * 2
    assert found["conditionals"]["claim"].tolist() == ["supported"] * 2
    assert found["contrasts"]["claim"].tolist() == ["", "supported"]
    assert found["observations"] is tables["observations"]
    again = judging.judged(found, 5)
    for name in judging.FAMILY:
        pd.testing.assert_frame_equal(again[name], found[name])
    more = judging.judged(found, 50)  # so many are stated: none but the surest stands now
    assert more["comparisons"]["claim"].tolist() == ["open", "supported"]
    assert more["conditionals"]["claim"].tolist() == ["open"] * 2
    for name in judging.FAMILY:  # and stands again when the others have been played
        pd.testing.assert_frame_equal(judging.judged(more, 5)[name], found[name])


SEVERAL = (
    GOOD.replace("players = [2, 3]", "players = [2]")
    + """
[[where]]
game = "jaques"
treatment = { strategy = "s6", label = "having more" }
controls = [{ strategy = "s1", label = "having little" }]
players = [2, 3]
min_effect = 0.1
deals = 400
quick_deals = 400

[[contrast]]
treatment = { game = "jaques", label = "eleven cards", rules = { HAND_SIZE = 11 } }
control = { game = "jaques", label = "ten cards" }
strategies = ["s3"]
players = [2]
metric = "turns"
secondary = ["void"]
min_effect = "5 %"
deals = 200
quick_deals = 200
"""
)


@pytest.mark.parametrize("done", [1, 2, 3, 4])
def test_claims_of_a_resumed_file_are_those_of_an_uninterrupted_one(
    question: Path, tmp_path: Path, chance: None, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    """Stopped after so many steps, of whatever kind: the later ones weigh on the earlier."""
    monkeypatch.setattr("cooncan_sim.observing.play_many", fake_play.play_many)
    question.write_text(SEVERAL, "utf-8")
    whole, out = tmp_path / "whole" / "more", tmp_path / "out" / "more"
    experiment.run([question], whole.parent, quick=True)
    families = [pd.read_parquet(whole / f"{name}.parquet") for name in judging.FAMILY]
    p = pd.concat([rows["p"][rows["min_effect"].notna()] for rows in families]).fillna(1)
    seen = pd.concat([rows["p_holm"][rows["min_effect"].notna()] for rows in families])
    assert len(p) == 5
    assert seen.dropna().tolist() == holm(p)[seen.notna()].tolist()
    missing = experiment.Results.missing
    with monkeypatch.context() as patch:
        patch.setattr(experiment.Results, "missing", lambda results: missing(results)[:done])
        experiment.run([question], out.parent, quick=True)
    assert tables(out) != tables(whole)
    half = experiment.Results(out, load(question), True)
    half.check(resume=True)
    assert len(half.missing()) == 5 - done
    experiment.run([question], out.parent, quick=True, resume=True)
    assert tables(out) == tables(whole)


def test_every_kind_of_hand_is_counted(question: Path, tmp_path: Path, chance: None) -> None:
    """A question that only asks where something holds has hands too (R-COM-11)."""
    head = GOOD[: GOOD.index("[exact]")]
    where = SEVERAL[SEVERAL.index("[[where]]") : SEVERAL.index("[[contrast]]")]
    question.write_text(head + where, "utf-8")
    experiment.run([question], tmp_path, quick=True)
    manifest = json.loads((tmp_path / "more" / "manifest.json").read_text("utf-8"))
    hands = [fake_play.play(Plan("jaques", (("s1",) * n,) * (n + 1), 3), 0, 400) for n in (2, 3)]
    assert manifest["played"]["hands"] == sum(one.winner.size for one in hands) == 400 * (3 + 4)
    rows = pd.read_parquet(tmp_path / "more" / "conditionals.parquet")
    assert rows["hands"].tolist() == [1200, 1600]
    assert manifest["played"]["capped_hands"] == rows["capped_hands"].sum() > 0


def test_several_of_the_treatment_at_a_table(question: Path, tmp_path: Path, chance: None) -> None:
    text = GOOD.replace("players = [2, 3]", "players = [3, 4]").replace(
        'metric = "win"', 'metric = "win"\ntreated = 2'
    )
    question.write_text(text, "utf-8")
    experiment.run([question], tmp_path / "out", quick=True)
    rows = pd.read_parquet(tmp_path / "out" / "more" / "comparisons.parquet")
    assert rows["design"].tolist() == ["2 v 1", "2 v 2"] * 2
    assert rows["hands"].tolist() == [300 * 3, 300 * 6] * 2
    trial = Trial("jaques", "s1", "s6", "s1", 4, 3, {}, ("win",), False, 2)
    assert rows["effect"][1] == measure(trial, 300).estimates[0].effect
    question.write_text(text.replace("players = [3, 4]", "players = [2, 4]"), "utf-8")
    with pytest.raises(CooncanError, match="more.toml:.*treated: from 1 to 1 players, not 2"):
        load(question)
    question.write_text(text.replace('metric = "win"', 'metric = "turns"'), "utf-8")
    with pytest.raises(CooncanError, match="turns is the same for all at a table"):
        load(question)


def test_a_changed_page_is_another_setting(question: Path, tmp_path: Path) -> None:
    page = tmp_path / "mine.py"
    page.write_text('"""Mine."""\nBASE = "greedy"\nGAMES = ("jaques",)\n', "utf-8")
    text = GOOD.replace('"s6"', f'"{page}"').replace('"s1"', '"hold"').replace('"s3"', '"greedy"')
    question.write_text(text.replace("quick_deals = 300", "quick_deals = 20"), "utf-8")
    experiment.run([question], tmp_path / "out", quick=True)
    experiment.run([question], tmp_path / "out", quick=True, resume=True)
    page.write_text('"""Mine, but better."""\nBASE = "greedy"\nGAMES = ("jaques",)\n', "utf-8")
    with pytest.raises(CooncanError, match=r"holds results of other settings \(.*mine\.py"):
        experiment.run([question], tmp_path / "out", quick=True, resume=True)
