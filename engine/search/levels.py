"""States of a strategy that the same number of guesses leads to, side by side: one step for all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..problem import Problem
from ..state import Ints, Table, everything
from ..stopping import heed

Longs = NDArray[np.int64]


@dataclass(frozen=True)
class Level:
    """States that share no candidate.

    Attributes
    ----------
    secrets: the candidates of all, state after state, ascending within each.
    state: the number of the state that each is in, from 0, ascending; int64.
    """

    secrets: Ints
    state: Longs

    @classmethod
    def first(cls, problem: Problem) -> Level:
        """Return the level of the state before the first guess; empty where nothing is to be asked."""
        every = everything(problem.secrets)
        return cls(every, np.zeros(len(every), dtype=np.int64)).part(
            np.full(len(every), not problem.finished(every))
        )

    def __len__(self) -> int:
        """Return the number of states."""
        return int(self.state[-1]) + 1 if len(self.state) else 0

    def states(self) -> list[Ints]:
        """Return the candidates of each state."""
        return np.split(self.secrets, np.flatnonzero(np.diff(self.state)) + 1) if len(self.state) else []

    def part(self, kept: NDArray[np.bool_]) -> Level:
        """Return what is left of the states when some candidates, or all, are taken away."""
        state = self.state[kept]
        return Level(self.secrets[kept], np.cumsum(np.diff(state, prepend=state[:1]) > 0))

    def answers(self, problem: Problem, guesses: Ints) -> Table:
        """Return what each candidate answers to the guess of its state."""
        answers: Table = problem.table[guesses[self.state], self.secrets]
        return answers

    def below(self, problem: Problem, answers: Table) -> Level:
        """Return the states that these answers lead to, without those finished.

        Raises ValueError where an answer that does not win tells nothing.
        """
        heed()
        key = self.state * problem.responses + answers
        order = np.argsort(key, kind="stable")
        _, part, many = np.unique(key[order], return_inverse=True, return_counts=True)
        alone = many[part] == np.bincount(self.state)[self.state[order]]
        won = answers[order] == problem.winning
        if (alone & ~won).any():
            raise ValueError("a guess tells nothing")
        kept = ~won & ((many[part] > 1) | (problem.goal == "win"))
        return Level(self.secrets[order], part).part(kept)
