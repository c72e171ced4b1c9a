"""Write the proof of what tests cost that may get several answers; verify/NOISY.md has the format.

The checker looks ahead by itself, as far as a certificate says. So a proof says how far: few tests if that is
found to be enough, or to the end. If the time is up, the best bound found by then is proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from guesstree.cext import noisy_claims as kernel

from ..exact import whole_or_part
from ..problem import Problem
from ..search.deadline import TimeUp
from .statement import Goal, Statement
from .writer import NOTHING, Proof, ProofError

FIRST_LOOKS = 1 << 12
"""States that are looked at in the first try."""


class NoisyWriter:
    """Writes proofs for one game with a model.

    Parameters
    ----------
    statement: what the certificates say, with the table.

    Attributes
    ----------
    stopped: whether the time is up.
    """

    def __init__(self, problem: Problem, statement: Statement) -> None:
        self.problem, self.statement, self.stopped = problem, statement, False
        self.first = -1 if problem.first is None else problem.first
        self._table = next(iter(statement.game.files.values()))
        self._checkers: dict[bool, kernel.Checker] = {}
        assert problem.game.model is not None
        self.tests = len(problem.game.model.chances)

    def stop(self) -> None:
        """End what is written in another thread."""
        self.stopped = True
        for checker in tuple(self._checkers.values()):
            checker.stop()

    def checker(self, *, worst: bool) -> kernel.Checker:
        """Return the bounds of the checker, for the worst case or the expected cost."""
        if worst not in self._checkers:
            self._checkers[worst] = kernel.Checker(self._table, worst)
            if self.stopped:
                self._checkers[worst].stop()
        return self._checkers[worst]

    def root(self, within: int | None, bound: Goal) -> Proof:
        """Return the proof of a bound of the whole, or of the best found when stopped.

        `within`: what some path costs more than, where `bound` is None. Raises ProofError for a false bound.
        """
        if bound is None:
            assert within is not None
            worst, least = True, self.statement.limit(within) + 1
        else:
            assert not isinstance(bound, tuple)
            worst, least = False, self.statement.scaled(bound)
        best = reached = 0
        try:
            for ahead, most in self.tries():
                found = self.tried(least, ahead, most, worst=worst)
                if found is not None and found > best:
                    best, reached = found, ahead
                if best >= least:
                    return Proof(bound, str(ahead), 0)
                if found is not None and ahead == self.tests:
                    raise ProofError(f"{self.problem.game.spec}: the bound is false; a strategy costs less")
        except TimeUp:
            pass
        if worst or not best:
            return NOTHING
        partly: Any = whole_or_part(Fraction(best, self.statement.scale))
        return Proof(partly, str(reached), 0)

    def tries(self) -> Iterator[tuple[int, int]]:
        """Yield how far to look ahead, and at how many states at most: a little at first, then more."""
        ahead, most = 0, FIRST_LOOKS
        while True:
            yield min(ahead, self.tests), most
            yield self.tests, most
            ahead, most = ahead + 1, 2 * most

    def tried(self, least: int, ahead: int, most: int, *, worst: bool) -> int | None:
        """Return at least what the whole costs, up to a bound; None: that takes more. Raises TimeUp."""
        try:
            found: int = self.checker(worst=worst).least(self.first, str(least).encode(), ahead, most)
        except kernel.Unfinished:
            if self.stopped:
                raise TimeUp from None
            return None
        return found
