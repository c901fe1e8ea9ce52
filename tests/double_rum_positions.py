"""Positions of hands of `double_rum`, as the referee knows them, set up in its engine."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from cooncan_sim.catalog import GAMES
from cooncan_sim.games.double_rum_rulings import script_state
from cooncan_sim.games.double_rum_text import FACES
from cooncan_sim.kernel import records
from cooncan_sim.simulate import Plan
from tests.positions import play_turn
from tests.referee.double_rum_hand import DoubleRumHand
from tests.referee.tokens2 import all_switches

GAME = GAMES["double_rum"]


def positions(log: dict) -> Iterator[DoubleRumHand]:
    """The hand before each of its actions. The state yielded is played on with afterwards."""
    state = DoubleRumHand.from_log(all_switches(GAME.key, log["switches"]), log)
    for action in log["actions"]:
        yield state
        state.act(action)


def set_up(state: DoubleRumHand) -> np.ndarray:
    """The engine's state, shape (1,), of a position."""
    given = {
        "players": state.players,
        "turn": state.turn,
        "phase": state.phase,
        "hands": state.hands,
        "stock": state.stock,
        "pile": state.pile,
        "table": [{"owner": owner, "cards": tokens} for owner, tokens in state.table],
    }
    states = laid_out(state.rules, given)
    table = states["table"]
    table["turns"], table["quiet"], table["laid"] = state.turns, state.quiet, state.acted
    table["idle"] = state.idle if state.exhausted else -1
    if state.taken is not None and state.held:
        table["taken"] = FACES.number(state.taken)
    return states


def laid_out(rules: dict[str, Any], given: dict[str, Any]) -> np.ndarray:
    """The engine's state, shape (1,), of a small position given as in a worked script."""
    states = records(1, script_state(GAME, GAME.rules(rules), given).dtype)
    states[0] = script_state(GAME, GAME.rules(rules), given)
    states["table"]["ending"] = -1
    return states


def turn_of(
    strategy: str, given: dict[str, Any], rules: dict[str, Any] | None = None, **table: int
) -> list[dict]:
    """What a strategy does in the rest of the turn of a small position; table: fields to set.

    given: `hands` and what differs from a first draw of two players with an empty table.
    """
    usual = {"turn": 0, "phase": "DRAW", "stock": ["2C"], "pile": ["2D"], "table": []}
    given = usual | {"players": len(given["hands"])} | given
    states = laid_out(rules or {}, given)
    for name, value in table.items():
        states["table"][name] = value
    actions = play_turn(
        Plan(GAME.key, ((strategy,) * given["players"],), rules=rules or {}), states
    )
    return [{key: part for key, part in action.items() if key != "seat"} for action in actions]
