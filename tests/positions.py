"""Positions of hands, as the referee knows them, set up in the engine of the `jaques` family."""

from collections.abc import Iterator

import numpy as np

from cooncan_sim.catalog import game
from cooncan_sim.kernel import records
from cooncan_sim.simulate import Plan
from tests.referee import rummy
from tests.referee.rummy import State


def positions(log: dict) -> Iterator[State]:
    """The hand before each of its actions. The state yielded is played on with afterwards."""
    state = rummy.begin(log)
    for action in log["actions"]:
        yield state
        rummy.play(state, action)


def set_up(state: State) -> np.ndarray:
    """The engine's state, shape (1,), of a position."""
    played = game(state.game)
    rulings, text = played.part("rulings"), played.part("text")
    given = {
        "players": len(state.hands),
        "turn": state.turn,
        "phase": state.phase,
        "hands": state.hands,
        "stock": state.stock,
        "pile": state.pile,
        "table": [{"owner": meld.owner, "cards": list(meld.cards)} for meld in state.table],
    }
    laid_out = rulings.script_state(played, played.rules(state.switches), given)
    states = records(1, laid_out.dtype)
    states[0] = laid_out
    table = states["table"]
    table["ending"] = -1
    table["turns"], table["quiet"], table["laid"] = state.turns, state.quiet, state.laid
    if state.taken is not None and state.taken_held:
        table["taken"] = text.FACES.number(state.taken)
    return states


def play_turn(plan: Plan, states: np.ndarray, stream: int = 0) -> list[dict]:
    """Plays the rest of the turn from a position; the strategy's own stream begins at `stream`."""
    turn = int(states["table"]["turn"][0])
    weights = plan.weights[plan.seats[0, turn]]
    states["seats"]["weights"][0, turn, : len(weights)] = weights
    states["seats"]["rng"][0, turn] = stream
    plan.engine("play").play_on(*plan.functions, plan.seats[0], states)
    return plan.engine("text").turn_actions(states)
