"""Which cards make a meld in the `jaques` family, and where a card may join one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tests.referee.cards import RANKS, SUITS, face, position, stands_for, value

Tokens = tuple[str, ...]


@dataclass(frozen=True)
class MeldRules:
    """The rules of one game and its switches that decide about melds and loose cards."""

    game: str
    set_max: int = 4
    wild_rank: str | None = None
    min_naturals: int = 1
    wild_penalty: int | None = None  # None: an unused wild costs its printed value

    def is_wild(self, card: str) -> bool:
        """Whether a card is of the wild rank (R-WLD-01)."""
        return card[0] == self.wild_rank

    def value(self, card: str) -> int:
        """Points of a card left in hand (R-JAQ-20, R-WLD-05)."""
        if self.is_wild(card) and self.wild_penalty is not None:
            return self.wild_penalty
        return value(card, self.game)


def meld_rules(game: str, switches: dict) -> MeldRules:
    """The meld rules of a game, from the settled switches."""
    if game == "two_deck":
        return MeldRules(game, set_max=switches["TWO_DECK_SET_MAX"])
    if game == "wild_card":
        penalty = switches["WILD_PENALTY"]
        return MeldRules(
            game,
            wild_rank=switches["WILD_RANK"],
            min_naturals=switches["WILD_MIN_NATURALS"],
            wild_penalty=None if penalty == "face" else penalty,
        )
    return MeldRules(game)


def as_run_card(wild: str, card: str) -> str:
    """The token of a wild that takes the place of a card in a run, bare at its own place."""
    return wild if wild == card else f"{wild}={card}"


def as_set_card(wild: str, rank: str) -> str:
    """The token of a wild in a set, bare in a set of its own rank."""
    return wild if wild[0] == rank else f"{wild}={rank}"


def is_natural(token: str) -> bool:
    """Whether a token stands for itself (R-WLD-02)."""
    return "=" not in token


def kind_of(tokens: Sequence[str], rules: MeldRules) -> str | None:
    """`run`, `set` or None for tokens in table order (R-JAQ-12, R-JAQ-13, R-TWO-04, R-WLD-02)."""
    substitutes = [token for token in tokens if not is_natural(token)]
    if any(not rules.is_wild(token) for token in substitutes):
        return None
    if len(tokens) < 3 or len(tokens) - len(substitutes) < rules.min_naturals:
        return None
    meanings = [stands_for(token) for token in tokens]
    if all(len(meaning) == 2 for meaning in meanings) and _is_run(meanings):
        return "run"
    if all(len(stands_for(token)) == 1 for token in substitutes) and _is_set(tokens, rules):
        return "set"
    return None


def _is_run(cards: list[str]) -> bool:
    low = position(cards[0])
    in_order = [position(card) for card in cards] == list(range(low, low + len(cards)))
    return in_order and len({card[1] for card in cards}) == 1


def _is_set(tokens: Sequence[str], rules: MeldRules) -> bool:
    one_rank = len({stands_for(token)[0] for token in tokens}) == 1
    faces = [face(token) for token in tokens]
    twins = len(set(faces)) < len(faces)
    return one_rank and len(tokens) <= rules.set_max and (rules.game == "two_deck" or not twins)


@lru_cache(maxsize=1 << 16)
def extended(tokens: Tokens, token: str, rules: MeldRules) -> Tokens | None:
    """The meld after one more token has joined it, or None (R-JAQ-14, R-JAQ-28, R-WLD-04)."""
    for longer in ((*tokens, token), (token, *tokens)):
        if kind_of(longer, rules) is not None:
            return longer
    return None


@lru_cache(maxsize=1 << 16)
def tokens_for(card: str, tokens: Tokens, rules: MeldRules) -> Tokens:
    """Every way in which a card can join a meld: at the low end, at the high end, in a set."""
    if not rules.is_wild(card):
        ways = [card]
    elif kind_of(tokens, rules) == "set":
        ways = [as_set_card(card, stands_for(tokens[0])[0])]
    else:
        suit = stands_for(tokens[0])[1]
        low, high = position(stands_for(tokens[0])), position(stands_for(tokens[-1]))
        beyond = [place for place in (low - 1, high + 1) if 1 <= place <= 13]
        ways = [as_run_card(card, RANKS[place - 1] + suit) for place in beyond]
    return tuple(way for way in ways if extended(tokens, way, rules) is not None)


def possible_kinds(cards: list[str], rules: MeldRules) -> list[str]:
    """As what cards in any order can be laid, with some choice of wild meanings, sorted."""
    arrangements = [_as_run(cards, rules, suit, low) for suit in SUITS for low in range(1, 14)]
    arrangements += [_as_set(cards, rules, rank) for rank in RANKS]
    kinds = {kind_of(tokens, rules) for tokens in arrangements if tokens}
    return sorted(kind for kind in kinds if kind)


def _as_run(cards: list[str], rules: MeldRules, suit: str, low: int) -> list[str] | None:
    """The cards as a run from this place on: natural cards at home, wilds in the gaps."""
    if low + len(cards) > 14:
        return None
    places = [RANKS[place - 1] + suit for place in range(low, low + len(cards))]
    fixed = {stands_for(card): card for card in cards if stands_for(card) in places}
    spare = [card for card in cards if card not in fixed.values()]
    if len(fixed) + len(spare) != len(cards) or not all(rules.is_wild(card) for card in spare):
        return None
    return [fixed[place] if place in fixed else f"{spare.pop()}={place}" for place in places]


def _as_set(cards: list[str], rules: MeldRules, rank: str) -> list[str] | None:
    free = [card for card in cards if rules.is_wild(card) and is_natural(card)]
    fixed = [card for card in cards if card not in free]
    return fixed + [as_set_card(card, rank) for card in free]
