"""A strategy of one's own: a page to begin with."""

from typing import Annotated

import typer

from cooncan_sim.commands.options import Json, print_json


def new_strategy(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is to be called.")],
    game: Annotated[str, typer.Option(metavar="GAME", help="The game it plays.")] = "jaques",
    base: Annotated[
        str | None,
        typer.Option(
            metavar="STRATEGY",
            help="Who takes the decisions that it does not, by name or file; the game's usual "
            "strategy if not given.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Writes a page for a strategy of your own, NAME.py, and a question about it, NAME.toml."""
    from cooncan_sim import new_strategy

    written = new_strategy.write(name, game, base)
    if json:
        print_json(
            {
                "page": str(written.page),
                "question": str(written.question),
                "games": written.games,
                "base": written.base,
                "next": written.commands,
            }
        )
        return
    print(f"{written.page} plays as {written.base} with one decision of its own: edit that, then")
    for command in written.commands:
        print(f"  {command}")


COMMANDS = {"new-strategy": new_strategy}
