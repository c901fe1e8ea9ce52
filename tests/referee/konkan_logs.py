"""Hands of KonKan played at random, and their logs, for testing the referee."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

from tests.referee import konkan
from tests.referee.cards import JOKER
from tests.referee.joker_play import first_legal, throw
from tests.referee.konkan_hand import KonkanHand, points
from tests.referee.konkan_play import (
    announce_answers,
    discard_answers,
    draw_answers,
    kk_greedy,
    swaps,
    table_proposals,
)
from tests.referee.made_logs import dealt_log, play_out, result_of
from tests.referee.tokens2 import all_switches

Log = dict[str, Any]

SETTINGS: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"KK_WINNER_BONUS": 60, "RUN_BOTH_ACES": "forbidden"}),
    (4, {}),
    (4, {"RESHUFFLE_TIMING": "at_turn_start", "KK_BURN_WITH_JOKER": "joker_counts"}),
    (4, {"KK_RESHUFFLE_KEEP_TOP": "yes", "KK_SET_JOKER_SUIT": "any_missing"}),
    (4, {"KK_RESHUFFLE_KEEP_TOP": "yes", "RESHUFFLE_TIMING": "at_turn_start"}),
    (3, {"KK_PICKUP_MUST_USE": "yes", "KK_OPEN_RULE": "beat_previous"}),
    (3, {"KK_DEALER_COMEDOWN": "yes", "KK_BURN_POSITION": "top", "KK_JOKERS_PER_PAIR": 1}),
    (3, {"TAKEN_CARD_MATCH": "face", "KK_ANNOUNCE_WINDOW": "comedown_turn"}),
    (2, {"RETURN_TAKEN_DISCARD": "allowed", "KK_SWAP_SAME_TURN": "no", "MAX_TURNS": 60}),
    (4, {"KK_NOT_DOWN_PENALTY": 100, "VOID_HAND_SCORING": "all_count", "MAX_TURNS": 40}),
]


def any_player(rng: Random) -> Callable[[KonkanHand], Log]:
    """A random player who frees every joker, announces, and throws well or at random."""
    keen, careful = rng.random(), rng.random()

    def choose(state: KonkanHand) -> Log:
        if state.phase == "DRAW":
            sources = draw_answers(state)
            return with_card(state, sources[-1 if rng.random() < 0.4 * keen else 0], rng)
        number = rng.choice(announce_answers(state)) if state.phase == "TABLE" else 0
        if number and rng.random() < 0.5:
            return {"a": "ANNOUNCE", "n": number}
        opening = state.phase == "OPENING" and state.phases["COME_DOWN"] == ("TABLE",)
        if not opening and (state.must_open or rng.random() < 0.9):
            tries = table_proposals(state)
            if keen < 0.4 and state.down[state.turn]:  # keeps his jokers
                tries = [action for action in tries if JOKER not in str(action)]
            some = rng.sample(tries, min(len(tries), 20))
            action = first_legal(state, [*swaps(state), *some])
            if action is not None:
                return action
        card = throw(state) if rng.random() < careful else None
        return {"a": "DISCARD", "card": card} if card else rng.choice(discard_answers(state))

    return choose


def with_card(state: KonkanHand, action: Log, rng: Random) -> Log:
    """The draw with the card drawn, and the new stock if there is one, as in a log."""
    if not action["a"].startswith("DRAW"):
        return action
    told: Log = {}
    if state.renewed or (action["a"] == "DRAW_STOCK" and not state.stock):
        told["recycled"] = list(state.stock or state.recyclable())
        rng.shuffle(told["recycled"])
    if action["a"] == "DRAW_DISCARD":
        return action | told | {"card": state.pile[-1]}
    stock = told.get("recycled", state.stock)
    return action | told | {"card": stock[0] if state.ordered else rng.choice(stock)}


def made_log(number: int, players: int, switches: Log, strategy: str = "random") -> Log:
    rng = Random(f"konkan {number} {players} {sorted(switches)}")
    log = dealt_log("konkan", players, switches, konkan.FACTS, rng, number % 4 == 3)
    log["strategies"] = [strategy] * players
    state = KonkanHand.from_log(all_switches("konkan", switches), log)
    if strategy == "kk_greedy":
        play_out(log, state, lambda state: with_card(state, kk_greedy(state), rng))
    else:
        play_out(log, state, any_player(rng))
    scored = points(state.hands, state.winner, state.marked, state.down, state.rules)
    log["result"] = result_of(state, scored)
    return log


@cache
def own_logs() -> list[Log]:
    return [made_log(n, players, switches) for players, switches in SETTINGS for n in range(8)]


def walk(log: Log) -> Iterator[tuple[int, KonkanHand, Log]]:
    """Number, state before, and action of every line of a log."""
    state = KonkanHand.from_log(all_switches("konkan", log["switches"]), log)
    for number, action in enumerate(log["actions"]):
        yield number, state.copy(), action
        state.act(action)
