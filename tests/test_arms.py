"""Questions about ways of playing: contrasts, house rules, observations."""

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from cooncan_sim import catalog, experiment, intervals
from cooncan_sim.errors import CooncanError
from cooncan_sim.observing import Arm, observe, on_same_deals, read
from cooncan_sim.question import load
from cooncan_sim.steps import steps

ASKED = """\
question = "What changes?"
claim = "T-99"
tip = "Change it."
source = "nobody"
seed = 3

[[contrast]]
treatment = { game = "two_deck", label = "two packs", rules = { HAND_SIZE = 10 } }
control = { game = "jaques", label = "one pack" }
strategies = ["greedy", "hold"]
players = [3]
metric = "turns"
secondary = ["skill"]
min_effect = "5 %"
deals = 90
quick_deals = 60

[[house_rules]]
game = "jaques"
options = { LAYOFF_SCOPE = "own", HAND_SIZE = [11] }
strategies = ["greedy"]
players = [2, 3]
metric = "turns"
secondary = ["starter"]
deals = 90
quick_deals = 60

[[observe]]
game = "jaques"
rules = { HAND_SIZE = [10, 11] }
strategies = ["greedy"]
players = [2]
metric = "run_share"
secondary = ["void"]
above = 0.1
distribution = ["points"]
deals = 90
quick_deals = 60

[[where]]
game = "jaques"
treatment = { strategy = "hold", label = "holding" }
controls = [{ strategy = "greedy", label = "laying" }]
fields = ["control", "hold"]
players = [2]
min_effect = 0.3
deals = 90
quick_deals = 60

[[where]]
game = "jaques"
treatment = { strategy = "greedy-keep(low={behind})", label = "keeping from {behind}" }
controls = [{ strategy = "greedy", label = "laying" }]
players = [2]
behind = [5, 7]
min_effect = 0.01
deals = 30
quick_deals = 20
"""


@pytest.fixture
def question(tmp_path: Path) -> Path:
    path = tmp_path / "changes.toml"
    path.write_text(ASKED, "utf-8")
    return path


def tables(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.suffix != ".json"}


def stopping_after(tables: int) -> Callable[[pd.DataFrame, Path], None]:
    """Saving that is interrupted when so many tables have been saved."""
    saving, saved = experiment.save, []

    def stopping(table: pd.DataFrame, stem: Path) -> None:
        if len(saved) == tables:
            raise KeyboardInterrupt
        saved.append(stem.name)
        saving(table, stem)

    return stopping


def test_same_question_same_bytes_stopped_or_not(
    question: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks: list[int] = []
    most = experiment.deals_to_play([question], tmp_path / "one", quick=True)
    experiment.run([question], tmp_path / "one", quick=True, jobs=1, progress=ticks.append)
    assert sum(ticks) == most
    whole = tables(tmp_path / "one" / "changes")
    assert {name for name in whole if name.endswith(".csv")} == {
        f"{name}.csv" for name in ("contrasts", "observations", "distributions", "conditionals")
    }
    for stop in (2, 7, 9):
        out = tmp_path / str(stop)
        with monkeypatch.context() as patch:
            patch.setattr(experiment, "save", stopping_after(stop))
            with pytest.raises(KeyboardInterrupt):
                experiment.run([question], out, quick=True, jobs=2)
        experiment.run([question], out, quick=True, resume=True, jobs=3)
        assert tables(out / "changes") == whole
    manifest = json.loads((tmp_path / "one" / "changes" / "manifest.json").read_text("utf-8"))
    assert manifest["finished"]
    assert manifest["played"]["hands"] > 0
    assert {"greedy (jaques)", "greedy (two_deck)", "random (jaques)"} <= set(
        manifest["settings"]["strategies"]
    )


def test_contrasts_and_house_rules_read_as_their_arms(question: Path, tmp_path: Path) -> None:
    experiment.run([question], tmp_path, quick=True)
    rows = pd.read_parquet(tmp_path / "changes" / "contrasts.parquet")
    assert rows["contrast"].tolist() == [n for n in range(1, 7) for _ in range(2)]
    assert rows["primary"].tolist() == [True, False] * 6
    assert rows["design"].tolist() == ["D5"] * 4 + ["D2"] * 8
    assert rows["switch"].tolist()[4:] == ["LAYOFF_SCOPE"] * 2 + ["HAND_SIZE"] * 2 + [
        "LAYOFF_SCOPE"] * 2 + ["HAND_SIZE"] * 2  # fmt: skip
    own, usual = (
        observe(Arm("jaques", 3, "greedy", rules, False, 3), ["turns", "starter"], 60)
        for rules in ({"LAYOFF_SCOPE": "own"}, {})
    )
    line = rows[(rows["players"] == 3) & (rows["option"] == "own")].set_index("metric")
    found = on_same_deals(own.ratios["turns"], usual.ratios["turns"], 0.05, False)
    assert line.loc["turns", "effect"] == found.effect
    assert line.loc["turns", "low"] == found.low
    starter = read(usual.ratios["starter"], 0.05, True)
    assert line.loc["starter", "control_mean"] == starter.value
    assert line.loc["starter", "control_low"] == starter.low
    packs = rows.iloc[0]
    assert packs["min_effect"] == 0.05 * packs["control_mean"]
    assert packs["claim"] in ("supported", "refuted", "open")
    assert (rows["claim"][1:2] == "").all()
    assert (rows["claim"][4:] == "").all()
    assert rows["p_holm"].notna().tolist() == [True, False, True, False] + [False] * 8


def test_observations_read_as_what_was_counted(question: Path, tmp_path: Path) -> None:
    experiment.run([question], tmp_path, quick=True)
    rows = pd.read_parquet(tmp_path / "changes" / "observations.parquet")
    assert rows["rules"].tolist() == ["HAND_SIZE=10"] * 2 + ["HAND_SIZE=11"] * 2
    seen = observe(Arm("jaques", 2, "greedy", {}, False, 3), ["run_share", "void"], 60)
    assert rows["value"][0] == read(seen.ratios["run_share"], 0.05, True).value
    assert rows["events"][1] == int(seen.ratios["void"][0].sums.sum())
    assert rows["low"][1] == intervals.wilson(rows["events"][1], 60).low
    assert rows["claim"].tolist()[1::2] == ["", ""]
    spread = pd.read_parquet(tmp_path / "changes" / "distributions.parquet")
    of_first = spread[spread["observation"] == 1]
    assert of_first["count"].sum() == 60 * 2
    assert of_first["value"].is_monotonic_increasing
    kept = pd.read_parquet(tmp_path / "changes" / "conditionals.parquet")
    assert kept["given"].tolist() == ["lost under both"] * 2 + ["5 behind", "7 behind"]
    assert kept["treatment"].tolist()[2:] == ["greedy-keep(low=5)", "greedy-keep(low=7)"]
    assert kept["field"].tolist() == ["greedy", "hold", "greedy", "greedy"]
    assert set(kept["metric"][2:]) == {"win"}


@pytest.mark.parametrize(
    ("right", "wrong", "line", "reason"),
    [
        ('"two_deck", label', '"two_dek", label', 8, "unknown game 'two_dek' (did you mean"),
        ("players = [3]", "players = [2]", 11, "two_deck is for 3 or 4 players, not 2"),
        ('min_effect = "5 %"', 'min_effect = "5"', 14, "a number or a text like '5 %', not '5'"),
        ('min_effect = "5 %"', "min_effect = 0", 14, "min_effect has to be above or below 0"),
        ('metric = "turns"', 'metric = "turn"', 12, "unknown metric 'turn' (did you mean 'turns'"),
        ('secondary = ["skill"]', 'secondary = ["turns"]', 13, "secondary names turns again"),
        ("{ HAND_SIZE = 10 }", "{ HAND_SIZES = 10 }", 8, "two_deck has no switch 'HAND_SIZES'"),
        ("HAND_SIZE = [11]", "HAND_SIZE = [12]", 20, "switch HAND_SIZE cannot be 12"),
        ('metric = "run_share"', 'metric = "signal"', 33, "signal is not measured in jaques"),
        ("above = 0.1", "above = 'x'", 35, "above has to be a number, not text"),
        ('["points"]', '["penalty"]', 36, "unknown distribution 'penalty'"),
        ("behind = [5, 7]", "behind = [0]", 55, "behind has to be at least 1, not 0"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(
    question: Path, right: str, wrong: str, line: int, reason: str
) -> None:
    assert ASKED.count(right) >= 1
    question.write_text(ASKED.replace(right, wrong, 1), "utf-8")
    with pytest.raises(CooncanError) as said:
        load(question)
    assert str(said.value).startswith(f"{question}:{line}: ")
    assert reason in str(said.value)


GUARDS = {"MAX_TURNS", "MAX_HANDS"}


def test_every_house_rule_is_asked_about() -> None:
    """Every switch with two options or more, each option of a list, and numbers either way."""
    asked: dict[str, dict[str, set]] = {}
    for step in steps(load("which-house-rule-matters"), quick=True):
        options = asked.setdefault(step.control.game, {}).setdefault(step.switch, set())
        options.add(step.option)
    for key, game in catalog.GAMES.items():
        for name, switch in game.switches.items():
            if name in GUARDS or len(switch.options) == 1 and not hasattr(switch, "_number"):
                continue
            found = asked[key].get(name, set())
            if switch.options and not hasattr(switch, "_number"):
                others = {str(option) for option in switch.options} - {str(switch.default)}
                assert found == others, (key, name)
            else:
                assert found, (key, name)


def test_luck_and_skill_speaks_of_every_game_and_table() -> None:
    seen = {(step.arm.game, step.arm.players) for step in steps(load("luck-and-skill"), quick=True)}
    assert seen == {(key, n) for key, game in catalog.GAMES.items() for n in game.players}
