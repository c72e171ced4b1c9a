"""What second guesses tell at most: strategies and bounds of the least total, of games with many responses.

A set of m secrets, two or more, where all guesses and secrets count alike: every strategy asks some guess
first, which all m pay. It leaves p parts that it does not win, and wins on w secrets, 0 or 1. In a part of
n secrets the next guess wins on one at most, and the others pay two guesses or more: 2n - 1 at least. So the
set takes at least m + 2 (m - w) - p, which is 3m - t where t = p + 2w is the number of its parts, the one
that is won included, and w; hence at least 3m - t for the largest t of all guesses. One secret takes 1.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from guesstree.cext import kernels

from ..problem import Problem
from ..solution import Found
from ..state import Ints, everything, split
from ..stopping import heed
from .levels import Level
from .session import Session

CELLS = 1 << 25
"""Pairs of a guess and a secret that are looked at before the clock is."""
AT_ONCE = 1 << 10
"""Secrets of the largest parts of a first guess that are bounded at once, at least."""


def is_plain(problem: Problem) -> bool:
    """Return whether the bound holds, and any guess may be asked: to win, with no weights, costs or rules."""
    facts = problem.game.facts
    special = facts.weighted or facts.priced or facts.noisy or facts.by_kind or problem.budget is not None
    return problem.goal == "win" and not special and problem.rules is None and not problem.candidates_only


def most_told(problem: Problem, sets: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Return the largest t of each set, as above, and the first guess that has it."""
    most, guesses = np.zeros(len(sets), dtype=np.int32), np.full(len(sets), -1, dtype=np.int32)
    secrets = np.concatenate(sets).astype(np.int32)
    starts = np.cumsum([0, *map(len, sets)]).astype(np.int32)
    step = max(CELLS // len(secrets), 1)
    for first in range(0, len(problem.own), step):
        heed()
        rows, own = problem.table[first : first + step], problem.own[first : first + step]
        told, guess = kernels.most_told(rows, own, secrets, starts)
        better = told > most
        most[better], guesses[better] = told[better], first + guess[better]
    return most, guesses


def by_parts(problem: Problem, first: int | None = None) -> Found:
    """Return the strategy that asks in every state, or after a first guess, what has the largest t."""
    first = problem.first if first is None else first
    found, level = Found(), Level.first(problem)
    while len(level):
        states = level.states()
        if not found.worst and first is not None:
            guesses = np.array([first], dtype=np.int32)
        else:
            guesses = np.array([problem.winner[some[0]] for some in states], dtype=np.int32)
            several = [i for i, some in enumerate(states) if len(some) > 1]
            if several:
                guesses[several] = most_told(problem, [states[i] for i in several])[1]
        for some, guess in zip(states, guesses.tolist(), strict=True):
            found.add(some, guess)
        found.worst += 1
        level = level.below(problem, level.answers(problem, guesses))
    return found


@dataclass(order=True)
class First:
    """A first guess: at least what it takes, and how many of its largest parts were looked at."""

    lower: int
    guess: int
    looked: int = 0


class SecondGuesses:
    """Bound the least total: of the first guess that takes least, parts are bounded, again and again.

    A first guess takes what all pay for it and what its parts take, each at least as above: 2m - 1 before it
    was looked at, which is the same with the largest t that there can be, m + 1. The least sum of all first
    guesses bounds the total, whichever of them were looked at.
    """

    def __init__(self, session: Session[Any]) -> None:
        self.session, self.problem = session, session.problem
        self.waiting = [
            First(3 * self.problem.secrets - told, guess) for guess, told in self._all_told() if told > 1
        ]
        heapq.heapify(self.waiting)
        self.played = set[int]()

    def _all_told(self) -> list[tuple[int, int]]:
        """Return the first guesses and the t of each for all secrets."""
        problem, found = self.problem, list[tuple[int, int]]()
        guesses = everything(len(problem.own)) if problem.first is None else np.array([problem.first])
        for guess in guesses.tolist():
            if not guess % 256:
                heed()
            told = int((np.bincount(problem.table[guess]) > 0).sum() + (problem.own[guess] >= 0))
            found.append((guess, told))
        return found

    def look(self, first: First) -> First | None:
        """Return a first guess with more of its parts looked at; None: all of them were."""
        every, problem = everything(self.problem.secrets), self.problem
        parts = [part for r, part in split(problem.row(first.guess, every), every) if r != problem.winning]
        parts = sorted((part for part in parts if len(part) > 2), key=lambda part: -len(part))[first.looked :]
        some, many = list[Ints](), 0
        for part in parts:
            if many >= AT_ONCE:
                break
            some.append(part)
            many += len(part)
        if not some:
            return None
        told, _ = most_told(problem, some)
        raised = many + len(some) - int(told.sum())
        return First(first.lower + raised, first.guess, first.looked + len(some))

    def work(self) -> None:
        """Raise the least sum until it meets a strategy, the least has no part left, or the time is up.

        After first guesses all parts of which were looked at, strategies are offered.
        """
        session, jobs = self.session, self.session.resources.jobs
        session.phase = "second guesses"
        with ThreadPoolExecutor(jobs) as pool:
            while self.waiting and not session.deadline.late():
                upper = session.upper("total")
                session.raise_to("total", min(self.waiting[0].lower, upper))
                if self.waiting[0].lower >= upper:
                    return
                some = [heapq.heappop(self.waiting) for _ in range(min(jobs, len(self.waiting)))]
                looked = list(pool.map(self.look, some))
                for before, after in zip(some, looked, strict=True):
                    heapq.heappush(self.waiting, before if after is None else after)
                    if after is None and before.guess not in self.played:
                        self.played.add(before.guess)
                        session.offer(by_parts(self.problem, before.guess))
                if looked[0] is None:
                    return
