"""The write-up of results: one page that carries everything it needs, with a verdict on top.

Charts lie beside it as files for print; the numbers behind every one are the CSV files that
`cooncan run` left in the same folder.
"""

import shlex
from base64 import b64encode
from collections.abc import Sequence
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from cooncan_sim import rounding
from cooncan_sim.compare import NOTABLE_CAP_SHARE
from cooncan_sim.designs import METRICS
from cooncan_sim.errors import CooncanError
from cooncan_sim.experiment import MANIFEST, read_manifest
from cooncan_sim.reports import tables, wording
from cooncan_sim.reports.charts.counts import runs_chart
from cooncan_sim.reports.charts.drawing import Chart
from cooncan_sim.reports.charts.forest import forest_chart
from cooncan_sim.reports.tables import AXES, EffectRow, Number

CHARTS = "charts"


def write(results_dir: str | Path, out: str | Path | None = None) -> Path:
    """Writes the page of one question's results, or of all questions in the folder.

    `out` is the HTML file, `report.html` in the folder if not given; the charts go into a
    folder `charts` beside it, as SVG and 300 dpi PNG. Returns the page's path. Raises
    CooncanError if the folder holds no results.
    """
    folder = Path(results_dir)
    page = Path(out) if out is not None else folder / "report.html"
    sections = [_Section(found) for found in _result_folders(folder)]
    beside = page.parent / CHARTS
    beside.mkdir(parents=True, exist_ok=True)
    for section in sections:
        for chart in section.charts:
            chart.save(beside)
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    text = environment.get_template("page.html.jinja").render(
        sections=sections, version=version("cooncan-sim"), scale=METRICS
    )
    page.write_text(text, "utf-8")
    return page


def _result_folders(folder: Path) -> list[Path]:
    if (folder / MANIFEST).exists():
        return [folder]
    found = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    if not found:
        raise CooncanError(f"{folder}: no results here; cooncan run writes them")
    return found


class _Section:
    """All that the template shows of one question."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        self.name: str = self.manifest["name"]
        self.charts: list[Chart] = []
        self.rows = tables.effect_rows(table) if len(table := self._read("comparisons")) else []
        self.forests = [
            self._chart(_forest(f"{self.name}-{metric}-{number}", rows))
            for number, (metric, rows) in enumerate(_alike(self.rows), start=1)
        ]
        self.counted = self._counted()

    def _read(self, name: str) -> pd.DataFrame:
        path = self.folder / f"{name}.parquet"
        return pd.read_parquet(path) if path.exists() else pd.DataFrame()

    def _chart(self, chart: Chart) -> dict[str, str]:
        self.charts.append(chart)
        return {"wide": chart.inline(True), "narrow": chart.inline(False), "name": chart.name}

    def _counted(self) -> dict[str, Any] | None:
        """The exact part: chart, sentences and tables; None if nothing was counted."""
        counts, bands, chances = (self._read(name) for name in ("counts", "bands", "chances"))
        if counts.empty:
            return None
        tip = bands.iloc[0]
        band = (str(tip["band"]), int(tip["low"]), int(tip["high"]))
        low_ace = counts[counts["ace"] == "low"]
        return {
            "chart": self._chart(runs_chart(f"{self.name}-runs", low_ace, band)),
            "lines": [*wording.counted(counts, *band), wording.dealt(chances)],
            "lengths": [int(length) for length in sorted(low_ace["length"].unique())],
            "bands": tables.band_rows(bands),
            "ranks": tables.rank_rows(counts, chances),
        }

    @property
    def answer(self) -> wording.Answer | None:
        """The verdict, once anything has been played."""
        return wording.answer(self.rows) if self.rows else None

    @property
    def groups(self) -> dict[str, list[EffectRow]]:
        """The comparisons by the alternative, best for the tip first."""
        return tables.by_group(self.rows)

    @property
    def notice(self) -> wording.Sentence:
        """When a player would notice."""
        return wording.notice(self.rows)

    @property
    def facts(self) -> list[tuple[str, list[wording.Sentence]]]:
        """How it was done: terms with what is to be said under each."""
        return _facts(self.manifest, self._read("comparisons")) if self.rows else []

    @property
    def hands(self) -> Number:
        """Hands played over all comparisons."""
        hands = self.manifest["played"]["hands"]
        return Number(hands, rounding.count(hands))

    @property
    def commands(self) -> list[str]:
        """What to type to make the page again."""
        quick = " --quick" if self.manifest["quick"] else ""
        asked = shlex.quote(self.manifest["asked"])
        return [f"cooncan run {asked}{quick}", f"cooncan report results/{self.name}"]

    @property
    def csv(self) -> dict[str, str]:
        """The tables of numbers as links that need no file beside the page."""
        paths = sorted(self.folder.glob("*.csv"))
        return {
            path.name: "data:text/csv;base64," + b64encode(path.read_bytes()).decode()
            for path in paths
        }


def _forest(name: str, rows: Sequence[EffectRow]) -> Chart:
    axis, *sides = AXES[rows[0].metric]
    title = f"{rows[0].treatment}: {axis}"
    return forest_chart(name, title, tables.forest_table(rows), axis, tuple(sides))


def _alike(rows: Sequence[EffectRow]) -> list[tuple[str, list[EffectRow]]]:
    """The rows that one forest plot can hold: one metric, one smallest effect."""

    def key(row: EffectRow) -> tuple[str, float]:
        return row.metric, row.least.value

    return [(name[0], list(group)) for name, group in groupby(sorted(rows, key=key), key=key)]


def _facts(
    manifest: dict[str, Any], comparisons: pd.DataFrame
) -> list[tuple[str, list[wording.Sentence]]]:
    last, played = manifest["runs"][-1], manifest["played"]
    strategies = comparisons.drop_duplicates(["treatment", "control"])
    names = dict(zip(strategies["treatment_label"], strategies["treatment"], strict=True))
    names |= dict(zip(strategies["control_label"], strategies["control"], strict=True))
    first = comparisons.iloc[0]
    return [
        ("Game", [[f"{game}{_rules(comparisons)}"] for game in comparisons["game"].unique()]),
        ("Strategies", [[f"{label}: {strategy}"] for label, strategy in names.items()]),
        ("Design", [_design(comparisons)]),
        (
            "Deals",
            [
                [
                    Number(int(first["deals"]), rounding.count(int(first["deals"]))),
                    " for each comparison, the same ones for all; ",
                    Number(
                        manifest["played"]["hands"], rounding.count(manifest["played"]["hands"])
                    ),
                    f" hands in all; seed {first['seed']}",
                ],
                _capped(played),
            ],
        ),
        ("Measured", [[METRICS[metric].what] for metric in comparisons["metric"].unique()]),
        (
            "Intervals",
            [
                [
                    f"{100 * (1 - first['alpha']):g} %, from one number per deal (t interval over "
                    "deals). Each stands for itself: in the long run one in twenty misses the "
                    "true value."
                ]
            ],
        ),
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


def _rules(comparisons: pd.DataFrame) -> str:
    rules = sorted(set(comparisons["rules"]) - {""})
    return f", house rules {'; '.join(rules)}" if rules else ", house rules as they come"


def _design(comparisons: pd.DataFrame) -> wording.Sentence:
    own = (comparisons["field"] == comparisons["control"]).all()
    others = "all play the form it is compared with" if own else "play as named in the table"
    return [
        "Each deal is played once for every seat: the form under test sits in each seat in turn, "
        f"with the same cards, and the others {others}. A deal counts once, however many hands "
        "it gave. Each seat draws from the stock in an order of its own, so that one different "
        "draw does not change everybody's later cards."
    ]


def _capped(played: dict[str, int]) -> wording.Sentence:
    """Hands that were stopped: said either way, and as a warning where there are many."""
    capped = Number(played["capped_hands"], rounding.count(played["capped_hands"]))
    many = played["capped_hands"] > NOTABLE_CAP_SHARE * played["hands"]
    end = ": enough to keep in mind" if many else ""
    return [capped, f" hands were stopped by the limit on turns and count as won by nobody{end}"]


def _commit(git: dict[str, Any] | None) -> str:
    if git is None:
        return ""
    return f", commit {git['commit'][:10]}{' with local changes' if git['changed'] else ''}"
