"""Admissible lower bounds by counting, each with its proof."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def capacities(responses: int, secrets: int, *, win: bool) -> NDArray[np.int64]:
    """Return at most how many secrets d guesses can settle, for d = 0, 1, ... until all are.

    To win: a guess wins on one secret and leaves at most `responses` - 1 parts, so at most
    (responses - 1)^(d - 1) secrets are won by the d-th guess. To identify: d guesses give at most
    responses^d different sequences of answers. int64, shape (depths,).
    """
    values = [0 if win else 1]
    level = 1
    while values[-1] < secrets:
        values.append(min(values[-1] + level if win else values[-1] * responses, secrets))
        level *= responses - 1
        if len(values) > secrets + 1:  # a single response: nothing can be told apart
            values[-1] = secrets
    return np.array(values, dtype=np.int64)


def least_totals(responses: int, secrets: int, *, win: bool) -> NDArray[np.int64]:
    """Return at least the total number of guesses for n secrets, n = 0, 1, ..., `secrets`.

    To win: by `capacities` at most (responses - 1)^(d - 1) secrets are won by the d-th guess, so filling
    the levels from the top is least. To identify: a tree with n leaves and at most `responses` branches per
    node has least external path length when it is balanced: with depth t the largest such that
    responses^t <= n, moving leaves one level down as few times as possible (each splits a leaf into at most
    `responses`). A set that d guesses can settle at all is settled by this filling within d guesses, so the
    same totals hold under a depth limit. To win, they are convex in n. int64, shape (secrets + 1,).
    """
    totals = np.zeros(secrets + 1, dtype=np.int64)
    if win:
        n, depth, room = 0, 0, 0
        width = 1
        while n < secrets:
            if room == 0:
                depth, room = depth + 1, width
                width = min(width * max(responses - 1, 1), secrets)
            n, room = n + 1, room - 1
            totals[n] = totals[n - 1] + depth
        return totals
    full, depth = 1, 0
    for n in range(2, secrets + 1):
        if responses > 1 and n > full * responses:
            full, depth = full * responses, depth + 1
        # n leaves from `full` at this depth: splitting s of them adds at most (responses - 1) s leaves
        split = -(-(n - full) // max(responses - 1, 1))
        totals[n] = full * depth + split + (n - full) * (depth + 1)
    return totals
