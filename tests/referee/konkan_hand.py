"""One hand of KonKan, action by action."""

from collections.abc import Sequence
from typing import Any

from tests.referee.cards import JOKER, SUITS, face, stands_for, value
from tests.referee.joker_hand import Action, JokerHand
from tests.referee.joker_melds import Meld, MeldRules, kind, melds_where, naturals, worth
from tests.referee.tokens2 import Illegal

PHASES = {
    "DRAW_STOCK": ("DRAW",),
    "DRAW_DISCARD": ("DRAW",),
    "COME_DOWN": ("TABLE",),
    "MELD": ("TABLE",),
    "LAYOFF": ("TABLE",),
    "JOKER_SWAP": ("TABLE",),
    "ANNOUNCE": ("TABLE",),
    "DISCARD": ("TABLE", "OPENING"),
}


class KonkanHand(JokerHand):
    """The state of a hand; `act` plays one action or raises `Illegal` and changes nothing."""

    game = "konkan"
    step = -1
    returning = "R-KON-24"

    def __init__(
        self,
        switches: dict[str, Any],
        hands: Sequence[Sequence[str]],
        stock: Sequence[str],
        pile: Sequence[str],
        ordered: bool = True,
    ) -> None:
        super().__init__(switches, hands, stock, pile, ordered)
        self.phases = dict(PHASES)
        if switches["KK_DEALER_COMEDOWN"] == "yes":
            for name in ("COME_DOWN", "MELD", "LAYOFF", "JOKER_SWAP", "ANNOUNCE"):
                self.phases[name] = ("TABLE", "OPENING")
        self.down = [False] * self.players
        self.marked = [0] * self.players  # jokers in hand announced or taken from the table
        self.down_before = False  # was down before this turn
        self.must_open = False  # took the discard and is not down yet
        self.highest_opening = 0

    @classmethod
    def from_log(cls, switches: dict[str, Any], log: dict[str, Any]) -> "KonkanHand":
        """The state after the deal: the dealer opens with a discard (R-KON-07)."""
        state = cls(switches, log["hands"], log["stock"], log["pile"], "stock_order" not in log)
        state.turn, state.phase = log["dealer"], "OPENING"
        return state

    # the draw

    def start_turn(self, seat: int) -> None:
        super().start_turn(seat)
        self.down_before, self.must_open = self.down[seat], False
        if self.rules["RESHUFFLE_TIMING"] == "at_turn_start" and not self.stock:
            self.renew_stock()

    def recyclable(self) -> list[str]:
        """The cards of the pile that would make a new stock (R-KON-20)."""
        return self.pile[:-1] if self.rules["KK_RESHUFFLE_KEEP_TOP"] == "yes" else self.pile

    def renew_stock(self) -> None:
        self.stock = list(self.recyclable())
        self.pile = self.pile[len(self.stock) :]
        self.renewed = bool(self.stock)

    def draw_ban(self, name: str) -> Illegal | None:
        if name == "DRAW_STOCK":
            if not self.stock and not self.recyclable():
                return Illegal("R-KON-20", "no stock, and nothing to make one of")
            return None
        if not self.pile:
            return Illegal("R-KON-10", "the pile is empty")
        taking = self.with_top()
        if not self.down[self.turn]:
            if taking.opening() is None:
                return Illegal("R-KON-10", "no coming down in this turn with that card")
        elif not taking.throwable():
            return Illegal("R-KON-21", "nothing could be thrown after taking that card")
        return None

    def with_top(self) -> "KonkanHand":
        """The state with the top discard in hand, allowed or not."""
        taking = self.copy()
        card = taking.pile.pop()
        taking.hand.append(card)
        taking.taken, taking.held, taking.phase = card, True, "TABLE"
        taking.must_open = not taking.down[taking.turn]
        return taking

    def draw(self, action: Action) -> None:
        super().draw(action)
        self.must_open = self.taken is not None and not self.down[self.turn]

    # coming down

    def needed(self) -> int:
        """Points that a come-down must be worth (KK_OPEN_POINTS, KK_OPEN_RULE)."""
        points = int(self.rules["KK_OPEN_POINTS"])
        if self.rules["KK_OPEN_RULE"] == "beat_previous":
            return max(points, self.highest_opening + 1)
        return points

    def unused_pickup(self, laid: Sequence[Meld]) -> bool:
        """KK_PICKUP_MUST_USE: is the picked-up card missing from the pairs?"""
        if not self.must_open or self.rules["KK_PICKUP_MUST_USE"] == "no":
            return False
        return all(self.taken not in naturals(meld) for meld in laid)

    def leaves_a_throw(self, laid: Sequence[Meld], kept: Sequence[str]) -> bool:
        """With these pairs laid and these cards kept, may one of them be thrown (R-KON-21)?"""
        trial = self.copy()
        trial.hands[self.turn] = list(kept)
        if any(self.taken in naturals(meld) for meld in laid):
            trial.held = False
        return bool(trial.throwable())

    def opening(self) -> tuple[Meld, ...] | None:
        """The best pairs to come down with, None if there are none worth enough."""

        def condition(laid: tuple[Meld, ...], kept: list[str]) -> bool:
            return not self.unused_pickup(laid) and self.leaves_a_throw(laid, kept)

        return melds_where(self.hand, self.meld_rules, self.needed(), condition)

    def come_down(self, action: Action) -> None:
        if self.down[self.turn]:
            raise Illegal("R-KON-25", "already down")
        laid = [self.checked_meld(tokens) for tokens in action["melds"]]
        points = sum(worth(meld, self.meld_rules) for meld in laid)
        if points < self.needed():
            raise Illegal("R-KON-10", f"{points} points, {self.needed()} needed")
        if self.unused_pickup(laid):
            raise Illegal("R-KON-11", f"{self.taken} must be in the pairs")
        for meld in laid:
            self.lay(meld)
            self.table.append((self.turn, meld))
        self.down[self.turn] = True
        self.must_open = False
        self.highest_opening = max(points, self.highest_opening)

    # the table

    def table_action(self, action: Action) -> None:
        name = action["a"]
        if name == "COME_DOWN":
            self.come_down(action)
        elif not self.down[self.turn]:
            raise Illegal("R-KON-15/18/25/31", f"no {name} before coming down")
        elif name == "MELD":
            tokens = self.checked_meld(action["cards"])
            self.lay(tokens)
            self.table.append((self.turn, tokens))
        elif name == "LAYOFF":
            self.lay_off(action)
        elif name == "JOKER_SWAP":
            self.swap_joker(action)
        else:
            self.announce(action["n"])
        self.burn()
        if not self.throwable():
            raise Illegal("R-KON-21", "a card must be left to throw")

    def lay(self, tokens: Sequence[str]) -> None:
        super().lay(tokens)
        self.forget_marks(self.turn)

    def forget_marks(self, seat: int) -> None:
        """The 25-point jokers leave a hand first; a mark leaves with its joker."""
        self.marked[seat] = min(self.marked[seat], self.hands[seat].count(JOKER))

    def grown(self, tokens: Meld, token: str, end: str | None) -> Meld | None:
        new = super().grown(tokens, token, end)
        if new is None and self.rules["KK_SET_JOKER_SUIT"] == "any_missing":
            moved = joker_moved_aside(tokens, token, self.meld_rules)
            return super().grown(moved, token, end) if moved else None
        return new

    def swap_joker(self, action: Action) -> None:
        if self.rules["KK_SWAP_SAME_TURN"] == "no" and not self.down_before:
            raise Illegal("R-KON-18", "no exchange in the turn of coming down")
        card, old = action["card"], self.meld_at(action["meld"])
        new = self.swapped(old, card)
        if new is None:
            raise Illegal("R-KON-18", f"no joker of {list(old)} stands for {card}")
        self.lay([card])
        self.put_at(action["meld"], new)
        self.hand.append(JOKER)
        self.marked[self.turn] += 1

    def swapped(self, tokens: Meld, card: str) -> Meld | None:
        """The pair with `card` in the place of the joker that it frees, or None."""
        any_missing = self.rules["KK_SET_JOKER_SUIT"] == "any_missing"
        place = joker_for(tokens, card, any_missing, self.meld_rules)
        return None if place is None else (*tokens[:place], card, *tokens[place + 1 :])

    def announce(self, number: int) -> None:
        if self.rules["KK_ANNOUNCE_WINDOW"] == "comedown_turn" and self.down_before:
            raise Illegal("R-KON-31", "announced in the turn of coming down only")
        silent = self.hand.count(JOKER) - self.marked[self.turn]
        if not 1 <= number <= silent:
            raise Illegal("R-KON-31", f"{silent} jokers can be announced, not {number}")
        self.marked[self.turn] += number

    def burn(self) -> None:
        """Full sets leave the table for the pile (R-KON-17)."""
        joker_counts = self.rules["KK_BURN_WITH_JOKER"] == "joker_counts"
        full = [meld for _, meld in self.table if burns(meld, joker_counts, self.meld_rules)]
        self.table = [(owner, meld) for owner, meld in self.table if meld not in full]
        cards = [face(token) for meld in full for token in meld]
        if self.rules["KK_BURN_POSITION"] == "under":
            self.pile = cards + self.pile
        else:
            self.pile = self.pile + cards

    # the end

    def discard(self, card: str) -> None:
        if self.must_open:
            raise Illegal("R-KON-10", "the discard was taken: come down first")
        seat = self.turn
        super().discard(card)
        self.forget_marks(seat)

    def no_source_ending(self) -> str:
        return "void"


def burns(meld: Meld, joker_counts: bool, rules: MeldRules) -> bool:
    """Is this a set of four suits that burns (KK_BURN_WITH_JOKER)?"""
    if kind(meld, rules) != "set" or len(meld) < 4:
        return False
    return joker_counts or JOKER not in naturals(meld)


def joker_for(meld: Meld, card: str, any_missing: bool, rules: MeldRules) -> int | None:
    """The place of the joker that `card` frees, or None (R-KON-18, KK_SET_JOKER_SUIT).

    Where any missing suit frees a joker, the one standing for just this card is freed before
    others, and of those the first suit in the order S, H, D, C.
    """
    jokers = [n for n, token in enumerate(meld) if face(token) == JOKER]
    for place in jokers:
        if stands_for(meld[place]) == card:
            return place
    if not any_missing or kind(meld, rules) != "set" or card == JOKER:
        return None
    if card in meld or card[0] != stands_for(meld[0])[0]:
        return None
    jokers.sort(key=lambda place: SUITS.index(stands_for(meld[place])[1]))
    return jokers[0] if jokers else None


def joker_moved_aside(meld: Meld, card: str, rules: MeldRules) -> Meld | None:
    """KK_SET_JOKER_SUIT=any_missing: the set with the joker that stands for `card` moved to the
    suit still missing, so that `card` itself can be hit; None if that cannot be."""
    if kind(meld, rules) != "set" or f"*={card}" not in meld:
        return None
    suits = [stands_for(token)[1] for token in meld]
    missing = [suit for suit in SUITS if suit not in suits]
    if not missing:
        return None
    place = meld.index(f"*={card}")
    return (*meld[:place], f"*={card[0]}{missing[0]}", *meld[place + 1 :])


def hand_value(hand: Sequence[str], marked: int) -> int:
    """Points of a losing hand: cards as they are, jokers 2 if marked, else 25 (R-KON-32, -33)."""
    jokers = hand.count(JOKER)
    cheap = min(jokers, marked)
    plain = sum(value(card, "konkan") for card in hand if card != JOKER)
    return plain + 2 * cheap + 25 * (jokers - cheap)


def points(
    hands: Sequence[Sequence[str]],
    winner: int | None,
    marked: Sequence[int],
    down: Sequence[bool],
    switches: dict[str, Any],
) -> list[int]:
    """Points added by seat (R-KON-28, VOID_HAND_SCORING, KK_NOT_DOWN_PENALTY)."""
    if winner is None and switches["VOID_HAND_SCORING"] == "no_score":
        return [0] * len(hands)
    charges = []
    for seat, hand in enumerate(hands):
        if seat == winner:
            charges.append(-switches["KK_WINNER_BONUS"])
        elif not down[seat] and switches["KK_NOT_DOWN_PENALTY"] != "none":
            charges.append(switches["KK_NOT_DOWN_PENALTY"])
        else:
            charges.append(hand_value(hand, marked[seat]))
    return charges
