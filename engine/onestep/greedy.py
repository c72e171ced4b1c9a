"""Play a one-step method to the end for every secret."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from guesstree.cext import kernels, onestep

from ..game import MAX_RESPONSES
from ..problem import Problem
from ..rules import Words
from ..solution import Found
from ..state import Ints, everything, split
from ..stopping import beside, heed
from .ranking import Method, Ranking
from .valuations import CONSISTENT, Valuation

WAIT_SECONDS = 0.05


class OneStep:
    """A method at work on a problem; `stop` makes it finish at once with quick guesses."""

    def __init__(self, problem: Problem, method: Method) -> None:
        self.problem, self.method = problem, method
        self.counters = np.zeros(onestep.COUNTERS, dtype=np.int64)
        self.ranking = Ranking(problem, method, lambda: bool(self.counters[onestep.STOP]))
        self._random = random.Random(method.seed)
        self._played: list[tuple[Ints, Ints] | None] = []  # what the kernel has found, if it has run

    @property
    def compiled(self) -> bool:
        """Whether the kernel plays it."""
        few = self.problem.responses <= MAX_RESPONSES
        return self.ranking.valuation is not None and few and self.problem.rules is None

    @property
    def apart(self) -> bool:
        """Whether several may be played at once: the kernel does it, and takes no table of its own for it."""
        return self.compiled and self.problem.game.code_form() is not None

    def stop(self) -> None:
        """Let the states that are left have quick guesses."""
        self.counters[onestep.STOP] = 1

    def play_out(self) -> Found | None:
        """Return the strategy, or None when it gets stuck or needs more than the depth allowed."""
        if self.problem.finished(everything(self.problem.secrets)):
            return Found()
        if not self.compiled:
            return self._play_plainly()
        if not self._played:
            self.run()
        (played,) = self._played
        if played is None:
            return None
        states, order = played
        found = Found(worst=int(states[:, 2].max()) + 1)
        for start, stop, _, _, guess in states.tolist():
            heed()
            found.add(np.sort(order[start:stop]), guess)
        return found

    def run(self) -> None:
        """Have the kernel play; `play_out` then makes a strategy of it."""
        valuation, first = self.ranking.valuation, self.problem.first
        assert valuation is not None
        self._played = [self._player(valuation).play(-1 if first is None else first, self.problem.max_depth)]

    def _player(self, valuation: Valuation) -> Any:
        problem, form = self.problem, self.problem.game.code_form()
        responses = np.arange(problem.responses, dtype=np.uint8) if form is None else form.response_of
        return onestep.Player(
            table=problem.table if form is None else None,
            guess_codes=None if form is None else form.digits,
            secret_codes=None if form is None else form.digits,
            symbols=0 if form is None else form.symbols,
            response_of=responses,
            winning=problem.winning,
            win=problem.goal == "win",
            own=problem.own,
            winner=problem.winner,
            scores=valuation.scores(problem.secrets),
            tolerance=valuation.tolerance(len(responses)),
            prefer=self.method.prefer,
            only_candidates=problem.candidates_only,
            counters=self.counters,
            classes=None if problem.classes is None else self.foremost,
            compare=valuation.compare,
        )

    def foremost(self, history: tuple[int, ...]) -> Ints | None:
        """Return the guesses in their places, and others in those of guesses with a smaller equivalent.

        None: none has, or there is no time to find out.
        """
        problem = self.problem
        if self.counters[onestep.STOP] or problem.classes is None:
            return None
        if not history or not problem.renaming or problem.codes is None:
            return problem.classes(history)
        digits = problem.codes.digits
        past, colours = np.array(history, dtype=np.int32), int(digits.max()) + 1
        smaller = kernels.equivalents(digits, colours, problem.renaming == 2, past)
        return np.where(smaller, past[0], everything(len(digits)))

    def _play_plainly(self) -> Found | None:
        problem, found, rules = self.problem, Found(), self.problem.rules
        start = None if rules is None else rules.start
        budget = (problem.game.budget if problem.budget is None else problem.budget) or 0
        waiting: list[tuple[Ints, int, Words | None, int]]
        waiting = [(everything(problem.secrets), 0, start, budget)]
        for candidates, depth, needs, left in waiting:
            first = problem.first if depth == 0 else None
            guess = self.choose(candidates, needs, left) if first is None else first
            if guess < 0 or depth >= problem.max_depth:
                return None
            found.add(candidates, guess)
            found.worst = max(found.worst, depth + 1)
            for response, cell in split(problem.row(guess, candidates), candidates):
                if len(cell) == len(candidates) and response != problem.winning:
                    return None
                if response != problem.winning and not problem.finished(cell):
                    after = None if rules is None or needs is None else rules.after(needs, guess, response)
                    paid = int(problem.costs[guess, response]) if self.method.needs_budget else 0
                    waiting.append((cell, depth + 1, after, left - paid))
        return found

    def choose(self, candidates: Ints, needs: Words | None = None, left: int = 0) -> int:
        """Return the guess of the method; -1: no guess tells anything.

        `needs` is what the history demands, see `rules`; `left` what is left of the budget.
        """
        problem = self.problem
        if self.method.consistent:
            named = problem.winner[candidates]
            named = named[named >= 0]
            if problem.rules is not None and needs is not None:
                named = named[problem.rules.allowed(needs)[named]]
            if not len(named):
                return -1
            return int(self._random.choice(named) if self.method.name == CONSISTENT[1] else named[0])
        if problem.goal == "win" and (len(candidates) == 1 or self.counters[onestep.STOP]):
            return int(problem.winner[candidates[0]])
        return self.ranking.best(problem.allowed(candidates, needs), candidates, left)


def run_ahead(players: Sequence[OneStep]) -> None:
    """Run compiled players, each in a thread; what fails there is left to `play_out`."""

    def run(player: OneStep) -> None:
        with suppress(Exception):
            player.run()

    waits: list[Callable[[float], bool]] = []
    try:
        with suppress(RuntimeError):  # no thread can be started
            waits += (beside(partial(run, player)) for player in players)
        for wait in waits:
            while not wait(WAIT_SECONDS):  # a wait without an end would miss the exception that ends it
                pass
    except BaseException:
        stop_all(players)
        raise


def stop_all(players: Iterable[OneStep]) -> None:
    """Let the states that are left have quick guesses, whoever plays."""
    for player in players:
        player.stop()
