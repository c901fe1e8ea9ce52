"""Conquian in its two forms, and their house-rule switches."""

from cooncan_sim.cards import Pack
from cooncan_sim.games.game import FIRST_DEALER, ILLEGAL_MELD, Game, Switch, by_name


def _switches(rearrange: str, forcing: str) -> dict[str, Switch]:
    """The switches of both forms, which differ in these two defaults."""
    return by_name(
        ILLEGAL_MELD,
        FIRST_DEALER,
        Switch(
            "DEALER_ROTATION",
            "left",
            "who deals next: the other player, the winner or the loser",
            ("left", "winner", "loser"),
        ),
        Switch(
            "CQ_REARRANGE",
            rearrange,
            "own melds may be regrouped to take in a card, or stay whole and apart",
            ("free", "none"),
        ),
        Switch(
            "CQ_FORCING",
            forcing,
            "a player can be made to take a card that his melds can use",
            ("on", "off"),
        ),
        Switch(
            "CQ_HAND_CARDS",
            "with_center",
            "hand cards go down: in the meld of the offered card only, in any meld that is not of "
            "hand cards alone, or anywhere",
            ("with_center", "no_all_hand_meld", "any"),
        ),
        Switch(
            "CQ_FORCE_SCOPE",
            "table",
            "cards that can be forced: what table cards alone can use, the same without "
            "rearranging, or whatever could be accepted",
            ("table", "table_direct", "any"),
        ),
        Switch(
            "CQ_STOCK_END",
            "when_draw_needed",
            "a hand is drawn when somebody has to turn a card from the empty stock, or when the "
            "last card has been accepted or declined by its drawer",
            ("when_draw_needed", "last_card"),
        ),
        Switch("CQ_RUN_CAP", "none", "the most cards in a run", ("none", 8)),
        Switch(
            "CQ_STAKES",
            "zero",
            "a drawn hand is worth nothing, or doubles the worth of the next",
            ("zero", "carry"),
        ),
        Switch("CQ_MATCH", 10, "hands in a match", low=1, high=100_000),
    )


_PACK = Pack(ranks="A234567JQK")

CONQUIAN = Game(
    "conquian",
    "Conquian",
    (2,),
    _PACK,
    "10 cards each, none turned up; the pack has no 8, 9 and 10",
    "have eleven cards on the table",
    _switches(rearrange="free", forcing="on"),
    engine="conquian",
    points="Points won and lost",
)

CONQUIAN_JAQUES = Game(
    "conquian_jaques",
    "Conquian, Jaques' short note",
    (2,),
    _PACK,
    "9 cards each, none turned up; the pack has no 8, 9 and 10",
    "have ten cards on the table",
    by_name(
        Switch(
            "CQJ_SIZE",
            "deal9_need10",
            "cards dealt and cards needed on the table; taken word for word the note lets nobody "
            "win",
            ("deal9_need10", "deal10_need11", "deal9_need11_literal"),
            remarks=(
                (
                    "deal9_need11_literal",
                    "with nine cards dealt and one from the centre no more than ten can ever be "
                    "down, so nobody can win and every hand is drawn (R-CQJ-05)",
                ),
            ),
        ),
    )
    | _switches(rearrange="none", forcing="off"),
    engine="conquian",
    points="Points won and lost",
)
