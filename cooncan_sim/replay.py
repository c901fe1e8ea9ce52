"""One hand again, as a log that people and programs can read (`cooncan-hand/1`)."""

from collections.abc import Mapping, Sequence

import numpy as np

from cooncan_sim import catalog
from cooncan_sim.games import cooncan_play
from cooncan_sim.games.cooncan import deal_hand, drawing_order, first_dealer
from cooncan_sim.games.cooncan_state import BROKEN, OVER
from cooncan_sim.games.cooncan_text import FACES, action_of, cards_text
from cooncan_sim.simulate import ENDINGS, Plan, broken_hand

SCHEMA = "cooncan-hand/1"


def replay(
    game: str,
    players: Sequence[str],
    seed: int,
    deal: int,
    count: int = 1,
    rules: Mapping[str, object] | None = None,
    *,
    stock_order: str = "shared",
) -> list[dict]:
    """Plays deals deal … deal + count - 1 again and returns a hand log for each.

    The hands are those of `simulate` with the same arguments; with stock_order `per_seat` those
    of `compare`. Raises CooncanError for bad arguments, StrategyError where a strategy breaks a
    hand (`.partial`: the logs until then, the last one up to the illegal answer).
    """
    plan = Plan(game, (tuple(players),), seed, dict(rules or {}), stock_order)
    logs: list[dict] = []
    for number in range(deal, deal + count):
        log, problem = _play(plan, number)
        logs.append(log)
        if problem is not None:
            problem.partial = logs
            raise problem
    return logs


def _play(plan: Plan, deal: int) -> tuple[dict, Exception | None]:
    states = plan.new_state()
    state = states[0]
    deal_hand(state, plan.seed, deal, first_dealer(state["table"], plan.seed, deal))
    for seat in range(plan.players):
        weights = plan.weights[plan.seats[0, seat]]
        states["seats"]["weights"][0, seat, : len(weights)] = weights
    log = _opening(plan, deal, states)
    error = None
    while states["table"]["phase"][0] != OVER and error is None:
        who = plan.seats[0, states["table"]["turn"][0]]
        try:
            cooncan_play.play_on(*(functions[who] for functions in plan.functions), states)
        except Exception as raised:  # a strategy may raise anything
            error = raised
        log["actions"] += _actions(states)
    if error is not None or states["table"]["ending"][0] == BROKEN:
        return log, broken_hand(plan, plan.seatings[0], deal, states, error)
    table = states["table"][0]
    log["result"] = {
        "ending": ENDINGS[table["ending"]],
        "winner": int(table["winner"]) if table["winner"] >= 0 else None,
        "turns": int(table["turns"]),
        "hands": _hands(plan, states),
        "points": [int(n) for n in states["deck"]["points"][0][: table["sides"]]],
    }
    return log, None


def _opening(plan: Plan, deal: int, states: np.ndarray) -> dict:
    game = catalog.game(plan.game)
    rules = game.rules(plan.rules)
    defaults = game.rules()
    log = {
        "schema": SCHEMA,
        "game": plan.game,
        "switches": {name: rules[name] for name in rules if rules[name] != defaults[name]},
        "players": plan.players,
        "dealer": int(states["table"]["dealer"][0]),
        "seed": plan.seed,
        "deal": deal,
        "strategies": [plan.strategies[who].name for who in plan.seats[0]],
    }
    if plan.stock_order != "shared":
        log["stock_order"] = plan.stock_order
    log["hands"] = _hands(plan, states)
    log["pile"] = [FACES.text(int(states["table"]["pile"][0, 0]))]
    log["stock"] = _stock(states)
    log["actions"] = []
    return log


def _hands(plan: Plan, states: np.ndarray) -> list[list[str]]:
    seats = states["seats"][0][: plan.players]
    return [cards_text(seat["hand"], seat["twice"]) for seat in seats]


def _stock(states: np.ndarray) -> list[str]:
    """The stock as it lies, next card first; with an order for each seat, in card order."""
    if states["deck"]["per_seat"][0]:
        first, second = states["deck"]["stock"][0]
        return cards_text(first | second, first & second)
    order = np.empty(int(states["table"]["stock"][0]), dtype=np.int64)
    drawing_order(states.copy()[0], order)
    return [FACES.text(int(card) & 63) for card in order]


def _actions(states: np.ndarray) -> list[dict]:
    """The actions of the turn that has just been played."""
    deck = states["deck"][0]
    actions = []
    for note in deck["notes"][: deck["noted"]]:
        action = action_of(note, states["table"][0])
        if note["renewed"]:
            drawn = [action["card"]] if action["a"] == "DRAW_STOCK" else []
            rest = _stock(states)
            action["recycled"] = drawn + rest
        actions.append(action)
    return actions
