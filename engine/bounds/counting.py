"""Admissible lower bounds by counting, each with its proof.

Both take a *profile* of the game: profile[j] is at most how many parts of more than j secrets a guess leaves,
j = 0, 1, ...; to win, the part that wins is not counted. On any subset of the secrets no guess does better.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..state import Table


def profile_of(sizes: NDArray[np.int32]) -> list[int]:
    """Return the profile of guesses with these sizes of parts, int32, shape (guesses, responses)."""
    largest = np.sort(sizes, axis=1).max(axis=0)  # at each place from the end, ascending
    smaller = np.searchsorted(largest, np.arange(int(largest.max(initial=0))), side="right")
    return [int(many) for many in len(largest) - smaller]


def capacities(profile: Sequence[int], secrets: int, *, win: bool) -> NDArray[np.int64]:
    """Return at most how many secrets d guesses can settle, for d = 0, 1, ... until all are.

    A guess leaves parts that d - 1 guesses settle, so of each part at most capacity[d - 1] secrets count:
    that is at most the sum of profile[j] over j < capacity[d - 1], and one more on which the guess wins.
    int64, shape (depths,).
    """
    values = [0 if win else 1]
    room, level = int(win), 0
    while values[-1] < secrets:
        while level < min(values[-1], len(profile)):
            room += profile[level]
            level += 1
        stuck = min(room, secrets) == values[-1]  # nothing can be told apart
        values.append(secrets if stuck else min(room, secrets))
    return np.array(values, dtype=np.int64)


@dataclass(frozen=True)
class LeastCosts:
    """What every secret pays at least; see the arguments of `reference_priced.Searcher`."""

    min_ask: NDArray[np.int64]
    min_finish: NDArray[np.int64]
    unit: int
    single_price: int


def least_costs(table: Table, costs: NDArray[np.int64], winning: int) -> LeastCosts:
    """Return at least what a secret pays for a guess that does not win on it, and exactly for one that does.

    Only guesses that tell something about all secrets count: with one response on all, a guess has one on
    every subset, and is never asked unless it wins. To identify, nothing is paid at the end. Where none wins
    (to identify), or all win, the other number is 0. int64, shape (secrets,).
    """
    none = np.iinfo(np.int64).max
    min_ask, min_finish = (np.full(table.shape[1], none, dtype=np.int64) for _ in range(2))
    met: list[list[int]] = []
    for row, prices in zip(table, costs, strict=True):
        kinds = np.flatnonzero(np.bincount(row))
        wins = row == winning
        if len(kinds) < 2 and not wins.any():
            continue
        paid = prices[row]
        met.append([int(prices[r]) for r in kinds])
        np.minimum(min_ask, np.where(wins, none, paid), out=min_ask)
        np.minimum(min_finish, np.where(wins, paid, none), out=min_finish)
    min_ask[min_ask == none] = 0
    min_finish[min_finish == none] = 0
    least = min((min(some) for some in met), default=0)
    single = not least and all(sum(c > 0 for c in some) <= 1 for some in met)
    single_price = min((c for some in met for c in some if c), default=0) if single else 0
    return LeastCosts(min_ask, min_finish, least, single_price)


def least_weighted(weights: Sequence[int], branches: int, *, win: bool) -> int:
    """Return at least the weighted number of guesses for secrets of these weights.

    A guess leaves at most `branches` parts, beside the secret that it wins on. To win, at most branches^(d-1)
    secrets are won by the d-th guess of their path; the heaviest first is least. To identify, the depths are
    those of the leaves of a tree with at most so many branches, of which Huffman's (1952) has the least
    weighted depth.
    """
    if win:
        total, room, depth = 0, 0, 0
        width = 1
        for weight in sorted(weights, reverse=True):
            if room == 0:
                depth, room, width = depth + 1, width, min(width * max(branches, 1), len(weights))
            room -= 1
            total += depth * weight
        return total
    branches = max(branches, 2)
    heap, total = list(weights), 0
    heapq.heapify(heap)
    take = 2 + (len(heap) - 2) % (branches - 1)  # then the root is full
    while len(heap) > 1:
        joined = sum(heapq.heappop(heap) for _ in range(take))
        total, take = total + joined, branches
        heapq.heappush(heap, joined)
    return total


def least_totals(profile: Sequence[int], secrets: int, *, win: bool) -> NDArray[np.int64]:
    """Return at least the total number of guesses for n secrets, n = 0, 1, ..., `secrets`.

    To win, L(1) = 1, and n secrets pay a guess each; one may win, the others lie in parts. At most profile[j]
    parts have more than j secrets, so the (j+1)-th secret of a part, which adds at least L(j+1) - L(j), can
    occur at most profile[j] times. L is convex by induction (the additions never decrease), so filling the
    places of the smallest j first is least: L(n+1) - L(n) = 1 + L(j+1) - L(j), where j is the place that
    the new secret takes. A set that d guesses can settle is settled by this filling within d guesses, so
    the same totals hold under a depth limit.

    To identify: a tree with n leaves and at most profile[0] branches per node has least external path
    length when it is balanced: with depth t the largest such that profile[0]^t <= n, moving leaves one level
    down as few times as possible. int64, shape (secrets + 1,).
    """
    totals = np.zeros(secrets + 1, dtype=np.int64)
    if win:
        totals[1:2] = 1
        place, room = 0, profile[0] if profile else 1
        for n in range(2, secrets + 1):
            while room == 0:
                place += 1
                room = profile[place] if place < len(profile) else secrets
            totals[n] = totals[n - 1] + 1 + totals[place + 1] - totals[place]
            room -= 1
        return totals
    branches = max(profile[0] if profile else 1, 1)
    full, depth = 1, 0
    for n in range(2, secrets + 1):
        if branches > 1 and n > full * branches:
            full, depth = full * branches, depth + 1
        # n leaves from `full` at this depth: splitting s of them adds at most (branches - 1) s leaves
        split = -(-(n - full) // max(branches - 1, 1))
        totals[n] = full * depth + split + (n - full) * (depth + 1)
    return totals
