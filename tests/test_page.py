"""The page: every number traced to a file, nothing fetched, and the words that the rows deserve."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest

from cooncan_sim import experiment
from cooncan_sim.errors import CooncanError
from cooncan_sim.exact import RANKS
from cooncan_sim.reports import page, tables, wording
from cooncan_sim.simulate import Plan
from tests import fake_play
from tests.test_charts import comparisons
from tests.test_experiment import GOOD


class Reader(HTMLParser):
    """Tags with their attributes, numbers with their values, and the words outside drawings."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.numbers: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.drawn: list[str] = []
        self.within: list[str] = []
        self.feed(text)
        self.close()
        assert self.within == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.within.append(tag)
        if tag == "data":
            self.numbers.append((dict(attrs)["value"] or "", ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.within.pop() == tag

    def handle_data(self, text: str) -> None:
        if "data" in self.within:
            self.numbers[-1] = (self.numbers[-1][0], self.numbers[-1][1] + text)
        elif "svg" in self.within:
            self.drawn.append(text.strip())
        elif not {"style", "script"} & set(self.within):
            self.words.append(text)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a question that was played by chance."""
    folder = tmp_path_factory.mktemp("page")
    path = folder / "more.toml"
    path.write_text(GOOD, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cooncan_sim.outcomes.play_many", fake_play.play_many)
        patch.setattr(Plan, "strategies", ())
        experiment.run([path], folder / "out", quick=True)
    return folder / "out" / "more"


@pytest.fixture(scope="module")
def written(results: Path) -> Path:
    return page.write(results)


def numbers_in(text: str) -> list[float]:
    return [float(n.replace(",", "")) for n in re.findall(r"\d[\d,]*\.?\d*", text)]


def values_on_disk(results: Path) -> set[float]:
    """Every number in the CSV files and in the manifest."""
    found: set[float] = set()
    for path in results.glob("*.csv"):
        table = pd.read_csv(path).select_dtypes("number")
        found |= {float(value) for value in table.to_numpy().ravel()}
    return found | set(numbers_in((results / "manifest.json").read_text("utf-8")))


def test_every_number_is_in_the_files_and_rounded_right(written: Path, results: Path) -> None:
    known = values_on_disk(results)
    numbers = Reader(written.read_text("utf-8")).numbers
    assert len(numbers) > 100
    names = {name: place for place, name in enumerate(tables.NAMED)}
    for raw, text in numbers:
        value = float(raw)
        assert value in known, (raw, text)
        if text in names:
            assert names[text] == value
            continue
        if text in ("∞", "–") or text[0] in "<>":
            continue
        shown = text.replace("−", "-").replace(",", "").removesuffix(" %")
        digits = len(shown.partition(".")[2])
        scales = (100,) if "%" in text else (1, 100)
        # Hands to notice and effects in prose keep two digits, the rest all that they show.
        slack = [
            max(0.5 * 10**-digits, 0.05 * abs(scale * value) * (digits < 2)) for scale in scales
        ]
        sign = abs if shown[0] not in "+-" else float
        assert any(
            abs(float(shown) - sign(scale * value)) <= room * (1 + 1e-9)
            for scale, room in zip(scales, slack, strict=True)
        ), (raw, text)


def test_numbers_in_words_and_drawings_are_in_the_files_too(written: Path, results: Path) -> None:
    """What no `data` element vouches for is a label, a setting or a text from the question."""
    reader = Reader(written.read_text("utf-8"))
    settings = (results / "manifest.json").read_text("utf-8") + " 95 % 1 100 2 3 4 5 6 7 8 9 10"
    allowed = set(numbers_in(settings + " ".join(RANKS)))
    for text in reader.words:
        commit = re.sub(r"commit \w+", "", text)
        assert set(numbers_in(commit)) <= allowed, text
    rows = tables.effect_rows(pd.read_parquet(results / "comparisons.parquet"))
    effects = {f"{row.effect.text} {row.unit}" for row in rows}
    assert effects <= set(reader.drawn)


def test_the_page_needs_nothing_else(written: Path) -> None:
    text = written.read_text("utf-8")
    reader = Reader(text)
    assert "http" not in re.sub(r'"http://www.w3.org/[^"]*"', "", text)
    for tag, attributes in reader.tags:
        assert tag not in ("script", "link", "img", "iframe")
        link = attributes.get("href") or attributes.get("xlink:href") or "#"
        assert link[0] == "#" or link.startswith("data:text/csv;base64,")
    assert "@import" not in text
    assert "url(" not in re.sub(r"url\(#[^)]+\)", "", text)


def test_the_page_can_be_read_by_all(written: Path) -> None:
    reader = Reader(written.read_text("utf-8"))
    tags = [tag for tag, _ in reader.tags]
    assert ("html", {"lang": "en"}) in reader.tags
    assert tags.count("h1") == 1
    drawings = [attributes for tag, attributes in reader.tags if tag == "svg"]
    assert len(drawings) == 4  # two charts in two widths
    ids = [attributes["id"] for _, attributes in reader.tags if attributes.get("id")]
    assert len(ids) == len(set(ids))
    for drawing in drawings:
        assert drawing["role"] == "img"
        assert set((drawing["aria-labelledby"] or "").split()) <= set(ids)
    assert all("scope" in attributes for tag, attributes in reader.tags if tag == "th")
    text = written.read_text("utf-8")
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_what_the_page_tells(written: Path, results: Path) -> None:
    said = "".join(Reader(written.read_text("utf-8")).words)
    for words in (
        "Is more better?", "Have more.", "claim T-99", "seed 3", "fixed number of deals",
        f"cooncan run {results.parents[1] / 'more.toml'} --quick", "cooncan report results/more",
        "quick run", "greedy" if "greedy" in GOOD else "having more: s6",
    ):  # fmt: skip
        assert words in said
    assert "not finished" not in said


def test_charts_lie_beside_the_page(results: Path, tmp_path: Path) -> None:
    out = page.write(results, tmp_path / "elsewhere.html")
    assert out == tmp_path / "elsewhere.html"
    assert sorted(path.name for path in (tmp_path / "charts").iterdir()) == [
        "more-runs.png", "more-runs.svg", "more-win-1.png", "more-win-1.svg",
    ]  # fmt: skip
    assert out.read_text("utf-8") == page.write(results).read_text("utf-8")


def test_several_questions_share_a_page(results: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        for path in results.iterdir():
            if path.is_file():
                (folder / path.name).write_bytes(path.read_bytes())
        manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
        manifest |= {"name": name, "question": f"Question {name}?", "finished": name == "one"}
        (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    text = page.write(tmp_path).read_text("utf-8")
    reader = Reader(text)
    assert [attributes["href"] for tag, attributes in reader.tags if tag == "a"][:2] == [
        "#one",
        "#two",
    ]
    assert text.count("The run is not finished") == 1
    ids = [attributes["id"] for _, attributes in reader.tags if attributes.get("id")]
    assert len(ids) == len(set(ids))


def test_a_run_that_has_counted_but_not_played(results: Path, tmp_path: Path) -> None:
    for path in results.iterdir():
        if path.is_file() and not path.name.startswith("comparisons"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    said = "".join(Reader(page.write(tmp_path).read_text("utf-8")).words)
    assert "What counting says" in said
    assert "What playing says" not in said


def test_no_results(tmp_path: Path) -> None:
    with pytest.raises(CooncanError, match="no results here"):
        page.write(tmp_path)


# --- words -----------------------------------------------------------------------------


def rows_with(claims: list[str], verdicts: list[str] | None = None) -> list[tables.EffectRow]:
    """Two alternatives at two tables, in the order little/2, little/3, some/2, some/3."""
    table = comparisons().iloc[[0, 1, 4, 5]].assign(claim=claims)
    if verdicts:
        table = table.assign(verdict=verdicts)
    return tables.effect_rows(table)


@pytest.mark.parametrize(
    ("claims", "short"),
    [
        (["supported"] * 4, "Yes."),
        (["refuted"] * 4, "No."),
        (["open"] * 4, "Not settled yet."),
        (["supported", "open"] * 2, "Yes, as far as it is settled."),
        (["refuted", "open"] * 2, "No, as far as it is settled."),
        (["supported"] * 2 + ["refuted"] * 2, "That depends on what you would do instead."),
        (["supported", "refuted"] * 2, "That depends on how many play."),
        (
            ["supported", "refuted", "open", "open"],
            "That depends on what you would do instead, and on how many play.",
        ),
    ],
)
def test_the_short_answer(claims: list[str], short: str) -> None:
    assert wording.answer(rows_with(claims)).short == short


def test_a_tip_that_always_hurts() -> None:
    assert wording.answer(rows_with(["refuted"] * 4, ["hurts"] * 4)).short == "No, it hurts."


def test_sentences_say_what_the_rows_say() -> None:
    def said(verdicts: list[str]) -> list[str]:
        rows = rows_with(["open"] * 4, verdicts)
        return [wording.plain_text(line) for line in wording.answer(rows).lines]

    assert said(["hurts", "hurts", "helps", "helps"]) == [
        "Compared with having some, having more wins more hands whether two or three play, "
        "by 1.0 to 2.0 percentage points.",
        "Compared with having little, having more wins fewer hands whether two or three play, "
        "by 2.0 to 3.0 percentage points.",
    ]
    assert said(["hurts", "unresolved", "no practical difference", "helps"]) == [
        "Compared with having some, having more wins as many hands with two players, give or "
        "take 0.3 percentage points; it wins more hands with three players, by 2.0 percentage "
        "points.",
        "Compared with having little, having more wins fewer hands with two players, by 3.0 "
        "percentage points; it may be better or worse with three players: that is not settled yet.",
    ]


def test_when_a_player_would_notice() -> None:
    table = comparisons().iloc[[0, 5]].assign(hands_to_notice=[2345.0, 7.2])
    said = wording.plain_text(wording.notice(tables.effect_rows(table)))
    assert said == (
        "Would you notice? The largest of these differences, having more against having some "
        "with three players, stands out from the luck of the deal after about 7 hands; the "
        "smallest, having more against having little with two players, after about 2,300."
    )
    one = wording.notice(tables.effect_rows(table.iloc[:1]))
    assert wording.plain_text(one).endswith("after about 2,300 hands.")


def test_ranks_in_words() -> None:
    assert wording.ranks([1, 2, 12, 13]) == "A, 2, Q and K"
    assert wording.ranks([4, 3, 9, 10, 11]) == "3, 4 and 9 to J"
    assert wording.ranks([5]) == "5"


def test_what_counting_says() -> None:
    tip = {"ace": ["low"] * 13, "length": [3] * 13, "position": range(1, 14)}
    counts = pd.DataFrame({**tip, "runs": [1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 1]})
    lines = [wording.plain_text(line) for line in wording.counted(counts, "5–8", 5, 8)]
    assert lines == [
        "Runs of three cards: every card from 5–8 fits into three, the most that any card does; "
        "so do 3, 4 and 9 to J. A, 2, Q and K fit into fewer.",
        "Whatever the length, A, 2, Q and K fit into fewer, 3, 4 and 9 to J fit into no fewer.",
    ]
    lines = [wording.plain_text(line) for line in wording.counted(counts, "A–4", 1, 4)]
    assert lines == [
        "Runs of three cards: every card from A–4 fits into one or more; so do 5 to K.",
        "Whatever the length, 5 to K fit into no fewer.",
    ]


def test_a_row_without_an_interval_is_shown_as_such() -> None:
    table = comparisons("net", 0.2)
    table.loc[0, ["low", "high"]] = float("nan")
    rows = tables.effect_rows(table)
    assert (rows[0].low.text, rows[0].high.text) == ("–", "–")
    assert "nan" not in page.forest_chart("x", rows).inline(True)
