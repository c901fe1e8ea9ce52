"""The records of the `jaques` family: public table, one seat, hidden deck, and a move.

A state is one NumPy record of fixed size, so it is copied by one assignment. Its parts are nested
in it and never passed as arrays: an array would cost a reference count at every call.
All cards are card numbers, all sets of cards masks (see `cards`).
"""

from typing import NamedTuple

import numpy as np
from numba import from_dtype, types

MOST_SEATS, MOST_MELDS, MOST_CARDS, MOST_WEIGHTS, MEMORY = 4, 34, 104, 16, 8
MOST_ACTIONS = 16  # in one turn: a draw, one for each card in hand, a discard

# Phases.
DRAW, TABLE, OVER = 0, 1, 2
# Endings (the first five as in every game).
OUT, VOID, DRAWN, POOL, MAX_TURNS, BROKEN = range(6)
# Actions.
STOP, MELD, LAYOFF, DRAW_STOCK, DRAW_DISCARD, DISCARD, HOLD = range(7)
# Kinds of meld, and the ends of a run.
RUN, SET = 0, 1
LOW, HIGH = 0, 1


class Move(NamedTuple):
    """One action: what (int), the faces it moves and those it moves twice (masks), and where to.

    meld, end: of a lay-off. substitutes: wild cards and what they stand for, packed as `stand_in`
    does; 0 if every card stands for itself.
    """

    action: int
    cards: np.uint64
    twice: np.uint64
    meld: int
    end: int
    substitutes: np.uint64


MELD_FIELDS = [
    ("owner", "i8"),
    ("kind", "i8"),  # RUN or SET
    ("cards", "u8"),  # the faces in it; wild cards as themselves
    ("twice", "u8"),  # the faces in it twice
    ("places", "u8"),  # run: the places it covers; set: its rank in all suits
    ("substitutes", "u8"),  # the wild cards that stand for others, see Move
]
RULE_FIELDS = [
    # One field a switch that matters in play; options count from 0 in the order of the rulebook.
    ("ONLY_TAKEN_LEFT", "i8"),
    ("GO_OUT_BY_DISCARD", "i8"),
    ("LAYOFF_NEEDS_OWN_MELD", "i8"),
    ("RESHUFFLE_TIMING", "i8"),
    ("MAX_TURNS", "i8"),
    ("VOID_HAND_SCORING", "i8"),
    ("FIRST_DEALER", "i8"),
    ("HAND_SIZE", "i8"),
    ("LAYOFF_SCOPE", "i8"),
    ("TAKEN_CARD_MATCH", "i8"),
    ("TWO_DECK_SET_MAX", "i8"),
    ("WILD_MIN_NATURALS", "i8"),
    ("WILD_PENALTY", "i8"),
    ("WILD_BONUS", "i8"),
    ("PARTNER_LAYOFF_SCOPE", "i8"),
    ("PARTNER_SCORING", "i8"),
]
TABLE_DTYPE = np.dtype(
    [
        ("players", "i8"),
        ("sides", "i8"),  # seats s and s + sides are partners; as many as players if alone
        ("packs", "i8"),
        ("wild", "u8"),  # the four cards of the wild rank, or none
        ("dealer", "i8"),
        ("turn", "i8"),  # seat whose turn it is
        ("phase", "i8"),
        ("turns", "i8"),  # turns that have ended
        ("quiet", "i8"),  # turns played since a card last reached the table, or the deal
        ("laid", "i8"),  # whether a card has reached the table in this turn
        ("taken", "i8"),  # card taken from the pile in this turn and still held, else -1
        ("stock", "i8"),  # cards in the stock
        ("pile_size", "i8"),
        ("meld_count", "i8"),
        ("ending", "i8"),
        ("winner", "i8"),  # seat or -1
        ("hand_number", "i8"),  # of the match, from 0
        ("target", "i8"),  # points that end a player's match; 0 for a single hand
        *RULE_FIELDS,
        ("hand_sizes", "i8", MOST_SEATS),
        ("melded", "i8", MOST_SEATS),  # melds this seat has laid
        ("picked", "u8", MOST_SEATS),  # cards a seat took from the pile and has not parted with
        ("run_ends", "u8", MOST_SEATS),  # faces this seat may lay on some run now
        ("set_gaps", "u8", MOST_SEATS),  # faces this seat may lay on some set now
        ("scores", "i8", MOST_SEATS),
        ("pile", "i1", MOST_CARDS),  # bottom first
        ("melds", np.dtype(MELD_FIELDS, align=True), MOST_MELDS),
    ],
    align=True,
)
SEAT_DTYPE = np.dtype(
    [
        ("seat", "i8"),
        ("hand", "u8"),  # the faces held
        ("twice", "u8"),  # the faces held twice
        ("rng", "u8"),  # the strategy's own stream
        ("weights", "f8", MOST_WEIGHTS),
        ("memory", "i8", MEMORY),  # the strategy's own notes, 0 at the deal
    ],
    align=True,
)
# As np.record fields are attributes in plain Python too; for Numba it is the same type.
TABLE_DTYPE, SEAT_DTYPE = (np.dtype((np.record, dtype)) for dtype in (TABLE_DTYPE, SEAT_DTYPE))
MOVE_FIELDS = [
    ("action", "i8"),
    ("cards", "u8"),
    ("twice", "u8"),
    ("meld", "i8"),
    ("end", "i8"),
    ("substitutes", "u8"),
]
# An action of the present turn. `renewed`: whether the pile became the stock at this draw.
NOTE_DTYPE = np.dtype(
    [("seat", "i8"), *MOVE_FIELDS, ("renewed", "i8")],
    align=True,
)
DECK_DTYPE = np.dtype(
    [
        ("seed", "i8"),
        ("deal", "i8"),
        ("played", "i8"),  # hands of the batch that are over
        ("rng", "u8"),
        ("per_seat", "i8"),  # stock order: 0 shared, 1 one for each seat
        ("recycled", "i8"),  # how often the pile has become the stock
        ("stock", "u8", 2),  # the cards in the stock: first copies, second copies
        ("next", "i8"),  # shared order: cards of `order` used
        ("order", "i1", MOST_CARDS),  # shared order, shuffled as far as `next`: card + 64 * copy
        ("order_size", "i8"),  # cards in `order`
        ("laid_out", "i8"),  # the first so many of them lie in a given order
        ("seat_rng", "u8", MOST_SEATS),
        ("seat_next", "i8", MOST_SEATS),
        ("seat_order", "i1", (MOST_SEATS, MOST_CARDS)),
        ("noting", "i8"),  # whether actions are noted; a batch saves the time
        ("noted", "i8"),  # actions of the present turn
        ("notes", NOTE_DTYPE, MOST_ACTIONS),
        ("breach", "i8"),  # why the hand is BROKEN
        ("broken", "i8"),  # the action that broke it
        ("broken_cards", "u8"),  # those that it moves; of a discard the number thrown
        ("points", "i8", MOST_SEATS),
    ],
    align=True,
)
MOVE_DTYPE = np.dtype(MOVE_FIELDS, align=True)
STATE_DTYPE = np.dtype(
    [("table", TABLE_DTYPE), ("seats", SEAT_DTYPE, MOST_SEATS), ("deck", DECK_DTYPE)], align=True
)

TABLE_TYPE, SEAT_TYPE, STATE_TYPE = (
    from_dtype(dtype) for dtype in (TABLE_DTYPE, SEAT_DTYPE, STATE_DTYPE)
)
MOVE_TYPE = types.NamedTuple(
    (types.int64, types.uint64, types.uint64, types.int64, types.int64, types.uint64), Move
)
DECISIONS = {
    "choose_draw": types.int64(TABLE_TYPE, SEAT_TYPE),
    "choose_table": MOVE_TYPE(TABLE_TYPE, SEAT_TYPE),
    "choose_discard": types.int64(TABLE_TYPE, SEAT_TYPE),
}
FUNCTIONS = {name: types.FunctionType(signature) for name, signature in DECISIONS.items()}
