"""The records of `double_rum`: public table, one seat, hidden deck, and a move.

A state is one NumPy record of fixed size, so it is copied by one assignment. Its parts are nested
in it and never passed as arrays: an array would cost a reference count at every call.
Cards are card numbers, the joker 64. Sets of cards are masks; where jokers can be among them, bit
63 stands for one. In the places of a run bit 13 of a suit is the high ace.
"""

from typing import NamedTuple

import numpy as np
from numba import from_dtype, types

MOST_SEATS, MOST_MELDS, MOST_CARDS, MOST_WEIGHTS, MEMORY = 8, 36, 106, 16, 8
MOST_ACTIONS = 16  # in one turn: a draw, one for each card in hand, a discard

# Phases.
DRAW, TABLE, OVER = 0, 1, 2
# Endings (the first five as in every game).
OUT, VOID, DRAWN, POOL, MAX_TURNS, BROKEN = range(6)
# Actions.
STOP, MELD, LAYOFF, DRAW_STOCK, DRAW_DISCARD, DISCARD, HOLD, JOKER_MOVE = range(8)
# Kinds of meld.
RUN, SET = 0, 1


class Move(NamedTuple):
    """One action: what (int), the cards that leave the hand, and where they go.

    cards, twice: faces, and those of them that go twice (masks); jokers: how many (int).
    places: of a run that is laid all its places, of a lay-off on a run the one it takes (masks);
    empty otherwise. stands: those of the places that jokers take. meld: the number of the meld
    that is changed, else -1.
    """

    action: int
    cards: np.uint64
    twice: np.uint64
    jokers: int
    places: np.uint64
    stands: np.uint64
    meld: int


MELD_FIELDS = [
    ("owner", "i8"),
    ("kind", "i8"),  # RUN or SET
    ("cards", "u8"),  # the faces in it
    ("twice", "u8"),  # the faces in it twice
    ("jokers", "i8"),  # the jokers in it
    ("places", "u8"),  # run: the places it covers; set: its rank in all suits
    ("stands", "u8"),  # run: the places that jokers take
    ("locked", "u8"),  # run: the places of jokers that have been moved
]
RULE_FIELDS = [
    # One field a switch that matters in play; options count from 0 in the order of the rulebook.
    ("TAKEN_CARD_MATCH", "i8"),
    ("RETURN_TAKEN_DISCARD", "i8"),
    ("ONLY_TAKEN_LEFT", "i8"),
    ("GO_OUT_BY_DISCARD", "i8"),
    ("LAYOFF_NEEDS_OWN_MELD", "i8"),
    ("RUN_BOTH_ACES", "i8"),
    ("JOKER_MOVE_MODE", "i8"),
    ("MAX_TURNS", "i8"),
    ("DBR_BLOCK_ROUNDS", "i8"),
    ("DBR_PENALTY_SCOPE", "i8"),
    ("DBR_POOL", "i8"),
    ("FIRST_DEALER", "i8"),
]
TABLE_DTYPE = np.dtype(
    [
        ("players", "i8"),
        ("sides", "i8"),  # as many as players: nobody has a partner
        ("dealer", "i8"),
        ("turn", "i8"),  # seat whose turn it is
        ("phase", "i8"),
        ("turns", "i8"),  # turns that have ended
        ("quiet", "i8"),  # turns played since a card last reached the table, or the deal
        ("idle", "i8"),  # the same since the stock ran out; -1 while there is a stock
        ("laid", "i8"),  # whether a card has reached the table in this turn
        ("taken", "i8"),  # card taken from the pile in this turn and still held, else -1
        ("stock", "i8"),  # cards in the stock
        ("pile_size", "i8"),
        ("meld_count", "i8"),
        ("ending", "i8"),
        ("winner", "i8"),  # seat or -1
        ("pool", "i8"),  # units that the winner of the hand collects besides
        ("hand_number", "i8"),  # of the match, from 0
        ("target", "i8"),  # 0: matches end after a number of hands
        *RULE_FIELDS,
        ("hand_sizes", "i8", MOST_SEATS),
        ("melded", "i8", MOST_SEATS),  # melds this seat has laid
        ("picked", "u8", MOST_SEATS),  # cards a seat took from the pile and has not parted with
        ("scores", "i8", MOST_SEATS),  # balances before the hand
        ("run_ends", "u8"),  # faces that fit an end of some run
        ("set_ranks", "u8"),  # faces that fit some set
        ("replacing", "u8"),  # faces that may take the place of a joker, which moves
        ("sliding", "u8"),  # faces for which a joker may make room (JOKER_MOVE_MODE)
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
        ("jokers", "i8"),  # jokers held
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
    ("jokers", "i8"),
    ("places", "u8"),
    ("stands", "u8"),
    ("meld", "i8"),
]
NOTE_DTYPE = np.dtype([("seat", "i8"), *MOVE_FIELDS], align=True)  # an action of the present turn
DECK_DTYPE = np.dtype(
    [
        ("seed", "i8"),
        ("deal", "i8"),
        ("played", "i8"),  # hands of the batch that are over
        ("rng", "u8"),
        ("per_seat", "i8"),  # stock order: 0 shared, 1 one for each seat
        ("stock", "u8", 2),  # the cards in the stock: first copies, second copies
        ("next", "i8"),  # shared order: cards of `order` used
        # Shared order, shuffled as far as `next`: place in a mask (63: joker) + 64 * copy.
        ("order", "i1", MOST_CARDS),
        ("order_size", "i8"),  # cards in `order`
        ("laid_out", "i8"),  # the first so many of them lie in a given order
        ("seat_rng", "u8", MOST_SEATS),
        ("seat_next", "i8", MOST_SEATS),
        ("seat_order", "i1", (MOST_SEATS, MOST_CARDS)),
        ("noted", "i8"),  # actions of the present turn
        ("notes", NOTE_DTYPE, MOST_ACTIONS),
        ("breach", "i8"),  # why the hand is BROKEN
        ("broken", "i8"),  # the action that broke it
        ("broken_cards", "u8"),  # those that it moves; of a discard the number thrown
        ("points", "i8", MOST_SEATS),
        ("pool", "i8"),  # what is left in the pool when the hand is over
    ],
    align=True,
)
STATE_DTYPE = np.dtype(
    [("table", TABLE_DTYPE), ("seats", SEAT_DTYPE, MOST_SEATS), ("deck", DECK_DTYPE)], align=True
)

TABLE_TYPE, SEAT_TYPE, STATE_TYPE = (
    from_dtype(dtype) for dtype in (TABLE_DTYPE, SEAT_DTYPE, STATE_DTYPE)
)
_MOVE_TYPES = (types.int64, *[types.uint64] * 2, types.int64, *[types.uint64] * 2, types.int64)
MOVE_TYPE = types.NamedTuple(_MOVE_TYPES, Move)
DECISIONS = {
    "choose_draw": types.int64(TABLE_TYPE, SEAT_TYPE),
    "choose_table": MOVE_TYPE(TABLE_TYPE, SEAT_TYPE),
    "choose_discard": types.int64(TABLE_TYPE, SEAT_TYPE),
}
FUNCTIONS = {name: types.FunctionType(signature) for name, signature in DECISIONS.items()}
