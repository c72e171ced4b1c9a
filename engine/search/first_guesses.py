"""The least total from below, best first at the root: cells of the most promising first guess are raised."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from typing import Generic

import numpy as np

from ..problem import Problem
from ..state import everything
from .kind import Cell, S
from .run import Run

LEAST_BUDGET = 1 << 13
"""Evaluations for one attempt to raise a cell; doubled when they did not suffice."""
FIRST_STEP = 8
"""The first attempt is to raise a cell of n secrets by n / FIRST_STEP guesses."""


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

    @property
    def least(self) -> int:
        """At least the least total, by what is known of first guesses."""
        return self.waiting[0][0] if self.waiting else 0

    def work(self) -> None:
        """Raise the least sum over first guesses until it reaches the best strategy, or the time is up."""
        run, waiting = self.run, self.waiting
        cells: dict[int, list[Raised[S]]] = {}
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
