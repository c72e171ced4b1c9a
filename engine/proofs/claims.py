"""What a checker of certificates knows of sets of secrets, so that a proof names only what it cannot find."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import claims as kernel

from ..problem import Problem
from ..state import Ints, split
from .counting import Counting


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
    parts: list[ProofPart] = field(default_factory=list)


class Shown:
    """Bounds of sets, as a checker has them: by counting, one step ahead, and by what is proved already."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.win = problem, problem.goal == "win"
        self.counter = kernel.Counter(problem.table, problem.own, problem.responses, problem.winning)
        self.profile = problem.profile
        self.countings: dict[int, Counting] = {}
        self.proved: dict[bytes, list[tuple[int, int]]] = {}
        self.stepped: dict[tuple[bytes, int, int], int] = {}

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
        self.proved.setdefault(candidates.tobytes(), []).append((self.depth(len(candidates), depth), bound))

    def known(self, candidates: Ints, depth: int) -> int:
        """Return the best bound proved of exactly this set with so many guesses left."""
        depth = self.depth(len(candidates), depth)
        return max((b for d, b in self.proved.get(candidates.tobytes(), ()) if d == depth), default=0)

    def ahead(self, candidates: Ints, depth: int, counting: Counting) -> int:
        """Return at least what a set costs, one step ahead (L5), by what counting says of a set around it."""
        n = len(candidates)
        depth = self.depth(n, depth)
        key = candidates.tobytes(), depth, counting.parts
        if key not in self.stepped:
            self.stepped[key] = self._ahead(candidates, n, depth, counting)
        return self.stepped[key]

    def _ahead(self, candidates: Ints, n: int, depth: int, counting: Counting) -> int:
        parts = self.counter.parts(candidates)
        most = int(parts.max())
        floor = counting.bound(n, depth)
        if floor >= kernel.INFINITE or depth < 1:
            return kernel.INFINITE
        costs = counting.of_sizes(n, depth - 1)
        return int(self.counter.least(candidates, parts, costs, counting.even(costs, n, most), floor))


class Claim:
    """The claim that a set costs at least a bound within so many guesses, while it is proved."""

    def __init__(
        self, claims: Shown, candidates: Ints, depth: int, bound: int, first: int | None = None
    ) -> None:
        self.claims, self.candidates, self.bound = claims, candidates, bound
        self.depth = claims.depth(len(candidates), depth)
        self.parts = claims.counter.parts(candidates)
        self.most = int(self.parts.max())
        self.counting = claims.counting(self.most)
        self.weak: list[int] = []
        n = len(candidates)
        if self.counting.bound(n, self.depth) >= bound:
            return
        costs = self.counting.of_sizes(n, self.depth - 1)
        even = self.counting.even(costs, n, self.most)
        weak: NDArray[np.int32] = claims.counter.weak(candidates, self.parts, costs, even, bound)
        self.weak = [g for g in weak.tolist() if first is None or g == first]

    def ask(self, guess: int) -> Weak | None:
        """Return what is shown of a guess, or None if that is enough."""
        claims, problem, bound = self.claims, self.claims.problem, self.bound
        weak = Weak(guess, len(self.candidates))
        for response, members in split(problem.row(guess, self.candidates), self.candidates):
            if response != problem.winning:
                depth = claims.depth(len(members), self.depth - 1)
                known = max(self.counting.bound(len(members), depth), claims.known(members, depth))
                weak.parts.append(ProofPart(members, depth, known))
                weak.bound += known
        weak.parts.sort(key=lambda part: -len(part.candidates))
        for part in weak.parts:
            if weak.bound >= bound:
                return None
            if len(part.candidates) < 2 + claims.win:
                continue
            ahead = claims.ahead(part.candidates, part.depth, self.counting)
            weak.bound += max(ahead - part.bound, 0)
            part.bound = max(part.bound, ahead)
        return None if weak.bound >= bound else weak
