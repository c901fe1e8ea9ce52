"""Follow a hand log: what lies where after each action.

Cards move as the log says; whether they may is not asked here. Every game of the family is
followed by the same code, since a log names its actions alike in all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cooncan_sim.reports.card_faces import JOKER, RANKS, is_run, parse, stands_for

Action = Mapping[str, Any]
Log = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld on the table; runs are listed from low to high."""

    owner: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """Conquian: the card on offer, where it came from (`stock` or `discard`), and to which seat."""

    card: str
    origin: str
    seat: int


@dataclass(frozen=True, slots=True)
class Step:
    """The table after `action` (None: as dealt).

    `turn` counts from 1 (R-COM-15) and is the turn the action belongs to; `pile` has its top last;
    `stock` is a number of cards; `down` are the seats that have come down and `burned` the sets
    that this action burned (KonKan); `offer` is the card now on offer (Conquian).
    """

    action: Action | None
    turn: int
    hands: tuple[tuple[str, ...], ...]
    table: tuple[Meld, ...]
    pile: tuple[str, ...]
    stock: int
    down: frozenset[int]
    burned: tuple[Meld, ...]
    offer: Offer | None


def steps(log: Log) -> list[Step]:
    """The deal and the table after each action of a hand log, one step more than actions.

    Raises ValueError, with the number of the action, where the log cannot be followed: a card that
    is not there, a meld that does not exist, an unknown action.
    """
    table = _Table(log)
    actions = log["actions"]
    followed = [table.step(None)]
    for number, action in enumerate(actions):
        after = actions[number + 1] if number + 1 < len(actions) else None
        try:
            table.play(action, after)
        except ValueError as error:
            raise ValueError(f"action {number} of the log: {error}") from None
        followed.append(table.step(action))
    return followed


class _Table:
    """The cards of one hand while its log is being followed."""

    def __init__(self, log: Log) -> None:
        self.switches = log.get("switches", {})
        self.konkan = log["game"] == "konkan"
        self.conquian = log["game"].startswith("conquian")
        self.hands = [list(hand) for hand in log["hands"]]
        self.melds: list[Meld] = []
        self.pile = list(log.get("pile", ()))
        self.stock = len(log["stock"])
        self.down: set[int] = set()
        self.burned: list[Meld] = []
        self.offer: Offer | None = None
        self.turn = 1
        self.turn_over = False
        if self.conquian:
            self._turn_up(1 - log["dealer"], log["actions"][0] if log["actions"] else None)

    def step(self, action: Action | None) -> Step:
        return Step(
            action,
            self.turn,
            tuple(tuple(hand) for hand in self.hands),
            tuple(self.melds),
            tuple(self.pile),
            self.stock,
            frozenset(self.down),
            tuple(self.burned),
            self.offer,
        )

    def play(self, action: Action, after: Action | None) -> None:
        """Carry out one action; `after` is the one that follows it in the log."""
        if self.turn_over:
            self.turn += 1
            self.turn_over = False
        self.burned = []
        seat, kind = action["seat"], action["a"]
        if kind in ("DRAW_STOCK", "DRAW_DISCARD"):
            self._draw(seat, action)
        elif kind in ("MELD", "COME_DOWN"):
            self._lay(seat, [action["cards"]] if kind == "MELD" else action["melds"])
            if kind == "COME_DOWN":
                self.down.add(seat)
        elif kind in ("LAYOFF", "JOKER_MOVE", "JOKER_SWAP"):
            self._add(seat, action)
        elif kind == "ACCEPT":
            self._accept(seat, action)
        elif kind == "DISCARD":
            self._discard(seat, action["card"], after)
        elif kind in ("DECLINE", "LET_PASS"):
            self._pass_on(after)
        elif kind == "HOLD":
            self.turn_over = True
        elif kind not in ("FORCE", "ANNOUNCE"):
            raise ValueError(f"unknown action {kind!r}")

    def _take(self, seat: int, tokens: list[str]) -> None:
        """Remove cards from a hand."""
        for token in tokens:
            card = parse(token).card
            if card not in self.hands[seat]:
                raise ValueError(f"seat {seat} does not hold {card}")
            self.hands[seat].remove(card)

    def _draw(self, seat: int, action: Action) -> None:
        recycled = action.get("recycled")
        if recycled is not None:
            # Whether the top discard stays out depends on game and switch; the count tells.
            self.pile = self.pile[-1:] if len(recycled) < len(self.pile) else []
            self.stock = len(recycled)
        if action["a"] == "DRAW_STOCK":
            if not self.stock:
                raise ValueError("the stock is empty")
            self.stock -= 1
        elif self.pile[-1:] == [action["card"]]:
            self.pile.pop()
        else:
            raise ValueError(f"{action['card']} is not on top of the discard pile")
        self.hands[seat].append(action["card"])

    def _lay(self, seat: int, melds: list[list[str]]) -> None:
        for cards in melds:
            self._take(seat, cards)
            self.melds.append(Meld(seat, tuple(cards)))
        self._burn()

    def _add(self, seat: int, action: Action) -> None:
        """Put one card on a meld that lies on the table, at an end or in a joker's place."""
        card, index, end = action["card"], action["meld"], action.get("end", "low")
        if not 0 <= index < len(self.melds):
            raise ValueError(f"there is no meld {index}")
        self._take(seat, [card])
        meld = self.melds[index]
        if action["a"] == "LAYOFF":
            cards = with_card(meld.cards, card, end)
        elif action["a"] == "JOKER_MOVE":
            cards = with_joker_moved(meld.cards, card, end)
        else:
            cards = with_joker_freed(meld.cards, card)
            self.hands[seat].append(JOKER)
        self.melds[index] = Meld(meld.owner, cards)
        self._burn()

    def _burn(self) -> None:
        """KonKan: sets that hold all four suits go to the pile (R-KON-17)."""
        if not self.konkan:
            return
        jokers_count = self.switches.get("KK_BURN_WITH_JOKER") == "joker_counts"
        for meld in list(self.melds):
            natural = all(parse(token).card != JOKER for token in meld.cards)
            if len(meld.cards) == 4 and not is_run(meld.cards) and (natural or jokers_count):
                self.melds.remove(meld)
                self.burned.append(meld)
        cards = [parse(token).card for meld in self.burned for token in meld.cards]
        on_top = self.switches.get("KK_BURN_POSITION") == "top"
        self.pile = self.pile + cards if on_top else cards + self.pile

    def _discard(self, seat: int, card: str, after: Action | None) -> None:
        self._take(seat, [card])
        self.turn_over = True
        if self.conquian and after is not None:
            self.offer = Offer(card, "discard", 1 - seat)
        else:
            self.pile.append(card)

    def _accept(self, seat: int, action: Action) -> None:
        self._take(seat, action["hand_cards"])
        theirs = [meld for meld in self.melds if meld.owner != seat]
        own = [Meld(seat, tuple(cards)) for cards in action["melds"]]
        self.melds = sorted(theirs + own, key=lambda meld: meld.owner)
        self.offer = None

    def _pass_on(self, after: Action | None) -> None:
        """Conquian: an offer has been declined; the action that follows tells what comes of it."""
        if after is not None and after["a"] in ("FORCE", "LET_PASS"):
            return
        if self.offer is None:
            raise ValueError("no card is on offer")
        offer = self.offer
        if offer.origin == "stock" and after is not None:
            self.offer = Offer(offer.card, "discard", 1 - offer.seat)
            self.turn_over = True
        else:
            self.pile.append(offer.card)
            self._turn_up(offer.seat, after)

    def _turn_up(self, seat: int, after: Action | None) -> None:
        """Conquian: turn a stock card. Its face stands on the answer to it, whatever the order of
        the stock; without an answer the hand is over and nothing is turned."""
        if after is None:
            self.offer = None
            return
        self.stock -= 1
        self.offer = Offer(after["card"], "stock", seat)


def _position(token: str) -> int:
    """The place of a token in its suit, 1 (ace) to 13 (king)."""
    return RANKS.index(stands_for(token)[0]) + 1


def _joker_at(position: int, suit: str) -> str:
    """A moved joker at a place of a run, where 14 is the high ace."""
    return f"*x={RANKS[(position - 1) % len(RANKS)]}{suit}"


def with_card(cards: tuple[str, ...], card: str, end: str = "low") -> tuple[str, ...]:
    """A meld with a card laid off on it; `end` decides only for an ace that fits 2 to K twice."""
    if not is_run(cards):
        return (*cards, card)
    fits_high = (_position(cards[0]) + len(cards) - _position(card)) % len(RANKS) == 0
    fits_low = _position(card) == _position(cards[0]) - 1
    if fits_low and not (fits_high and end == "high"):
        return (card, *cards)
    return (*cards, card)


def with_joker_moved(cards: tuple[str, ...], card: str, end: str = "low") -> tuple[str, ...]:
    """A run after a joker move (R-DBR-17): the card takes the place of an end joker, which goes to
    the other end; or (`foster`) the joker slides there to make room for a card beyond it."""
    low, suit = _position(cards[0]), card[1]
    high = low + len(cards) - 1
    free_low, free_high = (cards[place].startswith("*=") for place in (0, -1))
    if free_low and stands_for(cards[0]) == card:
        return (card, *cards[1:], _joker_at(high + 1, suit))
    if free_high and stands_for(cards[-1]) == card:
        return (_joker_at(low - 1, suit), *cards[:-1], card)
    below = free_high and _position(card) == low - 2
    above = free_low and (high + 2 - _position(card)) % len(RANKS) == 0
    if below and not (above and end == "high"):
        return (card, _joker_at(low - 1, suit), *cards[:-1])
    if above:
        return (*cards[1:], _joker_at(high + 1, suit), card)
    raise ValueError(f"no joker of {' '.join(cards)} can move for {card}")


def with_joker_freed(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """A meld after a card was exchanged for its joker (R-KON-18). In a set whose joker may be freed
    by either missing suit the card need not be the one it was declared as."""
    jokers = [place for place, token in enumerate(cards) if parse(token).card == JOKER]
    exact = [place for place in jokers if stands_for(cards[place]) == card]
    if not jokers or (is_run(cards) and not exact):
        raise ValueError(f"no joker of {' '.join(cards)} stands for {card}")
    place = (exact or jokers)[0]
    return (*cards[:place], card, *cards[place + 1 :])
