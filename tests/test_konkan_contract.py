"""What holds for every strategy of KonKan: no card is lost, nobody peeks, nothing is changed.

New strategies are found in the catalogue.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

import numpy as np
import pytest

from cooncan_sim import replay
from cooncan_sim.catalog import strategies
from cooncan_sim.games.konkan_text import FACES, table_text
from cooncan_sim.simulate import Plan
from tests.konkan_positions import positions, set_up
from tests.positions import play_turn
from tests.referee.cards import PACKS, face
from tests.referee.konkan_hand import KonkanHand

PACK = Counter(PACKS["konkan"])
OWN = ("memory", "rng", "pair_count", "pairs")  # what a strategy writes in its seat
every_strategy = pytest.mark.parametrize("name", [page.name for page in strategies("konkan")])
pytestmark = pytest.mark.plain


@every_strategy
@pytest.mark.parametrize("stock_order", ["shared", "per_seat"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_turn_gains_or_loses_a_card(name: str, stock_order: str, players: int) -> None:
    seats = (name,) * (players - 1) + ("random",)
    plan = Plan("konkan", (seats,), 8, {"MAX_TURNS": 150}, stock_order)
    states = plan.new_state()
    for deal in range(3):
        plan.engine("play").begin(states, plan.seed, deal)
        while states["table"]["ending"][0] < 0:
            assert cards_in(states, plan) == PACK
            play_turn(plan, states, stream=5)
        assert cards_in(states, plan) == PACK


def cards_in(states: np.ndarray, plan: Plan) -> Counter[str]:
    """All cards of a state, wherever they are; their numbers are those that the table shows."""
    dealt, table = plan.engine("text").opening(states), states["table"][0]
    pile = [FACES.text(int(card)) for card in table["pile"][: table["pile_size"]]]
    laid = [face(token) for pair in table_text(table) for token in pair]
    assert [len(hand) for hand in dealt["hands"]] == list(table["hand_sizes"][: plan.players])
    assert len(dealt["stock"]) == table["stock"]
    return Counter([*sum(dealt["hands"], []), *dealt["stock"], *pile, *laid])


def own_positions(name: str) -> Iterator[KonkanHand]:
    """Positions in which the strategy has to decide something."""
    for seats in ((name, "random"), (name,) * 4):
        for log in replay("konkan", seats, 8, 0, 6, {"MAX_TURNS": 150}):
            for state in positions(log):
                if log["strategies"][state.turn] == name:
                    yield state


@every_strategy
def test_hidden_cards_change_nothing(name: str) -> None:
    """Other hands and the stock mixed anew, but for the card that is drawn: the same turn."""
    dice = Random(name)
    moved = 0
    turns = (state for state in own_positions(name) if state.phase == "DRAW")
    for state in islice(turns, 0, 200, 4):
        plan = Plan("konkan", ((name,) * state.players,))
        other = mixed_anew(state, dice)
        moved += other.hands != state.hands
        here, there = set_up(state), set_up(other)
        assert play_turn(plan, here, stream=7) == play_turn(plan, there, stream=7)
        assert here["table"] == there["table"]
        assert here["seats"][0, state.turn] == there["seats"][0, state.turn]
    assert moved > 15


def mixed_anew(state: KonkanHand, dice: Random) -> KonkanHand:
    """The same for the player to act: what he cannot see is shuffled, the next card excepted."""
    other = state.copy()
    unseen = [card for seat, hand in enumerate(state.hands) if seat != state.turn for card in hand]
    unseen += state.stock[1:]
    dice.shuffle(unseen)
    for seat, hand in enumerate(state.hands):
        if seat != state.turn:
            other.hands[seat] = [unseen.pop() for _ in hand]
    other.stock[1:] = unseen
    return other


@every_strategy
def test_decisions_change_nothing(name: str) -> None:
    """But for the strategy's own memory and random stream, and the pairs of its answer."""
    asked: Counter[str] = Counter()
    for state in islice(own_positions(name), 0, 400, 3):
        plan = Plan("konkan", ((name,) * state.players,))
        names = list(plan.engine("play").DECISIONS)
        states = set_up(state)
        seat = states["seats"][0, state.turn]
        before = states.copy()
        for decision in asked_in(state):
            plan.functions[names.index(decision)][0](states["table"][0], seat)
            asked[decision] += 1
        for own in OWN:
            before["seats"][own][0, state.turn] = seat[own]
        assert before == states
    assert len(asked) == 4


def asked_in(state: KonkanHand) -> list[str]:
    """The decisions that a position is put to."""
    if state.phase == "DRAW":
        return ["choose_draw"]
    return ["choose_table", "choose_announce", "choose_discard"]
