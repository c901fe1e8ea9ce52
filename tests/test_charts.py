"""Charts: readable at both widths, in words too, and the same in a page, light or dark."""

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from PIL import Image

from cooncan_sim.exact import count_runs
from cooncan_sim.reports import charts, tables
from cooncan_sim.reports.charts import Chart, forest_chart, runs_chart

VERDICTS = ("helps", "no practical difference", "unresolved", "hurts")


def comparisons(metric: str = "win", size: float = 0.01) -> pd.DataFrame:
    """Eight comparisons, every verdict among them, from −3 to +4 times `size`."""
    verdicts = VERDICTS if metric != "turns" else ("longer", *VERDICTS[1:3], "shorter")
    return pd.DataFrame(
        {
            "treatment_label": "having more",
            "control_label": f"having {'little' if number < 4 else 'some'}",
            "players": 2 + number % 4,
            "metric": metric,
            "effect": size * (number - 3),
            "low": size * (number - 3.5),
            "high": size * (number - 2.4),
            "min_effect": 0.3 * size,
            "verdict": verdicts[number % 4],
            "claim": "open",
            "treatment_mean": 0.5,
            "control_mean": 0.25,
            "deals": 1000,
            "hands": 2000,
            "changed": 0.5,
            "vrf": 1.5,
            "hands_to_notice": 100.0,
            "ahead_after_100": 0.7,
        }
        for number in range(8)
    )


def forest(metric: str = "win", size: float = 0.01) -> Chart:
    return forest_chart("more", tables.effect_rows(comparisons(metric, size)))


def runs() -> Chart:
    return runs_chart("runs", count_runs([3, 4, 5]), ("5–8", 5, 8))


ALL = [forest(), forest("penalty", 1.0), forest("turns", 3.0), forest("net", 0.2), runs()]


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("chart", ALL, ids=lambda chart: chart.title)
def test_no_words_run_into_others_or_off_the_edge(chart: Chart, wide: bool) -> None:
    with matplotlib.rc_context(charts.STYLE):
        figure = chart.figure(wide)
        renderer = FigureCanvasAgg(figure).get_renderer()
        figure.draw(renderer)
        words = [t for t in figure.findobj(Text) if t.get_text() and t.get_visible()]
        places = [(t.get_text(), t.get_window_extent(renderer)) for t in words]
    assert figure.get_size_inches()[0] == (7 if wide else 3.5)
    assert all(t.get_fontsize() >= 8 for t in words)
    for text, box in places:
        assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1, text
    for (one, a), (other, b) in combinations(places, 2):
        apart = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(apart) < 1, f"{one!r} runs into {other!r}"


def test_forest_shows_each_row_where_it_belongs() -> None:
    rows = tables.effect_rows(comparisons())
    figure = forest().figure()
    [ax] = figure.axes
    marks = [line for line in ax.lines if line.get_marker() not in ("None", None, "")]
    # Groups by their mean effect, rows in the order of the question.
    expected = [row for row in rows if row.group == "having some"]
    expected += [row for row in rows if row.group == "having little"]
    assert [m.get_xdata()[0] for m in marks] == [100 * row.effect.value for row in expected]
    assert [m.get_marker() for m in marks] == [
        charts.VERDICT_MARKERS[row.verdict][0] for row in expected
    ]
    heights = [m.get_ydata()[0] for m in marks]
    assert heights == sorted(heights, reverse=True)
    bars = [list(line.get_xdata()) for line in ax.lines if len(line.get_xdata()) == 2][:-1]
    assert [[100 * row.low.value, 100 * row.high.value] for row in expected] == bars
    [band] = [patch.get_extents() for patch in ax.patches]
    inverse = ax.transData.inverted().transform(band)
    assert inverse[:, 0].tolist() == pytest.approx([-0.3, 0.3])
    # A second cue besides colour: no two verdicts share a marker.
    assert len({charts.VERDICT_MARKERS[verdict][0] for verdict in VERDICTS}) == 4


def test_forest_in_words() -> None:
    alt = forest().alt
    for row in tables.effect_rows(comparisons()):
        assert (
            f"{row.label}, having more against {row.group}: {row.effect.text} pp, "
            f"95 % interval {row.low.text} to {row.high.text}, {row.verdict}"
        ) in alt


def test_runs_chart_draws_and_says_the_counts() -> None:
    counts = count_runs([3, 4, 5])
    [ax] = runs().figure().axes
    for line, (_, group) in zip(ax.lines, counts.groupby("length"), strict=True):
        assert line.get_ydata().tolist() == group["runs"].tolist()
    assert ax.get_ylim()[0] == 0
    assert [t.get_text() for t in ax.get_xticklabels()] == "A 2 3 4 5 6 7 8 9 10 J Q K".split()
    assert "runs of 3 cards: A 1, 2 2, 3 3" in runs().alt


@pytest.mark.parametrize("chart", [forest(), runs()], ids=["forest", "runs"])
def test_files_for_print(chart: Chart, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        paths = chart.save(folder)
        assert [path.suffix for path in paths] == [".svg", ".png"]
    for path in paths:
        assert path.read_bytes() == (folders[0] / path.name).read_bytes()
    with Image.open(paths[1]) as image:
        assert image.width == 7 * 300
        assert image.info["dpi"] == pytest.approx((300, 300), abs=1)
    assert ElementTree.parse(paths[0]).getroot().tag.endswith("svg")


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("chart", [forest(), runs()], ids=["forest", "runs"])
def test_in_a_page(chart: Chart, wide: bool) -> None:
    svg = chart.inline(wide)
    spaced = svg.replace("<svg", '<svg xmlns:xlink="http://www.w3.org/1999/xlink"', 1)
    root = ElementTree.fromstring(spaced)
    assert root.get("role") == "img"
    named = [root.find(f".//*[@id='{part}']") for part in root.get("aria-labelledby", "").split()]
    assert [part.text for part in named if part is not None] == [chart.title, chart.alt]
    assert not re.search("#[0-9a-f]{6}", svg, re.I), "a colour that the page cannot change"
    assert "<style" not in svg
    ids = re.findall(r'\bid="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', svg)) <= set(ids)
    other = chart.inline(not wide)
    assert not set(ids) & set(re.findall(r'\bid="([^"]+)"', other))
    assert svg == chart.inline(wide)


def test_a_title_cannot_break_the_page() -> None:
    chart = Chart("n", 'a < "b"', "x & y", lambda figure, _: None, lambda _: 1.0)
    assert "a &lt; &quot;b&quot;" in chart.inline(True)
    assert "x &amp; y" in chart.inline(True)
