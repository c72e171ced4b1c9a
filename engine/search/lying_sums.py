"""Responses that may be false, where sums over secrets or costs count: each secret pays its worst way to lie.

With up to L false responses, the value of a strategy is the weighted sum over secrets of the most that each
may need over all ways to lie, or the most that any does. `allowance` says why such a sum is no sum over the
children of a guess, and what is decided instead; `least_sum` minimises. What to ask depends on what each
secret has paid already and may still pay, so a strategy is known by guesses and responses, not by who is
possible.

No symmetry is used: allowances differ from secret to secret, so that few renamings keep them, and why some
are not kept (`allowance.Decider`) would have to hold for all images of the guesses that were tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import Outcome

from ..errors import Infeasible
from ..notation import plurals
from ..onestep.lying import LyingOneStep
from ..onestep.ranking import Method
from ..problem import Problem
from ..solution import Figures, Found, history_key
from ..state import Ints
from ..stopping import heed
from .allowance import Amounts, Decider, HaltError, State, after
from .least_sum import LeastSum, least_for_all, lowered
from .lying import one_step
from .policy import Policy
from .space import ANY, Child, Query, Resources, SearchSpace

FIRST_BOXES, NEXT_SHARES = 1 << 10, 4
"""Boxes that a sum gets at first, and into how many parts what is not known is divided for the next ones."""
GROWS = 5, 4
"""A beam that fails with some allowances for all tries again with so many parts more."""


@dataclass(frozen=True)
class AllowedState:
    """Who is still possible, with the lies that each has left and what each may still pay.

    depth: guesses asked; history: those and their responses.
    """

    state: State
    allowed: Amounts
    depth: int = 0
    history: tuple[tuple[int, int], ...] = ()

    @property
    def candidates(self) -> Ints:
        """The secrets still possible, sorted."""
        return np.array([s for s, _ in self.state], dtype=np.int32)

    @property
    def left(self) -> NDArray[np.uint8]:
        """How many lies each of them has left."""
        return np.array([left for _, left in self.state], dtype=np.uint8)

    @property
    def key(self) -> bytes:
        """The guesses and their responses."""
        return history_key(self.history)


class Searcher:
    """Searches one question; what it decided is remembered.

    Attributes
    ----------
    kept: what each secret pays by the best strategy found, or None.
    """

    def __init__(self, decider: Decider, weights: Any, query: Query, most: int) -> None:
        self.decider, self.weights, self.query, self.most = decider, weights, query, most
        self.kept: Amounts | None = None
        self.known = Outcome(0, LyingSums.infinite, -1, "")

    @property
    def states(self) -> int:
        """States expanded."""
        return self.decider.states

    @property
    def evaluations(self) -> int:
        """States valued against all guesses."""
        return self.decider.evaluations

    @property
    def entries(self) -> int:
        """States remembered."""
        return self.decider.entries

    def stop(self) -> None:
        """End a search that runs in another thread."""
        self.decider.stop()

    def seen(self) -> Outcome:
        """Return what is known of the question that is searched in another thread."""
        return self.known

    def note(self, lower: int = 0, kept: Amounts | None = None) -> None:
        """Take in a bound, or what the secrets pay by a strategy that was found."""
        upper = self.known.upper
        if kept is not None:
            self.kept, upper = kept, self.value(kept)
        self.known = Outcome(max(self.known.lower, min(lower, upper)), upper, -1, "")

    def value(self, kept: Amounts) -> int:
        """Return what amounts are worth to the question."""
        return max(kept) if self.query.figure == "worst" else int(self.weights @ np.array(kept))

    def search(self, beta: int, budget: int) -> Outcome:
        """Search for a value below beta, with so many evaluations at most (0: any number)."""
        decider = self.decider
        decider.stopped, decider.budget = False, budget and decider.evaluations + budget
        self.known, self.kept = Outcome(self.known.lower, LyingSums.infinite, -1, ""), None
        try:
            if decider.width:
                self._beam()
            elif self.query.figure == "worst":
                self._least_worst(beta)
            else:
                self._least_total(beta)
        except HaltError:
            ended = "stopped" if decider.stopped else "budget"
            return Outcome(self.known.lower, self.known.upper, -1, ended)
        lower = 0 if decider.width else min(self.known.upper, max(beta, self.known.lower))
        return Outcome(lower, self.known.upper, -1, "")

    def _least_worst(self, beta: int) -> None:
        try:
            lower, kept = least_for_all(self.decider, self.known.lower, min(beta, self.most + 1))
        except HaltError as stopped:
            self.note(*stopped.args)
            raise
        self.note(lower, kept)

    def _least_total(self, beta: int) -> None:
        """Decide sums: that just below what is known to be possible, and lower ones, in turns."""
        sums = LeastSum(self.decider, self.weights, self.most)
        if sums.least > self.most:
            return
        self.note(sums.at_least())
        beta = min(beta, self.most * int(self.weights.sum()) + 1)
        patience, share = FIRST_BOXES, 0
        while self.known.lower < (beta := min(beta, self.known.upper)):
            total = beta - 1 - share * (beta - 1 - self.known.lower) // NEXT_SHARES
            kept, certain = sums.within(total, patience)
            if kept is not None:
                self.note(kept=kept)
            elif certain:
                self.note(total + 1)
            else:
                share += 1
                if share > NEXT_SHARES:
                    patience, share = patience * 4, 0

    def _beam(self) -> None:
        """Find what all secrets may pay, with ever more allowed, and then lower it one by one."""
        decider, amount = self.decider, 1
        while True:
            kept, found = decider.settle(decider.root, (amount,) * len(decider.root))
            if kept:
                break
            if amount >= self.most:
                return
            amount = min(self.most, amount * GROWS[0] // GROWS[1] + 1)
        self.note(kept=found)
        if self.query.figure == "total":
            self.note(kept=lowered(decider, self.weights.tolist(), found))

    def choice(self, state: AllowedState) -> int:
        """Return the guess of a state; raise ValueError where it is not known."""
        try:
            return self.decider.guess(state.state, state.allowed)
        except HaltError:
            raise ValueError("stopped") from None


class LyingSums(SearchSpace[AllowedState]):
    """States and search where up to `lies` responses may be false, and sums or costs count."""

    infinite = 1 << 60
    decides = False
    one_step = False
    whole = True
    by_history = True
    policy = Policy()

    def __init__(self, problem: Problem, lies: int) -> None:
        super().__init__(problem)
        self.lies = lies
        if problem.goal == "identify" and problem.alike is not None:
            two = f"two {plurals(problem.game.look.secret)}"
            raise Infeasible(f"{problem.game.spec} cannot be settled: {two} get the same responses")
        # Each guess of a sensible strategy takes a lie, or more, from some secret.
        longest = problem.secrets * (lies + 1) + 1
        self.most = int(problem.costs.max(initial=1)) * longest
        if problem.limited is not None:  # never where questions cost
            self.most = min(problem.limited, longest)
        self.table = problem.table.astype(np.int32)
        self.kept: dict[Query, Amounts] = {}

    def query(self, figure: str, limit: int | None = None) -> Query:
        """Return the question for the least of a figure, where no secret pays more than the limit."""
        return Query(figure, self.most, self.most if limit is None else min(limit, self.most))

    def searcher(
        self,
        query: Query,
        resources: Resources,
        width: int = 0,
        discrepancies: int = ANY,  # noqa: ARG002 - beams count none here
        *,
        pairs: bool = False,  # noqa: ARG002 - of costs
    ) -> Searcher:
        """Return a new searcher; with a width it tries so many guesses of a state at most."""
        problem = self.problem
        first = -1 if problem.first is None else problem.first
        decider = Decider(
            self.table,
            problem.costs,
            problem.winning,
            self.lies,
            first=first,
            width=width,
            memory=resources.memory,
        )
        return Searcher(decider, problem.weights, query, query.left)

    def player(self, method: Method) -> LyingOneStep:
        """Return a one-step method that knows lies; raise GuesstreeError for another."""
        return one_step(self, method, self.root(self.query("total")))

    def root(self, query: Query) -> AllowedState:
        """Return the state before the first guess, with what the best strategy found allows."""
        start = tuple((s, self.lies) for s in range(self.problem.secrets))
        return AllowedState(start, self.kept.get(query, (query.left,) * len(start)))

    def search(self, searcher: Searcher, state: AllowedState, beta: int, budget: int) -> Outcome:  # noqa: ARG002 - the root
        """Search the game for a value below beta, with so many evaluations at most (0: any number)."""
        found = searcher.search(beta, budget)
        if searcher.kept is not None:
            self.kept[searcher.query] = searcher.kept
        return found

    def bound(self, searcher: Searcher, state: AllowedState) -> tuple[int, bool]:  # noqa: ARG002 - the root
        """Return at least the value of the game, and whether it is exactly that."""
        return searcher.seen().lower, False

    def choice(self, searcher: Searcher, state: AllowedState) -> int:
        """Return the guess that keeps the allowances of a state; raise ValueError when it is not known."""
        return searcher.choice(state)

    def finished(self, state: AllowedState) -> bool:
        """Return whether nothing is left to ask."""
        return len(state.state) <= (self.problem.winning < 0)

    def children(self, state: AllowedState, guess: int) -> Iterator[AllowedState]:
        """Yield the states after a guess that does not win."""
        row, winning = self.table[guess].tolist(), self.problem.winning
        for response, cost in enumerate(self.problem.costs[guess].tolist()):
            found, allowed = after(state.state, state.allowed, row, response, cost, winning)
            told = self.problem.told(guess, response)  # nobody says what the guess never gets
            if found and response != winning and told >= 0:
                yield AllowedState(found, allowed, state.depth + 1, (*state.history, (guess, told)))

    def split(self, query: Query, state: AllowedState, guess: int) -> list[Child[AllowedState]]:
        """Refuse: what the parts of a guess take does not add up, see `allowance`."""
        raise NotImplementedError("parts do not add up with lies")

    def walk(self, root: AllowedState, choose: Callable[[AllowedState], int]) -> Found:
        """Return the strategy that asks `choose(state)` in every state."""
        found, waiting = Found(), [root]
        while waiting:
            heed()
            state = waiting.pop()
            if not self.finished(state):
                guess = choose(state)
                found.choices[state.key] = guess
                found.worst = max(found.worst, state.depth + 1)
                waiting += self.children(state, guess)
        return found

    def figures(self, found: Found) -> Figures:
        """Return what a strategy takes: of each secret, the most that it pays on any way down."""
        start = tuple((s, self.lies) for s in range(self.problem.secrets))
        waiting, paid = [AllowedState(start, (0,) * len(start))], [0] * len(start)
        while waiting:
            state = waiting.pop()
            if self.finished(state):
                guess = -1
            else:
                guess = found.choices[state.key]
                waiting += self.children(state, guess)
            for (s, _), left in zip(state.state, state.allowed, strict=True):  # what is left of nothing
                won = guess >= 0 and int(self.table[guess, s]) == self.problem.winning
                last = int(self.problem.costs[guess, self.problem.winning]) if won else 0
                if guess < 0 or won:
                    paid[s] = max(paid[s], last - left)
        total = int(self.problem.weights @ np.array(paid))
        return Figures(total, max(paid), 0, 0, found.worst)

    def counted(self) -> dict[str, int]:
        """Return at least what each figure is, by counting; without lies no secret pays more."""
        found = {"total": 0, "worst": 0}
        if not self.problem.priced:
            secrets = self.problem.secrets
            found = {"total": int(self.problem.least[secrets]), "worst": self.problem.least_depth}
        return found
