"""Card tokens as people see them: their parts, order, text and the shapes of the suits.

Tokens are those of the hand log: `5H`, `TD`, the joker `*`, and on the table also a card that
stands for another, `2H=6S`, `*=9S`, `*=7`, or a joker that has moved and is locked, `*x=5S`.
"""

from typing import NamedTuple

RANKS = "A23456789TJQK"
SUITS = "SHDC"
JOKER = "*"

_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", JOKER: "★"}
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", JOKER: "joker"}
_RANK_NAMES = dict(
    zip(
        RANKS,
        ["ace", "two", "three", "four", "five", "six", "seven"]
        + ["eight", "nine", "ten", "jack", "queen", "king"],
        strict=True,
    )
)


class Face(NamedTuple):
    """The parts of a token: the card itself, what it stands for ("" for itself), a locked joker."""

    card: str
    meaning: str
    locked: bool


def parse(token: str) -> Face:
    """Split a token into its parts; raises ValueError for anything that is no card."""
    held, equals, meaning = token.partition("=")
    locked = held == "*x" and bool(equals)
    card = JOKER if locked else held
    if not _is_card(card) or (equals and not _is_card(meaning) and meaning not in tuple(RANKS)):
        raise ValueError(f"{token!r} is not a card")
    return Face(card, meaning, locked)


def _is_card(text: str) -> bool:
    return text == JOKER or (len(text) == 2 and text[0] in RANKS and text[1] in SUITS)


def stands_for(token: str) -> str:
    """The card (or rank) a token counts as in its meld."""
    face = parse(token)
    return face.meaning or face.card


def is_run(cards: tuple[str, ...]) -> bool:
    """Whether these table tokens are a run: the ranks of a set are all the same."""
    return len({stands_for(token)[0] for token in cards}) > 1


def order(token: str) -> tuple[int, int]:
    """Sort key of a hand: spades, hearts, diamonds, clubs, ace low, jokers last."""
    card = parse(token).card
    if card == JOKER:
        return len(SUITS), 0
    return SUITS.index(card[1]), RANKS.index(card[0])


def text(token: str, symbols: bool = True) -> str:
    """A token for reading: `10♥`, `★=9♠`; without symbols as it stands in the log."""
    if not symbols:
        return token
    face = parse(token)
    if not face.meaning:
        return _pretty(face.card)
    return f"{_pretty(face.card)}{'x' if face.locked else ''}={_pretty(face.meaning)}"


def _pretty(card: str) -> str:
    if card == JOKER:
        return _SYMBOLS[JOKER]
    return rank_text(card) + "".join(_SYMBOLS[suit] for suit in card[1:])


def rank_text(card: str) -> str:
    """The rank as it is printed on a card: `10` for T."""
    return "10" if card[0] == "T" else card[0]


def name(token: str) -> str:
    """A token spoken: `ten of hearts`, `joker standing for the nine of spades`."""
    face = parse(token)
    if not face.meaning:
        return _spoken(face.card)
    article = "the" if len(face.meaning) == 2 else "an" if face.meaning in ("A", "8") else "a"
    moved = ", moved and locked" if face.locked else ""
    return f"{_spoken(face.card)} standing for {article} {_spoken(face.meaning)}{moved}"


def _spoken(card: str) -> str:
    if card == JOKER:
        return "joker"
    rank = _RANK_NAMES[card[0]]
    return f"{rank} of {SUIT_NAMES[card[1]]}" if len(card) == 2 else rank


def _circle(x: float, y: float, radius: float) -> str:
    """A circle as four cubic curves, to draw with the commands M, C and Z alone."""
    k = 0.5523 * radius
    left, right, top, bottom = x - radius, x + radius, y - radius, y + radius
    return (
        f"M {left} {y} C {left} {y - k} {x - k} {top} {x} {top} "
        f"C {x + k} {top} {right} {y - k} {right} {y} "
        f"C {right} {y + k} {x + k} {bottom} {x} {bottom} "
        f"C {x - k} {bottom} {left} {y + k} {left} {y} Z"
    )


# Outlines in a box of 100 × 100, y downwards, as SVG path text with absolute M, L, C and Z only,
# every number and letter apart: the page inserts them as they are, the picture splits them.
SHAPES = {
    "spades": (
        "M 50 4 C 60 25 93 40 93 64 C 93 77 83 85 73 85 C 64 85 57 80 54 73 C 55 84 59 91 67 96 "
        "L 33 96 C 41 91 45 84 46 73 C 43 80 36 85 27 85 C 17 85 7 77 7 64 C 7 40 40 25 50 4 Z"
    ),
    "hearts": (
        "M 50 94 C 40 74 5 55 5 30 C 5 15 16 6 28 6 C 39 6 47 13 50 24 "
        "C 53 13 61 6 72 6 C 84 6 95 15 95 30 C 95 55 60 74 50 94 Z"
    ),
    "diamonds": (
        "M 50 3 C 58 20 70 36 86 50 C 70 64 58 80 50 97 C 42 80 30 64 14 50 C 30 36 42 20 50 3 Z"
    ),
    "clubs": (
        f"{_circle(50, 27, 22)} {_circle(27, 60, 22)} {_circle(73, 60, 22)} "
        "M 44 40 L 56 40 C 54 52 52 58 54 68 C 55 82 59 91 67 96 L 33 96 C 41 91 45 82 46 68 "
        "C 48 58 46 52 44 40 Z"
    ),
    "joker": (
        "M 50 4 L 61.2 36.6 L 95.7 37.2 L 68.1 57.9 L 78.2 90.8 L 50 71 L 21.8 90.8 L 31.9 57.9 "
        "L 4.3 37.2 L 38.8 36.6 Z"
    ),
}
