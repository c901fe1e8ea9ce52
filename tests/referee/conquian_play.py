"""The reference strategies of Conquian, exactly and slowly: `cq_greedy`, and all of `random`."""

from typing import Any

from tests.referee.cards import SHORT_RANKS, SUITS, card_order
from tests.referee.conquian_hand import ConquianHand
from tests.referee.tokens2 import in_throw_order

Action = dict[str, Any]


def live_partners(state: ConquianHand, card: str) -> int:
    """Cards that could still meld with `card`: not dead, not on the opponent's table."""
    opponent = [c for meld in state.tables[1 - state.to] for c in meld]
    place = SHORT_RANKS.index(card[0])
    same_rank = [card[0] + suit for suit in SUITS if suit != card[1]]
    near = [
        SHORT_RANKS[other] + card[1]
        for other in range(max(place - 2, 0), min(place + 3, 10))
        if other != place
    ]
    return sum(c not in state.dead and c not in opponent for c in same_rank + near)


def cq_greedy(state: ConquianHand) -> Action:
    """The answer of `cq_greedy` to the question of the moment."""
    if state.phase == "FORCE":
        return {"a": "LET_PASS"}
    if state.phase == "DISCARD":
        hand = in_throw_order(state.hands[state.to], "conquian")
        return {"a": "DISCARD", "card": min(hand, key=lambda card: live_partners(state, card))}
    for hand_cards, melds in state.acceptances().items():
        return accept(state, hand_cards, melds)
    return {"a": "DECLINE", "card": state.card}


def accept(state: ConquianHand, hand_cards: tuple[str, ...], melds: list[list[str]]) -> Action:
    return {"a": "ACCEPT", "card": state.card, "hand_cards": list(hand_cards), "melds": melds}


def legal_answers(state: ConquianHand) -> list[Action]:
    """Every distinct legal answer, as `random` counts them."""
    if state.phase == "FORCE":
        return [{"a": "FORCE"}, {"a": "LET_PASS"}]
    if state.phase == "DISCARD":
        return [{"a": "DISCARD", "card": card} for card in state.hands[state.to]]
    accepting = [accept(state, cards, melds) for cards, melds in state.acceptances().items()]
    return accepting if state.forced else [*accepting, {"a": "DECLINE", "card": state.card}]


def same_answer(one: Action, other: Action) -> bool:
    """Equal answers; the order of hand cards, of melds and within sets does not count."""
    if one["a"] != other["a"] or one.get("card") != other.get("card"):
        return False
    if one["a"] != "ACCEPT":
        return True
    return sorted(one["hand_cards"]) == sorted(other["hand_cards"]) and sorted(
        sorted(meld, key=card_order) for meld in one["melds"]
    ) == sorted(sorted(meld, key=card_order) for meld in other["melds"])


STRATEGIES = {"cq_greedy": cq_greedy}
