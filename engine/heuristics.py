"""One-step valuations of a guess by the sizes of its parts, each an integer ranking (smaller is better)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Sizes = NDArray[np.int32]
Scores = NDArray[np.int64]


def max_part(sizes: Sizes) -> Scores:
    """Return the size of the largest part of each guess (Knuth 1977); sizes: (guesses, responses)."""
    return sizes.max(axis=1).astype(np.int64)


def expected_size(sizes: Sizes) -> Scores:
    """Return the sum of squared sizes: candidates times the expected size of the part (Irving 1978)."""
    wide = sizes.astype(np.int64)
    return (wide * wide).sum(axis=1)


def parts(sizes: Sizes) -> Scores:
    """Return minus the number of parts that are not empty (Kooi 2005)."""
    return -(sizes > 0).sum(axis=1).astype(np.int64)


VALUATIONS: dict[str, Callable[[Sizes], Scores]] = {
    "max-part": max_part,
    "expected-size": expected_size,
    "parts": parts,
}
