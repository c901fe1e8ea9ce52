"""Arguments from Python that make no sense end in one clear line."""

from collections.abc import Callable

import numpy as np
import pytest

import cooncan_sim as cc
from cooncan_sim import CooncanError

TWO = ["greedy", "hold"]
HANDS = cc.deal_hands(3, 10, "jaques", seed=1)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: cc.simulate("jaques", "greedy,hold", 5), "players are a list of strategies"),
        (lambda: cc.simulate("jaques", None, 5), "players are a list of strategies"),
        (lambda: cc.simulate("jaques", ["greedy", 3], 5), "a strategy is a name or a file, not 3"),
        (lambda: cc.simulate("jaques", [], 5), "jaques is for 2 or 3 or 4 players, not 0"),
        (lambda: cc.simulate(None, TWO, 5), "unknown game None"),
        (lambda: cc.simulate("jaques", TWO, 0), "deals must be a whole number from 1"),
        (lambda: cc.simulate("jaques", TWO, 10**20), "deals must be a whole number from 1 to 2"),
        (lambda: cc.simulate("jaques", TWO, 1.5), "deals must be a whole number"),
        (lambda: cc.simulate("jaques", TWO, True), "deals must be a whole number"),
        (lambda: cc.replay("jaques", TWO, 0, -1), "deal must be a whole number from 0"),
        (lambda: cc.replay("jaques", TWO, 0, 10**20), "deal must be a whole number from 0"),
        (lambda: cc.replay("jaques", TWO, 0, 0, 0), "count must be a whole number from 1"),
        (lambda: cc.replay("jaques", "greedy,hold", 0, 0), "players are a list of strategies"),
        (lambda: cc.compare("jaques", "greedy", "hold", players="2"), "players"),
        (lambda: cc.compare("jaques", "greedy", "hold", max_deals=1), "deals must be a whole numb"),
        (lambda: cc.compare("jaques", "greedy", "hold", max_deals="9"), "deals must be a whole"),
        (lambda: cc.evaluate(5, "jaques"), "a hand is a text or a list of cards, not 5"),
        (lambda: cc.evaluate(None, "jaques"), "a hand is a text or a list of cards, not None"),
        (lambda: cc.evaluate(["2H", 5], "jaques"), "a card is a text such as 5H, not 5"),
        (lambda: cc.parse_hands(5, "jaques"), "hands are a list of texts"),
        (lambda: cc.parse_hands("2H 3H", "jaques"), "hands are a list of texts"),
        (lambda: cc.parse_hands(["2H", 5], "jaques"), "hand 1: a hand is a text or a list"),
        (lambda: cc.deal_hands("a", 10, "jaques", 1), "count, size and seed are whole numbers"),
        (lambda: cc.deal_hands(5, 53, "jaques", 1), "a hand of 53 cards"),
        (lambda: cc.min_penalty([[1, 2], [3]], "jaques"), "hands of jaques are an array"),
        (lambda: cc.min_penalty(HANDS, "two_deck"), "uint64 with 2 column"),
        (lambda: cc.min_penalty(HANDS, "conquian"), "cards that the pack of conquian has not"),
        (lambda: cc.min_penalty(HANDS | np.uint64(1 << 63), "jaques"), "hand 0 holds cards that"),
        (lambda: cc.min_penalty(np.array([[1, 2]], np.uint64), "two_deck"), "hand 0 holds cards"),
        (lambda: cc.min_penalty(np.array([[1, 0, 3]], np.uint64), "konkan"), "hand 0 holds cards"),
    ],
)
def test_it_is_said_what_is_wrong(call: Callable[[], object], said: str) -> None:
    with pytest.raises(CooncanError) as refused:
        call()
    assert said in str(refused.value) and "\n" not in str(refused.value)


def test_hands_from_the_pack_are_taken() -> None:
    for game in ("jaques", "two_deck", "conquian", "double_rum", "konkan"):
        assert cc.min_penalty(cc.deal_hands(50, 10, game, seed=3), game).min() >= 0
