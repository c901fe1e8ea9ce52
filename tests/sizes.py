"""How many samples a test takes: few as plain Python, more in `make test`, most in `make soak`."""

from typing import Any

import pytest


def sizes(
    plain: int | None = None, ordinary: int | None = None, soak: int | None = None
) -> list[Any]:
    """Parameters for a test that takes the number of its samples, marked for these runs."""
    marked = [(plain, [pytest.mark.plain]), (ordinary, []), (soak, [pytest.mark.soak])]
    return [pytest.param(count, marks=marks) for count, marks in marked if count is not None]
