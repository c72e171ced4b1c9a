"""Causes that may give one of several answers to a question.

A question tells two causes apart if no answer is possible for both. Such causes become secrets with one
answer to each question, *completions*: for each two causes one of either, which answer alike wherever they
may.

*Proof* that the kits are the same. Let a kit tell the causes apart, and take completions of two of them: to
each question that tells the causes apart the completions answer differently, so they differ in as many
questions. Let a kit tell all completions apart that are of different causes, and take two causes: their
completions of each other differ only in questions that tell the causes apart. So does the number of
differences that false answers call for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import GuesstreeError
from ..stopping import heed

MOST_SECRETS = 5000
"""Completions in all."""


@dataclass(frozen=True)
class Sets:
    """What each cause may answer.

    Attributes
    ----------
    cells: for each question the answers that each cause may give, at least one.
    kinds: a number for each cause; those of one kind need not be told apart; int64, shape (causes,).
    """

    cells: tuple[tuple[frozenset[int], ...], ...]
    kinds: NDArray[np.int64]

    @classmethod
    def of(cls, chances: Sequence[Sequence[Mapping[int, object]]], kinds: NDArray[np.int64]) -> Sets:
        """Return what causes may answer, from the chances of their answers."""
        return cls(tuple(tuple(frozenset(cell) for cell in row) for row in chances), kinds)

    @property
    def several(self) -> bool:
        """Whether some cause has several answers to a question."""
        return any(len(cell) > 1 for row in self.cells for cell in row)

    def differences(self, kit: Sequence[int]) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.bool_]]]:
        """Yield for causes what `CoverProblem.differences` yields for secrets."""
        for a in range(len(self.kinds) - 1):
            heed()
            others = a + 1 + np.flatnonzero(self.kinds[a + 1 :] != self.kinds[a])
            told = [[self.cells[g][a].isdisjoint(self.cells[g][b]) for b in others.tolist()] for g in kit]
            yield a, others, np.array(told, dtype=np.bool_).reshape(len(kit), len(others))

    def completions(self) -> tuple[list[tuple[int, ...]], list[int]]:
        """Return completions, each as its answers to all questions, and the cause of each.

        Where two causes have several answers in common, it is the one that most causes may give, so that
        there are few. Raises GuesstreeError where there are too many.
        """
        many = [Counter(answer for cell in row for answer in cell) for row in self.cells]
        found: dict[tuple[int, tuple[int, ...]], None] = {}
        causes = range(len(self.kinds))
        for a in causes:
            heed()
            for b in causes:
                if self.kinds[a] == self.kinds[b]:
                    continue
                both = (
                    (row[a] & row[b] or row[a], count) for row, count in zip(self.cells, many, strict=True)
                )
                found[a, tuple([max((count[r], -r, r) for r in some)[2] for some, count in both])] = None
            if len(found) > MOST_SECRETS:
                raise GuesstreeError(
                    f"more than {MOST_SECRETS} ways to fill the cells with several answers; expected fewer "
                    "causes, or fewer such cells, to plan a kit"
                )
            if (self.kinds == self.kinds[a]).all():
                found[a, tuple(min(row[a]) for row in self.cells)] = None
        return [answers for _, answers in found], [cause for cause, _ in found]
