"""Exact search for a whole game: one-step strategies first, then proofs by depth-first branch and bound.

The searches themselves are in `cext` (compiled, and a plain twin whose steps are numbered and proved). Here
objectives are taken apart into questions that those answer:

- can the game be settled within d guesses? (a search with unit 0), for d from the counting bound upwards;
- what is the least total within d guesses? (a search with unit 1).

A pair of objectives is solved under a depth limit, see `engine.objective`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from guesstree.cext import dfs, onestep

from .errors import GuesstreeError, Infeasible
from .game import Game, physical_memory, require_memory
from .greedy import Method, OneStep
from .heuristics import VALUATIONS
from .objective import OBJECTIVES, parse_objective
from .problem import Found, Problem, Solution
from .state import everything, split
from .watch import Watch

ENTRY_BYTES = 48
PLAYED = "played"


@dataclass(frozen=True)
class Progress:
    """What is known while a search runs; bounds are of the part of the objective named by `phase`.

    While a one-step method is played (phase `PLAYED`), `states` are the secrets settled out of `lower`, and
    `evaluations` the guesses valued.
    """

    phase: str
    states: int
    evaluations: int
    lower: int
    upper: int | None
    first: str
    seconds: float


class _Run:
    """A solve in progress: its searchers, its clock, the best strategy so far."""

    def __init__(
        self, problem: Problem, time_limit: float | None, progress: Callable[[Progress], None] | None
    ) -> None:
        self.problem = problem
        self.watch = Watch(time_limit)
        self.progress = progress
        self.best: Found | None = None
        self.phase = ""
        self.offset = 0  # what the rest of the game costs while a part of it is searched
        self.searchers: dict[int, tuple[Any, Any]] = {}

    # -- strategies ------------------------------------------------------------------------------------

    def offer(self, found: Found | None) -> None:
        """Keep a strategy if it is better than the best so far."""
        if found is None or found.worst > self.problem.max_depth:
            return
        value = self.problem.objective.value
        if self.best is None or value(found.total, found.worst) < value(self.best.total, self.best.worst):
            self.best = found

    def one_step(self) -> None:
        """Start with the one-step strategies: an upper bound, and something to return at any time."""
        for name in VALUATIONS:
            player = OneStep(self.problem, Method(name))
            self.offer(self.watch.run(player.play_out, player.stop))
            if self.watch.late():
                return

    def extract(self, unit: int, depth: int, root: int) -> Found:
        """Return the strategy behind a value just found; `root` is its first guess."""
        problem, (searcher, counters) = self.problem, self.searchers[unit]
        counters[dfs.STOP] = 0  # what is asked now is known already
        found = Found()
        waiting = [(everything(problem.secrets), depth)]
        for candidates, left in waiting:
            if problem.finished(candidates):
                found.reach(depth - left)
                continue
            guess = root if left == depth else int(searcher.choice(candidates, left))
            found.add(candidates, guess)
            for response, cell in split(problem.row(guess, candidates), candidates):
                if response == problem.winning:
                    found.reach(depth - left + 1)
                else:
                    waiting.append((cell, left - 1))
        return found

    # -- searches --------------------------------------------------------------------------------------

    def searcher(self, unit: int) -> tuple[Any, Any]:
        """Return the searcher for depth (unit 0) or for totals (unit 1), and its counters."""
        if unit not in self.searchers:
            problem = self.problem
            counters = np.zeros(dfs.COUNTERS, dtype=np.int64)
            self.searchers[unit] = (
                dfs.Searcher(
                    problem.table,
                    problem.marks,
                    problem.responses,
                    problem.winning,
                    unit,
                    problem.candidates_only,
                    problem.least * unit,
                    problem.capacity,
                    counters,
                    problem.classes,
                    physical_memory() // 8 // ENTRY_BYTES,
                ),
                counters,
            )
        return self.searchers[unit]

    def value(self, unit: int, depth: int, beta: int) -> tuple[int, int]:
        """Return (value, first guess) of the whole game as `Searcher.search` defines it.

        When the search was stopped, the value is a lower bound, below beta or not, and the first guess is
        that of a strategy better than beta if one was found, else -1.
        """
        searcher, counters = self.searcher(unit)
        counters[dfs.LOWER], counters[dfs.UPPER], counters[dfs.FIRST] = 0, beta, -1
        if self.problem.first is None:
            start = everything(self.problem.secrets)
            value = self._wait(counters, lambda: int(searcher.search(start, depth, beta)))
            if self.watch.stopped:
                return int(counters[dfs.LOWER]), int(counters[dfs.FIRST])
            return value, int(searcher.choice(start, depth)) if value < beta else -1
        return self._value_of_first(unit, depth, beta, self.problem.first)

    def _value_of_first(self, unit: int, depth: int, beta: int, first: int) -> tuple[int, int]:
        problem, (searcher, counters) = self.problem, self.searcher(unit)
        start = everything(problem.secrets)
        parts = split(problem.row(first, start), start)
        cells = [cell for response, cell in parts if response != problem.winning]
        cells.sort(key=len, reverse=True)
        bounds = [
            int(problem.least[len(c)]) * unit
            if len(c) <= problem.capacity[min(depth - 1, len(problem.capacity) - 1)]
            else dfs.INFINITE
            for c in cells
        ]
        total = unit * problem.secrets + sum(bounds)
        for cell, bound in zip(cells, bounds, strict=True):
            counters[dfs.LOWER], counters[dfs.UPPER] = bound, dfs.INFINITE
            limit = beta - (total - bound)
            if limit <= bound:
                break
            self.offset = total - bound
            total += self._wait(counters, lambda: searcher.search(cell, depth - 1, limit, (first,))) - bound  # noqa: B023
            if self.watch.stopped:
                return self.offset + max(bound, int(counters[dfs.LOWER])), -1
        return min(total, dfs.INFINITE), first if total < beta else -1

    def _wait(self, counters: Any, search: Callable[[], int]) -> int:
        """Return what a search returns; see `Watch.run`."""

        def stop() -> None:
            counters[dfs.STOP] = 1

        progress = self.progress
        report = None if progress is None else lambda: progress(self.snapshot(counters))
        value = self.watch.run(search, stop, report)
        if counters[dfs.STOP] == dfs.STOPPED_BY_MEMORY:
            self.watch.stopped = self.watch.stopped or "memory"
        elif not counters[dfs.STOP] and self.watch.stopped == "time":
            self.watch.stopped = ""  # it finished before the clock could stop it
        return value

    def counted(self, index: int) -> int:
        """Return a counter, added up over the searchers."""
        return sum(int(counters[index]) for _, counters in self.searchers.values())

    def snapshot(self, counters: Any) -> Progress:
        """Return what is known now."""
        first = int(counters[dfs.FIRST]) if self.problem.first is None else self.problem.first
        if first < 0 and self.best is not None:
            first = self.best.choices.get(everything(self.problem.secrets).tobytes(), -1)
        upper = int(counters[dfs.UPPER])
        return Progress(
            phase=self.phase,
            states=self.counted(dfs.STATES),
            evaluations=self.counted(dfs.EVALUATIONS),
            lower=self.offset + int(counters[dfs.LOWER]),
            upper=self.offset + upper if upper < dfs.INFINITE else None,
            first="" if first < 0 else self.problem.game.guesses[first],
            seconds=self.watch.seconds,
        )

    # -- objectives ------------------------------------------------------------------------------------

    def least_depth(self) -> int:
        """Return at least the least worst case; exactly, with the best strategy offered, unless stopped."""
        problem = self.problem
        depth = problem.least_depth
        while depth < (self.best.worst if self.best else problem.max_depth + 1):
            self.phase = f"worst case of {depth}"
            if self.watch.late():
                return depth
            _, first = self.value(0, depth, 1)
            if first >= 0:
                self.offer_first(self.extract(0, depth, first))
                return depth
            if self.watch.stopped:
                return depth
            depth += 1
        return depth

    def offer_first(self, found: Found) -> None:
        """Keep a strategy that is known to be better in the part of the objective being solved."""
        if self.best is None or found.worst < self.best.worst:
            self.best = found

    def least_total(self, depth: int) -> int:
        """Return at least the least total within `depth` guesses; exactly unless stopped."""
        known = self.best if self.best is not None and self.best.worst <= depth else None
        beta = known.total if known else dfs.INFINITE
        self.phase = "total"
        counted = int(self.problem.least[-1])
        if self.watch.late():
            return counted
        value, first = self.value(1, depth, beta)
        if first >= 0:
            found = self.extract(1, depth, first)
            assert self.watch.stopped or found.total == value, f"value {value}, strategy {found.total}"
            self.best = found
        if not self.watch.stopped:
            return min(value, beta)
        return max(counted, min(value, self.best.total if self.best else value))

    def least_depth_with(self, total: int) -> int:
        """Return at least the least worst case that the least total allows; exactly unless stopped."""
        assert self.best is not None
        while self.best.worst > self.problem.least_depth:
            depth = self.best.worst - 1
            self.phase = f"worst case of {depth} with the least total"
            if self.watch.late():
                return self.problem.least_depth
            _, first = self.value(1, depth, total + 1)
            if self.watch.stopped:
                return self.problem.least_depth
            if first < 0:
                break
            self.best = self.extract(1, depth, first)
        return self.best.worst


def solve(
    game: Game,
    objective: str = "expected",
    *,
    method: str | Method = "exact",
    goal: str | None = None,
    max_depth: int | None = None,
    first: str | None = None,
    candidates_only: bool = False,
    time_limit: float | None = None,
    symmetry: bool = True,
    progress: Callable[[Progress], None] | None = None,
) -> Solution:
    """Find an optimal strategy and prove it; or the best found, with bounds, when stopped early.

    Parameters
    ----------
    objective: ``expected`` (least total number of guesses over all secrets), ``worst`` (least number that
        always suffices), ``worst,expected`` or ``expected,worst``.
    method: ``exact``, or a one-step method, by name or as `Method`: it is played out for every secret, and
        the lower bounds are those of counting.
    goal, max_depth, first, candidates_only, symmetry: see `Problem`.
    time_limit: seconds after which the best strategy so far is returned; Ctrl-C does the same.
    progress: called some 20 times a second while a search runs.

    Raises Infeasible when no strategy meets the limits, or none was found before the search was stopped;
    GuesstreeError for bad arguments, SpaceError for a game that does not fit in memory.
    """
    if time_limit is not None and not time_limit > 0:
        raise GuesstreeError(f"a time limit of {time_limit} s; accepted: more than 0")
    if method == "exact":
        require_memory(game.spec, len(game.guesses), len(game.secrets))
    problem = Problem(
        game,
        parse_objective(objective),
        goal=goal,
        max_depth=max_depth,
        first=first,
        candidates_only=candidates_only,
        symmetry=symmetry,
    )
    problem.require_distinct()
    if method == "exact":
        return _exact(_Run(problem, time_limit, progress))
    how = method if isinstance(method, Method) else Method(method)
    return _played(problem, how, Watch(time_limit), progress)


def _exact(run: _Run) -> Solution:
    try:
        run.one_step()
        lower = _lower_bounds(run)
    except KeyboardInterrupt:  # between two searches; during one it ends the search
        run.watch.stopped = "interrupt"
        lower = _counted(run.problem)
    if run.best is None:
        raise Infeasible(_no_strategy(run.problem, run.watch.stopped))
    return run.problem.solution(
        run.best,
        method="exact",
        lower=lower,
        stopped=run.watch.stopped,
        states=run.counted(dfs.STATES),
        evaluations=run.counted(dfs.EVALUATIONS),
        seconds=run.watch.seconds,
    )


def _played(
    problem: Problem, method: Method, watch: Watch, progress: Callable[[Progress], None] | None
) -> Solution:
    player = OneStep(problem, method)

    def report() -> None:
        assert progress is not None
        settled, valued = (int(player.counters[i]) for i in (onestep.SETTLED, onestep.VALUED))
        progress(Progress(PLAYED, settled, valued, problem.secrets, None, "", watch.seconds))

    found = watch.run(player.play_out, player.stop, None if progress is None else report)
    if found is None:
        raise Infeasible(f"{_no_strategy(problem, watch.stopped)} by method {method.name}")
    return problem.solution(
        found,
        method=method.name,
        lower=_counted(problem),
        stopped=watch.stopped,
        states=len(found.choices),
        evaluations=int(player.counters[onestep.VALUED]),
        seconds=watch.seconds,
        extra=method.parameters,
    )


def _counted(problem: Problem) -> tuple[int, ...]:
    """Return at least what the optimum is, by counting alone."""
    counted = {"worst": problem.least_depth, "expected": int(problem.least[-1])}
    return tuple(counted[part] for part in problem.objective.parts)


def _lower_bounds(run: _Run) -> tuple[int, ...]:
    """Search for each part of the objective in turn; return at least what the optimum is."""
    problem = run.problem
    counted = int(problem.least[-1])
    if problem.objective == OBJECTIVES["worst"]:
        return (run.least_depth(),)
    if problem.objective == OBJECTIVES["worst,expected"]:
        depth = run.least_depth()
        if run.watch.stopped or run.best is None or depth < run.best.worst:
            return (depth, counted)
        return (depth, run.least_total(depth))
    total = run.least_total(problem.max_depth)
    if problem.objective == OBJECTIVES["expected"]:
        return (total,)
    if run.watch.stopped or run.best is None:
        return (total, problem.least_depth)
    return (total, run.least_depth_with(total))


def _no_strategy(problem: Problem, stopped: str) -> str:
    verb = "won" if problem.goal == "win" else "settled"
    limits = "" if problem.limited is None else f" within {problem.limited} guesses"
    if problem.first is not None:
        limits += f" after {problem.game.guesses[problem.first]!r}"
    if problem.candidates_only:
        limits += " asking candidates only"
    if stopped:
        return f"{problem.game.spec}: no strategy{limits} was found before the search stopped; one may exist"
    return f"{problem.game.spec} cannot be {verb}{limits}"
