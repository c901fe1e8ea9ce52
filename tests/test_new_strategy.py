"""Pages to begin with: what is written plays at once, and what may be asked is there."""

import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from cooncan_sim import catalog, cli, experiment, new_strategy, simulate
from cooncan_sim.errors import CooncanError
from cooncan_sim.question import load
from cooncan_sim.steps import steps

ROOT = Path(__file__).parents[1]
every_game = pytest.mark.parametrize("game", catalog.GAMES)


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, str, str]:
    """Exit code and what was printed by `cooncan new-strategy` with these words."""
    monkeypatch.setattr(sys, "argv", ["cooncan", "new-strategy", *words])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return int(end.value.code or 0), *capsys.readouterr()


# ---- what is written ----------------------------------------------------------------------


@pytest.mark.parametrize("kind", new_strategy.KINDS, ids=lambda kind: kind.template)
def test_a_page_plays_unedited_in_every_game_it_names(kind: new_strategy.Kind) -> None:
    written = new_strategy.write("mine", kind.games[0])
    assert written.games == kind.games == catalog.strategy("./mine.py", kind.games[0]).page.games
    for game in written.games:
        players = catalog.game(game).players[0]
        others = [written.base] * (players - 1)
        own = simulate(game, ["./mine.py", *others], 200, seed=1)
        usual = simulate(game, [written.base, *others], 200, seed=1)
        assert own.totals.hands == 200
        assert not own.frame().equals(usual.frame().assign(strategy=own.frame()["strategy"]))


def test_every_game_has_its_page_and_its_strong_player() -> None:
    assert {game for kind in new_strategy.KINDS for game in kind.games} == set(catalog.GAMES)
    for game, strong in new_strategy.STRONG.items():
        assert catalog.strategy(strong, game).name == strong


@every_game
def test_a_question_asks_about_the_page_in_ten_lines(game: str, desk: Path) -> None:
    written = new_strategy.write("mine", game)
    assert len(written.question.read_text("utf-8").splitlines()) <= 10
    asked = load("mine.toml")
    first, second = steps(asked, quick=True)
    for one in (first, second):
        assert (one.trial.game, one.trial.treatment) == (game, "./mine.py")
        assert (one.trial.control, one.treatment.label) == (written.base, "mine")
        assert one.trial.players == catalog.game(game).players[0]
    assert (first.trial.field, second.trial.field) == (written.base, new_strategy.STRONG[game])
    results = experiment.Results(desk / "results", asked, quick=True)
    results.check(resume=False)
    assert len(results.missing()) == 2


def test_the_strong_player_is_not_put_to_the_test_in_two_like_fields() -> None:
    new_strategy.write("mine", base="strong")
    assert [one.trial.field for one in steps(load("mine.toml"), quick=True)] == ["strong", "greedy"]


@pytest.mark.parametrize(
    ("base", "weights", "place"),
    [
        ("strong", ["out", "links", "points", "margin", "near", "high"], 5),
        ("greedy-keep", ["low", "high"], 1),
        ("./first.py", ["high"], 0),
    ],
)
def test_weights_of_the_base_keep_their_places(base: str, weights: list[str], place: int) -> None:
    new_strategy.write("first")
    written = new_strategy.write("mine", base=base)
    found = catalog.strategy("./mine.py(high=9)", "jaques")
    assert (list(found.weights), found.weights["high"]) == (weights, 9)
    assert f"seat.weights[{place}]" in written.page.read_text("utf-8")
    assert found.page.base == written.base == base


def test_pages_are_clean(desk: Path) -> None:
    for game in catalog.GAMES:
        new_strategy.write(f"my_{game}", game)
    for check in (["check"], ["format", "--check"]):
        words = ["ruff", *check, "--no-cache", "--config", str(ROOT / "pyproject.toml"), "."]
        done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


@every_game
def test_what_may_be_asked_is_there(game: str) -> None:
    text = new_strategy.write("mine", game).page.read_text("utf-8")
    remarks = text.split("# What may be asked besides (")[1]
    homes = [import_module(name if "." in name else f"cooncan_sim.{name}")
             for name in remarks.split(")")[0].split(", ")]  # fmt: skip
    asked = set(re.findall(r"(?<![\w.])(\w+)\(", remarks.split("):", 1)[1]))
    assert len(asked) > 6
    for name in asked:
        assert name in catalog.DECISIONS or any(hasattr(home, name) for home in homes), name
    state = import_module(f"cooncan_sim.games.{catalog.game(game).engine}_state")
    for record, name in re.findall(r"\b(seat|table)\.(\w+)", text):
        fields = state.TABLE_DTYPE if record == "table" else state.SEAT_DTYPE
        assert name in (fields.names or ()), name
    decisions = catalog.game(game).part("play").DECISIONS
    assert set(re.findall(r"\bchoose_\w+", text)) == set(decisions)


# ---- the command --------------------------------------------------------------------------


def test_the_command_says_what_it_wrote(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], desk: Path
) -> None:
    words = ("mine", "--game", "partnership", "--base", "team", "--json")
    code, out, complaint = ended(monkeypatch, capsys, *words)
    assert (code, complaint) == (0, "")
    assert json.loads(out) == {
        "page": "mine.py",
        "question": "mine.toml",
        "games": ["partnership"],
        "base": "team",
        "next": [
            "cooncan compare partnership --control team --treatment ./mine.py --players 4",
            "cooncan run mine.toml --quick",
            "cooncan report results/mine",
        ],
    }
    assert sorted(path.name for path in desk.iterdir()) == ["mine.py", "mine.toml"]
    code, out, _ = ended(monkeypatch, capsys, "other")
    assert code == 0 and out.startswith("other.py plays as greedy")
    assert out.splitlines()[2] == "  cooncan run other.toml --quick"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "NAME"),
        ("keep-aces", "'keep-aces' is no name for a strategy: letters, digits and _"),
        ("../mine", "'../mine' is no name for a strategy"),
        ("2nd", "'2nd' is no name for a strategy"),
        ("class", "'class' is no name for a strategy"),
        ("greedy", "there is a strategy greedy already"),
        ("kk_greedy", "there is a strategy kk-greedy already"),
        ("json", "json is a module of Python or of an installed package, which json.py would hide"),
        ("math", "math is a module of Python"),
        ("numpy", "numpy is a module of Python or of an installed package"),
        ("cooncan_sim", "cooncan_sim is a module of Python or of an installed package"),
        ("mine --game whist", "unknown game 'whist'"),
        ("mine --base gredy", "unknown strategy 'gredy' (did you mean 'greedy'?)"),
        ("mine --base ./none.py", "strategy file ./none.py does not exist"),
        ("mine --base kk-greedy", "strategy kk-greedy does not play jaques"),
        ("mine --base greedy-keep(low=2)", "a page builds on another page, not on its weights"),
        ("page", "page.py is there already"),
        ("asked", "asked.toml is there already"),
    ],
)
def test_what_it_refuses(
    words: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    desk: Path,
) -> None:
    for name in ("page.py", "asked.toml"):
        (desk / name).write_text("mine", "utf-8")
    code, out, complaint = ended(monkeypatch, capsys, *words.split())
    assert (code, out) == (2, "")
    assert said in complaint
    assert complaint.startswith("cooncan: ") and complaint.count("\n") == 1
    assert "defect" not in complaint
    assert sorted(path.name for path in desk.iterdir()) == ["asked.toml", "page.py"]
    assert (desk / "page.py").read_text("utf-8") == "mine"


def test_a_folder_of_this_name_hides_nothing(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(desk)
    (desk / "mine").mkdir()
    assert new_strategy.write("mine").page.name == "mine.py"


def test_a_folder_that_cannot_be_written(desk: Path) -> None:
    with pytest.raises((CooncanError, OSError), match="nowhere"):
        new_strategy.write("mine", folder=desk / "nowhere")
