"""Turns weighed under two rules as a step of a question: its tables, its mistakes, its page."""

import base64
import io
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cooncan_sim import experiment, intervals, rollouts
from cooncan_sim.arms import Memory
from cooncan_sim.errors import CooncanError
from cooncan_sim.experiment import read_manifest
from cooncan_sim.observing import Arm
from cooncan_sim.question import load
from cooncan_sim.reports import page
from cooncan_sim.rollouts import ABOVE, BELOW, OPEN, Taken, Turn, Weighed
from cooncan_sim.weighing import PARTS, SEEN, Gaps, Weighing
from tests import browser

ASKED = """\
question = "Does every turn carry a real decision?"
claim = "T-09"
tip = "Each turn carries real decisions."
source = "an onlooker"
seed = 9

[[rollouts]]
treatment = { game = "jaques", label = "open to all", rules = { MAX_TURNS = 100 } }
control = { game = "jaques", label = "closed", rules = { LAYOFF_SCOPE = "own", MAX_TURNS = 100 } }
strategies = ["greedy"]
players = [2]
worth = 0.01
above = 0.25
deals = 400
quick_deals = 260
"""


def weighed(kind: str, settled: str, value: float, leaning: float = 0.0) -> Weighed:
    return Weighed(kind, 3, 1500, settled, value, value, leaning)


TAKEN = Taken(
    4,
    (
        Turn(0, 3, 0, (weighed("draw", OPEN, 0.011, 0.4), weighed("discard", BELOW, 0.002, 0.3))),
        Turn(0, 9, 0, ()),
        Turn(2, 1, 1, (weighed("table", ABOVE, 0.3, 0.1), weighed("discard", ABOVE, 0.2, 0.2))),
        Turn(3, 5, 1, (weighed("draw", OPEN, 0.009, 0.1),)),
    ),
    1,
)


def test_gaps_are_summed_by_deal() -> None:
    whole = Gaps(TAKEN, "turn", 0.01)
    assert whole.turns.tolist() == [2, 0, 1, 1]
    assert whole.likely.sums.tolist() == [1, 0, 1, 0]
    assert whole.of(ABOVE).tolist() == [0, 0, 1, 0]
    assert whole.of(OPEN).tolist() == [1, 0, 0, 1]
    assert whole.of(BELOW).tolist() == [1, 0, 0, 0]
    # The gap is that of the decision it leans to.
    assert (whole.gaps.sums / PARTS).tolist() == pytest.approx([0.011, 0, 0.2, 0.009])
    assert whole.gaps.counts.tolist() == [2 * PARTS, 0, PARTS, PARTS]
    assert (whole.surely.sums.sum(), whole.perhaps.sums.sum()) == (1, 3)
    laying = Gaps(TAKEN, "table", 0.01)
    assert laying.of(BELOW).tolist() == [2, 0, 0, 1]
    assert (laying.gaps.sums / PARTS).tolist() == pytest.approx([0, 0, 0.3, 0])


def test_limits_leave_what_is_open_out_and_in() -> None:
    low, high = Gaps(TAKEN, "turn", 0.01).limits()
    assert low == max(0, intervals.wilson(1, 4).low - rollouts.ERROR)
    assert high == min(1, intervals.wilson(3, 4).high + rollouts.ERROR)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("weighed")
    (folder / "real.toml").write_text(ASKED, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rollouts, "MOST_WORLDS", 1500)
        patch.setattr(rollouts, "EVERY", 32)
        return experiment.run([folder / "real.toml"], folder / "out", quick=True) / "real"


def test_its_tables_say_the_same(out: Path) -> None:
    decisions, changes, each = (
        pd.read_csv(out / f"{name}.csv", keep_default_na=False, na_values=[""])
        for name in ("decisions", "changes", "weighed")
    )
    assert list(changes["decision"]) == list(SEEN)
    assert list(decisions["decision"]) == 2 * list(SEEN)
    for _, row in decisions.iterrows():
        assert row["above"] + row["below"] + row["open"] == row["turns"]
        assert row["low"] <= row["above"] / row["turns"] <= row["high"]
        assert row["above"] / row["turns"] <= row["value"]
        assert row["value"] <= (row["above"] + row["open"]) / row["turns"]
        own = each[each["label"] == row["label"]]
        own = own if row["decision"] == "turn" else own[own["decision"] == row["decision"]]
        assert row["rollouts"] == (own["answers"] * own["worlds"]).sum()
        settled = own.groupby(["deal", "turn"])["settled"]
        assert row["above"] == settled.apply(lambda one: (one == ABOVE).any()).sum()
    for _, row in changes.iterrows():
        shares = decisions.loc[decisions["decision"] == row["decision"], "value"].to_numpy()
        assert row["effect"] == pytest.approx(shares[0] - shares[1])
        known = not np.isnan(row["low"])
        assert known or row["decision"] != "turn"
        if known:
            assert row["least"] < row["low"] < row["effect"] < row["high"] < row["most"]
    assert set(decisions.loc[decisions["primary"], "claim"]) == {"supported"}
    manifest = read_manifest(out)
    assert manifest["played"]["hands"] == 520
    [asked] = manifest["settings"]["rollouts"]
    assert (asked["every"], asked["error"]) == (rollouts.EVERY, rollouts.ERROR)


def test_the_first_turns_are_the_same_under_both_rules(out: Path) -> None:
    """Before anything lies on the table the rules are alike, and so are turns and worlds."""
    each = pd.read_csv(out / "weighed.csv")
    columns = ["deal", "seat", "decision", "answers"]
    first = each[each["turn"] == 0]
    one, other = (first.loc[first["label"] == label, columns].to_numpy().tolist()
                  for label in ("open to all", "closed"))  # fmt: skip
    assert len(one) > 3
    assert one == other


def test_a_run_that_was_stopped_goes_on(out: Path, tmp_path: Path) -> None:
    text = ASKED.replace("quick_deals = 260", "quick_deals = 24")
    (tmp_path / "real.toml").write_text(text.replace("[2]", "[2, 3]"), "utf-8")
    [path] = tmp_path.glob("*.toml")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rollouts, "MOST_WORLDS", 1500)
        whole = experiment.run([path], tmp_path / "whole", quick=True, jobs=2) / "real"
        stopped = tmp_path / "stopped"
        told = []

        def stop(deals: int) -> None:
            told.append(deals)
            if len(told) == 3:  # the second step has begun
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            experiment.run([path], stopped, quick=True, progress=stop, jobs=1)
        experiment.run([path], stopped, quick=True, resume=True, jobs=1)
    for name in ("decisions", "changes", "weighed"):
        for kind in ("csv", "parquet"):
            file = f"{name}.{kind}"
            assert (stopped / "real" / file).read_bytes() == (whole / file).read_bytes()
    assert len(read_manifest(stopped / "real")["runs"]) == 2


@pytest.mark.parametrize(
    ("right", "wrong", "line", "said"),
    [
        ("worth = 0.01", "worths = 0.01", 12, "did you mean 'worth'?"),
        ("worth = 0.01", "worth = 0", 12, "worth has to be above 0"),
        ("worth = 0.01\n", "", 7, "the key 'worth' is missing"),
        ("players = [2]", "players = [9]", 11, "is for 2, 3 or 4 players, not 9"),
        ('LAYOFF_SCOPE = "own"', 'LAYOFF_SCOPE = "none"', 9, "LAYOFF_SCOPE cannot be 'none'"),
        ('control = { game = "jaques"', 'control = { game = "wild_card"', 9, "both have to be of"),
        ('"jaques"', '"double_rum"', 8, "double_rum: roll-outs are made in jaques, two_deck"),
        ('["greedy"]', '["greedy, hold"]', 10, "everybody plays one, not 'greedy, hold'"),
    ],
)
def test_mistakes_in_the_file(right: str, wrong: str, line: int, said: str, tmp_path: Path) -> None:
    path = tmp_path / "real.toml"
    both = right == '"jaques"'
    path.write_text(ASKED.replace(right, wrong, -1 if both else 1), "utf-8")
    with pytest.raises(CooncanError, match=rf"real\.toml:{line}: .*{re.escape(said)}"):
        load(path)


@pytest.mark.parametrize("game", ["two_deck", "wild_card", "partnership"])
def test_the_whole_family_can_be_weighed(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollouts, "MOST_WORLDS", rollouts.FIRST_WORLDS)
    players, strategy = (4, "greedy") if game == "partnership" else (3, "random")
    arm = Arm(game, players, strategy, {"MAX_TURNS": 80}, False, 9)
    step = Weighing(arm, arm, ("one", "the same"), 0.01, 3)
    tables = step.play(1, lambda deals: None, Memory())
    assert (tables["changes"]["effect"].fillna(0) == 0).all()
    other = replace(arm, rules={"MAX_TURNS": 79})
    assert step.settings() != replace(step, control=other).settings()


# --- the page --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def written(out: Path) -> str:
    place, _ = page.write(out)
    return place.read_text("utf-8")


def test_every_number_of_the_page_is_in_its_tables(written: str) -> None:
    files = re.findall(r'download="(\w+)\.csv" href="data:[^,]*,([^"]*)"', written)
    tables = {name: pd.read_csv(io.BytesIO(base64.b64decode(text))) for name, text in files}
    assert {"decisions", "changes"} <= set(tables)
    assert re.search(r'href="[\w/-]*weighed\.csv"', written)  # long tables lie beside
    known = np.concatenate(
        [table.select_dtypes("number").to_numpy(dtype=float).ravel() for table in tables.values()]
    )
    shown = [float(one) for one in re.findall(r'<data value="([^"]+)"', written)]
    assert len(shown) > 60
    for number in shown:
        assert np.isclose(known, number, rtol=1e-12, atol=0).any(), number


def test_what_the_page_says(written: str) -> None:
    said = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", written))
    for words in (
        "Yes.", "open to all: on", "two answers to one decision", "open to all in place of closed",
        "any decision of the turn", "where to draw from", "what to lay", "what to throw",
        "dealt anew", "The claim is that this share lies above 25 %", "One turn in 64",
    ):  # fmt: skip
        assert words in said, words


@pytest.mark.skipif(browser.CHROMIUM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [380, 1400])
def test_nothing_is_wrong_with_the_page(width: int, written: str, tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    place.write_text(written, "utf-8")
    assert browser.look(place, width, tmp_path)["wrong"] == []
