"""Where long work of Python and NumPy asks, between blocks, whether it is to end; kernels look at a flag."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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


def heed_as_here() -> Callable[[], None]:
    """Return a function that has the thread that calls it heed what this thread does."""
    check = getattr(_threads, "check", None)
    return lambda: setattr(_threads, "check", check)
