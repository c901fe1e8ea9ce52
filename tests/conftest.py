"""What every test shares: the two case files and the long tests left out by default.

The options `--cases` and `--stats-cases` are declared in `cooncan_sim/pytest_options.py`.
"""

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves tests marked `soak` out unless `-m` speaks of them."""
    if "soak" in config.getoption("markexpr"):
        return
    soak = [item for item in items if item.get_closest_marker("soak")]
    if soak:
        config.hook.pytest_deselected(items=soak)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]
