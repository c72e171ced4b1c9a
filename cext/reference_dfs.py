"""Plain twin of the compiled search: the same steps, counts and results, written to be read.

The *value* of a set of candidates with d guesses left is the least total number of guesses over its secrets
(unit 1), or 0 if d guesses suffice and INFINITE if they do not (unit 0: only the depth matters). A guess
costs `unit` for each candidate; the parts that its responses leave are independent, so their values add.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

INFINITE = 1 << 50
STATES, EVALUATIONS, STOP, LOWER, UPPER, FIRST, ENTRIES = range(7)
COUNTERS = 7
SYMMETRIC_PLIES = 2
STOPPED_BY_MEMORY = 2
MOST_BY_PARTS = 33

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Set = tuple[int, ...]
Classes = Callable[[tuple[int, ...]], "Ints | None"]


@dataclass
class Entry:
    """What is known of a set with so many guesses left: bounds of its value; exact when they are equal."""

    lower: int
    upper: int = INFINITE
    guess: int = -1
    bounded: bool = False


@dataclass
class Part:
    """A part of a partition: its secrets, at least what it costs, and whether that is exact."""

    members: Set
    bound: int
    exact: bool


class Searcher:
    """Search for the value of sets of candidates, remembering what was found.

    Parameters
    ----------
    table: responses 0..responses-1, uint8, shape (guesses, secrets).
    own: the secret that each guess names, or -1, int32, shape (guesses,).
    winning: the response that ends the game, or -1: to identify.
    unit: 1 to count guesses, 0 for depth alone.
    only_candidates: whether a guess must name a candidate.
    least: at least the total of n secrets times `unit`, int64, shape (secrets + 1,).
    capacity: at most how many secrets d guesses settle, int64, until it reaches all.
    counters: int64, shape (COUNTERS,): states and evaluations counted up; STOP read, a value other than 0
        ends the search at once; bounds and first guess of the state searched, written as they improve.
    classes: history -> the smallest equivalent guess of each guess, or None (see `engine.symmetry`).
    limit: entries of the table at most; when they are used up, STOP is set to STOPPED_BY_MEMORY.
    """

    def __init__(
        self,
        table: NDArray[np.uint8],
        own: Ints,
        responses: int,
        winning: int,
        unit: int,
        only_candidates: bool,
        least: Longs,
        capacity: Longs,
        counters: Longs,
        classes: Classes | None = None,
        limit: int = 1 << 26,
    ) -> None:
        self.table, self.own, self.winning, self.unit = table, own, winning, unit
        self.responses = responses
        self.base = 1 if winning >= 0 else 0
        self.only_candidates = only_candidates
        self.least, self.capacity, self.counters = least, capacity, counters
        self.classes, self.limit = classes, limit
        self.entries: dict[tuple[int, Set], Entry] = {}
        self.winner = {int(s): g for g, s in reversed(list(enumerate(own))) if s >= 0}
        self.small = self._small()
        self.history: list[int] = []

    def _small(self) -> int:
        """Return the size up to which part counts bound a guess as well as part sizes do."""
        small = 0
        for n in range(1, self.table.shape[1] + 1):
            closed = (2 * n - 1 if self.base else n if n > 1 else 0) * self.unit
            settled = self.capacity[min(1 + self.base, len(self.capacity) - 1)]
            if self.least[n] != closed or (not self.unit and n > settled):
                break
            small = n + 1
        return min(small, MOST_BY_PARTS)

    def search(self, candidates: Ints, depth: int, beta: int, history: tuple[int, ...] = ()) -> int:
        """Return exactly the value of the sorted candidates if it is below beta, otherwise at least beta.

        `history` is the guesses that led here: guesses equivalent under what fixes them are tried once.
        When stopped, the return value means nothing; the counters tell what is known.
        """
        self.history = list(history)
        guesses = list(range(len(self.table)))
        return self.value(guesses, tuple(int(s) for s in candidates), depth, beta, top=True)

    def choice(self, candidates: Ints, depth: int) -> int:
        """Return a guess that reaches the value of the candidates; raise ValueError when there is none."""
        members = tuple(int(s) for s in candidates)
        if len(members) <= 2 and self.closed(len(members), depth) is not None:
            return self.winner.get(members[0], -1)
        depth = min(depth, len(members) - 1 + self.base)
        entry = self.entry(members, depth)
        if entry.lower != entry.upper or entry.guess < 0:
            # No history: the symmetry of the whole game is not that of a set.
            self.search(candidates, depth, INFINITE, (0,) * (SYMMETRIC_PLIES + 1))
            entry = self.entry(members, depth)
        if entry.guess < 0:
            raise ValueError(f"no strategy is known for {len(members)} candidates within {depth} guesses")
        return entry.guess

    def value(self, guesses: list[int], members: Set, d: int, beta: int, top: bool = False) -> int:
        """Return exactly the value of a set if it is below beta, otherwise at least beta (and a true bound).

        `guesses` are those that still differ on a set that contains this one.
        """
        n = len(members)
        # More guesses than this never help: a best strategy asks nothing that leaves the set as it is.
        d = min(d, n - 1 + self.base)
        # 1 finished?  2 budget spent?
        closed = self.closed(n, d)
        if closed is not None:
            return closed
        # 3 key and table lookup
        entry = self.entry(members, d)
        if self.counters[STOP]:
            return entry.lower
        # 4 what is known against beta
        lower = entry.lower
        if lower >= beta or lower == entry.upper:
            return lower
        self.counters[STATES] += 1
        # 5 guesses with equal partitions are one guess
        guesses = self.distinct(guesses, members)
        # 6 rank the guesses: by bound, then by score, candidates first, then by number
        ranked = self.rank(guesses, members, d, beta)
        # 7 drop guesses that the symmetry makes equal to a smaller one. It fixes the history, hence the set
        #   of candidates, so both have the same value; and the smallest of its class is never dropped.
        ranked = self.without_equivalent(ranked, n)
        ranked.sort()
        best, low, choice = beta, INFINITE, -1
        for bound, _, _, guess in ranked:
            # All that follow are bounded at least as high: they cannot be better than the best known.
            if bound >= best:
                low = min(low, bound)
                break
            if top:
                self.counters[LOWER] = max(lower, bound)
            self.history.append(guess)
            total = self.guess_value(guesses, members, guess, d, best)
            self.history.pop()
            if self.counters[STOP]:
                return lower
            low = min(low, total)
            if total < best:
                best, choice = total, guess
                if top:
                    self.counters[UPPER], self.counters[FIRST] = best, guess
                if best <= lower:
                    break
        # 10 store bound and guess. Without a choice every guess was bounded by `low` or more.
        entry.lower = max(lower, best if choice >= 0 else low)
        if choice >= 0:
            entry.upper, entry.guess = entry.lower, choice
        return entry.lower

    def guess_value(self, guesses: list[int], members: Set, guess: int, d: int, best: int) -> int:
        """Return exactly the value of the set with this guess if it is below best, else at least best."""
        parts = self.parts(members, guess, d)
        total = self.unit * len(members) + sum(part.bound for part in parts)
        # 8 bound every part one step ahead before descending into any: the sum of bounds is a bound
        for part in parts:
            if total >= best:
                return min(total, INFINITE)
            if not part.exact:
                below = min(d - 1, len(part.members) - 1 + self.base)
                entry = self.entry(part.members, below)
                if not entry.bounded:
                    total += self.bound_ahead(guesses, part.members, below) - part.bound
                    part.bound, part.exact = entry.lower, entry.lower == entry.upper
        # 9 descend, replacing bounds by values; cut when the sum reaches the best known. A part may cost
        #   less than best minus the bounds of the others, or the sum is at least best.
        for part in parts:
            if total >= best or self.counters[STOP]:
                break
            if not part.exact:
                limit = best - (total - part.bound)
                total += self.value(guesses, part.members, d - 1, limit) - part.bound
        return min(total, INFINITE)

    def parts(self, members: Set, guess: int, d: int) -> list[Part]:
        """Return the parts that a guess leaves, largest first; the part that wins is none."""
        cells: dict[int, list[int]] = {}
        for s in members:
            cells.setdefault(int(self.table[guess, s]), []).append(s)
        cells.pop(self.winning, None)
        parts = []
        for _, cell in sorted(cells.items(), key=lambda item: (-len(item[1]), item[0])):
            below = min(d - 1, len(cell) - 1 + self.base)
            closed = self.closed(len(cell), below)
            if closed is not None:
                parts.append(Part(tuple(cell), closed, True))
            else:
                entry = self.entry(tuple(cell), below)
                parts.append(Part(tuple(cell), entry.lower, entry.lower == entry.upper))
        return parts

    def closed(self, n: int, d: int) -> int | None:
        """Return exactly the value of a set that needs no search, or None.

        One secret: guess it (or nothing, to identify). Two, to win: guess one of them, then the other.
        """
        if n == 1:
            return self.unit * self.base if d >= self.base else INFINITE
        if n == 2 and self.base:
            return 3 * self.unit if d >= 2 else INFINITE
        return None

    def static_bound(self, n: int, d: int) -> int:
        """Return at least the value of any n secrets with d guesses left, by counting."""
        if n > self.capacity[min(d, len(self.capacity) - 1)]:
            return INFINITE
        return int(self.least[n])

    def distinct(self, guesses: list[int], members: Set) -> list[int]:
        """Return one guess for each partition of the set, and every candidate.

        A guess with a single part tells nothing. Equal partitions of a set are equal on each subset, so a
        kept guess stands for the dropped one in all that follows, and wins besides if it is a candidate;
        two candidates stay apart because on a subset only one of them may still be a candidate.
        """
        inside = set(members)
        columns = self.table[:, list(members)]
        forms = {}
        for guess in guesses:
            names: dict[int, int] = {}
            forms[guess] = bytes(names.setdefault(int(r), len(names)) for r in columns[guess])
        candidates = [g for g in guesses if int(self.own[g]) in inside]
        seen = {forms[g] for g in candidates}
        kept = []
        for guess in guesses:
            if not any(forms[guess]):
                continue
            if int(self.own[guess]) not in inside:
                if self.only_candidates or forms[guess] in seen:
                    continue
                seen.add(forms[guess])
            kept.append(guess)
        return kept

    def rank(self, guesses: list[int], members: Set, d: int, limit: int) -> list[tuple[int, int, int, int]]:
        """Return (bound, score, not a candidate, guess) for each guess on a set.

        A guess whose number of parts alone bounds it at `limit` or more keeps that bound: it is no better
        than what is known.
        """
        self.counters[EVALUATIONS] += 1
        n, inside = len(members), set(members)
        ranked = []
        for guess in guesses:
            sizes = np.bincount(self.table[guess, list(members)], minlength=max(self.winning + 1, 1))
            candidate = int(self.own[guess]) in inside
            parts = int((sizes > 0).sum())
            by_parts = self.base and self.responses < MOST_BY_PARTS
            bound, score = INFINITE, 0
            if n <= self.small or by_parts:
                bound, score = self.bound_by_parts(n, d, parts, candidate and bool(self.base)), -parts
            if n > self.small and (not by_parts or bound < limit):
                score = int((sizes.astype(np.int64) ** 2).sum())
                if self.base:
                    sizes[self.winning] = 0
                bound = self.unit * n + sum(self.static_bound(int(m), d - 1) for m in sizes if m)
                bound = INFINITE if parts < 2 else min(bound, INFINITE)
            if parts < 2 or (self.only_candidates and not candidate):
                bound = INFINITE
            ranked.append((min(bound, INFINITE), score, 0 if candidate else 1, guess))
        return ranked

    def bound_by_parts(self, n: int, d: int, k: int, wins: bool) -> int:
        """Return at least what a guess with k parts costs on n secrets; to identify, n <= small only.

        To win, `least` is convex (the next secret is never won earlier than the last), so an even split is
        least, and it has the smallest largest part, so it keeps every depth limit that any split keeps.
        On small sets a part of m costs 2m - 1 at least, so n + 2(n - wins) - (k - wins). To identify, a part
        of m > 1 costs m and a single one nothing, and at most k - 1 parts are single unless all are.
        A single part tells nothing. With one guess left below, every part must be single.
        """
        if k < 2 or (k < n and d - 1 <= self.base):
            return INFINITE
        if n > self.small:
            share, more = divmod(n - wins, k - wins)
            total = self.unit * n + (k - wins - more) * self.static_bound(share, d - 1)
            return min(total + more * self.static_bound(share + 1, d - 1) if more else total, INFINITE)
        if not self.unit:
            return 0
        if self.base:
            return 3 * n - k - wins
        return n if k == n else 2 * n - k + 1

    def bound_ahead(self, guesses: list[int], members: Set, d: int) -> int:
        """Return at least the value of a set, the least bound over its guesses, and store it.

        The bound is reached, hence exact, when a guess that has it leaves only single secrets.
        """
        ranked = self.rank(guesses, members, d, INFINITE)
        lower, score, _, guess = min(ranked, key=lambda r: (r[0], r[1]), default=(INFINITE, 0, 0, -1))
        entry = self.entry(members, d)
        entry.bounded = True
        entry.lower = max(entry.lower, lower)
        if lower < INFINITE and len(members) <= self.small and score == -len(members):
            entry.upper, entry.guess = lower, guess
        return entry.lower

    def without_equivalent(
        self, ranked: list[tuple[int, int, int, int]], n: int
    ) -> list[tuple[int, int, int, int]]:
        """Leave out guesses that the symmetry makes equal to a smaller one after the history."""
        if self.classes is None or n <= self.small or len(self.history) > SYMMETRIC_PLIES:
            return ranked
        classes = self.classes(tuple(self.history))
        if classes is None:
            return ranked
        return [r for r in ranked if classes[r[3]] == r[3]]

    def entry(self, members: Set, d: int) -> Entry:
        """Return what is known of a set with d guesses left."""
        key = (d, members)
        if key not in self.entries:
            if len(self.entries) >= self.limit:
                self.counters[STOP] = STOPPED_BY_MEMORY
            self.entries[key] = Entry(self.static_bound(len(members), d))
            self.counters[ENTRIES] = len(self.entries)
        return self.entries[key]
