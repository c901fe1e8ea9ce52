"""What an illegal action of `double_rum` breaks: a number for kernels, a rule id and words."""

LEGAL = 0
NOT_THIS_PHASE = 1
NO_SOURCE = 2
NOT_HELD = 3
NO_MELD = 4
NO_SUCH_MELD = 5
DOES_NOT_FIT = 6
NEEDS_OWN_MELD = 7
NO_JOKER_TO_MOVE = 8
ONLY_TAKEN_LEFT = 9
TAKEN_CARD = 10
LAST_CARD = 11
MAY_DISCARD = 12
NO_ANSWER = 13
CARDS_CHANGED = 14

RULES = {
    NOT_THIS_PHASE: ("R-COM-04", "there is no such action at this point of a turn"),
    NO_SOURCE: ("R-DBR-26", "there is no card to draw there"),
    NOT_HELD: ("R-COM-06", "these cards are not in the hand"),
    NO_MELD: ("R-DBR-09", "these cards are no meld"),
    NO_SUCH_MELD: ("R-DBR-16", "there is no such meld on the table"),
    DOES_NOT_FIT: ("R-DBR-16", "the card does not fit that meld"),
    NEEDS_OWN_MELD: ("R-DBR-16", "a house rule asks for an own meld before laying off"),
    NO_JOKER_TO_MOVE: ("R-DBR-17", "no joker of that meld may move for this card"),
    ONLY_TAKEN_LEFT: ("R-COM-08", "a house rule forbids leaving only the card just taken"),
    TAKEN_CARD: ("R-DBR-13", "the card just taken from the pile may not go back"),
    LAST_CARD: ("R-DBR-22", "a house rule forbids going out by a discard"),
    MAY_DISCARD: ("R-COM-08", "a player who can throw a card may not hold"),
    NO_ANSWER: ("R-COM-06", "that is no answer to this question"),
    CARDS_CHANGED: ("R-COM-12", "a strategy has changed the cards of the game"),
}
