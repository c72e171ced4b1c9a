"""Plain twin of the states where guesses are counted; `reference_search` has the search.

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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .reference import code_form
from .reference_core import MOST_JOBS, Classes, Ints, Words, is_marked
from .reference_evaluate import (
    AHEAD,
    ALIKE,
    BY_PARTS,
    DUPLICATES,
    HINTS,
    INFINITE,
    LIMITS,
    NOGOODS,
    TABLES,
    Evaluator,
    Limits,
)
from .reference_search import ANY, Child, Known, Longs, Node, Ranked, Set, State

__all__ = [
    "AHEAD", "ALIKE", "BY_PARTS", "DUPLICATES", "HINTS", "INFINITE", "LIMITS", "MOST_JOBS", "NOGOODS",
    "TABLES", "Searcher",
]  # fmt: skip

LOCAL = 4
AHEAD_ALIKE = 16
"""One ply ahead, sets of more codes are looked up by what those alike share."""

Form = tuple[bytes, tuple[int, ...]]


@dataclass
class View:
    """The guesses that still differ on a set, the size of that set, and what counting says of its subsets.

    `hint`: the guess with the best bound one ply ahead, where only bounds were taken over; or -1.
    """

    guesses: list[int]
    size: int
    limits: Limits
    hint: int = -1


class Searcher(Evaluator):
    """Search for the value of sets of candidates, remembering what was found.

    Parameters
    ----------
    table: responses 0..responses-1, uint8, shape (guesses, secrets); None: they are worked out from codes.
    secret_of_guess: the secret that each guess names, or -1, int32, shape (guesses,).
    winning: the response that ends the game, or -1: to identify.
    unit: 1 to count guesses, 0 for depth alone.
    only_candidates: whether a guess must name a candidate.
    least: at least the total of n secrets times `unit`, convex to win, int64, shape (secrets + 1,).
    capacity: at most how many secrets d guesses settle, int64, until it reaches all.
    classes, digits, renaming, memory, width, jobs: see `reference_core.Core`; beams: see `beam_score`.
    discrepancies: see `reference_search.Search`.
    features, needs: the bits of each guess, and those that each response to it demands, see `engine.rules`;
        then there is a table, and no symmetry.
    symbols, response_of: how codes answer each other, where there is no table (see `engine.game.CodeForm`).
    without: techniques to leave out, a sum of BY_PARTS, HINTS, ...: to test that none changes a value, and to
        measure what each saves.
    """

    narrow = True

    def __init__(
        self,
        table: NDArray[np.uint8] | None,
        secret_of_guess: Ints,
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
        discrepancies: int = ANY,
    ) -> None:
        self.looks = table is not None
        if table is None:
            assert digits is not None
            assert response_of is not None
            table = _code_table(digits, symbols, response_of)
        super().__init__(INFINITE, classes, digits, renaming, memory, width, jobs, features, needs)
        self.discrepancies = discrepancies
        # What no guess separates, of those that may be asked, is remembered only where all may be asked.
        without = without if features is None else without | NOGOODS
        self.prepare(
            table, secret_of_guess, responses, winning, unit, only_candidates, least, capacity, without
        )
        self.sliced = self.learns = bool(unit)
        self.guess_of_secret = {int(s): g for g, s in reversed(list(enumerate(secret_of_guess))) if s >= 0}
        everything = tuple(range(table.shape[1]))
        self.whole = Node(State(everything, 0), False, INFINITE, 0, INFINITE)
        self.whole.data = View(list(range(len(table))), len(everything), self.limits)

    def ask(self, candidates: Ints, depth: int, left: Any, history: tuple[int, ...] | None) -> State:
        """Return what is asked; more guesses than matter are never counted."""
        members, needs = tuple(int(s) for s in candidates), 0
        for guess in history or ():
            needs = self.needs_after(needs, guess, int(self.table[guess, members[0]]))
        discrepancies = self.discrepancies if len(members) > self.small else ANY
        return self.state(members, depth, needs, discrepancies)

    def state(self, members: Set, depth: int, needs: int, discrepancies: int) -> State:
        """Return a state; no best strategy asks what leaves it as it is, so more guesses are of no use."""
        depth = min(depth, len(members) - 1 + self.base)
        return State(members, depth, needs, discrepancies=discrepancies)

    def key(self, state: State) -> Any:
        """Return what tells a state apart."""
        return state.members, state.depth, state.needs, state.discrepancies

    def solved(self, state: State) -> int | None:
        """Return exactly the value of one candidate, or to win of two."""
        return self.solved_by_size(len(state), state.depth)

    def last_guess(self, state: State) -> int:
        """Return a guess that names the first candidate; -1: none is needed, or all would be too late."""
        wins = self.base and self.solved(state) != INFINITE
        return self.guess_of_secret.get(state.members[0], -1) if wins else -1

    def static_bound(self, above: Node, state: State) -> int:
        """Return at least the value of a state, by counting."""
        return int(above.data.limits.bound(len(state), state.depth))

    # -- guesses ---------------------------------------------------------------------------------------

    def open(self, above: Node, node: Node) -> None:
        """Let the node have the guesses of the node above that are allowed."""
        view: View = above.data
        if self.shares(node.state, self.small):
            node.alike, known = self.recall_alike(node.state)
            node.lower = max(node.lower, known.lower)
            if node.lower >= node.best or (known.lower >= known.upper and not node.top):
                node.settled = node.lower < node.best  # whose guess is asked for, needs one of its own
                return
        guesses = self.allowed(view.guesses, node.state.needs)
        size = view.size if len(guesses) == len(view.guesses) else len(node.state)
        node.data = View(guesses, size, view.limits)
        if self.takes_hints(len(node.state)) and self.shares(node.state, AHEAD_ALIKE):
            known = self.recall(node.state)
            if known.bounded and known.guess < 0:
                node.data.hint = self.bound_ahead(node, node.state).guess

    def takes_hints(self, n: int) -> bool:
        """Return whether a guess known to be good is tried first; depth alone says nothing about which is."""
        return bool(self.unit or n <= self.small) and not self.without & HINTS

    def shares(self, state: State, small: int) -> bool:
        """Return whether a set of codes shares what is known with those that renamings take it to."""
        there = self.renaming and len(state) > small
        return bool(there and not (self.width or self.needs is not None or self.without & ALIKE))

    def recall_alike(self, state: State) -> tuple[Any, Known]:
        """Return the key of the image of a set of codes, and what is known of all sets that have it.

        A renaming takes guesses to guesses and keeps how they answer, so what a strategy takes of a set, its
        image takes of the image (L8), with as many guesses left. So bounds and values are shared. Guesses are
        not: who reads the strategy searches for one of the set itself, which stops at the value.
        """
        assert self.digits is not None
        members, colours = np.array(state.members, dtype=np.int32), int(self.digits.max()) + 1
        image, _, _ = code_form(self.digits, members, colours, self.renaming == 2)
        key = image.tobytes(), state.depth
        return key, replace(self.memo.get(key) or Known(0, INFINITE))

    def store_alike(self, node: Node, lower: int) -> None:
        """Remember a bound or a value for all sets that have the image of the state's."""
        if node.alike is not None:
            self.remember(node.alike, lower, lower if node.settled else INFINITE, -1)

    def hash_move(self, node: Node, guess: int) -> Ranked | None:
        """Return the remembered guess, if it is tried first."""
        guess = node.data.hint if guess < 0 else guess
        known = guess in node.data.guesses and not is_marked(node.dropped, guess)
        if not known or not self.takes_hints(len(node.state)):
            return None
        return Ranked(node.lower, 0, int(self.secret_of_guess[guess]) not in node.state.members, guess)

    def rank(self, above: Node, node: Node) -> list[Ranked]:
        """Return the guesses bounded below the best known: by bound, then by score, candidates first."""
        view: View = node.data
        ranked = sorted(self.bounded(node))
        n = len(node.state)
        if node.beam and not self.ended:
            for each in ranked:
                each.score = self.beam_score(node.state.members, each.guess, each.outside)
            ranked.sort(key=lambda each: (each.score, each))
        # A large set is worth a table of its own: smaller, and without guesses that tell the same.
        large = n > 2 * LOCAL * self.small and (2 * n <= view.size or self.needs is not None)
        if len(ranked) >= LOCAL and large and not self.without & TABLES:
            guesses = self.distinct(view.guesses, node.state.members, node.state.needs)
            node.data = View(guesses, n, node.data.limits)
            kept = set(guesses)
            ranked = [each for each in ranked if each.guess in kept]
        return ranked

    def beam_score(self, members: Set, guess: int, outside: int) -> int:
        """Return what orders the guesses of a large set in a beam, the least first.

        n times (twice the expected size of the part, less the number of parts, less 1 if the guess may win).
        The bound by counting says nearly the same of all guesses where most parts are small. Small sets keep
        their order: it is by the number of parts.
        """
        sizes = np.bincount(self.table[guess, list(members)]).astype(np.int64)
        parts = np.count_nonzero(sizes) + (0 if outside else self.base)
        return int(2 * (sizes**2).sum() - len(members) * parts)

    def admit(self, node: Node, ranked: Ranked) -> bool:
        """Return whether a guess leaves no nogood whole, and none with the same partition was tried.

        Equal partitions leave the same parts, with the same needs where those matter (see `form`). Of two
        candidates, each leaves the other as a single part: the values are equal. A candidate is never worse
        than a guess outside with the same partition.

        It is never tried after that guess either, as the bounds of both are by the same parts, but that the
        one it wins on costs nothing more; of equal bounds and scores the candidate comes first, and as a
        remembered guess, too. So it would do to know that a partition was met. Threads try several guesses at
        once, though, and may meet it from outside first: the kernel looks at where it was met from.
        """
        if self.is_nogood(node.state, ranked.guess):
            return False
        form, outside = self.form(ranked.guess, node.state.members, node.state.needs), bool(ranked.outside)
        if not self.without & DUPLICATES and form in node.tried:
            assert node.tried[form] <= outside, "a candidate comes before its equals"
            return False
        node.tried[form] = outside
        return True

    def split(self, node: Node, guess: int) -> tuple[list[Child], int]:
        """Return the children of a guess, largest first; one that wins is none."""
        parts: dict[int, list[int]] = {}
        for s in node.state.members:
            parts.setdefault(int(self.table[guess, s]), []).append(s)
        parts.pop(self.winning, None)
        children = []
        for response, part in sorted(parts.items(), key=lambda item: (-len(item[1]), item[0])):
            needs = self.needs_after(node.state.needs, guess, response)
            below = self.state(tuple(part), node.state.depth - 1, needs, self.pass_on(node, len(part)))
            children.append(self.child(node, below))
        return children, self.unit * len(node.state)

    def child(self, node: Node, below: State) -> Child:
        """Return a child with what is known of it."""
        solved = self.solved(below)
        if solved is not None:
            return Child(below, 0, solved)
        known = self.known(node, below)
        # For depth alone a look ahead says nothing before the last guess but one.
        says = self.looks or len(node.state) < self.table.shape[1]
        looked = known.bounded or not says or bool(self.without & AHEAD)
        looked = looked or not (self.unit or below.depth - 1 <= self.base)
        return Child(below, 0, known.lower, known.lower >= known.upper, looked)

    # -- what may be asked -----------------------------------------------------------------------------

    def allowed(self, guesses: list[int], needs: int) -> list[int]:
        """Return those of some guesses that may be asked."""
        return guesses if self.features is None else [g for g in guesses if not needs & ~self.features[g]]

    def form(self, guess: int, members: Set, needs: int) -> Form:
        """Return a partition, with the needs of its parts: equal forms leave the same to be done.

        Parts that are solved whatever they need (to win, of up to two secrets; to identify, of one) are left
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
            found |= self.features[self.guess_of_secret[s]]
        return found

    # -- bounds ----------------------------------------------------------------------------------------

    def is_nogood(self, state: State, guess: int) -> bool:
        """Return whether a guess leaves a set whole that the last guess but one cannot separate.

        For depth alone with two guesses left below: the part around that set must be separated by the next
        guess. One that separates a part separates every set in it, so there is none.
        """
        if self.unit or state.depth != self.base + 2 or self.only_candidates or self.without & NOGOODS:
            return False
        members = set(state.members)
        inside = (some for some in self.nogoods if members.issuperset(some))
        return any(self.count_parts(guess, some) == 1 for some in inside)

    def look_ahead(self, above: Node, state: State) -> Known:
        """Return bounds of a state one ply ahead, which all states share that renamings take it to."""
        if not self.shares(state, AHEAD_ALIKE):
            return self.bound_ahead(above, state)
        alike, known = self.recall_alike(state)
        if known.bounded or known.lower >= known.upper:
            # the upper bound is not the state's own: that has a guess
            self.store(state, known.lower, INFINITE, -1, bounded=True)
            return known
        found = self.bound_ahead(above, state)
        found.lower = max(found.lower, known.lower)
        self.remember(alike, found.lower, found.upper, -1, bounded=True)
        return found

    def bound_ahead(self, above: Node, state: State) -> Known:
        """Return bounds of a state, the least over its guesses, and the guess that has it; remember them."""
        guesses, limits = self.allowed(above.data.guesses, state.needs), above.data.limits
        members, depth = state.members, state.depth
        self.evaluated(len(members))
        small = len(members) <= self.small or self.must_separate(depth)
        found = (self.best_by_parts if small else self.best_by_sizes)(guesses, members, depth, limits)
        if found.lower == INFINITE and self.must_separate(depth):
            self.learn_nogood(guesses, members)
        found.lower = max(found.lower, limits.bound(len(members), depth))
        self.store(state, found.lower, found.upper, found.guess, bounded=True)
        return found

    def bounded(self, node: Node) -> list[Ranked]:
        """Return the guesses bounded below the best known.

        A guess whose number of parts alone bounds it there is left out: it is no better. The bound of
        those left out goes to `low` of the node. When the search is stopped, some are not looked at.
        """
        view, members = node.data, node.state.members
        self.evaluated(len(members))
        n, depth, guesses, inside = len(members), node.state.depth, view.guesses, set(members)
        by_counts = self.by_counts(n)
        if by_counts and n > self.small:
            view.limits = self.tighten(view.limits, n, self.most_parts(guesses, members))
        ranked = []
        for guess in guesses:
            if self.ended:
                break
            outside = int(self.secret_of_guess[guess]) not in inside
            if outside and self.only_candidates:
                continue
            bound, score = 0, 0
            if by_counts:
                parts = self.count_parts(guess, members)
                wins = 0 if outside else self.base
                bound, score = self.bound_by_parts(view.limits, n, depth, parts, wins), -parts
            if bound < node.best:
                if is_marked(node.dropped, guess) or self.is_nogood(node.state, guess):
                    continue
                if not by_counts or n > self.small:
                    bound, score = self.bound_by_sizes(view.limits, guess, members, depth)
            if bound < node.best:
                ranked.append(Ranked(bound, score, int(outside), guess))
            else:
                node.low = min(node.low, bound)
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
        seen = {forms[g] for g in guesses if int(self.secret_of_guess[g]) in inside}
        kept = []
        for guess in guesses:
            if not any(forms[guess][0][0]):
                continue
            if int(self.secret_of_guess[guess]) not in inside:
                if self.only_candidates or forms[guess] in seen:
                    continue
                seen.add(forms[guess])
            kept.append(guess)
        return kept


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
