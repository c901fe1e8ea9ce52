"""One hand of Conquian (either form), action by action, as the procedure in the rules goes.

`stock` lists the next card first. With `ordered=False` the stock is a set: which card was turned
is known only when `reveal` or the first answer to it names it.
"""

from collections.abc import Sequence
from typing import Any

from tests.referee.cards import PACKS
from tests.referee.conquian_table import (
    Meld,
    Rules,
    acceptances,
    can_be_forced,
    kinds,
    meld_allowed,
)
from tests.referee.tokens2 import Illegal, same_cards, take

TARGETS = {"deal9_need10": 10, "deal10_need11": 11, "deal9_need11_literal": 11}


def target_of(rules: Rules) -> int:
    """Cards that must be down to win (R-CQN-04, R-CQJ-05)."""
    return TARGETS[rules.get("CQJ_SIZE", "deal10_need11")]


def hand_size(rules: Rules) -> int:
    """Cards dealt to each player (R-CQN-06, R-CQJ-04)."""
    return 10 if rules.get("CQJ_SIZE", "deal10_need11") == "deal10_need11" else 9


class ConquianHand:
    """The state of a hand; `act` plays one action or raises `Illegal` and changes nothing."""

    def __init__(
        self,
        rules: Rules,
        hands: Sequence[Sequence[str]],
        tables: Sequence[Sequence[Meld]],
        stock: Sequence[str],
        ordered: bool = True,
    ) -> None:
        self.rules = rules
        self.target = target_of(rules)
        self.hands = [list(hand) for hand in hands]
        self.tables = [[list(meld) for meld in table] for table in tables]
        self.stock = list(stock)
        self.ordered = ordered
        self.card: str | None = None
        self.origin = ""
        self.to = 0
        self.phase: str | None = "OFFER"
        self.forced = False
        self.dead: list[str] = []
        self.turns = 0
        self.ended = False
        self.ending = ""
        self.winner: int | None = None

    @classmethod
    def from_log(cls, rules: Rules, log: dict[str, Any]) -> "ConquianHand":
        """The state after the deal, the first stock card already turned for the non-dealer."""
        state = cls(rules, log["hands"], [[], []], log["stock"], "stock_order" not in log)
        state.turn_stock(1 - log["dealer"])
        return state

    def copy(self) -> "ConquianHand":
        twin = object.__new__(ConquianHand)
        twin.__dict__.update(self.__dict__)
        twin.hands = [list(hand) for hand in self.hands]
        twin.tables = [[list(meld) for meld in table] for table in self.tables]
        twin.stock, twin.dead = list(self.stock), list(self.dead)
        return twin

    @property
    def seat_to_act(self) -> int:
        return 1 - self.to if self.phase == "FORCE" else self.to

    def melded(self, seat: int) -> int:
        return sum(len(meld) for meld in self.tables[seat])

    def turn_stock(self, seat: int) -> None:
        """Turns a stock card for the seat, or ends the hand as drawn (R-CQN-12, R-CQN-24)."""
        self.turns += 1
        self.to = seat
        if not self.stock:
            self.card = None
            self.end("draw", None)
            return
        self.card = self.stock.pop(0) if self.ordered else None
        self.offer(seat, "stock")

    def offer(self, seat: int, origin: str) -> None:
        self.to, self.origin, self.phase, self.forced = seat, origin, "OFFER", False

    def reveal(self, card: str) -> None:
        """Names the card turned from a stock in no order."""
        if self.card is None and not self.ended:
            take(self.stock, [card])
            self.card = card

    def end(self, ending: str, winner: int | None) -> None:
        self.ended, self.ending, self.winner, self.phase = True, ending, winner, None

    def act(self, action: dict[str, Any]) -> None:
        trial = self.copy()
        name = action["a"]
        phases = {"ACCEPT": "OFFER", "DECLINE": "OFFER", "DISCARD": "DISCARD"}
        if trial.phase != phases.get(name, "FORCE"):
            raise Illegal("R-CQN-10", f"no {name} in phase {trial.phase}")
        if name == "ACCEPT":
            trial.check_card(action)
            trial.accept(action["hand_cards"], action["melds"])
        elif name == "DECLINE":
            trial.check_card(action)
            trial.decline()
        elif name == "FORCE":
            trial.offer(trial.to, trial.origin)
            trial.forced = True
        elif name == "LET_PASS":
            trial.pass_on()
        else:
            trial.discard(action["card"])
        self.__dict__.update(trial.__dict__)

    def check_card(self, action: dict[str, Any]) -> None:
        """A log names the offered card on the answer; it must be that one."""
        if "card" in action:
            self.reveal(action["card"])
            if action["card"] != self.card:
                raise Illegal("R-CQN-25", f"{self.card} is on offer, not {action['card']}")

    def acceptances(self) -> dict[tuple[str, ...], list[Meld]]:
        """Hand cards that may come down with the offered card, and the table each makes."""
        assert self.card is not None
        table, hand = self.tables[self.to], self.hands[self.to]
        return acceptances(table, hand, self.card, self.rules, self.target)

    def accept(self, hand_cards: list[str], melds: list[Meld]) -> None:
        seat, card, old = self.to, self.card, self.tables[self.to]
        assert card is not None
        down = [c for meld in old for c in meld]
        take(self.hands[seat], hand_cards)
        laid = [c for meld in melds for c in meld]
        if not same_cards(laid, [*down, card, *hand_cards]):
            raise Illegal("R-CQN-18", "the melds are not the table, the card and the hand cards")
        for meld in melds:
            kind = kinds(meld, self.rules)
            in_order = [c for c in PACKS["conquian"] if c in meld]
            if not kind or (kind == ["run"] and meld != in_order):
                raise Illegal("R-CQN-14", f"{meld} is not a meld in table order")
            if not meld_allowed(meld, old, hand_cards, card, self.rules):
                rule = "R-CQN-16" if self.rules["CQ_REARRANGE"] == "free" else "R-CQJ-07"
                raise Illegal(rule, f"{meld} may not stand with {hand_cards} from the hand")
        if not self.hands[seat] and len(laid) < self.target:
            raise Illegal("R-CQJ-05", "the hand would be empty, and no discard could follow")
        self.tables[seat] = oldest_first(melds, old, self.rules)
        self.turns += self.origin == "discard"
        self.card = None
        if len(laid) >= self.target:
            self.end("out", seat)
        elif self.drawn_with_last_card():
            self.end("draw", None)
        else:
            self.phase = "DISCARD"

    def drawn_with_last_card(self) -> bool:
        """CQ_STOCK_END=last_card: the drawer has answered the last stock card."""
        strict = self.rules["CQ_STOCK_END"] == "last_card"
        return strict and self.origin == "stock" and not self.stock

    def decline(self) -> None:
        if self.forced:
            raise Illegal("R-CQN-21", "a forced player must accept")
        if self.drawn_with_last_card():
            self.card = None
            self.end("draw", None)
        elif self.can_force():
            self.phase = "FORCE"
        else:
            self.pass_on()

    def can_force(self) -> bool:
        assert self.card is not None
        table, hand = self.tables[self.to], self.hands[self.to]
        return can_be_forced(table, hand, self.card, self.rules, self.target)

    def pass_on(self) -> None:
        """The card is declined for good (step 4 of the procedure)."""
        assert self.card is not None
        if self.origin == "stock":
            self.offer(1 - self.to, "discard")
        else:
            self.dead.append(self.card)
            self.turn_stock(self.to)

    def discard(self, card: str) -> None:
        take(self.hands[self.to], [card])
        self.card = card
        self.offer(1 - self.to, "discard")


def oldest_first(melds: list[Meld], old: list[Meld], rules: Rules) -> list[Meld]:
    """The new table; frozen melds keep their numbers whatever the order in which they are told."""
    if rules["CQ_REARRANGE"] == "free":
        return [list(meld) for meld in melds]
    grown = [next(meld for meld in melds if set(before) <= set(meld)) for before in old]
    return [list(meld) for meld in [*grown, *(meld for meld in melds if meld not in grown)]]
