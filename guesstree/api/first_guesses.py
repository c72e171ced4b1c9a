"""What whoever begins with one guess or another pays: exactly, or at least, as far as the time allows."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from guesstree.api.explanation import Explained, LyingExplanation, NoisyExplanation
from guesstree.engine.errors import Infeasible
from guesstree.engine.objective import EXPECTED, WORST
from guesstree.engine.search.first_guesses import first_guesses
from guesstree.engine.search.solve import solve

MOST = 40
"""First guesses of which the best strategy is searched; of the others, what is known is enough."""


@dataclass(frozen=True)
class FirstGuess:
    """A first guess, and what the best strategy that begins with it costs.

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


def other_first_guesses(found: Explained, time_limit: float) -> list[FirstGuess]:
    """Return first guesses that tell something, one of each kind, the cheapest first.

    What each costs, in all or at worst, is searched until the time is up, those first of which least is
    known; each may take an equal share of the time that is left. Ctrl-C ends the search.
    """
    due = time.monotonic() + time_limit
    guesses = _known(found)
    some = min(len(guesses), MOST)
    for at in range(some):
        left = due - time.monotonic()
        if left <= 0:
            break
        guesses[at] = _searched(found, guesses[at], left / (some - at))
    return sorted(guesses, key=lambda one: (one.lower, not one.exact, one.guess))


def compared_by(found: Explained) -> str:
    """Return the objective that first guesses are compared by: ``expected``, or ``worst``."""
    if isinstance(found, NoisyExplanation) and found.bound is None:
        return WORST.name
    return WORST.name if isinstance(found, LyingExplanation) else EXPECTED.name


def _known(found: Explained) -> list[FirstGuess]:
    """Return first guesses with what is known of them before any search, least first."""
    problem = found.problem
    if isinstance(found, NoisyExplanation):
        bounds = found.argument.bounds
        if bounds.integers.settled(bounds.root.members):
            return []  # nothing is left to ask
        tests = bounds.askable(bounds.root) if problem.first is None else [problem.first]
        shown = found.proved(tests)
        return [FirstGuess(test, 1, least or 0) for test, least in zip(tests, shown, strict=True)]
    classes = None if problem.searched_classes is None else problem.searched_classes(())
    guesses = []
    for counted, guess in sorted(first_guesses(problem)):
        equal = 1 if classes is None else int(np.count_nonzero(classes == guess))
        least = 0 if problem.priced else counted  # what is counted are guesses
        if isinstance(found, LyingExplanation):
            least = (found.within or 0) + 1
        guesses.append(FirstGuess(guess, equal, least))
    return guesses


def _searched(found: Explained, first: FirstGuess, seconds: float) -> FirstGuess:
    """Return what is known of a first guess after a search of so many seconds."""
    problem, objective, scale = found.problem, compared_by(found), 1
    more: dict[str, Any] = {"max_depth": problem.limited}
    if isinstance(found, LyingExplanation):
        more = {"lies": found.lies}
    if isinstance(found, NoisyExplanation):
        more = {}
        bounds = found.argument.bounds
        scale = bounds.coin if bounds.worst else bounds.scale
    with suppress(Infeasible):  # what is known is still true
        solved = solve(
            problem.game,
            objective,
            goal=problem.goal,
            first=problem.game.guesses[first.guess],
            candidates_only=problem.candidates_only,
            time_limit=seconds,
            **more,
        )
        if solved.stopped == "interrupt":
            raise KeyboardInterrupt
        (lower, *_), (upper, *_) = solved.lower, solved.upper
        return replace(first, lower=max(first.lower, int(lower * scale)), upper=int(upper * scale))
    return first
