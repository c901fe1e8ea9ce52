"""Who plays: threads of this machine, or the workers of a Dask cluster; the results are the same.

Joblib has a Dask backend, but that takes in all results, however slowly they are read, and waits
for ever when a worker dies at its task. So tasks go to Dask directly.
"""

import hashlib
import logging
import pickle
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from importlib import import_module
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import joblib

from cooncan_sim.arguments import check_jobs
from cooncan_sim.errors import CooncanError, nearest
from cooncan_sim.interrupt import on_a_thread
from cooncan_sim.page_copies import Pages, these_pages

BACKENDS = ("dask",)  # besides the threads of this machine
# What a piece may take here, where handing the strategies over takes a thousandth, and on a
# cluster, where every message takes some thousandths.
PIECE_SECONDS = {None: 0.2, "dask": 1.0}
TASKS_AHEAD = 3  # for each thread of a worker: played, waiting, or waiting to be fetched
PATIENCE = 5  # seconds until a scheduler has to answer, and a worker to be there


def check(jobs: object, backend: object) -> None:
    """Raises CooncanError unless these are threads of this machine, or a backend and no `jobs`."""
    if backend is not None:
        if backend not in BACKENDS:
            raise CooncanError(
                f"unknown backend {backend!r}{nearest(backend, BACKENDS)}; there is "
                f"{', '.join(BACKENDS)}, and without one the threads of this machine play"
            )
        if jobs is not None:
            raise CooncanError(
                "jobs are threads of this machine: with a backend all threads of its workers play"
            )
    elif jobs is not None:
        check_jobs(jobs)


def count(jobs: int | None, backend: str | None) -> int:
    """On how many threads pieces are played at once. Raises CooncanError if there are none."""
    check(jobs, backend)
    if backend is None:
        return joblib.cpu_count() if jobs is None else int(jobs)
    client = _client()
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        address = client.scheduler_info()["address"]
        raise CooncanError(
            f"the scheduler {address} has no workers; on every machine: dask worker {address}"
        ) from None
    return sum(client.nthreads().values())


def in_order(
    work: Callable[[Any], Any],
    starts: Iterable[Any],
    jobs: int | None,
    backend: str | None = None,
    pages: Pages | None = None,
) -> Generator[Any, None, None]:
    """work(start) for each start, results in order; an error comes after all results before it.

    jobs: threads, default every core. backend: `dask` for the workers of the Dask client that is
    current; `work` is pickled then, and `pages` are those that it plays. Starts are asked for when
    they are handed out, so that their size can follow from the results.
    """
    threads = count(jobs, backend)
    if backend is not None:
        yield from _on_cluster(work, starts, pages, TASKS_AHEAD * threads)
        return
    if threads == 1:  # joblib would work on the thread that has to heed Ctrl-C
        for start in starts:
            yield on_a_thread(partial(work, start))
        return
    workers = joblib.Parallel(n_jobs=threads, backend="threading", return_as="generator")
    results = workers(joblib.delayed(work)(start) for start in starts)
    try:
        for result in results:  # noqa: UP028 (it would close `results` before the block below)
            yield result
    finally:
        # Joblib warns of pieces begun and not used; whoever stops early knows.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            results.close()


def _on_cluster(
    work: Callable[[Any], Any], starts: Iterable[Any], pages: Pages | None, ahead: int
) -> Iterator[Any]:
    client, on_worker = _client(), _as_code()
    starts = iter(starts)
    tasks: deque[Any] = deque()
    try:
        while True:
            for start in islice(starts, ahead - len(tasks)):
                parcel = pickle.dumps((work, start, pages))
                tasks.append(client.submit(on_worker, program(), parcel, pure=False))
            if not tasks:
                return
            yield _result(tasks.popleft())
    finally:
        client.cancel(list(tasks))


def _as_code() -> Callable[[str, bytes], Any]:
    """What a worker calls, sent as code: a name would have to be known to the scheduler too."""

    def on_worker(program: str, parcel: bytes) -> Any:
        from cooncan_sim.workers import do_task

        return do_task(program, parcel)

    return on_worker


def do_task(asked: str, parcel: bytes) -> Any:
    """On a worker: the result of a piece. Raises CooncanError if it would not be the same here."""
    from distributed import get_worker

    with ExitStack() as stack:
        try:
            if asked != program():
                raise CooncanError(
                    f"it has {program()}, and {asked} is asked for: install the same cooncan-sim "
                    "and the same Numba on every machine"
                )
            work, start, pages = pickle.loads(parcel)
            stack.enter_context(these_pages(pages))
        except CooncanError as error:
            raise CooncanError(f"worker {get_worker().address}: {error}") from None
        return work(start)


@cache
def program() -> str:
    """This program's version and a digest of what plays: two that are alike play alike."""
    from cooncan_sim.kernel import engine_digest

    digest = hashlib.sha256(engine_digest().encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return f"cooncan-sim {version('cooncan-sim')} ({digest.hexdigest()[:8]})"


def _result(task: Any) -> Any:
    """What came of a task. The cluster's own troubles are told in one line."""
    from distributed import CancelledError, KilledWorker

    try:
        return task.result()
    except ImportError as error:
        raise CooncanError(
            f"a worker cannot play: {error}; install the same cooncan-sim on every machine"
        ) from error
    except KilledWorker as error:
        raise CooncanError(
            f"workers died at their task one after the other, at last {error.last_worker.address}"
        ) from error
    except CancelledError as error:
        raise CooncanError("the scheduler of the cluster is gone, and the tasks with it") from error


def _client() -> Any:
    """The Dask client that is current in this process."""
    distributed = _distributed()
    try:
        return distributed.default_client()
    except ValueError:
        raise CooncanError(
            "backend dask: there is no client; make one with dask.distributed.Client(ADDRESS)"
        ) from None


def _distributed() -> Any:
    try:
        return import_module("distributed")
    except ImportError:
        raise CooncanError(
            "backend dask: Dask is not installed: pip install 'cooncan-sim[cluster]'"
        ) from None


@contextmanager
def scheduler(address: str) -> Iterator[None]:
    """A Dask client of the scheduler at this address is current while the block runs.

    Raises CooncanError if nobody answers there within PATIENCE seconds.
    """
    distributed = _distributed()
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)  # Dask logs its troubles at length; here each is one line
    try:
        with _connected(distributed, address):
            yield
    finally:
        logging.disable(before)


def _connected(distributed: Any, address: str) -> Any:
    """A client of the scheduler. Its own limit is not kept where something else listens."""
    came: SimpleQueue[Any] = SimpleQueue()

    def connect() -> None:
        try:
            came.put(distributed.Client(address, timeout=PATIENCE))
        except Exception as error:
            came.put(error)

    threading.Thread(target=connect, daemon=True).start()
    try:
        client = came.get(timeout=2 * PATIENCE)
    except Empty:
        client = "it is silent"
    if isinstance(client, distributed.Client):
        return client
    raise CooncanError(f"no scheduler answers at {address}: {client}")
