"""The hand of the `jaques` family, in the order in which it is played (R-COM, R-JAQ, R-TWO, R-WLD,
R-PAR): switches, deal, draw, table, discard, and what ends it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tests.referee import scoring
from tests.referee.cards import RANKS, face, is_token
from tests.referee.frame import (
    Illegal,
    require,
    same_cards,
    settle_switches,
    without,
)
from tests.referee.melds import MeldRules, extended, kind_of, meld_rules, tokens_for

_COUNT = range(1, 1_000_000_000)
_FAMILY = {
    "ONLY_TAKEN_LEFT": ("hold", ("hold", "illegal")),
    "GO_OUT_BY_DISCARD": ("allowed", ("allowed", "forbidden")),
    "LAYOFF_NEEDS_OWN_MELD": ("no", ("no", "yes")),
    "ILLEGAL_MELD": ("prevented", ("prevented",)),
    "RESHUFFLE_TIMING": ("on_demand", ("on_demand", "at_turn_start")),
    "MAX_TURNS": (1000, _COUNT),
    "MAX_HANDS": (1000, _COUNT),
    "VOID_HAND_SCORING": ("no_score", ("no_score", "all_count")),
    "FIRST_DEALER": ("random", ("random", "seat0")),
    "DEALER_ROTATION": ("left", ("left", "winner", "loser")),
    "MATCH_TARGET": (100, _COUNT),
    "ELIMINATION": ("each_at_or_over", ("each_at_or_over", "first_only")),
}
_LAYOFF_SCOPE = {"LAYOFF_SCOPE": ("all", ("all", "own"))}
SWITCHES = {
    "jaques": _FAMILY | _LAYOFF_SCOPE | {"HAND_SIZE": (10, (10, 11))},
    "two_deck": _FAMILY
    | _LAYOFF_SCOPE
    | {
        "HAND_SIZE": (11, (10, 11)),
        "TAKEN_CARD_MATCH": ("physical", ("physical", "face")),
        "TWO_DECK_SET_MAX": (4, range(4, 9)),
    },
    "wild_card": _FAMILY
    | _LAYOFF_SCOPE
    | {
        "WILD_RANK": ("2", tuple(RANKS)),
        "WILD_MIN_NATURALS": (1, (1, 2, 3)),
        "WILD_PENALTY": ("face", ("face", 15, 20, 25)),
        "WILD_BONUS": (0, range(1_000_000_000)),
    },
    "partnership": _FAMILY
    | {
        "PARTNER_LAYOFF_SCOPE": ("all", ("all", "own_side")),
        "PARTNER_SCORING": ("losers_both", ("losers_both", "net", "each_side")),
    },
}
PLAYERS = {"jaques": (2, 3, 4), "two_deck": (3, 4), "wild_card": (2, 3, 4), "partnership": (4,)}


@dataclass(frozen=True)
class Meld:
    """A meld on the table: who laid it, and its tokens (runs from low to high)."""

    owner: int
    cards: tuple[str, ...]


@dataclass
class State:
    """A hand in progress.

    `taken` is the face drawn from the pile in this turn and `taken_held` the flag of R-COM-02.
    `quiet` counts the turns played since a card last reached the table, `turns` all of them.
    """

    game: str
    switches: dict
    rules: MeldRules
    hands: list[list[str]]
    stock: list[str]
    pile: list[str]
    turn: int
    table: list[Meld] = field(default_factory=list)
    stock_order: str = "shared"
    phase: str | None = "DRAW"
    taken: str | None = None
    taken_held: bool = False
    laid: bool = False
    turns: int = 0
    quiet: int = 0
    ending: str | None = None
    winner: int | None = None

    @property
    def hand(self) -> list[str]:
        """The hand of the player whose turn it is."""
        return self.hands[self.turn]


def hand_size(switches: dict) -> int:
    """Cards dealt to each player (R-JAQ-06, R-TWO-03, HAND_SIZE)."""
    return switches.get("HAND_SIZE", 10)


def players_allowed(game: str, players: int, match: dict | None = None) -> bool:
    """R-JAQ-01, R-TWO-02, R-PAR-01. In a match those who began it count, two may be left."""
    if match is None or game == "partnership":
        return players in PLAYERS[game]
    return len(match["scores"]) in PLAYERS[game] and 2 <= players <= len(match["scores"])


def settled(log: dict) -> dict:
    """The switches of a hand log or worked case; ValueError for a bad one."""
    return settle_switches(log.get("switches") or {}, SWITCHES[log["game"]])


def begin(log: dict) -> State:
    """The hand as dealt; the player to the dealer's left has the first turn (R-JAQ-09)."""
    switches = settled(log)
    return State(
        game=log["game"],
        switches=switches,
        rules=meld_rules(log["game"], switches),
        hands=[list(hand) for hand in log["hands"]],
        stock=list(log["stock"]),
        pile=list(log["pile"]),
        turn=(log["dealer"] + 1) % log["players"],
        stock_order=log.get("stock_order", "shared"),
    )


def copy_of(state: State) -> State:
    """A copy to play on without touching the hand itself."""
    return replace(
        state,
        hands=[list(hand) for hand in state.hands],
        stock=list(state.stock),
        pile=list(state.pile),
        table=list(state.table),
    )


def play(state: State, action: dict) -> None:
    """Play one action, or raise `Illegal` and leave the hand as it was.

    A draw must say which `card` it brought and, when the stock was renewed, how: `recycled`.
    """
    require(state.ending is None, "R-COM-09", "the hand is over")
    require(action.get("seat", state.turn) == state.turn, "R-JAQ-19", "not this seat's turn")
    require(action["a"] in _ACTIONS, "R-COM-06", f"there is no action {action['a']} here")
    verify, perform = _ACTIONS[action["a"]]
    verify(state, action)
    perform(state, action)


def refusal(state: State, action: dict) -> str | None:
    """Why an action of the TABLE phase is not legal now, or None if it is."""
    try:
        _ACTIONS[action["a"]][0](state, action)
    except Illegal as broken:
        return str(broken)
    return None


# --- draw -----------------------------------------------------------------------------------------


def sources(state: State) -> list[str]:
    """Where the player to draw can draw from (R-JAQ-10, R-JAQ-17)."""
    return ["discard"] * bool(state.pile) + ["stock"] * bool(state.stock or len(state.pile) > 1)


def recycling_due(state: State, action: dict) -> bool:
    """Whether this draw finds the stock empty and renews it (R-JAQ-17, RESHUFFLE_TIMING)."""
    if state.stock or len(state.pile) < 2:
        return False
    return action["a"] == "DRAW_STOCK" or state.switches["RESHUFFLE_TIMING"] == "at_turn_start"


def completed_draw(state: State, a: str, shuffle: Callable[[list[str]], None]) -> dict:
    """The draw `a` with the card it brings, and the new stock if it renews it."""
    action = {"seat": state.turn, "a": a}
    stock = state.stock
    if recycling_due(state, action):
        stock = action["recycled"] = state.pile[:-1]
        shuffle(stock)
    source = stock[:1] if a == "DRAW_STOCK" else state.pile[-1:]
    if source:
        action["card"] = source[0]
    return action


def _verify_draw(state: State, action: dict) -> None:
    require(state.phase == "DRAW", "R-JAQ-10", "one draw opens a turn")
    from_stock = action["a"] == "DRAW_STOCK"
    require(
        ("stock" if from_stock else "discard") in sources(state),
        "R-JAQ-17" if from_stock else "R-JAQ-10",
        "nothing to draw there",
    )
    due = recycling_due(state, action)
    require(("recycled" in action) == due, "R-JAQ-17", "stock renewed at the wrong time, or not")
    stock = action["recycled"] if due else state.stock
    if due:
        require(same_cards(stock, state.pile[:-1]), "R-JAQ-17", "these are not the discards")
    if not from_stock:
        require(action.get("card") == state.pile[-1], "R-COM-10", "not the uppermost discard")
        return
    next_cards = stock if state.stock_order == "per_seat" else stock[:1]
    require(action.get("card") in next_cards, "R-COM-13", "not the next stock card")


def _draw(state: State, action: dict) -> None:
    if "recycled" in action:
        state.stock = list(action["recycled"])
        state.pile = state.pile[-1:]
    if action["a"] == "DRAW_DISCARD":
        take_discard(state)
        return
    state.stock.remove(action["card"])
    state.hand.append(action["card"])
    state.phase = "TABLE"


def take_discard(state: State) -> None:
    """The player to draw takes the uppermost discard (R-JAQ-10, R-COM-02)."""
    state.taken = state.pile.pop()
    state.taken_held = True
    state.hand.append(state.taken)
    state.phase = "TABLE"


# --- table ----------------------------------------------------------------------------------------


def _verify_cards(state: State, tokens: list[str]) -> list[str]:
    """The hand after these tokens have left it."""
    require(state.phase == "TABLE", "R-JAQ-11", "the table comes after the draw")
    require(all(is_token(token) for token in tokens), "R-COM-06", "not a card")
    try:
        return without(state.hand, [face(token) for token in tokens])
    except ValueError:
        raise Illegal("R-COM-06", "the hand does not hold these cards") from None


def _verify_meld(state: State, action: dict) -> None:
    tokens = action["cards"]
    left = _verify_cards(state, tokens)
    rule = "R-WLD-02" if any("=" in token for token in tokens) else "R-JAQ-12, R-JAQ-13"
    require(kind_of(tokens, state.rules) is not None, rule, f"{' '.join(tokens)} is not a meld")
    table = [*state.table, Meld(state.turn, tuple(tokens))]
    _verify_rest(state, tokens, left, table)


def _verify_layoff(state: State, action: dict) -> None:
    token, number = action["card"], action["meld"]
    left = _verify_cards(state, [token])
    require(number in range(len(state.table)), "R-JAQ-14", "there is no such meld")
    meld = state.table[number]
    rule = "R-PAR-03" if state.switches.get("PARTNER_LAYOFF_SCOPE") == "own_side" else "R-JAQ-14"
    require(may_add_to(state, meld), rule, "he may not add to this meld")
    longer = extended(meld.cards, token, state.rules)
    if longer is None:
        raise Illegal("R-JAQ-12, R-JAQ-28", f"{token} has no place there")
    if kind_of(longer, state.rules) == "run" and action.get("end") is not None:
        reached = "low" if longer[0] == token else "high"
        require(action["end"] == reached, "R-JAQ-28", f"{token} belongs to the other end")
    table = list(state.table)
    table[number] = Meld(meld.owner, longer)
    _verify_rest(state, [token], left, table)


def may_add_to(state: State, meld: Meld) -> bool:
    """Whether the player may lay off on this meld at all (R-JAQ-14, R-PAR-03)."""
    return _open_to_turn(state, meld, state.table)


def _open_to_turn(state: State, meld: Meld, table: list[Meld]) -> bool:
    has_own_meld = any(other.owner == state.turn for other in table)
    if state.switches["LAYOFF_NEEDS_OWN_MELD"] == "yes" and not has_own_meld:
        return False
    if state.switches.get("LAYOFF_SCOPE") == "own":
        return meld.owner == state.turn
    if state.switches.get("PARTNER_LAYOFF_SCOPE") == "own_side":
        return meld.owner % 2 == state.turn % 2
    return True


def _verify_rest(state: State, tokens: list[str], left: list[str], table: list[Meld]) -> None:
    """ONLY_TAKEN_LEFT=illegal: no table action may leave just the taken card, with no use for it.

    With TAKEN_CARD_MATCH=face a twin counts as the taken card as well.
    """
    taken = state.taken if state.taken_held else None
    if taken is None or state.switches["ONLY_TAKEN_LEFT"] == "hold":
        return
    if taken in [face(token) for token in tokens] or set(left) != {taken}:
        return
    fits = any(
        _open_to_turn(state, meld, table) and tokens_for(taken, meld.cards, state.rules)
        for meld in table
    )
    may_go = may_discard(taken, left, taken, True, state.switches)
    require(fits or may_go, "R-JAQ-32", "only the taken card would be left")


def _lay(state: State, tokens: list[str]) -> None:
    faces = [face(token) for token in tokens]
    state.hands[state.turn] = without(state.hand, faces)
    state.taken_held = state.taken_held and state.taken not in faces
    state.laid = True
    state.quiet = 0
    if not state.hand:
        _win(state)


def _meld(state: State, action: dict) -> None:
    state.table.append(Meld(state.turn, tuple(action["cards"])))
    _lay(state, action["cards"])


def _layoff(state: State, action: dict) -> None:
    meld = state.table[action["meld"]]
    longer = extended(meld.cards, action["card"], state.rules)
    assert longer is not None, "verified before"
    state.table[action["meld"]] = Meld(meld.owner, longer)
    _lay(state, [action["card"]])


# --- discard and end of turn ----------------------------------------------------------------------


def may_discard(
    card: str, hand: list[str], taken: str | None, taken_held: bool, switches: dict
) -> bool:
    """R-COM-07 and GO_OUT_BY_DISCARD for one card of a hand."""
    if len(hand) == 1 and switches["GO_OUT_BY_DISCARD"] == "forbidden":
        return False
    if card != taken or not taken_held:
        return True
    return hand.count(card) > 1 and switches.get("TAKEN_CARD_MATCH", "physical") == "physical"


def legal_discards(state: State) -> list[str]:
    """The faces the player may throw now."""
    taken = state.taken, state.taken_held
    faces = dict.fromkeys(state.hand)
    return [card for card in faces if may_discard(card, state.hand, *taken, state.switches)]


def _verify_discard(state: State, action: dict) -> None:
    require(state.phase == "TABLE", "R-JAQ-15", "the discard closes a turn")
    require(action["card"] in state.hand, "R-COM-06", f"the hand does not hold {action['card']}")
    last = len(state.hand) == 1 and state.switches["GO_OUT_BY_DISCARD"] == "forbidden"
    require(not last, "R-COM-08", "nobody goes out by discarding here")
    legal = action["card"] in legal_discards(state)
    require(legal, "R-JAQ-16", f"{action['card']} was just taken from the pile")


def _verify_hold(state: State, _: dict) -> None:
    require(state.phase == "TABLE", "R-JAQ-15", "the hold closes a turn")
    require(not legal_discards(state), "R-COM-08", "a card can be thrown")


def _discard(state: State, action: dict) -> None:
    state.hands[state.turn] = without(state.hand, [action["card"]])
    state.pile.append(action["card"])
    if state.hand:
        _end_turn(state)
    else:
        _win(state)


def _hold(state: State, _: dict) -> None:
    _end_turn(state)


def _win(state: State) -> None:
    """R-JAQ-18, R-JAQ-21, R-COM-09; the turn that ends the hand counts (R-COM-15)."""
    state.turns += 1
    state.ending, state.winner, state.phase = "out", state.turn, None


def _end_turn(state: State) -> None:
    """The checks of R-COM-16 in their order, then the next player's turn."""
    state.turns += 1
    state.quiet = 0 if state.laid else state.quiet + 1
    if not sources(state):
        state.ending, state.phase = "void", None
    elif state.turns >= state.switches["MAX_TURNS"]:
        state.ending, state.phase = "max_turns", None
    else:
        state.turn = (state.turn + 1) % len(state.hands)
        state.phase, state.taken, state.taken_held, state.laid = "DRAW", None, False, False


_ACTIONS = {
    "DRAW_STOCK": (_verify_draw, _draw),
    "DRAW_DISCARD": (_verify_draw, _draw),
    "MELD": (_verify_meld, _meld),
    "LAYOFF": (_verify_layoff, _layoff),
    "DISCARD": (_verify_discard, _discard),
    "HOLD": (_verify_hold, _hold),
}
PHASES = {
    "DRAW": ("DRAW_STOCK", "DRAW_DISCARD"),
    "TABLE": ("MELD", "LAYOFF", "DISCARD", "HOLD"),
}


def result(state: State) -> dict:
    """The `result` of the hand log."""
    melds = [meld.cards for meld in state.table if meld.owner == state.winner]
    return {
        "ending": state.ending,
        "winner": state.winner,
        "turns": state.turns,
        "hands": [sorted(hand) for hand in state.hands],
        "points": scoring.points(state.game, state.switches, state.hands, state.winner, melds),
    }
