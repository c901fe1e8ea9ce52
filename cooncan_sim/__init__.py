"""Coon Can and its family of rummy games, settled by playing them.

The public names are imported when they are first used, so that `import cooncan_sim` is quick.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cooncan_sim.compare import compare as compare
    from cooncan_sim.errors import CooncanError as CooncanError
    from cooncan_sim.evaluate import Evaluation as Evaluation
    from cooncan_sim.evaluate import deal_hands as deal_hands
    from cooncan_sim.evaluate import evaluate as evaluate
    from cooncan_sim.evaluate import min_penalty as min_penalty
    from cooncan_sim.evaluate import parse_hands as parse_hands
    from cooncan_sim.replay import replay as replay
    from cooncan_sim.simulate import simulate as simulate
    from cooncan_sim.tournament import tournament as tournament

_HOMES = {
    "CooncanError": "errors",
    "Evaluation": "evaluate",
    "compare": "compare",
    "deal_hands": "evaluate",
    "evaluate": "evaluate",
    "min_penalty": "evaluate",
    "parse_hands": "evaluate",
    "replay": "replay",
    "simulate": "simulate",
    "tournament": "tournament",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """`cooncan_sim.simulate` is the function, also after the module of that name is loaded."""

    def __setattr__(self, name: str, value: object) -> None:
        if _HOMES.get(name) == name and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
