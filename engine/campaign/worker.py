"""What any process may be asked to do for a campaign: `settle` claims, `look` for a strategy.

A process keeps what it made of an order, the problem and what its searches remember, until it gets another.
"""

from __future__ import annotations

import os
import pickle
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..errors import GuesstreeError
from ..game import Game
from ..modules import load_modules, loaded_modules
from ..objective import OBJECTIVES
from ..problem import Problem
from ..proofs.counted import CountedWriter
from ..proofs.items import EMPTY
from ..proofs.prover import writer_of
from ..proofs.statement import Goal
from ..proofs.writer import Writer
from ..search.deadline import Deadline, TimeUp
from ..search.session import Session
from ..search.solve import claim_space
from ..search.space import Child, Resources
from ..solution import Found
from .messages import INFINITE, NodeId, Report, Task
from .paths import Paths, pairs_of
from .propagation import Splitter


@dataclass(frozen=True)
class Order:
    """What a campaign is about: so much of a problem that any process can make it, and what it may take.

    Attributes
    ----------
    game, objective, goal, first, candidates_only, max_depth, budget, symmetry: of the problem.
    lies: how many responses may be false.
    memory, workers: bytes that all may take on one machine (None: half of it), and how many share them.
    jobs: threads of each worker, which share its memory.
    """

    game: Game
    objective: str
    goal: str
    first: str | None
    candidates_only: bool
    max_depth: int | None
    budget: int | None
    symmetry: bool
    lies: int
    memory: int | None
    workers: int
    jobs: int

    @classmethod
    def of(cls, problem: Problem, memory: int | None, workers: int, lies: int = 0, jobs: int = 1) -> Order:
        """Return the order for a problem."""
        asked = problem.asked
        return cls(
            problem.game,
            problem.objective.name,
            problem.goal,
            asked.first,
            problem.candidates_only,
            problem.limited,
            problem.budget,
            problem.symmetry,
            lies,
            memory,
            workers,
            jobs,
        )

    @property
    def problem(self) -> Problem:
        """The problem."""
        return Problem(
            self.game,
            OBJECTIVES[self.objective],
            goal=self.goal,
            max_depth=self.max_depth,
            budget=self.budget,
            first=self.first,
            candidates_only=self.candidates_only,
            symmetry=self.symmetry,
        )

    def resources(self, problem: Problem) -> Resources:
        """Return what one worker may take."""
        whole = Resources.of(problem, self.jobs, self.memory, self.lies)
        return replace(whole, memory=whole.memory // self.workers)

    def packed(self) -> bytes:
        """Return the order as bytes that go anywhere; raise GuesstreeError for a game that does not."""
        try:
            return zlib.compress(pickle.dumps((loaded_modules(), pickle.dumps(self))))
        except (pickle.PicklingError, AttributeError, TypeError):
            raise GuesstreeError(
                f"{self.game.spec} cannot be sent to other processes; expected a game of a module that they "
                "can import"
            ) from None

    @staticmethod
    def unpacked(data: bytes) -> Order:
        """Return the order that was packed."""
        modules, own = pickle.loads(zlib.decompress(data))
        load_modules(modules)
        order = pickle.loads(own)
        assert isinstance(order, Order)
        return order


LEAST_SECONDS = 0.05
"""Between two looks at what a proof has taken."""


def with_proof(
    writer: CountedWriter, paths: Paths, task: Task, report: Report, known: Mapping[int, int]
) -> Report:
    """Return what was found with a proof of what was asked; with its children where that takes too long.

    A proof rests on nothing outside of it: of a state it is the body of a lemma, of a branch lemmas about
    what the guess leaves. `known`: at least what that costs, by response, as far as it was found. Raises
    ProofError if what was found is false.
    """
    node, since = task.node, time.process_time()
    state = paths.state(node.path, node.depth)
    writer.stopped = False
    try:
        with _limited(task.seconds, writer.stop):
            if node.branch:
                proof = "\n".join(writer.guess_proof(state, node.path, task.bound, known)) or EMPTY
            else:
                proof = writer.state_proof(state, node.path, task.bound)
    except TimeUp:
        children = tuple((response, lower, INFINITE) for response, lower in known.items())
        return replace(report, children=children, seconds=report.seconds + time.process_time() - since)
    seconds = report.seconds + time.process_time() - since
    return replace(report, proved=task.bound, proof=proof, seconds=seconds)


@contextmanager
def _limited(seconds: float, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` when this process has worked for so many seconds from now on; 0: it may take any time."""
    ended, last = threading.Event(), time.process_time() + seconds

    def look() -> None:
        while not ended.wait(max(last - time.process_time(), LEAST_SECONDS)):
            if time.process_time() >= last:
                stop()

    thread = threading.Thread(target=look, daemon=True)
    if seconds:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if seconds:
            thread.join()


class Worker:
    """The problem of an order, and what searches for it."""

    def __init__(self, order: Order) -> None:
        self.order, self.problem = order, order.problem
        self.space = claim_space(self.problem, order.lies)
        self.paths, self.resources = Paths(self.space), order.resources(self.problem)
        self.session: Session[Any] = Session(self.space, self.resources, Deadline(None))
        self.name = f"{socket.gethostname()}:{os.getpid()}"
        self.stopped = False

    @cached_property
    def writer(self) -> Writer[Any]:
        """What proves claims."""
        return writer_of(self.problem, self.order.lies, self.resources, self.session.searchers)

    def stop(self) -> None:
        """End what is searched, soon."""
        self.stopped = True
        for searcher in list(self.session.searchers.values()):
            searcher.stop()
        if "writer" in vars(self):
            self.writer.stop()

    def settle(self, tasks: Iterable[Task]) -> tuple[Report, ...]:
        """Return what is found out of claims; those that were not begun when it was stopped are left out.

        A strategy found for one guess in a state lowers what its other guesses are to reach.
        """
        found: list[Report] = []
        least: dict[tuple[int, ...], int] = {}
        for task in tasks:
            if self.stopped:
                break
            path, bound = task.node.path, task.bound
            if task.node.branch:
                bound = min(bound, least.get(path[:-1], INFINITE))
            report = self.settle_one(replace(task, bound=bound))
            if task.node.branch:
                least[path[:-1]] = min(report.upper, least.get(path[:-1], INFINITE))
            found.append(report)
        return tuple(found)

    def settle_one(self, task: Task) -> Report:
        """Return what is found out about a node."""
        node, space, session = task.node, self.space, self.session
        splitter = Splitter(space, self.paths, node.figure, self.whole(node))
        state, decided = splitter.state(node.path), space.decided(node.figure)
        query = replace(splitter.query, depth=state.depth)
        beam = task.width and space.searcher(query, session.resources, task.width)
        searcher, since = beam or session.searcher(query), time.process_time()
        before, beta = searcher.evaluations, state.depth + 1 if decided else task.bound
        guess = node.path[-1] if node.branch else -1
        if not node.path and self.problem.first is not None:
            guess = self.problem.first
        children: list[Child[Any]] = [] if guess < 0 else space.split(query, state, guess)
        if guess >= 0:
            outcome = session.after_guess(searcher, query, children, beta, guess, task.budget)
        else:
            outcome = session.search(searcher, state, beta, task.budget)
        lower, upper, choices = splitter.value(state, outcome.lower), INFINITE, b""
        if outcome.upper < beta and not outcome.ended:
            with suppress(ValueError):  # forgotten, and not found again by a beam
                found = session.extract(searcher, query, guess, state).choices
                choices = self.paths.packed(node.path, node.depth, lambda below: found[below.key])
            if choices or not beam:
                upper = splitter.value(state, outcome.upper)
        if beam:
            lower = 0
        known = {
            child.response: splitter.value(child.state, child.lower)
            for child in children
            if child.state is not None and not space.finished(child.state)
        }
        children_known = (
            ()
            if beam or lower >= task.bound
            else tuple(self.bounds_of_children(splitter, searcher, children, known))
        )
        report = Report(
            node,
            lower,
            upper,
            children_known,
            choices,
            evaluations=searcher.evaluations - before,
            seconds=time.process_time() - since,
            worker=self.name,
        )
        if not task.proof or lower < task.bound:
            return report
        assert isinstance(self.writer, CountedWriter)
        return with_proof(self.writer, self.paths, task, report, known)

    def whole(self, node: NodeId) -> int:
        """Return the limit of the whole game of which a claim is a part."""
        return self.space.limit(self.space.query_at(node.figure, node.depth, pairs_of(node.path)))

    def bounds_of_children(
        self, splitter: Splitter, searcher: Any, children: Iterable[Child[Any]], known: Mapping[int, int]
    ) -> Iterator[tuple[int, int, int]]:
        """Yield what is known of the states that a guess leaves: response, lower, upper."""
        for child in children:
            if child.response not in known:
                continue
            lower, exact = known[child.response], child.exact
            if not self.space.decided(splitter.figure):
                ahead, sure = self.space.bound(searcher, child.state)
                lower, exact = max(lower, splitter.value(child.state, ahead)), exact or sure
            yield child.response, lower, lower if exact else INFINITE

    def look(self) -> Found | None:
        """Return a strategy of the whole game that takes little time to find."""
        session = Session(self.space, self.session.resources, self.session.deadline)
        session.start(session.quick)
        return session.best

    def prove(self, guess: int, within: int | None, bound: Goal) -> tuple[int, str]:
        """Return a first guess, and lemmas that show what it costs; they need no others."""
        self.writer.stopped = False
        return guess, self.writer.first_lemmas(guess, within, bound)


_workers: dict[bytes, Worker] = {}
_busy = threading.Lock()


@contextmanager
def at_work(order: bytes) -> Iterator[Worker]:
    """Have the worker for an order to oneself; what another order left is forgotten."""
    with _busy:
        if order not in _workers:
            _workers.clear()
            _workers[order] = Worker(Order.unpacked(order))
        worker = _workers[order]
        worker.stopped, worker.session.deadline = False, Deadline(None)
        yield worker


def settle(order: bytes, tasks: tuple[Task, ...]) -> tuple[Report, ...]:
    """Return what is found out of claims, in the process that this runs in."""
    with at_work(order) as worker:
        return worker.session.deadline.run(lambda: worker.settle(tasks), worker.stop)


def look(order: bytes) -> Found | None:
    """Return a strategy of the whole game; see `Worker.look`."""
    with at_work(order) as worker:
        return worker.session.deadline.run(worker.look, worker.stop)


def prove(order: bytes, guess: int, within: int | None, bound: Goal) -> tuple[int, str]:
    """Return a first guess with lemmas about it, in the process that this runs in."""
    with at_work(order) as worker:
        return worker.session.deadline.run(lambda: worker.prove(guess, within, bound), worker.stop)


def stop() -> None:
    """End what runs in a thread of this process."""
    for worker in tuple(_workers.values()):
        worker.stop()
