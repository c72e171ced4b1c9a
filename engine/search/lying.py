"""Exact search against a codemaker who may lie: the least worst case when up to so many responses are false.

The codemaker fixes the secret and may give up to L false responses in the game, any that the game has. To
win, the guess that names the secret ends the game, so the winning response is neither given falsely nor
withheld. To identify, every response may be false, and the game ends when the secret is known with
certainty. Berlekamp (1968) and Ulam (1976) for yes and no; Huang, Chen and Lin (2005) for Mastermind.

The search is in `cext` (`lies`, and its plain twin with the steps and the proofs): can so many guesses settle
a state? Here that is asked for one number of guesses after another, and strategies are read off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import lying as kernel

from ..errors import Infeasible
from ..problem import Problem
from ..solution import Found, Solution
from ..state import Ints, Table, everything
from .watch import Progress, Watch

Left = NDArray[np.uint8]
MOST_DEPTHS = 64
MOST_VOLUME = 1 << 60
BEAMS = (3, 30)
QUICK_BUDGET, FIRST_BUDGET, LAST_BUDGET = 1 << 9, 1 << 14, 1 << 20
"""Evaluations before proof and beams take turns; without a time limit the proof goes on after the last."""


@dataclass(frozen=True)
class Volume:
    """Counting bounds with lies, after Berlekamp (1968), for guesses that get at most r responses.

    The response that wins is not counted. Give every state r children, for responses that none of its secrets
    gives if need be: they are no harder than the others. A secret with l lies left is then in
    `spread`[i, e] = C(i, e) (r - 1)^e states after i guesses with l - e left, out of `nodes`[i] = r^i in all.

    To identify within q guesses, none of the r^q states at the end holds two secrets, so the sum over secrets
    of `weight`[q, l] = spread[q, 0] + ... + spread[q, l] is at most r^q.

    To win, take the weight[q, l] = spread[q - 1, 0] + ... + spread[q - 1, l] states before the last guess
    that would hold a secret if it were never guessed: on the way to each of them, or there, it is guessed. A
    guess made with j guesses to go, of a secret that has l lies left there, is on the way to weight[j, l] of
    them, and every state has one guess. So the volume is at most what one guess in each of nodes[i] states,
    i = 0, ..., q - 1, can cover, most lies first; at most spread[i, e] of the states after i guesses hold a
    given secret with e lies less than at first.

    weight, spread: int64, shape (depths, lies + 1); nodes: int64, shape (depths,).
    """

    weight: NDArray[np.int64]
    nodes: NDArray[np.int64]
    spread: NDArray[np.int64]

    @classmethod
    def of(cls, responses: int, lies: int, secrets: int, *, win: bool) -> Volume:
        """Return the numbers for as many guesses as 62 bits hold, at most 64."""
        weight: list[list[int]] = []
        nodes: list[int] = []
        spread: list[list[int]] = []
        for depth in range(MOST_DEPTHS):
            row = [comb(depth, e) * (responses - 1) ** e for e in range(lies + 1)]
            asked = max(depth - 1, 0) if win else depth
            met = [comb(asked, e) * (responses - 1) ** e for e in range(lies + 1)]
            sums = [sum(met[: left + 1]) for left in range(lies + 1)]
            most = max(responses**depth * (sums[-1] if win else 1), secrets * sums[-1], secrets * sum(row))
            if depth * most >= MOST_VOLUME:
                break
            weight.append(sums)
            nodes.append(responses**depth)
            spread.append(row)
        return cls(*(np.array(numbers, dtype=np.int64) for numbers in (weight, nodes, spread)))


@dataclass(frozen=True)
class Knowledge:
    """What is known of the secret: who is still possible, and how many lies each has left.

    candidates: sorted, int32; left: uint8, of the same length.
    """

    candidates: Ints
    left: Left

    @classmethod
    def start(cls, secrets: int, lies: int) -> Knowledge:
        """Return what is known at the beginning."""
        return cls(everything(secrets), np.full(secrets, lies, dtype=np.uint8))

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def key(self) -> bytes:
        """The bytes of both arrays."""
        return self.candidates.tobytes() + self.left.tobytes()

    def after(self, answers: Table, response: int, winning: int) -> Knowledge:
        """Return what is known after a response, given what each candidate answers truthfully.

        `winning` is the response that ends the game, or -1; it was not given.
        """
        false = answers != response
        kept = (answers != winning) & (self.left >= false)
        return Knowledge(self.candidates[kept], (self.left - false)[kept])

    def children(self, answers: Table, responses: int, winning: int) -> Iterator[Knowledge]:
        """Yield what may be known after a guess that does not win; of the responses nobody gives, one."""
        used = [int(r) for r in np.unique(answers) if r != winning]
        for response in used:
            yield self.after(answers, response, winning)
        if len(used) < responses - (winning >= 0):
            unused = self.after(answers, -1, winning)
            if len(unused):
                yield unused


def make_searcher(
    problem: Problem, lies: int, *, memory: int = 1 << 20, width: int = 0, counting: bool = False
) -> tuple[Any, Volume, NDArray[np.int64]]:
    """Return a searcher for states with up to `lies` lies left, the volumes it counts with, and its counters.

    With a width it tries so many guesses of a state at most. One for `counting` alone does without responses.
    """
    responses = max([1, *problem.profile[:1]])
    volume = Volume.of(responses, lies, problem.secrets, win=problem.winning >= 0)
    counters = np.zeros(kernel.COUNTERS, dtype=np.int64)
    made = kernel.Searcher(
        np.zeros((1, problem.secrets), dtype=np.uint8) if counting else problem.table,
        problem.own,
        problem.winner,
        problem.responses,
        problem.winning,
        lies,
        volume.weight,
        volume.nodes,
        volume.spread,
        problem.capacity,
        counters,
        problem.classes,
        memory=memory,
        width=width,
    )
    return made, volume, counters


class LyingRun:
    """A solve in progress: its clock, the work done, what is proven, the best strategy so far."""

    def __init__(
        self,
        problem: Problem,
        lies: int,
        watch: Watch,
        progress: Callable[[Progress], None] | None,
        memory: int,
    ) -> None:
        self.problem, self.lies, self.watch = problem, lies, watch
        self.progress, self.memory = progress, memory
        self.start = Knowledge.start(problem.secrets, lies)
        self.best: Found | None = None
        self.lower = 0
        self.phase = ""
        self.states = self.evaluations = 0  # of searchers that are gone
        self.exact = self.searcher()

    def searcher(self, width: int = 0) -> tuple[Any, NDArray[np.int64]]:
        """Return a searcher and its counters."""
        made, _, counters = make_searcher(self.problem, self.lies, memory=self.memory, width=width)
        return made, counters

    @property
    def upper(self) -> int:
        """How many guesses suffice: those of the best strategy, or one more than may be asked."""
        if self.best is not None:
            return self.best.worst
        limit = self.problem.limited
        # Each guess of a sensible strategy takes a lie, or more, from some secret.
        most = self.problem.secrets * (self.lies + 1) + 1
        return most if limit is None else min(limit, most) + 1

    # -- searches --------------------------------------------------------------------------------------

    def settle(
        self, searching: tuple[Any, NDArray[np.int64]], depth: int, phase: str, budget: int = 0
    ) -> bool:
        """Return whether `depth` guesses suffice, and keep the strategy; a "no" is one if nothing stopped.

        `budget`: evaluations after which to stop, if above 0.
        """
        counters = searching[1]
        self.phase = phase
        counters[kernel.STOP] = 0
        counters[kernel.BUDGET] = counters[kernel.EVALUATIONS] + budget if budget else 0
        found = all(
            self._search(searching, known, depth - asked, past) for known, asked, past in self._roots()
        )
        if found:
            counters[kernel.STOP] = counters[kernel.BUDGET] = (
                0  # what is asked now is known already, or nearly
            )
            self.best = self._extract(searching[0], depth)
        return found

    def _roots(self) -> Iterator[tuple[Knowledge, int, tuple[int, ...]]]:
        """Yield what has to be settled, the guesses already asked there, and which."""
        first, problem = self.problem.first, self.problem
        if first is None:
            yield self.start, 0, ()
            return
        answers = problem.row(first, self.start.candidates)
        for known in self.start.children(answers, problem.responses, problem.winning):
            yield known, 1, (first,)

    def _search(
        self, searching: tuple[Any, NDArray[np.int64]], known: Knowledge, depth: int, history: tuple[int, ...]
    ) -> bool:
        searcher, counters = searching

        def work() -> bool:
            return bool(searcher.search(known.candidates, known.left, depth, history))

        progress = self.progress
        report = None if progress is None else lambda: progress(self.snapshot())
        return self.watch.search(work, counters, kernel.STOP, report)

    def snapshot(self) -> Progress:
        """Return what is known now."""
        return Progress(
            phase=self.phase,
            states=self.counted(kernel.STATES),
            evaluations=self.counted(kernel.EVALUATIONS),
            lower=self.lower,
            upper=None if self.best is None else self.best.worst,
            first="",
            seconds=self.watch.seconds,
        )

    def counted(self, index: int) -> int:
        """Return states or evaluations, added up over all searches."""
        return (self.states, self.evaluations)[index] + int(self.exact[1][index])

    def _extract(self, searcher: Any, depth: int) -> Found:
        """Return the strategy behind a number of guesses that suffices.

        A state that is met again with fewer guesses to go gets a guess for those, good for both.
        """
        problem, found = self.problem, Found()
        left_of: dict[bytes, int] = {}
        below: dict[bytes, list[bytes]] = {}
        waiting = [(self.start, depth)]
        for known, left in waiting:
            key = known.key
            if self.finished(known) or left_of.get(key, depth + 1) <= left:
                continue
            if problem.first is not None and left == depth:
                guess = problem.first
            else:
                guess = int(searcher.choice(known.candidates, known.left, left))
            found.choices[key], left_of[key] = guess, left
            answers = problem.row(guess, known.candidates)
            children = list(known.children(answers, problem.responses, problem.winning))
            below[key] = [child.key for child in children if not self.finished(child)]
            waiting += [(child, left - 1) for child in children]
        found.worst = longest(below, self.start.key) if len(below) else 0
        found.value = (found.worst,)
        return found

    def finished(self, known: Knowledge) -> bool:
        """Return whether nothing is left to ask."""
        return len(known) <= (0 if self.problem.winning >= 0 else 1)

    # -- the least worst case --------------------------------------------------------------------------

    def beam(self, width: int, depth: int, budget: int = 0) -> bool:
        """Look for a strategy among the best `width` guesses of each state; return whether one was found."""
        searching = self.searcher(width)
        phase = f"worst case of {depth}, best {width} guesses of each state"
        try:
            return self.settle(searching, depth, phase, budget)
        finally:
            self.states += int(searching[1][kernel.STATES])
            self.evaluations += int(searching[1][kernel.EVALUATIONS])

    def solve(self) -> None:
        """Raise `lower` and look for better strategies until they meet, or the search is stopped.

        First what is refuted in no time. Then a strategy: the best guess by volume everywhere, with ever more
        guesses allowed. Then the search for better strategies and the proof take turns, with growing budgets.
        """
        self.refute(QUICK_BUDGET)
        depth = self.lower
        while self.best is None and depth < self.upper and not self.watch.late():
            self.beam(1, depth)
            depth += 1
        budget = FIRST_BUDGET
        while self.lower < self.upper and not self.watch.late():
            for width in BEAMS:
                while self.best is not None and self.lower < self.best.worst and not self.watch.late():
                    if not self.beam(width, self.best.worst - 1, budget):
                        break
            self.refute(0 if budget >= LAST_BUDGET and self.watch.unlimited else budget)
            budget *= 4

    def refute(self, budget: int) -> None:
        """Raise `lower` until so many guesses suffice, or the budget of evaluations (0: none) is spent."""
        while self.lower < self.upper and not self.watch.late():
            found = self.settle(self.exact, self.lower, f"worst case of {self.lower}", budget)
            if found or self.exact[1][kernel.STOP]:
                break
            self.lower += 1


def longest(below: dict[bytes, list[bytes]], root: bytes) -> int:
    """Return the length of the longest way down from the root, in states."""
    lengths: dict[bytes, int] = {}
    waiting = [root]
    while waiting:
        key = waiting[-1]
        missing = [child for child in below[key] if child not in lengths]
        waiting += missing
        if not missing:
            waiting.pop()
            lengths[key] = 1 + max((lengths[child] for child in below[key]), default=0)
    return lengths[root]


def solve_lies(
    problem: Problem, lies: int, watch: Watch, progress: Callable[[Progress], None] | None, memory: int
) -> Solution:
    """Find the least worst case against up to `lies` false responses and a strategy; see `search.solve`."""
    game = problem.game
    if problem.goal == "win" and (problem.winner < 0).any():
        secret = game.secrets[int((problem.winner < 0).argmax())]
        raise Infeasible(f"{game.spec} cannot be won: no guess wins on secret {secret!r}")
    if problem.goal == "identify" and len(np.unique(problem.table, axis=1).T) < problem.secrets:
        raise Infeasible(f"{game.spec} cannot be settled: two secrets get the same responses")
    run = LyingRun(problem, lies, watch, progress, memory)
    try:
        run.solve()
    except KeyboardInterrupt:  # between two searches; during one it ends the search
        watch.stopped = "interrupt"
    if run.best is None:
        within = "" if problem.limited is None else f" within {problem.limited} guesses"
        why = "was found before the search stopped; one may exist" if watch.stopped else "exists"
        told = replace(problem.asked, lies=lies).lies_text
        raise Infeasible(f"{game.spec}: no strategy{within} against {told} {why}")
    return problem.solution(
        run.best,
        lower=(run.lower,),
        stopped=watch.stopped,
        method="exact",
        states=run.counted(kernel.STATES),
        evaluations=run.counted(kernel.EVALUATIONS),
        seconds=watch.seconds,
        lies=lies,
    )
