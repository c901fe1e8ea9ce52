"""Questions are played, their results kept, and a stopped run is taken up again."""

import json
import re
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import pytest

from cooncan_sim import catalog, experiment, judging
from cooncan_sim.compare import Comparison, Trial, decide, measure
from cooncan_sim.differing import changed_pages, digest, have_changed, named
from cooncan_sim.errors import CooncanError
from cooncan_sim.many import holm
from cooncan_sim.question import load
from cooncan_sim.simulate import Plan
from cooncan_sim.steps import steps
from tests import fake_play
from tests.question_cases import GOOD, compared


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands by chance, and strategies that need not exist."""
    monkeypatch.setattr("cooncan_sim.outcomes.play_many", fake_play.play_many)
    monkeypatch.setattr(Plan, "strategies", ())


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
    another = "the question was another:"
    for changed, reason in (
        (GOOD, "they are those of a run with --quick"),
        (GOOD.replace("seed = 3", "seed = 4"), f"{another} seed 3, now 4"),
        (GOOD.replace("[2, 3]", "[2]"), f"{another} 4 comparisons, now 2"),
        (GOOD.replace("quick_deals = 300", "quick_deals = 400"), f"{another} deals 300, now 400"),
        (GOOD.split("[exact]")[0] + "[[" + GOOD.split("[[")[1], f"{another} exact given, now not"),
        (GOOD.replace('"s6"', '"s7"'), f"{another} treatment s6, now s7"),
    ):
        question.write_text(changed, "utf-8")
        quick = "--quick" not in reason
        for resume in (False, True):
            with pytest.raises(CooncanError) as refused:
                experiment.run([question], out, quick=quick, resume=resume)
            both = f"cooncan run {question}{' --quick' * quick} --out {out}/more-2"
            assert f"{out}/more holds other results, which are kept: {reason}" in str(refused.value)
            assert f". Keep both with: {both}; or remove {out}/more and" in str(refused.value)
            assert "None" not in str(refused.value)
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


def test_the_game_itself(tmp_path: Path) -> None:
    """A question about real strategies, through the real game."""
    path = tmp_path / "more.toml"
    text = GOOD.replace('"s6"', '"greedy"').replace('"s1"', '"hold"').replace('"s3"', '"greedy"')
    path.write_text(text.replace("quick_deals = 300", "quick_deals = 60"), "utf-8")
    experiment.run([path], tmp_path / "out", quick=True)
    rows = pd.read_parquet(tmp_path / "out" / "more" / "comparisons.parquet")
    assert rows["effect"][2:].tolist() == [0, 0]
    assert (rows["effect"][:2] != 0).all()


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
    since = f"which are kept: {re.escape(str(page))} has changed since they were played"
    with pytest.raises(CooncanError, match=since):
        experiment.run([question], tmp_path / "out", quick=True, resume=True)
    experiment.run([question], tmp_path / "out" / "more-2", quick=True)
    with pytest.raises(CooncanError, match=f"{since}.* --out {tmp_path / 'out'}/more-3;"):
        experiment.run([question], tmp_path / "out", quick=True)


def test_which_pages_have_changed(tmp_path: Path) -> None:
    """A page, or one that it builds on; where the other is as it was, it is not suspected."""
    base, top = tmp_path / "base.py", tmp_path / "top.py"
    base.write_text('"""Base."""\nBASE = "greedy"\nGAMES = ("jaques",)\n', "utf-8")
    top.write_text(f'"""Top."""\nBASE = "{base}"\nGAMES = ("jaques",)\n', "utf-8")

    def digests(*names: Path | str) -> dict[str, str]:
        found = [catalog.strategy(str(name), "jaques") for name in names]
        return {named(one, "jaques"): digest(one, "jaques") for one in found}

    before = digests(top, base, "greedy", "hold")
    assert changed_pages(before) == []
    assert changed_pages({"no-such (jaques)": "0", "greedy (no_such)": "0"}) == []
    assert changed_pages(before | {"hold (jaques)": "0"}) == ["hold"]
    top.write_text(top.read_text("utf-8").replace("Top", "New"), "utf-8")
    assert changed_pages(before) == [str(top)]
    assert changed_pages({key: before[key] for key in list(before)[:1]}) == [str(top), str(base)]
    base.write_text(base.read_text("utf-8").replace("Base.", "New."), "utf-8")
    assert changed_pages(before) == [str(top), str(base)]
    top.unlink()
    assert changed_pages(before) == [str(base)]
    assert have_changed(["a", "b"]) == "a and b have changed"
    assert have_changed(["a"]) == "a has changed"


def test_another_version_is_named(question: Path, tmp_path: Path, chance: None) -> None:
    experiment.run([question], tmp_path, quick=True)
    place = tmp_path / "more" / "manifest.json"
    place.write_text(place.read_text("utf-8").replace(f'"{version("cooncan-sim")}"', '"0.0"'))
    said = f"they were played by cooncan_sim 0.0, this is {version('cooncan-sim')}"
    with pytest.raises(CooncanError, match=said):
        experiment.run([question], tmp_path, quick=True)
