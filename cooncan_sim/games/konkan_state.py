"""The records of `konkan`: public table, one seat, hidden deck, and a move.

A state is one NumPy record of fixed size, so it is copied by one assignment. Its parts are nested
in it and never passed as arrays: an array would cost a reference count at every call.
Cards are card numbers, the joker 64. Sets of cards are masks, in which bit 63 stands for a joker
where jokers can be among them. In the places of a pair bit 13 of a suit is the high ace.
"""

from typing import NamedTuple

import numpy as np
from numba import from_dtype, types

MOST_SEATS, MOST_PAIRS, MOST_WEIGHTS, MEMORY = 4, 36, 16, 8
MOST_CARDS = 112  # of 106, rounded up so that a record has no gaps and equal ones equal bytes
MOST_ACTIONS = 40  # in one turn: every card goes down, some of them for a joker that follows
MOST_OPENING = 5  # pairs in one answer

# Phases.
DRAW, TABLE, OVER, OPENING = 0, 1, 2, 3
# Endings (the first five as in every game).
OUT, VOID, DRAWN, POOL, MAX_TURNS, BROKEN = range(6)
# Actions.
STOP, MELD, LAYOFF, DRAW_STOCK, DRAW_DISCARD, DISCARD = range(6)
COME_DOWN, JOKER_SWAP, ANNOUNCE = range(6, 9)
# Kinds of pair.
RUN, SET = 0, 1


class Move(NamedTuple):
    """One action: what (int), and for a table action the places and the pair it changes.

    places: of a MELD all its places, of a LAYOFF one, of a JOKER_SWAP the card's face (masks).
    jokers: those of the places that a joker takes. meld: number of the pair on the table, else -1.
    The pairs of a COME_DOWN stand in the seat's `pairs`.
    """

    action: int
    places: np.uint64
    jokers: np.uint64
    meld: int


PAIR_FIELDS = [
    ("places", "u8"),  # run: neighbouring places of a suit; set: faces of a rank
    ("jokers", "u8"),  # the places that jokers take
]
PAIR_DTYPE = np.dtype(PAIR_FIELDS, align=True)
MELD_DTYPE = np.dtype([("owner", "i8"), ("kind", "i8"), *PAIR_FIELDS], align=True)
RULE_FIELDS = [
    # One field a switch that matters in play; options count from 0 in the order of the rulebook.
    ("TAKEN_CARD_MATCH", "i8"),
    ("RETURN_TAKEN_DISCARD", "i8"),
    ("RESHUFFLE_TIMING", "i8"),
    ("MAX_TURNS", "i8"),
    ("VOID_HAND_SCORING", "i8"),
    ("FIRST_DEALER", "i8"),
    ("RUN_BOTH_ACES", "i8"),
    ("KK_OPEN_POINTS", "i8"),
    ("KK_OPEN_RULE", "i8"),
    ("KK_PICKUP_MUST_USE", "i8"),
    ("KK_DEALER_COMEDOWN", "i8"),
    ("KK_SET_JOKER_SUIT", "i8"),
    ("KK_JOKERS_PER_PAIR", "i8"),
    ("KK_BURN_WITH_JOKER", "i8"),
    ("KK_BURN_POSITION", "i8"),
    ("KK_SWAP_SAME_TURN", "i8"),
    ("KK_RESHUFFLE_KEEP_TOP", "i8"),
    ("KK_WINNER_BONUS", "i8"),
    ("KK_NOT_DOWN_PENALTY", "i8"),
    ("KK_ANNOUNCE_WINDOW", "i8"),
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
        ("laid", "i8"),  # whether a card has reached the table in this turn
        ("taken", "i8"),  # card taken from the pile in this turn and still held, else -1
        ("owes", "i8"),  # whether the discard was taken by a player who has to come down yet
        ("fresh", "i8"),  # whether the player whose turn it is came down in it
        ("stock", "i8"),  # cards in the stock
        ("pile_size", "i8"),
        ("meld_count", "i8"),
        ("ending", "i8"),
        ("winner", "i8"),  # seat or -1
        ("highest", "i8"),  # points of the dearest come-down of the hand, 0 if nobody is down
        ("hand_number", "i8"),  # of the set of hands, from 0
        ("target", "i8"),  # hands in the set; 0 for a single hand
        *RULE_FIELDS,
        ("hand_sizes", "i8", MOST_SEATS),
        ("down", "i8", MOST_SEATS),  # whether a seat is down
        ("announced", "i8", MOST_SEATS),  # jokers in hand that were announced
        ("from_table", "i8", MOST_SEATS),  # jokers in hand that were taken from the table
        ("picked", "u8", MOST_SEATS),  # cards a seat took from the pile and has not parted with
        ("scores", "i8", MOST_SEATS),
        ("run_gaps", "u8"),  # faces that may be hit on some run
        ("set_gaps", "u8"),  # faces that may be hit on some set
        ("joker_faces", "u8"),  # faces that free a joker
        ("pile", "i1", MOST_CARDS),  # top last; below the top the order means nothing
        ("melds", MELD_DTYPE, MOST_PAIRS),
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
        ("pair_count", "i8"),
        ("pairs", PAIR_DTYPE, MOST_OPENING),  # what the answer COME_DOWN means
        ("weights", "f8", MOST_WEIGHTS),
        ("memory", "i8", MEMORY),  # the strategy's own notes, 0 at the deal
    ],
    align=True,
)
# As np.record fields are attributes in plain Python too; for Numba it is the same type.
TABLE_DTYPE, SEAT_DTYPE = (np.dtype((np.record, dtype)) for dtype in (TABLE_DTYPE, SEAT_DTYPE))
# An action of the present turn. `cards`: drawn or thrown; `announced`: how many jokers;
# `renewed`: whether the pile became the stock at this draw.
NOTE_DTYPE = np.dtype(
    [
        ("seat", "i8"),
        ("action", "i8"),
        ("cards", "u8"),
        ("places", "u8"),
        ("jokers", "u8"),
        ("meld", "i8"),
        ("announced", "i8"),
        ("renewed", "i8"),
    ],
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
        # Shared order, shuffled as far as `next`: place in a mask (63: joker) + 64 * copy.
        ("order", "i1", MOST_CARDS),
        ("order_size", "i8"),  # cards in `order`
        ("laid_out", "i8"),  # the first so many of them lie in a given order
        ("seat_rng", "u8", MOST_SEATS),
        ("seat_next", "i8", MOST_SEATS),
        ("seat_order", "i1", (MOST_SEATS, MOST_CARDS)),
        ("noted", "i8"),  # actions of the present turn
        ("notes", NOTE_DTYPE, MOST_ACTIONS),
        ("opened", "i8"),  # pairs of the come-down of the present turn
        ("opening", PAIR_DTYPE, MOST_OPENING),
        ("breach", "i8"),  # why the hand is BROKEN
        ("broken", "i8"),  # the action that broke it
        ("broken_cards", "u8"),  # those that it moves; of a discard the number thrown
        ("points", "i8", MOST_SEATS),
    ],
    align=True,
)
STATE_DTYPE = np.dtype(
    [("table", TABLE_DTYPE), ("seats", SEAT_DTYPE, MOST_SEATS), ("deck", DECK_DTYPE)], align=True
)

TABLE_TYPE, SEAT_TYPE, STATE_TYPE = (
    from_dtype(dtype) for dtype in (TABLE_DTYPE, SEAT_DTYPE, STATE_DTYPE)
)
MOVE_TYPE = types.NamedTuple((types.int64, types.uint64, types.uint64, types.int64), Move)
DECISIONS = {
    "choose_draw": types.int64(TABLE_TYPE, SEAT_TYPE),
    "choose_table": MOVE_TYPE(TABLE_TYPE, SEAT_TYPE),
    "choose_announce": types.int64(TABLE_TYPE, SEAT_TYPE),
    "choose_discard": types.int64(TABLE_TYPE, SEAT_TYPE),
}
FUNCTIONS = {name: types.FunctionType(signature) for name, signature in DECISIONS.items()}
