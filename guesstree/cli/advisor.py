"""What a session at a prompt needs to know: what to ask next, what was typed, which response may be wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from guesstree.engine.advice import Position, Step, Valued
from guesstree.engine.errors import GameError, GuesstreeError, shown
from guesstree.engine.game import Game
from guesstree.engine.games.codes import Codes
from guesstree.engine.methods.greedy import Method, OneStep
from guesstree.engine.methods.valuations import CONSISTENT, COST_VALUATIONS, VALUATIONS
from guesstree.engine.search.solve import solve
from guesstree.engine.solution import Solution
from guesstree.engine.state import everything

from .progress import live

MOST_SHOWN = 20
_NUMBERS = re.compile(r"[0-9]{1,3}(?:[\s,;.:/+-]+[0-9]{1,3})*")


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


def read_guess(game: Game, text: str) -> int:
    """Return the guess that was typed, spaces and small letters allowed; raise GameError else."""
    forms = [text, text.upper()]
    if isinstance(game.guesses, Codes):
        forms.append(re.sub(r"[\s,]", "", text).upper())
    for form in forms:
        try:
            return game.guesses.index(form)
        except ValueError:
            pass
    if not isinstance(game.guesses, Codes):
        same = _same_letters(game.guesses, text)
        return game.guess_index(text) if same is None else same
    codes = game.guesses
    different = "different " if codes.distinct else ""
    raise GameError(
        f"{shown(text)} is not a guess of {game.spec}; "
        f"accepted: {codes.positions} {different}symbols out of {codes.symbols}"
    )


def read_response(game: Game, text: str) -> int:
    """Return the response that was typed: its label, or its numbers in any unambiguous way.

    ``1,0``, ``1 0`` and, where no number has two digits, ``10`` are the same. Raises GuesstreeError that says
    what is accepted.
    """
    labels = list(game.responses)
    if text in labels:
        return labels.index(text)
    found = _same_letters(labels, text)
    if found is None:
        found = _same_numbers(labels, text)
    if found is None:
        some = ", ".join(map(repr, labels[:MOST_SHOWN])) + (", ..." if len(labels) > MOST_SHOWN else "")
        raise GuesstreeError(f"{shown(text)} is not a response of {game.spec}; accepted: {some}")
    return found


def _same_letters(labels: Sequence[str], text: str) -> int | None:
    same = [i for i, label in enumerate(labels) if label.casefold() == text.casefold()]
    return same[0] if len(same) == 1 else None


def _same_numbers(labels: Sequence[str], text: str) -> int | None:
    if not _NUMBERS.fullmatch(text) or not all(re.fullmatch("[0-9]+(,[0-9]+)*", label) for label in labels):
        return None
    known = {tuple(map(int, label.split(","))): i for i, label in enumerate(labels)}
    typed = re.findall("[0-9]+", text)
    one_digit = all(number < 10 for numbers in known for number in numbers)
    if len(typed) == 1 and one_digit and (int(typed[0]),) not in known:
        typed = list(typed[0])
    return known.get(tuple(map(int, typed)))
