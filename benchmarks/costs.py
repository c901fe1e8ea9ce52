"""What it takes besides: memory of large batches, time to start, time of the first compilation."""

import os
import subprocess
import sys
import tempfile
import time

from benchmarks.rounds import Row

MILLIONS = 10
STARTS = 5
# Not getrusage: its maximum goes on from that of the process that started this one.
_BATCH = """
from pathlib import Path
from cooncan_sim import simulate
simulate("jaques", ("greedy", "greedy"), {deals}, keep={keep})
status = Path("/proc/self/status").read_text()
print(status.partition("VmHWM:")[2].split()[0])
"""
_CLI = [sys.executable, "-c", "from cooncan_sim.cli import main; main()"]
_MAIN_JOB = ["simulate", "jaques", "--players", "greedy,hold,greedy-keep", "--deals", "10"]


def rows() -> list[Row]:
    """Memory, starts, first compilation; each in a process of its own."""
    found = [memory(keep=True, limit=1000), memory(keep=False, limit=400)]
    start = ["simulate", "jaques", "--players", "greedy,greedy", "--deals", "1000"]
    found.append(started("cooncan --help", ["--help"], 0.4))
    found.append(started("warm cooncan simulate, 1,000 deals", start, 2.5))
    with tempfile.TemporaryDirectory() as cache:
        seconds, own = run([*_CLI, *_MAIN_JOB], os.environ | {"NUMBA_CACHE_DIR": cache})
    what = f"first compilation for the main job's strategies ({own:.0f} s of CPU)"
    return [*found, Row("costs", what, seconds, "s", target="< 60", met=seconds < 60)]


def memory(keep: bool, limit: int) -> Row:
    """The most memory that a process of so many hands has held."""
    code = _BATCH.format(deals=MILLIONS * 1_000_000, keep=keep)
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    megabytes = int(done.stdout) / 1000
    what = f"{MILLIONS} million hands, {'with' if keep else 'without'} columns"
    return Row("costs", what, megabytes, "MB", target=f"< {limit}", met=megabytes < limit)


def started(what: str, arguments: list[str], limit: float) -> Row:
    """The shortest of several runs of the command line, wall-clock."""
    run([*_CLI, *arguments], os.environ)  # fills the cache
    seconds, own = min(run([*_CLI, *arguments], os.environ) for _ in range(STARTS))
    told = f"{what} ({own:.2f} s of CPU)"
    return Row("costs", told, seconds, "s", target=f"< {limit}", met=seconds < limit)


def run(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Seconds of wall clock and of CPU that a command took."""
    clock, before = time.perf_counter(), os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=dict(environment))
    after = os.times()
    own = after.children_user + after.children_system
    return time.perf_counter() - clock, own - before.children_user - before.children_system
