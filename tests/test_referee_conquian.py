"""The slow referee of Conquian: worked cases, hands of its own, and logs spoilt on purpose."""

import json
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.referee import conquian
from tests.referee.conquian_hand import ConquianHand
from tests.referee.conquian_play import cq_greedy, legal_answers
from tests.referee.conquian_table import acceptances, kinds, split
from tests.referee.made_logs import dealt_log, play_out, result_of
from tests.referee.spoilt_logs import COMMON, Spoil, changed_somewhere, first_action, spoilt
from tests.referee.tokens2 import Illegal, all_switches

Log = dict[str, Any]
CASES = json.loads((Path(__file__).parent / "cases" / "rules_cases.json").read_text())["cases"]
OWN_CASES = [case for case in CASES if case["game"].startswith("conquian")]

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("conquian", {}),
    ("conquian", {"CQ_REARRANGE": "none"}),
    ("conquian", {"CQ_FORCE_SCOPE": "any"}),
    ("conquian", {"CQ_FORCE_SCOPE": "table_direct", "CQ_RUN_CAP": 8}),
    ("conquian", {"CQ_HAND_CARDS": "any", "CQ_STOCK_END": "last_card"}),
    ("conquian", {"CQ_HAND_CARDS": "no_all_hand_meld", "CQ_REARRANGE": "none"}),
    ("conquian", {"CQ_FORCING": "off", "CQ_HAND_CARDS": "no_all_hand_meld"}),
    ("conquian_jaques", {}),
    ("conquian_jaques", {"CQJ_SIZE": "deal10_need11", "CQ_FORCING": "on"}),
    ("conquian_jaques", {"CQJ_SIZE": "deal9_need11_literal", "CQ_REARRANGE": "free"}),
    ("conquian_jaques", {"CQ_REARRANGE": "free", "CQ_FORCING": "on", "CQ_STOCK_END": "last_card"}),
]


def eager(rng: Random) -> Callable[[ConquianHand], Log]:
    """A random player who mostly takes a card that fits, and forces every other."""

    def choose(state: ConquianHand) -> Log:
        if not state.ordered and state.phase == "OFFER" and state.card is None:
            state.reveal(rng.choice(state.stock))
        answers = legal_answers(state)
        accepting = [answer for answer in answers if answer["a"] == "ACCEPT"]
        return rng.choice(accepting if accepting and rng.random() < 0.6 else answers)

    return choose


def made_log(number: int, game: str, switches: Log, strategy: str = "random") -> Log:
    rng = Random(f"{game} {number} {sorted(switches)}")
    log = dealt_log(game, 2, switches, conquian.FACTS, rng, per_seat=number % 4 == 3)
    log["strategies"] = [strategy, strategy]
    state = ConquianHand.from_log(all_switches(game, switches), log)
    player = eager(rng)

    def greedy(state: ConquianHand) -> Log:
        if not state.ordered and state.phase == "OFFER" and state.card is None:
            state.reveal(rng.choice(state.stock))
        return cq_greedy(state)

    play_out(log, state, player if strategy == "random" else greedy)
    log["result"] = result_of(state, conquian.score(state.winner, 1))
    return log


@cache
def own_logs() -> list[Log]:
    return [made_log(n, game, switches) for game, switches in SETTINGS for n in range(20)]


@pytest.mark.parametrize("case", OWN_CASES, ids=lambda case: case["id"])
def test_worked_case(case: Log) -> None:
    assert conquian.answer(case) == case["expect"]


def test_every_kind_of_case_was_met() -> None:
    assert {case["kind"] for case in OWN_CASES} == set(conquian.ANSWERS)


def test_own_hands_are_accepted() -> None:
    for log in own_logs():
        assert conquian.check(log) == []


def test_own_hands_reach_everything() -> None:
    endings = {log["result"]["ending"] for log in own_logs()}
    names = [action["a"] for log in own_logs() for action in log["actions"]]
    assert endings == {"out", "draw"}
    assert names.count("FORCE") > 30 and names.count("LET_PASS") > 30
    forced = [
        after["hand_cards"]
        for log in own_logs()
        for before, after in zip(log["actions"], log["actions"][1:], strict=False)
        if before["a"] == "FORCE"
    ]
    assert any(forced) and not all(forced)
    literal = [log for log in own_logs() if "deal9_need11_literal" in log["switches"].values()]
    assert literal and all(log["result"]["winner"] is None for log in literal)
    assert max(log["result"]["turns"] for log in own_logs()) <= 42


@pytest.mark.parametrize(("game", "switches"), SETTINGS, ids=str)
def test_greedy_hands_replay_as_greedy(game: str, switches: Log) -> None:
    for number in range(4):
        log = made_log(number, game, switches, "cq_greedy")
        assert conquian.check(log) == []
        assert conquian.replays_as(log) == []


def test_another_discard_is_not_greedy() -> None:
    log = made_log(0, "conquian", {}, "cq_greedy")
    number = next(n for n, action in enumerate(log["actions"]) if action["a"] == "DISCARD")
    seat = log["actions"][number]["seat"]
    laid = [card for action in log["actions"][:number] if action["seat"] == seat
            for card in action.get("hand_cards", [])]  # fmt: skip
    kept = [card for card in log["hands"][seat] if card not in laid]
    log["actions"][number]["card"] = next(c for c in kept if c != log["actions"][number]["card"])
    assert f"action {number}" in conquian.replays_as(log)[0]
    log["strategies"][seat] = "random"
    assert f"action {number} " not in "".join(conquian.replays_as(log))


def offered(hand: list[str], table: list[list[str]], card: str, **switches: str) -> ConquianHand:
    """Seat 0 is offered a discard; seat 1 has clubs on the table."""
    hands = [hand, ["2D", "6D", "KD", "KH"]]
    tables = [table, [["AC", "2C", "3C"]]]
    state = ConquianHand(all_switches("conquian", switches), hands, tables, ["7D", "JD"])
    state.card = card
    state.offer(0, "discard")
    return state


@pytest.mark.parametrize(
    ("hand", "table", "card", "hand_cards", "melds"),
    [
        # three fives from hand beat two spades
        ("4S 6S 5H 5D 5C KS", "", "5S", "5H 5D 5C", "5S 5H 5D 5C"),
        # two and two: spades come first in card order
        ("4S 6S 5H 5D KS", "", "5S", "4S 6S", "4S 5S 6S"),
        # the longest run that holds 6S; it takes the table's 3S along, and 2S may not stay behind
        ("6S KS", "2S 3S 4S 5S", "7S", "6S", "2S 3S 4S 5S 6S 7S"),
        # 4S can leave its set, but 4S-5S-6S-7S must leave a set of three
        ("6S KS", "4S 4H 4D 4C 5S 5H 5D", "7S", "", ""),
        ("6S KS", "4S 4H 4D 4C 5S 5H 5D 5C", "7S", "6S", "4S 5S 6S 7S/4H 4D 4C/5H 5D 5C"),
    ],
)
def test_greedy_offer(hand: str, table: str, card: str, hand_cards: str, melds: str) -> None:
    old = split(table.split(), all_switches("conquian", {}))
    assert old is not None
    answer = cq_greedy(offered(hand.split(), old, card))
    if not melds:
        assert answer == {"a": "DECLINE", "card": card}
    else:
        assert answer["hand_cards"] == hand_cards.split()
        assert answer["melds"] == [meld.split() for meld in melds.split("/")]


def test_greedy_offer_with_frozen_melds() -> None:
    table = [["AS", "2S", "3S"], ["4H", "4D", "4C"]]
    answer = cq_greedy(offered(["5S", "6S", "KS"], table, "4S", CQ_REARRANGE="none"))
    assert answer["hand_cards"] == ["5S", "6S"]
    assert answer["melds"] == [["AS", "2S", "3S", "4S", "5S", "6S"], ["4H", "4D", "4C"]]
    answer = cq_greedy(offered(["KS"], table, "4S", CQ_REARRANGE="none"))
    assert answer["melds"] == [["AS", "2S", "3S", "4S"], ["4H", "4D", "4C"]]


def test_greedy_discard() -> None:
    state = offered(["AS", "KS", "5H"], [], "7H")
    state.phase = "DISCARD"
    assert cq_greedy(state) == {"a": "DISCARD", "card": "AS"}  # AC lies opposite: four partners
    state.dead = ["QS"]
    assert cq_greedy(state) == {"a": "DISCARD", "card": "KS"}  # four each: kings go first
    state.dead = ["QS", "AD"]
    assert cq_greedy(state) == {"a": "DISCARD", "card": "AS"}


def partitions(cards: list[str]) -> list[list[list[str]]]:
    """Every way to put the cards into heaps of three or more valid together, by trying all."""
    if not cards:
        return [[]]
    first, *rest = cards
    found = []
    for size in range(2, len(rest) + 1):
        for others in combinations(rest, size):
            heap = [first, *others]
            if kinds(heap, all_switches("conquian", {})):
                found += [[heap, *more] for more in partitions([c for c in rest if c not in heap])]
    return found


def test_acceptances_equal_trying_every_heap() -> None:
    rng, met = Random(5), 0
    pack = [rank + suit for suit in "SH" for rank in "A23456"] + ["4D", "4C", "5D", "5C"]
    anything = all_switches("conquian", {})
    melds = [list(heap) for size in (3, 4) for heap in combinations(pack, size)
             if kinds(heap, anything)]  # fmt: skip
    for _ in range(10):
        table = rng.sample(melds, 2)
        if set(table[0]) & set(table[1]):
            table = table[:1]
        down = [c for heap in table for c in heap]
        card, *hand = rng.sample([c for c in pack if c not in down], 5)
        for arrange in ("free", "none"):
            for scope in ("with_center", "no_all_hand_meld", "any"):
                rules = all_switches("conquian", {"CQ_REARRANGE": arrange, "CQ_HAND_CARDS": scope})
                slow = set()
                for size in range(4):
                    for used in combinations(hand, size):
                        ways = partitions([*down, card, *used])
                        if any(allowed(way, table, used, card, arrange, scope) for way in ways):
                            slow.add(frozenset(used))
                fast = acceptances(table, hand, card, rules, 11)
                assert {frozenset(used) for used in fast} == slow
                met += len(slow)
    assert met > 30


def allowed(
    way: list[list[str]],
    table: list[list[str]],
    used: tuple[str, ...],
    card: str,
    arrange: str,
    scope: str,
) -> bool:
    if arrange == "none":
        homes = [[n for n, heap in enumerate(way) if set(old) <= set(heap)] for old in table]
        if [] in homes or len({home[0] for home in homes}) < len(homes):
            return False
    if scope == "with_center":
        return all(set(used) <= set(heap) for heap in way if card in heap)
    return scope == "any" or not any(set(heap) <= set(used) for heap in way)


def other_card_offered(log: Log) -> bool:
    log["actions"][0]["card"] = log["hands"][0][0]
    return True


def stock_in_another_order(log: Log) -> bool:
    log["stock"].reverse()
    return "stock_order" not in log


def hand_card_conjured(log: Log) -> bool:
    number = first_action(log, "ACCEPT")
    if number is None:
        return False
    action = log["actions"][number]
    log["actions"][number]["hand_cards"] = [*action["hand_cards"], log["stock"][-1]]
    return True


def melds_without_the_offered_card(log: Log) -> bool:
    number = first_action(log, "ACCEPT")
    if number is None:
        return False
    action = log["actions"][number]
    action["melds"] = [[c for c in meld if c != action["card"]] for meld in action["melds"]]
    return True


def run_told_backwards(log: Log) -> bool:
    for action in log["actions"]:
        for meld in action.get("melds", []):
            if meld[0][1] == meld[1][1]:
                meld.reverse()
                return True
    return False


def table_card_thrown(log: Log) -> bool:
    number = first_action(log, "ACCEPT")
    if number is None or number + 1 == len(log["actions"]):
        return False
    log["actions"][number + 1]["card"] = log["actions"][number]["melds"][0][0]
    return True


def declined_when_forced(log: Log) -> bool:
    number = first_action(log, "FORCE")
    if number is None:
        return False
    accepted = log["actions"][number + 1]
    log["actions"][number + 1] = {
        "seat": accepted["seat"],
        "a": "DECLINE",
        "card": accepted["card"],
    }
    return True


def forced_where_it_cannot_be(log: Log) -> bool:
    for number, action in enumerate(log["actions"][:-1]):
        if action["a"] == "DECLINE" and log["actions"][number + 1]["a"] in ("ACCEPT", "DECLINE"):
            log["actions"].insert(number + 1, {"seat": 1 - action["seat"], "a": "FORCE"})
            return True
    return False


def not_asked_about_forcing(log: Log) -> bool:
    number = first_action(log, "LET_PASS")
    if number is None:
        return False
    del log["actions"][number]
    return True


def no_discard_after_melding(log: Log) -> bool:
    number = first_action(log, "DISCARD")
    if number is None:
        return False
    del log["actions"][number]
    return True


def forcing_switched_off(log: Log) -> bool:
    if first_action(log, "FORCE") is None and first_action(log, "LET_PASS") is None:
        return False
    off = {"CQ_FORCING": "off"} if log["game"] == "conquian" else {}
    log["switches"] = {k: v for k, v in log["switches"].items() if k != "CQ_FORCING"} | off
    return True


OWN_CHANGES: tuple[Spoil, ...] = (
    other_card_offered,
    stock_in_another_order,
    hand_card_conjured,
    melds_without_the_offered_card,
    run_told_backwards,
    table_card_thrown,
    declined_when_forced,
    forced_where_it_cannot_be,
    not_asked_about_forcing,
    no_discard_after_melding,
    forcing_switched_off,
)


@pytest.mark.parametrize("change", [*COMMON, *OWN_CHANGES], ids=lambda change: change.__name__)
def test_spoilt_log_is_caught(change: Spoil) -> None:
    wrong = spoilt(own_logs(), change, 12)
    assert len(wrong) >= 3
    assert all(conquian.check(log) for log in wrong)


def test_any_single_change_is_caught() -> None:
    for where, log in changed_somewhere(own_logs(), Random(3), 100):
        assert conquian.check(log), where


def test_frozen_melds_stay_whole() -> None:
    state = ConquianHand(
        all_switches("conquian", {"CQ_REARRANGE": "none"}),
        [["KH", "QD", "7C"], ["2D"] * 1],
        [[["4S", "4H", "4D", "4C"], ["AS", "2S", "3S"]], []],
        ["6C"],
    )
    state.card = "5S"
    state.offer(0, "stock")
    borrowed = [["4H", "4D", "4C"], ["AS", "2S", "3S", "4S", "5S"]]
    with pytest.raises(Illegal, match="R-CQJ-07"):
        state.act({"a": "ACCEPT", "hand_cards": [], "melds": borrowed})
    state.rules = all_switches("conquian", {})
    state.act({"a": "ACCEPT", "hand_cards": [], "melds": borrowed})
    assert state.melded(0) == 8 and state.phase == "DISCARD"


def test_a_match_with_stakes_carried() -> None:
    carry = {"CQ_STAKES": "carry", "CQ_MATCH": 4}
    whole = conquian.match([None, None, 1, 0], 0, carry)
    assert whole["points"] == [[0, 0], [0, 0], [-4, 4], [1, -1]]
    assert whole["scores"] == [-3, 3]
    assert whole["dealers"] == [0, 1, 0, 1]
    assert whole["over"] and whole["match_winner"] == 1 and whole["next_dealer"] is None


def test_a_match_not_yet_over_and_one_shared() -> None:
    assert conquian.match([0], 1, {})["match_winner"] is None
    assert conquian.match([0], 1, {"DEALER_ROTATION": "winner"})["next_dealer"] == 0
    assert conquian.match([0], 1, {"DEALER_ROTATION": "loser"})["next_dealer"] == 1
    assert conquian.match([None], 1, {"DEALER_ROTATION": "loser"})["next_dealer"] == 0
    assert conquian.match([0, 1], 1, {"CQ_MATCH": 2})["match_winner"] == [0, 1]


def match_logs() -> list[Log]:
    """Logs of a match of six hands, stakes carried."""
    switches = {"CQ_STAKES": "carry", "CQ_MATCH": 6}
    logs: list[Log] = []
    number, dealer, scores, stake = 0, 0, [0, 0], 1
    while len(logs) < 6:
        log = made_log(number, "conquian", switches)
        number += 1
        if log["dealer"] != dealer:
            continue
        points = conquian.score(log["result"]["winner"], stake)
        log["result"]["points"] = points
        log["match"] = {"hand": len(logs) + 1, "scores": scores, "seats": [0, 1]}
        scores = [s + p for s, p in zip(scores, points, strict=True)]
        stake = 2 * stake if log["result"]["winner"] is None else 1
        dealer = 1 - dealer
        logs.append(log)
    return logs


def test_whole_match() -> None:
    logs = match_logs()
    assert any(log["result"]["winner"] is None for log in logs[:-1])
    assert conquian.check_match(logs) == []
    assert conquian.check_match(logs[:-1]) != []
    after_draw = next(n for n, log in enumerate(logs) if log["result"]["winner"] is None) + 1
    while logs[after_draw]["result"]["winner"] is None:
        after_draw += 1
    logs[after_draw]["result"]["points"] = conquian.score(logs[after_draw]["result"]["winner"], 1)
    assert any("points" in fault for fault in conquian.check_match(logs))
