"""A session whose queries are answered by a claim tree and the workers behind an executor."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np

from guesstree.cext import Outcome

from ..errors import GuesstreeError
from ..objective import FIGURES
from ..onestep.ranking import Method
from ..search.counted import FIRST
from ..search.deadline import Deadline, Progress
from ..search.driver import answer
from ..search.policy import Policy
from ..search.session import Session
from ..search.space import ClaimSpace, Query, Resources
from ..solution import Found, Solved
from . import worker
from .messages import INFINITE, Report, Task
from .propagation import Splitters
from .scheduler import SILENT_SECONDS, BeamSource, ClaimSource, Job, OneShotSource, Scheduler, Source
from .store import Store
from .tree import BudgetPolicy, ClaimTree

TRIES = 5
"""So often it is asked what is missing of a strategy: answers may leave it out."""


class ClaimSession(Session[Any]):
    """Answers queries by claims: `engine.search.driver` asks them, workers settle what they are split into.

    Parameters
    ----------
    store: what is known of claims, and where what is found out goes.
    executor, workers, jobs: who settles claims, how many they are, and how many threads each has.

    Attributes
    ----------
    trees: those that were worked on, the last is the latest.
    """

    def __init__(
        self,
        space: ClaimSpace[Any],
        store: Store,
        executor: Executor,
        workers: int,
        deadline: Deadline,
        *,
        jobs: int = 1,
        memory: int | None = None,
        progress: Callable[[Progress], None] | None = None,
        splitters: Splitters | None = None,
    ) -> None:
        resources = Resources.of(space.problem, 1, memory, space.lies)
        super().__init__(space, resources, deadline, progress, Policy(looks=space.policy.looks))
        self.claims, self.store = space, store
        self.order = worker.Order.of(space.problem, memory, workers, space.lies, jobs).packed()
        self.scheduler = Scheduler(executor, workers, deadline)
        self.splitters, self.budgets = splitters or Splitters(space), BudgetPolicy(workers)
        self.paths = self.splitters.paths
        self.trees: list[ClaimTree] = []

    def solve(self) -> Solved:
        """Return the optimum, or the best bounds and strategy when the time is up or Ctrl-C is pressed.

        Raises Infeasible where there is no strategy, or none was found in time.
        """
        try:
            self.start(())
            answer(self)
        finally:
            self.scheduler.end()
        if self.best is None and self.deadline.stopped:
            self.offer(self.at_once())
        return self.conclude()

    # -- what the driver asks ------------------------------------------------------------------------------

    def ask(self, query: Query, beta: int, budget: int = 0) -> Outcome:  # noqa: ARG002 - claims have budgets
        """Have claims about a query settled, and offer the strategy that they show."""
        decided, infinite = self.claims.decided(query.figure), self.space.infinite
        tree = self.work(query, INFINITE if decided else min(beta, INFINITE))
        lower, upper = tree.root.lower, tree.root.upper
        if not decided and lower >= INFINITE and min(beta, self.claims.largest(query)) > INFINITE:
            raise GuesstreeError(
                f"{self.problem.game.spec}: the {FIGURES[query.figure].phase} comes to {INFINITE} or more, "
                "too much for several workers or a ledger; expected smaller costs and weights (fewer "
                "decimals will do), or one process without a ledger"
            )
        if decided:
            lower = query.depth + 1 if lower >= INFINITE else 0
            upper = query.depth if upper < INFINITE else infinite
        lower, upper = (infinite if bound >= INFINITE else bound for bound in (lower, upper))
        return Outcome(lower, upper, tree.first, "" if tree.done else "stopped")

    def take(self, query: Query, first: int) -> None:
        """Keep the strategy that was found: `ask` has done so."""

    def beam(self, width: int, query: Query, beta: int, budget: int = 0) -> bool:  # noqa: ARG002 - see `BeamSource`
        """Return whether a beam found a better strategy: beams are jobs of workers, beside claims."""
        return False

    # -- strategies ----------------------------------------------------------------------------------------

    def start(self, names: object) -> None:  # noqa: ARG002 - workers play them
        """Have a strategy to begin with, if one-step methods find one."""
        self.phase = "first strategies"
        job = Job(worker.look, (self.order,), None, SILENT_SECONDS)
        self.scheduler.work([OneShotSource([job], self.offer)], self.show_progress)

    def offer(self, found: Found | None, how: str = "") -> None:
        """Keep a strategy if it keeps to the limits, whoever found it, and is better than the best so far."""
        if found is None:
            return
        problem = self.problem
        own = [int(problem.own[guess]) for guess in found.choices.values()]
        root = max(found.choices, key=len, default=b"")
        if (
            found.worst <= self.space.most
            and (problem.first is None or found.choices.get(root, problem.first) == problem.first)
            and (not problem.candidates_only or all(map(np.isin, own, map(members, found.choices))))
        ):
            super().offer(found, how)

    def at_once(self) -> Found | None:
        """Return a strategy that takes no time to find."""
        if not self.space.one_step or self.space.lies:
            return None
        player = self.space.player(Method(FIRST))
        player.stop()
        return player.play_out()

    # -- one tree ------------------------------------------------------------------------------------------

    def work(self, query: Query, need: int = INFINITE) -> ClaimTree:
        """Return the tree of a query when all that is needed is shown, or it is late."""
        limit = self.claims.limit(query)
        tree = ClaimTree(self.claims, self.store, query.figure, limit, self.budgets, need, self.splitters)
        self.trees.append(tree)
        self.figure = query.figure
        if self.best is not None and self.figures is not None and self.keeps(query):
            upper = 0 if self.claims.decided(query.figure) else self.worth(query)
            choices, best = self.best.choices, tree.root.node
            packed = self.paths.packed((), limit, lambda state: choices[state.key])
            tree.learn(Report(best, 0, min(upper, INFINITE), choices=packed))
        if not tree.done:
            sources: list[Source] = [BeamSource(self.order, tree), ClaimSource(self.order, tree)]
            self.scheduler.work(sources, self.show_progress)
        self.gather(tree)
        return tree

    def keeps(self, query: Query) -> bool:
        """Return whether the best strategy keeps the limit of a query."""
        assert self.figures is not None
        if query.left >= 0:
            return query.figure in ("lost", "won") or self.figures.worst <= query.left
        return self.figures.depth <= query.depth

    def gather(self, tree: ClaimTree) -> None:
        """Keep the strategy of a tree if it is better than the best so far; late, the last that is whole.

        Raises GuesstreeError where there is none that takes what was reported.
        """
        if tree.root.upper >= INFINITE:
            return

        def learn(result: tuple[Report, ...]) -> None:
            for report in result:
                tree.learn(report)

        for _ in range(TRIES):
            tasks: list[Task] = tree.missing() if not self.deadline.late() else []
            jobs = [Job(worker.settle, (self.order, (task,)), None, SILENT_SECONDS) for task in tasks]
            self.scheduler.work([OneShotSource(jobs, learn)], self.show_progress)
        limit = tree.root.node.depth
        if not tree.missing():
            self.offer_choices(limit, tree.strategy())
        elif tree.whole is not None:
            path, packed = tree.whole
            self.offer_choices(limit, self.paths.unpacked(path, limit, packed))
        query = tree.splitter.query
        most = limit if self.claims.decided(tree.figure) else tree.root.upper
        if self.worth(query) > most and not self.deadline.late():
            why = f"a worker reported a strategy with a {tree.figure} of {most}, and there is none"
            tree.forget_strategy(why)
            raise GuesstreeError(f"{self.problem.game.spec}: {why}; start again, without what was wrong")

    def offer_choices(self, limit: int, choices: dict[bytes, int]) -> None:
        """Keep a strategy of a tree with this limit if it is better than the best so far."""
        space = self.claims
        root = space.root(space.query_at(self.figure, limit, ()))
        self.offer(space.walk(root, lambda state: choices[space.claim_key(state)]))

    # -- what is known -------------------------------------------------------------------------------------

    def show_progress(self) -> None:
        """Tell what is known now."""
        if not self.trees:
            return
        root, figure = self.trees[-1].root, self.trees[-1].figure
        self.store.rose(root.node, root.lower, root.upper)
        if self.progress is None:
            return
        lower, upper, first = root.lower, root.upper, self.trees[-1].first
        if figure == "won" or self.claims.decided(figure):  # these bounds are not of the figure alone
            lower, upper = self.lower[figure], self.upper(figure)
        self.progress(
            Progress(
                phase=self.phase,
                states=self.states,
                evaluations=self.evaluations,
                lower=min(lower, upper),
                upper=upper if upper < INFINITE else None,
                unit=self.problem.game.figure_unit(figure),
                first="" if first < 0 else self.problem.game.guesses[first],
                seconds=self.deadline.seconds,
            )
        )

    @property
    def states(self) -> int:
        """States of all trees."""
        return sum(len(tree.states) for tree in self.trees)

    @property
    def evaluations(self) -> int:
        """Evaluations of all workers."""
        return self.budgets.evaluations


def members(key: bytes) -> Any:
    """Return the candidates of a state of a strategy by its key."""
    return np.frombuffer(key, dtype=np.int32)
