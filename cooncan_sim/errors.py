"""Errors that a person caused and can mend."""

import difflib
from collections.abc import Iterable

LISTED = 12  # choices that a message names one by one, if a command can show them instead


class CooncanError(Exception):
    """One line: what is wrong, where, and what would be right.

    The command line prints it on stderr and ends with exit code 2.
    """


def either(choices: Iterable[object]) -> str:
    """`2, 3 or 4`."""
    *others, last = map(str, choices)
    return f"{', '.join(others)} or {last}" if others else last


def nearest(word: object, choices: Iterable[str], lead: str = "", command: str = "") -> str:
    """What may stand in place of a word that is no choice, to follow it in a message.

    The choice that is close to it, and the command that lists all: ` (did you mean 'greedy'?);
    cooncan strategies lists all`. If none is, the choices with `lead` before them, `; the games
    are jaques, …`, or that command if they are many; nothing without a lead.
    """
    by_lower = {choice.lower(): choice for choice in choices}
    close = difflib.get_close_matches(str(word).lower(), by_lower, n=1, cutoff=0.6)
    if close:
        more = f"; {command} lists all" if command else ""
        return f" (did you mean {by_lower[close[0]]!r}?){more}"
    if not lead or not by_lower:
        return ""
    if command and len(by_lower) > LISTED:
        return f"; {command} lists them"
    return f"; {lead} {', '.join(by_lower.values())}"
