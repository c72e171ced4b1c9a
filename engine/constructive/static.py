"""Weighings all asked at once, for few coins: least schemes by exhaustive search, random ones, decoding.

A 0/1 matrix (rows: weighings, columns: coins) tells all 2^n sets of heavy coins apart iff no two of them have
the same sums; then it is called *detecting*. Their difference is a vector of -1, 0 and 1, so: iff no sum of
columns with signs, but the empty one, is 0. It does so although L of the sums are false iff any two sets have
2 L + 1 different sums: iff every sum of columns with signs, but the empty one, has 2 L + 1 entries that are
not 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from ..errors import GuesstreeError
from .detecting import Mask, Numbers

MOST_SEARCHED = 12
"""Coins for which the fewest rows are found by search: the next number has not been tried."""
MOST_COINS = 52
"""The sets of half of so many coins fit in memory."""
CANONICAL = 6
"""Up to so many columns, of all orders of the rows only the one with the smallest columns is followed."""
MOST_ORDERED = 7
"""Of so many rows all orders are tried for this; of more rows only those that differ within equal rows."""
MOST_ROWS = 15
"""Of a matrix that is searched for: all 0/1 columns of so many rows are listed."""


@dataclass(frozen=True)
class Least:
    """A detecting matrix with the fewest rows, and what the proof took.

    Attributes
    ----------
    matrix: bool, shape (rows, coins).
    refuted: choices of columns followed to prove that one row fewer is not enough.
    """

    matrix: Mask
    refuted: int


def least_scheme(coins: int, lies: int = 0) -> Least:
    """Return a matrix with exactly the least number of rows that tells all coins though sums are false.

    In a second up to 9 coins without false sums; for 10 to 12 it takes 960,000 choices, about 80 seconds, to
    refute 6 rows. Raises GuesstreeError for more coins, and where it takes more than `MOST_ROWS` rows.
    """
    if not 0 <= coins <= MOST_SEARCHED:
        raise GuesstreeError(f"{coins} coins; expected 0 to {MOST_SEARCHED}")
    refuted = 0
    for rows in range(MOST_ROWS + 1):
        search = Search(rows, 2 * lies + 1)
        found = search.run(coins)
        if found is not None:
            return Least(found, refuted)
        refuted = search.states
    raise GuesstreeError(f"{coins} coins and {lies} false sums; expected to take at most {MOST_ROWS} rows")


class Search:
    """Look for matrices of `rows` rows with `apart` different sums for any two sets of coins.

    Attributes
    ----------
    states: choices of columns followed so far.
    """

    def __init__(self, rows: int, apart: int = 1) -> None:
        self.states = 0
        self._rows, self._apart = rows, apart
        numbers = np.arange(1 << rows, dtype=np.int64)  # the columns, a binary digit for each row
        bits = (numbers[:, None] >> np.arange(rows)) & 1
        # A column as a number with 4 or 5 bits for each row: signed sums of 7 or 15 columns stay distinct.
        self._bits = 60 // max(rows, 12)
        self._codes: Numbers = (bits << (self._bits * np.arange(rows, dtype=np.int64))).sum(axis=1)
        orders = permutations(range(rows)) if rows <= MOST_ORDERED else ()
        self._images = np.array([(bits << np.array(order, dtype=np.int64)).sum(axis=1) for order in orders])
        ones = bits.sum(axis=1)
        self._allowed = numbers[ones >= apart]
        if rows > MOST_ORDERED:  # many light columns are refuted sooner
            self._allowed = self._allowed[np.argsort(ones[self._allowed], kind="stable")]

    def run(self, coins: int) -> Mask | None:
        """Return such a matrix, bool, shape (rows, coins), or None when there is none.

        Raises GuesstreeError for more than 15 coins, or more than 7 with more than 12 rows.
        """
        most = (1 << (self._bits - 1)) - 1
        if coins > most:
            raise GuesstreeError(f"{coins} coins and {self._rows} rows; expected at most {most} coins")
        columns = self._extend([], np.zeros(1, dtype=np.int64), self._allowed, coins)
        if columns is None:
            return None
        return ((np.array(columns, dtype=np.int64) >> np.arange(self._rows)[:, None]) & 1).astype(np.bool_)

    def _extend(self, columns: list[int], sums: Numbers, allowed: Numbers, coins: int) -> list[int] | None:
        """Return `coins` columns that begin with these, or None when there are none.

        `sums` holds all signed sums of the columns, `allowed` the larger columns, ascending, that differ
        from each of them in enough rows: exactly those that keep the matrix what it is to be. The order of
        columns does not matter, so they ascend (of many rows: by their ones first). Nor does the order of
        rows: of all matrices that only differ in it one has the smallest list of columns, and the beginning
        of such a list is the smallest of its own images too (take the smaller image of the beginning; with
        the image of the rest, sorted, it begins a smaller list).
        """
        self.states += 1
        if len(columns) == coins:
            return columns
        for i, column in enumerate(allowed[: len(allowed) - (coins - len(columns)) + 1].tolist()):
            more = [*columns, column]
            if not self._smallest(more):
                continue
            code = self._codes[column]
            longer = np.concatenate([sums, sums + code, sums - code])
            left = allowed[i + 1 :]
            found = self._extend(more, longer, self._apart_from(left, longer), coins)
            if found is not None:
                return found
        return None

    def _apart_from(self, columns: Numbers, sums: Numbers) -> Numbers:
        """Return which columns differ from every sum in enough rows."""
        codes = self._codes[columns]
        if self._apart == 1:
            return columns[~np.isin(codes, sums[sums & ~self._codes[-1] == 0])]
        kept = np.ones(len(columns), dtype=np.bool_)
        middle = self._codes[-1] << (self._bits - 1)  # makes every entry positive
        ones = (1 << self._bits) - 1
        for part in np.array_split(sums, len(sums) // 256 + 1):
            here = np.flatnonzero(kept)
            differences = codes[here, None] - part + middle ^ middle
            entries = np.zeros(differences.shape, dtype=np.int8)
            for row in range(self._rows):
                entries += differences >> self._bits * row & ones != 0
            kept[here] = (entries >= self._apart).all(axis=1)
        return columns[kept]

    def _smallest(self, columns: list[int]) -> bool:
        """Return whether no order of the rows tried gives a smaller list of columns, sorted."""
        if not len(self._images):
            return self._first_of_equals(columns)
        if len(columns) > CANONICAL:
            return True
        differences = np.sort(self._images[:, columns], axis=1) - np.array(columns)
        first = np.take_along_axis(differences, (differences != 0).argmax(axis=1)[:, None], axis=1)
        return not (first < 0).any()

    def _first_of_equals(self, columns: list[int]) -> bool:
        """Return whether, among rows equal before the last column, those with a 1 in it come first.

        Otherwise some order of these rows makes the last column smaller, and leaves those before it.
        """
        *before, last = columns
        kinds: dict[tuple[int, ...], int] = {}
        for row in range(self._rows):
            kind = tuple(column >> row & 1 for column in before)
            if kinds.get(kind, 1) < (last >> row & 1):
                return False
            kinds[kind] = last >> row & 1
        return True


def random_scheme(coins: int, rows: int, seed: int) -> Mask:
    """Return a weighing of all coins, then random ones: each coin is on the scale with a chance of 1/2."""
    matrix = np.random.default_rng(seed).integers(0, 2, (rows, coins)).astype(np.bool_)
    matrix[:1] = True
    return matrix


def explanations(matrix: Mask, sums: Numbers) -> Iterator[Numbers]:
    """Yield all 0/1 vectors that have these sums, whatever the matrix; each of shape (coins,).

    Meets in the middle: the sets of each half of the coins are listed, 2^(coins/2) of them, by a number that
    adds up as the sums do (modulo 2^64); a set of one half goes with those of the other that complete it.
    What fits is verified. Raises GuesstreeError for more than `MOST_COINS` coins.
    """
    rows, coins = matrix.shape
    if coins > MOST_COINS:
        raise GuesstreeError(f"{coins} coins; expected at most {MOST_COINS}, larger schemes are constructed")
    factors = np.random.default_rng(0).integers(0, 1 << 64, rows, dtype=np.uint64)
    marks = matrix.T.astype(np.uint64) @ factors
    half = coins // 2
    low, high = subset_sums(marks[:half]), subset_sums(marks[half:])
    order = np.argsort(low)
    low = low[order]
    wanted = (np.asarray(sums, dtype=np.int64).astype(np.uint64) * factors).sum(dtype=np.uint64) - high
    starts = np.searchsorted(low, wanted)
    met = np.flatnonzero(low[np.minimum(starts, len(low) - 1)] == wanted)
    ends = np.searchsorted(low, wanted[met], "right")
    for upper, start, end in zip(met.tolist(), starts[met].tolist(), ends.tolist(), strict=True):
        for lower in order[start:end].tolist():
            vector = ((upper << half | lower) >> np.arange(coins, dtype=np.int64)) & 1
            if np.array_equal(matrix @ vector, sums):
                yield vector


def is_detecting(matrix: Mask) -> bool:
    """Return whether all sets of heavy coins have different sums, by listing them; up to 20 coins or so."""
    coins = matrix.shape[1]
    sums = np.zeros((1, len(matrix)), dtype=np.uint8)
    for j in range(coins):
        sums = np.concatenate([sums, sums + matrix[:, j].astype(np.uint8)])
    return len(np.unique(sums, axis=0)) == 1 << coins


def subset_sums(numbers: NDArray[np.uint64], *, signed: bool = False) -> NDArray[np.uint64]:
    """Return the sums of all subsets, modulo 2^64; subset s has the elements at the ones of s.

    With `signed`: the sums with factors 0, 1 and -1, by the digits 0, 1 and 2 of s in base 3.
    """
    sums = np.zeros(1, dtype=np.uint64)
    for number in numbers:
        sums = np.concatenate([sums, sums + number, sums - number] if signed else [sums, sums + number])
    return sums
