"""What a checker of certificates knows of sets of secrets, so that a proof names only what it cannot find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from guesstree.cext import claims as kernel

from ..problem import Problem
from ..state import Ints
from .counting import Counting

AT_ONCE = 256
"""Guesses that are looked at between two moments at which the clock may end the work."""


@dataclass
class ProofPart:
    """A part that a guess leaves, and at least what it costs."""

    candidates: Ints
    depth: int
    bound: int


@dataclass
class Weak:
    """A guess that is not shown to cost enough: at least `bound` so far."""

    guess: int
    bound: int
    parts: list[ProofPart]


class Shown:
    """Bounds of sets, as a checker has them: by counting, one step ahead, and by what is proved already."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.win = problem, problem.goal == "win"
        self.counter = kernel.Counter(
            problem.table, problem.marks, problem.responses, problem.winning, problem.candidates_only
        )
        self.profile = problem.profile
        self.countings: dict[int, Counting] = {}

    def counting(self, parts: int) -> Counting:
        """Return what counting says where no guess makes more than so many parts."""
        if parts not in self.countings:
            self.countings[parts] = Counting(self.profile, parts, self.problem.secrets, win=self.win)
        return self.countings[parts]

    def depth(self, n: int, depth: int) -> int:
        """Return the guesses that can matter to n secrets (L6)."""
        return min(depth, n if self.win else n - 1)

    def remember(self, candidates: Ints, depth: int, bound: int) -> None:
        """Keep a bound that is proved."""
        self.counter.remember(candidates, depth, bound)

    def forget(self) -> None:
        """Forget what is proved."""
        self.counter.forget()


class Claim:
    """The claim that a set costs at least a bound within so many guesses, while it is proved.

    Attributes
    ----------
    weak: guesses that counting does not settle; with a first guess, that one if it does not. Those that
        `refuted` returns are left out.
    """

    def __init__(
        self,
        shown: Shown,
        candidates: Ints,
        depth: int,
        bound: int,
        first: int | None = None,
        refuted: Callable[[], Ints] = lambda: np.zeros(0, dtype=np.int32),
    ) -> None:
        self.shown, self.candidates, self.bound = shown, candidates, bound
        self.depth = shown.depth(len(candidates), depth)
        parts = shown.counter.parts(candidates)
        self.counting = shown.counting(int(parts.max()))
        self.weak: list[int] = []
        if self.counting.bound(len(candidates), self.depth) >= bound:
            return
        parts[refuted()] = 0
        if first is not None:  # others need not be looked at
            parts[np.arange(len(parts)) != first] = 0
        settled = self.counting.settled(self.depth - 1)
        weak: Ints = shown.counter.weak(
            candidates, parts, self.counting.least, self.counting.parts, settled, bound
        )
        self.weak = weak.tolist()

    def failing(self, guesses: Ints) -> list[tuple[int, int]]:
        """Return those of the guesses that are not shown to cost enough, each with what is shown of it."""
        failing: list[tuple[int, int]] = []
        for i in range(0, len(guesses), AT_ONCE):
            some = guesses[i : i + AT_ONCE]
            found, shown = self.shown.counter.failing(self.candidates, some, *self._counts(), self.bound)
            failing += zip(found.tolist(), shown.tolist(), strict=True)
        return failing

    def ask(self, guess: int, *, looking: bool = True) -> Weak | None:
        """Return what is shown of a guess, or None if that is enough; with a look ahead, or without."""
        parts = self.parts_of(guess, self.bound if looking else 0)
        total = len(self.candidates) + sum(bound for _, bound in parts)
        if total >= self.bound:
            return None
        depth = self.depth - 1
        return Weak(
            guess, total, [ProofPart(part, self.shown.depth(len(part), depth), low) for part, low in parts]
        )

    def parts_of(self, guess: int, enough: int) -> list[tuple[Ints, int]]:
        """Return the parts of a guess, the largest first, with their bounds, as far as `enough`."""
        parts: list[tuple[Ints, int]] = self.shown.counter.bounds(
            self.candidates, guess, *self._counts(), enough
        )[1]
        return parts

    def _counts(self) -> tuple[object, int, int, int, int]:
        """Return what counting says below the claim, as the kernel takes it."""
        counting, depth = self.counting, self.depth - 1
        return counting.least, counting.parts, counting.settled(depth), counting.settled(depth - 1), depth
