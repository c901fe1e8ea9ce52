"""Rulings: questions about the rules, put in card text and answered by the engines."""

from collections.abc import Mapping

from cooncan_sim import catalog
from cooncan_sim.errors import CooncanError, nearest


def ruling(
    game: str, kind: str, given: Mapping, switches: Mapping[str, object] | None = None
) -> dict:
    """What the rules say: `kind`, `given` and the answer are those of the worked cases.

    For example ruling("jaques", "discard", {"hand": ["2S", "KD"], "taken": "KD",
    "taken_played": False}) → {"legal": ["2S"], "hold": False}.
    Raises CooncanError for an unknown game, kind, switch or card.
    """
    played = catalog.game(game)
    rules = played.rules(switches)
    answers = played.part("rulings").ANSWERS
    if kind not in answers:
        known = nearest(kind, answers, "it has")
        raise CooncanError(f"{game} has no kind of question {kind!r}{known}")
    return answers[kind](played, rules, given)
