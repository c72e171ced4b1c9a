"""Advice in one state of a game: what is still possible, what each guess would tell, what to ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, cmp_to_key

import numpy as np
from numpy.typing import NDArray

from .errors import GuesstreeError, shown
from .game import Game
from .methods.greedy import Method, OneStep
from .methods.valuations import COST_VALUATIONS, VALUATIONS, Sizes, Valuation
from .objective import OBJECTIVES
from .problem import Problem
from .rules import Step as Step
from .rules import Words
from .state import Ints, everything, split

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
    paid: (weight, cost) of its parts, where the game has weights or costs, or the method asks for them.
    """

    guess: int
    candidate: bool
    equivalents: int
    sizes: tuple[int, ...]
    paid: tuple[tuple[int, int], ...] = ()

    def figure(self, method: str) -> float:
        """Return what a valuation of `COST_VALUATIONS` says; infinite when the guess is free."""
        return float(COST_VALUATIONS[method].figure(self.paid))

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

    Raises Contradiction when no secret fits the history, GuesstreeError when a guess of it was not allowed.
    """

    def __init__(self, game: Game, history: Sequence[Step] = (), *, goal: str | None = None) -> None:
        self.game = game
        self.history: tuple[Step, ...] = ()
        self.problem = Problem(game, OBJECTIVES["expected"], goal=goal)
        self.candidates: Ints = everything(self.problem.secrets)
        for step in history:
            self.history = (*self.history, step)
            self._filter(*step)

    def after(self, guess: int, response: int) -> Position:
        """Return the position after one more guess and response; raise as the constructor does."""
        position = copy(self)
        for name in ("classes", "needs"):
            position.__dict__.pop(name, None)
        position.history = (*self.history, (guess, response))
        position._filter(guess, response)
        return position

    def _filter(self, guess: int, response: int) -> None:
        """Keep the candidates that give this response to the last guess; raise as the constructor."""
        self._require_allowed(self.history[:-1], guess)
        kept = self.candidates[self.problem.row(guess, self.candidates) == response]
        if not len(kept):
            step = len(self.history)
            asked = f"{self.game.guesses[guess]} {self.game.responses[response]}"
            raise Contradiction(f"{self.game.spec}: no secret fits from response {step} on ({asked})", step)
        self.candidates = kept

    def require_allowed(self, guess: int) -> None:
        """Raise GuesstreeError that says why a guess may not be asked here, if it may not."""
        self._require_allowed(self.history, guess)

    def _require_allowed(self, history: tuple[Step, ...], guess: int) -> None:
        if why := self.game.refused(history, guess):
            raise GuesstreeError(f"{self.game.guesses[guess]!r} is not allowed after these responses: {why}")

    @cached_property
    def needs(self) -> Words | None:
        """What the history demands of the next guess; None: nothing ever."""
        return None if self.problem.rules is None else self.problem.rules.follow(self.history)

    @property
    def paid(self) -> int:
        """What the responses so far have cost."""
        costs = self.game.costs
        return len(self.history) if costs is None else sum(int(costs[step]) for step in self.history)

    @property
    def lost(self) -> bool:
        """Whether more was paid than the game allows."""
        return self.game.budget is not None and self.paid > self.game.budget

    @property
    def finished(self) -> bool:
        """Whether the secret is won, or known where that is the goal."""
        if self.problem.goal == "win":
            return bool(self.history) and self.history[-1][1] == self.game.winning
        return len(self.candidates) == 1

    @cached_property
    def classes(self) -> Ints:
        """The smallest equivalent guess of each guess, int32, shape (guesses,)."""
        free = self.problem.rules is None
        found = self.game.symmetry.classes(tuple(guess for guess, _ in self.history)) if free else None
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
        """Return one allowed guess of each class with the sizes of its parts, best first by a valuation.

        Ties go to a candidate (unless `prefer` is off), then to the smallest guess. Raises GuesstreeError
        for a method that values nothing.
        """
        accepted = [*VALUATIONS, *COST_VALUATIONS]
        if method not in accepted:
            raise GuesstreeError(f"{method!r} is not a valuation; accepted: {', '.join(accepted)}")
        smallest, equivalents = np.unique(self.classes, return_counts=True)
        smallest = smallest.astype(np.int32)
        if self.needs is not None:  # then there is no symmetry
            smallest = self.problem.allowed(self.candidates, self.needs)
            equivalents = equivalents[smallest]
        if candidates_only:
            named = np.isin(self.problem.own[smallest], self.candidates)
            smallest, equivalents = smallest[named], equivalents[named]
        found = [
            Valued(guess, candidate, many, tuple(sorted((int(n) for n in row if n), reverse=True)))
            for guess, candidate, many, row in self._rows(smallest, equivalents)
        ]
        if method in COST_VALUATIONS or self.game.weights is not None or self.game.costs is not None:
            everything_paid = self.problem.paid(smallest, self.candidates)
            found = [replace(v, paid=paid) for v, paid in zip(found, everything_paid, strict=True)]
        if method in COST_VALUATIONS:
            key = COST_VALUATIONS[method].key
            found.sort(key=lambda v: (v.parts < 2, key(v.paid), prefer and not v.candidate, v.guess))
            return found
        scores = _ranks(VALUATIONS[method], {valued.sizes for valued in found}, len(self.candidates))
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
        how = method if isinstance(method, Method) else Method(method)
        if how.name not in {*VALUATIONS, *COST_VALUATIONS} or how.function is not None:
            return OneStep(self.problem, how).choose(self.candidates, self.needs)
        if len(self.candidates) == 1:
            return int(self.problem.winner[self.candidates[0]])
        found = self.valuations(how.name, prefer=how.prefer)
        return found[0].guess if found and found[0].parts > 1 else -1


def _ranks(
    valuation: Valuation, partitions: set[tuple[int, ...]], secrets: int
) -> dict[tuple[int, ...], int]:
    """Return the place of each partition by a valuation, exactly; equal ones share a place."""
    part_scores = valuation.scores(secrets)
    scores = {
        sizes: int(part_scores[list(sizes)].sum()) if len(part_scores) else sizes[0] for sizes in partitions
    }

    def compare(a: tuple[int, ...], b: tuple[int, ...]) -> int:
        difference = scores[a] - scores[b]
        if valuation.compare is not None and abs(difference) <= valuation.tolerance(max(len(a), len(b))):
            return valuation.compare(a, b)
        return (difference > 0) - (difference < 0)

    ranks: dict[tuple[int, ...], int] = {}
    before: tuple[int, ...] = ()
    for sizes in sorted(partitions, key=cmp_to_key(compare)):
        tied = bool(before) and compare(before, sizes) == 0
        ranks[sizes] = ranks[before] if tied else len(ranks)
        before = sizes
    return ranks


def parse_history(game: Game, text: str) -> list[Step]:
    """Return the steps of a text such as ``1122:1,0 1344:0,2``; raise GuesstreeError for a bad one.

    Steps are separated by spaces, or by semicolons where labels hold spaces.
    """
    steps = []
    words = [word.strip() for word in text.split(";")] if ";" in text else text.split()
    for word in filter(None, words):
        guess, colon, response = word.rpartition(":")
        if not colon:
            raise GuesstreeError(f"history {shown(word)}; accepted: GUESS:RESPONSE, such as 1122:1,0")
        steps.append((game.guess_index(guess), response_index(game, response)))
    return steps


def response_index(game: Game, label: str) -> int:
    """Return the index of a response; raise GuesstreeError that shows what is accepted."""
    if label in game.responses:
        return list(game.responses).index(label)
    some = ", ".join(repr(r) for r in game.responses[:20]) + (", ..." if len(game.responses) > 20 else "")
    raise GuesstreeError(f"{shown(label)} is not a response of {game.spec}; accepted: {some}")


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


def paid_for(game: Game, steps: Sequence[tuple[str, str]]) -> int:
    """Return what guesses and responses, by label, have cost; 1 each where the game does not say."""
    if game.costs is None:
        return len(steps)
    return sum(int(game.costs[game.guess_index(g), response_index(game, r)]) for g, r in steps)
