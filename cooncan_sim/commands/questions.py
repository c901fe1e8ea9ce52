"""Questions in TOML: played, then written up."""

from pathlib import Path
from typing import Annotated

import typer

from cooncan_sim.commands.options import Jobs, Json, check_out, print_json
from cooncan_sim.progress import progress


def run(
    question: Annotated[
        list[str], typer.Argument(metavar="FILE.toml…", help="Files, or names of shipped ones.")
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the results go, a folder a question.")
    ] = Path("results"),
    quick: Annotated[bool, typer.Option("--quick", help="Fewer deals: for a first look.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep what an earlier run has finished.")
    ] = False,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Plays what questions ask for and keeps the results."""
    from cooncan_sim import experiment

    total = experiment.deals_to_play(question, out, quick, resume)
    with progress(total, "deals") as tick:
        experiment.run(question, out, quick, resume, tick, jobs)
    folders = [out / experiment.load(name).name for name in question]
    if json:
        print_json({"results": [str(folder) for folder in folders], "deals": total})
    else:
        for folder in folders:
            print(f"results in {folder}; write them up with: cooncan report {folder}")


def report(
    results: Annotated[
        list[Path], typer.Argument(metavar="DIR…", help="What cooncan run has written.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html",
            help="DIR/report.html if not given; of several questions index.html in the folder "
            "that holds them.",
        ),
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Markdown for a blog in place of HTML.")
    ] = False,
    json: Json = False,
) -> None:
    """Writes results up, a page with charts and a verdict for each question."""
    check_out(out, ".md" if markdown else ".html")
    from cooncan_sim.reports import page

    place, pages = page.write(results, out, markdown)
    if json:
        verdicts = [
            {
                "name": one.name,
                "verdict": one.verdict_line,
                "finished": one.finished,
                "changed": one.changed,
            }
            for one in pages
        ]
        print_json({"page": str(place), "questions": verdicts})
        return
    for one in pages:
        print(f"{one.title} {one.verdict_line}")
        if not one.finished:
            print(f"the run is not finished; it goes on with: {one.resuming}")
        if one.changed:
            print(one.changed)
    print(f"the page is {place}")


COMMANDS = {"run": run, "report": report}
