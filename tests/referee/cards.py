"""Cards as text: tokens, packs, values and orders (R-COM-03; RULES.md, *Card notation*).

A card is two characters, rank and suit: `5H`, `TD`. A joker is `*`. On the table a substitute
carries what it stands for behind `=`: `2H=6S` and `*=9S` in a run, `2C=8` and `*=7` in a set.
"""

RANKS = "A23456789TJQK"
SHORT_RANKS = "A234567JQK"
SUITS = "SHDC"
JOKER = "*"

_ONE_PACK = [rank + suit for suit in SUITS for rank in RANKS]
_SHORT_PACK = [rank + suit for suit in SUITS for rank in SHORT_RANKS]

PACKS = {
    "jaques": _ONE_PACK,
    "two_deck": _ONE_PACK * 2,
    "wild_card": _ONE_PACK,
    "partnership": _ONE_PACK,
    "conquian": _SHORT_PACK,
    "conquian_jaques": _SHORT_PACK,
    "double_rum": _ONE_PACK * 2 + [JOKER] * 2,
    "konkan": _ONE_PACK * 2 + [JOKER] * 2,
}

_ACE = {"double_rum": 11, "konkan": 10}
_JOKER = {"double_rum": 15, "konkan": 25}


def is_card(text: str) -> bool:
    """Whether `text` names a card of a full pack or a joker, with no meaning attached."""
    return text == JOKER or (len(text) == 2 and text[0] in RANKS and text[1] in SUITS)


def is_token(text: str) -> bool:
    """Whether `text` is a card, or a substitute with a meaning other than itself."""
    shown, marked, meaning = text.partition("=")
    if not marked:
        return is_card(text)
    known = is_card(meaning) or (len(meaning) == 1 and meaning in RANKS)
    return is_card(shown.removesuffix("x")) and known and meaning not in (shown, shown[0])


def value(card: str, game: str) -> int:
    """Points of a card held in hand (R-JAQ-20, R-DBR-24, R-KON-12, R-KON-13, R-KON-32).

    In Conquian all cards are worth the same, 1.
    """
    if game.startswith("conquian"):
        return 1
    if card == JOKER:
        return _JOKER[game]
    if card[0] == "A":
        return _ACE.get(game, 1)
    return min(RANKS.index(card[0]) + 1, 10)


def position(card: str, ranks: str = RANKS) -> int:
    """Place of a card in its suit, the ace being 1 (R-COM-03)."""
    return ranks.index(card[0]) + 1


def card_order(card: str, wild_rank: str | None = None) -> tuple[int, int, int]:
    """Sort key of *card order*: suits S, H, D, C, then ranks; wild ranks and jokers last."""
    if card == JOKER:
        return (2, 0, 0)
    return (int(card[0] == wild_rank), SUITS.index(card[1]), RANKS.index(card[0]))


def face(token: str) -> str:
    """The card that lies there: `2H` for `2H=6S`, the joker for `*x=5S`."""
    return token.partition("=")[0].removesuffix("x")


def stands_for(token: str) -> str:
    """What a token counts as: a card, or a bare rank for a substitute in a set."""
    shown, _, meaning = token.partition("=")
    return meaning or shown
