"""Questions in TOML: read, or refused with the line and a reason."""

import re
from pathlib import Path

import pytest

from cooncan_sim import experiment
from cooncan_sim.errors import CooncanError
from cooncan_sim.question import load, shipped
from cooncan_sim.steps import steps
from tests.question_cases import GOOD, compared


def test_a_question_is_read(question: Path) -> None:
    asked = load(question)
    assert (asked.name, asked.seed, asked.asked) == ("more", 3, str(question))
    planned = steps(asked, quick=False)
    assert [(c.control.strategy, c.trial.players, c.deals) for c in planned] == [
        ("s1", 2, 700), ("s1", 3, 700), ("s3", 2, 700), ("s3", 3, 700),
    ]  # fmt: skip
    assert {(c.trial.treatment, c.trial.field == c.trial.control) for c in planned} == {
        ("s6", True)
    }
    assert {c.deals for c in steps(asked, quick=True)} == {300}


def test_every_shipped_question_is_right(tmp_path: Path) -> None:
    assert "hold-middle-cards" in shipped()
    for name in shipped():
        asked = load(name)
        assert asked.asked == name
        for quick in (True, False):
            results = experiment.Results(tmp_path / name, asked, quick)
            results.check(resume=False)
            assert results.settings["strategies"]
            assert results.missing()


def test_holding_middle_cards_asks_what_the_claim_says() -> None:
    asked = load("hold-middle-cards")
    jaques = [step for step in compared(asked) if step.trial.game == "jaques"]
    keep = "greedy-keep(low={},high={})"
    bands = [(1, 4), (10, 13), (2, 4), (9, 12)]
    assert [(c.trial.control, c.trial.field, c.trial.players) for c in jaques] == [
        (keep.format(*band), field or keep.format(*band), players)
        for field in ("", "strong")
        for band in bands
        for players in (2, 3, 4)
    ]
    for c in compared(asked):
        assert c.trial.treatment == keep.format(5, 8)
        assert c.sequential
        assert (c.trial.metrics[0], c.min_effect) == ("win", 0.003)
    assert asked.exact is not None
    assert asked.exact.lengths == (3, 4, 5)
    assert (asked.exact.bands[0].low, asked.exact.bands[0].high) == (5, 8)


def test_sweeps_go_through_games_rules_weights_controls_fields_and_tables(question: Path) -> None:
    text = GOOD.replace('game = "jaques"', 'game = ["jaques", "wild_card"]')
    text = text.replace('"s6", label = "having more"', '"s6(k={k})", label = "having {k} more"')
    text = text.replace("quick_deals = 300", SWEEPS).replace("deals = 700\n", "max_deals = 900\n")
    question.write_text(text, "utf-8")
    planned = compared(load(question))
    assert len(planned) == 2 * 2 * 2 * 2 * 2 * 2
    first, second, *_, last = planned
    assert first.trial.rules == {"GO_OUT_BY_DISCARD": "allowed", "MATCH_TARGET": 50}
    assert (first.trial.treatment, first.treatment.label) == ("s6(k=1)", "having 1 more")
    assert (first.trial.field, first.sweep, first.trial.players) == ("s1", "k=1", 2)
    assert (second.trial.field, second.trial.players) == ("s1", 3)
    assert planned[2].trial.field == "s2(k=1)"
    assert last.trial.game == "wild_card"
    assert last.trial.rules == {"GO_OUT_BY_DISCARD": "forbidden", "MATCH_TARGET": 50}
    assert (last.trial.treatment, last.trial.field) == ("s6(k=2.5)", "s2(k=2.5)")
    for one in planned:
        assert (one.sequential, one.deals, one.most_deals) == (True, 900, 1000 + 2 * 900)
        assert one.trial.metrics == ("win", "penalty", "void")
    assert {one.deals for one in steps(load(question), quick=True)} == {300}


SWEEPS = """\
quick_deals = 300
fields = ["control", "s2(k={k})"]
secondary = ["penalty", "void"]
rules = { GO_OUT_BY_DISCARD = ["allowed", "forbidden"], MATCH_TARGET = 50 }
sweep = { k = [1, 2.5] }
"""


SHORT = """\
question = "Is six more than three?"
tip = "Have six."

[[compare]]
game = ["jaques", "partnership"]
treatment = "folder/s6.py"
controls = ["s3"]
"""


def test_a_question_of_a_few_lines_takes_the_rest_as_usual(question: Path) -> None:
    question.write_text(SHORT, "utf-8")
    asked = load(question)
    assert (asked.seed, asked.claim, asked.source) == (0, "", "")
    two, four = compared(asked)
    assert (two.treatment.label, two.control.label) == ("s6", "s3")
    assert (two.trial.game, two.trial.players, two.trial.field) == ("jaques", 2, "s3")
    assert (four.trial.game, four.trial.players) == ("partnership", 4)
    assert (two.trial.metrics, two.min_effect) == (("win",), 0.01)
    assert (two.sequential, two.deals) == (True, 100_000)
    assert [one.deals for one in steps(asked, quick=True)] == [2_000, 2_000]
    question.write_text(f"{SHORT}deals = 500\n", "utf-8")
    assert [one.deals for one in steps(load(question), quick=True)] == [500, 500]


LONGER = """
players = [2]
deals = 100
quick_deals = 101
"""
TWO_SIDES = """
treatment = { game = "jaques", label = "a" }
control = { game = "jaques", label = "b", rules = { HAND_SIZE = 11 } }
strategies = ["greedy"]
"""


@pytest.mark.parametrize(
    "section",
    [
        f"[[contrast]]{TWO_SIDES}metric = 'turns'",
        f"[[rollouts]]{TWO_SIDES}worth = 0.01",
        "[[house_rules]]\ngame = 'jaques'\noptions = { HAND_SIZE = 11 }\nstrategies = ['hold']\n"
        "metric = 'turns'",
        "[[observe]]\ngame = 'jaques'\nstrategies = ['hold']\nmetric = 'turns'",
        "[[where]]\ngame = 'jaques'\ntreatment = { strategy = 's6', label = 'a' }\n"
        "controls = [{ strategy = 's6', label = 'b' }]\nmin_effect = 0.1",
        "[[compare]]\ngame = 'jaques'\ntreatment = 's6'\ncontrols = ['s3']",
    ],
)
def test_no_quick_run_is_longer_than_the_whole_one(question: Path, section: str) -> None:
    text = f"question = 'What?'\ntip = 'Look.'\n\n{section}{LONGER}"
    question.write_text(text.replace("101", "100"), "utf-8")
    load(question)
    question.write_text(text, "utf-8")
    line = text.splitlines().index("quick_deals = 101") + 1
    reason = f":{line}: quick_deals has to be at most deals, 100, not 101"
    with pytest.raises(CooncanError, match=re.escape(reason)):
        load(question)


@pytest.mark.parametrize(
    ("right", "wrong", "line", "reason"),
    [
        ('claim = "T-99"', 'clam = "T-99"', 3, "unknown key 'clam' (did you mean 'claim'?)"),
        ("seed = 3", 'seed = "3"', 6, "seed has to be a whole number, not text"),
        ("seed = 3", "seed = true", 6, "seed has to be a whole number, not true or false"),
        ("seed = 3", "seed = -1", 6, "seed has to be at least 0, not -1"),
        ('tip = "Have more."', "tip = ' '", 4, "tip is empty"),
        ('tip = "Have more."\n', "", 1, "the key 'tip' is missing"),
        ("lengths = [3, 4]", "lengths = [3, 3]", 9, "lengths holds the same entry twice: 3"),
        ("lengths = [3, 4]", "lengths = [2]", 9, "lengths has to be at least 3, not 2"),
        ("lengths = [3, 4]", "lengths = [14]", 9, "lengths: no run has more than 13 cards"),
        ("lengths = [3, 4]", "lengths = []", 9, "lengths is empty"),
        ("hand_size = 4", "hand_size = 53", 10, "hand_size: there are 52 cards"),
        ("low = 1, high = 4", "low = 5, high = 4", 13, "within 1 to 13, not 5 to 4"),
        ("low = 1, high = 4", "low = 1, hihg = 4", 13, "unknown key 'hihg' (did you mean 'high'"),
        ('game = "jaques"', "game = 1", 17, "game has to be text, not a whole number"),
        ('{ strategy = "s6", label = "having more" }', "6", 18, "has to be a strategy or a table"),
        ('{ strategy = "s6", label = "having more" }', '" "', 18, "treatment is empty"),
        ('{ strategy = "s1", label = "having little" }', "1", 19, "controls has to be a strategy"),
        ('"s3", label', '"s3", lable', 21, "unknown key 'lable' (did you mean 'label'?)"),
        (', label = "having some"', "", 21, "the key 'label' is missing"),
        ('"s3", label', '3, label', 21, "strategy has to be text, not a whole number (3)"),
        ("players = [2, 3]", "players = 2", 23, "players has to be a list, not a whole number"),
        ("players = [2, 3]", "players = [2, 1]", 23, "players has to be at least 2, not 1"),
        ('metric = "win"', 'metric = "wim"', 24, "unknown metric 'wim' (did you mean 'win'?)"),
        ("min_effect = 0.003", "min_effect = 0", 25, "min_effect has to be above 0, not 0"),
        ("deals = 700", "deals = 7.5", 26, "deals has to be a whole number, not a number (7.5)"),
        ('game = "jaques"\n', "", 16, "the key 'game' is missing"),
        (
            'metric = "win"\nmin_effect = 0.003', 'metric = "penalty"', 16,
            "the key 'min_effect' is missing: how much penalty counts?",
        ),
        ("[[compare]]", "[compare]", 16, "compare has to be a list, not a table"),
        ('"jaques"', '"jaqes"', 17, "unknown game 'jaqes' (did you mean 'jaques'?)"),
        ("players = [2, 3]", "players = [2, 5]", 23, "jaques is for 2, 3 or 4 players, not 5"),
        ('metric = "win"', 'metric = "score"', 24, "score is not measured in jaques, but win, net"),
        ("deals = 700", "max_deals = '700'", 26, "max_deals has to be a whole number, not text"),
        ("deals = 700", 'secondary = ["win"]', 26, "secondary names win again"),
        ("deals = 700", "fields = 'greedy'", 26, "fields has to be a list, not text"),
        ("deals = 700", "match = 1", 26, "match has to be true or false, not a whole number"),
        ("deals = 700", "rules = { HAND = 11 }", 26, "jaques has no switch 'HAND' (did you"),
        ("deals = 700", "rules = { HAND_SIZE = [10, 12] }", 26, "HAND_SIZE cannot be 12"),
        ("deals = 700", "rules = { HAND_SIZE = 10.5 }", 26, "has to be text or a whole number"),
        ("deals = 700", "sweep = { k = 1 }", 26, "k has to be a list, not a whole number"),
        ("deals = 700", "sweep = { k = ['a'] }", 26, "k has to be a number, not text"),
        ("deals = 700", "sweep = { k = [nan] }", 26, "k has to be a number, not nan"),
        ("deals = 700", "deals = 999999999999999", 26, "deals has to be at most"),
        ("quick_deals = 300", "quick_deals = 701", 27, "has to be at most deals, 700, not 701"),
        ("deals = 700", "max_deals = 299", 27, "has to be at most max_deals, 299, not 300"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(
    question: Path, right: str, wrong: str, line: int, reason: str
) -> None:
    assert GOOD.count(right) >= 1
    question.write_text(GOOD.replace(right, wrong, 1), "utf-8")
    with pytest.raises(CooncanError) as said:
        load(question)
    message = str(said.value)
    assert message.startswith(f"{question}:{line}: ")
    assert reason in message
    assert "\n" not in message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CooncanError, match="no such file.*did you mean 'hold-middle-cards'"):
        load("hold-midle-cards.toml")
    with pytest.raises(CooncanError, match="is a folder; a question is a TOML file"):
        load(tmp_path)
    broken = tmp_path / "broken.toml"
    broken.write_text("seed = = 3", "utf-8")
    with pytest.raises(CooncanError, match=r"broken\.toml: not right as TOML: .*line 1"):
        load(broken)
    broken.write_bytes(b'tip = "\xff"')
    with pytest.raises(CooncanError, match="UTF-8"):
        load(broken)
    broken.write_text(GOOD[: GOOD.index("[exact]")], "utf-8")
    with pytest.raises(CooncanError, match="nothing is asked"):
        load(broken)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (
            "quick_deals = 300",
            "quick_deals = 3_000",
            11,
            "quick_deals has to be at most deals, 300, not 3,000",
        ),
        ("above = 0.4", "above = 0.4\nbelow = 0.3", 8, "nothing lies above 0.4 and below 0.3"),
        ("above = 0.4", "above = nan", 8, "above has to be a number, not nan"),
        ("[[observe]]", "[observe]", 4, "observe has to be a list, not a table: write [[observe]]"),
    ],
)
def test_what_an_observation_cannot_ask(
    old: str, new: str, line: int, message: str, tmp_path: Path
) -> None:
    text = """question = "What happens?"
tip = "Look."

[[observe]]
game = "jaques"
players = [2]
metric = "starter"
above = 0.4
strategies = ["greedy"]
deals = 300
quick_deals = 300
"""
    path = tmp_path / "look.toml"
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(CooncanError, match=re.escape(f"look.toml:{line}: {message}")):
        load(path)
