"""Reading a hand log line by line: what is the same for every game with a slow referee here.

A game gives `HandFacts` and a state with `act(action)`, `seat_to_act`, `ended`, `ending`,
`winner`, `turns`, `hands`, `points()` and `next_pool()`; everything is in the words of the log.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from tests.referee.cards import PACKS
from tests.referee.tokens2 import SWITCHES, Illegal, all_switches, same_cards

Log = dict[str, Any]
Action = dict[str, Any]


class State(Protocol):
    """What the reader needs to know of a hand being played."""

    ended: bool
    ending: str
    winner: int | None
    turns: int
    hands: list[list[str]]

    @property
    def seat_to_act(self) -> int: ...
    def act(self, action: Action) -> None: ...


@dataclass(frozen=True)
class HandFacts:
    """The frame of one game: numbers of players, deal, and the fields of each action."""

    seats: range
    hand_sizes: Callable[[int, int, dict[str, Any]], list[int]]  # players, dealer, switches
    turned_up: int
    fields: dict[str, tuple[set[str], set[str]]]  # action: fields it must have, fields it may have


TOP_LEVEL = {"schema", "game", "switches", "players", "dealer", "seed", "deal", "strategies"}
TOP_LEVEL |= {"hands", "pile", "stock", "actions", "result"}
ALSO = {"match", "match_end", "stock_order"}


def header_faults(log: Log, facts: HandFacts) -> list[str]:
    """Disagreements in everything that comes before the first action."""
    also = ALSO | ({"pool"} if log.get("game") == "double_rum" else set())
    faults = [f"the log lacks {name}" for name in sorted(TOP_LEVEL - log.keys())]
    faults += [f"the log has the unknown field {name}" for name in sorted(log.keys() - also)
               if name not in TOP_LEVEL]  # fmt: skip
    if faults:
        return faults
    if log["game"] not in SWITCHES:
        return [f"no such game {log['game']!r}"]
    if log["schema"] != "cooncan-hand/1":
        faults.append(f"unknown schema {log['schema']!r}")
    if log.get("stock_order", "per_seat") != "per_seat":
        faults.append(f"unknown stock order {log['stock_order']!r}")
    faults += switch_faults(log)
    players, dealer = log["players"], log["dealer"]
    if players not in facts.seats:
        return [*faults, f"{log['game']} is not played by {players}"]
    if dealer not in range(players):
        return [*faults, f"no seat {dealer} to deal"]
    if len(log["strategies"]) != players:
        faults.append("not one strategy a seat")
    return faults or deal_faults(log, facts)


def switch_faults(log: Log) -> list[str]:
    """Unknown switches and options, and defaults that a log leaves out."""
    try:
        all_switches(log["game"], log["switches"])
    except ValueError as error:
        return [str(error)]
    known = SWITCHES[log["game"]]
    return [
        f"switch {name} is at its default and does not belong in a log"
        for name, value in log["switches"].items()
        if value == known[name][0]
    ]


def deal_faults(log: Log, facts: HandFacts) -> list[str]:
    """Hand sizes by the deal, cards turned up, and the whole pack, each card once a copy."""
    faults = []
    rules = all_switches(log["game"], log["switches"])
    sizes = facts.hand_sizes(log["players"], log["dealer"], rules)
    dealt = [len(hand) for hand in log["hands"]]
    if dealt != sizes:
        faults.append(f"hands of {dealt} cards dealt, not {sizes}")
    if len(log["pile"]) != facts.turned_up:
        faults.append(f"{len(log['pile'])} cards turned up, not {facts.turned_up}")
    cards = [card for hand in log["hands"] for card in hand] + log["pile"] + log["stock"]
    pack = PACKS[log["game"]]
    if not same_cards(cards, pack):
        much = sorted((Counter(cards) - Counter(pack)).elements(), key=str)
        few = sorted((Counter(pack) - Counter(cards)).elements())
        faults.append(f"not the pack: {much} too many, {few} missing")
    return faults


def replay(log: Log, state: State, facts: HandFacts) -> list[str]:
    """Plays the log's actions on the state; stops at the first that cannot be."""
    for number, action in enumerate(log["actions"]):
        where = f"action {number} {action}"
        if state.ended:
            return [f"{where}: the hand has ended"]
        if action.get("a") not in facts.fields:
            return [f"{where}: no such action"]
        must, may = facts.fields[action["a"]]
        fields = action.keys() - {"seat", "a"}
        if must - fields or fields - must - may:
            return [f"{where}: fields {sorted(fields)}, must be {sorted(must)} (or {sorted(may)})"]
        if action.get("seat") != state.seat_to_act:
            return [f"{where}: it is for seat {state.seat_to_act} to act"]
        try:
            state.act(action)
        except Illegal as broken:
            return [f"{where}: {broken}"]
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            return [f"{where}: cannot be read ({error!r})"]
    return []


def result_faults(log: Log, state: State, points: list[int], pool: int | None = None) -> list[str]:
    """Compares the log's result with the hand as replayed (points and pool as computed)."""
    result = log["result"]
    if not state.ended:
        return ["the log stops before the hand has ended"]
    expected: dict[str, Any] = {
        "ending": state.ending,
        "winner": state.winner,
        "turns": state.turns,
        "points": points,
    }
    if pool is not None:
        expected["pool"] = pool
    faults = [
        f"result {name} is {result.get(name)!r}, must be {value!r}"
        for name, value in expected.items()
        if name not in result or result[name] != value
    ]
    unknown = result.keys() - expected.keys() - {"hands"}
    faults += [f"result has the unknown field {name}" for name in sorted(unknown)]
    hands = result.get("hands", [])
    if len(hands) != len(state.hands):
        return [*faults, "result does not give every hand"]
    for seat, (given, held) in enumerate(zip(hands, state.hands, strict=True)):
        if not same_cards(given, held):
            faults.append(f"result hand of seat {seat} is {given}, must be {held}")
    return faults


def match_faults(log: Log, first: Log, match: dict[str, Any], dealer: int) -> list[str]:
    """Disagreements of one hand of a match with its `match` entry and dealer as computed."""
    faults = []
    where = f"hand {match['hand']}"
    for field in ("game", "switches", "players", "strategies"):
        if log[field] != first[field]:
            faults.append(f"{where}: {field} is not that of the first hand")
    if log.get("match") != match:
        faults.append(f"{where}: match is {log.get('match')}, must be {match}")
    if log["dealer"] != dealer:
        faults.append(f"{where}: seat {dealer} deals, not {log['dealer']}")
    return faults
