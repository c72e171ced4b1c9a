"""Where long work of Python and NumPy asks, between blocks, whether it is to end; kernels look at a flag."""

from __future__ import annotations

import threading
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from guesstree.cext.outcome import STARTING

_threads = threading.local()


def heed() -> None:
    """Raise what ends the work of this thread, when its time is up; elsewhere do nothing."""
    check: Callable[[], None] | None = getattr(_threads, "check", None)
    if check is not None:
        check()


@contextmanager
def heeding(check: Callable[[], None]) -> Iterator[None]:
    """Have `heed` call a function in this thread."""
    _threads.check = check
    try:
        yield
    finally:
        _threads.check = None


def beside(work: Callable[[], None]) -> Callable[[float], bool]:
    """Run a function in a thread; return what waits so many seconds for its end, and says whether it came.

    Raises RuntimeError where no thread can be started. Not a `Thread`: when one is let go, Python code runs
    in which an exception that is sent would be lost.
    """
    runs, ends = threading.Lock(), threading.Lock()
    runs.acquire()
    ends.acquire()

    def run() -> None:
        runs.release()
        try:
            work()
        finally:
            ends.release()

    with STARTING:
        start_new_thread(run, ())
        runs.acquire()
    return lambda seconds: ends.acquire(timeout=seconds)
