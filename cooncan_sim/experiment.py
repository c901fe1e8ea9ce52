"""Runs questions: plays what they ask for and keeps the answers where a report finds them.

A question gets a folder of its own under the one asked for, named after its file:

    comparisons.csv, .parquet    one row per comparison, in the order of the question
    counts, chances, bands       (same two forms) what was counted, if it asks for that
    manifest.json                what was asked, with what, on which machine, and when

The tables depend on the question and the seed alone, down to the byte; times and machines are
in the manifest. Each comparison is on disk as soon as it is done.
"""

import json
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from cooncan_sim import exact
from cooncan_sim.compare import STOPPING, Comparison, measure
from cooncan_sim.designs import METRICS
from cooncan_sim.errors import CooncanError
from cooncan_sim.question import Comparing, Counting, Question, load

SCHEMA = "cooncan-results/1"
ALPHA = 0.05
MANIFEST = "manifest.json"
LIBRARIES = ("numpy", "numba", "scipy", "pandas")

Claim = Literal["supported", "refuted", "open"]


def run(
    paths: Sequence[str | Path],
    out: str | Path,
    quick: bool = False,
    resume: bool = False,
    progress: Callable[[int], None] | None = None,
    jobs: int | None = None,
) -> Path:
    """Answers questions, TOML files or names of shipped ones, into the folder `out`.

    `quick` plays fewer deals. `progress(n)` hears of every n deals done. What an earlier run of
    the same settings has finished is kept with `resume` and made anew without; results of
    other settings are refused. Returns `out`. Raises CooncanError for whatever is wrong with
    the questions before anything is played.
    """
    questions = [load(path) for path in paths]
    names = [question.name for question in questions]
    for name in names:
        if names.count(name) > 1:
            raise CooncanError(f"two questions are called {name}: their results would mix")
    folders = [Results(Path(out) / question.name, question, quick) for question in questions]
    for results in folders:
        results.check(resume)
    for results in folders:
        results.fill(jobs, progress)
    return Path(out)


def deals_to_play(
    paths: Sequence[str | Path], out: str | Path, quick: bool = False, resume: bool = False
) -> int:
    """How many deals `run` would play, for a progress bar."""
    total = 0
    for question in map(load, paths):
        results = Results(Path(out) / question.name, question, quick)
        results.check(resume)
        total += sum(comparing.deals for _, comparing in results.missing())
    return total


def judge(low: float, high: float, effect: float, least: float) -> Claim:
    """Whether a claim of a gain of at least `least` stands (RULES.md Part 3, *Decision*).

    Supported: the interval lies above 0 and the estimate reaches `least`. Refuted: the whole
    interval stays below `least`. Open: more deals are needed.
    """
    if low > 0 and effect >= least:
        return "supported"
    return "refuted" if high < least else "open"


class Results:
    """The folder of one question: what is in it, and what is still to come."""

    def __init__(self, folder: Path, question: Question, quick: bool) -> None:
        self.folder = folder
        self.question = question
        self.planned = question.comparisons(quick)
        self.quick = quick
        self.settings = _settings(question, self.planned)
        self.rows = pd.DataFrame()
        self.runs: list[dict[str, Any]] = []

    def check(self, resume: bool) -> None:
        """Takes up what is there. Refuses results of other settings, and plans no game can play."""
        for comparing in self.planned:
            _ = comparing.trial.plan().strategies  # raises for what is not in the catalogue
        path = self.folder / MANIFEST
        if not path.exists():
            return
        manifest = read_manifest(self.folder)
        if manifest["settings"] != self.settings:
            raise CooncanError(
                f"{self.folder} holds results of other settings "
                f"({_first_difference(manifest['settings'], self.settings)}); "
                "choose another folder or remove this one"
            )
        if resume:
            self.runs = manifest["runs"]
            kept = self.folder / "comparisons.parquet"
            self.rows = pd.read_parquet(kept) if kept.exists() else pd.DataFrame()

    def missing(self) -> list[tuple[int, Comparing]]:
        """The comparisons without a result, with their numbers from 1."""
        done = set(self.rows["comparison"]) if len(self.rows) else set()
        numbered = list(enumerate(self.planned, start=1))
        return [(number, comparing) for number, comparing in numbered if number not in done]

    def fill(self, jobs: int | None, progress: Callable[[int], None] | None) -> None:
        """Counts and plays all that is missing; on disk after each."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.runs.append(_circumstances())
        self._save_manifest()
        if len(self.rows):  # the run before may have stopped between the two forms
            save(self.rows, self.folder / "comparisons")
        if self.question.exact:
            for name, table in count(self.question.exact).items():
                save(table, self.folder / name)
        for number, comparing in self.missing():
            comparison = measure(
                comparing.trial,
                comparing.deals,
                min_effect=comparing.min_effect,
                alpha=ALPHA,
                jobs=jobs,
                tick=progress,
            )
            row = _row(number, comparing, comparison)
            self.rows = pd.concat([self.rows, row]).sort_values("comparison", ignore_index=True)
            save(self.rows, self.folder / "comparisons")
            self.runs[-1]["comparisons"].append(number)
            self._save_manifest()
        self._save_manifest()

    def _save_manifest(self) -> None:
        self.runs[-1]["ended"] = _now()
        question = self.question
        manifest = {
            "schema": SCHEMA,
            "name": question.name,
            "question": question.question,
            "claim": question.claim,
            "tip": question.tip,
            "source": question.source,
            "asked": question.asked,
            "quick": self.quick,
            "finished": not self.missing(),
            "played": self._played(),
            "stopping": STOPPING,
            "settings": self.settings,
            "runs": self.runs,
        }
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        _replace(self.folder / MANIFEST, lambda path: path.write_text(text, "utf-8"))

    def _played(self) -> dict[str, int]:
        """Hands over all comparisons, and those of them that MAX_TURNS ended (R-COM-11)."""
        rows = self.rows
        names = ("hands", "capped_hands")
        return {name: int(rows[name].sum()) if len(rows) else 0 for name in names}


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a question's results. Raises CooncanError if there is none to be read."""
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise CooncanError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise CooncanError(f"{path}: not a manifest: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise CooncanError(f"{path}: not a manifest of {SCHEMA}")
    return manifest


def count(counting: Counting) -> dict[str, pd.DataFrame]:
    """The tables of an `[exact]` part: the ace low only, and then at both ends too."""
    aces = (False, True)
    counts = pd.concat([exact.count_runs(counting.lengths, high) for high in aces])
    labels = {(band.low, band.high): band.label for band in counting.bands}
    bands = exact.band_averages(counts, list(labels))
    bands.insert(0, "band", [labels[edges] for edges in zip(bands.low, bands.high, strict=True)])
    chances = pd.concat([exact.chances(counting.hand_size, high) for high in aces])
    return {"counts": counts, "bands": bands, "chances": chances}


def save(table: pd.DataFrame, stem: Path) -> None:
    """Writes a table as Parquet and CSV, each whole or not at all."""
    _replace(stem.with_suffix(".parquet"), lambda path: table.to_parquet(path, index=False))
    _replace(
        stem.with_suffix(".csv"),
        lambda path: table.to_csv(path, index=False, lineterminator="\n"),
    )


def _replace(path: Path, write: Callable[[Path], object]) -> None:
    """Writes beside `path` and moves it there, so that a stop in between spoils nothing."""
    beside = path.with_name(f".{path.name}.new")
    write(beside)
    os.replace(beside, path)


def _row(number: int, comparing: Comparing, comparison: Comparison) -> pd.DataFrame:
    row = comparison.summary()
    estimate = comparison.estimates[0]
    better = METRICS[estimate.metric].better
    low, high = sorted((better * estimate.low, better * estimate.high))
    claim = judge(low, high, better * estimate.effect, estimate.min_effect)
    row.insert(0, "comparison", number)
    row.insert(1, "treatment_label", comparing.treatment.label)
    row.insert(2, "control_label", comparing.control.label)
    row["claim"] = claim
    return row


def _settings(question: Question, planned: list[Comparing]) -> dict[str, Any]:
    """All that decides a number in the tables; two runs that agree in it agree in them."""
    settings = {
        "cooncan_sim": version("cooncan-sim"),
        "seed": question.seed,
        "alpha": ALPHA,
        "exact": asdict(question.exact) if question.exact else None,
        "comparisons": [
            asdict(comparing.trial)
            | {
                "deals": comparing.deals,
                "min_effect": comparing.min_effect,
                "labels": [comparing.treatment.label, comparing.control.label],
            }
            for comparing in planned
        ],
    }
    return json.loads(json.dumps(settings))  # tuples become lists, as in the file


def _first_difference(old: Any, new: Any, name: str = "settings") -> str:
    """`deals 1000, now 2000`: the first place where two settings part."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *new]:
            if old.get(key) != new.get(key):
                return _first_difference(old.get(key), new.get(key), key)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for before, after in zip(old, new, strict=True):
            if before != after:
                return _first_difference(before, after, name)
    if isinstance(old, list) and isinstance(new, list):
        return f"{len(old)} {name}, now {len(new)}"
    return f"{name} {old}, now {new}"


def _circumstances() -> dict[str, Any]:
    """Where, when, by which command and with which versions this run is made."""
    return {
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "started": _now(),
        "ended": _now(),
        "comparisons": [],
        "versions": {
            "cooncan_sim": version("cooncan-sim"),
            "python": platform.python_version(),
            **{name: version(name) for name in LIBRARIES},
        },
        "git": _commit(),
        "machine": {
            "system": platform.platform(),
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
        },
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _commit() -> dict[str, Any] | None:
    """The commit the engine runs from and whether files differ from it; None outside a checkout."""
    here = Path(__file__)

    def git(*words: str) -> str:
        ended = subprocess.run(
            ["git", "-C", str(here.parent), *words], capture_output=True, text=True, check=True
        )
        return ended.stdout.strip()

    try:
        git("ls-files", "--error-unmatch", here.name)  # else it is some other project's commit
        return {
            "commit": git("rev-parse", "HEAD"),
            "changed": bool(git("status", "--porcelain", "-uno")),
        }
    except (OSError, subprocess.CalledProcessError):
        return None
