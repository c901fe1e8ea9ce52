"""Following a hand log: the worked cases, and hand-made logs of every game."""

import json
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from cooncan_sim.reports import card_faces
from cooncan_sim.reports.follow import (
    Step,
    steps,
    with_card,
    with_joker_freed,
    with_joker_moved,
)
from tests.sample_logs import SAMPLES

Case = dict[str, Any]


@pytest.fixture(scope="module")
def cases(pytestconfig: pytest.Config) -> list[Case]:
    own = Path(__file__).with_name("cases") / "rules_cases.json"
    path = Path(pytestconfig.getoption("cases") or own)
    read: list[Case] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return read


def _legal(cases: list[Case], kind: str) -> list[Case]:
    found = [case for case in cases if case["kind"] == kind and case["expect"]["legal"]]
    assert found
    return found


def _same(meld: tuple[str, ...], expected: list[str]) -> bool:
    """Runs in order, sets as multisets."""
    if card_faces.is_run(meld):
        return list(meld) == expected
    return Counter(meld) == Counter(expected)


def test_lay_offs_as_in_the_worked_cases(cases: list[Case]) -> None:
    for case in _legal(cases, "layoff"):
        meld = tuple(case["given"]["meld"])
        expected = case["expect"]["result"]
        # A case may leave open what a wild card stands for; a log does not.
        meanings = {card_faces.parse(token).card: token for token in expected}
        for card in case["given"]["add"]:
            meld = with_card(meld, meanings.get(card, card))
        assert _same(meld, expected), case["id"]


def test_joker_moves_as_in_the_worked_cases(cases: list[Case]) -> None:
    for case in _legal(cases, "joker_move"):
        moved = with_joker_moved(tuple(case["given"]["meld"]), case["given"]["natural"])
        assert list(moved) == case["expect"]["result"], case["id"]


def test_joker_swaps_as_in_the_worked_cases(cases: list[Case]) -> None:
    for case in _legal(cases, "joker_swap"):
        freed = with_joker_freed(tuple(case["given"]["meld"]), case["given"]["card"])
        assert _same(freed, case["expect"]["result"]), case["id"]


def test_an_ace_that_fits_both_ends_goes_where_it_is_said() -> None:
    run = ("2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS")
    assert with_card(run, "AS") == ("AS", *run)
    assert with_card(run, "AS", "high") == (*run, "AS")
    assert with_card(run[:2], "AS", "high") == ("AS", "2S", "3S")
    assert with_card(("AS", *run), "AS") == ("AS", *run, "AS")


def test_a_joker_slides_to_make_room() -> None:
    spades = ("6S", "7S", "8S", "*=9S")
    assert with_joker_moved(spades, "4S") == ("4S", "*x=5S", "6S", "7S", "8S")
    assert with_joker_moved(("*=TD", "JD", "QD"), "AD") == ("JD", "QD", "*x=KD", "AD")
    with pytest.raises(ValueError, match="no joker"):
        with_joker_moved(spades, "TS")
    with pytest.raises(ValueError, match="no joker"):
        with_joker_moved(("*x=5S", "6S", "7S"), "5S")


def test_a_joker_of_a_set_freed_by_the_other_missing_suit() -> None:
    assert with_joker_freed(("9H", "9D", "*=9S"), "9C") == ("9H", "9D", "9C")
    with pytest.raises(ValueError, match="no joker"):
        with_joker_freed(("4D", "5D", "*=6D"), "7D")


def _as_log(case: Case) -> Case:
    """A rummy script as a log up to its illegal action: what lies on the table at its start is
    laid first, and the cards drawn are put down."""
    given = deepcopy(case["given"])
    hands, stock, pile = given["hands"], list(given["stock"]), list(given["pile"])
    actions = []
    for meld in given["table"]:
        hands[meld["owner"]] += [card_faces.parse(token).card for token in meld["cards"]]
        actions.append({"seat": meld["owner"], "a": "MELD", "cards": meld["cards"]})
    seat, way = given["turn"], -1 if case["game"] == "konkan" else 1
    for action in given["actions"][: case["expect"]["illegal_at"]]:
        action["seat"] = seat
        if action["a"] == "DRAW_STOCK":
            action["card"] = stock.pop(0)
        elif action["a"] == "DRAW_DISCARD":
            action["card"] = pile.pop()
        elif action["a"] in ("DISCARD", "HOLD"):
            pile += [action["card"]] if action["a"] == "DISCARD" else []
            seat = (seat + way) % given["players"]
        actions.append(action)
    return {**given, "game": case["game"], "dealer": 0, "actions": actions}


def test_scripts_as_in_the_worked_cases(cases: list[Case]) -> None:
    scripts = [
        case
        for case in cases
        if case["kind"] == "script" and not case["game"].startswith("conquian")
    ]
    assert scripts
    for case in scripts:
        last, expected = steps(_as_log(case))[-1], case["expect"]
        assert [Counter(hand) for hand in last.hands] == [Counter(h) for h in expected["hands"]]
        assert len(last.table) == len(expected["table"]), case["id"]
        for meld, cards in zip(last.table, expected["table"], strict=True):
            assert _same(meld.cards, cards), case["id"]
        assert last.stock == expected["stock_left"], case["id"]
        assert len(last.pile) == expected["pile_size"], case["id"]
        assert (last.pile[-1] if last.pile else None) == expected["pile_top"], case["id"]


def _seen(step: Step) -> Counter[str]:
    """Every card but those in the stock."""
    cards = Counter(card for hand in step.hands for card in hand)
    cards.update(card_faces.parse(token).card for meld in step.table for token in meld.cards)
    cards.update(step.pile)
    cards.update([step.offer.card] if step.offer else [])
    return cards


@pytest.mark.parametrize("name", SAMPLES)
def test_no_card_is_lost_and_the_log_ends_in_its_result(name: str) -> None:
    log = SAMPLES[name]
    followed = steps(log)
    assert [step.action for step in followed] == [None, *log["actions"]]
    pack = Counter(card for hand in log["hands"] for card in hand)
    pack.update(log["pile"] + log["stock"])
    for step in followed:
        assert _seen(step).total() + step.stock == pack.total()
        assert _seen(step) <= pack
    last, result = followed[-1], log["result"]
    assert last.turn == result["turns"]
    assert [Counter(hand) for hand in last.hands] == [Counter(hand) for hand in result["hands"]]


def test_conquian_offers_follow_the_answers() -> None:
    offers = [
        step.offer and (step.offer.card, step.offer.origin, step.offer.seat)
        for step in steps(SAMPLES["conquian"])
    ]
    assert offers[:8] == [
        ("AS", "stock", 1),
        None,
        ("KH", "discard", 0),
        ("4S", "stock", 0),
        ("4S", "discard", 1),
        ("4S", "discard", 1),  # declined, but the opponent may force
        ("4S", "discard", 1),
        None,
    ]
    assert offers[-1] is None


def test_burned_sets_go_under_the_pile_and_their_owner_stays_down() -> None:
    followed = steps(SAMPLES["konkan"])
    burning = next(step for step in followed if step.burned)
    assert [meld.cards for meld in burning.burned] == [("9C", "9D", "9S", "9H")]
    assert burning.pile[:4] == ("9C", "9D", "9S", "9H")
    assert burning.down == {0, 2}
    log = {**SAMPLES["konkan"], "switches": {"KK_BURN_POSITION": "top"}}
    on_top = next(step for step in steps(log) if step.burned)
    assert on_top.pile[-4:] == ("9C", "9D", "9S", "9H")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"a": "DISCARD", "card": "AC"}, "seat 0 does not hold AC"),
        ({"a": "DRAW_DISCARD", "card": "KC"}, "KC is not on top of the discard pile"),
        ({"a": "LAYOFF", "card": "KC", "meld": 1}, "there is no meld 1"),
        ({"a": "KNOCK"}, "unknown action 'KNOCK'"),
        ({"a": "LET_PASS"}, "no card is on offer"),
        ({"a": "MELD", "cards": ["xx", "6H", "7H"]}, "'xx' is not a card"),
    ],
)
def test_a_broken_log_says_where(change: Case, message: str) -> None:
    log = deepcopy(SAMPLES["jaques"])
    log["actions"][3] = {"seat": 0, **change}
    with pytest.raises(ValueError) as raised:
        steps(log)
    assert str(raised.value) == f"action 3 of the log: {message}"


def test_nothing_is_drawn_from_an_empty_stock() -> None:
    log = deepcopy(SAMPLES["void"])
    log["actions"] = [{"seat": 0, "a": "DRAW_STOCK", "card": "2C"}]
    with pytest.raises(ValueError, match="the stock is empty"):
        steps(log)
