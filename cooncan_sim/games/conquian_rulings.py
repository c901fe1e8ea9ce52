"""Rules questions about Conquian, put in card text and answered by its engine.

`ANSWERS` has one function for each kind of worked case (RULES, Part 2): it takes the game, the
rules and the given part of a case and returns the expected part.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cooncan_sim.errors import CooncanError
from cooncan_sim.games import conquian
from cooncan_sim.games import conquian_breach as breach
from cooncan_sim.games.conquian_deal import deal_hand
from cooncan_sim.games.conquian_moves import forceable, largest_taking
from cooncan_sim.games.conquian_play import longest_run, new_state
from cooncan_sim.games.conquian_state import (
    ACCEPT,
    DECLINE,
    DISCARD,
    DISCARDED,
    DISCARDING,
    DRAWN,
    FORCE,
    FORCING,
    LET_PASS,
    OFFER,
    OUT,
    OVER,
    REARRANGE_NONE,
    STOCK,
    TURN,
    Answer,
)
from cooncan_sim.games.conquian_table import check_accept
from cooncan_sim.games.conquian_text import (
    FACES,
    NUMBERS,
    accept_answer,
    cards_text,
    mask,
    melds_of,
)
from cooncan_sim.games.rulebook import Game
from cooncan_sim.melds.conquian import CqRules, can_still_win
from cooncan_sim.melds.conquian_search import is_meld

Rules = Mapping[str, str | int]
Given = Mapping[str, Any]
PHASES = {"OFFER": OFFER, "FORCE": FORCING, "DISCARD": DISCARDING}
ORIGINS = {"stock": STOCK, "discard": DISCARDED}
RESULTS = {OUT: "out", DRAWN: "draw"}


def meld(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `meld`: whether the cards are a run or a set."""
    try:
        cards = mask(given["cards"])
    except CooncanError:  # a card that this pack has not, or has but once
        return {"valid": False, "types": []}
    valid = bool(is_meld(cards, longest_run(game.codes(rules))))
    kind = "set" if len({card[0] for card in given["cards"]}) == 1 else "run"
    return {"valid": valid, "types": [kind] if valid else []}


def setup(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `setup`: cards after the deal and the order of the first turns."""
    if given["players"] not in game.players:
        return {"allowed": False}
    state = new_state(game, 2, game.codes(rules), False)[0]
    deal_hand(state, 0, 0, given["dealer"])
    table = state["table"]
    return {
        "allowed": True,
        "hand_sizes": [int(n) for n in table["hand_sizes"]],
        "stock": int(table["stock"]),
        "pile": 0,
        "order": [int(table["turn"]), 1 - int(table["turn"])],
    }


def end_check(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `end_check`: whether the hand can go on with so many cards in stock."""
    state = _small_state(game, rules, {"stock": _some_cards(given["stock"])})
    if given["need"] == "turn_stock":
        state["table"]["phase"] = TURN
        _turn(state)
        ended = bool(state["table"]["phase"] == OVER)
    else:
        ended = bool(conquian.ends_without_stock(state["table"]))
    return {"ended": ended, "result": "draw" if ended else "play_on"}


def phase(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `phase`: whether there is such an action at that point of a turn at all."""
    state = _small_state(game, rules, {"card": "2S", "hands": [["3S"], []]})
    state["table"]["phase"] = PHASES.get(given["phase"], OVER)
    action = {"a": given["action"], "hand_cards": [], "melds": [], "card": "3S"}
    return {"legal": given["action"] in NUMBERS and _try(state, action) != breach.NOT_THIS_PHASE}


def cq_offer(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `cq_offer`: what can become of a card that is offered to a seat."""
    tables = [given["table"], given.get("opponent_table", [])]
    offer = {"hands": [given["hand"], []], "tables": tables, "card": given["card"]}
    state = _small_state(game, rules, offer)
    table, seat = state["table"], state["seats"][0]
    can_accept, cards = largest_taking(table, seat)
    melded = len(cards_text(table["down"][0])) + 1 + len(cards_text(cards))
    return {
        "can_accept": bool(can_accept),
        "forceable": bool(forceable(table, seat)),
        "max_melded": melded if can_accept else None,
        "wins": bool(can_accept and melded >= table["need"]),
    }


def cq_future(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `cq_future`: whether cards that can still come could win with these melds."""
    state = _small_state(game, rules, {"tables": [given["table"], []]})
    table = state["table"]
    if table["deal_size"] + 1 < table["need"]:
        return {"can_still_win": False}  # R-CQJ-05: taken literally nobody can win
    free = bool(table["CQ_REARRANGE"] != REARRANGE_NONE)
    known = CqRules(free, int(table["CQ_HAND_CARDS"]), int(table["most_run"]), 0, 0)
    melds = table["melds"][0].copy()
    gone = mask(given["unavailable"])
    found = can_still_win(melds, len(given["table"]), gone, int(table["need"]), known)
    return {"can_still_win": bool(found)}


def cq_flow(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `cq_flow`: what follows an answer to an offer."""
    event, size = given["event"], given.get("hand_after", 1)
    state = _small_state(game, rules, {"stock": _some_cards(given["stock"]), "card": "KC"})
    table, seat = state["table"], state["seats"][0]
    if event == "decline_discard":
        table["origin"] = DISCARDED
    if event.startswith("decline"):
        conquian.decline_card(state)
        _turn(state)
    else:
        down = int(table["deal_size"]) - size
        seat["hand"], table["hand_sizes"][0] = mask(_some_cards(size, "H")), size
        whole = mask(_some_cards(down, "S") + ["KC"])
        conquian.accept_card(state, Answer(1, whole, np.uint64(0), np.uint64(0)))
    follows = {"next": _what_follows(state)}
    if event != "decline_discard":
        return follows
    return {**follows, "card_dead": cards_text(table["dead"]) == ["KC"]}


def _what_follows(state: np.void) -> str:
    table = state["table"]
    if table["phase"] == OVER:
        return "hand_won" if table["ending"] == OUT else "draw_hand"
    if table["phase"] == DISCARDING:
        return "same_player_discards"
    return "same_player_turns_stock" if table["turn"] == 0 else "opponent_offered_same_card"


def script(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `script`: plays the actions from a small state until one is illegal."""
    state = script_state(game, rules, given)
    table = state["table"]
    illegal_at = None
    for i, action in enumerate(given["actions"]):
        if _try(state, action) != breach.LEGAL:
            illegal_at = i
            break
    over = bool(table["phase"] == OVER)
    names = {number: name for name, number in PHASES.items()}
    return {
        "illegal_at": illegal_at,
        "ended": over,
        "result": RESULTS[int(table["ending"])] if over else None,
        "winner": int(table["winner"]) if table["winner"] >= 0 else None,
        "phase": None if over else names[int(table["phase"])],
        "to": int(table["offered_to"]),
        "card": FACES.text(int(table["offered"])) if table["offered"] >= 0 else None,
        "hands": [cards_text(seat["hand"]) for seat in state["seats"]],
        "melded": [len(cards_text(cards)) for cards in table["down"]],
        "stock_left": int(table["stock"]),
    }


def _try(state: np.void, action: Given) -> int:
    """Carries out one action of a script if it is legal; what it breaks otherwise."""
    table = state["table"]
    seat = state["seats"][table["turn"]]
    number = NUMBERS.get(action["a"])
    if number == ACCEPT:
        answer = _answer(table, seat, action)
        why = check_accept(table, seat, answer)
        if why == breach.LEGAL:
            conquian.accept_card(state, answer)
    elif number == DECLINE:
        why = conquian.check_decline(table)
        if why == breach.LEGAL:
            conquian.decline_card(state)
    elif number in (FORCE, LET_PASS):
        force = int(number == FORCE)
        why = conquian.check_force(table, force)
        if why == breach.LEGAL:
            conquian.settle_force(table, force)
    elif number == DISCARD:
        card = FACES.number(action["card"])
        why = conquian.check_discard(table, seat, card)
        if why == breach.LEGAL:
            conquian.discard(state, card)
    else:
        why = breach.NO_ANSWER
    _turn(state)
    return int(why)


def _answer(table: np.void, seat: np.void, action: Given) -> Answer:
    """An ACCEPT as an answer; an empty one, which is never legal, if its cards do not add up."""
    nothing = Answer(1, *[np.uint64(0)] * 3)
    if table["offered"] < 0:
        return nothing
    tokens = [card for cards in action["melds"] for card in cards]
    before = cards_text(table["down"][seat["seat"]]) + [FACES.text(int(table["offered"]))]
    if sorted(tokens) != sorted(before + list(action["hand_cards"])):
        return nothing
    return accept_answer(action["melds"])


# ---- small states -------------------------------------------------------------------------


def _turn(state: np.void) -> None:
    """Turns a stock card if that is what comes next: it is no action of its own."""
    if state["table"]["phase"] == TURN:
        conquian.turn_stock_card(state)


def _some_cards(count: int, suit: str = "") -> list[str]:
    """The first so many cards of the pack without the king of clubs, other suits first."""
    faces = [FACES.text(card) for card in FACES.faces]
    return sorted(faces[:-1], key=lambda card: card[1] != suit)[:count]


def script_state(game: Game, rules: Rules, given: Given) -> np.void:
    """The small state from which a script is played."""
    return _small_state(game, rules, given)


def _small_state(game: Game, rules: Rules, given: Given) -> np.void:
    """A state with a card on offer; parts that are not given are empty, or for seat 0."""
    state = new_state(game, 2, game.codes(rules), False)[0]
    table, deck = state["table"], state["deck"]
    table["phase"] = OFFER
    table["ending"] = -1
    table["turn"] = table["offered_to"] = given.get("to", 0)
    table["origin"] = ORIGINS[given.get("from", "stock")]
    if "card" in given:
        table["offered"] = FACES.number(given["card"])
    for s, hand in enumerate(given.get("hands", ([], []))):
        state["seats"][s]["seat"] = s
        state["seats"][s]["hand"], table["hand_sizes"][s] = mask(hand), len(hand)
    for s, melds in enumerate(given.get("tables", ([], []))):
        table["melds"][s] = melds_of(melds)
        table["down"][s] = np.bitwise_or.reduce(table["melds"][s])
    stock = FACES.numbers(given.get("stock", []))
    deck["order"][: len(stock)] = stock
    deck["order_size"] = deck["laid_out"] = table["stock"] = len(stock)
    deck["stock"][0] = FACES.row(stock)[0]
    return state


ANSWERS = {
    function.__name__: function
    for function in (meld, setup, end_check, phase, cq_offer, cq_future, cq_flow, script)
}
