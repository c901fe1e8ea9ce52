"""Pages of a tournament and of a search: their numbers are in the tables they carry."""

import re
from pathlib import Path

import pandas as pd
import pytest

from cooncan_sim.reports import contest_page
from cooncan_sim.tournament import tournament
from cooncan_sim.tune import tune
from tests.test_page import Reader, check_number, values_of


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sheets")
    names = ["greedy", "hold", "random"]
    contest_page.write(
        contest_page.of_tournament(tournament("jaques", names, deals=60)), folder / "who.html"
    )
    found = tune("jaques", "greedy-keep", bounds={"high": (9, 9)}, steps=30, max_deals=300)
    contest_page.write(contest_page.of_tuning(found), folder / "weights.html")
    return folder


@pytest.mark.parametrize("name", ["who", "weights"])
def test_every_number_is_in_the_tables(name: str, sheets: Path) -> None:
    reader = Reader((sheets / f"{name}.html").read_text("utf-8"))
    assert len(reader.numbers) > 4
    for raw, text in reader.numbers:
        check_number(raw, text, values_of(reader))


def test_the_matrix_comes_first_and_is_drawn_best_first(sheets: Path) -> None:
    text = (sheets / "who.html").read_text("utf-8")
    reader = Reader(text)
    titles = re.findall(r"<svg.*?<title[^>]*>([^<]*)</title>", text, re.S)
    assert titles[0] == "Matrix: win"
    assert [words for words in reader.drawn if words[:2] in ("1 ", "2 ", "3 ")][:3] == [
        "1  hold", "2  greedy", "3  random",
    ]  # fmt: skip
    assert {path.name for path in (sheets / "charts").glob("*.csv")} == {
        "who-matrix-win.csv", "who-matrix-net.csv", "who-ratings-strength.csv",
        "who-ratings-points.csv", "who-lengths.csv", "who-costs.csv", "weights-tuning.csv",
    }  # fmt: skip


def test_pages_in_one_folder_keep_their_charts(tmp_path: Path) -> None:
    """Also where they show the same: each page's files are its own."""
    one, two = (tournament("jaques", ["greedy", name], deals=50) for name in ("hold", "random"))
    contest_page.write(contest_page.of_tournament(one), tmp_path / "a.html")
    first = {path.name: path.read_bytes() for path in (tmp_path / "charts").iterdir()}
    contest_page.write(contest_page.of_tournament(two), tmp_path / "b.html")
    after = {path.name: path.read_bytes() for path in (tmp_path / "charts").iterdir()}
    assert {name: after[name] for name in first} == first
    assert all(name.startswith("a-") for name in first)
    assert set(after) - set(first) == {f"b-{name[2:]}" for name in first}
    assert first["a-matrix-win.csv"] != after["b-matrix-win.csv"]


def test_the_hands_are_those_of_the_tournament(sheets: Path) -> None:
    lengths = pd.read_csv(sheets / "charts" / "who-lengths.csv")
    played = tournament("jaques", ["greedy", "hold", "random"], deals=60).frame()
    for name, curve in lengths.groupby("curve"):
        hands = played[played["strategy"] == name].drop_duplicates(["deal", "seating"])
        [row] = curve[curve["at"] <= 20].tail(1).itertuples()
        assert row.share == pytest.approx((hands["turns"] > row.at).mean())
    costs = pd.read_csv(sheets / "charts" / "who-costs.csv")
    assert set(costs["curve"]) == {"greedy", "hold", "random"}
    assert (costs.groupby("curve")["share"].last() == 1).all()


def test_the_path_of_a_search_is_drawn(sheets: Path) -> None:
    reader = Reader((sheets / "weights.html").read_text("utf-8"))
    table = reader.linked_tables()["path.csv"]
    assert list(table.columns) == ["step", "low"]
    assert len(table) == 31
    assert any(words.startswith("low 1 →") or words.startswith("low 5 →") for words in reader.drawn)
    assert "greedy-keep" in "".join(reader.words)
