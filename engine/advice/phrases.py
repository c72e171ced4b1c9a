"""Advice on phrases that are never listed: what is left is counted word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from ..errors import GuesstreeError
from ..games.phrases import PhraseGame
from ..objective import EXPECTED, WORST
from ..onestep.products import MOST_COMBINED, MOST_SIZES, ProductParts, bits
from ..onestep.ranking import AnyMethod, Method, Ranking, best_first
from ..onestep.valuations import COST_VALUATIONS, VALUATIONS
from ..rules import UNKNOWN, Given, Step, given_steps
from ..state import Ints, everything
from ..support import Request, require
from .position import Position
from .turns import guess_typed, parse_history
from .valued import Valued

MOST_NAMED = 1000
"""So many of the phrases left are named at most."""


NOTHING = ProductParts((), (), 0)


@dataclass(frozen=True)
class PhraseValued(Valued):
    """A letter and what it would tell of phrases; its `sizes` are those of the largest parts.

    Attributes
    ----------
    told: the parts that it makes.
    """

    told: ProductParts = NOTHING

    def figure(self, method: str) -> float:
        """Return what a valuation that knows costs says; infinite when the letter is free."""
        return self.told.figure(method)

    def figure_of_sizes(self, method: str) -> Fraction | float | int:
        """Return what a valuation says that knows the sizes of the parts alone."""
        figure: Fraction | float | int = getattr(self, method.replace("-", "_"))
        return figure

    @property
    def expected_size(self) -> Fraction:
        """The expected size of the part that the phrase is in."""
        return self.told.expected_size

    @property
    def entropy(self) -> float:
        """The entropy of the parts in bits."""
        return bits(self.told.counts)

    @property
    def parts(self) -> int:
        """The number of parts."""
        return self.told.many


@dataclass(frozen=True)
class PhraseProblem:
    """What a position says of the whole game: it is to be known, and no letter names a phrase."""

    own: Ints
    goal: str = "identify"
    winning = -1


class PhrasePosition(Position):
    """A `Position` of phrases that are never listed; parameters and errors as there."""

    def __init__(
        self,
        game: PhraseGame,
        history: str | Sequence[Given] = (),
        *,
        goal: str | None = None,
        lies: int = 0,
    ) -> None:
        require(Request(game, (WORST if lies else EXPECTED).name, goal=goal or "", lies=lies, advice=True))
        self.phrases, self.game, self.lies = game, game, lies
        self.problem: Any = PhraseProblem(game.own())
        self.left, self.history = game.everything, ()
        self._ranked = {}
        for step in parse_history(game, history) if isinstance(history, str) else given_steps(history):
            self._take(*step)

    needs = None
    opening = None

    @property
    def candidates(self) -> Any:
        """The phrases that are still possible, a `Left`."""
        return self.left

    @property
    def secrets(self) -> tuple[str, ...]:
        """The labels of the first phrases that are still possible, `MOST_NAMED` at most."""
        return tuple(self.game.secrets[phrase] for phrase in self.left[:MOST_NAMED])

    @property
    def classes(self) -> Ints:
        """Each letter: none is equivalent to another."""
        return everything(len(self.game.guesses))

    @property
    def askable(self) -> Ints:
        """The letters that may be asked now, ascending."""
        return np.setdiff1d(self.classes, list(self.aside)).astype(np.int32)

    def _take(self, guess: int | str, response: int | str) -> None:
        guess = guess_typed(self.game, guess) if isinstance(guess, str) else self.game.guess_at(guess)
        response = self.read_response(response, guess)
        self.require_allowed(guess)
        self.history = (*self.history, (guess, response))
        left = self.left if response == UNKNOWN else self.phrases.after(self.left, guess, response)
        if not len(left):
            raise self._contradiction()
        self.left, self._ranked = left, {}

    def suspects(self, step: Step) -> list[tuple[tuple[int, ...], int]]:
        """Return sets of responses that explain a contradiction, see `Position.suspects`."""
        steps, last = (*self.history, step), len(self.history)
        found: list[tuple[tuple[int, ...], int]] = [((last + 1,), len(self.left))]
        others = [n for n in range(last) if steps[n][1] != UNKNOWN]
        for fewest in range(1, len(others) + 1):
            for some in combinations(others, fewest):
                left = self.phrases.everything
                for n, (guess, response) in enumerate(steps):
                    if n not in some and response != UNKNOWN:
                        left = self.phrases.after(left, guess, response)
                if len(left):
                    found.append((tuple(n + 1 for n in some), len(left)))
            if len(found) > 1:
                break
        return sorted(found, key=lambda one: (len(one[0]), one))

    def doubts(self) -> list[int]:
        """Return that no response is false."""
        return [0] * len(self.history)

    def pattern(self, between: str = " ") -> str:
        """Return the known part of the phrase, as ``_ a | _ a``; empty while lengths are not known."""
        if self.phrases.lengths(self.left) is None:
            return ""
        turns = [(self.game.guesses[guess], self.game.responses[given]) for guess, given in self.known_steps]
        return self.game.look.pattern(turns, [self.game.secrets[self.left[0]]], between)

    def told(self, guess: int) -> ProductParts:
        """Return the parts that a letter makes."""
        return self.phrases.parts(self.left, guess)

    def value(self, guess: int | str) -> Valued:
        """Return the value of one letter, by index or label."""
        guess = self.game.guess_at(guess)
        told = self.told(guess)
        paid = ((told.missed, 1), (told.weight - told.missed, 0))
        sizes, label = tuple(told.sizes(MOST_SIZES)), self.game.guesses[guess]
        return PhraseValued(guess, False, 1, sizes, told.many > 1, paid, label=label, told=told)

    def best_guess(self, method: AnyMethod | None = None) -> int:
        """Return the letter that a one-step method asks here; -1 when nothing tells anything."""
        if method is not None and Method.of(method).consistent:
            return -1  # no letter names a phrase
        found = self.valuations(method)
        return found[0].guess if found and found[0].tells else -1

    def _rank(self, how: Method | None, candidates_only: bool) -> list[Valued]:
        assert how is not None
        if candidates_only:
            return []
        found = [self.value(guess) for guess in self.askable.tolist()]
        scores = [(not valued.tells, self._key(how, self.told(valued.guess))) for valued in found]
        return [found[i] for i in best_first(scores, [False] * len(found))]

    def _key(self, how: Method, told: ProductParts) -> Any:
        """Return what compares letters by a method, exactly."""
        if how.function is None and ":" not in how.name:
            if how.name in (*VALUATIONS, *COST_VALUATIONS):
                return told.key(how.name)
            return Ranking(self.problem, how).key(())  # says why there is none
        if told.many > MOST_COMBINED:
            raise GuesstreeError(
                f"method {how.name} of {self.game.spec}: {told.many} parts; expected at most {MOST_COMBINED} "
                "for a function of their sizes, as with shorter lists"
            )
        return Ranking(self.problem, how).key(tuple(told.sizes(MOST_COMBINED)[::-1]))
