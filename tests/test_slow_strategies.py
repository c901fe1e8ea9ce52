"""The reference strategies play card for card as the slow ones; `random` leaves nothing out."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from random import Random

import numpy as np
import pytest
from scipy.stats import chisquare

from cooncan_sim import rng
from cooncan_sim.catalog import GAMES, game
from cooncan_sim.games.cooncan_moves import table_move
from cooncan_sim.games.cooncan_state import STOP, Move
from cooncan_sim.simulate import Plan
from tests.positions import play_turn, positions, set_up
from tests.referee import rummy
from tests.referee.frame import FAMILY
from tests.referee.melds import meld_rules
from tests.referee.rummy import State
from tests.referee.strategies import decision, legal_answers, named, replays_as, view_of
from tests.sittings import hands, sittings, specs
from tests.sizes import sizes

FEW = 200  # hands of games that are mostly the same as `jaques`
every_game = pytest.mark.parametrize("key", [key for key in GAMES if key in FAMILY])


def defined(key: str) -> list[str]:
    """The strategies of a game that are laid down card for card."""
    known = [spec for spec in specs(key) if named(spec)]
    assert {spec.partition("(")[0] for spec in specs(key)} - {"random"} >= {"greedy", "hold"}
    return known


@every_game
@pytest.mark.parametrize("count", sizes(plain=30, ordinary=2_000, soak=100_000))
def test_card_for_card(key: str, count: int) -> None:
    count = count if key == "jaques" or count > 2_000 else min(count, FEW)
    for log in hands(sittings(key, seed=3, players=defined(key)), count):
        assert all(named(name) for name in log["strategies"])
        assert replays_as(log) == [], {**log, "actions": "…"}


@pytest.mark.plain
@pytest.mark.parametrize("name", ["greedy", "greedy-keep"])
def test_a_meld_is_kept_where_only_the_taken_card_would_be_left(name: str) -> None:
    """Nothing loose may be thrown either: the king was just taken."""
    switches = rummy.settled({"game": "jaques", "switches": {"ONLY_TAKEN_LEFT": "illegal"}})
    state = State(
        game="jaques",
        switches=switches,
        rules=meld_rules("jaques", switches),
        hands=["5H 6H 7H KD".split(), ["2S"]],
        stock=["9C", "9D"],
        pile=["4S"],
        turn=0,
        phase="TABLE",
        taken="KD",
        taken_held=True,
    )
    strategy = named(name)
    assert strategy and decision(view_of(state), strategy) == {"a": "DISCARD", "card": "7H"}
    played = play_turn(Plan("jaques", ((name, name),), rules=switches), set_up(state))
    assert played == [{"seat": 0, "a": "DISCARD", "card": "7H"}]


# ---- random -------------------------------------------------------------------------------


def middles(key: str, seed: int) -> Iterator[tuple[State, list[dict]]]:
    """Positions after the draw and their legal answers, of all strategies under all rules.

    Of those in which one thing can be laid at most only one in ten: hands have few others, and
    which hands are played hangs on the catalogue.
    """
    rng = Random(seed)
    for log in hands(sittings(key, seed), 10**9):
        for state in positions(log):
            if state.phase == "TABLE":
                answers = legal_answers(state, "table")
                if len(answers) > 2 or rng.random() < 0.1:
                    yield state, answers


def table_answers(states: np.ndarray, key: str) -> list[dict]:
    """The answers to `choose_table` that the engine lists, "stop" last, as actions of a log."""
    state = states[0]
    seat = state["seats"][state["table"]["turn"]]
    count, _ = table_move(state["table"], seat, -1)
    return [told(states, table_move(state["table"], seat, n)[1], key) for n in range(count + 1)]


def told(states: np.ndarray, move: Move, key: str) -> dict:
    """A move as an action of a log."""
    deck = states["deck"]
    for field, value in zip(Move._fields, move, strict=True):
        deck["notes"][field][0, 0] = value
    deck["noted"] = 1
    if move.action == STOP:
        return {"a": "STOP"}
    return game(key).part("text").turn_actions(states)[0]


def tidied(action: dict) -> tuple:
    """An action in a form in which sets have one order."""
    cards = action.get("cards") or [action.get("card", "")]
    ranks = {card.split("=")[-1][:1] for card in cards}
    return action["a"], *(cards if len(ranks) > 1 else sorted(cards)), action.get("meld")


@every_game
@pytest.mark.parametrize("count", sizes(plain=60, ordinary=3_000, soak=300_000))
def test_the_engine_lists_every_legal_answer(key: str, count: int) -> None:
    several = 0
    for state, answers in islice(middles(key, seed=4), count):
        found = Counter(map(tidied, table_answers(set_up(state), key)))
        assert found == Counter(map(tidied, answers)), state
        several += len(found) > 2
    assert several > count // 10


@every_game
@pytest.mark.parametrize("count", sizes(plain=2, ordinary=12))
def test_every_legal_answer_is_as_likely(key: str, count: int) -> None:
    questions = {"draw": count, "table": count, "discard": count}
    tables = chain.from_iterable(positions(log) for log in hands(sittings(key, 5), 10**6))
    for state in tables:
        question, answers = asked(state)
        if questions[question] and 1 < len(answers) <= 15:
            questions[question] -= 1
            assert_as_likely(state, answers)
        if not any(questions.values()):
            return


def asked(state: State) -> tuple[str, list[dict]]:
    """What a position asks its player first, and the legal answers; "stop" alone is no question."""
    if state.phase == "DRAW":
        return "draw", legal_answers(state, "draw")
    answers = legal_answers(state, "table")
    return ("table", answers) if len(answers) > 1 else ("discard", legal_answers(state, "discard"))


def assert_as_likely(state: State, answers: list[dict]) -> None:
    """`random` gives all these answers, each as often as the others but for chance."""
    plan = Plan(state.game, (("random",) * len(state.hands),), rules=state.switches)
    start = set_up(state)
    right = {tidied(answer) for answer in answers}
    found: Counter[tuple] = Counter()
    for n in range(50 * len(answers)):
        first = play_turn(plan, start.copy(), int(rng.stream(6, n, rng.POLICY, 0)))[0]
        if first["a"].startswith("DRAW"):
            first = {"a": first["a"]}
        answer = tidied(first)
        found[answer if answer in right else tidied({"a": "STOP"})] += 1
    assert found.keys() == right
    assert chisquare([found[answer] for answer in right]).pvalue > 1e-6, found
