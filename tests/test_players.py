"""Pages say what was played and who played it; hands to click through are short ones."""

from pathlib import Path

import pandas as pd
import pytest

from cooncan_sim.reports import parting, players, tables, writing
from cooncan_sim.reports.parts import plain_text


def compared() -> pd.DataFrame:
    shared = {"game": "jaques", "control": "greedy", "control_label": "laying sets at once"}
    return pd.DataFrame(
        shared | {"treatment": f"greedy-wait(k={k})", "treatment_label": f"holding sets for {k} "
                  "turns", "field": field, "players": 1 + k}
        for k in (1, 2, 3) for field in ("greedy", "strong")
    )  # fmt: skip


def test_what_was_compared_in_one_sentence() -> None:
    assert players.asked({"comparisons": compared()}) == (
        "Compared: holding sets for 1 turn, holding sets for 2 turns or holding sets for 3 turns "
        "with laying sets at once, at Coon Can with two, three or four players."
    )
    seen = pd.DataFrame({"game": "double_rum", "players": range(2, 9), "strategy": "hold"})
    assert players.asked({"observations": seen}) == (
        "Watched: hands at Double Rum with two to eight players, who all play “hold”."
    )
    packs = {"control_game": ["jaques"], "treatment_game": ["two_deck"], "switch": [""],
             "players": [3], "treatment_label": ["two packs"], "control_label": ["one pack"],
             "strategy": ["greedy"]}  # fmt: skip
    assert players.asked({"contrasts": pd.DataFrame(packs)}) == (
        "Compared: two packs with one pack, at Two-Deck Coon Can and Coon Can with three players."
    )
    assert players.asked({}) == ""


def test_how_those_play_who_played() -> None:
    part = players.part({"comparisons": compared()})
    assert part is not None
    said = [plain_text(sentence) for sentence in part.sentences]
    assert [one.split(":")[0].split(" (")[0] for one in said] == [
        "“greedy-wait”", "“greedy”", "“strong”",
    ]  # fmt: skip
    assert said[0].startswith(
        "“greedy-wait” (holding sets for 1 turn, holding sets for 2 turns and holding sets for 3 "
        "turns): Plays as “greedy”, but keeps a set of three in hand"
    )
    assert not any("Source" in one or "`" in one for one in said)
    table = pd.DataFrame({"game": ["conquian"], "strategy": ["cq-force, cq-lookahead(samples=4)"]})
    both = players.part({"observations": table})
    assert both is not None and len(both.sentences) == 2
    weighed = pd.DataFrame({"game": "jaques", "strategy": ["greedy", "hold"]})
    both = players.part({"decisions": weighed})
    assert both is not None and len(both.sentences) == 2
    gone = compared().assign(treatment="s1", control="s2", field="s2")
    assert players.part({"comparisons": gone}) is None


@pytest.mark.parametrize(("most", "deals"), [(10_000, [0, 1]), (1, None)])
def test_long_hands_are_passed_over(
    most: int, deals: list[int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no hand short enough the shortest come first; else the first that differ."""
    monkeypatch.setattr(parting, "MOST_ACTIONS", most)
    monkeypatch.setattr(parting, "LOOKED_AT", 12)
    row = {"game": "jaques", "treatment": "hold", "control": "greedy", "field": "greedy",
           "players": 2, "first_deal": 0, "unit": "deals", "seed": 3, "design": "D1",
           "stock_order": "per_seat"}  # fmt: skip
    found = parting.partings(row, {})
    assert len(found) == 2
    if deals is not None:
        assert [one.deal for one in found] == deals
    monkeypatch.setattr(parting, "SHOWN", 12)
    lengths = [max(len(one.treated["actions"]), len(one.control["actions"]))
               for one in parting.partings(row, {})]  # fmt: skip
    assert (lengths == sorted(lengths)) is (deals is None)


def test_long_tables_lie_beside_the_page(tmp_path: Path) -> None:
    small = pd.DataFrame({"a": [1]})
    long = pd.DataFrame({"a": range(writing.MOST_CARRIED)})
    beside = tmp_path / "charts"
    beside.mkdir()
    links = writing.as_links({"small": small, "long": long}, (beside, "page"))
    assert links["small.csv"].startswith("data:text/csv;base64,")
    assert links["long.csv"] == "charts/page-long.csv"
    assert pd.read_csv(tmp_path / links["long.csv"])["a"].tolist() == list(long["a"])
    assert writing.as_links({"long": long})["long.csv"].startswith("data:")
    kept = tmp_path / "question"
    kept.mkdir()
    links = writing.as_links({"long": long}, (beside, "page"), kept)
    assert links["long.csv"] == "charts/page-long.csv"  # not there
    (kept / "long.csv").write_text("a\n", "utf-8")
    links = writing.as_links({"long": long}, (beside, "page"), kept)
    assert links["long.csv"] == "question/long.csv"
    elsewhere = tmp_path / "pages" / "charts"
    elsewhere.mkdir(parents=True)
    links = writing.as_links({"long": long}, (elsewhere, "page"), kept)
    assert links["long.csv"] == "charts/page-long.csv"


def test_one_is_not_many() -> None:
    assert tables.singular("holding for 1 turns, 11 turns, 1 points") == (
        "holding for 1 turn, 11 turns, 1 point"
    )
