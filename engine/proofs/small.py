"""Small sets that two guesses cannot settle: they refute all guesses that leave one of them whole (L7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from guesstree.cext import claims as kernel

from ..claims import Claim
from ..problem import Problem
from ..state import Ints

MOST = 64
"""Secrets of a small set at most."""
GUESSES = 2
"""Guesses within which a set is not settled: whether two suffice is seen by splitting it once."""


class SmallSets:
    """Sets that are met while claims are proved, each made as small as it can be.

    Attributes
    ----------
    used: numbers of sets that the last claims rest on, in the order of their first use.
    """

    def __init__(self, problem: Problem, checker: Any) -> None:
        self.problem, self.checker = problem, checker
        self.members = np.zeros((0, MOST), dtype=np.int32)
        self.sizes = np.zeros(0, dtype=np.int32)
        self.hits: list[int] = []
        self.used: dict[int, None] = {}

    def within(self, candidates: Ints) -> Ints:
        """Return the numbers of the sets within some candidates, the most useful first."""
        inside = np.zeros(self.problem.secrets, dtype=bool)
        inside[candidates] = True
        usual = np.argsort(-np.array(self.hits, dtype=np.int64), kind="stable").astype(np.int32)
        found: Ints = usual[inside[self.members[usual]].all(axis=1)]
        return found

    def refute(self, order: Ints, guesses: Ints) -> Ints:
        """Return the guesses that leave none of some sets whole."""
        if not len(order) or not len(guesses):
            return guesses
        which = self.checker.whole(guesses, self.members[order], self.sizes[order])
        for at, hits in zip(*np.unique(which[which >= 0], return_counts=True), strict=True):
            self.hits[order[at]] += int(hits)
            self.used[int(order[at])] = None
        return guesses[which < 0]

    def cover(self, claim: Claim) -> list[int]:
        """Find sets that the weak guesses of a claim leave whole; return the guesses that leave none."""
        weak, left = np.array(claim.weak, dtype=np.int32), []
        while len(weak):
            found = claim.parts_of(int(weak[0]), kernel.INFINITE)
            refuted = [part for part, bound in found if bound >= kernel.INFINITE and len(part) > 1]
            small = self._smallest(refuted[0]) if refuted else None
            if small is None or len(small) > MOST:
                left.append(int(weak[0]))
                weak = weak[1:]
            else:
                weak = self.refute(self._add(small), weak)
        return left

    def text(self, number: int, names: Sequence[str]) -> str:
        """Return a set as an item of a certificate."""
        secrets = [names[s] for s in self.members[number, : self.sizes[number]]]
        return f"! {len(secrets)} {GUESSES} {' '.join(secrets)} ."

    def _add(self, small: Ints) -> Ints:
        """Add a set; return its number, as an array."""
        padded = np.full((1, MOST), small[0], dtype=np.int32)
        padded[0, : len(small)] = small
        self.members = np.concatenate([self.members, padded])
        self.sizes = np.append(self.sizes, np.int32(len(small)))
        self.hits.append(0)
        return np.array([len(self.hits) - 1], dtype=np.int32)

    def _smallest(self, part: Ints) -> Ints:
        """Return a subset that is not settled either; halves of it are tried first, single secrets last."""
        step = len(part) // 2
        while step:
            start = 0
            while start < len(part):
                fewer = np.delete(part, slice(start, start + step))
                if len(fewer) > 1 and self._is_refuted(fewer):
                    part = fewer
                else:
                    start += step
            step //= 2
        return part

    def _is_refuted(self, part: Ints) -> bool:
        """Return whether two guesses cannot settle a set: every guess leaves two secrets together."""
        return not Claim(self.checker, part, GUESSES, kernel.INFINITE).weak
