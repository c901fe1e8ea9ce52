"""The one place that says how kernels are compiled, and where the compiled code is kept."""

import hashlib
import os
import tempfile
import uuid
import warnings
from pathlib import Path

import numba
import numpy as np
from numba.core import ir, types
from numba.core.caching import IndexDataCacheFile
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.errors import NumbaExperimentalFeatureWarning, TypingError
from numba.core.typed_passes import NopythonTypeInference

# error_model: the divisors in kernels are never zero, so the check that Python's rules ask for
# would be paid for nothing. forceinline: without it a turn takes twice as long. no_cfunc_wrapper:
# a way in for callers in C, which only strategies need, takes up to a tenth of the time to compile.
OPTIONS = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "forceinline": True,
    "no_cfunc_wrapper": True,
}
kernel = numba.njit(**OPTIONS)
# For searches that few hands need: inlined in every caller they would take minutes to compile.
search_kernel = numba.njit(**OPTIONS | {"forceinline": False})


@register_pass(mutates_CFG=False, analysis_only=True)
class _NoFractions(AnalysisPass):
    """Refuses a fraction where a whole number is to be returned: Numba would cut it off."""

    _name = "no_fractions"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state) -> bool:
        for block in state.func_ir.blocks.values():
            for end in block.find_insts(ir.Return):
                given = state.func_ir.get_definition(end.value)  # the cast to the return type
                got = state.typemap[given.value.name]
                if isinstance(got, types.Float) and isinstance(state.return_type, types.Integer):
                    raise TypingError(
                        f"it returns a number that may have a fraction ({got}) where it has to "
                        f"return a whole one: int(…) makes it whole",
                        loc=end.loc,
                    )
        return False


class _PageCompiler(CompilerBase):
    def define_pipelines(self) -> list:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_NoFractions, NopythonTypeInference)
        passes.finalize()
        return [passes]


# A strategy is anybody's code: it may not write past the end of its memory, nor divide by nothing.
PAGE_OPTIONS = OPTIONS | {
    "boundscheck": True,
    "error_model": "python",
    "no_cfunc_wrapper": False,
    "pipeline_class": _PageCompiler,
}


def engine_digest() -> str:
    """A digest of the engine's sources.

    Numba's own cache looks at the file of a function and not at the helpers compiled into it, so
    after an edit to a helper the old code would run.
    """
    folder = Path(__file__).parent
    sources = [folder / f"{name}.py" for name in ("bits", "cards", "kernel", "rng")]
    for pattern in ("view*.py", "watch*.py", "games/*.py", "melds/*.py"):
        sources += folder.glob(pattern)
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(sources):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """A folder for this engine: in NUMBA_CACHE_DIR, the user's cache, or a temporary one."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    wanted = os.environ.get("NUMBA_CACHE_DIR") or Path(home) / "cooncan_sim"
    folder = Path(wanted) / engine_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="cooncan_sim-"))


def _new_name(self: IndexDataCacheFile, number: int) -> str:
    return self._data_name_pattern.format(number=uuid.uuid4().int)


numba.config.CACHE_DIR = str(_cache_folder())
# Numba counts the files of a function's signatures. Two processes that compile at the same time
# count alike, one overwrites the other's file, and a third crashes on code for other arguments
# (numba issue 4807). With a name of its own a file can get lost, but never be taken for another.
IndexDataCacheFile._data_name = _new_name

# Strategies reach the game loops as first-class functions, which Numba still calls experimental.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

if numba.config.DISABLE_JIT:
    # Plain Python stands in for the compiled code: 64-bit products wrap there without a word.
    np.seterr(over="ignore")


def records(count: int, dtype: np.dtype) -> np.ndarray:
    """An array of empty records, shape (count,), whose fields kernels read as attributes."""
    array = np.zeros(count, dtype=dtype)
    return array.view(np.recarray) if numba.config.DISABLE_JIT else array


def copied(record: np.void) -> np.void:
    """A record of its own with the same fields, for a state that is played on."""
    copy = records(1, record.dtype)
    copy[0] = record
    return copy[0]
