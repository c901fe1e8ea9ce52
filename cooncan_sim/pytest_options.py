"""pytest's options `--cases FILE` and `--stats-cases FILE`.

An entry point rather than `tests/conftest.py`: pytest takes the FILE of an option it does not
know yet for a place to collect tests from, and then never looks at the project's own conftest.
"""

from typing import Any


def pytest_addoption(parser: Any) -> None:
    """Declares the options; None means the project's own file under `tests/cases`."""
    group = parser.getgroup("cooncan")
    group.addoption("--cases", metavar="FILE", help="rules cases to run instead of the own ones")
    group.addoption("--stats-cases", metavar="FILE", help="the same for the statistics")
