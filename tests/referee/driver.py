"""Deals hands of the `jaques` family and plays them with slow strategies."""

from collections.abc import Sequence
from random import Random

from tests.referee import rummy
from tests.referee.cards import PACKS
from tests.referee.log import SCHEMA
from tests.referee.strategies import Strategy, decision, view_of


def deal(game: str, players: int, dealer: int, rng: Random, switches: dict | None = None) -> dict:
    """A hand log without actions and result: the whole pack, shuffled and dealt (R-JAQ-06…08)."""
    log = {
        "schema": SCHEMA,
        "game": game,
        "switches": switches or {},
        "players": players,
        "dealer": dealer,
        "seed": 0,
        "deal": 0,
    }
    pack = rng.sample(PACKS[game], len(PACKS[game]))
    size = rummy.hand_size(rummy.settled(log))
    hands = [pack[seat * size : (seat + 1) * size] for seat in range(players)]
    rest = pack[players * size :]
    return log | {"hands": hands, "pile": rest[:1], "stock": rest[1:]}


def play(dealt: dict, strategies: Sequence[Strategy], rng: Random) -> dict:
    """A dealt hand played by strategies, one a seat: `actions` and `result` for its log.

    `rng` shuffles the renewed stock, and draws from it where the seats have stocks of their own.
    """
    state = rummy.begin(dealt)
    actions = []
    while state.ending is None:
        action = {"seat": state.turn} | decision(view_of(state), strategies[state.turn])
        if state.phase == "DRAW":
            action = rummy.completed_draw(state, action["a"], rng.shuffle)
            if state.stock_order == "per_seat" and action["a"] == "DRAW_STOCK":
                action["card"] = rng.choice(action.get("recycled", state.stock))
        rummy.play(state, action)
        actions.append(action)
    return {"actions": actions, "result": rummy.result(state)}
