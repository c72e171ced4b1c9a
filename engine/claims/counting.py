"""What counting says of every set of secrets, as a checker of certificates sees it (L2, L3)."""

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
            least = [0, *(kernel.leaves(parts, 1, n) for n in range(1, secrets + 1))]
            self.least = np.array(least, dtype=np.int64)

    def bound(self, n: int, depth: int) -> int:
        """Return at least the total of n secrets within so many guesses."""
        return kernel.INFINITE if n > self.settled(depth) else int(self.least[n])

    def settled(self, depth: int) -> int:
        """Return at most how many secrets so many guesses settle."""
        return -1 if depth < 0 else self.capacity[min(depth, len(self.capacity) - 1)]


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
