"""Replays hand logs and says where they break the rules.

`check` and `check_match` take logs of every game; what stands below them is for the `jaques`
family.
"""

from collections.abc import Iterator

from tests.referee import rummy, scoring
from tests.referee.cards import is_card
from tests.referee.frame import Illegal, other_book, pack_faults

SCHEMA = "cooncan-hand/1"
_HEAD = {
    "schema": str,
    "game": str,
    "switches": dict,
    "players": int,
    "dealer": int,
    "seed": int,
    "deal": int,
    "strategies": list,
    "hands": list,
    "pile": list,
    "stock": list,
    "actions": list,
    "result": dict,
}
_MAY = {"match", "match_end", "stock_order"}
_FIELDS: dict[str, dict[str, type]] = {
    "DRAW_STOCK": {"card": str},
    "DRAW_DISCARD": {"card": str},
    "MELD": {"cards": list},
    "LAYOFF": {"card": str, "meld": int},
    "DISCARD": {"card": str},
    "HOLD": {},
}
_MAY_ACT = {
    "DRAW_STOCK": {"recycled"},
    "DRAW_DISCARD": {"recycled"},
    "LAYOFF": {"end"},
}


def check(log: dict) -> list[str]:
    """Every disagreement between a hand log and the rules; an empty list if it is right.

    The replay stops at the first action that is not legal, because nothing after it has a meaning.
    """
    try:
        book = other_book(log.get("game", ""))
        faults = book.check(log) if book else _head_faults(log) or _deal_faults(log)
    except ValueError as unknown:
        return [str(unknown)]
    if book or faults:
        return faults
    state = rummy.begin(log)
    for number, action in enumerate(log["actions"]):
        fault = _form_fault(action)
        if fault is None:
            try:
                rummy.play(state, action)
                continue
            except Illegal as broken:
                fault = str(broken)
        return [f"action {number} {action}: {fault}"]
    if state.ending is None:
        return [f"the hand has not ended after {len(log['actions'])} actions"]
    return list(_result_faults(log["result"], rummy.result(state)))


def check_match(logs: list[dict]) -> list[str]:
    """Every disagreement in the hands of one whole match, in the order in which they were played.

    A match that MAX_HANDS has stopped may be unfinished.
    """
    book = other_book(logs[0]["game"])
    if book:
        return book.check_match(logs)
    faults = [f"hand {place}: {fault}" for place, log in enumerate(logs) for fault in check(log)]
    if not all("match" in log for log in logs):
        faults.append("not every hand says its place in the match")
    if faults:
        return faults
    first, switches = logs[0], rummy.settled(logs[0])
    if any(first["match"]["scores"]) or switches["MAX_HANDS"] < len(logs):
        faults.append("the match does not begin at 0, or goes on beyond MAX_HANDS")
    if switches["FIRST_DEALER"] == "seat0" and first["dealer"] != 0:
        faults.append("hand 0: seat 0 deals first")
    for place, log in enumerate(logs):
        due = scoring.after_hand(log, switches)
        following = logs[place + 1] if place + 1 < len(logs) else None
        if due is None or following is None:
            if due is not following and len(logs) != switches["MAX_HANDS"]:
                faults.append(f"hand {place}: the match is not over, or was over before")
            break
        due |= {key: first[key] for key in ("game", "switches", "seed")}
        due["strategies"] = [first["strategies"][seat] for seat in due["match"]["seats"]]
        for key, right in due.items():
            if following[key] != right:
                faults.append(f"hand {place + 1}: {key} is {following[key]}, not {right}")
    return faults


def state_after(log: dict, count: int) -> rummy.State:
    """The state after the first `count` actions of a legal log of the `jaques` family."""
    state = rummy.begin(log)
    for action in log["actions"][:count]:
        rummy.play(state, action)
    return state


def _head_faults(log: dict) -> list[str]:
    faults = [
        f"{key} is missing or of the wrong type"
        for key, kind in _HEAD.items()
        if not isinstance(log.get(key), kind)
    ]
    faults += [f"{key} is no field of a log" for key in log if key not in _HEAD and key not in _MAY]
    if faults:
        return faults
    if log["schema"] != SCHEMA:
        faults.append(f"schema is not {SCHEMA}")
    if log["dealer"] not in range(log["players"]):
        faults.append("the dealer has no seat")
    for key in ("strategies", "hands"):
        if len(log[key]) != log["players"]:
            faults.append(f"{key} are not one for each player")
    if log.get("stock_order", "per_seat") != "per_seat":
        faults.append("stock_order is unknown")
    for cards in (*log["hands"], log["pile"], log["stock"]):
        if not isinstance(cards, list):
            faults.append("deal: a hand is no list of cards")
            continue
        faults += [f"deal: {card!r} is no card" for card in cards if not is_card(str(card))]
    return faults


def _deal_faults(log: dict) -> list[str]:
    """The opening deal (R-JAQ-06…08, R-TWO-02, R-TWO-03, R-PAR-01) and the place in a match."""
    game, match, switches = log["game"], log.get("match"), rummy.settled(log)
    faults = [
        f"switch {name} is at its default and does not belong in a log"
        for name, choice in log["switches"].items()
        if choice == rummy.SWITCHES[game][name][0]
    ]
    if not rummy.players_allowed(game, log["players"], match):
        faults.append(f"deal: {game} is not for {log['players']} players")
    dealt = rummy.hand_size(switches)
    if [len(hand) for hand in log["hands"]] != [dealt] * log["players"]:
        faults.append(f"deal: every player is dealt {dealt} cards")
    if len(log["pile"]) != 1:
        faults.append("deal: one card opens the discard pile")
    if match is None and switches["FIRST_DEALER"] == "seat0" and log["dealer"] != 0:
        faults.append("deal: seat 0 deals first")
    if match is not None:
        seats = match["seats"]
        if seats != sorted(set(seats)) or len(seats) != log["players"]:
            faults.append("match: the seats still in do not fit the players")
        faults += scoring.match_faults(log, switches)
    return faults + pack_faults(log)


def _form_fault(action: dict) -> str | None:
    kind = action.get("a")
    if not isinstance(kind, str) or kind not in _FIELDS:
        return "there is no such action"
    must: dict[str, type] = {"seat": int} | _FIELDS[kind]
    for key, wanted in must.items():
        if not isinstance(action.get(key), wanted):
            return f"{key} is missing or of the wrong type"
    for cards in (action.get("recycled", []), action.get("cards", [])):
        if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
            return "a list of cards is of the wrong type"
    unknown = action.keys() - must.keys() - _MAY_ACT.get(kind, set()) - {"a"}
    return f"{sorted(unknown)} do not belong here" if unknown else None


def _result_faults(told: dict, right: dict) -> Iterator[str]:
    for key, wanted in right.items():
        got = told.get(key)
        agrees = got == wanted
        if key == "hands" and isinstance(got, list):
            agrees = [_in_order(hand) for hand in got] == wanted
        if not agrees:
            yield f"result: {key} is {got}, not {wanted}"


def _in_order(hand: object) -> object:
    return sorted(hand, key=str) if isinstance(hand, list) else hand
