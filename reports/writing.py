"""Templates filled, charts saved, tables put into links: what all pages need."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from cooncan_sim.reports.parts import Figure, Number, Part

CHARTS = "charts"
MOST_CARRIED = 40_000  # bytes of a table that a page carries


def save_charts(parts: Sequence[Part], folder: Path) -> None:
    """Writes the files of all charts into a folder."""
    for part in parts:
        for figure in part.figures:
            figure.chart.save(folder)


def render(template: str, **shown: Any) -> str:
    """A page from a template of this folder."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=not template.endswith(".md.jinja"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["number"] = lambda part: isinstance(part, Number)
    environment.globals["drawn"] = _drawn
    return environment.get_template(template).render(version=version("cooncan-sim"), **shown)


def as_links(
    tables: Mapping[str, pd.DataFrame],
    beside: tuple[Path, str] | None = None,
    results: Path | None = None,
) -> dict[str, str]:
    """Tables as CSV files in links, which need no file beside the page.

    `beside`: a folder and the name of the page, for tables too long to be carried by it; they
    become files in that folder, which lies beside the page. `results`: where such a table may be
    already; if that is below the page, the link leads there.
    """
    links = {}
    for name, table in tables.items():
        text = _csv(table)
        if beside is not None and len(text) > MOST_CARRIED:
            folder, page = beside
            kept = results / f"{name}.csv" if results else None
            if kept and kept.exists() and kept.is_relative_to(folder.parent):
                links[f"{name}.csv"] = kept.relative_to(folder.parent).as_posix()
                continue
            (folder / f"{page}-{name}.csv").write_bytes(text)
            links[f"{name}.csv"] = f"{folder.name}/{page}-{name}.csv"
        else:
            links[f"{name}.csv"] = "data:text/csv;base64," + b64encode(text).decode()
    return links


def _csv(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False, lineterminator="\n").encode()


def _drawn(figure: Figure) -> dict[str, str]:
    return {"wide": figure.chart.inline(True), "narrow": figure.chart.inline(False)}
