"""What a page of a strategy says of itself, read without running it, and what it may not do."""

import ast
from pathlib import Path

from cooncan_sim.errors import CooncanError
from cooncan_sim.games.rulebook import game

_FACTS = {"GAMES": tuple, "BASE": str, "WEIGHTS": dict, "BOUNDS": dict}
_LIKE = {
    "GAMES": 'GAMES = ("jaques",)',
    "BASE": 'BASE = "greedy"',
    "WEIGHTS": 'WEIGHTS = {"low": 5}',
    "BOUNDS": 'BOUNDS = {"low": (1, 13)}',
}
_IMPORTS = ("cooncan_sim", "math", "numpy")


def refuse_imports(path: Path, tree: ast.Module) -> None:
    """A strategy's chance is its own stream: else the same seed would not give the same hands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "."]
            names += [f"{node.module}.{one.name}" for one in node.names]
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in ("np.random", "numpy.random"):
            names = ["numpy.random"]
        else:
            continue
        for name in names:
            if name.split(".")[0] not in _IMPORTS or name.startswith("numpy.random"):
                raise CooncanError(
                    f"{path}:{node.lineno}: a strategy may not use {name}: of modules it may "
                    f"import {', '.join(_IMPORTS)} only, and chance comes from "
                    "cooncan_sim.view.below"
                )


def facts_of(path: Path, tree: ast.Module) -> dict:
    """GAMES, BASE, WEIGHTS and BOUNDS, those that are there. Raises CooncanError with the line."""
    facts = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            name = target.id if isinstance(target, ast.Name) else ""
            if name in _FACTS:
                try:
                    facts[name] = ast.literal_eval(node.value)
                except (ValueError, TypeError):
                    facts[name] = None
                if not isinstance(facts[name], _FACTS[name]):
                    kind = _FACTS[name].__name__
                    raise CooncanError(
                        f"{path}:{node.lineno}: {name} must be a plain {kind}: {_LIKE[name]}"
                    )
    for key in facts.get("GAMES", ()):
        if not isinstance(key, str):
            raise CooncanError(f"{path}: GAMES: unknown game {key!r}: a key of cooncan games")
        try:
            game(key)
        except CooncanError as error:
            raise CooncanError(f"{path}: GAMES: {error}") from None
    for key, number in facts.get("WEIGHTS", {}).items():
        if not isinstance(key, str) or not key.isidentifier():
            raise CooncanError(f"{path}: WEIGHTS: {key!r} is no name for a weight")
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise CooncanError(f"{path}: WEIGHTS: {key} must be a number, not {number!r}")
    for key, pair in facts.get("BOUNDS", {}).items():
        numbers = isinstance(pair, tuple) and all(isinstance(one, int | float) for one in pair)
        if not numbers or len(pair) != 2 or not pair[0] < pair[1]:
            raise CooncanError(f"{path}: BOUNDS: {key} must be like (1, 13), not {pair!r}")
    return facts


def refuse_writing(path: Path, function: ast.FunctionDef) -> None:
    """A strategy reads the table and its seat; only `seat.memory` is its own to write.

    Whatever name they go by: no field of anything is assigned to in a page.
    """
    for node in ast.walk(function):
        stored = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
        if not stored or not isinstance(node, ast.Attribute | ast.Subscript):
            continue
        fields = any(isinstance(part, ast.Attribute) for part in ast.walk(node))
        text = ast.unparse(node)
        if fields and not text.startswith("seat.memory["):
            raise CooncanError(
                f"{path}:{node.lineno}: a strategy may not change {text}; "
                f"it may write to seat.memory only"
            )


def check_decision(path: Path, decision: ast.FunctionDef) -> None:
    """A decision is a plain function of two things, whatever it calls them: table and seat."""
    for decorator in decision.decorator_list:
        raise CooncanError(
            f"{path}:{decorator.lineno}: {decision.name} has to be a plain function, "
            f"without @{ast.unparse(decorator)}"
        )
    asked = decision.args
    others = (asked.vararg, asked.kwarg, *asked.kwonlyargs, *asked.defaults)
    if len(asked.posonlyargs + asked.args) != 2 or any(others):
        raise CooncanError(
            f"{path}:{decision.lineno}: {decision.name} has to take (table, seat), "
            f"not ({ast.unparse(asked)})"
        )
