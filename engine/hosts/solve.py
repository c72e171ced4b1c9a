"""`solve_host`: all shortest wins against a host who keeps the largest part, see `search`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import Infeasible
from ..game import Game
from ..objective import EXPECTED
from ..problem import Problem
from ..registry import game_of
from ..search.deadline import Deadline, Progress
from ..search.space import Resources
from ..support import LARGEST, Request, require
from .priced import Cheapest, OutOfMemory, Paid
from .search import Deepening, Edge, Stopped
from .wins import END, HostSolved, HostState, Raw, Way

Search = Deepening | Cheapest


def solve_host(
    game: Game | str,
    *,
    goal: str | None = None,
    first: str | None = None,
    candidates_only: bool = False,
    symmetry: bool = True,
    time_limit: float | None = None,
    memory: int | None = None,
    jobs: int = 1,
    progress: Callable[[Progress], None] | None = None,
) -> HostSolved:
    """Return all shortest wins against a host who keeps the largest part, proven if there is time.

    Where guesses cost, these are the cheapest wins, and of them those of the fewest guesses. Weights do not
    count.

    Parameters
    ----------
    game, goal, first, candidates_only, symmetry, time_limit, memory, jobs, progress: see `search.solve`.

    Raises Infeasible where there is no win; GuesstreeError for bad arguments.
    """
    game = game_of(game)
    goal = goal or game.facts.goals[0]
    require(
        Request(
            game,
            EXPECTED.name,
            goal=goal,
            first=first,
            candidates_only=candidates_only,
            jobs=jobs,
            time_limit=time_limit,
            maker=LARGEST,
        )
    )
    clock = Deadline(time_limit)
    clock.awaited = True
    problem = Problem(
        game,
        EXPECTED,
        goal=goal,
        first=first,
        candidates_only=candidates_only,
        symmetry=symmetry,
        by_guess=False,  # which of several responses the host prefers, the game says
    )
    run = Run(problem, clock, progress)
    try:
        clock.run(lambda: run.work(memory, jobs), run.stop, run.report)
    except KeyboardInterrupt:
        clock.stopped = "interrupt"
    return run.concluded()


class Run:
    """A search under a clock, with the best win so far."""

    def __init__(
        self, problem: Problem, clock: Deadline, progress: Callable[[Progress], None] | None
    ) -> None:
        self.problem, self.clock, self.progress = problem, clock, progress
        self.search: Search | None = None
        self.best: tuple[Paid, list[Edge]] | None = None
        self.done = self.stopping = False
        self.stopped = ""

    def stop(self) -> None:
        """Have the search end soon."""
        self.stopping = True
        if self.search is not None:
            self.search.stopping = True

    def report(self) -> None:
        """Tell what is known."""
        search = self.search
        if self.progress is None or search is None:
            return
        _, guesses = self.lower
        game = self.problem.game
        share = ""
        if isinstance(search, Deepening) and search.due:
            share = f", {search.done} of {search.due} first states"
        self.progress(
            Progress(
                phase=f"a win of {guesses} guesses{share}",
                states=search.searched,
                evaluations=search.evaluations,
                lower=self.lower[0],
                upper=None if self.best is None else self.best[0][0],
                first="" if self.best is None else game.guesses[self.best[1][0][0]] if self.best[1] else "",
                seconds=self.clock.seconds,
                unit=game.cost_unit,
            )
        )

    @property
    def lower(self) -> Paid:
        """What every win pays at least."""
        proved = 0 if self.search is None else self.search.proved
        if isinstance(proved, tuple):
            return proved
        return proved + self.problem.base, proved + self.problem.base

    def work(self, memory: int | None, jobs: int) -> None:
        """Find a win one step ahead, then all shortest ones."""
        problem = self.problem
        resources = Resources.of(problem, jobs, memory)
        search: Search = (
            Cheapest(problem, resources.memory)
            if problem.game.facts.priced
            else Deepening(problem, resources.memory, jobs)
        )
        self.search = search
        search.stopping = self.stopping
        try:
            self.look_ahead(search)
            self.done = True
            if not search.work():
                raise Infeasible(problem.no_strategy(""))
        except OutOfMemory:
            self.stopped, self.done = "memory", False
        except Stopped:
            self.done = False

    def look_ahead(self, search: Search) -> None:
        """Find wins that look one step ahead: at sizes of what is left, and at costs."""
        costs = self.problem.costs if self.problem.game.facts.priced else None
        one = np.ones(len(self.problem.own))

        def by_size(guesses: Any, responses: Any, sizes: Any, parts: Any) -> tuple[Any, ...]:
            paid = one[guesses] if costs is None else costs[guesses, responses]
            return sizes, -parts, paid

        def by_cost(guesses: Any, responses: Any, sizes: Any, parts: Any) -> tuple[Any, ...]:
            sizes, parts, paid = by_size(guesses, responses, sizes, parts)
            return paid, sizes, parts

        for worth in (by_size,) if costs is None else (by_size, by_cost):
            steps = search.greedy(worth, self.problem.first)
            if steps is not None:
                paid = search.paid_by(steps) if isinstance(search, Cheapest) else (len(steps), len(steps))
                if self.best is None or paid < self.best[0]:
                    self.best = paid, steps
                    self.clock.has_something()
                    if isinstance(search, Cheapest):
                        search.limit = paid

    def concluded(self) -> HostSolved:
        """Return what was found; raise Infeasible where that is nothing."""
        problem, search, clock = self.problem, self.search, self.clock
        stopped = "" if self.done else self.stopped or clock.stopped or "time"
        if search is None or (not self.done and self.best is None):
            raise Infeasible(problem.no_strategy(stopped))
        if self.done:
            upper = self.lower
            root = search.key(search.start, search.needs)
            search.found.candidates[root] = search.start
            search.found.ways.setdefault(root, [])
            states, complete = search.found.numbered(root), True
        else:
            assert self.best is not None
            upper, steps = self.best
            states, complete = self.path(search, steps), False
        return HostSolved(
            game=problem.game,
            goal=problem.goal,
            parameters={"maker": LARGEST} | problem.parameters,
            lower=min(self.lower, upper),
            upper=upper,
            states=states,
            complete=complete,
            searched=search.searched,
            evaluations=search.evaluations,
            seconds=clock.seconds,
            stopped=stopped,
        )

    def path(self, search: Search, steps: list[Edge]) -> tuple[HostState, ...]:
        """Return one win as a graph."""
        raw, candidates, needs = Raw(), search.start, search.needs
        root = search.key(candidates, needs)
        for number, (guess, response, _, _) in enumerate(steps, 1):
            key = search.key(candidates, needs)
            raw.candidates[key] = candidates
            candidates = search.left(candidates, guess, response)
            needs = search.after(needs, guess, response)
            target = END if number == len(steps) else search.key(candidates, needs)
            raw.ways[key] = [(guess, response, target, 1)]
        if not steps:
            raw.candidates[root], raw.ways[root] = candidates, []
        return raw.numbered(root)


__all__ = ["HostSolved", "HostState", "Way", "solve_host"]
