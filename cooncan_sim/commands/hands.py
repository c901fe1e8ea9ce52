"""One hand: what it is worth, and how it was played."""

import json as json_text
from pathlib import Path
from typing import Annotated, Any

import typer

from cooncan_sim.commands.options import (
    Game,
    Json,
    Players,
    Rule,
    Seed,
    check_out,
    print_json,
    read_rules,
    split_players,
)


def evaluate(
    game: Game,
    hand: Annotated[
        str, typer.Argument(metavar="HAND", help='Cards like "5H 6H 7H KD"; * is a joker.')
    ],
    rule: Rule = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draws the hand: .svg or .png.")
    ] = None,
    json: Json = False,
) -> None:
    """Splits a hand into melds so that the rest costs least."""
    check_out(picture, ".svg", ".png")
    from cooncan_sim.evaluate import evaluate as split

    found = split(hand, game, read_rules(rule))
    if picture is not None:
        from cooncan_sim.reports.hand_picture import draw

        held = [card for meld in found.melds for card in meld] + found.unmelded
        draw(held, found.melds, found.unmelded, found.penalty, picture)
    if json:
        print_json({"penalty": found.penalty, "melds": found.melds, "unmelded": found.unmelded})
    else:
        print(found)


def replay(
    game: Game,
    players: Players,
    seed: Seed = 0,
    deal: Annotated[int, typer.Option(min=0, metavar="D", help="The deal's number.")] = 0,
    count: Annotated[int, typer.Option(min=1, metavar="N", help="Deals from D on.")] = 1,
    match: Annotated[
        bool, typer.Option("--match", help="D and N number whole matches, as in simulate.")
    ] = False,
    rule: Rule = None,
    stock_order: Annotated[
        str,
        typer.Option(metavar="ORDER", help="shared, as simulate plays; per_seat, as compare."),
    ] = "shared",
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A page to click through the hand.")
    ] = None,
    json: Json = False,
) -> None:
    """Tells a deal in words; with --json one hand log a line."""
    names = split_players(players)
    check_out(html, ".html")
    from cooncan_sim.replay import replay as play
    from cooncan_sim.simulate import StrategyError

    try:
        logs = play(
            game,
            names,
            seed,
            deal,
            count,
            read_rules(rule),
            stock_order=stock_order,
            match=match,
        )
    except StrategyError as error:
        _show(error.partial, html, json)  # up to the breach: its author wants to see that
        raise
    _show(logs, html, json)


def _show(logs: list[dict[str, Any]], html: Path | None, json: bool) -> None:
    if html is not None:
        from cooncan_sim.reports.replay_page import page

        html.write_text(page(logs), encoding="utf-8")
    if json:
        for log in logs:
            print(json_text.dumps(log, ensure_ascii=False))
    elif html is not None:
        print(f"the page is {html}")
    else:
        from cooncan_sim.reports.hand_words import words

        print("\n\n".join(words(log).rstrip() for log in logs))


COMMANDS = {"evaluate": evaluate, "replay": replay}
