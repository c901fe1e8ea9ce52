"""The committed results: whole, of today's questions, and a part of them made again."""

import math
from pathlib import Path

import pandas as pd
import pytest

from cooncan_sim.arms import Memory
from cooncan_sim.experiment import Results, count, numbered, read_manifest, save
from cooncan_sim.question import Question, load
from cooncan_sim.steps import Step, steps

ROOT = Path(__file__).parents[1]
PUBLISHED = ROOT / "reports" / "published"
QUESTIONS = sorted(path.stem for path in (ROOT / "experiments").glob("*.toml"))


def published(name: str, table: str) -> pd.DataFrame:
    return pd.read_csv(PUBLISHED / name / f"{table}.csv")


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_is_answered_as_it_is_asked_today(name: str, tmp_path: Path) -> None:
    manifest = read_manifest(PUBLISHED / name)
    assert manifest["finished"] and not manifest["quick"]
    assert all(run["git"]["changed"] is False for run in manifest["runs"])
    results = Results(tmp_path, load(name), quick=False)
    results.check(resume=False)
    asked = {key: value for key, value in results.settings.items() if key != "strategies"}
    assert {key: manifest["settings"][key] for key in asked} == asked
    assert (PUBLISHED / f"{name}.html").exists()


def test_the_index_leads_to_every_page() -> None:
    index = (PUBLISHED / "index.html").read_text("utf-8")
    assert all(f'href="{name}.html' in index for name in QUESTIONS)


def cheapest() -> list[tuple[str, int, Step]]:
    """Of each kind of step the one with the fewest hands, where those are few."""
    found: dict[str, tuple[float, str, int, Step]] = {}
    for name in QUESTIONS:
        for number, step in numbered(steps(load(name), quick=False)):
            rows = published(name, step.tables[-1])
            hands = rows.get("hands", rows["deals"])[rows[step.kind] == number].sum()
            if hands < found.get(step.kind, (math.inf,))[0]:
                found[step.kind] = (hands, name, number, step)
    return [(name, number, step) for _, name, number, step in found.values()]


@pytest.mark.parametrize("kind", ["comparison", "conditional", "contrast", "observation"])
def test_a_small_part_made_again_is_the_same_to_the_last_digit(kind: str, tmp_path: Path) -> None:
    [(name, number, step)] = [one for one in cheapest() if one[2].kind == kind]
    tables = step.play(None, lambda deals: None, Memory())
    for table, rows in tables.items():
        if not len(rows):
            continue
        save(rows, tmp_path / table)
        again = pd.read_csv(tmp_path / f"{table}.csv")
        kept = published(name, table)
        kept = kept[kept[kind] == number].reset_index(drop=True)
        columns = [column for column in again if column not in ("p_holm", "claim")]
        pd.testing.assert_frame_equal(again[columns], kept[columns], check_exact=True)


def counting() -> list[Question]:
    return [question for question in map(load, QUESTIONS) if question.exact]


def test_what_is_counted_is_the_same(tmp_path: Path) -> None:
    assert counting()
    for question in counting():
        for table, rows in count(question.exact).items():
            save(rows, tmp_path / table)
            written = (tmp_path / f"{table}.csv").read_text("utf-8")
            assert written == (PUBLISHED / question.name / f"{table}.csv").read_text("utf-8")
