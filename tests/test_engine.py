"""The engine and an independent referee agree on every action and result of random hands."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

import numpy as np
import pytest

from cooncan_sim.catalog import GAMES
from cooncan_sim.games.cooncan_table import reopen
from cooncan_sim.kernel import copied
from cooncan_sim.simulate import Plan
from tests.referee import rummy
from tests.referee.frame import FAMILY
from tests.referee.log import check
from tests.referee.strategies import legal_answers
from tests.sittings import Sitting, choices, hands, sittings, specs

every_game = pytest.mark.parametrize("game", FAMILY)

# Sittings at which hands end in a way, or reach a point, that random ones hardly ever do.
SELDOM = {
    "jaques": [
        Sitting("jaques", (name,) * 4, rules, order, seed=5, deals=12)
        for rules in [{"GO_OUT_BY_DISCARD": "forbidden", "HAND_SIZE": 11, "LAYOFF_SCOPE": "own"}]
        for name in ("greedy", "random")
        for order in ("shared", "per_seat")
    ]
}
CORNERS = {
    "out by a meld",
    "out by a lay-off",
    "out by a discard",
    "ending max_turns",
    "HOLD",
    "stock renewed on demand",
    "stock renewed at the start of a turn",
    "stock renewed, then the discard taken",
    "stock renewed twice",
    "stock renewed, each seat its own order",
    "lay-off on another's meld",
    "set of 4",
    "taken card kept, thrown later",
    "taken card laid off",
    "an action refused by ONLY_TAKEN_LEFT",
}


def corners(log: dict) -> Iterator[str]:
    """The rare points that a hand has reached."""
    actions, result = log["actions"], log["result"]
    yield f"ending {result['ending']}"
    if result["ending"] == "out":
        last = {"MELD": "a meld", "LAYOFF": "a lay-off", "DISCARD": "a discard"}
        yield f"out by {last[actions[-1]['a']]}"
    renewed = [action for action in actions if "recycled" in action]
    at_start = log["switches"].get("RESHUFFLE_TIMING") == "at_turn_start"
    if renewed:
        yield f"stock renewed {'at the start of a turn' if at_start else 'on demand'}"
        if "stock_order" in log:
            yield "stock renewed, each seat its own order"
    if len(renewed) > 1:
        yield "stock renewed twice"
    if any(action["a"] == "DRAW_DISCARD" for action in renewed):
        yield "stock renewed, then the discard taken"
    owners = [action["seat"] for action in actions if action["a"] == "MELD"]
    for action in actions:
        if action["a"] == "HOLD":
            yield "HOLD"
        elif action["a"] == "LAYOFF" and owners[action["meld"]] != action["seat"]:
            yield "lay-off on another's meld"
        elif action["a"] == "MELD" and len({card[0] for card in action["cards"]}) == 1:
            yield f"set of {len(action['cards'])}"
    yield from corners_of_taking(log)


def corners_of_taking(log: dict) -> Iterator[str]:
    """What became of cards taken from the pile."""
    taken: dict[tuple[int, str], int] = {}
    for place, action in enumerate(log["actions"]):
        card = (action["seat"], action.get("card", "").split("=")[0])
        if action["a"] == "DRAW_DISCARD":
            taken[card] = place
        elif action["a"] == "DISCARD" and card in taken:
            yield "taken card kept, thrown later"
        elif action["a"] == "LAYOFF" and taken.get(card) == place - 1:
            yield "taken card laid off"


def is_refused_an_action(log: dict) -> bool:
    """Whether ONLY_TAKEN_LEFT = illegal forbids something in this hand that is legal otherwise."""
    if log["switches"].get("ONLY_TAKEN_LEFT") != "illegal":
        return False
    state = rummy.begin(log)
    for action in log["actions"]:
        if state.phase == "TABLE" and state.taken_held and len(state.hand) <= 5:
            free = replace(state, switches=state.switches | {"ONLY_TAKEN_LEFT": "hold"})
            if len(legal_answers(free, "table")) > len(legal_answers(state, "table")):
                return True
        rummy.play(state, action)
    return False


@every_game
def test_the_referee_agrees(game: str) -> None:
    """A thousand hands for each number of players."""
    wanted = CORNERS | {"ending void"} if game == "jaques" else CORNERS
    reached: set[str] = set()
    seldom = chain.from_iterable(sitting.logs() for sitting in SELDOM.get(game, ()))
    random_ones = hands(sittings(game, seed=1), 1_000 * len(GAMES[game].players))
    for log in chain(seldom, random_ones):
        assert_right(log)
        if not reached >= wanted:
            reached.update(corners(log))
            if is_refused_an_action(log):
                reached.add("an action refused by ONLY_TAKEN_LEFT")
    assert reached >= wanted, wanted - reached


@pytest.mark.soak
@every_game
def test_the_referee_agrees_on_many(game: str) -> None:
    for log in hands(sittings(game, seed=7), 100_000):
        assert_right(log)


def assert_right(log: dict) -> None:
    """The referee finds nothing wrong with a hand."""
    faults = check(log)
    assert not faults, (faults, {**log, "actions": "…"})


@pytest.mark.plain
@every_game
def test_the_referee_agrees_on_a_few(game: str) -> None:
    for log in hands(sittings(game, seed=2), 45):
        assert_right(log)


@pytest.mark.plain
@every_game
def test_the_random_sittings_leave_nothing_out(game: str) -> None:
    tried = list(islice(sittings(game, seed=1), 400))
    assert {len(sitting.players) for sitting in tried} == set(GAMES[game].players)
    assert {spec for sitting in tried for spec in sitting.players} == set(specs(game))
    for name, switch in GAMES[game].switches.items():
        values = {sitting.rules.get(name, switch.default) for sitting in tried}
        assert values == {switch.default, *choices(switch)}


def tables_after_turns(sitting: Sitting) -> Iterator[np.void]:
    """The engine's table after each turn of the first hand of a sitting."""
    plan = Plan(sitting.game, (sitting.players,), sitting.seed, sitting.rules, sitting.stock_order)
    play, states = plan.engine("play"), plan.new_state()
    play.begin(states, sitting.seed, sitting.deal)
    for seat, who in enumerate(plan.seats[0]):
        states["seats"]["weights"][0, seat, : plan.weights.shape[1]] = plan.weights[who]
    while states["table"]["ending"][0] < 0:
        play.play_on(*plan.functions, plan.seats[0], states)
        yield states["table"][0]


@pytest.mark.plain
@every_game
def test_what_fits_the_table_is_kept_up_meld_by_meld(game: str) -> None:
    grown = 0
    for sitting in islice(sittings(game, seed=6), 40):
        for table in tables_after_turns(sitting):
            anew = copied(table)
            reopen(anew)
            assert table["run_ends"].tolist() == anew["run_ends"].tolist(), sitting
            assert table["set_gaps"].tolist() == anew["set_gaps"].tolist(), sitting
            grown += int(table["meld_count"])
    assert grown > 1_000
