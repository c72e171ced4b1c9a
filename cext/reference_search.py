"""Plain twin of the search of every kernel: the same steps, counts and results, written to be read.

Branch and bound on a tree of guesses, of which the least value counts, and responses, whose values add up or
of which the largest counts (Knuth 1976 searched so for strategies of Mastermind). A kernel is a class that
inherits from `Search` and says what a state is, what bounds it, and which children a guess leaves.

The steps of a state are numbered as they run; where a step leaves something out, its proof stands there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .outcome import Outcome
from .reference_core import Core, Ints, alone, size_class

Longs = NDArray[np.int64]
Set = tuple[int, ...]

SMALL = 4
"""States of more candidates are worth symmetry and the order of a beam, where a kernel says nothing else."""
ANY = -1
"""Discrepancies: as many as there are."""
SLICE_GROWS = 4
"""Each time slice has so many times the evaluations of the last."""
slices = (17, 64)
"""So many children of the first guess get time slices, the first of so many evaluations."""


def set_slices(children: int, evaluations: int) -> tuple[int, int]:
    """Let so many children get time slices, the first of so many evaluations; return both as they were.

    For tests: small games have few children, which are solved soon.
    """
    global slices
    before, slices = slices, (children, evaluations)
    return before


@dataclass
class Known:
    """What is known of a state: bounds of its value, exact when they are equal.

    `guess` reaches the upper bound; -1: the state is given up, or there is no upper bound. Where guesses are
    counted and the upper bound is infinite, it is the guess with the best bound one ply ahead. `bounded`:
    whether bounds one ply ahead are among these.
    """

    lower: int
    upper: int
    guess: int = -1
    bounded: bool = False


@dataclass(frozen=True)
class State:
    """Some candidates, and what may still be asked of them.

    Attributes
    ----------
    members: the candidates.
    depth: guesses left.
    needs: the bits that the history demands of the next guess, see `engine.rules`.
    remaining: with a budget, what a path may still pay, or -1.
    most_parts: with costs, no guess makes more parts.
    discrepancies: how often a path may still leave the first guess that is tried, or ANY.
    lies: how many lies each candidate has left, where responses may be false.
    """

    members: Set
    depth: int
    needs: int = 0
    remaining: int = -1
    most_parts: int = 0
    discrepancies: int = ANY
    lies: Set = ()

    def __len__(self) -> int:
        return len(self.members)


@dataclass
class Node:
    """A state while its guesses are tried.

    Attributes
    ----------
    top: whether it is the state that was asked for.
    best: what the best guess so far takes; before there is one, what it must be below.
    lower: at least what the state takes: a best that reaches it is optimal.
    low: at least what any other guess takes.
    settled, guess: whether a strategy takes `best`, and its first guess.
    count: guesses tried.
    beam, width: whether guesses are ordered as beams order them, and how many are tried at most (0: all).
    dropped: guesses that the symmetry makes equal to a smaller one.
    tried: forms of guesses tried, and whether these are no candidates.
    alike: by what all states are known that renamings take it to; None: none are looked for.
    data: what else a kernel knows of the state.
    """

    state: State
    top: bool
    best: int
    lower: int
    low: int
    beam: bool = False
    width: int = 0
    settled: bool = False
    guess: int = -1
    count: int = 0
    dropped: NDArray[np.bool_] | None = None
    tried: dict[Any, bool] = field(default_factory=dict)
    alike: Any = None
    data: Any = None


@dataclass
class Child:
    """What a guess leaves after one response.

    `paid` is what the guess adds to the value of the child, `bound` is at least that value, or exactly
    (`exact`). `looked`: a bound one ply ahead is known, or is not worth its time.
    """

    state: State
    paid: int = 0
    bound: int = 0
    exact: bool = True
    looked: bool = True


@dataclass(order=True)
class Ranked:
    """A guess with what orders it: the least bound first, then the least score, then candidates."""

    bound: int
    score: int
    outside: int
    guess: int


class Search(Core):
    """Search for the value of states, remembering what was found.

    Attributes
    ----------
    maximum: whether the value of a guess is the largest over its children; else the sum.
    small: states of so many candidates are searched without symmetry, order of beams and discrepancies.
    narrow: whether beams limit the guesses of small states too.
    sliced: whether the children of the first guess get time slices.
    learns: whether children come in the order in which work on them has gained most.
    looks: whether there are bounds one ply ahead.
    discrepancies: how often a path of a beam may ask another guess than the first that is tried (limited
        discrepancies, Harvey and Ginsberg 1995), or ANY. The time of a beam is then a power of the length of
        paths, not of the width.
    """

    maximum = False
    small = SMALL
    narrow = False
    sliced = True
    learns = False
    looks = True
    whole: Node
    discrepancies: int
    slice = 0  # evaluations that end the time slice of a child; 0: it has none
    over = False  # whether that slice has ended before the child was solved

    # -- asked from outside ----------------------------------------------------------------------------

    @alone
    def search(
        self,
        candidates: Ints,
        depth: int,
        beta: int | None = None,
        history: tuple[int, ...] | None = (),
        evaluations: int = 0,
        left: Any = None,
    ) -> Outcome:
        """Search for the value of the candidates below beta (None: any), with so many guesses left.

        Parameters
        ----------
        candidates: sorted.
        history: the guesses that led here, see `reference_core.Core.begin`: of guesses that are equal under
            what fixes them one is tried.
        evaluations: so many end the search, 0: any number.
        left: what else is left of the state: with costs what remains of the budget, or -1; with lies how
            many each candidate has left, uint8.
        """
        self.begin(history, evaluations)
        state = self.ask(candidates, depth, left, history)
        below = self.infinite if beta is None else beta
        value = self.value(self.whole, state, below, top=True)
        found = not self.ended and value < below
        return self.outcome(value, below, self.first_guess(state) if found else -1)

    @alone
    def choice(
        self, candidates: Ints, depth: int, history: tuple[int, ...] | None = (), left: Any = None
    ) -> int:
        """Return a guess that reaches the value of the candidates; -1: within a budget, they are given up.

        Raises ValueError when there is no strategy, or none is found before the search is stopped.
        """
        state = self.ask(candidates, depth, left, history)
        guess = -1 if self.solved(state) is None else self.last_guess(state)
        if guess >= 0:
            return guess
        # With as many discrepancies left as were, or fewer: the best that is known.
        counts = range(state.discrepancies, -1, -1) if state.discrepancies != ANY else [ANY]
        some = [self.recall(replace(state, discrepancies=count)) for count in counts]
        some = [known for known in some if known.lower >= known.upper and known.upper < self.infinite]
        if some:
            return min(some, key=lambda known: known.upper).guess
        found = self.search(candidates, depth, None, history, 0, left)
        if found.ended or found.upper >= self.infinite or (found.guess < 0 and state.remaining < 0):
            raise ValueError(f"no strategy is known for {len(candidates)} candidates")
        return found.guess

    @alone
    def bound(
        self, candidates: Ints, depth: int, history: tuple[int, ...] | None = (), left: Any = None
    ) -> tuple[int, bool]:
        """Return at least the value of the candidates, one ply ahead, and whether it is exactly that.

        Without a table (codes that answer each other) only what is known already is returned.
        """
        state = self.ask(candidates, depth, left, history)
        solved = self.solved(state)
        if solved is not None:
            return solved, True
        known = self.known(self.whole, state)
        if self.looks and not known.bounded and known.lower < known.upper:
            ahead = self.look_ahead(self.whole, state)
            known = replace(ahead, lower=max(ahead.lower, known.lower))
        return known.lower, known.lower >= known.upper

    def first_guess(self, state: State) -> int:
        """Return the first guess of the strategy that was found for a state."""
        return self.last_guess(state) if self.solved(state) is not None else self.recall(state).guess

    # -- what a kernel defines -------------------------------------------------------------------------

    def ask(self, candidates: Ints, depth: int, left: Any, history: tuple[int, ...] | None) -> State:
        """Return what is asked."""
        raise NotImplementedError

    def key(self, state: State) -> Any:
        """Return what tells a state apart."""
        raise NotImplementedError

    def solved(self, state: State) -> int | None:
        """Return exactly the value of a state that needs no search, or None."""
        raise NotImplementedError

    def last_guess(self, state: State) -> int:
        """Return the guess that such a state is asked; -1: none is needed, or there is no strategy."""
        raise NotImplementedError

    def static_bound(self, above: Node, state: State) -> int:
        """Return at least the value of a state, by counting."""
        raise NotImplementedError

    def open(self, above: Node, node: Node) -> None:
        """Prepare a node to look at all of its guesses."""

    def hash_move(self, node: Node, guess: int) -> Ranked | None:
        """Return the remembered guess, if it is to be tried before the others are ranked."""

    def rank(self, above: Node, node: Node) -> Sequence[Ranked]:
        """Return the guesses that may be better than the best known, the best bound first."""
        raise NotImplementedError

    def admit(self, node: Node, ranked: Ranked) -> bool:
        """Return whether a guess may be better than those tried before; if so, it counts as tried."""
        return True

    def split(self, node: Node, guess: int) -> tuple[list[Child], int]:
        """Return the children of a guess, those first that may take most, and what is paid beside them."""
        raise NotImplementedError

    def look_ahead(self, above: Node, state: State) -> Known:
        """Return bounds of a state from bounds of its guesses, and remember them."""
        raise NotImplementedError

    # -- what is known ---------------------------------------------------------------------------------

    def recall(self, state: State) -> Known:
        """Return a copy of what is remembered of a state."""
        return replace(self.memo.get(self.key(state)) or Known(0, self.infinite))

    def store(self, state: State, lower: int, upper: int, guess: int, *, bounded: bool = False) -> None:
        """Remember what was found of a state."""
        self.remember(self.key(state), lower, upper, guess, bounded=bounded)

    def remember(self, key: Any, lower: int, upper: int, guess: int, *, bounded: bool = False) -> None:
        """Remember what was found of a key: bounds are tightened, a better guess replaces a worse one."""
        entry = self.memo.setdefault(key, Known(0, self.infinite))
        entry.lower = max(entry.lower, lower)
        if upper < entry.upper:
            entry.upper, entry.guess = upper, guess
        elif entry.upper == self.infinite and guess >= 0:
            entry.guess = guess
        entry.bounded |= bounded

    def store_alike(self, node: Node, lower: int) -> None:
        """Remember the same of all states that are alike, where a kernel knows them."""

    def known(self, above: Node, state: State) -> Known:
        """Return what is known of a state, by counting if by nothing else."""
        known = self.recall(state)
        if known.lower < known.upper:
            known.lower = max(known.lower, self.static_bound(above, state))
        assert known.lower <= known.upper or self.width, "a bound is wrong"
        return known

    # -- one state -------------------------------------------------------------------------------------

    def value(self, above: Node, state: State, beta: int, *, top: bool = False) -> int:
        """Return exactly the value of a state if it is below beta, else at least beta, and at most the value.

        `above` is a node that contains the state: what may be asked now might be asked there.
        """
        # 1 no search needed?
        solved = self.solved(state)
        if solved is not None:
            return solved
        # 2 what is remembered, and what counting says
        known = self.known(above, state)
        lower = known.lower
        # 3 enough? or is the search, or a time slice, at its end?
        if lower >= beta or lower == known.upper or self.halted() or self.spent() or self.slice_over():
            return lower
        node = Node(state, top, beta, lower, self.infinite)
        node.beam = self.width > 0 and len(state) > self.small
        node.width = self.width if node.beam or self.narrow else 0
        if node.width and state.discrepancies == 0:
            node.width = 1
        self.open(above, node)
        if node.lower >= beta or node.settled:  # 3 once more, by states that are alike
            self.store(state, node.lower, self.infinite, -1)
            return node.lower
        self.states += 1
        self.try_guesses(above, node, known.guess)
        lower = node.lower
        if not self.halted():
            # 10 remember the value, or the bound: without a choice every guess was bounded by `low` or more
            lower = max(lower, node.best if node.settled else node.low)
            self.store(state, lower, lower if node.settled else self.infinite, node.guess)
            self.store_alike(node, lower)
        return lower

    def try_guesses(self, above: Node, node: Node, hint: int) -> None:
        """Try the guesses of a node, the best bound first."""
        # 4 guesses that the symmetry makes equal to a smaller one are dropped. It fixes the history, hence
        #   the state, so both have the same value; the smallest of its class is never dropped.
        node.dropped = self.equivalents() if len(node.state) > self.small else None
        # 5 the hash move, the guess that had the best bound one ply ahead, comes first: if it keeps what it
        #   promised, no other is looked at
        first = self.hash_move(node, hint)
        if first is not None:
            self.attempt(node, first)
            if self.halted() or (node.settled and node.best <= node.lower):
                return
        # 6 rank the guesses
        for ranked in self.rank(above, node):
            if self.halted() or (node.settled and node.best <= node.lower):
                break
            # 7 all that follow are bounded at least as high (in a beam: perhaps): they are not better than
            #   the best
            if ranked.bound >= node.best:
                node.low = min(node.low, ranked.bound)
                if node.beam:
                    continue
                break
            if node.width and node.count >= node.width:
                break
            self.attempt(node, ranked)

    def attempt(self, node: Node, ranked: Ranked) -> None:
        """Try a guess that may be better than those tried before, and keep it if it is."""
        if not self.admit(node, ranked) or self.slice_over():
            return
        if node.top:
            self.lower = max(self.lower, ranked.bound)
        self.history.append(ranked.guess)
        total = self.guess_value(node, ranked.guess)
        self.history.pop()
        if self.halted():
            return
        node.count += 1
        node.low = min(node.low, total)
        if total < node.best:
            node.best, node.guess, node.settled = total, ranked.guess, True
            if node.top:
                self.upper, self.first = total, ranked.guess

    # -- one guess -------------------------------------------------------------------------------------

    def guess_value(self, node: Node, guess: int) -> int:
        """Return exactly what a node takes with this guess if it is below the best, else at least that."""
        children, paid = self.split(node, guess)
        # 8 bound every child one ply ahead before descending into any: the sum (or maximum) of bounds is a
        #   bound
        for child in self.in_order(children, searching=False):
            total, work = self.total(children, paid), self.work
            if total >= node.best:
                break
            known = self.look_ahead(node, child.state)
            self.learn(child, False, min(known.lower - child.bound, node.best - total), work)
            child.bound = max(child.bound, known.lower)
            child.exact = known.lower >= known.upper
        return self.descend(node, children, paid)

    def in_order(self, children: list[Child], *, searching: bool) -> list[Child]:
        """Return the children to be looked at, or searched, in the order in which that is done.

        First comes what has raised bounds of sets of that size most so far, for each candidate read; what was
        never done is expected to gain one for each candidate, if it looks ahead, and nothing, if it searches.
        Any order is right. Where one child can be enough, they stay as they are, those first that may take
        most.
        """

        def promise(child: Child) -> float:
            n, size = len(child.state), size_class(len(child.state))
            gained = self.gained[searching][size] + (0 if searching else n)
            return gained / (self.worked[searching][size] + n)

        due = [child for child in children if not child.exact and (searching or not child.looked)]
        return sorted(due, key=promise, reverse=True) if self.learns else due

    def learn(self, child: Child, searching: bool, gained: int, before: int) -> None:
        """Note by how much looking ahead from a child, or searching it, has raised its bound."""
        size = size_class(len(child.state))
        self.gained[searching][size] += max(gained, 0)
        self.worked[searching][size] += self.work - before + 1

    def descend(self, node: Node, children: list[Child], paid: int) -> int:
        """Return what `guess_value` does, given children with bounds.

        9 Descend, replacing bounds by values; cut when the guess is bounded at the best. A child matters
        only below what the others leave of the best: if it takes more, so does the guess. Where the first
        guess has many children, they get time slices, so that those that are solved soon come first. What a
        slice ends with is a bound as any other.
        """
        waiting = self.in_order(children, searching=True)
        many = node.top and not self.width and len(waiting) >= slices[0]
        slice_ = slices[1] if many and self.sliced else 0
        total = self.total(children, paid)
        while waiting and total < node.best and not self.halted():
            slice_ = slice_ if len(waiting) > 1 else 0
            for child in waiting:
                if total >= node.best or self.halted():
                    break
                limit, work = node.best - (child.paid if self.maximum else total - child.bound), self.work
                if slice_:
                    self.slice = self.evaluations + slice_
                value = self.value(node, child.state, limit)
                self.learn(child, True, value - child.bound, work)
                child.bound = value
                child.exact = not self.over
                if slice_:
                    self.slice, self.over = 0, False
                total = self.total(children, paid)
            waiting = self.in_order(children, searching=True)
            slice_ *= SLICE_GROWS
        return total

    def total(self, children: list[Child], paid: int) -> int:
        """Return at least what a guess takes, by what is known of its children."""
        each = [child.paid + child.bound for child in children]
        return min(max([paid, *each]) if self.maximum else paid + sum(each), self.infinite)

    def pass_on(self, node: Node, members: int) -> int:
        """Return the discrepancies left to a child: every guess but the first that is tried takes one."""
        if members <= self.small or node.state.discrepancies == ANY:
            return ANY
        return node.state.discrepancies - (node.count > 0)

    def slice_over(self) -> bool:
        """Return whether the time slice of a child has ended; then the search goes back to where it began."""
        self.over = self.over or 0 < self.slice <= self.evaluations
        return self.over

    def halted(self) -> bool:
        """Return whether to go back: the search is ended, or a time slice is over."""
        return bool(self.ended) or self.over
