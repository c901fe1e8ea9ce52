"""The referee itself is judged: worked cases, hands played by the rules, spoilt logs."""

import copy
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.referee import rummy
from tests.referee.answers import answer
from tests.referee.cards import PACKS
from tests.referee.deadwood import least_deadwood, left_over
from tests.referee.frame import FAMILY
from tests.referee.log import check, check_match
from tests.referee.melds import meld_rules
from tests.referee.rummy_hands import HANDS_OF_EACH, hands, match
from tests.referee.rummy_spoilt import SPOILT

CASES = Path(__file__).parent / "cases"


def _cases(name: str) -> list[dict]:
    cases = json.loads((CASES / name).read_text())["cases"]
    return [case for case in cases if case["game"] in FAMILY]


@pytest.mark.parametrize("case", _cases("rules_cases.json"), ids=lambda case: case["id"])
def test_worked_case(case: dict) -> None:
    found, expected = answer(case), dict(case["expect"])
    if case["kind"] == "best_partition":
        rules = meld_rules(case["game"], rummy.settled(case))
        for melds in (found.pop("example"), expected.pop("example")):
            assert left_over(case["given"]["hand"], melds, rules) == expected["min_deadwood"]
    assert found == expected


@pytest.mark.parametrize("case", _cases("public_hands.json"), ids=lambda case: case["id"])
def test_public_hand(case: dict) -> None:
    hand = case["hand"].split()
    if "penalty" in case:
        assert least_deadwood(hand, case["game"]) == case["penalty"]
    after = {
        card: least_deadwood([c for c in hand if c != card], case["game"])
        for card in case.get("penalty_after_discard", {})
    }
    assert after == case.get("penalty_after_discard", {})
    assert min(after.values(), default=None) == case.get("best_after_discard")


def test_hands_played_by_the_rules_are_accepted() -> None:
    faults = {place: check(log) for place, log in enumerate(hands())}
    assert len(faults) == HANDS_OF_EACH * 9
    assert not {place: found for place, found in faults.items() if found}


def test_the_hands_reach_the_corners() -> None:
    seen: Counter[str] = Counter()
    for log in hands():
        switches = rummy.settled(log)
        seen[log["result"]["ending"]] += 1
        seen["credited"] += any(points < 0 for points in log["result"]["points"])
        for action in log["actions"]:
            kind = action["a"]
            seen[kind] += 1
            seen["wild laid off"] += kind == "LAYOFF" and "=" in action["card"]
            seen["wild melded"] += kind == "MELD" and any("=" in card for card in action["cards"])
            seen["long run"] += kind == "MELD" and len(action["cards"]) > 4
            if kind == "HOLD":
                seen["hold: " + switches["GO_OUT_BY_DISCARD"]] += 1
            if "recycled" in action:
                order = log.get("stock_order", "shared")
                seen[f"{kind} renews, {switches['RESHUFFLE_TIMING']}, {order}"] += 1
    corners = {
        *("out", "max_turns", "credited", "DRAW_STOCK", "DRAW_DISCARD", "MELD", "LAYOFF"),
        *("DISCARD", "HOLD", "hold: allowed", "hold: forbidden"),
        *("wild laid off", "wild melded", "long run"),
        *(f"DRAW_STOCK renews, on_demand, {order}" for order in ("shared", "per_seat")),
        *(f"DRAW_STOCK renews, at_turn_start, {order}" for order in ("shared", "per_seat")),
        *(f"DRAW_DISCARD renews, at_turn_start, {order}" for order in ("shared", "per_seat")),
    }
    assert not corners - set(+seen)


@pytest.mark.parametrize(("spoil", "fault"), SPOILT, ids=lambda one: getattr(one, "__name__", ""))
def test_spoilt_log_is_caught(spoil: Callable[[dict], bool], fault: str) -> None:
    caught: Counter[str] = Counter()
    for log in hands()[::5]:
        spoilt = copy.deepcopy(log)
        if spoil(spoilt) and caught[log["game"]] < 4:
            found = "; ".join(check(spoilt))
            assert re.search(fault, found), found or "nothing found"
            caught[log["game"]] += 1
    assert caught


def _leaves(part: object, path: tuple = ()) -> Iterator[tuple]:
    """The way to every number and word inside a log."""
    inner = part.items() if isinstance(part, dict) else enumerate(part)  # type: ignore[arg-type]
    for key, below in inner:
        if isinstance(below, (dict, list)):
            yield from _leaves(below, (*path, key))
        else:
            yield (*path, key)


def test_any_single_change_is_caught() -> None:
    """But a lay-off moved to another meld may be another legal hand, so those stay as they are."""
    rng = Random(11)
    parts = ("players", "dealer", "hands", "pile", "stock", "actions", "result")
    for log in hands()[::4]:
        ways = [way for way in _leaves({part: log[part] for part in parts}) if way[-1] != "meld"]
        for way in rng.sample(ways, 6):
            spoilt = copy.deepcopy(log)
            part: Any = spoilt
            for key in way[:-1]:
                part = part[key]
            old = part[way[-1]]
            others: list = [
                *PACKS[log["game"]],
                0,
                1,
                None,
                "DRAW_STOCK",
                "HOLD",
                "7H=6S",
                "x",
                [],
                {},
            ]
            part[way[-1]] = rng.choice([other for other in others if other != old])
            assert check(spoilt), (way, old, part[way[-1]])


# --- matches --------------------------------------------------------------------------------------

STOPPED = {"MAX_TURNS": 60}
MATCHES: list[tuple[str, int, dict]] = [
    ("jaques", 2, STOPPED),
    ("jaques", 4, STOPPED | {"DEALER_ROTATION": "loser", "FIRST_DEALER": "seat0"}),
    ("jaques", 3, STOPPED | {"ELIMINATION": "first_only", "DEALER_ROTATION": "winner"}),
    ("two_deck", 4, STOPPED | {"VOID_HAND_SCORING": "all_count", "MATCH_TARGET": 60}),
    ("wild_card", 3, STOPPED | {"WILD_BONUS": 5}),
    ("partnership", 4, STOPPED | {"DEALER_ROTATION": "loser"}),
    ("partnership", 4, STOPPED | {"PARTNER_SCORING": "each_side", "DEALER_ROTATION": "winner"}),
    ("jaques", 2, STOPPED | {"MAX_HANDS": 2}),
]


@cache
def _match(number: int) -> list[dict]:
    game, players, switches = MATCHES[number]
    return match(game, players, switches, Random(number))


@pytest.mark.parametrize("number", range(len(MATCHES)))
def test_match_played_by_the_rules_is_accepted(number: int) -> None:
    assert len(_match(number)) > 1
    assert check_match(_match(number)) == []


def test_players_leave_one_by_one_and_together() -> None:
    numbers = [len(log["match"]["seats"]) for number in (1, 3) for log in _match(number)]
    assert {2, 3, 4} <= set(numbers)


def _wrong_score(logs: list[dict]) -> None:
    logs[1]["match"]["scores"][0] += 1


def _wrong_match_dealer(logs: list[dict]) -> None:
    logs[1]["dealer"] = (logs[1]["dealer"] + 1) % logs[1]["players"]


def _hand_skipped(logs: list[dict]) -> None:
    del logs[1]


def _hand_forgotten_at_the_end(logs: list[dict]) -> None:
    logs.pop()


def _hand_after_the_end(logs: list[dict]) -> None:
    logs.append(logs[0])


def _other_switches(logs: list[dict]) -> None:
    logs[1]["switches"] = logs[1]["switches"] | {"MATCH_TARGET": 99}


@pytest.mark.parametrize(
    "spoil",
    [
        _wrong_score,
        _wrong_match_dealer,
        _hand_skipped,
        _hand_forgotten_at_the_end,
        _hand_after_the_end,
        _other_switches,
    ],
)
@pytest.mark.parametrize("number", range(len(MATCHES) - 1))
def test_spoilt_match_is_caught(number: int, spoil: Callable[[list[dict]], None]) -> None:
    logs = copy.deepcopy(_match(number))
    spoil(logs)
    assert check_match(logs)
