"""Exact search for a whole game: one-step strategies first, then proofs by depth-first branch and bound.

The searches themselves are in `cext` (compiled, and a plain twin whose steps are numbered and proved). Here
objectives are taken apart into questions that those answer:

- can the game be settled within d guesses? (a search with unit 0), for d from the counting bound upwards;
- what is the least total within d guesses? (a search with unit 1).

A pair of objectives is solved under a depth limit, see `engine.objective`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from guesstree.cext import counted, onestep

from ..errors import Infeasible, SpaceError
from ..game import Game, response_type
from ..memory import physical_memory, size_text
from ..methods.greedy import OneStep
from ..methods.ranking import Method
from ..methods.valuations import VALUATIONS
from ..objective import OBJECTIVES, parse_objective
from ..problem import Problem
from ..solution import Found, Solution
from ..state import everything, split
from ..support import EXACT, require
from .lying import solve_lies
from .priced import PricedRun, Prices, solve_priced
from .watch import PLAYED as PLAYED
from .watch import Progress as Progress
from .watch import Watch

BEAMS = (1, 3, 10, 30)
LOOK, LONG_LOOK = 1 << 17, 1 << 21
"""Evaluations before beams are tried: with a time limit, and without."""
TABLE_BYTES = 2 << 30
"""Up to so many bytes for tables of responses; beyond, codes answer each other in the kernel."""
LEAST_MEMORY = 1 << 20
SEARCHERS = 3
"""At most so many are alive at a time: for depth, for totals, and a beam."""


class Run:
    """A solve in progress: its searchers, its clock, the best strategy so far."""

    def __init__(
        self,
        problem: Problem,
        time_limit: float | None,
        progress: Callable[[Progress], None] | None,
        jobs: int = 1,
        memory: int | None = None,
    ) -> None:
        self.problem = problem
        self.watch = Watch(time_limit)
        self.progress = progress
        self.jobs = jobs
        self.memory, self.tabled = room_for(problem, jobs, memory)
        self.best: Found | None = None
        self.phase = ""
        self.offset = 0  # what the rest of the game costs while a part of it is searched
        self.searchers: dict[int, tuple[Any, Any]] = {}
        self.spent = (0, 0)  # states and evaluations of searchers that are gone

    # -- strategies ------------------------------------------------------------------------------------

    def offer(self, found: Found | None) -> None:
        """Keep a strategy if it is better than the best so far."""
        if found is None or found.worst > self.problem.max_depth:
            return
        value = self.problem.objective.value
        if self.best is None or value(found.total, found.worst) < value(self.best.total, self.best.worst):
            self.best = found

    def one_step(self) -> None:
        """Start with the one-step strategies: an upper bound, and something to return at any time.

        Under rules each state has guesses of its own, which takes longer than a search may: one is enough.
        """
        for name in VALUATIONS if self.problem.rules is None else ("parts",):
            self.play(name)
            if self.watch.late():
                return

    def play(self, name: str) -> None:
        """Play out the one-step strategy of this name; when the time is up, end it with quick guesses."""
        player = OneStep(self.problem, Method(name))
        self.offer(self.watch.run(player.play_out, player.stop))

    def extract(self, searching: tuple[Any, Any], depth: int, root: int) -> Found:
        """Return the strategy behind a value just found; `root` is its first guess."""
        problem, (searcher, counters) = self.problem, searching
        counters[counted.STOP] = counters[counted.BUDGET] = 0  # what is asked now is known already
        found = Found()
        waiting: list[tuple[Any, int, tuple[int, ...]]] = [(everything(problem.secrets), depth, ())]
        for candidates, left, history in waiting:
            if problem.finished(candidates):
                found.reach(depth - left)
                continue
            guess = root if left == depth else int(searcher.choice(candidates, left, history))
            found.add(candidates, guess)
            for response, cell in split(problem.row(guess, candidates), candidates):
                if response == problem.winning:
                    found.reach(depth - left + 1)
                else:
                    waiting.append((cell, left - 1, (*history, guess)))
        return found

    # -- searches --------------------------------------------------------------------------------------

    def searcher(self, unit: int, width: int = 0) -> tuple[Any, Any]:
        """Return the searcher for depth (unit 0) or for totals (unit 1), and its counters.

        With a width it tries so many guesses of a state at most, and is made afresh.
        """
        if width or unit not in self.searchers:
            problem, codes = self.problem, self.problem.codes
            counters = np.zeros(counted.COUNTERS, dtype=np.int64)
            made = counted.Searcher(
                problem.table if self.tabled else None,
                problem.marks,
                problem.responses,
                problem.winning,
                unit,
                problem.candidates_only,
                problem.least * unit,
                problem.capacity,
                counters,
                problem.classes,
                digits=None if codes is None else codes.digits,
                renaming=problem.renaming,
                symbols=0 if codes is None else codes.symbols,
                response_of=None if codes is None else codes.response_of,
                features=None if problem.rules is None else problem.rules.features,
                needs=None if problem.rules is None else problem.rules.needs,
                memory=self.memory,
                width=width,
                jobs=self.jobs,
            )
            if width:
                return made, counters
            self.searchers[unit] = (made, counters)
        return self.searchers[unit]

    def value(self, searching: tuple[Any, Any], depth: int, beta: int, budget: int = 0) -> tuple[int, int]:
        """Return (value, first guess) of the whole game as `Searcher.search` defines it.

        When the search was stopped, or more than `budget` evaluations would be needed, the value is a lower
        bound, below beta or not, and the first guess is that of a strategy better than beta if one was
        found, else -1.
        """
        searcher, counters = searching
        counters[counted.LOWER], counters[counted.UPPER], counters[counted.FIRST] = 0, beta, -1
        counters[counted.STOP], counters[counted.BUDGET] = 0, budget
        if self.problem.first is None:
            start = everything(self.problem.secrets)
            value = self.search(searching, start, depth, beta)
            if counters[counted.STOP]:
                return int(counters[counted.LOWER]), int(counters[counted.FIRST])
            return value, int(searcher.choice(start, depth)) if value < beta else -1
        return self.value_of_first(searching, depth, beta, self.problem.first)

    def value_of_first(
        self, searching: tuple[Any, Any], depth: int, beta: int, first: int
    ) -> tuple[int, int]:
        """Return (value, first guess) as `value` does, of the game with this first guess."""
        searcher, counters = searching
        cells, bounds, total = self.cells_of(first, depth, searcher.unit)
        settled = [False] * len(cells)
        for i, cell in enumerate(cells):  # all one step ahead before any is searched: the sum may do
            if total >= beta:
                return min(total, counted.INFINITE), -1
            if not searcher.unit:
                break  # nothing to sum: one cell that cannot be settled will do, most likely the largest
            ahead, settled[i] = searcher.bound(cell, depth - 1, (first,))
            total += max(ahead, bounds[i]) - bounds[i]
            bounds[i] = max(ahead, bounds[i])
        for cell, bound, done in zip(cells, bounds, settled, strict=True):
            self.offset = total - bound
            if total >= beta:
                break
            if done:
                continue
            total = self.offset + self.raised(searching, cell, bound, depth - 1, beta - self.offset, first)[0]
            if counters[counted.STOP]:
                return total, -1
        return min(total, counted.INFINITE), first if total < beta else -1

    def raised(
        self, searching: tuple[Any, Any], cell: Any, bound: int, depth: int, beta: int, guess: int
    ) -> tuple[int, bool]:
        """Return at least the value of a cell that a first guess leaves, and whether it is exactly that.

        `bound` is at least what was known. Without a stop it is exact, or beta is reached.
        """
        counters = searching[1]
        counters[counted.LOWER], counters[counted.UPPER] = bound, counted.INFINITE
        value = self.search(searching, cell, depth, beta, (guess,))
        if counters[counted.STOP]:
            return max(bound, int(counters[counted.LOWER])), False
        return value, value < beta

    def cells_of(self, guess: int, depth: int, unit: int) -> tuple[list[Any], list[int], int]:
        """Return the cells that a first guess leaves, largest first, their counted bounds, and their sum."""
        problem = self.problem
        start = everything(problem.secrets)
        parts = split(problem.row(guess, start), start)
        cells = [cell for response, cell in parts if response != problem.winning]
        cells.sort(key=len, reverse=True)
        most = int(problem.capacity[min(depth - 1, len(problem.capacity) - 1)])
        bounds = [int(problem.least[len(c)]) * unit if len(c) <= most else counted.INFINITE for c in cells]
        return cells, bounds, unit * problem.secrets + sum(bounds)

    def search(
        self, searching: tuple[Any, Any], cell: Any, depth: int, beta: int, history: tuple[int, ...] = ()
    ) -> int:
        """Return what `Searcher.search` does, under the clock; see `Watch.search`."""
        searcher, counters = searching

        def work() -> int:
            return int(searcher.search(cell, depth, beta, history))

        progress = self.progress
        report = None if progress is None else lambda: progress(self.snapshot(counters))
        return self.watch.search(work, counters, counted.STOP, report)

    def counted(self, index: int) -> int:
        """Return states or evaluations, added up over all searches."""
        return self.spent[index] + sum(int(counters[index]) for _, counters in self.searchers.values())

    def snapshot(self, counters: Any) -> Progress:
        """Return what is known now."""
        first = int(counters[counted.FIRST]) if self.problem.first is None else self.problem.first
        if first < 0 and self.best is not None:
            first = self.best.choices.get(everything(self.problem.secrets).tobytes(), -1)
        upper = int(counters[counted.UPPER])
        return Progress(
            phase=self.phase,
            states=self.counted(counted.STATES),
            evaluations=self.counted(counted.EVALUATIONS),
            lower=self.offset + int(counters[counted.LOWER]),
            upper=self.offset + upper if upper < counted.INFINITE else None,
            first="" if first < 0 else self.problem.game.guesses[first],
            seconds=self.watch.seconds,
        )

    # -- objectives ------------------------------------------------------------------------------------

    def least_depth(self, refuted: Callable[[int], None] | None = None) -> int:
        """Return at least the least worst case; exactly, with the best strategy offered, unless stopped.

        `refuted` is called with each depth that does not suffice.
        """
        problem = self.problem
        depth = problem.least_depth
        while depth < (self.best.worst if self.best else problem.max_depth + 1):
            self.phase = f"worst case of {depth}"
            if self.watch.late():
                return depth
            searching = self.searcher(0)
            _, first = self.value(searching, depth, 1)
            if first >= 0:
                self.offer_first(self.extract(searching, depth, first))
                return depth
            if self.watch.stopped:
                return depth
            if refuted is not None:
                refuted(depth)
            depth += 1
        return depth

    def offer_first(self, found: Found) -> None:
        """Keep a strategy that is known to be better in the part of the objective being solved."""
        if self.best is None or found.worst < self.best.worst:
            self.best = found

    def least_total(self, depth: int) -> int:
        """Return at least the least total within `depth` guesses; exactly unless stopped.

        When a first look does not settle it, beams of growing width come before the proof goes on.
        """
        known = self.best if self.best is not None and self.best.worst <= depth else None
        beta = known.total if known else counted.INFINITE
        lower = int(self.problem.least[-1])
        searching = self.searcher(1)
        for budget in (LONG_LOOK if self.watch.unlimited else LOOK, 0):
            self.phase = "total"
            if self.watch.late():
                return lower
            value, first = self.value(searching, depth, beta, budget)
            ended = not searching[1][counted.STOP]
            if first >= 0:
                found = self.extract(searching, depth, first)
                self.best, beta = found, found.total
            if ended:
                assert first < 0 or value == beta, f"value {value}, strategy {beta}"
                return min(value, beta)
            lower = max(lower, min(value, beta))
            if not self.watch.stopped and budget:
                for width in BEAMS:
                    self.beam(width, depth, beta)
                    beta = self.best.total if self.best else beta
        return lower

    def beam(self, width: int, depth: int, beta: int, unit: int = 1) -> bool:
        """Search with the best `width` guesses of each state; return whether a better strategy was found."""
        if self.watch.late():
            return False
        self.phase = f"{'total' if unit else f'worst case of {depth}'}, best {width} guesses of each state"
        searching = self.searcher(unit, width)
        _, first = self.value(searching, depth, beta)
        states, evaluations = self.spent
        counters = searching[1]
        self.spent = states + int(counters[counted.STATES]), evaluations + int(counters[counted.EVALUATIONS])
        before = self.best
        if first >= 0:
            with suppress(ValueError):  # forgotten, and not found again with so few guesses
                self.offer(self.extract(searching, depth, first))
        return self.best is not before

    def improve(self, width: int, tried: Callable[[], None]) -> None:
        """Look for a better strategy by beams of this width; `tried` is called after each.

        For the total that is one; for the worst case one for each depth below the best, until one fails.
        """
        problem, found = self.problem, True
        if problem.objective == OBJECTIVES["expected"]:
            self.beam(width, problem.max_depth, self.best.total if self.best else counted.INFINITE)
            tried()
            return
        while found and (self.best is None or self.best.worst > problem.least_depth):
            depth = self.best.worst - 1 if self.best else problem.max_depth
            found = self.beam(width, depth, 1, unit=0)
            tried()

    def least_depth_with(self, total: int) -> int:
        """Return at least the least worst case that the least total allows; exactly unless stopped."""
        assert self.best is not None
        while self.best.worst > self.problem.least_depth:
            depth = self.best.worst - 1
            self.phase = f"worst case of {depth} with the least total"
            if self.watch.late():
                return self.problem.least_depth
            searching = self.searcher(1)
            _, first = self.value(searching, depth, total + 1)
            if self.watch.stopped:
                return self.problem.least_depth
            if first < 0:
                break
            self.best = self.extract(searching, depth, first)
        return self.best.worst

    # -- the end ---------------------------------------------------------------------------------------

    def conclude(self, lower: tuple[int, ...], width: int = 0) -> Solution:
        """Return the best strategy with lower bounds of the optimum; raise Infeasible when there is none.

        `width` is that of the beam that found it, 0: the search was exact.
        """
        if self.best is None:
            raise Infeasible(_no_strategy(self.problem, self.watch.stopped))
        return self.problem.solution(
            self.best,
            method="beam" if width else "exact",
            extra={"width": width} if width else None,
            lower=lower,
            stopped=self.watch.stopped,
            states=self.counted(counted.STATES),
            evaluations=self.counted(counted.EVALUATIONS),
            seconds=self.watch.seconds,
        )


def room_for(problem: Problem, jobs: int, memory: int | None) -> tuple[int, bool]:
    """Return the bytes that each searcher may remember, and whether tables of responses are made.

    Raises SpaceError when the game does not fit.
    """
    guesses, secrets = len(problem.own), problem.secrets
    room = physical_memory() // 2 if memory is None else memory
    size = np.dtype(response_type(problem.game)).itemsize
    need, tabled = (1 + SEARCHERS) * guesses * secrets * size, True
    if problem.rules is not None:
        need += problem.rules.needs.nbytes
    if problem.codes is not None and need > min(TABLE_BYTES, room // 2):
        need, tabled = 2 * guesses * len(problem.profile) * jobs, False  # the largest part of a first guess
    if need + LEAST_MEMORY > room:
        raise SpaceError(
            f"{problem.game.spec} has {secrets} secrets and {guesses} guesses: tables of responses would "
            f"need {size_text(need)}, and {size_text(room)} may be used"
        )
    return (room - need) // SEARCHERS, tabled


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
    memory: int | None = None,
    jobs: int = 1,
    symmetry: bool = True,
    budget: int | None = None,
    width: int | None = None,
    lies: int = 0,
    progress: Callable[[Progress], None] | None = None,
) -> Solution:
    """Find an optimal strategy and prove it; or the best found, with bounds, when stopped early.

    Parameters
    ----------
    objective: ``expected`` (least total number of guesses over all secrets), ``worst`` (least number that
        always suffices), ``worst,expected`` or ``expected,worst``; ``win-probability`` (least weight of the
        secrets that are not won within `budget`, then least weighted cost of those that are). Where the
        game has costs and weights, totals and worst cases are of what secrets cost, see `search.priced`.
    method: ``exact``, or a one-step method, by name or as `Method`: it is played out for every secret, and
        the lower bounds are those of counting.
    goal, max_depth, first, candidates_only, symmetry, budget: see `Problem`.
    lies: how many responses may be false, for the objective ``worst``; see `search.lying`.
    time_limit: seconds after which the best strategy so far is returned; Ctrl-C does the same.
    memory: bytes that tables and what is remembered of sets may take (default: half of this machine's). With
        less the search takes longer, never wrong.
    jobs: threads that search together. The result does not depend on it, counts do.
    width: search with the `width` most promising guesses of each state only (a beam), for a good strategy in
        a short time; the lower bounds are those of counting. Objectives ``expected`` and ``worst``.
    progress: called some 20 times a second while a search runs.

    Raises Infeasible when no strategy meets the limits, or none was found before the search was stopped;
    GuesstreeError for bad arguments, SpaceError for a game that does not fit in memory.
    """
    how = method if isinstance(method, Method) else None if method == EXACT else Method(method)
    problem = Problem(
        game,
        parse_objective(objective),
        goal=goal,
        max_depth=max_depth,
        first=first,
        candidates_only=candidates_only,
        symmetry=symmetry,
        budget=budget,
    )
    name = EXACT if how is None else how.name
    require(replace(problem.asked, method=name, lies=lies, width=width, jobs=jobs, time_limit=time_limit))
    problem.require_distinct()
    if how is not None:
        return _played(problem, how, Watch(time_limit), progress)
    if lies:
        room, tabled = room_for(problem, 1, memory)
        if not tabled:
            raise SpaceError(
                f"{game.spec}: its table of responses is too large; accepted with lies: smaller games"
            )
        return solve_lies(problem, lies, Watch(time_limit), progress, room)
    if problem.priced:
        return solve_priced(PricedRun(problem, Watch(time_limit), progress, room_for(problem, 1, memory)[0]))
    run = Run(problem, time_limit, progress, jobs, memory)
    return _exact(run) if width is None else _beamed(run, width)


def _exact(run: Run) -> Solution:
    try:
        run.one_step()
        lower = _lower_bounds(run)
    except KeyboardInterrupt:  # between two searches; during one it ends the search
        run.watch.stopped = "interrupt"
        lower = _counted(run.problem)
    return run.conclude(lower)


def _beamed(run: Run, width: int) -> Solution:
    try:
        run.one_step()
        run.improve(width, lambda: None)
    except KeyboardInterrupt:  # between two searches; during one it ends the search
        run.watch.stopped = "interrupt"
    return run.conclude(_counted(run.problem), width)


def _played(
    problem: Problem, method: Method, watch: Watch, progress: Callable[[Progress], None] | None
) -> Solution:
    player = OneStep(problem, method)

    def report() -> None:
        assert progress is not None
        settled, valued = (int(player.counters[i]) for i in (onestep.SETTLED, onestep.VALUED))
        progress(Progress(PLAYED, 0, valued, 0, None, "", watch.seconds, settled, problem.secrets))

    found = watch.run(player.play_out, player.stop, None if progress is None else report)
    if found is None:
        raise Infeasible(f"{_no_strategy(problem, watch.stopped)} by method {method.name}")
    prices = Prices(problem) if problem.priced else None
    if prices is not None:
        found.value = prices.figures(found).value(problem.objective.parts)
    return problem.solution(
        found,
        method=method.name,
        lower=_counted(problem) if prices is None else prices.counted(),
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


def _lower_bounds(run: Run) -> tuple[int, ...]:
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
