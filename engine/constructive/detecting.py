"""Detecting schemes: few sums, all asked at once, that tell many small integers (Lindstroem 1965).

Number the sums 1, 2, ..., m and read each number as the set of its binary digits; the subsets of such a set
have smaller numbers. A value stands at a *place*: a set B and one of its elements t. The sum X counts it iff
X and B have an odd number of elements in common and none above t:

    f_Bt(X) = [X & B < 2^(t+1)] * parity(X & B)

Let V_A be the alternating sum of (-1)^(|A| - |X|) s_X over the subsets X of A, times (-1)^(|A| + 1). Of a
function of X & B nothing is left unless A is a subset of B (elements of A outside B cancel in pairs). For a
subset, write parity as (1 - (-1)^|.|)/2; both terms are products over the elements, and multiply out to

    f_Bt leaves 2^(r-1) in V_A, r the number of elements of A up to t; nothing when r = 0.

So in V_A, once what the larger sets contribute is taken away, the values at A stand at the powers of two
1, 2, 4, ..., 2^(|A|-1): binary digits. Decoding from the largest sets to the smallest reads them off.

With one 0/1 value at every place, m sums tell as many coins as there are ones in the numbers 1, ..., m:
1, 2, 4, 5, 7, 9, 12, ... (OEIS A000788), about m log2(m)/2; that is 2n/log2(n) sums for n coins, which is
best possible to first order for sums asked at once. A value of w bits takes w places in a row, and the last
one of a set may be of any size, since nothing stands above it. Values of W bits in all never need more sums
than W 0/1 values, see `_pack`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import Contradiction, GuesstreeError

Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]
MOST_SUM = 1 << 40
"""Of all values: what decoding adds up is at most so much times twice the rows, themselves below 2^20."""


@dataclass(frozen=True)
class Equation:
    """Some values from sums and from values known before; each number is (coefficient, index).

    The values weighted so are the sums weighted so, less the known values weighted so.
    """

    values: tuple[tuple[int, int], ...]
    sums: tuple[tuple[int, int], ...]
    known: tuple[tuple[int, int], ...]


class Detecting:
    """Tell integers from sums of some of them.

    Parameters
    ----------
    ranges: the largest value of each, integers of at least 1, shape (values,): value j is 0 to ranges[j].

    Attributes
    ----------
    values: how many values.
    rows: how many sums are asked.

    Raises GuesstreeError for a range below 1, and for ranges whose sums may not fit in 63 bits.
    """

    def __init__(self, ranges: Numbers) -> None:
        self._ranges = np.asarray(ranges, dtype=np.int64)
        if self._ranges.size and int(self._ranges.min()) < 1:
            raise GuesstreeError(f"a value of range {int(self._ranges.min())}; expected integers from 1")
        if float(self._ranges.sum(dtype=np.float64)) >= MOST_SUM:
            raise GuesstreeError(
                f"values of up to {int(self._ranges.max())} each; expected at most 2^40 in all"
            )
        self.values = len(self._ranges)
        widths = bit_lengths(self._ranges)
        order = np.argsort(-widths, kind="stable")
        self.rows, sets, ranks, last = _least_rows(widths[order])
        self._sets, self._ranks = (np.empty(self.values, dtype=np.int64) for _ in range(2))
        self._sets[order], self._ranks[order] = sets, ranks
        self._digits = np.empty(self.values, dtype=np.int64)  # a mask of the value's digits
        self._digits[order] = np.where(last, -1, (1 << widths[order]) - 1)
        self._elements = _element_of_rank(self._sets, self._ranks)
        self._below = 1 << (self._elements + 1)

    def mask(self, row: int) -> Mask:
        """Return which values a sum adds up; rows are numbered from 0; shape (values,)."""
        common = self._sets & (row + 1)
        return ((np.bitwise_count(common) & 1) == 1) & (common < self._below)

    def matrix(self) -> Mask:
        """Return all masks, shape (rows, values)."""
        return np.array([self.mask(row) for row in range(self.rows)]).reshape(self.rows, self.values)

    def equations(self) -> Iterator[Equation]:
        """Yield how to decode by hand, in order; takes rows x rows steps."""
        order = sorted(range(1, self.rows + 1), key=lambda a: (-a.bit_count(), a))
        for a in order:
            parts: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
            for j, (b, t) in enumerate(zip(self._sets.tolist(), self._elements.tolist(), strict=True)):
                common = (a & ((2 << t) - 1)).bit_count()
                if a & b == a and common:
                    parts[a != b].append((1 << (common - 1), j))
            sums = [((-1) ** (x.bit_count() + 1), x - 1) for x in range(1, a + 1) if x & a == x]
            yield Equation(tuple(sorted(parts[0])), tuple(sums), tuple(parts[1]))

    def decode(self, sums: Numbers) -> Numbers:
        """Return the values, shape (values,); `sums` has shape (rows,).

        Takes about n log2(n)^2 steps. Raises Contradiction when no values within their ranges have these
        sums; its step is the last sum, when it is noticed.
        """
        found = np.zeros(self.values, dtype=np.int64)
        if not self.values:
            return found
        bits = self.rows.bit_length()
        left = np.zeros(1 << bits, dtype=np.int64)
        left[1 : self.rows + 1] = sums
        for j in range(bits):
            halves = left.reshape(-1, 2, 1 << j)
            halves[:, 1] -= halves[:, 0]
        numbers = np.arange(1 << bits, dtype=np.int64)
        left *= np.where(np.bitwise_count(numbers) & 1, 1, -1)
        common = np.stack([np.bitwise_count(numbers & ((2 << t) - 1)) for t in range(bits)]).astype(np.int64)
        power = (1 << common) >> 1
        sizes = np.bitwise_count(self._sets)
        for size in range(bits, 0, -1):
            level = np.flatnonzero(sizes == size)
            sets, ranks = self._sets[level], self._ranks[level]
            found[level] = (left[sets] >> ranks) & self._digits[level]
            above = np.zeros((bits, 1 << bits), dtype=np.int64)
            above[self._elements[level], sets] = found[level]
            for j in range(bits):  # sums over supersets
                pairs = above.reshape(bits, -1, 2, 1 << j)
                pairs[:, :, 0] += pairs[:, :, 1]
            left -= (above * power).sum(axis=0)
        # Each set's values are the only ones that its V could hold, so a remainder has no explanation.
        if left[1 : self.rows + 1].any() or (found < 0).any() or (found > self._ranges).any():
            raise Contradiction(f"no values have these {self.rows} sums", self.rows)
        return found


def bit_lengths(numbers: Numbers) -> Numbers:
    """Return the number of binary digits of each number, below 2^53."""
    return np.frexp(numbers.astype(np.float64))[1].astype(np.int64)


def rows_for(coins: int) -> int:
    """Return exactly how many sums `Detecting` asks for so many 0/1 values (inverse of OEIS A000788)."""
    return _search(lambda rows: _ones_up_to(rows) >= coins, coins)


def _ones_up_to(most: int) -> int:
    """Return the number of ones in the binary numbers 1 to `most`."""
    total = 0
    for j in range(most.bit_length()):
        block = 2 << j
        total += (most + 1) // block * (1 << j) + max((most + 1) % block - (1 << j), 0)
    return total


def _search(enough: Callable[[int], bool], most: int) -> int:
    """Return the least number from 0 to `most` that is enough, by halving; `most` is."""
    low, high = -1, most
    while high - low > 1:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle
    return high


def _least_rows(widths: Numbers) -> tuple[int, Numbers, Numbers, Mask]:
    """Return (rows, set and rank of each value, whether it is the last of its set) for widths, descending."""
    rows = _search(lambda rows: _pack(widths, rows) is not None, len(widths))
    packed = _pack(widths, rows)
    assert packed is not None, "as many sets as values hold one each"
    return rows, *packed


def _pack(widths: Numbers, rows: int) -> tuple[Numbers, Numbers, Mask] | None:
    """Return the set and rank of each value, and whether it is the last of its set; None: no room.

    The widest values become the last of their sets, where any width has room; the others, widest first, fill
    what is left of each set but one place. There is room in m sets whenever they have W places, W the sum of
    the widths: let v be the widest of the others. They have W - m v bits at most, as the m last ones have v
    at least. If one did not fit, every set would have at most v - 1 free places, so at least W - m - m(v - 1)
    = W - m v would be used by the others that do fit: a contradiction.
    """
    room = np.bitwise_count(np.arange(1, rows + 1, dtype=np.int64)).astype(np.int64) - 1
    if int(widths[rows:].sum()) > int(room.sum()):
        return None
    sets, ranks = (np.zeros(len(widths), dtype=np.int64) for _ in range(2))
    used = np.zeros(rows, dtype=np.int64)
    start = min(rows, len(widths))
    while start < len(widths):
        width = int(widths[start])
        end = int(np.searchsorted(-widths, -width, side="right"))
        fits = (room - used) // width
        owners = np.repeat(np.arange(rows), fits)[: end - start]
        if len(owners) < end - start:
            return None
        nth = np.arange(len(owners)) - (np.cumsum(fits) - fits)[owners]
        sets[start:end], ranks[start:end] = owners + 1, used[owners] + nth * width
        used += np.bincount(owners, minlength=rows) * width
        start = end
    first = min(rows, len(widths))
    sets[:first], ranks[:first] = np.arange(1, first + 1), used[:first]
    return sets, ranks, np.arange(len(widths)) < first


def _element_of_rank(sets: Numbers, ranks: Numbers) -> Numbers:
    """Return the element of each set that has `rank` elements below it."""
    found = np.zeros_like(sets)
    for t in range(int(sets.max(initial=0)).bit_length()):
        here = (sets >> t) & 1 == 1
        below = np.bitwise_count(sets & ((1 << t) - 1))
        found[here & (below == ranks)] = t
    return found
