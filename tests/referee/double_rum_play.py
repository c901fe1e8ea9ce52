"""The reference strategies of Double Rum, exactly and slowly: `greedy`, `hold`, and all of
`random`."""

from tests.referee.cards import JOKER
from tests.referee.double_rum_hand import DoubleRumHand, placings
from tests.referee.joker_hand import Action
from tests.referee.joker_melds import melds
from tests.referee.joker_play import (
    all_melds,
    distinct,
    draw_improves,
    every_layoff,
    first_legal,
    layoffs,
    place_joker,
    plain,
    play_on,
    stalled,
    stalled_throw,
    throw,
)
from tests.referee.tokens2 import in_throw_order


def joker_at_an_end(tokens: tuple[str, ...]) -> bool:
    return tokens[0].startswith("*=") or tokens[-1].startswith("*=")


def joker_moves(state: DoubleRumHand) -> list[Action]:
    """`greedy`'s 2: plain cards in throw order; all that replace come before all that slide."""
    replacing: list[Action] = []
    sliding: list[Action] = []
    for card in plain(in_throw_order(set(state.hand), "double_rum")):
        for number, (_, tokens) in enumerate(state.table):
            if not joker_at_an_end(tokens):
                continue
            action = {"a": "JOKER_MOVE", "card": card, "meld": number}
            ends = (tokens[0], tokens[-1])
            (replacing if f"*={card}" in ends else sliding).append(action)
    return [*replacing, *sliding]


def plain_step(state: DoubleRumHand) -> Action | None:
    """`greedy`'s 1 to 3: the next plain card that goes to the table."""
    return first_legal(state, [*layoffs(state, "run"), *joker_moves(state), *layoffs(state, "set")])


def greedy_table(state: DoubleRumHand) -> Action | None:
    """The next table action of `greedy`, None to stop."""
    found = melds(state.hand, state.meld_rules)
    laying = first_legal(state, [{"a": "MELD", "cards": list(meld)} for meld in found])
    return laying or plain_step(state) or place_joker(state, plain_step)


def ends_turn(state: DoubleRumHand) -> bool:
    """Would `greedy`'s table play empty the hand, or leave one card that may be thrown?"""
    trial = state.copy()
    play_on(trial, greedy_table)
    return trial.ended or (len(trial.hand) == 1 and trial.throwable() == trial.hand)


def draw(state: DoubleRumHand, rounds: int, holding: bool) -> Action:
    """The draw of `greedy` or `hold`."""
    sources = state.sources()
    if len(sources) == 1:
        return {"a": sources[0]}
    top = state.pile[-1]
    with_top = state.after({"a": "DRAW_DISCARD"})
    assert with_top is not None
    wanted = (
        top == JOKER
        or draw_improves(state, with_top, stalled(state, rounds))
        or (ends_turn(with_top) if holding else bool(placings(with_top, top)))
    )
    return {"a": "DRAW_DISCARD" if wanted else "DRAW_STOCK"}


def discard(state: DoubleRumHand, rounds: int) -> Action:
    """The throw of a player, stalled or not; a hold if nothing may be thrown."""
    card = stalled_throw(state) if stalled(state, rounds) else throw(state)
    return {"a": "HOLD"} if card is None else {"a": "DISCARD", "card": card}


def greedy(state: DoubleRumHand) -> Action:
    """The answer of `greedy` to the question of the moment."""
    if state.phase == "DRAW":
        return draw(state, 4, holding=False)
    return greedy_table(state) or discard(state, 4)


def hold(state: DoubleRumHand) -> Action:
    """The answer of `hold` to the question of the moment."""
    if state.phase == "DRAW":
        return draw(state, 12, holding=True)
    laying = greedy_table(state) if ends_turn(state) else None
    return laying or discard(state, 12)


def draw_answers(state: DoubleRumHand) -> list[Action]:
    """The draws `random` chooses from."""
    return [{"a": name} for name in state.sources()]


def table_proposals(state: DoubleRumHand) -> list[Action]:
    """All table actions worth trying, legal or not: moves, melds, lay-offs."""
    moves: list[Action] = [
        {"a": "JOKER_MOVE", "card": card, "meld": number}
        for number, (_, tokens) in enumerate(state.table)
        for card in in_throw_order(set(plain(state.hand)), "double_rum")
        if joker_at_an_end(tokens)
    ]
    laying: list[Action] = [{"a": "MELD", "cards": list(meld)} for meld in all_melds(state)]
    return [*moves, *laying, *every_layoff(state)]


def table_answers(state: DoubleRumHand) -> list[Action]:
    """The table actions `random` chooses from; to stop is one more answer."""
    return distinct(state, table_proposals(state))


def discard_answers(state: DoubleRumHand) -> list[Action]:
    """The faces `random` throws from; a hold if there is none."""
    return [{"a": "DISCARD", "card": card} for card in state.throwable()] or [{"a": "HOLD"}]


STRATEGIES = {"greedy": greedy, "hold": hold}
