"""`Plan`: a complete strategy against every secret, with what each of them pays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GuesstreeError
from ..problem import Problem
from ..rules import Words
from ..solution import Solved
from ..state import Ints, everything, split


@dataclass(frozen=True)
class Plan:
    """A complete strategy, and what each secret pays.

    Attributes
    ----------
    choices: the guess of each state, by the bytes of its sorted int32 candidates; for a game with a model,
        by `solution.history_key`.
    paid: what each secret pays, in `parts`ths of a unit of cost; integers, shape (secrets,).
    parts: an integer from 1; more only where what is paid depends on chance.
    """

    choices: Mapping[bytes, int]
    paid: NDArray[Any]
    parts: int = 1

    def choose(self, candidates: Ints, left: NDArray[np.uint8] | None = None) -> int:  # noqa: ARG002
        """Return the guess for a state, as `Solved.choose` does; `left` is for games with lies."""
        return self.choices[candidates.tobytes()]


def completed(problem: Problem, solved: Solved | None, kept: Ints, start: Ints | None = None) -> Plan:
    """Return a strategy for all secrets of a problem, given one for those that are kept.

    It asks what the other one does as long as some secret that is kept is possible; those pay the same. Where
    none is, it asks what divides the rest into most parts. With `start`, it begins where these are possible.
    """
    place = np.full(problem.secrets, -1, dtype=np.int32)
    place[kept] = np.arange(len(kept), dtype=np.int32)
    choices: dict[bytes, int] = {}
    paid = np.zeros(problem.secrets, dtype=np.int64)
    rules = problem.rules
    start = everything(problem.secrets) if start is None else start
    waiting = [(start, None if rules is None else rules.start)]
    while waiting:
        candidates, needs = waiting.pop()
        if problem.finished(candidates):
            continue
        drawn = place[candidates]
        drawn = drawn[drawn >= 0]
        guess = (
            solved.choose(drawn)
            if solved is not None and len(drawn)
            else telling_most(problem, candidates, needs)
        )
        choices[candidates.tobytes()] = guess
        answers = problem.row(guess, candidates)
        paid[candidates] += problem.costs[guess, answers]
        for response, part in split(answers, candidates):
            if response != problem.winning:
                below = None if rules is None or needs is None else rules.after(needs, guess, response)
                waiting.append((part, below))
    return Plan(choices, paid)


def telling_most(problem: Problem, candidates: Ints, needs: Words | None) -> int:
    """Return the guess that divides some secrets into most parts, of equals the cheapest.

    A guess that may win comes before others that divide as well. Raises GuesstreeError where none tells
    anything.
    """
    guesses = problem.allowed(candidates, needs)
    met = problem.sizes(guesses, candidates) > 0
    parts = met.sum(axis=1)
    wins = met[:, problem.winning] if problem.winning >= 0 else np.zeros(len(guesses), dtype=bool)
    dear = np.where(met, problem.costs[guesses], 0).max(axis=1, initial=0)
    telling = np.flatnonzero((parts > 1) | wins)
    if not len(telling):
        raise GuesstreeError(f"{problem.game.spec}: no guess tells {len(candidates)} candidates apart")
    return int(guesses[min(telling.tolist(), key=lambda i: (-parts[i], not wins[i], dear[i]))])
