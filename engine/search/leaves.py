"""Trees with limits of their leaves, for games with a model: the search is `noisy.leaf_search`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from guesstree.cext import Outcome

from ..errors import GuesstreeError
from ..noisy.leaf_search import LeafSearch
from ..onestep.noisy import NoisyOneStep
from ..onestep.ranking import Method
from ..problem import Problem
from ..solution import Found
from .noisy import Noisy, NoisyState
from .policy import Policy
from .space import ANY, Query, Reduced, Resources


class Limited(Noisy):
    """States and search where the leaves of the tree are limited; the game is searched as a whole."""

    whole = True
    policy = Policy()

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        assert problem.leaves is not None
        self.limits = problem.leaves
        if self.limits.min_samples is not None:
            least = self.limits.min_samples / problem.game.weight_unit
            self.limits = replace(self.limits, min_samples=least)

    def searcher(
        self,
        query: Query,
        resources: Resources,
        width: int = 0,
        discrepancies: int = ANY,  # noqa: ARG002 - beams count none here
        *,
        pairs: bool = False,  # noqa: ARG002 - of costs
    ) -> Any:
        """Return a new searcher; with a width it looks at trees of two tests on a path."""
        return LeafSearch(
            self.model,
            self.integers,
            self.limits,
            worst=query.figure == "worst",
            limit=query.left,
            tests=query.depth,
            first=-1 if self.problem.first is None else self.problem.first,
            quick=width > 0,
            memory=resources.memory,
        )

    def search(self, searcher: Any, state: NoisyState, beta: int, budget: int) -> Outcome:  # noqa: ARG002
        """Search the game for a value below beta; `budget` is not counted."""
        assert not state.history, "the game is searched as a whole"
        found: Outcome = searcher.search(beta)
        return found

    def bound(self, searcher: Any, state: NoisyState) -> tuple[int, bool]:  # noqa: ARG002 - as others have
        """Return that nothing is known without a search."""
        return 0, False

    def player(self, method: Method) -> NoisyOneStep:
        """Raise GuesstreeError, as no method one step ahead counts leaves."""
        raise GuesstreeError(f"method {method.name} counts no leaves; expected exact")

    def first_strategy(self) -> Found | None:
        """Return the strategy that decides at once what loses least, where one leaf may hold all."""
        least = self.limits.min_samples
        total = sum(self.model.weights)
        return super().first_strategy() if least is None or least <= total else None

    def poorer(self) -> Reduced | None:
        """Return None: the search finds a first strategy soon."""
        return None
