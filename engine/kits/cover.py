"""What a kit has to do: every two secrets that matter get different answers to enough of its questions.

With at most L false answers, two secrets can be told apart for certain if and only if they differ in 2 L + 1
questions of the kit, each counted as often as it is asked: of two that differ in 2 L questions, L false
answers of each make the same answers. Without lies this is minimum test cover (Garey and Johnson 1979, SP6;
Moret and Shapiro 1985), with them the choice of rows of a code of distance 2 L + 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..stopping import heed
from .sets import Sets

Answers = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class CoverProblem:
    """Questions to choose from, and which secrets they have to tell apart.

    Attributes
    ----------
    answers: the answer of each secret to each question, shape (questions, secrets).
    kinds: a number for each secret; secrets of one kind need not be told apart; shape (secrets,).
    costs: what each question costs, 0 or more; int64, shape (questions,).
    apart: in how many questions two secrets of different kinds have to differ, at least 1.
    must: questions that a kit has, each once or more often.
    never: questions that it does not have.
    sets: of causes with several answers to a question, what they may answer; the secrets are completions.
    """

    answers: Answers
    kinds: NDArray[np.int64]
    costs: NDArray[np.int64]
    apart: int = 1
    must: tuple[int, ...] = ()
    never: frozenset[int] = frozenset()
    sets: Sets | None = None

    @property
    def questions(self) -> int:
        """How many questions there are."""
        return len(self.answers)

    @property
    def secrets(self) -> int:
        """How many secrets there are."""
        return self.answers.shape[1]

    @cached_property
    def distinct(self) -> bool:
        """Whether every secret is a kind of its own."""
        return len(np.unique(self.kinds)) == self.secrets

    def cost(self, kit: Sequence[int]) -> int:
        """Return what a kit costs."""
        return sum(int(self.costs[question]) for question in kit)

    def differences(self, kit: Sequence[int]) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.bool_]]]:
        """Yield (secret, later secrets of other kinds, whether each question of the kit tells them apart).

        The last is of shape (questions of the kit, later secrets).
        """
        chosen = self.answers[list(kit)]
        for a in range(self.secrets - 1):
            heed()
            others = a + 1 + np.flatnonzero(self.kinds[a + 1 :] != self.kinds[a])
            yield a, others, chosen[:, others] != chosen[:, a : a + 1]

    def tells_apart(self, kit: Sequence[int]) -> bool:
        """Return whether a kit tells all kinds apart, with the questions it has to have and no others.

        By definition: pair by pair.
        """
        if Counter(self.must) - Counter(kit) or self.never & set(kit):
            return False
        return all((told.sum(axis=0) >= self.apart).all() for _, _, told in self.differences(kit))

    def undivided(self, usable: Sequence[int]) -> tuple[int, int] | None:
        """Return two secrets of different kinds that no usable question tells apart, or None."""
        if not self.secrets:
            return None
        labels = self.labels(usable)
        order = np.lexsort((self.kinds, labels))
        same = (labels[order][1:] == labels[order][:-1]) & (self.kinds[order][1:] != self.kinds[order][:-1])
        found = np.flatnonzero(same)
        return (int(order[found[0]]), int(order[found[0] + 1])) if len(found) else None

    def labels(self, kit: Sequence[int]) -> NDArray[np.int64]:
        """Return a number for each secret: equal where all answers to a kit are; shape (secrets,)."""
        labels = np.zeros(self.secrets, dtype=np.int64)
        for question in kit:
            heed()
            labels = self.split(labels, question)
        return labels

    def split(self, labels: NDArray[np.int64], question: int) -> NDArray[np.int64]:
        """Return labels that also tell apart what a question does; they are below the number of secrets."""
        row = self.answers[question].astype(np.int64)
        return np.unique(labels * (int(row.max(initial=0)) + 1) + row, return_inverse=True)[1].ravel()
