"""What an illegal action of Conquian breaks: a number for kernels, a rule id and words."""

LEGAL = 0
NOT_THIS_PHASE = 1
MUST_ACCEPT = 2
NOT_HELD = 3
NOT_THE_TABLE = 4
NO_MELD = 5
HAND_CARDS = 6
FROZEN = 7
NO_DISCARD_LEFT = 8
NO_ANSWER = 9
CARDS_CHANGED = 10

RULES = {
    NOT_THIS_PHASE: ("R-COM-04", "there is no such action at this point of a turn"),
    MUST_ACCEPT: ("R-CQN-21", "a player who is forced may not decline"),
    NOT_HELD: ("R-COM-06", "these cards are not in the hand"),
    NOT_THE_TABLE: (
        "R-CQN-18",
        "the melds must be the cards on the table, the offered card and hand cards, each once",
    ),
    NO_MELD: ("R-CQN-18", "each part of the new table must be a set or a run of three or more"),
    HAND_CARDS: ("R-CQN-16", "hand cards may not go down there"),
    FROZEN: ("R-CQJ-07", "melds on the table stay whole and apart under these house rules"),
    NO_DISCARD_LEFT: ("R-CQJ-05", "this would empty the hand, and a discard has to follow"),
    NO_ANSWER: ("R-COM-06", "that is no answer to this question"),
    CARDS_CHANGED: ("R-COM-12", "a strategy has changed the cards of the game"),
}
