"""`Book`: strategies that ask in each state one of a few promising guesses, and the best answer of them.

Where a game has too many secrets for a search of each mixture, its states are written down once, each with a
few guesses. The best of these strategies against any weights then takes one pass over the states, from small
ones to large ones. It is no bound from below, as other guesses may be better.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..problem import Problem
from ..state import Ints, everything, split
from ..stopping import heed
from .plan import Plan

WIDTHS = (8, 8, 4)
"""Guesses of a state after no, one, two or more others."""
GROWTH = 2
"""Guesses that a state gets more."""
COMPARED = 40
"""Secrets of a state that are compared with each other, at most, the heaviest."""
OTHERS = 1e-3
"""What a part of secrets that are not compared counts, of the heaviest."""


@dataclass(frozen=True)
class Line:
    """A strategy of a book.

    Attributes
    ----------
    picks: the choice of each of its states, by the number of the state.
    paid: what each secret pays, in units of cost; int64, shape (secrets,).
    """

    picks: dict[int, int]
    paid: NDArray[np.int64]


class Book:
    """A few guesses for each state that they lead to.

    Parameters
    ----------
    problem: without rules, so that a state is its candidates.
    late: whether the time to write is up; the states that are left then get one guess each.
    """

    def __init__(self, problem: Problem, late: Callable[[], bool], widths: tuple[int, ...] = WIDTHS) -> None:
        self.problem = problem
        self._turned = np.ascontiguousarray(problem.table.T)
        self._dear = problem.costs.max(axis=1)
        self._number: dict[tuple[bytes, bool], int] = {}
        self.members: list[Ints] = []
        self.guesses: list[int] = []  # of each choice; those of a state are next to each other
        self._state_of: list[int] = []
        self._edges: list[tuple[int, int, int]] = []  # choice, state, cost
        self._asked: set[tuple[int, int]] = set()  # states and guesses
        everyone = everything(problem.secrets)
        self.members.append(everyone)
        root = self._state(everyone, over=problem.finished(everyone))
        self._write_below(
            [] if problem.finished(everyone) else [root], late, widths, np.ones(problem.secrets)
        )

    def grow(self, line: Line, weights: NDArray[np.float64], late: Callable[[], bool]) -> None:
        """Write down more guesses, those that are best for weights, of the states of a strategy."""
        states = [state for state in line.picks if len(self.members[state]) > 2]
        self._write_below(states, late, (GROWTH,), weights)

    def _write_below(
        self,
        level: list[int],
        late: Callable[[], bool],
        widths: tuple[int, ...],
        weights: NDArray[np.float64],
    ) -> None:
        """Write down guesses of some states, and of the new ones after them."""
        for depth in range(self.problem.secrets):
            after: list[int] = []
            for state in level:
                heed()
                width = 1 if late() else widths[min(depth, len(widths) - 1)]
                after += self._write(state, width, weights)
            if not after:
                break
            level = after
        self._order()

    def _state(self, candidates: Ints, *, over: bool) -> int:
        """Return the number of a state, a new one if it was not met."""
        return self._number.setdefault((candidates.tobytes(), over), len(self._number))

    def _write(self, state: int, width: int, weights: NDArray[np.float64]) -> list[int]:
        """Write down some guesses of a state; return the states after them that are new."""
        candidates, new = self.members[state], []
        for guess in self._promising(candidates, width, weights):
            if (state, guess) in self._asked:
                continue
            self._asked.add((state, guess))
            choice = len(self.guesses)
            self.guesses.append(guess)
            self._state_of.append(state)
            for response, part in split(self._turned[candidates, guess], candidates):
                over = response == self.problem.winning or self.problem.finished(part)
                child = self._state(part, over=over)
                if child == len(self.members):
                    self.members.append(part)
                    if not over:
                        new.append(child)
                self._edges.append((choice, child, int(self.problem.costs[guess, response])))
        return new

    def _promising(self, candidates: Ints, width: int, weights: NDArray[np.float64]) -> list[int]:
        """Return the guesses that make most parts, of equals those that may win, then the cheapest.

        A part counts as much as its heaviest secret; of many secrets, only the heaviest are looked at, and
        the number of all parts breaks ties.
        """
        problem, winning = self.problem, self.problem.winning
        if winning >= 0 and len(candidates) <= min(2, width) and not problem.game.facts.priced:
            own = problem.winner[candidates]
            if own.min() >= 0:  # who may win at once pays least
                return [int(guess) for guess in own]
        each = weights[candidates]
        heavy = np.argsort(-each, kind="stable")[:COMPARED]
        block, each = self._turned[candidates[heavy]], each[heavy]
        good = np.full(block.shape[1], each[0])
        for i in range(1, len(block)):
            good += each[i] * (block[:i] != block[i]).all(axis=0)
        if winning >= 0:  # who wins pays one guess less
            good += each @ (block == winning)
        if len(candidates) > COMPARED:
            met = problem.sizes(everything(len(problem.own)), candidates) > 0
            parts = met.sum(axis=1)
            if winning >= 0:
                parts += met[:, winning]
            if each[0] == each[-1]:
                good = each[0] * parts
            good += OTHERS * each[0] * parts
            telling = (met.sum(axis=1) > 1) | (met[:, winning] if winning >= 0 else False)
        else:
            telling = (block != block[0]).any(axis=0) | (block == winning).any(axis=0)
        if problem.candidates_only:
            telling &= np.isin(problem.own, candidates)
        asked = np.flatnonzero(telling)
        best = asked[np.argpartition(-good[asked], min(width, len(asked) - 1))[: 2 * width]]
        rank = np.lexsort((best, self._dear[best], -good[best]))
        return [int(guess) for guess in best[rank[:width]]]

    def _order(self) -> None:
        """Put the states in an order in which those after a guess come first, in steps of equal height."""
        choices, edges = len(self.guesses), np.array(self._edges, dtype=np.int64).reshape(-1, 3)
        state_of = np.array(self._state_of, dtype=np.int64)
        first = np.searchsorted(edges[:, 0], np.arange(choices))
        height = np.zeros(len(self.members), dtype=np.int64)
        while True:
            above = 1 + np.maximum.reduceat(height[edges[:, 1]], first) if choices else height[:0]
            new = height.copy()
            np.maximum.at(new, state_of, above)
            if np.array_equal(new, height):
                break
            height = new
        sizes = np.array([len(one) for one in self.members])
        self._flat = np.concatenate(self.members)
        self._starts = np.cumsum(sizes) - sizes
        self._steps = []
        for one in range(1, int(height.max()) + 1):
            mine = np.flatnonzero(height[state_of] == one)
            mine = mine[np.argsort(state_of[mine], kind="stable")]
            of, where = np.unique(state_of[mine], return_index=True)
            inside = np.isin(edges[:, 0], mine)
            part = edges[inside]
            rank = np.full(choices, -1)
            rank[mine] = np.arange(len(mine))
            part = part[np.argsort(rank[part[:, 0]], kind="stable")]
            begins = np.searchsorted(rank[part[:, 0]], np.arange(len(mine)))
            self._steps.append((mine, of, where, part[:, 1], part[:, 2], begins))
        self._after = [[] for _ in range(choices)]  # type: ignore[var-annotated]
        for choice, state, cost in self._edges:
            self._after[choice].append((state, cost))
        self._over = np.array([over for _, over in self._number], dtype=bool)

    def answer(self, weights: NDArray[np.float64]) -> Line:
        """Return the best strategy of the book against weights of the secrets, shape (secrets,)."""
        heed()
        mass = np.add.reduceat(weights[self._flat], self._starts)
        value, pick = np.zeros(len(self.members)), np.full(len(self.members), -1)
        for mine, of, where, states, costs, begins in self._steps:
            each = np.add.reduceat(value[states] + costs * mass[states], begins)
            value[of] = np.minimum.reduceat(each, where)
            counts = np.diff(np.append(where, len(mine)))
            best = each == np.repeat(value[of], counts)
            at = np.flatnonzero(best)
            pick[np.repeat(of, counts)[at[::-1]]] = mine[at[::-1]]
        picks, paid = {}, np.zeros(self.problem.secrets, dtype=np.int64)
        waiting = [] if self._over[0] else [0]
        while waiting:
            state = waiting.pop()
            picks[state] = choice = int(pick[state])
            for after, cost in self._after[choice]:
                paid[self.members[after]] += cost
                if not self._over[after]:
                    waiting.append(after)
        return Line(picks, paid)

    def plan(self, line: Line) -> Plan:
        """Return a strategy of the book as one that is played."""
        choices = {self.members[state].tobytes(): self.guesses[c] for state, c in line.picks.items()}
        return Plan(choices, line.paid)
