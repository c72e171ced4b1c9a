"""Lower bounds of kits: by counting answers, by pairs that share no question, and by prices of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import comb
from operator import mul

import numpy as np
from numpy.typing import NDArray

from ..stopping import heed

WHOLE = 2000
"""What prices of pairs, whole numbers, add up to, about."""
SPREAD, EPSILON = 1e-4, 1e-9
"""By how much costs are made to differ, in proportion, and what counts as 0 in pivots."""
MOST_JOIN, MOST_PIVOTS = 20, 4000
"""Questions that join a linear program at a time, and pivots after which it ends."""


class Counting:
    """How many questions it takes at least to tell a number of kinds apart that were answered alike.

    Parameters
    ----------
    parts: how many different answers each question has, of those that may be asked.
    apart: in how many questions two kinds have to differ.
    """

    def __init__(self, parts: Sequence[int], apart: int) -> None:
        self._parts = sorted(parts, reverse=True)
        self._apart = apart
        self.fewest = cache(self._fewest)

    def _fewest(self, kinds: int) -> int:
        """Return exactly the least k that the bounds leave.

        Without lies k questions have at most as many answers as the k largest numbers of answers multiplied.
        With lies a question may be asked again, so r answers each, r the largest: leave out `apart` - 1 of
        the questions, and kinds still differ (Singleton 1964); and around each kind there is a ball of what
        L false answers make of its answers, of which no two meet (Hamming 1950). Smaller numbers of answers
        leave no room for more: a ball of radius L around a word grows by less, in proportion, than all words
        do if one number of answers grows.
        """
        if kinds < 2:
            return 0
        most = self._parts[0] if self._parts else 1
        if most < 2:
            return self._apart * (len(self._parts) + 1)  # it cannot be done at all
        if self._apart == 1:
            room = accumulate(self._parts, mul)
            return next((k for k, answers in enumerate(room, 1) if answers >= kinds), len(self._parts) + 1)
        k, lies = self._apart, (self._apart - 1) // 2
        while too_many(kinds, k, most, lies):
            k += 1
        return k


def too_many(kinds: int, asked: int, answers: int, lies: int) -> bool:
    """Return whether kinds are too many for so many questions, each with so many answers, some of them false.

    See `Counting`; `asked` is more than twice `lies`.
    """
    if answers ** (asked - 2 * lies) < kinds:
        return True
    return kinds * sum(comb(asked, i) * (answers - 1) ** i for i in range(lies + 1)) > answers**asked


@dataclass(frozen=True)
class Prices:
    """Prices of pairs: a question collects those of the pairs that it tells apart.

    Attributes
    ----------
    each: the price of each pair, a whole number, at least 0.
    factor: times it, what a question collects is at most its cost.
    collected: what each question that may be asked collects, by index.
    shares: how much of each question, by index, a mixture takes that costs about `least`.
    """

    each: list[int]
    factor: Fraction
    collected: dict[int, int]
    shares: dict[int, float]

    @property
    def least(self) -> Fraction:
        """At least what a kit costs that tells all these pairs apart."""
        return self.factor * sum(self.each)


def prices_of_pairs(rows: Sequence[int], costs: Sequence[int], usable: int) -> Prices:
    """Return prices of pairs that nearly make the greatest bound.

    A kit costs at least the factor times the prices of all pairs, each counted as often as it has to be told
    apart: this is the dual of the linear program of the kit, and any prices give a bound. They are found by
    the simplex method on few of the questions (Dantzig 1963); questions that collect more than they cost join
    (Kelley 1960). Then prices are rounded to whole numbers, so the factor is exact.

    Parameters
    ----------
    rows, costs, usable: questions of each pair as a mask, costs above 0, questions that may be asked as one.
    """
    questions = np.array([g for g in range(len(costs)) if usable >> g & 1], dtype=np.int64)
    table = as_table(rows, len(costs))[:, questions]
    if not table.size or not table.any(axis=1).all():
        return Prices([0] * len(rows), Fraction(1), dict.fromkeys(questions.tolist(), 0), {})
    cost = np.array([costs[g] for g in questions], dtype=np.float64)
    packing = Packing(np.ascontiguousarray(table, dtype=np.float32), cost)
    packing.run()
    whole = np.rint(packing.values * (WHOLE / packing.values.sum())).astype(np.int64)
    collected = dict(zip(questions.tolist(), (whole @ table.astype(np.int64)).tolist(), strict=True))
    factor = min(Fraction(int(costs[g]), many) for g, many in collected.items() if many)
    shares = {int(questions[g]): share for g, share in packing.shares().items()}
    return Prices(whole.tolist(), factor, collected, shares)


def as_table(rows: Sequence[int], questions: int) -> NDArray[np.uint8]:
    """Return masks of questions as a table of 0 and 1, shape (rows, questions)."""
    size = (questions + 7) // 8
    packed = np.frombuffer(b"".join(row.to_bytes(size, "little") for row in rows), dtype=np.uint8)
    return np.unpackbits(packed.reshape(-1, size), axis=1, bitorder="little", count=questions)


class Packing:
    """A linear program: the greatest sum of values of pairs; no question collects more than it costs.

    It is solved for some questions, in a tableau; then those join that collect too much (`MOST_JOIN` at a
    time), and pivots of the dual kind make their rows feasible. It may end early: whatever the values are,
    they make a bound when they are scaled.

    Attributes
    ----------
    values: of each pair, at least 0.
    """

    def __init__(
        self,
        table: NDArray[np.float32],
        cost: NDArray[np.float64],
        spread: float = SPREAD,
        most: int = MOST_PIVOTS,
    ) -> None:
        self._table, self._cost = table, cost
        pairs, questions = table.shape
        self._dice, self._spread, self._most = np.random.default_rng(0), spread, most
        # Where all are equal, pivots go in circles.
        self._room = cost * (1 + spread * self._dice.random(questions))
        self._rows = np.zeros((0, pairs + 1))
        self._goal = np.r_[-1 - spread * self._dice.random(pairs), 0.0]
        self._basis: list[int] = []
        self._joined: list[int] = []
        self._pivots = 0
        self.values = np.zeros(pairs)

    def run(self) -> None:
        """Solve it, or come near."""
        left = np.ones(len(self._table), dtype=bool)
        while left.any():
            best = int((self._table[left].sum(axis=0) / self._cost).argmax())
            self._join([best])
            left &= self._table[:, best] == 0
        self._raise()
        best_sum = 0.0
        while True:
            found = self.found()
            ratio = (found.astype(np.float32) @ self._table) / self._cost
            scaled = found.sum() / ratio.max()
            if scaled > best_sum:
                best_sum, self.values = scaled, found
            over = np.flatnonzero((found @ self._table) > self._room * (1 + self._spread))
            joined = [g for g in over[np.argsort(-ratio[over])][:MOST_JOIN].tolist() if g not in self._joined]
            if not joined or self._pivots > self._most:
                return
            self._join(joined)
            self._settle()

    def found(self) -> NDArray[np.float64]:
        """Return the values that the tableau has now."""
        found = np.zeros(len(self.values))
        for row, name in enumerate(self._basis):
            if name < len(found):
                found[name] = max(self._rows[row, -1], 0)
        return found

    def _join(self, questions: Sequence[int]) -> None:
        """Add rows for questions, and columns for what they leave of their costs."""
        pairs, before = len(self.values), len(self._joined)
        more = len(questions)
        rows = np.zeros((before + more, pairs + before + more + 1))
        rows[:before, : pairs + before], rows[:before, -1] = self._rows[:, :-1], self._rows[:, -1]
        for i, question in enumerate(questions, before):
            rows[i, :pairs], rows[i, pairs + i] = self._table[:, question], 1
            rows[i, -1] = self._room[question]
        inside = [(row, name) for row, name in enumerate(self._basis) if name < pairs]
        if inside:
            places, names = map(list, zip(*inside, strict=True))
            rows[before:] -= rows[before:, names] @ rows[places]
        self._rows = rows
        self._goal = np.r_[self._goal[:-1], np.zeros(more), self._goal[-1]]
        self._basis += range(pairs + before, pairs + before + more)
        self._joined += questions

    def _raise(self) -> None:
        """Pivot while a value can grow."""
        while self._goal[:-1].min() < -EPSILON and self._pivots <= self._most:
            column = int(self._goal[:-1].argmin())
            grows = self._rows[:, column] > EPSILON
            if not grows.any():
                return
            ratio = np.full(len(grows), np.inf)
            ratio[grows] = self._rows[grows, -1] / self._rows[grows, column]
            self._pivot(int(ratio.argmin()), column)

    def _settle(self) -> None:
        """Pivot while a question collects more than it costs."""
        while self._rows[:, -1].min() < -EPSILON and self._pivots <= self._most:
            row = int(self._rows[:, -1].argmin())
            falls = self._rows[row, :-1] < -EPSILON
            if not falls.any():
                return
            ratio = np.full(len(falls), np.inf)
            ratio[falls] = np.maximum(self._goal[:-1][falls], 0) / -self._rows[row, :-1][falls]
            self._pivot(row, int(ratio.argmin()))

    def _pivot(self, row: int, column: int) -> None:
        heed()
        self._pivots += 1
        self._rows[row] /= self._rows[row, column]
        change = self._rows[:, column].copy()
        change[row] = 0
        self._rows -= np.outer(change, self._rows[row])
        self._goal -= self._goal[column] * self._rows[row]
        self._basis[row] = column

    def shares(self) -> dict[int, float]:
        """Return how much of each question the mixture takes that the last prices belong to."""
        shares = self._goal[len(self.values) : -1].tolist()
        return {g: share for g, share in zip(self._joined, shares, strict=True) if share > EPSILON}
