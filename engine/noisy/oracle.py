"""Exhaustive values of a model, the judge of the search: no bound, no order, no kernel, exact numbers.

Every test is followed in every state (masses, tests asked, groups opened). For a handful of causes and tests.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from ..exact import Number
from .model import Model

INFINITE = float("inf")
"""More than any value: of what cannot be decided."""


def expected(model: Model, limit: Number | None = None, most: int | None = None) -> Fraction | None:
    """Return exactly the least expected cost over all strategies, or None: there is no strategy.

    Some of the cost may be the loss of what is decided at the end. `limit`: what a path may cost, and
    lose at its end; `most`: how many tests it may ask.
    """
    tests = range(len(model.chances))

    @cache
    def value(
        masses: tuple[Number, ...], asked: frozenset[int], opened: frozenset[int], left: Number | float
    ) -> Number | float:
        least = _loss(model, masses, left)
        for test in tests:
            price = model.price(test, opened)
            if model.askable(test, asked) and price <= left and len(asked) != most:
                after, groups = asked | {test}, opened | model.group(test)
                total: Number | float = sum(masses) * price
                for answer in _answers(model, masses, test):
                    total += value(_split(model, masses, test, answer), after, groups, left - price)
                least = min(least, total)
        return least

    found = value(model.weights, frozenset(), frozenset(), INFINITE if limit is None else limit)
    return None if isinstance(found, float) else Fraction(found) / sum(model.weights)


def worst(model: Model, most: int | None = None) -> Fraction | None:
    """Return exactly the least cost that no cause exceeds, whatever is answered; None: no strategy.

    `most`: how many tests a path may ask.
    """
    tests = range(len(model.chances))

    @cache
    def value(
        masses: tuple[Number, ...], asked: frozenset[int], opened: frozenset[int], failures: int
    ) -> Number | float:
        least = _largest_loss(model, masses)
        for test in tests:
            if model.askable(test, asked) and len(asked) != most:
                after, groups = asked | {test}, opened | model.group(test)
                below = [
                    value(_possible(_split(model, masses, test, answer)), after, groups, failures)
                    for answer in _answers(model, masses, test)
                ]
                if failures:
                    below.append(value(masses, after, groups, failures - 1))
                least = min(least, model.price(test, opened) + max(below, default=0))
        return least

    found = value(_possible(model.weights), frozenset(), frozenset(), model.failures)
    return None if isinstance(found, float) else Fraction(found)


def _split(model: Model, masses: tuple[Number, ...], test: int, answer: int) -> tuple[Number, ...]:
    """Return the masses after an answer."""
    return tuple(m * row.get(answer, 0) for m, row in zip(masses, model.chances[test], strict=True))


def _possible(masses: tuple[Number, ...]) -> tuple[Number, ...]:
    """Return 1 for each cause that is possible, else 0: for the worst case only that counts."""
    return tuple(int(m > 0) for m in masses)


def _answers(model: Model, masses: tuple[Number, ...], test: int) -> list[int]:
    """Return the answers that a test may get, of those after which something is left to do."""
    met = {r for m, row in zip(masses, model.chances[test], strict=True) if m for r in row}
    return sorted(met - model.ending(test))


def _loss(model: Model, masses: tuple[Number, ...], left: Number | float = INFINITE) -> Number | float:
    """Return what the best decision loses, weighted, of those that never lose more than is left."""
    causes = [cause for cause, m in enumerate(masses) if m]
    if model.losses is None:
        return 0 if model.settled(causes) else INFINITE
    allowed = [tuple(None if x is None or x > left else x for x in row) for row in model.losses]
    return min((_weighted(row, masses) for row in allowed), default=INFINITE)


def _weighted(losses: tuple[Number | None, ...], masses: tuple[Number, ...]) -> Number | float:
    """Return what a decision loses, weighted by masses."""
    total: Number = 0
    for one, m in zip(losses, masses, strict=True):
        if m and one is None:
            return INFINITE
        total += m * (one or 0)
    return total


def _largest_loss(model: Model, masses: tuple[Number, ...]) -> Number | float:
    """Return the most that the best decision loses for a cause that is possible."""
    if model.losses is None:
        return _loss(model, masses)
    each = [[one for one, m in zip(row, masses, strict=True) if m] for row in model.losses]
    return min((max(INFINITE if x is None else x for x in row) for row in each), default=INFINITE)
