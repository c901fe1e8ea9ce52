"""States of the `jaques` family as text, and text as moves: logs, worked scripts, messages."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from cooncan_sim.cards import Pack
from cooncan_sim.errors import CooncanError
from cooncan_sim.games.breach import RULES, broken_discard
from cooncan_sim.games.cooncan_state import (
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    HIGH,
    HOLD,
    LAYOFF,
    LOW,
    MELD,
    RUN,
    STOP,
    Move,
)
from cooncan_sim.games.cooncan_table import AS_RANK, shape_of, stand_in
from cooncan_sim.games.dealing import drawing_order

ACTIONS = {
    STOP: "STOP",
    MELD: "MELD",
    LAYOFF: "LAYOFF",
    DRAW_STOCK: "DRAW_STOCK",
    DRAW_DISCARD: "DRAW_DISCARD",
    DISCARD: "DISCARD",
    HOLD: "HOLD",
}
NUMBERS = {name: number for number, name in ACTIONS.items()}
PACK = Pack(copies=2)  # a pack twice: what is double in one pack, the game's own pack refuses
FACES = Pack()


def cards_text(once: Any, twice: Any = 0) -> list[str]:
    """The cards of a hand as text, in card order; faces held, faces held twice."""
    return [PACK.text(card) for card in PACK.cards((once, twice))]


def masks(cards: Iterable[str]) -> tuple[np.uint64, np.uint64]:
    """Faces held and faces held twice of card texts. CooncanError for an unknown card."""
    once, twice = PACK.row(PACK.numbers(list(cards)))
    return np.uint64(once), np.uint64(twice)


def as_kernels_do(move: Move) -> Move:
    """A move that a kernel returned to Python, with its words as uint64 again."""
    words = (np.uint64(move.cards), np.uint64(move.twice), np.uint64(move.substitutes))
    return Move(move.action, words[0], words[1], move.meld, move.end, words[2])


# ---- melds --------------------------------------------------------------------------------


def meld_text(kind: int, places: Any, cards: Any, twice: Any, substitutes: Any) -> list[str]:
    """The tokens of a meld: runs from low to high, sets in card order, substitutes last."""
    stand = dict(_substitutes(substitutes))
    if kind == RUN:
        return [
            f"{FACES.text(stand[place])}={FACES.text(place)}"
            if place in stand
            else FACES.text(place)
            for place in FACES.cards([places])
        ]
    wild = {card: place - AS_RANK for place, card in _substitutes(substitutes)}
    own = [card for card in PACK.cards((cards, twice)) if card not in wild]
    return [FACES.text(card) for card in own] + [
        f"{FACES.text(card)}={FACES.ranks[rank]}" for card, rank in sorted(wild.items())
    ]


def _substitutes(packed: Any) -> list[tuple[int, int]]:
    """(place, card) of each substitute of a packed word."""
    word = int(packed)
    found = []
    while word:
        found.append(((word & 0x7FFF) >> 7, word & 0x7F))
        word >>= 16
    return found


def table_text(table: np.void) -> list[list[str]]:
    """The melds on the table."""
    return [_meld(meld) for meld in table["melds"][: int(table["meld_count"])]]


def _meld(meld: np.void) -> list[str]:
    parts = ("kind", "places", "cards", "twice", "substitutes")
    return meld_text(*(meld[part] for part in parts))


def meld_move(tokens: list[str]) -> Move:
    """The move that lays these tokens, `2H=6S` and `2H=6` for wild cards, as a new meld."""
    once, twice = masks(token.partition("=")[0] for token in tokens)
    return Move(MELD, once, twice, -1, LOW, _stand_ins(tokens))


def layoff_move(table: np.void, token: str, m: int, end: str | None) -> Move:
    """The lay-off of a token on meld number m; the end that it fits unless it is given."""
    card, _, _ = token.partition("=")
    substitutes = _stand_ins([token])
    place = FACES.number(card)
    if substitutes:
        place = _substitutes(substitutes)[0][0]
    if end is None:
        lies = 0 <= m < table["meld_count"]
        places = int(table["melds"][m]["places"]) if lies else 0
        end = "high" if place < AS_RANK and (1 << place) > places else "low"
    ends = {"low": LOW, "high": HIGH}
    return Move(LAYOFF, masks([card])[0], np.uint64(0), m, ends[end], substitutes)


def _stand_ins(tokens: list[str]) -> np.uint64:
    packed = np.uint64(0)
    for token in tokens:
        card, _, meaning = token.partition("=")
        if meaning and len(meaning) == 1:
            if meaning not in FACES.ranks:
                raise CooncanError(f"unknown rank {meaning!r} in {token!r}")
            place = AS_RANK + FACES.ranks.index(meaning)
            packed = np.uint64(stand_in(packed, FACES.number(card), place))
        elif meaning:
            packed = np.uint64(stand_in(packed, FACES.number(card), FACES.number(meaning)))
    return packed


# ---- logs and messages --------------------------------------------------------------------


def what_broke(states: np.ndarray) -> str:
    """What the broken state's last answer was and which rule it breaks, in words."""
    deck = states["deck"][0]
    rule, words = RULES[int(deck["breach"])]
    action = int(deck["broken"])
    if action == DISCARD:
        return broken_discard(deck["broken_cards"], FACES, rule, words)
    if action in ACTIONS:
        asked = " ".join([ACTIONS[action], *cards_text(deck["broken_cards"])])
    else:
        asked = f"the answer {action}"
    return f"{asked} breaks {rule}: {words}"


def opening(states: np.ndarray) -> dict:
    """The part of a hand log that shows the deal: hands, pile, stock."""
    return {
        "hands": hands_text(states),
        "pile": [FACES.text(int(states["table"]["pile"][0, 0]))],
        "stock": _stock(states),
    }


def turn_actions(states: np.ndarray) -> list[dict]:
    """The actions of the turn that has just been played, as a hand log has them."""
    deck = states["deck"][0]
    actions = []
    for note in deck["notes"][: deck["noted"]]:
        action = _action(note, states["table"][0])
        if note["renewed"]:
            drawn = [action["card"]] if action["a"] == "DRAW_STOCK" else []
            action["recycled"] = drawn + _stock(states)
        actions.append(action)
    return actions


def hands_text(states: np.ndarray) -> list[list[str]]:
    """The hands by seat."""
    seats = states["seats"][0][: states["table"]["players"][0]]
    return [cards_text(seat["hand"], seat["twice"]) for seat in seats]


def points(states: np.ndarray) -> dict:
    """The score changes of a hand that is over, by side."""
    sides = states["table"]["sides"][0]
    return {"points": [int(n) for n in states["deck"]["points"][0][:sides]]}


def _stock(states: np.ndarray) -> list[str]:
    """The stock as it lies, next card first; with an order for each seat, in card order."""
    if states["deck"]["per_seat"][0]:
        first, second = states["deck"]["stock"][0]
        return cards_text(first | second, first & second)
    order = np.empty(int(states["table"]["stock"][0]), dtype=np.int64)
    drawing_order(states.copy()[0], order)
    return [FACES.text(int(card) & 63) for card in order]


def _action(note: np.void, table: np.void) -> dict:
    action = int(note["action"])
    entry: dict = {"seat": int(note["seat"]), "a": ACTIONS[action]}
    if action == MELD:
        parts = (note["cards"], note["twice"], note["substitutes"])
        kind, places = shape_of(table, *parts)
        entry["cards"] = meld_text(kind, places, *parts)
    elif action == LAYOFF:
        card = cards_text(note["cards"])[0]
        for place, _ in _substitutes(note["substitutes"]):
            rank = place - AS_RANK
            card += f"={FACES.ranks[rank] if rank >= 0 else FACES.text(place)}"
        entry |= {"card": card, "meld": int(note["meld"])}
        if "=" in card and int(note["end"]) == HIGH:
            entry["end"] = "high"
    elif action != HOLD:
        entry["card"] = cards_text(note["cards"])[0]
    return entry
