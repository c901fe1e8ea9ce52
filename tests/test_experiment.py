"""Questions in TOML: read, refused with a reason, played, and kept."""

import json
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import pytest

from cooncan_sim import experiment
from cooncan_sim.compare import Comparison, measure
from cooncan_sim.errors import CooncanError
from cooncan_sim.question import load, shipped
from cooncan_sim.simulate import Plan
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
    planned = asked.comparisons(quick=False)
    assert [(c.control.strategy, c.trial.players, c.deals) for c in planned] == [
        ("s1", 2, 700), ("s1", 3, 700), ("s3", 2, 700), ("s3", 3, 700),
    ]  # fmt: skip
    assert {(c.trial.treatment, c.trial.field == c.trial.control) for c in planned} == {
        ("s6", True)
    }
    assert {c.deals for c in asked.comparisons(quick=True)} == {300}


def test_every_shipped_question_is_right() -> None:
    assert "hold-middle-cards" in shipped()
    for name in shipped():
        asked = load(name)
        assert asked.asked == name
        for planned in asked.comparisons(quick=True):
            assert len(planned.trial.plan().strategies) == 2


def test_holding_middle_cards_asks_what_the_claim_says() -> None:
    asked = load("hold-middle-cards")
    planned = asked.comparisons(quick=False)
    keep = "greedy-keep(low={},high={})"
    bands = [(1, 4), (10, 13), (2, 4), (9, 12)]
    assert [(c.trial.control, c.trial.players) for c in planned] == [
        (keep.format(*band), players) for band in bands for players in (2, 3, 4)
    ]
    for c in planned:
        assert c.trial.treatment == keep.format(5, 8)
        assert c.trial.field == c.trial.control
        assert (c.trial.game, c.trial.metrics, c.min_effect) == ("jaques", ("win",), 0.003)
    assert asked.exact is not None
    assert asked.exact.lengths == (3, 4, 5)
    assert (asked.exact.bands[0].low, asked.exact.bands[0].high) == (5, 8)


@pytest.mark.parametrize(
    ("right", "wrong", "line", "reason"),
    [
        ('claim = "T-99"', 'clam = "T-99"', 3, "unknown key 'clam' (did you mean 'claim'?)"),
        ("seed = 3", 'seed = "3"', 6, "seed has to be a whole number, not text"),
        ("seed = 3", "seed = true", 6, "seed has to be a whole number, not true or false"),
        ("seed = 3", "seed = -1", 6, "seed has to be at least 0, not -1"),
        ('tip = "Have more."', "tip = ' '", 4, "tip is empty"),
        ("seed = 3\n", "", 1, "the key 'seed' is missing"),
        ("lengths = [3, 4]", "lengths = [3, 3]", 9, "lengths holds the same entry twice: 3"),
        ("lengths = [3, 4]", "lengths = [2]", 9, "lengths has to be at least 3, not 2"),
        ("lengths = [3, 4]", "lengths = [14]", 9, "lengths: no run has more than 13 cards"),
        ("lengths = [3, 4]", "lengths = []", 9, "lengths is empty"),
        ("hand_size = 4", "hand_size = 53", 10, "hand_size: there are 52 cards"),
        ("low = 1, high = 4", "low = 5, high = 4", 13, "within 1 to 13, not 5 to 4"),
        ("low = 1, high = 4", "low = 1, hihg = 4", 13, "unknown key 'hihg' (did you mean 'high'"),
        ('game = "jaques"', "game = 1", 17, "game has to be text, not a whole number"),
        ('{ strategy = "s6", label = "having more" }', '"s6"', 18, "treatment has to be a table"),
        ('"s3", label', '"s3", lable', 21, "unknown key 'lable' (did you mean 'label'?)"),
        (', label = "having some"', "", 21, "the key 'label' is missing"),
        ('"s3", label', '3, label', 21, "strategy has to be text, not a whole number"),
        ("players = [2, 3]", "players = 2", 23, "players has to be a list, not a whole number"),
        ("players = [2, 3]", "players = [2, 1]", 23, "players has to be at least 2, not 1"),
        ('metric = "win"', 'metric = "wim"', 24, "unknown metric 'wim' (did you mean 'win'?)"),
        ("min_effect = 0.003", "min_effect = 0", 25, "min_effect has to be above 0, not 0"),
        ("deals = 700", "deals = 7.5", 26, "deals has to be a whole number, not a number"),
        ("quick_deals = 300", "", 16, "the key 'quick_deals' is missing"),
        ("[[compare]]", "[compare]", 16, "compare has to be a list, not a table"),
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
    pd.testing.assert_frame_equal(
        rows.drop(columns="rules"),
        pd.read_csv(out / "more" / "comparisons.csv").drop(columns="rules"),
        check_exact=True,
    )
    assert rows["comparison"].tolist() == [1, 2, 3, 4]
    assert rows["control_label"].tolist() == ["having little"] * 2 + ["having some"] * 2
    planned = load(question).comparisons(quick=False)
    answer = measure(planned[2].trial, 700, min_effect=0.003)
    assert rows["effect"][2] == answer.estimates[0].effect
    manifest = json.loads((out / "more" / "manifest.json").read_text("utf-8"))
    assert manifest["finished"]
    assert manifest["stopping"] == "fixed number of deals"
    assert manifest["settings"]["seed"] == 3
    assert [c["deals"] for c in manifest["settings"]["comparisons"]] == [700] * 4
    assert manifest["played"]["hands"] == 2 * 700 * (2 + 3) == rows["hands"].sum()
    [run] = manifest["runs"]
    assert run["comparisons"] == [1, 2, 3, 4]
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

    monkeypatch.setattr(experiment, "measure", failing)


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
    assert manifest["runs"][0]["comparisons"] == list(range(1, done + 1))
    assert experiment.deals_to_play([question], out, True, True) == (4 - done) * 300
    with pytest.MonkeyPatch.context() as patch:
        stop_at(4 - done, patch, AssertionError("played again what was there"))
        experiment.run([question], out, quick=True, resume=True)
    assert tables(out / "more") == tables(whole / "more")
    manifest = json.loads((out / "more" / "manifest.json").read_text("utf-8"))
    assert manifest["finished"]
    assert [run["comparisons"] for run in manifest["runs"]] == [
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
    assert experiment.judge(low, high, effect, 0.3) == claim


def test_the_game_itself(tmp_path: Path) -> None:
    """A question about real strategies, through the real game."""
    path = tmp_path / "more.toml"
    text = GOOD.replace('"s6"', '"greedy"').replace('"s1"', '"hold"').replace('"s3"', '"greedy"')
    path.write_text(text.replace("quick_deals = 300", "quick_deals = 60"), "utf-8")
    experiment.run([path], tmp_path / "out", quick=True)
    rows = pd.read_parquet(tmp_path / "out" / "more" / "comparisons.parquet")
    assert rows["effect"][2:].tolist() == [0, 0]
    assert (rows["effect"][:2] != 0).all()
