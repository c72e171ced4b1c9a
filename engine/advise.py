"""Advice in one state of a game: what is still possible, what each guess would tell, what to ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .errors import GuesstreeError
from .game import Game, find_label
from .greedy import Method, OneStep, exact_score
from .heuristics import VALUATIONS, Sizes, Valuation
from .objective import OBJECTIVES
from .problem import Problem
from .state import Ints, everything, split

Step = tuple[int, int]
"""A guess and the response to it, by index."""
BLOCK_CELLS = 1 << 24


class Contradiction(GuesstreeError):  # noqa: N818 - the field's own name
    """Report responses that no secret fits; `step` is the number, from 1, of the first that leaves none."""

    def __init__(self, message: str, step: int) -> None:
        super().__init__(message)
        self.step = step


@dataclass(frozen=True)
class Valued:
    """A guess in a state, and what it would tell.

    Attributes
    ----------
    guess: its index; of a class of equivalent guesses the smallest.
    candidate: whether it may be the secret.
    equivalents: how many guesses the symmetry makes equal to it, itself included.
    sizes: the sizes of its parts, largest first.
    """

    guess: int
    candidate: bool
    equivalents: int
    sizes: tuple[int, ...]

    @property
    def max_part(self) -> int:
        """The size of the largest part (Knuth 1977)."""
        return self.sizes[0]

    @property
    def expected_size(self) -> Fraction:
        """The expected size of the part that the secret is in (Irving 1978)."""
        return Fraction(VALUATIONS["expected-size"].figure(self.sizes))

    @property
    def entropy(self) -> float:
        """The entropy of the parts in bits (Neuwirth 1982)."""
        return float(VALUATIONS["entropy"].figure(self.sizes))

    @property
    def parts(self) -> int:
        """The number of parts (Kooi 2005)."""
        return len(self.sizes)


@dataclass(frozen=True)
class Part:
    """A part of a partition: the response, and the secrets that would give it."""

    response: str
    secrets: tuple[str, ...]


class Position:
    """A game after some guesses and responses.

    Parameters
    ----------
    history: guesses and responses by index.
    goal: ``win``, ``identify``, or None for what the game is for.

    Raises Contradiction when no secret fits the history.
    """

    def __init__(self, game: Game, history: Sequence[Step] = (), *, goal: str | None = None) -> None:
        self.game, self.history = game, tuple(history)
        self.problem = Problem(game, OBJECTIVES["expected"], goal=goal)
        candidates = everything(self.problem.secrets)
        for number, (guess, response) in enumerate(self.history, 1):
            candidates = candidates[self.problem.row(guess, candidates) == response]
            if not len(candidates):
                raise Contradiction(
                    f"{game.spec}: no secret fits from response {number} on "
                    f"({game.guesses[guess]} {game.responses[response]})",
                    number,
                )
        self.candidates: Ints = candidates

    def after(self, guess: int, response: int) -> Position:
        """Return the position after one more guess and response; raise Contradiction when no secret fits."""
        return Position(self.game, (*self.history, (guess, response)), goal=self.problem.goal)

    @property
    def finished(self) -> bool:
        """Whether the secret is won, or known where that is the goal."""
        if self.problem.goal == "win":
            return bool(self.history) and self.history[-1][1] == self.game.winning
        return len(self.candidates) == 1

    @cached_property
    def classes(self) -> Ints:
        """The smallest equivalent guess of each guess, int32, shape (guesses,)."""
        found = self.game.symmetry.classes(tuple(guess for guess, _ in self.history))
        return everything(len(self.problem.own)) if found is None else found

    def partition(self, guess: int) -> list[Part]:
        """Return the parts that a guess makes of the candidates, in the order of responses."""
        labels = self.game.secrets
        return [
            Part(self.game.responses[r], tuple(labels[int(s)] for s in part))
            for r, part in split(self.problem.row(guess, self.candidates), self.candidates)
        ]

    def valuations(
        self, method: str = "entropy", *, candidates_only: bool = False, prefer: bool = True
    ) -> list[Valued]:
        """Return one guess of each class with the sizes of its parts, best first by a valuation.

        Ties go to a candidate (unless `prefer` is off), then to the smallest guess. Raises GuesstreeError
        for a method that values nothing.
        """
        if method not in VALUATIONS:
            raise GuesstreeError(f"{method!r} is not a valuation; accepted: {', '.join(VALUATIONS)}")
        valuation = VALUATIONS[method]
        smallest, equivalents = np.unique(self.classes, return_counts=True)
        found = [
            Valued(
                int(guess),
                bool(candidate),
                int(many),
                tuple(sorted((int(n) for n in row if n), reverse=True)),
            )
            for guess, candidate, many, row in self._rows(smallest.astype(np.int32), equivalents)
            if candidate or not candidates_only
        ]
        scores = _ranks(valuation, {valued.sizes for valued in found})
        found.sort(key=lambda v: (scores[v.sizes], prefer and not v.candidate, v.guess))
        return found

    def _rows(self, guesses: Ints, equivalents: NDArray[np.int64]) -> Iterator[tuple[int, bool, int, Sizes]]:
        """Yield (guess, candidate, equivalents, sizes by response), a block of guesses at a time."""
        named = np.isin(self.problem.own[guesses], self.candidates) & (self.problem.own[guesses] >= 0)
        step = max(BLOCK_CELLS // len(self.candidates), 1)
        for start in range(0, len(guesses), step):
            block = slice(start, start + step)
            sizes = self.problem.sizes(guesses[block], self.candidates)
            yield from zip(
                guesses[block].tolist(),
                named[block].tolist(),
                equivalents[block].tolist(),
                sizes,
                strict=True,
            )

    def best_guess(self, method: str | Method = "entropy") -> int:
        """Return the guess that a one-step method asks here; -1 when nothing tells anything."""
        return OneStep(self.problem, method if isinstance(method, Method) else Method(method)).choose(
            self.candidates
        )


def _ranks(valuation: Valuation, partitions: set[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
    """Return the place of each partition by a valuation, exactly; equal ones share a place."""
    scored = sorted((exact_score(valuation, sizes[::-1]), sizes) for sizes in partitions)
    ranks: dict[tuple[int, ...], int] = {}
    before: object = None
    for place, (score, sizes) in enumerate(scored):
        ranks[sizes] = ranks[scored[place - 1][1]] if place and score == before else place
        before = score
    return ranks


def parse_history(game: Game, text: str) -> list[Step]:
    """Return the steps of a text such as ``1122:1,0 1344:0,2``; raise GuesstreeError for a bad one."""
    steps = []
    for word in text.split():
        guess, colon, response = word.rpartition(":")
        if not colon:
            raise GuesstreeError(f"history {word!r}; accepted: GUESS:RESPONSE, such as 1122:1,0")
        steps.append((game.guess_index(guess), response_index(game, response)))
    return steps


def response_index(game: Game, label: str) -> int:
    """Return the index of a response; raise GuesstreeError that shows what is accepted."""
    try:
        return find_label(game.responses, label, "")
    except GuesstreeError:
        some = ", ".join(repr(r) for r in game.responses[:20])
        raise GuesstreeError(f"{label!r} is not a response of {game.spec}; accepted: {some}") from None


def play_against(
    game: Game, secret: str, choose: Callable[[Position], int], *, goal: str | None = None
) -> list[tuple[str, str]]:
    """Return the game against a known secret, guesses and responses by label.

    `choose` returns the guess for a position, such as ``lambda p: p.best_guess("entropy")``. Raises
    GuesstreeError when it asks what tells nothing, so that the game would not end.
    """
    hidden = game.secret_index(secret)
    position = Position(game, goal=goal)
    steps: list[tuple[str, str]] = []
    while not position.finished:
        guess = choose(position)
        if guess < 0:
            raise GuesstreeError(f"{game.spec}: no guess tells {len(position.candidates)} candidates apart")
        response = game.respond(guess, hidden)
        before = len(position.candidates)
        position = position.after(guess, response)
        if len(position.candidates) == before and not position.finished:
            raise GuesstreeError(f"{game.spec}: {game.guesses[guess]!r} tells nothing here")
        steps.append((game.guesses[guess], game.responses[response]))
    return steps
