"""Plain twin of the search of models whose tests split masses, with the contract.

The twin values every test that may help in every state, and remembers values. The kernel looks at few states,
by bounds and in another order, so counts differ, and so do the choices among tests that are equally good;
values do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import RLock
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .outcome import Outcome
from .reference_core import alone

INFINITE = float("inf")

Ints: TypeAlias = NDArray[np.int32]
Words: TypeAlias = NDArray[np.uint64]
Doubles: TypeAlias = NDArray[np.float64]
History: TypeAlias = Sequence[tuple[int, int]]


class State(NamedTuple):
    """Who is possible and with which masses, what was asked, which groups are open."""

    masses: tuple[tuple[int, float], ...]
    asked: frozenset[int]
    opened: frozenset[int]


class Ended(Exception):  # noqa: N818 - no error
    """The search is to end."""


class Searcher:
    """Search for the least expected cost of a model, or its least worst case.

    All numbers are non-negative doubles. Values are sums over causes, weighted by masses; of the worst case
    they are what some cause pays. A strategy ends with a decision, or when an answer ends the path; without
    decisions, when one cause is left, or several of which every two may be named together.

    Parameters
    ----------
    starts, answers, shares: cells, by test and then cause: cell k has the answers from `starts[k]` to
        `starts[k + 1]`, each with its share of the mass.
    prints: two words for each share; their sums (of 64 bits) over several tests agree where the products of
        the shares do.
    kinds: for each test and cause a number that is equal where cells are.
    prices, later, groups: of each test what it costs, what it costs once another of its group was asked (not
        more), and the group, -1: none.
    ends: for each test and answer, whether it ends the path.
    after: for each test the bits of those that must have been asked before; None: it may always be asked.
    begin: the mass of each cause by its share alone, to be multiplied by its weight; 1, or a number that all
        products of its shares divide, so that they are integers.
    rows: for each cause its weight; what it pays at least for the last it meets, a decision or a test that
        may end the path; what it loses by each decision, infinite: not allowed. All but the first are
        multiplied by the weight.
    overlap: for each cause the bits of those it may be named together with; None: with none.
    apart: for each two causes what the first pays at least if the second is possible, too; 0 where they may
        be named together. None: it is not known.
    even: whether in each cell all shares are equal: then what was asked says the masses but for a factor.
    whole: whether all values are integers below 2**51.
    worst: whether the worst case is sought; then all weights are 1.
    memory: bytes for what is remembered, about; when they are used up, nothing is added. The plain twin has
        no limit.

    Attributes
    ----------
    states, evaluations: different states looked at, and how often.
    """

    def __init__(
        self,
        *,
        starts: Ints,
        answers: Ints,
        shares: Doubles,
        prints: Words,
        kinds: Ints,
        prices: Doubles,
        later: Doubles,
        groups: Ints,
        ends: NDArray[np.uint8],
        after: Words | None,
        begin: Doubles,
        rows: Doubles,
        overlap: Words | None,
        apart: Doubles | None,
        even: bool,
        whole: bool,
        worst: bool,
        memory: int = 1 << 30,
    ) -> None:
        assert len(prints) == len(shares)
        assert apart is None or len(apart) == len(rows)
        assert memory > 0
        assert even in (False, True)
        assert whole in (False, True)
        tests, causes = kinds.shape
        cells = [
            {int(answers[e]): float(shares[e]) for e in range(starts[k], starts[k + 1])}
            for k in range(tests * causes)
        ]
        self.cells = [cells[t * causes : (t + 1) * causes] for t in range(tests)]
        self.prices, self.later, self.groups = prices.tolist(), later.tolist(), groups.tolist()
        self.ends = [{a for a, fatal in enumerate(row) if fatal} for row in ends]
        self.after = [_bits(row) for row in after] if after is not None else [set()] * tests
        self.rows, self.worst, self.losses = rows.tolist(), worst, rows.shape[1] - 2
        self.near = [_bits(row) for row in overlap] if overlap is not None else [{i} for i in range(causes)]
        self.root = State(tuple(enumerate(begin.tolist())), frozenset(), frozenset())
        self.memo: dict[State, tuple[float, int]] = {}
        self.states = self.evaluations = self.limit = 0
        self.ended, self.call = "", RLock()
        self.shown = Outcome(0.0, INFINITE, -1, "")  # type: ignore[arg-type]

    @property
    def entries(self) -> int:
        """States remembered."""
        return len(self.memo)

    def stop(self) -> None:
        """End a search that runs in another thread; one that begins later is not ended."""
        self.ended = self.ended or "stopped"

    def seen(self) -> Outcome:
        """Return what is known of the state that is searched."""
        return self.shown

    @alone
    def search(
        self, history: History = (), beta: float = INFINITE, budget: int = 0, width: int = 0
    ) -> Outcome:
        """Search the value of the state after some tests and answers, each a pair of numbers.

        It ends when `lower` reaches `upper`, what the best strategy known takes, or `beta`; early after so
        many evaluations (0: never) or by `stop`. Where there is no strategy, `lower` is INFINITE.

        `width`: value strategies only that ask one of so many tests in each state, those that promise most;
        `lower` is what it was. The plain twin tries all.
        """
        assert beta >= 0
        assert width >= 0
        self.ended, self.limit = "", self.evaluations + budget if budget else 0
        state = self.state(history)
        try:
            value, guess = self.value(state)
        except Ended:
            return Outcome(0.0, INFINITE, -1, self.ended)  # type: ignore[arg-type]
        self.shown = Outcome(value, value, guess, "")  # type: ignore[arg-type]
        return self.shown

    @alone
    def bound(self, history: History = ()) -> tuple[float, float]:
        """Return at least and at most the value of a state, by what is remembered."""
        state = self.state(history)
        value = self.memo[state][0] if state in self.memo else None
        return (0.0, self.decided(state)[0]) if value is None else (value, value)

    @alone
    def choice(self, history: History = ()) -> int:
        """Return the first test of the best strategy known, or the number of tests and the decision.

        -1: no strategy is known, or nothing is left to do. What was forgotten is searched again.
        """
        self.ended, self.limit = "", 0
        try:
            return self.value(self.state(history))[1]
        except Ended:
            return -1

    @alone
    def key(self, history: History = ()) -> Any:
        """Return what is equal for states of equal value, but for the factor by which their masses differ."""
        return self.state(history)

    @alone
    def asks(self, history: History = ()) -> list[tuple[int, list[tuple[int, float]]]]:
        """Return the tests that may be asked first, those that promise most first.

        With each the answers that it may get and that do not end the path, and at least the value of the
        states after them. Some best strategy begins with one of these tests, unless to decide is as good.
        """
        state, found = self.state(history), []
        for test in self.askable(state):
            after = [(a, self.bound((*history, (test, a)))[0]) for a in self.answers(state, test)]
            found.append((self.total(state, test, [lower for _, lower in after]), test, after))
        return [(test, after) for _, test, after in sorted(found)]

    # -- what is plain -------------------------------------------------------------------------------------

    def value(self, state: State) -> tuple[float, int]:
        """Return exactly the value of a state, and the best first test or decision."""
        if state not in self.memo:
            if 0 < self.limit <= self.evaluations:
                self.ended = self.ended or "budget"
            if self.ended:
                raise Ended
            self.evaluations += 1
            self.states += 1
            best, guess = self.decided(state)
            for test in self.askable(state):
                below = [self.value(self.split(state, test, a))[0] for a in self.answers(state, test)]
                total = self.total(state, test, below)
                if total < best:
                    best, guess = total, test
            self.memo[state] = best, guess
        return self.memo[state]

    def state(self, history: History) -> State:
        """Return the state after some tests and answers."""
        state = self.root
        for test, answer in history:
            if answer not in self.answers(state, test):
                raise ValueError(f"test {test} cannot get answer {answer} there, or ends with it")
            state = self.split(state, test, answer)
        return state

    def askable(self, state: State) -> list[int]:
        """Return the tests that may be asked in a state and that may help.

        By their answers, or others wait for them, or are cheaper after them; see `noisy.integer_model`.
        """
        left = {t for t in range(len(self.prices)) if t not in state.asked}
        useful: set[int] = set()
        more = {t for t in left if self.helps(state, t)}
        while not more <= useful:
            useful |= more
            shut = {t for t in useful if self.groups[t] not in {-1, *state.opened}}
            wanted = {self.groups[t] for t in shut if self.later[t] < self.prices[t]}
            more = {t for t in left if self.groups[t] in wanted or any(t in self.after[u] for u in useful)}
        return sorted(t for t in useful if self.after[t] <= state.asked)

    def helps(self, state: State, test: int) -> bool:
        """Return whether a test may help by its answers, or may end the path.

        In the worst case: whether no answer that goes on is possible for all causes.
        """
        cells = [self.cells[test][cause] for cause, _ in state.masses]
        if self.worst:
            return set.intersection(*map(set, cells)) <= self.ends[test]
        return any(cell != cells[0] for cell in cells) or not self.ends[test].isdisjoint(cells[0])

    def answers(self, state: State, test: int) -> list[int]:
        """Return the answers that a test may get and that do not end the path."""
        return sorted({a for cause, _ in state.masses for a in self.cells[test][cause]} - self.ends[test])

    def split(self, state: State, test: int, answer: int) -> State:
        """Return the state after an answer."""
        masses = tuple(
            (cause, x if self.worst else x * self.cells[test][cause][answer])
            for cause, x in state.masses
            if answer in self.cells[test][cause]
        )
        opened = {self.groups[test]} - {-1}
        return State(masses, state.asked | {test}, state.opened | opened)

    def total(self, state: State, test: int, below: list[float]) -> float:
        """Return what a test and the states after it take."""
        price = self.later[test] if self.groups[test] in state.opened else self.prices[test]
        if self.worst:
            return float(price + max(below, default=0))
        return float(price * sum(x * self.rows[cause][0] for cause, x in state.masses) + sum(below))

    def decided(self, state: State) -> tuple[float, int]:
        """Return what the best decision loses, and its number after those of the tests; -1: there is none."""
        causes = [cause for cause, _ in state.masses]
        if not self.losses:
            settled = all(self.near[cause].issuperset(causes) for cause in causes)
            return (0.0 if settled else INFINITE), -1
        joined = max if self.worst else sum
        each = [
            (float(joined(x * self.rows[cause][2 + d] for cause, x in state.masses)), len(self.prices) + d)
            for d in range(self.losses)
        ]
        best, guess = min(each)
        return best, guess if best < INFINITE else -1


def _bits(words: Words) -> set[int]:
    """Return the numbers in a set of bits."""
    return {i for i in range(64 * len(words)) if int(words[i // 64]) >> i % 64 & 1}
