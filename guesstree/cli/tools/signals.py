"""SIGTERM and SIGHUP end a command as Ctrl-C does: with what was found."""

from __future__ import annotations

import os
import signal
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from types import FrameType

INTERRUPTED = 128 + signal.SIGINT
"""The exit status of a command that Ctrl-C has ended."""
SIGNALS = signal.SIGTERM, signal.SIGHUP
TWICE_SECONDS = 1.0
"""What comes again so soon is the same: where a terminal closes, the system and the shell tell it."""
_come: list[int] = []
"""The signals that have come: what they interrupt may be complete before it heeds them."""


@contextmanager
def heeded() -> Iterator[Callable[[], int]]:
    """Have SIGTERM and SIGHUP end what is done as Ctrl-C does; yield what returns the exit status of that.

    What is ignored, as under nohup, stays ignored. When all is done, both are: else the status would say that
    the process was killed at its end.
    """
    last, done = -inf, False
    _come.clear()
    screens = [handle for handle in range(3) if os.isatty(handle)]

    def end(number: int, _: FrameType | None) -> None:
        nonlocal last
        leave_closed(screens)
        again, last = time.monotonic() - last < TWICE_SECONDS, time.monotonic()
        if not (again or done):
            _come.append(number)
            raise KeyboardInterrupt

    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield lambda: 128 + (_come[-1] if _come else signal.SIGINT)
    finally:
        done = True
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # what has come is heeded before
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def heed() -> None:
    """Raise KeyboardInterrupt where SIGTERM or SIGHUP has come: nothing is begun after it."""
    if _come:
        raise KeyboardInterrupt


def leave_closed(screens: list[int]) -> None:
    """Have what goes to terminals that are closed go nowhere: else files would not be written for it."""
    for handle in screens:
        try:
            termios.tcgetattr(handle)
        except termios.error:
            with suppress(OSError):
                nowhere = os.open(os.devnull, os.O_RDWR)
                os.dup2(nowhere, handle)
                os.close(nowhere)
