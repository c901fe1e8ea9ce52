"""Strategies of `double_rum`: card for card as slow ones, and the decisions that matter."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, islice
from random import Random

import numpy as np
import pytest
from scipy.stats import chisquare

from cooncan_sim import rng
from cooncan_sim.games.double_rum_moves import table_move
from cooncan_sim.games.double_rum_state import STOP, Move
from cooncan_sim.games.double_rum_text import turn_actions
from cooncan_sim.simulate import Plan
from tests.double_rum_positions import positions, set_up, turn_of
from tests.positions import play_turn
from tests.referee.cards import RANKS
from tests.referee.double_rum_hand import DoubleRumHand
from tests.referee.double_rum_play import (
    STRATEGIES,
    discard,
    discard_answers,
    draw,
    draw_answers,
    greedy_table,
    table_answers,
)
from tests.referee.joker_melds import melds
from tests.referee.joker_play import plain, replays_as_strategies, stalled
from tests.referee.tokens2 import all_switches, in_throw_order
from tests.sittings import BANDS, hands, sittings
from tests.sizes import sizes

# ---- card for card ------------------------------------------------------------------------


def keeping(low: int, high: int) -> Callable[[DoubleRumHand], dict]:
    """`greedy-keep`, played slowly."""

    def choose(state: DoubleRumHand) -> dict:
        if state.phase == "DRAW":
            return draw(state, 4, holding=False)
        laying = greedy_table(state)
        if laying is not None or stalled(state, 4):
            return laying or discard(state, 4)
        melded = [card for meld in melds(state.hand, state.meld_rules) for card in meld]
        choice = in_throw_order(plain(state.throwable()), "double_rum")
        loose = [card for card in choice if state.hand.count(card) > melded.count(card)]
        outside = [card for card in loose if not low <= RANKS.index(card[0]) + 1 <= high]
        first = outside or loose
        return {"a": "DISCARD", "card": first[0]} if first else discard(state, 4)

    return choose


def holding_first(k: int) -> Callable[[DoubleRumHand], dict]:
    """`hold-first`, played slowly."""

    def choose(state: DoubleRumHand) -> dict:
        holds = state.turns // state.players < k
        return STRATEGIES["hold" if holds else "greedy"](state)

    return choose


_LIMITS = [(5, 8), (1, 4), (10, 13), (2, 4), (9, 12)]
KNOWN = STRATEGIES | {
    f"greedy-keep{band}": keeping(*limits) for band, limits in zip(BANDS, _LIMITS, strict=True)
}
KNOWN |= {"hold-first": holding_first(3), "hold-first(k=6)": holding_first(6)}


@pytest.mark.parametrize("count", sizes(plain=7, ordinary=140, soak=10_000))
def test_card_for_card(count: int) -> None:
    for log in hands(sittings("double_rum", seed=3, players=list(KNOWN)), count):
        assert set(log["strategies"]) <= KNOWN.keys()
        state = DoubleRumHand.from_log(all_switches("double_rum", log["switches"]), log)
        assert replays_as_strategies(log, state, KNOWN) == [], {**log, "actions": "…"}


# ---- random -------------------------------------------------------------------------------


def table_phases(count: int, seed: int) -> Iterator[DoubleRumHand]:
    """Two positions after a draw from each hand of all strategies under all rules."""
    dice = Random(seed)
    logs = hands(sittings("double_rum", seed), 10**6)
    return islice(chain.from_iterable(two_of(log, dice) for log in logs), count)


def two_of(log: dict, dice: Random) -> Iterator[DoubleRumHand]:
    """Two positions after a draw of one hand; there are long hands in which nothing is laid."""
    places = [n for n, action in enumerate(log["actions"]) if not action["a"].startswith("DRAW")]
    chosen = dice.sample(places, min(2, len(places)))
    return (state for place, state in enumerate(positions(log)) if place in chosen)


def told(states: np.ndarray, move: Move) -> dict:
    """A move as an action of a log."""
    deck = states["deck"]
    for field, value in zip(Move._fields, move, strict=True):
        deck["notes"][field][0, 0] = value
    deck["noted"] = 1
    return {"a": "STOP"} if move.action == STOP else turn_actions(states)[0]


def tidied(action: dict) -> tuple:
    """An action in a form in which sets have one order."""
    cards = action.get("cards") or [action.get("card", "")]
    ranks = {card.split("=")[-1][:1] for card in cards}
    # Only an ace has two ends to go to.
    end = action.get("end") if action["a"] == "LAYOFF" and cards[0][-2:-1] == "A" else None
    ordered = cards if len(ranks) > 1 else sorted(cards)
    return action["a"], *ordered, action.get("meld"), end or "low"


@pytest.mark.parametrize("count", sizes(plain=60, ordinary=600, soak=50_000))
def test_the_engine_lists_every_legal_answer(count: int) -> None:
    several = 0
    for state in table_phases(count, seed=4):
        states = set_up(state)
        table, seat = states[0]["table"], states[0]["seats"][state.turn]
        listed = int(table_move(table, seat, -1)[0])
        found = [told(states, table_move(table, seat, n)[1]) for n in range(listed)]
        expected = table_answers(state)
        assert len(found) == len(expected), state.__dict__
        assert results(state, found) == results(state, expected), state.__dict__
        several += listed > 1
    assert several > count // 20


def results(state: DoubleRumHand, actions: list[dict]) -> Counter:
    """What the actions lead to, as the referee sees it."""
    after = [state.after(action) for action in actions]
    assert None not in after
    return Counter(
        (str([sorted(tokens) for _, tokens in one.table]), str(sorted(one.hands[state.turn])))
        for one in after
        if one is not None
    )


@pytest.mark.parametrize("count", sizes(plain=1, ordinary=12))
def test_every_legal_answer_is_as_likely(count: int) -> None:
    asked: Counter[str] = Counter()
    tables = chain.from_iterable(positions(log) for log in hands(sittings("double_rum", 5), 10**6))
    for state in tables:
        question, answers = question_at(state)
        if asked[question] < count and len(answers) > 1 + (question == "table"):
            asked[question] += 1
            assert_as_likely(state, answers)
        if len(asked) == 3 and min(asked.values()) == count:
            return


def question_at(state: DoubleRumHand) -> tuple[str, list[dict]]:
    """What a position asks its player first, and the legal answers."""
    if state.phase == "DRAW":
        return "draw", draw_answers(state)
    answers = table_answers(state)
    if answers:
        return "table", [*answers, {"a": "STOP"}]
    return "discard", discard_answers(state)


def assert_as_likely(state: DoubleRumHand, answers: list[dict]) -> None:
    """`random` gives all these answers, each as often as the others but for chance."""
    plan = Plan("double_rum", (("random",) * state.players,), rules=state.rules)
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


# ---- decisions that matter ----------------------------------------------------------------

SPADES = {"owner": 1, "cards": ["6S", "7S", "8S", "*=9S"]}
HEARTS = {"owner": 1, "cards": ["5H", "6H", "7H"]}
CLUBS = {"owner": 1, "cards": ["2C", "3C", "4C"]}
KINGS = {"owner": 1, "cards": ["KS", "KH", "KD"]}
OTHER = ["JC", "8D"]


def lines(actions: list[dict]) -> list[str]:
    """Actions as short lines: the word, the cards, the meld."""
    return [
        " ".join(map(str, [*a.get("cards", []), *([a["card"]] if "card" in a else []), a["a"]]))
        + (f" on {a['meld']}" if "meld" in a else "")
        for a in actions
    ]


def test_a_joker_is_always_taken() -> None:
    for strategy in ("greedy", "hold", "greedy-keep"):
        given = {"hands": [["2H", "2D", "2S"], OTHER], "pile": ["*"]}
        assert lines(turn_of(strategy, given))[0] == "* DRAW_DISCARD"


def test_the_discard_is_taken_to_move_a_joker() -> None:
    given = {"hands": [["2H", "4D", "3C"], OTHER], "pile": ["9S"], "table": [SPADES]}
    moved = ["9S DRAW_DISCARD", "9S JOKER_MOVE on 0", "4D DISCARD"]
    assert lines(turn_of("greedy", given)) == moved
    locked = {"owner": 1, "cards": ["6S", "7S", "8S", "*x=9S"]}
    assert lines(turn_of("greedy", given | {"table": [locked]}))[0] == "2C DRAW_STOCK"


def test_the_discard_is_taken_to_slide_a_joker() -> None:
    given = {"hands": [["2H", "2D", "3C"], OTHER], "pile": ["4S"], "table": [SPADES]}
    slides = lines(turn_of("greedy", given, {"JOKER_MOVE_MODE": "foster"}))
    assert slides == ["4S DRAW_DISCARD", "4S JOKER_MOVE on 0", "3C DISCARD"]
    assert lines(turn_of("greedy", given))[0] == "2C DRAW_STOCK"


def test_runs_come_before_jokers_and_sets_and_replacing_before_sliding() -> None:
    diamonds = {"owner": 1, "cards": ["*=6D", "7D", "8D"]}
    given = {
        "hands": [["KC", "TD", "6D", "4S", "8H", "3D", "QD"], OTHER],
        "phase": "TABLE",
        "table": [KINGS, diamonds, SPADES, HEARTS],
    }
    played = lines(turn_of("greedy", given, {"JOKER_MOVE_MODE": "foster"}))
    # 8H on the run; 6D replaces a joker, which goes up to 9D; now TD and 4S: a run, a slide.
    assert played == [
        "8H LAYOFF on 3",
        "6D JOKER_MOVE on 1",
        "TD LAYOFF on 1",
        "4S JOKER_MOVE on 2",
        "KC LAYOFF on 0",
        "QD DISCARD",
    ]


@pytest.mark.parametrize(("turns", "lays"), [(5, False), (6, True)])
def test_hold_first_shows_nothing_in_its_first_turns(turns: int, lays: bool) -> None:
    """Two players: after six turns each has had three."""
    given = {"hands": ["5H 6H 7H 2C KD 9S".split(), OTHER], "phase": "TABLE", "table": []}
    played = lines(turn_of("hold-first", given, turns=turns))
    assert played == (["5H 6H 7H MELD"] if lays else []) + ["KD DISCARD"]


@pytest.mark.parametrize(("turns", "source"), [(5, "2C DRAW_STOCK"), (6, "KS DRAW_DISCARD")])
def test_hold_first_takes_a_card_to_lay_it_off_only_later(turns: int, source: str) -> None:
    given = {"hands": ["2H 9D 4C 5S".split(), OTHER], "pile": ["KS"], "table": [KINGS]}
    assert lines(turn_of("hold-first", given, turns=turns))[0] == source


def test_an_ace_goes_to_the_low_end_first() -> None:
    long = {"owner": 1, "cards": [f"{rank}H" for rank in "23456789TJQK"]}
    given = {"hands": [["AH", "AH", "4C", "7D"], OTHER], "phase": "TABLE", "table": [long]}
    actions = turn_of("greedy", given)
    assert [action.get("end") for action in actions[:2]] == [None, "high"]
    strict = turn_of("greedy", given, {"RUN_BOTH_ACES": "forbidden"})
    assert lines(strict) == ["AH LAYOFF on 0", "AH DISCARD"]


def test_a_joker_is_melded_where_it_saves_most() -> None:
    hand = "* 5H 7H 9C 9D KS KD AS 2S 4S".split()
    given = {"hands": [hand, OTHER], "phase": "TABLE", "stock": ["3H"], "pile": []}
    played = lines(turn_of("greedy", given))
    assert played == ["*=QS KS AS MELD", "KD DISCARD"]


def test_a_joker_is_laid_off_where_other_cards_can_follow() -> None:
    given = {"hands": [["*", "9H"], OTHER], "phase": "TABLE", "table": [CLUBS, HEARTS]}
    given["hands"][0] = ["*", "9H", "JD"]
    played = lines(turn_of("greedy", given))
    assert played == ["*=8H LAYOFF on 1", "9H LAYOFF on 1", "JD DISCARD"]


def test_a_joker_without_followers_goes_high_on_the_lowest_meld() -> None:
    given = {"hands": [["*", "JD", "2H"], OTHER], "phase": "TABLE", "table": [CLUBS, HEARTS]}
    assert lines(turn_of("greedy", given))[0] == "*=5C LAYOFF on 0"
    given["table"] = [KINGS, HEARTS]
    assert lines(turn_of("greedy", given))[0] == "*=K LAYOFF on 0"


def test_the_dearest_card_is_thrown_and_a_joker_last_of_all() -> None:
    given = {"hands": [["AH", "KD", "3C"], OTHER], "phase": "TABLE"}
    assert lines(turn_of("greedy", given)) == ["AH DISCARD"]
    given = {"hands": [["*", "3C"], OTHER], "phase": "TABLE"}
    assert lines(turn_of("greedy", given)) == ["3C DISCARD"]
    assert lines(turn_of("greedy", given, taken=50)) == ["* DISCARD"]  # 3C was just taken


def test_a_twin_may_go_where_the_taken_card_may_not() -> None:
    given = {"hands": [["AH", "AH", "3C"], OTHER], "phase": "TABLE"}
    assert lines(turn_of("greedy", given, taken=16)) == ["AH DISCARD"]
    assert lines(turn_of("greedy", given, {"TAKEN_CARD_MATCH": "face"}, taken=16)) == ["3C DISCARD"]


def test_the_taken_card_may_go_straight_back_while_there_is_a_stock() -> None:
    given = {"hands": [["AH", "4D", "3C"], OTHER], "phase": "TABLE"}
    allowed = {"RETURN_TAKEN_DISCARD": "allowed"}
    assert lines(turn_of("greedy", given, allowed, taken=16)) == ["AH DISCARD"]
    assert lines(turn_of("greedy", given | {"stock": []}, allowed, taken=16)) == ["4D DISCARD"]


def test_without_a_stock_the_draw_is_no_choice() -> None:
    given = {"hands": [["2H", "3D"], OTHER], "stock": [], "pile": ["4C", "KC"]}
    assert lines(turn_of("hold", given)) == ["KC DRAW_DISCARD", "3D DISCARD"]


@pytest.mark.parametrize(("strategy", "rounds"), [("greedy", 4), ("hold", 12)])
def test_a_stalled_player_throws_low_and_draws_for_less(strategy: str, rounds: int) -> None:
    given = {"hands": [["2H", "6D"], OTHER], "pile": ["5C"]}
    usual = lines(turn_of(strategy, given, quiet=2 * rounds - 1))
    assert usual == ["5C DRAW_DISCARD", "6D DISCARD"]  # 7 points, and 8 before
    # Without a six the hand is worth 2 now, and 7 with the five: it stays on the pile.
    stuck = lines(turn_of(strategy, given, quiet=2 * rounds))
    assert stuck == ["2C DRAW_STOCK", "2C DISCARD"]
    assert lines(turn_of(strategy, given, quiet=4 * rounds)) == usual


def test_hold_shows_nothing_before_the_end() -> None:
    hand = ["5C", "6C", "7C", "KD", "QH", "9S"]
    given = {"hands": [hand, OTHER], "stock": ["2D"], "pile": ["KC"], "table": [SPADES, HEARTS]}
    assert lines(turn_of("hold", given)) == ["2D DRAW_STOCK", "KD DISCARD"]
    laid = lines(turn_of("greedy", given))
    assert laid == ["2D DRAW_STOCK", "5C 6C 7C MELD", "9S JOKER_MOVE on 0", "KD DISCARD"]


def test_hold_ends_a_hand_by_moving_a_joker() -> None:
    """C-DBR-34: 9S takes the joker's place, 4S goes below the joker."""
    given = {"hands": [["9S", "4S"], OTHER], "stock": ["2D"], "pile": ["KC"], "table": [SPADES]}
    ended = ["2D DRAW_STOCK", "9S JOKER_MOVE on 0", "4S LAYOFF on 0", "2D DISCARD"]
    assert lines(turn_of("hold", given)) == ended
    # The other one is taken from the pile because the hand ends with it.
    given = {"hands": [["9S", "2D"], OTHER], "pile": ["4S"], "table": [SPADES]}
    ended = ["4S DRAW_DISCARD", "9S JOKER_MOVE on 0", "4S LAYOFF on 0", "2D DISCARD"]
    assert lines(turn_of("hold", given)) == ended


def test_nobody_gets_stuck_with_the_taken_card_where_that_is_illegal() -> None:
    given = {"hands": [["8H", "JC"], OTHER], "phase": "TABLE", "table": [HEARTS]}
    jack = {"taken": 16 * 3 + 10}
    assert lines(turn_of("greedy", given, **jack)) == ["8H LAYOFF on 0", "HOLD"]
    refused = turn_of("greedy", given, {"ONLY_TAKEN_LEFT": "illegal"}, **jack)
    assert lines(refused) == ["8H DISCARD"]


def test_an_own_meld_comes_first_where_laying_off_asks_for_it() -> None:
    own = {"LAYOFF_NEEDS_OWN_MELD": "yes"}
    given = {"hands": [["8H", "9S", "2D"], OTHER], "phase": "TABLE", "table": [SPADES, HEARTS]}
    assert lines(turn_of("greedy", given, own)) == ["9S JOKER_MOVE on 0", "8H DISCARD"]
    assert lines(turn_of("greedy", given)) == [
        "8H LAYOFF on 1",
        "9S JOKER_MOVE on 0",
        "2D DISCARD",
    ]


def test_greedy_keep_throws_outside_its_band_first() -> None:
    given = {"hands": [["AH", "KD", "3C", "7D"], OTHER], "phase": "TABLE"}
    assert lines(turn_of("greedy-keep", given)) == ["AH DISCARD"]
    assert lines(turn_of("greedy-keep(low=1, high=2)", given)) == ["KD DISCARD"]
    given["hands"][0] = ["5D", "6S", "8C", "3H"]
    assert lines(turn_of("greedy-keep", given)) == ["3H DISCARD"]
    given["hands"][0] = ["5D", "6S", "8C", "*"]
    assert lines(turn_of("greedy-keep", given)) == ["8C DISCARD"]
