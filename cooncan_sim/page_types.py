"""What compiles the decisions has names for kinds of values: here they are in plain words."""

import re

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "lshift": "<<", "rshift": ">>", "and_": "&", "or_": "|", "xor": "^", "eq": "==", "ne": "!=",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "neg": "-", "invert": "~", "not_": "not ",
    "iadd": "+=", "isub": "-=", "imul": "*=", "itruediv": "/=", "ifloordiv": "//=", "iand": "&=",
    "ior": "|=", "ixor": "^=", "ilshift": "<<=", "irshift": ">>=",
}  # fmt: skip
_KINDS = (
    (r"the (table|seat)", r"the \1"),
    (r"Literal\[str\]\((.*)\)", r"the text '\1'"),
    (r"Literal\[\w+\]\((.*)\)", r"\1"),
    (r"unicode_type", "a text"),
    (r"bool(ean)?", "True or False"),
    (r"int(\d+|p)", "a whole number"),
    (r"uint\d+", "a mask of cards"),
    (r"float\d+", "a number that may have a fraction"),
    (r"complex\d+", "a complex number"),
    (r"none", "nothing"),
    (r"Move\(.*", "a move"),
    (r"Answer\(.*", "an answer"),
    (r"Record\(.*", "a meld"),
    (r"(Uni)?Tuple\(.*", "a tuple"),
    (r"(reflected )?list\(.*", "a list"),
    (r"(reflected )?set\(.*", "a set"),
    (r"Dict.*", "a dict"),
    (r"(nested)?array\(.*", "an array"),
    (r"range.*", "a range"),
    (r"Module\(.*", "a module"),
    (r"type\(CPUDispatcher\(<function (\w+) .*", r"the function \1"),
    (r".*[Ff]unction.*", "a function"),
)


def words(kind: str) -> str:
    """`Literal[str](PILE)` as `the text 'PILE'`, `uint64` as `a mask of cards`."""
    maybe = re.fullmatch(r"Optional(?:Type)?\((.+)\)", kind)
    if maybe:
        return f"{words(maybe[1])} or nothing"
    for pattern, said in _KINDS:
        found = re.fullmatch(pattern, kind.strip(), re.S)
        if found:
            return found.expand(said)
    return "something of another kind"


def parts(kind: str) -> list[str]:
    """The kinds within the outermost parentheses: of `sub(int64, Tuple(int64, none))` two."""
    found, depth = [""], 0
    for letter in kind.partition("(")[2].removesuffix(")"):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [one.strip() for one in found if one.strip()]


def did(call: str) -> str:
    """What cannot be done: `sub(Literal[int](1), the seat)` as `… no way to do 1 - the seat`."""
    name, given = call.partition("(")[0], [words(one) for one in parts(call)]
    if name == "contains":
        return f"there is no way to look for {given[1]} in {given[0]}"
    if name in ("getitem", "static_getitem"):
        return f"there is no entry {given[1]} in {given[0]}"
    if name in _SIGNS and len(given) == 2:
        return f"there is no way to do {given[0]} {_SIGNS[name]} {given[1]}"
    if name in _SIGNS:
        return f"there is no way to do {_SIGNS[name]}{' '.join(given)}"
    if not name.isidentifier():
        return f"there is no way to do this with {' and '.join(given)}"
    return f"there is no way to do {name}({', '.join(given)})"
