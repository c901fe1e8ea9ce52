"""The records of Conquian: public table, one seat, hidden deck, and the answer to an offer.

A state is one NumPy record of fixed size, so it is copied by one assignment. All cards are card
numbers, all sets of cards masks (see `cards`).
"""

from typing import NamedTuple

import numpy as np
from numba import from_dtype, types

SEATS, MOST_MELDS, CARDS, MOST_WEIGHTS, MEMORY = 2, 3, 40, 16, 8
MOST_ACTIONS = 4  # about one offered card: decline, force, accept, discard

# Phases. TURN: the seat on turn has a stock card to turn up.
TURN, OFFER, FORCING, DISCARDING, OVER = range(5)
# Where an offered card comes from.
STOCK, DISCARDED = 0, 1
# Endings, as in every game.
OUT, VOID, DRAWN, POOL, MAX_TURNS, BROKEN = range(6)
# Actions.
DECLINE, ACCEPT, FORCE, LET_PASS, DISCARD = range(5)
# Options of the switches that are asked for by name.
REARRANGE_NONE = 1
WITH_CENTER, NO_ALL_HAND_MELD = 0, 1
SCOPE_ANY = 2


class Answer(NamedTuple):
    """The answer to an offer: accept (0 or 1), and the seat's whole new table as up to three melds.

    first, second, third: masks in the order in which they shall lie, empty ones last. Together
    they are the cards already down, the offered card, and the hand cards that go down with it.
    """

    accept: int
    first: np.uint64
    second: np.uint64
    third: np.uint64


RULE_FIELDS = [
    # One field a switch that matters in play; options count from 0 in the order of the rulebook.
    ("CQ_REARRANGE", "i8"),
    ("CQ_FORCING", "i8"),
    ("CQ_HAND_CARDS", "i8"),
    ("CQ_FORCE_SCOPE", "i8"),
    ("CQ_STOCK_END", "i8"),
    ("FIRST_DEALER", "i8"),
]
TABLE_DTYPE = np.dtype(
    [
        ("players", "i8"),
        ("sides", "i8"),
        ("dealer", "i8"),
        ("turn", "i8"),  # seat that acts now
        ("phase", "i8"),
        ("offered_to", "i8"),  # seat the card on offer is, or was last, offered to
        ("offered", "i8"),  # card on offer, else -1
        ("origin", "i8"),  # STOCK or DISCARDED
        ("forced", "i8"),  # whether that seat has to accept it
        ("turns", "i8"),  # turns that have ended (R-COM-15)
        ("quiet", "i8"),  # turns that have ended since a card last reached the table, or the deal
        ("stock", "i8"),  # cards in the stock
        ("ending", "i8"),
        ("winner", "i8"),  # seat or -1
        ("hand_number", "i8"),  # of the match, from 0
        ("target", "i8"),  # hands of the match; 0 for a single hand
        ("stake", "i8"),  # points that this hand is worth
        ("deal_size", "i8"),  # cards dealt to each
        ("need", "i8"),  # cards down that win
        ("most_run", "i8"),  # cards in the longest run allowed
        *RULE_FIELDS,
        ("dead", "u8"),  # discards that their receiver has declined
        ("hand_sizes", "i8", SEATS),
        ("down", "u8", SEATS),  # each seat's cards on the table
        ("melds", "u8", (SEATS, MOST_MELDS)),  # the same as they lie, oldest first, empty ones last
        ("thrown", "u8", SEATS),  # cards each seat has discarded from its hand
        ("declined", "u8", SEATS),  # cards each seat has declined
        ("scores", "i8", SEATS),
    ],
    align=True,
)
SEAT_DTYPE = np.dtype(
    [
        ("seat", "i8"),
        ("hand", "u8"),
        ("rng", "u8"),  # the strategy's own stream
        ("weights", "f8", MOST_WEIGHTS),
        ("memory", "i8", MEMORY),  # the strategy's own notes, 0 at the deal
    ],
    align=True,
)
# As np.record fields are attributes in plain Python too; for Numba it is the same type.
TABLE_DTYPE, SEAT_DTYPE = (np.dtype((np.record, dtype)) for dtype in (TABLE_DTYPE, SEAT_DTYPE))
NOTE_DTYPE = np.dtype(
    [
        ("seat", "i8"),
        ("action", "i8"),
        ("card", "i8"),  # offered or thrown, -1 for FORCE and LET_PASS
        ("cards", "u8"),  # hand cards of an ACCEPT
        ("melds", "u8", MOST_MELDS),  # the seat's table after an ACCEPT
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
        ("stock", "u8", 2),  # the cards in the stock; the second word is for second packs
        ("next", "i8"),  # shared order: cards of `order` used
        ("order", "i1", CARDS),  # shared order, shuffled as far as `next`
        ("order_size", "i8"),  # cards in `order`, and in each seat's order
        ("laid_out", "i8"),  # the first so many of them lie in a given order
        ("seat_rng", "u8", SEATS),
        ("seat_next", "i8", SEATS),
        ("seat_order", "i1", (SEATS, CARDS)),
        ("noted", "i8"),  # actions about the present card
        ("notes", NOTE_DTYPE, MOST_ACTIONS),
        ("breach", "i8"),  # why the hand is BROKEN
        ("broken", "i8"),  # the action that broke it
        ("broken_cards", "u8"),  # those that it moves; of a discard the number thrown
        ("points", "i8", SEATS),
    ],
    align=True,
)
STATE_DTYPE = np.dtype(
    [("table", TABLE_DTYPE), ("seats", SEAT_DTYPE, SEATS), ("deck", DECK_DTYPE)], align=True
)

TABLE_TYPE, SEAT_TYPE, STATE_TYPE = (
    from_dtype(dtype) for dtype in (TABLE_DTYPE, SEAT_DTYPE, STATE_DTYPE)
)
ANSWER_TYPE = types.NamedTuple((types.int64, types.uint64, types.uint64, types.uint64), Answer)
DECISIONS = {
    "choose_offer": ANSWER_TYPE(TABLE_TYPE, SEAT_TYPE),
    "choose_force": types.int64(TABLE_TYPE, SEAT_TYPE),
    "choose_discard": types.int64(TABLE_TYPE, SEAT_TYPE),
}
FUNCTIONS = {name: types.FunctionType(signature) for name, signature in DECISIONS.items()}
