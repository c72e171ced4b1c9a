"""A model in arrays of numbers, as the compiled search sees it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from typing import Any

import numpy as np

from ..exact import Number
from .model import Model

EXACT = 1 << 53
"""Doubles hold all integers up to here."""


MOST_APART = 300
"""Causes of which every two are compared."""


@dataclass(frozen=True)
class Arrays:
    """What a kernel is given of a model, and what its values are counted in.

    Attributes
    ----------
    given: arguments of `masses.Searcher`.
    unit: what 1 of the objective is counted as: of the expected cost, times the sum of the weights.
    whole: whether all values are integers, so that the kernel's are exact.
    """

    given: dict[str, Any]
    unit: Fraction
    whole: bool

    @classmethod
    def of(cls, model: Model, *, worst: bool = False) -> Arrays:
        """Return a model for its least expected cost, or for its least worst case."""
        tests, columns = len(model.chances), merged(model)
        coin = lcm(*(Fraction(x).denominator for x in _paid(model)))
        heavy = lcm(*(Fraction(w).denominator for w in model.weights))
        below = 1
        if not worst:
            below = lcm(
                *(
                    prod(lcm(*(p.denominator for p in row[some[0]].values())) for row in model.chances)
                    for some in columns
                )
            )
        most = coin * (
            sum(map(Fraction, model.prices))
            + max((x for row in model.losses or () for x in row if x), default=0)
        )
        if not worst:
            most *= heavy * below * sum(model.weights)
        whole = most < EXACT
        share = below if whole else 1
        causes = len(columns)
        given = _cells(model, [some[0] for some in columns])
        given |= {
            "prices": np.array([float(p * coin) for p in model.prices]),
            "later": np.array([float(p * coin) for p in model.later or model.prices]),
            "groups": np.array(
                [-1 if g is None else g for g in model.groups or [None] * tests], dtype=np.int32
            ),
            "begin": np.full(causes, 1.0 if worst else float(share)),
            "rows": _rows(model, columns, 1 if worst else heavy, coin, worst=worst),
            "overlap": _overlap(model, columns),
            "apart": _apart(model, columns, coin),
            "even": all(len(set(cell.values())) == 1 for row in model.chances for cell in row),
            "whole": whole,
            "worst": worst,
        }
        return cls(given, Fraction(coin * (1 if worst else heavy * share)), whole)


def merged(model: Model) -> list[list[int]]:
    """Return the causes, those together that no test tells apart where decisions are what counts."""
    if model.losses is None and not model.cliques:
        return [[cause] for cause in range(len(model.weights))]
    found: dict[Hashable, list[int]] = {}
    for cause in range(len(model.weights)):
        key = tuple(tuple(sorted(row[cause].items())) for row in model.chances)
        found.setdefault(key, []).append(cause)
    return list(found.values())


def _paid(model: Model) -> list[Number]:
    """Return all that is paid: prices and losses."""
    return [*model.prices, *model.later, *(x for row in model.losses or () for x in row if x is not None)]


def _cells(model: Model, causes: list[int]) -> dict[str, Any]:
    """Return who may answer what: cells one after another, by test and cause."""
    tests, answers = len(model.chances), 1 + max(r for row in model.chances for cell in row for r in cell)
    starts, given, shares, kinds = [0], [], [], np.zeros((tests, len(causes)), dtype=np.int32)
    for test, row in enumerate(model.chances):
        known: dict[Hashable, int] = {}
        for place, cause in enumerate(causes):
            cell = tuple(sorted(row[cause].items()))
            kinds[test, place] = known.setdefault(cell, len(known))
            given += [r for r, _ in cell]
            shares += [p for _, p in cell]
            starts.append(len(given))
    single = np.array(given, dtype=np.int32).reshape(tests, -1) if len(given) == kinds.size else None
    ends = np.zeros((tests, answers), dtype=np.uint8)
    for test in range(tests):
        ends[test, [r for r in model.ending(test) if r < answers]] = 1
    words = (tests + 63) // 64
    after = None
    if any(model.after):
        after = np.array([_words(needed, words) for needed in model.after], dtype=np.uint64)
    return {
        "starts": np.array(starts, dtype=np.int32),
        "answers": np.array(given, dtype=np.int32),
        "shares": np.array([float(p) for p in shares]),
        "prints": _prints(shares),
        "kinds": kinds,
        "single": single,
        "ends": ends,
        "after": after,
    }


def _words(members: Any, words: int) -> list[int]:
    """Return a set of numbers as bits, 64 in a word."""
    whole = sum(1 << i for i in members)
    return [whole >> (64 * w) & (1 << 64) - 1 for w in range(words)]


def _rows(
    model: Model, columns: list[list[int]], heavy: int, coin: int, *, worst: bool
) -> np.ndarray[Any, Any]:
    """Return for each column its weight, what it loses at least, and what it loses by each decision, weighted."""
    rows = np.zeros((len(columns), 2 + len(model.losses or ())))
    for place, some in enumerate(columns):
        weights = [1 if worst else model.weights[i] * heavy for i in some]
        rows[place, 0] = 1 if worst else float(sum(weights))
        for d, losses in enumerate(model.losses or ()):
            each = [
                None if losses[i] is None else losses[i] * w * coin
                for i, w in zip(some, weights, strict=True)
            ]
            joined = max if worst else sum
            rows[place, 2 + d] = float("inf") if None in each else float(joined(each))
        if model.losses:
            rows[place, 1] = min(
                [rows[place, 2:].min(), *(float(x * coin) * rows[place, 0] for x in _stops(model, some[0]))]
            )
    return rows


def _stops(model: Model, cause: int) -> list[Number]:
    """Return what the tests cost at least that may end the path of a cause."""
    later = model.later or model.prices
    return [later[t] for t, row in enumerate(model.chances) if model.ending(t) & row[cause].keys()]


def _overlap(model: Model, columns: list[list[int]]) -> np.ndarray[Any, Any] | None:
    """Return which columns may be named together, bits of each; None: none may."""
    if model.losses is not None or not model.cliques:
        return None
    place = {cause: at for at, some in enumerate(columns) for cause in some}
    near = [{place[other] for other in model.overlaps[some[0]]} for some in columns]
    if all(len(some) == 1 for some in near):
        return None
    return np.array([_words(some, (len(columns) + 63) // 64) for some in near], dtype=np.uint64)


def _apart(model: Model, columns: list[list[int]], coin: int) -> np.ndarray[Any, Any] | None:
    """Return what a cause pays at least to end without another: for a test that it may answer as that cannot.

    None where all tests cost the same, or where causes may end together at a loss.
    """
    low = [min(pair) * coin for pair in zip(model.prices, model.later or model.prices, strict=True)]
    if model.losses is not None or len(set(low)) == 1 or len(columns) > MOST_APART:
        return None
    apart = np.full((len(columns), len(columns)), np.inf)
    for price, row in zip(low, model.chances, strict=True):
        sets = [row[some[0]].keys() for some in columns]
        beyond = np.array([[not one <= other for other in sets] for one in sets])
        apart = np.where(beyond, np.minimum(apart, float(price)), apart)
    for place, some in enumerate(columns):
        near = {other for other, them in enumerate(columns) if them[0] in model.overlaps[some[0]]}
        apart[place, list(near)] = 0
    return apart


def _prints(shares: list[Fraction]) -> np.ndarray[Any, Any]:
    """Return two words for each probability, which add up to equal sums for equal products."""
    base = _coprime({n for p in set(shares) for n in p.as_integer_ratio()} - {1})
    dice = np.random.default_rng(16)
    words = [[int(x) for x in dice.integers(0, 1 << 64, 2, dtype=np.uint64)] for _ in base]
    known: dict[Fraction, list[int]] = {}
    for p in set(shares):
        known[p] = [0, 0]
        for n, sign in zip(p.as_integer_ratio(), (1, -1), strict=True):
            for factor, word in zip(base, words, strict=True):
                while n % factor == 0:
                    n //= factor
                    known[p] = [(a + sign * b) % (1 << 64) for a, b in zip(known[p], word, strict=True)]
    return np.array([known[p] for p in shares], dtype=np.uint64).reshape(-1, 2)


def _coprime(numbers: set[int]) -> list[int]:
    """Return numbers above 1, no two with a common factor, of which each given one is a product."""
    from math import gcd

    base: list[int] = []
    waiting = sorted(numbers)
    while waiting:
        n = waiting.pop()
        for at, other in enumerate(base):
            common = gcd(n, other)
            if common > 1:
                del base[at]
                waiting += [x for x in (common, n // common, other // common) if x > 1]
                break
        else:
            base.append(n)
    return base
