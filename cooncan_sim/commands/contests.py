"""Strategies against each other: which of two is better, who is best of many, with what weights."""

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cooncan_sim.commands.options import (
    Game,
    Jobs,
    Json,
    Rule,
    Seed,
    check_out,
    print_json,
    read_rules,
    split_players,
)
from cooncan_sim.errors import CooncanError
from cooncan_sim.progress import progress

if TYPE_CHECKING:
    from cooncan_sim.tournament import Tournament

Field = Annotated[
    str | None, typer.Option(metavar="C", help="Who sits in the other seats; A if not given.")
]
Table = Annotated[
    int | None,
    typer.Option(min=2, metavar="N", help="Players at the table; the game's fewest if not given."),
]
LEAST = (
    "In the unit of --metric: hands won a hand (0.01 is one in a hundred), points or units; "
    "default 0.02 sd of a hand."
)
Html = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A page with charts; their files lie beside it.")
]
Metric = Annotated[
    str, typer.Option(metavar="NAME", help="What decides: win, or net, penalty, score, balance.")
]


@contextmanager
def live() -> Iterator[Callable[[str], None] | None]:
    """A line that tells how a run goes, on stderr and only where a person is watching."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("") as status:
        yield lambda line: status.update(Text(line))


def _table_of(game: str, asked: int | None) -> int:
    """The players that are asked for, or as few as the game is for."""
    from cooncan_sim.games import rulebook

    return min(rulebook.game(game).players) if asked is None else asked


def compare(
    game: Game,
    control: Annotated[str, typer.Option(metavar="A", help="The strategy as it is.")],
    treatment: Annotated[str, typer.Option(metavar="B", help="The strategy with the tip.")],
    others: Field = None,
    players: Table = None,
    max_deals: Annotated[
        int, typer.Option(min=2, metavar="N", help="Deals after which it stays unresolved.")
    ] = 100_000,
    min_effect: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            help="An interval about 0 that lies within ± X shows no practical difference; one "
            f"clear of 0 still helps or hurts, however little. {LEAST}",
        ),
    ] = None,
    alpha: Annotated[
        float, typer.Option(metavar="A", help="Chance of a wrong verdict that is accepted.")
    ] = 0.05,
    metric: Metric = "win",
    match: Annotated[
        bool, typer.Option("--match", help="Whole matches in place of deals.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="An interval without any approximation; longer.")
    ] = False,
    seed: Seed = 0,
    rule: Rule = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Plays two strategies on the same deals until it is settled which is better."""
    from cooncan_sim.compare import Trial, by_metric, decide

    given = read_rules(rule) or {}
    field = control if others is None else others
    table = _table_of(game, players)
    trial = Trial(game, control, treatment, field, table, seed, given, match=match)
    trial = by_metric(trial, metric)
    with live() as watch:
        answer = decide(
            trial, max_deals, min_effect, alpha=alpha, strict=strict, jobs=jobs, watch=watch
        )
    if json:
        print_json(answer.summary().to_dict("records"))
    else:
        print(answer)


def tournament(
    game: Game,
    players: Annotated[
        str, typer.Option(metavar="A,B,…", help="The strategies, by name or file, each once.")
    ],
    seats: Table = None,
    deals: Annotated[
        int, typer.Option(min=50, metavar="N", help="Deals that every pair plays in every seat.")
    ] = 10_000,
    match: Annotated[
        bool, typer.Option("--match", help="Whole matches in place of deals.")
    ] = False,
    seed: Seed = 0,
    rule: Rule = None,
    jobs: Jobs = None,
    html: Html = None,
    json: Json = False,
) -> None:
    """Plays every strategy against every other: who beats whom, and a list with its limits."""
    names = split_players(players)
    check_out(html, ".html")
    from cooncan_sim.tournament import pairs_of
    from cooncan_sim.tournament import tournament as play

    table = _table_of(game, seats)
    total = deals * len(pairs_of(game, len(names), table))
    with progress(total, f"{'matches' if match else 'deals'} of a pair") as tick:
        answer = play(
            game,
            names,
            seats=table,
            deals=deals,
            seed=seed,
            rules=read_rules(rule),
            jobs=jobs,
            progress=tick,
            match=match,
        )
    if html is not None:
        from cooncan_sim.reports import contest_page

        contest_page.write(contest_page.of_tournament(answer), html)
    if json:
        print_json(_told(answer))
    else:
        _show(answer, html)


def _show(answer: Any, html: Path | None) -> None:
    print(answer)
    if html is not None:
        print(f"\nthe page is {html}")


def _told(answer: "Tournament") -> dict[str, Any]:
    """A tournament for programs."""
    cyclic = answer.placings.cyclic if answer.placings else None
    return {
        "game": answer.game,
        "players": answer.players,
        "seats": answer.seats,
        "match": answer.match,
        "deals": answer.deals,
        "seed": answer.seed,
        "rules": dict(answer.rules),
        "hands": answer.hands,
        "matrix": answer.matrix().to_numpy(),
        "meetings": answer.meetings().to_dict("records"),
        "summary": answer.summary().to_dict("records"),
        "rated_by": answer.placings.model if answer.placings else None,
        "cyclic": asdict(cyclic) if cyclic else None,
        "cycle": answer.cycle(),
        "alpha_ranks": answer.alpha_ranks().to_dict("records"),
        "unrated": answer.unrated,
    }


def tune(
    game: Game,
    strategy: Annotated[str, typer.Argument(metavar="STRATEGY", help="Whose weights to search.")],
    others: Annotated[
        str | None,
        typer.Option(metavar="A,B,…", help="Further fields to test in; the plainest if not given."),
    ] = None,
    players: Table = None,
    bound: Annotated[
        list[str] | None,
        typer.Option(metavar="K=L:H", help="Searches weight K from L to H; may be repeated."),
    ] = None,
    method: Annotated[str, typer.Option(metavar="NAME", help="spsa, or cma.")] = "spsa",
    steps: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Steps of spsa, generations of cma.")
    ] = None,
    metric: Metric = "win",
    max_deals: Annotated[
        int, typer.Option(min=2, metavar="N", help="Deals after which the test stays open.")
    ] = 100_000,
    min_effect: Annotated[
        float | None,
        typer.Option(metavar="X", help=f"The gain that the test tells from none. {LEAST}"),
    ] = None,
    seed: Seed = 0,
    rule: Rule = None,
    jobs: Jobs = None,
    html: Html = None,
    json: Json = False,
) -> None:
    """Searches better weights for a strategy, and tests them on fresh deals."""
    fields = [] if others is None else split_players(others, "--others")
    bounds = _read_bounds(bound)
    check_out(html, ".html")
    from cooncan_sim.tune import tune as search

    with live() as watch:
        answer = search(
            game,
            strategy,
            others=fields,
            players=_table_of(game, players),
            bounds=bounds,
            method=method,
            steps=steps,
            metric=metric,
            seed=seed,
            max_deals=max_deals,
            min_effect=min_effect,
            rules=read_rules(rule),
            jobs=jobs,
            watch=watch,
        )
    if html is not None:
        from cooncan_sim.reports import contest_page

        contest_page.write(contest_page.of_tuning(answer), html)
    if json:
        print_json(
            {
                "found": answer.found.name,
                "weights": answer.found.weights,
                "better": answer.better,
                "steps": len(answer.path) - 1,
                "fields": answer.summary().to_dict("records"),
            }
        )
    else:
        _show(answer, html)


def _read_bounds(given: list[str] | None) -> dict[str, tuple[float, float]]:
    """`["low=1:13"]` -> `{"low": (1, 13)}`."""
    bounds = {}
    for text in given or ():
        name, _, limits = text.partition("=")
        low, _, high = limits.partition(":")
        try:
            pair = float(low), float(high)
        except ValueError:
            pair = math.nan, math.nan
        if not all(map(math.isfinite, pair)):
            raise CooncanError(
                f"--bound {text!r}: write it as NAME=LOW:HIGH with two numbers, such as low=1:13"
            )
        if name.strip() in bounds:
            raise CooncanError(f"--bound {name.strip()} is given twice")
        bounds[name.strip()] = pair
    return bounds


COMMANDS = {"compare": compare, "tournament": tournament, "tune": tune}
