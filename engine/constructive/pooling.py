"""Group testing by published procedures: what each costs, exactly, where samples are infected equally often.

A *hierarchy* is a tree of pools: a pool is tested, and its parts only if it is positive; a part of one sample
that is positive is reported as infected, and whoever was in a negative pool as healthy. Dorfman's procedure
(1943), more stages, and halving are hierarchies, also if tests err. Sobel and Groll's nested procedure (1959)
uses what was learnt of the rest of a positive pool, so it is for tests that do not err.

Samples are infected independently with probability p; let q = 1 - p. Errors are independent of each other.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import log2, sqrt
from typing import NamedTuple, TypeAlias

from ..exact import exact_text

CUT_OFF = (3 - sqrt(5)) / 2
"""From this probability on, nothing is better than to test each sample alone (Ungar 1960)."""
PLACES = 1000
"""The sensitivity of a diluted pool is rounded to so many parts of 1."""
MOST_CODED = 16
"""Samples of which a code for all sets is made."""

Hierarchy: TypeAlias = "tuple[Hierarchy, ...]"
"""A pool by its parts; () for a single sample, which has none."""


@dataclass(frozen=True)
class Assay:
    """How often a test of a pool errs.

    Attributes
    ----------
    sensitivity: the probability that one infected sample alone is positive.
    specificity: the probability that a pool without infected samples is negative.
    dilution: how much less sensitive pools are, from 0 (not at all) to 1, see `sensitivity_of`.
    """

    sensitivity: Fraction = Fraction(1)
    specificity: Fraction = Fraction(1)
    dilution: Fraction = Fraction(0)

    @property
    def errs(self) -> bool:
        """Whether a test may err."""
        return self.sensitivity < 1 or self.specificity < 1 or self.dilution > 0

    def sensitivity_of(self, size: int, prevalence: Fraction) -> Fraction:
        """Return the probability that a pool of this size with an infected sample is positive.

        By the model of Hwang (1976): p / (1 - q^(k^d)) for k samples and dilution d, times the sensitivity of
        one sample alone. With d = 0 a pool is as sensitive as one sample, with d = 1 it is positive as often
        as one sample would be. Rounded to thousandths where d is above 0 and the pool has several samples.
        """
        if size == 1 or not self.dilution:
            return self.sensitivity
        p = float(prevalence)
        seen = p / (1 - (1 - p) ** (size ** float(self.dilution)))
        return Fraction(round(PLACES * seen), PLACES) * self.sensitivity

    def cells(self, prevalences: Sequence[Fraction]) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
        """Return the probabilities of negative (0) and positive (1), of a healthy pool and of another one.

        `prevalences`: of its samples; their mean counts for dilution.
        """
        mean = sum(prevalences, Fraction(0)) / len(prevalences)
        seen = self.sensitivity_of(len(prevalences), mean)
        healthy = {0: self.specificity, 1: 1 - self.specificity}
        infected = {0: 1 - seen, 1: seen}
        return {a: x for a, x in healthy.items() if x}, {a: x for a, x in infected.items() if x}


class Cost(NamedTuple):
    """What a procedure takes on average: tests, infected samples missed, healthy ones named by mistake."""

    tests: Fraction
    missed: Fraction = Fraction(0)
    false: Fraction = Fraction(0)

    def plus(self, other: Cost, times: Fraction | int = 1) -> Cost:
        """Return the sum with so many times another."""
        return Cost(*(a + times * b for a, b in zip(self, other, strict=True)))

    def times(self, factor: Fraction | int) -> Cost:
        """Return a multiple."""
        return Cost(*(factor * a for a in self))


NOTHING = Cost(Fraction(0))


@dataclass(frozen=True)
class Procedures:
    """The published procedures for samples that are infected with one probability.

    Attributes
    ----------
    prevalence: that probability, above 0 and below 1.
    assay: how often tests err.
    missed, false: what a wrong report of a sample costs, in tests.
    most: samples in a pool at most; 0: any number.
    """

    prevalence: Fraction
    assay: Assay = Assay()
    missed: Fraction = Fraction(0)
    false: Fraction = Fraction(0)
    most: int = 0

    def spec(self, samples: int) -> str:
        """Return the spec of the game of all procedures, see `games.pools`."""
        said = [f"prevalence={_odds(self.prevalence)}"] + [f"max={self.most}"] * (0 < self.most < samples)
        if self.assay.errs:
            said += [f"{word}={_odds(getattr(self.assay, word))}" for word in ("sensitivity", "specificity")]
            said += [f"dilution={float(self.assay.dilution)}"] * (self.assay.dilution > 0)
            said += [f"missed={exact_text(self.missed)}", f"false={exact_text(self.false)}"]
        return ",".join([f"pools:{samples}", *said])

    def price(self, cost: Cost) -> Fraction:
        """Return what a procedure costs in all, in tests."""
        return cost.tests + self.missed * cost.missed + self.false * cost.false

    def _seen(self, size: int) -> Fraction:
        return self.assay.sensitivity_of(size, self.prevalence)

    def hierarchy(self, tree: Hierarchy) -> Cost:
        """Return what a hierarchy costs: its first pool is tested in any case."""
        return self._both(tree)[0]

    def _both(self, tree: Hierarchy) -> tuple[Cost, Cost]:
        """Return what a hierarchy costs, and what it costs where nobody in it is infected.

        Whether the pool is positive does not depend on the parts, given whether anybody in it is infected. So
        the parts cost what they cost where nobody is, with the probability that a healthy pool is positive,
        and the rest of what they cost on average, with the probability that another one is.
        """
        p, q, size = self.prevalence, 1 - self.prevalence, _size(tree)
        seen, wrong = self._seen(size), 1 - self.assay.specificity
        if not tree:
            return Cost(Fraction(1), p * (1 - seen), q * wrong), Cost(Fraction(1), Fraction(0), wrong)
        parts = healthy = NOTHING
        for part in tree:
            one, clean = self._both(part)
            parts, healthy = parts.plus(one), healthy.plus(clean)
        rest = parts.plus(healthy, -(q**size)).times(seen)
        after = rest.plus(healthy, q**size * wrong)
        tests = Cost(1 + after.tests, p * size * (1 - seen) + after.missed, after.false)
        return tests, Cost(1 + wrong * healthy.tests, Fraction(0), wrong * healthy.false)

    def _fits(self, size: int) -> bool:
        return not self.most or size <= self.most

    def individual(self, samples: int) -> Cost:
        """Return what it costs to test each sample alone."""
        return self.hierarchy(()).times(samples)

    def _joined(self, samples: int, single: Sequence[Cost | None]) -> tuple[Cost, tuple[int, ...]]:
        """Return what it costs to divide samples as well as possible, and the sizes of the groups.

        `single`: what a group of each size costs; None: there is no such group.
        """
        best: list[tuple[Cost, tuple[int, ...]]] = [(NOTHING, ())]
        for n in range(1, samples + 1):
            found = [
                (best[n - k][0].plus(cost), (*best[n - k][1], k))
                for k in range(1, n + 1)
                if (cost := single[k]) is not None
            ]
            best.append(min(found, key=lambda one: (self.price(one[0]), len(one[1]))))
        return best[samples]

    def _groups(self, samples: int, tree_of: dict[int, Hierarchy]) -> tuple[Cost, tuple[int, ...]]:
        single = [
            self.hierarchy(tree_of[k]) if k in tree_of and self._fits(k) else None for k in range(samples + 1)
        ]
        return self._joined(samples, single)

    def dorfman(self, samples: int) -> tuple[Cost, tuple[int, ...]]:
        """Return what two stages cost, and the sizes of the pools: the best there are (Dorfman 1943)."""
        return self._groups(samples, {k: ((),) * k if k > 1 else () for k in range(1, samples + 1)})

    def halving(self, samples: int) -> tuple[Cost, tuple[int, ...]]:
        """Return what halving costs, and the best sizes of the pools that are halved as long as positive."""
        return self._groups(samples, {k: halved(k) for k in range(1, samples + 1)})

    def three_stages(self, samples: int) -> tuple[Cost, tuple[int, ...]]:
        """Return what three stages cost, and the sizes of the first pools, divided as well as possible."""
        trees = {k: self._divided(k) for k in range(1, samples + 1) if self._fits(k)}
        return self._groups(samples, trees)

    def _divided(self, size: int) -> Hierarchy:
        """Return the best pool of this size with parts that are pools of single samples.

        What the parts cost is a sum over the parts (see `_both`), so the best division is that of `_joined`.
        """
        if size == 1:
            return ()
        q, seen, wrong = 1 - self.prevalence, self._seen(size), 1 - self.assay.specificity
        single: list[Cost | None] = [None]
        for k in range(1, size):
            one, clean = self._both(((),) * k if k > 1 else ())
            single.append(one.plus(clean, -(q**size)).times(seen).plus(clean, q**size * wrong))
        single.append(None)
        sizes = self._joined(size, single)[1]
        return tuple(((),) * k if k > 1 else () for k in sizes)

    def arrays(self, samples: int) -> tuple[Cost, tuple[tuple[int, int], ...]]:
        """Return what arrays cost, and the best shapes; 1 x 1 is a sample tested alone.

        All rows and columns of an array are tested, then each sample in a positive row and a positive column
        (Phatarfod and Sudbury 1994). Reported as infected is whoever is positive then.
        """
        shapes: list[tuple[int, int]] = [(0, 0)]
        single: list[Cost | None] = [None]
        for k in range(1, samples + 1):
            some = [(r, k // r) for r in range(2, k) if k % r == 0 and r <= k // r and self._fits(k // r)]
            costs = {shape: self.array(*shape) for shape in some}
            if k == 1:
                costs[1, 1] = self.individual(1)
            shapes.append(min(costs, key=lambda one: self.price(costs[one]), default=(0, 0)))
            single.append(costs.get(shapes[-1]))
        cost, sizes = self._joined(samples, single)
        return cost, tuple(shapes[k] for k in sizes)

    def array(self, rows: int, columns: int) -> Cost:
        """Return what one array costs.

        Given its own state, the row and the column of a sample are independent.
        """
        p, q, wrong = self.prevalence, 1 - self.prevalence, 1 - self.assay.specificity
        met = both = Fraction(1)  # that the row and the column of a healthy, an infected sample are positive
        for others in (columns - 1, rows - 1):
            seen = self._seen(others + 1)
            met *= seen * (1 - q**others) + wrong * q**others
            both *= seen
        cells = rows * columns
        return Cost(
            rows + columns + cells * (p * both + q * met),
            cells * p * (1 - both * self._seen(1)),
            cells * q * met * wrong,
        )

    def nested(self, samples: int) -> Fraction:
        """Return the fewest tests on average of a nested procedure without errors (Sobel and Groll 1959).

        While nothing is known, x samples are tested; while one of m is known to be infected, x < m of these.
        The rest of a positive pool is as it was where a part of it is positive, too.
        """
        q = 1 - self.prevalence
        power = [q**k for k in range(samples + 1)]
        most = self.most or samples

        @cache
        def free(n: int) -> Fraction:
            if not n:
                return Fraction(0)
            return 1 + min(
                power[x] * free(n - x) + (1 - power[x]) * held(x, n) for x in range(1, min(n, most) + 1)
            )

        @cache
        def held(m: int, n: int) -> Fraction:
            if m == 1:
                return free(n - 1)
            some = 1 - power[m]
            return 1 + min(
                ((power[x] - power[m]) * held(m - x, n - x) + (1 - power[x]) * held(x, n)) / some
                for x in range(1, m)
            )

        for n in range(1, samples + 1):  # in this order nothing recurs deeply
            free(n)
        return free(samples)

    def entropy(self, samples: int) -> float:
        """Return the bits that tests without errors have to give: no procedure takes fewer on average."""
        p = float(self.prevalence)
        return -samples * (p * log2(p) + (1 - p) * log2(1 - p))

    def code(self, samples: int) -> Fraction | None:
        """Return the average of Huffman's code for the sets of infected samples, or None: they are too many.

        No procedure without errors takes fewer tests on average: its answers are a code. It says a little
        more than the entropy.
        """
        if samples > MOST_CODED:
            return None
        p, q = self.prevalence, 1 - self.prevalence
        heap = [p ** s.bit_count() * q ** (samples - s.bit_count()) for s in range(1 << samples)]
        heapq.heapify(heap)
        total = Fraction(0)
        while len(heap) > 1:
            two = heapq.heappop(heap) + heapq.heappop(heap)
            total += two
            heapq.heappush(heap, two)
        return total


def _odds(rate: Fraction) -> str:
    """Return a probability as odds, which every spec takes."""
    return f"{rate.numerator}:{rate.denominator - rate.numerator}"


def _size(tree: Hierarchy) -> int:
    """Return how many samples are in a pool."""
    return sum(map(_size, tree)) if tree else 1


@cache
def halved(samples: int) -> Hierarchy:
    """Return the pool of so many samples that is halved again and again, the larger half first."""
    if samples == 1:
        return ()
    return halved((samples + 1) // 2), halved(samples // 2)
