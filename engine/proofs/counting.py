"""What counting says of every set of secrets, as a checker of certificates sees it (L2 to L4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import claims as kernel

Costs = NDArray[np.int64]


class Counting:
    """Bounds for sets of which no guess makes more than so many parts.

    Attributes
    ----------
    least: at least the total of n secrets, int64, shape (secrets + 1,); INFINITE where no guess tells enough.
    capacity: at most how many secrets d guesses settle, for d = 0, 1, ... until all.
    """

    def __init__(self, profile: Sequence[int], parts: int, secrets: int, *, win: bool) -> None:
        self.parts, self.win = parts, win
        self.capacity = settled_at_most(profile, parts, secrets, win=win)
        self.least: Costs
        if win:
            least = totals_by_parts(profile, parts, secrets, relaxed=False)
            if least is None:
                least = totals_by_parts(profile, parts, secrets, relaxed=True)
            assert least is not None
            self.least = np.array(least, dtype=np.int64)
        else:
            self.least = leaves(parts, np.minimum(np.arange(secrets + 1), 1), np.arange(secrets + 1))

    def bound(self, n: int, depth: int) -> int:
        """Return at least the total of n secrets within so many guesses."""
        return kernel.INFINITE if n > self.settled(depth) else int(self.least[n])

    def settled(self, depth: int) -> int:
        """Return at most how many secrets so many guesses settle."""
        return -1 if depth < 0 else self.capacity[min(depth, len(self.capacity) - 1)]

    def of_sizes(self, n: int, depth: int) -> Costs:
        """Return the bounds of 0, 1, ..., n secrets within so many guesses."""
        costs = self.least[: n + 1].copy()
        costs[self.settled(depth) + 1 :] = kernel.INFINITE
        return costs

    def even(self, costs: Costs, n: int, most: int) -> Costs:
        """Return at least the total of n secrets after a guess of k parts, shape (2, most + 1).

        Row 1: one of them is won. L is convex, so an even split is least; to identify, the trees below the
        parts are counted together (L4).
        """
        parts = np.arange(most + 1)
        even = np.full((2, most + 1), kernel.INFINITE, dtype=np.int64)
        if not self.win:
            room = int((costs < kernel.INFINITE).sum()) - 1
            even[0, 1:] = np.where(
                n > parts[1:] * room, kernel.INFINITE, n + leaves(self.parts, parts[1:], n)
            )
            return np.minimum(even, kernel.INFINITE)
        for won in (0, 1):
            k = parts[won + 1 :] - won
            if not len(k):
                continue
            size, more = (n - won) // k, (n - won) % k
            upper = np.minimum(size + 1, n)
            total = n + (k - more) * costs[size] + more * np.where(more > 0, costs[upper], 0)
            out = (costs[size] >= kernel.INFINITE) | ((more > 0) & (costs[upper] >= kernel.INFINITE))
            even[won, won + 1 :] = np.where(out, kernel.INFINITE, total)
        if n == 1:
            even[1, 1] = 1
        return even


def settled_at_most(profile: Sequence[int], parts: int, secrets: int, *, win: bool) -> list[int]:
    """Return at most how many secrets d guesses settle, d = 0, 1, ..., until all or no more are."""
    ranks = np.array([sum(p > r for p in profile) for r in range(max(profile, default=0))], dtype=np.int64)
    values = [0 if win else 1]
    while values[-1] < secrets:
        room = np.minimum(ranks, values[-1])
        most = int(room[:parts].sum())
        if win:
            most = max(most, 1 + int(room[: parts - 1].sum()))
        most = min(max(most, 0 if win else 1), secrets)
        if most == values[-1]:
            break
        values.append(most)
    return values


class SmallestPlaces:
    """The places of the parts that a guess leaves, the smallest first; L(j + 1) - L(j) is the cost of one."""

    def __init__(self, profile: Sequence[int], first: int, most: int) -> None:
        self.profile, self.first, self.most = profile, first, most
        self.level = self.used = self.taken = self.cost = 0

    def room(self, level: int, most: int) -> int:
        """Return how many parts may have more than `level` secrets."""
        return min(self.profile[level] if level < len(self.profile) else 0, most)

    def fill(self, count: int, known: int, least: Sequence[int]) -> bool:
        """Take places until there are `count`, in parts of at most `known` secrets; say whether there are."""
        while self.taken < count:
            if self.level + 1 > known:
                return False
            if self.used < self.room(self.level, self.most if self.level else self.first):
                self.used, self.taken = self.used + 1, self.taken + 1
                self.cost += least[self.level + 1] - least[self.level]
            elif not self.room(self.level, self.most):
                return False
            else:
                self.level, self.used = self.level + 1, 0
        return True


def totals_by_parts(profile: Sequence[int], parts: int, secrets: int, *, relaxed: bool) -> list[int] | None:
    """Return at least the total of n secrets to win, n = 0, 1, ..., or None if that is not convex.

    Won by the guess, parts - 1 others share n - 1 secrets; not won, `parts` share n. Relaxed: at most both.
    """
    won = SmallestPlaces(profile, parts - 1, parts if relaxed else parts - 1)
    missed = SmallestPlaces(profile, parts, parts)
    least = [0, 1]
    for n in range(2, secrets + 1):
        best = kernel.INFINITE
        if won.fill(n - 1, n - 1, least):
            best = n + won.cost
        if not relaxed and missed.fill(n, n - 1, least):
            best = min(best, n + missed.cost)
        if best == kernel.INFINITE:
            return least + [kernel.INFINITE] * (secrets + 1 - n)
        if best - least[-1] < least[-1] - least[-2]:
            return None
        least.append(best)
    return least[: secrets + 1]


def leaves(parts: int, nodes: Costs, n: Costs | int) -> Costs:
    """Return the least sum of depths of n leaves below some nodes, if nodes have at most so many branches.

    To identify, a secret is a leaf and costs its depth. INFINITE where that many leaves cannot be had.
    """
    nodes, n = np.broadcast_arrays(np.asarray(nodes, dtype=np.int64), np.asarray(n, dtype=np.int64))
    if parts < 2:
        return np.where(n == nodes, 0, kernel.INFINITE)
    full, depth = nodes.copy(), np.zeros_like(nodes)
    while (deeper := n > full * parts).any():
        full, depth = np.where(deeper, full * parts, full), depth + deeper
    split = -(-(n - full) // (parts - 1))  # so many of the nodes at this depth have branches
    return full * depth + split + (n - full) * (depth + 1)
