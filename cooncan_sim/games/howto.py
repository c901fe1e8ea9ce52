"""How each game is played, in a few sentences for `cooncan rules`; the ids are those of RULES."""

_COON_CAN = (
    "A turn is a draw, any number of table actions, and a discard (R-JAQ-10, R-JAQ-15).",
    "Draw the top of the stock or the top of the discard pile; the card taken from the pile may "
    "not be thrown back in the same turn (R-JAQ-16).",
    "A set is three or four cards of one rank, a run three or more neighbours of one suit; the ace "
    "is low only (R-JAQ-12, R-JAQ-13).",
    "Lay melds face up, and lay single cards off on any meld: the fourth of a rank, or either end "
    "of a run (R-JAQ-14, R-JAQ-28). Melds on the table are never rearranged (R-JAQ-29).",
    "Nobody goes out by throwing the card just taken: it is played or held (R-JAQ-32).",
    "When the stock is gone, the pile under its top card is shuffled into a new one (R-JAQ-17).",
    "The others are charged all cards left in hand: ace 1, court cards and ten 10, others their "
    "number (R-JAQ-20, R-JAQ-22). In a match a player at the target is out, the last one left "
    "wins (R-JAQ-25, R-JAQ-26).",
)
_CONQUIAN = (
    "Forty cards: no 8, 9, 10, so that 7 and jack are neighbours (R-CQN-05, R-CQN-14).",
    "The player whose turn it is turns a stock card; he may take it, with hand cards that make a "
    "meld with it, or pass it on as a discard (R-CQN-09). No card ever goes into a hand "
    "(R-CQN-03).",
    "After melding he throws a hand card, which the other may use first (R-CQN-10, R-CQN-11); what "
    "the other refuses is dead, and he turns the next stock card (R-CQN-12, R-CQN-25).",
    "Hand cards alone are never a meld: one of its cards comes from the centre (R-CQN-16).",
    "When a stock card is needed and none is left, the hand is drawn (R-CQN-24).",
)

HOW: dict[str, tuple[str, ...]] = {
    "jaques": _COON_CAN,
    "two_deck": (
        "As Coon Can, with two packs: twins may stand in one set, a run has each rank once "
        "(R-TWO-04).",
        *_COON_CAN,
    ),
    "wild_card": (
        "As Coon Can, with four wild cards of one rank: a wild card stands for any card in a meld, "
        "named when it is laid and fixed for good (R-WLD-02, R-WLD-04).",
        *_COON_CAN,
    ),
    "partnership": (
        "As Coon Can for two sides of partners who sit opposite (R-PAR-01): a side is out when one "
        "partner is out, and both hands of the other side are charged to it (R-PAR-04, R-PAR-05).",
        *_COON_CAN,
    ),
    "conquian": (
        *_CONQUIAN,
        "Melds lie open and their owner regroups them at will to take a card in (R-CQN-18).",
        "A player who passes up a card that fits his table may be forced to take it (R-CQN-21).",
        "Eleven cards on the table win: the ten dealt and one more (R-CQN-04, R-CQN-23).",
    ),
    "conquian_jaques": (
        *_CONQUIAN,
        "Melds on the table stay as they are (R-CQJ-07), and nobody is forced (R-CQJ-08).",
        "Nine cards are dealt and ten on the table win (R-CQJ-05).",
    ),
    "double_rum": (
        "Two packs and two jokers; a joker stands for any card its holder names (R-DBR-10).",
        "A turn is a draw from stock or pile, table actions, and a discard (R-DBR-13, R-DBR-14).",
        "Sets are three or more of a rank, twins too; runs three or more neighbours of a suit, the "
        "ace at either end (R-DBR-08, R-DBR-09). Cards may be added to anybody's melds "
        "(R-DBR-16).",
        "Who holds the card that a joker at the end of a run stands for may put it there and move "
        "the joker to the other end, once (R-DBR-17, R-DBR-19).",
        "When the stock is gone play goes on with the top discard; after idle circuits all hands "
        "are paid into a pool for the next winner (R-DBR-26, R-DBR-27).",
        "The winner is paid by the others what their hands are worth: joker 15, ace 11, court "
        "cards and ten 10 (R-DBR-23, R-DBR-24).",
    ),
    "konkan": (
        "Two packs and two jokers; play goes counter-clockwise, and the dealer opens by throwing "
        "one of fifteen cards (R-KON-06 … R-KON-08).",
        "Sets are three or four of a rank in different suits, runs three or more neighbours of a "
        "suit, the ace at either end; a joker stands for a card of rank and suit (R-KON-02, "
        "R-KON-03, R-KON-14).",
        "The first melds, called pairs, are laid together and are worth 51 or more; only whoever "
        "comes down so in this turn may take the discard before (R-KON-10, R-KON-25).",
        "Who is down lays further pairs, plays hits on any pair, and takes a joker from the table "
        "for the card it stands for (R-KON-15, R-KON-18). A set of four suits is burned "
        "(R-KON-17).",
        "The last card is always thrown, never laid (R-KON-21).",
        "The winner gets a bonus, the others are charged their hands, a joker 25, or 2 if it was "
        "announced or came from the table (R-KON-28, R-KON-32, R-KON-33).",
    ),
}
