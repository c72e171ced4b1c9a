"""Noisy tests: a state is what was asked and answered, see `noisy.model`.

The search is `noisy.exact_search`, with its proofs. It answers what the least expected cost is, and the least
worst case, also where a path has a limit. It counts in units that break no mass (`noisy.integer_model`).

No symmetry is looked for: a renaming has to keep all odds, prices, groups, orders and losses. A game may
declare points that change places (`noisy.points`), as pools do; then states that differ in places alone are
one. Of tests that say the same the kernel tries one in any case (fact 4 of `noisy.exact_search`), as of
copies of a test.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from guesstree.cext import Outcome

from ..errors import GameError, GuesstreeError
from ..noisy.exact_search import ExactSearch
from ..noisy.feasible import undecided
from ..noisy.float_model import FloatModel
from ..noisy.integer_model import INFINITE, Belief, IntegerModel, bits
from ..onestep.noisy import NoisyOneStep
from ..onestep.ranking import Method
from ..problem import Problem
from ..solution import Figures, Found, history_key
from ..state import Ints
from .policy import Policy
from .space import ANY, Child, Query, Reduced, Resources, SearchSpace

LOOK = 100_000
"""Cells of the table to look at, in all evaluations of a look ahead where nothing is searched."""
MOST_LOOKS = 200
"""So many evaluations at most."""


@dataclass(frozen=True, eq=False)
class NoisyState:
    """What is known after some tests and answers, and how many tests are left.

    `ended`: whether the last answer ended the path.
    """

    known: Belief
    depth: int
    history: tuple[tuple[int, int], ...] = ()
    ended: bool = False

    @cached_property
    def candidates(self) -> Ints:
        """The causes still possible."""
        return np.fromiter(bits(self.known.members), dtype=np.int32)

    @property
    def key(self) -> bytes:
        """The tests and their answers."""
        return history_key(self.history)


class Noisy(SearchSpace[NoisyState]):
    """States and search where tests may get several answers. Raises GameError where there is no strategy."""

    infinite = INFINITE
    decides = False
    one_step = False
    by_history = True
    policy = Policy(relaxes=True)

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        assert problem.game.model is not None
        self.model, leaves = problem.game.model, problem.leaves
        price = 0 if leaves is None or leaves.leaf_price is None else leaves.leaf_price
        self.integers = IntegerModel(self.model, price / problem.game.cost_unit)
        self._floats: dict[tuple[str, bool], FloatModel] = {}
        self._require_strategy()
        self.most = min(self.integers.tests, problem.limited or self.integers.tests)
        losses = [x for row in self.integers.losses or () for x in row if x is not None]
        if self.integers.root().mass * (sum(self.integers.prices) + max(losses, default=0)) >= INFINITE:
            raise GameError(
                f"{problem.game.spec}: the odds of {self.integers.tests} tests come to numbers of more than "
                f"{INFINITE.bit_length() - 1} bits; expected fewer decimals, or fewer tests with odds"
            )

        if problem.first is not None:
            self._require_first(problem.first)

    def _require_first(self, first: int) -> None:
        """Raise GuesstreeError for a first test that may not be asked first, or helps in no way."""
        look, guesses, root = self.problem.game.look, self.problem.game.guesses, self.integers.root()
        if self.integers.losses is None and self.integers.settled(root.members):
            raise GuesstreeError(
                f"first {look.guess} {guesses[first]!r}: nothing is left to ask; expected none"
            )
        needed = [repr(guesses[test]) for test in bits(self.integers.needs[first])]
        if needed:
            raise GuesstreeError(
                f"first {look.guess} {guesses[first]!r} may be asked after {', '.join(needed)} only; "
                "expected one that waits for none"
            )
        if not self.integers.useful(self.integers.telling(root.members), root.asked, 0) >> first & 1:
            raise GuesstreeError(
                f"first {look.guess} {guesses[first]!r} tells nothing and opens no group; expected another"
            )

    def _require_strategy(self) -> None:
        """Raise GameError that names causes which may be left where nothing may be decided for them."""
        game, found = self.problem.game, undecided(self.integers)
        if found is None:
            return
        names, cause = [repr(game.secrets[cause]) for cause in found], game.look.named("secret")
        if len(found) == 1:
            raise GameError(
                f"{game.spec}: no decision is allowed for {cause} {names[0]}; expected one, with its loss"
            )
        several = f"{', '.join(names[:-1])} and {names[-1]}"
        if self.integers.losses is not None:
            raise GameError(
                f"{game.spec}: no decision is allowed for all of {several}, which may get the same answer to "
                "every test; expected a test that tells them apart, or one decision with a loss for each"
            )
        failures, overlap = self.integers.failures, set(found) <= self.model.overlaps[found[0]]
        fails = f" but {failures}, which may fail to answer" if failures else ""
        rows = self.model.characters.shown if self.model.characters else self.model.chances
        alike = len(found) == 2 and all(row[found[0]] == row[found[1]] for row in rows)
        merged = ", merge (they become one cause)" if alike else ""
        allow = f"{merged}, or ambiguous=clique (they may be named together)" if overlap else ""
        raise GameError(
            f"{game.spec}: {several} may get the same answer to every test{fails}; "
            f"expected a test that tells them apart{allow}"
        )

    def unit(self, figure: str) -> int:
        """Return what 1 is counted as: masses and prices are not broken."""
        return self.integers.coin * (self.integers.unit if figure == "total" else 1)

    def query(self, figure: str, limit: int | None = None) -> Query:
        """Return the question for the least of a figure, where no path costs more than the limit."""
        return Query(figure, self.most, -1 if limit is None else limit)

    def searcher(
        self,
        query: Query,
        resources: Resources,
        width: int = 0,
        discrepancies: int = ANY,  # noqa: ARG002 - beams count none here
        *,
        pairs: bool = False,  # noqa: ARG002 - of costs
    ) -> ExactSearch:
        """Return a new searcher; with a width it tries so many tests of a state at most."""
        floats = self.floats(query.figure, limited=query.left >= 0)
        return ExactSearch(
            self.integers,
            floats,
            width,
            resources.memory,
            limit=query.left,
            tests=query.depth,
            jobs=resources.jobs,
        )

    def floats(self, figure: str, *, limited: bool = False) -> FloatModel:
        """Return the model as the kernel sees it."""
        if (figure, limited) not in self._floats:
            found = FloatModel.of(self.model, worst=figure != "total", limited=limited)
            self._floats[figure, limited] = found
        return self._floats[figure, limited]

    def player(self, method: Method) -> NoisyOneStep:
        """Return a one-step method for tests that are not certain."""
        root = self.root(self.query("total"))
        return NoisyOneStep(
            self.integers, method, lambda choose: self.walk(root, lambda one: choose(one.known))
        )

    def first_strategy(self) -> Found | None:
        """Return the strategy that decides at once what loses least; None: nothing is allowed for all."""
        root = NoisyState(self.integers.root(), self.most)
        allowed = [d for d, causes in enumerate(self.integers.allowed) if causes == self.integers.everyone]
        if not allowed or self.problem.first is not None or self.finished(root):
            return None
        best = min(allowed, key=lambda d: self.paid(root, self.integers.tests + d))
        return Found({root.key: self.integers.tests + best})

    def poorer(self) -> Reduced | None:
        """See `SearchSpace`: without the last copies of the tests that may be repeated."""
        problem, last = self.problem, self.model.last_copies()
        if not last:
            return None
        kept = [test for test in range(self.integers.tests) if test not in last]
        labels = tuple(problem.game.guesses[test] for test in kept)
        game = problem.game.with_model(self.model.only(kept), problem.game.secrets, labels)
        first = None if problem.first is None else problem.game.guesses[problem.first]
        try:
            space = Noisy(
                Problem(game, problem.objective, goal=problem.goal, max_depth=problem.limited, first=first)
            )
        except GameError:  # where tests may fail to answer, copies may be needed
            return None
        place = np.array([*kept, *range(self.integers.tests, self.integers.tests + len(game.decisions))])

        def widened(found: Found) -> Found:
            choices = {}
            for key, guess in found.choices.items():
                steps = np.array(np.frombuffer(key, dtype=np.int32)).reshape(-1, 2)
                steps[:, 0] = place[steps[:, 0]]
                choices[steps.tobytes()] = int(place[guess])
            return Found(choices)

        return Reduced(space, widened)

    def root(self, query: Query) -> NoisyState:
        """Return the state before the first test."""
        budget = None if query.left < 0 else query.left
        return NoisyState(self.integers.root()._replace(budget=budget), query.depth)

    def search(self, searcher: Any, state: NoisyState, beta: int, budget: int) -> Outcome:
        """Search a state for a value below beta, with so many evaluations at most (0: any number)."""
        found: Outcome = searcher.search(state.known, state.history, beta, budget)
        return found

    def bound(self, searcher: Any, state: NoisyState) -> tuple[int, bool]:
        """Return at least the value of a state, by what is remembered, and whether it is exactly that."""
        lower, exact = searcher.bound(state.history)
        return int(lower), bool(exact)

    def choice(self, searcher: Any, state: NoisyState) -> int:
        """Return the test that reaches the value just found; raise ValueError when it is not known."""
        return int(searcher.choice(state.history))

    def paid(self, state: NoisyState, guess: int) -> int:
        """Return what a test costs in a state, or what a decision loses."""
        decision = guess - self.integers.tests
        if decision < 0:
            return self.integers.price_after(state.history, guess) * state.known.mass
        return sum(m * self._loss(decision, cause) for cause, m in state.known.masses.items())

    def _loss(self, decision: int, cause: int) -> int:
        """Return what an allowed decision loses for a cause."""
        assert self.integers.losses is not None
        loss = self.integers.losses[decision][cause]
        assert loss is not None
        return loss

    def finished(self, state: NoisyState) -> bool:
        """Return whether nothing is left to choose: the path has ended, or the causes left are named."""
        return state.ended or (self.integers.losses is None and self.integers.settled(state.known.members))

    def children(self, state: NoisyState, guess: int) -> Iterator[NoisyState]:
        """Yield the states after each answer to a test, the one that it fails to give last; see `Model`."""
        integers, known = self.integers, state.known
        if guess >= integers.tests:
            return
        for answer, part in integers.parts[guess]:
            if part & known.members:
                after = integers.after(known, guess, answer, part & known.members)
                history = (*state.history, (guess, answer))
                yield NoisyState(after, state.depth - 1, history, answer in integers.ending[guess])
        if known.failures:
            history = (*state.history, (guess, integers.silent))
            yield NoisyState(integers.failed(known, guess), state.depth - 1, history)

    def split(self, query: Query, state: NoisyState, guess: int) -> list[Child[NoisyState]]:
        """Return the parts that a test leaves, largest first; infinite where it is above the limit."""
        children = []
        price = self.integers.prices[guess]
        for child in self.children(state, guess):
            paid = price * (child.known.mass if query.figure == "total" else 1)
            if child.known.budget is not None and child.known.budget < 0:
                paid = self.infinite
            over = self.finished(child)
            children.append(Child(None if over else child, paid, exact=over))
        return sorted(children, key=lambda child: -child.size)

    def figures(self, found: Found) -> Figures:
        """Return what a strategy takes, from its choices alone."""
        total = worst = depth = leaves = 0
        waiting: list[tuple[NoisyState, int]] = [(NoisyState(self.integers.root(), self.most), 0)]
        while waiting:
            state, paid = waiting.pop()
            guess = -1 if self.finished(state) else found.choices[state.key]
            if 0 <= guess < self.integers.tests:
                total += self.paid(state, guess)
                paid += self.integers.price_after(state.history, guess)
                waiting += [(child, paid) for child in self.children(state, guess)]
                continue
            if guess >= 0:
                total += self.paid(state, guess)
                paid += max(
                    self._loss(guess - self.integers.tests, cause) for cause in bits(state.known.members)
                )
            worst, depth, leaves = max(worst, paid), max(depth, len(state.history)), leaves + 1
        total += leaves * self.integers.leaf_price * self.integers.root().mass
        return Figures(total, worst, 0, 0, depth)

    def counted(self) -> dict[str, int]:
        """Return at least what each figure of the objective is, after a short look ahead."""
        found = {"total": 0, "worst": 0}
        looks = min(MOST_LOOKS, 1 + LOOK // (self.problem.secrets * self.integers.tests))
        for figure in self.problem.objective.figures:
            searcher = ExactSearch(self.integers, self.floats(figure), memory=1 << 20, tests=self.most)
            found[figure] = searcher.search(self.integers.root(), (), budget=looks).lower
        return found
