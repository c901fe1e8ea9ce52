"""What every test shares: the two case files and the long tests left out by default.

The options `--cases` and `--stats-cases` are declared in `cooncan_sim/pytest_options.py`.
"""

from pathlib import Path

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves tests marked `soak` out unless `-m` speaks of them."""
    if "soak" in config.getoption("markexpr"):
        return
    soak = [item for item in items if item.get_closest_marker("soak")]
    if soak:
        config.hook.pytest_deselected(items=soak)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]


@pytest.fixture(scope="session")
def by_chance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the results of three questions that were played by chance."""
    from tests import page_cases

    texts = {"more": page_cases.MORE, "screened": page_cases.SCREENED}
    swept = page_cases.GOOD.split("[exact]")[0] + page_cases.SWEPT
    return page_cases.by_chance(tmp_path_factory.mktemp("chance"), **texts, swept=swept)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a small question of every kind, played by the rules."""
    from tests import page_cases

    return page_cases.played(tmp_path_factory.mktemp("played"))


@pytest.fixture
def question(tmp_path: Path) -> Path:
    """A question in a file of its own, which the test may write anew."""
    from tests.question_cases import GOOD

    path = tmp_path / "more.toml"
    path.write_text(GOOD, "utf-8")
    return path
