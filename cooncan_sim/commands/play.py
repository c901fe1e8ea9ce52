"""Many deals: how strategies fare at a table."""

from contextlib import nullcontext
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
from cooncan_sim.errors import CooncanError
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
    backend: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="dask: plays on a cluster, in place of --jobs."),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="The cluster's scheduler, like tcp://desk:8786."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A row per seat and hand: .parquet or .csv."),
    ] = None,
    json: Json = False,
) -> None:
    """Plays deals or matches in one seating and sums up how each seat fared."""
    names = split_players(players)
    check_out(out, ".parquet", ".csv")
    from cooncan_sim import workers

    workers.check(jobs, backend)
    if backend is not None and scheduler is None:
        raise CooncanError(f"--backend {backend} needs --scheduler ADDRESS")
    if scheduler is not None and backend is None:
        raise CooncanError("--scheduler ADDRESS needs --backend dask")
    from cooncan_sim.simulate import simulate as play

    cluster = nullcontext() if scheduler is None else workers.scheduler(scheduler)
    with cluster, progress(deals, "matches" if match else "deals") as tick:
        batch = play(
            game,
            names,
            deals,
            seed,
            rules=read_rules(rule),
            match=match,
            jobs=jobs,
            backend=backend,
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


COMMANDS = {"simulate": simulate}
