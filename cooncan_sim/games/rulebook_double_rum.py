"""Coon Can as Double Rum and its house-rule switches."""

from cooncan_sim.cards import Pack
from cooncan_sim.errors import CooncanError
from cooncan_sim.games.game import FIRST_DEALER, ILLEGAL_MELD, Game, Switch, by_name


class _Length(Switch):
    """A switch that takes a whole number or its default, a word."""

    @property
    def _number(self) -> Switch:
        return Switch(self.name, self.low, self.about, low=self.low, high=self.high)

    @property
    def choices(self) -> str:
        return f"{self.default}, or {self._number.choices}"

    def read(self, given: object) -> str | int:
        try:
            return self.default if given == self.default else self._number.read(given)
        except CooncanError:
            problem = f"switch {self.name} cannot be {given!r}: it takes {self.choices}"
            raise CooncanError(problem) from None


DOUBLE_RUM = Game(
    "double_rum",
    "Double Rum",
    (2, 3, 4, 5, 6, 7, 8),
    Pack(copies=2, jokers=2),
    "10 cards each, one card turned up",
    "be rid of the last card: melded, laid off or discarded",
    by_name(
        Switch(
            "TAKEN_CARD_MATCH",
            "physical",
            "the card just taken may not go back: that very card, or no card of its face",
            ("physical", "face"),
        ),
        Switch(
            "RETURN_TAKEN_DISCARD",
            "forbidden",
            "the card just taken may go straight back while there is a stock",
            ("forbidden", "allowed"),
        ),
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
            "laying off takes an own meld first; moving a joker never does",
            ("no", "yes"),
        ),
        Switch(
            "RUN_BOTH_ACES",
            "allowed",
            "one run may have an ace at either end",
            ("allowed", "forbidden"),
        ),
        Switch(
            "JOKER_MOVE_MODE",
            "replace_only",
            "a joker moves for the card it stands for, or also for the one beyond its new place",
            ("replace_only", "foster"),
        ),
        ILLEGAL_MELD,
        Switch(
            "MAX_TURNS", 1000, "player turns after which a hand is stopped", low=1, high=100_000
        ),
        Switch("DBR_BLOCK_ROUNDS", 2, "idle circuits without a stock that end a hand", low=1),
        Switch(
            "DBR_PENALTY_SCOPE",
            "all_in_hand",
            "the losers pay for every card in hand, or melds in hand are free",
            ("all_in_hand", "deadwood"),
        ),
        Switch(
            "DBR_POOL",
            "each_pays",
            "the pool of an unfinished hand is paid by everybody, or by nobody",
            ("each_pays", "bank"),
        ),
        _Length(
            "DBR_MATCH",
            "n",
            "hands in a match: as many as there are players, or so many",
            ("n",),
            low=1,
            high=10_000,
        ),
        Switch(
            "DBR_POOL_END",
            "refund",
            "a pool that nobody has won at the end of a match goes back, or stays",
            ("refund", "stay"),
        ),
        FIRST_DEALER,
        Switch(
            "DEALER_ROTATION",
            "left",
            "who deals next: the left neighbour, the winner, or the loser with the dearest hand",
            ("left", "winner", "loser"),
        ),
    ),
    engine="double_rum",
    points="Units won and paid",
)
