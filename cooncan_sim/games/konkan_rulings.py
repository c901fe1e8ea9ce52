"""Rules questions about `konkan`, put in card text and answered by its engine.

`ANSWERS` has one function for each kind of worked case (RULES, Part 2): it takes the game, the
rules and the given part of a case and returns the expected part.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from cooncan_sim.bits import count
from cooncan_sim.games import konkan, konkan_deal, konkan_score
from cooncan_sim.games import konkan_breach as breach
from cooncan_sim.games.konkan_cards import holds, less, worth
from cooncan_sim.games.konkan_match import Standings
from cooncan_sim.games.konkan_opening import may_pick_up
from cooncan_sim.games.konkan_script import (
    PHASES,
    at_draw,
    at_table,
    carry_out,
    copy_of,
    empty_state,
    moves,
    pile_text,
    put_hand,
    result,
    script_state,
    spare,
    write_pairs,
)
from cooncan_sim.games.konkan_split import opening_pairs, split
from cooncan_sim.games.konkan_state import (
    DRAW_DISCARD,
    DRAW_STOCK,
    LAYOFF,
    MELD,
    OUT,
    RUN,
    VOID,
    Move,
)
from cooncan_sim.games.konkan_table import (
    check_table,
    come_down,
    free_joker,
    hit,
    is_full,
    legal_discards,
    needed,
    pair_kind,
)
from cooncan_sim.games.konkan_text import (
    NUMBERS,
    as_kernels_do,
    layoff_move,
    mask_text,
    meaning_of,
    pair_of,
    swap_move,
    table_text,
    words,
)
from cooncan_sim.games.rulebook import Game
from cooncan_sim.melds import konkan as melds

Rules = Mapping[str, str | int]
Given = Mapping[str, Any]
KINDS = {0: "run", 1: "set"}


# ---- pairs --------------------------------------------------------------------------------


def meld(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `meld`: as what the cards can be laid, with some choice of meanings for jokers."""
    cards = [token.partition("=")[0] for token in given["cards"]]
    kept = spare(cards)
    state = at_table(game, rules, [*cards, kept])
    seat, alone = state["seats"][0], words([kept])
    types = {
        KINDS[int(pair_kind(state["table"], move.places, move.jokers))]
        for move in moves(state)
        if _left(seat, [(move.places, move.jokers)]) == alone
    }
    return {"valid": bool(types), "types": sorted(types)}


def _left(seat: np.void, pairs: list[tuple[np.uint64, np.uint64]]) -> tuple[Any, Any, int]:
    """A hand (faces held, held twice, jokers) less these pairs."""
    hand, twice, jokers = seat["hand"], seat["twice"], int(seat["jokers"])
    for pair in pairs:
        hand, twice, jokers = less(np.uint64(hand), np.uint64(twice), jokers, *pair)
    return np.uint64(hand), np.uint64(twice), int(jokers)


def layoff(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `layoff`: whether cards may be hit one after another on a pair of somebody else."""
    cards = [token.partition("=")[0] for token in given["add"]]
    hand = [*cards, spare(cards)]
    state = at_table(game, rules, hand, [given["meld"]], down=given.get("down", True))
    table, seat, burned = state["table"], state["seats"][0], False
    for token in given["add"]:
        move = _hit(state, token)
        if burned or move is None or check_table(table, seat, move) != breach.LEGAL:
            return {"legal": False, "result": None}
        hit(table, 0, move.places, move.jokers)
        burned = _burns(table)
    return {"legal": True, "result": table_text(table)[0], "burned": burned}


def _hit(state: np.void, token: str) -> Move | None:
    """The hit of a token on the only pair; a bare joker goes to the first place that takes it."""
    if token != "*":
        return layoff_move(state["table"], token, 0, None)
    return next((move for move in moves(state) if move.action == LAYOFF and move.jokers), None)


def _burns(table: np.void) -> bool:
    """Whether the only pair on the table burns."""
    pair = table["melds"][0]
    parts = (int(pair["kind"]), np.uint64(pair["places"]), np.uint64(pair["jokers"]))
    return bool(is_full(table, *parts))


def joker_swap(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `joker_swap`: whether a card may be exchanged for a joker of the pair."""
    hand = [given["card"], spare([given["card"]])]
    state = at_table(game, rules, hand, [given["meld"]], down=given["down"])
    table, move = state["table"], swap_move(given["card"], 0)
    if check_table(table, state["seats"][0], move) != breach.LEGAL:
        return {"legal": False, "result": None, "burned": False}
    free_joker(table, 0, move.places)
    return {"legal": True, "result": table_text(table)[0], "burned": _burns(table)}


def come_down_with(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `come_down`: what the pairs are worth, whether they may be laid, which of them burn."""
    state = at_table(game, rules, given["hand"], down=False)
    table, pairs = state["table"], [pair_of(tokens) for tokens in given["melds"]]
    faces = [meaning_of(token) for tokens in given["melds"] for token in tokens]
    write_pairs(state["seats"][0], pairs)
    legal = check_table(table, state["seats"][0], as_kernels_do(come_down())) == breach.LEGAL
    full = [is_full(table, pair_kind(table, *pair), *pair) for pair in pairs if legal]
    burned = [i for i, burns in enumerate(full) if burns]
    points = sum(int(worth(np.uint64(1 << face))) for face in faces)
    return {"points": points, "legal": bool(legal), "burned": burned}


def open_max(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `open_max`: the most points to come down with, and one choice of pairs worth them."""
    state = at_table(game, rules, (), down=False)
    hand = words(given["hand"])
    most = int(melds.open_max(*hand, rules["KK_JOKERS_PER_PAIR"], -1, False, False))
    return {
        "max_points": most,
        "can_come_down": most >= int(needed(state["table"])),
        "example": opening_pairs(rules, given["hand"], most) if most else [],
    }


def best_partition(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `best_partition`: least deadwood, and one choice of pairs that leaves it."""
    found = split(game, rules, given["hand"])
    return {
        "min_deadwood": found.penalty,
        "melds_all": not found.unmelded,
        "example": found.melds,
    }


# ---- turns --------------------------------------------------------------------------------


def setup(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `setup`: cards after the deal and the order of the first turns."""
    players, dealer = given["players"], given["dealer"]
    if players not in game.players:
        return {"allowed": False}
    state = empty_state(game, rules, players)
    konkan_deal.deal_hand(state, 0, 0, dealer)
    table = state["table"]
    return {
        "allowed": True,
        "hand_sizes": [int(n) for n in table["hand_sizes"][:players]],
        "stock": int(table["stock"]),
        "pile": int(table["pile_size"]),
        "order": [(int(table["turn"]) - i) % players for i in range(players)],
    }


def draw(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `draw`: the sources, and what drawing from the stock does."""
    may_pick = given.get("down", False) or given.get("can_open_with_top", False)
    state = at_draw(game, rules, given["stock"], given["pile"], may_pick)
    table = state["table"]
    konkan_deal.begin_turn(table, state["deck"])
    sources = [
        name
        for name, action in (("discard", DRAW_DISCARD), ("stock", DRAW_STOCK))
        if konkan.check_draw(table, action, may_pick) == breach.LEGAL
    ]
    if "stock" not in sources:
        return {"sources": sources, "if_stock": None}
    konkan.draw(state, DRAW_STOCK)
    return {
        "sources": sources,
        "if_stock": {
            "reshuffle": bool(state["deck"]["recycled"]),
            "stock_before_draw": int(table["stock"]) + 1,
            "pile": pile_text(state),
        },
    }


def end_check(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `end_check`: whether the hand can go on when a player has to draw."""
    may_pick = given.get("down", False) or given.get("can_open_with_top", False)
    state = at_draw(game, rules, given["stock"], given["pile"], may_pick)
    state["table"]["turns"] = given["turns"]
    ended = int(konkan.cannot_go_on(state["table"], state["seats"][0])) >= 0
    # Being stopped by MAX_TURNS makes a hand void too (R-COM-11).
    return {"ended": ended, "result": "void" if ended else "play_on"}


def pickup(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `pickup`: whether the top discard may be taken."""
    state = at_draw(game, rules, 0, [given["top"]], given["down"])
    put_hand(state, 0, given["hand"])
    return {"legal": bool(may_pick_up(state["table"], state["seats"][0]))}


def announce(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `announce`: whether so many jokers may be announced."""
    state = at_table(game, rules, ["*"] * given["jokers_in_hand"], down=given["down"])
    table = state["table"]
    table["announced"][0] = given["announced_before"]
    table["from_table"][0] = given["table_jokers"]
    why = konkan.check_announce(table, state["seats"][0], given["announce"])
    return {"legal": bool(why == breach.LEGAL)}


def discard(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `discard`: what may be thrown at the end of a turn. Nobody ever holds (R-KON-21)."""
    taken = None if given["taken_played"] else given["taken"]
    state = at_table(game, rules, given["hand"], taken=taken)
    legal = legal_discards(state["table"], state["seats"][0])
    return {"legal": mask_text(legal), "hold": False}


def go_out(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `go_out`: whether best play ends the hand in this turn; always with a discard."""
    down = given.get("down", True)
    state = at_table(game, rules, given["hand"], given["table"], given["taken"], down)
    starts = [state] if down else _openings(state)
    seen: set[bytes] = set()
    ends = any(_can_end(start, seen) for start in starts)
    return {"modes": ["discard"] if ends else []}


def _can_end(state: np.void, seen: set[bytes]) -> bool:
    key = state.tobytes()
    if key in seen:
        return False
    seen.add(key)
    seat = state["seats"][0]
    if state["table"]["hand_sizes"][0] == 1 and legal_discards(state["table"], seat):
        return True
    return any(_can_end(_after(state, move), seen) for move in _every_move(state))


def _every_move(state: np.void) -> Iterator[Move]:
    """Every legal table action, jokers in sets standing for any choice of missing suits."""
    for move in moves(state):
        yield move
        if move.jokers:
            yield from _declared_otherwise(state, move)


def _declared_otherwise(state: np.void, move: Move) -> Iterator[Move]:
    """The move with its jokers standing for other suits, if it lays or hits them in a set."""
    laid = int(move.places & ~move.jokers)
    if move.action == LAYOFF:
        laid = int(state["table"]["melds"][move.meld]["places"])
    ranks = {place & 15 for place in range(64) if laid >> place & 1}
    if len(ranks) > 1 or pair_kind(state["table"], move.places, move.jokers) == RUN:
        return
    faces = [1 << (16 * suit + ranks.copy().pop()) for suit in range(4)]
    missing = [face for face in faces if not laid & face]
    for chosen in combinations(missing, int(count(move.jokers))):
        jokers = np.uint64(sum(chosen))
        if jokers != move.jokers:
            yield Move(move.action, (move.places & ~move.jokers) | jokers, jokers, move.meld)


def _after(state: np.void, move: Move) -> np.void:
    after = copy_of(state)
    konkan.lay(after["table"], after["seats"][0], move)
    return after


def _openings(state: np.void) -> Iterator[np.void]:
    """The state after every way to come down."""
    alone = copy_of(state)
    alone["table"]["down"][0], alone["table"]["meld_count"] = 1, 0
    laid = [(move.places, move.jokers) for move in _every_move(alone) if move.action == MELD]
    for pairs in _disjoint(state["seats"][0], laid, []):
        start = copy_of(state)
        write_pairs(start["seats"][0], pairs)
        move = as_kernels_do(come_down())
        if check_table(start["table"], start["seats"][0], move) == breach.LEGAL:
            yield _after(start, move)


def _disjoint(seat: np.void, laid: list, chosen: list) -> Iterator[list]:
    """Every choice of pairs that the hand has the cards for, more than it may lay included."""
    left = _left(seat, chosen)
    for i, pair in enumerate(laid):
        if holds(*left, *pair):
            yield [*chosen, pair]
            yield from _disjoint(seat, laid[i:], [*chosen, pair])


# ---- scores -------------------------------------------------------------------------------


def hand_value(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `hand_value`: points charged for a hand."""
    state = at_table(game, rules, given["hand"])
    state["table"]["announced"][0] = given.get("announced", 0)
    state["table"]["from_table"][0] = given.get("table_jokers", 0)
    return {"points": int(konkan_score.hand_value(state["table"], state["seats"][0]))}


def score(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `score`: points added to each seat by the end of a hand."""
    hands, winner = given["hands"], given["winner"]
    state = empty_state(game, rules, len(hands))
    table, nothing = state["table"], [0] * len(hands)
    for seat, hand in enumerate(hands):
        put_hand(state, seat, hand)
        table["down"][seat] = given.get("down", [True] * len(hands))[seat]
        table["announced"][seat] = given.get("announced", nothing)[seat]
        table["from_table"][seat] = given.get("table_jokers", nothing)[seat]
    table["turn"] = 0 if winner is None else winner
    konkan_score.end_hand(state, VOID if winner is None else OUT)
    return {"delta": [int(n) for n in state["deck"]["points"][: len(hands)]]}


def match(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `match`: the totals after a hand of a set, who has won, who deals."""
    points, winner = np.array([given["delta"]]), given["winner"]
    standing = Standings(
        game,
        {**rules, "KK_SET_LENGTH": given["set_length"]},
        points.shape[1],
        np.array([given["dealer"]]),
    )
    standing.scores[:] = given["scores"]
    won = np.array([-1 if winner is None else winner])
    shares = standing.settle(np.array([0]), points, won, given["hand_no"] - 1)[0]
    winners = [int(seat) for seat in shares.nonzero()[0]]
    return {
        "scores": standing.scores[0].tolist(),
        "eliminated": [],
        "over": bool(winners),
        "match_winner": winners if len(winners) > 1 else next(iter(winners), None),
        "next_dealer": None if winners else int(standing.dealer[0]),
    }


# ---- actions ------------------------------------------------------------------------------


def phase(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `phase`: whether there is such an action at that point of a turn at all."""
    state = at_draw(game, rules, 1, ["2S"], given.get("down", False))
    state["table"]["phase"] = PHASES[given["phase"]]
    action = {"a": given["action"], "cards": [], "melds": [], "card": "2S", "meld": 0, "n": 1}
    no_such = (breach.NOT_THIS_PHASE, breach.NOT_DOWN, breach.ALREADY_DOWN)
    return {"legal": given["action"] in NUMBERS and carry_out(state, action) not in no_such}


def script(game: Game, rules: Rules, given: Given) -> dict:
    """Kind `script`: plays the actions from a small state until one is illegal."""
    state = script_state(game, rules, given)
    for i, action in enumerate(given["actions"]):
        if carry_out(state, action) != breach.LEGAL:
            return result(state, i)
    return result(state, None)


ANSWERS = {
    function.__name__: function
    for function in (
        meld,
        layoff,
        joker_swap,
        open_max,
        best_partition,
        setup,
        draw,
        end_check,
        pickup,
        announce,
        discard,
        go_out,
        hand_value,
        score,
        match,
        phase,
        script,
    )
} | {"come_down": come_down_with}
