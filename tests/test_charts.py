"""Charts: readable at both widths, in words too, and the same in a page, light or dark."""

import io
import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from cooncan_sim.reports import distributions
from cooncan_sim.reports.charts import contests, drawing, forest, lengths
from cooncan_sim.reports.charts.drawing import Chart
from tests import chart_cases

CHARTS = chart_cases.all_charts()
PLAIN = ["forest", "slopes", "ridges", "funnel", "tuning", "survival", "ecdf", "heatmap", "cycle",
         "runs"]  # fmt: skip


@pytest.mark.parametrize("wide", [True, False], ids=["wide", "narrow"])
@pytest.mark.parametrize("name", CHARTS)
def test_no_words_run_into_others_or_off_the_edge(name: str, wide: bool) -> None:
    with matplotlib.rc_context(drawing.STYLE):
        figure = CHARTS[name].figure(wide)
        renderer = FigureCanvasAgg(figure).get_renderer()
        figure.draw(renderer)
        unseen = ticks_out_of_sight(figure)
        words = [t for t in figure.findobj(Text) if t.get_text().strip()]
        words = [t for t in words if t.get_visible() and t not in unseen]
        places = [(t.get_text(), Text.get_window_extent(t, renderer)) for t in words]
    assert figure.get_size_inches()[0] == (7 if wide else 3.5)
    assert all(t.get_fontsize() >= 8 for t in words)
    for text, box in places:
        assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1, text
    for (one, a), (other, b) in combinations(places, 2):
        apart = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(apart) < 1.5, f"{one!r} runs into {other!r}"


def ticks_out_of_sight(figure: Figure) -> list[Text]:
    """Labels of ticks that Matplotlib keeps but does not draw: beyond the limits of their axis."""
    unseen = []
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if not (axis.get_visible() and low <= tick.get_loc() <= high):
                    unseen += [tick.label1, tick.label2]
    return unseen


def axes_of(name: str, wide: bool = True) -> matplotlib.axes.Axes:
    with matplotlib.rc_context(drawing.STYLE):
        return CHARTS[name].figure(wide).axes[0]


def test_forest_shows_each_row_where_it_belongs() -> None:
    ax, table = axes_of("forest"), CHARTS["forest"].table
    marks = [line for line in ax.lines if line.get_marker() not in ("None", None, "")]
    assert [m.get_xdata()[0] for m in marks] == table["effect"].tolist()
    assert [m.get_marker() for m in marks] == [
        forest.VERDICT_MARKERS[verdict][0] for verdict in table["verdict"]
    ]
    heights = [m.get_ydata()[0] for m in marks]
    assert heights == sorted(heights, reverse=True)
    bars = [list(line.get_xdata()) for line in ax.lines if len(line.get_xdata()) == 2][:-1]
    assert bars == table[["low", "high"]].to_numpy().tolist()
    [band] = [patch.get_extents() for patch in ax.patches]
    assert ax.transData.inverted().transform(band)[:, 0].tolist() == pytest.approx([-0.3, 0.3])
    # A second cue besides colour: no two verdicts share a marker.
    assert len({forest.VERDICT_MARKERS[v][0] for v in chart_cases.VERDICTS}) == 4


def test_an_unknown_interval_is_not_drawn() -> None:
    bars = [line.get_xdata() for line in axes_of("forest-unknown").lines]
    drawn = [bar for bar in bars if len(bar) == 2 and not np.isnan(bar).any()]
    assert len(drawn) == 3  # of four rows, two without; and the line of 0


def test_shares_have_no_band_and_no_zero() -> None:
    assert not axes_of("shares").patches
    assert len(axes_of("shares").lines) == 2 * 3


def test_slopes_join_the_places_of_each_line() -> None:
    table = CHARTS["slopes"].table
    drawn = [line for line in axes_of("slopes").lines if len(line.get_xdata()) == 7]
    for line, (_, inside) in zip(drawn, table.groupby("line", sort=False), strict=True):
        assert line.get_ydata().tolist() == inside["effect"].tolist()
    assert len({(line.get_linestyle(), line.get_marker()) for line in drawn}) == 3


def test_the_filled_part_of_a_ridge_is_the_interval() -> None:
    [filled] = [part.get_paths()[0].get_extents() for part in axes_of("ridges").collections[1:2]]
    row = CHARTS["ridges"].table.iloc[0]
    assert (filled.x0, filled.x1) == pytest.approx((row["low"], row["high"]), abs=0.01)


def test_a_funnel_shows_every_look_on_a_log_axis() -> None:
    ax, table = axes_of("funnel"), CHARTS["funnel"].table
    assert ax.get_xscale() == "log"
    [mean] = [line for line in ax.lines if line.get_ydata() is not None
              and list(line.get_ydata()) == table["gain"].tolist()]  # fmt: skip
    assert list(mean.get_xdata()) == table["deals"].tolist()
    assert np.isfinite(ax.get_ylim()).all()


def test_a_tuning_path_runs_within_its_bounds() -> None:
    ax, table = axes_of("tuning"), CHARTS["tuning"].table
    first = table[table["weight"] == "weight-0"]
    wanted = (first["value"].iloc[[0, -1]] - 1) / 12
    assert ax.lines[0].get_ydata()[[0, -1]].tolist() == pytest.approx(wanted.tolist())
    assert len(ax.lines[0].get_xdata()) < len(first)  # thinned
    assert "weight-2 3 → 6" in CHARTS["tuning"].alt


def test_a_heatmap_prints_its_values_around_a_white_zero() -> None:
    ax, table = axes_of("heatmap"), CHARTS["heatmap"].table
    printed = [t.get_text() for t in ax.texts]
    assert printed == [f"{v:+.2f}".replace("-", "−") for v in table["value"]]
    faces = {t: p.get_facecolor() for t, p in zip(printed, coloured(ax), strict=True)}
    most = max(faces, key=lambda text: float(text.replace("−", "-")))
    assert faces[most][0] > faces[most][2]  # orange is a gain
    flat = coloured(axes_of("heatmap-flat"))
    assert all(min(patch.get_facecolor()[:3]) > 0.96 for patch in flat)


def coloured(ax: matplotlib.axes.Axes) -> list[matplotlib.patches.Patch]:
    return [patch for patch in ax.patches if patch.get_facecolor()[3] > 0]


def test_words_on_a_cell_can_be_read() -> None:
    """Contrast of at least 4.5 : 1 on every colour of the map (WCAG)."""
    colours = matplotlib.colormaps[contests.MAP](np.linspace(0, 1, 101))
    for colour in colours:
        ink = contests.DARK_INK if contests._light(colour) else contests.LIGHT_INK
        lights = sorted((luminance(colour), luminance(matplotlib.colors.to_rgba(ink))))
        assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5


def luminance(colour: tuple[float, ...]) -> float:
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in colour[:3]]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def test_runs_chart_draws_and_says_the_counts() -> None:
    ax, table = axes_of("runs"), CHARTS["runs"].table
    for line, (_, group) in zip(ax.lines, table.groupby("length"), strict=True):
        assert line.get_ydata().tolist() == group["runs"].tolist()
    assert ax.get_ylim()[0] == 0
    assert [t.get_text() for t in ax.get_xticklabels()] == "A 2 3 4 5 6 7 8 9 10 J Q K".split()
    assert "runs of 3 cards: A 1, 2 2, 3 3" in CHARTS["runs"].alt


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("forest", "2 players, against keeping A–4: −3.0 pp, 95 % interval -3.2 to -2.7, helps"),
        ("slopes", "line 0: 2: +0 (−0.3 to +0.3), 3: +0.1"),
        ("ridges", "Ridge plot over slack. 0: +0.18 (−0.02 to +0.38)"),
        ("funnel", "at 30 looks, from 200 to 90,000 deals; at the last look"),
        ("survival", "two: half are over after 49 turns"),
        ("survival-one", "x: half are over after 3 turns"),
        ("ecdf", "greedy: median"),
        ("heatmap", "hold against greedy"),
        ("cycle", "hold beats first by +0.8 pp"),
    ],
)
def test_charts_in_words(name: str, words: str) -> None:
    assert words in CHARTS[name].alt


@pytest.mark.parametrize("name", PLAIN)
def test_files_for_print(name: str, tmp_path: Path) -> None:
    chart = CHARTS[name]
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        paths = chart.save(folder)
        assert [path.suffix for path in paths] == [".svg", ".png", ".csv"]
    for path in paths:
        assert path.read_bytes() == (folders[0] / path.name).read_bytes()
    with Image.open(paths[1]) as image:
        assert image.width == 7 * 300
        assert image.info["dpi"] == pytest.approx((300, 300), abs=1)
        assert image.info["Description"] == chart.alt
    assert ElementTree.parse(paths[0]).getroot().tag.endswith("svg")
    assert chart.alt.split("−")[0] in paths[0].read_text("utf-8")
    kept = pd.read_csv(paths[2])
    assert list(kept.columns) == list(chart.table.columns)
    assert len(kept) == len(chart.table)


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("name", PLAIN)
def test_in_a_page(name: str, wide: bool) -> None:
    chart = CHARTS[name]
    svg = chart.inline(wide)
    spaced = svg.replace("<svg", '<svg xmlns:xlink="http://www.w3.org/1999/xlink"', 1)
    root = ElementTree.fromstring(spaced)
    assert root.get("role") == "img"
    named = [root.find(f".//*[@id='{part}']") for part in root.get("aria-labelledby", "").split()]
    assert [part.text for part in named if part is not None] == [chart.title, chart.alt]
    if name != "heatmap":  # whose cells keep theirs, with ink to match
        assert not re.search("#[0-9a-f]{6}", svg, re.I), "a colour that the page cannot change"
    assert "<style" not in svg
    ids = re.findall(r'\bid="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', svg)) <= set(ids)
    other = chart.inline(not wide)
    assert not set(ids) & set(re.findall(r'\bid="([^"]+)"', other))
    assert svg == chart.inline(wide)


def test_a_title_cannot_break_the_page() -> None:
    chart = Chart("n", 'a < "b"', "x & y", pd.DataFrame(), lambda figure, _: None, lambda _: 1.0)
    assert "a &lt; &quot;b&quot;" in chart.inline(True)
    assert "x &amp; y" in chart.inline(True)


# --- helpers ---------------------------------------------------------------------------


def test_words_are_wrapped_where_they_can_be() -> None:
    words = drawing.wrapped("greedy-keep(low=5,high=8) and hold", 0.9)
    lines = words.split("\n")
    assert "".join(words.split()) == "greedy-keep(low=5,high=8)andhold"
    assert len(lines) > 2 and all(drawing.text_width(line) <= 0.9 for line in lines)
    assert drawing.wrapped("unbreakablewordthatistoolong", 0.5) == "unbreakablewordthatistoolong"


def test_labels_are_moved_apart_and_no_further() -> None:
    assert drawing.apart([1.0, 2.0], [0.5, 0.5]) == [1.0, 2.0]
    assert drawing.apart([1.0, 1.0, 3.0], [0.5, 0.5, 0.5]) == pytest.approx([0.75, 1.25, 3.0])
    moved = drawing.apart([2.0, 1.9, 2.1, 2.05], [0.4] * 4)
    order = sorted(moved)
    assert np.diff(order) == pytest.approx([0.4] * 3)
    assert [order.index(y) for y in moved] == [1, 0, 3, 2]


# --- curves ----------------------------------------------------------------------------


def test_survival_counts_a_deal_once_and_stops_at_the_cap() -> None:
    turns = [1, 3, 2, 2, 5, 5]
    hands = pd.DataFrame({"curve": "c", "deal": [0, 0, 1, 1, 2, 2], "turns": turns})
    curve = distributions.survival(hands.assign(stopped=[False] * 4 + [True] * 2))
    assert dict(zip(curve["at"], curve["share"], strict=True)) == pytest.approx(
        {0: 1, 1: 5 / 6, 2: 3 / 6, 3: 2 / 6, 4: 2 / 6}
    )
    assert ((curve["low"] <= curve["share"]) & (curve["share"] <= curve["high"])).all()
    assert distributions.median(curve) == 2


def test_where_caps_differ_it_is_kaplan_and_meiers() -> None:
    """The example of STATS.md, row 28."""
    turns = [5, 7, 7, 9, 12, 12, 15, 15, 20, 20]
    ended = np.array([1, 1, 0, 1, 1, 1, 1, 0, 1, 0], dtype=bool)
    hands = pd.DataFrame({"curve": "c", "deal": range(10), "turns": turns, "stopped": ~ended})
    curve = distributions.survival(hands).set_index("at")
    assert curve.loc[12, "share"] == pytest.approx(0.4571429)
    assert curve.loc[20, "share"] == pytest.approx(0.1714286)
    assert curve.loc[0, "share"] == 1


def test_an_ecdf_rises_to_one_from_the_least_value() -> None:
    hands = pd.DataFrame({"curve": "c", "deal": [0, 0, 1, 1], "value": [-2, 5, 5, 9]})
    curve = distributions.ecdf(hands)
    shares = dict(zip(curve["at"], curve["share"], strict=True))
    assert shares == {-2: 0.25, 5: 0.75, 9: 1.0}
    assert distributions.median(curve) == 5


def test_the_axis_of_lengths_ends_where_the_curves_do() -> None:
    assert axes_of("survival").get_xlim()[1] < 110
    assert lengths.LETTERS[:3] == "".join(t.get_text() for t in axes_of("survival").texts)


def test_a_chart_shows_itself_in_a_notebook() -> None:
    chart = CHARTS["forest"]
    assert repr(chart) == chart.alt
    with Image.open(io.BytesIO(chart._repr_png_())) as picture:
        assert picture.format == "PNG" and picture.size[0] == 700
