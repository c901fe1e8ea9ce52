"""Rules questions about `double_rum`, put in card text and answered by its engine.

`ANSWERS` has one function for each kind of worked case (RULES, Part 2): it takes the game, the
rules and the given part of a case and returns the expected part.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cooncan_sim.bits import NONE
from cooncan_sim.games import double_rum
from cooncan_sim.games import double_rum_breach as breach
from cooncan_sim.games.double_rum_moves import table_move
from cooncan_sim.games.double_rum_play import new_state
from cooncan_sim.games.double_rum_split import split
from cooncan_sim.games.double_rum_state import (
    DISCARD,
    DRAW,
    DRAW_DISCARD,
    DRAW_STOCK,
    HOLD,
    JOKER_MOVE,
    LAYOFF,
    MELD,
    OUT,
    OVER,
    POOL,
    STOP,
    TABLE,
    Move,
)
from cooncan_sim.games.double_rum_table import JOKER, put_down, reopen
from cooncan_sim.games.double_rum_text import (
    FACES,
    NUMBERS,
    as_kernels_do,
    cards_text,
    hand_mask_text,
    joker_move_of,
    layoff_move,
    locked_places,
    meld_move,
    table_text,
    words,
)
from cooncan_sim.games.game import Game
from cooncan_sim.kernel import copied

Rules = Mapping[str, str | int]
Given = Mapping[str, Any]
PHASES = {"DRAW": DRAW, "TABLE": TABLE, "OVER": OVER}


def meld(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `meld`: as what the cards can be laid, with some choice of meanings for jokers."""
    state = _at_table(game, rules, given["cards"])
    seat = state["seats"][0]
    whole = seat["hand"], seat["twice"], seat["jokers"]
    types = {
        "set" if move.places == NONE else "run"
        for move in _moves(state)
        if move.action == MELD and (move.cards, move.twice, move.jokers) == whole
    }
    return {"valid": bool(types), "types": sorted(types)}


def _moves(state: np.void) -> list[Move]:
    """Every legal move of the TABLE phase but STOP."""
    seat = state["seats"][state["table"]["turn"]]
    found = int(table_move(state["table"], seat, 0)[0])
    return [as_kernels_do(table_move(state["table"], seat, i)[1]) for i in range(found)]


def layoff(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `layoff`: whether cards may be laid one after another on a meld of somebody else."""
    hand = [token.partition("=")[0] for token in given["add"]]
    state = _at_table(game, rules, hand, [given["meld"]])
    state["table"]["melded"][0] = given.get("actor_has_melded", True)
    for token in given["add"]:
        bare = [move for move in _moves(state) if move.action == LAYOFF and move.jokers]
        if token != "*":
            move = layoff_move(state["table"], token, 0, None)
        elif bare:
            move = bare[0]
        else:
            return {"legal": False, "result": None}
        if not _laid(state, move):
            return {"legal": False, "result": None}
    return {"legal": True, "result": table_text(state["table"])[0]}


def _laid(state: np.void, move: Move) -> bool:
    """Carries out a table action of the seat whose turn it is if it is legal; whether it was."""
    table, seat = state["table"], state["seats"][state["table"]["turn"]]
    if double_rum.check_table(table, seat, move) != breach.LEGAL:
        return False
    double_rum.play_down(table, seat, move)
    return True


def joker_move(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `joker_move`: whether a joker moves for this card, and the meld afterwards."""
    state = _at_table(game, rules, [given["natural"]], [given["meld"]])
    legal = _laid(state, joker_move_of(given["natural"], 0))
    return {"legal": legal, "result": table_text(state["table"])[0] if legal else None}


def discard(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `discard`: what may be thrown at the end of a turn, or whether it is a hold."""
    taken = None if given["taken_played"] else given["taken"]
    state = _at_table(game, rules, given["hand"], taken=taken)
    legal = int(double_rum.legal_discards(state["table"], state["seats"][0]))
    return {"legal": hand_mask_text(legal), "hold": not legal}


def go_out(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `go_out`: the ways in which best play ends the hand in this turn."""
    state = _at_table(game, rules, given["hand"], given["table"], given["taken"])
    modes: set[str] = set()
    _search_endings(state, modes, set())
    return {"modes": sorted(modes)}


def _search_endings(state: np.void, modes: set[str], seen: set[bytes]) -> None:
    seat = state["seats"][state["table"]["turn"]]
    key = state.tobytes()
    if key in seen or len(modes) == 2:
        return
    seen.add(key)
    legal = double_rum.legal_discards(state["table"], seat)
    if state["table"]["hand_sizes"][seat["seat"]] == 1 and legal:
        modes.add("discard")
    for move in _moves(state):
        after = copied(state)
        double_rum.lay(after, move)
        if after["table"]["phase"] == OVER:
            modes.add("no_discard")
        else:
            _search_endings(after, modes, seen)


def hand_value(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `hand_value`: units paid for a hand that loses."""
    state = _at_table(game, rules, given["hand"])
    return {"points": int(double_rum.payment(state["table"], state["seats"][0]))}


def best_partition(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `best_partition`: least deadwood, and one choice of melds that leaves it."""
    found = split(game, rules, given["hand"])
    melds = [[token.partition("=")[0] for token in tokens] for tokens in found.melds]
    return {"min_deadwood": found.penalty, "melds_all": not found.unmelded, "example": melds}


def setup(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `setup`: cards after the deal and the order of the first turns."""
    players, dealer = given["players"], given["dealer"]
    if players not in game.players:
        return {"allowed": False}
    state = new_state(game, players, game.codes(rules), False)[0]
    double_rum.deal_hand(state, 0, 0, dealer)
    table = state["table"]
    return {
        "allowed": True,
        "hand_sizes": [int(n) for n in table["hand_sizes"][:players]],
        "stock": int(table["stock"]),
        "pile": int(table["pile_size"]),
        "order": [(int(table["turn"]) + i) % players for i in range(players)],
    }


def draw(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `draw`: the sources, and what drawing from the stock does."""
    state = _at_draw(game, rules, min(game.players), given["stock"], given["pile"])
    table = state["table"]
    sources = [
        name
        for name, action in (("discard", DRAW_DISCARD), ("stock", DRAW_STOCK))
        if double_rum.check_draw(table, action) == breach.LEGAL
    ]
    stock = {"reshuffle": False, "stock_before_draw": int(table["stock"]), "pile": _pile(state)}
    return {"sources": sources, "if_stock": stock if "stock" in sources else None}


def end_check(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `end_check`: whether the hand can go on when a player has to draw."""
    state = _at_draw(game, rules, given["players"], given["stock"], given["pile"])
    state["table"]["turns"] = given["turns"]
    if given["stock"] == 0:
        state["table"]["idle"] = given["idle_turns"]
    ended = int(double_rum.cannot_go_on(state["table"])) >= 0
    # Being stopped by MAX_TURNS makes a pool too (R-COM-11).
    return {"ended": ended, "result": "pool" if ended else "play_on"}


def score(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `score`: units won by each seat at the end of a hand, and the pool after it."""
    hands, winner = given["hands"], given["winner"]
    state = new_state(game, len(hands), game.codes(rules), False)[0]
    for seat, hand in enumerate(hands):
        _put_hand(state, seat, hand)
    state["table"]["pool"] = given.get("pool", 0)
    state["table"]["turn"] = 0 if winner is None else winner
    double_rum.end_hand(state, POOL if winner is None else OUT)
    deck = state["deck"]
    return {"delta": [int(n) for n in deck["points"][: len(hands)]], "pool": int(deck["pool"])}


def phase(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `phase`: whether there is such an action at that point of a turn at all."""
    if given["phase"] not in PHASES:
        return {"legal": False}
    state = _at_draw(game, rules, min(game.players), 1, ["2S"])
    state["table"]["phase"] = PHASES[given["phase"]]
    action = {"a": given["action"], "cards": [], "card": "2S", "meld": 0}
    return {"legal": given["action"] in NUMBERS and _try(state, action) != breach.NOT_THIS_PHASE}


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
    pile = _pile(state)
    return {
        "illegal_at": illegal_at,
        "ended": over,
        "winner": int(table["winner"]) if over and table["winner"] >= 0 else None,
        "turn": int(table["turn"]),
        "phase": None if over else names[int(table["phase"])],
        "hands": [
            cards_text(seat["hand"], seat["twice"], seat["jokers"])
            for seat in state["seats"][: given["players"]]
        ],
        "stock_left": int(table["stock"]),
        "pile_top": pile[-1] if pile else None,
        "pile_size": len(pile),
        "table": table_text(table),
    }


def _try(state: np.void, action: Given) -> int:
    """Carries out one action of a script if it is legal; what it breaks otherwise."""
    table = state["table"]
    seat = state["seats"][table["turn"]]
    number = NUMBERS.get(action["a"], STOP)
    if number in (DRAW_STOCK, DRAW_DISCARD):
        why = double_rum.check_draw(table, number)
        if why == breach.LEGAL:
            double_rum.draw(state, number)
    elif number in (MELD, LAYOFF, JOKER_MOVE):
        move = _move(table, action)
        why = double_rum.check_table(table, seat, move)
        if why == breach.LEGAL:
            double_rum.lay(state, move)
    elif number == DISCARD:
        card = FACES.number(action["card"])
        why = double_rum.check_discard(table, seat, card)
        if why == breach.LEGAL:
            double_rum.discard(state, card)
    elif number == HOLD:
        why = double_rum.check_hold(table, seat)
        if why == breach.LEGAL:
            double_rum.end_turn(state)
    else:
        why = breach.NO_ANSWER
    return int(why)


def _move(table: np.void, action: Given) -> Move:
    if action["a"] == "MELD":
        return meld_move(action["cards"])
    if action["a"] == "JOKER_MOVE":
        return joker_move_of(action["card"], action["meld"])
    return layoff_move(table, action["card"], action["meld"], action.get("end"))


# ---- small states -------------------------------------------------------------------------


def _at_table(
    game: Game,
    rules: Rules,
    hand: list[str],
    table: Sequence[list[str]] = (),
    taken: str | None = None,
) -> np.void:
    """A state in the TABLE phase of seat 0, with its hand and melds of seat 1."""
    state = _at_draw(game, rules, min(game.players), 1, [])
    state["table"]["phase"] = TABLE
    state["table"]["taken"] = -1 if taken is None else FACES.number(taken)
    _put_hand(state, 0, hand)
    for cards in table:
        _put_meld(state, 1, cards)
    reopen(state["table"])
    return state


def _put_hand(state: np.void, number: int, hand: list[str]) -> None:
    seat = state["seats"][number]
    seat["seat"] = number
    seat["hand"], seat["twice"], seat["jokers"] = words(hand)
    state["table"]["hand_sizes"][number] = len(hand)


def _put_meld(state: np.void, owner: int, tokens: list[str]) -> None:
    table = state["table"]
    put_down(table, owner, meld_move([token.replace("*x", "*") for token in tokens]))
    table["melds"][table["meld_count"] - 1]["locked"] = locked_places(tokens)


def _at_draw(game: Game, rules: Rules, players: int, stock: int, pile: list[str]) -> np.void:
    """A state in the DRAW phase of seat 0: so many cards in stock, and this pile, bottom first."""
    state = new_state(game, players, game.codes(rules), False)[0]
    state["table"]["phase"] = DRAW
    on_pile = [FACES.number(card) for card in pile]
    others = [card for card in FACES.faces if card not in on_pile]
    _fill_deck(state, (2 * others)[:stock], on_pile)
    return state


def _fill_deck(state: np.void, stock: list[int], pile: list[int]) -> None:
    """Puts these card numbers into the stock, next first, and on the pile, bottom first."""
    deck, table = state["deck"], state["table"]
    places = [63 if card == JOKER else card for card in stock]
    second = [place in places[:i] for i, place in enumerate(places)]
    for copy in range(2):
        deck["stock"][copy] = sum(
            1 << place for place, twin in zip(places, second, strict=True) if twin == copy
        )
    deck["order"][: len(stock)] = [p + 64 * twin for p, twin in zip(places, second, strict=True)]
    deck["order_size"] = deck["laid_out"] = table["stock"] = len(stock)
    table["pile"][: len(pile)] = pile
    table["pile_size"] = len(pile)
    table["taken"] = table["winner"] = -1
    table["idle"] = -1 if stock else 0


def script_state(game: Game, rules: Rules, given: Given) -> np.void:
    """The small state from which a script is played."""
    state = new_state(game, given["players"], game.codes(rules), False)[0]
    stock, pile = ([FACES.number(card) for card in given[part]] for part in ("stock", "pile"))
    _fill_deck(state, stock, pile)
    table = state["table"]
    table["turn"] = given["turn"]
    table["phase"] = PHASES[given["phase"]]
    for number, hand in enumerate(given["hands"]):
        _put_hand(state, number, hand)
    for laid in given["table"]:
        _put_meld(state, laid["owner"], laid["cards"])
    reopen(table)
    return state


def _pile(state: np.void) -> list[str]:
    return [FACES.text(int(card)) for card in state["table"]["pile"][: state["table"]["pile_size"]]]


ANSWERS = {
    function.__name__: function
    for function in (
        meld,
        layoff,
        joker_move,
        discard,
        go_out,
        hand_value,
        best_partition,
        setup,
        draw,
        end_check,
        score,
        phase,
        script,
    )
}
