"""`greedy`, `hold`, `greedy-keep` and the answers of `random` in the `jaques` family, written from
RULES.md Part 3, *Reference strategies, exactly* (and claim T-02).

Every decision takes a view: a `State` in which the cards of the other hands and of the stock are
`?` (R-COM-12), its player to act.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import NamedTuple

from tests.referee import rummy
from tests.referee.cards import RANKS, SUITS, face
from tests.referee.deadwood import choices, dead, dead_without, in_card_order, melds
from tests.referee.frame import other_book, same_cards
from tests.referee.melds import MeldRules, kind_of, tokens_for
from tests.referee.rummy import State

GREEDY_SPAN = 4
HOLD_SPAN = 12


class Strategy(NamedTuple):
    """The three decisions: `DRAW_STOCK` or `DRAW_DISCARD`; an action or None to stop; a face."""

    choose_draw: Callable[[State], str]
    choose_table: Callable[[State], dict | None]
    choose_discard: Callable[[State], str]


def view_of(state: State) -> State:
    """What the player to act may see (R-COM-12)."""
    seen = rummy.copy_of(state)
    seen.stock = ["?"] * len(state.stock)
    for seat, hand in enumerate(state.hands):
        if seat != state.turn:
            seen.hands[seat] = ["?"] * len(hand)
    return seen


def named(text: str) -> Strategy | None:
    """The strategy of a name such as `greedy-keep(low=5, high=8)`; None for others."""
    if text == "greedy":
        return Strategy(greedy_draw, greedy_table, greedy_discard)
    if text == "hold":
        return Strategy(hold_draw, hold_table, hold_discard)
    name, _, weights = text.partition("(")
    if name != "greedy-keep":
        return None
    band = {"low": 5, "high": 8} | {k: int(v) for k, v in re.findall(r"(\w+)=(\d+)", weights)}
    return Strategy(greedy_draw, greedy_table, partial(keep_discard, **band))


# --- orders and throwing --------------------------------------------------------------------------


def throw_order(cards: list[str], rules: MeldRules) -> list[str]:
    """Dearest first, then K…A, then S, H, D, C; wild-rank cards after all plain ones."""

    def place(card: str) -> tuple[bool, int, int, int]:
        rank, suit = RANKS.index(card[0]), SUITS.index(card[1])
        return rules.is_wild(card), -rules.value(card), -rank, suit

    return sorted(cards, key=place)


def to_throw_from(view: State) -> list[str]:
    """The faces that `throw` chooses from, in throw order: plain cards, or all if none may go."""
    legal = rummy.legal_discards(view)
    plain = [card for card in legal if not view.rules.is_wild(card)]
    return throw_order(plain or legal, view.rules)


def throw(view: State) -> str:
    """`throw(H)`: the card without which `dead` is least, the first in throw order of equals."""
    return min(to_throw_from(view), key=lambda card: dead_without(view.hand, card, view.rules))


def after(view: State) -> int:
    """`after(H)`, by the cards that may be thrown in this view."""
    if not rummy.legal_discards(view):
        return dead(view.hand, view.rules)
    return dead_without(view.hand, throw(view), view.rules)


def loose_cards(view: State, faces: list[str]) -> list[str]:
    """Those of the faces of which a copy lies outside `melds(H)`."""
    melded = Counter(face(token) for meld in melds(view.hand, view.rules) for token in meld)
    loose = Counter(view.hand) - melded
    return [card for card in faces if card in loose]


def is_stalled(view: State, span: int) -> bool:
    """Whether no card has reached the table for an odd number of spans of `span` rounds."""
    return view.quiet // (span * len(view.hands)) % 2 == 1


def stalled_discard(view: State) -> str:
    """The last in throw order of what `throw` chooses from, cards outside `melds(H)` first."""
    faces = to_throw_from(view)
    return (loose_cards(view, faces) or faces)[-1]


# --- greedy ---------------------------------------------------------------------------------------


def with_top_discard(view: State) -> State:
    """The view as it would be after taking the top discard."""
    taken = rummy.copy_of(view)
    rummy.take_discard(taken)
    return taken


def wants(view: State, span: int) -> bool:
    """Whether the top discard is wild, or leaves less deadwood after the best discard."""
    top = view.pile[-1]
    if view.rules.is_wild(top):
        return True
    now = after(view) if is_stalled(view, span) else dead(view.hand, view.rules)
    return after(with_top_discard(view)) < now


def greedy_draw(view: State) -> str:
    """The discard if it is wanted or could be laid off as the table lies."""
    if wants(view, GREEDY_SPAN) or any(layoffs(with_top_discard(view), view.pile[-1])):
        return "DRAW_DISCARD"
    return "DRAW_STOCK"


def layoffs(view: State, card: str) -> Iterator[dict]:
    """Every legal lay-off of a card, by meld, at the low end before the high end."""
    for number, meld in enumerate(view.table):
        for token in tokens_for(card, meld.cards, view.rules):
            action = {"a": "LAYOFF", "card": token, "meld": number}
            if rummy.refusal(view, action) is None:
                yield action


def greedy_table(view: State) -> dict | None:
    """The melds of `melds(H)`; plain cards on runs, then on sets; then a wild-rank card."""
    for meld in melds(view.hand, view.rules):
        action = {"a": "MELD", "cards": list(meld)}
        if rummy.refusal(view, action) is None:
            return action
    return plain_layoff(view) or wild_layoff(view)


def plain_layoff(view: State) -> dict | None:
    """Runs before sets; the first plain card in throw order, on the lowest-numbered meld."""
    plain = [card for card in dict.fromkeys(view.hand) if not view.rules.is_wild(card)]
    for kind in ("run", "set"):
        for card in throw_order(plain, view.rules):
            for action in layoffs(view, card):
                if kind_of(view.table[action["meld"]].cards, view.rules) == kind:
                    return action
    return None


def wild_layoff(view: State) -> dict | None:
    """The first wild-rank card that can go, where plain cards can then follow to most effect."""
    wilds = [card for card in in_card_order(view.hand, view.rules) if view.rules.is_wild(card)]
    for wild in wilds:
        ways = list(layoffs(view, wild))
        if ways:
            return min(ways, key=lambda action: (left_in_hand(view, action), *place(view, action)))
    return None


def left_in_hand(view: State, action: dict) -> int:
    """Value left in hand after this lay-off and the plain lay-offs that can follow it."""
    later = rummy.copy_of(view)
    rummy.play(later, action)
    while later.ending is None and (following := plain_layoff(later)):
        rummy.play(later, following)
    return sum(later.rules.value(card) for card in later.hand)


def place(view: State, action: dict) -> tuple[int, bool]:
    """Lowest-numbered meld first, high end before low end."""
    cards = view.table[action["meld"]].cards
    at_low_end = kind_of([action["card"], *cards], view.rules) == "run"
    return action["meld"], at_low_end


def greedy_discard(view: State) -> str:
    """`throw(H)`, or the stalled discard."""
    return stalled_discard(view) if is_stalled(view, GREEDY_SPAN) else throw(view)


def keep_discard(view: State, low: int, high: int) -> str:
    """Loose cards outside the band first, those inside last, ranks counted A=1 … K=13."""
    if is_stalled(view, GREEDY_SPAN):
        return stalled_discard(view)
    loose = loose_cards(view, to_throw_from(view))
    outside = [card for card in loose if not low <= RANKS.index(card[0]) + 1 <= high]
    return (outside or loose or [throw(view)])[0]


# --- hold -----------------------------------------------------------------------------------------


def can_end(view: State) -> bool:
    """Whether `greedy`'s table play empties the hand or leaves one card that may be thrown."""
    later = rummy.copy_of(view)
    while later.ending is None and (action := greedy_table(later)):
        rummy.play(later, action)
    return not later.hand or (len(later.hand) == 1 and bool(rummy.legal_discards(later)))


def hold_draw(view: State) -> str:
    """As `greedy`, but the hand has to end with the discard, not the discard to be laid off."""
    if wants(view, HOLD_SPAN) or can_end(with_top_discard(view)):
        return "DRAW_DISCARD"
    return "DRAW_STOCK"


def hold_table(view: State) -> dict | None:
    """`greedy`'s table play when it ends the hand, otherwise nothing."""
    return greedy_table(view) if can_end(view) else None


def hold_discard(view: State) -> str:
    """`throw(H)`, or the stalled discard."""
    return stalled_discard(view) if is_stalled(view, HOLD_SPAN) else throw(view)


# --- a log played again ---------------------------------------------------------------------------


def decision(view: State, strategy: Strategy) -> dict:
    """What a strategy does next; a single source is no question, nor is a hold."""
    if view.phase == "DRAW":
        where = rummy.sources(view)
        only = f"DRAW_{where[0].upper()}" if len(where) == 1 else None
        return {"a": only or strategy.choose_draw(view)}
    action = strategy.choose_table(view)
    if action:
        return action
    if rummy.legal_discards(view):
        return {"a": "DISCARD", "card": strategy.choose_discard(view)}
    return {"a": "HOLD"}


def replays_as(log: dict) -> list[str]:
    """The first action of a legal log that a seat's slow strategy would not have taken.

    Seats whose strategy is not played here are believed. An empty list if there is none.
    """
    book = other_book(log["game"])
    if book:
        return book.replays_as(log)
    strategies = [named(name) for name in log["strategies"]]
    state = rummy.begin(log)
    for number, action in enumerate(log["actions"]):
        strategy = strategies[state.turn]
        if strategy:
            wanted = decision(view_of(state), strategy)
            if not same_action(wanted, action):
                name = log["strategies"][state.turn]
                return [f"action {number}: {name} plays {wanted}, the log has {action}"]
        rummy.play(state, action)
    return []


def same_action(one: dict, other: dict) -> bool:
    """Equal but for the order inside a set; runs have one order only."""
    if one["a"] == "MELD" == other["a"]:
        return same_cards(one["cards"], other["cards"])
    return all(one.get(key) == other.get(key) for key in ("a", "meld")) and (
        one["a"].startswith("DRAW") or one.get("card") == other.get("card")
    )


# --- random ---------------------------------------------------------------------------------------


def random_player(rng: Random) -> Strategy:
    """`random` itself: each distinct legal answer is equally likely."""

    def pick(question: str, view: State) -> dict:
        return rng.choice(legal_answers(view, question))

    def choose_table(view: State) -> dict | None:
        answer = pick("table", view)
        return None if answer["a"] == "STOP" else answer

    return Strategy(
        lambda view: pick("draw", view)["a"],
        choose_table,
        lambda view: pick("discard", view)["card"],
    )


def legal_answers(state: State, question: str) -> list[dict]:
    """The distinct legal answers of the player to act to `draw`, `table` or `discard`."""
    if question == "draw":
        return [{"a": f"DRAW_{where.upper()}"} for where in rummy.sources(state)]
    if question == "discard":
        return [{"a": "DISCARD", "card": card} for card in rummy.legal_discards(state)]
    return [*table_answers(state), {"a": "STOP"}]


def table_answers(view: State) -> list[dict]:
    """Every distinct legal table action but "stop".

    Melds with substitutes as the search places them, lay-offs at either end.
    """
    hand = in_card_order(view.hand, view.rules)
    found = {}
    for card in dict.fromkeys(hand):
        for meld in choices(card, hand, view.rules):
            as_set = kind_of(meld, view.rules) == "set"
            found[tuple(sorted(meld)) if as_set else meld] = meld
    actions = [{"a": "MELD", "cards": list(meld)} for meld in found.values()]
    legal = [action for action in actions if rummy.refusal(view, action) is None]
    return legal + [action for card in dict.fromkeys(hand) for action in layoffs(view, card)]
