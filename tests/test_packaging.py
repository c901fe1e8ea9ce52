"""Wheel and sdist are complete: the wheel does the main job in an environment with nothing else.

The wheel is built from the sdist, so both are put to the test. The installed command runs in a
folder outside the checkout.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
QUESTION = """
question = "Does holding middle cards help?"
claim = "T-02"
tip = "Hold on to middle cards."
source = "a test"
seed = 1

[[compare]]
game = "jaques"
treatment = { strategy = "greedy-keep(low=5,high=8)", label = "keeping 5–8" }
controls = [{ strategy = "greedy-keep(low=1,high=4)", label = "keeping A–4" }]
players = [2]
metric = "win"
min_effect = 0.003
deals = 500
quick_deals = 200
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel made from it."""
    out = tmp_path_factory.mktemp("dist")
    _check([sys.executable, "-m", "build", "--outdir", str(out), str(ROOT)], out)
    return out


@pytest.fixture(scope="module")
def empty(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A fresh environment that holds the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    _check([sys.executable, "-m", "venv", str(folder)], built)
    (wheel,) = built.glob("*.whl")
    _check([str(folder / "bin" / "python"), "-m", "pip", "install", "-q", str(wheel)], built)
    yield folder
    shutil.rmtree(folder)  # nearly a gigabyte, and pytest keeps its folders


@pytest.fixture
def cooncan(empty: Path, tmp_path: Path) -> Callable[..., str]:
    """Runs the installed command in a folder outside the checkout; gives what it prints."""
    return lambda *words: _check([str(empty / "bin" / "cooncan"), *words], tmp_path, empty)


def _check(words: list[str], where: Path, cache: Path | None = None) -> str:
    """What a command prints that is run in the folder `where`, free of this checkout."""
    bare = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "NUMBA", "COV"))}
    if cache is not None:
        bare["XDG_CACHE_HOME"] = str(cache / "cache")
    ended = subprocess.run(words, cwd=where, env=bare, capture_output=True, text=True)
    assert ended.returncode == 0, f"{words}: {ended.stderr}"
    return ended.stdout


def test_wheel_is_whole(built: Path) -> None:
    """A folder that pyproject.toml does not name would not be installed."""
    homes = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    (wheel,) = built.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    for package, home in homes["package-dir"].items():
        folder = ROOT / home
        for path in folder.rglob("*"):
            if path.suffix in (".py", ".jinja", ".toml"):
                assert f"{package.replace('.', '/')}/{path.relative_to(folder)}" in packed


def test_sdist_is_whole(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    for name in (
        "cooncan_sim/cli.py",
        "strategies/greedy.py",
        "experiments/hold-middle-cards.toml",
        "reports/replay_page.html.jinja",
        "tests/cases/rules_cases.json",
        "tests/conftest.py",
        "CHANGELOG.md",
        "Makefile",
    ):
        assert name in names


def test_the_wheel_plays(cooncan: Callable[..., str], empty: Path) -> None:
    words = ("simulate", "jaques", "--players", "greedy,hold", "--deals", "300", "--json")
    first = cooncan(*words)
    assert [row["strategy"] for row in json.loads(first)] == ["greedy", "hold"]
    compiled = set(empty.rglob("*.nbc"))
    assert compiled
    assert cooncan(*words) == first
    assert set(empty.rglob("*.nbc")) == compiled, "compiled a second time"


def test_the_wheel_does_the_main_job(cooncan: Callable[..., str], tmp_path: Path) -> None:
    """A question to a page; the shipped question is the same with more deals."""
    pages = {page["name"] for page in json.loads(cooncan("strategies", "--json"))}
    assert {"greedy", "greedy-keep", "hold", "random"} <= pages
    (tmp_path / "middle.toml").write_text(QUESTION, "utf-8")
    cooncan("run", "middle.toml", "--out", "results")
    cooncan("report", "results/middle", "--out", "page.html")
    assert "holding middle cards" in (tmp_path / "page.html").read_text("utf-8").lower()


def test_the_wheel_writes_a_page_that_plays(cooncan: Callable[..., str]) -> None:
    written = json.loads(cooncan("new-strategy", "mine", "--json"))
    assert (written["page"], written["question"]) == ("mine.py", "mine.toml")
    words = ("simulate", "jaques", "--players", "./mine.py,greedy", "--deals", "50", "--json")
    assert [row["strategy"] for row in json.loads(cooncan(*words))] == ["./mine.py", "greedy"]


def test_the_wheel_shows_a_hand(cooncan: Callable[..., str], tmp_path: Path) -> None:
    words = ("replay", "jaques", "--players", "greedy,greedy", "--seed", "1")
    assert "Deal 0 of seed 1" in cooncan(*words)
    cooncan(*words, "--html", "hand.html")
    assert "<html" in (tmp_path / "hand.html").read_text("utf-8")


def test_pytest_runs_other_cases(tmp_path: Path) -> None:
    """`pytest --cases FILE`, typed in the checkout, with a FILE that lies elsewhere."""
    own = json.loads((ROOT / "tests/cases/rules_cases.json").read_text("utf-8"))
    right = next(c for c in own["cases"] if (c["game"], c["kind"]) == ("jaques", "meld"))
    wrong = right | {"id": "wrong", "expect": {"valid": not right["expect"]["valid"]}}
    (tmp_path / "other.json").write_text(json.dumps(own | {"cases": [right, wrong]}), "utf-8")
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "--cases", str(tmp_path / "other.json")]
        + ["-q", "-k", "test_cases", "-p", "no:cacheprovider"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 1
    assert "1 failed, 1 passed" in ended.stdout
    assert "test_case[wrong]" in ended.stdout
