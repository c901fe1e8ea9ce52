"""One hand of Double Rum, action by action."""

from collections.abc import Sequence
from typing import Any

from tests.referee.cards import JOKER, face, stands_for, value
from tests.referee.joker_hand import Action, JokerHand, joker_tokens
from tests.referee.joker_melds import Meld, MeldRules, dead, face_at, kind, run_span
from tests.referee.tokens2 import Illegal


class DoubleRumHand(JokerHand):
    """The state of a hand; `act` plays one action or raises `Illegal` and changes nothing."""

    game = "double_rum"
    step = 1
    returning = "R-DBR-13/26"
    phases = {
        "DRAW_STOCK": ("DRAW",),
        "DRAW_DISCARD": ("DRAW",),
        "MELD": ("TABLE",),
        "LAYOFF": ("TABLE",),
        "JOKER_MOVE": ("TABLE",),
        "DISCARD": ("TABLE",),
        "HOLD": ("TABLE",),
    }

    def __init__(
        self,
        switches: dict[str, Any],
        hands: Sequence[Sequence[str]],
        stock: Sequence[str],
        pile: Sequence[str],
        ordered: bool = True,
    ) -> None:
        super().__init__(switches, hands, stock, pile, ordered)
        self.idle = 0  # R-DBR-27
        self.exhausted = False  # the stock was empty before this turn

    @classmethod
    def from_log(cls, switches: dict[str, Any], log: dict[str, Any]) -> "DoubleRumHand":
        """The state after the deal, the player left of the dealer to draw (R-DBR-11)."""
        state = cls(switches, log["hands"], log["stock"], log["pile"], "stock_order" not in log)
        state.start_turn((log["dealer"] + 1) % log["players"])
        return state

    def start_turn(self, seat: int) -> None:
        super().start_turn(seat)
        self.exhausted = not self.stock

    def draw_ban(self, name: str) -> Illegal | None:
        if name == "DRAW_STOCK" and not self.stock:
            return Illegal("R-DBR-26", "the stock is gone and nothing is reshuffled")
        if name == "DRAW_DISCARD" and not self.pile:
            return Illegal("R-DBR-13", "the pile is empty")
        return None

    def table_action(self, action: Action) -> None:
        name = action["a"]
        if name == "MELD":
            tokens = self.checked_meld(action["cards"])
            self.lay(tokens)
            self.table.append((self.turn, tokens))
        elif name == "LAYOFF":
            needs = self.rules["LAYOFF_NEEDS_OWN_MELD"] == "yes"
            if needs and all(owner != self.turn for owner, _ in self.table):
                raise Illegal("R-DBR-16", "no own meld on the table yet")
            self.lay_off(action)
        else:
            self.move_joker(action)
        if not self.hand:
            self.win()
        elif self.rules["ONLY_TAKEN_LEFT"] == "illegal" and self.stuck_with_taken():
            raise Illegal("R-COM-08", f"only {self.taken} would be left, and it can go nowhere")

    def move_joker(self, action: Action) -> None:
        card, old = action["card"], self.meld_at(action["meld"])
        foster = self.rules["JOKER_MOVE_MODE"] == "foster"
        new = moved(old, card, foster, self.meld_rules)
        if new is None:
            raise Illegal("R-DBR-17/19/20", f"{card} moves no joker of {list(old)}")
        self.lay([card])
        self.put_at(action["meld"], new)

    def stuck_with_taken(self) -> bool:
        """Is only the taken card left, and neither to be thrown nor to be placed?"""
        if not self.held or set(self.hand) != {self.taken} or self.throwable():
            return False
        return not placings(self, self.hand[0])

    def return_banned(self) -> bool:
        return super().return_banned() or not self.stock

    def may_throw(self, card: str) -> bool:
        if len(self.hand) == 1 and self.rules["GO_OUT_BY_DISCARD"] == "forbidden":
            return False
        return super().may_throw(card)

    def end_turn(self) -> None:
        self.idle = self.idle + 1 if self.exhausted and not self.acted else 0
        super().end_turn()

    def idle_ending(self) -> str | None:
        limit = self.rules["DBR_BLOCK_ROUNDS"] * self.players
        return "pool" if self.idle >= limit else None

    def no_source_ending(self) -> str:
        return "pool"


def moved(tokens: Meld, card: str, foster: bool, rules: MeldRules) -> Meld | None:
    """The run after `card` makes an end joker move to the other end, or None (R-DBR-17…20).

    Replacing comes before sliding (JOKER_MOVE_MODE=foster), where a card could do both.
    """
    span = run_span(tokens)
    if kind(tokens, rules) != "run" or span is None or card == JOKER:
        return None
    suit, low, high = span
    first_free = tokens[0].startswith("*=")
    last_free = tokens[-1].startswith("*=")
    ways: list[Meld] = []
    if last_free and stands_for(tokens[-1]) == card and low > 1:
        ways.append((f"*x={face_at(low - 1, suit)}", *tokens[:-1], card))
    if first_free and stands_for(tokens[0]) == card and high < 14:
        ways.append((card, *tokens[1:], f"*x={face_at(high + 1, suit)}"))
    if foster and last_free and low > 2 and card == face_at(low - 2, suit):
        ways.append((card, f"*x={face_at(low - 1, suit)}", *tokens[:-1]))
    if foster and first_free and high < 13 and card == face_at(high + 2, suit):
        ways.append((*tokens[1:], f"*x={face_at(high + 1, suit)}", card))
    return next((way for way in ways if kind(way, rules) == "run"), None)


def placings(state: DoubleRumHand, card: str) -> list[Action]:
    """Every way to lay off `card` or to move it in for a joker, the table as it lies."""
    actions: list[Action] = []
    for number, (_, tokens) in enumerate(state.table):
        spots = joker_tokens(tokens, state.meld_rules)
        if card != JOKER:
            spots = [(card, "low"), (card, "high")]
            actions.append({"a": "JOKER_MOVE", "card": card, "meld": number})
        actions += [{"a": "LAYOFF", "card": t, "meld": number, "end": e} for t, e in spots]
    return [action for action in actions if state.after(action) is not None]


def hand_value(hand: Sequence[str]) -> int:
    """Value of the cards in a hand (R-DBR-24)."""
    return sum(value(face(card), "double_rum") for card in hand)


def units(
    hands: Sequence[Sequence[str]], winner: int | None, pool: int, switches: dict[str, Any]
) -> tuple[list[int], int]:
    """Units won by seat and the pool afterwards (R-DBR-23, R-DBR-27, DBR_POOL)."""
    values = [hand_value(hand) for hand in hands]
    if winner is None:
        if switches["DBR_POOL"] == "bank":
            return [0] * len(hands), pool + sum(values)
        return [-v for v in values], pool + sum(values)
    if switches["DBR_PENALTY_SCOPE"] == "deadwood":
        values = [dead(hand, MeldRules.of("double_rum", switches)) for hand in hands]
    paid = [0 if seat == winner else v for seat, v in enumerate(values)]
    return [sum(paid) + pool if seat == winner else -v for seat, v in enumerate(paid)], 0
