"""One-step methods where responses may be false.

What a response leaves is measured by its *volume* (Berlekamp 1968): the ways in which further questions may
be answered, over the candidates and the lies that each has left, see `search.lying.Volume`. All responses to
a guess, with those that no candidate gives, share out the ways to answer it and what follows. So a volume is
the size of a part, and entropy and expected size mean what they mean without lies, where a candidate has a
volume of 1.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import onestep

from ..errors import GuesstreeError
from ..problem import Problem
from ..solution import Found
from ..state import Ints, everything
from .logs import Logs
from .ranking import Method
from .valuations import CONSISTENT, VALUATIONS, VOLUME

Longs = NDArray[np.int64]
LYING = (VOLUME, *VALUATIONS, *CONSISTENT)
"""The methods that know lies."""
NEAR = 1e-12
"""Rounded scores that differ by less, relatively, are compared exactly: each is a sum of few doubles."""


class Known(Protocol):
    """What is known of the secret: who is still possible, and how many lies each has left."""

    @property
    def candidates(self) -> Ints: ...  # noqa: D102 - see the class
    @property
    def left(self) -> NDArray[np.uint8]: ...  # noqa: D102 - see the class


@dataclass(frozen=True)
class LyingParts:
    """What guesses leave where responses may be false.

    A guess that wins on a candidate ends the game there: that is a part of volume 1.

    Attributes
    ----------
    sizes: how many candidates give each response, int32, shape (guesses, responses); none wins.
    volume, most: the volume, and the number of candidates, that each of these responses leaves; int64, 0
        where no candidate gives it.
    rest: the volume after a response that no candidate gives, int64, shape (guesses,).
    won: whether a guess wins on a candidate.
    """

    sizes: Ints
    volume: Longs
    most: Longs
    rest: Longs
    won: NDArray[np.bool_]

    @classmethod
    def of(
        cls, problem: Problem, guesses: Ints, candidates: Ints, left: NDArray[np.uint8], weight: Longs
    ) -> LyingParts:
        """Return the parts of some guesses; a secret loses a lie by every response but its own.

        left: how many lies each candidate has left; weight: the volume of a secret by the lies that it has.
        """
        loss = np.concatenate(
            ([0], weight[:-1])
        )  # the volume of a secret that has lost a lie, by lies before
        place = np.searchsorted(candidates, np.maximum(problem.own[guesses], 0))
        place = np.minimum(place, len(candidates) - 1)
        won = (candidates[place] == problem.own[guesses]) & (problem.winning >= 0)
        rest = np.full(len(guesses), int(loss[left].sum()), dtype=np.int64)
        rest[won] -= loss[left[place[won]]]
        kept = np.full(len(guesses), int((left > 0).sum()), dtype=np.int64)
        kept[won] -= left[place[won]] > 0
        volume, most = rest[:, None], kept[:, None]
        sizes = np.zeros((len(guesses), problem.responses), dtype=np.int32)
        for level in range(len(weight)):
            if (left == level).any():
                same = problem.sizes(guesses, candidates[left == level])
                volume = volume + same * (weight[level] - loss[level])
                most = most + same * (level == 0)
                sizes += same
        if problem.winning >= 0:
            sizes[:, problem.winning] = 0
        used = sizes > 0
        return cls(sizes, np.where(used, volume, 0), np.where(used, most, 0), rest, won)

    @property
    def given(self) -> Longs:
        """How many responses candidates give, but for the one that wins."""
        return (self.sizes > 0).sum(axis=1)

    @property
    def tells(self) -> NDArray[np.bool_]:
        """Whether each guess tells something."""
        return self.won | (self.given > 1)

    def forms(self, responses: int) -> Longs:
        """Return what methods see of each guess, shape (guesses, responses + 5).

        The volumes, ascending; then the volume after any other of so many responses, and how many those are;
        how many candidates may be left; how many responses candidates give; and whether one wins.
        """
        more = np.maximum(responses - self.given, 0)
        columns = (self.rest, more, self.most.max(axis=1), self.given + self.won)
        return np.column_stack((np.sort(self.volume, axis=1), *columns, self.won))


def rough(name: str, forms: Longs) -> NDArray[Any]:
    """Return the score of each form, rounded where it may be large; the least is best."""
    volumes, (rest, more, most, given, won) = forms[:, :-5], forms[:, -5:].T
    if name == VOLUME:
        return volumes[:, -1]
    if name in ("max-part", "parts"):
        return most if name == "max-part" else -given
    real, other = volumes.astype(np.float64), rest.astype(np.float64)
    if name == "expected-size":
        scores: NDArray[np.float64] = (real**2).sum(axis=1) + more * other**2 + won
    else:
        scores = (real * np.log2(np.maximum(real, 1))).sum(axis=1)
        scores += more * other * np.log2(np.maximum(other, 1))
    return scores


def key(name: str, form: list[int]) -> Any:
    """Return what compares with that of other forms, exactly; the least is best."""
    volumes, (rest, more, most, given, won) = form[:-5], form[-5:]
    if name == VOLUME:
        return volumes[-1], -given
    if name in ("max-part", "parts"):
        return most if name == "max-part" else -given
    if name == "expected-size":
        return sum(volume**2 for volume in volumes) + more * rest**2 + won
    return Logs([(volume, volume) for volume in (*volumes, *[rest] * more) if volume])


class _Stuck(Exception):  # noqa: N818 - no error
    """The guess of the method tells nothing."""


class LyingOneStep:
    """A one-step method at work where responses may be false; `stop` makes it finish at once.

    Parameters
    ----------
    weights: returns the volume of a secret by the lies that it has left, for the children of a state.
    walk: returns the strategy that chooses so in every state.

    Raises GuesstreeError for a method that does not know lies.
    """

    def __init__(
        self,
        problem: Problem,
        method: Method,
        weights: Callable[[Known], Longs],
        walk: Callable[[Callable[[Known], int]], Found],
    ) -> None:
        if method.name not in LYING or method.function is not None:
            raise GuesstreeError(f"method {method.name} with lies; use {', '.join(LYING)}")
        self.problem, self.method, self.weights, self.walk = problem, method, weights, walk
        self.counters = np.zeros(onestep.COUNTERS, dtype=np.int64)
        self._random = random.Random(method.seed)
        self._chosen: dict[bytes, int] = {}

    def stop(self) -> None:
        """Let the states that are left have quick guesses."""
        self.counters[onestep.STOP] = 1

    def play_out(self) -> Found | None:
        """Return the strategy, or None when it gets stuck or needs more than the depth allowed."""
        try:
            found = self.walk(self.choose)
        except _Stuck:
            return None
        limit = self.problem.limited
        return None if limit is not None and found.worst > limit else found

    def choose(self, state: Known) -> int:
        """Return the guess of the method in a state that is not finished; raise where it tells nothing."""
        met = state.candidates.tobytes() + state.left.tobytes()
        if met not in self._chosen:
            self._chosen[met] = self._choice(state)
        return self._chosen[met]

    def _choice(self, state: Known) -> int:
        problem, candidates, quick = self.problem, state.candidates, self.counters[onestep.STOP]
        self.counters[onestep.SETTLED] += len(candidates) == 1
        named = problem.winner[candidates]
        named = named[named >= 0]
        if self.method.consistent or (problem.winning >= 0 and (quick or len(candidates) == 1)):
            draws = self.method.name == CONSISTENT[1] and not quick
            guess = int(self._random.choice(named) if draws else named[0]) if len(named) else -1
            if guess < 0 or not self._tells(guess, candidates):
                raise _Stuck
            return guess
        every = everything(len(problem.own))
        self.counters[onestep.VALUED] += 1
        parts = LyingParts.of(problem, every, candidates, state.left, self.weights(state))
        tells = np.flatnonzero(parts.tells).astype(np.int32)
        if quick:
            return int(tells[0])
        least = tells[self._least(parts.forms(max(1, problem.profile[0]))[tells])]
        named_by = np.isin(problem.own[least], candidates) & self.method.prefer
        return int(least[np.argmax(named_by)])

    def _least(self, forms: Longs) -> Ints:
        """Return the places of the best forms."""
        scores = rough(self.method.name, forms)
        least = scores.min()
        near = np.flatnonzero(scores <= least + NEAR * abs(least)).astype(np.int32)
        kinds, kind = np.unique(forms[near], axis=0, return_inverse=True)
        keys = [key(self.method.name, form) for form in kinds.tolist()]
        best = min(keys)
        return near[np.array([one == best for one in keys])[kind.ravel()]]

    def _tells(self, guess: int, candidates: Ints) -> bool:
        row = self.problem.row(guess, candidates)
        return bool((row != row[0]).any() or row[0] == self.problem.winning)
