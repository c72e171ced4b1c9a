"""Plain twin of the compiled search: the same steps, counts and results, written to be read.

The *value* of a set of candidates with d guesses left is the least total number of guesses over its secrets
(unit 1), or 0 if d guesses suffice and INFINITE if they do not (unit 0: only the depth matters). A guess
costs `unit` for each candidate; the parts that its responses leave are independent, so their values add.

Where earlier responses limit what may be asked (see `engine.rules`), a set has *needs*, the bits that they
demand: a guess may be asked if it has them all, and the value is that of the set with its needs. More needs
never help: a strategy for more is one for fewer, as every guess of it has the fewer too. So bounds that hold
with all guesses hold with those allowed; and what is closed without a search stays so, because guesses that
may win are always allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from .reference import equivalents

INFINITE = 1 << 50
STATES, EVALUATIONS, STOP, LOWER, UPPER, FIRST, ENTRIES, BUDGET = range(8)
COUNTERS = 8
SPENT = 2
MOST_JOBS = 1
BY_PARTS, HINTS, AHEAD, LIMITS, TABLES, DUPLICATES, HOPELESS = (1 << i for i in range(7))
MOST_BY_PARTS = 65
MOST_SMALL = 255
MOST_HOPELESS = 16384
MOST_WHOLE = 16
MOST_HISTORY = 20
CLASS_PLIES = 2
LOCAL = 4

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Words = NDArray[np.uint64]
Set = tuple[int, ...]
Form = tuple[bytes, tuple[int, ...]]
Classes = Callable[[tuple[int, ...]], "Ints | None"]


@dataclass
class Known:
    """What is known of a set with so many guesses left: bounds of its value, exact when they are equal.

    `guess` reaches the upper bound; where that is infinite, it is the one with the best bound one step ahead.
    """

    lower: int
    upper: int = INFINITE
    guess: int = -1
    bounded: bool = False


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


@dataclass
class View:
    """The guesses that still differ on a set, and the size of that set."""

    guesses: list[int]
    size: int


@dataclass
class Part:
    """A part of a partition: its secrets, at least what it costs, whether that is exact, or bounded ahead."""

    members: Set
    needs: int
    bound: int
    exact: bool
    ahead: bool


class State:
    """A state while its guesses are tried: the best so far, and at least what any other costs."""

    def __init__(
        self, view: View, members: Set, d: int, best: int, limits: Limits, needs: int, top: bool
    ) -> None:
        self.view, self.members, self.d, self.limits, self.top = view, members, d, limits, top
        self.needs = needs
        self.best, self.low, self.guess, self.count = best, INFINITE, -1, 0
        self.inside = set(members)
        self.tried: dict[Form, bool] = {}


class Searcher:
    """Search for the value of sets of candidates, remembering what was found.

    Parameters
    ----------
    table: responses 0..responses-1, uint8, shape (guesses, secrets); None: they are worked out from codes.
    own: the secret that each guess names, or -1, int32, shape (guesses,).
    winning: the response that ends the game, or -1: to identify.
    unit: 1 to count guesses, 0 for depth alone.
    only_candidates: whether a guess must name a candidate.
    least: at least the total of n secrets times `unit`, convex to win, int64, shape (secrets + 1,).
    capacity: at most how many secrets d guesses settle, int64, until it reaches all.
    counters: int64, shape (COUNTERS,): states and evaluations counted up; STOP read, a value other than 0
        ends the search at once; bounds and first guess of the state searched, written as they improve; BUDGET
        read: with so many evaluations the search ends (STOP is then SPENT), 0: never.
    classes: history -> the smallest equivalent guess of each guess, or None (see `engine.symmetry`).
    digits, renaming: the guesses as codes, and how their symmetry is gone through (see `engine.symmetry`);
        then `classes` is not asked.
    features, needs: the bits of each guess, and those that each response to it demands, see `engine.rules`;
        then there is a table, and no symmetry.
    symbols, response_of: how codes answer each other, where there is no table (see `engine.game.CodeForm`).
    memory: bytes for what is remembered; when they are used up, what took the least effort is forgotten. The
        plain twin forgets nothing.
    width: try so many guesses of a state at most, the most promising first (see `beam_score`); then values
        are those of a real strategy, and bounds say nothing. 0: all.
    jobs: how many threads search, 1..MOST_JOBS.
    without: techniques to leave out, a sum of BY_PARTS, HINTS, ...: to test that none changes a value, and to
        measure what each saves.
    """

    def __init__(
        self,
        table: NDArray[np.uint8] | None,
        own: Ints,
        responses: int,
        winning: int,
        unit: int,
        only_candidates: bool,
        least: Longs,
        capacity: Longs,
        counters: Longs,
        classes: Classes | None = None,
        digits: NDArray[np.uint8] | None = None,
        renaming: int = 0,
        symbols: int = 0,
        response_of: NDArray[np.uint8] | None = None,
        features: Words | None = None,
        needs: Words | None = None,
        memory: int = 1 << 28,
        width: int = 0,
        jobs: int = 1,
        without: int = 0,
    ) -> None:
        self.tabled = table is not None
        if table is None:
            assert digits is not None
            assert response_of is not None
            table = _code_table(digits, symbols, response_of)
        assert jobs == 1, "threads are for the compiled search"
        assert memory > 0
        self.table, self.own, self.winning, self.unit = table, own, winning, unit
        self.responses = responses
        self.base = 1 if winning >= 0 else 0
        self.only_candidates = only_candidates
        self.limits = Limits(1 << 30, [int(x) for x in least], [int(x) for x in capacity])
        self.counters = counters
        self.classes, self.digits, self.renaming, self.width = classes, digits, renaming, width
        # What no guess separates, of those that may be asked, is remembered only where all may be asked.
        self.without = without if features is None else without | HOPELESS
        self.features = None if features is None else [_joined(row) for row in features]
        self.needs = None if needs is None else [[_joined(word) for word in row] for row in needs]
        self.entries: dict[tuple[int, Set, int], Known] = {}
        self.dropped: dict[tuple[int, ...], NDArray[np.bool_] | None] = {}
        self.winner = {int(s): g for g, s in reversed(list(enumerate(own))) if s >= 0}
        self.small = 0 if without & BY_PARTS else self._small()
        self.history: list[int] = []
        self.hopeless: list[Set] = []

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

    def search(
        self,
        candidates: Ints,
        depth: int,
        beta: int,
        history: tuple[int, ...] = (),
    ) -> int:
        """Return exactly the value of the sorted candidates if it is below beta, otherwise at least beta.

        `history` is the guesses that led here: guesses equivalent under what fixes them are tried once.
        When stopped, the return value means nothing; the counters tell what is known.
        """
        self.history = list(history)
        view = View(list(range(len(self.table))), self.table.shape[1])
        members = tuple(int(s) for s in candidates)
        needs = self.needs_of(history, members)
        value = self.value(view, members, depth, beta, self.limits, needs, top=True)
        self.counters[ENTRIES] = len(self.entries)
        return value

    def bound(self, candidates: Ints, depth: int, history: tuple[int, ...] = ()) -> tuple[int, bool]:
        """Return at least the value of the sorted candidates, one step ahead, and whether it is exactly that.

        Without a table (codes that answer each other) only what is known already is returned.
        """
        members = tuple(int(s) for s in candidates)
        d = min(depth, len(members) - 1 + self.base)
        closed = self.closed(len(members), d)
        if closed is not None:
            return closed, True
        needs = self.needs_of(history, members)
        known = self.known(members, d, self.limits, needs)
        if not known.bounded and known.lower < known.upper and self.tabled:
            view = View(list(range(len(self.table))), self.table.shape[1])
            ahead = self.bound_ahead(view, members, d, self.limits, needs)
            known = replace(ahead, lower=max(ahead.lower, known.lower))
        return known.lower, known.lower >= known.upper

    def choice(self, candidates: Ints, depth: int, history: tuple[int, ...] = ()) -> int:
        """Return a guess that reaches the value of the candidates; raise ValueError when there is none."""
        members = tuple(int(s) for s in candidates)
        if len(members) <= 2 and self.closed(len(members), depth) is not None:
            return self.winner.get(members[0], -1)
        key = (min(depth, len(members) - 1 + self.base), members, self.needs_of(history, members))
        if key not in self.entries or self.entries[key].lower < self.entries[key].upper:
            self.search(candidates, depth, INFINITE, history)
        known = self.entries.get(key)
        if known is None or known.guess < 0 or known.lower >= INFINITE:
            raise ValueError(f"no strategy is known for {len(members)} candidates within {depth} guesses")
        return known.guess

    # -- one state -------------------------------------------------------------------------------------

    def value(
        self, view: View, members: Set, d: int, beta: int, limits: Limits, needs: int, *, top: bool = False
    ) -> int:
        """Return exactly the value of a set if it is below beta, otherwise at least beta (and a true bound).

        `view` and `limits` are those of a set that contains this one; what is allowed now was allowed there.
        """
        n = len(members)
        # More guesses than this never help: a best strategy asks nothing that leaves the set as it is.
        d = min(d, n - 1 + self.base)
        # 1 finished?  2 budget spent?
        closed = self.closed(n, d)
        if closed is not None:
            return closed
        # 3 key and table lookup (a copy)
        known = self.known(members, d, limits, needs)
        lower = known.lower
        # 4 what is known against beta
        if lower >= beta or lower == known.upper or self.counters[STOP]:
            return lower
        if 0 < self.counters[BUDGET] <= self.counters[EVALUATIONS]:
            self.counters[STOP] = SPENT
            return lower
        self.counters[STATES] += 1
        state = State(self.allowed(view, n, needs), members, d, beta, limits, needs, top)
        self.try_guesses(state, lower, known.guess)
        if not self.counters[STOP]:
            # 10 store bound and guess. Without a choice every guess was bounded by `low` or more.
            lower = max(lower, state.best if state.guess >= 0 else state.low)
            self.store(members, d, needs, lower, lower if state.guess >= 0 else INFINITE, state.guess)
        return lower

    def try_guesses(self, state: State, lower: int, hint: int) -> None:
        """Try the guesses of a state, the best bound first."""
        n = len(state.members)
        # 7 guesses that the symmetry makes equal to a smaller one are dropped. It fixes the history, hence
        #   the set of candidates, so both have the same value; the smallest of its class is never dropped.
        dropped = self.equivalents() if n > self.small else None
        # 5 the guess that had the best bound one step ahead comes first: if it keeps what it promised, no
        #   other is looked at. (Depth alone says nothing about which of many guesses that is.)
        known = hint in state.view.guesses and not _is(dropped, hint) and not self.without & HINTS
        if known and (self.unit or n <= self.small):
            self.attempt(state, hint, lower, int(self.own[hint]) not in state.inside)
            if self.counters[STOP] or (state.guess >= 0 and state.best <= lower):
                return
        # 6 rank the guesses: by bound, then by score, candidates first, then by number
        ranked = sorted(self.rank(state, dropped))
        beam = self.width > 0 and n > self.small
        if beam:
            scored = [
                (self.beam_score(state, g, outside), bound, outside, g) for bound, _, outside, g in ranked
            ]
            ranked = [(bound, score, outside, g) for score, bound, outside, g in sorted(scored)]
        # A large set is worth a table of its own: smaller, and without guesses that tell the same.
        large = n > 2 * LOCAL * self.small and (2 * n <= state.view.size or self.needs is not None)
        if len(ranked) >= LOCAL and large and not self.without & TABLES:
            state.view = View(self.distinct(state.view.guesses, state.members, state.needs), n)
            kept = set(state.view.guesses)
            ranked = [r for r in ranked if r[3] in kept]
        for bound, _, outside, guess in ranked:
            # All that follow are bounded at least as high (in a beam: perhaps): they cannot be better than
            # the best known.
            if bound >= state.best:
                state.low = min(state.low, bound)
                if beam:
                    continue
                break
            if self.width and state.count >= self.width:
                break
            self.attempt(state, guess, bound, bool(outside))
            if self.counters[STOP] or (state.guess >= 0 and state.best <= lower):
                break

    def beam_score(self, state: State, guess: int, outside: int) -> int:
        """Return what orders the guesses of a large set in a beam, the least first.

        n times (twice the expected size of the part, less the number of parts, less 1 if the guess may win).
        The bound by counting says nearly the same of all guesses where most parts are small. Small sets keep
        their order: it is by the number of parts.
        """
        sizes = np.bincount(self.table[guess, list(state.members)]).astype(np.int64)
        parts = np.count_nonzero(sizes) + (0 if outside else self.base)
        return int(2 * (sizes**2).sum() - len(state.members) * parts)

    def attempt(self, state: State, guess: int, bound: int, outside: bool) -> None:
        """Try a guess, unless one with the same partition was tried, and keep it if it is better.

        Equal partitions leave the same parts, with the same needs where those matter (see `form`). Of two
        candidates, each leaves the other as a single part: the values are equal. A candidate is never worse
        than a guess outside with the same partition.
        """
        if self.is_hopeless(state, guess):
            return
        form = self.form(guess, state.members, state.needs)
        if form in state.tried and state.tried[form] <= outside and not self.without & DUPLICATES:
            return
        state.tried[form] = outside
        if state.top:
            self.counters[LOWER] = max(int(self.counters[LOWER]), bound)
        self.history.append(guess)
        total = self.guess_value(state, guess)
        self.history.pop()
        if self.counters[STOP]:
            return
        state.count += 1
        state.low = min(state.low, total)
        if total < state.best:
            state.best, state.guess = total, guess
            if state.top:
                self.counters[UPPER], self.counters[FIRST] = total, guess

    def guess_value(self, state: State, guess: int) -> int:
        """Return exactly the value of the set with this guess if it is below best, else at least best."""
        parts = self.parts(state, guess)
        total = self.unit * len(state.members) + sum(part.bound for part in parts)
        # 8 bound every part one step ahead before descending into any: the sum of bounds is a bound
        for part in parts:
            if total >= state.best:
                return min(total, INFINITE)
            # For depth alone it says nothing before the last guess but one.
            below = min(state.d - 1, len(part.members) - 1 + self.base)
            says = self.unit or below - 1 <= self.base
            if says and not part.exact and not part.ahead and not self.without & AHEAD:
                known = self.bound_ahead(state.view, part.members, below, state.limits, part.needs)
                total += max(known.lower, part.bound) - part.bound
                part.bound, part.exact = max(known.lower, part.bound), known.lower >= known.upper
        # 9 descend, replacing bounds by values; cut when the sum reaches the best known. A part may cost
        #   less than best minus the bounds of the others, or the sum is at least best.
        for part in parts:
            if total >= state.best or self.counters[STOP]:
                break
            if not part.exact:
                limit = state.best - (total - part.bound)
                value = self.value(state.view, part.members, state.d - 1, limit, state.limits, part.needs)
                total += value - part.bound
        return min(total, INFINITE)

    def parts(self, state: State, guess: int) -> list[Part]:
        """Return the parts that a guess leaves, largest first; the part that wins is none."""
        cells: dict[int, list[int]] = {}
        for s in state.members:
            cells.setdefault(int(self.table[guess, s]), []).append(s)
        cells.pop(self.winning, None)
        parts = []
        for response, cell in sorted(cells.items(), key=lambda item: (-len(item[1]), item[0])):
            needs = self.needs_after(state.needs, guess, response)
            below = min(state.d - 1, len(cell) - 1 + self.base)
            closed = self.closed(len(cell), below)
            if closed is not None:
                parts.append(Part(tuple(cell), needs, closed, True, True))
            else:
                known = self.known(tuple(cell), below, state.limits, needs)
                exact = known.lower >= known.upper
                parts.append(Part(tuple(cell), needs, known.lower, exact, known.bounded))
        return parts

    # -- what may be asked -----------------------------------------------------------------------------

    def needs_after(self, needs: int, guess: int, response: int) -> int:
        """Return what is demanded after one more guess and response."""
        return needs | self.needs[guess][response] if self.needs is not None else 0

    def needs_of(self, history: tuple[int, ...], members: Set) -> int:
        """Return what the guesses that led to some candidates demand; all of them gave the same responses."""
        needs = 0
        for guess in history:
            needs = self.needs_after(needs, guess, int(self.table[guess, members[0]]))
        return needs

    def allowed(self, view: View, n: int, needs: int) -> View:
        """Return the guesses of a view that a set of n may be asked."""
        if self.features is None:
            return view
        guesses = [g for g in view.guesses if not needs & ~self.features[g]]
        return view if len(guesses) == len(view.guesses) else View(guesses, n)

    def form(self, guess: int, members: Set, needs: int) -> Form:
        """Return a partition, with the needs of its parts: equal forms leave the same to be done.

        Parts that are closed whatever they need (to win, of up to two secrets; to identify, of one) are left
        out.
        """
        row = self.table[guess, list(members)]
        demanded = []
        if self.needs is not None:
            sizes = np.bincount(row)
            parts = dict.fromkeys(int(r) for r in row if sizes[r] > 1 + self.base)
            demanded = [self.needs_after(needs, guess, r) for r in parts]
        return _form(row), tuple(demanded)

    def bits(self, guess: int, demandable: int) -> int:
        """Return the bits of a guess that can matter."""
        return 0 if self.features is None else self.features[guess] & demandable

    def demandable(self, members: Set) -> int:
        """Return the bits that can be demanded of any subset of a set: see `distinct`."""
        if self.features is None or not self.base:
            return -1
        found = 0
        for s in members:
            found |= self.features[self.winner[s]]
        return found

    # -- bounds ----------------------------------------------------------------------------------------

    def closed(self, n: int, d: int) -> int | None:
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
        What holds for all sets holds here too, and the larger of two convex bounds is convex.
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

    def learn_hopeless(self, guesses: list[int], members: Set) -> None:
        """Remember a small part of a set that no guess separates: such a part that none can be left out."""
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
        if len(kept) <= MOST_WHOLE and len(self.hopeless) < MOST_HOPELESS:
            self.hopeless.append(tuple(kept))

    def is_hopeless(self, state: State, guess: int) -> bool:
        """Return whether a guess leaves a set whole that the last guess but one cannot separate.

        For depth alone with two guesses left below: the part around that set must be separated by the next
        guess. One that separates a part separates every set in it, so there is none.
        """
        if self.unit or state.d != self.base + 2 or self.only_candidates or self.without & HOPELESS:
            return False
        inside = (some for some in self.hopeless if state.inside.issuperset(some))
        return any(self.count_parts(guess, some) == 1 for some in inside)

    def by_counts(self, n: int) -> bool:
        """Return whether the numbers of parts are worth counting for a set of n."""
        if self.without & BY_PARTS:
            return False
        return n <= self.small or (bool(self.base) and self.responses < MOST_BY_PARTS)

    def count_parts(self, guess: int, members: Set) -> int:
        """Return how many parts a guess makes of a set."""
        return len(np.unique(self.table[guess, list(members)]))

    def most_parts(self, guesses: list[int], members: Set) -> int:
        """Return the most parts that a guess makes, one more where none of them wins."""
        inside = set(members)
        return max(
            (self.count_parts(g, members) + (int(self.own[g]) not in inside) for g in guesses), default=0
        )

    def bound_by_parts(self, limits: Limits, n: int, d: int, k: int, wins: int) -> int:
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

    def bound_ahead(self, view: View, members: Set, d: int, above: Limits, needs: int) -> Known:
        """Return bounds of a set: the least bound over its guesses and the guess that has it; store it."""
        guesses = self.allowed(view, len(members), needs).guesses
        self.counters[EVALUATIONS] += 1
        small = len(members) <= self.small or self.must_separate(d)
        found = (self.best_by_parts if small else self.best_by_sizes)(guesses, members, d, above)
        if found.lower == INFINITE and self.must_separate(d) and not self.without & HOPELESS:
            self.learn_hopeless(guesses, members)
        found.lower = max(found.lower, above.bound(len(members), d))
        self.store(members, d, needs, found.lower, found.upper, found.guess, bounded=True)
        return found

    def best_by_parts(self, guesses: list[int], members: Set, d: int, limits: Limits) -> Known:
        """Bound a small set: only the most parts count, among all guesses and among candidates.

        To win with n - 1 parts or more (to identify: n), no part has more than two secrets (one), and the
        bound is reached: exactly that.
        """
        n = len(members)
        if self.must_separate(d):
            apart = [g for g in guesses if self.count_parts(g, members) == n]
            return Known(0, 0, apart[0]) if apart else Known(INFINITE)
        enough = n - self.base
        best = (INFINITE, True, True, 0, 0, -1)
        groups = [(1, self.named(guesses, members))] + ([] if self.only_candidates else [(0, guesses)])
        for wins, group in groups:
            for place, guess in enumerate(group):
                k = self.count_parts(guess, members)
                bound = self.bound_by_parts(limits, n, d, k, wins and self.base)
                best = min(best, (bound, k < enough, not wins, -k, place, guess))
        if best[0] == INFINITE:
            return Known(INFINITE)
        return Known(best[0], INFINITE if best[1] else best[0], best[-1])

    def named(self, guesses: list[int], members: Set) -> list[int]:
        """Return the guesses that name a secret of the set, secret by secret."""
        by_secret: dict[int, list[int]] = {s: [] for s in members}
        for guess in guesses:
            if int(self.own[guess]) in by_secret:
                by_secret[int(self.own[guess])].append(guess)
        return [guess for some in by_secret.values() for guess in some]

    def best_by_sizes(self, guesses: list[int], members: Set, d: int, above: Limits) -> Known:
        """Bound a set that is large or has many responses.

        To win, guesses are met with the most parts first, candidates before all: fewer parts are bounded
        higher, so the rest is left as soon as its parts alone bound it at the best bound met.
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
        outside = [g for g in guesses if int(self.own[g]) not in inside and not self.only_candidates]
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

    def rank(self, state: State, dropped: NDArray[np.bool_] | None) -> list[tuple[int, int, int, int]]:
        """Return (bound, score, not a candidate, guess) for each guess bounded below the best known.

        A guess whose number of parts alone bounds it there is left out: it is no better. The bound of
        those left out goes to `state.low`.
        """
        self.counters[EVALUATIONS] += 1
        n, members = len(state.members), state.members
        guesses = state.view.guesses
        by_counts = self.by_counts(n)
        if by_counts and n > self.small:
            state.limits = self.tighten(state.limits, n, self.most_parts(guesses, members))
        ranked = []
        for guess in guesses:
            outside = int(self.own[guess]) not in state.inside
            if outside and self.only_candidates:
                continue
            bound, score = 0, 0
            if by_counts:
                parts = self.count_parts(guess, members)
                wins = 0 if outside else self.base
                bound, score = self.bound_by_parts(state.limits, n, state.d, parts, wins), -parts
            if bound < state.best:
                if _is(dropped, guess) or self.is_hopeless(state, guess):
                    continue
                if not by_counts or n > self.small:
                    bound, score = self.bound_by_sizes(state.limits, guess, members, state.d)
            if bound < state.best:
                ranked.append((bound, score, int(outside), guess))
            else:
                state.low = min(state.low, bound)
        return ranked

    def distinct(self, guesses: list[int], members: Set, needs: int) -> list[int]:
        """Return one guess for each partition of the set, and every candidate.

        A guess with a single part tells nothing. Equal partitions of a set are equal on each subset, so a
        kept guess stands for the dropped one in all that follows, and wins besides if it is a candidate;
        two candidates stay apart because on a subset only one of them may still be a candidate.

        With needs, the two must leave the same needs, here and so on each subset, and the kept guess must be
        allowed whenever the dropped one is: their bits must agree where they can be demanded. To win that is
        what some candidate's guess has, as it is never refused while it may win.
        """
        inside = set(members)
        demandable = self.demandable(members)
        forms = {g: (self.form(g, members, needs), self.bits(g, demandable)) for g in guesses}
        seen = {forms[g] for g in guesses if int(self.own[g]) in inside}
        kept = []
        for guess in guesses:
            if not any(forms[guess][0][0]):
                continue
            if int(self.own[guess]) not in inside:
                if self.only_candidates or forms[guess] in seen:
                    continue
                seen.add(forms[guess])
            kept.append(guess)
        return kept

    def equivalents(self) -> NDArray[np.bool_] | None:
        """Return which guesses the symmetry makes equal to a smaller one after the history, or None."""
        past = tuple(self.history)
        if past not in self.dropped:
            dropped = None
            if self.renaming and len(past) <= MOST_HISTORY:
                assert self.digits is not None
                colours = int(self.digits.max()) + 1
                history = np.array(past, dtype=np.int32)
                dropped = equivalents(self.digits, colours, self.renaming == 2, history).astype(bool)
            elif not self.renaming and self.classes is not None and len(past) <= CLASS_PLIES:
                classes = self.classes(past)
                dropped = None if classes is None else classes != np.arange(len(classes))
            self.dropped[past] = dropped
        return self.dropped[past]

    # -- what is known ---------------------------------------------------------------------------------

    def known(self, members: Set, d: int, limits: Limits, needs: int) -> Known:
        """Return a copy of what is known of a set with d guesses left, by counting if by nothing else."""
        found = self.entries.get((d, members, needs), Known(0))
        return replace(found, lower=max(found.lower, limits.bound(len(members), d)))

    def store(
        self,
        members: Set,
        d: int,
        needs: int,
        lower: int,
        upper: int,
        guess: int,
        *,
        bounded: bool = False,
    ) -> None:
        """Enter what was found: bounds are tightened, a better guess replaces a worse one."""
        entry = self.entries.setdefault((d, members, needs), Known(0))
        entry.lower = max(entry.lower, lower)
        if upper < entry.upper:
            entry.upper, entry.guess = upper, guess
        elif entry.upper == INFINITE and guess >= 0:
            entry.guess = guess
        entry.bounded |= bounded


def _form(responses: NDArray[np.uint8]) -> bytes:
    """Return a partition as bytes: parts numbered as they are met."""
    names: dict[int, int] = {}
    return bytes(names.setdefault(int(r), len(names)) for r in responses)


def _joined(words: Words) -> int:
    """Return some words as one number."""
    return sum(int(word) << (64 * i) for i, word in enumerate(words))


def _is(marks: NDArray[np.bool_] | None, guess: int) -> bool:
    return marks is not None and bool(marks[guess])


def _code_table(digits: NDArray[np.uint8], symbols: int, response_of: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return every response of codes to codes."""
    pegs = digits.shape[1]
    black = (digits[:, None, :] == digits[None, :, :]).sum(axis=2)
    counts = np.stack([(digits == c).sum(axis=1) for c in range(max(symbols, 1))])
    common = np.minimum(counts[:, :, None], counts[:, None, :]).sum(axis=0) if symbols else 0
    return response_of[black * (2 * pegs + 1 - black) // 2 + common]
