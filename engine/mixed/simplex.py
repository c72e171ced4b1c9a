"""A matrix game whose columns come one at a time, solved exactly by a simplex of integers.

The maker picks a row, the breaker a column, and the breaker pays the entry, a positive integer over the size
of the row. With A the integers and n the sizes, the breaker's mixture x / sum(x) comes from

    maximise sum(x) where A x <= n, x >= 0,

whose optimum is 1 / value: no row then pays more than the value. The dual solution y, the least sum(n y) with
y A >= 1, is the maker's mixture: each thing of row j is drawn with probability y_j / sum(n y). Where the
entries of a column count parts of 1, d of them, A and x keep that unit: x counts d times in the sum, and the
column is played with probability d x over that sum.

The tableau is one of integers with a common denominator, the determinant of the basis, by which every pivot
divides without a rest (Edmonds 1967, Bareiss 1968). Bland's rule (1977) keeps it from going round in circles.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ..stopping import heed


class MatrixGame:
    """A matrix game between so many rows and the columns added so far.

    Parameters
    ----------
    sizes: what the entries of each row are divided by, integers from 1, shape (rows,).
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        rows = len(sizes)
        self._sizes = [int(size) for size in sizes]
        self._slack: NDArray[np.object_] = np.full((rows + 1, rows), 0, dtype=object)
        for row in range(rows):
            self._slack[row, row] = 1
        self._right: NDArray[np.object_] = np.array([*self._sizes, 0], dtype=object)
        self._columns: list[NDArray[np.object_]] = []
        self._parts: list[int] = []
        self._denominator = 1
        self._basis = [-1 - row for row in range(rows)]  # slack of a row, or from 0 on the number of a column

    def add(self, column: Sequence[int], parts: int = 1) -> None:
        """Add a column, integers from 1, shape (rows,), and solve the game again.

        The entries count `parts`ths of 1: x is how often the column is played, in these parts.
        """
        entries = np.array([int(entry) for entry in column], dtype=object)
        entered = self._slack @ entries
        entered[-1] -= parts * self._denominator
        self._columns.append(entered)
        self._parts.append(parts)
        while (entering := self._entering()) is not None:
            heed()
            self._pivot(entering)

    def _entering(self) -> int | None:
        """Return the first variable that raises the sum: a column, or the slack of a row as -1 - row."""
        for number, column in enumerate(self._columns):
            if column[-1] < 0:
                return number
        return next((-1 - row for row, cost in enumerate(self._slack[-1]) if cost < 0), None)

    def _pivot(self, entering: int) -> None:
        """Bring a variable into the basis, in place of the first one that would become negative."""
        column = (self._columns[entering] if entering >= 0 else self._slack[:, -1 - entering]).copy()
        bounded = [row for row in range(len(self._basis)) if column[row] > 0]
        # Columns come first among equals: any fixed order of the variables will do for Bland's rule.
        order = [number if number >= 0 else len(self._columns) - number for number in self._basis]
        row = min(bounded, key=lambda i: (Fraction(int(self._right[i]), int(column[i])), order[i]))
        pivot, before = column[row], self._denominator
        others = np.array([i for i in range(len(column)) if i != row])
        for array in (self._slack, self._right, *self._columns):
            ours = array[row]
            if array.ndim == 1:
                array[others] = (array[others] * pivot - column[others] * ours) // before
            else:
                array[others] = (array[others] * pivot - np.outer(column[others], ours)) // before
        self._denominator, self._basis[row] = pivot, entering

    @property
    def value(self) -> Fraction:
        """The value, exactly."""
        return Fraction(self._denominator, self._right[-1])

    def maker(self) -> tuple[Fraction, ...]:
        """Return how likely each thing of each row is in the maker's mixture, shape (rows,)."""
        return tuple(Fraction(y, self._right[-1]) for y in self._slack[-1])

    def breaker(self) -> tuple[Fraction, ...]:
        """Return how likely each column is in the breaker's mixture, shape (columns,)."""
        found = [Fraction(0)] * len(self._columns)
        for row, number in enumerate(self._basis):
            if number >= 0:
                found[number] = Fraction(self._parts[number] * self._right[row], self._right[-1])
        return tuple(found)
