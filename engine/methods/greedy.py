"""Play a one-step method to the end for every secret, and value guesses in one state."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cmp_to_key
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import onestep

from ..errors import GuesstreeError
from ..game import MAX_RESPONSES
from ..problem import Problem
from ..rules import Words
from ..solution import Found
from ..state import Ints, everything, split
from .valuations import (
    CONSISTENT,
    COST_VALUATIONS,
    VALUATIONS,
    Sizes,
    Valuation,
    check_method,
    own_valuation,
)

BLOCK_CELLS = 1 << 22
"""Sizes of parts that are looked at together."""


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
        plain = self.problem.responses > MAX_RESPONSES or self.problem.rules is not None  # not for the kernel
        if self.valuation is None or plain:
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
        problem, found, rules = self.problem, Found(), self.problem.rules
        start = None if rules is None else rules.start
        waiting: list[tuple[Ints, int, Words | None]] = [(everything(problem.secrets), 0, start)]
        for candidates, depth, needs in waiting:
            first = problem.first if depth == 0 else None
            guess = self.choose(candidates, needs) if first is None else first
            if guess < 0 or depth >= problem.max_depth:
                return None
            found.add(candidates, guess)
            found.worst = max(found.worst, depth + 1)
            for response, cell in split(problem.row(guess, candidates), candidates):
                if len(cell) == len(candidates) and response != problem.winning:
                    return None
                if response != problem.winning and not problem.finished(cell):
                    after = None if rules is None or needs is None else rules.after(needs, guess, response)
                    waiting.append((cell, depth + 1, after))
        return found

    def choose(self, candidates: Ints, needs: Words | None = None) -> int:
        """Return the guess of the method; -1: no guess tells anything.

        `needs` is what the history demands, see `rules`.
        """
        problem = self.problem
        if self.method.name in CONSISTENT:
            named = problem.winner[candidates]
            named = named[named >= 0]
            if problem.rules is not None and needs is not None:
                named = named[problem.rules.allowed(needs)[named]]
            if not len(named):
                return -1
            return int(self._random.choice(named) if self.method.name == CONSISTENT[1] else named[0])
        if problem.goal == "win" and (len(candidates) == 1 or self.counters[onestep.STOP]):
            return int(problem.winner[candidates[0]])
        guesses = problem.allowed(candidates, needs)
        if not len(guesses):
            return -1
        outside = ~np.isin(problem.own[guesses], candidates) if self.method.prefer else np.zeros(len(guesses))
        if self.valuation is not None and not self.counters[onestep.STOP]:
            return self._valued(self.valuation, candidates, guesses, outside)
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

    def _valued(self, valuation: Valuation, candidates: Ints, guesses: Ints, outside: NDArray[Any]) -> int:
        """Return the guess of the least score, ties as everywhere; -1: no guess tells anything."""
        problem, part_scores = self.problem, valuation.scores(self.problem.secrets)
        none = np.iinfo(np.int64).max
        scores = np.empty(len(guesses), dtype=np.int64)
        step = max(BLOCK_CELLS // problem.responses, 1)
        for start in range(0, len(guesses), step):
            sizes = problem.sizes(guesses[start : start + step], candidates)
            largest = sizes.max(axis=1)
            valued = part_scores[sizes].sum(axis=1) if len(part_scores) else largest.astype(np.int64)
            scores[start : start + step] = np.where(largest == len(candidates), none, valued)
        least = int(scores.min())
        if least == none:
            return -1
        tied = np.flatnonzero(scores <= least + valuation.tolerance(problem.responses))
        tied = tied[scores[tied] < none]
        if valuation.compare is not None:
            compare, sizes = valuation.compare, np.sort(problem.sizes(guesses[tied], candidates), axis=1)
            forms, form = np.unique(sizes[:, -len(candidates) :], axis=0, return_inverse=True)
            best = min(forms.tolist(), key=cmp_to_key(compare))
            same = np.array([compare(other, best) == 0 for other in forms.tolist()])
            tied = tied[same[form.ravel()]]
        return int(guesses[tied[np.argmin(outside[tied])]])

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
            if self._function is None and self.method.name in COST_VALUATIONS:
                self._known[parts] = COST_VALUATIONS[self.method.name].key(parts)
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
