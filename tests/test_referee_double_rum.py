"""The slow referee of Double Rum: worked cases, hands of its own, and logs spoilt on purpose."""

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.referee import double_rum
from tests.referee.cards import JOKER, PACKS, value
from tests.referee.double_rum_cases import ANSWERS
from tests.referee.double_rum_hand import DoubleRumHand, units
from tests.referee.double_rum_play import (
    discard_answers,
    draw_answers,
    greedy,
    hold,
    table_proposals,
)
from tests.referee.joker_melds import MeldRules, kind, kinds_of_cards
from tests.referee.joker_play import first_legal, throw
from tests.referee.made_logs import dealt_log, play_out, result_of
from tests.referee.spoilt_logs import COMMON, Spoil, changed_somewhere, first_action, spoilt
from tests.referee.tokens2 import all_switches

Log = dict[str, Any]
CASES = json.loads((Path(__file__).parent / "cases" / "rules_cases.json").read_text())["cases"]
OWN_CASES = [case for case in CASES if case["game"] == "double_rum"]

SETTINGS: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (2, {"RETURN_TAKEN_DISCARD": "allowed", "TAKEN_CARD_MATCH": "face"}),
    (3, {"JOKER_MOVE_MODE": "foster", "RUN_BOTH_ACES": "forbidden"}),
    (3, {"GO_OUT_BY_DISCARD": "forbidden", "ONLY_TAKEN_LEFT": "illegal"}),
    (4, {"JOKER_MOVE_MODE": "foster", "TAKEN_CARD_MATCH": "face"}),
    (4, {"LAYOFF_NEEDS_OWN_MELD": "yes", "DBR_PENALTY_SCOPE": "deadwood"}),
    (5, {"DBR_POOL": "bank", "DBR_BLOCK_ROUNDS": 1}),
    (6, {"MAX_TURNS": 40, "ONLY_TAKEN_LEFT": "illegal"}),
    (8, {"DBR_BLOCK_ROUNDS": 1}),
]


def any_player(rng: Random) -> Callable[[DoubleRumHand], Log]:
    """A random player who moves jokers whenever he can and often lays something."""

    def choose(state: DoubleRumHand) -> Log:
        if state.phase == "DRAW":
            return with_card(state, rng.choice(draw_answers(state)), rng)
        if rng.random() < 0.75:
            tries = table_proposals(state)
            moves = [action for action in tries if action["a"] == "JOKER_MOVE"]
            some = rng.sample(tries, min(len(tries), 25))
            action = first_legal(state, [*moves, *some])
            if action is not None:
                return action
        card = throw(state) if rng.random() < 0.4 else None
        if card is not None:
            return {"a": "DISCARD", "card": card}
        return rng.choice(discard_answers(state))

    return choose


def with_card(state: DoubleRumHand, action: Log, rng: Random) -> Log:
    """The draw with the card drawn, as in a log."""
    if action["a"] == "DRAW_DISCARD":
        return action | {"card": state.pile[-1]}
    if action["a"] == "DRAW_STOCK":
        return action | {"card": state.stock[0] if state.ordered else rng.choice(state.stock)}
    return action


def made_log(number: int, players: int, switches: Log, strategy: str = "random") -> Log:
    rng = Random(f"double_rum {number} {players} {sorted(switches)}")
    log = dealt_log("double_rum", players, switches, double_rum.FACTS, rng, number % 4 == 3)
    log["pool"] = 10 * (number % 3)
    log["strategies"] = [strategy] * players
    state = DoubleRumHand.from_log(all_switches("double_rum", switches), log)
    fixed = {"greedy": greedy, "hold": hold}
    if strategy in fixed:
        play_out(log, state, lambda state: with_card(state, fixed[strategy](state), rng))
    else:
        play_out(log, state, any_player(rng))
    points, pool = units(state.hands, state.winner, log["pool"], state.rules)
    log["result"] = result_of(state, points) | {"pool": pool}
    return log


@cache
def own_logs() -> list[Log]:
    return [made_log(n, players, switches) for players, switches in SETTINGS for n in range(16)]


@pytest.mark.parametrize("case", OWN_CASES, ids=lambda case: case["id"])
def test_worked_case(case: Log) -> None:
    answer, expected = double_rum.answer(case), dict(case["expect"])
    if case["kind"] == "best_partition":
        rules = MeldRules.of("double_rum", all_switches("double_rum", case.get("switches")))
        for example in (answer.pop("example"), expected.pop("example")):
            assert all(kinds_of_cards(meld, rules) for meld in example)
            loose = Counter(case["given"]["hand"])
            loose.subtract(card for meld in example for card in meld)
            assert min(loose.values()) >= 0
            left = sum(value(card, "double_rum") for card in loose.elements())
            assert left == answer["min_deadwood"]
    assert answer == expected


def test_every_kind_of_case_was_met() -> None:
    assert {case["kind"] for case in OWN_CASES} == set(ANSWERS)


def test_own_hands_are_accepted() -> None:
    for log in own_logs():
        assert double_rum.check(log) == []


def test_own_hands_reach_everything() -> None:
    endings = Counter(log["result"]["ending"] for log in own_logs())
    names = Counter(action["a"] for log in own_logs() for action in log["actions"])
    assert set(endings) == {"out", "pool", "max_turns"}
    assert set(names) == set(double_rum.FACTS.fields)
    assert names["JOKER_MOVE"] >= 8 and names["HOLD"] >= 5
    emptied = [log for log in own_logs() if len(log["stock"]) == draws(log)]
    assert len(emptied) >= 10 and any(log["result"]["ending"] == "out" for log in emptied)
    assert any(log["pool"] and log["result"]["winner"] is not None for log in own_logs())
    assert any(log["pool"] and log["result"]["winner"] is None for log in own_logs())


def draws(log: Log) -> int:
    return sum(action["a"] == "DRAW_STOCK" for action in log["actions"])


@pytest.mark.parametrize("strategy", ["greedy", "hold"])
@pytest.mark.parametrize(("players", "switches"), SETTINGS, ids=str)
def test_strategies_replay_as_themselves(strategy: str, players: int, switches: Log) -> None:
    log = made_log(players, players, switches, strategy)
    assert double_rum.check(log) == []
    assert double_rum.replays_as(log) == []


def test_strategies_are_told_apart() -> None:
    log = made_log(0, 2, {}, "greedy")
    log["strategies"] = ["hold", "hold"]
    assert "plays" in double_rum.replays_as(log)[0]
    log = made_log(0, 2, {}, "random")
    log["strategies"] = ["greedy", "random"]
    assert "greedy in seat 0" in double_rum.replays_as(log)[0]


# logs spoilt on purpose


def taken_card_thrown_back(log: Log) -> bool:
    """The card taken from the pile goes back, in a turn that begins and ends like that."""
    if log["switches"].get("RETURN_TAKEN_DISCARD") == "allowed":
        return False
    held = [Counter(hand) for hand in log["hands"]]
    for action, after in zip(log["actions"], log["actions"][1:], strict=False):
        hand = held[action["seat"]]
        if (action["a"], after["a"]) == ("DRAW_DISCARD", "DISCARD") and not hand[action["card"]]:
            after["card"] = action["card"]
            return True
        hand.update([action["card"]] if action["a"].startswith("DRAW") else [])
        hand.subtract([action["card"]] if action["a"] == "DISCARD" else [])
        if action["a"] not in ("DRAW_STOCK", "DRAW_DISCARD", "DISCARD"):
            return False
    return False


def other_card_drawn(log: Log) -> bool:
    number = first_action(log, "DRAW_STOCK")
    if number is None:
        return False
    log["actions"][number]["card"] = "2S" if log["actions"][number]["card"] != "2S" else "3S"
    return "stock_order" not in log


def other_card_taken(log: Log) -> bool:
    number = first_action(log, "DRAW_DISCARD")
    if number is None:
        return False
    log["actions"][number]["card"] = "2S" if log["actions"][number]["card"] != "2S" else "3S"
    return True


def draw_without_its_card(log: Log) -> bool:
    del log["actions"][0]["card"]
    return True


def stock_recycled(log: Log) -> bool:
    number = first_action(log, "DRAW_STOCK")
    if number is None:
        return False
    log["actions"][number]["recycled"] = [log["actions"][number]["card"]]
    return True


def second_draw(log: Log) -> bool:
    log["actions"].insert(1, dict(log["actions"][0]))
    return True


def melded_card_conjured(log: Log) -> bool:
    number = first_action(log, "MELD")
    if number is None:
        return False
    seat, cards = log["actions"][number]["seat"], log["actions"][number]["cards"]
    drawn = [action["card"] for action in log["actions"][:number]
             if action["a"].startswith("DRAW") and action["seat"] == seat]  # fmt: skip
    other = next(c for c in PACKS["double_rum"] if c not in log["hands"][seat] + drawn + cards)
    place = next(n for n, token in enumerate(cards) if token[0] != JOKER)
    log["actions"][number]["cards"] = [*cards[:place], other, *cards[place + 1 :]]
    return True


def run_told_backwards(log: Log) -> bool:
    for action in log["actions"]:
        cards = action.get("cards", [])
        if cards and kind(tuple(cards), MeldRules("double_rum", True, 2)) == "run":
            cards.reverse()
            return True
    return False


def joker_given_another_meaning(log: Log) -> bool:
    """In a run the joker is told to be a card two places away."""
    for action in log["actions"]:
        for place, token in enumerate(action.get("cards", [])):
            if token.startswith("*=") and len(token) == 4:
                ranks = "A23456789TJQK"
                other = ranks[(ranks.index(token[2]) + 2) % 13]
                action["cards"][place] = f"*={other}{token[3]}"
                return True
    return False


def joker_in_a_set_told_with_a_suit(log: Log) -> bool:
    for action in log["actions"]:
        for place, token in enumerate(action.get("cards", [])):
            if token.startswith("*=") and len(token) == 3:
                action["cards"][place] = f"{token}S"
                return True
    return False


def joker_laid_locked(log: Log) -> bool:
    for action in log["actions"]:
        for place, token in enumerate(action.get("cards", [])):
            if token.startswith("*="):
                action["cards"][place] = f"*x={token[2:]}"
                return True
    return False


def laid_off_on_another_meld(log: Log) -> bool:
    number = first_action(log, "LAYOFF")
    if number is None:
        return False
    log["actions"][number]["meld"] += 30
    return True


def joker_moved_twice(log: Log) -> bool:
    number = first_action(log, "JOKER_MOVE")
    if number is None:
        return False
    log["actions"].insert(number + 1, dict(log["actions"][number]))
    return True


def laid_off_in_place_of_a_move(log: Log) -> bool:
    number = first_action(log, "JOKER_MOVE")
    if number is None or log["switches"].get("JOKER_MOVE_MODE") == "foster":
        return False
    log["actions"][number]["a"] = "LAYOFF"
    return True


def held_with_a_card_to_throw(log: Log) -> bool:
    number = first_action(log, "DISCARD")
    assert number is not None
    log["actions"][number] = {"seat": log["actions"][number]["seat"], "a": "HOLD"}
    return True


def pool_forgotten(log: Log) -> bool:
    log["result"]["pool"] += 5
    return True


def pool_before_changed(log: Log) -> bool:
    log["pool"] += 7
    return True


def bank_in_place_of_payers(log: Log) -> bool:
    if log["result"]["winner"] is not None or "DBR_POOL" in log["switches"]:
        return False
    log["result"]["points"] = [0] * log["players"]
    return True


def idle_limit_set_higher(log: Log) -> bool:
    if log["result"]["ending"] != "pool" or draws(log) < len(log["stock"]):
        return False
    log["switches"] = log["switches"] | {"DBR_BLOCK_ROUNDS": 9}
    return True


def turn_limit_lifted(log: Log) -> bool:
    if log["result"]["ending"] != "max_turns":
        return False
    log["switches"] = {k: v for k, v in log["switches"].items() if k != "MAX_TURNS"}
    return True


def layoffs_need_an_own_meld(log: Log) -> bool:
    laid = set()
    for action in log["actions"]:
        if action["a"] == "MELD":
            laid.add(action["seat"])
        if action["a"] == "LAYOFF" and action["seat"] not in laid:
            log["switches"] = log["switches"] | {"LAYOFF_NEEDS_OWN_MELD": "yes"}
            return True
    return False


OWN_CHANGES: tuple[Spoil, ...] = (
    taken_card_thrown_back,
    other_card_drawn,
    other_card_taken,
    draw_without_its_card,
    stock_recycled,
    second_draw,
    melded_card_conjured,
    run_told_backwards,
    joker_given_another_meaning,
    joker_in_a_set_told_with_a_suit,
    joker_laid_locked,
    laid_off_on_another_meld,
    joker_moved_twice,
    laid_off_in_place_of_a_move,
    held_with_a_card_to_throw,
    pool_forgotten,
    pool_before_changed,
    bank_in_place_of_payers,
    idle_limit_set_higher,
    turn_limit_lifted,
    layoffs_need_an_own_meld,
)


@pytest.mark.parametrize("change", [*COMMON, *OWN_CHANGES], ids=lambda change: change.__name__)
def test_spoilt_log_is_caught(change: Spoil) -> None:
    wrong = spoilt(own_logs(), change, 6)
    assert len(wrong) >= 2
    assert all(double_rum.check(log) for log in wrong)


def test_any_single_change_is_caught() -> None:
    for where, log in changed_somewhere(own_logs(), Random(3), 100):
        assert double_rum.check(log), where


# matches

LEFT = [["KH", "2S"], ["AD"], ["*", "3C"]]


def won(winner: int) -> Log:
    hands = [[] if seat == winner else hand for seat, hand in enumerate(LEFT)]
    return {"winner": winner, "hands": hands}


UNWON = {"winner": None, "hands": LEFT}


def test_a_round_with_a_pool() -> None:
    whole = double_rum.match([UNWON, won(1), won(1)], 3, 2, {})
    assert whole["points"] == [[-12, -11, -18], [-12, 71, -18], [-12, 30, -18]]
    assert whole["pools"] == [0, 41, 0] and whole["pool"] == 0
    assert whole["scores"] == [-36, 90, -54]
    assert whole["dealers"] == [2, 0, 1]
    assert whole["over"] and whole["match_winner"] == 1 and whole["next_dealer"] is None


def test_a_pool_left_at_the_end() -> None:
    hands = [won(0), UNWON, UNWON]
    assert double_rum.match(hands, 3, 0, {})["scores"] == [29, -11, -18]
    stay = double_rum.match(hands, 3, 0, {"DBR_POOL_END": "stay"})
    assert stay["scores"] == [5, -33, -54] and stay["pool"] == 82
    bank = double_rum.match([UNWON, won(0), UNWON], 3, 0, {"DBR_POOL": "bank"})
    assert bank["scores"] == [70, -11, -18]
    # only what was paid in since the pool was last won goes back
    again = double_rum.match([UNWON, won(1), UNWON], 3, 0, {})
    assert again["scores"] == [-24, 60, -36]


def test_dealers_of_a_round() -> None:
    def after(hand: Log, **switches: str) -> int:
        return int(double_rum.match([hand], 3, 1, switches)["next_dealer"])

    assert after(won(0)) == 2 and after(UNWON, DEALER_ROTATION="winner") == 2
    assert after(won(0), DEALER_ROTATION="winner") == 0
    assert after(won(0), DEALER_ROTATION="loser") == 2  # 18 against 11
    equal = {"winner": 2, "hands": [["KH"], ["QD"], []]}
    assert after(equal, DEALER_ROTATION="loser") == 0  # the first to the left of seat 1


def round_logs() -> list[Log]:
    """Logs of a round of five hands; every dealer in turn, the pool passed on."""
    switches = {"DBR_BLOCK_ROUNDS": 1}
    logs: list[Log] = []
    number, scores, pool = 0, [0] * 5, 0
    while len(logs) < 5:
        log = made_log(number, 5, switches)
        number += 1
        if log["dealer"] != len(logs):
            continue
        log["pool"] = pool
        log["match"] = {"hand": len(logs) + 1, "scores": scores, "seats": [0, 1, 2, 3, 4]}
        settled = all_switches("double_rum", switches)
        points, pool = units(log["result"]["hands"], log["result"]["winner"], pool, settled)
        log["result"] |= {"points": points, "pool": pool}
        scores = [a + b for a, b in zip(scores, points, strict=True)]
        logs.append(log)
    return logs


def test_whole_round() -> None:
    logs = round_logs()
    assert double_rum.check_match(logs) == []
    assert double_rum.check_match(logs[:-1]) != []
    logs[3]["match"]["scores"] = [0] * 5
    assert any("match is" in fault for fault in double_rum.check_match(logs))
