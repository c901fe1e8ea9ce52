"""Positions of KonKan hands, as the referee knows them, set up in the engine."""

from collections.abc import Iterator

import numpy as np

from cooncan_sim.catalog import game
from cooncan_sim.kernel import records
from tests.referee.konkan_hand import KonkanHand
from tests.referee.tokens2 import all_switches

GAME = game("konkan")


def positions(log: dict) -> Iterator[KonkanHand]:
    """The hand before each of its actions. The state yielded is played on with afterwards."""
    state = KonkanHand.from_log(all_switches("konkan", log["switches"]), log)
    for action in log["actions"]:
        yield state
        state.act(action)


def set_up(state: KonkanHand) -> np.ndarray:
    """The engine's state, shape (1,), of a position. Marked jokers count as announced."""
    rulings, text = GAME.part("rulings"), GAME.part("text")
    given = {
        "players": state.players,
        "turn": state.turn,
        "phase": state.phase,
        "hands": state.hands,
        "stock": state.stock,
        "pile": state.pile,
        "table": [{"owner": owner, "cards": list(cards)} for owner, cards in state.table],
        "down": state.down,
    }
    laid_out = rulings.script_state(GAME, GAME.rules(state.rules), given)
    states = records(1, laid_out.dtype)
    states[0] = laid_out
    table = states["table"]
    table["turns"], table["quiet"], table["laid"] = state.turns, state.quiet, state.acted
    table["owes"], table["highest"] = state.must_open, state.highest_opening
    table["fresh"] = state.down[state.turn] and not state.down_before
    table["announced"][0, : state.players] = state.marked
    if state.taken is not None and state.held:
        table["taken"] = text.FACES.number(state.taken)
    return states
