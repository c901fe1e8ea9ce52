"""What a hand is worth: least penalty and the melds that leave it, one hand or millions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cooncan_sim import catalog, rng
from cooncan_sim.arguments import is_whole
from cooncan_sim.cards import JOKER, Pack
from cooncan_sim.errors import CooncanError
from cooncan_sim.kernel import kernel


@dataclass(frozen=True)
class Evaluation:
    """A hand split as well as can be: `melds` in the order of RULES Part 3, *Best melds*."""

    penalty: int
    melds: list[list[str]]
    unmelded: list[str]

    def __str__(self) -> str:
        melds = [" ".join(meld) for meld in self.melds]
        lines = [f"penalty {self.penalty}"]
        lines.append(f"melds: {' | '.join(melds)}" if melds else "no melds")
        if self.unmelded:
            lines.append(f"unmelded: {' '.join(self.unmelded)}")
        return "\n".join(lines)


def evaluate(
    hand: str | Sequence[str], game: str, rules: Mapping[str, object] | None = None
) -> Evaluation:
    """The best partition of a hand, given as text or as a list of card texts.

    Raises CooncanError for an unknown game or switch, and for cards that the pack has not.
    """
    played = catalog.game(game)
    cards = played.pack.numbers(hand)
    found = played.part("split").split(
        played, played.rules(rules), [played.pack.text(card) for card in cards]
    )
    return Evaluation(*found)


def parse_hands(hands: Sequence[str], game: str) -> np.ndarray:
    """Hands as text → array of shape (hands, words), uint64: one row a hand.

    A row is the mask of faces held (bit = 16 · suit + rank, suits S H D C, ranks from the ace).
    Raises CooncanError that names the hand and the card which is wrong.
    """
    pack = catalog.game(game).pack
    if isinstance(hands, str) or not isinstance(hands, Sequence):
        raise CooncanError(f"hands are a list of texts, one a hand, not {hands!r}")
    rows = np.zeros((len(hands), pack.words), dtype=np.uint64)
    for i, hand in enumerate(hands):
        try:
            rows[i] = pack.row(pack.numbers(hand))
        except CooncanError as error:
            raise CooncanError(f"hand {i}: {error}") from None
    return rows


def deal_hands(count: int, size: int, game: str, seed: int) -> np.ndarray:
    """Random hands of `size` cards from whole packs, as `parse_hands` gives them.

    Hand number i depends on (seed, i) alone. Raises CooncanError for an unknown game, or numbers
    that no such hands can have.
    """
    pack = catalog.game(game).pack
    for number in (count, size, seed):
        if not is_whole(number):
            raise CooncanError(f"count, size and seed are whole numbers, not {number!r}")
    if not 0 <= size <= pack.size:
        raise CooncanError(f"a hand of {size} cards: {game} has {pack.size}")
    if not 0 <= seed < 2**63:
        raise CooncanError(f"seed {seed}: it is a whole number from 0 to 2**63 - 1")
    if count < 0:
        raise CooncanError(f"count of dealt hands: a whole number of at least 0, not {count}")
    try:
        rows = np.zeros((count, pack.words), dtype=np.uint64)
    except (MemoryError, ValueError, OverflowError):  # the last two beyond any machine
        raise CooncanError(
            f"{count:,} hands do not fit into memory: deal fewer at a time"
        ) from None
    faces = np.array([f for f in pack.faces for _ in range(pack.copies)], dtype=np.int64)
    _fill(rows, np.append(faces, [JOKER] * pack.jokers), size, seed)
    return rows


@kernel
def _fill(rows, pack, size, seed):
    """Deals a hand into each row: rows (n, words) uint64, pack (cards,) card numbers int64."""
    cards = pack.copy()
    for i in range(rows.shape[0]):
        word = rng.stream(seed, i, rng.CUT, 0)
        cards[:] = pack
        for k in range(size):
            word += rng.WEYL
            j = k + rng.scaled(rng.mix(word), cards.shape[0] - k)
            card = cards[j]
            cards[j] = cards[k]
            if card == JOKER:
                rows[i, 2] += np.uint64(1)
            else:
                face = np.uint64(1) << np.uint64(card)
                if rows[i, 0] & face:
                    rows[i, 1] |= face
                rows[i, 0] |= face


def _impossible(hands: np.ndarray, pack: Pack) -> np.ndarray:
    """Which rows, shape (hands, words), no hand from this pack could give: bool (hands,)."""
    faces = sum(1 << face for face in pack.faces)
    wrong = hands[:, 0] & ~np.uint64(faces) != 0
    if pack.words > 1:
        wrong |= hands[:, 1] & ~hands[:, 0] != 0  # twice, but not once
    if pack.words > 2:
        wrong |= hands[:, 2] > pack.jokers
    return wrong


def min_penalty(
    hands: np.ndarray, game: str, rules: Mapping[str, object] | None = None
) -> np.ndarray:
    """Least penalty of every hand: array (hands, words) uint64 → (hands,) int64.

    Releases the GIL. Raises CooncanError for an array of another shape or type.
    """
    played = catalog.game(game)
    try:
        hands = np.ascontiguousarray(hands)
    except ValueError:
        raise CooncanError(f"hands of {game} are an array, as parse_hands makes it") from None
    if hands.dtype != np.uint64 or hands.ndim != 2 or hands.shape[1] != played.pack.words:
        raise CooncanError(
            f"hands of {game} are an array of uint64 with {played.pack.words} column(s), "
            f"not {hands.dtype} of shape {hands.shape}"
        )
    wrong = _impossible(hands, played.pack)
    if wrong.any():
        raise CooncanError(f"hand {wrong.argmax()} holds cards that the pack of {game} has not")
    return played.part("split").penalties(played, played.rules(rules), hands)
