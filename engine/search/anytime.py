"""Improving lower and upper bounds of the optimum, for games that may be far out of reach of a proof.

Strategies come first, from above: the one-step strategies, then beams of growing width. From below, the least
total is bounded best first at the root: of the first guesses that the symmetry leaves, the one that promises
the least total has one of its cells raised, again and again. A first guess costs at least the sum of what is
known of its cells, the game at least the least such sum, and a first guess whose sum reaches what a strategy
is known to take is refuted. The worst case is bounded by refuting one depth after another.

Where secrets have weights or questions costs, the search of `search.priced` is watched: from above, what it
finds and what the one-step strategies cost; from below, the least bound of the first guesses that are left.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from guesstree.cext import counted

from ..game import Game
from ..methods.greedy import OneStep
from ..methods.ranking import Method
from ..methods.valuations import VALUATIONS
from ..objective import OBJECTIVES, parse_objective
from ..problem import Problem
from ..solution import Found, Solution
from ..state import Ints, everything
from ..support import Request, require
from .priced import PricedRun, solve_priced
from .solve import Progress, Run, room_for
from .watch import Watch

WIDTHS = (1, 3, 10, 30, 100, 300)
BEAM_SHARE = 0.5
"""The part of the time that strategies may take."""
LEAST_BUDGET = 1 << 13
"""Evaluations for one attempt to raise a cell; doubled when they did not suffice."""
FIRST_STEP = 8
"""The first attempt is to raise a cell of n secrets by n / FIRST_STEP guesses."""
COUNTED = "counting"


@dataclass(frozen=True)
class Row:
    """What was known of the optimum at one time.

    Attributes
    ----------
    seconds: wall-clock time since the beginning.
    lower: at least the optimum.
    upper: what the best strategy takes, or None when none is known yet.
    how: what improved a bound.
    """

    seconds: float
    lower: int
    upper: int | None
    how: str

    @property
    def gap(self) -> float | None:
        """How far the strategy may be above the optimum, as a part of the lower bound; None: unknown."""
        if self.upper is None or (self.lower == 0 < self.upper):
            return None
        return (self.upper - self.lower) / max(self.lower, 1)


@dataclass(frozen=True)
class Bounds:
    """The best strategy with its bounds, and how they improved."""

    solution: Solution
    rows: tuple[Row, ...]


@dataclass
class Cell:
    """A part that a first guess leaves, with at least what it costs.

    Attributes
    ----------
    exact: whether `lower` is exactly what it costs.
    step: guesses by which the next attempt is to raise it.
    budget: evaluations that the next attempt may take.
    rate: guesses per second that the last attempt raised it by.
    """

    members: Ints
    lower: int
    exact: bool
    step: int
    budget: int = LEAST_BUDGET
    rate: float = math.inf

    @property
    def promise(self) -> tuple[float, int]:
        """What cells are compared by: the largest promises most."""
        return self.rate, len(self.members)


@dataclass
class Record:
    """The rows that tell how bounds improved; each is told as it comes."""

    improved: Callable[[Row], None] | None
    rows: list[Row] = field(default_factory=list)

    def add(self, seconds: float, lower: int, upper: int | None, how: str) -> None:
        """Add a row if a bound has improved; a lower bound above the upper one says that they have met."""
        row = Row(seconds, lower if upper is None else min(lower, upper), upper, how)
        if self.rows and (self.rows[-1].lower, self.rows[-1].upper) == (row.lower, row.upper):
            return
        self.rows.append(row)
        if self.improved is not None:
            self.improved(row)


class Anytime:
    """A run with bounds that are true at every moment, and the rows that tell how they improved."""

    def __init__(self, run: Run, record: Record) -> None:
        self.run, self.problem, self.record = run, run.problem, record
        self.total = self.problem.objective == OBJECTIVES["expected"]
        self.lower = int(self.problem.least[-1]) if self.total else self.problem.least_depth

    @property
    def upper(self) -> int | None:
        """What the best strategy takes, or None when there is none yet."""
        best = self.run.best
        return None if best is None else best.total if self.total else best.worst

    @property
    def cut(self) -> int:
        """What a better strategy takes less than; INFINITE when there is none yet."""
        return counted.INFINITE if self.upper is None else self.upper

    @property
    def settled(self) -> bool:
        """Whether the best strategy is proven optimal."""
        return self.lower >= self.cut

    def note(self, how: str) -> None:
        """Record a row if a bound has improved."""
        self.record.add(self.run.watch.seconds, self.lower, self.upper, how)

    def raise_to(self, lower: int, how: str) -> None:
        """Record a lower bound; it counts only when it is better."""
        self.lower = max(self.lower, lower)
        self.note(how)

    # -- from above ------------------------------------------------------------------------------------

    def strategies(self) -> None:
        """Try the one-step strategies, then beams; the best is kept."""
        self.note(COUNTED)
        for name in VALUATIONS:
            self.run.play(name)
            self.note(name)
            if self.settled or self.run.watch.late():
                return
        for width in WIDTHS:
            if width > len(self.problem.own) or self.settled or self.run.watch.late():
                return
            self.run.improve(width, partial(self.note, f"beam {width}"))

    # -- from below ------------------------------------------------------------------------------------

    def refute(self) -> None:
        """Raise the lower bound: of the total, cell by cell; of the worst case, depth by depth."""
        if self.settled:
            return
        if self.total:
            self.raise_cells()
            return
        lower = self.run.least_depth(lambda depth: self.raise_to(depth + 1, f"depth {depth} refuted"))
        self.raise_to(lower, f"depth {lower}")

    def raise_cells(self) -> None:
        """Raise the least sum over first guesses until it reaches the best strategy, or the time is up."""
        waiting = self.first_guesses()
        cells: dict[int, list[Cell]] = {}
        if waiting:
            self.raise_to(waiting[0][0], "parts of first guesses")
        while waiting and waiting[0][0] < self.cut and not self.run.watch.late():
            guess = waiting[0][1]
            if guess not in cells:
                cells[guess] = self.cells_of(guess)
            elif all(cell.exact for cell in cells[guess]):
                self.reach(guess)
                return
            else:
                self.raise_one(guess, cells[guess])
            total = self.problem.secrets + sum(cell.lower for cell in cells[guess])
            heapq.heapreplace(waiting, (total, guess))
            if waiting[0][0] < counted.INFINITE:
                self.raise_to(waiting[0][0], f"cells of {self.problem.game.guesses[guess]} raised")

    def first_guesses(self) -> list[tuple[int, int]]:
        """Return a heap of at least what each first guess costs by counting, and the guess.

        Of equivalent guesses there is one; those that tell nothing are left out.
        """
        problem, start = self.problem, everything(self.problem.secrets)
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

    def cells_of(self, guess: int) -> list[Cell]:
        """Return the cells of a first guess with what counting says of them."""
        members, bounds, _ = self.run.cells_of(guess, self.problem.max_depth, 1)
        return [
            Cell(cell, bound, bound >= counted.INFINITE, max(1, len(cell) // FIRST_STEP))
            for cell, bound in zip(members, bounds, strict=True)
        ]

    def raise_one(self, guess: int, cells: list[Cell]) -> None:
        """Try to raise the cell of a first guess that promises most, within its budget."""
        run, depth = self.run, self.problem.max_depth - 1
        cell = max((cell for cell in cells if not cell.exact), key=lambda cell: cell.promise)
        others = self.problem.secrets + sum(c.lower for c in cells) - cell.lower
        beta = min(cell.lower + cell.step, self.cut - others)
        run.phase, run.offset = f"total, cells of {self.problem.game.guesses[guess]}", others
        searching = run.searcher(1)
        counters = searching[1]
        counters[counted.STOP] = 0
        counters[counted.BUDGET] = counters[counted.EVALUATIONS] + cell.budget
        before, since = cell.lower, run.watch.seconds
        cell.lower, cell.exact = run.raised(searching, cell.members, before, depth, beta, guess)
        cell.rate = max(cell.lower - before, 0.5) / max(run.watch.seconds - since, 1e-6)
        if counters[counted.STOP]:
            cell.budget, cell.step = 2 * cell.budget, max(1, cell.step // 2)
        else:
            cell.step *= 2

    def reach(self, guess: int) -> None:
        """Take the strategy behind the least sum, all of which is exact: it is optimal."""
        run = self.run
        run.offer(run.extract(run.searcher(1), self.problem.max_depth, guess))
        self.note(f"best strategy after {self.problem.game.guesses[guess]}")

    # -- both ------------------------------------------------------------------------------------------

    def work(self, time_limit: float) -> None:
        """Improve the bounds until they meet or the time is up (seconds)."""
        with within(self.run, BEAM_SHARE * time_limit):
            self.strategies()
        if not self.run.watch.stopped:
            self.refute()

    def report(self, progress: Callable[[Progress], None]) -> Callable[[Progress], None]:
        """Return a callback that tells what is known of the game, not of the part being searched."""
        return lambda seen: progress(replace(seen, lower=self.lower, upper=self.upper, first=""))


class PricedAnytime(PricedRun):
    """A search for costs with bounds that are true at every moment, and the rows that tell of them."""

    def __init__(self, problem: Problem, time_limit: float, memory: int, record: Record) -> None:
        super().__init__(problem, Watch(time_limit), self.seen, memory)
        self.record, self.time_limit = record, time_limit
        self.report: Callable[[Progress], None] | None = None
        self.lower = self.prices.counted()[0]
        self.phase = COUNTED

    def note(self) -> None:
        """Record a row if a bound has improved."""
        upper = None if self.figures is None else self.figures.value(self.problem.objective.parts)[0]
        self.record.add(self.watch.seconds, self.lower, upper, self.phase)

    def offer(self, found: Found) -> None:
        """Keep a strategy if it is better than the best so far."""
        super().offer(found)
        self.note()

    def seen(self, progress: Progress) -> None:
        """Take over what the search knows."""
        self.lower = max(self.lower, progress.lower)
        self.note()
        if self.report is not None:
            upper = self.record.rows[-1].upper
            self.report(replace(progress, lower=self.lower, upper=upper))

    def start(self) -> None:
        """Begin with what looks best one step ahead, and with the one-step strategies."""
        self.note()
        self.phase = "one step ahead"
        super().start()
        with within(self, BEAM_SHARE * self.time_limit):
            for name in VALUATIONS:
                if self.watch.late():
                    return
                self.phase = name
                player = OneStep(self.problem, Method(name))
                found = self.watch.run(player.play_out, player.stop)
                if found is not None:
                    self.offer(found)

    def bounds(self) -> Bounds:
        """Search until the bounds meet or the time is up."""
        solution = solve_priced(self)
        self.lower = max(self.lower, solution.lower[0])
        self.note()
        return Bounds(solution, tuple(self.record.rows))


@contextmanager
def within(run: Run | PricedRun, seconds: float) -> Iterator[None]:
    """Let what a run does end after some seconds, sooner than its own clock says; an interrupt stays."""
    whole = run.watch
    run.watch = Watch(seconds)
    run.watch.started = whole.started  # rows go on telling the time since the beginning
    try:
        yield
    finally:
        if run.watch.stopped == "interrupt":
            whole.stopped = "interrupt"
        run.watch = whole


def bounds(
    game: Game,
    objective: str = "expected",
    *,
    time_limit: float,
    goal: str | None = None,
    max_depth: int | None = None,
    first: str | None = None,
    candidates_only: bool = False,
    memory: int | None = None,
    jobs: int = 1,
    progress: Callable[[Progress], None] | None = None,
    improved: Callable[[Row], None] | None = None,
) -> Bounds:
    """Improve bounds of the optimum from both sides until they meet or the time is up.

    Parameters
    ----------
    objective: ``expected`` or ``worst``.
    time_limit: seconds; Ctrl-C ends the work too.
    goal, max_depth, first, candidates_only: see `Problem`; memory, jobs, progress: see `search.solve`.
    improved: called with each row as it comes.

    Raises Infeasible when there is no strategy, or none was found in time; GuesstreeError for bad arguments,
    SpaceError for a game that does not fit in memory.
    """
    asked = parse_objective(objective)
    require(Request(game, asked.name, bounds=True, jobs=jobs, time_limit=time_limit))
    problem = Problem(
        game, asked, goal=goal, max_depth=max_depth, first=first, candidates_only=candidates_only
    )
    problem.require_distinct()
    record = Record(improved)
    if problem.priced:
        priced = PricedAnytime(problem, time_limit, room_for(problem, 1, memory)[0], record)
        priced.report = progress
        return priced.bounds()
    run = Run(problem, time_limit, None, jobs, memory)
    anytime = Anytime(run, record)
    run.progress = None if progress is None else anytime.report(progress)
    try:
        anytime.work(time_limit)
    except KeyboardInterrupt:  # between two searches; during one it ends the search
        run.watch.stopped = "interrupt"
    return Bounds(run.conclude((anytime.lower,)), tuple(record.rows))
