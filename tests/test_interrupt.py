import signal
import threading
from types import FrameType

import pytest

from cooncan_sim.interrupt import heeding_ctrl_c, on_a_thread


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def swallow() -> None:
    try:
        press()
    except KeyboardInterrupt:
        pass


def test_a_lost_ctrl_c_is_raised_at_the_end() -> None:
    reached = []
    with pytest.raises(KeyboardInterrupt), heeding_ctrl_c():
        swallow()
        reached.append(1)
    assert reached == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_that_a_lost_ctrl_c_caused_is_not_told() -> None:
    with pytest.raises(KeyboardInterrupt), heeding_ctrl_c():
        swallow()
        raise RuntimeError("no compiled object yet")


def test_work_on_a_thread_gives_its_result_or_its_error() -> None:
    assert on_a_thread(lambda: threading.current_thread()) is not threading.main_thread()
    with pytest.raises(ValueError, match="own"):
        on_a_thread(lambda: int("own"))


def test_nested_blocks_stop_at_the_inner_one() -> None:
    reached = []
    with pytest.raises(KeyboardInterrupt), heeding_ctrl_c():
        with heeding_ctrl_c():
            swallow()
        reached.append(1)
    assert reached == []


def test_without_ctrl_c_nothing_happens_and_others_pass_through() -> None:
    with heeding_ctrl_c():
        pass
    with pytest.raises(ValueError, match="own"), heeding_ctrl_c():
        raise ValueError("own")
    with pytest.raises(KeyboardInterrupt), heeding_ctrl_c():
        press()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_ones_own_is_called_and_decides() -> None:
    calls: list[int] = []

    def own(number: int, frame: FrameType | None) -> None:
        calls.append(number)

    before = signal.signal(signal.SIGINT, own)
    try:
        with heeding_ctrl_c():
            press()
    finally:
        signal.signal(signal.SIGINT, before)
    assert calls == [signal.SIGINT]


def test_another_thread_leaves_the_handlers_alone() -> None:
    seen = []

    def work() -> None:
        with heeding_ctrl_c():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
