"""`Model`: noisy tests, the chances of their answers for each cause, and what may be decided at the end.

The answer of a test is drawn once for the object at hand, independently of the other tests given the cause:
asking again tells nothing, so a test is asked at most once on a path. The *mass* of a cause somewhere in a
strategy is its weight times the probabilities of the answers on the way. Where it is above 0 the cause is
possible there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from ..exact import Number
from .splits import Characters, Split

Chances: TypeAlias = tuple[tuple[Mapping[int, Fraction], ...], ...]


@dataclass(frozen=True)
class Points:
    """Points of which causes, tests and decisions are sets, as bits; points of one kind may change places.

    Attributes
    ----------
    kinds: of each point, numbers from 0.
    causes, tests, decisions: the set of each of them, no two of a sort alike.
    """

    kinds: tuple[int, ...]
    causes: tuple[int, ...]
    tests: tuple[int, ...]
    decisions: tuple[int, ...]


@dataclass(frozen=True)
class Model:
    """Noisy tests, and what may be decided. Numbers are exact.

    Attributes
    ----------
    chances: for each test and cause, the probability of each answer that it may get, all above 0; they add up
        to 1.
    weights: of the causes, above 0.
    prices: what each test costs.
    cliques: whether a strategy may end with several causes of which every two overlap, see `overlaps`.
    losses: for each decision what it loses for each cause, None: it is not allowed. None: the decisions are
        to name one cause, or a clique, without loss.
    groups: for each test the group that it opens, or None; empty: there are no groups.
    later: what each test costs once another of its group was asked; empty: there are no groups.
    ends: for each test the answers that end the path, whatever is left; empty: there are none.
    after: for each test those that must have been asked before it, whatever they answered; empty: there are
        none.
    failures: how many tests on a path may fail to answer, at worst: they are paid, open their group, and are
        not asked again. They count in the worst case only.
    silent: the response of a test that fails to answer, where some may.
    points: what causes, tests and decisions are sets of, see `points`; None: nothing is said.
    characters, splits: where tests are questions of two answers about characters, see `splits`: these, and
        for each test what it is about. Its probabilities are those given the states that are still possible;
        for a cause that shows none of them, which does not get there, it has some answer.
    """

    chances: Chances
    weights: tuple[Number, ...]
    prices: tuple[Number, ...]
    cliques: bool = False
    losses: tuple[tuple[Number | None, ...], ...] | None = None
    groups: tuple[int | None, ...] = ()
    later: tuple[Number, ...] = ()
    ends: tuple[frozenset[int], ...] = ()
    after: tuple[frozenset[int], ...] = ()
    failures: int = 0
    silent: int = -1
    points: Points | None = None
    characters: Characters | None = None
    splits: tuple[Split, ...] = ()

    @property
    def objective(self) -> str:
        """What advice is for: the worst case where tests may fail to answer, as only that counts it."""
        return "worst" if self.failures else "expected"

    @cached_property
    def overlaps(self) -> tuple[frozenset[int], ...]:
        """For each cause those that may get the same answer to every test, itself included."""
        causes = range(len(self.weights))
        rows = self.chances if self.characters is None else self.characters.shown
        return tuple(
            frozenset(b for b in causes if all(not row[a].keys().isdisjoint(row[b].keys()) for row in rows))
            for a in causes
        )

    def settled(self, causes: Collection[int]) -> bool:
        """Return whether nothing is left to ask: one cause is possible, or a clique where these may end."""
        if len(causes) <= 1:
            return True
        return self.cliques and all(self.overlaps[cause].issuperset(causes) for cause in causes)

    def ending(self, test: int) -> frozenset[int]:
        """Return the answers to a test that end the path."""
        return self.ends[test] if self.ends else frozenset()

    def group(self, test: int) -> frozenset[int]:
        """Return the group that a test opens, if it does."""
        group = self.groups[test] if self.groups else None
        return frozenset() if group is None else frozenset({group})

    def price(self, test: int, opened: Collection[int]) -> Number:
        """Return what a test costs where these groups are open."""
        return self.prices[test] if self.group(test).isdisjoint(opened) else self.later[test]

    def only(self, tests: Sequence[int]) -> Model:
        """Return the model with these tests alone; what they wait for besides is taken as asked."""
        place = {test: i for i, test in enumerate(tests)}
        return replace(
            self,
            chances=tuple(self.chances[test] for test in tests),
            prices=tuple(self.prices[test] for test in tests),
            groups=tuple(self.groups[test] for test in tests) if self.groups else (),
            later=tuple(self.later[test] for test in tests) if self.later else (),
            ends=tuple(self.ends[test] for test in tests) if self.ends else (),
            after=tuple(frozenset(place[t] for t in self.after[test] if t in place) for test in tests)
            if self.after
            else (),
            points=None,
            splits=tuple(self.splits[test] for test in tests) if self.splits else (),
        )

    def last_copies(self) -> frozenset[int]:
        """Return the tests that may be asked after one that is the same, and for which no other waits.

        Without them there is less to ask, so each strategy for the others is one for all.
        """
        waited = frozenset[int]().union(*self.after)
        return frozenset(
            test
            for test, needed in enumerate(self.after)
            if test not in waited and any(self.chances[test] == self.chances[one] for one in needed)
        )

    def askable(self, test: int, asked: Collection[int]) -> bool:
        """Return whether a test may be asked where these were: not itself, but those that it needs."""
        return test not in asked and (not self.after or self.after[test].issubset(asked))
