"""The plain twin of `claims`: what a checker of proofs finds by itself about sets of secrets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

INFINITE = 1 << 50

Ints = NDArray[np.int32]
Costs = NDArray[np.int64]


@dataclass
class Counts:
    """What counting says below a claim.

    Attributes
    ----------
    least: at least the total of so many secrets, int64, shape (secrets + 1,).
    parts: parts that a guess makes at most.
    settled, later: secrets that are settled at most with one guess less, and with two less.
    depth: guesses left after one.
    enough: INFINITE where less says nothing: a look ahead may end below it; else 0.
    """

    least: Costs
    parts: int
    settled: int
    later: int
    depth: int
    enough: int

    def bound(self, n: int, settled: int) -> int:
        """Return at least the total of n secrets where so many are settled at most."""
        return INFINITE if n > settled else int(self.least[n])


def leaves(parts: int, nodes: int, n: int) -> int:
    """Return the least sum of depths of n leaves below some nodes, if nodes have at most so many branches.

    To identify, a secret is a leaf and costs its depth. INFINITE where that many leaves cannot be had.
    """
    depth = 0
    if n == nodes:
        return 0
    if parts < 2:
        return INFINITE
    while n > nodes * parts:
        nodes, depth = nodes * parts, depth + 1
    return nodes * depth + -(-(n - nodes) // (parts - 1)) + (n - nodes) * (depth + 1)


class Counter:
    """Bounds of sets, as a checker has them: by counting, by what is proved, and one step ahead.

    Parameters
    ----------
    table: every response, at most 255, uint8, shape (guesses, secrets).
    own: the secret that each guess names, or -1; int32, shape (guesses,).
    winning: the response that ends the game, or -1: the goal is to identify.
    only: whether only guesses that name a secret of the set at hand may be asked.
    memory: bytes of looks ahead that are kept at most.
    """

    def __init__(
        self,
        table: NDArray[np.uint8],
        own: Ints,
        responses: int,
        winning: int,
        only: bool = False,
        memory: int = 0,
    ) -> None:
        self.table, self.own, self.winning, self.only = table, own, winning, only
        self.win = winning >= 0
        self.proved: dict[tuple[bytes, int], int] = {}

    def parts(self, candidates: Ints) -> NDArray[np.uint8]:
        """Return how many parts each guess makes, 0 if it may not be asked; uint8, shape (guesses,)."""
        may = np.isin(self.own, candidates) if self.only else np.ones(len(self.own), dtype=bool)
        return np.array([len(np.unique(row)) for row in self.table[:, candidates]], dtype=np.uint8) * may

    def weak(
        self, candidates: Ints, parts: NDArray[np.uint8], least: Costs, most: int, settled: int, bound: int
    ) -> Ints:
        """Return the guesses, rising, that neither number nor sizes of their parts show to cost `bound`.

        Guesses that leave the set whole are left out. `parts`: see `parts`; the others: see `Counts`.
        """
        counts = Counts(least, most, settled, 0, 0, 0)
        asked = [g for g in range(len(parts)) if parts[g] > 1 or (parts[g] and len(candidates) == 1)]
        shown = [self._by_count(counts, settled, candidates, g, int(parts[g])) for g in asked]
        sizes = [self._by_sizes(counts, settled, candidates, g) for g in asked]
        weak = [g for g, a, b in zip(asked, shown, sizes, strict=True) if max(a, b) < bound]
        return np.array(weak, dtype=np.int32)

    def failing(
        self,
        candidates: Ints,
        guesses: Ints,
        least: Costs,
        most: int,
        settled: int,
        later: int,
        depth: int,
        bound: int,
    ) -> tuple[Ints, Costs]:
        """Return those of the guesses that are not shown to cost `bound`, and what is shown of each."""
        found = [
            (g, self.bounds(candidates, g, least, most, settled, later, depth, bound)[0]) for g in guesses
        ]
        short = [(g, total) for g, total in found if total < bound]
        return (
            np.array([g for g, _ in short], dtype=np.int32),
            np.array([total for _, total in short], dtype=np.int64),
        )

    def bounds(
        self,
        candidates: Ints,
        guess: int,
        least: Costs,
        most: int,
        settled: int,
        later: int,
        depth: int,
        bound: int,
    ) -> tuple[int, list[tuple[Ints, int]]]:
        """Return what is shown of a guess, up to `bound`, and its parts with bounds, the largest first."""
        counts = Counts(least, most, settled, later, depth, bound if bound >= INFINITE else 0)
        row = self.table[guess, candidates]
        found = [candidates[row == r] for r in range(int(row.max()) + 1) if r != self.winning and r in row]
        found.sort(key=lambda part: -len(part))
        known = [
            max(
                counts.bound(len(part), settled),
                self.proved.get((part.tobytes(), self._needed(len(part), depth)), 0),
            )
            for part in found
        ]
        for i, part in enumerate(found):
            if len(candidates) + sum(known) >= bound:
                break
            if len(part) >= 2 + self.win:
                known[i] = max(known[i], self._look(part, counts))
        return min(len(candidates) + sum(known), INFINITE), list(zip(found, known, strict=True))

    def whole(self, guesses: Ints, members: Ints, sizes: Ints) -> Ints:
        """Return for each guess the first set that it leaves whole in a part that does not win, or -1.

        `members`: int32, shape (sets, most members), of which the first `sizes` count.
        """
        found = np.full(len(guesses), -1, dtype=np.int32)
        for i, guess in enumerate(guesses.tolist()):
            for j, size in enumerate(sizes.tolist()):
                row = self.table[guess, members[j, :size]]
                if (row == row[0]).all() and row[0] != self.winning:
                    found[i] = j
                    break
        return found

    def remember(self, candidates: Ints, depth: int, bound: int) -> None:
        """Keep a bound that is proved, of exactly this set with so many guesses left."""
        key = candidates.tobytes(), self._needed(len(candidates), depth)
        self.proved[key] = max(bound, self.proved.get(key, 0))

    def forget(self) -> None:
        """Forget what is proved."""
        self.proved.clear()

    def _needed(self, n: int, depth: int) -> int:
        """Return the guesses that can matter to n secrets (L6)."""
        return min(depth, n if self.win else n - 1)

    def _look(self, candidates: Ints, counts: Counts) -> int:
        """Return at least what a part costs, one step ahead (L5), by the counting of the set around it."""
        n = len(candidates)
        floor = counts.bound(n, counts.settled)
        if floor >= INFINITE or self._needed(n, counts.depth) < 1:
            return INFINITE
        parts = self.parts(candidates)
        most_first = np.argsort(-parts.astype(np.int32), kind="stable")
        best = INFINITE
        for guess in [most_first[0], *range(len(parts))]:
            if (
                parts[guess] > 1
                and self._by_count(counts, counts.later, candidates, guess, parts[guess]) < best
            ):
                best = min(best, self._by_sizes(counts, counts.later, candidates, guess))
                if best < counts.enough:
                    best = floor
                if best <= floor:
                    break
        return best

    def _by_count(self, counts: Counts, settled: int, candidates: Ints, guess: int, k: int) -> int:
        """Return at least the total after a guess of k parts, split evenly (L4); to identify, by leaves."""
        n, k = len(candidates), int(k)
        if not self.win:
            return INFINITE if n > k * settled else min(INFINITE, n + leaves(counts.parts, k, n))
        won = int(self.own[guess] in candidates)
        if k == won:
            return n if n == 1 else INFINITE
        size, more = divmod(n - won, k - won)
        each = [counts.bound(size, settled)] * (k - won - more) + [counts.bound(size + 1, settled)] * more
        return min(INFINITE, n + sum(each))

    def _by_sizes(self, counts: Counts, settled: int, candidates: Ints, guess: int) -> int:
        sizes = np.bincount(self.table[guess, candidates], minlength=self.winning + 1)
        if self.win:
            sizes[self.winning] = 0
        return min(
            INFINITE, len(candidates) + sum(counts.bound(size, settled) for size in sizes.tolist() if size)
        )
