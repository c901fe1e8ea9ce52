"""Hand logs made here: a deal, a player that answers every question, and the log of the hand."""

from collections.abc import Callable
from random import Random
from typing import Any

from tests.referee.cards import PACKS
from tests.referee.hand_log import HandFacts
from tests.referee.tokens2 import all_switches

Log = dict[str, Any]
Choose = Callable[[Any], dict[str, Any]]


def dealt_log(game: str, players: int, switches: dict[str, Any], facts: HandFacts, rng: Random,
              per_seat: bool = False) -> Log:  # fmt: skip
    """A log with the deal only: a shuffled pack, a random dealer, no actions yet."""
    pack = list(PACKS[game])
    rng.shuffle(pack)
    dealer = rng.randrange(players)
    hands = []
    for size in facts.hand_sizes(players, dealer, all_switches(game, switches)):
        hands.append(pack[:size])
        del pack[:size]
    log = {
        "schema": "cooncan-hand/1",
        "game": game,
        "switches": switches,
        "players": players,
        "dealer": dealer,
        "seed": 1,
        "deal": 0,
        "strategies": ["random"] * players,
        "hands": hands,
        "pile": pack[: facts.turned_up],
        "stock": pack[facts.turned_up :],
        "actions": [],
    }
    return log | ({"stock_order": "per_seat"} if per_seat else {})


def play_out(log: Log, state: Any, choose: Choose) -> None:
    """Plays the hand to its end, each answer of `choose` becoming a line of the log."""
    while not state.ended:
        action = {"seat": state.seat_to_act} | choose(state)
        state.act(action)
        log["actions"].append(action)


def result_of(state: Any, points: list[int]) -> dict[str, Any]:
    """The result of a finished hand in the words of the log."""
    return {
        "ending": state.ending,
        "winner": state.winner,
        "turns": state.turns,
        "hands": [list(hand) for hand in state.hands],
        "points": points,
    }
