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
TWICE_SECONDS = 1.0
"""What comes again so soon is the same: where a terminal closes, the system and the shell tell it."""


@contextmanager
def heeded() -> Iterator[Callable[[], int]]:
    """Have SIGTERM and SIGHUP end what is done as Ctrl-C does; yield what returns the exit status of that.

    What is ignored, as under nohup, stays ignored.
    """
    ended_by, last = int(signal.SIGINT), -inf
    screens = [handle for handle in range(3) if os.isatty(handle)]

    def end(number: int, _: FrameType | None) -> None:
        nonlocal ended_by, last
        leave_closed(screens)
        again, last = time.monotonic() - last < TWICE_SECONDS, time.monotonic()
        if not again:
            ended_by = number
            raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield lambda: 128 + ended_by
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
