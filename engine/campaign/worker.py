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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from ..errors import GuesstreeError
from ..game import Game
from ..modules import load_modules, loaded_modules
from ..objective import OBJECTIVES
from ..problem import Problem
from ..proofs.statement import table_names
from ..proofs.writer import Writer
from ..search.counted import Counted, CountedState
from ..search.kind import Cell, Question, Room
from ..search.run import Run
from ..search.watch import Watch
from ..state import everything
from .asks import INFINITE, Finding, Place, Wanted
from .claim_proofs import with_proof
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

    def room(self, problem: Problem) -> Room:
        """Return what one worker may take."""
        whole = Room.of(problem, 1, self.memory)
        return Room(whole.memory // self.workers, whole.tabled, 1)

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


class Below(Counted):
    """States and kernel of a problem that begins in one of its states.

    Attributes
    ----------
    start: where it begins.
    left: what the guess asked last leaves there, but for what it wins: responses and cells, largest first.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.start = CountedState(everything(problem.secrets), problem.max_depth)
        self.left: list[tuple[int, Cell[CountedState]]] = []

    def root(self, question: Question) -> CountedState:
        """Return the state where it begins, with the guesses that the question leaves."""
        return replace(self.start, depth=question.depth)

    def cells(self, question: Question, guess: int) -> list[Cell[CountedState]]:
        """Return what a guess leaves there, see `Counted.cells`, and note it."""
        cells = super().cells(question, guess)
        left = [(cell.state, cell) for cell in cells if cell.state is not None]
        self.left = [(int(self.problem.row(guess, state.candidates[:1])[0]), cell) for state, cell in left]
        return cells


class Worker:
    """The problem of an order, and what searches for it."""

    def __init__(self, order: Order) -> None:
        self.order, self.problem = order, order.problem
        self.kind, self.paths = Below(self.problem), Paths(self.problem)
        self.run: Run[CountedState] = Run(self.kind, order.room(self.problem), Watch(None))
        self.writer = Writer(self.problem, self.run.room, self.run.searchers, table_names(self.problem))
        self.name = f"{socket.gethostname()}:{os.getpid()}"
        self.stopped = False

    def stop(self) -> None:
        """End what is searched, soon."""
        self.stopped = True
        self.writer.stop()

    def settle(self, asks: Iterable[Wanted]) -> tuple[Finding, ...]:
        """Return what is found out of claims; those that were not begun when it was stopped are left out.

        A strategy found for one guess in a state lowers what its other guesses are to reach.
        """
        found: list[Finding] = []
        least: dict[tuple[int, ...], int] = {}
        for ask in asks:
            if self.stopped:
                break
            path, bound = ask.place.path, ask.bound
            if ask.place.branch:
                bound = min(bound, least.get(path[:-1], INFINITE))
            told = self.settle_one(replace(ask, bound=bound))
            if ask.place.branch:
                least[path[:-1]] = min(told.upper, least.get(path[:-1], INFINITE))
            found.append(told)
        return tuple(found)

    def settle_one(self, ask: Wanted) -> Finding:
        """Return what is found out about a place."""
        place, kind, run = ask.place, self.kind, self.run
        path = place.path[:-1] if place.branch else place.path
        kind.start, kind.left = self.paths.state(path, place.depth), []
        question = Question(place.part, place.depth)
        beam = ask.width and kind.searcher(question, run.room, ask.width)
        searcher, since = beam or run.searcher(question), time.process_time()
        before, beta = searcher.evaluations, ask.bound if place.part == "total" else place.depth + 1
        guess = place.path[-1] if place.branch else -1
        if not place.path and self.problem.first is not None:
            guess = self.problem.first
        if guess >= 0:
            outcome = run.after_first(searcher, question, beta, guess, ask.budget)
        else:
            outcome = run.search(searcher, kind.start, beta, ask.budget)
        lower, upper, choices = outcome.lower, INFINITE, b""
        if outcome.upper < beta and not outcome.ended:
            with suppress(ValueError):  # forgotten, and not found again by a beam
                choices = self.paths.packed(place.path, run.extract(searcher, question, guess).choices)
            upper = outcome.upper if choices or not beam else INFINITE
        if place.part == "worst":
            lower = INFINITE if lower > place.depth else 0
            upper = 0 if upper <= place.depth else INFINITE
        if beam:
            lower = 0
        cells: tuple[tuple[int, int, int], ...] = ()
        if lower < ask.bound and not beam:  # else that was all that is wanted
            cells = tuple(self.told(searcher, place, r, cell) for r, cell in kind.left)
        found = Finding(
            place,
            min(lower, INFINITE),
            upper,
            cells,
            choices,
            evaluations=searcher.evaluations - before,
            seconds=time.process_time() - since,
            worker=self.name,
        )
        if not ask.proof or lower < ask.bound:
            return found
        known = {r: self.lower(place, cell) for r, cell in kind.left}
        return with_proof(self.writer, self.paths, ask, found, known)

    @staticmethod
    def lower(place: Place, cell: Cell[CountedState]) -> int:
        """Return at least what a cell of a place costs, as far as it was found."""
        if place.part == "total":
            return min(cell.lower, INFINITE)
        return INFINITE if cell.state is not None and cell.lower > cell.state.depth else 0

    def told(
        self, searcher: object, place: Place, response: int, cell: Cell[CountedState]
    ) -> tuple[int, int, int]:
        """Return what is known of a cell: response, lower, upper."""
        assert cell.state is not None
        if place.part == "worst":
            return response, self.lower(place, cell), INFINITE
        lower, exact = self.kind.bound(searcher, cell.state)
        lower = max(lower, self.lower(place, cell))
        return response, lower, lower if exact or cell.exact else INFINITE

    def look(self, part: str, depth: int) -> Finding:
        """Return a strategy of the whole game within so many guesses, by one-step methods.

        Of a worst case, what is told is that of the strategy.
        """
        run, since = Run(Counted(self.problem), self.run.room, self.run.watch), time.process_time()
        run.start(run.quick)
        found, figures = run.best, run.figures
        what = Finding(Place((), part, depth), 0, seconds=time.process_time() - since, worker=self.name)
        if found is None or figures is None or figures.worst > depth:
            return what
        choices = self.paths.packed((), found.choices)
        if part == "worst":
            return replace(what, place=Place((), part, figures.worst), upper=0, choices=choices)
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
        worker.stopped, worker.run.watch = False, Watch(None)
        yield worker


def settle(order: bytes, asks: tuple[Wanted, ...]) -> tuple[Finding, ...]:
    """Return what is found out of claims, in the process that this runs in."""
    with at_work(order) as worker:
        return worker.run.watch.run(lambda: worker.settle(asks), worker.stop)


def look(order: bytes, part: str, depth: int) -> Finding:
    """Return a strategy of the whole game; see `Worker.look`."""
    with at_work(order) as worker:
        return worker.run.watch.run(lambda: worker.look(part, depth), worker.stop)


def stop() -> None:
    """End what runs in a thread of this process."""
    for worker in tuple(_workers.values()):
        worker.stop()
