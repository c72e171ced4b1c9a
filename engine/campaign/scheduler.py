"""The one loop of a campaign: jobs go to an executor, what comes back goes to the tree and is kept.

What is done is said by *sources* of jobs: claims of the tree, beams, proofs and their checks. A job
that is lost with its worker is given out again; what is reported twice, or late, does no harm.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from ..errors import GuesstreeError
from ..search.deadline import Deadline
from . import worker
from .messages import Report, Task
from .tree import ClaimTree

POLL_SECONDS = 0.1
SILENT_SECONDS = 60.0
"""A job is given out again after so long, and `SLOW` times what it was to take."""
SLOW = 20.0
LOSSES = 30
"""So many jobs lost in a row: something else is wrong."""
WIDTHS = (1, 3, 10, 30)
"""Widths of beams, when a search turns out to be long."""
LONG, LONGER = 1 << 21, 4
"""It is long after so many evaluations of all workers; a wider beam comes after so many times as many."""
SHARE = 8
"""Of the evaluations so far, the part that a beam may take."""
PATIENCE = 0.5
"""Seconds that workers of this process may take to end."""


@dataclass(eq=False)
class Job:
    """Something for a worker to do.

    Attributes
    ----------
    call, arguments: what the executor is given; it goes to another process.
    what: for who gave it, to know it again.
    seconds: about what it may take.
    """

    call: Callable[..., Any]
    arguments: tuple[Any, ...]
    what: Any
    seconds: float = 1.0
    since: float = field(default_factory=time.monotonic)


class Source(Protocol):
    """Gives jobs, and takes what they come to."""

    def next(self, slots: int) -> Sequence[Job]:
        """Return at most so many jobs that may begin now."""

    def take(self, job: Job, result: Any) -> None:
        """Take in what a job came to; perhaps a second time, or after `lose`."""

    def lose(self, job: Job) -> None:
        """Have a job done again: its worker is gone, or silent."""

    @property
    def finished(self) -> bool:
        """Whether no more is to be done, as far as this source is concerned."""


class Scheduler:
    """Workers behind an executor, and the jobs that they have.

    Parameters
    ----------
    workers: how many there are.
    """

    def __init__(self, executor: Executor, workers: int, deadline: Deadline) -> None:
        self.executor, self.workers, self.deadline = executor, workers, deadline
        self.in_flight: dict[Future[Any], tuple[Source, Job]] = {}
        self.ended: SimpleQueue[Future[Any]] = SimpleQueue()
        self.losses = 0
        self.looked = time.monotonic()

    @property
    def slots(self) -> int:
        """How many jobs may be given out: a worker that has ended one finds another."""
        most = self.workers if self.workers == 1 else 2 * self.workers
        return most - len(self.in_flight)

    def work(self, sources: Sequence[Source], report: Callable[[], None]) -> None:
        """Have done what the sources give until all are finished, or it is late, or Ctrl-C is pressed."""
        try:
            self.loop(sources, report)
        except KeyboardInterrupt:
            self.deadline.stopped = "interrupt"

    def loop(self, sources: Sequence[Source], report: Callable[[], None]) -> None:
        """Give out jobs and take in what they come to, until all sources are finished or it is late."""
        while not self.deadline.late() and not all(source.finished for source in sources):
            for source in sources:
                if self.slots > 0:
                    for job in source.next(self.slots):
                        self.give(source, job)
            if not self.in_flight:
                if all(source.finished for source in sources):
                    return
                raise RuntimeError("nothing is asked, and not all is known")
            self.wait(POLL_SECONDS)
            report()
            self.look_for_silent()

    def give(self, source: Source, job: Job) -> None:
        """Give out a job."""
        job.since = time.monotonic()
        try:
            future = self.executor.submit(job.call, *job.arguments)
        except RuntimeError as error:  # a broken pool, or one that was shut down
            raise GuesstreeError(f"the workers are gone ({error}); start them again") from None
        self.in_flight[future] = source, job
        future.add_done_callback(self.ended.put)

    def wait(self, seconds: float) -> None:
        """Take in what has ended; wait for the first so long at most."""
        try:
            self.take(self.ended.get(timeout=seconds))
            while True:
                self.take(self.ended.get_nowait())
        except Empty:
            pass

    def take(self, future: Future[Any]) -> None:
        """Take in what a job came to, or that it is lost."""
        known = self.in_flight.pop(future, None)
        if known is None:
            return
        source, job = known
        try:
            result = future.result()
        except GuesstreeError:
            raise
        except (Exception, CancelledError) as error:
            self.losses += 1
            if self.losses > LOSSES + 3 * self.workers:
                raise GuesstreeError(
                    f"{self.losses} tasks were lost in a row, the last to {error!r}; use fewer workers where "
                    "memory is short"
                ) from error
            source.lose(job)
            return
        self.losses = 0
        source.take(job, result)

    def look_for_silent(self) -> None:
        """Have jobs done again that take far longer than they may; whoever ends first is heard."""
        now = time.monotonic()
        if now - self.looked < SILENT_SECONDS / 4:
            return
        self.looked = now
        for source, job in self.in_flight.values():
            if now - job.since > max(
                SILENT_SECONDS, SLOW * job.seconds * (2 + len(self.in_flight) / self.workers)
            ):
                job.since = now
                source.lose(job)

    def end(self) -> None:
        """Have all end what they do, and take in what they say soon; Ctrl-C ends the waiting."""
        for future in self.in_flight:
            future.cancel()
        until = time.monotonic() + PATIENCE
        try:
            while self.in_flight and time.monotonic() < until:
                worker.stop()
                if not any(future.running() for future in self.in_flight):
                    break
                self.wait(POLL_SECONDS / 2)
        except KeyboardInterrupt:
            self.deadline.stopped = "interrupt"
        self.in_flight.clear()


class ClaimSource:
    """The claims of a tree, as a source of jobs."""

    def __init__(self, order: bytes, tree: ClaimTree) -> None:
        self.order, self.tree = order, tree

    @property
    def finished(self) -> bool:
        """Whether the bounds of the game say what is to be shown."""
        return self.tree.done

    def next(self, slots: int) -> Sequence[Job]:
        """Return at most so many jobs, with the claims that are most useful now."""
        if self.tree.done:
            return []
        seconds = self.tree.policy.slice
        found = self.tree.next(slots)
        return [Job(worker.settle, (self.order, tasks), tasks, seconds * len(tasks)) for tasks in found]

    def take(self, job: Job, result: tuple[Report, ...]) -> None:
        """See `Source`; claims that were not begun are asked again."""
        for report in result:
            self.tree.learn(report)
        answered = {report.node for report in result}
        for task in job.what:
            if task.node not in answered:
                self.tree.lose(task.node)

    def lose(self, job: Job) -> None:
        """Have the claims of a job asked again."""
        for task in job.what:
            self.tree.lose(task.node)


class OneShotSource:
    """Tasks that are to be done once, one after another, as a source.

    Parameters
    ----------
    learn: takes what each comes to.
    """

    def __init__(self, jobs: Iterable[Job], learn: Callable[[Any], None]) -> None:
        self.waiting, self.learn = deque(jobs), learn
        self.open = set(self.waiting)

    @property
    def finished(self) -> bool:
        """Whether all came back."""
        return not self.open

    def next(self, slots: int) -> Sequence[Job]:
        """Return at most so many of the jobs that wait."""
        return [self.waiting.popleft() for _ in range(min(slots, len(self.waiting)))]

    def take(self, job: Job, result: Any) -> None:
        """Take in what a job comes to, once."""
        self.open.discard(job)
        self.learn(result)

    def lose(self, job: Job) -> None:
        """Put a job back behind those that wait, unless it is done."""
        if job in self.open:
            self.waiting.append(job)


class BeamSource(OneShotSource):
    """Beams of the whole game, each when the search took so much longer; they are not waited for."""

    def __init__(self, order: bytes, tree: ClaimTree) -> None:
        super().__init__([], self.take_in)
        self.order, self.tree = order, tree
        self.widths, self.due = deque(WIDTHS), LONG

    @property
    def finished(self) -> bool:
        """Whether it need not be waited for."""
        return True

    def take_in(self, result: tuple[Report, ...]) -> None:
        """Take in what a beam came to."""
        for report in result:
            self.tree.learn(report)

    def next(self, slots: int) -> Sequence[Job]:
        """Return the next beam when the search has taken long enough."""
        tree, spent = self.tree, self.tree.policy.evaluations
        if self.widths and spent >= self.due and not tree.done:
            task = Task(tree.root.node, tree.root.upper, spent // SHARE, width=self.widths.popleft())
            self.waiting.append(Job(worker.settle, (self.order, (task,)), None, SILENT_SECONDS))
            self.due *= LONGER
        return super().next(slots)
