"""`konkan` and its house-rule switches."""

from cooncan_sim.cards import Pack
from cooncan_sim.games.game import FIRST_DEALER, ILLEGAL_MELD, Game, Switch, by_name

_SHARED = by_name(
    Switch(
        "TAKEN_CARD_MATCH",
        "physical",
        "the card just taken may not go back: that very card, or no card of its face",
        ("physical", "face"),
    ),
    Switch(
        "RETURN_TAKEN_DISCARD",
        "forbidden",
        "the card just taken from the pile may not go back in that turn, or it may",
        ("forbidden", "allowed"),
    ),
    ILLEGAL_MELD,
    Switch(
        "RESHUFFLE_TIMING",
        "on_demand",
        "an empty stock is renewed when somebody draws from it, or before the draw",
        ("on_demand", "at_turn_start"),
    ),
    Switch("MAX_TURNS", 1000, "player turns after which a hand is stopped", low=1, high=100_000),
    Switch(
        "VOID_HAND_SCORING",
        "no_score",
        "a void hand scores nothing, or charges everybody his hand",
        ("no_score", "all_count"),
    ),
    FIRST_DEALER,
    Switch(
        "RUN_BOTH_ACES",
        "allowed",
        "a run of fourteen with an ace at both ends",
        ("allowed", "forbidden"),
    ),
)
_COMING_DOWN = by_name(
    Switch("KK_OPEN_POINTS", 51, "points that pairs need to come down with", (51,)),
    Switch(
        "KK_OPEN_RULE",
        "fixed",
        "the points to come down with never change, or must exceed the highest so far",
        ("fixed", "beat_previous"),
    ),
    Switch(
        "KK_PICKUP_MUST_USE",
        "no",
        "who takes the discard to come down must use it in the pairs",
        ("no", "yes"),
    ),
    Switch("KK_DEALER_COMEDOWN", "no", "the dealer may come down in his opening", ("no", "yes")),
)
_PAIRS = by_name(
    Switch(
        "KK_SET_JOKER_SUIT",
        "declared",
        "a joker in a set stands for the suit declared, or for any missing one",
        ("declared", "any_missing"),
    ),
    Switch("KK_JOKERS_PER_PAIR", 2, "the most jokers in a pair", (2, 1)),
    Switch(
        "KK_BURN_WITH_JOKER",
        "naturals_only",
        "a set of four burns if its cards are all natural, or also with a joker",
        ("naturals_only", "joker_counts"),
    ),
    Switch(
        "KK_BURN_POSITION",
        "under",
        "where burned cards go: under the discard pile, or on top of it",
        ("under", "top"),
    ),
    Switch(
        "KK_SWAP_SAME_TURN",
        "yes",
        "a joker may be exchanged in the turn of coming down",
        ("yes", "no"),
    ),
)
_SCORES = by_name(
    Switch(
        "KK_RESHUFFLE_KEEP_TOP",
        "no",
        "the top discard stays when the pile becomes the stock",
        ("no", "yes"),
    ),
    Switch("KK_WINNER_BONUS", 30, "points taken off the winner of a hand", high=1000),
    Switch(
        "KK_NOT_DOWN_PENALTY",
        "none",
        "what a loser who never came down is charged in place of his hand",
        ("none", 100),
    ),
    Switch(
        "KK_ANNOUNCE_WINDOW",
        "any_turn_down",
        "jokers may be announced in every own turn when down, or only in that of coming down",
        ("any_turn_down", "comedown_turn"),
    ),
    Switch("KK_SET_LENGTH", 7, "hands in a set", (7, 6, 8)),
    Switch("KK_TEAMS", "none", "everybody plays alone", ("none",)),
    Switch(
        "KK_VOID_DEALER",
        "same",
        "who deals after a hand that nobody won: the same player, or his right neighbour",
        ("same", "right"),
    ),
    Switch("KK_TIE", "shared", "equal totals at the end of a set share it", ("shared",)),
)

KONKAN = Game(
    "konkan",
    "KonKan",
    (2, 3, 4),
    Pack(copies=2, jokers=2),
    "14 cards each, 15 for the dealer, who opens with a discard",
    "come down with 51 points, lay everything but one card, and throw that",
    _SHARED | _COMING_DOWN | _PAIRS | _SCORES,
    engine="konkan",
    points="Points (fewest wins)",
)
