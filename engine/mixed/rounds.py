"""The value of a game against a codemaker who mixes, and both mixtures, by generating columns.

The maker draws a secret, the breaker a strategy, neither knows what the other drew, and the breaker pays what
the strategy costs on that secret. There are far too many strategies to be listed. So a program knows a few of
them, finds the maker's mixture that is best against these, and the exact search answers it with the strategy
that is best against it, which comes to the others (Gilmore and Gomory 1961; Dantzig and Wolfe 1960).

*Bounds.* What the best answer to a mixture of the maker pays is at most the value: the maker can play this
mixture. The value of the program is at least the value: the breaker can play its mixture. They meet after
finitely many rounds, as there are finitely many strategies, and an answer that is not new shows that they do.

*Orbits.* Let G be a group of renamings that leaves responses and costs as they are. If the maker plays p, the
mean of p over G is as good: by renaming strategies, every answer to the mean pays a mean of what answers to
p pay. So it is enough to weigh orbits of secrets, and what a strategy renamed at random pays on a secret is
its mean over the orbit of the secret.

*Stabilised.* The mixtures that are best against a few strategies jump from corner to corner, and answers to
corners are of little use. So mixtures are answered that are partly the best one so far (Wentges 1997). Their
weights are rounded, to few values first, as games whose weights differ little are searched soonest. Of a
large game, strategies near those that are played come first (`nearby`), and the search of all only where they
do not help: it alone gives lower bounds.

*Secrets that are never drawn* stay possible. To win, a strategy for the drawn ones is one for all, as the
others come to where none of these is possible; it pays the same, so the search may leave them out. Otherwise
see `answer`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import Infeasible
from ..game import MOST_COST, Responses
from ..objective import EXPECTED
from ..problem import Problem
from ..search.deadline import Deadline, Progress
from ..search.solve import solve
from ..solution import Solved
from ..state import Ints, everything
from ..symmetry.groups import Symmetry, Trivial, orbits
from .drawn import Drawn
from .float_game import FloatGame
from .nearby import nearby
from .plan import Plan, completed
from .simplex import MatrixGame

MOST_ORBITS = 1000
"""Orbits of secrets that the program takes: its work grows with their square. Of more, see `large`."""
ROUGH, FINE = 1 << 4, 1 << 12
"""The mean weight of a secret where a mixture is rounded, for searches of all and for those nearby."""
STEPS = (Fraction(1, 16), Fraction(1, 4), Fraction(1))
"""How much of the program's mixture, the rest the best one so far, is answered nearby."""
NEAREST = 2
"""Strategies that others are looked for near to, at most, the best of those that are played."""
LARGE = 1100
"""Secrets above which strategies are looked for nearby; searches of all of fewer are as fast."""
SOONEST = 0.05
"""Seconds that a search takes at least."""


class Rounds:
    """Rounds of searches and programs; see the top of the file.

    Attributes
    ----------
    matrix_game: what solves the program.
    lower, best: the best lower bound, and the weights of orbits that reach it, a unit for each secret.
    """

    matrix_game: type[MatrixGame] | type[FloatGame] = MatrixGame

    def __init__(
        self, problem: Problem, clock: Deadline, progress: Callable[[Progress], None] | None
    ) -> None:
        self.problem, self.clock, self.progress = problem, clock, progress
        self.group = group_of(problem)
        self.orbit = orbit_of(problem)
        self.first, self.member, sizes = np.unique(self.orbit, return_inverse=True, return_counts=True)
        self.sizes: list[int] = sizes.tolist()
        self.program: MatrixGame | FloatGame = self.matrix_game(self.sizes)
        self.tried: set[tuple[int, ...]] = set()
        self.plans: list[Plan] = []
        self.lower, self.best = Fraction(0), [1] * len(self.sizes)
        self.uniform = Fraction(0), Fraction(0)
        self.number = self.states = self.evaluations = 0
        self.stopped = ""

    @property
    def played(self) -> list[tuple[Plan, Fraction]]:
        """The strategies that are played at all, with their probabilities."""
        return [(plan, p) for plan, p in zip(self.plans, self.program.breaker(), strict=True) if p]

    @property
    def upper(self) -> Fraction | None:
        """What the mixture of the strategies so far pays at most, in units of cost; None: there is none."""
        return self.program.value - 1 if self.plans else None

    def work(self, options: dict[str, Any]) -> None:
        """Answer mixtures until the bounds meet, the time is up, or Ctrl-C is pressed."""
        self.try_weights(self.best, options)
        first = self.plans[0]
        self.uniform = self.lower, Fraction(int(first.paid.sum()), first.parts * self.problem.secrets)
        by_candidates = self.problem.rules is None and not self.problem.game.facts.noisy
        large = self.problem.secrets > LARGE and by_candidates
        while not self.stopped and self.upper != self.lower:
            if large and self.try_nearby(options):
                continue
            exact = self.mixture()
            half = self.between(exact, Fraction(1, 2))
            for weights in (rounded(exact, self.sizes, 1), rounded(half, self.sizes, ROUGH), exact):
                new = tuple(weights) not in self.tried and self.try_weights(weights, options)
                if new or self.stopped or self.upper == self.lower:
                    break
            else:  # only where the weights are too large for a bound that is exact
                self.stopped = "weights"

    def try_nearby(self, options: dict[str, Any]) -> bool:
        """Look for strategies near those that are played; return whether one is new to the program."""
        played = [plan for plan, _ in self.played]
        exact = self.mixture()

        def search(drawn: Ints, each: Sequence[int]) -> Solved:
            part = Drawn(self.problem.game, drawn, each, told_table(self.problem))
            solved = solve(part, EXPECTED.name, **options | self.left() | {"symmetry": False})
            self.count(solved)
            if self.stopped:
                raise Infeasible(f"stopped by {self.stopped}")
            return solved

        for step in STEPS:
            weights = rounded(self.between(exact, step), self.sizes, FINE)
            each = np.array(weights, dtype=object)[self.member]
            for plan in sorted(played, key=lambda plan: int(plan.paid @ each))[:NEAREST]:
                try:
                    found = nearby(self.problem, plan, each.tolist(), search)
                except Infeasible:  # the time is up
                    self.stopped = self.stopped or "time"
                    return False
                if self.learn(found):
                    return True
        return False

    def between(self, weights: Sequence[int], share: Fraction) -> list[Fraction]:
        """Return a mixture between the best one so far and weights of orbits, this `share` of the latter."""
        both = [sum(w * n for w, n in zip(one, self.sizes, strict=True)) for one in (self.best, weights)]
        return [
            Fraction(b, both[0]) * (1 - share) + Fraction(w, both[1]) * share
            for b, w in zip(self.best, weights, strict=True)
        ]

    def count(self, solved: Solved) -> None:
        """Add up the work of a search."""
        self.states += solved.states
        self.evaluations += solved.evaluations
        if solved.stopped or self.clock.late():  # a search that was over may have taken Ctrl-C
            self.stopped = solved.stopped or self.clock.stopped

    def mixture(self) -> list[int]:
        """Return the maker's mixture of the program as integers, a unit for each secret of an orbit."""
        shares = self.program.maker()
        common = lcm(*(share.denominator for share in shares))
        weights = [int(share * common) for share in shares]
        divisor = gcd(*weights)
        return [weight // divisor for weight in weights]

    def try_weights(self, weights: Sequence[int], options: dict[str, Any]) -> bool:
        """Search for the best answer to weights of orbits; return whether it is new to the program."""
        each = np.array(weights, dtype=object)[self.member]
        if self.too_large(int(each.sum())):
            self.stopped = "weights"
            return False
        self.number += 1
        self.tried.add(tuple(weights))
        solved, plan, lower = self.answer(each.tolist(), options | self.left())
        self.count(solved)
        bound = Fraction(lower) / int(each.sum())
        if bound > self.lower or not self.plans:
            self.lower, self.best = max(bound, self.lower), list(weights)
        return self.learn(plan)

    def too_large(self, weight: int) -> bool:
        """Return whether secrets of this weight in all may cost more than a search counts."""
        return weight * self.problem.secrets * int(self.problem.costs.max(initial=1)) >= MOST_COST

    def answer(self, weights: Sequence[int], options: dict[str, Any]) -> tuple[Solved, Plan, Fraction | int]:
        """Return the best answer to weights of secrets, see `answer`."""
        return answer(self.problem, weights, options, self.group)

    def learn(self, plan: Plan) -> bool:
        """Add a strategy to the program, unless it pays no less than the mixtures there; say whether."""
        # One more for each secret: the program takes positive entries, and a guess may cost nothing.
        paid = np.zeros(len(self.sizes), dtype=plan.paid.dtype)
        np.add.at(paid, self.member, plan.paid + plan.parts)
        column: list[int] = paid.tolist()
        if self.plans:
            shares = self.program.maker()
            against = sum((share * entry for share, entry in zip(shares, column, strict=True)), Fraction(0))
            if against >= self.program.value * plan.parts:
                return False
        self.plans.append(plan)
        self.program.add(column, plan.parts)
        return True

    def left(self) -> dict[str, Any]:
        """Return the options of a search that say how long it may take, and who hears of it."""
        seconds = None if self.clock.unlimited else max(self.clock.left, SOONEST)
        report = None if self.progress is None else self.report
        return {"time_limit": seconds, "progress": report, "whole": self.clock}

    def report(self, seen: Progress) -> None:
        """Tell the bounds of the value while a search runs."""
        assert self.progress is not None
        self.progress(
            replace(
                seen,
                phase=f"value of the mixed game, round {self.number}",
                states=self.states + seen.states,
                evaluations=self.evaluations + seen.evaluations,
                lower=self.lower,
                upper=self.upper,
                unit=self.problem.game.cost_unit,
                seconds=self.clock.seconds,
            )
        )


def rounded(mixture: Sequence[Fraction | int], sizes: Sequence[int], mean: int) -> list[int]:
    """Return a mixture as integers without a common divisor, rounded to a mean weight of a secret."""
    total = sum((weight * size for weight, size in zip(mixture, sizes, strict=True)), Fraction(0))
    found = [round(weight * mean * sum(sizes) / total) for weight in mixture]
    divisor = gcd(*found)
    return [weight // divisor for weight in found]


def answer(
    problem: Problem, weights: Sequence[int], options: dict[str, Any], group: Symmetry
) -> tuple[Solved, Plan, int]:
    """Return the best answer to weights of secrets, from 0: its search, its strategy, and a lower bound.

    `group`: renamings that keep the weights.

    The bound is of the sum of what all secrets pay, by weight. To win, secrets of weight 0 are left out.
    Otherwise they weigh 1, and the others `scale` times as much, one more than all z of them can pay together
    when no question is asked in vain. If A is what a strategy pays by these weights and B what those z pay,
    the search minimises scale A + B, and B < scale. Let A* be the least A, with some B* < scale. Then
    scale A + B <= scale A* + B* gives A < A* + 1, so A = A*; and lower <= scale A* + B* gives
    A* > lower / scale - 1, so A* is at least lower / scale, rounded down.
    """
    each = np.array(weights, dtype=object)
    kept = np.flatnonzero(each > 0).astype(np.int32)
    never, scale, sound = problem.secrets - len(kept), 1, True
    if never and (problem.goal == "identify" or problem.candidates_only):
        scale = never * problem.secrets * int(problem.costs.max(initial=1)) + 1
        each, kept = np.where(each > 0, each * scale, 1), everything(problem.secrets)
        most = int(each.sum()) * problem.secrets * int(problem.costs.max(initial=1))
        if most >= MOST_COST:  # what is found is still an answer, but the bound says nothing
            each, sound = np.maximum(np.array(weights, dtype=object), 1), False
    else:
        each = each[kept]
    alike = len(set(each.tolist())) == 1
    game = Drawn(problem.game, kept, None if alike else each.tolist(), told_table(problem), group)
    solved = solve(game, EXPECTED.name, **options)
    lower = int(solved.lower[0]) * (int(each[0]) if alike else 1) // scale
    return solved, completed(problem, solved, kept), lower if sound else 0


def told_table(problem: Problem) -> Responses | None:
    """Return every response in the numbers of the game, where a problem has them; None: the game says."""
    return None if problem.numbered else problem.table


def group_of(problem: Problem) -> Symmetry:
    """Return the renamings by which strategies are renamed at random: they keep responses and costs."""
    if problem.game.facts.noisy or problem.searched_classes is None:
        return Trivial(len(problem.game.guesses))
    return problem.group


def orbit_of(problem: Problem) -> NDArray[np.int64]:
    """Return the first secret of the orbit of each secret, shape (secrets,)."""
    return orbits(problem.secrets, [secrets for _, secrets in group_of(problem).generators()])
