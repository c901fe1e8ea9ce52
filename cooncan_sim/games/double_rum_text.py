"""States of `double_rum` as text, and text as moves: logs, worked scripts, messages."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from cooncan_sim.bits import NONE
from cooncan_sim.cards import Pack
from cooncan_sim.errors import CooncanError
from cooncan_sim.games.breach import broken_discard
from cooncan_sim.games.dealing import drawing_order
from cooncan_sim.games.double_rum_breach import RULES
from cooncan_sim.games.double_rum_state import (
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    HOLD,
    JOKER_MOVE,
    LAYOFF,
    MELD,
    RUN,
    SET,
    STOP,
    Move,
)
from cooncan_sim.games.double_rum_table import (
    JOKER,
    JOKER_BIT,
    card_at,
    lay_joker_off,
    lay_off,
    lay_run,
    lay_set,
    move_joker,
)
from cooncan_sim.melds.aces_search import with_high_aces

ACTIONS = {
    STOP: "STOP",
    MELD: "MELD",
    LAYOFF: "LAYOFF",
    DRAW_STOCK: "DRAW_STOCK",
    DRAW_DISCARD: "DRAW_DISCARD",
    DISCARD: "DISCARD",
    HOLD: "HOLD",
    JOKER_MOVE: "JOKER_MOVE",
}
NUMBERS = {name: number for number, name in ACTIONS.items()}
FACES = Pack(copies=2, jokers=2)
NO_MELD = Move(MELD, NONE, NONE, 0, NONE, NONE, -1)  # for tokens that cannot lie together
_HIGH_ACE = 13  # in the places of a suit
_HIGH_ACES = sum(1 << (16 * suit + _HIGH_ACE) for suit in range(4))
_U63 = np.uint64(63)


class Token(NamedTuple):
    """A card on the table: its face, or what a joker stands for (in a set a rank alone)."""

    meaning: str
    joker: bool = False
    locked: bool = False


def read_token(text: str) -> Token:
    """`5H`, `*=9S`, `*=7` or `*x=5S`. CooncanError for anything else, a bare joker too."""
    joker, equals, meaning = text.partition("=")
    if equals and joker not in ("*", "*x"):
        raise CooncanError(f"{text}: only a joker stands for another card")
    if equals and len(meaning) == 1 and meaning in FACES.ranks:
        return Token(meaning, True, joker == "*x")
    number = FACES.number(meaning if equals else text)
    if number == JOKER:
        raise CooncanError(f"{text}: a joker on the table stands for a card, such as *=9S")
    return Token(FACES.text(number), bool(equals), joker == "*x")


def cards_text(once: Any, twice: Any = 0, jokers: Any = 0) -> list[str]:
    """The cards of a hand as text, in card order; faces held, held twice, jokers."""
    return [FACES.text(card) for card in FACES.cards((once, twice, jokers))]


def words(cards: Iterable[str]) -> tuple[np.uint64, np.uint64, int]:
    """Faces held, held twice, and jokers, of card texts. CooncanError for an unknown card."""
    once, twice, jokers = FACES.row(FACES.numbers(list(cards)))
    return np.uint64(once), np.uint64(twice), jokers


def as_kernels_do(move: Move) -> Move:
    """A move that a kernel returned to Python, with its words as uint64 again."""
    cards, twice, places, stands = (
        np.uint64(word) for word in (move.cards, move.twice, move.places, move.stands)
    )
    return Move(move.action, cards, twice, move.jokers, places, stands, move.meld)


# ---- melds --------------------------------------------------------------------------------


def run_text(places: Any, stands: Any, locked: Any = 0) -> list[str]:
    """The tokens of a run, from low to high."""
    tokens = []
    for place in range(64):
        if int(places) >> place & 1:
            face = FACES.text(place - (_HIGH_ACE if place & 15 == _HIGH_ACE else 0))
            joker = "*x=" if int(locked) >> place & 1 else "*="
            tokens.append(joker + face if int(stands) >> place & 1 else face)
    return tokens


def set_text(cards: Any, twice: Any, jokers: Any) -> list[str]:
    """The tokens of a set: its faces in card order, jokers last."""
    faces = cards_text(cards, twice)
    return faces + [f"*={faces[0][0]}"] * int(jokers)


def table_text(table: np.void) -> list[list[str]]:
    """The melds on the table."""
    return [_meld_text(meld) for meld in table["melds"][: int(table["meld_count"])]]


def _meld_text(meld: np.void) -> list[str]:
    if meld["kind"] == RUN:
        return run_text(meld["places"], meld["stands"], meld["locked"])
    return set_text(meld["cards"], meld["twice"], meld["jokers"])


def meld_move(texts: Sequence[str]) -> Move:
    """The move that lays these tokens as a new meld: a run in order, a set in any."""
    tokens = [read_token(text) for text in texts]
    jokers = [token for token in tokens if token.joker]
    for_ranks = {len(token.meaning) == 1 for token in jokers}
    ranks = {token.meaning[0] for token in tokens}
    if len(for_ranks) > 1 or any(token.locked for token in tokens):
        return NO_MELD
    if True in for_ranks or (not jokers and len(ranks) == 1):
        naturals = Counter(token.meaning for token in tokens if not token.joker)
        if len(ranks) > 1 or max(naturals.values(), default=0) > FACES.copies:
            return NO_MELD
        once, twice, _ = words(naturals.elements())
        return as_kernels_do(lay_set(once, twice, len(jokers)))
    places = _run_places(tokens)
    if len(set(places)) < len(places):
        return NO_MELD
    stands = (place for place, token in zip(places, tokens, strict=True) if token.joker)
    return as_kernels_do(lay_run(_mask(places), _mask(stands)))


def _run_places(tokens: Sequence[Token]) -> list[int]:
    """The place of each token of a run: an ace in front is low, any other is high."""
    faces = [FACES.number(token.meaning) for token in tokens]
    return [face + _HIGH_ACE if i and face & 15 == 0 else face for i, face in enumerate(faces)]


def _mask(places: Iterable[int]) -> np.uint64:
    return np.uint64(sum(1 << place for place in places))


def locked_places(texts: Sequence[str]) -> np.uint64:
    """The places (mask) of the locked jokers among a run's tokens."""
    tokens = [read_token(text) for text in texts]
    if not any(token.locked for token in tokens):
        return NONE
    pairs = zip(_run_places(tokens), tokens, strict=True)
    return _mask(place for place, token in pairs if token.locked)


def layoff_move(table: np.void, text: str, m: int, end: str | None) -> Move:
    """The lay-off of a token on meld number m; an ace that fits both ends at the low one."""
    token = read_token(text)
    place = NONE
    if 0 <= m < table["meld_count"]:
        place = _place(table["melds"][m], token, end)
    if token.joker:
        return as_kernels_do(lay_joker_off(place, m))
    return as_kernels_do(lay_off(words([token.meaning])[0], place, m))


def _place(meld: np.void, token: Token, end: str | None) -> np.uint64:
    """The place (mask) of a token that is laid off: none in a set, or one that does not fit."""
    if meld["kind"] == SET:
        rank = cards_text(meld["cards"])[0][0]
        return NONE if token.meaning == rank or not token.joker else np.uint64(1)
    if len(token.meaning) == 1:
        return NONE
    face = np.uint64(1 << FACES.number(token.meaning))
    high = with_high_aces(face) & ~face
    places = np.uint64(meld["places"])
    low_is_free = face << np.uint64(1) & places != NONE and face & places == NONE
    high_is_free = high >> np.uint64(1) & places != NONE and high & places == NONE
    return high if high_is_free and (end == "high" or not low_is_free) else face


def joker_move_of(text: str, m: int) -> Move:
    """The move that puts down a card of hand for which a joker of meld number m moves."""
    cards, _, jokers = words([text])
    return as_kernels_do(move_joker(cards, m)._replace(jokers=jokers))


# ---- logs and messages --------------------------------------------------------------------


def what_broke(states: np.ndarray) -> str:
    """What the broken state's last answer was and which rule it breaks, in words."""
    deck = states["deck"][0]
    rule, reason = RULES[int(deck["breach"])]
    action = int(deck["broken"])
    if action == DISCARD:
        return broken_discard(deck["broken_cards"], FACES, rule, reason)
    if action in ACTIONS:
        asked = " ".join([ACTIONS[action], *hand_mask_text(int(deck["broken_cards"]))])
    else:
        asked = f"the answer {action}"
    return f"{asked} breaks {rule}: {reason}"


def hand_mask_text(cards: int) -> list[str]:
    """The cards of a mask in which bit 63 is a joker; what is no card is left out."""
    faces = [FACES.text(face) for face in FACES.faces if cards >> face & 1]
    return faces + [FACES.text(JOKER)] * (cards >> 63)


def opening(states: np.ndarray) -> dict:
    """The part of a hand log that shows the deal: hands, pile, stock, and the pool before it."""
    return {
        "pool": int(states["table"]["pool"][0]),
        "hands": hands_text(states),
        "pile": [FACES.text(int(states["table"]["pile"][0, 0]))],
        "stock": _stock(states),
    }


def turn_actions(states: np.ndarray) -> list[dict]:
    """The actions of the turn that has just been played, as a hand log has them."""
    deck = states["deck"][0]
    return [_action(note, states["table"][0]) for note in deck["notes"][: deck["noted"]]]


def hands_text(states: np.ndarray) -> list[list[str]]:
    """The hands by seat."""
    seats = states["seats"][0][: states["table"]["players"][0]]
    return [cards_text(seat["hand"], seat["twice"], seat["jokers"]) for seat in seats]


def points(states: np.ndarray) -> dict:
    """The units won by each seat in a hand that is over, and what is left in the pool."""
    players = states["table"]["players"][0]
    deck = states["deck"][0]
    return {"points": [int(n) for n in deck["points"][:players]], "pool": int(deck["pool"])}


def _stock(states: np.ndarray) -> list[str]:
    """The stock as it lies, next card first; with an order for each seat, in card order."""
    if states["deck"]["per_seat"][0]:
        first, second = states["deck"]["stock"][0]
        jokers = int(first >> _U63) + int(second >> _U63)
        return cards_text((first | second) & ~JOKER_BIT, first & second & ~JOKER_BIT, jokers)
    order = np.empty(int(states["table"]["stock"][0]), dtype=np.int64)
    drawing_order(states.copy()[0], order)
    return [FACES.text(int(card_at(int(card) & 63))) for card in order]


def _action(note: np.void, table: np.void) -> dict:
    action, jokers = int(note["action"]), int(note["jokers"])
    entry: dict = {"seat": int(note["seat"]), "a": ACTIONS[action]}
    if action == MELD and note["places"]:
        entry["cards"] = run_text(note["places"], note["stands"])
    elif action == MELD:
        entry["cards"] = set_text(note["cards"], note["twice"], jokers)
    elif action == LAYOFF:
        entry |= {"card": _laid_off(note, table), "meld": int(note["meld"])}
        if int(note["places"]) & _HIGH_ACES:
            entry["end"] = "high"
    elif action == JOKER_MOVE:
        entry |= {"card": cards_text(note["cards"])[0], "meld": int(note["meld"])}
    elif action != HOLD:
        entry["card"] = hand_mask_text(int(note["cards"]))[0]
    return entry


def _laid_off(note: np.void, table: np.void) -> str:
    """The token of a lay-off."""
    if not note["jokers"]:
        return cards_text(note["cards"])[0]
    if note["places"]:
        return run_text(note["places"], note["places"])[0]
    meld = table["melds"][note["meld"]]
    return set_text(meld["cards"], 0, 1)[-1]
