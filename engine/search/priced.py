"""Exact search where secrets have weights, questions have costs, or a budget limits what may be won.

The searches are in `cext` (`costs`, and its plain twin with the steps and the proofs). Here objectives are
taken apart into questions that those answer: the least weighted total, also within a budget that all must
keep, the least worst case, and the least loss within a budget. A pair is solved under a budget: first the
least worst case, then the least total within it; or first the least total, then the least budget that still
reaches it.

Every strategy is complete: where secrets are lost in any case, or given up for others, it goes on with the
questions that look best one step ahead, and its figures are counted on the tree.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import priced as kernel

from ..bounds import LeastCosts, least_costs, least_weighted
from ..errors import GuesstreeError, Infeasible
from ..game import MOST_COST
from ..methods.greedy import OneStep
from ..methods.ranking import Method
from ..methods.valuations import COST_VALUATIONS
from ..problem import Problem
from ..solution import Found, Solution
from ..state import Ints, everything, split
from .watch import Progress, Watch

MOST_PRICE = 1 << 20
UNBOUNDED = -1
LOOK, SMALL = 1 << 16, 16
"""Evaluations before one-step strategies are played and bounds sought, from parts of so many secrets on."""
LAST_LOOK = 1 << 12
"""Evaluations that may be spent on a strategy after the search was stopped."""


@dataclass(frozen=True)
class Figures:
    """What a strategy costs: weighted total and worst case; weight lost, and weighted cost of what is won."""

    total: int
    worst: int
    lost: int
    won: int

    def value(self, parts: tuple[str, ...]) -> tuple[int, ...]:
        """Return what an objective compares."""
        if parts == ("win-probability",):
            return self.lost, self.won
        return tuple(self.worst if part == "worst" else self.total for part in parts)


class Prices:
    """A problem with its costs as arrays; strategies valued and completed."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.weight = int(problem.weights.sum())
        # A path asks fewer questions than there are secrets, and one to win: no budget above that matters.
        most = int(problem.costs.max(initial=0)) * problem.secrets
        self.budget = UNBOUNDED if problem.budget is None else min(problem.budget, most)

    @cached_property
    def least(self) -> LeastCosts:
        """What every secret pays at least."""
        return least_costs(self.problem.table, self.problem.costs, self.problem.winning)

    def counted(self) -> tuple[int, ...]:
        """Return at least what the objective comes to: secret by secret, and by counting.

        To identify two secrets or more, each pays for some question. To win, all but at most one of them (the
        first guess wins on one secret) pay for a guess that does not win, and each for one that does. Where
        every question costs `unit` or more, so does each guess that is needed by counting. What is lost
        within a budget is bounded by 0 only.
        """
        problem, least, weights = self.problem, self.least, self.problem.weights.tolist()
        win = problem.winning >= 0
        pay, end = (a.tolist() for a in (least.pay, least.end))
        full = sorted(p + e for p, e in zip(pay, end, strict=True))
        total = sum(w * (p + e) for w, p, e in zip(weights, pay, end, strict=True))
        if win:
            worst = max(*end, full[-2] if len(full) > 1 else 0)
            total -= max(w * p for w, p in zip(weights, pay, strict=True))
        else:
            worst, total = (full[-1], total) if problem.secrets > 1 else (0, 0)
        if least.unit:
            branches = problem.profile[0] if problem.profile else 1
            total = max(total, least.unit * least_weighted(weights, branches, win=win))
            worst = max(worst, least.unit * problem.least_depth)
        return Figures(total, worst, 0, 0).value(problem.objective.parts)

    @cached_property
    def prices(self) -> NDArray[np.int64]:
        """Costs in sixteenths of the mean cost: what about a bit of information is worth."""
        problem = self.problem
        sizes = problem.sizes(everything(len(problem.own)), everything(problem.secrets)).astype(np.float64)
        paid = float((sizes * problem.costs).sum())
        rate = 16 * sizes.sum() / paid if paid else 0
        return np.minimum(problem.costs * rate, MOST_PRICE).astype(np.int64)

    @cached_property
    def last(self) -> Ints:
        """The cheapest guess that wins on each secret, or -1."""
        problem = self.problem
        last = np.full(problem.secrets, -1, dtype=np.int32)
        if problem.winning >= 0:
            price = problem.costs[:, problem.winning]
            for guess in np.flatnonzero(problem.own >= 0).tolist():
                s = problem.own[guess]
                if last[s] < 0 or price[guess] < price[last[s]]:
                    last[s] = guess
        return last

    def arguments(self, left: int, *, worst: bool = False, losses: bool = False) -> dict[str, Any]:
        """Return the arguments of a `Searcher`, but for counters and memory; `left` is the budget or -1.

        A unit of weight that is lost is valued at one more than all that the others may pay; or with `losses`
        at 1, and the others at nothing.
        """
        problem, least = self.problem, self.least
        scale = 1 if losses else self.weight * left + 1
        if left >= 0 and self.weight * scale >= MOST_COST:
            raise GuesstreeError(
                f"a budget of {left} with weights that add up to {self.weight}; accepted: weight x weight x "
                "budget below 2^61 (divide the weights by a common factor)"
            )
        return {
            "table": problem.table,
            "own": problem.own,
            "responses": problem.responses,
            "winning": problem.winning,
            "only_candidates": problem.candidates_only,
            "weights": np.ones_like(problem.weights) if worst else problem.weights,
            "costs": problem.costs,
            "prices": self.prices,
            "pay": least.pay,
            "end": least.end,
            "unit": least.unit,
            "payer": least.payer,
            "worst": worst,
            "lost": scale - (0 if losses else left) if left >= 0 else 0,
            "rate": int(not losses),
        }

    def parts(self, most: int) -> list[Ints]:
        """Return parts of at most so many secrets, if guesses can make them, that guesses tell apart.

        Their values add up to at most the value of all (for the worst case, the largest is at most that): a
        strategy for a set, restricted to a part, is one for the part, and nobody pays more. So what is lost
        is only what telling them apart costs; the guesses that cost least, weighted, make them.
        """
        problem, found = self.problem, []
        guesses, waiting = everything(len(problem.own)), [everything(problem.secrets)]
        for some in waiting:
            if len(some) > most:
                masses = problem.masses(guesses, some)
                paid = (masses * problem.costs).sum(axis=1)
                paid[(masses > 0).sum(axis=1) < 2] = np.iinfo(np.int64).max
                guess = int(paid.argmin())
                parts = split(problem.row(guess, some), some)
                if len(parts) > 1:
                    waiting += [part for _, part in parts]
                    continue
            found.append(some)
        return found

    def look(self, candidates: Ints) -> int:
        """Return the guess that looks best one step ahead: information and costs, by sizes alone."""
        problem = self.problem
        if len(candidates) == 1:
            return int(self.last[candidates[0]])
        guesses = problem.allowed(candidates)
        sizes = problem.sizes(guesses, candidates)
        bits = np.rint(16 * np.log2(np.maximum(np.arange(len(candidates) + 1), 1))).astype(np.int64)
        scores = (sizes * (self.prices[guesses] + bits[sizes])).sum(axis=1)
        scores[(sizes > 0).sum(axis=1) < 2] = np.iinfo(np.int64).max
        return int(guesses[int(scores.argmin())])

    def play(self, choose: Callable[[Ints, int], int | None]) -> Found:
        """Return the strategy that asks `choose(candidates, paid so far)`; after a None it looks ahead."""
        problem, found = self.problem, Found()
        waiting: list[tuple[Ints, int, bool]] = [(everything(problem.secrets), 0, False)]
        for candidates, paid, lost in waiting:
            if problem.finished(candidates):
                continue
            chosen = None if lost else choose(candidates, paid)
            guess = self.look(candidates) if chosen is None else chosen
            found.add(candidates, guess)
            for response, cell in split(problem.row(guess, candidates), candidates):
                if response != problem.winning:
                    cost = int(problem.costs[guess, response])
                    waiting.append((cell, paid + cost, lost or chosen is None))
        return found

    def figures(self, found: Found) -> Figures:
        """Return what a strategy costs, from its choices alone."""
        problem, budget = self.problem, self.budget
        total = worst = lost = won = 0
        waiting: list[tuple[Ints, int, bool]] = [(everything(problem.secrets), 0, False)]
        for candidates, paid, over in waiting:
            if over:
                weight = int(problem.weights[candidates].sum())
                total, worst = total + paid * weight, max(worst, paid)
                if budget == UNBOUNDED or paid <= budget:
                    won += paid * weight
                else:
                    lost += weight
                continue
            if problem.finished(candidates):
                waiting.append((candidates, paid, True))
                continue
            guess = found.choices[candidates.tobytes()]
            for response, cell in split(problem.row(guess, candidates), candidates):
                cost = int(problem.costs[guess, response])
                waiting.append((cell, paid + cost, response == problem.winning))
        return Figures(total, worst, lost, won)


class PricedRun:
    """A solve in progress: its clock, the work done, the best strategy so far."""

    def __init__(
        self, problem: Problem, watch: Watch, progress: Callable[[Progress], None] | None, memory: int
    ) -> None:
        self.problem, self.watch, self.progress, self.memory = problem, watch, progress, memory
        self.prices = Prices(problem)
        self.best: Found | None = None
        self.figures: Figures | None = None
        self.phase = ""
        self.states = self.evaluations = 0
        self.untried = tuple(COST_VALUATIONS)
        self.offset = 0  # what the rest of the game costs while a part of it is searched

    def offer(self, found: Found) -> None:
        """Keep a strategy if it is within the limits and better than the best so far."""
        figures = self.prices.figures(found)
        parts, limit = self.problem.objective.parts, self.problem.limited
        if limit is not None and figures.worst > limit:
            return
        if self.figures is None or figures.value(parts) < self.figures.value(parts):
            self.best, self.figures = found, figures
            found.value = figures.value(parts)

    def start(self) -> None:
        """Begin with what looks best one step ahead."""
        first = self.problem.first
        everyone = self.problem.secrets
        self.offer(self.prices.play(lambda some, _: first if len(some) == everyone else None))

    def one_step(self) -> None:
        """Offer the one-step strategies that see costs, once."""
        names, self.untried = self.untried, ()
        for name in names:
            if self.watch.late():
                return
            player = OneStep(self.problem, Method(name))
            found = self.watch.run(player.play_out, player.stop)
            if found is not None:
                self.offer(found)

    def search(
        self,
        phase: str,
        left: int,
        limit: Callable[[], int],
        *,
        worst: bool = False,
        losses: bool = False,
    ) -> tuple[int, int]:
        """Return (bound, scale): exactly the value if it is below beta and nothing stopped, else at least.

        `limit` returns beta; it may fall as better strategies are found. A strategy below is offered. With a
        budget, `scale` is what the least weight lost costs, more than all that is won may cost.
        """
        self.phase = phase
        given = self.prices.arguments(left, worst=worst, losses=losses)
        scale, counters = given["lost"] + left * given["rate"], np.zeros(kernel.COUNTERS, dtype=np.int64)
        searcher = kernel.Searcher(**given, counters=counters, memory=self.memory)
        self.searching = self.watch.seconds
        value, guess = self._value(searcher, counters, left, limit, worst, scale, given["rate"])
        self.states += int(counters[kernel.STATES])
        self.evaluations += int(counters[kernel.EVALUATIONS])
        beta = limit()
        if guess is not None and value < beta:
            counters[kernel.STOP] = 0  # what is asked now is known already, or nearly
            if self.watch.stopped:
                counters[kernel.BUDGET] = counters[kernel.EVALUATIONS] + LAST_LOOK
            self._extract(searcher, left, guess)
        return min(value, beta), scale

    def _value(
        self,
        searcher: Any,
        counters: Any,
        left: int,
        limit: Callable[[], int],
        worst: bool,
        scale: int,
        rate: int,
    ) -> tuple[int, int | None]:
        """Return the value, or a bound, and the first guess of a strategy below beta (-1: none is needed)."""
        problem, start = self.problem, everything(self.problem.secrets)
        if len(start) == 1 and problem.first is None:
            cost = int(self.prices.least.end[0])
            each = rate * cost if left < 0 or cost <= left else scale
            value = cost if worst else int(problem.weights[0]) * each
            return value, -1
        if problem.first is None:
            counters[kernel.UPPER], counters[kernel.FIRST], self.offset = kernel.INFINITE, -1, 0
            bound = 0
            counters[kernel.BUDGET] = LOOK
            value = self._run(searcher, counters, start, left, limit())
            if counters[kernel.STOP] == kernel.SPENT:
                self.one_step()
                bound = self._bound(searcher, counters, left, limit, worst)
                if bound >= limit():
                    return bound, None
                counters[kernel.BUDGET] = 0
                if counters[kernel.STOP] == kernel.SPENT:
                    counters[kernel.STOP] = 0
                value = self._run(searcher, counters, start, left, limit())
            if counters[kernel.STOP]:
                first = int(counters[kernel.FIRST])
                return max(bound, int(counters[kernel.LOWER])), None if first < 0 else first
            return value, int(searcher.choice(start, left)) if value < limit() else None
        values: list[int] = []
        for response, cell in split(problem.row(problem.first, start), start):
            cost, weight = int(problem.costs[problem.first, response]), int(problem.weights[cell].sum())
            if left >= 0 and cost > left:
                values.append(weight * scale)
                continue
            paid, below = cost if worst else rate * cost * weight, left - cost if left >= 0 else -1
            self.offset = 0 if worst else sum(values) + paid
            counters[kernel.LOWER], counters[kernel.UPPER], counters[kernel.FIRST] = 0, kernel.INFINITE, -1
            more = 0
            if response != problem.winning:
                more = self._run(searcher, counters, cell, below, kernel.INFINITE)
                if counters[kernel.STOP]:
                    more = int(counters[kernel.LOWER])
            values.append(paid + more)
        value = max(values) if worst else sum(values)
        return value, None if counters[kernel.STOP] else problem.first

    def _improve(self, searcher: Any, counters: Any, left: int, most: int) -> None:
        """Offer the best strategy so far with the best there is in states of at most so many candidates."""
        best = self.best
        if best is None or counters[kernel.STOP]:
            return

        def choose(candidates: Ints, paid: int) -> int | None:
            if len(candidates) > most:
                return best.choices[candidates.tobytes()]
            return self._chosen(searcher, candidates, left, paid)

        def work() -> Found | None:
            with suppress(ValueError):  # stopped: not all of it is known
                return self.prices.play(choose)
            return None

        found = self.watch.search(work, counters, kernel.STOP)
        if found is not None:
            self.offer(found)

    def _chosen(self, searcher: Any, candidates: Ints, left: int, paid: int) -> int | None:
        """Return the guess that the search found; None where all is given up, or one secret is left."""
        if len(candidates) == 1 or (left >= 0 and paid > left):
            return None
        chosen = int(searcher.choice(candidates, left - paid if left >= 0 else -1))
        return chosen if chosen >= 0 else None

    def _bound(self, searcher: Any, counters: Any, left: int, limit: Callable[[], int], worst: bool) -> int:
        """Return at least the value, from ever larger parts; what is found there improves the strategy.

        A depth-first search that the clock stops has hardly a bound of its own: of the time left, a third is
        for it, a third for this, and the rest for it again. Nothing is done without a time limit.
        """
        if self.watch.unlimited:
            return 0
        pace = LOOK / max(self.watch.seconds - self.searching, 1e-6)
        counters[kernel.BUDGET] += int(pace * self.watch.left / 3)
        counters[kernel.STOP], bound, most = 0, 0, SMALL
        self._run(searcher, counters, everything(self.problem.secrets), left, limit())
        if counters[kernel.STOP] == kernel.SPENT:
            counters[kernel.BUDGET] += int(pace * self.watch.left / 2)
            counters[kernel.STOP] = 0
            while not counters[kernel.STOP] and bound < limit() and most < self.problem.secrets:
                parts = self.prices.parts(most)
                found = [0]

                def work(parts: list[Ints] = parts, found: list[int] = found) -> None:
                    for part in parts:
                        value = int(searcher.search(part, left, kernel.INFINITE))
                        if counters[kernel.STOP]:
                            return
                        found[0] = max(found[0], value) if worst else found[0] + value

                self.watch.search(work, counters, kernel.STOP)
                bound = max(bound, found[0])
                self._improve(searcher, counters, left, most)
                most *= 2
            counters[kernel.LOWER], counters[kernel.UPPER], counters[kernel.FIRST] = (
                bound,
                kernel.INFINITE,
                -1,
            )
        return bound

    def _run(self, searcher: Any, counters: Any, cell: Ints, left: int, beta: int) -> int:
        """Return what `Searcher.search` does, under the clock; see `Watch.search`."""
        progress = self.progress

        def work() -> int:
            return int(searcher.search(cell, left, beta))

        report = None if progress is None else lambda: progress(self.snapshot(counters))
        return self.watch.search(work, counters, kernel.STOP, report)

    def snapshot(self, counters: Any) -> Progress:
        """Return what is known now; a search for what is lost has no bounds that a person could read."""
        first, upper = int(counters[kernel.FIRST]), int(counters[kernel.UPPER])
        plain = self.problem.budget is None
        return Progress(
            phase=self.phase,
            states=self.states + int(counters[kernel.STATES]),
            evaluations=self.evaluations + int(counters[kernel.EVALUATIONS]),
            lower=self.offset + int(counters[kernel.LOWER]) if plain else 0,
            upper=self.offset + upper if plain and upper < kernel.INFINITE else None,
            first="" if first < 0 else self.problem.game.guesses[first],
            seconds=self.watch.seconds,
        )

    def _extract(self, searcher: Any, left: int, root: int) -> None:
        """Offer the strategy behind a value just found; what is given up goes on one step ahead."""

        def choose(candidates: Ints, paid: int) -> int | None:
            if len(candidates) == self.problem.secrets:
                return root if root >= 0 else None
            return self._chosen(searcher, candidates, left, paid)

        try:
            self.offer(self.prices.play(choose))
        except ValueError:  # stopped: not all of it is known
            if not self.watch.stopped:
                raise

    # -- objectives ------------------------------------------------------------------------------------

    def least_worst(self) -> int:
        """Return at least the least worst case; exactly, with a strategy offered, unless stopped."""
        return self.search("worst case", UNBOUNDED, lambda: self._best("worst"), worst=True)[0]

    def least_total(self, limit: int = UNBOUNDED) -> int | None:
        """Return at least the least total where all keep a limit; exactly unless stopped; None: none."""
        beta = kernel.INFINITE if limit < 0 else self.prices.weight * limit + 1
        value, scale = self.search("total", limit, lambda: min(beta, self._best("total")))
        return None if limit >= 0 and value >= scale else value

    def least_loss(self) -> tuple[int, int]:
        """Return at least the least (weight lost, cost of what is won); exactly unless stopped.

        What is lost is settled first: where costs do not count, many more bounds meet.
        """
        budget, lost = self.prices.budget, self._best("lost")
        if lost:
            lost = self.search("weight lost", budget, lambda: self._best("lost"), losses=True)[0]
        if self.watch.stopped:
            return lost, 0
        scale = self.prices.weight * budget + 1
        value = self.search(
            "cost of what is won", budget, lambda: self._best("lost") * scale + self._best("won")
        )[0]
        return max((lost, 0), divmod(value, scale))

    def _best(self, figure: str) -> int:
        """Return a figure of the best strategy so far: from there on a search need not look."""
        return kernel.INFINITE if self.figures is None else int(getattr(self.figures, figure))

    def solve(self) -> tuple[int, ...] | None:
        """Return at least what the optimum is; None: no strategy keeps the depth limit."""
        parts, limit = self.problem.objective.parts, self.problem.limited
        limit = UNBOUNDED if limit is None else min(limit, self.problem.secrets)
        if parts == ("win-probability",):
            return self.least_loss()
        if parts[0] == "worst":
            worst = self.least_worst()
            if limit >= 0 and worst > limit:
                return None
            if len(parts) == 1 or self.watch.stopped:
                return (worst, 0)[: len(parts)]
            total = self.least_total(worst)
            return worst, total or 0
        total = self.least_total(limit)
        if total is None or len(parts) == 1 or self.watch.stopped:
            return None if total is None else (total, 0)[: len(parts)]
        return total, self._least_worst_with(total)

    def _least_worst_with(self, total: int) -> int:
        """Return at least the least worst case that the least total allows; exactly unless stopped."""
        assert self.figures is not None
        while self.figures.worst > 0:
            limit = self.figures.worst - 1
            beta = min(total, self.prices.weight * limit) + 1
            fixed = partial(int, beta)
            value, _ = self.search(f"worst case of {limit} with the least total", limit, fixed)
            if self.watch.stopped:
                return 0
            if value >= beta:
                break
        return self.figures.worst


def solve_priced(run: PricedRun) -> Solution:
    """Find an optimal strategy for a problem with weights, costs or a budget; see `search.solve`."""
    problem, watch = run.problem, run.watch
    counted = run.prices.counted()
    lower: tuple[int, ...] | None = counted
    if problem.winning >= 0 and (run.prices.last < 0).any():
        secret = problem.game.secrets[int((run.prices.last < 0).argmax())]
        raise Infeasible(f"{problem.game.spec} cannot be won: no guess wins on secret {secret!r}")
    try:
        run.start()
        lower = run.solve()
    except KeyboardInterrupt:  # between two searches; during one it ends the search
        watch.stopped = "interrupt"
    if lower is None or run.best is None:
        limit = f"within {problem.limited} guesses"
        why = "was found before the search stopped; one may exist" if watch.stopped else "exists"
        raise Infeasible(f"{problem.game.spec}: no strategy {limit} {why}")
    return problem.solution(
        run.best,
        lower=max(lower, counted),
        stopped=watch.stopped,
        method="exact",
        states=run.states,
        evaluations=run.evaluations,
        seconds=watch.seconds,
    )
