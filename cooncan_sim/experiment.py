"""Runs questions: plays what they ask for and keeps the answers where a report finds them.

A question gets a folder of its own under the one asked for, named after its file:

    comparisons, secondary, looks    .csv and .parquet: see `comparing.Comparing`
    conditionals                     see `comparing.Conditional`
    contrasts                        see `arms.Contrasting`
    observations, distributions      see `arms.Observing`
    decisions, changes, weighed      see `weighing.Weighing`
    counts, bands, chances           what `[exact]` counts, see `exact`
    long_runs                        what `[long_runs]` counts, see `long_runs`
    manifest.json                    what was asked, with what, on which machine, and when

Only what the question asks for is there. The tables depend on the question, the strategies and
the seed alone, down to the byte; times and machines are in the manifest. Each step is on disk as
soon as it is done.
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
from itertools import count as count_from
from pathlib import Path
from typing import Any

import pandas as pd

from cooncan_sim import exact, long_runs
from cooncan_sim.arms import Memory
from cooncan_sim.compare import SEQUENTIAL, STOPPING
from cooncan_sim.differing import difference, digest, named
from cooncan_sim.errors import CooncanError
from cooncan_sim.judging import ALPHA, FAMILY, Tables, judged
from cooncan_sim.question import Counting, Question, load
from cooncan_sim.simulate import Plan
from cooncan_sim.steps import Step, steps

SCHEMA = "cooncan-results/2"
MANIFEST = "manifest.json"
LIBRARIES = ("numpy", "numba", "scipy", "pandas")
PLAYED = (  # the tables with hands of their own
    "comparisons",
    "conditionals",
    "contrasts",
    "observations",
    "decisions",
)


def run(
    paths: Sequence[str | Path],
    out: str | Path,
    quick: bool = False,
    resume: bool = False,
    progress: Callable[[int], None] | None = None,
    jobs: int | None = None,
) -> Path:
    """Answers questions, TOML files or names of shipped ones, into the folder `out`.

    `quick` plays fewer deals. `progress(n)` hears of every n deals done or not needed any more.
    What an earlier run of the same settings has finished is kept with `resume` and made anew
    without; results of other settings are refused, and so are those of strategies whose pages
    have changed. Returns `out`. Raises CooncanError for whatever is wrong with the questions
    before anything is played.
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
    """How many deals `run` would play at most, for a progress bar."""
    total = 0
    for question in map(load, paths):
        results = Results(Path(out) / question.name, question, quick)
        results.check(resume)
        total += sum(step.most_deals for _, step in results.missing())
    return total


class Results:
    """The folder of one question: what is in it, and what is still to come."""

    def __init__(self, folder: Path, question: Question, quick: bool) -> None:
        self.folder = folder
        self.question = question
        self.quick = quick
        self.planned = numbered(steps(question, quick))
        self.tests = sum(step.tests for _, step in self.planned)
        self.tables: Tables = {}
        self.runs: list[dict[str, Any]] = []

    def check(self, resume: bool) -> None:
        """Takes up what is there. Refuses results of other settings, and plans no game can play."""
        pages: dict[str, str] = {}
        known: set[tuple[str, str]] = set()
        for _, step in self.planned:
            for plan in step.plans:
                specs = {(plan.game, spec) for seating in plan.seatings for spec in seating}
                if not specs <= known:
                    pages |= self._digests(plan)
                    known |= specs
        self.settings = _settings(self.question, self.planned, pages)
        path = self.folder / MANIFEST
        if not path.exists():
            return
        manifest = read_manifest(self.folder)
        if manifest["settings"] != self.settings:
            raise CooncanError(self._refusal(manifest))
        if resume:
            self.runs = manifest["runs"]
            self._take_up()

    def _refusal(self, manifest: dict[str, Any]) -> str:
        """Why the results that are there are left alone, and what to type instead."""
        why = difference(manifest, self.settings, self.quick)
        places = (self.folder.with_name(f"{self.folder.name}-{n}") for n in count_from(2))
        place = next(path for path in places if not path.exists())
        again = ["cooncan", "run", self.question.asked, *(["--quick"] if self.quick else [])]
        both = shlex.join([*again, "--out", str(place)])
        return (
            f"{self.folder} holds other results, which are kept: {why}. Keep both with: {both}; "
            f"or remove {self.folder} and run it again"
        )

    def _digests(self, plan: Plan) -> dict[str, str]:
        try:
            return {named(one, plan.game): digest(one, plan.game) for one in plan.strategies}
        except CooncanError as error:
            raise CooncanError(f"{self.question.asked}: {error}") from None

    def _take_up(self) -> None:
        """The tables of finished steps. A run may have stopped between two tables of a step."""
        for _, step in self.planned:
            for name in step.tables:
                path = self.folder / f"{name}.parquet"
                if name not in self.tables and path.exists():
                    self.tables[name] = pd.read_parquet(path)
        for _, step in self.planned:
            done = self._done(step)
            for name in step.tables:
                rows = self.tables.pop(name, pd.DataFrame())
                kept = rows[rows[step.kind].isin(done)] if len(rows) else rows
                if len(kept):
                    self.tables[name] = kept.reset_index(drop=True)

    def _done(self, step: Step) -> set[int]:
        rows = self.tables.get(step.tables[-1])
        return set() if rows is None else set(rows[step.kind])

    def missing(self) -> list[tuple[int, Step]]:
        """The steps without a result, with their numbers from 1 among those of their kind."""
        return [(number, step) for number, step in self.planned if number not in self._done(step)]

    def fill(self, jobs: int | None, progress: Callable[[int], None] | None) -> None:
        """Counts and plays all that is missing; on disk after each step."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.runs.append(_circumstances())
        self._save_manifest()
        self.tables = judged(self.tables, self.tests)
        for name, table in self.tables.items():  # the run before may have stopped while writing
            save(table, self.folder / name)
        for name, table in self._counted().items():
            save(table, self.folder / name)
        memory = Memory()
        for number, step in self.missing():
            self._add(number, step, step.play(jobs, progress or (lambda deals: None), memory))
            self.runs[-1]["steps"].append([step.kind, number])
            self._save_manifest()
        self._save_manifest()

    def _counted(self) -> Tables:
        tables = count(self.question.exact) if self.question.exact else {}
        if self.question.long_runs:
            tables["long_runs"] = long_runs.completions(self.question.long_runs.lengths)
        return tables

    def _add(self, number: int, step: Step, tables: Tables) -> None:
        """Puts the rows of a step in their place and saves its tables, the one that counts last.

        Then those of other steps, whose claims stand or fall with the new ones.
        """
        before = self.tables
        for name in step.tables:
            rows = tables[name]
            if not len(rows):
                continue
            rows = rows.copy()
            rows.insert(0, step.kind, number)
            whole = pd.concat([before[name], rows]) if name in before else rows
            whole = whole.sort_values(step.kind, kind="stable", ignore_index=True)
            self.tables = self.tables | {name: whole}
        self.tables = judged(self.tables, self.tests)
        for name in step.tables:
            if len(tables[name]):
                save(self.tables[name], self.folder / name)
        for name in FAMILY:
            if name in before and name not in step.tables:
                save(self.tables[name], self.folder / name)

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
            "stopping": self._stopping(),
            "settings": self.settings,
            "runs": self.runs,
        }
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        _replace(self.folder / MANIFEST, lambda path: path.write_text(text, "utf-8"))

    def _played(self) -> dict[str, int]:
        """Hands behind all the numbers, and those of them that MAX_TURNS ended (R-COM-11)."""
        played = {"hands": 0, "capped_hands": 0}
        for table in PLAYED:
            if table in self.tables:  # rows of one step speak of the same hands
                kind = next(step.kind for _, step in self.planned if table in step.tables)
                rows = self.tables[table].drop_duplicates(kind)
                for name in played:
                    played[name] += int(rows[name].sum())
        return played

    def _stopping(self) -> str:
        sequential = {getattr(step, "sequential", False) for _, step in self.planned}
        return "; ".join(SEQUENTIAL if one else STOPPING for one in sorted(sequential))


def numbered(planned: Sequence[Step]) -> list[tuple[int, Step]]:
    """Each step with its number among those of its kind, from 1."""
    counts: dict[str, int] = {}
    found = []
    for step in planned:
        counts[step.kind] = counts.get(step.kind, 0) + 1
        found.append((counts[step.kind], step))
    return found


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


def _settings(
    question: Question, planned: list[tuple[int, Step]], pages: dict[str, str]
) -> dict[str, Any]:
    """All that decides a number in the tables; two runs that agree in it agree in them."""
    settings: dict[str, Any] = {
        "cooncan_sim": version("cooncan-sim"),
        "seed": question.seed,
        "alpha": ALPHA,
        "exact": asdict(question.exact) if question.exact else None,
        "long_runs": asdict(question.long_runs) if question.long_runs else None,
        "strategies": pages,
    }
    for kind in ("comparison", "conditional", "contrast", "observation", "rollout"):
        settings[f"{kind}s"] = [step.settings() for _, step in planned if step.kind == kind]
    return json.loads(json.dumps(settings))  # tuples become lists, as in the file


def _circumstances() -> dict[str, Any]:
    """Where, when, by which command and with which versions this run is made."""
    return {
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "started": _now(),
        "ended": _now(),
        "steps": [],
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
