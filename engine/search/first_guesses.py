"""The least total from below, best first at the root: a look ahead, then cells are raised.

A strategy asks some first guess, and costs at least what all secrets pay for it and the sum of what is known
of the cells that it leaves. So the least of these sums over all first guesses bounds the total, whichever of
them were looked at: L1, and L5 for the cells, in verify/LEMMAS.md; guesses that the symmetry makes equal have
equal sums, L8. Certificates show that much without a lemma.
"""

from __future__ import annotations

import heapq
import math
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Generic

import numpy as np

from ..errors import SpaceError
from ..problem import Problem
from ..proofs.claims import Claim, Shown
from ..solution import Found
from ..state import everything
from .kind import LEAST_MEMORY, Cell, Kind, Room, S
from .run import Run
from .watch import TimeUp, Watch

LEAST_BUDGET = 1 << 13
"""Evaluations for one attempt to raise a cell; doubled when they did not suffice."""
FIRST_STEP = 8
"""The first attempt is to raise a cell of n secrets by n / FIRST_STEP guesses."""
LOOKS = 16
"""First guesses that are looked at before a search, at most."""
LOOK_SHARE = 0.25
"""Of the time that is left, or that a long search has taken: for a look ahead, at most."""
MOST_RESPONSES, MOST_CELLS = 255, 1 << 27
"""Of tables that are looked at as a checker does, which takes a table more."""
QUICK = 1 << 22
"""Cells of a table; with fewer, a look ahead takes no time, and is left to the end of a search that is
stopped."""


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
        self.waiting = first_guesses(run.problem)
        self.cells: dict[int, list[Raised[S]]] = {}  # of first guesses, as far as they were looked at

    @property
    def least(self) -> int:
        """At least the least total, by what is known of first guesses."""
        return self.waiting[0][0] if self.waiting else 0

    def work(self) -> None:
        """Raise the least sum over first guesses until it reaches the best strategy, or the time is up."""
        run, waiting, cells = self.run, self.waiting, self.cells
        if waiting:
            run.raise_to("total", min(self.least, run.upper("total")), "parts of first guesses")
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

    def look(self, most: int) -> None:
        """Raise the least sum by a look at the cells of the weakest first guesses, `most` of them or fewer.

        The searcher is one of its own: what others remember and count is as without the look. What a
        certificate would show is looked at, too: now the one says more, now the other.
        """
        run, waiting, kind = self.run, self.waiting, self.run.kind
        searcher = kind.searcher(self.question, replace(run.room, memory=LEAST_MEMORY, jobs=1))
        claim = claim_of(self.problem, min(run.upper("total"), kind.infinite - 1))
        while waiting and most and self.least < run.upper("total") and not run.watch.late():
            guess = waiting[0][1]
            if guess in self.cells:
                break
            cells = kind.cells(self.question, guess)
            for cell in cells:
                if not run.watch.late():
                    cell.look(kind, searcher)
            total = sum(cell.paid + cell.lower for cell in cells)
            if claim is not None and not run.watch.late():
                weak = claim.ask(guess)
                total = max(total, claim.bound if weak is None else weak.bound)
            self.cells[guess], most = [Raised.of(cell) for cell in cells], most - 1
            heapq.heapreplace(waiting, (min(total, kind.infinite), guess))
        counted = 0 if claim is None else claim.counting.bound(self.problem.secrets, claim.depth)
        if max(self.least, counted) < kind.infinite:
            run.raise_to("total", min(max(self.least, counted), run.upper("total")), "one step ahead")

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


def claim_of(problem: Problem, bound: int) -> Claim | None:
    """Return the claim that the game costs so much, as a checker sees it; None: its table is too large."""
    if problem.responses > MOST_RESPONSES or cells_of(problem) > MOST_CELLS:
        return None
    return Claim(Shown(problem), everything(problem.secrets), problem.max_depth, bound)


def firsts_of(run: Run[S]) -> FirstGuesses[S]:
    """Return what is known of the first guesses of a run."""
    run.firsts = run.firsts or FirstGuesses(run)
    found: FirstGuesses[S] = run.firsts
    return found


def look_ahead(run: Run[S], most: int = LOOKS) -> None:
    """Raise the least total to what a look ahead shows of first guesses, where it is asked for.

    What a look at some of them shows is kept for the next one.
    """
    if may_look(run):
        firsts_of(run).look(most)


def may_look(run: Run[S]) -> bool:
    """Return whether a look ahead may say something: only where each guess counts 1, by a table."""
    asked = "total" in run.problem.objective.figures
    return run.kind.looks and asked and run.room.tabled and not run.settled("total")


def look_first(run: Run[S]) -> None:
    """Look ahead before the search of a game that is large enough for it to be stopped."""
    if may_look(run) and cells_of(run.problem) >= QUICK:
        _ = run.problem.table  # it takes time that is not for the look alone
        with run.within(LOOK_SHARE * run.watch.left):
            look_ahead(run)


def look_longer(run: Run[S]) -> None:
    """Look ahead where a search turns out to be long."""
    with run.within(LOOK_SHARE * min(run.watch.left, run.watch.seconds)):
        look_ahead(run, run.problem.secrets)


def look_last(run: Run[S]) -> None:
    """Look ahead where next to no time is needed for it: when a search has ended without a proof."""
    if may_look(run) and cells_of(run.problem) < QUICK:
        whole, run.watch = run.watch, run.watch.grace()
        try:
            with suppress(TimeUp):
                run.watch.run(lambda: look_ahead(run), lambda: None)
        finally:
            run.watch = whole


def known_beside(kind: Kind[S], found: Found, watch: Watch) -> dict[str, int]:
    """Return at least what each part of the objective is, where a strategy was found without a search."""
    if not kind.looks:
        return kind.counted()
    try:
        run = Run(kind, Room.of(kind.problem, 1, None), watch)
    except SpaceError:
        return kind.counted()
    run.offer(found)
    look_last(run)
    look_longer(run)
    return run.lower


def cells_of(problem: Problem) -> int:
    """Return the size of the table of responses."""
    return problem.secrets * len(problem.game.guesses)
