"""Guesses counted: a state is a set of candidates with so many guesses left.

The search is in `cext` (`counted`, and its plain twin with the steps and the proofs). It answers two
queries: can so many guesses settle a state (unit 0), and what is the least total within them (unit 1)?
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from guesstree.cext import counted as kernel

from ..onestep.greedy import OneStep
from ..onestep.ranking import Method
from ..onestep.valuations import VALUATIONS
from ..problem import Problem
from ..solution import Figures, Found
from ..state import Ints, everything, split
from .policy import Policy
from .space import ANY, Child, KernelSpace, Longs, Pairs, Query, Resources

FIRST = "parts"
"""The one-step method that is played first."""
PATIENCE = 1 << 4
"""Evaluations, see `Policy.patience`; the first turn has four times as many."""
LARGE = 1 << 14
"""From so many secrets on, one-step strategies take long: first one with a candidate in every state."""
LOOK, LONG_LOOK = 1 << 17, 1 << 21
"""Evaluations before beams are tried: with a time limit, and without."""


@dataclass(frozen=True, eq=False)
class CountedState:
    """Candidates, guesses left, and the guesses that led here."""

    candidates: Ints
    depth: int
    history: tuple[int, ...] = ()
    left: None = None

    @property
    def key(self) -> bytes:
        """The bytes of the candidates."""
        return self.candidates.tobytes()


class Counted(KernelSpace[CountedState]):
    """States and kernel where every guess counts 1, and every secret."""

    infinite = kernel.INFINITE

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.most = problem.max_depth
        # A total is proved as fast from one strategy as from the best of all; a worst case may be met at
        # once. Under rules each state has guesses of its own, which takes longer than a search may.
        one, every = (FIRST,), (FIRST, *(name for name in VALUATIONS if name != FIRST))
        worst = problem.objective.figures[0] == "worst"
        ruled = problem.rules is not None
        self.policy = Policy(
            looks=True,
            layers=True,
            quick=(one, one) if ruled else (every, every if worst else one),
            later=() if ruled else every,
            look=(LOOK, LONG_LOOK),
            patience=PATIENCE,
        )

    def query(self, figure: str, limit: int | None = None) -> Query:
        """Return the query for the least of a figure, with this worst case at most."""
        return Query(figure, self.most if limit is None else limit)

    def mode(self, query: Query) -> Hashable:
        """Return the figure: it is the unit."""
        return query.figure

    def searcher(
        self,
        query: Query,
        resources: Resources,
        width: int = 0,
        discrepancies: int = ANY,
        *,
        pairs: bool = False,  # noqa: ARG002 - of costs
    ) -> Any:
        """Return a new searcher; see `SearchSpace`."""
        problem, codes = self.problem, self.problem.codes
        unit = int(query.figure == "total")
        return kernel.Searcher(
            problem.table if resources.tabled else None,
            problem.marks,
            problem.responses,
            problem.winning,
            unit,
            problem.candidates_only,
            problem.least * unit,
            problem.capacity,
            symbols=0 if codes is None else codes.symbols,
            response_of=None if codes is None else codes.response_of,
            **self.kernel_options(resources, width, discrepancies),
            **self.rule_options,
        )

    def first_strategy(self) -> Found | None:
        """Return a strategy without valuations, for a large game of codes."""
        if self.problem.secrets < LARGE or not self.problem.tableless:
            return None
        player = OneStep(self.problem, Method(FIRST))
        player.stop()
        return player.play_out()

    def root(self, query: Query) -> CountedState:
        """Return the state before the first guess."""
        return CountedState(everything(self.problem.secrets), query.depth)

    def decides_depth(self, searcher: Any) -> bool:
        """Return whether a searcher counts no guesses."""
        return not searcher.unit

    def bound(self, searcher: Any, state: CountedState) -> tuple[int, bool]:
        """Return at least the total one ply ahead, and whether it is exact; nothing of depth alone."""
        return super().bound(searcher, state) if searcher.unit else (0, False)

    def finished(self, state: CountedState) -> bool:
        """Return whether nothing is left to ask."""
        return self.problem.finished(state.candidates)

    def children(self, state: CountedState, guess: int) -> list[CountedState]:
        """Return the states after a guess that does not win."""
        parts = split(self.problem.row(guess, state.candidates), state.candidates)
        history = (*state.history, guess)
        return [
            CountedState(part, state.depth - 1, history) for r, part in parts if r != self.problem.winning
        ]

    def split(self, query: Query, state: CountedState, guess: int) -> list[Child[CountedState]]:
        """Return the parts that a guess leaves of a state, largest first, with what counting says of them."""
        problem, unit = self.problem, query.figure == "total"
        most = int(problem.capacity[min(state.depth - 1, len(problem.capacity) - 1)])
        parts = split(problem.row(guess, state.candidates), state.candidates)
        history, children = (*state.history, guess), list[Child[CountedState]]()
        for response, part in sorted(parts, key=lambda item: -len(item[1])):
            n = len(part)
            lower = self.infinite if n > most else int(problem.least[n]) if unit else 0
            below = CountedState(part, state.depth - 1, history)
            if response != problem.winning:
                children.append(Child(below, n if unit else 1, lower, response=response))
        won = len(state.candidates) - sum(child.size for child in children)
        return [*children, Child(None, won if unit else 1, exact=True, response=problem.winning)]

    # -- what claims need, see `ClaimSpace` ------------------------------------------------------------

    def query_at(self, figure: str, limit: int, pairs: Pairs) -> Query:
        """Return the query of the whole game of which a claim is a part."""
        return Query(figure, limit + len(pairs))

    def after(self, state: CountedState, guess: int, response: int) -> CountedState:
        """Return the state after a response."""
        kept = state.candidates[self.problem.row(guess, state.candidates) == response]
        return CountedState(np.ascontiguousarray(kept), state.depth - 1, (*state.history, guess))

    def known(self, query: Query, state: CountedState) -> tuple[int, bool]:
        """Return at least the value of a state, by counting."""
        capacity, n = self.problem.capacity, len(state.candidates)
        if n > capacity[min(state.depth, len(capacity) - 1)]:
            return (self.infinite if query.figure == "total" else state.depth + 1), False
        return (int(self.problem.least[n]) if query.figure == "total" else 0), n == 1

    def guesses(self, query: Query, state: CountedState, pairs: Pairs) -> tuple[Ints, Longs]:
        """Return the guesses of a state, one of each orbit, with at least what they cost by counting.

        Those that tell nothing, or leave too much for the guesses that are left, are not among them.
        """
        problem, rules, capacity = self.problem, self.problem.rules, self.problem.capacity
        guesses = self.one_of_each(state, pairs, None if rules is None else rules.follow(list(pairs)))
        sizes = problem.sizes(guesses, state.candidates)
        if problem.winning >= 0:
            sizes[:, problem.winning] = 0
        largest = sizes.max(axis=1)
        fits = largest <= capacity[min(state.depth - 1, len(capacity) - 1)]
        kept = (largest < len(state.candidates)) & fits
        lower = np.zeros(int(kept.sum()), dtype=np.int64)
        if query.figure == "total":
            lower = len(state.candidates) + problem.least[sizes[kept]].sum(axis=1)
        return guesses[kept], lower

    def figures(self, found: Found) -> Figures:
        """Return what a strategy takes."""
        return Figures(found.total, found.worst, 0, 0, found.worst)

    def counted(self) -> dict[str, int]:
        """Return at least what each figure of the objective is, by counting."""
        return {"worst": self.problem.least_depth, "total": int(self.problem.least[-1])}
