"""A scheduler and two workers, started with the README's commands: the same bytes as on threads."""

import os
import pickle
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from cooncan_sim import CooncanError, cli, simulate, workers
from cooncan_sim.match import MatchSimulation
from cooncan_sim.simulate import Hands, Plan, StrategyError, joined, play_many

distributed = pytest.importorskip("distributed", reason="Dask is not installed")

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BAD = ROOT / "tests" / "bad_strategies"
PLAYERS = ("greedy", "hold")
ADDRESS = "tcp://127.0.0.1:8786"  # in the README


def shown(command: str) -> list[str]:
    """The words of the README's one line that begins so; `dask` is that of this Python."""
    [line] = re.findall(rf"^\.venv/bin/({command}\b.*)$", README, re.M)
    words = shlex.split(line)
    return [sys.executable, "-m", "dask", *words[1:]] if words[0] == "dask" else words


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two workers, which run in a folder without any strategy."""
    folder = tmp_path_factory.mktemp("cluster")
    note = folder / "scheduler.json"
    running = []

    def start(words: list[str], *more: str) -> None:
        with (folder / f"{len(running)}.log").open("w") as log:
            running.append(
                subprocess.Popen(
                    [*words, *more, "--no-dashboard", "--dashboard-address", "127.0.0.1:0"],
                    cwd=folder, stdout=log, stderr=log, start_new_session=True,
                )
            )  # fmt: skip

    try:
        start(shown("dask scheduler"), "--host", "127.0.0.1", "--port", "0",
              "--scheduler-file", str(note))  # fmt: skip
        until(lambda: note.exists() and note.read_text("utf-8").rstrip().endswith("}"))
        found = re.search(r"tcp://[\d.]+:\d+", note.read_text("utf-8"))
        assert found
        words = [found[0] if word == ADDRESS else word for word in shown("dask worker")]
        assert words != shown("dask worker")
        start(words, "--nworkers", "2", "--nthreads", "1", "--local-directory", str(folder))
        yield found[0]
    finally:
        for process in reversed(running):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def until(true: Callable[[], object]) -> None:
    """Waits for it, for a minute at most."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[Any]:
    """A client of the cluster that is current in this process, both workers being there."""
    simulate("jaques", PLAYERS, 10)  # compiled once, and not by both workers at a time
    with distributed.Client(address, timeout=60) as client:
        client.wait_for_workers(2, timeout=60)
        yield client


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small batches make many tasks too."""
    monkeypatch.setitem(workers.PIECE_SECONDS, "dask", 0.02)


def same(one: Hands, other: Hands) -> bool:
    pairs = zip(one.columns, other.columns, strict=True)
    return all(a.tobytes() == b.tobytes() and a.dtype == b.dtype for a, b in pairs)


def stopped(*args: Any, **options: Any) -> StrategyError:
    with pytest.raises(StrategyError) as error:
        simulate(*args, **options)
    return error.value


def run(*words: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["cooncan", *words])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return int(end.value.code or 0)


def refusal() -> str:
    with pytest.raises(CooncanError) as refused:
        simulate("jaques", PLAYERS, 100, backend="dask")
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_there_has_to_be_a_client() -> None:
    """The first test, for later ones leave theirs open."""
    assert "make one with dask.distributed.Client(ADDRESS)" in refusal()


# ---- the same as on threads ---------------------------------------------------------------


def test_the_workers_change_no_byte(client: Any) -> None:
    told: list[int] = []
    here = simulate("jaques", PLAYERS, 6000, 7, rules={"HAND_SIZE": "11"})
    there = simulate(
        "jaques", PLAYERS, 6000, 7, rules={"HAND_SIZE": "11"}, backend="dask", progress=told.append
    )
    assert same(here.hands, there.hands)
    pd.testing.assert_frame_equal(here.frame(), there.frame())
    assert str(here) == str(there) and here.rules == there.rules
    assert sum(told) == 6000 and len(told) > 3


def test_without_the_hands_there_are_the_totals(client: Any) -> None:
    there = simulate("jaques", PLAYERS, 3000, 7, backend="dask", keep=False)
    assert there.hands is None
    pd.testing.assert_frame_equal(there.summary(), simulate("jaques", PLAYERS, 3000, 7).summary())


@pytest.mark.parametrize("name", ["raises", "lays_two_cards"])
def test_a_strategy_breaks_the_same_hand(client: Any, name: str) -> None:
    table = ("jaques", ["greedy", str(BAD / f"{name}.py")], 3000, 1)
    here, there = stopped(*table), stopped(*table, backend="dask")
    assert str(here) == str(there)
    assert here.partial.deals == there.partial.deals
    assert same(here.partial.hands, there.partial.hands)
    table = (*table[:2], 200, 1)
    went_on = [simulate(*table, keep_going=True, backend=backend) for backend in (None, "dask")]
    assert same(*(batch.hands for batch in went_on))
    assert "broken" in str(went_on[0])


def test_matches_are_the_same(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cooncan_sim.match.MATCHES_A_PIECE", 16)
    told: list[int] = []
    table = ("jaques", (*PLAYERS, "random"), 400, 3)
    here = simulate(*table, match=True)
    there = simulate(*table, match=True, backend="dask", progress=told.append)
    assert isinstance(here, MatchSimulation) and isinstance(there, MatchSimulation)
    pd.testing.assert_frame_equal(here.frame(), there.frame())
    pd.testing.assert_frame_equal(here.matches(), there.matches())
    assert [len(part) for part in there.parts] == told == [16] * 25
    without = simulate(*table, match=True, backend="dask", keep=False)
    pd.testing.assert_frame_equal(here.summary(), without.summary())


def test_a_strategy_breaks_the_same_match(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cooncan_sim.match.MATCHES_A_PIECE", 2)
    patient = (BAD / "raises.py").read_text("utf-8").replace("> 40", "> 150")
    (tmp_path / "patient.py").write_text(patient, "utf-8")
    table = ("jaques", ["greedy", str(tmp_path / "patient.py")], 300, 4)
    here = stopped(*table, match=True)
    there = stopped(*table, match=True, backend="dask")
    assert str(here) == str(there)
    assert len(here.partial.parts) == len(there.partial.parts) > 0
    pd.testing.assert_frame_equal(here.partial.frame(), there.partial.frame())


def test_the_command_writes_the_same_file(
    client: Any, address: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    words = shown("cooncan simulate jaques .*--scheduler")[1:]
    words[words.index("--deals") + 1] = "3000"
    cut = words.index("--backend")
    assert words[cut:] == ["--backend", "dask", "--scheduler", ADDRESS]
    printed, files = [], []
    for where in ([], ["--backend", "dask", "--scheduler", address]):
        out = tmp_path / f"hands{len(files)}.parquet"
        assert run(*words[:cut], *where, "--out", str(out), monkeypatch=monkeypatch) == 0
        printed.append(capsys.readouterr())
        files.append(out.read_bytes())
    assert printed[0] == printed[1] and printed[0].err == ""
    assert files[0] == files[1]


def test_the_readme_in_python(
    client: Any, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    [block] = re.findall(r"^```pycon\n(.*?)^```$", README, re.S | re.M)
    lines = "".join(line.removeprefix(">>> ") for line in block.splitlines(keepends=True))
    names: dict[str, Any] = {"cc": sys.modules["cooncan_sim"]}
    exec(lines.replace(ADDRESS, address).replace("2_000_000", "3_000"), names)
    names["client"].close()
    assert capsys.readouterr().out == f"{simulate('jaques', PLAYERS, 3000, 7)}\n"


def test_pages_are_sent_and_what_they_build_on(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers have no such files; when one is edited, they play by what is in it now."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text('"""Mine."""\nGAMES = ("jaques",)\nBASE = "./below.py"\n')
    wins = []
    for low in (1, 7):
        Path("below.py").write_text(
            f'"""Below."""\nGAMES = ("jaques",)\nBASE = "greedy-keep"\nWEIGHTS = {{"low": {low}}}\n'
        )
        table = ("jaques", ["./mine.py(high=8)", f"greedy-keep(low={low})"], 800)
        there = simulate(*table, backend="dask")
        named = simulate("jaques", [f"greedy-keep(low={low})"] * 2, 800)
        assert same(there.hands, named.hands)
        assert there.players[0] == "./mine.py"
        wins.append(there.totals.wins[0])
    assert wins[0] != wins[1]


def test_a_worker_that_dies_is_made_up_for(client: Any) -> None:
    plan = Plan("jaques", (PLAYERS,), 5)
    parts = play_many(plan, 20_000, backend="dask")
    hands = [next(parts)[1]]
    os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
    hands += [part for _, part in parts]
    assert same(joined(hands), simulate("jaques", PLAYERS, 20_000, 5).hands)
    client.wait_for_workers(2, timeout=60)


# ---- little is sent, little is ahead, nothing is left --------------------------------------


def idle(client: Any) -> bool:
    return not any(client.processing().values())


def test_a_plan_travels_light() -> None:
    plan = Plan("jaques", (PLAYERS,), 5)
    plan.prepare()
    packed = pickle.dumps((plan, plan.pages))
    assert len(packed) < 1000
    assert pickle.loads(packed) == (plan, plan.pages)


def test_few_tasks_are_ahead_and_none_stays(client: Any) -> None:
    """However slowly the hands are taken; when nobody wants more, the workers stop."""
    parts = play_many(Plan("jaques", (PLAYERS,)), 500_000_000, backend="dask")
    for _ in range(20):
        next(parts)
    until(lambda: idle(client))
    assert len(client.futures) == workers.TASKS_AHEAD * 2 - 1
    parts.close()
    until(lambda: idle(client) and not client.futures)


def test_ctrl_c_stops_the_workers_too(client: Any, address: str) -> None:
    words = ["simulate", "jaques", "--players", "greedy,hold", "--deals", "500000000"]
    words += ["--backend", "dask", "--scheduler", address]
    running = subprocess.Popen(
        [sys.executable, "-c", "from cooncan_sim.cli import main; main()", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        until(lambda: not idle(client))
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert (running.returncode, out, err) == (130, "", "stopped\n")
    until(lambda: idle(client))


# ---- what is refused ----------------------------------------------------------------------


def exchange(module: str, attribute: str | None, value: object) -> Callable[[], None]:
    """What puts this in a module's, or a module's own, place; run again it takes it out."""

    def on_worker() -> None:
        import sys

        places = vars(sys.modules[module]) if attribute else sys.modules
        place = attribute or module
        kept = vars(sys).setdefault("_exchanged", {})
        if place in kept:
            places[place] = kept.pop(place)
        else:
            kept[place], places[place] = places[place], value

    return on_worker


@pytest.mark.parametrize(
    ("module", "attribute", "value", "said"),
    [
        (
            "cooncan_sim.workers",
            "program",
            lambda: "cooncan-sim 0.0.1 (12345678)",
            r"^worker tcp://\S+: it has cooncan-sim 0.0.1 \(12345678\), and cooncan-sim \S+ "
            r"\(\w{8}\) is asked for: install the same cooncan-sim and the same Numba on every",
        ),
        (
            "cooncan_sim.workers",
            None,
            None,
            "^a worker cannot play: .*cooncan_sim.workers.*; install the same cooncan-sim on every",
        ),
        (
            "cooncan_sim.page_copies",
            "_digest",
            lambda pages: "",
            r"^worker tcp://\S+: its pages of greedy, hold are others than where they were asked",
        ),
    ],
)
def test_workers_that_would_play_otherwise(
    client: Any, module: str, attribute: str | None, value: object, said: str
) -> None:
    simulate("jaques", PLAYERS, 3000, backend="dask")  # so that both have loaded everything
    client.run(exchange(module, attribute, value))
    try:
        assert re.search(said, refusal())
    finally:
        client.run(exchange(module, attribute, value))
    assert simulate("jaques", PLAYERS, 100, backend="dask").deals == 100


def test_a_scheduler_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 0.2)
    nobody = distributed.LocalCluster(n_workers=0, processes=False, dashboard_address="127.0.0.1:0")
    with nobody, distributed.Client(nobody):
        assert re.fullmatch(
            r"the scheduler (\S+) has no workers; on every machine: dask worker \1", refusal()
        )


@pytest.mark.parametrize("trouble", ["KilledWorker", "CancelledError"])
def test_troubles_of_the_cluster_are_one_line(trouble: str) -> None:
    class Task:
        def result(self) -> None:
            raise error

    last = SimpleNamespace(address="tcp://a:1")
    error = getattr(distributed, trouble)(*(["task", last, 3] if "Killed" in trouble else ["task"]))
    with pytest.raises(CooncanError, match="tcp://a:1$|scheduler of the cluster is gone"):
        workers._result(Task())


def test_somebody_silent_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    class Waits:
        def __init__(self, address: str, timeout: float) -> None:
            time.sleep(60)

    monkeypatch.setattr(workers, "PATIENCE", 0.05)
    monkeypatch.setattr(distributed, "Client", Waits)
    with pytest.raises(CooncanError, match="^no scheduler answers at tcp://a:1: it is silent$"):
        with workers.scheduler("tcp://a:1"):
            pass


def test_nobody_at_the_address(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 0.5)
    words = ["simulate", "jaques", "--players", "greedy,hold", "--backend", "dask", "--scheduler"]
    for nowhere in ("tcp://127.0.0.1:9", "chess://desk:1", "127.0.0.1"):
        assert run(*words, nowhere, monkeypatch=monkeypatch) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.count("\n") == 1
        assert err.startswith(f"cooncan: no scheduler answers at {nowhere}: ")
