"""Worked cases of `double_rum`, answered by slow search."""

from typing import Any

from tests.referee.double_rum_hand import DoubleRumHand, hand_value, moved, units
from tests.referee.double_rum_play import table_answers
from tests.referee.joker_hand import run_script, shape
from tests.referee.joker_melds import MeldRules, dead, kinds_of_cards, melds, naturals
from tests.referee.tokens2 import all_switches

Given = dict[str, Any]
SPARE = ["2C", "2D"]  # a hand or stock that does not matter


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """The answer to a worked case, in the words of `expect`."""
    switches = all_switches("double_rum", case.get("switches"))
    return ANSWERS[case["kind"]](case["given"], switches)


def at_table(hand: list[str], taken: str | None, tables: list[list[str]], owner: int,
             switches: dict[str, Any]) -> DoubleRumHand:  # fmt: skip
    """A state in which seat 0 of two has drawn and may act."""
    state = DoubleRumHand(switches, [hand, SPARE], SPARE, [])
    state.start_turn(0)
    state.phase = "TABLE"
    state.taken, state.held = taken, taken is not None
    state.table = [(owner, tuple(tokens)) for tokens in tables]
    return state


def _meld(given: Given, switches: dict[str, Any]) -> Given:
    types = kinds_of_cards(given["cards"], MeldRules.of("double_rum", switches))
    return {"valid": bool(types), "types": types}


def _layoff(given: Given, switches: dict[str, Any]) -> Given:
    owner = 0 if given.get("actor_has_melded", True) else 1
    hand = naturals(given["add"]) + SPARE
    state = at_table(hand, None, [given["meld"]], owner, switches)
    for token in given["add"]:
        after = state.after({"a": "LAYOFF", "card": token, "meld": 0})
        if after is None:
            return {"legal": False, "result": None}
        state = after
    return {"legal": True, "result": list(state.table[0][1])}


def _discard(given: Given, switches: dict[str, Any]) -> Given:
    state = at_table(given["hand"], given["taken"], [], 0, switches)
    state.held = state.held and not given["taken_played"]
    legal = sorted(state.throwable())
    return {"legal": legal, "hold": not legal}


def _go_out(given: Given, switches: dict[str, Any]) -> Given:
    modes: set[str] = set()
    seen = set()

    def search(state: DoubleRumHand) -> None:
        if state.ended:
            modes.add("no_discard")
            return
        key = (tuple(sorted(state.hand)), tuple(sorted(shape(state))), state.held)
        if key in seen or len(modes) == 2:
            return
        seen.add(key)
        if len(state.hand) == 1 and state.throwable():
            modes.add("discard")
        for action in table_answers(state):
            after = state.after(action)
            assert after is not None
            search(after)

    search(at_table(given["hand"], given["taken"], given["table"], 1, switches))
    return {"modes": sorted(modes)}


def _hand_value(given: Given, switches: dict[str, Any]) -> Given:
    if switches["DBR_PENALTY_SCOPE"] == "deadwood":
        return {"points": dead(given["hand"], MeldRules.of("double_rum", switches))}
    return {"points": hand_value(given["hand"])}


def _best_partition(given: Given, switches: dict[str, Any]) -> Given:
    rules = MeldRules.of("double_rum", switches)
    least = dead(given["hand"], rules)
    example = [naturals(meld) for meld in melds(given["hand"], rules)]
    return {"min_deadwood": least, "melds_all": least == 0, "example": example}


def _setup(given: Given, switches: dict[str, Any]) -> Given:
    players, dealer = given["players"], given["dealer"]
    if not 2 <= players <= 8:
        return {"allowed": False}
    return {
        "allowed": True,
        "hand_sizes": [10] * players,
        "stock": 105 - 10 * players,
        "pile": 1,
        "order": [(dealer + step) % players for step in range(1, players + 1)],
    }


def _draw(given: Given, switches: dict[str, Any]) -> Given:
    sources = ["discard"] * bool(given["pile"]) + ["stock"] * bool(given["stock"])
    if_stock = {"reshuffle": False, "stock_before_draw": given["stock"], "pile": given["pile"]}
    return {"sources": sources, "if_stock": if_stock if given["stock"] else None}


def _end_check(given: Given, switches: dict[str, Any]) -> Given:
    idle = given["stock"] == 0 and (
        given["idle_turns"] >= switches["DBR_BLOCK_ROUNDS"] * given["players"]
    )
    nothing = given["stock"] == 0 and not given["pile"]
    ended = idle or nothing or given["turns"] >= switches["MAX_TURNS"]
    return {"ended": ended, "result": "pool" if ended else "play_on"}


def _score(given: Given, switches: dict[str, Any]) -> Given:
    delta, pool = units(given["hands"], given["winner"], given.get("pool", 0), switches)
    return {"delta": delta, "pool": pool}


def _phase(given: Given, switches: dict[str, Any]) -> Given:
    return {"legal": given["phase"] in DoubleRumHand.phases.get(given["action"], ())}


def _joker_move(given: Given, switches: dict[str, Any]) -> Given:
    foster = switches["JOKER_MOVE_MODE"] == "foster"
    rules = MeldRules.of("double_rum", switches)
    result = moved(tuple(given["meld"]), given["natural"], foster, rules)
    return {"legal": result is not None, "result": list(result) if result else None}


def _script(given: Given, switches: dict[str, Any]) -> Given:
    state = DoubleRumHand(switches, given["hands"], given["stock"], given["pile"])
    return run_script(state, given)


ANSWERS = {
    "meld": _meld,
    "layoff": _layoff,
    "discard": _discard,
    "go_out": _go_out,
    "hand_value": _hand_value,
    "best_partition": _best_partition,
    "setup": _setup,
    "draw": _draw,
    "end_check": _end_check,
    "score": _score,
    "phase": _phase,
    "joker_move": _joker_move,
    "script": _script,
}
