"""What holds for every strategy of `double_rum`: no card is lost, nobody peeks or changes a thing.

New strategies are found in the catalogue.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random

import numpy as np
import pytest

from cooncan_sim import replay
from cooncan_sim.catalog import strategies
from cooncan_sim.games.double_rum_text import FACES, hands_text, opening, table_text
from cooncan_sim.simulate import Plan
from tests.double_rum_positions import GAME, positions, set_up
from tests.positions import play_turn
from tests.referee.cards import PACKS, face
from tests.referee.double_rum_hand import DoubleRumHand

every_strategy = pytest.mark.parametrize("name", [page.name for page in strategies(GAME.key)])
pytestmark = pytest.mark.plain


@cache
def logs(name: str) -> list[dict]:
    """Hands of the strategy against `random`, who leaves jokers on the table."""
    rules = {"JOKER_MOVE_MODE": "foster", "MAX_TURNS": 60}
    return [
        log
        for players in GAME.players
        for log in replay(GAME.key, [name] + ["random"] * (players - 1), 8, 0, 2, rules)
    ]


@every_strategy
@pytest.mark.parametrize("stock_order", ["shared", "per_seat"])
def test_no_turn_gains_or_loses_a_card(name: str, stock_order: str) -> None:
    for players in GAME.players[::3]:
        seats = ((name, "random") * 4)[:players]
        plan = Plan(GAME.key, (seats,), 8, {"MAX_TURNS": 80}, stock_order)
        states = plan.new_state()
        plan.engine("play").begin(states, plan.seed, 3)
        while states["table"]["ending"][0] < 0:
            assert cards_in(states) == Counter(PACKS[GAME.key])
            play_turn(plan, states, stream=5)
        assert cards_in(states) == Counter(PACKS[GAME.key])


def cards_in(states: np.ndarray) -> Counter[str]:
    """All cards of a state, wherever they are."""
    table, start = states["table"][0], opening(states)
    hands = hands_text(states)
    assert [len(hand) for hand in hands] == list(table["hand_sizes"][: len(hands)])
    assert len(start["stock"]) == table["stock"]
    pile = [FACES.text(int(card)) for card in table["pile"][: table["pile_size"]]]
    laid = [face(token) for meld in table_text(table) for token in meld]
    return Counter([*sum(hands, []), *start["stock"], *pile, *laid])


def own_positions(name: str) -> Iterator[DoubleRumHand]:
    """Positions in which the strategy, in seat 0, has to decide something."""
    for log in logs(name):
        for state in positions(log):
            if state.turn == 0:
                yield state.copy()


@every_strategy
def test_hidden_cards_change_nothing(name: str) -> None:
    """Other hands and the stock mixed anew, but for the card that is drawn: the same turn."""
    rng = Random(name)
    moved = 0
    turns = (state for state in own_positions(name) if state.phase == "DRAW")
    for state in islice(turns, 30):
        plan = Plan(GAME.key, ((name,) * state.players,), rules={"JOKER_MOVE_MODE": "foster"})
        other = mixed_anew(state, rng)
        moved += other.hands != state.hands
        here, there = set_up(state), set_up(other)
        assert play_turn(plan, here, stream=7) == play_turn(plan, there, stream=7)
        assert here["table"] == there["table"]
        assert here["seats"][0, 0] == there["seats"][0, 0]
    assert moved > 15


def mixed_anew(state: DoubleRumHand, rng: Random) -> DoubleRumHand:
    """The same for seat 0: what it cannot see is shuffled, the next card excepted."""
    other = state.copy()
    unseen = [*sum(state.hands[1:], []), *state.stock[1:]]
    rng.shuffle(unseen)
    for hand in other.hands[1:]:
        hand[:] = [unseen.pop() for _ in hand]
    other.stock[1:] = unseen
    return other


@every_strategy
def test_decisions_change_nothing(name: str) -> None:
    """But for the strategy's own memory and random stream."""
    asked: Counter[str] = Counter()
    for state in islice(own_positions(name), 0, 150, 3):
        plan = Plan(GAME.key, ((name,) * state.players,))
        names = list(plan.engine("play").DECISIONS)
        states = set_up(state)
        seat = states["seats"][0, 0]
        seat["weights"][: plan.weights.shape[1]] = plan.weights[0]
        before = states.copy()
        drawing = ["choose_draw"] if state.pile and state.stock else []
        for question in drawing if state.phase == "DRAW" else ["choose_table", "choose_discard"]:
            plan.functions[names.index(question)][0](states["table"][0], seat)
            asked[question] += 1
        for own in ("memory", "rng"):
            before["seats"][own][0, 0] = seat[own]
        assert before == states
    assert len(asked) == 3
