"""Every number of leaves with the least cost of a tree that has so many: the judge of limits of leaves.

No bound, no order, no kernel, exact numbers: all trees are tried, but that of two with equally many leaves
below one state only the cheaper is kept. For a handful of causes and tests.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from ..exact import Number
from .model import Model

Costs = dict[int, Number]
"""The least cost by the exact number of leaves."""


def leaf_costs(
    model: Model,
    *,
    worst: bool = False,
    limit: Number | None = None,
    most: int | None = None,
    least: Number = 0,
    first: int | None = None,
) -> Costs:
    """Return the least cost of a tree by its number of leaves; empty: there is no tree.

    The cost is expected, or that which no cause exceeds (`worst`). `limit`: what a path may cost, and lose at
    its end; `most`: how many tests it may ask; `least`: the least mass of a leaf; `first`: the first test.
    """
    tests = range(len(model.chances))

    @cache
    def costs(
        masses: tuple[Number, ...],
        asked: frozenset[int],
        opened: frozenset[int],
        left: Number | None,
        failures: int,
    ) -> Costs:
        found: Costs = {}
        lost = _lost(model, masses, left, worst=worst)
        if lost is not None and sum(masses) >= least and (asked or first is None):
            found[1] = lost
        for test in tests if asked or first is None else [first]:
            price = model.price(test, opened)
            if not model.askable(test, asked) or len(asked) == most or (left is not None and price > left):
                continue
            rest = None if left is None else left - price
            after = asked | {test}, opened | model.group(test), rest
            below: Costs = {0: 0}
            row = model.chances[test]
            for answer in sorted({r for m, cell in zip(masses, row, strict=True) if m for r in cell}):
                part = tuple(m * cell.get(answer, 0) for m, cell in zip(masses, row, strict=True))
                if answer in model.ending(test):
                    each: Costs = {1: 0} if sum(part) >= least else {}
                else:
                    each = costs(part, *after, failures)
                below = _beside(below, each, worst=worst)
            if failures:
                below = _beside(below, costs(masses, *after, failures - 1), worst=worst)
            for leaves, cost in below.items():
                paid = cost + price * (1 if worst else sum(masses))
                found[leaves] = min(found.get(leaves, paid), paid)
        return found

    given = tuple(map(Fraction, model.weights))
    every = costs(given, frozenset(), frozenset(), limit, model.failures)
    weight = Fraction(1) if worst else sum(given, Fraction())
    return {leaves: Fraction(cost) / weight for leaves, cost in every.items()}


def _beside(some: Costs, more: Costs, *, worst: bool) -> Costs:
    """Return the costs of trees side by side, one of each."""
    found: Costs = {}
    for a, x in some.items():
        for b, y in more.items():
            both = max(x, y) if worst else x + y
            found[a + b] = min(found.get(a + b, both), both)
    return found


def _lost(model: Model, masses: tuple[Number, ...], left: Number | None, *, worst: bool) -> Number | None:
    """Return what the best decision loses that is allowed for all who are possible; None: none is."""
    causes = [cause for cause, m in enumerate(masses) if m]
    if model.losses is None:
        return 0 if model.settled(causes) else None
    found: list[Number] = []
    for row in model.losses:
        each = [row[cause] for cause in causes]
        known = [x for x in each if x is not None and (left is None or x <= left)]
        if len(known) == len(causes):
            weighted = [x * masses[cause] for x, cause in zip(known, causes, strict=True)]
            found.append(max(known) if worst else sum(weighted))
    return min(found, default=None)
