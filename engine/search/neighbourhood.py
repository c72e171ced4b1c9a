"""Better strategies for a large game: subtrees of the best are built anew, the better of both is kept.

A beam over the whole game takes long before it has anything to offer. A subtree takes little time, and what
it costs now is a limit for the search of a better one. All sizes have their turn, from few candidates to
many, and then again with a wider beam.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any, Generic

from ..solution import Found
from .session import Session
from .space import ANY, Query, S

MEMORY = 1 << 28
"""Bytes that a beam may remember at most; subtrees hardly share what they need."""
SIZES = 16
"""The size of states with which a round begins; it is doubled until it is that of the game,"""
FIRST_SIZES = 128
"""but up to so much only in the first round, and twice as much in each that follows."""
ROUNDS = ((4, 1), (4, 2), (8, 2), (6, 3), (12, 3), (8, 4), (20, 3), (12, 5), (30, 4), (20, 6), (100, ANY))
"""Width and discrepancies of the beams of each round."""


class Neighbourhood(Generic[S]):
    """The best strategy of a session, while its subtrees are built anew for the least total."""

    def __init__(self, session: Session[S], query: Query) -> None:
        assert session.best is not None
        self.session, self.query, self.space = session, query, session.space
        self.choices = dict(session.best.choices)
        self.costs: dict[bytes, int] = {}
        self.states: list[S] = []
        self.read()

    def read(self) -> None:
        """Walk through the strategy: its states, the largest first, and what each costs from there on."""
        self.states, self.costs = [], {}
        found, below = list[S]([self.space.root(self.query)]), list[list[bytes]]()
        for state in found:
            guess = self.choices[state.key]
            children = [c for c in self.space.children(state, guess) if self.open(c)]
            found += children
            below.append([child.key for child in children])
        for state, keys in zip(reversed(found), reversed(below), strict=True):
            paid = self.space.paid(state, self.choices[state.key])
            self.costs[state.key] = paid + sum(self.costs[key] for key in keys)
        self.states = found

    def open(self, state: S) -> bool:
        """Return whether a guess is asked in a state."""
        return not self.space.finished(state)

    def pass_over(self, most: int, width: int, discrepancies: int, *, pairs: bool = False) -> None:
        """Build the largest subtrees of at most so many candidates anew, and offer what has become better.

        `width`, `discrepancies`, `pairs`: of the beams, see `SearchSpace.searcher`.
        """
        session, space = self.session, self.space
        resources = replace(session.resources, memory=min(session.resources.memory, MEMORY))
        searcher = space.searcher(self.query, resources, width, discrepancies, pairs=pairs)
        done, better = set[bytes](), False
        fixed = session.problem.first is not None  # what is asked first is not to be chosen anew
        try:
            for state in self.states[fixed:]:
                if session.deadline.late():
                    break
                if len(state.candidates) > most or state.key in done:
                    continue
                done |= self.below(state)
                better |= self.rebuild(searcher, state)
        finally:
            session.retire(searcher)
        if better:
            self.offer()

    def below(self, state: S) -> set[bytes]:
        """Return the keys of the states of a subtree."""
        waiting = [state]
        for some in waiting:
            waiting += [c for c in self.space.children(some, self.choices[some.key]) if self.open(c)]
        return {some.key for some in waiting}

    def rebuild(self, searcher: Any, state: S) -> bool:
        """Build the subtree of a state anew if that is better; return whether it is."""
        session, space = self.session, self.space
        cost = self.costs[state.key]
        outcome = session.search(searcher, state, cost)
        if outcome.upper >= cost or outcome.ended:
            return False

        def choose(some: S) -> int:
            return outcome.guess if some is state else space.choice(searcher, some)

        with suppress(ValueError):  # forgotten, and not found again in time
            self.choices |= session.deadline.run(lambda: space.walk(state, choose), searcher.stop).choices
            return True
        return False

    def offer(self) -> None:
        """Offer the strategy, and read it again."""
        session, space = self.session, self.space
        root = space.root(self.query)
        found: Found = space.walk(root, lambda state: self.choices[state.key])
        session.offer(found)
        self.choices = dict(found.choices)
        self.read()


def rebuild(session: Session[S], query: Query) -> None:
    """Build subtrees of the best strategy anew until the time is up."""
    if session.best is None or query.left >= 0 or session.deadline.unlimited:
        return
    rebuilt, phase, secrets = Neighbourhood(session, query), session.phase, session.problem.secrets
    for number, (width, discrepancies) in enumerate(ROUNDS):
        most, largest = SIZES, min(FIRST_SIZES << number, secrets)
        while not session.deadline.late() and not session.settled("total"):
            session.phase = f"{phase}, best {width} guesses of states up to {most}"
            for pairs in (
                (False,) if session.space.decides else (False, True)
            ):  # where guesses cost, two orders
                rebuilt.pass_over(most, width, discrepancies, pairs=pairs)
            if most >= largest:
                break
            most = min(2 * most, largest)
    session.phase = phase
