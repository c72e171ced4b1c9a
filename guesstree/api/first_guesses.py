"""What whoever begins with one guess or another pays: exactly, or at least, as far as the time allows."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from guesstree.engine.errors import Infeasible
from guesstree.engine.objective import EXPECTED
from guesstree.engine.problem import Problem
from guesstree.engine.search.first_guesses import first_guesses
from guesstree.engine.search.solve import solve

MOST = 40
"""First guesses of which the best strategy is searched; of the others, counting is enough."""


@dataclass(frozen=True)
class FirstGuess:
    """A first guess, and what the best strategy that begins with it costs in all.

    Attributes
    ----------
    equal: how many first guesses are like it, itself included.
    lower, upper: at least what it costs, and what a strategy takes; None: no strategy was found. Both count
        as certificates do.
    """

    guess: int
    equal: int
    lower: int
    upper: int | None = None

    @property
    def exact(self) -> bool:
        """Whether it is known what it costs."""
        return self.lower == self.upper


def other_first_guesses(problem: Problem, time_limit: float) -> list[FirstGuess]:
    """Return first guesses that tell something, one of each kind, the cheapest first.

    What each costs is searched until the time is up, those first of which counting says least; each may take
    an equal share of the time that is left. Ctrl-C ends the search.
    """
    due = time.monotonic() + time_limit
    classes = None if problem.searched_classes is None else problem.searched_classes(())
    waiting = sorted(first_guesses(problem))
    found = []
    for lower, guess in waiting:
        equal = 1 if classes is None else int(np.count_nonzero(classes == guess))
        found.append(FirstGuess(guess, equal, 0 if problem.priced else lower))  # what is counted are guesses
    some = min(len(found), MOST)
    for at in range(some):
        left = due - time.monotonic()
        if left <= 0:
            break
        found[at] = _searched(problem, found[at], left / (some - at))
    return sorted(found, key=lambda one: (one.lower, not one.exact, one.guess))


def _searched(problem: Problem, first: FirstGuess, seconds: float) -> FirstGuess:
    """Return what is known of a first guess after a search of so many seconds."""
    with suppress(Infeasible):  # what counting says is still true
        solved = solve(
            problem.game,
            EXPECTED.name,
            goal=problem.goal,
            max_depth=problem.limited,
            first=problem.game.guesses[first.guess],
            candidates_only=problem.candidates_only,
            time_limit=seconds,
        )
        if solved.stopped == "interrupt":
            raise KeyboardInterrupt
        (lower, *_), (upper, *_) = solved.lower, solved.upper
        return replace(first, lower=max(first.lower, int(lower)), upper=int(upper))
    return first
