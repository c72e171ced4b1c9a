"""Detecting schemes: few sums, all asked at once, that tell many small integers (after Lindstroem 1965).

Number the sums 1, 2, ..., m and read each number as the set of its binary digits; the subsets of such a set
have smaller numbers. A value stands at a set B, with some of its elements, T. The sum X counts it iff X and B
have an odd number of elements in common and the largest of these is in T. For a single element t:

    h_Bt(X) = [t is the largest element of X & B] * [|X & B| is odd]

Let V_A be the alternating sum of (-1)^(|A| - |X|) s_X over the subsets X of A, times (-1)^(|A| + 1). Of a
function of X & B nothing is left unless A is a subset of B (elements of A outside B cancel in pairs). For a
subset, h_Bt leaves the number of odd subsets of A whose largest element is t:

    1 if t is the first element of A, 2^(r-2) if it is the r-th, 0 if it is none.

So the first, second, third, ... element of B add 1, 1, 2, 4, ..., 2^(|B|-2) to the *coefficient* of a value
at B in V_B; with the right T it is any number from 1 to 2^(|B|-1). Once what the larger sets contribute is
taken away, V_B is a sum of the values at B with coefficients of our choice. We choose 1, q, q q', ..., where
q, q', ... are the numbers of what each value may be: the values are digits of V_B in a mixed radix. Decoding
from the largest sets to the smallest reads them off. The last value of a set may be of any size.

With one 0/1 value at every element, m sums tell as many coins as there are ones in the numbers 1, ..., m:
1, 2, 4, 5, 7, 9, 12, ... (OEIS A000788), about m log2(m)/2; that is 2n/log2(n) sums for n coins, which is
best possible to first order for sums asked at once. Values of W bits in all never need more sums than W 0/1
values, see `_pack`; n values of 0 to M take about 2n log2(M + 1)/log2(n).
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
        order = np.argsort(-self._ranges, kind="stable")
        self._sets, self._factors, self._radix = (np.empty(self.values, dtype=np.int64) for _ in range(3))
        self.rows, *packed = _least_rows(self._ranges[order])
        self._sets[order], self._factors[order], self._radix[order] = packed
        self._elements = _elements(self._sets, self._factors)

    def mask(self, row: int) -> Mask:
        """Return which values a sum adds up; rows are numbered from 0; shape (values,)."""
        common = self._sets & (row + 1)
        largest = (1 << bit_lengths(common)) >> 1
        return ((np.bitwise_count(common) & 1) == 1) & (largest & self._elements != 0)

    def matrix(self) -> Mask:
        """Return all masks, shape (rows, values)."""
        return np.array([self.mask(row) for row in range(self.rows)]).reshape(self.rows, self.values)

    def equations(self) -> Iterator[Equation]:
        """Yield how to decode by hand, in order; takes rows x rows steps."""
        order = sorted(range(1, self.rows + 1), key=lambda a: (-a.bit_count(), a))
        for a in order:
            parts: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
            for j, (b, elements) in enumerate(zip(self._sets.tolist(), self._elements.tolist(), strict=True)):
                if a & b == a and a & elements:
                    parts[a != b].append((_left_by(a, elements), j))
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
        ranks = np.stack([np.bitwise_count(numbers & ((1 << t) - 1)) for t in range(bits)]).astype(np.int64)
        power = np.where(numbers >> np.arange(bits)[:, None] & 1, np.maximum((1 << ranks) >> 1, 1), 0)
        sizes = np.bitwise_count(self._sets)
        for size in range(bits, 0, -1):
            level = np.flatnonzero(sizes == size)
            sets, elements = self._sets[level], self._elements[level]
            found[level] = left[sets] // self._factors[level] % self._radix[level]
            above = np.zeros((bits, 1 << bits), dtype=np.int64)
            for j in range(bits):
                np.add.at(above[j], sets, found[level] * (elements >> j & 1))
            for j in range(bits):  # sums over supersets
                pairs = above.reshape(bits, -1, 2, 1 << j)
                pairs[:, :, 0] += pairs[:, :, 1]
            left -= (above * power).sum(axis=0)
        # Each set's values are the only ones that its V could hold, so a remainder has no explanation.
        if left[1 : self.rows + 1].any() or (found > self._ranges).any():
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


def _least_rows(ranges: Numbers) -> tuple[int, Numbers, Numbers, Numbers]:
    """Return how many rows values of these ranges, descending, take; then what `_pack` returns."""

    def packed(rows: int) -> tuple[Numbers, Numbers, Numbers] | None:
        """Pack by ranges as they are, or by whole binary digits where only that way fits."""
        found = _pack(ranges + 1, rows)
        return _pack(1 << bit_lengths(ranges), rows) if found is None else found

    rows = _search(lambda rows: packed(rows) is not None, len(ranges))
    found = packed(rows)
    assert found is not None, "as many sets as values hold one each"
    return rows, *found


def _pack(radix: Numbers, rows: int) -> tuple[Numbers, Numbers, Numbers] | None:
    """Return the set, the coefficient and the radix in decoding of each value; None: no room.

    The widest values become the last of their sets, where any width has room; the others, widest first, fill
    what is left of each set: before the last one, the product of their radices may be 2^(|B| - 1). There is
    room in m sets whenever the radices are powers of two and the sets have W elements, W the sum of the
    values' digits: let v be the digits of the widest of the others. They have W - m v digits at most, as the
    m last ones have v at least. If one did not fit, every set would have at most v - 1 free digits, so at
    least W - m - m(v - 1) = W - m v would be used by the others that do fit: a contradiction.
    """
    first = min(rows, len(radix))
    room = (1 << np.bitwise_count(np.arange(1, rows + 1, dtype=np.int64)).astype(np.int64)) >> 1
    most = int(room.max(initial=1))
    sets, factors = np.zeros(len(radix), dtype=np.int64), np.ones(len(radix), dtype=np.int64)
    used = np.ones(rows, dtype=np.int64)
    start = first
    while start < len(radix):
        q = int(radix[start])
        end = int(np.searchsorted(-radix, -q, side="right"))
        powers = [q]
        while powers[-1] <= most:
            powers.append(powers[-1] * q)
        fits = np.searchsorted(powers, room // used, side="right")
        owners = np.repeat(np.arange(rows), fits)[: end - start]
        if len(owners) < end - start:
            return None
        nth = np.arange(len(owners)) - (np.cumsum(fits) - fits)[owners]
        sets[start:end], factors[start:end] = owners + 1, used[owners] * q**nth
        used *= q ** np.bincount(owners, minlength=rows)
        start = end
    sets[:first], factors[:first] = np.arange(1, first + 1), used[:first]
    return sets, factors, np.concatenate([np.full(first, MOST_SUM << 20, dtype=np.int64), radix[first:]])


def _elements(sets: Numbers, factors: Numbers) -> Numbers:
    """Return which elements give values at these sets these coefficients, as binary digits.

    The lowest one of a coefficient, 2^e, is what the elements 0, ..., e of the set add, by rank; each
    other one, 2^e, is what element e + 1 adds.
    """
    lowest = factors & -factors
    wanted = (2 * lowest - 1) | (factors - lowest) << 1  # by rank
    found = np.zeros_like(sets)
    for t in range(int(sets.max(initial=0)).bit_length()):
        rank = np.bitwise_count(sets & ((1 << t) - 1)).astype(np.int64)
        found |= ((sets >> t) & (wanted >> rank) & 1) << t
    return found


def _left_by(a: int, elements: int) -> int:
    """Return the coefficient in V_A of a value at a larger set, or at A, with these elements."""
    members = [t for t in range(a.bit_length()) if a >> t & 1]
    return sum(max((1 << rank) >> 1, 1) for rank, t in enumerate(members) if elements >> t & 1)
