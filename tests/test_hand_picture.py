"""Pictures of hands: what they say, that they are written, and that they are the same each time."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cooncan_sim.reports.hand_picture import draw, sentence

CARDS = "2C 5H 7H * 9S TD 9D * 9C AS".split()
MELDS = [["5H", "2C=6H", "7H"], ["9S", "9D", "9C", "*=9"]]
UNMELDED = ["TD", "*", "AS"]
SVG = "{http://www.w3.org/2000/svg}"


def test_a_png_is_written(tmp_path: Path) -> None:
    draw(CARDS, MELDS, UNMELDED, 26, tmp_path / "hand.PNG")
    assert (tmp_path / "hand.PNG").read_bytes()[1:4] == b"PNG"


def test_an_svg_names_its_cards_and_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        draw(CARDS, MELDS, UNMELDED, 26, tmp_path / name)
    written = (tmp_path / "one.svg").read_bytes()
    assert written == (tmp_path / "two.svg").read_bytes()
    root = ElementTree.fromstring(written)
    title = root.find(f"{SVG}title")
    assert title is not None and title.text == "2 melds, 3 cards left over: penalty 26"
    assert b"nine of spades" in written


def test_every_card_is_drawn_twice(tmp_path: Path) -> None:
    """Once as held and once in its group: the suits are filled paths in the suit's colour."""
    draw(["5H", "6H", "7H", "KC"], [["5H", "6H", "7H"]], ["KC"], 10, tmp_path / "hand.svg")
    shapes = [
        group
        for group in ElementTree.parse(tmp_path / "hand.svg").iter(f"{SVG}g")
        if group.get("id", "").startswith("patch_")
    ]
    styles = [(path.get("style") or "") for group in shapes for path in group.iter(f"{SVG}path")]
    assert sum("#b8420a" in style for style in styles) == 6
    assert sum("#006b4d" in style for style in styles) == 2


@pytest.mark.parametrize(
    ("melds", "unmelded", "penalty", "told"),
    [
        (MELDS, UNMELDED, 26, "2 melds, 3 cards left over: penalty 26"),
        (MELDS[:1], ["AS"], 1, "1 meld, 1 card left over: penalty 1"),
        (MELDS, [], 0, "2 melds, nothing left over: penalty 0"),
        ([], ["KC"], 10, "No meld, 1 card left over: penalty 10"),
    ],
)
def test_sentence(melds: list[list[str]], unmelded: list[str], penalty: int, told: str) -> None:
    assert sentence(melds, unmelded, penalty) == told


def test_other_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.png or \.svg, not \.gif"):
        draw(CARDS, MELDS, UNMELDED, 26, tmp_path / "hand.gif")
    assert not list(tmp_path.iterdir())


def test_matplotlib_is_imported_only_to_draw() -> None:
    check = "import sys, cooncan_sim.reports.hand_picture; sys.exit('matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True)
