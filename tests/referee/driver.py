"""Plays hands of the `jaques` family with slow strategies, and plays decisions of a log again."""

from collections.abc import Sequence
from random import Random

from tests.referee import rummy
from tests.referee.cards import PACKS
from tests.referee.frame import other_book, same_cards
from tests.referee.log import SCHEMA
from tests.referee.rummy import State
from tests.referee.strategies import Strategy, named, view_of


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


def decision(view: State, strategy: Strategy) -> dict:
    """What a strategy does next; a single source is no question, nor is a hold."""
    if view.phase == "DRAW":
        where = rummy.sources(view)
        only = f"DRAW_{where[0].upper()}" if len(where) == 1 else None
        return {"a": only or strategy.choose_draw(view)}
    action = strategy.choose_table(view)
    if action:
        return action
    if rummy.legal_discards(view):
        return {"a": "DISCARD", "card": strategy.choose_discard(view)}
    return {"a": "HOLD"}


def replays_as(log: dict) -> list[str]:
    """The first action of a legal log that a seat's slow strategy would not have taken.

    Seats whose strategy is not played here are believed. An empty list if there is none.
    """
    book = other_book(log["game"])
    if book:
        return book.replays_as(log)
    strategies = [named(name) for name in log["strategies"]]
    state = rummy.begin(log)
    for number, action in enumerate(log["actions"]):
        strategy = strategies[state.turn]
        if strategy:
            wanted = decision(view_of(state), strategy)
            if not same_action(wanted, action):
                name = log["strategies"][state.turn]
                return [f"action {number}: {name} plays {wanted}, the log has {action}"]
        rummy.play(state, action)
    return []


def same_action(one: dict, other: dict) -> bool:
    """Equal but for the order inside a set; runs have one order only."""
    if one["a"] == "MELD" == other["a"]:
        return same_cards(one["cards"], other["cards"])
    return all(one.get(key) == other.get(key) for key in ("a", "meld")) and (
        one["a"].startswith("DRAW") or one.get("card") == other.get("card")
    )
