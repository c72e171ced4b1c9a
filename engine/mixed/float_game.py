"""`FloatGame`: a matrix game with very many rows, in doubles; what its mixture pays is counted exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ..kits.bounds import Packing

PARTS = 1 << 16
"""Parts of 1 that probabilities are rounded to."""
RANGE = 4
"""How much more than in the first strategy a secret may pay in others, in proportion, and be told apart."""
SPREAD, MOST_PIVOTS = 1e-7, 1_000_000
"""By how much the program's numbers are made to differ, in proportion, and its pivots, at most."""


class FloatGame(Packing):
    """A matrix game as `simplex.MatrixGame` in doubles, whose breaker's mixture is counted exactly.

    With r the most that a strategy pays, the maker wants r less what is paid to be small. So the program is
    one of packing: the greatest sum of values of orbits of which no strategy collects more than 1, each times
    what it pays less than r.

    Attributes
    ----------
    value: what the best of the breaker's mixtures so far pays at most, exactly.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        rows = len(sizes)
        super().__init__(np.zeros((rows, 0), np.float32), np.zeros(0), SPREAD, MOST_PIVOTS)
        self._sizes = np.array(sizes, dtype=np.int64)
        self._paid: list[NDArray[np.int64]] = []
        self._most_paid = 0.0
        self._best: tuple[Fraction, ...] = ()
        self.value = Fraction(0)

    def add(self, column: Sequence[int], parts: int = 1) -> None:
        """Add a strategy by what all secrets of each orbit pay, shape (rows,), and solve the game again.

        What is paid counts whole units, so `parts` is 1.
        """
        assert parts == 1
        paid = np.array(column, dtype=np.int64)
        each = paid / self._sizes
        self._most_paid = self._most_paid or RANGE * float(each.max())
        saved = np.maximum(self._most_paid - each, 0).astype(np.float32)
        self._table = np.column_stack([self._table, saved])
        self._cost = np.append(self._cost, 1.0)
        self._room = np.append(self._room, 1 + self._spread * self._dice.random())
        self._paid.append(paid)
        self._join([len(self._paid) - 1])
        if len(self._paid) == 1:
            self._raise()
        else:
            self._settle()
        self._count()

    def _count(self) -> None:
        """Keep the breaker's mixture, rounded, if it is the best so far."""
        shares = self.shares()
        total = sum(shares.values())
        parts = np.zeros(len(self._paid), dtype=np.int64)
        for strategy, share in shares.items():
            parts[strategy] = round(share / total * PARTS)
        if not parts.sum():
            return
        paid = parts @ np.array(self._paid)
        whole = int(parts.sum())
        worst = max(Fraction(int(p), whole * n) for p, n in zip(paid, self._sizes.tolist(), strict=True))
        if not self._best or worst < self.value:
            self.value, self._best = worst, tuple(Fraction(int(part), whole) for part in parts)

    def maker(self) -> tuple[Fraction, ...]:
        """Return about how likely each secret of each orbit is in the maker's mixture, shape (rows,)."""
        found = self.found()
        parts = np.rint(found / found.sum() * PARTS).astype(np.int64)
        whole = int(parts.sum())
        return tuple(
            Fraction(part, whole * n) for part, n in zip(parts.tolist(), self._sizes.tolist(), strict=True)
        )

    def breaker(self) -> tuple[Fraction, ...]:
        """Return how likely each strategy is in the best of the breaker's mixtures, shape (columns,)."""
        return self._best + (Fraction(0),) * (len(self._paid) - len(self._best))
