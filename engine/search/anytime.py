"""Improving lower and upper bounds of the optimum, for games that may be far out of reach of a proof.

Strategies come first, from above: the one-step strategies, then beams of growing width. From below, the least
total is bounded best first at the root: of the first guesses that the symmetry leaves, the one that promises
the least total has one of its cells raised, again and again. A first guess costs at least the sum of what is
known of its cells, the game at least the least such sum, and a first guess whose sum reaches what a strategy
is known to take is refuted. All else goes on as `plans` says: the worst case is bounded by refuting one depth
after another; where questions cost, parts of the game that are small enough are solved exactly.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic

import numpy as np

from ..errors import SpaceError
from ..game import Game
from ..methods.valuations import VALUATIONS
from ..objective import parse_objective
from ..problem import Problem
from ..registry import game_of
from ..solution import Row, Solved
from ..state import everything
from ..support import Request, require
from .kind import LEAST_MEMORY, Cell, Room, S
from .plans import answer, improve
from .run import Run
from .solve import in_time, kind_of
from .watch import Progress, Watch

WIDTHS = (1, 3, 10, 30, 100, 300)
BEAM_SHARE = 0.5
"""The part of the time that strategies may take."""
LEAST_BUDGET = 1 << 13
"""Evaluations for one attempt to raise a cell; doubled when they did not suffice."""
FIRST_STEP = 8
"""The first attempt is to raise a cell of n secrets by n / FIRST_STEP guesses."""
COUNTED = "counting"


@dataclass
class Record(Generic[S]):
    """The rows that tell how the bounds of a run improved; each is told as it comes."""

    run: Run[S]
    improved: Callable[[Row], None] | None
    rows: list[Row]

    def add(self, how: str) -> None:
        """Add a row if a bound has improved; a lower bound above the upper one says that they have met."""
        run, part = self.run, self.run.problem.objective.figures[0]
        upper = None if run.figures is None else run.figures[part]
        lower = run.lower[part] if upper is None else min(run.lower[part], upper)
        told = run.kind.told(part, lower), None if upper is None else run.kind.told(part, upper)
        if self.rows and (self.rows[-1].lower, self.rows[-1].upper) == told:
            return
        self.rows.append(Row(run.watch.seconds, *told, how))
        if self.improved is not None:
            self.improved(self.rows[-1])


@dataclass
class Raised(Generic[S]):
    """A cell that a first guess leaves, and how attempts to raise it went.

    Attributes
    ----------
    step: guesses by which the next attempt is to raise it.
    budget: evaluations that the next attempt may take.
    rate: guesses per second that the last attempt raised it by.
    """

    cell: Cell[S]
    step: int
    budget: int = LEAST_BUDGET
    rate: float = math.inf

    @classmethod
    def of(cls, cell: Cell[S]) -> Raised[S]:
        """Return a cell that was not raised yet."""
        return cls(cell, max(1, cell.size // FIRST_STEP), LEAST_BUDGET)

    @property
    def promise(self) -> tuple[float, int]:
        """What cells are compared by: the largest promises most."""
        return self.rate, self.cell.size


def first_guesses(problem: Problem) -> list[tuple[int, int]]:
    """Return a heap of at least what each first guess takes by counting, and the guess.

    Of equivalent guesses there is one; those that tell nothing are left out.
    """
    start = everything(problem.secrets)
    if problem.first is not None:
        guesses = np.array([problem.first], dtype=np.int32)
    else:
        guesses = problem.allowed(start)
        classes = None if problem.classes is None else problem.classes(())
        if classes is not None:
            guesses = guesses[classes[guesses] == guesses]
    sizes = problem.sizes(guesses, start)
    if problem.winning >= 0:
        sizes[:, problem.winning] = 0
    telling = sizes.max(axis=1) < problem.secrets
    totals = problem.secrets + problem.least[sizes[telling]].sum(axis=1)
    waiting = list(zip(totals.tolist(), guesses[telling].tolist(), strict=True))
    heapq.heapify(waiting)
    return waiting


class FirstGuesses(Generic[S]):
    """Bound the least total best first at the root, first guess by first guess and cell by cell."""

    def __init__(self, run: Run[S]) -> None:
        self.run, self.problem = run, run.problem
        self.question = run.kind.question("total")

    def work(self) -> None:
        """Raise the least sum over first guesses until it reaches the best strategy, or the time is up."""
        run, waiting = self.run, first_guesses(self.problem)
        cells: dict[int, list[Raised[S]]] = {}
        if waiting:
            run.raise_to("total", waiting[0][0], "parts of first guesses")
        while waiting and waiting[0][0] < run.upper("total") and not run.watch.late():
            guess = waiting[0][1]
            if guess not in cells:
                found = run.kind.cells(self.question, guess)
                cells[guess] = [Raised.of(cell) for cell in found]
            elif all(raised.cell.exact for raised in cells[guess]):
                run.take(run.searcher(self.question), self.question, guess)
                return
            else:
                self.raise_one(guess, cells[guess])
            total = sum(raised.cell.paid + raised.cell.lower for raised in cells[guess])
            heapq.heapreplace(waiting, (total, guess))
            if waiting[0][0] < run.kind.infinite:
                how = f"cells of {self.problem.game.guesses[waiting[0][1]]} raised"
                run.raise_to("total", min(waiting[0][0], run.upper("total")), how)

    def raise_one(self, guess: int, cells: list[Raised[S]]) -> None:
        """Try to raise the cell of a first guess that promises most, within its budget."""
        run = self.run
        chosen = max((raised for raised in cells if not raised.cell.exact), key=lambda r: r.promise)
        cell, searcher = chosen.cell, run.searcher(self.question)
        assert cell.state is not None
        others = sum(raised.cell.paid + raised.cell.lower for raised in cells) - cell.lower
        beta = min(cell.lower + chosen.step, run.upper("total") - others)
        run.phase = f"total, cells of {self.problem.game.guesses[guess]}"
        before, since = cell.lower, run.watch.seconds
        outcome = run.search(searcher, cell.state, beta, chosen.budget)
        cell.lower = max(cell.lower, outcome.lower)
        cell.exact = not outcome.ended and outcome.lower < beta
        chosen.rate = max(cell.lower - before, 0.5) / max(run.watch.seconds - since, 1e-6)
        if outcome.ended:
            chosen.budget, chosen.step = 2 * chosen.budget, max(1, chosen.step // 2)
        else:
            chosen.step *= 2


def strategies(run: Run[S]) -> None:
    """Try the one-step strategies, then beams; the best is kept."""
    part = run.problem.objective.figures[0]
    run.start(VALUATIONS if run.kind.one_step else ())
    for width in WIDTHS:
        if width > len(run.problem.own) or run.settled(part) or run.watch.late():
            return
        improve(run, width)


def bounds(
    game: Game | str,
    objective: str = "expected",
    *,
    time_limit: float = 60.0,
    goal: str | None = None,
    max_depth: int | None = None,
    first: str | None = None,
    candidates_only: bool = False,
    memory: int | None = None,
    jobs: int = 1,
    lies: int = 0,
    progress: Callable[[Progress], None] | None = None,
    improved: Callable[[Row], None] | None = None,
) -> Solved:
    """Improve bounds of the optimum from both sides until they meet or the time is up.

    The `rows` of the solution tell how they improved.

    Parameters
    ----------
    game: a game, or the spec of one, such as ``mastermind:5x8``.
    objective: ``expected`` or ``worst``.
    time_limit: seconds; Ctrl-C ends the work too.
    goal, max_depth, first, candidates_only, memory, jobs, lies, progress: see `solve`.
    improved: called with each row as it comes, by the thread that searches.

    Where there is no memory for a search, strategies are those one step ahead, and lower bounds those of
    counting.

    Raises Infeasible when there is no strategy, or none was found in time; GuesstreeError for bad arguments,
    SpaceError for a game that does not fit in memory.
    """
    game, asked = game_of(game), parse_objective(objective)
    require(Request(game, asked.name, bounds=True, lies=lies, jobs=jobs, time_limit=time_limit))
    watch, record = Watch(time_limit), list[Row]()

    def begin() -> Run[Any]:
        problem = Problem(
            game, asked, goal=goal, max_depth=max_depth, first=first, candidates_only=candidates_only
        )
        require(replace(problem.asked, lies=lies))
        try:
            room = Room.of(problem, jobs, memory, lies)
        except SpaceError:
            little = memory is not None and memory < LEAST_MEMORY
            if little or lies or not problem.listed or not problem.tableless:
                raise
            room = Room(0, tabled=False, jobs=jobs)
        return Run(kind_of(problem, lies), room, watch, progress)

    def work(run: Run[Any]) -> None:
        run.noted = Record(run, improved, record).add
        run.noted(COUNTED)
        if not run.room.memory:
            run.start(VALUATIONS)
            return
        if not run.kind.takes_turns:
            with run.within(BEAM_SHARE * time_limit):
                strategies(run)
        if not run.watch.stopped and not run.settled(run.part):
            if run.kind.decides and run.part == "total":
                FirstGuesses(run).work()
            else:
                answer(run)

    return replace(in_time(watch, game, begin, work).conclude(), rows=tuple(record))
