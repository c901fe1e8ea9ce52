"""What an illegal action breaks: a number for kernels, a rule id and words for people."""

import numpy as np

from cooncan_sim.cards import JOKER, Pack

LEGAL = 0
NOT_THIS_PHASE = 1
NO_SOURCE = 2
NOT_HELD = 3
NO_MELD = 4
NO_SUCH_MELD = 5
DOES_NOT_FIT = 6
MELD_CLOSED = 7
NEEDS_OWN_MELD = 8
ONLY_TAKEN_LEFT = 9
TAKEN_CARD = 10
LAST_CARD = 11
MAY_DISCARD = 12
NO_ANSWER = 13
CARDS_CHANGED = 14

RULES = {
    NOT_THIS_PHASE: ("R-COM-04", "there is no such action at this point of a turn"),
    NO_SOURCE: ("R-JAQ-17", "there is no card to draw there"),
    NOT_HELD: ("R-COM-06", "these cards are not in the hand"),
    NO_MELD: ("R-JAQ-30", "these cards are no meld"),
    NO_SUCH_MELD: ("R-JAQ-14", "there is no such meld on the table"),
    DOES_NOT_FIT: ("R-JAQ-28", "the card does not fit that meld"),
    MELD_CLOSED: ("R-JAQ-14", "a house rule closes that meld to this player"),
    NEEDS_OWN_MELD: ("R-JAQ-14", "a house rule asks for an own meld before laying off"),
    ONLY_TAKEN_LEFT: ("R-COM-08", "a house rule forbids leaving only the card just taken"),
    TAKEN_CARD: ("R-JAQ-16", "the card just taken from the pile may not go back"),
    LAST_CARD: ("R-JAQ-18", "a house rule forbids going out by a discard"),
    MAY_DISCARD: ("R-COM-08", "a player who can throw a card may not hold"),
    NO_ANSWER: ("R-COM-06", "that is no answer to this question"),
    CARDS_CHANGED: ("R-COM-12", "a strategy has changed the cards of the game"),
}


def broken_discard(thrown: np.uint64, pack: Pack, rule: str, reason: str) -> str:
    """What a discard breaks: the rule, for this reason, unless the number is no card at all."""
    number = int(thrown.astype(np.int64))
    if number in pack.faces or (pack.jokers and number == JOKER):
        return f"DISCARD {pack.text(number)} breaks {rule}: {reason}"
    ranks = f"A to K = 0 to {len(pack.ranks) - 1}"
    joker = f", or {JOKER} for a joker" if pack.jokers else ""
    return (
        f"DISCARD {number} breaks R-COM-06: {number} is no card: a card is 16*suit + rank, "
        f"suits S H D C = 0 to 3, ranks {ranks}{joker}"
    )
