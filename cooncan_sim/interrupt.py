"""Ctrl-C while a compiler runs."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def heeding_ctrl_c() -> Iterator[None]:
    """Raises KeyboardInterrupt at the end of the block if Ctrl-C was pressed and got lost in it.

    Python calls the handler at any line of the compiler, also inside the callbacks that LLVM makes
    and whose exceptions nobody can catch. Elsewhere than on the main thread nothing is done.
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
    finally:
        signal.signal(signal.SIGINT, handler)
    if raised:
        raise KeyboardInterrupt
