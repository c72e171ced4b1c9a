"""What a state is, and which kernel searches it: the contract of `counted`, `priced` and `lying`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import Outcome

from ..errors import GuesstreeError, SpaceError, shown
from ..exact import Value
from ..game import response_type, whole
from ..memory import free_memory, size_text, too_large, usual_memory
from ..onestep.greedy import OneStep
from ..onestep.ranking import Method
from ..problem import Problem
from ..rules import Words
from ..solution import Figures, Found
from ..state import Ints
from ..stopping import heed
from .policy import Policy

TABLE_BYTES = 2 << 30
"""Up to so many bytes for tables of responses; beyond, codes answer each other in the kernel."""
LEAST_MEMORY = 1 << 20
NO_LIMIT = 1 << 50
"""What a secret may pay at most, where it may pay anything."""
ANY = -1
"""Discrepancies of a beam: as many as there are."""
SEARCHERS = 3
"""At most so many are alive at a time: two that are kept, and a beam."""


@dataclass(frozen=True)
class Query:
    """Ask for the least `figure` of the objective, with so much left to ask.

    Attributes
    ----------
    figure: one of `Figures`: ``total``, ``worst``, ``lost``, or ``won`` with what is lost before it.
    depth: guesses that may be asked.
    left: the budget that may be paid; -1: any.
    """

    figure: str
    depth: int
    left: int = -1


class State(Protocol):
    """What is known in the middle of a game.

    Attributes
    ----------
    candidates: the secrets still possible, sorted.
    key: what the strategy knows the state by.
    depth: guesses that may still be asked.
    """

    @property
    def candidates(self) -> Ints:
        """The secrets still possible, sorted."""

    @property
    def depth(self) -> int:
        """How many guesses may still be asked."""

    @property
    def key(self) -> bytes:
        """What the strategy knows the state by."""


S = TypeVar("S", bound=State)
Longs = NDArray[np.int64]
Pairs = Sequence[tuple[int, int]]
"""Guesses with their responses."""


class Searcher(Protocol):
    """A search of one kernel, see `cext.reference_search.Search`; it remembers what it finds.

    Attributes
    ----------
    states, evaluations, entries: states expanded, sets valued against all guesses, and states remembered.
    """

    @property
    def states(self) -> int:
        """States expanded, in all searches."""

    @property
    def evaluations(self) -> int:
        """Sets valued against all guesses, in all searches."""

    @property
    def entries(self) -> int:
        """States remembered."""

    def search(
        self,
        candidates: Ints,
        depth: int,
        beta: int | None = None,
        history: tuple[int, ...] | None = (),
        evaluations: int = 0,
        left: Any = None,
    ) -> Outcome:
        """Search for the value of the candidates below beta, with so many guesses left."""

    def choice(
        self, candidates: Ints, depth: int, history: tuple[int, ...] | None = (), left: Any = None
    ) -> int:
        """Return a guess that reaches the value of the candidates; raise ValueError where there is none."""

    def bound(
        self, candidates: Ints, depth: int, history: tuple[int, ...] | None = (), left: Any = None
    ) -> tuple[int, bool]:
        """Return at least the value of the candidates, one ply ahead, and whether it is exactly that."""

    def stop(self) -> None:
        """End a search that runs in another thread."""

    def seen(self) -> Outcome:
        """Return what is known of the state that is searched in another thread."""


class Player(Protocol):
    """A one-step method at work.

    Attributes
    ----------
    counters: of `cext.onestep`, int64.
    """

    counters: NDArray[np.int64]

    def stop(self) -> None:
        """Let the states that are left have quick guesses."""

    def play_out(self) -> Found | None:
        """Return the strategy, or None where there is none."""


@dataclass
class Child(Generic[S]):
    """A part that a first guess leaves.

    Attributes
    ----------
    state: what is known there; None: the game is over.
    paid: what the guess adds to what the part takes.
    lower, exact: at least what the part takes, and whether it is exactly that.
    response: the response that leads there.
    """

    state: S | None
    paid: int
    lower: int = 0
    exact: bool = False
    response: int = -1

    @property
    def size(self) -> int:
        """How many secrets are possible there."""
        return 0 if self.state is None else len(self.state.candidates)

    def look(self, space: SearchSpace[S], searcher: Any) -> None:
        """Bound what the part takes one step ahead."""
        if self.state is not None and not self.exact:
            ahead, self.exact = space.bound(searcher, self.state)
            self.lower = max(self.lower, ahead)


@dataclass(frozen=True)
class Resources:
    """What a searcher may take: bytes that it may remember, whether it has a table of responses, threads."""

    memory: int
    tabled: bool
    jobs: int

    @classmethod
    def of(cls, problem: Problem, jobs: int, memory: int | None, lies: int = 0) -> Resources:
        """Return what so many bytes leave (None: those of `usual_memory`); raise SpaceError for too few.

        What is hopeless is refused before anything is made.
        """
        if memory is not None and (whole(memory) or 0) < 1:
            raise GuesstreeError(f"memory of {shown(memory)}; expected bytes, a whole number of at least 1")
        game, guesses, secrets = problem.game, len(problem.game.guesses), problem.secrets
        resources = usual_memory() if memory is None else min(memory, 1 << 60)
        have = min(resources, free_memory())
        size = np.dtype(response_type(game)).itemsize
        copies = size + SEARCHERS * (2 if problem.priced else size)  # where questions cost, of two bytes each
        need, tabled = guesses * secrets * copies, True

        def refuse(need: int, least: str = "") -> None:
            if need + LEAST_MEMORY > have:
                text = too_large(game.spec, guesses, secrets, least + size_text(need + LEAST_MEMORY), have)
                raise SpaceError(f"{text}; use {instead(problem, need, have, lies)}")

        largest = -(-(secrets - 1) // problem.responses)  # part of a guess, at least
        refuse(need if lies else min(need, 2 * guesses * largest * jobs), "at least ")
        if problem.rules is not None:
            need += problem.rules.needs.nbytes
        if problem.tableless and not lies and need > min(TABLE_BYTES, have // 2):
            # The table of the largest part of a first guess.
            need, tabled = 2 * guesses * len(problem.profile) * jobs, False
        refuse(need)
        return cls((resources - need) // SEARCHERS, tabled, jobs)


def instead(problem: Problem, need: int, have: int, lies: int) -> str:
    """Return in words what may be asked of a game whose tables need more bytes than there are."""
    ways = [problem.game.beyond] * bool(problem.game.beyond)
    if problem.listed and problem.tableless and not lies and have >= LEAST_MEMORY:
        ways += ["guesstree bounds", "a one-step --method"]
    free = free_memory()
    if need + LEAST_MEMORY <= free:
        ways.append(f"more --memory ({size_text(free)} are free)")
    *others, last = ways or ["a smaller game"]
    return f"{', '.join(others)} or {last}" if others else last


@dataclass(frozen=True)
class Reduced:
    """A game with less to ask, and how a strategy for it is said as one for the whole game."""

    space: SearchSpace[Any]
    widened: Callable[[Found], Found]


class SearchSpace(ABC, Generic[S]):
    """What a state is, and the kernel that searches it.

    Attributes
    ----------
    infinite: more than any value.
    lies: how many responses may be false.
    decides: whether the worst case is found by deciding one depth after another; else it is minimised.
    one_step: whether one-step methods can be played there.
    whole: whether a first guess that is fixed is searched with all of its parts together.
    by_history: whether strategies know a state by guesses and responses, see `solution.history_key`.
    shares: whether states that differ in names alone share what is known of them.
    most: no sensible strategy asks more guesses, nor one within the limits.
    policy: how its queries are best answered.
    """

    infinite: int
    lies = 0
    decides = True
    one_step = True
    whole = False
    by_history = False
    shares = False
    most: int
    policy: Policy

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    @abstractmethod
    def query(self, figure: str, limit: int | None = None) -> Query:
        """Return the query for the least of a figure, with this worst case at most."""

    def mode(self, query: Query) -> Hashable:
        """Return what queries have in common that one searcher answers; here each has its own."""
        return query

    @abstractmethod
    def searcher(
        self,
        query: Query,
        resources: Resources,
        width: int = 0,
        discrepancies: int = ANY,
        *,
        pairs: bool = False,
    ) -> Any:
        """Return a new searcher; with a width it is a beam, which tries so many guesses of a state at most.

        `discrepancies`: how often a path of a beam may leave the guess that promises most, or ANY. `pairs`:
        with costs, the guess promises most that tells most pairs apart, not most bits.
        """

    @abstractmethod
    def root(self, query: Query) -> S:
        """Return the state before the first guess."""

    @abstractmethod
    def search(self, searcher: Any, state: S, beta: int, budget: int) -> Outcome:
        """Search a state for a value below beta, with so many evaluations at most (0: any number).

        Where the worst case is decided, `upper` is the depth if it suffices, else `lower` is one more.
        """

    @abstractmethod
    def bound(self, searcher: Any, state: S) -> tuple[int, bool]:
        """Return at least the value of a state, without a search, and whether it is exactly that."""

    @abstractmethod
    def choice(self, searcher: Any, state: S) -> int:
        """Return the guess that reaches the value just found; raise ValueError when it is not known."""

    def paid(self, state: S, guess: int) -> int:  # noqa: ARG002 - for kinds where guesses cost
        """Return what a guess adds to the total of a state, beside what its children take."""
        return len(state.candidates)

    def tables(self, query: Query, memory: int) -> tuple[Query, Any] | None:  # noqa: ARG002 - where there are
        """Return what computes all states of a query, or one that says more; see `reference_misses`."""
        return None

    @abstractmethod
    def finished(self, state: S) -> bool:
        """Return whether nothing is left to ask."""

    @abstractmethod
    def children(self, state: S, guess: int) -> Iterable[S]:
        """Return the states after a guess that does not win."""

    @abstractmethod
    def split(self, query: Query, state: S, guess: int) -> list[Child[S]]:
        """Return the parts that a guess leaves of a state, largest first, with what counting says of them."""

    @abstractmethod
    def figures(self, found: Found) -> Figures:
        """Return what a strategy takes, from its choices alone."""

    @abstractmethod
    def counted(self) -> dict[str, int]:
        """Return at least what each figure of the objective is, by counting."""

    def worth(self, query: Query, figures: Figures) -> int:
        """Return a strategy's value of a query."""
        return figures[query.figure]

    def unit(self, figure: str) -> int:  # noqa: ARG002 - for kinds that count in other units
        """Return what the search counts 1 of a figure of the objective as."""
        return 1

    def reported(self, figure: str, value: int) -> Value:
        """Return a value of a figure as it is reported: counted in 1."""
        unit = self.unit(figure)
        return value // unit if value % unit == 0 else Fraction(value, unit)

    def learnt(self, query: Query, lower: int) -> dict[str, int]:
        """Return what a lower bound of a query says of the figures of the objective."""
        return {query.figure: lower}

    def ceiling(self, query: Query) -> int:  # noqa: ARG002 - for kinds that have one
        """Return the value from which on the limit of a query is not kept."""
        return self.infinite

    def player(self, method: Method) -> Player:
        """Return a one-step method at work; raise GuesstreeError for one that cannot be."""
        return OneStep(self.problem, method)

    def first_strategy(self) -> Found | None:
        """Return a strategy that takes no time to find, if there is one."""
        return None

    def poorer(self) -> Reduced | None:
        """Return the same with less to ask, where its strategies are worth to be found first."""
        return None

    def parts(self, query: Query, most: int) -> list[S]:  # noqa: ARG002 - for kinds that have them
        """Return states of at most so many candidates whose values add up to at most that of the game.

        Of worst cases the largest is at most that. Asked for where `Policy.small` is above 0.
        """
        return []

    def walk(self, root: S, choose: Callable[[S], int]) -> Found:
        """Return the strategy that asks `choose(state)` in every state.

        A state that is met again with fewer guesses to go gets a guess for those, good for both. With lies
        that may be, so the worst case is the longest way down; else a state is met once.
        """
        found = Found()
        left_of: dict[bytes, int] = {}
        below: dict[bytes, list[bytes]] = {}
        waiting = [root]
        for state in waiting:
            heed()
            key = state.key
            if self.finished(state) or left_of.get(key, state.depth + 1) <= state.depth:
                continue
            guess = choose(state)
            left_of[key], found.choices[key] = state.depth, guess
            found.total += len(state.candidates)
            found.worst = max(found.worst, root.depth - state.depth + 1)
            children = list(self.children(state, guess))
            if self.lies:
                below[key] = [child.key for child in children if not self.finished(child)]
            waiting += children
        if below:
            found.worst = longest(below, root.key)
        return found


class ClaimSpace(SearchSpace[S]):
    """A space whose states are named by the guesses and responses that lead there, as campaigns need.

    A claim is about a figure of the objective, and has a *limit*: the guesses that may still be asked, or
    what each secret may still pay.
    """

    def decided(self, figure: str) -> bool:
        """Return whether claims say of a figure only whether the limit suffices."""
        return self.decides and figure == "worst"

    def limit(self, query: Query) -> int:
        """Return the limit of a query."""
        return query.depth

    def largest(self, query: Query) -> int:  # noqa: ARG002 - for kinds whose values may be large
        """Return at least what any strategy is worth to a query, of those that a search finds."""
        return self.infinite

    def limit_after(self, limit: int, pairs: Pairs) -> int:
        """Return what guesses and their responses leave of a limit."""
        return limit - len(pairs)

    @abstractmethod
    def query_at(self, figure: str, limit: int, pairs: Pairs) -> Query:
        """Return the query of the whole game for a claim that has this limit after these pairs."""

    @abstractmethod
    def after(self, state: S, guess: int, response: int) -> S:
        """Return the state after a response that does not win."""

    def state_at(self, query: Query, pairs: Pairs) -> S:
        """Return the state after guesses and responses from the beginning."""
        state = self.root(query)
        for guess, response in pairs:
            state = self.after(state, guess, response)
        return state

    @abstractmethod
    def known(self, query: Query, state: S) -> tuple[int, bool]:
        """Return at least the value of a state, in no time, and whether it is exactly that.

        It is exact where one secret is left, and the limit suffices for it.
        """

    @abstractmethod
    def guesses(self, query: Query, state: S, pairs: Pairs) -> tuple[Ints, Longs]:
        """Return the guesses that may be best in a state, with at least what each costs."""

    def one_of_each(self, state: S, pairs: Pairs, needs: Words | None) -> Ints:
        """Return the guesses that may be asked in a state, one of those that the symmetry makes equal."""
        problem = self.problem
        if not pairs and problem.first is not None:
            return np.array([problem.first], dtype=np.int32)
        guesses = problem.allowed(state.candidates, needs)
        classes = (
            None if (known := problem.searched_classes) is None else known(tuple(guess for guess, _ in pairs))
        )
        return guesses if classes is None else guesses[classes[guesses] == guesses]

    def last_guess(self, state: S) -> int:
        """Return the guess that wins on the only secret."""
        return int(self.problem.winner[state.candidates[0]])

    def claim_key(self, state: S) -> bytes:
        """Return what tells a state from others of one strategy."""
        return state.key

    def renamed(self, key: bytes, image: NDArray[np.int32]) -> bytes:
        """Return the key of a state with its secrets renamed."""
        return np.sort(image[np.frombuffer(key, dtype=np.int32)]).tobytes()


def longest(below: dict[bytes, list[bytes]], root: bytes) -> int:
    """Return the length of the longest way down from the root, in states."""
    lengths: dict[bytes, int] = {}
    waiting = [root]
    while waiting:
        key = waiting[-1]
        missing = [child for child in below[key] if child not in lengths]
        waiting += missing
        if not missing:
            waiting.pop()
            lengths[key] = 1 + max((lengths[child] for child in below[key]), default=0)
    return lengths[root]


class KernelSpace(ClaimSpace[S]):
    """A space whose states a kernel of `cext.search` searches: they have a history, and what is `left`."""

    def kernel_options(self, resources: Resources, width: int, discrepancies: int) -> dict[str, Any]:
        """Return the arguments that searchers of every kernel take."""
        problem, codes = self.problem, self.problem.codes
        return {
            "classes": problem.searched_classes,
            "digits": None if codes is None else codes.digits,
            "renaming": problem.renaming,
            "memory": resources.memory,
            "width": width,
            "jobs": resources.jobs,
            "discrepancies": discrepancies,
        }

    @property
    def rule_options(self) -> dict[str, Any]:
        """The arguments that say how earlier responses limit what may be asked."""
        rules = self.problem.rules
        return {} if rules is None else {"features": rules.features, "needs": rules.needs}

    def decides_depth(self, searcher: Any) -> bool:  # noqa: ARG002 - for kernels that do
        """Return whether a searcher only decides if the guesses left suffice."""
        return False

    def search(self, searcher: Any, state: Any, beta: int, budget: int) -> Outcome:
        """Search a state for a value below beta, or decide whether its depth suffices."""
        decides = self.decides_depth(searcher)
        found: Outcome = searcher.search(
            state.candidates, state.depth, 1 if decides else beta, state.history, budget, state.left
        )
        if not decides:
            return found
        lower, upper = state.depth + 1 if found.lower else 0, self.infinite if found.upper else state.depth
        return Outcome(lower, upper, found.guess, found.ended)

    def bound(self, searcher: Any, state: Any) -> tuple[int, bool]:
        """Return at least the value of a state, one ply ahead, and whether it is exactly that."""
        lower, exact = searcher.bound(state.candidates, state.depth, state.history, state.left)
        return int(lower), bool(exact)

    def choice(self, searcher: Any, state: Any) -> int:
        """Return the guess that reaches the value just found; raise ValueError when it is not known."""
        return int(searcher.choice(state.candidates, state.depth, state.history, state.left))
