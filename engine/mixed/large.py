"""Bounds of the value of a game with very many orbits of secrets, such as Wordle on its own lists.

The program is solved in doubles there, and the strategies come from a book (`book.Book`). What the breaker's
mixture pays is then counted exactly, with probabilities that are fractions, so it is at most the value that
is said. At least it is what the best strategy pays where all secrets are drawn alike, which a search proves.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..search.deadline import Progress
from .book import Book, Line
from .float_game import FloatGame
from .plan import Plan
from .rounds import Rounds

STEPS = (0.1, 0.3, 1.0)
"""How much of the program's mixture, the rest the best one of the book so far, is answered."""
EVERYONE = 1e-5
"""Of each mixture the share in which all secrets are drawn alike, so that none is forgotten."""
WIDTH = 10
"""Guesses tried in each state for the first strategy."""
MOST_LINES = 600
"""Strategies of the program, at most: its work grows with their square."""
BETWEEN = 10
"""How often the program is answered before the book grows."""
CLOSE, PATIENCE = 1e-4, 5
"""What a growth has to gain, in units of cost, and how often it may fail to."""
SHARE = 0.4
"""The share of the time that is left that it takes at most to write the book, and then to mix; a search of
all secrets takes the rest."""


class LargeRounds(Rounds):
    """Rounds of a game with very many orbits; see the top of the file."""

    matrix_game = FloatGame

    def work(self, options: dict[str, Any]) -> None:
        """Mix strategies of a book, then search for the best answer to all secrets drawn alike."""
        self.lines: dict[int, Line] = {}
        self.book: Book | None = None
        everyone = [1] * len(self.sizes)
        self.try_weights(everyone, options | {"width": WIDTH})
        self.uniform = self.lower, Fraction(int(self.plans[0].paid.sum()), self.problem.secrets)
        if self.problem.rules is None and not self.stopped:
            self.mix()
        if not self.stopped:
            self.try_weights(everyone, options)
            self.uniform = self.lower, self.uniform[1]
        self.stopped = self.stopped or "strategies"

    def late(self, share: float) -> Callable[[], bool]:
        """Return what tells whether this share of the time that is left now is over."""
        end = self.clock.seconds + share * self.clock.left
        return lambda: self.clock.seconds > end

    def mix(self) -> None:
        """Add strategies of a book to the program, and guesses to the book, until the time for them is up."""
        self.book = Book(self.problem, self.late(SHARE))
        late = self.late(SHARE)
        since = 0
        while len(self.lines) < MOST_LINES and not late():
            before = self.upper
            self.settle(late)
            assert self.upper is not None and before is not None
            since = since + 1 if before - self.upper < CLOSE else 0
            if since > PATIENCE:
                return
            shares = self.shares()
            weights = shares * (1 - EVERYONE) + EVERYONE / self.problem.secrets
            self.book.grow(self.book.answer(weights), weights, late)

    def shares(self) -> NDArray[np.float64]:
        """Return how likely each secret is in the mixture of the program, about."""
        return np.array([float(share) for share in self.program.maker()])[self.member]

    def settle(self, late: Callable[[], bool]) -> None:
        """Add strategies of the book as it is until none helps."""
        assert self.book is not None
        secrets = self.problem.secrets
        best, least = np.full(secrets, 1 / secrets), 0.0
        for _ in range(BETWEEN):
            if len(self.lines) >= MOST_LINES or late():
                return
            shares, helped = self.shares(), False
            for step in STEPS:
                mixture = (1 - step) * best + step * shares
                line = self.book.answer(mixture * (1 - EVERYONE) + EVERYONE / secrets)
                pays = float(mixture @ line.paid)
                if pays > least:
                    best, least = mixture, pays
                number = len(self.plans)
                self.lines[number] = line  # before it is learned: Ctrl-C may come at any time
                if self.learn(Plan({}, line.paid)):
                    helped = True
                else:
                    del self.lines[number]
            if not helped:
                return
            if self.progress is not None:
                self.report(Progress("", 0, 0, 0, None, "", 0.0))

    @property
    def played(self) -> list[tuple[Plan, Fraction]]:
        """The strategies that are played at all, with their probabilities."""
        found = []
        for number, (plan, p) in enumerate(zip(self.plans, self.program.breaker(), strict=False)):
            if p:
                line = self.lines.get(number)
                found.append((plan if line is None or self.book is None else self.book.plan(line), p))
        return found
