"""`Outcome`: what a search of one state says."""

from __future__ import annotations

import threading
from typing import NamedTuple

BUSY = "a searcher is asked one thing at a time, and another thread's call has not ended; use one of its own"
"""What a call says that comes while another is at work."""
STARTING = threading.Lock()
"""Held while a thread is started, and while an exception is sent to one.

Until a thread runs, CPython has it under the name of the thread that starts it, and would send it what is
meant for that, which would then wait for ever.
"""


class Outcome(NamedTuple):
    """What a search of one state says; the same from every kernel.

    A search that ran to the end has found `upper` below the limit it was given, and then `lower` equals it,
    or `lower` is that limit or more.

    Attributes
    ----------
    lower: at least the value of the state.
    upper: exactly what the strategy takes that was found, or INFINITE of the kernel: none was.
    guess: the first guess of that strategy, or -1: there is none, or none is needed.
    ended: why the search ended early (``budget``, ``stopped``), or ``""``.
    """

    lower: int
    upper: int
    guess: int
    ended: str
