"""Errors that a person caused and can mend."""

import difflib
from collections.abc import Iterable


class CooncanError(Exception):
    """One line: what is wrong, where, and what would be right.

    The command line prints it on stderr and ends with exit code 2.
    """


def nearest(word: object, choices: Iterable[str]) -> str:
    """` (did you mean 'greedy'?)` for a word that is close to a choice, else the empty string.

    Meant to follow the word in a message: `unknown strategy 'gredy' (did you mean 'greedy'?)`.
    """
    by_lower = {choice.lower(): choice for choice in choices}
    close = difflib.get_close_matches(str(word).lower(), by_lower, n=1, cutoff=0.6)
    return f" (did you mean {by_lower[close[0]]!r}?)" if close else ""
