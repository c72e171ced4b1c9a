"""Ranking guesses by a one-step method, in one state.

The least score comes first; ties go to a guess that may be the secret, then to the smallest guess. A guess
that tells nothing comes after all that tell something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, cmp_to_key
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import GuesstreeError
from ..problem import Problem
from ..state import Ints
from .prospects import prospects
from .valuations import (
    BUDGET_VALUATIONS,
    CONSISTENT,
    COST_VALUATIONS,
    VALUATIONS,
    VOLUME,
    Sizes,
    check_method,
    own_valuation,
)

BLOCK_CELLS = 1 << 22
"""Sizes of parts that are looked at together."""
NOTHING = np.iinfo(np.int64).max
"""The score of a guess that tells nothing."""
Parts = tuple[Any, ...]
"""The parts that a guess makes, ascending: their sizes, (weight, cost), or what can be won of them."""


AnyMethod: TypeAlias = "str | Method | Callable[[Sizes], Any]"
"""A one-step method: its name, itself, or a valuation of the user's own."""


@dataclass(frozen=True)
class Method:
    """A one-step method and how it breaks ties.

    Attributes
    ----------
    name: one of `methods()`, ``module:function``, or any name with a `function`.
    prefer: whether a candidate beats another guess of the same score.
    seed: the seed of ``random-consistent``.
    function: a valuation of the user's own, sizes of the parts -> score; the least score wins.
    """

    name: str = "entropy"
    prefer: bool = True
    seed: int = 0
    function: Callable[[Sizes], Any] | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        """What differs from the usual rules, as plain data."""
        found: dict[str, Any] = {} if self.prefer else {"prefer_candidates": False}
        return found | ({"seed": self.seed} if self.name == CONSISTENT[1] else {})

    @property
    def needs_budget(self) -> bool:
        """Whether it values guesses by what is left of a budget."""
        return self.name in BUDGET_VALUATIONS and self.function is None

    @property
    def consistent(self) -> bool:
        """Whether it asks some candidate, unvalued."""
        return self.name in CONSISTENT and self.function is None

    def __post_init__(self) -> None:
        if self.function is None:
            check_method(self.name)

    @classmethod
    def of(cls, given: AnyMethod, *, prefer: bool = True, seed: int = 0) -> Method:
        """Return a method as it is; or that of a name, or of a function, which is called ``module:function``.

        Raises GuesstreeError for what is none.
        """
        if isinstance(given, Method):
            return given
        if isinstance(given, str) or not callable(given):
            return cls(given, prefer, seed)
        own = getattr(given, "__name__", type(given).__name__)
        return cls(f"{given.__module__}:{own}", prefer, seed, given)

    def __repr__(self) -> str:
        return f"Method({', '.join([self.name, *map('{0[0]}: {0[1]}'.format, self.parameters.items())])})"


def best_first(scores: Sequence[Any], candidate: Sequence[bool], *, prefer: bool = True) -> list[int]:
    """Return the indices of guesses, the best first; they are given from the smallest to the largest."""
    return sorted(range(len(scores)), key=lambda i: (scores[i], prefer and not candidate[i], i))


class Ranking:
    """How a method orders the guesses of a problem.

    Parameters
    ----------
    method: any but those that value nothing, see `Method.consistent`.
    stopped: whether the next guess that tells something will do; called often.
    """

    def __init__(self, problem: Problem, method: Method, stopped: Callable[[], bool] = lambda: False) -> None:
        if method.name == VOLUME and method.function is None:
            raise GuesstreeError(f"method {VOLUME} without lies; use max-part")
        self.problem, self.method, self.stopped = problem, method, stopped
        plain = method.function is None
        self.valuation = VALUATIONS.get(method.name) if plain else None
        self.by_cost = COST_VALUATIONS.get(method.name) if plain else None
        self.by_budget = BUDGET_VALUATIONS.get(method.name) if plain else None
        self._function = method.function
        if plain and ":" in method.name:
            self._function = own_valuation(method.name)
        self._part_scores = None if self.valuation is None else self.valuation.scores(problem.secrets)
        self._known: dict[Parts, Any] = {}

    def best(self, guesses: Ints, candidates: Ints, left: int = 0) -> int:
        """Return the best of some guesses, given ascending, with so much of a budget left; -1: none tells."""
        least = self._least(guesses, candidates, left)
        if not len(least):
            return -1
        if not self.method.prefer:
            return int(least[0])
        return int(least[np.argmax(np.isin(self.problem.own[least], candidates))])

    def scores(self, some: Sequence[Parts]) -> list[tuple[bool, int]]:
        """Return what to sort guesses by that make these parts: small numbers, equal where they tie."""
        keys = {parts: self.key(parts) for parts in some}
        places: dict[Parts, int] = {}
        before: Parts | None = None
        for parts in sorted(keys, key=keys.__getitem__):
            tied = before is not None and keys[before] == keys[parts]
            places[parts] = places[before] if tied and before is not None else len(places)
            before = parts
        return [(len(parts) < 2, places[parts]) for parts in some]

    def key(self, parts: Parts) -> Any:
        """Return what compares with that of other parts, exactly; the least is the best."""
        if parts not in self._known:
            by = self.by_cost or self.by_budget
            if by is not None:
                self._known[parts] = by.key(parts)
            elif self.valuation is not None:
                self._known[parts] = self._key_of_sizes(parts)
            else:
                self._known[parts] = self._own_score(parts)
        return self._known[parts]

    def _key_of_sizes(self, sizes: Parts) -> Any:
        assert self.valuation is not None and self._part_scores is not None
        some = len(self._part_scores)
        score = int(self._part_scores[list(sizes)].sum()) if some else sizes[-1]
        if self.valuation.compare is None:
            return score
        return self._rounded((score, sizes))

    @cached_property
    def _rounded(self) -> Callable[[tuple[int, Parts]], Any]:
        """The order of scores that are rounded: they decide unless they are too close."""
        valuation = self.valuation
        assert valuation is not None and valuation.compare is not None
        exactly, tolerance = valuation.compare, valuation.tolerance

        def compare(a: tuple[int, Parts], b: tuple[int, Parts]) -> int:
            difference = a[0] - b[0]
            if abs(difference) <= tolerance(max(len(a[1]), len(b[1]))):
                return exactly(a[1], b[1])
            return (difference > 0) - (difference < 0)

        return cmp_to_key(compare)

    def _own_score(self, parts: Parts) -> Any:
        """Return what a function of the user's own says."""
        assert self._function is not None
        try:
            score = self._function(list(parts))
        except Exception as error:
            raise GuesstreeError(f"method {self.method.name!r} on {list(parts)}: {error!r}") from error
        if not isinstance(score, Real) or score != score:
            raise GuesstreeError(
                f"method {self.method.name!r} on {list(parts)} returned {score!r}; expected a number"
            )
        return score

    def _least(self, guesses: Ints, candidates: Ints, left: int) -> Ints:
        """Return the guesses of the least score, of those that tell something."""
        if self.valuation is not None and not self.stopped():
            return self._least_by_sizes(guesses, candidates)
        tied: list[int] = []
        least: Any = None
        for guess, parts in zip(guesses.tolist(), self._parts(guesses, candidates, left), strict=True):
            if len(parts) < 2:
                continue
            if self.stopped():
                tied = tied or [guess]
                break
            key = self.key(parts)
            if tied and least < key:
                continue
            if not tied or key < least:
                tied, least = [], key
            tied.append(guess)
        return np.array(tied, dtype=np.int32)

    def _parts(self, guesses: Ints, candidates: Ints, left: int) -> Iterable[Parts]:
        """Return the parts that each guess makes, as the method takes them."""
        if self.by_budget is not None:
            return prospects(self.problem, guesses, candidates, left)
        if self.by_cost is not None:
            return self.problem.paid(guesses, candidates)
        sizes = np.sort(self.problem.sizes(guesses, candidates), axis=1)
        return (tuple(filter(None, row)) for row in sizes.tolist())

    def _least_by_sizes(self, guesses: Ints, candidates: Ints) -> Ints:
        """Return the same where a valuation scores parts one by one: all guesses at once."""
        assert self.valuation is not None and self._part_scores is not None
        problem, part_scores = self.problem, self._part_scores
        scores: NDArray[np.int64] = np.empty(len(guesses), dtype=np.int64)
        step = max(BLOCK_CELLS // problem.responses, 1)
        for start in range(0, len(guesses), step):
            sizes = problem.sizes(guesses[start : start + step], candidates)
            largest = sizes.max(axis=1)
            valued = part_scores[sizes].sum(axis=1) if len(part_scores) else largest.astype(np.int64)
            scores[start : start + step] = np.where(largest == len(candidates), NOTHING, valued)
        least = int(scores.min(initial=NOTHING))
        if least == NOTHING:
            return guesses[:0]
        near = guesses[(scores <= least + self.valuation.tolerance(problem.responses)) & (scores < NOTHING)]
        if self.valuation.compare is None:
            return near
        sizes = np.sort(problem.sizes(near, candidates), axis=1)[:, -len(candidates) :]
        forms, form = np.unique(sizes, axis=0, return_inverse=True)
        ranks = self.scores([tuple(filter(None, row)) for row in forms.tolist()])
        return near[np.array([rank == (False, 0) for rank in ranks])[form.ravel()]]
