"""The games and their house-rule switches: one block a game."""

from cooncan_sim.cards import Pack, as_letters
from cooncan_sim.errors import CooncanError, nearest
from cooncan_sim.games.game import FIRST_DEALER, ILLEGAL_MELD, Switch, by_name
from cooncan_sim.games.game import Game as Game
from cooncan_sim.games.rulebook_conquian import CONQUIAN, CONQUIAN_JAQUES
from cooncan_sim.games.rulebook_double_rum import DOUBLE_RUM
from cooncan_sim.games.rulebook_konkan import KONKAN

_COMMON = by_name(
    Switch(
        "ONLY_TAKEN_LEFT",
        "hold",
        "only the card just taken is left: hold it, or may a table action not lead there",
        ("hold", "illegal"),
    ),
    Switch(
        "GO_OUT_BY_DISCARD",
        "allowed",
        "the last card may be the discard that ends the hand",
        ("allowed", "forbidden"),
    ),
    Switch(
        "LAYOFF_NEEDS_OWN_MELD",
        "no",
        "laying off takes an own meld first",
        ("no", "yes"),
    ),
    ILLEGAL_MELD,
    Switch(
        "RESHUFFLE_TIMING",
        "on_demand",
        "an empty stock is renewed when somebody draws from it, or before the draw",
        ("on_demand", "at_turn_start"),
    ),
    Switch("MAX_TURNS", 1000, "player turns after which a hand is stopped", low=1, high=100_000),
    Switch("MAX_HANDS", 1000, "hands after which a match is stopped", low=1, high=100_000),
    Switch(
        "VOID_HAND_SCORING",
        "no_score",
        "a void hand scores nothing, or charges everybody his hand",
        ("no_score", "all_count"),
    ),
    FIRST_DEALER,
    Switch(
        "DEALER_ROTATION",
        "left",
        "who deals next: the left neighbour, the winner, or the loser with the dearest hand",
        ("left", "winner", "loser"),
    ),
    Switch("MATCH_TARGET", 100, "points at which a player is out of the match", low=1),
    Switch(
        "ELIMINATION",
        "each_at_or_over",
        "who leaves: all at or over the target, or only the highest of them",
        ("each_at_or_over", "first_only"),
    ),
)
_TAKEN_CARD_MATCH = Switch(
    "TAKEN_CARD_MATCH",
    "physical",
    "the card just taken may not go back: that very card, or no card of its face",
    ("physical", "face"),
)
_LAYOFF_SCOPE = Switch(
    "LAYOFF_SCOPE",
    "all",
    "melds that cards may be laid off on: everybody's, or one's own only",
    ("all", "own"),
)

JAQUES = Game(
    "jaques",
    "Coon Can",
    (2, 3, 4),
    Pack(),
    "10 cards each, one card turned up",
    "be rid of the last card: melded, laid off or discarded",
    _COMMON
    | by_name(
        Switch("HAND_SIZE", 10, "cards dealt to each player", (10, 11)),
        _LAYOFF_SCOPE,
    ),
)

TWO_DECK = Game(
    "two_deck",
    "Two-Deck Coon Can",
    (3, 4),
    Pack(copies=2),
    "11 cards each, one card turned up",
    JAQUES.goal,
    _COMMON
    | by_name(
        Switch("HAND_SIZE", 11, "cards dealt to each player", (11, 10)),
        _LAYOFF_SCOPE,
        _TAKEN_CARD_MATCH,
        Switch("TWO_DECK_SET_MAX", 4, "the most cards in a set", (4, 5, 6, 7, 8)),
    ),
)

WILD_CARD = Game(
    "wild_card",
    "Wild Card Coon Can",
    (2, 3, 4),
    Pack(),
    "10 cards each, one card turned up; one rank is wild",
    JAQUES.goal,
    _COMMON
    | by_name(
        _LAYOFF_SCOPE,
        Switch(
            "WILD_RANK",
            "2",
            "the rank whose four cards are wild",
            tuple("A23456789TJQK"),
            spelled=as_letters,
        ),
        Switch("WILD_MIN_NATURALS", 1, "cards of its own that each meld needs", (1, 2, 3)),
        Switch("WILD_PENALTY", "face", "what an unused wild card costs", ("face", 15, 20, 25)),
        Switch("WILD_BONUS", 0, "points a natural meld earns the winner of a hand", high=1000),
    ),
)

PARTNERSHIP = Game(
    "partnership",
    "Partnership Coon Can",
    (4,),
    Pack(),
    JAQUES.deal,
    "one partner is rid of the last card",
    _COMMON
    | by_name(
        Switch(
            "PARTNER_LAYOFF_SCOPE",
            "all",
            "melds that cards may be laid off on: everybody's, or one's own side's only",
            ("all", "own_side"),
        ),
        Switch(
            "PARTNER_SCORING",
            "losers_both",
            "both hands of the losing side, less the winner's partner's, or that charged too",
            ("losers_both", "net", "each_side"),
        ),
    ),
    partners=True,
)

GAMES = {
    game.key: game
    for game in (
        JAQUES,
        TWO_DECK,
        WILD_CARD,
        PARTNERSHIP,
        CONQUIAN_JAQUES,
        CONQUIAN,
        DOUBLE_RUM,
        KONKAN,
    )
}


def game(key: str) -> Game:
    """The game of this key; CooncanError, with the keys there are, for any other."""
    if not isinstance(key, str) or key not in GAMES:
        raise CooncanError(
            f"unknown game {key!r}{nearest(key, GAMES, 'the games are', 'cooncan games')}"
        )
    return GAMES[key]
