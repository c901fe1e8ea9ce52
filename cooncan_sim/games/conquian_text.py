"""States of Conquian as text, and text as answers: logs, worked scripts, messages."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from cooncan_sim.cards import Pack, mask_of
from cooncan_sim.errors import CooncanError
from cooncan_sim.games.breach import broken_discard
from cooncan_sim.games.conquian_breach import CARDS_CHANGED, RULES
from cooncan_sim.games.conquian_state import (
    ACCEPT,
    DECLINE,
    DISCARD,
    FORCE,
    LET_PASS,
    MOST_MELDS,
    Answer,
)
from cooncan_sim.games.dealing import drawing_order

ACTIONS = {
    DECLINE: "DECLINE",
    ACCEPT: "ACCEPT",
    FORCE: "FORCE",
    LET_PASS: "LET_PASS",
    DISCARD: "DISCARD",
}
NUMBERS = {name: number for number, name in ACTIONS.items()}
FACES = Pack(ranks="A234567JQK")


def cards_text(cards: Any) -> list[str]:
    """The cards of a mask as text, in card order: runs come out from low to high."""
    return [FACES.text(card) for card in FACES.cards([cards])]


def mask(cards: Iterable[str]) -> np.uint64:
    """The mask of card texts. CooncanError for an unknown card, or one that stands twice."""
    return mask_of(FACES.numbers(list(cards)))


def melds_text(melds: Iterable[Any]) -> list[list[str]]:
    """The melds of a seat as they lie."""
    return [cards_text(meld) for meld in melds if meld]


def melds_of(tokens: Iterable[Iterable[str]]) -> list[np.uint64]:
    """Melds given as card texts, as masks filled up with empty ones.

    CooncanError for more melds than eleven cards can make.
    """
    melds = [mask(cards) for cards in tokens]
    if len(melds) > MOST_MELDS:
        raise CooncanError(f"{len(melds)} melds: a player of Conquian has {MOST_MELDS} at most")
    return melds + [np.uint64(0)] * (MOST_MELDS - len(melds))


def accept_answer(melds: Iterable[Iterable[str]]) -> Answer:
    """The acceptance that leaves these melds, given as card texts, as a seat's whole table."""
    return Answer(1, *melds_of(melds))


# ---- logs and messages --------------------------------------------------------------------


def what_broke(states: np.ndarray) -> str:
    """What the broken state's last answer was and which rule it breaks, in words."""
    deck = states["deck"][0]
    rule, words = RULES[int(deck["breach"])]
    if deck["breach"] == CARDS_CHANGED:
        return f"breaks {rule}: {words}"
    if deck["broken"] == DISCARD:
        return broken_discard(deck["broken_cards"], FACES, rule, words)
    asked = " ".join([ACTIONS[int(deck["broken"])], *_all_cards_text(deck["broken_cards"])])
    return f"{asked} breaks {rule}: {words}"


def _all_cards_text(cards: Any) -> list[str]:
    """As `cards_text`, with bits that are no card of the pack as numbers."""
    known = FACES.faces
    numbers = [bit for bit in range(64) if int(cards) >> bit & 1]
    return [FACES.text(n) if n in known else f"card {n}" for n in numbers]


def opening(states: np.ndarray) -> dict:
    """The part of a hand log that shows the deal: hands, no pile, stock."""
    return {"hands": hands_text(states), "pile": [], "stock": _stock(states)}


def turn_actions(states: np.ndarray) -> list[dict]:
    """The actions of the round that has just been played, as a hand log has them."""
    deck = states["deck"][0]
    return [_action(note) for note in deck["notes"][: deck["noted"]]]


def hands_text(states: np.ndarray) -> list[list[str]]:
    """The hands by seat."""
    return [cards_text(seat["hand"]) for seat in states["seats"][0]]


def points(states: np.ndarray) -> dict:
    """The score changes of a hand that is over, by seat."""
    return {"points": [int(n) for n in states["deck"]["points"][0]]}


def _stock(states: np.ndarray) -> list[str]:
    """The stock as it lies, next card first; with an order for each seat, in card order."""
    if states["deck"]["per_seat"][0]:
        return cards_text(states["deck"]["stock"][0, 0])
    order = np.empty(int(states["table"]["stock"][0]), dtype=np.int64)
    drawing_order(states.copy()[0], order)
    return [FACES.text(int(card)) for card in order]


def _action(note: np.void) -> dict:
    action = int(note["action"])
    entry: dict = {"seat": int(note["seat"]), "a": ACTIONS[action]}
    if action in (DECLINE, ACCEPT, DISCARD):
        entry["card"] = FACES.text(int(note["card"]))
    if action == ACCEPT:
        entry["hand_cards"] = cards_text(note["cards"])
        entry["melds"] = melds_text(note["melds"])
    return entry
