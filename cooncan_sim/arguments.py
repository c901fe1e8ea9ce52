"""What Python callers pass: each check raises CooncanError, one line, for what makes no sense."""

import math
from collections.abc import Iterable, Mapping
from numbers import Integral, Real

from cooncan_sim.errors import CooncanError

MOST_DEALS = 2**48  # years of play
MOST_JOBS = 1024  # threads of one machine


def is_whole(number: object) -> bool:
    """Whether this is a whole number, of Python or of NumPy; a truth value is none."""
    return isinstance(number, Integral) and not isinstance(number, bool)


def is_number(number: object) -> bool:
    """Whether this is a finite number, of Python or of NumPy; a truth value is none."""
    return isinstance(number, Real) and not isinstance(number, bool) and math.isfinite(number)


def check_count(count: object, what: str, least: int = 1) -> None:
    """Refuses what is no whole number of things that can be played."""
    if not is_whole(count) or not least <= count < MOST_DEALS:  # type: ignore[operator]
        raise CooncanError(
            f"{what} must be a whole number from {least} to 2**48 - 1, not {count!r}"
        )


def check_jobs(jobs: object) -> None:
    """Refuses what is no number of threads that one machine could play on."""
    if not is_whole(jobs) or not 1 <= jobs <= MOST_JOBS:  # type: ignore[operator]
        raise CooncanError(f"jobs must be a whole number from 1 to {MOST_JOBS}, not {jobs!r}")


def check_flags(**flags: object) -> None:
    """Refuses what is neither True nor False."""
    for name, flag in flags.items():
        if not isinstance(flag, bool):
            raise CooncanError(f"{name} must be True or False, not {flag!r}")


def check_hearer(hearer: object, what: str) -> None:
    """Refuses what is not None and cannot be called with news."""
    if hearer is not None and not callable(hearer):
        raise CooncanError(f"{what} must be a function that hears how it goes, not {hearer!r}")


def read_players(players: object) -> tuple[str, ...]:
    """The strategies of a list or of anything that gives them one by one.

    Refuses one text, which would be its letters, and entries that are no text.
    """
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise CooncanError(f"players are a list of strategies, one a seat, not {players!r}")
    specs = tuple(players)
    for spec in specs:
        if not isinstance(spec, str):
            raise CooncanError(f"a strategy is a name or a file, not {spec!r}")
    return specs


def read_rules(rules: object) -> dict[str, object]:
    """The switches that are given, none for None. Refuses what is no mapping."""
    if rules is None:
        return {}
    if not isinstance(rules, Mapping):
        raise CooncanError(f"rules are a mapping of switch names to values, not {rules!r}")
    return dict(rules)
