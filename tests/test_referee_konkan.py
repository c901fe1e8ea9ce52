"""The slow referee of KonKan: worked cases, hands of its own, and logs spoilt on purpose."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.referee import konkan
from tests.referee.cards import JOKER, PACKS, value
from tests.referee.joker_melds import MeldRules, kind, kinds_of_cards, worth
from tests.referee.konkan_cases import ANSWERS
from tests.referee.konkan_hand import KonkanHand, points
from tests.referee.konkan_logs import SETTINGS, made_log, own_logs, walk, with_card
from tests.referee.konkan_play import (
    kk_greedy,
    swaps,
)
from tests.referee.made_logs import dealt_log, play_out, result_of
from tests.referee.spoilt_logs import COMMON, Spoil, changed_somewhere, first_action, spoilt
from tests.referee.tokens2 import all_switches, same_cards

Log = dict[str, Any]
CASES = json.loads((Path(__file__).parent / "cases" / "rules_cases.json").read_text())["cases"]
OWN_CASES = [case for case in CASES if case["game"] == "konkan"]


@pytest.mark.parametrize("case", OWN_CASES, ids=lambda case: case["id"])
def test_worked_case(case: Log) -> None:
    answer, expected = konkan.answer(case), dict(case["expect"])
    if case["kind"] == "layoff" and "burned" not in expected:
        del answer["burned"]
    if case["kind"] == "open_max":
        rules = MeldRules.of("konkan", all_switches("konkan", None))
        for example in (answer.pop("example"), expected.pop("example")):
            laid = [card for meld in example for card in meld]
            assert all(kinds_of_cards(meld, rules) for meld in example)
            assert sum(value(card, "konkan") for card in laid) == answer["max_points"]
            assert not Counter(laid) - Counter(case["given"]["hand"])
    assert answer == expected


def test_every_kind_of_case_was_met() -> None:
    assert {case["kind"] for case in OWN_CASES} == set(ANSWERS)


def test_own_hands_are_accepted() -> None:
    for log in own_logs():
        assert konkan.check(log) == []


def test_own_hands_reach_everything() -> None:
    endings = {log["result"]["ending"] for log in own_logs()}
    assert endings == {"out", "max_turns"}
    burned: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for log in own_logs():
        for _, state, action in walk(log):
            after = state.after(action)
            assert after is not None
            laid = len(action.get("melds", [])) + (action["a"] == "MELD")
            if len(after.table) < len(state.table) + laid:
                burned[action["a"]] += 1
            seen[action["a"]] += 1
            seen["recycled"] += "recycled" in action
            seen["joker hit"] += action["a"] == "LAYOFF" and action["card"][0] == JOKER
            if action["a"] == "COME_DOWN" and state.must_open:
                seen["opened from the pile"] += 1
                seen["twin jokers"] += str(action["melds"]).count(JOKER) == 2
    assert set(konkan.FACTS.fields) <= set(seen)
    assert {"COME_DOWN", "LAYOFF", "JOKER_SWAP"} <= set(burned)
    assert seen["recycled"] >= 10 and seen["ANNOUNCE"] >= 10 and seen["JOKER_SWAP"] >= 20
    for rare in ("joker hit", "opened from the pile", "twin jokers"):
        assert seen[rare] >= 1, rare


@pytest.mark.parametrize(("players", "switches"), SETTINGS, ids=str)
def test_greedy_hands_replay_as_greedy(players: int, switches: Log) -> None:
    for number in (players, players + 4):
        log = made_log(number, players, switches, "kk_greedy")
        assert konkan.check(log) == []
        assert konkan.replays_as(log) == []


def test_a_dealer_who_comes_down_at_once() -> None:
    switches = {"KK_DEALER_COMEDOWN": "yes"}
    for number in range(200):
        log = dealt_log("konkan", 3, switches, konkan.FACTS, Random(number))
        state = KonkanHand.from_log(all_switches("konkan", switches), log)
        if state.opening():
            break
    play_out(log, state, lambda state: with_card(state, kk_greedy(state), Random(1)))
    scored = points(state.hands, state.winner, state.marked, state.down, state.rules)
    log |= {"strategies": ["kk_greedy"] * 3, "result": result_of(state, scored)}
    assert log["actions"][0]["a"] == "COME_DOWN"
    assert konkan.check(log) == [] and konkan.replays_as(log) == []
    assert konkan.check(log | {"switches": {}}) != []


def test_random_is_not_greedy() -> None:
    log = made_log(0, 2, {})
    assert konkan.replays_as(log) == []
    log["strategies"] = ["random", "kk_greedy"]
    assert "kk_greedy in seat 1" in konkan.replays_as(log)[0]


# logs spoilt on purpose


def taken_card_thrown_back(log: Log) -> bool:
    if log["switches"].get("RETURN_TAKEN_DISCARD") == "allowed":
        return False
    for number, state, action in walk(log):
        if action["a"] == "DISCARD" and state.held and state.hand.count(str(state.taken)) == 1:
            log["actions"][number]["card"] = state.taken
            return True
    return False


def twin_thrown_where_faces_count(log: Log) -> bool:
    for number, state, action in walk(log):
        if action["a"] == "DISCARD" and state.held and state.hand.count(str(state.taken)) == 2:
            log["switches"] = log["switches"] | {"TAKEN_CARD_MATCH": "face"}
            log["actions"][number]["card"] = state.taken
            return True
    return False


def taken_without_coming_down(log: Log) -> bool:
    for number, state, action in walk(log):
        if action["a"] == "COME_DOWN" and state.must_open:
            del log["actions"][number]
            return True
    return False


def taken_without_pairs_to_come_down(log: Log) -> bool:
    for number, state, action in walk(log):
        if action["a"] == "DRAW_STOCK" and state.pile and state.sources() == ["DRAW_STOCK"]:
            log["actions"][number] = action | {"a": "DRAW_DISCARD", "card": state.pile[-1]}
            return True
    return False


def came_down_with_too_little(log: Log) -> bool:
    number = first_action(log, "COME_DOWN")
    if number is None:
        return False
    log["actions"][number]["melds"].pop()
    told = sum(
        worth(meld, MeldRules("konkan", True, 2)) for meld in log["actions"][number]["melds"]
    )
    return told < 51


def never_came_down(log: Log) -> bool:
    number = first_action(log, "COME_DOWN")
    if number is None:
        return False
    seat = log["actions"][number]["seat"]
    del log["actions"][number]
    return any(
        action["a"] in ("MELD", "LAYOFF", "JOKER_SWAP", "ANNOUNCE") and action["seat"] == seat
        for action in log["actions"][number:]
    )


def came_down_twice(log: Log) -> bool:
    number = first_action(log, "COME_DOWN")
    if number is None:
        return False
    log["actions"].insert(number + 1, dict(log["actions"][number]))
    return True


def pair_with_a_conjured_card(log: Log) -> bool:
    for number, state, action in walk(log):
        if action["a"] == "COME_DOWN":
            meld = log["actions"][number]["melds"][0]
            place = next(n for n, token in enumerate(meld) if token[0] != JOKER)
            meld[place] = next(c for c in PACKS["konkan"] if c not in state.hand)
            return True
    return False


def joker_given_another_meaning(log: Log) -> bool:
    """A joker of a run is told to be a card two places away."""
    ranks = "A23456789TJQK"
    for action in log["actions"]:
        for meld in [*action.get("melds", []), action.get("cards", [])]:
            if not meld or kind(tuple(meld), MeldRules("konkan", True, 2)) != "run":
                continue
            for place, token in enumerate(meld):
                if token[0] == JOKER:
                    meld[place] = f"*={ranks[(ranks.index(token[2]) + 2) % 13]}{token[3]}"
                    return True
    return False


def joker_told_without_a_suit(log: Log) -> bool:
    for action in log["actions"]:
        for meld in [*action.get("melds", []), action.get("cards", [])]:
            for place, token in enumerate(meld):
                if token[0] == JOKER:
                    meld[place] = token[:3]
                    return True
    return False


def joker_freed_by_another_card(log: Log) -> bool:
    for number, state, action in walk(log):
        if action["a"] == "JOKER_SWAP":
            others = [card for card in state.hand if card[0] not in (action["card"][0], JOKER)]
            if others:
                log["actions"][number]["card"] = others[0]
                return True
    return False


def joker_freed_before_coming_down(log: Log) -> bool:
    for number, state, action in walk(log):
        if action["a"] == "COME_DOWN" and not state.must_open and swaps(state):
            swap = {"seat": action["seat"]} | swaps(state)[0]
            log["actions"].insert(number, swap)
            return True
    return False


def burned_set_still_counted(log: Log) -> bool:
    """After a set has burned, the next lay-off numbers the melds as if it still lay there."""
    gone = None
    for number, state, action in walk(log):
        if gone is not None and action["a"] == "LAYOFF" and action["meld"] >= gone:
            log["actions"][number]["meld"] += 1
            return True
        after = state.after(action)
        assert after is not None
        if action["a"] == "LAYOFF" and len(after.table) < len(state.table):
            gone = action["meld"]
    return False


def set_laid_on_after_it_burned(log: Log) -> bool:
    for number, state, action in walk(log):
        after = state.after(action)
        assert after is not None
        if action["a"] == "LAYOFF" and len(after.table) < len(state.table):
            log["actions"].insert(number + 1, dict(action))
            return True
    return False


def recycling_not_told(log: Log) -> bool:
    for action in log["actions"]:
        if action.pop("recycled", None):
            return True
    return False


def recycling_told_for_nothing(log: Log) -> bool:
    number = first_action(log, "DRAW_STOCK")
    if number is None:
        return False
    log["actions"][number]["recycled"] = list(log["stock"])
    return True


def recycled_card_lost(log: Log) -> bool:
    for action in log["actions"]:
        if len(action.get("recycled", [])) > 2:
            action["recycled"].pop()
            return True
    return False


def recycled_in_another_order(log: Log) -> bool:
    if "stock_order" in log:
        return False
    for number, _, action in walk(log):
        new = action.get("recycled", [])
        if action["a"] == "DRAW_STOCK" and len(set(new)) > 1 and new[0] != new[-1]:
            log["actions"][number]["recycled"] = new[::-1]
            return True
    return False


def top_kept_or_not(log: Log) -> bool:
    """The stock was renewed under the other setting of KK_RESHUFFLE_KEEP_TOP."""
    if not any("recycled" in action for action in log["actions"]):
        return False
    name = "KK_RESHUFFLE_KEEP_TOP"
    changed = {k: v for k, v in log["switches"].items() if k != name}
    log["switches"] = changed if name in log["switches"] else changed | {name: "yes"}
    return True


def one_joker_too_many_announced(log: Log) -> bool:
    for number, state, action in walk(log):
        if action["a"] == "ANNOUNCE":
            held = state.hand.count(JOKER) - state.marked[state.turn]
            log["actions"][number]["n"] = held + 1
            return True
    return False


def announced_before_coming_down(log: Log) -> bool:
    for number, state, action in walk(log):
        if state.phase == "TABLE" and not state.down[state.turn] and JOKER in state.hand:
            log["actions"].insert(number, {"seat": action["seat"], "a": "ANNOUNCE", "n": 1})
            return True
    return False


def announcement_forgotten(log: Log) -> bool:
    """The log no longer tells an announcement that made a joker cheaper."""
    if not any(JOKER in hand for hand in log["result"]["hands"]):
        return False
    for number, _, action in walk(log):
        silent = {**log, "actions": log["actions"][:number] + log["actions"][number + 1 :]}
        if action["a"] == "ANNOUNCE" and final_points(silent) != log["result"]["points"]:
            del log["actions"][number]
            return True
    return False


def final_points(log: Log) -> list[int]:
    *_, (_, state, action) = walk(log)
    state.act(action)
    return points(state.hands, state.winner, state.marked, state.down, state.rules)


def dealer_draws(log: Log) -> bool:
    draw = {"seat": log["dealer"], "a": "DRAW_STOCK", "card": log["stock"][0]}
    log["actions"].insert(0, draw)
    return True


def played_clockwise(log: Log) -> bool:
    for number, state, action in walk(log):
        if action["a"].startswith("DRAW") and log["players"] > 2:
            log["actions"][number]["seat"] = (state.turn + 2) % log["players"]
            return True
    return False


def no_discard_at_the_end_of_a_turn(log: Log) -> bool:
    number = first_action(log, "DISCARD")
    assert number is not None
    del log["actions"][number]
    return True


def bonus_changed(log: Log) -> bool:
    log["switches"] = log["switches"] | {"KK_WINNER_BONUS": 45}
    return log["result"]["winner"] is not None


def unfinished_hands_charged(log: Log) -> bool:
    if log["result"]["winner"] is not None or "VOID_HAND_SCORING" in log["switches"]:
        return False
    log["switches"] = log["switches"] | {"VOID_HAND_SCORING": "all_count"}
    return True


def pickup_had_to_be_used(log: Log) -> bool:
    for _, state, action in walk(log):
        if action["a"] == "COME_DOWN" and state.must_open:
            if not any(state.taken in meld for meld in action["melds"]):
                log["switches"] = log["switches"] | {"KK_PICKUP_MUST_USE": "yes"}
                return True
    return False


def later_openers_had_to_beat_the_first(log: Log) -> bool:
    told = [
        sum(worth(meld, MeldRules("konkan", True, 2)) for meld in action["melds"])
        for action in log["actions"]
        if action["a"] == "COME_DOWN"
    ]
    if not any(later <= max(told[:n]) for n, later in enumerate(told) if n):
        return False
    log["switches"] = log["switches"] | {"KK_OPEN_RULE": "beat_previous"}
    return True


OWN_CHANGES: tuple[Spoil, ...] = (
    taken_card_thrown_back,
    twin_thrown_where_faces_count,
    taken_without_coming_down,
    taken_without_pairs_to_come_down,
    came_down_with_too_little,
    never_came_down,
    came_down_twice,
    pair_with_a_conjured_card,
    joker_given_another_meaning,
    joker_told_without_a_suit,
    joker_freed_by_another_card,
    joker_freed_before_coming_down,
    burned_set_still_counted,
    set_laid_on_after_it_burned,
    recycling_not_told,
    recycling_told_for_nothing,
    recycled_card_lost,
    recycled_in_another_order,
    top_kept_or_not,
    one_joker_too_many_announced,
    announced_before_coming_down,
    announcement_forgotten,
    dealer_draws,
    played_clockwise,
    no_discard_at_the_end_of_a_turn,
    bonus_changed,
    unfinished_hands_charged,
    pickup_had_to_be_used,
    later_openers_had_to_beat_the_first,
)


@pytest.mark.parametrize("change", [*COMMON, *OWN_CHANGES], ids=lambda change: change.__name__)
def test_spoilt_log_is_caught(change: Spoil) -> None:
    wrong = spoilt(own_logs(), change, 4)
    assert len(wrong) >= 1
    assert all(konkan.check(log) for log in wrong)


def test_any_single_change_is_caught() -> None:
    for where, log in changed_somewhere(own_logs(), Random(3), 100):
        assert konkan.check(log), where


# sets of hands


def test_a_set_of_hands() -> None:
    won: Log = {"winner": 1, "points": [10, -30, 4]}
    void: Log = {"winner": None, "points": [0, 0, 0]}
    hands = [won, void, won, won, {"winner": 0, "points": [-30, 90, 12]}, void]
    whole = konkan.match(hands, 3, 2, {"KK_SET_LENGTH": 6})
    assert whole["scores"] == [0, 0, 24] and whole["match_winner"] == [0, 1]
    assert whole["dealers"] == [2, 1, 1, 1, 1, 0]
    assert whole["over"] and whole["next_dealer"] is None
    right = konkan.match(hands[:2], 3, 2, {"KK_VOID_DEALER": "right"})
    assert right["next_dealer"] == 0 and not right["over"] and right["match_winner"] is None


def set_logs() -> list[Log]:
    """Logs of a set of six hands, the winner of each dealing the next."""
    switches = {"KK_SET_LENGTH": 6}
    logs: list[Log] = []
    number, dealer, scores = 0, 0, [0, 0]
    while len(logs) < 6:
        log = made_log(number, 2, switches, "kk_greedy")
        number += 1
        if log["dealer"] != dealer:
            continue
        log["match"] = {"hand": len(logs) + 1, "scores": scores, "seats": [0, 1]}
        scores = [a + b for a, b in zip(scores, log["result"]["points"], strict=True)]
        dealer = log["result"]["winner"]
        logs.append(log)
    return logs


def test_whole_set() -> None:
    logs = set_logs()
    assert konkan.check_match(logs) == []
    assert konkan.check_match(logs[:-1]) != []
    logs[2]["match"]["scores"] = [1, 1]
    assert any("match is" in fault for fault in konkan.check_match(logs))


def test_cards_are_conserved() -> None:
    for log in own_logs()[::10]:
        for _, state, _ in walk(log):
            lying = [token[0] if token[0] == JOKER else token for _, meld in state.table
                     for token in meld]  # fmt: skip
            cards = [card for hand in state.hands for card in hand]
            assert same_cards(cards + lying + state.stock + state.pile, PACKS["konkan"])
