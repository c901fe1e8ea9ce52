"""Strategies against each other: which of two is better, who is best of many, with what weights."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from cooncan_sim.commands.options import Game, Jobs, Json, Rule, Seed, print_json, read_rules

Field = Annotated[
    str | None, typer.Option(metavar="C", help="Who sits in the other seats; A if not given.")
]
Table = Annotated[int, typer.Option(min=2, metavar="N", help="Players at the table.")]
MinEffect = Annotated[
    float | None,
    typer.Option(metavar="X", help="The smallest gain that counts, in hands won per hand."),
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


def compare(
    game: Game,
    control: Annotated[str, typer.Option(metavar="A", help="The strategy as it is.")],
    treatment: Annotated[str, typer.Option(metavar="B", help="The strategy with the tip.")],
    others: Field = None,
    players: Table = 2,
    max_deals: Annotated[
        int, typer.Option(min=2, metavar="N", help="Deals after which it stays unresolved.")
    ] = 100_000,
    min_effect: MinEffect = None,
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
    trial = Trial(game, control, treatment, others or control, players, seed, given, match=match)
    trial = by_metric(trial, metric)
    with live() as watch:
        answer = decide(
            trial, max_deals, min_effect, alpha=alpha, strict=strict, jobs=jobs, watch=watch
        )
    if json:
        print_json(answer.summary().to_dict("records"))
    else:
        print(answer)


COMMANDS = {"compare": compare}
