"""Imports point one way, and kernels know numbers, arrays and records only.

Every file is parsed, imports inside functions included; nothing is run.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# From the bottom up. A module may import from its own layer and from those before it.
LAYERS = (
    ("arguments", "errors", "kernel", "bits", "cards", "rng"),
    ("melds",),
    (
        "games",
        "view",
        "view_chances",
        "view_conquian",
        "view_conquian_tips",
        "view_double_rum",
        "view_hopes",
        "view_konkan",
        "view_konkan_tips",
        "view_reading",
        "view_sides",
        "view_waiting",
        "view_wild",
    ),
    ("strategies",),
    ("catalog", "interrupt", "intervals", "page_errors", "page_facts", "page_types", "rounding"),
    ("page_copies", "workers"),
    ("evaluate", "match", "match_results", "replay", "results", "rulings", "simulate"),
    (
        "watch",
        "watch_conquian",
        "watch_cooncan",
        "watch_double_rum",
        "watch_jokers",
        "watch_konkan",
    ),
    (
        "compare",
        "conditional",
        "designs",
        "estimates",
        "exact",
        "long_runs",
        "many",
        "measures",
        "observing",
        "outcomes",
        "placings",
        "printed",
        "racing",
        "ratings",
        "rollouts",
        "screen",
        "search",
        "sequential",
        "spsa",
        "tournament",
        "tune",
    ),
    (
        "arms",
        "comparing",
        "differing",
        "experiment",
        "judging",
        "new_strategy",
        "question",
        "steps",
        "toml_tables",
        "weighing",
    ),
    (
        "reports",
        "cli",
        "commands",
        "progress",
        "pytest_options",
        "terminal",
        "",
    ),  # "": the package itself
)
KERNELS = {name for layer in LAYERS[:4] for name in layer} - {"errors"}
HEAVY = {"pandas", "joblib", "matplotlib", "typer", "click", "rich", "jinja2", "pyarrow", "scipy"}
FOLDERS = {  # where the packages lie in the checkout
    "cooncan_sim": ROOT / "cooncan_sim",
    "cooncan_sim.strategies": ROOT / "strategies",
    "cooncan_sim.experiments": ROOT / "experiments",
    "cooncan_sim.reports": ROOT / "reports",
}


def project_files() -> Iterator[tuple[str, Path]]:
    """Every module of the project: its dotted name and its file."""
    for package, folder in FOLDERS.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            yield ".".join((package, *(part for part in parts if part != "__init__"))), path


def imported(source: str, module: str, is_package: bool) -> set[str]:
    """Dotted names that `source` imports. `from a import b` counts as `a.b`."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.split(".")
                above = above[: len(above) - node.level + is_package]
                base = ".".join((*above, base)).rstrip(".")
            names |= {f"{base}.{alias.name}" for alias in node.names}
    return names


def room(name: str) -> str:
    """`cooncan_sim.melds.single.penalty` -> `melds`; a public name -> ``, the package itself."""
    first = name.removeprefix("cooncan_sim").strip(".").split(".")[0]
    known = {module.removeprefix("cooncan_sim").strip(".").split(".")[0] for module in MODULES}
    return first if first in known else ""


MODULES = dict(project_files())


def layer(room_name: str) -> int:
    """The layer's number, 0 at the bottom; an error for a room without one."""
    for number, rooms in enumerate(LAYERS):
        if room_name in rooms:
            return number
    raise AssertionError(f"cooncan_sim.{room_name} has no place in LAYERS")


def broken_rules(module: str, source: str, is_package: bool = False) -> list[str]:
    """What is wrong with the imports of one module, in words."""
    here = room(module) if module != "cooncan_sim" else ""
    found = []
    for name in sorted(imported(source, module, is_package)):
        top = name.split(".")[0]
        if top == "cooncan_sim" and layer(room(name)) > layer(here):
            found.append(f"{module} imports {name}, which stands above it")
        if top in HEAVY and here in KERNELS:
            found.append(f"{module} is a kernel and imports {name}")
    return found


@pytest.mark.parametrize("module", [name for name in MODULES if "experiments" not in name])
def test_imports_point_one_way(module: str) -> None:
    path = MODULES[module]
    assert broken_rules(module, path.read_text("utf-8"), path.name == "__init__.py") == []


@pytest.mark.parametrize(
    ("module", "source", "is_package"),
    [
        ("cooncan_sim.cards", "from cooncan_sim.melds import single", False),
        ("cooncan_sim.cards", "import cooncan_sim.melds", False),
        ("cooncan_sim.cards", "from .melds import single", False),
        ("cooncan_sim.cards", "def f():\n    from cooncan_sim import cli", False),
        ("cooncan_sim.melds.single", "from ..cli import main", False),
        ("cooncan_sim.melds", "from ..cli import main", True),
        ("cooncan_sim.games.cooncan", "from cooncan_sim import simulate", False),
        ("cooncan_sim.games.cooncan", "import pandas as pd", False),
        ("cooncan_sim.melds", "from matplotlib.pyplot import plot", True),
        ("cooncan_sim.strategies.greedy", "from joblib import Parallel", False),
    ],
)
def test_the_check_can_fail(module: str, source: str, is_package: bool) -> None:
    assert len(broken_rules(module, source, is_package)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("cooncan_sim.cli", "from cooncan_sim import cards\nimport typer"),
        ("cooncan_sim.melds", "import numpy as np\nfrom .single import penalty"),
        ("cooncan_sim.games.cooncan", "from ..cards import parse"),
    ],
)
def test_good_imports_pass(module: str, source: str) -> None:
    assert broken_rules(module, source, module.endswith("melds")) == []


def test_help_stays_light() -> None:
    """`cooncan --help` loads nothing that takes long to load."""
    probe = (
        "import sys\n"
        "from cooncan_sim.cli import main\n"
        "sys.argv = ['cooncan', '--help']\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "heavy = ('numba', 'numpy', 'matplotlib', 'pandas', 'scipy', 'pyarrow', 'jinja2', 'dask')\n"
        "print('LOADED', [name for name in heavy if name in sys.modules])\n"
    )
    ended = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert "LOADED []" in ended.stdout
    assert "simulate" in ended.stdout
