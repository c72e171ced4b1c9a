"""Long work beside the thread that asks for it, so that Ctrl-C, the clock and the progress line work.

All that a request takes, tables and symmetry as well as searches, runs in one thread, and the thread that
asks keeps the time. When the time is up, or at Ctrl-C, it has what runs stop, and waits until it has
stopped: kernels look at a flag every few guesses, and work of Python and NumPy calls `stopping.heed` between
blocks. What calls neither, such as a game of one's own in Python, is ended by an exception, as Ctrl-C would
end it.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import NoReturn, TypeVar

from guesstree.cext.outcome import STARTING

from ..errors import GuesstreeError
from ..exact import Value
from ..stopping import heeding

Result = TypeVar("Result")
STACK_BYTES = 512 << 20
POLL_SECONDS = 0.05
HEEDED, PATIENCE = 0.35, 0.5
"""Seconds after the time is up that work may take to end, before `heed` ends it, and before an exception."""
FIRST = 3.0
"""Seconds more while there is nothing to return: a strategy a little late beats none. Not at Ctrl-C."""
GRACE, LAST_GRACE = 2.0, 0.3
"""Seconds for reading off a strategy when the time of a part is up, and when all of it is: what was forgotten
is searched again."""
PLAYED = "played"


class TimeUp(BaseException):
    """Ends work that goes on after it was asked to stop."""


@dataclass(frozen=True)
class Progress:
    """What is known while a search runs.

    Attributes
    ----------
    phase: what is done; it begins with the figure of the objective that the bounds are of.
    states, evaluations: work done so far.
    lower, upper: bounds of that figure; None: no strategy is known yet.
    unit: what the integer 1 of them stands for.
    first: the first guess of the best strategy so far, or what is known to be best; empty: none yet.
    settled, secrets: while a one-step method is played (phase `PLAYED`), how many secrets out of all have a
        guess that ends their game; 0 otherwise.
    """

    phase: str
    states: int
    evaluations: int
    lower: Value
    upper: Value | None
    first: str
    seconds: float
    settled: int = 0
    secrets: int = 0
    unit: Fraction = Fraction(1)


@dataclass(frozen=True)
class Job:
    """What runs now: the clock that it is under, how it is stopped, how it tells what it knows."""

    deadline: Deadline
    stop: Callable[[], None]
    report: Callable[[], None] | None


class Deadline:
    """The clock of one request, shared by all the work that it takes.

    Parameters
    ----------
    time_limit: seconds, or None.
    whole: the clock of the request of which this one times a part; None: of a request of its own.

    Attributes
    ----------
    stopped: why work was ended early (``time``, ``interrupt``), or ``""``.
    awaited: whether there is nothing to return yet, so that work may take `FIRST` seconds more.
    """

    def __init__(self, time_limit: float | None, whole: Deadline | None = None) -> None:
        now = time.monotonic()
        self.started: float = now if whole is None else whole.started
        self._end = None if time_limit is None else now + time_limit
        self._whole: Deadline = self if whole is None else whole._whole
        self._interrupted = 0.0  # when Ctrl-C was pressed; 0: it was not
        self._grace = False  # whether it heeds Ctrl-C no more
        self._in_use = False  # whether a thread works under it
        self._job: Job | None = None
        self._changing = threading.Lock()
        self.stopped = ""
        self.awaited = False

    @property
    def seconds(self) -> float:
        """Wall-clock time since the beginning."""
        return time.monotonic() - self.started

    @property
    def unlimited(self) -> bool:
        """Whether there is no time limit."""
        return self._end is None

    @property
    def left(self) -> float:
        """Seconds until the time is up; infinite without a limit."""
        return inf if self._end is None else max(self._end - time.monotonic(), 0.0)

    def set_aside(self, seconds: float) -> None:
        """Leave some of the time, at most a quarter, for what is done when this work has ended."""
        if self._end is not None:
            self._end -= min(seconds, self.left / 4)

    def late(self) -> bool:
        """Return whether work is to end, and remember why."""
        if self._whole._interrupted and not self._grace:
            self.stopped = "interrupt"
        elif self._end is not None and time.monotonic() >= self._end:
            self.stopped = self.stopped or "time"
        return bool(self.stopped)

    def has_something(self) -> None:
        """Say that there is something to return, so that work is to end when the time is up."""
        self._whole.awaited = False

    def grace(self) -> Deadline:
        """Return a clock for reading off what was found: this one, or one for a little more time."""
        if not self.late() and self.left >= GRACE:
            return self
        whole = self._whole
        deadline = Deadline(min(GRACE, LAST_GRACE + (0 if whole._interrupted else whole.left)), whole)
        deadline._grace = whole._interrupted > 0
        return deadline

    def run(
        self,
        work: Callable[[], Result],
        stop: Callable[[], None],
        report: Callable[[], None] | None = None,
    ) -> Result:
        """Return `work()`; `stop` is called when the time is up or Ctrl-C is pressed, until it ends.

        `work` should end soon after; raises TimeUp where it had to be ended. `report` is called some 20 times
        a second.
        What is run within other work of the same request is run at once, anything else in a thread.
        """
        if not self._whole._in_use:
            return self._in_thread(lambda: self.run(work, stop, report))
        before = self._whole._job
        self._change(Job(self, stop, report))
        try:
            return work()
        finally:
            self._change(before)

    def _change(self, job: Job | None) -> None:
        """Say what runs from now on: nothing that ran before is stopped, or asked, any more."""
        with self._whole._changing:
            self._whole._job = job

    def _in_thread(self, work: Callable[[], Result]) -> Result:
        """Return `work()`, run in a thread, while this one looks after it."""
        result: list[Result] = []
        failure: list[BaseException] = []
        began: list[int] = []  # the thread, which may run although Ctrl-C came while it was being started
        sent: list[int] = []  # the same, when an exception was sent to it
        whole = self._whole

        # A lock: a thread or an event whose wait Ctrl-C interrupts may be left broken.
        running, ending = threading.Lock(), threading.Lock()
        running.acquire()

        def target() -> None:
            try:
                began.append(threading.get_ident())
                try:
                    with heeding(self._heed):
                        result.append(work())
                except BaseException as error:
                    failure.append(error)
            except TimeUp:  # raised when the work had ended
                pass
            while began or sent:  # what is raised from here on would be printed, or end another thread
                try:
                    with ending:
                        began.clear()
                    if sent:
                        sent.clear()
                        _meet()
                except TimeUp:
                    pass
            running.release()

        def end() -> None:
            """Raise TimeUp in the thread, the next time that it runs Python, unless its work has ended."""
            if ending.acquire(timeout=POLL_SECONDS):
                try:
                    for thread in began:
                        sent.append(thread)
                        _raise(thread)
                finally:
                    ending.release()

        started, ended = False, 0.0  # ended: when an exception was raised in it
        whole._in_use = True
        try:
            while not (result or failure):
                try:
                    if not started:
                        started = True
                        _start(target)
                    running.acquire(timeout=min(POLL_SECONDS, max(self.left, 0.001)))
                    job = whole._tell()
                    if job is not None and job.report is not None:
                        job.report()
                    if self._over() > PATIENCE:
                        if not began:
                            break
                        if time.monotonic() - ended > PATIENCE:
                            ended = time.monotonic()
                            end()
                except KeyboardInterrupt:
                    if whole._interrupted:  # pressed again: do not wait
                        raise
                    whole._interrupted = time.monotonic()
                    whole._tell()
        except BaseException:  # from a report, or Ctrl-C again
            whole._interrupted = time.monotonic()
            whole._tell()
            end()
            running.acquire(timeout=PATIENCE)
            raise
        finally:
            whole._in_use, whole._job = False, None
        if result:
            return result[0]
        raise failure[0] if failure else TimeUp

    def _tell(self) -> Job | None:
        """Tell what runs to stop if it is late, and return it."""
        job = None
        if self._changing.acquire(timeout=POLL_SECONDS):
            try:
                job = self._job
                if job is not None and job.deadline.late():
                    job.stop()
            finally:
                self._changing.release()
        return job

    def _heed(self) -> None:
        """End work that goes on though the time is up."""
        if self._over() > HEEDED:
            raise TimeUp

    def _over(self) -> float:
        """Return for how many seconds the time has been up, or Ctrl-C pressed; below 0: not yet."""
        interrupted = 0.0 if self._grace else self._whole._interrupted
        end = self._end if self._end is None or not self.awaited else self._end + FIRST
        ends = [when for when in (end, interrupted) if when]
        return time.monotonic() - min(ends, default=inf)


def _raise(thread: int) -> None:
    """Raise TimeUp in a thread, the next time that it runs Python."""
    with STARTING:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TimeUp))


def _meet() -> NoReturn:
    """Raise TimeUp, in the place of one that was sent to this thread and that it may not have met yet.

    To take that back would leave CPython 3.11 looking for it at each call for as long as the process runs,
    and without an end where a profiler or a debugger looks on.
    """
    _raise(threading.get_ident())
    while True:
        time.sleep(0)


def _start(target: Callable[[], None]) -> None:
    """Start a thread with a large stack, as deep as strategies may be; smaller where memory is limited."""
    before = threading.stack_size()
    try:
        for size in (STACK_BYTES, STACK_BYTES >> 5, before):
            threading.stack_size(size)
            try:
                threading.Thread(target=target, daemon=True).start()
                return
            except RuntimeError as error:
                if isinstance(error.__context__, KeyboardInterrupt):  # it was started: the wait is broken
                    raise error.__context__ from None
    finally:
        threading.stack_size(before)
    raise GuesstreeError("not enough memory to start a thread")
