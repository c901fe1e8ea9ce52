"""Small states of `konkan` made from card text, and text actions carried out in them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from cooncan_sim.bits import NONE
from cooncan_sim.games import konkan, konkan_deal
from cooncan_sim.games import konkan_breach as breach
from cooncan_sim.games.konkan_cards import JOKER
from cooncan_sim.games.konkan_moves import table_move
from cooncan_sim.games.konkan_opening import may_pick_up
from cooncan_sim.games.konkan_play import new_state
from cooncan_sim.games.konkan_state import (
    ANNOUNCE,
    COME_DOWN,
    DISCARD,
    DRAW,
    DRAW_DISCARD,
    DRAW_STOCK,
    JOKER_SWAP,
    LAYOFF,
    MELD,
    MOST_OPENING,
    OPENING,
    OVER,
    STOP,
    TABLE,
    Move,
)
from cooncan_sim.games.konkan_table import add_pair, check_table, come_down, lay_pair, reopen
from cooncan_sim.games.konkan_text import (
    FACES,
    NUMBERS,
    as_kernels_do,
    hands_text,
    layoff_move,
    pair_of,
    swap_move,
    table_text,
    words,
)
from cooncan_sim.games.rulebook import Game
from cooncan_sim.kernel import records

Rules = Mapping[str, str | int]
Given = Mapping[str, Any]
PHASES = {"OPENING": OPENING, "DRAW": DRAW, "TABLE": TABLE, "OVER": OVER}
TURN_OF = 0  # the seat that acts in a state that is no script


# ---- states -------------------------------------------------------------------------------


def empty_state(game: Game, rules: Rules, players: int = 2) -> np.void:
    """Players without cards in the DRAW phase of seat 0, nobody down, no stock and no pile."""
    state = new_state(game, players, game.codes(rules), False)[0]
    for seat in range(players):
        konkan_deal.clear_seat(state["table"], state["seats"][seat], seat)
    konkan_deal.clear_table(state["table"], TURN_OF)
    state["table"]["phase"] = DRAW
    return state


def at_table(
    game: Game,
    rules: Rules,
    hand: Sequence[str],
    table: Iterable[Sequence[str]] = (),
    taken: str | None = None,
    down: bool = True,
) -> np.void:
    """A state in the TABLE phase of seat 0 with this hand; the pairs are seat 1's."""
    state = empty_state(game, rules)
    state["table"]["phase"] = TABLE
    state["table"]["taken"] = -1 if taken is None else FACES.number(taken)
    state["table"]["owes"] = taken is not None and not down
    state["table"]["down"][TURN_OF] = down
    put_hand(state, TURN_OF, hand)
    for cards in table:
        _put_pair(state, 1, cards)
    reopen(state["table"])
    return state


def at_draw(game: Game, rules: Rules, stock: int, pile: Sequence[str], may_pick: bool) -> np.void:
    """A state in the DRAW phase of seat 0: so many cards in stock, and this pile, bottom first.

    may_pick: whether the seat may take the discard; it is down then.
    """
    state = empty_state(game, rules)
    others = [card for card in FACES.faces if FACES.text(card) not in pile]
    _fill_deck(state, (2 * others)[:stock], [FACES.number(card) for card in pile])
    state["table"]["down"][TURN_OF] = may_pick
    put_hand(state, TURN_OF, [FACES.text(card) for card in others[-2:]])
    return state


def script_state(game: Game, rules: Rules, given: Given) -> np.void:
    """The state at the start of a worked script."""
    state = empty_state(game, rules, given["players"])
    _fill_deck(state, *([FACES.number(card) for card in given[part]] for part in ("stock", "pile")))
    table = state["table"]
    table["turn"] = given["turn"]
    table["phase"] = PHASES[given["phase"]]
    for seat, hand in enumerate(given["hands"]):
        put_hand(state, seat, hand)
        table["down"][seat] = given["down"][seat]
    for laid in given["table"]:
        _put_pair(state, laid["owner"], laid["cards"])
    reopen(table)
    return state


def put_hand(state: np.void, number: int, hand: Iterable[str]) -> None:
    """Gives a seat these cards in place of its own."""
    seat, cards = state["seats"][number], list(hand)
    seat["hand"], seat["twice"], seat["jokers"] = words(cards)
    state["table"]["hand_sizes"][number] = len(cards)


def _put_pair(state: np.void, owner: int, tokens: Sequence[str]) -> None:
    add_pair(state["table"], owner, *pair_of(tokens))


def _fill_deck(state: np.void, stock: list[int], pile: list[int]) -> None:
    deck, table = state["deck"], state["table"]
    places = [63 if card == JOKER else card for card in stock]
    order = [place + 64 * (place in places[:i]) for i, place in enumerate(places)]
    deck["order"][: len(order)] = order
    deck["stock"] = [sum(1 << (o & 63) for o in order if o >> 6 == copy) for copy in range(2)]
    deck["order_size"] = deck["laid_out"] = table["stock"] = len(stock)
    table["pile"][: len(pile)] = pile
    table["pile_size"] = len(pile)


def copy_of(state: np.void) -> np.void:
    """The same state once more."""
    copy = records(1, state.dtype)
    copy[0] = state
    return copy[0]


def spare(cards: Iterable[str]) -> str:
    """A card unlike any of these, to stay in hand."""
    return next(text for text in map(FACES.text, FACES.faces) if text not in cards)


# ---- actions ------------------------------------------------------------------------------


def moves(state: np.void) -> list[Move]:
    """Every legal table action of the seat to act, which is down; but STOP."""
    seat = state["seats"][state["table"]["turn"]]
    found = int(table_move(state["table"], seat, 0)[0])
    return [as_kernels_do(table_move(state["table"], seat, i)[1]) for i in range(found)]


def write_pairs(seat: np.void, pairs: Sequence[tuple[Any, Any]]) -> None:
    """Writes the pairs of an answer COME_DOWN into a seat; more than there is room for are cut."""
    seat["pair_count"] = len(pairs)
    for i, (places, jokers) in enumerate(pairs[:MOST_OPENING]):
        seat["pairs"][i] = places, jokers


def carry_out(state: np.void, action: Given) -> int:
    """Carries out one text action if it is legal; the breach number otherwise."""
    table = state["table"]
    seat = state["seats"][table["turn"]]
    number = NUMBERS.get(action["a"], STOP)
    if number in (DRAW_STOCK, DRAW_DISCARD):
        return _draw(state, number)
    if number == DISCARD:
        card = FACES.number(action["card"])
        why = konkan.check_discard(table, seat, card)
        if why == breach.LEGAL:
            konkan.discard(state, card)
    elif number == ANNOUNCE:
        why = konkan.check_announce(table, seat, action["n"])
        if why == breach.LEGAL:
            table["announced"][seat["seat"]] += action["n"]
    else:
        move = _move(state, number, action)
        why = check_table(table, seat, move)
        if why == breach.LEGAL:
            konkan.lay(table, seat, move)
    return int(why)


def _draw(state: np.void, number: int) -> int:
    table = state["table"]
    if table["phase"] == DRAW:
        konkan_deal.begin_turn(table, state["deck"])
    may_pick = may_pick_up(table, state["seats"][table["turn"]])
    why = konkan.check_draw(table, number, may_pick)
    if why == breach.LEGAL:
        konkan.draw(state, number)
    return int(why)


def _move(state: np.void, number: int, action: Given) -> Move:
    if number == MELD:
        return as_kernels_do(lay_pair(*pair_of(action["cards"])))
    if number == COME_DOWN:
        pairs = [pair_of(tokens) for tokens in action["melds"]]
        write_pairs(state["seats"][state["table"]["turn"]], pairs)
        return as_kernels_do(come_down())
    if number == LAYOFF:
        return layoff_move(state["table"], action["card"], action["meld"], action.get("end"))
    if number == JOKER_SWAP:
        return swap_move(action["card"], action["meld"])
    return Move(number, NONE, NONE, -1)


def result(state: np.void, illegal_at: int | None) -> dict:
    """What a worked script expects of the state that it has led to."""
    table = state["table"]
    over = bool(table["phase"] == OVER)
    names = {number: name for name, number in PHASES.items()}
    pile = pile_text(state)
    return {
        "illegal_at": illegal_at,
        "ended": over,
        "winner": int(table["winner"]) if over and table["winner"] >= 0 else None,
        "turn": int(table["turn"]),
        "phase": None if over else names[int(table["phase"])],
        "hands": hands_text(np.array([state])),
        "stock_left": int(table["stock"]),
        "pile_top": pile[-1] if pile else None,
        "pile_size": len(pile),
        "table": table_text(table),
    }


def pile_text(state: np.void) -> list[str]:
    """The discard pile, top last."""
    return [FACES.text(int(card)) for card in state["table"]["pile"][: state["table"]["pile_size"]]]
