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

from ..errors import GuesstreeError
from ..game import Game
from ..modules import load_modules, loaded_modules
from ..objective import OBJECTIVES
from ..problem import Problem
from ..proofs.counted import CountedWriter
from ..proofs.items import EMPTY
from ..search.counted import Counted, CountedState
from ..search.deadline import Deadline, TimeUp
from ..search.session import Session
from ..search.space import Child, Query, Resources
from ..state import everything
from .messages import INFINITE, NodeId, Report, Task
from .paths import Paths


@dataclass(frozen=True)
class Order:
    """What a campaign is about: so much of a problem that any process can make it, and what it may take.

    Attributes
    ----------
    game, objective, goal, first, candidates_only, max_depth, symmetry: of the problem.
    memory, workers: bytes that all may take on one machine (None: half of it), and how many share them.
    """

    game: Game
    objective: str
    goal: str
    first: str | None
    candidates_only: bool
    max_depth: int | None
    symmetry: bool
    memory: int | None
    workers: int

    @classmethod
    def of(cls, problem: Problem, memory: int | None, workers: int) -> Order:
        """Return the order for a problem."""
        asked = problem.asked
        return cls(
            problem.game,
            problem.objective.name,
            problem.goal,
            asked.first,
            problem.candidates_only,
            problem.limited,
            problem.symmetry,
            memory,
            workers,
        )

    @property
    def problem(self) -> Problem:
        """The problem."""
        return Problem(
            self.game,
            OBJECTIVES[self.objective],
            goal=self.goal,
            max_depth=self.max_depth,
            first=self.first,
            candidates_only=self.candidates_only,
            symmetry=self.symmetry,
        )

    def resources(self, problem: Problem) -> Resources:
        """Return what one worker may take."""
        whole = Resources.of(problem, 1, self.memory)
        return Resources(whole.memory // self.workers, whole.tabled, 1)

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


class SubgameSpace(Counted):
    """States and kernel of a problem that begins in one of its states.

    Attributes
    ----------
    start: where it begins.
    left: what the guess asked last leaves there, but for what it wins: responses and children, largest first.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.start = CountedState(everything(problem.secrets), problem.max_depth)
        self.left: list[tuple[int, Child[CountedState]]] = []

    def root(self, query: Query) -> CountedState:
        """Return the state where it begins, with the guesses that the query leaves."""
        return replace(self.start, depth=query.depth)

    def first_children(self, query: Query, guess: int) -> list[Child[CountedState]]:
        """Return what a guess leaves there, see `Counted.first_children`, and note it."""
        children = super().first_children(query, guess)
        left = [(child.state, child) for child in children if child.state is not None]
        self.left = [(int(self.problem.row(guess, state.candidates[:1])[0]), child) for state, child in left]
        return children


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
        self.space, self.paths = SubgameSpace(self.problem), Paths(self.problem)
        self.session: Session[CountedState] = Session(
            self.space, order.resources(self.problem), Deadline(None)
        )
        self.writer = CountedWriter(self.problem, self.session.resources, self.session.searchers)
        self.name = f"{socket.gethostname()}:{os.getpid()}"
        self.stopped = False

    def stop(self) -> None:
        """End what is searched, soon."""
        self.stopped = True
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
        path = node.path[:-1] if node.branch else node.path
        space.start, space.left = self.paths.state(path, node.depth), []
        query = Query(node.part, node.depth)
        beam = task.width and space.searcher(query, session.resources, task.width)
        searcher, since = beam or session.searcher(query), time.process_time()
        before, beta = searcher.evaluations, task.bound if node.part == "total" else node.depth + 1
        guess = node.path[-1] if node.branch else -1
        if not node.path and self.problem.first is not None:
            guess = self.problem.first
        if guess >= 0:
            outcome = session.after_first(searcher, query, beta, guess, task.budget)
        else:
            outcome = session.search(searcher, space.start, beta, task.budget)
        lower, upper, choices = outcome.lower, INFINITE, b""
        if outcome.upper < beta and not outcome.ended:
            with suppress(ValueError):  # forgotten, and not found again by a beam
                choices = self.paths.packed(node.path, session.extract(searcher, query, guess).choices)
            upper = outcome.upper if choices or not beam else INFINITE
        if node.part == "worst":
            lower = INFINITE if lower > node.depth else 0
            upper = 0 if upper <= node.depth else INFINITE
        if beam:
            lower = 0
        children: tuple[tuple[int, int, int], ...] = ()
        if lower < task.bound and not beam:  # else that was all that is wanted
            children = tuple(self.told(searcher, node, r, child) for r, child in space.left)
        found = Report(
            node,
            min(lower, INFINITE),
            upper,
            children,
            choices,
            evaluations=searcher.evaluations - before,
            seconds=time.process_time() - since,
            worker=self.name,
        )
        if not task.proof or lower < task.bound:
            return found
        known = {r: self.lower(node, child) for r, child in space.left}
        return with_proof(self.writer, self.paths, task, found, known)

    @staticmethod
    def lower(node: NodeId, child: Child[CountedState]) -> int:
        """Return at least what a child of a node costs, as far as it was found."""
        if node.part == "total":
            return min(child.lower, INFINITE)
        return INFINITE if child.state is not None and child.lower > child.state.depth else 0

    def told(
        self, searcher: object, node: NodeId, response: int, child: Child[CountedState]
    ) -> tuple[int, int, int]:
        """Return what is known of a child: response, lower, upper."""
        assert child.state is not None
        if node.part == "worst":
            return response, self.lower(node, child), INFINITE
        lower, exact = self.space.bound(searcher, child.state)
        lower = max(lower, self.lower(node, child))
        return response, lower, lower if exact or child.exact else INFINITE

    def look(self, part: str, depth: int) -> Report:
        """Return a strategy of the whole game within so many guesses, by one-step methods.

        Of a worst case, what is told is that of the strategy.
        """
        session, since = (
            Session(Counted(self.problem), self.session.resources, self.session.deadline),
            time.process_time(),
        )
        session.start(session.quick)
        found, figures = session.best, session.figures
        what = Report(NodeId((), part, depth), 0, seconds=time.process_time() - since, worker=self.name)
        if found is None or figures is None or figures.worst > depth:
            return what
        choices = self.paths.packed((), found.choices)
        if part == "worst":
            return replace(what, node=NodeId((), part, figures.worst), upper=0, choices=choices)
        return replace(what, upper=figures.total, choices=choices)


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


def look(order: bytes, part: str, depth: int) -> Report:
    """Return a strategy of the whole game; see `Worker.look`."""
    with at_work(order) as worker:
        return worker.session.deadline.run(lambda: worker.look(part, depth), worker.stop)


def stop() -> None:
    """End what runs in a thread of this process."""
    for worker in tuple(_workers.values()):
        worker.stop()
