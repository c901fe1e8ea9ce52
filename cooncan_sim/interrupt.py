"""Ctrl-C while a compiler or compiled code runs, and an end to what would run for ever."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


@contextmanager
def heeding_ctrl_c() -> Iterator[None]:
    """Ends the block with KeyboardInterrupt if Ctrl-C was pressed and got lost in it.

    Python calls the handler at any line of the compiler, also inside the callbacks that LLVM makes
    and whose exceptions nobody can catch: then all goes on, or fails with an error of its own.
    Elsewhere than on the main thread nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.getsignal(signal.SIGINT)
    raised = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal raised
        try:
            if callable(handler):
                handler(number, frame)
        except KeyboardInterrupt:
            raised = True
            raise

    signal.signal(signal.SIGINT, note)
    try:
        yield
    except Exception as error:
        if raised:
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.signal(signal.SIGINT, handler)
    if raised:
        raise KeyboardInterrupt


@contextmanager
def within(seconds: float, what: str) -> Iterator[None]:
    """Ends the block with TimeoutError, `what` has taken so long, if it takes longer.

    Where the block swallows that, it comes again every second. Only the main thread can be broken
    off so, and not on every system: elsewhere nothing is done.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer"):
        yield
        return

    def over(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"{what} has taken {seconds:g} seconds")

    handler = signal.signal(signal.SIGALRM, over)
    before = signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, *before)


def on_a_thread(work: Callable[[], T]) -> T:
    """work(), on a thread that waiting for can be broken off with Ctrl-C.

    Compiled code never looks whether Ctrl-C was pressed, and a strategy may loop for ever. The
    thread is left behind then, and ends with the process.
    """
    outcome: list[tuple[bool, Any]] = []
    settings = copy_context()  # NumPy's, of what to warn about

    def run() -> None:
        try:
            outcome.append((True, settings.run(work)))
        except BaseException as error:
            outcome.append((False, error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join()
    done, result = outcome[0]
    if done:
        return result
    raise result
