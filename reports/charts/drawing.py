"""What all charts share: two widths, Okabe and Ito's colours, files for print, a form for pages.

Colours are never the only cue. In a page the same drawing takes its colours from the page, light
or dark. Lengths are inches, so that words keep their size and their place in either width.
"""

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any
from zlib import crc32

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath
from matplotlib.transforms import blended_transform_factory
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from cooncan_sim import rounding

WIDE, NARROW = 7.0, 3.5
DOTS, ON_SCREEN = 300, 100  # to an inch
SIZE, SMALL = 8.5, 8.0  # points
LINE = 0.16  # from one line of text to the next
GAP = 0.08
BLUE, VERMILLION, GREEN, BLACK = "#0072B2", "#D55E00", "#009E73", "#000000"
PURPLE, ORANGE, SKY = "#CC79A7", "#E69F00", "#56B4E9"
WHITE, BAND, RULE = "#FFFFFF", "#E3E3E3", "#BBBBBB"
# What each colour is called in the page's style sheet.
PAGE_COLOURS = {
    BLUE: "var(--blue)",
    VERMILLION: "var(--vermillion)",
    GREEN: "var(--green)",
    PURPLE: "var(--purple)",
    ORANGE: "var(--orange)",
    SKY: "var(--sky)",
    BLACK: "var(--ink)",
    BAND: "var(--band)",
    RULE: "var(--rule)",
    WHITE: "var(--paper)",
}
SERIES = [  # colour, dash, marker of one line among several
    (BLUE, "-", "o"),
    (VERMILLION, "--", "s"),
    (GREEN, "-.", "^"),
    (PURPLE, ":", "D"),
    (BLACK, (0, (6, 1, 1, 1, 1, 1)), "v"),
    (ORANGE, (0, (3, 1)), "P"),
    (SKY, (0, (8, 2)), "X"),
]
STYLE = {
    "font.family": ["sans-serif"],
    "font.size": SIZE,
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.labelsize": SIZE,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "grid.color": RULE,
    "grid.linewidth": 0.4,
    "axes.axisbelow": True,
    "svg.fonttype": "none",
    "figure.facecolor": WHITE,
    "axes.facecolor": "none",
}


@dataclass(frozen=True, repr=False)
class Chart:
    """A drawing with a name for its files, its data, and words for those who do not see it.

    `draw(figure, wide)` fills an empty Figure; `height(wide)` is in inches. A chart shows itself
    in a notebook; elsewhere its words stand for it.
    """

    name: str
    title: str
    alt: str
    table: pd.DataFrame
    draw: Callable[[Figure, bool], None]
    height: Callable[[bool], float]

    def figure(self, wide: bool = True) -> Figure:
        """The chart, drawn."""
        figure = Figure(figsize=(WIDE if wide else NARROW, self.height(wide)))
        self.draw(figure, wide)
        return figure

    def __repr__(self) -> str:
        return self.alt

    def _repr_png_(self) -> bytes:
        drawn = io.BytesIO()
        with matplotlib.rc_context(STYLE):
            self.figure().savefig(drawn, format="png", dpi=ON_SCREEN)
        return drawn.getvalue()

    def save(self, folder: Path) -> list[Path]:
        """Writes the wide form as SVG and as PNG of 300 dpi, and the data as CSV.

        The alternative text is in the SVG and, as `Description`, in the PNG. Returns the paths.
        """
        with matplotlib.rc_context(STYLE | {"svg.hashsalt": self.name}):
            figure = self.figure()
            paths = [folder / f"{self.name}.{kind}" for kind in ("svg", "png", "csv")]
            about = {"Title": self.title, "Description": self.alt}
            drawn = io.StringIO()
            figure.savefig(drawn, format="svg", metadata={"Date": None} | about)
            paths[0].write_text(_lighter(drawn.getvalue()) + "\n", "utf-8")
            _save_png(figure, paths[1], about)
        self.table.to_csv(paths[2], index=False, lineterminator="\n")
        return paths

    def inline(self, wide: bool) -> str:
        """The chart as an `<svg>` for a page: its colours are the page's, its text stays text."""
        salt = f"{self.name}-{'wide' if wide else 'narrow'}"
        drawn = io.StringIO()
        with matplotlib.rc_context(STYLE | {"svg.hashsalt": salt}):
            self.figure(wide).savefig(
                drawn, format="svg", transparent=True, metadata={"Date": None}
            )
        return _for_page(drawn.getvalue(), salt, self.title, self.alt)


def _save_png(figure: Figure, path: Path, about: dict[str, str]) -> None:
    """A chart has few colours: with a palette of 256 the file is a third as large."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=DOTS)
    text = PngInfo()
    for name, words in about.items():
        text.add_itxt(name, words)
    with Image.open(drawn) as image:
        picture = image.convert("RGB").quantize(256)
    picture.save(path, dpi=(DOTS, DOTS), pnginfo=text, optimize=True)


def _for_page(svg: str, salt: str, title: str, alt: str) -> str:
    """Strips what only a file needs, makes ids unique in the page and names the drawing."""
    svg = svg[svg.index("<svg") :]
    box = re.search(r'viewBox="[^"]*"', svg)
    assert box is not None  # Matplotlib always writes one
    svg = _smaller(svg[svg.index(">") + 1 :])
    own = f"x{crc32(salt.encode()):x}"
    ids = {name: f"{own}-{number}" for number, name in enumerate(_used(svg))}
    svg = re.sub(r' id="([^"]+)"', lambda m: f' id="{ids[m[1]]}"' if m[1] in ids else "", svg)
    svg = re.sub(r'(href="#|url\(#)([\w-]+)', lambda m: m[1] + ids[m[2]], svg)
    for colour, name in PAGE_COLOURS.items():
        svg = re.sub(colour, name, svg, flags=re.I)
    kind = "wide" if salt.endswith("wide") else "narrow"
    opening = (
        f'<svg class="{kind}" {box[0]} style="font-size:{SIZE:g}px" role="img" '
        f'aria-labelledby="{own}-title {own}-desc">'
        f'<title id="{own}-title">{escape(title)}</title>'
        f'<desc id="{own}-desc">{escape(alt)}</desc>'
    )
    return opening + svg


def _used(svg: str) -> list[str]:
    """Ids that something refers to."""
    return list(dict.fromkeys(re.findall(r"(?:href=\"|url\()#([\w-]+)", svg)))


def _smaller(svg: str) -> str:
    """Without what only a file needs: its style, its font, and what a page takes for granted."""
    svg = re.sub(r"<(metadata|style)\b.*?</\1>\s*", "", svg, flags=re.S)
    svg = re.sub(r"(text-anchor: start|stroke-linejoin: \w+|stroke-linecap: butt);? ?", "", svg)
    svg = re.sub(rf" ?font-family: [^;\"]*;?|font-size: {SIZE:g}px;? ?", "", svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"| style=""', "", svg)
    svg = re.sub(r'style="[^"]*"', lambda style: re.sub(r"([:;\"]) ", r"\1", style[0]), svg)
    return _lighter(svg.replace("xlink:href", "href"))


def _lighter(svg: str) -> str:
    """The same drawing in fewer bytes: hundredths of a point, no groups that do nothing."""
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.S)
    svg = re.sub(r'\bd="[^"]*"', lambda path: re.sub(r"\s*\n\s*", "", path[0]), svg)
    svg = re.sub(r'(?<==")[^"]*"', lambda text: re.sub(r"(\.\d\d)\d+", r"\1", text[0]), svg)
    svg = re.sub(r"<path (?!d=|id=)[^>]*/>", "", svg)
    used = set(_used(svg))
    svg = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in used else "", svg)
    return _without_bare_groups(re.sub(r">\s+<", "><", svg)).strip()


def _without_bare_groups(svg: str) -> str:
    """Takes out `<g>` without attributes, each with its end."""
    kept, open_groups = [], []
    for piece in re.split(r"(<g\b[^>]*>|</g>)", re.sub(r"<g\b[^>]*/>", "", svg)):
        if piece.startswith("<g"):
            open_groups.append(piece != "<g>")
        if piece != "<g>" and (piece != "</g>" or open_groups.pop()):
            kept.append(piece)
    return "".join(kept)


# --- places and words -------------------------------------------------------------------


def axes(figure: Figure, left: float, right: float, bottom: float, top: float) -> Axes:
    """Axes with these margins in inches."""
    width, height = figure.get_size_inches()
    box = (left / width, bottom / height, 1 - (left + right) / width, 1 - (bottom + top) / height)
    return figure.add_axes(box)


def across(ax: Axes) -> float:
    """Inches from one side of the axes to the other."""
    return float(ax.get_position().width * ax.figure.get_size_inches()[0])


@lru_cache(maxsize=4096)
def text_width(words: str, weight: str = "normal") -> float:
    """Inches that the longest line of the words takes."""
    font = FontProperties(family="sans-serif", weight=weight)
    lines = [line for line in words.split("\n") if line.strip()]
    return max(
        (TextPath((0, 0), line, SIZE, font).get_extents().x1 / 72 for line in lines), default=0.0
    )


def wrapped(words: str, inches: float, weight: str = "normal") -> str:
    """The words in lines no wider than `inches`, broken at blanks or behind - ( , and /."""
    lines = [""]
    for part in filter(None, re.findall(r"[^\s\-(,/]*[\-(,/]*\s?", words)):
        if lines[-1].strip() and text_width((lines[-1] + part).rstrip(), weight) > inches:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def lines_of(words: str) -> int:
    """How many lines the words take."""
    return words.count("\n") + 1


def beside(ax: Axes, inches: float, y: float, words: str, **style: Any) -> None:
    """Text at a height of the axes, `inches` from the figure's left edge."""
    place = blended_transform_factory(ax.figure.dpi_scale_trans, ax.transData)
    text = ax.text(inches, y, words, transform=place, va="center", **style)
    left, right = ax.get_position().intervalx * ax.figure.get_size_inches()[0]
    if inches < right and inches + text_width(words, style.get("weight", "normal")) > left:
        text.set_bbox({"facecolor": WHITE, "edgecolor": "none", "pad": 1})  # covers the grid


def apart(places: Sequence[float], heights: Sequence[float]) -> list[float]:
    """The places, moved as little as needed for things of these heights not to overlap."""
    order = sorted(range(len(places)), key=lambda one: places[one])
    blocks: list[list[Any]] = []  # [members, centre of the whole block, height of it]
    for one in order:
        blocks.append([[one], places[one], heights[one]])
        while len(blocks) > 1 and _touch(blocks[-2], blocks[-1]):
            upper, lower = blocks.pop(), blocks.pop()
            members = lower[0] + upper[0]
            height = lower[2] + upper[2]
            wanted, below = 0.0, 0.0
            for member in members:  # the centre that suits its members best on average
                wanted += places[member] - (below + heights[member] / 2 - height / 2)
                below += heights[member]
            blocks.append([members, wanted / len(members), height])
    moved = [0.0] * len(places)
    for members, centre, height in blocks:
        below = centre - height / 2
        for member in members:
            moved[member] = below + heights[member] / 2
            below += heights[member]
    return moved


def _touch(lower: list[Any], upper: list[Any]) -> bool:
    return lower[1] + lower[2] / 2 > upper[1] - upper[2] / 2


def label_ends(ax: Axes, ends: Sequence[tuple[float, float, str, str]], room: float) -> None:
    """Words to the right of the axes for the ends (x, y, words, colour) of its lines.

    They keep clear of each other and within the axes' height where that is possible; a thin line
    leads from an end to words that had to move. `room`: inches for the words.
    """
    figure = ax.figure
    dots = figure.dpi
    box = ax.get_position()
    width, height = figure.get_size_inches()
    low, tall = box.y0 * height, box.height * height
    words = [wrapped(text, room) for *_, text, _ in ends]
    heights = [LINE * lines_of(text) for text in words]
    at = [ax.transData.transform((0, y))[1] / dots for _, y, *_ in ends]
    limits = [
        min(max(y, low + h / 2), max(low + tall - h / 2, low + h / 2))
        for y, h in zip(at, heights, strict=True)
    ]
    moved = apart(limits, heights)
    spare = max(moved[i] + heights[i] / 2 for i in range(len(moved))) - (low + tall)
    if spare > 0:
        moved = apart([y - spare for y in moved], heights)
    start = box.x1 * width
    for (x, y, _, colour), text, place in zip(ends, words, moved, strict=True):
        ax.annotate(
            text,
            (x, y),
            (start + 2 * GAP, place),
            textcoords=figure.dpi_scale_trans,
            va="center",
            ha="left",
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.6,
                "shrinkA": 1,
                "relpos": (0, 0.5),
            },
            annotation_clip=False,
        )


def end_room(labels: Sequence[str], wide: bool) -> float:
    """Inches that words to the right of a chart get."""
    most = 1.7 if wide else 0.95
    return max(text_width(wrapped(text, most)) for text in labels)


def limits(values: Sequence[float], *needed: float, spare: float = 0.06) -> tuple[float, float]:
    """Limits of an axis that show all finite values and what is needed, with room to spare."""
    seen = [float(v) for v in (*values, *needed) if abs(v) < float("inf")]  # NaN is not either
    low, high = min(seen, default=0.0), max(seen, default=0.0)
    extra = spare * (high - low) or 1.0
    return low - extra, high + extra


def signed_ticks(ax_axis: Any) -> None:
    """Ticks with a sign, and no more decimals than they need."""
    ax_axis.set_major_formatter(lambda x, _: rounding.signed(x, rounding.decimals(x, 1, 2)))
