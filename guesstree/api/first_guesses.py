"""What whoever begins with one guess or another pays: exactly, or at least, as far as the time allows."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace

from guesstree.api.explained import Explained, FirstGuess
from guesstree.engine.errors import Infeasible
from guesstree.engine.objective import WORST
from guesstree.engine.search.solve import solve

MOST = 40
"""First guesses of which the best strategy is searched; of the others, what is known is enough."""


def other_first_guesses(found: Explained, time_limit: float) -> list[FirstGuess]:
    """Return first guesses that tell something, one of each kind, the cheapest first.

    What each costs, in all or at worst, is searched until the time is up, those first of which least is
    known; each may take an equal share of the time that is left. Ctrl-C ends the search.
    """
    due = time.monotonic() + time_limit
    guesses = found.first_guesses()
    some = min(len(guesses), MOST)
    for at in range(some):
        left = due - time.monotonic()
        if left <= 0:
            break
        guesses[at] = _searched(found, guesses[at], left / (some - at))
    return sorted(guesses, key=lambda one: (one.lower, not one.exact, one.guess))


def _searched(found: Explained, first: FirstGuess, seconds: float) -> FirstGuess:
    """Return what is known of a first guess after a search of so many seconds."""
    problem = found.problem
    with suppress(Infeasible):  # what is known is still true
        solved = solve(
            problem.game,
            found.compared_by,
            goal=problem.goal,
            first=problem.game.guesses[first.guess],
            candidates_only=problem.candidates_only,
            time_limit=seconds,
            **found.searched_with,
        )
        if solved.stopped == "interrupt":
            raise KeyboardInterrupt
        scale = found.scale("worst" if found.compared_by == WORST.name else "total")
        (lower, *_), (upper, *_) = solved.lower, solved.upper
        return replace(first, lower=max(first.lower, int(lower * scale)), upper=int(upper * scale))
    return first
