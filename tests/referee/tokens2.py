"""Switches of Conquian, Double Rum and KonKan, and small words their referees share.

Hands are lists of cards in no order; see `cards` for the tokens. Nothing here is meant to be
fast.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.referee.cards import JOKER, RANKS, SUITS, card_order, value


class Illegal(Exception):
    """An action or a line of a log that the rules forbid; the text begins with the rule id."""

    def __init__(self, rule: str, why: str) -> None:
        super().__init__(f"{rule}: {why}")
        self.rule = rule


def in_card_order(cards: Iterable[str]) -> list[str]:
    """The same cards, in card order; jokers come last."""
    return sorted(cards, key=card_order)


def in_throw_order(cards: Iterable[str], game: str) -> list[str]:
    """The same cards, dearest first, then king down to ace, then S, H, D, C; jokers last."""

    def place(card: str) -> tuple[bool, int, int, int]:
        if card == JOKER:
            return (True, 0, 0, 0)
        return (False, -value(card, game), -RANKS.index(card[0]), SUITS.index(card[1]))

    return sorted(cards, key=place)


def same_cards(one: Iterable[str], other: Iterable[str]) -> bool:
    """Equal as multisets."""
    return Counter(one) == Counter(other)


def without(cards: Sequence[str], gone: Iterable[str]) -> list[str]:
    """`cards` less `gone`, one copy each; `ValueError` if one is not there."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


def take(hand: list[str], cards: Iterable[str]) -> None:
    """Remove the cards from the hand; `Illegal` if the hand does not hold them all."""
    for card in cards:
        if card not in hand:
            raise Illegal("R-COM-06", f"{card} is not there to take")
        hand.remove(card)


Option = Callable[[object], bool]


def _one_of(*options: object) -> Option:
    return lambda value: any(value == option and type(value) is type(option) for option in options)


def _whole(least: int) -> Option:
    return lambda value: type(value) is int and value >= least


_EVERY = {
    "ILLEGAL_MELD": ("prevented", _one_of("prevented")),
    "FIRST_DEALER": ("random", _one_of("random", "seat0")),
}
_ROTATION = {"DEALER_ROTATION": ("left", _one_of("left", "winner", "loser"))}
_TWO_PACKS = {
    "TAKEN_CARD_MATCH": ("physical", _one_of("physical", "face")),
    "RETURN_TAKEN_DISCARD": ("forbidden", _one_of("forbidden", "allowed")),
    "MAX_TURNS": (1000, _whole(1)),
    "RUN_BOTH_ACES": ("allowed", _one_of("allowed", "forbidden")),
}
_CONQUIAN = {
    "CQ_REARRANGE": ("free", _one_of("free", "none")),
    "CQ_FORCING": ("on", _one_of("on", "off")),
    "CQ_HAND_CARDS": ("with_center", _one_of("with_center", "no_all_hand_meld", "any")),
    "CQ_FORCE_SCOPE": ("table", _one_of("table", "table_direct", "any")),
    "CQ_STOCK_END": ("when_draw_needed", _one_of("when_draw_needed", "last_card")),
    "CQ_RUN_CAP": ("none", _one_of("none", 8)),
    "CQ_STAKES": ("zero", _one_of("zero", "carry")),
    "CQ_MATCH": (10, _whole(1)),
}
SWITCHES: dict[str, dict[str, tuple[object, Option]]] = {
    "conquian": _EVERY | _ROTATION | _CONQUIAN,
    "conquian_jaques": _EVERY
    | _ROTATION
    | _CONQUIAN
    | {
        "CQJ_SIZE": (
            "deal9_need10",
            _one_of("deal9_need10", "deal10_need11", "deal9_need11_literal"),
        ),
        "CQ_REARRANGE": ("none", _one_of("free", "none")),
        "CQ_FORCING": ("off", _one_of("on", "off")),
    },
    "double_rum": _EVERY
    | _ROTATION
    | _TWO_PACKS
    | {
        "ONLY_TAKEN_LEFT": ("hold", _one_of("hold", "illegal")),
        "GO_OUT_BY_DISCARD": ("allowed", _one_of("allowed", "forbidden")),
        "LAYOFF_NEEDS_OWN_MELD": ("no", _one_of("no", "yes")),
        "JOKER_MOVE_MODE": ("replace_only", _one_of("replace_only", "foster")),
        "DBR_PENALTY_SCOPE": ("all_in_hand", _one_of("all_in_hand", "deadwood")),
        "DBR_BLOCK_ROUNDS": (2, _whole(1)),
        "DBR_POOL": ("each_pays", _one_of("each_pays", "bank")),
        "DBR_MATCH": ("n", lambda value: value == "n" or _whole(1)(value)),
        "DBR_POOL_END": ("refund", _one_of("refund", "stay")),
    },
    "konkan": _EVERY
    | _TWO_PACKS
    | {
        "RESHUFFLE_TIMING": ("on_demand", _one_of("on_demand", "at_turn_start")),
        "VOID_HAND_SCORING": ("no_score", _one_of("no_score", "all_count")),
        "KK_OPEN_POINTS": (51, _one_of(51)),
        "KK_OPEN_RULE": ("fixed", _one_of("fixed", "beat_previous")),
        "KK_PICKUP_MUST_USE": ("no", _one_of("no", "yes")),
        "KK_DEALER_COMEDOWN": ("no", _one_of("no", "yes")),
        "KK_SET_JOKER_SUIT": ("declared", _one_of("declared", "any_missing")),
        "KK_JOKERS_PER_PAIR": (2, _one_of(1, 2)),
        "KK_BURN_WITH_JOKER": ("naturals_only", _one_of("naturals_only", "joker_counts")),
        "KK_BURN_POSITION": ("under", _one_of("under", "top")),
        "KK_SWAP_SAME_TURN": ("yes", _one_of("yes", "no")),
        "KK_RESHUFFLE_KEEP_TOP": ("no", _one_of("no", "yes")),
        "KK_WINNER_BONUS": (30, _whole(0)),
        "KK_NOT_DOWN_PENALTY": ("none", _one_of("none", 100)),
        "KK_ANNOUNCE_WINDOW": ("any_turn_down", _one_of("any_turn_down", "comedown_turn")),
        "KK_SET_LENGTH": (7, _one_of(6, 7, 8)),
        "KK_TEAMS": ("none", _one_of("none")),
        "KK_VOID_DEALER": ("same", _one_of("same", "right")),
        "KK_TIE": ("shared", _one_of("shared")),
    },
}


def all_switches(game: str, changed: dict[str, Any] | None) -> dict[str, Any]:
    """Every switch of the game with its value; `ValueError` for an unknown switch or option."""
    known = SWITCHES[game]
    values = {name: default for name, (default, _) in known.items()}
    for name, chosen in (changed or {}).items():
        if name not in known:
            raise ValueError(f"{game} has no switch {name}")
        if not known[name][1](chosen):
            raise ValueError(f"{name} has no option {chosen!r}")
        values[name] = chosen
    return values
