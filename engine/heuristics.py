"""One-step valuations of a guess by the sizes of its parts, each an integer ranking with an exact tie rule.

The least score wins. Ties go to a guess that is a candidate, then to the smallest guess.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log2, prod

import numpy as np
from numpy.typing import NDArray

from .errors import GuesstreeError

Longs = NDArray[np.int64]
Sizes = Sequence[int]
ENTROPY_SCALE = 1 << 28
"""Units of n log2 n. A double keeps the product exact to a unit for n up to 2^20."""


@dataclass(frozen=True)
class Valuation:
    """A way to score a guess by the sizes of its parts.

    Attributes
    ----------
    name, author: what it is called, and who proposed it.
    figure: what people quote (largest part, expected size, bits of entropy, parts), from the sizes.
    best: ``min`` or ``max``, of that figure.
    part_scores: what a part of n secrets adds to the score, for n = 0 .. secrets, int64 and convex from 1 on;
        None: the score is the largest part.
    compare: exact comparison of two lists of sizes where scores are rounded (sign of a - b), or None.
    """

    name: str
    author: str
    best: str
    figure: Callable[[Sizes], Fraction | float | int]
    part_scores: Callable[[int], Longs] | None
    compare: Callable[[Sizes, Sizes], int] | None = None

    def scores(self, secrets: int) -> Longs:
        """Return the score of a part of each size, shape (secrets + 1,); empty: the largest part."""
        return np.zeros(0, dtype=np.int64) if self.part_scores is None else self.part_scores(secrets)

    def tolerance(self, parts: int) -> int:
        """Return by how much scores may differ and still need `compare`: the rounding of so many parts."""
        return 0 if self.compare is None else 4 * parts


def entropy_scores(secrets: int) -> Longs:
    """Return n log2 n in units of 2^-28, rounded, for n = 0 .. secrets."""
    n = np.arange(secrets + 1, dtype=np.float64)
    n[0] = 1  # an empty part adds nothing
    return np.rint(n * np.log2(n) * ENTROPY_SCALE).astype(np.int64)


def compare_entropy(a: Sizes, b: Sizes) -> int:
    """Return exactly the sign of sum n log n over a minus that over b, by comparing the products of n^n."""
    left, right = (prod(n**n for n in sizes if n) for sizes in (a, b))
    return (left > right) - (left < right)


def entropy(sizes: Sizes) -> float:
    """Return the entropy of a partition in bits."""
    total = sum(sizes)
    return log2(total) - sum(n * log2(n) for n in sizes if n) / total


def expected_size(sizes: Sizes) -> Fraction:
    """Return the expected size of the part that the secret is in."""
    return Fraction(sum(n * n for n in sizes), sum(sizes))


def count_parts(sizes: Sizes) -> int:
    """Return the number of parts that are not empty."""
    return sum(1 for n in sizes if n)


VALUATIONS = {
    valuation.name: valuation
    for valuation in (
        Valuation("max-part", "Knuth 1977", "min", max, None),
        Valuation(
            "expected-size",
            "Irving 1978",
            "min",
            expected_size,
            lambda secrets: np.arange(secrets + 1, dtype=np.int64) ** 2,
        ),
        Valuation("entropy", "Neuwirth 1982", "max", entropy, entropy_scores, compare_entropy),
        Valuation(
            "parts",
            "Kooi 2005",
            "max",
            count_parts,
            lambda secrets: -np.minimum(np.arange(secrets + 1, dtype=np.int64), 1),
        ),
    )
}
CONSISTENT = ("first-consistent", "random-consistent")
"""Methods that ask some candidate, unvalued."""
METHODS = (*VALUATIONS, *CONSISTENT)


def own_valuation(name: str) -> Callable[[Sizes], float]:
    """Return a user's valuation ``module:function``: sizes of the parts -> score, the least wins.

    Raises GuesstreeError when there is no such function.
    """
    module, _, function = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise GuesstreeError(f"method {name!r}: {error}; accepted: module:function") from None
    if not callable(found):
        raise GuesstreeError(f"method {name!r} is not a function of the sizes of the parts")
    return found


def check_method(name: str) -> None:
    """Raise GuesstreeError for a method that is neither built in nor ``module:function``."""
    if name not in METHODS and ":" not in name:
        raise GuesstreeError(
            f"unknown method {name!r}; accepted: exact, {', '.join(METHODS)}, module:function"
        )
