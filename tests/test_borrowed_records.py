"""Numba frees a local array after the last mention of its name, though a record of it is in use."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = [*ROOT.glob("cooncan_sim/**/*.py"), *ROOT.glob("strategies/**/*.py")]


def borrowing(function: ast.FunctionDef) -> dict[str, str]:
    """Records taken from arrays that the function makes itself: name of the record → array."""
    made = set()
    records = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, node.value
            if ast.unparse(value).startswith(("np.empty(1,", "np.zeros(1,")):
                made.add(name)
            if isinstance(value, ast.Subscript) and ast.unparse(value.value) in made:
                records[name] = ast.unparse(value.value)
    return records


def last_mention(function: ast.FunctionDef, name: str) -> int:
    names = (node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name)
    return max(node.lineno for node in names)


FOUND = [
    (f"{path.relative_to(ROOT)}:{function.name}", function)
    for path in SOURCES
    for function in ast.walk(ast.parse(path.read_text("utf-8")))
    if isinstance(function, ast.FunctionDef) and borrowing(function)
]


def test_there_are_some() -> None:
    assert len(FOUND) >= 5


@pytest.mark.parametrize(("where", "function"), FOUND, ids=[where for where, _ in FOUND])
def test_the_array_is_named_after_the_record(where: str, function: ast.FunctionDef) -> None:
    for record, array in borrowing(function).items():
        assert last_mention(function, array) > last_mention(function, record), (record, array)
