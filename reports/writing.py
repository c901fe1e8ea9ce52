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


def as_links(tables: Mapping[str, pd.DataFrame]) -> dict[str, str]:
    """Tables as CSV files in links, which need no file beside the page."""
    return {
        f"{name}.csv": "data:text/csv;base64," + b64encode(_csv(table)).decode()
        for name, table in tables.items()
    }


def _csv(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False, lineterminator="\n").encode()


def _drawn(figure: Figure) -> dict[str, str]:
    return {"wide": figure.chart.inline(True), "narrow": figure.chart.inline(False)}
