"""Tests that split the weights of causes: a state is what was asked and answered, see `masses.model`.

The search is in `masses.search`, with its proofs. It answers what the least expected cost is, and the least
worst case. It counts in units that break no mass (`masses.scaled`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from guesstree.cext import Outcome

from ..errors import GameError
from ..masses.scaled import MassState, Scaled, bits
from ..masses.search import INFINITE, Expected, Lookahead, Worst
from ..problem import Problem
from ..solution import Figures, Found, history_key
from ..state import Ints
from .kind import Cell, Kind, Question, Room

LOOK = 1 << 8, 1 << 11
"""Evaluations before better strategies are sought: with a time limit, and without."""


@dataclass(frozen=True, eq=False)
class Answered:
    """What is known after some tests and answers, and how many tests are left."""

    known: MassState
    depth: int
    history: tuple[tuple[int, int], ...] = ()

    @cached_property
    def candidates(self) -> Ints:
        """The causes still possible."""
        return np.fromiter(bits(self.known.members), dtype=np.int32)

    @property
    def key(self) -> bytes:
        """The tests and their answers."""
        return history_key(self.history)


class Masses(Kind[Answered]):
    """States and search where tests may get several answers. Raises GameError where there is no strategy."""

    infinite = INFINITE
    decides = False
    one_step = False

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        assert problem.game.model is not None
        self.model = problem.game.model
        if not self.model.cliques:
            self._require_separable()
        self.scaled = Scaled(self.model)
        self.most = self.scaled.tests
        if self.scaled.root().mass * sum(self.scaled.prices) >= INFINITE:
            raise GameError(
                f"{problem.game.spec}: the odds of {self.most} tests come to numbers of more than "
                f"{INFINITE.bit_length() - 1} bits; expected fewer decimals, or fewer tests with odds"
            )

    def _require_separable(self) -> None:
        """Raise GameError that names two causes which may get the same answer to every test."""
        game = self.problem.game
        same = [
            pair
            for pair in combinations(range(len(self.model.weights)), 2)
            if pair[1] in self.model.overlaps[pair[0]]
        ]
        if same:
            one, other = (game.secrets[cause] for cause in same[0])
            many = f"{len(same)} such pairs" if len(same) > 1 else "the only such pair"
            raise GameError(
                f"{game.spec}: {one!r} and {other!r} may get the same answer to every test ({many}); "
                "expected a test that tells them apart, or ambiguous=clique (they may be named together)"
            )

    @property
    def look(self) -> tuple[int, int]:
        """See `Kind`."""
        return LOOK

    def unit(self, part: str) -> int:
        """Return what 1 is counted as: masses and prices are not broken."""
        return self.scaled.coin * (self.scaled.unit if part == "total" else 1)

    def question(self, part: str, limit: int | None = None) -> Question:
        """Return the question for the least of a part, where no path costs more than the limit."""
        return Question(part, self.most, -1 if limit is None else limit)

    def mode(self, question: Question) -> Hashable:
        """Return the part that is asked for: masses matter to one alone."""
        return question.part

    def searcher(self, question: Question, room: Room, width: int = 0) -> Lookahead:
        """Return a new searcher; with a width it tries so many tests of a state at most."""
        kind = Expected if question.part == "total" else Worst
        return kind(self.scaled, width, room.memory)

    def root(self, question: Question) -> Answered:
        """Return the state before the first test."""
        return Answered(self.scaled.root()._replace(left=question.left), question.depth)

    def search(self, searcher: Any, state: Answered, beta: int, budget: int) -> Outcome:
        """Search a state for a value below beta, with so many evaluations at most (0: any number)."""
        found: Outcome = searcher.search(state.known, beta, budget)
        return found

    def bound(self, searcher: Any, state: Answered) -> tuple[int, bool]:
        """Return at least the value of a state, by what is remembered, and whether it is exactly that."""
        lower, exact = searcher.bound(searcher.seen_by(state.known))
        return int(lower), bool(exact)

    def choice(self, searcher: Any, state: Answered) -> int:
        """Return the test that reaches the value just found; raise ValueError when it is not known."""
        return int(searcher.choice(state.known))

    def paid(self, state: Answered, guess: int) -> int:
        """See `Kind`."""
        return self.scaled.prices[guess] * state.known.mass

    def finished(self, state: Answered) -> bool:
        """Return whether nothing is left to ask."""
        return self.scaled.settled(state.known.members)

    def children(self, state: Answered, guess: int) -> Iterator[Answered]:
        """Yield the states after each answer to a test."""
        for answer, part in self.scaled.parts[guess]:
            if part & state.known.members:
                known = self.scaled.after(state.known, guess, answer, part & state.known.members)
                yield Answered(known, state.depth - 1, (*state.history, (guess, answer)))

    def cells(self, question: Question, guess: int) -> list[Cell[Answered]]:
        """Return the parts that a first test leaves, largest first."""
        price, cells = self.scaled.prices[guess], []
        for child in self.children(self.root(question), guess):
            paid = price * (child.known.mass if question.part == "total" else 1)
            cells.append(Cell(None if self.finished(child) else child, paid, exact=self.finished(child)))
        return sorted(cells, key=lambda cell: -cell.size)

    def figures(self, found: Found) -> Figures:
        """Return what a strategy takes, from its choices alone."""
        total = worst = depth = 0
        waiting: list[tuple[Answered, int]] = [(Answered(self.scaled.root(), self.most), 0)]
        while waiting:
            state, paid = waiting.pop()
            if self.finished(state):
                total, worst = total + paid * state.known.mass, max(worst, paid)
                depth = max(depth, len(state.history))
                continue
            guess = found.choices[state.key]
            paid += self.scaled.prices[guess]
            waiting += [(child, paid) for child in self.children(state, guess)]
        return Figures(total, worst, 0, 0, depth)

    def counted(self) -> dict[str, int]:
        """Return at least what each part of the objective is, without a look at any test."""
        root = self.scaled.root()
        if self.scaled.settled(root.members):
            return {"total": 0, "worst": 0}
        branches, price = max(map(len, self.scaled.parts)), min(self.scaled.prices)
        kinds: Iterable[tuple[str, Lookahead]] = (
            ("total", Expected(self.scaled)),
            ("worst", Worst(self.scaled)),
        )
        return {part: one.static(one.seen_by(root), branches, price) for part, one in kinds}
