"""Positions of Conquian hands, as the referee knows them, set up in the engine."""

from collections.abc import Iterator
from copy import copy

import numpy as np

from cooncan_sim.catalog import game
from cooncan_sim.games.conquian_rulings import script_state
from cooncan_sim.games.conquian_state import DISCARDING, FORCING, OFFER
from cooncan_sim.games.conquian_text import mask
from cooncan_sim.kernel import records
from tests.referee.conquian_hand import ConquianHand
from tests.referee.tokens2 import all_switches

PHASES = {"OFFER": OFFER, "FORCE": FORCING, "DISCARD": DISCARDING}


def positions(log: dict) -> Iterator[tuple[ConquianHand, dict, ConquianHand]]:
    """The hand before each of its actions, the action, and the hand after it."""
    state = ConquianHand.from_log(all_switches(log["game"], log["switches"]), log)
    for action in log["actions"]:
        if state.phase == "OFFER":
            state.reveal(action["card"])
        before = copy(state)  # an action makes new lists of cards
        state.act(action)
        yield before, action, state


def set_up(state: ConquianHand) -> np.ndarray:
    """The engine's state, shape (1,), of a position in which a seat is asked something."""
    key = "conquian_jaques" if "CQJ_SIZE" in state.rules else "conquian"
    given = {"hands": state.hands, "tables": state.tables, "stock": state.stock,
             "to": state.to, "from": state.origin}  # fmt: skip
    if state.card is not None:
        given["card"] = state.card
    laid_out = script_state(game(key), game(key).rules(state.rules), given)
    states = records(1, laid_out.dtype)
    states[0] = laid_out
    table = states["table"]
    table["phase"] = PHASES[str(state.phase)]
    table["turn"] = state.seat_to_act
    table["forced"] = state.forced
    table["dead"] = mask(state.dead)
    return states
