"""Worked cases of `konkan`, answered by slow search."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from tests.referee.cards import JOKER, SUITS
from tests.referee.joker_hand import run_script, shape
from tests.referee.joker_melds import (
    Meld,
    MeldRules,
    kind,
    kinds_of_cards,
    melds_where,
    melds_with,
    most_worth,
    naturals,
    worth,
)
from tests.referee.konkan_hand import KonkanHand, burns, hand_value, points
from tests.referee.konkan_play import table_proposals
from tests.referee.tokens2 import all_switches, in_card_order, without

Given = dict[str, Any]
SPARE = ["2C", "2D"]  # a hand or stock that does not matter


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """The answer to a worked case, in the words of `expect`."""
    switches = all_switches("konkan", case.get("switches"))
    return ANSWERS[case["kind"]](case["given"], switches)


def at_table(hand: list[str], taken: str | None, tables: list[list[str]], down: bool,
             switches: dict[str, Any]) -> KonkanHand:  # fmt: skip
    """A state in which seat 0 of two has drawn and may act; the other is down."""
    state = KonkanHand(switches, [hand, SPARE], SPARE, [])
    state.down = [down, True]
    state.start_turn(0)
    state.phase = "TABLE"
    state.taken, state.held = taken, taken is not None
    state.must_open = taken is not None and not down
    state.table = [(1, tuple(tokens)) for tokens in tables]
    return state


def _setup(given: Given, switches: dict[str, Any]) -> Given:
    players, dealer = given["players"], given["dealer"]
    if not 2 <= players <= 4:
        return {"allowed": False}
    return {
        "allowed": True,
        "hand_sizes": [14 + (seat == dealer) for seat in range(players)],
        "stock": 105 - 14 * players,
        "pile": 0,
        "order": [(dealer - step) % players for step in range(players)],
    }


def _meld(given: Given, switches: dict[str, Any]) -> Given:
    types = kinds_of_cards(given["cards"], MeldRules.of("konkan", switches))
    return {"valid": bool(types), "types": types}


def _come_down(given: Given, switches: dict[str, Any]) -> Given:
    state = at_table(given["hand"], None, [], False, switches)
    legal = state.after({"a": "COME_DOWN", "melds": given["melds"]}) is not None
    joker_counts = switches["KK_BURN_WITH_JOKER"] == "joker_counts"
    laid = [tuple(meld) for meld in given["melds"]]
    burned = [n for n, meld in enumerate(laid) if burns(meld, joker_counts, state.meld_rules)]
    total = sum(worth(meld, state.meld_rules) for meld in laid)
    return {"points": total, "legal": legal, "burned": burned if legal else []}


def _layoff(given: Given, switches: dict[str, Any]) -> Given:
    state = at_table(naturals(given["add"]) + SPARE, None, [given["meld"]], given["down"], switches)
    result: Meld | None = tuple(given["meld"])
    for token in given["add"]:
        after = state.after({"a": "LAYOFF", "card": token, "meld": 0})
        if after is None or result is None:
            return {"legal": False, "result": None, "burned": False}
        state, result = after, state.grown(result, token, None)
    return {"legal": True, "result": list(result or ()), "burned": not state.table}


def _joker_swap(given: Given, switches: dict[str, Any]) -> Given:
    card, meld = given["card"], given["meld"]
    state = at_table([card, *SPARE], None, [meld], given["down"], switches)
    after = state.after({"a": "JOKER_SWAP", "card": card, "meld": 0})
    if after is None:
        return {"legal": False, "result": None, "burned": False}
    result = state.swapped(tuple(meld), card)
    return {"legal": True, "result": list(result or ()), "burned": not after.table}


def _pickup(given: Given, switches: dict[str, Any]) -> Given:
    state = KonkanHand(switches, [given["hand"], SPARE], SPARE, [given["top"]])
    state.down[0] = given["down"]
    state.start_turn(0)
    return {"legal": "DRAW_DISCARD" in state.sources()}


def _open_max(given: Given, switches: dict[str, Any]) -> Given:
    rules = MeldRules.of("konkan", switches)
    hand = in_card_order(given["hand"])
    best = max(most_worth(tuple(without(hand, [card])), rules) for card in set(hand))
    example = melds_where(hand, rules, best, lambda laid, kept: bool(kept))
    return {
        "max_points": best,
        "can_come_down": best >= switches["KK_OPEN_POINTS"],
        "example": [naturals(meld) for meld in example or ()],
    }


def every_placing(meld: Meld, rules: MeldRules) -> Iterator[Meld]:
    """The meld with its jokers standing for any missing suits, if it is a set."""
    own = [token for token in meld if token[0] != JOKER]
    if kind(meld, rules) != "set":
        yield meld
        return
    missing = [suit for suit in SUITS if own[0][0] + suit not in own]
    for suits in combinations(missing, len(meld) - len(own)):
        yield (*own, *(f"*={own[0][0]}{suit}" for suit in suits))


def disjoint_melds(cards: tuple[str, ...], rules: MeldRules) -> Iterator[list[Meld]]:
    """Every choice of disjoint melds out of the cards (in card order)."""
    if not cards or cards[0] == JOKER:
        yield []
        return
    first, *rest = cards
    yield from disjoint_melds(tuple(rest), rules)
    for meld in melds_with(first, rest, rules):
        left = tuple(without(cards, naturals(meld)))
        for placed in every_placing(meld, rules):
            for more in disjoint_melds(left, rules):
                yield [placed, *more]


def _go_out(given: Given, switches: dict[str, Any]) -> Given:
    seen = set()

    def possible(state: KonkanHand) -> bool:
        key = (tuple(sorted(state.hand)), tuple(sorted(shape(state))), state.held)
        if key in seen:
            return False
        seen.add(key)
        if len(state.hand) == 1:
            return bool(state.throwable())
        actions = []
        for action in table_proposals(state):
            melds = every_placing(tuple(action.get("cards", ())), state.meld_rules)
            told = (
                [action | {"cards": list(meld)} for meld in melds] if action["a"] == "MELD" else []
            )
            actions += told or [action]
        after = (state.after(action) for action in actions)
        return any(possible(trial) for trial in after if trial is not None)

    state = at_table(given["hand"], given["taken"], given["table"], given["down"], switches)
    starts = [state]
    if not given["down"]:
        hand = tuple(in_card_order(given["hand"]))
        openings = disjoint_melds(hand, state.meld_rules)
        tried = (state.after({"a": "COME_DOWN", "melds": melds}) for melds in openings)
        starts = [trial for trial in tried if trial is not None]
    return {"modes": ["discard"] if any(possible(start) for start in starts) else []}


def _hand_value(given: Given, switches: dict[str, Any]) -> Given:
    marked = given.get("announced", 0) + given.get("table_jokers", 0)
    return {"points": hand_value(given["hand"], marked)}


def _announce(given: Given, switches: dict[str, Any]) -> Given:
    hand = [JOKER] * given["jokers_in_hand"] + SPARE
    state = at_table(hand, None, [], given["down"], switches)
    state.marked[0] = given["announced_before"] + given["table_jokers"]
    return {"legal": state.after({"a": "ANNOUNCE", "n": given["announce"]}) is not None}


def _score(given: Given, switches: dict[str, Any]) -> Given:
    marked = [a + t for a, t in zip(given["announced"], given["table_jokers"], strict=True)]
    return {"delta": points(given["hands"], given["winner"], marked, given["down"], switches)}


def _draw(given: Given, switches: dict[str, Any]) -> Given:
    state = KonkanHand(switches, [SPARE, SPARE], SPARE[:1] * given["stock"], given["pile"])
    state.start_turn(0)
    may_take = bool(state.pile) and (given["down"] or given["can_open_with_top"])
    may_draw = state.draw_ban("DRAW_STOCK") is None
    if may_draw and not state.stock:
        state.renew_stock()
    if_stock = {
        "reshuffle": state.renewed,
        "stock_before_draw": len(state.stock),
        "pile": state.pile,
    }
    sources = ["discard"] * may_take + ["stock"] * may_draw
    return {"sources": sources, "if_stock": if_stock if may_draw else None}


def _discard(given: Given, switches: dict[str, Any]) -> Given:
    state = at_table(given["hand"], given["taken"], [], True, switches)
    state.held = state.held and not given["taken_played"]
    return {"legal": sorted(state.throwable()), "hold": False}


def _phase(given: Given, switches: dict[str, Any]) -> Given:
    action, down = given["action"], given.get("down", False)
    exists = given["phase"] in KonkanHand(switches, [[], []], [], []).phases.get(action, ())
    if action == "COME_DOWN":
        return {"legal": exists and not down}
    if action in ("MELD", "LAYOFF", "JOKER_SWAP", "ANNOUNCE"):
        return {"legal": exists and down}
    return {"legal": exists}


def _match(given: Given, switches: dict[str, Any]) -> Given:
    scores = [s + d for s, d in zip(given["scores"], given["delta"], strict=True)]
    over = given["hand_no"] >= given["set_length"]
    best = [seat for seat, score in enumerate(scores) if score == min(scores)]
    dealer = next_dealer(given["dealer"], given["winner"], len(scores), switches)
    return {
        "scores": scores,
        "eliminated": [],
        "over": over,
        "match_winner": (best[0] if len(best) == 1 else best) if over else None,
        "next_dealer": None if over else dealer,
    }


def next_dealer(dealer: int, winner: int | None, players: int, switches: dict[str, Any]) -> int:
    """Who deals next: the winner; after a void hand the same, or the seat to the right
    (R-KON-22, KK_VOID_DEALER)."""
    if winner is not None:
        return winner
    return dealer if switches["KK_VOID_DEALER"] == "same" else (dealer - 1) % players


def _script(given: Given, switches: dict[str, Any]) -> Given:
    state = KonkanHand(switches, given["hands"], given["stock"], given["pile"])
    state.down = list(given["down"])
    return run_script(state, given)


ANSWERS = {
    "setup": _setup,
    "meld": _meld,
    "come_down": _come_down,
    "layoff": _layoff,
    "joker_swap": _joker_swap,
    "pickup": _pickup,
    "open_max": _open_max,
    "go_out": _go_out,
    "hand_value": _hand_value,
    "announce": _announce,
    "score": _score,
    "draw": _draw,
    "discard": _discard,
    "phase": _phase,
    "match": _match,
    "script": _script,
}
