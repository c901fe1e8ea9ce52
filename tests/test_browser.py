"""In a browser: nothing overlaps on a phone or a desk, in the light or the dark; keys work."""

from pathlib import Path

import pytest

from cooncan_sim.reports import page
from tests import browser

pytestmark = pytest.mark.skipif(
    browser.CHROMIUM is None, reason="no Chromium on this machine: pages are not looked at"
)


@pytest.fixture(scope="module")
def pages(by_chance: Path, played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("looked-at") / "index.html"
    page.write([by_chance, played], out)
    return out.parent


@pytest.mark.parametrize(("width", "dark"), [(380, False), (1400, False), (380, True)])
@pytest.mark.parametrize("name", ["index", "more", "screened", "swept", "back"])
def test_nothing_is_wrong(name: str, width: int, dark: bool, pages: Path, tmp_path: Path) -> None:
    found = browser.look(pages / f"{name}.html", width, tmp_path, dark)
    assert found["wrong"] == []
    assert found["width"] == width
    assert found["paper"] == ("rgb(20, 23, 26)" if dark else "rgb(255, 255, 255)")
    assert found["drawings"] > 0


@pytest.mark.parametrize("width", [380, 1400])
def test_the_hands_can_be_stepped_through_with_keys(
    width: int, pages: Path, tmp_path: Path
) -> None:
    pressed = """
      const caption = () => document.getElementById("caption").textContent;
      const before = caption();
      document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
      if (caption() === before) wrong.push("the arrow key does nothing");
    """
    assert browser.look(pages / "back-hands.html", width, tmp_path, extra=pressed)["wrong"] == []


def test_what_is_wrong_is_seen(tmp_path: Path) -> None:
    """The look itself: each fault of a bad page is named."""
    bad = tmp_path / "bad.html"
    bad.write_text(
        """<!DOCTYPE html><html><head><meta charset="utf-8"><style>a:focus { outline: none }</style>
        </head><body><main><p>one</p><p style="margin-top:-2em">over it</p>
        <p style="width:900px;color:#bbb">far too wide</p><a href="#x">a link</a>
        <svg role="img" aria-labelledby="t d" width="100" height="40"><title id="t">abc</title>
        <text x="5" y="20">words</text><text x="9" y="22">others</text><text x="90" y="39">cut off
        </text></svg><img src="data:,x" width="9" height="9"><div style="overflow-x:auto"><pre
        style="width:2000px">x</pre></div></main><script>nowhere();</script></body></html>""",
        "utf-8",
    )
    found = "\n".join(browser.look(bad, 380, tmp_path)["wrong"])
    for words in (
        "script: ", "wide in 380", "“one” runs into “over it”", "too faint: “far too wide”",
        "nothing shows that “a link” has the keys", "a drawing without words",
        "“words” runs into “others”", "“cut off” is cut off", "a picture without words",
        "no key scrolls",
    ):  # fmt: skip
        assert words in found, (words, found)
