"""Random weighings, all planned beforehand: whether they tell all sets of coins apart, how likely that is.

A plan is a weighing of all coins, then k weighings that take each coin with a chance of 1/2. Two sets of
coins have the same sums iff their difference d, a vector of -1, 0 and 1, has the sum 0 in each. In all coins
it has iff it has as many ones as minus ones, say p of each; in a random weighing then with a chance of
C(2p, p) / 4^p: as many of either are taken. So all expected numbers of such pairs are sums over p.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, log2

import numpy as np

from ..errors import GuesstreeError
from .detecting import Mask, Numbers
from .static import subset_sums

MOST_DECIDED = 30
"""The differences within half of so many coins fit in memory, 3^15 of them."""
PRECISION = 128
"""Bits that are kept of a chance, rounded up."""


def decides(matrix: Mask) -> bool:
    """Return exactly whether a plan tells all sets of coins apart, by meeting in the middle.

    The differences of two sets of each half of the coins are listed, 3^(coins / 2) of them, by a number that
    adds up as the sums do (modulo 2^64). What meets is verified. Raises GuesstreeError for more than
    `MOST_DECIDED` coins.
    """
    rows, coins = matrix.shape
    if coins > MOST_DECIDED:
        raise GuesstreeError(f"{coins} coins; expected at most {MOST_DECIDED}")
    factors = np.random.default_rng(0).integers(0, 1 << 64, rows, dtype=np.uint64)
    marks = matrix.T.astype(np.uint64) @ factors
    half = coins // 2
    low, high = (subset_sums(part, signed=True) for part in (marks[:half], marks[half:]))
    sums = np.sort(low)
    wanted = np.sort(high)  # sorted, it is looked up fast; it is its own negative, as all signs are listed
    starts, ends = (np.searchsorted(sums, wanted, side) for side in ("left", "right"))
    met = wanted[starts < ends]
    if len(met) == 1 and ends.sum() - starts.sum() == 1:  # nothing but no coins
        return True
    for mark in np.unique(met):
        for upper in np.flatnonzero(high == mark).tolist():
            for lower in np.flatnonzero(low == mark).tolist():
                difference = np.concatenate([_signs(lower, half), -_signs(upper, coins - half)])
                if difference.any() and not (matrix @ difference).any():
                    return False
    return True


def _signs(number: int, coins: int) -> Numbers:
    """Return the signs of a signed sum: digits of base 3, in the order of `subset_sums`."""
    digits = number // 3 ** np.arange(coins, dtype=np.int64) % 3
    return np.where(digits == 2, -1, digits)


def tells_too_little(matrix: Mask) -> bool:
    """Return whether the sums of a plan say less than the coins, on average: then some sets have equal ones.

    If all sets had different sums, random coins would be as uncertain as their sums: n bits. The sums
    together are at most as uncertain as each for itself: a sum of s coins as the number of heads in s tosses.
    """
    coins = matrix.shape[1]
    bits = {size: _bits_of_tosses(size) for size in set(matrix.sum(axis=1).tolist())}
    return sum(bits[size] for size in matrix.sum(axis=1).tolist()) < coins * (1 - 1e-9)


@cache
def _bits_of_tosses(tosses: int) -> float:
    """Return the entropy of the number of heads, in bits: n minus the mean of log2 C(n, heads)."""
    ways = [comb(tosses, heads) for heads in range(tosses + 1)]
    return tosses - sum(w / (1 << tosses) * log2(w) for w in ways)


def confused_at_most(coins: int, weighings: int, *, known: bool = False) -> Fraction:
    """Return at most how likely a plan of so many random weighings does not tell all sets of coins apart.

    With `known`: does not tell random coins from all others. These are the expected numbers of differences,
    up to their sign, of sets with equal sums, C(n, p) C(n - p, p) / 2 for each p, and of sets with the sums
    of random coins, which a difference fits with a chance of 1/4^p (Erdős and Rényi 1963). Rounded up.
    """
    total = Fraction(0)
    for p in range(1, coins // 2 + 1):
        pairs = comb(coins, p) * comb(coins - p, p)
        total += Fraction(pairs, 1 << 2 * p if known else 2) * _power(comb(2 * p, p), 2 * p, weighings)
    return min(total, Fraction(1))


def _power(number: int, shift: int, exponent: int) -> Fraction:
    """Return (number / 2^shift)^exponent, rounded up to `PRECISION` bits after each product."""
    result, result_shift = 1, 0
    while exponent:
        if exponent & 1:
            result, result_shift = _rounded(result * number, result_shift + shift)
        number, shift = _rounded(number * number, 2 * shift)
        exponent >>= 1
    return Fraction(result, 1 << result_shift)


def _rounded(number: int, shift: int) -> tuple[int, int]:
    """Return number / 2^shift with at most `PRECISION` bits, rounded up."""
    extra = max(min(number.bit_length() - PRECISION, shift), 0)
    return -(-number >> extra), shift - extra


def least_random(coins: int, chance: Fraction, *, known: bool = False) -> int:
    """Return the fewest random weighings for which `confused_at_most` is at most a chance."""
    low, high = -1, coins + 1
    while confused_at_most(coins, high, known=known) > chance:
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        if confused_at_most(coins, middle, known=known) <= chance:
            high = middle
        else:
            low = middle
    return high
