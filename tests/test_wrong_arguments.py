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
        (lambda: cc.simulate("jaques", [], 5), "jaques is for 2, 3 or 4 players, not 0"),
        (lambda: cc.simulate(None, TWO, 5), "unknown game None"),
        (lambda: cc.simulate("jaques", TWO, 0), "deals must be a whole number from 1"),
        (lambda: cc.simulate("jaques", TWO, 10**20), "deals must be a whole number from 1 to 2"),
        (lambda: cc.simulate("jaques", TWO, 1.5), "deals must be a whole number"),
        (lambda: cc.simulate("jaques", TWO, True), "deals must be a whole number"),
        (
            lambda: cc.simulate("jaques", TWO, 5, jobs=10**5),
            "jobs must be a whole number from 1 to",
        ),
        (lambda: cc.simulate("jaques", TWO, 5, jobs=10**30), "jobs must be a whole number from 1"),
        (lambda: cc.simulate("jaques", TWO, 5, jobs="2"), "jobs must be a whole number"),
        (lambda: cc.simulate("jaques", TWO, 5, jobs=True), "1 to 1024, not True"),
        (lambda: cc.simulate("jaques", TWO, 5, match=True, jobs=1025), "1 to 1024, not 1025"),
        (lambda: cc.simulate("jaques", TWO, 5, match="yes"), "match must be True or False, not"),
        (lambda: cc.simulate("jaques", TWO, 5, keep=1), "keep must be True or False, not 1"),
        (
            lambda: cc.simulate("jaques", TWO, 5, keep_going=None),
            "keep_going must be True or False",
        ),
        (
            lambda: cc.simulate("jaques", TWO, 5, progress=5),
            "progress must be a function that hears",
        ),
        (lambda: cc.simulate(["jaques"], TWO, 5), "unknown game ['jaques']"),
        (lambda: cc.simulate("jaques", TWO, 5, rules=3), "rules are a mapping of switch names to"),
        (lambda: cc.simulate("jaques", TWO, 5, rules=["A"]), "to values, not ['A']"),
        (lambda: cc.replay("jaques", TWO, 0, 0, rules="HAND_SIZE=11"), "rules are a mapping of"),
        (lambda: cc.evaluate("5H", "jaques", rules="HAND_SIZE=11"), "rules are a mapping of"),
        (lambda: cc.min_penalty(HANDS, "jaques", rules=[1]), "rules are a mapping of switch names"),
        (lambda: cc.compare("jaques", *TWO, rules="X"), "rules are a mapping of switch names"),
        (lambda: cc.tournament("jaques", TWO, rules=0), "rules are a mapping of switch names"),
        (lambda: cc.replay("jaques", TWO, 0, 0, match="no"), "match must be True or False"),
        (
            lambda: cc.replay("jaques", TWO, 0, 2**48),
            "deal must be a whole number from 0 to 2**48 - 1",
        ),
        (lambda: cc.replay("jaques", TWO, 0, 2**48 - 1, 5), "5 from 281474976710655 on go beyond"),
        (lambda: cc.replay("jaques", TWO, 0, -1), "deal must be a whole number from 0"),
        (lambda: cc.replay("jaques", TWO, 0, 10**20), "deal must be a whole number from 0"),
        (lambda: cc.replay("jaques", TWO, 0, 0, 0), "count must be a whole number from 1"),
        (lambda: cc.replay("jaques", "greedy,hold", 0, 0), "players are a list of strategies"),
        (lambda: cc.compare("jaques", "greedy", "hold", players="2"), "players"),
        (lambda: cc.compare("jaques", "greedy", "hold", max_deals=1), "deals must be a whole numb"),
        (lambda: cc.compare("jaques", "greedy", "hold", max_deals="9"), "deals must be a whole"),
        (lambda: cc.compare("jaques", *TWO, players=2.0), "2, 3 or 4 players, not 2.0"),
        (lambda: cc.compare("jaques", *TWO, treated=1.5), "treated: from 1 to 1 players, not 1.5"),
        (lambda: cc.compare("jaques", *TWO, metric=["win"]), "unknown metric ['win']"),
        (lambda: cc.compare("jaques", *TWO, alpha="0.05"), "between 0 and 1, not '0.05'"),
        (
            lambda: cc.compare("jaques", *TWO, alpha=None),
            "alpha must lie between 0 and 1, not None",
        ),
        (lambda: cc.compare("jaques", *TWO, min_effect="x"), "must be a number above 0, not 'x'"),
        (
            lambda: cc.compare("jaques", *TWO, min_effect=np.inf),
            "must be a number above 0, not inf",
        ),
        (lambda: cc.compare("jaques", *TWO, others=""), "strategy '' is not of the form"),
        (lambda: cc.compare("jaques", *TWO, match="yes"), "match must be True or False, not 'yes'"),
        (lambda: cc.compare("jaques", *TWO, strict=1), "strict must be True or False, not 1"),
        (
            lambda: cc.compare("jaques", *TWO, jobs=10**5),
            "jobs must be a whole number from 1 to 1024",
        ),
        (lambda: cc.tournament("jaques", TWO, seats=0), "jaques is for 2, 3 or 4 players, not 0"),
        (lambda: cc.tournament("jaques", TWO, seats=-1), "jaques is for 2, 3 or 4 players, not -1"),
        (lambda: cc.tournament("jaques", TWO, seats="2"), "2, 3 or 4 players, not '2'"),
        (
            lambda: cc.tournament("jaques", TWO, deals=60.0),
            "deals must be a whole number from 1 to",
        ),
        (lambda: cc.tournament("jaques", None), "players are a list of strategies"),
        (
            lambda: cc.tournament("jaques", "greedy,hold", deals=60),
            "players are a list of strategie",
        ),
        (lambda: cc.tournament("jaques", ["greedy", []]), "a strategy is a name or a file, not []"),
        (lambda: cc.tournament("jaques", TWO, match=0), "match must be True or False, not 0"),
        (
            lambda: cc.tournament("jaques", TWO, progress=5),
            "progress must be a function that hears",
        ),
        (lambda: cc.evaluate(5, "jaques"), "a hand is a text or a list of cards, not 5"),
        (lambda: cc.evaluate(None, "jaques"), "a hand is a text or a list of cards, not None"),
        (lambda: cc.evaluate(["2H", 5], "jaques"), "a card is a text such as 5H, not 5"),
        (lambda: cc.parse_hands(5, "jaques"), "hands are a list of texts"),
        (lambda: cc.parse_hands("2H 3H", "jaques"), "hands are a list of texts"),
        (lambda: cc.parse_hands(["2H", 5], "jaques"), "hand 1: a hand is a text or a list"),
        (lambda: cc.deal_hands("a", 10, "jaques", 1), "count, size and seed are whole numbers"),
        (lambda: cc.deal_hands(5, 10, "jaques", 2**64), "a whole number from 0 to 2**63 - 1"),
        (lambda: cc.deal_hands(10**15, 10, "jaques", 1), "hands do not fit into memory"),
        (lambda: cc.deal_hands(10**30, 10, "jaques", 1), "hands do not fit into memory"),
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


def test_what_numpy_and_generators_give_is_taken() -> None:
    known = cc.simulate("jaques", TWO, 5, seed=3)
    played = cc.simulate("jaques", (name for name in TWO), np.int64(5), seed=3, jobs=np.int64(1))
    assert played.players == tuple(TWO)
    assert played.summary().equals(known.summary())
    logs = cc.replay("jaques", iter(TWO), 3, np.int64(1), np.int64(2))
    assert [(log["deal"], type(log["deal"])) for log in logs] == [(1, int), (2, int)]
    assert cc.compare("jaques", *TWO, players=np.int8(2), max_deals=50).trial.players == 2
