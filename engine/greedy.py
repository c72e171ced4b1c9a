"""Play a one-step method to the end for every secret, and value guesses in one state."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from guesstree.cext import onestep

from .errors import GuesstreeError
from .game import MAX_RESPONSES
from .heuristics import (
    CONSISTENT,
    COST_VALUATIONS,
    VALUATIONS,
    Sizes,
    Valuation,
    check_method,
    own_valuation,
)
from .problem import Found, Problem
from .state import Ints, everything, split


@dataclass(frozen=True)
class Method:
    """A one-step method and how it breaks ties.

    Attributes
    ----------
    name: one of `METHODS`, ``module:function``, or any name with a `function`.
    prefer: whether a candidate beats another guess of the same score.
    seed: of ``random-consistent``.
    function: a valuation of the user's own, sizes of the parts -> score; the least wins.
    """

    name: str
    prefer: bool = True
    seed: int = 0
    function: Callable[[Sizes], Any] | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        """What differs from the usual rules, as plain data."""
        found: dict[str, Any] = {} if self.prefer else {"prefer_candidates": False}
        return found | ({"seed": self.seed} if self.name == CONSISTENT[1] else {})

    def __post_init__(self) -> None:
        if self.function is None:
            check_method(self.name)


class OneStep:
    """A method at work on a problem; `stop` makes it finish at once with quick guesses."""

    def __init__(self, problem: Problem, method: Method) -> None:
        self.problem, self.method = problem, method
        self.counters = np.zeros(onestep.COUNTERS, dtype=np.int64)
        self.valuation = VALUATIONS.get(method.name)
        self._random = random.Random(method.seed)
        self._function = method.function
        if self._function is None and ":" in method.name:
            self._function = own_valuation(method.name)
        self._known: dict[tuple[Any, ...], Any] = {}

    def stop(self) -> None:
        """Let the states that are left have quick guesses."""
        self.counters[onestep.STOP] = 1

    def play_out(self) -> Found | None:
        """Return the strategy, or None when it gets stuck or needs more than the depth allowed."""
        if self.problem.finished(everything(self.problem.secrets)):
            return Found()
        if self.valuation is None or self.problem.responses > MAX_RESPONSES:  # the kernel works on bytes
            return self._play_plainly()
        first = -1 if self.problem.first is None else self.problem.first
        played = self._player(self.valuation).play(first, self.problem.max_depth)
        if played is None:
            return None
        states, order = played
        found = Found(worst=int(states[:, 2].max()) + 1)
        for start, stop, _, _, guess in states.tolist():
            found.add(np.sort(order[start:stop]), guess)
        return found

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
            classes=problem.classes,
            compare=valuation.compare,
        )

    def _play_plainly(self) -> Found | None:
        problem, found = self.problem, Found()
        waiting = [(everything(problem.secrets), 0)]
        for candidates, depth in waiting:
            guess = problem.first if depth == 0 and problem.first is not None else self.choose(candidates)
            if guess < 0 or depth >= problem.max_depth:
                return None
            found.add(candidates, guess)
            found.worst = max(found.worst, depth + 1)
            for response, cell in split(problem.row(guess, candidates), candidates):
                if len(cell) == len(candidates) and response != problem.winning:
                    return None
                if response != problem.winning and not problem.finished(cell):
                    waiting.append((cell, depth + 1))
        return found

    def choose(self, candidates: Ints) -> int:
        """Return the guess of the method; -1 when no guess tells anything."""
        problem = self.problem
        if self.method.name in CONSISTENT:
            named = problem.winner[candidates]
            named = named[named >= 0]
            if not len(named):
                return -1
            return int(self._random.choice(named) if self.method.name == CONSISTENT[1] else named[0])
        guesses = problem.allowed(candidates)
        if not len(guesses):
            return -1
        if problem.goal == "win" and (len(candidates) == 1 or self.counters[onestep.STOP]):
            return int(problem.winner[candidates[0]])
        outside = ~np.isin(problem.own[guesses], candidates) if self.method.prefer else np.zeros(len(guesses))
        best: tuple[Any, ...] | None = None
        for guess, parts, out in zip(guesses, self._parts(guesses, candidates), outside, strict=True):
            if len(parts) < 2:
                continue
            if self.counters[onestep.STOP]:
                return int(guess) if best is None else int(best[2])
            value = (self.score(parts), bool(out), int(guess))
            if best is None or value < best:
                best = value
        return -1 if best is None else int(best[2])

    def _parts(self, guesses: Ints, candidates: Ints) -> list[tuple[Any, ...]]:
        """Return the parts that each guess makes, ascending, as the method takes them."""
        if self.method.name in COST_VALUATIONS:
            return list(self.problem.paid(guesses, candidates))
        return [
            tuple(np.sort(sizes[sizes > 0]).tolist()) for sizes in self.problem.sizes(guesses, candidates)
        ]

    def score(self, parts: tuple[Any, ...]) -> Any:
        """Return the score of these parts, ascending; the least wins."""
        if parts not in self._known:
            built_in = COST_VALUATIONS.get(self.method.name) or self.valuation
            if self._function is None and built_in is not None:
                self._known[parts] = built_in.key(parts)
                return self._known[parts]
            assert self._function is not None
            try:
                score = self._function(list(parts))
            except Exception as error:
                raise GuesstreeError(f"method {self.method.name!r} on {list(parts)}: {error!r}") from error
            if not isinstance(score, Real) or score != score:
                raise GuesstreeError(
                    f"method {self.method.name!r} on {list(parts)} returned {score!r}; accepted: a number"
                )
            self._known[parts] = score
        return self._known[parts]
