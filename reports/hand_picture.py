"""A hand and its best partition, drawn as cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cooncan_sim.reports import card_faces

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import PathPatch

# Lengths are in card widths.
_HEIGHT = 1.42
_STEP = 1.06  # from one card of a group to the next
_GAP = 0.55  # between two groups
_ROW = 2.5
_INCHES = 0.62

_INK, _SOFT, _LINE = "#1f2328", "#5b6068", "#a9a59b"
_COLOURS = {
    "spades": "#1c1f23",
    "hearts": "#b8420a",
    "diamonds": "#0063a0",
    "clubs": "#006b4d",
    "joker": "#7a4a7a",
}


def draw(
    cards: list[str],
    melds: list[list[str]],
    unmelded: list[str],
    penalty: int,
    path: str | Path,
) -> None:
    """Write a picture of a hand: above as held, below its melds and the cards left over.

    Cards are tokens as in the hand log, those of melds with their meanings; `penalty` is in points.
    The suffix of `path` decides the format, `.png` or `.svg`; another one is a ValueError.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    suffix = Path(path).suffix.lower()
    if suffix not in (".png", ".svg"):
        raise ValueError(f"a picture is .png or .svg, not {suffix or 'without a suffix'}")
    below = [(_kind(meld), meld) for meld in melds]
    if unmelded:
        below.append(("left over", sorted(unmelded, key=card_faces.order)))
    faces = sorted((card_faces.parse(token).card for token in cards), key=card_faces.order)
    held = [("as held", faces)]
    width = max(_width(held), _width(below), 7.0)
    height = 2 * _ROW + 0.75
    told = sentence(melds, unmelded, penalty)
    with rc_context({"svg.hashsalt": "hand", "font.family": "DejaVu Sans"}):
        figure = Figure(figsize=((width + 0.8) * _INCHES, height * _INCHES))
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(-0.4, width + 0.4), ylim=(0, height), aspect="equal")
        axes.axis("off")
        axes.text(0, height - 0.25, told, size=12, weight="bold", color=_INK, va="top")
        _row(axes, held, height - 0.95)
        _row(axes, below, height - 0.95 - _ROW)
        stamp = {"Date": None} if suffix == ".svg" else {}
        described = {"Title": told, "Description": ", ".join(map(card_faces.name, faces))}
        figure.savefig(path, dpi=200, facecolor="white", metadata={**described, **stamp})


def sentence(melds: list[list[str]], unmelded: list[str], penalty: int) -> str:
    """`2 melds, 3 cards left over: penalty 22`."""
    made = f"{len(melds)} meld{'' if len(melds) == 1 else 's'}" if melds else "No meld"
    left = f"{len(unmelded)} card{'' if len(unmelded) == 1 else 's'}" if unmelded else "nothing"
    return f"{made}, {left} left over: penalty {penalty}"


def _kind(meld: list[str]) -> str:
    return "run" if card_faces.is_run(tuple(meld)) else "set"


def _width(groups: list[tuple[str, list[str]]]) -> float:
    cards = sum(len(tokens) for _, tokens in groups)
    return cards * _STEP + (len(groups) - 1) * _GAP


def _row(axes: Axes, groups: list[tuple[str, list[str]]], top: float) -> None:
    """Groups of cards side by side, each with a line and its name under it."""
    x = 0.0
    for label, tokens in groups:
        for place, token in enumerate(tokens):
            _card(axes, token, x + place * _STEP, top - _HEIGHT, faint=label == "left over")
        end = x + len(tokens) * _STEP - (_STEP - 1)
        under = top - _HEIGHT - 0.14
        axes.plot([x, end], [under, under], color=_LINE, lw=1.2)
        axes.text((x + end) / 2, under - 0.1, label, size=9, color=_SOFT, ha="center", va="top")
        x = end + _STEP - 1 + _GAP


def _card(axes: Axes, token: str, x: float, y: float, faint: bool) -> None:
    from matplotlib.patches import FancyBboxPatch

    card, meaning, _ = card_faces.parse(token)
    suit = card_faces.SUIT_NAMES[card[-1]]
    colour = _COLOURS[suit]
    axes.add_patch(
        FancyBboxPatch(
            (x + 0.08, y + 0.08),
            0.84,
            _HEIGHT - 0.16,
            boxstyle="round,pad=0.08",
            facecolor="#f1efe9" if faint else "white",
            edgecolor=_LINE,
            linestyle="--" if faint else "-",
            linewidth=0.9,
        )
    )
    lift = 0.3 if meaning else 0.0
    if card == card_faces.JOKER:
        axes.add_patch(_shape(suit, x + 0.5, y + 0.71 + 0.8 * lift, 0.66, colour))
    else:
        _letter(axes, card_faces.rank_text(card), x + 0.25, y + 1.17, 13, colour)
        axes.add_patch(_shape(suit, x + 0.64, y + 0.5 + lift, 0.48, colour))
    if meaning:
        _stands_for(axes, meaning, x, y)


def _letter(axes: Axes, rank: str, x: float, y: float, size: float, colour: str) -> None:
    axes.text(x, y, rank, size=size, weight="bold", color=colour, ha="center", va="center")


def _stands_for(axes: Axes, meaning: str, x: float, y: float) -> None:
    """The card a joker or wild card stands for, along the foot of it."""
    suit = card_faces.SUIT_NAMES[meaning[1]] if len(meaning) == 2 else None
    colour = _COLOURS[suit] if suit else _INK
    axes.plot([x + 0.1, x + 0.9], [y + 0.46, y + 0.46], color=_LINE, lw=0.8)
    _letter(axes, card_faces.rank_text(meaning), x + (0.34 if suit else 0.5), y + 0.25, 10, colour)
    if suit:
        axes.add_patch(_shape(suit, x + 0.66, y + 0.25, 0.26, colour))


def _shape(suit: str, x: float, y: float, size: float, colour: str) -> PathPatch:
    """A suit as a filled path around (x, y)."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Outline

    codes = {"M": int(Outline.MOVETO), "L": int(Outline.LINETO), "C": int(Outline.CURVE4)}
    points: list[tuple[float, float]] = []
    kinds: list[int] = []
    pieces = iter(card_faces.SHAPES[suit].split())
    for piece in pieces:
        if piece == "Z":
            points.append(points[-1])
            kinds.append(int(Outline.CLOSEPOLY))
        elif piece in codes:
            kind = codes[piece]
        else:
            right, down = float(piece) / 100, float(next(pieces)) / 100
            points.append((x + (right - 0.5) * size, y + (0.5 - down) * size))
            kinds.append(kind)
    return PathPatch(Outline(points, kinds), facecolor=colour, linewidth=0)
