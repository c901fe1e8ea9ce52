"""Rules questions about the `jaques` family, put in card text and answered by its engine.

`ANSWERS` has one function for each kind of worked case (RULES, Part 2): it takes the game, the
rules and the given part of a case and returns the expected part.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cooncan_sim.games import breach, cooncan, cooncan_deal, cooncan_score
from cooncan_sim.games.cooncan_moves import table_move
from cooncan_sim.games.cooncan_play import new_state
from cooncan_sim.games.cooncan_split import split
from cooncan_sim.games.cooncan_state import (
    DISCARD,
    DRAW,
    DRAW_DISCARD,
    DRAW_STOCK,
    HOLD,
    LAYOFF,
    MELD,
    OUT,
    OVER,
    STOP,
    TABLE,
    VOID,
    Move,
)
from cooncan_sim.games.cooncan_table import reopen, shape_of
from cooncan_sim.games.cooncan_text import (
    FACES,
    NUMBERS,
    PACK,
    as_kernels_do,
    cards_text,
    layoff_move,
    masks,
    meld_move,
    table_text,
)
from cooncan_sim.games.rulebook import Game
from cooncan_sim.games.standing import Standing, settle
from cooncan_sim.kernel import copied

Rules = Mapping[str, str | int]
Given = Mapping[str, Any]
PHASES = {"DRAW": DRAW, "TABLE": TABLE, "OVER": OVER}
KINDS = {0: "run", 1: "set"}


def meld(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `meld`: as what the cards can be laid, with some choice of meanings for wild cards."""
    state = _at_table(game, rules, 0, given["cards"], ())
    types = {
        KINDS[int(shape_of(state["table"], move.cards, move.twice, move.substitutes)[0])]
        for move in _moves(state)
        if move.action == MELD and _all_cards(state, move)
    }
    return {"valid": bool(types), "types": sorted(types)}


def _moves(state: np.void) -> list[Move]:
    """Every legal move of the TABLE phase but STOP."""
    seat = state["seats"][state["table"]["turn"]]
    found = int(table_move(state["table"], seat, 0)[0])
    return [as_kernels_do(table_move(state["table"], seat, i)[1]) for i in range(found)]


def _all_cards(state: np.void, move: Move) -> bool:
    seat = state["seats"][state["table"]["turn"]]
    return bool(move.cards == seat["hand"] and move.twice == seat["twice"])


def layoff(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `layoff`: whether cards may be laid one after another on a meld of somebody else."""
    owner, actor = given.get("meld_side", 0), given.get("actor_side", 1)
    hand = [token.partition("=")[0] for token in given["add"]]
    state = _at_table(game, rules, actor, hand, [given["meld"]], owner)
    state["table"]["melded"][actor] = given.get("actor_has_melded", True)
    reopen(state["table"])
    seat = state["seats"][actor]
    for token in given["add"]:
        move = layoff_move(state["table"], token, 0, None)
        if cooncan.check_table(state["table"], seat, move) != breach.LEGAL:
            # A bare wild card may go anywhere that takes it.
            others = [m for m in _moves(state) if m.action == LAYOFF and m.cards == move.cards]
            if not others or "=" in token:
                return {"legal": False, "result": None}
            move = others[0]
        cooncan.play_down(state["table"], seat, move)
    return {"legal": True, "result": table_text(state["table"])[0]}


def discard(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `discard`: what may be thrown at the end of a turn, or whether it is a hold."""
    taken = None if given["taken_played"] else given["taken"]
    state = _at_table(game, rules, 0, given["hand"], (), taken=taken)
    legal = cooncan.legal_discards(state["table"], state["seats"][0])
    return {"legal": cards_text(legal), "hold": not legal}


def go_out(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `go_out`: the ways in which best play ends the hand in this turn."""
    table = given["table"]
    state = _at_table(game, rules, 0, given["hand"], table, 1, given["taken"])
    modes: set[str] = set()
    _search_endings(state, modes, set())
    return {"modes": sorted(modes)}


def _search_endings(state: np.void, modes: set[str], seen: set[bytes]) -> None:
    seat = state["seats"][state["table"]["turn"]]
    key = state.tobytes()
    if key in seen or len(modes) == 2:
        return
    seen.add(key)
    legal = cooncan.legal_discards(state["table"], seat)
    if state["table"]["hand_sizes"][seat["seat"]] == 1 and legal:
        modes.add("discard")
    for move in _moves(state):
        after = copied(state)
        cooncan.lay(after, move)
        if after["table"]["phase"] == OVER:
            modes.add("no_discard")
        else:
            _search_endings(after, modes, seen)


def hand_value(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `hand_value`: points charged for a hand."""
    state = _at_table(game, rules, 0, given["hand"], ())
    return {"points": int(cooncan_score.hand_value(state["table"], state["seats"][0]))}


def best_partition(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `best_partition`: least deadwood, and one choice of melds that leaves it."""
    found = split(game, rules, given["hand"])
    return {
        "min_deadwood": found.penalty,
        "melds_all": not found.unmelded,
        "example": found.melds,
    }


def setup(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `setup`: cards after the deal and the order of the first turns."""
    players, dealer = given["players"], given["dealer"]
    if players not in game.players:
        return {"allowed": False}
    state = new_state(game, players, game.codes(rules), False)[0]
    cooncan_deal.deal_hand(state, 0, 0, dealer)
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
    state = _at_draw(game, rules, given["stock"], given["pile"])
    cooncan.begin_turn(state["table"], state["deck"])
    sources = [
        name
        for name, action in (("discard", DRAW_DISCARD), ("stock", DRAW_STOCK))
        if cooncan.check_draw(state["table"], action) == breach.LEGAL
    ]
    if "stock" not in sources:
        return {"sources": sources, "if_stock": None}
    cooncan.draw(state, DRAW_STOCK)
    return {
        "sources": sources,
        "if_stock": {
            "reshuffle": bool(state["deck"]["recycled"]),
            "stock_before_draw": int(state["table"]["stock"]) + 1,
            "pile": _pile(state),
        },
    }


def end_check(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `end_check`: whether the hand can go on when a player has to draw."""
    state = _at_draw(game, rules, given["stock"], given["pile"])
    state["table"]["turns"] = given["turns"]
    ended = int(cooncan.cannot_go_on(state["table"])) >= 0
    # Being stopped by MAX_TURNS makes a hand void too (R-COM-11).
    return {"ended": ended, "result": "void" if ended else "play_on"}


def score(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `score`: points added to each seat by the end of a hand."""
    hands, winner = given["hands"], given["winner"]
    state = new_state(game, len(hands), game.codes(rules), False)[0]
    for seat, hand in enumerate(hands):
        _put_hand(state, seat, hand)
    state["table"]["turn"] = 0 if winner is None else winner
    cooncan_score.end_hand(state, VOID if winner is None else OUT)
    points = [int(n) for n in state["deck"]["points"][: state["table"]["sides"]]]
    return {"side_delta" if game.partners else "delta": points}


def match(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `match`: the totals after a hand, who leaves, who has won, who deals."""
    scores = np.array([given["scores"]])
    alive = np.ones(scores.shape, dtype=bool)
    alive[0, given.get("already_out", [])] = False
    winner = given.get("winner")
    before = Standing(scores, alive, np.zeros_like(alive), np.array([given["dealer"]]))
    after = settle(
        {**rules, "MATCH_TARGET": given["target"]},
        before,
        np.array([given["delta"]]),
        np.array([-1 if winner is None else winner]),
        4 if game.partners else scores.shape[1],
    )
    winners: list[int] = after.winners[0].nonzero()[0].tolist()
    single = winners[0] if winners else None
    return {
        "scores": after.scores[0].tolist(),
        "eliminated": (alive & ~after.alive)[0].nonzero()[0].tolist(),
        "over": bool(winners),
        "match_winner": winners if len(winners) > 1 else single,
        "next_dealer": None if winners else int(after.dealer[0]),
    }


def phase(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `phase`: whether there is such an action at that point of a turn at all."""
    state = _at_draw(game, rules, 1, ["2S"])
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
        "hands": [cards_text(s["hand"], s["twice"]) for s in state["seats"][: given["players"]]],
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
        why = cooncan.check_draw(table, number)
        if why == breach.LEGAL:
            cooncan.begin_turn(table, state["deck"])
            cooncan.draw(state, number)
    elif number in (MELD, LAYOFF):
        move = _move(state, action)
        why = cooncan.check_table(table, seat, move)
        if why == breach.LEGAL:
            cooncan.lay(state, move)
    elif number == DISCARD:
        card = FACES.number(action["card"])
        why = cooncan.check_discard(table, seat, card)
        if why == breach.LEGAL:
            cooncan.discard(state, card)
    elif number == HOLD:
        why = cooncan.check_hold(table, seat)
        if why == breach.LEGAL:
            cooncan.end_turn(state)
    else:
        why = breach.NO_ANSWER
    return int(why)


def _move(state: np.void, action: Given) -> Move:
    if action["a"] == "MELD":
        return meld_move(action["cards"])
    return layoff_move(state["table"], action["card"], action["meld"], action.get("end"))


# ---- small states -------------------------------------------------------------------------


def _at_table(
    game: Game,
    rules: Rules,
    seat: int,
    hand: list[str],
    table: list[list[str]] | tuple[()],
    owner: int = 0,
    taken: str | None = None,
) -> np.void:
    """A state in the TABLE phase of a seat, with its hand and the melds of one owner."""
    state = new_state(game, max(game.players), game.codes(rules), False)[0]
    state["table"]["turn"] = seat
    state["table"]["phase"] = TABLE
    state["table"]["taken"] = -1 if taken is None else FACES.number(taken)
    state["seats"]["seat"] = range(len(state["seats"]))
    _put_hand(state, seat, hand)
    for cards in table:
        _put_meld(state, owner, cards)
    reopen(state["table"])
    return state


def _put_hand(state: np.void, seat: int, hand: list[str]) -> None:
    once, twice = masks(hand)
    state["seats"][seat]["hand"], state["seats"][seat]["twice"] = once, twice
    state["seats"][seat]["seat"] = seat
    state["table"]["hand_sizes"][seat] = len(hand)


def _put_meld(state: np.void, owner: int, tokens: list[str]) -> None:
    cooncan.put_down(state["table"], owner, meld_move(tokens))


def _at_draw(game: Game, rules: Rules, stock: int, pile: list[str]) -> np.void:
    """A state in the DRAW phase of seat 0: so many cards in stock, and this pile, bottom first."""
    state = new_state(game, min(game.players), game.codes(rules), False)[0]
    others = [card for card in FACES.faces if FACES.text(card) not in pile]
    _fill_deck(state, others[:stock], [FACES.number(card) for card in pile])
    state["table"]["phase"] = DRAW
    return state


def _fill_deck(state: np.void, stock: list[int], pile: list[int]) -> None:
    deck, table = state["deck"], state["table"]
    once, twice = PACK.row(stock)
    deck["stock"] = once, twice
    second = [card in stock[:i] for i, card in enumerate(stock)]
    deck["order"][: len(stock)] = [c + 64 * copy for c, copy in zip(stock, second, strict=True)]
    deck["order_size"] = deck["laid_out"] = table["stock"] = len(stock)
    table["pile"][: len(pile)] = pile
    table["pile_size"] = len(pile)
    table["taken"] = table["winner"] = -1


def script_state(game: Game, rules: Rules, given: Given) -> np.void:
    """The small state from which a script is played."""
    state = new_state(game, given["players"], game.codes(rules), False)[0]
    stock, pile = ([FACES.number(card) for card in given[part]] for part in ("stock", "pile"))
    _fill_deck(state, stock, pile)
    table = state["table"]
    table["turn"] = given["turn"]
    table["phase"] = PHASES[given["phase"]]
    for seat, hand in enumerate(given["hands"]):
        _put_hand(state, seat, hand)
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
        discard,
        go_out,
        hand_value,
        best_partition,
        setup,
        draw,
        end_check,
        score,
        match,
        phase,
        script,
    )
}
