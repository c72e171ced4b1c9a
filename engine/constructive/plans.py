"""Weighings planned beforehand that tell coins although at most `lies` of the sums are false.

For few coins the plans are listed: those that `static.Search` finds; two of them serve twice as many coins.
For any number of coins the sums of a detecting scheme are followed by sums that check them (Reed and
Solomon 1960). Let p be a prime above all sums, and above the number of all symbols below. Of the polynomial
modulo p, of degree below m, that takes the m sums of the scheme at 1, ..., m, the 2 L values at m + 1, ...,
m + 2 L are the check symbols. Two such polynomials agree at fewer than m points; so whoever knows all m + 2
L values finds the polynomial though L of them are false. A check symbol is a sum of sums with factors
modulo p, so a sum of coins with factors below p. For each binary digit of these factors one weighing takes
the coins that have it: 2 L ceil(log2 p) weighings more than without lies. A false sum spoils at most one
symbol, and a sum of the scheme does spoil its own: what cannot be a sum is replaced by what can, and sums
differ by less than p.

With c of the check symbols known and e symbols found false, any other polynomial has at least c + 1 - e false
symbols. So from c = L + e symbols on the coins are known: without a false sum after L symbols.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..errors import Contradiction, GuesstreeError
from .coins import counting_bound
from .detecting import MOST_SUM, Detecting, Mask, Numbers

FEW: dict[int, tuple[tuple[int, ...], ...]] = {
    1: (
        (7, 25, 42, 75, 116, 140, 269, 435, 532, 745),
        (7, 25, 42, 75, 116, 140, 269, 435, 526, 1042, 1632),
        (7, 25, 43, 109, 126, 203, 245),
        (7, 25, 42, 76, 147, 338, 316, 398, 481),
    ),
    2: ((31, 227, 364, 437, 474, 630, 1145, 3713),),
    3: ((127, 1927, 6553, 7914), (127, 1927, 6553, 7914, 10925, 13812, 19251)),
}
"""By the number of lies: columns of plans, digit i for weighing i. Without the last they are plans, too."""

LEAST: dict[int, tuple[int, ...]] = {
    0: (1, 2, 3, 3, 4, 5, 5, 6, 6, 7, 7, 7),
    1: (3, 5, 6, 7, 7, 8, 8, 9, 9),
    2: (5, 8, 9, 9, 9, 10, 11, 12),
    3: (7, 11, 13, 13, 14, 14, 15),
}
"""By the number of lies: the fewest weighings for 1, 2, ... coins; `static.Search` refutes one fewer."""


class Plan(ABC):
    """Weighings, all planned beforehand, of coins that weigh 0 to `most`.

    Attributes
    ----------
    coins, most, lies: the number of coins, the largest weight, how many sums may be false.
    rows: how many weighings.
    """

    coins: int
    most: int
    lies: int
    rows: int

    @abstractmethod
    def mask(self, row: int) -> Mask:
        """Return which coins a weighing takes; rows are numbered from 0; shape (coins,)."""

    @abstractmethod
    def settled(self, sums: Sequence[int]) -> Numbers | None:
        """Return the only weights that the first sums leave possible, shape (coins,); None: not only one.

        May return None although there is only one, but not when all sums are given. Raises Contradiction
        when more of these sums are false than may be.
        """

    def decode(self, sums: Sequence[int]) -> tuple[Numbers, list[int]]:
        """Return the weights and which sums are false, numbered from 0.

        Raises Contradiction when more sums are false than may be, GuesstreeError for another number of sums.
        """
        if len(sums) != self.rows:
            raise GuesstreeError(f"{len(sums)} sums; expected {self.rows}")
        weights = self.settled(sums)
        assert weights is not None, "all sums tell the coins"
        return weights, self.false(weights, sums)

    def false(self, weights: Numbers, sums: Sequence[int]) -> list[int]:
        """Return which sums, numbered from 0, these weights make false; Contradiction: too many."""
        false = [row for row, given in enumerate(sums) if int(weights[self.mask(row)].sum()) != given]
        if len(false) > self.lies:
            raise self._wrong(len(sums))
        return false

    def _wrong(self, given: int) -> Contradiction:
        """Return the error when too many sums are false."""
        if not self.lies:
            return Contradiction(f"no weights have these {given} sums", given)
        return Contradiction(f"more than {self.lies} of these {given} sums are false", given)


class Listed(Plan):
    """A plan for few coins of weights 0 and 1, by its columns; decodes by looking at all sets of coins."""

    def __init__(self, columns: Sequence[int], lies: int) -> None:
        self.coins, self.most, self.lies = len(columns), 1, lies
        self.rows = max(columns).bit_length()
        numbers = np.arange(1 << self.coins, dtype=np.int64)
        self._vectors = numbers[:, None] >> np.arange(self.coins) & 1
        self._matrix = (np.array(columns, dtype=np.int64) >> np.arange(self.rows)[:, None] & 1).astype(
            np.bool_
        )
        self._sums: Numbers = self._vectors @ self._matrix.T.astype(np.int64)

    def mask(self, row: int) -> Mask:  # noqa: D102
        found: Mask = self._matrix[row]
        return found

    def settled(self, sums: Sequence[int]) -> Numbers | None:  # noqa: D102
        false = (self._sums[:, : len(sums)] != np.array(sums, dtype=np.int64)).sum(axis=1)
        left = np.flatnonzero(false <= self.lies)
        if not len(left):
            raise self._wrong(len(sums))
        return self._vectors[left[0]] if len(left) == 1 else None


class Joined(Plan):
    """Plans for parts of the coins, one after the other: sets that differ do so in a part."""

    def __init__(self, parts: Sequence[Plan]) -> None:
        self._parts = parts
        self.coins, self.rows = (
            sum(counts) for counts in zip(*((p.coins, p.rows) for p in parts), strict=True)
        )
        self.most, self.lies = parts[0].most, parts[0].lies

    def mask(self, row: int) -> Mask:  # noqa: D102
        found, coin = np.zeros(self.coins, dtype=np.bool_), 0
        for part in self._parts:
            if 0 <= row < part.rows:
                found[coin : coin + part.coins] = part.mask(row)
            row, coin = row - part.rows, coin + part.coins
        return found

    def settled(self, sums: Sequence[int]) -> Numbers | None:  # noqa: D102
        found, row = [], 0
        for part in self._parts:
            try:
                found.append(part.settled(sums[row : row + part.rows]))
            except Contradiction:
                raise self._wrong(len(sums)) from None
            row += part.rows
        known = [weights for weights in found if weights is not None]
        if len(known) < len(found):
            return None
        weights: Numbers = np.concatenate(known)
        self.false(weights, sums)
        return weights


class Repeated(Plan):
    """Each weighing of a detecting scheme 2 L + 1 times; decodes by what is read L + 1 times."""

    def __init__(self, coins: int, most: int, lies: int) -> None:
        self.coins, self.most, self.lies = coins, most, lies
        self._scheme = _scheme(coins, most)
        self.rows = self._scheme.rows * (2 * lies + 1)

    def mask(self, row: int) -> Mask:  # noqa: D102
        return self._scheme.mask(row // (2 * self.lies + 1))

    def settled(self, sums: Sequence[int]) -> Numbers | None:  # noqa: D102
        if len(sums) < self.rows:
            return None
        readings = np.sort(np.array(sums, dtype=np.int64).reshape(self._scheme.rows, 2 * self.lies + 1))
        try:  # the middle reading is the true one
            weights = self._scheme.decode(readings[:, self.lies])
        except Contradiction:
            raise self._wrong(len(sums)) from None
        self.false(weights, sums)
        return weights


class Checked(Plan):
    """A detecting scheme whose sums are checked by the values of a polynomial."""

    def __init__(self, coins: int, most: int, lies: int) -> None:
        self.coins, self.most, self.lies = coins, most, lies
        self._scheme = _scheme(coins, most)
        self._sums = self._scheme.rows
        self._p = _prime_above(max(coins * most, self._sums + 2 * lies))
        self._digits = (self._p - 1).bit_length()
        self.rows = self._sums + 2 * lies * self._digits

    def mask(self, row: int) -> Mask:  # noqa: D102
        if row < self._sums:
            return self._scheme.mask(row)
        symbol, digit = divmod(row - self._sums, self._digits)
        return (self._factors[symbol] >> digit & 1) == 1

    def settled(self, sums: Sequence[int]) -> Numbers | None:  # noqa: D102
        checks, rest = divmod(len(sums) - self._sums, self._digits)
        if rest or checks < self.lies:
            return None
        powers = [1 << digit for digit in range(self._digits)]
        symbols = [min(max(int(s), 0), self._p - 1) for s in sums[: self._sums]]
        for start in range(self._sums, len(sums), self._digits):
            digits = sums[start : start + self._digits]
            symbols.append(sum(int(s) * power for s, power in zip(digits, powers, strict=True)) % self._p)
        errors = _errors(symbols, checks, checks - self.lies, self._p)
        if errors is None:
            if checks < 2 * self.lies:
                return None
            raise self._wrong(len(sums))
        true = np.array(symbols[: self._sums], dtype=np.int64)
        for place, error in errors.items():
            if place < self._sums:
                true[place] = (symbols[place] - error) % self._p
        try:
            weights = self._scheme.decode(true)
        except Contradiction:
            raise self._wrong(len(sums)) from None
        self.false(weights, sums)
        return weights

    @cached_property
    def _factors(self) -> Numbers:
        """The factors of the coins in each check symbol, shape (2 lies, coins), 0 to p - 1."""
        m, p = self._sums, self._p
        found = np.zeros((2 * self.lies, self.coins), dtype=np.int64)
        below = _factorials(m + 2 * self.lies, p)
        for i in range(1, m + 1):
            own = below[i - 1] * below[m - i] * (-1) ** (m - i)  # the product of i - k over the other k to m
            mask = self._scheme.mask(i - 1)
            for symbol in range(2 * self.lies):  # at y = m + 1 + symbol; the y - k are from y - 1 to y - m
                every = below[m + symbol] * pow(below[symbol] * own * (m + 1 + symbol - i), -1, p)
                found[symbol, mask] += every % p
            if i % (1 << 10) == 0:
                found %= p
        return found % p


def plan(coins: int, most: int = 1, lies: int = 0) -> Plan:
    """Return the plan with the fewest weighings that is known here.

    Raises GuesstreeError for numbers that are none, and for weights of more than 2^40 in all.
    """
    if coins < 1 or most < 1 or lies < 0 or coins * most >= MOST_SUM:
        raise GuesstreeError(
            f"{coins} coins of weights 0 to {most} and {lies} false sums; expected at least 1 coin, "
            "weights of at most 2^40 in all, and 0 or more false sums"
        )
    plans: list[Plan] = [Checked(coins, most, lies)]
    if lies:
        plans.append(Repeated(coins, most, lies))
    if most == 1:
        plans += _listed(coins, lies)
    return min(plans, key=lambda found: found.rows)


def _listed(coins: int, lies: int) -> list[Plan]:
    """Return the plans for few coins, and for up to so many parts of them as may be better than others."""
    few = FEW.get(lies, ())
    found: list[Plan] = [Listed(columns[:coins], lies) for columns in few if coins <= len(columns)]
    most = max(map(len, few), default=0)
    if most < coins <= 2 * most:
        for first in range(coins - most, coins // 2 + 1):
            parts = [min(_listed(n, lies), key=lambda part: part.rows) for n in (coins - first, first)]
            found.append(Joined(parts))
    return found


def plan_at_least(coins: int, most: int = 1, lies: int = 0) -> int:
    """Return how many weighings any plan has at least.

    Without any 2 L of them it still tells the coins; and it does for some of the coins and weights.
    """
    known = [(LEAST[0], 2 * lies), (LEAST.get(lies, (2 * lies + 1,)), 0)]
    found = [fewest[min(coins, len(fewest)) - 1] + more for fewest, more in known]
    return max(*found, counting_bound(coins, most) + 2 * lies)


def _scheme(coins: int, most: int) -> Detecting:
    return Detecting(np.full(coins, most, dtype=np.int64))


def _prime_above(number: int) -> int:
    """Return the least prime above a number."""
    while True:
        number += 1
        if number > 1 and all(number % d for d in range(2, int(number**0.5) + 1)):
            return number


def _factorials(most: int, p: int) -> list[int]:
    """Return 0!, 1!, ..., most! modulo p."""
    found = [1]
    for k in range(1, most + 1):
        found.append(found[-1] * k % p)
    return found


def _errors(symbols: Sequence[int], checks: int, most: int, p: int) -> dict[int, int] | None:
    """Return the errors of the first symbols by their places, at most so many; None: there are more.

    Take the values of a polynomial of degree below N - c at X = 1, ..., N, each divided by the product of
    X - K over the other K: their sums with factors X^0, ..., X^(c - 1) are 0. So what these sums are is due
    to the errors: they follow a recurrence whose roots are the places of errors (Massey 1969).
    """
    n = len(symbols)
    below = _factorials(n, p)
    signed = [-1 if (n - x) % 2 else 1 for x in range(1, n + 1)]
    parts = [pow(below[x - 1] * below[n - x] * signed[x - 1], -1, p) for x in range(1, n + 1)]
    terms = [symbol * part % p for symbol, part in zip(symbols, parts, strict=True)]
    sums = []
    for _ in range(checks):
        sums.append(sum(terms) % p)
        terms = [term * x % p for x, term in enumerate(terms, 1)]
    recurrence = _recurrence(sums, p)
    places = [x for x in range(1, n + 1) if not _value(recurrence, x, p)] if len(recurrence) > 1 else []
    if len(recurrence) - 1 > most or len(places) < len(recurrence) - 1:
        return None
    found = {}
    for place in places:  # the polynomial that is 1 there and 0 at the other places takes out one error
        only = [1]
        for other in places:
            if other != place:
                factor = pow(place - other, -1, p)
                only = [(a - b * other) * factor % p for a, b in zip([0, *only], [*only, 0], strict=True)]
        part = sum(c * s for c, s in zip(only, sums, strict=False))
        found[place - 1] = part * pow(parts[place - 1], -1, p) % p
    return found


def _recurrence(sums: Sequence[int], p: int) -> list[int]:
    """Return 1, c1, ..., cd of the shortest recurrence s_i + c1 s_(i-1) + ... + cd s_(i-d) = 0 modulo p."""
    now, before, shift, last, length = [1], [1], 1, 1, 0
    for i in range(len(sums)):
        gap = sum(c * sums[i - j] for j, c in enumerate(now[: length + 1])) % p
        if not gap:
            shift += 1
            continue
        factor = gap * pow(last, -1, p) % p
        changed = now + [0] * (len(before) + shift - len(now))
        for j, c in enumerate(before):
            changed[j + shift] = (changed[j + shift] - factor * c) % p
        if 2 * length <= i:
            length, before, last, shift = i + 1 - length, now, gap, 1
        else:
            shift += 1
        now = changed
    return (now + [0] * length)[: length + 1]


def _value(polynomial: Sequence[int], x: int, p: int) -> int:
    """Return the value of a polynomial, its highest power first, modulo p."""
    value = 0
    for c in polynomial:
        value = (value * x + c) % p
    return value
