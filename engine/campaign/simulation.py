"""A campaign on simulated workers: the real tree asks, claims take the time that they were measured to take.

Nothing but time is simulated: who works when, how long messages take, which workers are lost. What is
reported of a claim is what a real worker found out about it, and what that took.
"""

from __future__ import annotations

import heapq
import os
import random
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..problem import Problem
from ..search.deadline import Deadline
from ..search.driver import answer
from ..search.solve import claim_space
from ..solution import Found
from .messages import Report, Task
from .proofs import Check, Proofs
from .scheduler import Scheduler
from .session import ClaimSession
from .store import MemoryStore
from .worker import Order, Worker, look, settle

LOOK_SECONDS = 0.1
"""What a simulated worker takes for a first strategy."""


@dataclass(frozen=True)
class Overheads:
    """What is not search, in seconds.

    Attributes
    ----------
    message: from the coordinator to a worker, or back.
    task: what the coordinator takes for each, to choose it, to take in what it came to, and to write it;
        None: as long as this process takes for that.
    """

    message: float = 0.001
    task: float | None = 0.001


@dataclass(frozen=True)
class Losses:
    """How workers are lost.

    Attributes
    ----------
    life: seconds that a worker lasts on average, each moment being as bad as any other; 0: for ever.
    share, at: so many of all are lost at once, so many seconds after the beginning.
    noticed, absent: seconds until the coordinator hears of it, and until there is another worker.
    """

    life: float = 0.0
    share: float = 0.0
    at: float = 0.0
    noticed: float = 1.0
    absent: float = 60.0


@dataclass(frozen=True)
class Efforts:
    """What a claim takes, in seconds: for its own sake, and for each evaluation.

    Evaluations are the same whatever else a machine does; what one takes is measured over many claims.
    """

    claim: float = 0.003
    evaluation: float = 1e-5

    def of(self, report: Report) -> float:
        """Return what it took to find something out."""
        return self.claim + self.evaluation * report.evaluations


class Replaying(Worker):
    """A worker that looks up what it was asked before; the rest is worked out once, and kept.

    Each claim is worked out from nothing, as nobody knows what a worker will remember of others: that is more
    than a worker takes that still has a table of what it met.

    Attributes
    ----------
    found: what was found out of claims; their seconds are those of this machine.
    """

    def __init__(self, order: Order, efforts: Efforts) -> None:
        super().__init__(order)
        self.efforts = efforts
        self.found: dict[Task, Report] = {}
        self.first: list[Found | None] = []

    def settle_one(self, task: Task) -> Report:
        """Work a claim out once, and tell its seconds by its efforts afterwards."""
        if task not in self.found:
            self.session.searchers.clear()
            self.found[task] = super().settle_one(task)
        report = self.found[task]
        return report if task.proof else replace(report, seconds=self.efforts.of(report))

    def look(self) -> Found | None:
        """Look for a first strategy once."""
        if not self.first:
            self.first.append(super().look())
        return self.first[0]


@dataclass(eq=False)
class Submitted:
    """A task, and what tells when it is done."""

    future: Future[Any]
    call: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(eq=False)
class Seat:
    """A simulated worker.

    Attributes
    ----------
    worker: who works there; None: it only takes its time.
    lives, away: how many have worked there, and whether the last is lost and no other there yet.
    task, begun: what it does, and since when.
    """

    worker: Worker | None
    lives: int = 1
    away: bool = False
    task: Submitted | None = None
    begun: float = 0.0


class SimulatedWorkers(Executor):
    """Workers whose time is simulated, as an executor with a clock of its own.

    Parameters
    ----------
    workers: how many; each does one task at a time, what is submitted beyond waits for the next that is free.
    made: returns who works in a seat, at the beginning and whenever the one before was lost.

    Attributes
    ----------
    searched: seconds of workers that led to results.
    lost: seconds of workers for what was lost with them, and until there was another.
    time: seconds that have passed.
    coordinated: seconds of the coordinator.
    longest: seconds of the longest task.

    Everything happens in the thread that calls `wait`, in the order of the simulated time; the same seed
    gives the same losses.
    """

    def __init__(
        self, workers: int, made: Callable[[], Worker | None], costs: Overheads, losses: Losses, seed: int = 1
    ) -> None:
        self.made, self.costs, self.losses, self.dice = made, costs, losses, random.Random(seed)
        self.seats = [Seat(made()) for _ in range(workers)]
        self.free, self.arrived = deque(self.seats), deque[Submitted]()
        self.events: list[tuple[float, int, Callable[[], None]]] = []
        self.planned = 0
        self.time = self.moment = 0.0  # of the coordinator, and of what happens
        self.left, self.done = time.process_time(), False
        self.tasks, self.claims = 0, 0
        self.searched = self.lost = self.coordinated = self.longest = 0.0
        for seat in self.seats:
            self.plan_loss(seat)
        if losses.share:
            self.plan(losses.at, self.lose_many)

    # -- what the coordinator calls ------------------------------------------------------------------------

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        """Take in a call, which a simulated worker begins when it is free."""
        with self.stepped(self.costs.task or 0.0):
            self.tasks, self.claims = (
                self.tasks + 1,
                self.claims + (len(arguments[1]) if call is settle else 0),
            )
            task = Submitted(Future(), call, arguments)
            self.plan(self.time + self.costs.message, partial(self.arrive, task))
        return task.future

    def wait(self, seconds: float) -> None:
        """Let time pass until something that was submitted is done, or so many seconds."""
        with self.stepped():
            until = self.time + seconds
            self.run(self.time)
            while not self.done and self.events and self.events[0][0] <= until:
                self.time = self.events[0][0]
                self.run(self.time)
            self.time = self.time if self.done else until
            self.done = False

    @contextmanager
    def stepped(self, cost: float = 0.0) -> Iterator[None]:
        """Let the time pass that the coordinator took before it came here; what is done here takes none."""
        passed = cost if self.costs.task is not None else time.process_time() - self.left
        self.time, self.coordinated = self.time + passed, self.coordinated + passed
        yield
        self.left = time.process_time()

    # -- what happens --------------------------------------------------------------------------------------

    def plan(self, when: float, what: Callable[[], None]) -> None:
        """Let something happen at a time."""
        self.planned += 1
        heapq.heappush(self.events, (when, self.planned, what))

    def run(self, until: float) -> None:
        """Let happen what is planned up to a time, in order."""
        while self.events and self.events[0][0] <= until:
            self.moment, _, what = heapq.heappop(self.events)
            what()

    def arrive(self, task: Submitted) -> None:
        """Let a task be given to the next worker that is free."""
        self.arrived.append(task)
        self.give()

    def give(self) -> None:
        """Give the tasks that have arrived to the workers that are free."""
        while self.arrived and self.free:
            task = self.arrived.popleft()
            if task.future.set_running_or_notify_cancel():
                seat = self.free.popleft()
                seat.task, seat.begun = task, self.moment
                result, seconds = done_by(seat.worker, task)
                self.longest = max(self.longest, seconds)
                self.plan(self.moment + seconds, partial(self.finish, seat, task, result))

    def finish(self, seat: Seat, task: Submitted, result: Any) -> None:
        """Let a worker that is still there be free; the result is on its way."""
        if seat.task is not task:  # lost before
            return
        self.searched += self.moment - seat.begun
        seat.task = None
        self.free.append(seat)
        self.plan(self.moment + self.costs.message, partial(self.reported, task, result))
        self.give()

    def reported(self, task: Submitted, result: Any) -> None:
        """Let the coordinator hear what a task came to, or that it is lost."""
        self.done = True
        if isinstance(result, Exception):
            task.future.set_exception(result)
        else:
            task.future.set_result(result)

    def plan_loss(self, seat: Seat) -> None:
        """Draw when a worker is lost."""
        if self.losses.life:
            when = self.moment + self.dice.expovariate(1 / self.losses.life)
            self.plan(when, partial(self.lose, seat, seat.lives))

    def lose_many(self) -> None:
        """Lose some of all workers at once."""
        for seat in self.dice.sample(self.seats, round(self.losses.share * len(self.seats))):
            self.lose(seat, seat.lives)

    def lose(self, seat: Seat, life: int) -> None:
        """Lose a worker, if it is still there, with what it does."""
        if seat.away or seat.lives != life:
            return
        if seat.task is None:
            self.free.remove(seat)
        else:
            self.lost += self.moment - seat.begun
            what = BrokenProcessPool("a simulated worker is lost")
            self.plan(self.moment + self.losses.noticed, partial(self.reported, seat.task, what))
        seat.away, seat.task = True, None
        self.lost += self.losses.absent
        self.plan(self.moment + self.losses.absent, partial(self.come, seat))

    def come(self, seat: Seat) -> None:
        """Let another worker come in the place of one that was lost."""
        seat.worker, seat.lives, seat.away = self.made(), seat.lives + 1, False
        self.plan_loss(seat)
        self.free.append(seat)
        self.give()


def done_by(worker: Worker | None, task: Submitted) -> tuple[Any, float]:
    """Return the result of a task, and the seconds that it takes."""
    if worker is not None and task.call is settle:
        found = worker.settle(task.arguments[1])
        return found, sum(report.seconds for report in found)
    if worker is not None and task.call is look:
        return worker.look(), LOOK_SECONDS
    since = sum(os.times()[:4])
    result = task.call(*task.arguments)
    return result, getattr(result, "seconds", sum(os.times()[:4]) - since)


class SimulatedCrew(Scheduler):
    """Simulated workers, and the tasks that they have."""

    def __init__(self, executor: SimulatedWorkers, deadline: Deadline) -> None:
        super().__init__(executor, len(executor.seats), deadline)
        self.simulated = executor

    def wait(self, seconds: float) -> None:
        """Take in what has ended; let time pass until there is something."""
        self.simulated.wait(seconds)
        super().wait(0.0)

    def look_for_silent(self) -> None:
        """Nobody is silent: who is lost is noticed."""


@dataclass(frozen=True)
class Simulated:
    """A campaign on simulated workers.

    Attributes
    ----------
    lower, upper: what was shown of the game: the same for any number of workers.
    found, seconds: from its beginning until the value was found, and until it was proved.
    workers, tasks, claims, searched, lost, coordinated, longest: see `SimulatedWorkers`.
    evaluations: of all claims.
    """

    workers: int
    lower: int
    upper: int
    found: float
    seconds: float
    tasks: int
    claims: int
    evaluations: int
    searched: float
    lost: float
    coordinated: float
    longest: float


def simulate(
    problem: Problem,
    workers: int,
    made: Callable[[], Worker],
    costs: Overheads = Overheads(),
    losses: Losses = Losses(),
    check: Check | None = None,
) -> Simulated:
    """Return how a campaign about the least total goes with so many workers, see `SimulatedWorkers`.

    `check`: has proofs checked, see `proofs.Proofs`; None: nothing is proved.
    """
    executor, deadline, store = SimulatedWorkers(workers, made, costs, losses), Deadline(None), MemoryStore()
    session = ClaimSession(claim_space(problem), store, executor, workers, deadline)
    session.scheduler = SimulatedCrew(executor, deadline)
    session.start(())
    answer(session)
    root, found = session.trees[-1].root, executor.time
    if check is not None:
        proofs = Proofs(session.claims, store, session.order, check, root.node, root.upper, workers)
        session.scheduler.work([proofs], lambda: None)
    return Simulated(
        workers,
        min(root.lower, root.upper),
        root.upper,
        found,
        executor.time,
        executor.tasks,
        executor.claims,
        session.evaluations,
        executor.searched,
        executor.lost,
        executor.coordinated,
        executor.longest,
    )
