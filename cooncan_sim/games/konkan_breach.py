"""What an illegal action of `konkan` breaks: a number for kernels, rule and words for people."""

LEGAL = 0
NOT_THIS_PHASE = 1
NO_SOURCE = 2
NO_PICK_UP = 3
NOT_HELD = 4
NO_PAIR = 5
NO_SUCH_PAIR = 6
DOES_NOT_FIT = 7
NOT_DOWN = 8
ALREADY_DOWN = 9
TOO_FEW_POINTS = 10
TAKEN_NOT_USED = 11
NOTHING_TO_THROW = 12
NO_SUCH_JOKER = 13
SWAP_TOO_SOON = 14
NOT_TO_ANNOUNCE = 15
MUST_COME_DOWN = 16
TAKEN_CARD = 17
NO_ANSWER = 18
CARDS_CHANGED = 19

RULES = {
    NOT_THIS_PHASE: ("R-KON-24", "there is no such action at this point of a turn"),
    NO_SOURCE: ("R-KON-20", "there is no card to draw there"),
    NO_PICK_UP: ("R-KON-10", "this player may not take the discard"),
    NOT_HELD: ("R-COM-06", "these cards are not in the hand"),
    NO_PAIR: ("R-KON-02", "these cards are no pair"),
    NO_SUCH_PAIR: ("R-KON-15", "there is no such pair on the table"),
    DOES_NOT_FIT: ("R-KON-15", "the card does not fit that pair"),
    NOT_DOWN: ("R-KON-15", "this player is not down"),
    ALREADY_DOWN: ("R-KON-25", "this player is down already"),
    TOO_FEW_POINTS: ("R-KON-10", "these pairs are not worth enough to come down"),
    TAKEN_NOT_USED: ("R-KON-11", "a house rule asks for the card just taken in these pairs"),
    NOTHING_TO_THROW: ("R-KON-21", "a card that may be thrown has to stay in hand"),
    NO_SUCH_JOKER: ("R-KON-18", "no joker of that pair stands for this card"),
    SWAP_TOO_SOON: ("R-KON-18", "a house rule forbids exchanges in the turn of coming down"),
    NOT_TO_ANNOUNCE: ("R-KON-31", "so many jokers may not be announced now"),
    MUST_COME_DOWN: ("R-KON-10", "who takes the discard has to come down in that turn"),
    TAKEN_CARD: ("R-COM-07", "the card just taken from the pile may not go back"),
    NO_ANSWER: ("R-COM-06", "that is no answer to this question"),
    CARDS_CHANGED: ("R-COM-12", "a strategy has changed the cards of the game"),
}
