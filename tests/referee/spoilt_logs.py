"""Ways to make a right hand log wrong that exist in every game.

Each is a function of the log that changes it in place and says False where it does not apply.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

Log = dict[str, Any]
Spoil = Callable[[Log], bool]


def other_winner(log: Log) -> bool:
    if log["result"]["winner"] is None:
        return False
    log["result"]["winner"] = (log["result"]["winner"] + 1) % log["players"]
    return True


def win_of_an_unfinished_hand(log: Log) -> bool:
    unfinished = log["result"]["winner"] is None
    log["result"] |= {"winner": 0, "ending": "out"}
    return unfinished


def other_ending(log: Log) -> bool:
    log["result"]["ending"] = "void" if log["result"]["ending"] != "void" else "out"
    return True


def one_turn_more(log: Log) -> bool:
    log["result"]["turns"] += 1
    return True


def a_point_more(log: Log) -> bool:
    log["result"]["points"][0] += 1
    return True


def final_card_lost(log: Log) -> bool:
    max(log["result"]["hands"], key=len).pop()
    return True


def final_card_changed(log: Log) -> bool:
    hand = max(log["result"]["hands"], key=len)
    hand[0] = "2S" if hand[0] != "2S" else "3S"
    return True


def last_action_missing(log: Log) -> bool:
    log["actions"].pop()
    return True


def action_after_the_end(log: Log) -> bool:
    log["actions"].append(log["actions"][-1])
    return True


def card_dealt_twice(log: Log) -> bool:
    log["hands"][0][0] = "2S" if log["hands"][0][0] != "2S" else "3S"
    return True


def card_too_few_dealt(log: Log) -> bool:
    log["stock"].append(log["hands"][0].pop())
    return True


def stock_card_missing(log: Log) -> bool:
    log["stock"].pop()
    return True


def other_seat_first(log: Log) -> bool:
    log["actions"][0]["seat"] = (log["actions"][0]["seat"] + 1) % log["players"]
    return True


def other_dealer(log: Log) -> bool:
    log["dealer"] = (log["dealer"] + 1) % log["players"]
    return True


def unknown_action(log: Log) -> bool:
    log["actions"][0]["a"] = "PASS"
    return True


def unknown_field_in_an_action(log: Log) -> bool:
    log["actions"][0]["because"] = "it fits"
    return True


def no_such_card(log: Log) -> bool:
    laying = [action for action in log["actions"] if "melds" in action or "cards" in action]
    for action in laying[:1]:
        meld = action["melds"][0] if "melds" in action else action["cards"]
        meld[0] = "1X"
    return bool(laying)


def unknown_switch(log: Log) -> bool:
    log["switches"] = log["switches"] | {"RUN_BOTH_ACE": "forbidden"}
    return True


def unknown_option(log: Log) -> bool:
    log["switches"] = log["switches"] | {"FIRST_DEALER": "seat1"}
    return True


def switch_told_at_its_default(log: Log) -> bool:
    log["switches"] = log["switches"] | {"FIRST_DEALER": "random"}
    return True


COMMON: tuple[Spoil, ...] = (
    other_winner,
    win_of_an_unfinished_hand,
    other_ending,
    one_turn_more,
    a_point_more,
    final_card_lost,
    final_card_changed,
    last_action_missing,
    action_after_the_end,
    card_dealt_twice,
    card_too_few_dealt,
    stock_card_missing,
    other_seat_first,
    other_dealer,
    unknown_action,
    unknown_field_in_an_action,
    no_such_card,
    unknown_switch,
    unknown_option,
    switch_told_at_its_default,
)


def leaves(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every number and word inside a log."""
    inner: Any = part.items() if isinstance(part, dict) else enumerate(part)
    for key, below in inner:
        if isinstance(below, dict | list):
            yield from leaves(below, (*path, key))
        else:
            yield (*path, key)


def changed_somewhere(logs: list[Log], rng: Random, count: int) -> Iterator[tuple[Any, Log]]:
    """Logs with one number or word changed, and where. What may be anything is left alone, and
    the meld and end of a lay-off, which can make it another legal hand."""
    free = {"seed", "deal", "strategies"}
    ordered = [log for log in logs if "stock_order" not in log]
    for _ in range(count):
        log = deepcopy(rng.choice(ordered))
        told = {name: value for name, value in log.items() if name not in free}
        ways = [way for way in leaves(told) if way[-1] not in ("meld", "end", "MAX_TURNS")]
        way = rng.choice(ways)
        part: Any = log
        for key in way[:-1]:
            part = part[key]
        old = part[way[-1]]
        others = ["AS", "7H", "*", "*=7H", "DISCARD", "x", 0, 1, 3, None]
        part[way[-1]] = rng.choice([other for other in others if other != old])
        yield (way, old, part[way[-1]]), log


def spoilt(logs: list[Log], change: Spoil, most: int) -> list[Log]:
    """Up to `most` of the logs, copied and made wrong by `change`."""
    found: list[Log] = []
    for log in logs:
        wrong = deepcopy(log)
        if len(found) < most and change(wrong):
            found.append(wrong)
    return found


def first_action(log: Log, *names: str) -> int | None:
    """The number of the first action of one of these names."""
    return next((n for n, action in enumerate(log["actions"]) if action["a"] in names), None)
