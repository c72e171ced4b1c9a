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

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .outcome import Outcome
from .reference_core import MOST_JOBS as MOST_JOBS
from .reference_core import Classes, Ints, Words, alone, is_marked
from .reference_evaluate import (
    AHEAD,
    DUPLICATES,
    HINTS,
    INFINITE,
    NOGOODS,
    TABLES,
    Evaluator,
    Known,
    Limits,
    Longs,
    Set,
)
from .reference_evaluate import BY_PARTS as BY_PARTS
from .reference_evaluate import LIMITS as LIMITS

LOCAL = 4
MANY_PARTS = 16
FIRST_TURN, TURN_GROWS = 64, 4
TURN = "turn"

Form = tuple[bytes, tuple[int, ...]]


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


class Searcher(Evaluator):
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
    classes, digits, renaming, memory, width, jobs: see `reference_core.Core`; beams: see `beam_score`.
    features, needs: the bits of each guess, and those that each response to it demands, see `engine.rules`;
        then there is a table, and no symmetry.
    symbols, response_of: how codes answer each other, where there is no table (see `engine.game.CodeForm`).
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
        super().__init__(
            table,
            own,
            responses,
            winning,
            unit,
            only_candidates,
            least,
            capacity,
            classes,
            digits,
            renaming,
            memory,
            width,
            jobs,
            features,
            needs,
            # What no guess separates, of those that may be asked, is remembered only where all may be asked.
            without if features is None else without | NOGOODS,
        )
        self.memo: dict[tuple[int, Set, int], Known] = {}
        self.turn = 0  # evaluations that end the turn of a part; 0: it has no turn
        self.winner = {int(s): g for g, s in reversed(list(enumerate(own))) if s >= 0}

    @alone
    def search(
        self, candidates: Ints, depth: int, beta: int, history: tuple[int, ...] = (), budget: int = 0
    ) -> Outcome:
        """Search for the value of the sorted candidates below beta, with so many guesses left.

        `history` is the guesses that led here: guesses equivalent under what fixes them are tried once.
        `budget`: evaluations after which the search ends, 0: never.
        """
        self.begin(history, budget)
        view = View(list(range(len(self.table))), self.table.shape[1])
        members = tuple(int(s) for s in candidates)
        needs = self.needs_of(history, members)
        value = self.value(view, members, depth, beta, self.limits, needs, top=True)
        found = not self.ended and value < beta
        return self.outcome(value, beta, self.chosen(members, depth, needs) if found else -1)

    def chosen(self, members: Set, depth: int, needs: int) -> int:
        """Return the first guess of the best strategy for a set, if it is known, else -1."""
        closed = self.closed(len(members), depth)
        if closed is not None:
            return self.winner.get(members[0], -1) if self.base and closed < INFINITE else -1
        known = self.memo.get((min(depth, len(members) - 1 + self.base), members, needs), Known(0))
        return known.guess if INFINITE > known.lower >= known.upper else -1

    @alone
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

    @alone
    def choice(self, candidates: Ints, depth: int, history: tuple[int, ...] = ()) -> int:
        """Return a guess that reaches the value of the candidates; raise ValueError when there is none."""
        members = tuple(int(s) for s in candidates)
        guess = self.chosen(members, depth, self.needs_of(history, members))
        if guess < 0:
            guess = self.search(candidates, depth, INFINITE, history).guess
        if guess < 0:
            raise ValueError(f"no strategy is known for {len(members)} candidates within {depth} guesses")
        return guess

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
        # 3 key and lookup in the transposition table (a copy)
        known = self.known(members, d, limits, needs)
        lower = known.lower
        # 4 what is known against beta
        if lower >= beta or lower == known.upper or self.ended or self.spent() or self.turn_over():
            return lower
        self.states += 1
        state = State(self.allowed(view, n, needs), members, d, beta, limits, needs, top)
        self.try_guesses(state, lower, known.guess)
        if not self.ended:
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
        # 5 the hash move, the guess that had the best bound one step ahead, comes first: if it keeps what it
        #   promised, no other is looked at. (Depth alone says nothing about which of many guesses that is.)
        known = hint in state.view.guesses and not is_marked(dropped, hint) and not self.without & HINTS
        if known and (self.unit or n <= self.small):
            self.attempt(state, hint, lower, int(self.own[hint]) not in state.inside)
            if self.ended or (state.guess >= 0 and state.best <= lower):
                return
        # 6 rank the guesses: by bound, then by score, candidates first, then by number
        ranked = sorted(self.rank(state, dropped))
        if self.ended:
            return
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
            if self.ended or (state.guess >= 0 and state.best <= lower):
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
        if self.turn_over() or self.is_nogood(state, guess):
            return
        form = self.form(guess, state.members, state.needs)
        if form in state.tried and state.tried[form] <= outside and not self.without & DUPLICATES:
            return
        state.tried[form] = outside
        if state.top:
            self.lower = max(self.lower, bound)
        self.history.append(guess)
        total = self.guess_value(state, guess)
        self.history.pop()
        if self.ended:
            return
        state.count += 1
        state.low = min(state.low, total)
        if total < state.best:
            state.best, state.guess = total, guess
            if state.top:
                self.upper, self.first = total, guess

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
        #   less than best minus the bounds of the others, or the sum is at least best. Where there are many
        #   parts at the top they take turns, so that those that are settled soon come first.
        left = [part for part in parts if not part.exact]
        turn = FIRST_TURN if self.unit and not self.width and state.top and len(left) > MANY_PARTS else 0
        while left and total < state.best and not self.ended:
            waiting, left = left, []
            turn = turn if len(waiting) > 1 else 0
            for part in waiting:
                if total >= state.best or self.ended:
                    break
                limit = state.best - (total - part.bound)
                if turn:
                    self.turn = self.evaluations + turn
                value = self.value(state.view, part.members, state.d - 1, limit, state.limits, part.needs)
                total += value - part.bound
                part.bound = value
                if turn and self.ended == TURN:
                    self.ended = ""
                    left.append(part)
                if turn:
                    self.turn = 0
            turn *= TURN_GROWS
        return min(total, INFINITE)

    def turn_over(self) -> bool:
        """Return whether the turn of a part has ended; then the search goes back to where it began."""
        if 0 < self.turn <= self.evaluations:
            self.ended = self.ended or TURN
            return True
        return False

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

    def is_nogood(self, state: State, guess: int) -> bool:
        """Return whether a guess leaves a set whole that the last guess but one cannot separate.

        For depth alone with two guesses left below: the part around that set must be separated by the next
        guess. One that separates a part separates every set in it, so there is none.
        """
        if self.unit or state.d != self.base + 2 or self.only_candidates or self.without & NOGOODS:
            return False
        inside = (some for some in self.nogoods if state.inside.issuperset(some))
        return any(self.count_parts(guess, some) == 1 for some in inside)

    def bound_ahead(self, view: View, members: Set, d: int, above: Limits, needs: int) -> Known:
        """Return bounds of a set: the least bound over its guesses and the guess that has it; store it."""
        guesses = self.allowed(view, len(members), needs).guesses
        self.evaluations += 1
        small = len(members) <= self.small or self.must_separate(d)
        found = (self.best_by_parts if small else self.best_by_sizes)(guesses, members, d, above)
        if found.lower == INFINITE and self.must_separate(d):
            self.learn_nogood(guesses, members)
        found.lower = max(found.lower, above.bound(len(members), d))
        self.store(members, d, needs, found.lower, found.upper, found.guess, bounded=True)
        return found

    def rank(self, state: State, dropped: NDArray[np.bool_] | None) -> list[tuple[int, int, int, int]]:
        """Return (bound, score, not a candidate, guess) for each guess bounded below the best known.

        A guess whose number of parts alone bounds it there is left out: it is no better. The bound of
        those left out goes to `state.low`. When the search is stopped, some are not looked at.
        """
        self.evaluations += 1
        n, members = len(state.members), state.members
        guesses = state.view.guesses
        by_counts = self.by_counts(n)
        if by_counts and n > self.small:
            state.limits = self.tighten(state.limits, n, self.most_parts(guesses, members))
        ranked = []
        for guess in guesses:
            if self.ended:
                break
            outside = int(self.own[guess]) not in state.inside
            if outside and self.only_candidates:
                continue
            bound, score = 0, 0
            if by_counts:
                parts = self.count_parts(guess, members)
                wins = 0 if outside else self.base
                bound, score = self.bound_by_parts(state.limits, n, state.d, parts, wins), -parts
            if bound < state.best:
                if is_marked(dropped, guess) or self.is_nogood(state, guess):
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

    # -- what is known ---------------------------------------------------------------------------------

    def known(self, members: Set, d: int, limits: Limits, needs: int) -> Known:
        """Return a copy of what is known of a set with d guesses left, by counting if by nothing else."""
        found = self.memo.get((d, members, needs), Known(0))
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
        entry = self.memo.setdefault((d, members, needs), Known(0))
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


def _code_table(digits: NDArray[np.uint8], symbols: int, response_of: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return every response of codes to codes."""
    pegs = digits.shape[1]
    black = (digits[:, None, :] == digits[None, :, :]).sum(axis=2)
    counts = np.stack([(digits == c).sum(axis=1) for c in range(max(symbols, 1))])
    common = np.minimum(counts[:, :, None], counts[:, None, :]).sum(axis=0) if symbols else 0
    return response_of[black * (2 * pegs + 1 - black) // 2 + common]
