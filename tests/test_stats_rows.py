"""The acceptance values of the statistics, and those of any file given as --stats-cases."""

from typing import Any

import pytest

from tests.stats_rows import QUANTITIES, Row, check, rows


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "row" in metafunc.fixturenames:
        path = metafunc.config.getoption("--stats-cases", default=None)
        found = rows(path)
        metafunc.parametrize("row", found, ids=[f"{r['id']}-{r['quantity']}" for r in found])


def test_row(row: Row) -> None:
    check(row)


def test_own_rows_are_complete() -> None:
    assert [row["id"] for row in rows()] == list(range(1, 32))
    assert {row["quantity"] for row in rows()} == set(QUANTITIES)


@pytest.mark.parametrize("own", rows(), ids=lambda row: str(row["id"]))
def test_a_wrong_value_is_noticed(own: Row) -> None:
    """Every number of every row counts: one part in ten thousand off, and the row fails."""

    def spoiled(value: Any) -> list[Any]:
        if isinstance(value, dict):
            return [value | {name: bad} for name in value for bad in spoiled(value[name])]
        if isinstance(value, list):
            return [
                [*value[:i], bad, *value[i + 1 :]]
                for i in range(len(value))
                for bad in spoiled(value[i])
            ]
        return [value * 1.0001]

    wrong = spoiled(own["value"])
    assert wrong
    for value in wrong:
        with pytest.raises(AssertionError):
            check(own | {"value": value})


def test_an_unknown_quantity_is_named() -> None:
    with pytest.raises(ValueError, match="row 99: unknown quantity 'luck'"):
        check({"id": 99, "quantity": "luck", "input": {}, "value": 0})
