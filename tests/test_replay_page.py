"""The replay page: one well-formed file that fetches nothing and shows every step."""

import json
import re
import shutil
import subprocess
from collections import Counter
from copy import deepcopy
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from cooncan_sim.errors import CooncanError
from cooncan_sim.reports.replay_page import page
from tests.sample_logs import SAMPLES

VOID = {"meta", "link", "input", "br", "img"}
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)


class Page(HTMLParser):
    """Notes tags, ids and text, and fails at a tag that is not closed in its place."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.scripts: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["script"]:
            self.scripts.append(data)


@pytest.fixture(scope="module")
def html() -> str:
    return page(list(SAMPLES.values()))


def recorded(html: str) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(Page(html).scripts[0])
    return shown


def test_it_is_well_formed(html: str) -> None:
    parsed = Page(html)
    assert max(Counter(parsed.ids).values()) == 1
    assert len(parsed.scripts) == 2


def test_it_fetches_nothing(html: str) -> None:
    for sign in ("http", "://", "src=", "@import", "url("):
        assert sign not in html
    links = [value for _, name, value in Page(html).attributes if name == "href"]
    assert set(links) == {"data:,"}


def test_every_hand_has_a_step_for_the_deal_and_one_for_each_action(html: str) -> None:
    hands = recorded(html)["hands"]
    assert len(hands) == len(SAMPLES)
    for hand, log in zip(hands, SAMPLES.values(), strict=True):
        assert len(hand["steps"]) == 1 + len(log["actions"])
        assert len(hand["seats"]) == log["players"]


def test_every_card_shown_has_a_face(html: str) -> None:
    shown = recorded(html)
    for step in (step for hand in shown["hands"] for step in hand["steps"]):
        cards = " ".join([*step["hands"], *(meld["cards"] for meld in step["melds"]), step["top"]])
        offered = [step["offer"]["card"]] if step["offer"] else []
        assert {*cards.split(), *offered} <= shown["faces"].keys()
    assert shown["faces"]["*x=5S"] == {
        "name": "joker standing for the five of spades, moved and locked",
        "rank": "×",
        "suit": "joker",
        "for_rank": "5",
        "for_suit": "spades",
    }


def test_what_an_action_moved_is_marked(html: str) -> None:
    hands = dict(zip(SAMPLES, recorded(html)["hands"], strict=True))
    drawn, laid, added, thrown = hands["jaques"]["steps"][1:5]
    assert drawn["hands"][0].split()[drawn["drawn"]] == "7H"
    assert laid["melds"] == [{"owner": 0, "cards": "5H 6H 7H", "new": [0, 1, 2]}]
    assert added["melds"] == [{"owner": 0, "cards": "5H 6H 7H 8H", "new": [3]}]
    assert thrown["thrown"] and thrown["top"] == "KC"
    assert thrown["melds"] == [{"owner": 0, "cards": "5H 6H 7H 8H", "new": []}]
    moved = hands["double_rum"]["steps"][5]
    assert moved["melds"] == [{"owner": 0, "cards": "*x=5S 6S 7S 8S 9S", "new": [0, 4]}]
    rearranged = hands["conquian_jaques"]["steps"][13]["melds"]
    assert [meld["new"] for meld in rearranged] == [[], [4]]


def test_a_hidden_draw_is_not_named(html: str) -> None:
    step = recorded(html)["hands"][0]["steps"][5]
    assert step["words"] == "Seat 1 draws Q♠\ufe0e from the stock."
    assert step["veiled"] == "Seat 1 draws a card from the stock."


def test_names_are_escaped() -> None:
    log = deepcopy(SAMPLES["void"])
    nasty = "</script><img onerror=alert(1)>&'\""
    log["strategies"] = [nasty, "my/strategy.py"]
    html = page([log])
    assert "<img" not in html
    assert recorded(html)["hands"][0]["seats"][0]["strategy"] == nasty
    assert html.count("</script>") == 2
    with pytest.raises(CooncanError, match="unknown game"):
        page([log | {"game": f"jaques{nasty}"}])


def test_the_list_of_hands_says_how_each_ended(html: str) -> None:
    chosen = [hand["choice"] for hand in recorded(html)["hands"]]
    assert chosen[:2] == ["Deal 0, seat 0 wins, 5 turns", "Deal 0, void, 1 turn"]
    broken = {key: value for key, value in SAMPLES["jaques"].items() if key != "result"}
    [hand] = recorded(page([broken]))["hands"]
    assert hand["choice"] == "Deal 0, broken off"
    assert hand["outcome"] == ["The hand breaks off here."]


def test_a_page_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no hand"):
        page([])


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_browser_shows_the_step_of_the_address(html: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(html, encoding="utf-8")
    options = (
        "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
        "--disable-background-networking --disable-component-update --dump-dom"
    )
    command = [str(CHROMIUM), *options.split(), f"--user-data-dir={tmp_path / 'profile'}"]
    address = f"{file.as_uri()}#hand=1&step=5"
    done = subprocess.run(
        [*command, address], capture_output=True, text=True, check=True, timeout=120
    )
    caption = re.search(r'id="caption"[^>]*>([^<]*)<', done.stdout)
    assert caption and caption[1] == "Seat 1 draws Q♠\ufe0e from the stock."
    assert done.stdout.count('aria-current="step"') == 1
    assert re.search(r'id="where"[^>]*>Turn 2 · step 5 of 15<', done.stdout)
    assert done.stdout.count('class="seat') == 2
