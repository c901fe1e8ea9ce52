"""What is wrong with the code of a page, in the words of players and of Python.

What compiles the decisions speaks of types and passes of its own. Here its messages are read, and
said again as they concern whoever wrote the page; nothing of its own words is passed on.
"""

import ast
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from cooncan_sim.errors import CooncanError, nearest
from cooncan_sim.page_types import did, parts, words

ANSWERS = {
    "choose_draw": "STOCK or PILE",
    "choose_table": "a move such as stop()",
    "choose_discard": "a card number",
    "choose_offer": "an answer such as decline()",
    "choose_force": "1 to force or 0",
    "choose_announce": "a number of jokers",
}
_BEYOND = (
    "this is beyond what a strategy may use: numbers, masks, tuples and arrays of numbers, if, "
    "for and while, the functions of cooncan_sim, math and numpy"
)
_BUILTIN = ("abs", "bool", "enumerate", "float", "int", "len", "max", "min", "range", "round")
_NOT_FOR_PEOPLE = re.compile(
    r"Literal|Record|u?int\d|float\d|unicode|reflected|array\(|numba|python|opcode|dispatcher|"
    r"[$<]|__|construct|closure|support|infer|signature|bytecode|compile|pickle|parameters|\btyp|\bIR\b|::",
    re.I,
)


def not_loaded(error: BaseException, path: Path, module: ModuleType) -> CooncanError:
    """The line for an error that the top level of a page has ended with."""
    if isinstance(error, SyntaxError):
        return CooncanError(f"{path}:{error.lineno}: {error.msg}")
    lines = [at.lineno for at in traceback.extract_tb(error.__traceback__)
             if at.filename == str(path)]  # fmt: skip
    where = f"{path}:{lines[-1]}" if lines else str(path)
    gone = re.match(r"cannot import name '(\w+)' from '([\w.]+)'", str(error))
    if isinstance(error, NameError) and error.name:
        return CooncanError(f"{where}: {_no_name(error.name, vars(module))}")
    if gone:
        return CooncanError(f"{where}: {_not_in(gone[2], gone[1])}")
    if isinstance(error, TimeoutError):
        return CooncanError(f"{where}: {error}: is there a loop that never ends?")
    return CooncanError(f"{where}: cannot be loaded: {type(error).__name__}: {error}")


@dataclass(frozen=True)
class _Page:
    """A page with a decision that cannot be compiled, and the signature it was to have."""

    path: Path
    tree: ast.Module
    known: dict[str, Any]  # the names of its module
    table: Any
    seat: Any
    answer: Any
    engine: str


def not_compiled(
    error: Exception, path: Path, function: FunctionType, signature: Any, engine: str
) -> CooncanError:
    """The line for a decision that cannot be compiled for this signature, of this engine."""
    table, seat = signature.args
    tree = ast.parse(path.read_bytes())
    page = _Page(path, tree, function.__globals__, table, seat, signature.return_type, engine)
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    for record, name in ((table, "the table"), (seat, "the seat")):
        text = text.replace(str(record), name).replace(repr(record), name)
    line, reason = _missing(text, page)
    if reason is None:
        reason = _in_words(text, page, function.__name__)
    line = line or _line(text, path) or function.__code__.co_firstlineno
    name = function.__name__
    said = f"{name} {reason}" if reason.startswith("returns ") else f"in {name}: {reason}"
    return CooncanError(f"{path}:{line}: {said}")


def raised(error: Exception) -> str:
    """What a strategy has raised in play; or that it had nothing where something was needed."""
    empty = re.fullmatch(r"expected (.+), got None", str(error))
    if isinstance(error, TypeError) and empty:
        return (
            f"had nothing where {words(empty[1])} was needed: "
            "a function that ends without a return gives nothing"
        )
    return f"raised {type(error).__name__}: {' '.join(str(error).split()) or 'no message'}"


def _line(text: str, path: Path) -> int | None:
    """The line of the page nearest to what is wrong: the first that the message points at."""
    for name, line, other, number in re.findall(
        r'File "([^"]+)", line (\d+)|(?:at|from) ([^\s()]+) \((\d+)\)', text
    ):
        if Path(name or other).resolve() == path.resolve():
            return int(line or number)
    return None


# ---- what is not there --------------------------------------------------------------------


def _views(engine: str) -> list[str]:
    """The modules with what a strategy may ask: those of the engine first, then the common one."""
    own = sorted(Path(__file__).parent.glob(f"view_{engine}*.py")) if engine else []
    return [f"cooncan_sim.{name}" for name in (*(path.stem for path in own), "view")]


def _no_name(word: str, known: Iterable[str], engine: str = "") -> str:
    """That the page has no such name; where it can be had, or which of its names is close."""
    there: list[str] = []
    for module in _views(engine):
        there += [name for name in dir(import_module(module)) if not name.startswith("_")]
        if word in there:
            return f"there is no {word!r} here: it can be imported from {module}"
    return f"there is no {word!r}{nearest(word, [*known, *_BUILTIN, *there])}"


def _not_in(module: str, word: str) -> str:
    there = [name for name in dir(sys.modules[module]) if not name.startswith("_")]
    return f"{module} has no {word!r}{nearest(word, there)}"


def _missing(text: str, page: _Page) -> tuple[int | None, str | None]:
    """A name, a field or a part of a module that is not there: its line, and what is close."""
    name = re.search(r"name '(\w+)' is not defined", text)
    if name:
        for function in _functions(page.tree):
            own = _bound(function)
            for node in ast.walk(function):
                if isinstance(node, ast.Name) and node.id == name[1] and name[1] not in own:
                    return node.lineno, _no_name(name[1], [*page.known, *own], page.engine)
    module = re.search(r"module '([\w.]+)' has no attribute '(\w+)'", text)
    if module:
        asked = _attribute(page, module[2])
        return asked.lineno if asked else None, _not_in(module[1], module[2])
    field = re.fullmatch(r"'([a-zA-Z]\w*)'", text.strip())  # all that is said of a field
    if field:
        asked = _attribute(page, field[1])
        return asked.lineno if asked else None, _no_field(field[1], asked, page)
    return None, None


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in tree.body if isinstance(node, ast.FunctionDef))


def _bound(function: ast.FunctionDef) -> set[str]:
    """The names that a function gives values to."""
    return {
        node.arg if isinstance(node, ast.arg) else node.id
        for node in ast.walk(function)
        if isinstance(node, ast.arg)
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    }


def _attribute(page: _Page, word: str) -> ast.Attribute | None:
    """Where the page first asks for a field of this name."""
    found = (node for node in ast.walk(page.tree) if isinstance(node, ast.Attribute))
    asked = [node for node in found if node.attr == word]
    return min(asked, key=lambda node: node.lineno, default=None)


def _no_field(word: str, node: ast.Attribute | None, page: _Page) -> str:
    if node is None:  # asked for by a helper of ours, of what it was handed
        return f"what is handed on has no field {word!r}: are table and seat in their places?"
    table, seat = _fields(page.table), _fields(page.seat)
    owner = ast.unparse(node.value)
    for other, fields in (("the table", table), ("the seat", seat)):
        if word in fields:
            return f"{owner} has no field {word!r}: {other} has"
    own = {"table": table, "seat": seat}.get(owner, table | seat)
    return f"{owner} has no field {word!r}{nearest(word, sorted(own))}"


def _fields(record: Any) -> set[str]:
    """The fields of a record, and of the records in it."""
    found = set(record.fields)
    for one in record.fields.values():
        inner = getattr(one.type, "dtype", one.type)
        found |= _fields(inner) if hasattr(inner, "fields") else set()
    return found


# ---- what cannot be done ------------------------------------------------------------------


def _in_words(text: str, page: _Page, name: str) -> str:
    """What the message says, in other words; or that this cannot be done, if it is not known."""
    wanted = ANSWERS[name]
    if "may have a fraction" in text:
        return f"returns a number that may have a fraction, not {wanted}: int(…) makes it whole"
    given = re.search(r"No conversion from (.+) to (.+) for '\S+return_value", text)
    if given:
        return _wrong_answer(given[1], given[2], wanted, page)
    call = re.search(r"^\s*>>> (.+)$", text, re.M)
    if call and "No implementation" in text:
        return did(call[1])
    for pattern, said in _SAID:
        found = re.search(pattern, text)
        if found:
            return said(found)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During"))]
    return _BEYOND if not telling or _NOT_FOR_PEOPLE.search(telling[0]) else telling[0]


def _wrong_answer(given: str, right: str, wanted: str, page: _Page) -> str:
    """It returns something else; of a move with a part of the wrong kind, which part it is."""
    names = getattr(page.answer, "fields", ())
    got, need = parts(given), parts(right)
    if given.partition("(")[0] == right.partition("(")[0] and len(got) == len(need) == len(names):
        for field, one, other in zip(names, got, need, strict=True):
            if one != other:
                mask = ": np.uint64(…) makes one" if other == "uint64" else ""
                return f"returns a move whose {field} is {words(one)}, not {words(other)}{mask}"
    return f"returns {words(given)}, not {wanted}"


def _plural(text: str) -> str:
    return " and at another ".join(dict.fromkeys(words(one) for one in parts(f"({text})")))


_SAID: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (
        r"to signature '(\(.*\))' due to \"TypeError: (.+?)\"",
        lambda m: f"a function that takes {m[1]} is called otherwise: {m[2]}",
    ),
    (
        r"In '<class '[\w.]+\.(\w+)'>': (.+)",
        lambda m: f"{m[1]}(…) is made otherwise than it can be: {m[2]}",
    ),
    (
        r"Cannot unify (.+) and (.+) for '(\w+?)(?:\.\d+)?', defined",
        lambda m: f"{m[3]!r} is at one time {words(m[1])} and at another {words(m[2])}",
    ),
    (
        r"Can't unify return type from the following types: (.+)",
        lambda m: f"what a function returns is at one time {_plural(m[1])}",
    ),
    (
        r"Unknown attribute '(\w+)' of type (.+)",
        lambda m: f"{words(m[2])} has no {m[1]!r}",
    ),
    (
        r"Untyped global name '(\w+)':.*builtin",
        lambda m: f"a strategy may not use {m[1]}",
    ),
    (
        r"Untyped global name '(\w+)':.*<class '([\w.]+)'>",
        lambda m: f"{m[1]!r} is of a kind that a strategy may not use ({m[2]}): tuples may be used",
    ),
    (
        r"The use of a (?:reflected )?(\w+)\(.*assigned to variable '(\w+)' in globals",
        lambda m: f"{m[2]!r} is a {m[1]}, which a strategy may not use: a tuple may be used",
    ),
    (
        r"failed to unpack (.+)",
        lambda m: f"{words(m[1])} cannot be given to several names",
    ),
    (
        r"wrong tuple length.*expected (\d+), got (\d+)",
        lambda m: f"{m[1]} names are given a tuple of {m[2]}",
    ),
    (
        r"Invalid use of getiter with parameters \((.+)\)",
        lambda m: f"for cannot go through {words(m[1])}",
    ),
    (
        r"Invalid use of BoundFunction\(\w+\.(\w+) .*with parameters \((.*)\)",
        lambda m: f"{m[1]} does not take {_plural(m[2])}",
    ),
    (
        r"Invalid use of (.+?) with parameters \(.*\)",
        lambda m: f"{words(m[1])} is called, but is no function",
    ),
    (
        r"Variable '(\w+)' is not defined",
        lambda m: f"{m[1]!r} is used before it has a value",
    ),
    (
        r"Cannot infer the type of variable '(\w+?)(?:\.\d+)?'",
        lambda m: f"it cannot be known what {m[1]!r} holds",
    ),
    (
        r"runaway recursion",
        lambda m: "a function calls itself with no way out",
    ),
)
