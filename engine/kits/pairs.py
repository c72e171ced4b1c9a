"""Pairs of secrets that a search of kits looks at, made when they are needed.

n secrets have n (n - 1)/2 pairs, but a kit that tells the hardest of them apart mostly tells all. So a search
begins with the pairs that the fewest questions tell apart, and adds others as it meets kits that fail for
them. Each pair is a mask of the questions that tell it apart, each question a mask of pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ...cext import kits
from ..stopping import heed
from .cover import CoverProblem

ALL_PAIRS = 3000
"""Up to so many pairs, all are looked at from the beginning."""
HARDEST, RANDOM = 400, 200
"""Of more pairs: so many of the hardest, and so many random ones."""
LOOKED_AT, SAMPLE = 1 << 30, 64
"""Cells that are compared to find the hardest pairs, and questions at least that are."""
MOST_NEW = 40
"""Pairs that are added at a time."""
NEARLY = 0.999
"""A mixture that tells a pair apart by less is not good enough."""
CELL = 24
"""Secrets of a cell that are compared to find its hardest pair."""


def bits(mask: int) -> Iterator[int]:
    """Yield the places of the ones of a mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(flags: NDArray[np.bool_]) -> int:
    """Return flags as a mask."""
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


class Pairs:
    """The pairs of secrets made so far.

    Attributes
    ----------
    rows: for each pair the questions that tell it apart, as a mask.
    ends: the secrets of each pair.
    covers: for each question the pairs that it tells apart, as a mask.
    columns: the answers of each secret, shape (secrets, questions).
    kernel: what is told of every pair, if anything is.
    """

    def __init__(self, problem: CoverProblem) -> None:
        self.rows: list[int] = []
        self.ends: list[tuple[int, int]] = []
        self.covers = [0] * problem.questions
        self._problem = problem
        self._known: set[tuple[int, int]] = set()
        self.columns = np.ascontiguousarray(problem.answers.T, dtype=np.uint16)
        self.kernel: kits.Kits | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, a: int, b: int) -> bool:
        """Add a pair of secrets unless it is known; return whether it is new."""
        pair = (min(a, b), max(a, b))
        if pair in self._known:
            return False
        self._known.add(pair)
        self._append(a, b)
        if self.kernel is not None:
            self.kernel.add(a, b)
        return True

    def follow(self, added: Sequence[tuple[int, int]]) -> None:
        """Add pairs that the kernel has added."""
        for a, b in added:
            self._known.add((min(a, b), max(a, b)))
            self._append(a, b)

    def add_by_shares(self, shares: dict[int, float]) -> int:
        """Add pairs that a mixture of questions tells apart by less than 1; return how many.

        `shares`: how much of each question the mixture takes.
        """
        problem, n = self._problem, self._problem.secrets
        if len(shares) * n * n > LOOKED_AT:
            return 0
        told = np.zeros((n, n), dtype=np.float32)
        for question, share in shares.items():
            heed()
            row = problem.answers[question]
            told += np.float32(share) * (row[:, None] != row)
        told[np.tril_indices(n)] = 1
        told[problem.kinds[:, None] == problem.kinds] = 1
        flat = told.ravel()
        least = np.flatnonzero(flat < NEARLY)
        least = least[np.argsort(flat[least], kind="stable")][:HARDEST]
        return sum(self.add(*divmod(pair, n)) for pair in least.tolist())

    def _append(self, a: int, b: int) -> None:
        flags = self.columns[a] != self.columns[b]
        bit = 1 << len(self.rows)
        self.rows.append(mask_of(flags))
        self.ends.append((a, b))
        for question in np.flatnonzero(flags).tolist():
            self.covers[question] |= bit

    def begin(self) -> None:
        """Add the pairs that a search begins with: all, but those that another implies, or the hardest.

        A pair implies another if whatever tells it apart tells the other apart, too: then it does as often.
        """
        found = sorted(self._first(), key=lambda pair: pair[0])
        kept: list[int] = []
        for _, a, b in found:
            row = mask_of(self.columns[a] != self.columns[b])
            if not any(row & other == other for other in kept):
                kept.append(row)
                self.add(a, b)

    def _first(self) -> list[tuple[int, int, int]]:
        """Return pairs as (how many questions tell them apart, secret, secret): all, or the hardest and some.

        Where there are too many cells to compare, hard pairs are looked for by a part of the questions.
        """
        problem, dice = self._problem, np.random.default_rng(0)
        n, questions = problem.secrets, problem.questions
        everything = n * (n - 1) // 2 <= ALL_PAIRS
        some = self.columns
        if (fit := max(LOOKED_AT // (n * n), SAMPLE)) < questions and not everything:
            some = np.ascontiguousarray(some[:, dice.permutation(questions)[:fit]])
        order = dice.permutation(n)[: max(LOOKED_AT // (n * some.shape[1]), 1)] if n else np.arange(0)
        found: list[tuple[int, int, int]] = []
        for a in order.tolist() if len(order) < n else range(n):
            heed()
            others = np.flatnonzero(problem.kinds != problem.kinds[a])
            if len(order) == n:
                others = others[others > a]
            many = (some[others] != some[a]).sum(axis=1)
            least = np.arange(len(others))
            if not everything and len(others) > HARDEST:
                least = np.argpartition(many, HARDEST)[:HARDEST]
            found += [(int(many[i]), a, int(others[i])) for i in least]
            if not everything and len(found) > 8 * HARDEST:
                found = sorted(found)[: 2 * HARDEST]
        if everything:
            return found
        if some is not self.columns:
            found = [(int((self.columns[a] != self.columns[b]).sum()), a, b) for _, a, b in found]
        found = sorted(found)[:HARDEST]
        for a, b in dice.integers(0, n, (RANDOM, 2)).tolist():
            if problem.kinds[a] != problem.kinds[b]:
                found.append((questions, a, b))
        return found

    def add_untold(self, kit: Sequence[int], labels: NDArray[np.int64]) -> int:
        """Add some pairs that a kit does not tell apart often enough; return how many: 0, it tells all.

        `labels`: those of the kit, see `CoverProblem.labels`.
        """
        if self._problem.apart == 1:
            return self._add_from_cells(labels)
        return self._add_close(kit)

    def _add_from_cells(self, labels: NDArray[np.int64]) -> int:
        """Add the hardest pair of each cell that holds two kinds, as far as it is looked at."""
        kinds, added = self._problem.kinds, 0
        order = np.lexsort((kinds, labels))
        starts = np.flatnonzero(np.r_[True, labels[order][1:] != labels[order][:-1]])
        for cell in np.split(order, starts[1:]) if len(order) else ():
            if len(cell) < 2 or kinds[cell[0]] == kinds[cell[-1]]:
                continue
            some = np.r_[cell[: CELL - 1], cell[-1:]]  # the first and the last are of two kinds
            columns = self.columns[some]
            many = (columns[:, None, :] != columns[None, :, :]).sum(axis=2)
            many[kinds[some][:, None] == kinds[some]] = self._problem.questions + 1
            a, b = divmod(int(many.argmin()), len(some))
            added += self.add(int(some[a]), int(some[b]))
            if added >= MOST_NEW:
                break
        return added

    def _add_close(self, kit: Sequence[int]) -> int:
        """Add pairs that differ in too few questions of a kit."""
        added = 0
        for a, others, told in self._problem.differences(kit):
            for b in others[told.sum(axis=0) < self._problem.apart][:2].tolist():
                added += self.add(a, b)
            if added >= MOST_NEW:
                break
        return added
