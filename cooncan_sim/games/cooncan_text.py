"""States of the `jaques` engine as text, and text as states: logs, worked scripts, messages."""

import numpy as np

from cooncan_sim.cards import Pack, mask_of
from cooncan_sim.games.breach import RULES
from cooncan_sim.games.cooncan_state import (
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    HOLD,
    LAYOFF,
    MELD,
    STOP,
)

ACTIONS = {
    STOP: "STOP",
    MELD: "MELD",
    LAYOFF: "LAYOFF",
    DRAW_STOCK: "DRAW_STOCK",
    DRAW_DISCARD: "DRAW_DISCARD",
    DISCARD: "DISCARD",
    HOLD: "HOLD",
}
PACK = Pack()


def cards_text(mask: int | np.uint64) -> list[str]:
    """The cards of a mask as text, in card order."""
    return [PACK.text(card) for card in PACK.cards([mask])]


def what_broke(states: np.ndarray) -> str:
    """What the broken state's last answer was and which rule it breaks, in words."""
    deck = states["deck"][0]
    rule, words = RULES[int(deck["breach"])]
    action = int(deck["broken"])
    if action in ACTIONS:
        asked = " ".join([ACTIONS[action], *cards_text(deck["broken_cards"])])
    else:
        asked = f"the answer {action}"
    return f"{asked} breaks {rule}: {words}"


def action_of(note: np.void) -> dict:
    """A note of a turn as an action of a hand log, `recycled` left out."""
    action = int(note["action"])
    cards = cards_text(note["cards"])
    entry = {"seat": int(note["seat"]), "a": ACTIONS[action]}
    if action == MELD:
        entry["cards"] = cards
    elif action != HOLD:
        entry["card"] = cards[0]
    if action == LAYOFF:
        entry["meld"] = int(note["meld"])
    return entry


def hand_mask(cards: list[str]) -> np.uint64:
    """The mask of card texts; CooncanError for unknown or double cards."""
    return mask_of(PACK.numbers(cards))
