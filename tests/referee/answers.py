"""Answers to the worked cases, by slow search (RULES.md Part 2)."""

from collections.abc import Callable

from tests.referee import rummy, scoring
from tests.referee.cards import PACKS
from tests.referee.deadwood import best_melds, least_deadwood
from tests.referee.frame import Illegal, other_book
from tests.referee.melds import extended, meld_rules, possible_kinds, tokens_for
from tests.referee.rummy import Meld, State
from tests.referee.strategies import table_answers


def answer(case: dict) -> dict:
    """What `expect` should say for a worked case of any game; KeyError for an unknown kind."""
    book = other_book(case["game"])
    if book:
        return book.answer(case)
    switches = rummy.settled(case)
    return _KINDS[case["kind"]](case["game"], switches, case["given"])


def _meld(game: str, switches: dict, given: dict) -> dict:
    kinds = possible_kinds(given["cards"], meld_rules(game, switches))
    return {"valid": bool(kinds), "types": kinds}


def _layoff(game: str, switches: dict, given: dict) -> dict:
    state = _table_state(game, switches, given["add"], [given["meld"]], given)
    cards = tuple(given["meld"])
    if not rummy.may_add_to(state, state.table[0]):
        return {"legal": False, "result": None}
    for card in given["add"]:
        ways = [card] if "=" in card else tokens_for(card, cards, state.rules)
        longer = extended(cards, ways[0], state.rules) if ways else None
        if longer is None:
            return {"legal": False, "result": None}
        cards = longer
    return {"legal": True, "result": list(cards)}


def _table_state(
    game: str, switches: dict, hand: list[str], melds: list, given: dict, taken: str | None = None
) -> State:
    """Seat 0 (or of side `actor_side`) in his TABLE phase.

    A meld given without an owner is another player's, or the side's that `meld_side` names.
    """
    seat = given.get("actor_side", 0)
    other = given.get("meld_side", 1)
    table = [
        Meld(meld["owner"], tuple(meld["cards"]))
        if isinstance(meld, dict)
        else Meld(other, tuple(meld))
        for meld in melds
    ]
    hands: list[list[str]] = [[] for _ in range(4 if game == "partnership" else 2)]
    hands[seat] = list(hand)
    if given.get("actor_has_melded"):
        switches = switches | {"LAYOFF_NEEDS_OWN_MELD": "no"}
    return State(
        game=game,
        switches=switches,
        rules=meld_rules(game, switches),
        hands=hands,
        stock=[],
        pile=[],
        turn=seat,
        table=table,
        phase="TABLE",
        taken=taken,
        taken_held=taken is not None,
    )


def _discard(game: str, switches: dict, given: dict) -> dict:
    hand, taken = given["hand"], given["taken"]
    held = taken is not None and not given["taken_played"]
    legal = {card for card in hand if rummy.may_discard(card, hand, taken, held, switches)}
    return {"legal": sorted(legal), "hold": not legal}


def _go_out(game: str, switches: dict, given: dict) -> dict:
    state = _table_state(game, switches, given["hand"], given["table"], given, given["taken"])
    modes: set[str] = set()
    seen = set()
    waiting = [state]
    while waiting and len(modes) < 2:
        state = waiting.pop()
        here = (tuple(sorted(state.hand)), tuple(state.table), state.taken_held)
        if here in seen:
            continue
        seen.add(here)
        if state.ending == "out":
            modes.add("no_discard")
            continue
        if len(state.hand) == 1 and rummy.legal_discards(state):
            modes.add("discard")
        for action in table_answers(state):
            after = rummy.copy_of(state)
            rummy.play(after, action)
            waiting.append(after)
    return {"modes": sorted(modes)}


def _hand_value(game: str, switches: dict, given: dict) -> dict:
    rules = meld_rules(game, switches)
    return {"points": sum(rules.value(card) for card in given["hand"])}


def _best_partition(game: str, switches: dict, given: dict) -> dict:
    worth = least_deadwood(given["hand"], game, switches)
    melds = best_melds(given["hand"], game, switches)
    return {
        "min_deadwood": worth,
        "melds_all": sum(len(meld) for meld in melds) == len(given["hand"]),
        "example": melds,
    }


def _setup(game: str, switches: dict, given: dict) -> dict:
    players, dealer = given["players"], given["dealer"]
    if not rummy.players_allowed(game, players) or dealer not in range(players):
        return {"allowed": False}
    size = rummy.hand_size(switches)
    return {
        "allowed": True,
        "hand_sizes": [size] * players,
        "stock": len(PACKS[game]) - size * players - 1,
        "pile": 1,
        "order": [(dealer + step) % players for step in range(1, players + 1)],
    }


def _draw(game: str, switches: dict, given: dict) -> dict:
    state = _table_state(game, switches, [], [], given)
    state.phase, state.stock, state.pile = "DRAW", ["?"] * given["stock"], list(given["pile"])
    where = rummy.sources(state)
    if "stock" not in where:
        return {"sources": where, "if_stock": None}
    renewed = rummy.recycling_due(state, {"a": "DRAW_STOCK"})
    return {
        "sources": where,
        "if_stock": {
            "reshuffle": renewed,
            "stock_before_draw": len(state.pile) - 1 if renewed else len(state.stock),
            "pile": state.pile[-1:] if renewed else state.pile,
        },
    }


def _end_check(game: str, switches: dict, given: dict) -> dict:
    """A hand that MAX_TURNS stops is void as well (R-COM-11)."""
    ended = not (given["stock"] or given["pile"]) or given["turns"] >= switches["MAX_TURNS"]
    return {"ended": ended, "result": "void" if ended else "play_on"}


def _score(game: str, switches: dict, given: dict) -> dict:
    melds = [m["cards"] for m in given.get("table", []) if m["owner"] == given["winner"]]
    delta = scoring.points(game, switches, given["hands"], given["winner"], melds)
    return {"side_delta" if game == "partnership" else "delta": delta}


def _match(game: str, switches: dict, given: dict) -> dict:
    out = given.get("already_out", [])
    charges = {s: d for s, d in enumerate(given["delta"]) if s not in out and d > 0}
    winner = given.get("winner")
    if winner is None and game != "partnership":
        unhurt = [s for s in range(len(given["delta"])) if s not in out and s not in charges]
        winner = unhurt[0] if len(unhurt) == 1 else None
    if "hands" in given:
        charges = scoring.losers_charges(game, switches, given["hands"], winner)
    hand = {"delta": given["delta"], "winner": winner, "charges": charges}
    before = {"scores": given["scores"], "dealer": given["dealer"], "already_out": out}
    target = {"MATCH_TARGET": given.get("target", switches["MATCH_TARGET"])}
    return scoring.settle(game, switches | target, before, hand)


def _phase(game: str, switches: dict, given: dict) -> dict:
    return {"legal": given["action"] in rummy.PHASES[given["phase"]]}


def _script(game: str, switches: dict, given: dict) -> dict:
    state = State(
        game=game,
        switches=switches,
        rules=meld_rules(game, switches),
        hands=[list(hand) for hand in given["hands"]],
        stock=list(given["stock"]),
        pile=list(given["pile"]),
        turn=given["turn"],
        table=[Meld(meld["owner"], tuple(meld["cards"])) for meld in given["table"]],
        phase=given["phase"],
    )
    illegal_at = None
    for number, action in enumerate(given["actions"]):
        try:
            rummy.play(state, _in_full(state, action))
        except Illegal:
            illegal_at = number
            break
    return {
        "illegal_at": illegal_at,
        "ended": state.ending is not None,
        "winner": state.winner,
        "turn": state.turn,
        "phase": state.phase,
        "hands": [sorted(hand) for hand in state.hands],
        "stock_left": len(state.stock),
        "pile_top": state.pile[-1] if state.pile else None,
        "pile_size": len(state.pile),
        "table": [list(meld.cards) for meld in state.table],
    }


def _in_full(state: State, action: dict) -> dict:
    """Scripts leave out what a draw brings; a renewed stock then keeps the order of the pile."""
    if action["a"] in rummy.PHASES["DRAW"]:
        return rummy.completed_draw(state, action["a"], lambda _: None)
    return action


_KINDS: dict[str, Callable[[str, dict, dict], dict]] = {
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
    "match": _match,
    "phase": _phase,
    "script": _script,
}
