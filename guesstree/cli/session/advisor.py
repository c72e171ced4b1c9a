"""What a session at a prompt needs to know: what to ask next, what was typed, which response may be wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import click

from guesstree.engine.advice import Position, Valued, usual_method
from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.game import Game, shown
from guesstree.engine.games.codes import Codes
from guesstree.engine.methods.ranking import Method
from guesstree.engine.methods.valuations import methods
from guesstree.engine.problem import Solution
from guesstree.engine.search.solve import solve

from ..tools.progress import live
from .many import CONSTRUCTIVE

MOST_SHOWN = 20
_NUMBERS = re.compile(r"[0-9]{1,3}(?:[\s,;.:/+-]+[0-9]{1,3})*")


def method_option(name: str, what: str, *, more: str = "", usual: str = "") -> Callable[[Any], Any]:
    """Return the option that says who guesses or advises."""
    return click.option(
        name,
        metavar="METHOD",
        help=f"{what}: {', '.join(methods())}, module:function, exact (small games), or {CONSTRUCTIVE} "
        f"(Mastermind of any size{more}). Default: entropy; information-per-cost where there are weights or "
        f"costs{usual}.",
    )


class Advisor:
    """Say what a method asks in a position, and how guesses compare.

    Parameters
    ----------
    method: ``exact``, one of `methods()`, or ``module:function``; with lies ``volume`` or ``exact``. None:
        the usual one.
    goal, first: for ``exact``, what the strategy is for and how it begins.
    lies: how many responses may be false.

    Raises GuesstreeError for an unknown method. With ``exact`` this takes as long as the search does.
    """

    def __init__(
        self,
        game: Game,
        method: str | None = None,
        *,
        goal: str | None = None,
        first: str | None = None,
        lies: int = 0,
    ) -> None:
        self.game, self.usual = game, usual_method(game, lies)
        self.method = method or self.usual
        self.solution: Solution | None = None
        if lies and self.method not in ("volume", "exact"):
            raise GuesstreeError(f"method {self.method} with lies; accepted: volume, exact")
        self._one_step = None if lies or self.method == "exact" else Method(self.method)
        if self.method == "exact":
            objective = "expected" if game.budget is None else "win-probability"
            objective = "worst" if lies else objective
            with live() as progress:
                self.solution = solve(game, objective, goal=goal, first=first, lies=lies, progress=progress)
            if self.solution.stopped == "interrupt":
                raise KeyboardInterrupt

    def follows(self, position: Position) -> bool:
        """Return whether the exact strategy meets this state, with a guess that is allowed here."""
        if self.solution is None or position.key not in self.solution.choices:
            return False
        return not self.game.refused(position.history, self.solution.choices[position.key])

    def best(self, position: Position) -> int:
        """Return the guess that the method asks here; -1 when nothing tells anything.

        Where the exact strategy does not lead, the guess of the usual method.
        """
        if self.solution is not None and self.follows(position):
            return self.solution.choices[position.key]
        return position.best_guess(self._one_step)

    def top(self, position: Position, most: int) -> list[Valued]:
        """Return the guess of the method and the next best, one of each class, that tell something.

        Raises GuesstreeError when the method has no guess here.
        """
        best, kind = self.best(position), position.classes
        if best < 0:
            why = f"method {self.method} has no guess here; accepted: {self.usual}"
            if self.method == self.usual:
                why = f"no guess tells {len(position.candidates)} candidates apart"
            raise GuesstreeError(f"{self.game.spec}: {why}")
        consistent = self._one_step is not None and self._one_step.consistent
        ranked = position.valuations(None if consistent else self._one_step, candidates_only=consistent)
        others = [v for v in ranked if v.tells and kind[best] != kind[v.guess]]
        return [position.value(best), *others][:most]


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
