"""The command line: what it prints, what it writes, and what it says when something is wrong."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest

from cooncan_sim import cli
from cooncan_sim.commands.options import read_rules, split_players
from cooncan_sim.errors import LISTED, CooncanError, nearest


class Ended(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `cooncan` with these words in this process."""

    def run(*words: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["cooncan", *words])
        with pytest.raises(SystemExit) as end:
            cli.main()
        return Ended(int(end.value.code or 0), *capsys.readouterr())

    return run


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in an empty folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def good(ended: Ended) -> str:
    assert (ended.code, ended.err) == (0, "")
    return ended.out


PLAY = ("simulate", "jaques", "--players", "greedy,hold", "--deals", "50")


def test_help_names_every_command(run: Run) -> None:
    text = good(run("--help"))
    assert good(run()) == text
    for command in cli.app.registered_commands:
        assert f"\n  {command.name} " in text
        assert "--json" in good(run(str(command.name), "--help"))


def test_games(run: Run) -> None:
    assert good(run("games")).startswith("jaques ")
    assert json.loads(good(run("games", "--json")))[0]["players"] == [2, 3, 4]


def test_rules(run: Run) -> None:
    assert "HAND_SIZE=10 | 11" in good(run("rules", "jaques"))
    switches = json.loads(good(run("rules", "jaques", "--json")))["switches"]
    scope = next(switch for switch in switches if switch["name"] == "LAYOFF_SCOPE")
    assert (scope["default"], scope["options"]) == ("all", ["all", "own"])


def test_strategies(run: Run) -> None:
    assert "\nhold " in good(run("strategies", "--game", "jaques"))
    pages = {page["name"]: page for page in json.loads(good(run("strategies", "--json")))}
    assert pages["greedy-keep"]["weights"] == {"low": 5, "high": 8}


def test_evaluate(run: Run, elsewhere: Path) -> None:
    hand = "5H 6H 7H KD 2C"
    assert "12" in good(run("evaluate", "jaques", hand))
    found = json.loads(good(run("evaluate", "jaques", hand, "--json")))
    assert found == {"penalty": 12, "melds": [["5H", "6H", "7H"]], "unmelded": ["KD", "2C"]}
    joker = json.loads(good(run("evaluate", "konkan", "★ 7♥ 8♥ 10s", "--json")))
    assert (joker["melds"], joker["unmelded"]) == ([["7H", "8H", "*=9H"]], ["TS"])
    assert "* is a joker" in good(run("evaluate", "--help"))
    good(run("evaluate", "jaques", hand, "--picture", "hand.svg"))
    assert "<svg" in (elsewhere / "hand.svg").read_text("utf-8")


def test_simulate(run: Run) -> None:
    text = good(run(*PLAY))
    assert "greedy" in text and "hold" in text
    rows = json.loads(good(run(*PLAY, "--json")))
    assert [row["strategy"] for row in rows] == ["greedy", "hold"]
    assert json.loads(good(run(*PLAY, "--json", "--jobs", "1"))) == rows
    assert json.loads(good(run(*PLAY, "--json", "--seed", "1"))) != rows
    assert json.loads(good(run(*PLAY, "--json", "--rule", "HAND_SIZE=11"))) != rows
    assert good(run(*PLAY[:-1], "1")).startswith("jaques, 1 hand, seed 0\n")
    assert good(run(*PLAY[:-1], "1", "--match")).startswith("jaques, 1 match, seed 0\n")


def test_simulate_writes_a_row_per_seat_and_hand(run: Run) -> None:
    good(run(*PLAY, "--out", "hands.csv"))
    good(run(*PLAY, "--out", "hands.parquet"))
    rows = pd.read_csv("hands.csv")
    assert len(rows) == 100
    assert list(rows.columns[:4]) == ["deal", "seating", "seat", "strategy"]
    pd.testing.assert_frame_equal(
        pd.read_parquet("hands.parquet").astype(str), rows.astype(str), check_dtype=False
    )


def test_simulate_matches(run: Run) -> None:
    words = (*PLAY[:-1], "20", "--match")
    assert "20 matches" in good(run(*words))
    assert json.loads(good(run(*words, "--json")))[0]["matches"] == 20
    good(run(*words, "--out", "hands.csv"))
    rows = pd.read_csv("hands.csv")
    assert rows["match"].nunique() == 20
    assert rows["hand"].max() > 0


def test_compare(run: Run) -> None:
    words = ("compare", "jaques", "--control", "hold", "--treatment", "greedy")
    assert "greedy against hold" in good(run(*words, "--max-deals", "200"))
    rows = json.loads(good(run(*words, "--max-deals", "200", "--json")))
    assert (rows[0]["metric"], rows[0]["deals"]) == ("win", 200)


def test_help_tells_the_rule_of_the_smallest_effect(run: Run) -> None:
    said = " ".join(good(run("compare", "--help")).split())
    assert "An interval about 0 that lies within ± X shows no practical difference" in said
    assert "one clear of 0 still helps or hurts, however little." in said
    for command in ("compare", "tune"):
        said = " ".join(good(run(command, "--help")).split())
        assert "In the unit of --metric: hands won a hand (0.01 is one in a hundred)" in said
    endless = ("compare", "jaques", "--control", "greedy", "--treatment", "hold", "--min-effect")
    code, _, complaint = run(*endless, "inf")
    assert (code, "must be a number above 0, not inf" in complaint) == (2, True)


def test_a_table_is_as_small_as_the_game_allows(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("partnership", "--control", "greedy", "--treatment", "team", "--max-deals", "50")
    assert json.loads(good(run("compare", *words, "--json")))[0]["players"] == 4
    words = ("two_deck", "--players", "greedy,hold", "--deals", "50", "--json")
    assert json.loads(good(run("tournament", *words)))["seats"] == 3
    assert json.loads(good(run("tournament", *words, "--seats", "4")))["seats"] == 4
    asked = []
    monkeypatch.setattr("cooncan_sim.tune.tune", lambda *words, **named: asked.append(named))
    for game in ("jaques", "two_deck", "partnership"):
        run("tune", game, "greedy-keep")
    assert [named["players"] for named in asked] == [2, 3, 4]


def test_replay(run: Run, elsewhere: Path) -> None:
    words = ("replay", "jaques", "--players", "greedy,hold", "--seed", "1", "--deal", "3")
    text = good(run(*words))
    assert "Deal 3 of seed 1" in text
    logs = [json.loads(line) for line in good(run(*words, "--count", "2", "--json")).splitlines()]
    assert [log["deal"] for log in logs] == [3, 4]
    assert logs[0]["schema"] == "cooncan-hand/1"
    good(run(*words, "--html", "hand.html"))
    assert "<html" in (elsewhere / "hand.html").read_text("utf-8")
    logs = [json.loads(line) for line in good(run(*words, "--match", "--json")).splitlines()]
    assert [log["match"]["hand"] for log in logs] == list(range(1, len(logs) + 1))
    assert len(logs) > 1


def test_replay_shows_a_broken_hand(run: Run, elsewhere: Path) -> None:
    (elsewhere / "wrong.py").write_text(WRONG, "utf-8")
    words = ("replay", "jaques", "--players", "./wrong.py,greedy")
    ended = run(*words)
    assert ended.code == 2
    assert "Turn 7" in ended.out and "Turn 9" not in ended.out
    assert "strategy ./wrong.py in seat 0" in ended.err
    assert ended.err.count("\n") == 1
    log = json.loads(run(*words, "--json").out)
    assert "result" not in log and log["actions"][-1]["seat"] == 0
    run(*words, "--html", "hand.html")
    assert "<html" in (elsewhere / "hand.html").read_text("utf-8")


WRONG = '''"""Throws a card that is in no pack, but not at once."""
from cooncan_sim.view import throw

GAMES = ("jaques",)
BASE = "greedy"


def choose_discard(table, seat):
    return 63 if table.turns > 5 else throw(table, seat)
'''


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("simulat", "'simulate'"),
        ("--versoin", "--version"),
        ("simulate jaques", "--players"),
        ("simulate jaques --players greedy,hold --dels 3", "--deals"),
        ("simulate jaques --players greedy,hold --deals 0", "--deals"),
        ("simulate jaques --players greedy,hold --deals many", "--deals"),
        ("simulate jaques --players greedy,hold --jobs 0", "--jobs"),
        ("simulate jaques --players greedy,hold --jobs 100000", "from 1 to 1024, not 100000"),
        (f"simulate jaques --players greedy,hold --jobs {10**21}", "from 1 to 1024, not 1000"),
        ("simulate jaques --players greedy,hold --seed -1", "--seed"),
        ("simulate jaques --players greedy,,hold", "a name is missing"),
        ("simulate jaques --players greedy", "jaques is for 2, 3 or 4 players, not 1"),
        ("simulate jaques --players greedy-keep(,hold", "--players 'greedy-keep(,hold': a bracket"),
        ("simulate jaques --players greedy),hold", "a bracket is closed that was not opened"),
        ("simulate jaques --players greedy,/", "strategy / is a folder: name a file in it"),
        ("compare jaques --control greedy --treatment /", "strategy / is a folder: name a file in"),
        ("compare jaques --control greedy --treatment hold --others=", "strategy '' is not of the"),
        ("tune jaques greedy-keep --others=", "--others '': a name is missing"),
        ("simulate jaques --players gredy,hold", "'greedy'"),
        ("simulate jaques --players greedy,./mine.py", "mine.py"),
        ("simulate jaques --players greedy,greedy-keep(lo=3)", "'low'"),
        ("simulate jaques --players greedy,hold --rule HAND_SIZE", "NAME=VALUE"),
        ("simulate jaques --players greedy,hold --rule HAND_SIZE=12", "10, 11"),
        ("simulate jaques --players greedy,hold --rule HANDSIZE=11", "'HAND_SIZE'"),
        ("simulate jaques --players greedy,hold --out hands.xlsx", ".parquet or .csv"),
        ("simulate jaques --players greedy,hold --out nowhere/hands.csv", "nowhere"),
        (
            "simulate jaques --players greedy,hold --out=",
            "name is empty: it has to end in .parquet",
        ),
        ("replay jaques --players greedy,hold --html=", "name is empty: it has to end in .html"),
        ("simulate jaques --players greedy,hold --backend dask", "--scheduler ADDRESS"),
        ("simulate jaques --players greedy,hold --scheduler tcp://desk:8786", "--backend dask"),
        ("simulate jaques --players greedy,hold --backend disk --scheduler tcp://a:1", "'dask'?"),
        (
            "simulate jaques --players greedy,hold --backend dask --scheduler tcp://a:1 --jobs 2",
            "jobs",
        ),
        ("simulate chess --players greedy,hold", "jaques"),
        ("rules jacques", "'jaques'"),
        ("strategies --game jacques", "'jaques'"),
        ("evaluate jaques 5H,5H", "5H"),
        ("evaluate jaques 5X", "5X"),
        ("evaluate jaques 5H --picture hand.gif", ".svg or .png"),
        ("compare jaques --control greedy --treatment hold --players 7", "players"),
        ("compare jaques --control greedy --treatment hold --alpha 2", "alpha"),
        ("tune jaques greedy-keep --bound low=2", "--bound 'low=2': write it as NAME=LOW:HIGH"),
        ("tune jaques greedy-keep --bound low=nan:3", "--bound 'low=nan:3': write it as NAME="),
        ("tune jaques greedy-keep --bound low=-inf:3", "--bound 'low=-inf:3': write it as NAME="),
        ("tune jaques greedy-keep --bound low=2:3 --bound low=4:5", "--bound low is given twice"),
        ("tune jaques greedy-keep --bound lo=2:3", "'low'"),
        ("replay jaques --players greedy,hold --deal -1", "--deal"),
        ("replay jaques --players greedy,hold --html hand.pdf", ".html"),
        ("run nothing.toml", "nothing.toml"),
        ("run /", "/: is a folder; a question is a TOML file"),
        ("report nowhere", "nowhere"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(run: Run, words: str, said: str) -> None:
    ended = run(*words.split())
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("cooncan: ") and ended.err.endswith("\n")
    assert ended.err.count("\n") == 1
    assert said in ended.err
    assert "defect" not in ended.err


def test_a_defect_is_told_in_one_line_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cooncan_sim.games.rulebook.GAMES", None)
    ended = run("games")
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert "a defect of this program: AttributeError at catalogue.py:" in ended.err


QUESTION = """
question = "Which?"
claim = "T-00"
tip = "One of them."
source = "a test"
seed = 1

[[compare]]
game = "jaques"
treatment = { strategy = "greedy", label = "greedy" }
controls = [{ strategy = "hold", label = "hold" }, { strategy = "random", label = "random" }]
players = [2]
metric = "win"
min_effect = 0.003
deals = 300
quick_deals = 100
"""


def test_run_and_report(run: Run, elsewhere: Path) -> None:
    (elsewhere / "which.toml").write_text(QUESTION, "utf-8")
    assert "cooncan report results/which" in good(run("run", "which.toml", "--quick"))
    first = (elsewhere / "results/which/comparisons.csv").read_bytes()
    again = json.loads(good(run("run", "which.toml", "--quick", "--resume", "--json")))
    assert again == {"results": ["results/which"], "deals": 0}
    assert (elsewhere / "results/which/comparisons.csv").read_bytes() == first
    verdict, place = good(run("report", "results/which")).splitlines()
    assert place == "the page is results/which/report.html"
    assert re.match(r"Which\? (Yes|No|Not|That)\b.*\. In [\d,]+ hands of Coon Can, .*\.$", verdict)
    assert "Which?" in (elsewhere / "results/which/report.html").read_text("utf-8")
    told = json.loads(good(run("report", "results/which", "--markdown", "--json")))
    assert told["page"] == "results/which/report.md"
    assert verdict == f"Which? {told['questions'][0]['verdict']}"
    assert told["questions"][0]["finished"]
    assert "# Which?" in (elsewhere / "results/which/report.md").read_text("utf-8")
    code, _, complaint = run("report", "results/which", "--markdown", "--out", "a.html")
    assert code == 2 and "has to end in .md" in complaint


def test_a_page_edited_since_is_named_by_run_and_report(run: Run, elsewhere: Path) -> None:
    """The loop of the README: write, play, write up, edit, play again."""
    good(run("new-strategy", "low"))
    short = (elsewhere / "low.toml").read_text("utf-8") + "quick_deals = 50\n"
    (elsewhere / "low.toml").write_text(short, "utf-8")
    good(run("run", "low.toml", "--quick"))
    assert len(good(run("report", "results/low")).splitlines()) == 2
    page = elsewhere / "low.py"
    page.write_text(page.read_text("utf-8") + "\n# better\n", "utf-8")
    code, _, complaint = run("run", "low.toml", "--quick")
    assert code == 2
    assert complaint == (
        "cooncan: results/low holds other results, which are kept: ./low.py has changed since they "
        "were played. Keep both with: cooncan run low.toml --quick --out results/low-2; or remove "
        "results/low and run it again\n"
    )
    since = "./low.py has changed since these results were played."
    assert good(run("report", "results/low")).splitlines()[1] == since
    assert since in (elsewhere / "results/low/report.html").read_text("utf-8")
    told = json.loads(good(run("report", "results/low", "--markdown", "--json")))
    assert told["questions"][0]["changed"] == since
    assert since in (elsewhere / "results/low/report.md").read_text("utf-8")
    good(run("run", "low.toml", "--quick", "--out", "results/low-2"))
    assert since not in good(run("report", "results/low-2"))
    page.unlink()
    assert since not in good(run("report", "results/low"))


def test_ctrl_c_keeps_what_is_done(run: Run, elsewhere: Path) -> None:
    endless = QUESTION.replace("deals = 300", "deals = 300_000_000", 1)
    first_short = endless.replace(
        '[[compare]]\ngame = "jaques"',
        '[[compare]]\ngame = "jaques"\n'
        'treatment = { strategy = "hold", label = "hold" }\n'
        'controls = [{ strategy = "greedy", label = "greedy" }]\n'
        "players = [2]\n"
        'metric = "win"\nmin_effect = 0.003\ndeals = 50\nquick_deals = 50\n\n'
        '[[compare]]\ngame = "jaques"',
    )
    (elsewhere / "long.toml").write_text(first_short, "utf-8")
    done = elsewhere / "results/long/comparisons.csv"
    running = subprocess.Popen(
        [sys.executable, "-c", "from cooncan_sim.cli import main; main()", "run", "long.toml"],
        cwd=elsewhere,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while not done.exists() and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=120)
    finally:
        running.kill()
    kept = "stopped; what is done is kept, and the same command with --resume goes on\n"
    assert (running.returncode, out, err) == (130, "", kept)
    assert len(pd.read_csv(done)) == 1
    verdict, unfinished, _ = good(run("report", "results/long")).splitlines()
    assert verdict.startswith("Which? Not finished; so far: ")
    goes_on = "cooncan run long.toml --resume"
    assert unfinished == f"the run is not finished; it goes on with: {goes_on}"
    [told] = json.loads(good(run("report", "results/long", "--json")))["questions"]
    assert not told["finished"]
    assert told["verdict"] in verdict


@pytest.mark.parametrize("command", ["simulate --deals 9 --jobs 1", "simulate --deals 9", "replay"])
def test_ctrl_c_ends_a_strategy_that_never_answers(command: str) -> None:
    page = Path(__file__).parent / "bad_strategies" / "loops.py"
    name, *options = command.split()
    words = [name, "jaques", "--players", f"greedy,{page}", *options]
    running = subprocess.Popen(
        [sys.executable, "-c", "from cooncan_sim.cli import main; main()", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            running.communicate(timeout=5)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=120)
    finally:
        running.kill()
    assert (running.returncode, out, err) == (130, "", "stopped\n")


def test_a_closed_pipe_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(
        [sys.executable, "-c", "from cooncan_sim.cli import main; main()", "games"],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    assert ended.stderr == ""
    assert ended.returncode != 2


def test_players_are_split_outside_parentheses() -> None:
    assert split_players("greedy, greedy-keep(low=5,high=8),./a.py") == [
        "greedy",
        "greedy-keep(low=5,high=8)",
        "./a.py",
    ]


def test_a_rule_given_twice_is_refused() -> None:
    with pytest.raises(CooncanError, match="HAND_SIZE is given twice"):
        read_rules(["HAND_SIZE=10", "HAND_SIZE=11"])


def test_nearest() -> None:
    assert nearest("GREDY", ["greedy", "hold"]) == " (did you mean 'greedy'?)"
    assert nearest("chess", ["greedy", "hold"]) == ""
    few, many = ["greedy", "hold"], ["greedy", *(f"hold-{n}" for n in range(LISTED))]
    assert nearest("chess", few, "there are", "cooncan strategies") == "; there are greedy, hold"
    assert nearest("chess", many, "there are", "cooncan strategies") == (
        "; cooncan strategies lists them"
    )
    assert nearest("chess", many, "there are") == f"; there are {', '.join(many)}"
    for names in (few, many):
        assert nearest("gredy", names, "there are", "cooncan strategies") == (
            " (did you mean 'greedy'?); cooncan strategies lists all"
        )
        assert nearest("gredy", names, "there are") == " (did you mean 'greedy'?)"
    assert nearest("chess", [], "there are") == ""
