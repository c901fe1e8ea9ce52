"""The turn of a rummy hand with jokers: draw, table, discard. Double Rum and KonKan build on it.

`stock` lists the next card first, `pile` the top card last. With `ordered=False` the stock is a
set in no order and any of its cards may be drawn.
"""

from collections.abc import Sequence
from typing import Any, Self

from tests.referee.cards import JOKER, face, stands_for
from tests.referee.joker_melds import (
    Meld,
    MeldRules,
    face_at,
    jokers_in_set,
    kind,
    lay_off,
    run_span,
)
from tests.referee.tokens2 import Illegal, in_card_order, same_cards, take

Action = dict[str, Any]


class JokerHand:
    """The state of a hand; `act` plays one action or raises `Illegal` and changes nothing."""

    game: str
    step: int  # to the next seat
    phases: dict[str, tuple[str, ...]]  # action: phases in which it exists
    returning: str  # rule that bans throwing back the taken card

    def __init__(
        self,
        switches: dict[str, Any],
        hands: Sequence[Sequence[str]],
        stock: Sequence[str],
        pile: Sequence[str],
        ordered: bool = True,
    ) -> None:
        self.rules = switches
        self.meld_rules = MeldRules.of(self.game, switches)
        self.players = len(hands)
        self.hands = [list(hand) for hand in hands]
        self.stock = list(stock)
        self.pile = list(pile)
        self.table: list[tuple[int, Meld]] = []
        self.ordered = ordered
        self.renewed = False  # the stock came from the pile in this turn
        self.turn = 0
        self.phase: str | None = None
        self.taken: str | None = None
        self.held = False  # R-COM-02
        self.acted = False
        self.turns = 0
        self.quiet = 0  # turns played since a card last reached the table
        self.ended = False
        self.ending = ""
        self.winner: int | None = None

    @property
    def seat_to_act(self) -> int:
        return self.turn

    @property
    def hand(self) -> list[str]:
        """The hand of the player to act."""
        return self.hands[self.turn]

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        for name, value in self.__dict__.items():
            twin.__dict__[name] = list(value) if isinstance(value, list) else value
        twin.hands = [list(hand) for hand in self.hands]
        return twin

    def act(self, action: Action) -> None:
        trial = self.copy()
        trial.play(action)
        self.__dict__.update(trial.__dict__)

    def after(self, action: Action) -> Self | None:
        """The state after the action, or None if it is not legal."""
        trial = self.copy()
        try:
            trial.play(action)
        except Illegal:
            return None
        return trial

    def play(self, action: Action) -> None:
        name = action["a"]
        if self.phase not in self.phases.get(name, ()):
            raise Illegal("R-COM-04", f"no {name} in phase {self.phase}")
        if name in ("DRAW_STOCK", "DRAW_DISCARD"):
            self.draw(action)
        elif name == "DISCARD":
            self.discard(action["card"])
        elif name == "HOLD":
            self.hold()
        else:
            self.table_action(action)

    def table_action(self, action: Action) -> None:
        raise NotImplementedError

    # the draw

    def start_turn(self, seat: int) -> None:
        self.turn, self.phase = seat, "DRAW"
        self.taken, self.held, self.acted = None, False, False

    def sources(self) -> list[str]:
        """The draws that the player to act may make."""
        return [name for name in ("DRAW_STOCK", "DRAW_DISCARD") if self.draw_ban(name) is None]

    def draw_ban(self, name: str) -> Illegal | None:
        raise NotImplementedError

    def renew_stock(self) -> None:
        """KonKan makes a new stock of the pile; Double Rum never does."""

    def draw(self, action: Action) -> None:
        ban = self.draw_ban(action["a"])
        if ban is not None:
            raise ban
        if action["a"] == "DRAW_STOCK" and not self.stock:
            self.renew_stock()
        self.check_renewed(action)
        if action["a"] == "DRAW_STOCK":
            card = self.stock[0] if self.ordered else action.get("card", self.stock[0])
            take(self.stock, [card])
        else:
            card = self.pile.pop()
            self.taken, self.held = card, True
        if action.get("card", card) != card:
            raise Illegal("R-COM-13", f"the card drawn is {card}, not {action['card']}")
        self.hand.append(card)
        self.phase = "TABLE"

    def check_renewed(self, action: Action) -> None:
        """A log tells the renewed stock on the draw of that turn, and on no other draw.

        A draw without a `card` is a question what would be, not a line of a log.
        """
        if "recycled" in action:
            if not self.renewed:
                raise Illegal("R-KON-20", "the stock was not renewed in this turn")
            if not same_cards(action["recycled"], self.stock):
                raise Illegal("R-KON-20", f"the new stock is of {self.stock} in some order")
            self.stock = list(action["recycled"])
        elif self.renewed and "card" in action:
            raise Illegal("R-KON-20", "the stock was renewed: the new one is not told")
        self.renewed = False

    # the table

    def lay(self, tokens: Sequence[str]) -> None:
        """Takes the cards of the tokens from the hand for the table."""
        cards = [face(token) for token in tokens]
        take(self.hand, cards)
        self.acted = True
        self.quiet = 0
        if self.taken in cards:
            self.held = False

    def checked_meld(self, tokens: Sequence[str]) -> Meld:
        """The tokens as a new meld, if they are one."""
        if any(token.startswith("*x") for token in tokens):
            raise Illegal("R-DBR-21", "a joker is locked by its move only")
        if kind(tuple(tokens), self.meld_rules) is None:
            rule = "R-DBR-08/09/10" if self.game == "double_rum" else "R-KON-02/03/14"
            raise Illegal(rule, f"{list(tokens)} is no meld in table order")
        return tuple(tokens)

    def meld_at(self, number: int) -> Meld:
        if number not in range(len(self.table)):
            raise Illegal("R-COM-06", f"there is no meld {number}")
        return self.table[number][1]

    def put_at(self, number: int, tokens: Meld) -> None:
        self.table[number] = (self.table[number][0], tokens)

    def lay_off(self, action: Action) -> None:
        token, old = action["card"], self.meld_at(action["meld"])
        if token.startswith("*x"):
            raise Illegal("R-DBR-21", "a joker is locked by its move only")
        if action.get("end", "low") not in ("low", "high"):
            raise Illegal("R-JAQ-28", f"a meld has no end {action['end']!r}")
        new = self.grown(old, token, action.get("end"))
        if new is None:
            raise Illegal("R-JAQ-28", f"{token} does not fit on {list(old)}")
        self.lay([token])
        self.put_at(action["meld"], new)

    def grown(self, tokens: Meld, token: str, end: str | None) -> Meld | None:
        return lay_off(tokens, token, end, self.meld_rules)

    # the discard

    def return_banned(self) -> bool:
        """May the card just taken not be thrown back (RETURN_TAKEN_DISCARD)?"""
        return self.rules["RETURN_TAKEN_DISCARD"] == "forbidden"

    def may_throw(self, card: str) -> bool:
        """The discard test (R-COM-07) for a card of the hand."""
        if self.taken != card or not self.held or not self.return_banned():
            return True
        return self.rules["TAKEN_CARD_MATCH"] == "physical" and self.hand.count(card) > 1

    def throwable(self) -> list[str]:
        """The faces that may be thrown, in card order."""
        return [card for card in in_card_order(set(self.hand)) if self.may_throw(card)]

    def discard(self, card: str) -> None:
        if card not in self.hand:
            raise Illegal("R-COM-06", f"{card} is not in the hand")
        if not self.may_throw(card):
            raise Illegal(self.returning, f"{card} may not be thrown")
        self.hand.remove(card)
        self.pile.append(card)
        if self.hand:
            self.end_turn()
        else:
            self.win()

    def hold(self) -> None:
        if self.throwable():
            raise Illegal("R-COM-08", f"{self.throwable()} may be thrown")
        self.end_turn()

    # the end

    def win(self) -> None:
        self.turns += 1
        self.end("out", self.turn)

    def end(self, ending: str, winner: int | None) -> None:
        self.ended, self.ending, self.winner, self.phase = True, ending, winner, None

    def idle_ending(self) -> str | None:
        """The ending by idleness at the end of a turn (Double Rum only)."""
        return None

    def no_source_ending(self) -> str:
        raise NotImplementedError

    def end_turn(self) -> None:
        """A turn without a win: the checks of R-COM-16 in their order."""
        self.turns += 1
        self.quiet = 0 if self.acted else self.quiet + 1
        idle = self.idle_ending()
        ahead = self.copy()
        ahead.start_turn((self.turn + self.step) % self.players)
        if idle is not None:
            self.end(idle, None)
        elif not ahead.sources():
            self.end(self.no_source_ending(), None)
        elif self.turns >= self.rules["MAX_TURNS"]:
            self.end("max_turns", None)
        else:
            self.__dict__.update(ahead.__dict__)


def joker_tokens(tokens: Meld, rules: MeldRules) -> list[tuple[str, str]]:
    """Where a joker could join the meld: (token, end), high end before low, sets once."""
    span = run_span(tokens)
    if span is None:
        missing = jokers_in_set(tokens, 1, rules)
        return [(missing[0], "high")] if missing else []
    suit, low, high = span
    ends = [(high + 1, "high"), (low - 1, "low")]
    return [(f"{JOKER}={face_at(p, suit)}", end) for p, end in ends if 1 <= p <= 14]


def shape(state: JokerHand) -> list[tuple[str, ...]]:
    """The table with sets put in order, for comparing."""
    return [
        meld if run_span(meld) else tuple(sorted(meld, key=lambda t: (stands_for(t), t)))
        for _, meld in state.table
    ]


def run_script(state: JokerHand, given: dict[str, Any]) -> dict[str, Any]:
    """Plays a worked script from its own state; what it comes to, in the words of `expect`."""
    state.start_turn(given["turn"])
    state.phase = given["phase"]
    state.table = [(meld["owner"], tuple(meld["cards"])) for meld in given["table"]]
    illegal_at = None
    for number, action in enumerate(given["actions"]):
        try:
            state.act(action)
        except Illegal:
            illegal_at = number
            break
    return {
        "illegal_at": illegal_at,
        "ended": state.ended,
        "winner": state.winner,
        "turn": state.turn,
        "phase": state.phase,
        "hands": [sorted(hand) for hand in state.hands],
        "stock_left": len(state.stock),
        "pile_top": state.pile[-1] if state.pile else None,
        "pile_size": len(state.pile),
        "table": [list(tokens) for _, tokens in state.table],
    }
