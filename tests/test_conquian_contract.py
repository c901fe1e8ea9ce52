"""What holds for every strategy of Conquian: no card is lost, nobody peeks, nothing is changed.

New strategies are found in the catalogue.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from cooncan_sim import replay
from cooncan_sim.catalog import strategies, strategy
from cooncan_sim.games.conquian_text import FACES, cards_text
from cooncan_sim.simulate import Plan
from tests.conquian_positions import positions, set_up
from tests.referee.cards import PACKS
from tests.referee.conquian_hand import ConquianHand
from tests.sittings import quick

DECISIONS = {"OFFER": "choose_offer", "FORCE": "choose_force", "DISCARD": "choose_discard"}
RULES = {"CQ_FORCING": "on", "CQ_REARRANGE": "free"}  # so that there is something to force
COMBINATIONS = [
    (key, quick(page)) for key in ("conquian", "conquian_jaques") for page in strategies(key)
]
every_strategy = pytest.mark.parametrize(("key", "name"), COMBINATIONS)


@pytest.mark.plain
@every_strategy
@pytest.mark.parametrize("stock_order", ["shared", "per_seat"])
def test_no_round_gains_or_loses_a_card(key: str, name: str, stock_order: str) -> None:
    plan = Plan(key, ((name, "random"),), 8, RULES, stock_order)
    states = plan.new_state()
    for deal in range(3):
        plan.engine("play").begin(states, plan.seed, deal)
        while states["table"]["ending"][0] < 0:
            assert cards_in(states) == Counter(PACKS["conquian"])
            plan.engine("play").play_on(*plan.functions, plan.seats[0], states)
        assert cards_in(states) == Counter(PACKS["conquian"])


def cards_in(states: np.ndarray) -> Counter[str]:
    """All cards of a state, wherever they are."""
    table, deck = states["table"][0], states["deck"][0]
    places = [*table["melds"].flat, *states["seats"]["hand"][0], table["dead"], deck["stock"][0]]
    cards = Counter(card for place in places for card in cards_text(place))
    if table["offered"] >= 0:
        cards[FACES.text(int(table["offered"]))] += 1
    assert [len(cards_text(hand)) for hand in states["seats"]["hand"][0]] == list(
        table["hand_sizes"]
    )
    assert [sum(len(cards_text(meld)) for meld in melds) for melds in table["melds"]] == [
        len(cards_text(down)) for down in table["down"]
    ]
    return cards


def questions(key: str, name: str) -> Iterator[ConquianHand]:
    """Positions in which the strategy, in seat 0, is asked something."""
    for log in replay(key, (name, "random"), 8, 0, 12, RULES):
        for state, _, _ in positions(log):
            if state.seat_to_act == 0:
                yield state


def answered(plan: Plan, states: np.ndarray, phase: str) -> object:
    """The answer of seat 0 to the question of the moment."""
    decide = plan.functions[list(DECISIONS).index(phase)][0]
    return decide(states["table"][0], states["seats"][0, 0])


def asked_of(key: str, name: str) -> tuple[Plan, np.ndarray]:
    """A plan with the strategy in both seats, and its weights."""
    weights = list(strategy(name, key).weights.values())
    return Plan(key, ((name, name),), 8, RULES), np.array(weights)


@every_strategy
def test_hidden_cards_change_nothing(key: str, name: str) -> None:
    """The other hand and the stock mixed anew: the same answer, from the same stream."""
    plan, weights = asked_of(key, name)
    rng = Random(f"{key} {name}")
    asked: Counter[str] = Counter()
    for state in questions(key, name):
        here, there = set_up(state), set_up(mixed_anew(state, rng))
        for states in (here, there):
            states["seats"]["weights"][0, 0, : len(weights)] = weights
            states["seats"]["rng"][0, 0] = 7
        assert (here != there).any() or len(state.stock) < 3
        assert answered(plan, here, str(state.phase)) == answered(plan, there, str(state.phase))
        assert here["table"] == there["table"]
        assert here["seats"][0, 0] == there["seats"][0, 0]
        asked[str(state.phase)] += 1
    assert set(asked) >= {"OFFER", "DISCARD"}


def mixed_anew(state: ConquianHand, rng: Random) -> ConquianHand:
    """The same for seat 0: the other hand and the stock are shuffled together."""
    own, other = state.hands
    unseen = [*other, *state.stock]
    rng.shuffle(unseen)
    hands = [own, unseen[: len(other)]]
    mixed = ConquianHand(state.rules, hands, state.tables, unseen[len(other) :])
    mixed.offer(state.to, state.origin)
    mixed.card, mixed.phase, mixed.forced = state.card, state.phase, state.forced
    mixed.dead = state.dead
    return mixed


@every_strategy
def test_decisions_change_nothing(key: str, name: str) -> None:
    """But for the strategy's own memory and random stream."""
    plan, weights = asked_of(key, name)
    for state in questions(key, name):
        states = set_up(state)
        states["seats"]["weights"][0, 0, : len(weights)] = weights
        before = states.copy()
        answered(plan, states, str(state.phase))
        for own in ("memory", "rng"):
            before["seats"][own][0, 0] = states["seats"][own][0, 0]
        assert before == states
