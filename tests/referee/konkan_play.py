"""The reference strategies of KonKan, exactly and slowly: `kk_greedy`, and all of `random`."""

from tests.referee.cards import JOKER
from tests.referee.joker_hand import Action
from tests.referee.joker_melds import melds_where
from tests.referee.joker_play import (
    all_melds,
    distinct,
    draw_improves,
    every_layoff,
    first_legal,
    layoffs,
    place_joker,
    plain,
    throw,
)
from tests.referee.konkan_hand import KonkanHand
from tests.referee.tokens2 import in_card_order


def swaps(state: KonkanHand) -> list[Action]:
    """Exchanges to try: cards in card order, pairs by their number."""
    return [
        {"a": "JOKER_SWAP", "card": card, "meld": number}
        for card in in_card_order(set(plain(state.hand)))
        for number, (_, tokens) in enumerate(state.table)
        if any(token.startswith("*") for token in tokens)
    ]


def hit(state: KonkanHand) -> Action | None:
    """The next plain card that is hit: on a run, then on a set."""
    return first_legal(state, [*layoffs(state, "run"), *layoffs(state, "set")])


def come_down(state: KonkanHand) -> Action | None:
    """The pairs to come down with, all in one, or None."""
    opening = state.opening()
    if opening is None:
        return None
    return {"a": "COME_DOWN", "melds": [list(meld) for meld in opening]}


def table_play(state: KonkanHand) -> Action | None:
    """The next table action of `kk_greedy`, None to stop."""
    if not state.down[state.turn]:
        return come_down(state) if state.phase in state.phases["COME_DOWN"] else None
    found = melds_where(state.hand, state.meld_rules, 0, state.leaves_a_throw)
    laying = [{"a": "MELD", "cards": list(meld)} for meld in found or ()]
    return (
        first_legal(state, swaps(state))
        or first_legal(state, laying)
        or hit(state)
        or place_joker(state, hit)
    )


def wanted(state: KonkanHand) -> bool:
    """Does `kk_greedy`, who may take the top discard, take it?"""
    if not state.down[state.turn]:
        return True
    top, with_top = state.pile[-1], state.with_top()
    if top == JOKER or draw_improves(state, with_top, is_stalled=False):
        return True
    of_top = [*layoffs(with_top, "run"), *layoffs(with_top, "set"), *swaps(with_top)]
    return first_legal(with_top, [a for a in of_top if a["card"] == top]) is not None


def kk_greedy(state: KonkanHand) -> Action:
    """The answer of `kk_greedy` to the question of the moment; it never announces."""
    if state.phase == "DRAW":
        sources = state.sources()
        if len(sources) == 1:
            return {"a": sources[0]}
        return {"a": "DRAW_DISCARD" if wanted(state) else "DRAW_STOCK"}
    return table_play(state) or {"a": "DISCARD", "card": throw(state)}


def draw_answers(state: KonkanHand) -> list[Action]:
    """The draws `random` chooses from."""
    return [{"a": name} for name in state.sources()]


def table_proposals(state: KonkanHand) -> list[Action]:
    """All table actions worth trying, legal or not; coming down is one answer."""
    if not state.down[state.turn]:
        action = come_down(state)
        return [action] if action else []
    laying: list[Action] = [{"a": "MELD", "cards": list(meld)} for meld in all_melds(state)]
    return [*swaps(state), *laying, *every_layoff(state)]


def table_answers(state: KonkanHand) -> list[Action]:
    """The table actions `random` chooses from; to stop is one more answer, except for a player
    who took the discard and has not come down yet."""
    return distinct(state, table_proposals(state))


def announce_answers(state: KonkanHand) -> list[int]:
    """How many jokers `random` may announce, 0 being an answer."""
    return [
        number
        for number in range(3)
        if number == 0 or state.after({"a": "ANNOUNCE", "n": number}) is not None
    ]


def discard_answers(state: KonkanHand) -> list[Action]:
    """The faces `random` throws from."""
    return [{"a": "DISCARD", "card": card} for card in state.throwable()]


STRATEGIES = {"kk_greedy": kk_greedy}
