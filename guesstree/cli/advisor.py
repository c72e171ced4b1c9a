"""What a session at a prompt needs to know: what to ask next, and which response may be wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from guesstree.engine.advice import Position, Step, Valued
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.methods.greedy import Method, OneStep
from guesstree.engine.methods.valuations import CONSISTENT, COST_VALUATIONS, VALUATIONS
from guesstree.engine.search.solve import solve
from guesstree.engine.solution import Solution
from guesstree.engine.state import everything

from .progress import live


class Advisor:
    """Say what a method asks in a position, and how guesses compare.

    Parameters
    ----------
    method: ``exact``, one of `METHODS`, or ``module:function``.
    goal, first: for ``exact``, what the strategy is for and how it begins.

    Raises GuesstreeError for an unknown method. With ``exact`` this takes as long as the search does.
    """

    def __init__(self, game: Game, method: str, *, goal: str | None = None, first: str | None = None) -> None:
        self.game, self.method = game, method
        self.solution: Solution | None = None
        self._scores: OneStep | None = None
        self._known: tuple[tuple[Step, ...], list[Valued]] | None = None
        if method == "exact":
            with live() as progress:
                objective = "expected" if game.budget is None else "win-probability"
                self.solution = solve(game, objective, goal=goal, first=first, progress=progress)
            if self.solution.stopped == "interrupt":
                raise KeyboardInterrupt
        elif method not in {*VALUATIONS, *COST_VALUATIONS, *CONSISTENT}:
            self._scores = OneStep(Position(game, goal=goal).problem, Method(method))

    def follows(self, position: Position) -> bool:
        """Return whether the exact strategy meets these candidates, with a guess that is allowed here."""
        if self.solution is None or position.candidates.tobytes() not in self.solution.choices:
            return False
        return not self.game.refused(position.history, self.solution.choose(position.candidates))

    def best(self, position: Position) -> int:
        """Return the guess that the method asks here; -1 when nothing tells anything.

        Where the exact strategy does not lead, the guess of the usual method.
        """
        if self.solution is not None and self.follows(position):
            return self.solution.choose(position.candidates)
        if self.method in CONSISTENT:
            return position.best_guess(self.method)
        best = next(iter(self._ranking(position)), None)
        if best is None:
            return -1
        return best.guess if best.parts > 1 or len(position.candidates) == 1 else -1

    def top(self, position: Position, most: int) -> list[Valued]:
        """Return the guess of the method and the next best, one of each class, that tell something.

        Raises GuesstreeError when the method has no guess here.
        """
        best, kind = self.best(position), position.classes
        if best < 0:
            raise GuesstreeError(
                f"{self.game.spec}: method {self.method} has no guess here; "
                f"accepted: {usual_method(self.game)}"
            )
        others = [v for v in self._ranking(position) if v.parts > 1 and kind[best] != kind[v.guess]]
        return [value(position, best), *others][:most]

    def _ranking(self, position: Position) -> list[Valued]:
        # One position is asked about several times in a row, and a large game takes a second.
        if self._known is None or self._known[0] != position.history:
            self._known = (position.history, self._ranked(position))
        return self._known[1]

    def _ranked(self, position: Position) -> list[Valued]:
        if self._scores is None:
            order = self.method if self.method in {*VALUATIONS, *COST_VALUATIONS} else usual_method(self.game)
            return position.valuations(order, candidates_only=self.method in CONSISTENT)
        score = self._scores.score

        def key(valued: Valued) -> tuple[Any, ...]:
            return valued.parts < 2, score(valued.sizes[::-1]), not valued.candidate, valued.guess

        # Any order will do before it is sorted anew; this one is quick.
        return sorted(position.valuations("max-part"), key=key)


def value(position: Position, guess: int) -> Valued:
    """Return what one guess would tell in a position."""
    asked = np.array([guess], dtype=np.int32)
    sizes = position.problem.sizes(asked, position.candidates)[0]
    priced = position.game.weights is not None or position.game.costs is not None
    return Valued(
        guess,
        bool(np.isin(position.problem.own[guess], position.candidates)),
        int((position.classes == position.classes[guess]).sum()),
        tuple(sorted((int(n) for n in sizes if n), reverse=True)),
        position.problem.paid(asked, position.candidates)[0] if priced else (),
    )


def usual_method(game: Game) -> str:
    """Return the method that advises unless another is asked for: bits, per cost where there are costs."""
    return "entropy" if game.weights is None and game.costs is None else "information-per-cost"


def suspects(position: Position, step: Step) -> list[tuple[int, int]]:
    """Return (number, candidates) for each response that explains a contradiction if it alone is wrong.

    `step` is the one after which no secret fits. It is itself among them: without it some fit.
    """
    steps = (*position.history, step)
    secrets = everything(position.problem.secrets)
    fits = np.array([position.problem.row(guess, secrets) == response for guess, response in steps])
    # A secret that all others fit is one that exactly one response rules out.
    blamed = (~fits[:, fits.sum(axis=0) == len(steps) - 1]).sum(axis=1)
    return [(number, int(count)) for number, count in enumerate(blamed, 1) if count]
