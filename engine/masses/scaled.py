"""`Scaled`: a model in integers and bit sets, as searches see it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm, prod
from typing import NamedTuple

from .model import Model

Masses = dict[int, int]
"""The mass of each cause that is possible, by its number."""


MOST_KEPT = 1 << 20
"""Sets of causes whose telling tests are remembered."""


class MassState(NamedTuple):
    """A state: who is possible, the tests asked that would tell something again, and masses with their sum.

    For the worst case there are no masses, the sum is 1, and which tests were asked does not matter. `left`:
    coins that may still be paid on a path; -1: any number.
    """

    members: int
    asked: int
    masses: Masses
    mass: int
    left: int = -1


def bits(members: int) -> Iterator[int]:
    """Yield the numbers in a bit set, ascending."""
    while members:
        low = members & -members
        yield low.bit_length() - 1
        members ^= low


class Scaled:
    """A model that names causes, whose tests may be asked in any order; some strategy must name all of them.

    Masses are counted in `unit`ths of a weight of 1, prices in `coin`ths of 1: so many that no mass on any
    path is broken. *Proof.* A test is asked at most once on a path, so the mass of a cause is its weight
    times some probabilities of different tests, and `unit` is a multiple of the product of the denominators
    of all its tests.

    Attributes
    ----------
    causes, tests: how many there are.
    prices: in coins, one for each test.
    parts: for each test, each answer with the causes that may give it, as a bit set.
    shares: for each test and answer, for each cause the probability as (numerator, denominator).
    alike: for each test, the sets of causes with the same probabilities.
    overlap: for each cause those that it may end with, itself included.
    payers: for each cause what it pays at least, see `_payers`; nothing where all tests cost the same.
    even: whether in each cell all answers are equally likely.
    """

    def __init__(self, model: Model) -> None:
        self.causes, self.tests = len(model.weights), len(model.chances)
        weights, prices = list(map(Fraction, model.weights)), list(map(Fraction, model.prices))
        below = [
            prod(lcm(*(p.denominator for p in row[cause].values())) for row in model.chances)
            for cause in range(self.causes)
        ]
        self.unit = lcm(*(w.denominator * n for w, n in zip(weights, below, strict=True)))
        self.coin = lcm(*(price.denominator for price in prices))
        self.weights: Masses = {cause: int(w * self.unit) for cause, w in enumerate(weights)}
        self.prices = [int(price * self.coin) for price in prices]
        self._telling: dict[int, int] = {}
        self._joined: dict[int, tuple[int, list[int]]] = {}
        self.everyone = (1 << self.causes) - 1
        self.parts: list[list[tuple[int, int]]] = []
        self.shares: list[dict[int, list[tuple[int, int]]]] = []
        self.alike: list[list[int]] = []
        for row in model.chances:
            answers = sorted({answer for cell in row for answer in cell})
            self.parts.append([(a, sum(1 << i for i, cell in enumerate(row) if a in cell)) for a in answers])
            self.shares.append(
                {a: [cell.get(a, Fraction()).as_integer_ratio() for cell in row] for a in answers}
            )
            same: dict[object, int] = {}
            for cause, cell in enumerate(row):
                key = frozenset(cell.items())
                same[key] = same.get(key, 0) | 1 << cause
            self.alike.append(list(same.values()))
        self.overlap = [
            sum(1 << other for other in others) if model.cliques else 1 << cause
            for cause, others in enumerate(model.overlaps)
        ]
        self.simple = all(mask == 1 << cause for cause, mask in enumerate(self.overlap))
        self.even = all(len(set(cell.values())) == 1 for row in model.chances for cell in row)
        self.payers = [
            self._payers(model, cause) if len(set(self.prices)) > 1 else [] for cause in range(self.causes)
        ]

    def _payers(self, model: Model, cause: int) -> list[tuple[int, int]]:
        """Return what a cause pays at least while some of a set of causes are possible too, dearest first.

        It ends without another, unless the two overlap, so somewhere it was asked a test and gave an answer
        that the other cannot give; it pays at least for the cheapest such test.
        """
        least: dict[int, int] = {}
        for other in range(self.causes):
            if not self.overlap[cause] >> other & 1:
                asked = [
                    price
                    for price, row in zip(self.prices, model.chances, strict=True)
                    if not row[cause].keys() <= row[other].keys()
                ]
                least[min(asked)] = least.get(min(asked), 0) | 1 << other
        return sorted(least.items(), reverse=True)

    def settled(self, members: int) -> bool:
        """Return whether nothing is left to ask."""
        if self.simple:
            return members & (members - 1) == 0
        return all(members & ~self.overlap[cause] == 0 for cause in bits(members))

    def telling(self, members: int) -> int:
        """Return the tests whose answers say anything of these causes: not all are alike."""
        found = self._telling.get(members)
        if found is None:
            found, one = 0, members & -members
            for test, alike in enumerate(self.alike):
                for same in alike:
                    if same & one:
                        found |= (members & ~same > 0) << test
                        break
            if len(self._telling) < MOST_KEPT:
                self._telling[members] = found
        return found

    def root(self) -> MassState:
        """Return the state before the first test."""
        return MassState(self.everyone, 0, self.weights, sum(self.weights.values()))

    def after(self, state: MassState, test: int, answer: int, members: int) -> MassState:
        """Return the state after an answer, which these of the causes may give."""
        share = self.shares[test][answer]
        masses = {i: m * share[i][0] // share[i][1] for i, m in state.masses.items() if members >> i & 1}
        asked = (state.asked | 1 << test) & self.telling(members)
        left = state.left - self.prices[test] if state.left >= 0 else -1
        return MassState(members, asked, masses, sum(masses.values()), left)

    def components(self, masses: Masses, members: int) -> list[int]:
        """Return the mass of each connected part of the overlaps: no two of them end together."""
        if self.simple:
            return list(masses.values())
        joined = self._joined.get(members)
        if joined is None:
            joined = self._parts_of(members)
            if len(self._joined) < MOST_KEPT:
                self._joined[members] = joined
        several, parts = joined
        found = [m for i, m in masses.items() if not several >> i & 1]
        return found + [sum(masses[i] for i in bits(part)) for part in parts]

    def _parts_of(self, members: int) -> tuple[int, list[int]]:
        """Return the causes that overlap with others, and the connected parts of these."""
        several = 0
        for i in bits(members):
            if self.overlap[i] & members != 1 << i:
                several |= 1 << i
        parts, left = [], several
        while left:
            part, front = 0, left & -left
            while front:
                part |= front
                near = 0
                for i in bits(front):
                    near |= self.overlap[i]
                front = near & left & ~part
            parts.append(part)
            left &= ~part
        return several, parts
