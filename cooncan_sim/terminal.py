"""Standard output and standard error as they are: closed, full, or without signs such as `♠`."""

import codecs
import os
import sys
from typing import TextIO

from cooncan_sim.errors import CooncanError

_PLAIN = {
    "♠": "S", "♥": "H", "♦": "D", "♣": "C", "★": "*", "·": "-", "−": "-", "–": "-", "×": "x",
    "…": "...", "→": "->", "±": "+/-", "α": "alpha", "∞": "inf", "’": "'", "“": '"', "”": '"',
    "▲": "^", "▼": "v", "◇": "<>", "●": "*",
}  # fmt: skip


def make_ready() -> None:
    """Lets both take every sign: what they have no letter for becomes the plain one next to it.

    Raises CooncanError where there is no standard output.
    """
    if sys.stderr is None:  # closed by who started this: what is said there is lost
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    if sys.stdout is None:
        raise CooncanError("standard output is closed: send it somewhere, such as to /dev/null")
    for stream in (sys.stdout, sys.stderr):
        _take_every_sign(stream)


def _take_every_sign(stream: TextIO) -> None:
    reconfigure = getattr(stream, "reconfigure", None)  # what stands in for a stream may lack it
    if reconfigure is not None:
        reconfigure(errors=_in_plain_letters.__name__)


def _in_plain_letters(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)  # nothing is read from the two
    signs = error.object[error.start : error.end]
    return "".join(_PLAIN.get(sign, "?") for sign in signs), error.end


codecs.register_error(_in_plain_letters.__name__, _in_plain_letters)


def output_fails() -> bool:
    """Whether standard output takes nothing any more; what waits to be written is then given up."""
    try:
        print(flush=True)  # without a buffer there is nothing that waits: an empty line is tried
    except OSError:
        drop_output()
        return True
    return False


def drop_output() -> None:
    """Sends what is still to be written nowhere: Python would complain when it closes stdout."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
