"""Plain twin of the bounds of the search that counts guesses; `reference_counted` explains the contract."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from .reference_core import Ints
from .reference_search import Known, Longs, Search, Set

INFINITE = 1 << 50
BY_PARTS, HINTS, AHEAD, LIMITS, TABLES, DUPLICATES, NOGOODS, ALIKE = (1 << i for i in range(8))
MOST_SMALL = 255
MOST_NOGOODS = 16384
MOST_WHOLE = 16


@dataclass
class Limits:
    """What counting says of every subset of one set.

    At most `parts` parts are made by a guess, the winning one counted in any case; `least[n]` is at least
    the total of n secrets, `capacity[d]` at most how many secrets d guesses settle.
    """

    parts: int
    least: list[int]
    capacity: list[int]

    def bound(self, n: int, d: int) -> int:
        """Return at least the value of any n secrets with d guesses left."""
        return INFINITE if n > self.capacity[min(d, len(self.capacity) - 1)] else self.least[n]


class Evaluator(Search):
    """A game as tables, and bounds of one set of candidates at a time; see `reference_counted.Searcher`."""

    def prepare(
        self,
        table: NDArray[np.uint8],
        secret_of_guess: Ints,
        responses: int,
        winning: int,
        unit: int,
        only_candidates: bool,
        least: Longs,
        capacity: Longs,
        without: int,
    ) -> None:
        """Take the tables."""
        self.table, self.secret_of_guess, self.winning, self.unit = table, secret_of_guess, winning, unit
        self.responses, self.only_candidates, self.without = responses, only_candidates, without
        self.base = 1 if winning >= 0 else 0
        self.limits = Limits(1 << 30, [int(x) for x in least], [int(x) for x in capacity])
        self.small = 0 if without & BY_PARTS else self._small()
        self.nogoods: list[Set] = []

    def _small(self) -> int:
        """Return the size up to which part counts bound a guess as well as part sizes do."""
        small = 0
        for n in range(1, self.table.shape[1] + 1):
            closed = (2 * n - 1 if self.base else n if n > 1 else 0) * self.unit
            capacity = self.limits.capacity
            settled = capacity[min(1 + self.base, len(capacity) - 1)]
            if self.limits.least[n] != closed or (not self.unit and n > settled):
                break
            small = n + 1
        return min(small, MOST_SMALL)

    # -- bounds ----------------------------------------------------------------------------------------

    def solved_by_size(self, n: int, d: int) -> int | None:
        """Return exactly the value of a set that needs no search, or None.

        One secret: guess it (or nothing, to identify). Two, to win: guess one of them, then the other.
        """
        if n == 1:
            return self.unit * self.base if d >= self.base else INFINITE
        if n == 2 and self.base:
            return 3 * self.unit if d >= 2 else INFINITE
        return None

    def tighten(self, above: Limits, n: int, parts: int) -> Limits:
        """Return what counting says of the subsets of a set of n on which no guess makes more parts.

        A guess makes no more parts of a subset than of the set, and one that wins on no secret of the set
        wins on none of the subset. So to win, at most (parts - 1)^(d - 1) secrets are won by the d-th guess;
        to identify, d guesses tell apart parts^d. Filling the levels from the top is least, and convex.
        What holds for all sets holds here too, and the larger of two convex bounds is convex. To identify,
        secrets are the leaves of a tree with at most so many branches at a node: see `leaves`.
        """
        if parts >= above.parts or n < 2 or self.without & LIMITS:
            return above
        settled, level = 1 - self.base, 1
        capacity = [settled]
        while capacity[-1] < n:  # not only until all could be settled: what holds above may need more
            settled = min(n, settled + level if self.base else settled * parts)
            level = min(level * (parts - 1), n)
            if len(capacity) > n:  # a single part: nothing can be told apart
                settled = n
            capacity.append(min(settled, above.capacity[min(len(capacity), len(above.capacity) - 1)]))
        least = above.least[: n + 1]
        if not self.base and self.unit and parts > 1:
            least[2:] = [max(leaves(parts, 1, i), least[i]) for i in range(2, n + 1)]
        if self.base and self.unit:
            total, depth, room, width = 0, 0, 0, 1
            for i in range(1, n + 1):
                if room == 0:
                    depth, room = depth + 1, width
                    width = min(width * max(parts - 1, 1), n)
                room -= 1
                total += depth
                least[i] = max(total, least[i])
        return Limits(parts, least, capacity)

    def must_separate(self, d: int) -> bool:
        """Return whether a set is settled if and only if some guess leaves single secrets only.

        So it is with one guess left below, for depth alone: parts of two secrets cannot be settled. A guess
        outside the set serves as well as a candidate. With candidates only a guess must name one.
        """
        return not (self.unit or d - 1 > self.base or self.only_candidates or self.without & BY_PARTS)

    def learn_nogood(self, guesses: list[int], members: Set) -> None:
        """Remember a small part of a set that no guess separates: such a part that none can be left out.

        A nogood, as constraint solvers remember them (Stallman and Sussman 1977).
        """
        if self.without & NOGOODS:
            return
        kept, step = list(members), len(members) // 2
        while step:
            i = 0
            while i < len(kept):
                fewer = kept[:i] + kept[i + step :]
                if len(fewer) > 1 and not any(
                    self.count_parts(g, tuple(fewer)) == len(fewer) for g in guesses
                ):
                    kept = fewer
                else:
                    i += step
            step //= 2
        if len(kept) <= MOST_WHOLE and len(self.nogoods) < MOST_NOGOODS:
            self.nogoods.append(tuple(kept))

    def by_counts(self, n: int) -> bool:
        """Return whether the numbers of parts are worth counting for a set of n."""
        if self.without & BY_PARTS:
            return False
        return n <= self.small or self.responses <= MOST_SMALL

    def count_parts(self, guess: int, members: Set) -> int:
        """Return how many parts a guess makes of a set."""
        return len(np.unique(self.table[guess, list(members)]))

    def most_parts(self, guesses: list[int], members: Set) -> int:
        """Return the most parts that a guess makes, to win one more where none of them wins."""
        inside = set(members) if self.base else set(map(int, self.secret_of_guess))
        return max(
            (self.count_parts(g, members) + (int(self.secret_of_guess[g]) not in inside) for g in guesses),
            default=0,
        )

    def bound_by_parts(self, limits: Limits, n: int, d: int, k: int, wins: int) -> int:
        """Return at least what a guess with k parts costs on n secrets.

        To win, `least` is convex (the next secret is never won earlier than the last), so an even split is
        least, and it has the smallest largest part, so it keeps every depth limit that any split keeps.
        On small sets a part of m costs 2m - 1 at least, so n + 2(n - wins) - (k - wins). To identify, a part
        of m > 1 costs m and a single one nothing, and at most k - 1 parts are single unless all are. On large
        sets all parts are trees below k nodes, which `leaves` bounds, and one part has n / k secrets.
        A single part tells nothing. With one guess left below, every part must be single.
        """
        if k < 2 or (k < n and d - 1 <= self.base):
            return INFINITE
        if n > self.small and not self.base:
            if n > k * limits.capacity[min(d - 1, len(limits.capacity) - 1)]:
                return INFINITE
            return self.unit * (n + leaves(max(2, min(self.responses, limits.parts)), k, n))
        if n > self.small:
            share, more = divmod(n - wins, k - wins)
            total = self.unit * n + (k - wins - more) * limits.bound(share, d - 1)
            return min(total + more * limits.bound(share + 1, d - 1) if more else total, INFINITE)
        if not self.unit:
            return 0
        if self.base:
            return 3 * n - k - wins
        return n if k == n else 2 * n - k + 1

    def bound_by_sizes(self, limits: Limits, guess: int, members: Set, d: int) -> tuple[int, int]:
        """Return at least what a guess costs by the sizes of its parts, and their sum of squares."""
        sizes = np.bincount(self.table[guess, list(members)], minlength=self.winning + 1)
        score = int((sizes.astype(np.int64) ** 2).sum())
        if int(sizes.max()) == len(members):
            return INFINITE, score
        if self.base:
            sizes[self.winning] = 0
        total = self.unit * len(members) + sum(limits.bound(int(m), d - 1) for m in sizes if m)
        return min(total, INFINITE), score

    def best_by_parts(self, guesses: list[int], members: Set, d: int, limits: Limits) -> Known:
        """Bound a small set: only the most parts count, among all guesses and among candidates.

        To win with n - 1 parts or more (to identify: n), no part has more than two secrets (one), and the
        bound is reached: exactly that.
        """
        n = len(members)
        if self.must_separate(d):
            apart = [g for g in guesses if self.count_parts(g, members) == n]
            return Known(0, 0, apart[0]) if apart else Known(INFINITE, INFINITE)
        enough = n - self.base
        best = (INFINITE, True, True, 0, 0, -1)
        groups = [(1, self.named(guesses, members))] + ([] if self.only_candidates else [(0, guesses)])
        for wins, group in groups:
            for place, guess in enumerate(group):
                k = self.count_parts(guess, members)
                bound = self.bound_by_parts(limits, n, d, k, wins and self.base)
                best = min(best, (bound, k < enough, not wins, -k, place, guess))
        if best[0] == INFINITE:
            return Known(INFINITE, INFINITE)
        return Known(best[0], INFINITE if best[1] else best[0], best[-1])

    def named(self, guesses: list[int], members: Set) -> list[int]:
        """Return the guesses that name a secret of the set, secret by secret."""
        by_secret: dict[int, list[int]] = {s: [] for s in members}
        for guess in guesses:
            if int(self.secret_of_guess[guess]) in by_secret:
                by_secret[int(self.secret_of_guess[guess])].append(guess)
        return [guess for some in by_secret.values() for guess in some]

    def best_by_sizes(self, guesses: list[int], members: Set, d: int, above: Limits) -> Known:
        """Bound a set that is large or has many responses.

        Guesses are met with the most parts first, candidates before all: fewer parts are bounded higher,
        so the rest is left as soon as its parts alone bound it at the best bound met.
        """
        n, inside = len(members), set(members)
        counts: dict[int, int] = {}
        limits = above
        if self.by_counts(n):
            counts = {g: self.count_parts(g, members) for g in guesses}
            limits = self.tighten(above, n, self.most_parts(guesses, members))
        best = (INFINITE, INFINITE, -1)
        for guess in self.named(guesses, members):
            if counts and self.bound_by_parts(limits, n, d, counts[guess], self.base) >= best[0]:
                continue
            best = self.better(best, limits, guess, members, d)
        outside = [
            g for g in guesses if int(self.secret_of_guess[g]) not in inside and not self.only_candidates
        ]
        by_parts = groupby(sorted(outside, key=lambda g: -counts.get(g, 0)), key=lambda g: counts.get(g, 0))
        for parts, some in by_parts:
            if counts and self.bound_by_parts(limits, n, d, parts, 0) >= best[0]:
                break
            for guess in some:
                best = self.better(best, limits, guess, members, d)
        return Known(best[0], INFINITE, best[2])

    def better(
        self, best: tuple[int, int, int], limits: Limits, guess: int, members: Set, d: int
    ) -> tuple[int, int, int]:
        """Return (bound, score, guess) of a guess if it is better than the best, else the best."""
        bound = self.bound_by_sizes(limits, guess, members, d)
        return (*bound, guess) if bound < best[:2] and bound[0] < INFINITE else best


def leaves(branches: int, k: int, n: int) -> int:
    """Return the least sum of depths of n leaves below k nodes with at most so many branches each, 2 or more.

    Depths d of leaves can be had if and only if branches^-d sums up to k at most (Kraft 1949). Where two
    differ by more than 1, one more and one less sum up to no more. So the least has two levels: `split` nodes
    of the upper one have branches, as few as give the lower one room. To identify, secrets are such leaves:
    a guess that makes one part tells nothing, and is left out.
    """
    depth = 0
    while n > k * branches:
        k, depth = k * branches, depth + 1
    split = -(-(n - k) // (branches - 1))
    return k * depth + split + (n - k) * (depth + 1)
