"""Strategies that break a hand, or cheat, are named in one line with the way to see it again."""

import re
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from cooncan_sim import CooncanError, cli, compare, replay, simulate
from cooncan_sim.simulate import BROKEN, StrategyError
from tests.referee import rummy
from tests.referee.frame import Illegal

PAGES = Path(__file__).parent / "bad_strategies"
# What each page does wrong: the action, and the rule or the error it ends with.
WRONG = {
    "answers_nothing": "DISCARD -5 breaks R-COM-06: -5 is no card",
    "draws_from_nowhere": "the answer 7 breaks R-COM-06",
    "drops_cards": "breaks R-COM-12",
    "lays_off_on_no_meld": "LAYOFF .. breaks R-JAQ-14",
    "lays_two_cards": "MELD .. .. breaks R-JAQ-30",
    "lays_what_it_lacks": "MELD AS AH AD breaks R-COM-06",
    "raises": "raised ValueError: this takes too long",
    "writes_past_its_memory": "raised IndexError",
    "throws_back": "DISCARD .. breaks R-JAQ-16",
    "throws_no_card_of_its_own": "DISCARD .. breaks R-COM-06",
}
every_page = pytest.mark.parametrize("name", WRONG)


def page(name: str) -> str:
    return str(PAGES / f"{name}.py")


def broken(name: str, seed: int = 1, **options: object) -> StrategyError:
    """The error of a batch in which the page sits beside `greedy`."""
    with pytest.raises(StrategyError) as stopped:
        simulate("jaques", ["greedy", page(name)], 300, seed, jobs=1, **options)
    return stopped.value


def deal_of(error: StrategyError) -> int:
    found = re.search(r"deal (\d+) of seed", str(error))
    assert found
    return int(found[1])


@pytest.mark.plain
@every_page
def test_one_line_says_who_where_and_what(name: str) -> None:
    error = broken(name)
    text = str(error)
    assert "\n" not in text
    assert text.startswith(f"strategy {page(name)} in seat 1, deal {deal_of(error)} of seed 1, ")
    assert re.search(WRONG[name], text)
    assert text.endswith(
        f"; to see it: cooncan replay jaques --players 'greedy,{page(name)}' "
        f"--seed 1 --deal {deal_of(error)}"
    )


@every_page
def test_what_was_played_before_is_kept(name: str) -> None:
    error = broken(name)
    before = error.partial
    assert before.deals == before.totals.hands == deal_of(error) == len(before.hands)
    if before.deals:
        assert len(before.frame()) == 2 * before.deals
        alone = simulate("jaques", ["greedy", page(name)], before.deals, 1)
        for one, other in zip(before.hands.columns, alone.hands.columns, strict=True):
            assert (one == other).all()


def test_some_pages_play_well_for_a_while() -> None:
    assert deal_of(broken("raises")) > 0


@every_page
def test_the_command_in_the_message_shows_it(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = {"HAND_SIZE": 11, "LAYOFF_NEEDS_OWN_MELD": "yes"}
    error = broken(name, rules=rules)
    command = str(error).partition("to see it: ")[2]
    monkeypatch.setattr(sys, "argv", shlex.split(command))
    with pytest.raises(SystemExit) as end:
        cli.main()
    out, err = capsys.readouterr()
    assert end.value.code == 2
    assert err == f"cooncan: {error}\n"
    assert "seat 1" in out.lower()


@every_page
def test_replay_ends_at_the_same_place(name: str) -> None:
    error = broken(name)
    with pytest.raises(StrategyError) as stopped:
        replay("jaques", ["greedy", page(name)], 1, 0, 300)
    assert str(stopped.value) == str(error)
    *whole, last = stopped.value.partial
    assert len(whole) == deal_of(error) == last["deal"]
    assert all("result" in log for log in whole) and "result" not in last


@every_page
def test_the_hand_is_shown_up_to_the_breach(name: str) -> None:
    """All its actions are legal, and it ends in or with a turn of the page."""
    with pytest.raises(StrategyError) as stopped:
        replay("jaques", ["greedy", page(name)], 1, deal_of(broken(name)))
    log = stopped.value.partial[-1]
    state = rummy.begin(log)
    for action in log["actions"]:
        try:
            rummy.play(state, action)
        except Illegal as refused:
            pytest.fail(f"{action}: {refused}")
    assert state.ending is None and 1 in (state.turn, log["actions"][-1]["seat"])


@every_page
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_batch_may_go_on(name: str, jobs: int) -> None:
    batch = simulate("jaques", ["greedy", page(name)], 60, 1, keep_going=True, jobs=jobs)
    hands = batch.hands
    lost = hands.ending[:, 0] == BROKEN
    assert batch.totals.endings[BROKEN] == lost.sum() > 0
    assert len(hands) == batch.totals.hands == 60
    assert (hands.winner[lost] == -1).all() and (hands.points[lost] == 0).all()
    assert (batch.frame()["ending"] == "broken").sum() == 2 * lost.sum()
    assert f"broken {lost.sum()}" in str(batch)
    first = int(np.flatnonzero(lost)[0])
    assert first == deal_of(broken(name))


def test_the_rules_and_the_stock_order_are_in_the_command() -> None:
    with pytest.raises(StrategyError) as stopped:
        compare("jaques", "greedy", page("lays_two_cards"), max_deals=200, rules={"HAND_SIZE": 11})
    command = str(stopped.value).partition("to see it: ")[2]
    assert command.endswith(" --rule HAND_SIZE=11 --stock-order per_seat")


def test_threads_report_the_first_deal_that_breaks() -> None:
    one, two = (
        pytest.raises(StrategyError, simulate, "jaques", ["greedy", page("raises")], 20_000, jobs=n)
        for n in (1, 2)
    )
    assert str(one.value) == str(two.value)
    assert one.value.partial.deals == two.value.partial.deals


def test_nothing_is_no_answer(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from cooncan_sim.view import stop\n\nBASE = 'greedy'\n\n\ndef choose_table(table, seat):\n"
        "    return early(table)\n\n\ndef early(table):\n    if table.turns < 7:\n"
        "        return stop()\n",
        "utf-8",
    )
    with pytest.raises(StrategyError, match="had nothing where a move was needed: a function that"):
        simulate("jaques", ["greedy", str(mine)], 20, jobs=1)


# ---- cheats -------------------------------------------------------------------------------


def test_nobody_changes_the_rules() -> None:
    with pytest.raises(CooncanError, match="changes_the_rules.py"):
        simulate("jaques", ["greedy", page("changes_the_rules")], 5, jobs=1)


@pytest.mark.parametrize("play", [simulate, replay])
def test_nobody_looks_at_other_hands(play: object) -> None:
    words = r"looks_at_other_hands.py:10: in choose_draw: table has no field 'seats'"
    with pytest.raises(CooncanError, match=words) as refused:
        play("jaques", ["greedy", page("looks_at_other_hands")], 1, 0)  # type: ignore[operator]
    assert "\n" not in str(refused.value) and not isinstance(refused.value, StrategyError)


# ---- numbers that are no card -------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "base", "number", "right"),
    [
        ("jaques", "greedy", 99, "ranks A to K = 0 to 12;"),
        ("jaques", "greedy", -1, "ranks A to K = 0 to 12;"),
        ("jaques", "greedy", 64, "ranks A to K = 0 to 12;"),
        ("jaques", "greedy", 13, "ranks A to K = 0 to 12;"),
        ("conquian", "cq-greedy", 10, "ranks A to K = 0 to 9;"),
        ("double_rum", "greedy", 63, "ranks A to K = 0 to 12, or 64 for a joker;"),
        ("konkan", "kk-greedy", 63, "ranks A to K = 0 to 12, or 64 for a joker;"),
    ],
)
def test_a_discard_that_is_no_card_is_said_to_be_none(
    game: str, base: str, number: int, right: str, tmp_path: Path
) -> None:
    """Of seat 1; in konkan only when it holds a joker, whose bit in a hand is 63."""
    head = f"GAMES = ({game!r},)\nBASE = {base!r}\nWEIGHTS = {{'number': 0}}\n"
    asked = "int(seat.weights[0])"
    if game == "konkan":
        head = f"from cooncan_sim.view_konkan import legal_discards, lowest\n{head}"
        asked += " if seat.jokers else lowest(legal_discards(table, seat))"
    mine = tmp_path / "mine.py"
    mine.write_text(f"{head}\n\ndef choose_discard(table, seat):\n    return {asked}\n", "utf-8")
    with pytest.raises(StrategyError) as stopped:
        simulate(game, [base, f"{mine}(number={number})"], 50, 1, jobs=1)
    assert (
        f"DISCARD {number} breaks R-COM-06: {number} is no card: a card is 16*suit + rank, "
        f"suits S H D C = 0 to 3, {right} to see it: "
    ) in str(stopped.value)
