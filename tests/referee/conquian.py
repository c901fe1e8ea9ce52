"""The referee of `conquian` and `conquian_jaques`: hand logs, worked cases, matches.

Written from the rules alone, slow and plain; rule ids are those of the rules specification.
"""

from typing import Any

from tests.referee import hand_log
from tests.referee.cards import PACKS
from tests.referee.conquian_hand import ConquianHand, hand_size, target_of
from tests.referee.conquian_play import STRATEGIES, same_answer
from tests.referee.conquian_table import (
    acceptances,
    can_be_forced,
    can_still_win,
    kinds,
)
from tests.referee.tokens2 import Illegal, all_switches

Log = dict[str, Any]

FACTS = hand_log.HandFacts(
    seats=range(2, 3),
    hand_sizes=lambda players, dealer, rules: [hand_size(rules)] * players,
    turned_up=0,
    fields={
        "ACCEPT": ({"card", "hand_cards", "melds"}, set()),
        "DECLINE": ({"card"}, set()),
        "FORCE": (set(), set()),
        "LET_PASS": (set(), set()),
        "DISCARD": ({"card"}, set()),
    },
)


def check(log: Log) -> list[str]:
    """Every disagreement of one hand log with the rules; an empty list if there is none.

    With CQ_STAKES=carry a hand by itself may be worth 1, 2, 4, … up to twice as often as hands
    came before it; `check_match` knows the exact stake.
    """
    faults = hand_log.header_faults(log, FACTS)
    if faults:
        return faults
    rules = all_switches(log["game"], log["switches"])
    state = ConquianHand.from_log(rules, log)
    faults = hand_log.replay(log, state, FACTS)
    if faults:
        return faults
    points = score(state.winner, 1)
    if rules["CQ_STAKES"] == "carry" and state.winner is not None:
        earlier = log.get("match", {}).get("hand", 1) - 1
        for doublings in range(earlier + 1):
            if log["result"].get("points") == score(state.winner, 2**doublings):
                points = score(state.winner, 2**doublings)
    return hand_log.result_faults(log, state, points)


def score(winner: int | None, stake: int) -> list[int]:
    """Points of a hand by seat: the stake from loser to winner, nothing for a draw."""
    if winner is None:
        return [0, 0]
    return [stake if seat == winner else -stake for seat in range(2)]


def replays_as(log: Log) -> list[str]:
    """The first action at which a seat's strategy, played slowly, would have acted otherwise.

    Seats whose strategy is not known here (`random` among them) may do anything.
    """
    state = ConquianHand.from_log(all_switches(log["game"], log["switches"]), log)
    for number, action in enumerate(log["actions"]):
        seat = state.seat_to_act
        if "card" in action and state.phase == "OFFER":
            state.reveal(action["card"])
        name = log["strategies"][seat].replace("-", "_")
        if name in STRATEGIES:
            own = STRATEGIES[name](state)
            if not same_answer(own, action):
                return [f"action {number} {action}: {name} in seat {seat} plays {own}"]
        try:
            state.act(action)
        except Illegal as broken:
            return [f"action {number} {action}: {broken}"]
    return []


def match(winners: list[int | None], first_dealer: int, switches: dict[str, Any]) -> dict[str, Any]:
    """A match so far, from the winners of its hands (None: drawn) under `conquian` switches.

    Gives `points` per hand, `scores`, `dealers` of the hands played, `over`, `match_winner`
    (a list if shared) and `next_dealer`.
    """
    length = switches.get("CQ_MATCH", 10)
    stake, dealer = 1, first_dealer
    points, dealers = [], []
    for winner in winners:
        points.append(score(winner, stake))
        dealers.append(dealer)
        carried = switches.get("CQ_STAKES", "zero") == "carry" and winner is None
        stake = 2 * stake if carried else 1
        dealer = next_dealer(dealer, winner, switches)
    scores = [sum(hand[seat] for hand in points) for seat in range(2)]
    over = len(winners) >= length
    best = [seat for seat in range(2) if scores[seat] == max(scores)]
    return {
        "points": points,
        "scores": scores,
        "dealers": dealers,
        "over": over,
        "match_winner": (best[0] if len(best) == 1 else best) if over else None,
        "next_dealer": None if over else dealer,
    }


def next_dealer(dealer: int, winner: int | None, switches: dict[str, Any]) -> int:
    """Who deals next (DEALER_ROTATION): alternate, winner or loser."""
    rotation = switches.get("DEALER_ROTATION", "left")
    if rotation == "left" or winner is None:
        return 1 - dealer
    return winner if rotation == "winner" else 1 - winner


def check_match(logs: list[Log]) -> list[str]:
    """Every disagreement of a whole match, given as the logs of all its hands in order."""
    faults = [f"hand {number + 1}: {fault}" for number, log in enumerate(logs)
              for fault in check(log)]  # fmt: skip
    switches = logs[0]["switches"]
    winners = [log["result"]["winner"] for log in logs]
    whole = match(winners, logs[0]["dealer"], switches)
    if not whole["over"] or len(logs) > switches.get("CQ_MATCH", 10):
        faults.append(f"a match of {len(logs)} hands")
    scores = [0, 0]
    for number, log in enumerate(logs):
        expected = {"hand": number + 1, "scores": scores, "seats": [0, 1]}
        faults += hand_log.match_faults(log, logs[0], expected, whole["dealers"][number])
        if log["result"]["points"] != whole["points"][number]:
            faults.append(f"hand {number + 1}: points must be {whole['points'][number]}")
        scores = [s + p for s, p in zip(scores, whole["points"][number], strict=True)]
    return faults


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """The answer to a worked case of either game, in the words of `expect`."""
    rules = all_switches(case["game"], case.get("switches"))
    return ANSWERS[case["kind"]](case["given"], rules)


def _setup(given: Log, rules: dict[str, Any]) -> Log:
    if given["players"] != 2:
        return {"allowed": False}
    size, dealer = hand_size(rules), given["dealer"]
    return {
        "allowed": True,
        "hand_sizes": [size, size],
        "stock": len(PACKS["conquian"]) - 2 * size,
        "pile": 0,
        "order": [1 - dealer, dealer],
    }


def _meld(given: Log, rules: dict[str, Any]) -> Log:
    types = kinds(given["cards"], rules)
    return {"valid": bool(types), "types": types}


def _offer(given: Log, rules: dict[str, Any]) -> Log:
    table, hand, card, target = given["table"], given["hand"], given["card"], target_of(rules)
    down = sum(len(meld) for meld in table)
    sizes = [down + 1 + len(cards) for cards in acceptances(table, hand, card, rules, target)]
    return {
        "can_accept": bool(sizes),
        "forceable": can_be_forced(table, hand, card, rules, target),
        "max_melded": max(sizes, default=None),
        "wins": max(sizes, default=0) >= target,
    }


def _future(given: Log, rules: dict[str, Any]) -> Log:
    usable = set(PACKS["conquian"]) - set(given["unavailable"])
    if rules.get("CQJ_SIZE") == "deal9_need11_literal":
        return {"can_still_win": False}
    return {"can_still_win": can_still_win(given["table"], usable, rules, target_of(rules))}


def _flow(given: Log, rules: dict[str, Any]) -> Log:
    event, stock = given["event"], given["stock"]
    last = rules["CQ_STOCK_END"] == "last_card" and stock == 0
    if event in ("accept", "forced_accept"):
        if given["hand_after"] == 0:
            return {"next": "hand_won"}
        return {"next": "draw_hand" if last else "same_player_discards"}
    if event == "decline_stock_card":
        return {"next": "draw_hand" if last else "opponent_offered_same_card"}
    return {"next": "same_player_turns_stock" if stock else "draw_hand", "card_dead": True}


def _end_check(given: Log, rules: dict[str, Any]) -> Log:
    last = rules["CQ_STOCK_END"] == "last_card"
    ended = given["stock"] == 0 and (given["need"] == "turn_stock" or last)
    return {"ended": ended, "result": "draw" if ended else "play_on"}


def _phase(given: Log, rules: dict[str, Any]) -> Log:
    actions = {"OFFER": ["ACCEPT", "DECLINE"], "DISCARD": ["DISCARD"], "FORCE": []}
    if rules["CQ_FORCING"] == "on":
        actions["FORCE"] = ["FORCE", "LET_PASS"]
    return {"legal": given["action"] in actions.get(given["phase"], [])}


def _script(given: Log, rules: dict[str, Any]) -> Log:
    state = ConquianHand(rules, given["hands"], given["tables"], given["stock"])
    state.card = given["card"]
    state.offer(given["to"], given["from"])
    illegal_at = None
    for number, action in enumerate(given["actions"]):
        try:
            state.act(action)
        except Illegal:
            illegal_at = number
            break
    return {
        "illegal_at": illegal_at,
        "ended": state.ended,
        "result": state.ending or None,
        "winner": state.winner,
        "phase": state.phase,
        "to": state.to,
        "card": state.card,
        "hands": [sorted(hand) for hand in state.hands],
        "melded": [state.melded(0), state.melded(1)],
        "stock_left": len(state.stock),
    }


ANSWERS = {
    "setup": _setup,
    "meld": _meld,
    "cq_offer": _offer,
    "cq_future": _future,
    "cq_flow": _flow,
    "end_check": _end_check,
    "phase": _phase,
    "script": _script,
}
