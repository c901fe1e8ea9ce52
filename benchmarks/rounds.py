"""Timing that bears a busy machine, and C code built for this processor."""

import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
CC = ["gcc", "-O3", "-march=native", "-shared", "-fPIC"]


@dataclass(frozen=True)
class Row:
    """One measured figure. `ratio`: to what `beside` names; `target`: the ratio or limit wanted."""

    section: str
    what: str
    figure: float
    unit: str
    beside: str = ""
    ratio: float | None = None
    target: str = ""
    met: bool | None = None


def fastest(
    tasks: Mapping[str, Callable[[], object]],
    rounds: int,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, float]:
    """Seconds of each task's fastest run; the tasks take turns, so that all see the same load."""
    best = dict.fromkeys(tasks, float("inf"))
    for _ in range(rounds):
        for name, task in tasks.items():
            start = clock()
            task()
            best[name] = min(best[name], clock() - start)
    return best


def build(source: str) -> ctypes.CDLL:
    """The C file of this name beside this one, compiled into a folder that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "limit.so"
        subprocess.run([*CC, str(HERE / source), "-o", str(library)], check=True)
        return ctypes.CDLL(str(library))


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    """The address of an array's first item, as C functions take it."""
    return array.ctypes.data_as(ctypes.c_void_p)
