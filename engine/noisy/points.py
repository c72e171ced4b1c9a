"""Points that may change places: causes, tests and decisions that are sets of them, as samples in pools are.

To permute points of one kind takes causes to causes, tests to tests and decisions to decisions. If it changes
no weight, price, probability or loss, then a strategy with all names permuted takes the same from permuted
masses. So states that differ in places alone share what is known of them: the kernel gives each a form
(`cext/points.h`), and remembers tests by their names in that form. A declaration is verified before it is
used: `hold` looks at the swaps of two points of a kind, which generate all permutations.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .model import Model, Points

MOST_POINTS = 8
"""Points that the kernel permutes."""


def swapped(some: int, one: int, other: int) -> int:
    """Return a set of points, as bits, in which two have changed places."""
    if (some >> one & 1) == (some >> other & 1):
        return some
    return some ^ (1 << one | 1 << other)


def _images(sets: Sequence[int], one: int, other: int) -> list[int] | None:
    """Return where a swap takes each of these sets, by numbers; None: one is not there, or twice."""
    number = {some: i for i, some in enumerate(sets)}
    found = [number.get(swapped(some, one, other), -1) for some in sets]
    return None if len(number) < len(sets) or -1 in found else found


def hold(model: Model, points: Points) -> bool:
    """Return whether to permute points of one kind changes nothing."""
    if not points.kinds or len(points.kinds) > MOST_POINTS:
        return False
    if any(model.after) or any(model.ends) or any(group is not None for group in model.groups):
        return False
    most, losses = 1 << len(points.kinds), model.losses or ()
    counts = (len(model.weights), len(model.chances), len(losses))
    if counts != (len(points.causes), len(points.tests), len(points.decisions)):
        return False
    if not all(0 <= some < most for sets in (points.causes, points.tests, points.decisions) for some in sets):
        return False
    for kind in set(points.kinds):
        for one, other in pairwise(i for i, own in enumerate(points.kinds) if own == kind):
            causes, tests, decisions = (
                _images(sets, one, other) for sets in (points.causes, points.tests, points.decisions)
            )
            if causes is None or tests is None or decisions is None:
                return False
            if not _keeps(model, causes, tests, decisions):
                return False
    return all(len(set(sets)) == len(sets) for sets in (points.causes, points.tests, points.decisions))


def _keeps(model: Model, causes: list[int], tests: list[int], decisions: list[int]) -> bool:
    """Return whether a renaming changes no weight, price, probability or loss."""
    losses = model.losses or ()
    return (
        all(model.weights[i] == model.weights[j] for i, j in enumerate(causes))
        and all(model.prices[i] == model.prices[j] for i, j in enumerate(tests))
        and all(
            model.chances[i][a] == model.chances[j][b]
            for i, j in enumerate(tests)
            for a, b in enumerate(causes)
        )
        and all(losses[i][a] == losses[j][b] for i, j in enumerate(decisions) for a, b in enumerate(causes))
    )


def for_kernel(model: Model) -> NDArray[Any] | None:
    """Return the points of a model as the kernel takes them, int32; None: none may be used."""
    points = model.points
    if points is None or len(set(points.kinds)) == len(points.kinds) or not hold(model, points):
        return None
    numbers = [*points.kinds, *points.causes, *points.tests, *points.decisions]
    return np.array([len(points.kinds), *numbers], dtype=np.int32)
