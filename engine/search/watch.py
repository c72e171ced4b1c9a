"""Long work beside the main thread, so that Ctrl-C, the clock and the progress line work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import TypeVar

from ..errors import GuesstreeError

Result = TypeVar("Result")
STACK_BYTES = 512 << 20
POLL_SECONDS = 0.05
PLAYED = "played"


@dataclass(frozen=True)
class Progress:
    """What is known while a search runs.

    Attributes
    ----------
    phase: what is done; it begins with the part of the objective that the bounds are of.
    states, evaluations: work done so far.
    lower, upper: bounds of that part; None: no strategy is known yet.
    first: the first guess of the best strategy so far, or what is known to be best; empty: none yet.
    settled, secrets: while a one-step method is played (phase `PLAYED`), how many secrets out of all have a
        guess that ends their game; 0 otherwise.
    """

    phase: str
    states: int
    evaluations: int
    lower: int
    upper: int | None
    first: str
    seconds: float
    settled: int = 0
    secrets: int = 0


class Watch:
    """The clock of one request, shared by all the work that it takes.

    Parameters
    ----------
    time_limit: seconds, or None.

    Attributes
    ----------
    stopped: why work was ended early (``time``, ``interrupt``), or ``""``.
    """

    def __init__(self, time_limit: float | None) -> None:
        self.started = time.monotonic()
        self._deadline = None if time_limit is None else self.started + time_limit
        self.stopped = ""

    @property
    def seconds(self) -> float:
        """Wall-clock time since the beginning."""
        return time.monotonic() - self.started

    @property
    def unlimited(self) -> bool:
        """Whether there is no time limit."""
        return self._deadline is None

    @property
    def left(self) -> float:
        """Seconds until the time is up; infinite without a limit."""
        return inf if self._deadline is None else max(self._deadline - time.monotonic(), 0.0)

    def late(self) -> bool:
        """Return whether work is to end, and remember why."""
        if self._deadline is not None and time.monotonic() >= self._deadline:
            self.stopped = self.stopped or "time"
        return bool(self.stopped)

    def run(
        self,
        work: Callable[[], Result],
        stop: Callable[[], None],
        report: Callable[[], None] | None = None,
    ) -> Result:
        """Return `work()`, run in a thread; call `stop` when the time is up or Ctrl-C is pressed.

        `work` must end soon after `stop`. `report` is called some 20 times a second.
        """
        result: list[Result] = []
        failure: list[BaseException] = []

        # An event, not Thread.join: a join that Ctrl-C interrupts takes a running thread for finished.
        done = threading.Event()

        def target() -> None:
            try:
                result.append(work())
            except BaseException as error:
                failure.append(error)
            finally:
                done.set()

        _start(target)
        wait = 0.001
        while not done.is_set():
            try:
                done.wait(wait)
                wait = min(2 * wait, POLL_SECONDS)
                if not done.is_set() and self.late():
                    stop()
                if report is not None and wait == POLL_SECONDS:
                    report()
            except KeyboardInterrupt:
                if self.stopped == "interrupt":  # pressed again: do not wait
                    raise
                self.stopped = "interrupt"
                stop()
            except BaseException:  # from `report`
                stop()
                done.wait()
                raise
        if failure:
            raise failure[0]
        return result[0]


def _start(target: Callable[[], None]) -> None:
    """Start a thread with a large stack, as deep as strategies may be; smaller where memory is limited."""
    before = threading.stack_size()
    try:
        for size in (STACK_BYTES, STACK_BYTES >> 5, before):
            threading.stack_size(size)
            try:
                threading.Thread(target=target, daemon=True).start()
                return
            except RuntimeError:
                continue
    finally:
        threading.stack_size(before)
    raise GuesstreeError("not enough memory to start a thread")
