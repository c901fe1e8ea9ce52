"""What can be asked of hands that everybody plays alike: shares and means with a name.

A measure gives whole numbers per deal, sums and what they are divided by, so that a deal counts
once however many hands, players or turns it holds (STATS.md §3, unequal clusters).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cooncan_sim.errors import CooncanError
from cooncan_sim.outcomes import Outcomes, share_unit

Counts = NDArray[np.int64]
EVERYONE, ALONE, EXCHANGED = "everyone", "alone", "exchanged"  # who sits at the table
WEAK = "random"  # the other players where one sits alone


@dataclass(frozen=True)
class Games:
    """Some deals of one way of playing.

    starter: int64 (deal), the seat that acts first. seen: what `watch` counts, int64 (deal, game,
    seat) by column; empty where nothing asks for it. won: 1 where that seat's side has won.
    """

    outcomes: Outcomes
    starter: Counts
    won: Counts
    seen: Mapping[str, Counts] = field(default_factory=dict)


@dataclass(frozen=True)
class Ratio:
    """int64 (deal): a mean over all deals is the sum of `sums` by that of `counts`.

    One of what is counted is `unit` in both: a win can be shared.
    """

    sums: Counts
    counts: Counts
    unit: int = 1


@dataclass(frozen=True)
class Measure:
    """A number with a name. `of` gives its ratio, or two of which it is the difference.

    `scale` and `suffix`: as people read it. `table`: everybody plays the strategy, or it sits in
    each seat in turn among random players, or a dealt joker is exchanged in every second game.
    `games`: where it can be measured, everywhere if empty. `watched`: needs to look inside hands.
    """

    name: str
    what: str
    scale: float
    suffix: str
    of: Callable[[Games], tuple[Ratio, ...]]
    table: str = EVERYONE
    games: tuple[str, ...] = ()
    watched: bool = False
    match: bool = False


def _mean(values: Counts, per: int = 1) -> tuple[Ratio, ...]:
    """The mean of values (deal, …); each stands for 1/per of what is counted."""
    flat = values.reshape(len(values), -1)
    counts = np.full(len(values), flat.shape[1] * per, dtype=np.int64)
    return (Ratio(flat.sum(axis=1), counts, per),)


def _part(sums: Counts, counts: Counts) -> Ratio:
    return Ratio(
        sums.reshape(len(sums), -1).sum(axis=1).astype(np.int64),
        counts.reshape(len(counts), -1).sum(axis=1).astype(np.int64),
    )


def _starter(games: Games) -> tuple[Ratio, ...]:
    share = games.outcomes.share
    sides = share.shape[2]
    own = np.take_along_axis(share, (games.starter % sides)[:, None, None], axis=2)
    return _mean(own, share_unit(sides))


def _alone(games: Games) -> tuple[Ratio, ...]:
    share = games.outcomes.share
    sides = np.arange(share.shape[2])
    return _mean(share[:, sides, sides], share_unit(len(sides)))


def _spread(games: Games) -> tuple[Ratio, ...]:
    points = games.outcomes.points
    return _mean(points.max(axis=2) - points.min(axis=2))


def _apart(value: Callable[[Games], Counts]) -> Callable[[Games], tuple[Ratio, ...]]:
    """Players dealt a joker or more against those dealt none."""

    def of(games: Games) -> tuple[Ratio, ...]:
        held = (games.seen["jokers"] > 0).astype(np.int64)
        values = value(games)
        return _part(values * held, held), _part(values * (1 - held), 1 - held)

    return of


def _exchanged(value: Callable[[Games], Counts]) -> Callable[[Games], tuple[Ratio, ...]]:
    """The same player on the same deal, with its joker and with it exchanged."""

    def of(games: Games) -> tuple[Ratio, ...]:
        who, values = games.seen["parted"], value(games)
        return (
            _part(values[:, 0::2] * who[:, 0::2], who[:, 0::2]),
            _part(values[:, 1::2] * who[:, 0::2], who[:, 0::2]),
        )

    return of


def _points(games: Games) -> Counts:
    return games.outcomes.points


def _won(games: Games) -> Counts:
    return games.won


def _from_run(length: int) -> Callable[[Games], tuple[Ratio, ...]]:
    def of(games: Games) -> tuple[Ratio, ...]:
        had = (games.seen["longest"] == length).astype(np.int64)
        return (_part(games.won * had, had),)

    return of


def _reached(games: Games) -> tuple[Ratio, ...]:
    return _mean((games.seen["longest"] >= 9).max(axis=2).astype(np.int64))


def _within(turn: Counts, most: int) -> Counts:
    return ((turn >= 0) & (turn <= most)).astype(np.int64)


def _after(did: str) -> Callable[[Games], Ratio]:
    return lambda games: _part(games.seen[f"{did}_won"], games.seen[did])


_ONE_PACK_OR_TWO = ("jaques", "two_deck", "partnership")
_CONQUIAN = ("conquian", "conquian_jaques")
_JOKERS = ("double_rum", "konkan")

MEASURES = {
    one.name: one
    for one in (
        Measure(
            "turns",
            "turns of all players in a hand, counted up to the cap",
            1,
            "turns",
            lambda games: _mean(games.outcomes.turns),
            match=True,
        ),
        Measure(
            "hands", "hands in a match", 1, "hands", lambda g: _mean(g.outcomes.hands), match=True
        ),
        Measure(
            "void",
            "hands without a winner: void, drawn, pooled or stopped by the limit on turns",
            100,
            "%",
            lambda games: _mean(games.outcomes.blank),
            match=True,
        ),
        Measure(
            "stopped",
            "hands stopped by the limit on turns",
            100,
            "%",
            lambda games: _mean(games.outcomes.stopped),
            match=True,
        ),
        Measure(
            "starter",
            "hands won by the player who acts first",
            100,
            "%",
            _starter,
            match=True,
        ),
        Measure(
            "skill",
            "hands won by one player, or side, among random players",
            100,
            "%",
            _alone,
            ALONE,
            match=True,
        ),
        Measure(
            "points",
            "points, or units, written down for a player or side in a hand",
            1,
            "points",
            lambda games: _mean(games.outcomes.points),
        ),
        Measure("spread", "points between the best and the worst side", 1, "points", _spread),
        Measure(
            "dealt_run",
            "players dealt a run",
            100,
            "%",
            lambda games: _mean((games.seen["run_turn"] == 0).astype(np.int64)),
            games=_ONE_PACK_OR_TWO,
            watched=True,
        ),
        Measure(
            "early_run",
            "players who held a run by their third turn",
            100,
            "%",
            lambda games: _mean(_within(games.seen["run_turn"], 3)),
            games=_ONE_PACK_OR_TWO,
            watched=True,
        ),
        Measure(
            "run_wait",
            "own turns until the first run in hand, of players who got one",
            1,
            "turns",
            lambda games: (
                _part(
                    np.maximum(games.seen["run_turn"], 0),
                    (games.seen["run_turn"] >= 0).astype(np.int64),
                ),
            ),
            games=_ONE_PACK_OR_TWO,
            watched=True,
        ),
        Measure(
            "run_share",
            "runs among the melds laid",
            100,
            "%",
            lambda games: (
                _part(games.seen["laid_runs"], games.seen["laid_runs"] + games.seen["laid_sets"]),
            ),
            games=_ONE_PACK_OR_TWO,
            watched=True,
        ),
        Measure(
            "forced",
            "forced acceptances, by hand",
            100,
            "per 100 hands",
            lambda games: _mean(games.seen["forced"].sum(axis=2)),
            games=_CONQUIAN,
            watched=True,
        ),
        Measure(
            "forced_dead",
            "forced acceptances that left the victim no way to win where there was one, by hand",
            100,
            "per 100 hands",
            lambda games: _mean(games.seen["dead"].sum(axis=2)),
            games=_CONQUIAN,
            watched=True,
        ),
        Measure(
            "nine_or_ten",
            "hands in which somebody had a run of nine or ten on the table",
            100,
            "%",
            _reached,
            games=_CONQUIAN,
            watched=True,
        ),
        Measure(
            "won_from_nine",
            "hands won by players whose longest run on the table had nine cards",
            100,
            "%",
            _from_run(9),
            games=_CONQUIAN,
            watched=True,
        ),
        Measure(
            "won_from_ten",
            "hands won by players who had a run of ten on the table",
            100,
            "%",
            _from_run(10),
            games=_CONQUIAN,
            watched=True,
        ),
        Measure(
            "regrouped_wins",
            "won hands in which the winner took a card that called for rearranging",
            100,
            "%",
            lambda games: (_part(games.won * (games.seen["regrouped"] > 0), games.won),),
            games=_CONQUIAN,
            watched=True,
        ),
        Measure(
            "stock_gone",
            "hands in which the stock ran out",
            100,
            "%",
            lambda games: _mean(games.seen["exhausted"].max(axis=2)),
            games=("double_rum",),
            watched=True,
        ),
        Measure(
            "joker_wins",
            "hands won by players dealt a joker, less those by players dealt none",
            100,
            "pp",
            _apart(_won),
            games=_JOKERS,
            watched=True,
        ),
        Measure(
            "joker_points",
            "points of players dealt a joker, less those of players dealt none",
            1,
            "points",
            _apart(_points),
            games=_JOKERS,
            watched=True,
        ),
        Measure(
            "joker_worth",
            "hands won with a dealt joker, less those with it exchanged for another's card",
            100,
            "pp",
            _exchanged(_won),
            EXCHANGED,
            _JOKERS,
            True,
        ),
        Measure(
            "joker_worth_points",
            "points with a dealt joker, less those with it exchanged for another's card",
            1,
            "points",
            _exchanged(_points),
            EXCHANGED,
            _JOKERS,
            True,
        ),
        Measure(
            "spoke_wins",
            "wins within two own turns of an announcement",
            100,
            "%",
            lambda games: (_after("spoke")(games),),
            games=("konkan",),
            watched=True,
        ),
        Measure(
            "silent_wins",
            "wins within two own turns of keeping silent about a joker",
            100,
            "%",
            lambda games: (_after("silent")(games),),
            games=("konkan",),
            watched=True,
        ),
        Measure(
            "signal",
            "wins within two own turns of an announcement, less those of keeping silent",
            100,
            "pp",
            lambda games: (_after("spoke")(games), _after("silent")(games)),
            games=("konkan",),
            watched=True,
        ),
    )
}


def check_measure(name: str, game: str, match: bool) -> None:
    """Raises CooncanError where a measure means nothing."""
    measure = MEASURES[name]
    if measure.games and game not in measure.games:
        where = ", ".join(measure.games)
        raise CooncanError(f"{name} is not measured in {game}, but in {where}")
    if match and not measure.match:
        known = ", ".join(one.name for one in MEASURES.values() if one.match)
        raise CooncanError(f"{name} is not measured in matches, but {known}")
    if not match and name == "hands":
        raise CooncanError("hands is measured in matches only")
