"""Write-ups of results: a page for each question, and an index of several.

A page carries everything it needs, with a verdict on top; the numbers behind every chart are
tables in it. Charts lie beside it as files for print. The same can be had as Markdown.
"""

import os
import shlex
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.compare import NOTABLE_CAP_SHARE
from cooncan_sim.designs import METRICS
from cooncan_sim.differing import changed_pages, have_changed
from cooncan_sim.errors import CooncanError
from cooncan_sim.experiment import MANIFEST, read_manifest
from cooncan_sim.games import rulebook
from cooncan_sim.reports import (
    compared,
    conditional,
    contrasted,
    counted,
    house_rules,
    observed,
    parting,
    players,
    quoting,
    replay_page,
    tables,
    weighed,
    wording,
)
from cooncan_sim.reports.index import Index
from cooncan_sim.reports.parts import Judged, Number, Part, Sentence, Told, plain_text
from cooncan_sim.reports.writing import CHARTS, as_links, render, save_charts

INDEX = "index"


class Page:
    """All that a template shows of one question."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        self.name: str = self.manifest["name"]
        self.results = {
            path.stem: pd.read_parquet(path) for path in sorted(folder.glob("*.parquet"))
        }
        self.told = _told(self.name, self.results)
        self.replay = ""  # the file with the hands, once written

    @property
    def title(self) -> str:
        """The question."""
        return self.manifest["question"]

    @property
    def origin(self) -> str:
        """Who gave the tip, and its number: `Jaques of London (claim T-01)`; what there is."""
        claim = self.manifest["claim"]
        return f"{self.manifest['source']} {claim and f'(claim {claim})'}".strip()

    @property
    def asked(self) -> str:
        """What was played, in one sentence."""
        return players.asked(self.results)

    @property
    def parts(self) -> list[Part]:
        """The sections in their order, what was played before what was counted."""
        played = [part for told in self.told for part in told.parts]
        who = players.part(self.results)
        parts = [*([who] if who else []), *played, *counted.parts(self.name, self.results)]
        return sorted(parts, key=lambda part: part.title == compared.NUMBERS)

    @property
    def judged(self) -> list[Judged]:
        """Every place where the claim was put to the test."""
        return [one for told in self.told for one in told.judged]

    @property
    def short(self) -> str:
        """The verdict in a word or two; of a run that was broken off none that is final."""
        said = wording.short(self.judged)
        if self.finished:
            return said
        return f"Not finished; so far: {said[0].lower()}{said[1:]}" if said else "Not finished."

    @property
    def finished(self) -> bool:
        """Whether all that the question asks for has been played."""
        return self.manifest["finished"]

    @cached_property
    def changed(self) -> str:
        """Which pages of strategies have changed since, as a sentence; "" if none that is found."""
        pages = changed_pages(self.manifest["settings"]["strategies"])
        return f"{have_changed(pages)} since these results were played." if pages else ""

    @property
    def resuming(self) -> str:
        """What to type to play the rest of a run that was broken off."""
        place = self.folder.parent
        out = "" if place == Path("results") else f" --out {shlex.quote(str(place))}"
        return f"{self._run}{out} --resume"

    @property
    def quote(self) -> Sentence:
        """The sentence to be quoted; of what was counted where nothing was played."""
        if self.told:
            return [*quoting.carrying(self.told), *quoting.tally(self.judged, self.finished)]
        lines = [line for part in counted.parts(self.name, self.results) for line in part.sentences]
        return lines[0] if lines else []

    @property
    def verdict_line(self) -> str:
        """Verdict and quote in one line, for the terminal."""
        return f"{self.short} {plain_text(self.quote)}".strip()

    @property
    def hands(self) -> Number:
        """Hands behind all the numbers."""
        hands = self.manifest["played"]["hands"]
        return Number(hands, rounding.count(hands))

    @property
    def facts(self) -> list[tuple[str, list[Sentence]]]:
        """How it was done: terms with what is to be said under each."""
        return _facts(self.manifest, self.results) if self.told else []

    @property
    def commands(self) -> list[str]:
        """What to type to make the page again, and to see the hands where the two part ways."""
        again = [self._run, f"cooncan report results/{self.name}"]
        return [*again, *(self._command(one) for one in self.partings[:1])]

    @property
    def _run(self) -> str:
        quick = " --quick" if self.manifest["quick"] else ""
        return f"cooncan run {shlex.quote(self.manifest['asked'])}{quick}"

    def _command(self, found: parting.Parting) -> str:
        row = self._first_row
        return parting.command(row, row["rules"], "treatment", found.deal)

    @property
    def _first_row(self) -> dict[str, Any]:
        return self.results["comparisons"].iloc[0].to_dict()

    @cached_property
    def partings(self) -> list[parting.Parting]:
        """The first deals on which the first comparison's strategies part ways.

        Empty where there is no comparison, or its strategies cannot be played here any more.
        """
        if "comparisons" not in self.results:
            return []
        row = self._first_row
        rules = dict(rule.split("=", 1) for rule in row["rules"].split(", ") if rule)
        try:
            return parting.partings(row, rules)
        except CooncanError:
            return []

    @property
    def made(self) -> dict[str, pd.DataFrame]:
        """Tables with numbers that are in none of the results."""
        made = {"played": pd.DataFrame([self.manifest["played"]])}
        if self.judged:
            made["settings"] = quoting.settings_table(self.judged)
        for told in self.told:
            made |= told.made
        return made

    def csv(self, beside: Path) -> dict[str, str]:
        """The tables of numbers as links; long ones are files in a folder beside the page."""
        own = self.folder.resolve()
        return as_links(self.results | self.made, (beside.resolve(), self.name), own)


def _told(name: str, results: dict[str, pd.DataFrame]) -> list[Told]:
    kinds = (
        compared.told,
        conditional.told,
        weighed.told,
        contrasted.told,
        house_rules.told,
        observed.told,
    )
    return [told for kind in kinds if (told := kind(name, results)) is not None]


def write(
    folders: str | Path | Sequence[str | Path],
    out: str | Path | None = None,
    markdown: bool = False,
) -> tuple[Path, list[Page]]:
    """Writes up the results in some folders; returns the first page's path, and all questions.

    A folder is that of one question, or holds those of several. One question makes one page,
    `report.html` in its folder if `out` is not given; several make an index, `index.html` in the
    folder that holds them all, with a page for each question beside it. The charts go into a
    folder `charts` beside the pages, as SVG, 300 dpi PNG and CSV. `markdown`: the same with `.md`.
    Raises CooncanError if there are no results, if some are given twice, and without `out` if no
    one folder holds them all.
    """
    given = [folders] if isinstance(folders, str | Path) else list(folders)
    found = [one for folder in given for one in _result_folders(Path(folder))]
    resolved = [folder.resolve() for folder in found]
    for folder in found:
        if resolved.count(folder.resolve()) > 1:
            raise CooncanError(f"{folder} is given twice")
    pages = [Page(folder) for folder in found]
    names = [page.name for page in pages]
    for name in names:
        if names.count(name) > 1:
            raise CooncanError(f"two results are called {name}: their pages would mix")
    kind = "md" if markdown else "html"
    many = len(pages) > 1
    place = Path(out) if out is not None else _usual_place(given, many, kind)
    beside = place.parent / CHARTS
    beside.mkdir(parents=True, exist_ok=True)
    for page in pages:
        own = place if not many else place.parent / f"{page.name}.{kind}"
        _write_page(page, own, kind, place.name if many else "")
    if many:
        summary = Index(pages, kind)
        save_charts(summary.parts, beside)
        place.write_text(render(f"index.{kind}.jinja", index=summary), "utf-8")
    return place, pages


def _usual_place(given: Sequence[str | Path], many: bool, kind: str) -> Path:
    if not many:
        return Path(given[0]) / f"report.{kind}"
    if len(given) == 1:
        return Path(given[0]) / f"{INDEX}.{kind}"
    around = [Path(os.path.normpath(Path(one) / "..")) for one in given]
    if len({os.path.abspath(folder) for folder in around}) > 1:
        raise CooncanError(
            f"{' and '.join(str(one) for one in given)} lie in different folders: say with --out "
            f"where their {INDEX}.{kind} goes"
        )
    return around[0] / f"{INDEX}.{kind}"


def _result_folders(folder: Path) -> list[Path]:
    if (folder / MANIFEST).exists():
        return [folder]
    found = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    if not found:
        raise CooncanError(f"{folder}: no results here; cooncan run writes them")
    return found


def _write_page(page: Page, place: Path, kind: str, index: str) -> None:
    if page.partings:
        hands = place.with_name(f"{page.name}-hands.html")
        logs = [log for one in page.partings for log in (one.treated, one.control)]
        hands.write_text(replay_page.page(logs), "utf-8")
        page.replay = hands.name
    parts = page.parts
    save_charts(parts, place.parent / CHARTS)
    links = page.csv(place.parent / CHARTS)
    text = render(f"question.{kind}.jinja", page=page, parts=parts, index=index, links=links)
    place.write_text(text, "utf-8")


def _facts(
    manifest: dict[str, Any], results: dict[str, pd.DataFrame]
) -> list[tuple[str, list[Sentence]]]:
    last, played = manifest["runs"][-1], manifest["played"]
    seed = manifest["settings"]["seed"]
    hands = Number(played["hands"], rounding.count(played["hands"]))
    facts: list[tuple[str, list[Sentence]]] = []
    if "comparisons" in results:
        facts += _of_comparisons(results["comparisons"])
    if played["hands"]:
        facts.append(("Deals", [[hands, " hands in all"], _capped(played)]))
    facts += [
        ("Seed", [[f"{seed}"]]),
        ("Intervals", [_intervals(manifest["settings"]["alpha"])]),
        ("Stopping rule", [[f"{manifest['stopping']}, set before the first was played"]]),
        (
            "Engine",
            [
                [f"cooncan_sim {last['versions']['cooncan_sim']}{_commit(last['git'])}"],
                [
                    f"Python {last['versions']['python']}, NumPy {last['versions']['numpy']}, "
                    f"Numba {last['versions']['numba']}; {last['machine']['system']}"
                ],
            ],
        ),
        ("Finished", [[last["ended"].replace("T", " ").replace("+00:00", " UTC")]]),
    ]
    return facts


def _of_comparisons(comparisons: pd.DataFrame) -> list[tuple[str, list[Sentence]]]:
    strategies = comparisons.drop_duplicates(["treatment", "control"])
    names = dict(zip(strategies["treatment_label"], strategies["treatment"], strict=True))
    names |= dict(zip(strategies["control_label"], strategies["control"], strict=True))
    rules = sorted(set(comparisons["rules"]) - {""})
    by = f", house rules {'; '.join(rules)}" if rules else ", house rules as they come"
    measured = dict.fromkeys(comparisons["metric"])
    return [
        ("Game", [[f"{rulebook.game(game).name}{by}"] for game in comparisons["game"].unique()]),
        ("Strategies", [[f"{label}: {strategy}"] for label, strategy in names.items()]),
        ("Design", [_design(comparisons)]),
        ("Measured", [[METRICS[metric].what] for metric in measured]),
    ]


def _design(comparisons: pd.DataFrame) -> Sentence:
    if comparisons["design"].map(tables.sides_of).ne("").all():
        return [
            "Each deal is played in every seating of the one form against the other, with the same "
            "cards. A deal counts once, however many hands it gave: with the mean of all who "
            "played the form under test, less that of those who did not. Each seat draws from the "
            "stock in an order of its own, so that one different draw does not change everybody’s "
            "later cards."
        ]
    own = (comparisons["field"] == comparisons["control"]).all()
    others = "all play the form it is compared with" if own else "play as named in the tables"
    return [
        "Each deal is played once for every seat: the form under test sits in each seat in turn, "
        f"with the same cards, and the others {others}. A deal counts once, however many hands "
        "it gave. Each seat draws from the stock in an order of its own, so that one different "
        "draw does not change everybody's later cards."
    ]


def _intervals(alpha: float) -> Sentence:
    return [
        f"{100 * (1 - alpha):g} %, from one number per deal (t interval over deals). Each stands "
        "for itself: in the long run one in twenty misses the true value."
    ]


def _capped(played: dict[str, int]) -> Sentence:
    """Hands that were stopped: said either way, and as a warning where there are many."""
    capped = Number(played["capped_hands"], rounding.count(played["capped_hands"]))
    many = played["capped_hands"] > NOTABLE_CAP_SHARE * played["hands"]
    end = ": enough to keep in mind" if many else ""
    return [capped, f" hands were stopped by the limit on turns and count as won by nobody{end}"]


def _commit(git: dict[str, Any] | None) -> str:
    if git is None:
        return ""
    return f", commit {git['commit'][:10]}{' with local changes' if git['changed'] else ''}"
