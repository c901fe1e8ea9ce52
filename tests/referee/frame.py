"""What the parts of the referee share: who judges which game, refusals, switches, card lists.

The `jaques` family is judged by `rummy` and the modules that build on it. Every other game has a
module of its own with `check(log)`, `check_match(logs)`, `replays_as(log)` and `answer(case)`;
`log`, `strategies` and `answers` pass its logs and cases on to it.
"""

import importlib
from collections import Counter
from collections.abc import Collection, Mapping
from types import ModuleType

from tests.referee.cards import PACKS

FAMILY = ("jaques", "two_deck", "wild_card", "partnership")
_OTHERS = {
    "conquian": "conquian",
    "conquian_jaques": "conquian",
    "double_rum": "double_rum",
    "konkan": "konkan",
}


class Illegal(Exception):
    """An action that the rules do not allow, with the rule it breaks."""

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(f"{rule}: {reason}")
        self.rule = rule


def require(condition: object, rule: str, reason: str) -> None:
    """Raise `Illegal` unless the condition holds."""
    if not condition:
        raise Illegal(rule, reason)


def other_book(game: str) -> ModuleType | None:
    """The module that judges a game outside the `jaques` family; None for one inside it.

    ValueError for a game that does not exist.
    """
    if game in FAMILY:
        return None
    if game not in _OTHERS:
        raise ValueError(f"there is no game {game}")
    return importlib.import_module(f"tests.referee.{_OTHERS[game]}")


def settle_switches(
    given: Mapping[str, object], known: Mapping[str, tuple[object, Collection[object]]]
) -> dict:
    """The value of every switch of a game, from those that were set.

    `known` maps a name to its default and its options. ValueError for an unknown name or value.
    """
    for name, choice in given.items():
        if name not in known:
            raise ValueError(f"no switch {name} in this game")
        if isinstance(choice, bool) or choice not in known[name][1]:
            raise ValueError(f"{name} cannot be {choice!r}")
    return {name: given.get(name, default) for name, (default, _) in known.items()}


def same_cards(one: Collection[str], other: Collection[str]) -> bool:
    """Whether two collections hold the same cards, order aside (R-COM-02)."""
    return sorted(one) == sorted(other)


def without(hand: list[str], cards: Collection[str]) -> list[str]:
    """The hand after one copy of each of these cards has left it; ValueError if one is missing."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return left


def pack_faults(log: dict) -> list[str]:
    """Cards of the pack that the opening deal lacks, and cards it has too many of."""
    dealt = Counter(log["pile"]) + Counter(log["stock"])
    for hand in log["hands"]:
        dealt.update(hand)
    pack = Counter(PACKS[log["game"]])
    faults = [f"deal: {card} is missing" for card in pack - dealt]
    return faults + [f"deal: {card} is not in the pack so often" for card in dealt - pack]
