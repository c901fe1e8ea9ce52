"""What the reference strategies of Double Rum and KonKan share, exactly and slowly."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.referee.cards import JOKER, value
from tests.referee.joker_hand import Action, JokerHand, joker_tokens, shape
from tests.referee.joker_melds import dead, kind, melds, melds_with
from tests.referee.tokens2 import Illegal, in_card_order, in_throw_order, without

Next = Callable[[Any], Action | None]


def plain(cards: list[str]) -> list[str]:
    return [card for card in cards if card != JOKER]


def candidates(state: JokerHand) -> list[str]:
    """The cards that `throw` chooses from, in throw order."""
    may = in_throw_order(state.throwable(), state.game)
    return plain(may) or may


def throw(state: JokerHand) -> str | None:
    """`throw(H)` for the player to act; None if nothing may be thrown."""
    choice = candidates(state)
    return min(choice, key=lambda card: dead_without(state, card)) if choice else None


def dead_without(state: JokerHand, card: str) -> int:
    return dead(without(state.hand, [card]), state.meld_rules)


def after(state: JokerHand) -> int:
    """`after(H)`: the deadwood that `throw(H)` leaves."""
    card = throw(state)
    return dead(state.hand, state.meld_rules) if card is None else dead_without(state, card)


def stalled_throw(state: JokerHand) -> str | None:
    """The discard of a stalled player: the last in throw order, cards outside melds first."""
    choice = candidates(state)
    melded = [card for meld in melds(state.hand, state.meld_rules) for card in meld]
    outside = [card for card in choice if state.hand.count(card) > melded.count(card)]
    return (outside or choice)[-1] if choice else None


def stalled(state: JokerHand, rounds: int) -> bool:
    """Is the player to act stalled: ⌊q / (rounds·n)⌋ odd?

    q is what it is at the question: a card laid earlier in the turn has set it back to 0.
    """
    return state.quiet // (rounds * state.players) % 2 == 1


def draw_improves(state: JokerHand, with_top: JokerHand, is_stalled: bool) -> bool:
    """Does the top discard leave less deadwood after the throw than there is now?"""
    now = after(state) if is_stalled else dead(state.hand, state.meld_rules)
    return after(with_top) < now


def first_legal(state: JokerHand, actions: list[Action]) -> Action | None:
    return next((action for action in actions if state.after(action) is not None), None)


def layoffs(state: JokerHand, kind_of_meld: str) -> list[Action]:
    """Lay-offs of plain cards on melds of the kind, in the order of `greedy`'s 1 and 3."""
    cards = plain(in_throw_order(set(state.hand), state.game))
    return [
        {"a": "LAYOFF", "card": card, "meld": number}
        for card in cards
        for number, (_, tokens) in enumerate(state.table)
        if kind(tokens, state.meld_rules) == kind_of_meld
    ]


def place_joker(state: JokerHand, follow: Next) -> Action | None:
    """`greedy`'s 4: a joker goes where `follow` can then bring the least value in hand."""
    if JOKER not in state.hand:
        return None
    best: tuple[int, Action] | None = None
    for number, (_, tokens) in enumerate(state.table):
        for token, end in joker_tokens(tokens, state.meld_rules):
            action = {"a": "LAYOFF", "card": token, "meld": number, "end": end}
            trial = state.after(action)
            if trial is None:
                continue
            play_on(trial, follow)
            left = sum(value(card, state.game) for card in trial.hands[state.turn])
            if best is None or left < best[0]:
                best = (left, action)
    return best[1] if best else None


def play_on(state: JokerHand, follow: Next) -> None:
    """Takes table actions until there is none, or the hand has ended."""
    while not state.ended:
        action = follow(state)
        if action is None:
            return
        state.act(action)


def all_melds(state: JokerHand) -> list[tuple[str, ...]]:
    """Every meld of the hand as the search would place jokers, each once."""
    found: list[tuple[str, ...]] = []
    for card in in_card_order(set(plain(state.hand))):
        for meld in melds_with(card, without(state.hand, [card]), state.meld_rules):
            if meld not in found:
                found.append(meld)
    return found


def every_layoff(state: JokerHand) -> list[Action]:
    """Every lay-off to try: each face of the hand on each meld at either end."""
    actions: list[Action] = []
    faces = in_card_order(set(plain(state.hand)))
    for number, (_, tokens) in enumerate(state.table):
        spots = [(card, end) for card in faces for end in ("low", "high")]
        if JOKER in state.hand:
            spots += joker_tokens(tokens, state.meld_rules)
        actions += [{"a": "LAYOFF", "card": c, "meld": number, "end": end} for c, end in spots]
    return actions


def distinct(state: JokerHand, actions: list[Action]) -> list[Action]:
    """The legal ones among the actions, those with the same effect counted once."""
    found: list[Action] = []
    seen = []
    for action in actions:
        trial = state.after(action)
        if trial is not None:
            effect = (action["a"], shape(trial), sorted(trial.hands[state.turn]))
            if effect not in seen:
                seen.append(effect)
                found.append(action)
    return found


def same_answer(state: JokerHand, own: Action, told: Action) -> bool:
    """Do the two actions come to the same (the sets of a table being in no order)?"""
    if own["a"] != told["a"] or own.get("n") != told.get("n"):
        return False
    if own["a"] in ("DRAW_STOCK", "DRAW_DISCARD", "HOLD", "ANNOUNCE"):
        return True
    if own["a"] == "DISCARD":
        return bool(own["card"] == told["card"])
    one, other = state.after(own), state.after(told)
    return one is not None and other is not None and shape(one) == shape(other)


def replays_as_strategies(
    log: dict[str, Any], state: JokerHand, strategies: Mapping[str, Callable[[Any], Action]]
) -> list[str]:
    """Walks through a log; the first action that the seat's strategy would not have taken."""
    for number, action in enumerate(log["actions"]):
        name = log["strategies"][state.seat_to_act].replace("-", "_")
        if name in strategies:
            own = strategies[name](state)
            if not same_answer(state, own, action):
                return [f"action {number} {action}: {name} in seat {state.turn} plays {own}"]
        try:
            state.act(action)
        except Illegal as broken:
            return [f"action {number} {action}: {broken}"]
    return []
