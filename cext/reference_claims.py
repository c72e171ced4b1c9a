"""The plain twin of `claims`: what a checker of proofs counts for all guesses at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

INFINITE = 1 << 50

Ints = NDArray[np.int32]
Costs = NDArray[np.int64]


class Counter:
    """Counts the parts of sets.

    Parameters
    ----------
    table: every response, at most 255, shape (guesses, secrets).
    own: the secret that each guess names, or -1; int32, shape (guesses,).
    winning: the response that ends the game, or -1.
    """

    def __init__(self, table: NDArray[np.uint8], own: Ints, responses: int, winning: int) -> None:
        self.table, self.own, self.responses, self.winning = table, own, responses, winning

    def parts(self, candidates: Ints) -> NDArray[np.uint8]:
        """Return how many parts each guess makes of a set, uint8, shape (guesses,)."""
        return np.array([len(np.unique(row)) for row in self.table[:, candidates]], dtype=np.uint8)

    def least(
        self, candidates: Ints, parts: NDArray[np.uint8], of_size: Costs, even: Costs, floor: int
    ) -> int:
        """Return the least over all guesses of what they cost at least, by the sizes of their parts.

        Guesses that leave the set whole are left out. `of_size`: what so many secrets cost at least, int64,
        shape (n + 1,); `even`: what a guess of k parts costs at least, row 1 where one of them is won, int64,
        shape (2, most parts + 1); `floor`: nothing is below it.
        """
        best = INFINITE
        for guess in np.argsort(-parts.astype(np.int32), kind="stable")[:1].tolist() + list(
            range(len(parts))
        ):
            if parts[guess] > 1 and even[self._wins(candidates, guess), parts[guess]] < best:
                best = min(best, self._by_sizes(candidates, guess, of_size))
        return max(best, floor)

    def weak(
        self, candidates: Ints, parts: NDArray[np.uint8], of_size: Costs, even: Costs, bound: int
    ) -> Ints:
        """Return the guesses, rising, that neither number nor sizes of their parts show to cost `bound`."""
        found = [
            guess
            for guess in range(len(parts))
            if (parts[guess] > 1 or len(candidates) == 1)
            and even[self._wins(candidates, guess), parts[guess]] < bound
            and self._by_sizes(candidates, guess, of_size) < bound
        ]
        return np.array(found, dtype=np.int32)

    def _wins(self, candidates: Ints, guess: int) -> int:
        return int(self.winning >= 0 and self.own[guess] in candidates)

    def _by_sizes(self, candidates: Ints, guess: int, of_size: Costs) -> int:
        sizes = np.bincount(self.table[guess, candidates], minlength=self.responses)
        if self.winning >= 0:
            sizes[self.winning] = 0
        return min(len(candidates) + int(of_size[sizes].sum()), INFINITE)
