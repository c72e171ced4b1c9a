"""`State`, the secrets still possible, and `Partition`, what a guess makes of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Table = NDArray[np.uint8]


@dataclass(frozen=True)
class Partition:
    """The candidates sorted by their response to one guess.

    Attributes
    ----------
    guess: the guess.
    order: the candidates, response after response, ascending within each; int32.
    offsets: response r has ``order[offsets[r]:offsets[r + 1]]``; int64, shape (responses + 1,).
    """

    guess: int
    order: Ints
    offsets: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many candidates give each response, shape (responses,)."""
        return np.diff(self.offsets)

    def part(self, response: int) -> Ints:
        """Return the candidates that give this response, ascending."""
        return self.order[self.offsets[response] : self.offsets[response + 1]]

    def parts(self) -> list[tuple[int, Ints]]:
        """Return (response, candidates) for every part that is not empty."""
        return [(int(r), self.part(int(r))) for r in np.flatnonzero(self.counts)]


def partition(table: Table, responses: int, candidates: Ints, guess: int) -> Partition:
    """Return what `guess` makes of the candidates (ascending)."""
    answers = table[guess, candidates]
    order = candidates[np.argsort(answers, kind="stable")]
    counts = np.bincount(answers, minlength=responses)
    return Partition(guess, order, np.concatenate(([0], np.cumsum(counts))).astype(np.int64))


def split(answers: Table, candidates: Ints) -> list[tuple[int, Ints]]:
    """Return (response, candidates) for every part, given the answer of one guess to each candidate."""
    return [(int(r), candidates[answers == r]) for r in np.unique(answers)]


def everything(secrets: int) -> Ints:
    """Return the state in which every secret is possible."""
    return np.arange(secrets, dtype=np.int32)
