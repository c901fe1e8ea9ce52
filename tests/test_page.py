"""The pages: every number traced to a file, nothing fetched, the same in Markdown."""

import base64
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest

from cooncan_sim import rounding
from cooncan_sim.errors import CooncanError
from cooncan_sim.exact import RANKS
from cooncan_sim.experiment import read_manifest
from cooncan_sim.reports import page, tables


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
        if tag not in ("meta", "br", "link"):
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

    def hrefs(self) -> list[str]:
        """Where the links of the page lead."""
        return [attributes["href"] or "" for tag, attributes in self.tags if tag == "a"]

    def linked_tables(self) -> dict[str, pd.DataFrame]:
        """The CSV files that the page carries."""
        found = {}
        for tag, attributes in self.tags:
            if tag == "a" and "download" in attributes:
                text = base64.b64decode((attributes["href"] or "").split(",")[1])
                found[attributes["download"] or ""] = pd.read_csv(io.BytesIO(text))
        return found


@pytest.fixture(scope="module")
def pages(by_chance: Path, played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an index with the pages of all questions."""
    out = tmp_path_factory.mktemp("pages") / "index.html"
    page.write([by_chance, played], out)
    return out.parent


QUESTIONS = ["more", "screened", "swept", "back"]


def read(pages: Path, name: str) -> Reader:
    return Reader((pages / f"{name}.html").read_text("utf-8"))


def folder_of(name: str, by_chance: Path, played: Path) -> Path:
    return played if name == "back" else by_chance / name


def numbers_in(text: str) -> list[float]:
    return [float(n.replace(",", "")) for n in re.findall(r"\d[\d,]*\.?\d*", text)]


def values_of(reader: Reader) -> set[float]:
    """Every number in the tables that a page carries."""
    found: set[float] = set()
    for table in reader.linked_tables().values():
        numbers = table.select_dtypes("number")
        found |= {float(value) for value in numbers.to_numpy().ravel()}
    return found


def check_number(raw: str, text: str, known: set[float]) -> None:
    """A number of a page: it is known, and rounded right."""
    names = {name: place for place, name in enumerate(tables.NAMED)} | {"none": 0}
    value = float(raw)
    assert value in known or value != value, (raw, text)
    if text in names:
        assert names[text] == value
        return
    if text in ("∞", "–") or text[0] in "<>":
        return
    shown = text.replace("−", "-").replace(",", "").removesuffix(" %")
    digits = len(shown.partition(".")[2])
    scales = (100,) if "%" in text else (1, 100)
    # Hands to notice and effects in prose keep two digits, the rest all that they show.
    slack = [max(0.5 * 10**-digits, 0.05 * abs(scale * value) * (digits < 2)) for scale in scales]
    sign = abs if shown[0] not in "+-" else float
    assert any(
        abs(float(shown) - sign(scale * value)) <= room * (1 + 1e-9)
        for scale, room in zip(scales, slack, strict=True)
    ), (raw, text)


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_number_is_in_the_tables_and_rounded_right(
    name: str, pages: Path, by_chance: Path, played: Path
) -> None:
    reader = read(pages, name)
    known = values_of(reader)
    assert len(reader.numbers) > 60
    for raw, text in reader.numbers:
        check_number(raw, text, known)
    tables_on_disk = sorted(path.name for path in folder_of(name, by_chance, played).glob("*.csv"))
    assert set(tables_on_disk) <= set(reader.linked_tables())


def test_numbers_of_the_index_too(pages: Path, by_chance: Path, played: Path) -> None:
    reader = read(pages, "index")
    known = values_of(reader)
    for name in QUESTIONS:
        own = read(pages, name)
        known |= values_of(own) | {float(raw) for raw, _ in own.numbers}
    assert len(reader.numbers) > 20
    folders = [folder_of(name, by_chance, played) for name in QUESTIONS]
    assert float(reader.numbers[0][0]) == sum(
        read_manifest(folder)["played"]["hands"] for folder in folders
    )
    for raw, text in reader.numbers:
        check_number(raw, text, known)


def test_the_index_says_where_else_a_claim_was_tested(
    pages: Path, by_chance: Path, played: Path
) -> None:
    """Not the first comparison alone: every setting, and the range of the effects."""
    reader = read(pages, "index")
    tests = reader.linked_tables()["tests.csv"]
    rows = pd.read_parquet(by_chance / "more" / "comparisons.parquet")
    own = tests[tests["name"] == "more"]
    assert own["effect"].tolist() == rows["effect"].tolist()
    assert own["claim"].tolist() == rows["claim"].tolist()
    back = tests[tests["name"] == "back"]
    assert back["table"].tolist() == ["comparisons", "contrasts"]
    assert len(rows) > 4
    places = rounding.decimals((100 * (rows["high"] - rows["low"]) / 2).median())
    ends = [
        rounding.signed(100 * of, places) for of in (rows["effect"].min(), rows["effect"].max())
    ]
    lead = "From the least to the most in these settings."
    said = f"{lead} Hands won: {ends[0]} to {ends[1]} pp."
    assert said in texts(pages, "index")
    page.write([by_chance, played], pages / "markdown" / "index.md", markdown=True)
    assert said in (pages / "markdown" / "index.md").read_text("utf-8")


def texts(pages: Path, name: str) -> str:
    """All that a reader sees on a page, without the tags."""
    return re.sub(r"<[^>]+>", "", (pages / f"{name}.html").read_text("utf-8"))


@pytest.mark.parametrize("name", ["more", "screened", "swept"])
def test_numbers_in_words_and_drawings_are_in_the_files_too(
    name: str, pages: Path, by_chance: Path
) -> None:
    """What no `data` element vouches for is a label, a setting or a text from the question."""
    reader = read(pages, name)
    settings = (by_chance / name / "manifest.json").read_text("utf-8")
    allowed = set(numbers_in(settings + " ".join(RANKS) + " 95 % 1 100 1,000 0.02"))
    allowed |= set(range(14))
    for text in reader.words:
        commit = re.sub(r"commit \w+", "", text)
        assert set(numbers_in(commit)) <= allowed, text
    rows = tables.effect_rows(pd.read_parquet(by_chance / name / "comparisons.parquet"))
    assert {f"{row.effect.text} {row.unit}" for row in rows} <= set(reader.drawn)


@pytest.mark.parametrize("name", [*QUESTIONS, "index"])
def test_a_page_needs_nothing_else(name: str, pages: Path) -> None:
    text = (pages / f"{name}.html").read_text("utf-8")
    reader = Reader(text)
    assert "http" not in re.sub(r'"http://www.w3.org/[^"]*"', "", text)
    for tag, attributes in reader.tags:
        assert tag not in ("script", "img", "iframe")
        link = attributes.get("href") or attributes.get("xlink:href") or "#"
        beside = (pages / link).is_file() if ":" not in link and link[0] != "#" else True
        assert beside, link
        assert link.startswith(("#", "data:")) or ":" not in link
    assert "@import" not in text
    assert "url(" not in re.sub(r"url\(#[^)]+\)", "", text)


@pytest.mark.parametrize("name", [*QUESTIONS, "index"])
def test_a_page_can_be_read_by_all(name: str, pages: Path) -> None:
    reader = read(pages, name)
    tags = [tag for tag, _ in reader.tags]
    assert ("html", {"lang": "en"}) in reader.tags
    assert tags.count("h1") == 1
    drawings = [attributes for tag, attributes in reader.tags if tag == "svg"]
    assert drawings
    ids = [attributes["id"] for _, attributes in reader.tags if attributes.get("id")]
    assert len(ids) == len(set(ids))
    for drawing in drawings:
        assert drawing["role"] == "img"
        assert set((drawing["aria-labelledby"] or "").split()) <= set(ids)
    assert all("scope" in attributes for tag, attributes in reader.tags if tag == "th")
    text = (pages / f"{name}.html").read_text("utf-8")
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_what_a_page_tells(pages: Path, by_chance: Path) -> None:
    said = re.sub(r"\s+", " ", texts(pages, "more"))
    for words in (
        "Is more better?", "Have more.", "claim T-99", "Seed 3", "fixed number of deals",
        f"cooncan run {by_chance.parent / 'more.toml'} --quick", "cooncan report results/more",
        "quick run", "having more: s6", "How sure is that?", "Would you notice?",
        "After", "what the others play", "What else changes", "What counting says",
    ):  # fmt: skip
        assert words.lower() in said.lower(), words
    assert "not finished" not in said


def test_each_kind_of_result_has_its_charts(pages: Path) -> None:
    charts = {path.stem for path in (pages / "charts").glob("*.svg")}
    assert charts == {
        "more-win-1", "more-players", "more-penalty-besides", "more-runs",
        "screened-win-1", "screened-looks", "screened-runs",
        "swept-win-1", "swept-sweep-1",
        "back-win-1", "back-ways", "back-change-turns", "back-change-void", "back-rules-turns",
        "back-seen-starter", "back-seen-turns", "back-turns", "back-points", "index-win",
    }  # fmt: skip
    for name in charts:
        assert {path.suffix for path in (pages / "charts").glob(f"{name}.*")} == {
            ".svg", ".png", ".csv",
        }  # fmt: skip


def test_the_hands_on_which_two_strategies_part_ways(pages: Path) -> None:
    assert "back-hands.html" in read(pages, "back").hrefs()
    assert not (pages / "more-hands.html").exists()  # strategies that do not exist
    hands = re.search(r">(\{.*?\})</script>", (pages / "back-hands.html").read_text("utf-8"), re.S)
    assert hands is not None
    shown = json.loads(hands[1])["hands"]
    assert [one["seats"][0]["strategy"] for one in shown] == ["hold", "greedy"] * 2
    for treated, control in zip(shown[::2], shown[1::2], strict=True):
        assert treated["choice"].split(",")[0] == control["choice"].split(",")[0]
        assert treated["steps"][0] == control["steps"][0]
        assert treated["steps"] != control["steps"]
    assert "--stock-order per_seat" in texts(pages, "back")


def test_one_question_makes_one_page(by_chance: Path, tmp_path: Path) -> None:
    out, [only] = page.write(by_chance / "more", tmp_path / "elsewhere.html")
    assert out == tmp_path / "elsewhere.html"
    assert only.short == "Yes."
    assert "all questions" not in out.read_text("utf-8")
    again, _ = page.write(by_chance / "more", tmp_path / "again.html")
    assert out.read_text("utf-8") == again.read_text("utf-8")


def copied(results: Path, folder: Path, **changes: object) -> Path:
    """The results once more, with another manifest."""
    folder.mkdir()
    for path in results.iterdir():
        if path.is_file():
            (folder / path.name).write_bytes(path.read_bytes())
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    (folder / "manifest.json").write_text(json.dumps(manifest | changes), "utf-8")
    return folder


@pytest.mark.parametrize(
    ("claim", "source", "told"),
    [
        ("T-99", "somebody", "somebody (claim T-99)"),
        ("", "somebody", "somebody"),
        ("T-99", "", "(claim T-99)"),
        ("", "", ""),
    ],
)
def test_who_gave_the_tip_is_told_where_it_is_known(
    claim: str, source: str, told: str, by_chance: Path, tmp_path: Path
) -> None:
    results = copied(by_chance / "swept", tmp_path / "tip", claim=claim, source=source)
    out, [only] = page.write(results)
    assert only.origin == told
    assert ("<footer>" in out.read_text("utf-8").split('class="verdict"')[0]) == bool(told)
    out, _ = page.write(results, markdown=True)
    head = out.read_text("utf-8").split("**")[0]
    assert head.count("\n>") == (3 if told else 1) and told in head


def test_an_index_by_itself_lies_in_the_folder_of_the_questions(
    by_chance: Path, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        copied(by_chance / "swept", tmp_path / name, name=name, finished=name == "one")
    place, pages = page.write(tmp_path)
    assert (place, len(pages)) == (tmp_path / "index.html", 2)
    reader = Reader(place.read_text("utf-8"))
    assert reader.hrefs()[:2] == ["one.html", "two.html"]
    assert place.read_text("utf-8").count("<strong>Not finished; so far: ") == 1
    assert "The run is not finished" in (tmp_path / "two.html").read_text("utf-8")
    assert "The run is not finished" not in (tmp_path / "one.html").read_text("utf-8")
    assert page.write([tmp_path / "one", tmp_path / "two"])[0] == place


def test_the_index_of_several_folders_lies_in_the_one_that_holds_them(
    by_chance: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nowhere else without being asked: where there is no such folder, a place has to be named."""
    for name in ("one", "two"):
        copied(by_chance / "swept", tmp_path / name, name=name)
    (tmp_path / "away").mkdir()
    three = copied(by_chance / "swept", tmp_path / "away" / "three", name="three")
    monkeypatch.chdir(tmp_path / "one")
    for given in ([".", "../two"], ["../two", "../one"], ["..//one", str(tmp_path / "two")]):
        place, pages = page.write(given)
        assert place.resolve() == tmp_path / "index.html"
        assert {one.name for one in pages} == {"one", "two"}
    place.unlink()
    with pytest.raises(CooncanError, match=r"\.\./two and .*/three lie in different folders: say"):
        page.write(["../two", three])
    assert not (tmp_path / "index.html").exists() and not (three.parent / "index.html").exists()
    assert page.write(["../two", three], tmp_path / "away" / "all.html")[0].exists()


def test_the_same_folder_twice_is_refused(by_chance: Path, tmp_path: Path) -> None:
    one = copied(by_chance / "swept", tmp_path / "one", name="one")
    for given in ([one, one], [tmp_path, one], [one, tmp_path / "one" / ".." / "one"]):
        with pytest.raises(CooncanError, match="one is given twice"):
            page.write(given)
    assert not list(tmp_path.glob("*.html")) and not list(one.glob("*.html"))


def test_two_results_of_one_name_are_refused(by_chance: Path, tmp_path: Path) -> None:
    twice = [by_chance / "swept", copied(by_chance / "swept", tmp_path / "copy")]
    with pytest.raises(CooncanError, match="two results are called swept"):
        page.write(twice, tmp_path / "index.html")


def test_a_run_that_has_counted_but_not_played(by_chance: Path, tmp_path: Path) -> None:
    results = copied(by_chance / "more", tmp_path / "more", finished=False)
    for path in results.iterdir():
        if path.name.startswith(("comparisons", "secondary")):
            path.unlink()
    out, [only] = page.write(results)
    said = out.read_text("utf-8")
    assert "What counting says" in said
    assert "What playing says" not in said
    assert only.short == "Not finished."
    assert only.verdict_line.startswith("Not finished. ")


@pytest.mark.parametrize("markdown", [False, True])
def test_the_verdict_of_an_unfinished_run_is_not_given_as_final(
    markdown: bool, by_chance: Path, tmp_path: Path
) -> None:
    (tmp_path / "here").mkdir()
    results = copied(by_chance / "more", tmp_path / "here" / "more", finished=False, quick=True)
    whole = page.Page(by_chance / "more")
    assert (whole.short, whole.finished) == ("Yes.", True)
    assert "All twelve settings tried bear the claim out." in whole.verdict_line
    out, [only] = page.write(results, markdown=markdown)
    assert (only.short, only.finished) == ("Not finished; so far: yes.", False)
    assert only.verdict_line.startswith("Not finished; so far: yes. In ")
    assert "All twelve settings tried so far bear the claim out." in only.verdict_line
    asked = whole.manifest["asked"]
    assert only.resuming == f"cooncan run {asked} --quick --out {tmp_path / 'here'} --resume"
    said = out.read_text("utf-8")
    assert "The run is not finished: results are missing, and nothing here is final." in said
    assert only.resuming in said
    assert "Yes." not in said


def test_no_results(tmp_path: Path) -> None:
    with pytest.raises(CooncanError, match="no results here"):
        page.write(tmp_path)


# --- Markdown --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def blog(by_chance: Path, played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("blog") / "index.md"
    page.write([by_chance, played], out, markdown=True)
    return out.parent


@pytest.mark.parametrize("name", [*QUESTIONS, "index"])
def test_markdown_has_the_same_numbers_and_charts(name: str, blog: Path, pages: Path) -> None:
    text = (blog / f"{name}.md").read_text("utf-8")
    plain = text.replace("\n", " ")
    if name != "index":
        for _, number in read(pages, name).numbers:
            assert number in plain, number
    pictures = re.findall(r"!\[(.*?)\]\((.*?)\)", text)
    assert pictures
    for alt, file in pictures:
        assert len(alt) > 30
        assert (blog / file).is_file()
    for _, file in re.findall(r"(?<!!)\[([^\]]*)\]\((.*?)\)", text):
        assert (blog / file).is_file()
    assert "<" not in re.sub(r"< [\d.]+", "", text)
    assert not re.search(r"\n{4,}", text)


@pytest.mark.parametrize("name", QUESTIONS)
def test_tables_of_markdown_are_whole(name: str, blog: Path) -> None:
    text = (blog / f"{name}.md").read_text("utf-8")
    blocks = re.findall(r"(?:^\|.*\|\n)+", text, re.M)
    assert blocks
    for block in blocks:
        lines = block.splitlines()
        assert re.fullmatch(r"\|(---\|)+", lines[1])
        assert len({line.count("|") for line in lines}) == 1


# --- the index -------------------------------------------------------------------------


def test_the_index_counts_the_verdicts(pages: Path) -> None:
    said = re.sub(r"\s+", " ", texts(pages, "index"))
    shorts = [re.split(r"[ ,.]", one)[0] for one in verdicts(pages)]
    assert len(shorts) == 4
    words = {"Yes": "hold", "No": "do", "That": "depend", "Not": "is not|are not"}
    for start in set(shorts):
        number = tables.named(shorts.count(start))
        assert re.search(f"put to the test, .*{number} ({words[start]})", said), (start, said[:300])


def verdicts(pages: Path) -> list[str]:
    """The short answers of all pages."""
    found = [re.search(r'class="short">([^<]*)<', (pages / f"{name}.html").read_text("utf-8"))
             for name in QUESTIONS]  # fmt: skip
    return [one[1] for one in found if one]


def test_an_index_without_a_verdict(by_chance: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        copied(by_chance / "swept", tmp_path / name, name=name)
        for path in (tmp_path / name).glob("comparisons.*"):
            path.unlink()
    place, _ = page.write(tmp_path)
    assert "put to the test" not in place.read_text("utf-8")
