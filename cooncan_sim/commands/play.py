"""Many deals: how strategies fare at a table, and whether one beats another."""

from pathlib import Path
from typing import Annotated

import typer

from cooncan_sim.commands.options import (
    Game,
    Jobs,
    Json,
    Players,
    Rule,
    Seed,
    check_out,
    print_json,
    read_rules,
    split_players,
)
from cooncan_sim.progress import progress


def simulate(
    game: Game,
    players: Players,
    deals: Annotated[int, typer.Option(min=1, metavar="N", help="Deals to play.")] = 10_000,
    seed: Seed = 0,
    match: Annotated[
        bool, typer.Option("--match", help="Plays N whole matches instead of N deals.")
    ] = False,
    rule: Rule = None,
    jobs: Jobs = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A row per seat and hand: .parquet or .csv."),
    ] = None,
    json: Json = False,
) -> None:
    """Plays deals or matches in one seating and sums up how each seat fared."""
    names = split_players(players)
    check_out(out, ".parquet", ".csv")
    from cooncan_sim.simulate import simulate as play

    with progress(deals, "matches" if match else "deals") as tick:
        batch = play(
            game,
            names,
            deals,
            seed,
            rules=read_rules(rule),
            match=match,
            jobs=jobs,
            keep=out is not None,
            progress=tick,
        )
    if out is not None:
        frame = batch.frame()
        if out.suffix.lower() == ".csv":
            frame.to_csv(out, index=False)
        else:
            frame.to_parquet(out, index=False)
    if json:
        print_json(batch.summary().to_dict("records"))
    else:
        print(batch)


def compare(
    game: Game,
    control: Annotated[str, typer.Option(metavar="A", help="The strategy as it is.")],
    treatment: Annotated[str, typer.Option(metavar="B", help="The strategy with the tip.")],
    others: Annotated[
        str | None,
        typer.Option(metavar="C", help="Who sits in the other seats; A if not given."),
    ] = None,
    players: Annotated[int, typer.Option(min=2, metavar="N", help="Players at the table.")] = 2,
    max_deals: Annotated[int, typer.Option(min=2, metavar="N", help="Deals to play.")] = 100_000,
    min_effect: Annotated[
        float | None,
        typer.Option(metavar="X", help="The smallest gain in hands won per hand that counts."),
    ] = None,
    alpha: Annotated[
        float, typer.Option(metavar="A", help="Chance of a wrong interval that is accepted.")
    ] = 0.05,
    seed: Seed = 0,
    rule: Rule = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Plays two strategies on the same deals: which is better?"""
    from cooncan_sim.compare import Trial, measure

    trial = Trial(
        game, control, treatment, others or control, players, seed, read_rules(rule) or {}
    )
    with progress(max_deals, "deals") as tick:
        answer = measure(trial, max_deals, min_effect=min_effect, alpha=alpha, jobs=jobs, tick=tick)
    if json:
        print_json(answer.summary().to_dict("records"))
    else:
        print(answer)


COMMANDS = {"simulate": simulate, "compare": compare}
