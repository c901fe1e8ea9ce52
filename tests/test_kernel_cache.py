"""Compiled code is kept in a folder of this very engine, and found there by the next process."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.caching import IndexDataCacheFile

from cooncan_sim import kernel

PACKAGE = Path(kernel.__file__).parent
# Modules whose kernels are called from Python only: Numba sees an edit to their own file.
LEAVES = ("evaluate.py", "exact.py", "match.py")
# Everything that is compiled into the functions of other modules.
SOURCES = sorted(
    path.relative_to(PACKAGE)
    for path in PACKAGE.rglob("*.py")
    if any(mark in path.read_text("utf-8") for mark in ("@kernel", "@njit("))
    and path.name not in LEAVES
)
BATCH = """
import gc
from numba.core.dispatcher import Dispatcher
from cooncan_sim import evaluate, simulate

simulate("jaques", ["greedy", "hold"], 3, 1, jobs=1)
evaluate("5H 6H 7H 7D 7C KD", "jaques")
for item in gc.get_objects():
    if issubclass(type(item), Dispatcher) and item.stats.cache_misses:
        print(item.py_func.__module__, item.py_func.__name__)
print("done")
"""


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the engine that may be edited; the digest is that of the copy."""
    copy = tmp_path / "cooncan_sim"
    ignored = shutil.ignore_patterns("__pycache__", "strategies", "reports", "experiments")
    shutil.copytree(PACKAGE, copy, ignore=ignored)
    monkeypatch.setattr(kernel, "__file__", str(copy / "kernel.py"))
    return copy


def test_the_sources_are_found() -> None:
    names = {str(path) for path in SOURCES}
    assert {"bits.py", "rng.py", "view.py", "games/cooncan.py", "melds/single.py"} <= names


@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_an_edit_to_the_engine_changes_the_folder(engine: Path, source: Path) -> None:
    before = kernel.engine_digest()
    assert kernel.engine_digest() == before
    text = (engine / source).read_text("utf-8")
    (engine / source).write_text(text + "\n# edited\n", "utf-8")
    assert kernel.engine_digest() != before
    (engine / source).write_text(text, "utf-8")
    assert kernel.engine_digest() == before


def test_a_new_kernel_file_changes_the_folder(engine: Path) -> None:
    before = kernel.engine_digest()
    (engine / "games" / "whist.py").write_text('"""Whist."""\n', "utf-8")
    assert kernel.engine_digest() != before


def test_the_folder_is_where_it_was_wished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = kernel.engine_digest()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    assert kernel._cache_folder() == tmp_path / "numba" / digest
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    assert kernel._cache_folder() == tmp_path / "home" / "cooncan_sim" / digest
    assert (tmp_path / "home" / "cooncan_sim" / digest).is_dir()


@pytest.mark.parametrize("how", ["a file stands there", "it may not be written"])
def test_a_folder_of_its_own_where_the_wished_one_is_closed(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wished = tmp_path / "wished"
    if how == "a file stands there":
        wished.write_text("not a folder")
    else:
        access = os.access
        closed = wished / kernel.engine_digest()
        monkeypatch.setattr(os, "access", lambda path, mode: path != closed and access(path, mode))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(wished))
    folder = kernel._cache_folder()
    assert folder.is_dir() and os.access(folder, os.W_OK) and wished not in folder.parents
    folder.rmdir()


def test_the_next_process_compiles_nothing() -> None:
    exec(BATCH, {})  # fills the folder
    told = subprocess.run([sys.executable, "-c", BATCH], capture_output=True, text=True)
    assert (told.stdout.split(), told.stderr) == (["done"], "")


def test_two_processes_never_write_over_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have read the index before either has written it."""
    one, other = (IndexDataCacheFile(str(tmp_path), "f", ("stamp",)) for _ in range(2))
    monkeypatch.setattr(other, "_load_index", dict)
    one.save("int64", "code for int64")
    other.save("float64", "code for float64")
    monkeypatch.undo()
    third = IndexDataCacheFile(str(tmp_path), "f", ("stamp",))
    assert third.load("float64") == "code for float64"
    assert third.load("int64") in (None, "code for int64")
    assert len(list(tmp_path.glob("*.nbc"))) == 2
