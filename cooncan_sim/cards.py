"""Cards as text, as numbers and as bits of a mask.

A card is the number 16 * suit + rank, suits S H D C = 0 … 3, ranks from the ace = 0; the joker
is 64. A mask is a uint64 with one bit a face, so each suit has a lane of 16 bits whose upper
three stay empty: shifts by one or two never carry a card into the next suit's ranks.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cooncan_sim.errors import CooncanError

SUITS = "SHDC"
JOKER = 64
JOKER_TEXT = "*"
JOKER_SIGNS = (JOKER_TEXT, "★")
_SUIT_SIGNS = str.maketrans("♠♤♥♡♦♢♣♧", "SSHHDDCC")


def as_letters(text: str) -> str:
    """A card or a rank in the letters used inside: `10♥` as `TH`, `k` as `K`."""
    return text.strip().translate(_SUIT_SIGNS).upper().replace("10", "T")


@dataclass(frozen=True)
class Pack:
    """The cards of a game: `ranks` in order from the ace, `copies` of each face, `jokers`."""

    ranks: str = "A23456789TJQK"
    copies: int = 1
    jokers: int = 0

    @property
    def words(self) -> int:
        """Words a hand takes: faces held once, held twice (two packs), jokers."""
        return 3 if self.jokers else self.copies

    @property
    def faces(self) -> tuple[int, ...]:
        """Card numbers without the joker, in card order (S H D C, each from the ace)."""
        return tuple(16 * suit + rank for suit in range(4) for rank in range(len(self.ranks)))

    @property
    def size(self) -> int:
        return 4 * len(self.ranks) * self.copies + self.jokers

    def number(self, text: str) -> int:
        """The card number of `5H`, `th`, `10♥`, `*` or `★`.

        Raises CooncanError for a text that is no card of this pack.
        """
        if not isinstance(text, str):
            raise CooncanError(f"a card is a text such as 5H, not {text!r}")
        if text.strip() in JOKER_SIGNS and self.jokers:
            return JOKER
        token = as_letters(text)
        if len(token) == 2 and token[0] in self.ranks and token[1] in SUITS:
            return 16 * SUITS.index(token[1]) + self.ranks.index(token[0])
        joker = ", or * for a joker" if self.jokers else ""
        raise CooncanError(
            f"unknown card {text!r}: a card is a rank of {' '.join(self.ranks)} and a suit of "
            f"{' '.join(SUITS)}, such as {self.ranks[4]}H{joker}"
        )

    def text(self, card: int) -> str:
        """The text of a card number; the inverse of `number`."""
        return JOKER_TEXT if card == JOKER else self.ranks[card & 15] + SUITS[card >> 4]

    def numbers(self, cards: str | Sequence[str]) -> list[int]:
        """Card numbers of a hand, given as one text or as a list of card texts.

        Raises CooncanError for an unknown card, or for more copies than the pack has.
        """
        if not isinstance(cards, Sequence):
            raise CooncanError(f"a hand is a text or a list of cards, not {cards!r}")
        tokens = cards.replace(",", " ").split() if isinstance(cards, str) else list(cards)
        found = [self.number(token) for token in tokens]
        for card, count in Counter(found).items():
            most = self.jokers if card == JOKER else self.copies
            if count > most:
                raise CooncanError(
                    f"{self.text(card)} stands {count} times in the hand: this pack has {most}"
                )
        return found

    def row(self, cards: list[int]) -> list[int]:
        """The words (Python ints) of a hand of card numbers: once[, twice[, jokers]]."""
        once = twice = jokers = 0
        for card in cards:
            if card == JOKER:
                jokers += 1
            else:
                twice |= once & (1 << card)
                once |= 1 << card
        return [once, twice, jokers][: self.words]

    def cards(self, row: Iterable[int | np.uint64]) -> list[int]:
        """Card numbers of a hand's words, in card order with jokers last; inverse of `row`."""
        once, twice, jokers = (*(int(word) for word in row), 0, 0)[:3]
        held = [c for c in self.faces for word in (once, twice) if word >> c & 1]
        return held + [JOKER] * jokers


def mask_of(cards: list[int]) -> np.uint64:
    """The mask of distinct card numbers."""
    return np.uint64(sum(1 << card for card in cards))
