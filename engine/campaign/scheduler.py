"""The one loop of a campaign: errands go to an executor, what comes back goes to the tree and is kept.

What is done is said by *sources* of errands: claims of the tree, beams, proofs and their checks. An errand
that is lost with its worker is given out again; what is told twice, or late, does no harm.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Protocol

import numpy as np

from ..errors import GuesstreeError, Infeasible
from ..onestep.ranking import Method
from ..problem import Problem
from ..search.counted import FIRST, Counted
from ..search.deadline import Deadline, Progress
from ..solution import Figures, Found, Solved
from . import worker
from .messages import INFINITE, Report, Task
from .paths import Paths
from .store import Store
from .tree import BudgetPolicy, ClaimTree

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
TRIES = 5
"""So often it is asked what is missing of a strategy: answers may leave it out."""
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
        told_of = {report.node for report in result}
        for task in job.what:
            if task.node not in told_of:
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


class Campaign:
    """Settles a game by claims.

    Parameters
    ----------
    executor, workers: who settles claims, and how many they are.
    store: what is known, and where what is found out goes.

    Attributes
    ----------
    trees: those that were worked on, the last is the latest.
    """

    def __init__(
        self,
        problem: Problem,
        store: Store,
        executor: Executor,
        workers: int,
        deadline: Deadline,
        *,
        memory: int | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self.problem, self.store = problem, store
        self.order = worker.Order.of(problem, memory, workers).packed()
        self.scheduler, self.deadline, self.progress = (
            Scheduler(executor, workers, deadline),
            deadline,
            progress,
        )
        self.space, self.paths, self.policy = Counted(problem), Paths(problem), BudgetPolicy(workers)
        self.trees: list[ClaimTree] = []
        self.best: tuple[Found, Figures] | None = None
        self.lower = self.space.counted()
        self.phase = ""

    # -- the whole objective -------------------------------------------------------------------------------

    def solve(self) -> Solved:
        """Return the optimum, or the best bounds and strategy when the time is up or Ctrl-C is pressed.

        Raises Infeasible where there is no strategy, or none was found in time.
        """
        try:
            self.answer()
        finally:
            self.scheduler.end()
        return self.conclude()

    def answer(self) -> None:
        """Settle the parts of the objective, one after another."""
        parts = self.problem.objective.figures
        self.begin(parts[0])
        if parts[0] == "worst":
            self.least_worst()
            if len(parts) > 1 and self.best is not None and self.settled("worst"):
                self.least_total(self.best[1].worst)
            return
        self.least_total(self.space.most)
        if len(parts) > 1 and self.best is not None and self.settled("total"):
            self.least_worst_with(self.best[1].total)

    def begin(self, part: str) -> None:
        """Have a strategy to begin with, if one-step methods find one."""
        self.phase = "first strategies"
        job = Job(worker.look, (self.order, part, self.space.most), None, SILENT_SECONDS)
        self.scheduler.work([OneShotSource([job], self.learn_whole)], self.report)

    def learn_whole(self, report: Report) -> None:
        """Take in a strategy of the whole game."""
        self.store.take(report)
        if report.choices and report.node.part == "worst":  # a tree of totals finds it itself
            self.offer(self.paths.unpacked((), report.choices))

    def least_total(self, depth: int) -> None:
        """Raise the bound of the total with so many guesses until a strategy reaches it."""
        self.phase = "total"
        tree = self.work("total", depth)
        self.lower["total"] = max(self.lower["total"], min(tree.root.lower, self.upper("total")))

    def least_worst(self) -> None:
        """Decide depth after depth until one suffices."""
        while not self.deadline.late() and self.lower["worst"] < min(
            self.upper("worst"), self.space.most + 1
        ):
            depth = self.lower["worst"]
            self.phase = f"worst case of {depth}"
            tree = self.work("worst", depth)
            if tree.root.lower >= INFINITE:
                self.lower["worst"] = depth + 1

    def least_worst_with(self, total: int) -> None:
        """Lower the worst case of the best strategy as far as the least total allows."""
        while not self.deadline.late() and self.upper("worst") > self.lower["worst"]:
            limit = self.upper("worst") - 1
            self.phase = f"worst case of {limit} with the least total"
            tree = self.work("total", limit, total + 1)
            if tree.root.lower > total:
                self.lower["worst"] = limit + 1

    # -- one tree ------------------------------------------------------------------------------------------

    def work(self, part: str, depth: int, need: int = INFINITE) -> ClaimTree:
        """Return the tree of a part when all that is needed is shown, or it is late."""
        tree = ClaimTree(self.problem, self.store, part, depth, self.policy, need)
        self.trees.append(tree)
        if self.best is not None and self.best[1].worst <= depth:
            found, figures = self.best
            upper = figures.total if part == "total" else 0
            tree.learn(Report(tree.root.node, 0, upper, choices=self.paths.packed((), found.choices)))
        if not tree.done:
            sources: list[Source] = [BeamSource(self.order, tree), ClaimSource(self.order, tree)]
            self.scheduler.work(sources, self.report)
        self.gather(tree)
        return tree

    def report(self) -> None:
        """Tell what is known now."""
        if not self.trees:
            return
        tree, game = self.trees[-1], self.problem.game
        self.store.rose(tree.root.node, tree.root.lower, tree.root.upper)
        if self.progress is None:
            return
        lower, upper = tree.root.lower, tree.root.upper
        if tree.part == "worst":
            lower, upper = self.lower["worst"], self.upper("worst")
        first = tree.first
        self.progress(
            Progress(
                phase=self.phase,
                states=len(tree.states),
                evaluations=self.policy.evaluations,
                lower=min(lower, upper),
                upper=upper if upper < INFINITE else None,
                unit=game.figure_unit(tree.part),
                first="" if first < 0 else game.guesses[first],
                seconds=self.deadline.seconds,
            )
        )

    def gather(self, tree: ClaimTree) -> None:
        """Keep the strategy of a tree if it is better than the best so far; late, the last that is whole.

        Raises GuesstreeError where there is none that takes what was reported.
        """
        if tree.root.upper < INFINITE:

            def learn(result: tuple[Report, ...]) -> None:
                for report in result:
                    tree.learn(report)

            for _ in range(TRIES):
                tasks = tree.missing() if not self.deadline.late() else []
                jobs = [Job(worker.settle, (self.order, (task,)), None, SILENT_SECONDS) for task in tasks]
                self.scheduler.work([OneShotSource(jobs, learn)], self.report)
            if not tree.missing():
                self.offer(tree.strategy())
            elif tree.whole is not None:
                self.offer(self.paths.unpacked(*tree.whole))
            most = tree.root.upper if tree.part == "total" else tree.root.node.depth
            if self.upper(tree.part) > most and not self.deadline.late():
                why = f"a worker told of a strategy with a {tree.part} of {most}, and there is none"
                tree.forget_strategy(why)
                raise GuesstreeError(f"{self.problem.game.spec}: {why}; start again, without what was wrong")

    def offer(self, choices: dict[bytes, int]) -> None:
        """Keep a strategy if it is better than the best so far."""
        query = self.space.query("total")
        found = self.space.walk(self.space.root(query), lambda state: choices[state.key])
        figures, parts = self.space.figures(found), self.problem.objective.figures
        if not self.keeps(found, figures):
            return
        if self.best is None or figures.value(parts) < self.best[1].value(parts):
            self.best = found, figures

    def keeps(self, found: Found, figures: Figures) -> bool:
        """Return whether a strategy keeps to the limits, whoever told of it."""
        problem = self.problem
        own = [int(problem.own[guess]) for guess in found.choices.values()]
        sets = [np.frombuffer(key, dtype=np.int32) for key in found.choices]
        root = max(found.choices, key=len, default=b"")
        return (
            figures.worst <= self.space.most
            and (problem.first is None or found.choices.get(root, problem.first) == problem.first)
            and (not problem.candidates_only or all(map(np.isin, own, sets)))
        )

    def at_once(self) -> tuple[Found, Figures] | None:
        """Return a strategy that takes no time to find, if it is within the limits."""
        player = self.space.player(Method(FIRST))
        player.stop()
        found = player.play_out()
        if found is None or found.worst > self.space.most:
            return None
        return found, self.space.figures(found)

    def upper(self, part: str) -> int:
        """Return what the best strategy takes."""
        return INFINITE if self.best is None else self.best[1][part]

    def settled(self, part: str) -> bool:
        """Return whether the best strategy is optimal in a part of the objective."""
        return self.lower[part] >= self.upper(part)

    def conclude(self) -> Solved:
        """Return the best strategy with lower bounds of the optimum."""
        problem, parts = self.problem, self.problem.objective.figures
        if self.best is None and self.deadline.stopped:
            self.best = self.at_once()
        if self.best is None:
            raise Infeasible(problem.no_strategy(self.deadline.stopped))
        found, figures = self.best
        return problem.solution(
            found,
            tuple(figures[part] for part in parts),
            tuple(self.lower[part] for part in parts),
            method="exact",
            stopped=self.deadline.stopped,
            states=sum(len(tree.states) for tree in self.trees),
            evaluations=self.policy.evaluations,
            seconds=self.deadline.seconds,
        )
