"""States of `konkan` as text, and text as pairs and moves: logs, worked scripts, messages."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cooncan_sim.bits import ALL
from cooncan_sim.cards import JOKER_TEXT, Pack
from cooncan_sim.errors import CooncanError
from cooncan_sim.games.breach import broken_discard
from cooncan_sim.games.dealing import drawing_order
from cooncan_sim.games.konkan_breach import RULES
from cooncan_sim.games.konkan_cards import card_at
from cooncan_sim.games.konkan_state import (
    ANNOUNCE,
    COME_DOWN,
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    JOKER_SWAP,
    LAYOFF,
    MELD,
    RUN,
    STOP,
    Move,
)

ACTIONS = {
    STOP: "STOP",
    MELD: "MELD",
    LAYOFF: "LAYOFF",
    DRAW_STOCK: "DRAW_STOCK",
    DRAW_DISCARD: "DRAW_DISCARD",
    DISCARD: "DISCARD",
    COME_DOWN: "COME_DOWN",
    JOKER_SWAP: "JOKER_SWAP",
    ANNOUNCE: "ANNOUNCE",
}
NUMBERS = {name: number for number, name in ACTIONS.items()}
FACES = Pack(copies=2, jokers=2)
HIGH_ACE = 13  # its place above the king of its suit

Pair = tuple[np.uint64, np.uint64]  # places, and those that jokers take


def cards_text(once: Any, twice: Any = 0, jokers: Any = 0) -> list[str]:
    """The cards of a hand as text, in card order; faces held, faces held twice, jokers."""
    return [FACES.text(card) for card in FACES.cards((once, twice, jokers))]


def mask_text(mask: Any) -> list[str]:
    """The cards of a mask as text, in card order; bit 63 is a joker."""
    return cards_text(int(mask) & int(ALL), 0, int(mask) >> 63)


def words(cards: Iterable[str]) -> tuple[np.uint64, np.uint64, int]:
    """Faces held, faces held twice and jokers of card texts. CooncanError for an unknown card."""
    once, twice, jokers = FACES.row(FACES.numbers(list(cards)))
    return np.uint64(once), np.uint64(twice), jokers


# ---- pairs --------------------------------------------------------------------------------


def pair_text(kind: int, places: Any, jokers: Any) -> list[str]:
    """The tokens of a pair: runs from low to high, sets in card order, jokers of sets last."""
    held = [place for place in range(64) if int(places) >> place & 1]
    if kind != RUN:
        held.sort(key=lambda place: int(jokers) >> place & 1)
    return [place_text(place, bool(int(jokers) >> place & 1)) for place in held]


def place_text(place: int, joker: bool) -> str:
    """The token of a card at a place: its text, `*=9S` for a joker."""
    high = place & 15 == HIGH_ACE
    card = FACES.text(place - HIGH_ACE if high else place)
    return f"{JOKER_TEXT}={card}" if joker else card


def pair_of(tokens: Sequence[str]) -> Pair:
    """The places of a pair given as tokens, runs in table order; no places if it can be none.

    CooncanError for an unknown card, or a joker without a meaning.
    """
    faces = [meaning_of(token) for token in tokens]
    run = len({face & 15 for face in faces}) > 1
    places = jokers = 0
    for i, (face, token) in enumerate(zip(faces, tokens, strict=True)):
        # In a run an ace that is not the first card is the high one.
        place = 1 << (face + HIGH_ACE if run and i and face & 15 == 0 else face)
        if places & place:
            return np.uint64(0), np.uint64(0)
        places |= place
        jokers |= place if token.startswith(JOKER_TEXT) else 0
    return np.uint64(places), np.uint64(jokers)


def meaning_of(token: str) -> int:
    """The face that a token stands for: `9S` for itself, `*=9S` for the 9 of spades."""
    joker, _, meaning = token.partition("=")
    if joker == JOKER_TEXT and meaning in ("", JOKER_TEXT):
        raise CooncanError(f"a joker on the table stands for a card, {JOKER_TEXT}=9S, not {token}")
    return FACES.number(meaning if joker == JOKER_TEXT else token)


def table_text(table: np.void) -> list[list[str]]:
    """The pairs on the table."""
    melds = table["melds"][: int(table["meld_count"])]
    return [pair_text(meld["kind"], meld["places"], meld["jokers"]) for meld in melds]


def layoff_move(table: np.void, token: str, m: int, end: str | None) -> Move:
    """The hit of a token on pair number m; an ace goes to the low end unless it fits the high one.

    end: `low` or `high`, for an ace that fits both.
    """
    place = meaning_of(token)
    if place & 15 == 0 and 0 <= m < table["meld_count"]:
        meld = table["melds"][m]
        low_end = int(meld["places"]) >> place & 3 == 2  # the two lies there, no ace below it
        high_end = int(meld["places"]) >> (place + HIGH_ACE - 1) & 3 == 1  # the king, no ace above
        if meld["kind"] == RUN and high_end and not (low_end and end != "high"):
            place += HIGH_ACE
    mask = np.uint64(1 << place)
    joker = token.startswith(JOKER_TEXT)
    return Move(LAYOFF, mask, mask if joker else np.uint64(0), m)


def swap_move(card: str, m: int) -> Move:
    """The exchange of a card for a joker of pair number m."""
    return Move(JOKER_SWAP, np.uint64(1 << meaning_of(card)), np.uint64(0), m)


def as_kernels_do(move: Move) -> Move:
    """A move that a kernel returned to Python, with its words as uint64 again."""
    return Move(move.action, np.uint64(move.places), np.uint64(move.jokers), move.meld)


# ---- logs and messages --------------------------------------------------------------------


def what_broke(states: np.ndarray) -> str:
    """What the broken state's last answer was and which rule it breaks, in words."""
    deck = states["deck"][0]
    rule, why = RULES[int(deck["breach"])]
    action = int(deck["broken"])
    if action == DISCARD:
        return broken_discard(deck["broken_cards"], FACES, rule, why)
    if action in ACTIONS:
        asked = " ".join([ACTIONS[action], *mask_text(deck["broken_cards"])])
    else:
        asked = f"the answer {action}"
    return f"{asked} breaks {rule}: {why}"


def opening(states: np.ndarray) -> dict:
    """The part of a hand log that shows the deal: hands, the empty pile, stock."""
    return {"hands": hands_text(states), "pile": [], "stock": _stock(states)}


def turn_actions(states: np.ndarray) -> list[dict]:
    """The actions of the turn that has just been played, as a hand log has them."""
    deck = states["deck"][0]
    actions = []
    for note in deck["notes"][: deck["noted"]]:
        action = {"seat": int(note["seat"]), **_action(note, deck)}
        if note["renewed"]:
            drawn = [action["card"]] if action["a"] == "DRAW_STOCK" else []
            action["recycled"] = drawn + _stock(states)
        actions.append(action)
    return actions


def hands_text(states: np.ndarray) -> list[list[str]]:
    """The hands by seat."""
    seats = states["seats"][0][: states["table"]["players"][0]]
    return [cards_text(seat["hand"], seat["twice"], seat["jokers"]) for seat in seats]


def points(states: np.ndarray) -> dict:
    """The score changes of a hand that is over, by seat."""
    players = states["table"]["players"][0]
    return {"points": [int(n) for n in states["deck"]["points"][0][:players]]}


def _stock(states: np.ndarray) -> list[str]:
    """The stock as it lies, next card first; with an order for each seat, in card order."""
    if states["deck"]["per_seat"][0]:
        first, second = (int(word) for word in states["deck"]["stock"][0])
        both = first & second & int(ALL)
        return cards_text((first | second) & int(ALL), both, (first >> 63) + (second >> 63))
    order = np.empty(int(states["table"]["stock"][0]), dtype=np.int64)
    drawing_order(states.copy()[0], order)
    return [FACES.text(int(card_at(int(card) & 63))) for card in order]


def _action(note: np.void, deck: np.void) -> dict:
    action, name = int(note["action"]), ACTIONS[int(note["action"])]
    places, jokers = int(note["places"]), int(note["jokers"])
    if action == MELD:
        return {"a": name, "cards": laid_text(places, jokers)}
    if action == COME_DOWN:
        pairs = deck["opening"][: deck["opened"]]
        return {"a": name, "melds": [laid_text(int(p["places"]), int(p["jokers"])) for p in pairs]}
    if action == ANNOUNCE:
        return {"a": name, "n": int(note["announced"])}
    if action in (LAYOFF, JOKER_SWAP):
        place = places.bit_length() - 1
        entry = {"a": name, "card": place_text(place, bool(jokers)), "meld": int(note["meld"])}
        return entry | ({"end": "high"} if place & 15 == HIGH_ACE else {})
    return {"a": name, "card": mask_text(note["cards"])[0]}


def laid_text(places: int, jokers: int) -> list[str]:
    """The tokens of a legal pair: a run lies in one suit."""
    in_one_suit = places >> (((places & -places).bit_length() - 1) & 48) < 1 << 16
    return pair_text(RUN if in_one_suit else 1 - RUN, places, jokers)
