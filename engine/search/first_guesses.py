"""The least total from below, best first at the root: a look ahead, then children are raised.

A strategy asks some first guess, and costs at least what all secrets pay for it and the sum of what is known
of the children that it leaves. So the least of these sums over all first guesses bounds the total, whichever
of them were looked at: L1, and L5 for the children, in verify/LEMMAS.md; guesses that the symmetry makes
equal have equal sums, L8. Certificates show that much without a lemma.
"""

from __future__ import annotations

import heapq
import math
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Generic

import numpy as np

from ..claims import Claim, checker_of
from ..errors import SpaceError
from ..problem import Problem
from ..solution import Found
from ..state import everything
from .deadline import Deadline, TimeUp
from .session import Session
from .space import LEAST_MEMORY, Child, Resources, S, SearchSpace

LEAST_BUDGET = 1 << 13
"""Evaluations for one attempt to raise a child; doubled when they did not suffice."""
FIRST_STEP = 8
"""The first attempt is to raise a child of n secrets by n / FIRST_STEP guesses."""
LOOKS = 16
"""First guesses that are looked at before a search, at most."""
LOOK_SHARE = 0.25
"""Of the time that is left, or that a long search has taken: for a look ahead, at most."""
MOST_RESPONSES, MOST_CELLS = 255, 1 << 27
"""Of tables that are looked at as a checker does, which takes a table more."""
QUICK = 1 << 22
"""Cells of a table; with fewer, a look ahead takes no time, and is left to the end of a search that is
stopped."""


@dataclass
class RaisedChild(Generic[S]):
    """A child that a first guess leaves, and how attempts to raise it went.

    Attributes
    ----------
    step: guesses by which the next attempt is to raise it.
    budget: evaluations that the next attempt may take.
    rate: guesses per second that the last attempt raised it by.
    """

    child: Child[S]
    step: int
    budget: int = LEAST_BUDGET
    rate: float = math.inf

    @classmethod
    def of(cls, child: Child[S]) -> RaisedChild[S]:
        """Return a child that was not raised yet."""
        return cls(child, max(1, child.size // FIRST_STEP), LEAST_BUDGET)

    @property
    def promise(self) -> tuple[float, int]:
        """What children are compared by: the largest promises most."""
        return self.rate, self.child.size


def first_guesses(problem: Problem) -> list[tuple[int, int]]:
    """Return a heap of at least what each first guess takes by counting, and the guess.

    Of equivalent guesses there is one; those that tell nothing are left out.
    """
    start = everything(problem.secrets)
    if problem.first is not None:
        guesses = np.array([problem.first], dtype=np.int32)
    else:
        guesses = problem.allowed(start)
        classes = None if problem.searched_classes is None else problem.searched_classes(())
        if classes is not None:
            guesses = guesses[classes[guesses] == guesses]
    sizes = problem.sizes(guesses, start)
    if problem.winning >= 0:
        sizes[:, problem.winning] = 0
    telling = sizes.max(axis=1) < problem.secrets
    totals = problem.secrets + problem.least[sizes[telling]].sum(axis=1)
    waiting = list(zip(totals.tolist(), guesses[telling].tolist(), strict=True))
    heapq.heapify(waiting)
    return waiting


class FirstGuesses(Generic[S]):
    """Bound the least total best first at the root, first guess by first guess and child by child."""

    def __init__(self, session: Session[S]) -> None:
        self.session, self.problem = session, session.problem
        self.query = session.space.query("total")
        self.waiting = first_guesses(session.problem)
        self.children: dict[int, list[RaisedChild[S]]] = {}  # of first guesses, as far as they were looked at

    @property
    def least(self) -> int:
        """At least the least total, by what is known of first guesses."""
        return self.waiting[0][0] if self.waiting else 0

    def work(self) -> None:
        """Raise the least sum over first guesses until it reaches the best strategy, or the time is up."""
        session, waiting, children = self.session, self.waiting, self.children
        if waiting:
            session.raise_to("total", min(self.least, session.upper("total")), "parts of first guesses")
        while waiting and waiting[0][0] < session.upper("total") and not session.deadline.late():
            guess = waiting[0][1]
            if guess not in children:
                found = session.space.split(self.query, session.space.root(self.query), guess)
                children[guess] = [RaisedChild.of(child) for child in found]
            elif all(raised.child.exact for raised in children[guess]):
                session.take(self.query, guess)
                return
            else:
                self.raise_one(guess, children[guess])
            total = sum(raised.child.paid + raised.child.lower for raised in children[guess])
            heapq.heapreplace(waiting, (total, guess))
            if waiting[0][0] < session.space.infinite:
                how = f"children of {self.problem.game.guesses[waiting[0][1]]} raised"
                session.raise_to("total", min(waiting[0][0], session.upper("total")), how)

    def look(self, most: int) -> None:
        """Raise the least sum by a look at the children of the weakest first guesses, at most `most` of them.

        The searcher is one of its own: what others remember and count is as without the look. What a
        certificate would show is looked at, too: now the one says more, now the other.
        """
        session, waiting, space = self.session, self.waiting, self.session.space
        searcher = space.searcher(self.query, replace(session.resources, memory=LEAST_MEMORY, jobs=1))
        claim = claim_of(self.problem, min(session.upper("total"), space.infinite - 1))
        while waiting and most and self.least < session.upper("total") and not session.deadline.late():
            guess = waiting[0][1]
            if guess in self.children:
                break
            children = space.split(self.query, space.root(self.query), guess)
            for child in children:
                if not session.deadline.late():
                    child.look(space, searcher)
            total = sum(child.paid + child.lower for child in children)
            if claim is not None and not session.deadline.late():
                weak = claim.ask(guess)
                total = max(total, claim.bound if weak is None else weak.bound)
            self.children[guess], most = [RaisedChild.of(child) for child in children], most - 1
            heapq.heapreplace(waiting, (min(total, space.infinite), guess))
        counted = 0 if claim is None else claim.counted(self.problem.secrets, claim.depth)
        if max(self.least, counted) < space.infinite:
            session.raise_to("total", min(max(self.least, counted), session.upper("total")), "one step ahead")

    def raise_one(self, guess: int, children: list[RaisedChild[S]]) -> None:
        """Try to raise the child of a first guess that promises most, within its budget."""
        session = self.session
        chosen = max((raised for raised in children if not raised.child.exact), key=lambda r: r.promise)
        child, searcher = chosen.child, session.searcher(self.query)
        assert child.state is not None
        others = sum(raised.child.paid + raised.child.lower for raised in children) - child.lower
        beta = min(child.lower + chosen.step, session.upper("total") - others)
        session.phase = f"total, children of {self.problem.game.guesses[guess]}"
        before, since = child.lower, session.deadline.seconds
        outcome = session.search(searcher, child.state, beta, chosen.budget)
        child.lower = max(child.lower, outcome.lower)
        child.exact = not outcome.ended and outcome.lower < beta
        chosen.rate = max(child.lower - before, 0.5) / max(session.deadline.seconds - since, 1e-6)
        if outcome.ended:
            chosen.budget, chosen.step = 2 * chosen.budget, max(1, chosen.step // 2)
        else:
            chosen.step *= 2


def claim_of(problem: Problem, bound: int) -> Claim | None:
    """Return the claim that the game costs so much, as a checker sees it; None: its table is too large."""
    if problem.responses > MOST_RESPONSES or cells_of(problem) > MOST_CELLS:
        return None
    return Claim(checker_of(problem), everything(problem.secrets), problem.max_depth, bound)


def firsts_of(session: Session[S]) -> FirstGuesses[S]:
    """Return what is known of the first guesses of a session."""
    session.firsts = session.firsts or FirstGuesses(session)
    found: FirstGuesses[S] = session.firsts
    return found


def look_ahead(session: Session[S], most: int = LOOKS) -> None:
    """Raise the least total to what a look ahead shows of first guesses, where it is asked for.

    What a look at some of them shows is kept for the next one.
    """
    if may_look(session):
        firsts_of(session).look(most)


def may_look(session: Session[S]) -> bool:
    """Return whether a look ahead may say something: only where each guess counts 1, by a table."""
    asked = "total" in session.problem.objective.figures
    return session.policy.looks and asked and session.resources.tabled and not session.settled("total")


def look_first(session: Session[S]) -> None:
    """Look ahead before the search of a game that is large enough for it to be stopped."""
    if may_look(session) and cells_of(session.problem) >= QUICK:
        _ = session.problem.table  # it takes time that is not for the look alone
        with session.within(LOOK_SHARE * session.deadline.left):
            look_ahead(session)


def look_longer(session: Session[S]) -> None:
    """Look ahead where a search turns out to be long."""
    with session.within(LOOK_SHARE * min(session.deadline.left, session.deadline.seconds)):
        look_ahead(session, session.problem.secrets)


def look_last(session: Session[S]) -> None:
    """Look ahead where next to no time is needed for it: when a search has ended without a proof."""
    if may_look(session) and cells_of(session.problem) < QUICK:
        whole, session.deadline = session.deadline, session.deadline.grace()
        try:
            with suppress(TimeUp):
                session.deadline.run(lambda: look_ahead(session), lambda: None)
        finally:
            session.deadline = whole


def known_beside(space: SearchSpace[S], found: Found, deadline: Deadline) -> dict[str, int]:
    """Return at least what each figure of the objective is, where a strategy was found without a search."""
    if not space.policy.looks:
        return space.counted()
    try:
        session = Session(space, Resources.of(space.problem, 1, None), deadline)
    except SpaceError:
        return space.counted()
    session.offer(found)
    look_last(session)
    if not deadline.late():
        with suppress(TimeUp):
            deadline.run(lambda: look_longer(session), lambda: None)
    return session.lower


def cells_of(problem: Problem) -> int:
    """Return the size of the table of responses."""
    return problem.secrets * len(problem.game.guesses)
