"""What there is: games, their rules, strategies."""

import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from cooncan_sim.commands.options import Game, Json, aligned, print_json

if TYPE_CHECKING:
    from cooncan_sim.catalog import Page
    from cooncan_sim.games import rulebook


def games(json: Json = False) -> None:
    """Lists the games."""
    from cooncan_sim.games.rulebook import GAMES

    if json:
        print_json([_game_facts(game) for game in GAMES.values()])
        return
    rows = [(game.key, game.name, f"{_numbers(game.players)} players") for game in GAMES.values()]
    print(aligned(rows))


def rules(game: Game, json: Json = False) -> None:
    """A game in short, and its house-rule switches."""
    from cooncan_sim.games import rulebook
    from cooncan_sim.games.howto import HOW

    found = rulebook.game(game)
    if json:
        switches = [
            {
                "name": switch.name,
                "default": switch.default,
                "options": list(switch.options) or {"from": switch.low, "to": switch.high},
                "about": switch.about,
            }
            for switch in found.switches.values()
        ]
        how = list(HOW[found.key])
        print_json(_game_facts(found) | {"how": how, "switches": switches})
        return
    facts = _game_facts(found)
    print(f"{found.name} ({found.key}), {_numbers(found.players)} players")
    print(f"Pack: {facts['cards']} cards. Deal: {found.deal}. Out: {found.goal}.")
    print()
    for sentence in HOW[found.key]:
        print(textwrap.fill(sentence, 88, initial_indent="- ", subsequent_indent="  "))
    print()
    print("House rules, set with --rule NAME=VALUE (the default first):")
    for switch in found.switches.values():
        others = [str(option) for option in switch.options if option != switch.default]
        allowed = " | ".join(others) if switch.options else switch.choices
        print(f"  {switch.name}={switch.default}" + (f" | {allowed}" if allowed else ""))
        print(f"      {switch.about}")


def strategies(
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Only those that play this game.")
    ] = None,
    json: Json = False,
) -> None:
    """Lists the strategies."""
    from cooncan_sim import catalog

    found = catalog.strategies(game)
    if json:
        print_json([_page_facts(page) for page in found])
        return
    plays = [() if game else (" ".join(page.games),) for page in found]
    told = [page.about.split(". ")[0].rstrip(".") for page in found]
    print(aligned([(p.name, *g, t) for p, g, t in zip(found, plays, told, strict=True)]))


def _game_facts(game: "rulebook.Game") -> dict[str, object]:
    return {
        "key": game.key,
        "name": game.name,
        "players": list(game.players),
        "cards": game.pack.size,
        "deal": game.deal,
        "goal": game.goal,
    }


def _page_facts(page: "Page") -> dict[str, object]:
    return {
        "name": page.name,
        "about": page.about,
        "games": list(page.games),
        "base": page.base,
        "weights": page.weights,
    }


def _numbers(players: tuple[int, ...]) -> str:
    """`2`, `3–4`."""
    return str(players[0]) if len(players) == 1 else f"{players[0]}–{players[-1]}"


COMMANDS = {"games": games, "rules": rules, "strategies": strategies}
