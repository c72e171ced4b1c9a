"""What a checker of certificates knows of sets of secrets, so that a proof names only what it cannot find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from guesstree.cext import claims as kernel

from .problem import Problem
from .state import Ints

AT_ONCE = 256
"""Guesses that are looked at between two moments at which the clock may end the work."""


def checker_of(problem: Problem) -> Any:
    """Return what a checker knows of a game before anything is proved."""
    rules, words = "", None
    if problem.rules is not None and problem.rules.checked:
        rules = problem.rules.checked
        texts = [*problem.game.guesses, *problem.game.secrets]
        words = np.array([list(text.encode("ascii")) for text in texts], dtype=np.uint8)
    return kernel.Checker(
        problem.table,
        problem.marks,
        problem.responses,
        problem.winning,
        problem.candidates_only,
        rules,
        words,
    )


@dataclass
class ProofPart:
    """A part that a guess leaves, and at least what it costs.

    Attributes
    ----------
    under: the number of what the history demands of guesses, as the checker has it; 0: nothing.
    """

    candidates: Ints
    depth: int
    bound: int
    under: int = 0


@dataclass
class Weak:
    """A guess that is not shown to cost enough: at least `bound` so far."""

    guess: int
    bound: int
    parts: list[ProofPart]


class Claim:
    """The claim that a set costs at least a bound within so many guesses, while it is proved.

    Attributes
    ----------
    weak: guesses that counting does not settle; with a first guess, that one if it does not. Those that
        `refuted` returns are left out.
    """

    def __init__(
        self,
        checker: Any,
        candidates: Ints,
        depth: int,
        bound: int,
        first: int | None = None,
        refuted: Callable[[], Ints] = lambda: np.zeros(0, dtype=np.int32),
        under: int = 0,
    ) -> None:
        self.checker, self.candidates, self.bound, self.under = checker, candidates, bound, under
        self.claimed = kernel.Claim(checker, candidates, depth, bound, first, under)
        self.depth: int = self.claimed.depth
        self.weak: list[int] = []
        if self.counted(len(candidates), self.depth) < bound:
            self.weak = self.claimed.unsettled(refuted()).tolist()

    def counted(self, n: int, depth: int) -> int:
        """Return at least what n secrets of the set cost within so many guesses, by counting (L3)."""
        counted: int = self.claimed.counted(n, depth)
        return counted

    def failing(self, guesses: Ints) -> list[tuple[int, int]]:
        """Return those of the guesses that are not shown to cost enough, each with what is shown of it."""
        failing: list[tuple[int, int]] = []
        for i in range(0, len(guesses), AT_ONCE):
            found, shown = self.claimed.failing(guesses[i : i + AT_ONCE])
            failing += zip(found.tolist(), shown.tolist(), strict=True)
        return failing

    def ask(self, guess: int, *, looking: bool = True) -> Weak | None:
        """Return what is shown of a guess, or None if that is enough; with a look ahead, or without."""
        parts = self.parts_of(guess, self.bound, looking=looking)
        total = len(self.candidates) + sum(bound for _, bound in parts)
        if total >= self.bound:
            return None
        depth = self.depth - 1
        found = [
            ProofPart(
                part,
                self.checker.depth(len(part), depth),
                low,
                self.checker.demanded(self.under, guess, int(part[0])),
            )
            for part, low in parts
        ]
        return Weak(guess, total, found)

    def parts_of(self, guess: int, enough: int, *, looking: bool = True) -> list[tuple[Ints, int]]:
        """Return the parts of a guess, the largest first, with their bounds, as far as `enough`."""
        parts: list[tuple[Ints, int]] = self.claimed.parts_of(guess, enough, looking)
        return parts
