"""Plain twin of the tables of missed guesses: exact values where a guess has at most one response that costs.

Such a response is a *miss*: every other response is free. A state is what is left of a set after guesses
were answered. Say that the free answers leave the set P, and that the guesses M missed. Then the secrets left
are those of P on which all of M miss, whatever the order: P, and those guesses of M that tell secrets of P
apart, name them. What may still be asked depends on nothing else, and what is left of the budget is what the
misses leave of it. So the value of a state is a function V(P, M, m) with m misses left:

V(P, M, m) is 0 where at most one secret is left, and otherwise the least, over the guesses g that are not in
M and tell secrets of P apart, of the sum of V(Q, M, m) over the sets Q that the free responses to g leave of
P, and of what the miss takes: its weight times `loss[0]` with m = 0, else its weight times `price` and
V(P, M + g, m - 1). A guess that tells no secrets of P apart tells nothing below P either, and is not asked.

There are few such P, because a free response tells much, and at most as many guesses in M as misses are
allowed: all V(P, M, m) are computed, those of small P first, then with few misses left. The compiled kernel
keeps them in tables; this twin keeps those that it meets.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Set = tuple[int, ...]


class Misses:
    """Compute the values of all states.

    Parameters
    ----------
    table: responses, uint16, shape (guesses, secrets), at least two secrets, told apart.
    paid: the response of each guess that costs, or -1, int32, shape (guesses,).
    weights: at least 1, int64, shape (secrets,).
    loss: what a unit of weight counts that is lost with so many misses left, int64, shape (misses + 1,).
    price: what a unit of weight counts for each miss; `loss` rises by it from each entry to the next.
    memory: bytes for tables, about.

    Attributes
    ----------
    states: states valued.
    """

    def __init__(
        self,
        table: NDArray[np.uint16],
        paid: NDArray[np.int32],
        weights: NDArray[np.int64],
        loss: NDArray[np.int64],
        price: int,
        memory: int,
    ) -> None:
        self.table, self.paid, self.weights = table, paid, weights
        self.loss, self.price, self.misses = loss.tolist(), price, len(loss) - 1
        self.states, self.known = 0, dict[tuple[Set, frozenset[int], int], int]()
        self.memory, self.stopped = memory, False

    def stop(self) -> None:
        """End `run` in another thread."""
        self.stopped = True

    def run(self) -> int:
        """Return the value of all secrets; -1: stopped, or memory or numbers do not suffice."""
        value = self.value(tuple(range(self.table.shape[1])), frozenset(), self.misses)
        return -1 if self.stopped else value

    def value(self, free: Set, missed: frozenset[int], left: int) -> int:
        """Return V(P, M, m), see above."""
        alive = [s for s in free if all(self.table[g, s] == self.paid[g] for g in missed)]
        if len(alive) < 2 or self.stopped:
            return 0
        key = free, frozenset(g for g in missed if self.tells(g, free)), left
        if key not in self.known:
            self.states += 1
            least = self.weight(alive) * self.loss[left]
            for g in range(len(self.table)):
                if g not in missed and self.tells(g, free):
                    least = min(least, self.after(free, missed, left, g, alive))
            self.known[key] = least
        return self.known[key]

    def after(self, free: Set, missed: frozenset[int], left: int, guess: int, alive: list[int]) -> int:
        """Return what a guess takes."""
        parts: dict[int, list[int]] = {}
        for s in free:
            parts.setdefault(int(self.table[guess, s]), []).append(s)
        parts.pop(int(self.paid[guess]), None)
        weight = self.weight([s for s in alive if self.table[guess, s] == self.paid[guess]])
        total = sum(self.value(tuple(part), missed, left) for part in parts.values())
        if not left:
            return total + weight * int(self.loss[0])
        return total + weight * self.price + self.value(free, missed | {guess}, left - 1)

    def tells(self, guess: int, some: Any) -> bool:
        """Return whether a guess tells some secrets apart."""
        return len({int(self.table[guess, s]) for s in some}) > 1

    def weight(self, some: list[int]) -> int:
        """Return the weight of some secrets."""
        return int(self.weights[some].sum())

    def choice(self, candidates: NDArray[np.int32], depth: int, history: tuple[int, ...], left: int) -> int:
        """Return the guess that reaches the value after a history; -1: none is better than giving up.

        What is left is what the history leaves.
        """
        one = int(candidates[0])
        missed = frozenset(g for g in history if self.table[g, one] == self.paid[g])
        kept = np.ones(self.table.shape[1], dtype=bool)
        for g in history:
            if g not in missed:
                kept &= self.table[g] == self.table[g, one]
        free, alive = tuple(np.flatnonzero(kept).tolist()), candidates.tolist()
        few = self.misses - len(missed)
        least, best = self.weight(alive) * self.loss[few], -1
        for g in range(len(self.table)):
            if g not in missed and self.tells(g, alive):
                total = self.after(free, missed, few, g, alive)
                if total < least:
                    least, best = total, g
        return best
