"""Plain twin of the search of models with noisy tests, with the contract; it counts in any numbers.

The twin values every test that may help in every state, and remembers values. The kernel looks at few states,
by bounds and in another order, so counts differ, and so do the choices among tests that are equally good;
values do not. Where the arrays hold fractions instead of doubles, the values of the twin are exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import RLock
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .outcome import Outcome
from .reference_core import alone

INFINITE = float("inf")
MOST_TESTS = 1 << 30
MOST_POINTS = 8
"""Points that kernels permute."""

Ints: TypeAlias = NDArray[np.int32]
Words: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[Any]  # doubles, or objects: fractions
Number: TypeAlias = Any
History: TypeAlias = Sequence[tuple[int, int]]


class State(NamedTuple):
    """Who is possible and with which masses, what was asked, which groups are open.

    `budget`, `failures`: what may still be paid on a path, and how many tests may still fail to answer.
    `states`: of each character those that are still possible, as bits.
    """

    masses: tuple[tuple[int, Number], ...]
    asked: frozenset[int]
    opened: frozenset[int]
    budget: Number
    failures: int
    states: tuple[int, ...] = ()


class Ended(Exception):  # noqa: N818 - no error
    """The search is to end."""


class Searcher:
    """Search for the least expected cost of a model, or its least worst case.

    All numbers are non-negative. Values are sums over causes, weighted by masses; of the worst case
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
    lost: for each cause and decision what is lost, not weighted; None: there are no decisions. It is read
        where a path has a limit.
    points: how many points may change places, the kind of each, and the bits of the points of each cause,
        test and decision; points of one kind may be permuted, which changes nothing. None: nothing is known.
        The plain twin does not need it.
    even: whether in each cell all shares are equal: then what was asked says the masses but for a factor.
    whole: whether all values are integers below 2**51.
    worst: whether the worst case is sought; then all weights are 1.
    failures, silent: how many tests on a path may fail to answer, of the worst case, and the answer that
        stands for that.
    limit: what a path may cost, tests and the loss at its end; prices and losses are then whole numbers.
    tests: how many may be asked on a path.
    questions: where each test is a question about states of a character, see `engine.noisy.splits`, a dict:
        `character` of each test; `parts`, the states of its two answers; `shown`, for each character and
        cause, the states that it may show; `possible`, of each character, at first; `joined`, whether
        questions are about all states between the first and the last possible. All sets are words of bits.
        Tests about the same states of a character stand together, in a *spot*: `spots`, where those of each
        character begin, and their end; `within`, for each spot its states, ascending in each character;
        `first`, `last`: its first test, and that behind its last; `ints`, `words`: all arrays for the kernel,
        see `questions.h`. `kinds` are equal then where causes show
        these states with equal probabilities, in the worst case where they show the same. None: tests are
        independent.
    jobs: threads. The plain twin has one.
    memory: bytes for what is remembered, about; when they are used up, nothing is added. The plain twin has
        no limit.

    Attributes
    ----------
    states, evaluations: different states looked at, and how often.
    exponent: values of the state after a history, as the last call gave them, are to be multiplied by two to
        this power: the kernel divides masses so that none vanishes. That of the root is 0.
    """

    def __init__(
        self,
        *,
        starts: Ints,
        answers: Ints,
        shares: Numbers,
        prints: Words,
        kinds: Ints,
        prices: Numbers,
        later: Numbers,
        groups: Ints,
        ends: NDArray[np.uint8],
        after: Words | None,
        begin: Numbers,
        rows: Numbers,
        overlap: Words | None,
        apart: Numbers | None,
        lost: Numbers | None,
        points: Ints | None,
        even: bool,
        whole: bool,
        worst: bool,
        failures: int = 0,
        silent: int = -1,
        limit: Number = INFINITE,
        tests: int = MOST_TESTS,
        questions: Mapping[str, NDArray[Any]] | None = None,
        jobs: int = 1,
        memory: int = 1 << 30,
    ) -> None:
        assert len(prints) == len(shares)
        assert apart is None or len(apart) == len(rows)
        assert jobs > 0
        assert memory > 0
        assert points is None or 0 < points[0] <= MOST_POINTS
        assert even in (False, True)
        assert whole in (False, True)
        assert worst or not failures
        self.most, self.silent, self.exponent = tests, silent, 0
        tests, causes = kinds.shape
        cells = [
            {int(answers[e]): shares[e] for e in range(starts[k], starts[k + 1])}
            for k in range(tests * causes)
        ]
        self.cells = [cells[t * causes : (t + 1) * causes] for t in range(tests)]
        self.prices, self.later, self.groups = prices.tolist(), later.tolist(), groups.tolist()
        self.ends = [{a for a, fatal in enumerate(row) if fatal} for row in ends]
        self.after = [_bits(row) for row in after] if after is not None else [set()] * tests
        self.rows, self.worst, self.losses = rows.tolist(), worst, rows.shape[1] - 2
        self.near = [_bits(row) for row in overlap] if overlap is not None else [{i} for i in range(causes)]
        self.lost = lost.tolist() if lost is not None else [[] for _ in range(causes)]
        self.kinds = kinds.tolist()
        self.questions = (
            None if questions is None else {name: each.tolist() for name, each in questions.items()}
        )
        states = () if self.questions is None else tuple(self.questions["possible"])
        self.root = State(tuple(enumerate(begin.tolist())), frozenset(), frozenset(), limit, failures, states)
        self.memo: dict[State, tuple[Number, int]] = {}
        self.states = self.evaluations = self.last = 0
        self.ended, self.call = "", RLock()
        self.best = Outcome(0, INFINITE, -1, "")  # type: ignore[arg-type]

    @property
    def entries(self) -> int:
        """States remembered."""
        return len(self.memo)

    def stop(self) -> None:
        """End a search that runs in another thread; one that begins later is not ended."""
        self.ended = self.ended or "stopped"

    def seen(self) -> Outcome:
        """Return what is known of the state that is searched."""
        return self.best

    @alone
    def search(
        self, history: History = (), beta: Number = INFINITE, budget: int = 0, width: int = 0
    ) -> Outcome:
        """Search the value of the state after some tests and answers, each a pair of numbers.

        It ends when `lower` reaches `upper`, what the best strategy known takes, or `beta`; early after so
        many evaluations (0: never) or by `stop`. Where there is no strategy, `lower` is INFINITE.

        `width`: value strategies only that ask one of so many tests in each state, those that promise most;
        `lower` is what it was. The plain twin tries all.
        """
        assert beta >= 0
        assert width >= 0
        self.ended, self.last = "", self.evaluations + budget if budget else 0
        state = self.state(history)
        try:
            value, guess = self.value(state)
        except Ended:
            return Outcome(0, INFINITE, -1, self.ended)  # type: ignore[arg-type]
        self.best = Outcome(value, value, guess, "")
        return self.best

    @alone
    def bound(self, history: History = ()) -> tuple[Number, Number]:
        """Return at least and at most the value of a state, by what is remembered."""
        state = self.state(history)
        value = self.memo[state][0] if state in self.memo else None
        return (0, self.decided(state)[0]) if value is None else (value, value)

    @alone
    def choice(self, history: History = ()) -> int:
        """Return the first test of the best strategy known, or the number of tests and the decision.

        -1: no strategy is known, or nothing is left to do. What was forgotten is searched again.
        """
        self.ended, self.last = "", 0
        try:
            return self.value(self.state(history))[1]
        except Ended:
            return -1

    @alone
    def key(self, history: History = ()) -> Any:
        """Return what is equal for states of equal value, but for the factor by which their masses differ."""
        return self.state(history)

    @alone
    def named(self, test: int, history: History = (), back: bool = False) -> int:
        """Return a test, or T and a decision, by the name that all states with one key have for it.

        `back`: the other way. The plain twin gives two states one key only where all names are the same.
        """
        return test

    def first_tests(self, history: History = ()) -> list[tuple[int, list[tuple[int, Number]]]]:
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

    def value(self, state: State) -> tuple[Number, int]:
        """Return exactly the value of a state, and the best first test or decision."""
        if state not in self.memo:
            if 0 < self.last <= self.evaluations:
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
        if self.questions is not None:
            return [t for t in self.about(state) if self.prices[t] <= state.budget]
        left = {t for t in range(len(self.prices)) if t not in state.asked}
        useful: set[int] = set()
        more = {t for t in left if self.helps(state, t)}
        while not more <= useful:
            useful |= more
            shut = {t for t in useful if self.groups[t] not in {-1, *state.opened}}
            wanted = {self.groups[t] for t in shut if self.later[t] < self.prices[t]}
            more = {t for t in left if self.groups[t] in wanted or any(t in self.after[u] for u in useful)}
        if len(state.asked) >= self.most:
            return []
        return sorted(
            t for t in useful if self.after[t] <= state.asked and self.price(state, t) <= state.budget
        )

    def about(self, state: State) -> list[int]:
        """Return the questions that are about the states still possible, and that may help."""
        assert self.questions is not None
        found: list[int] = []
        for character, possible in enumerate(state.states if len(state.asked) < self.most else ()):
            met = 0
            for cause, _ in state.masses:
                met |= self.questions["shown"][character][cause] & possible
            joined = self.questions["joined"][character]
            wanted = (1 << met.bit_length()) - (met & -met) if joined else met
            for spot in range(*self.questions["spots"][character : character + 2]):
                first, last = (self.questions[end][spot] for end in ("first", "last"))
                if self.questions["within"][spot] == wanted:
                    kinds = {self.kinds[first][cause] for cause, _ in state.masses}
                    found += [
                        t for t in range(first, last) if len(kinds) > 1 and (not joined or self.cuts(t, met))
                    ]
        return found

    def cuts(self, test: int, met: int) -> bool:
        """Return whether a question cuts behind a state that is possible."""
        assert self.questions is not None
        return bool(met >> (min(self.questions["parts"][test]).bit_length() - 1) & 1)

    def helps(self, state: State, test: int) -> bool:
        """Return whether a test may help by its answers, or may end the path.

        In the worst case: whether no answer that goes on is possible for all causes.
        """
        cells = [self.cells[test][cause] for cause, _ in state.masses]
        if self.worst:
            return set.intersection(*map(set, cells)) <= self.ends[test]
        return any(cell != cells[0] for cell in cells) or not self.ends[test].isdisjoint(cells[0])

    def answers(self, state: State, test: int) -> list[int]:
        """Return the answers that a test may get and that do not end the path; last, that there is none."""
        found = sorted({a for cause, _ in state.masses for a in self.cells[test][cause]} - self.ends[test])
        return [*found, self.silent] if state.failures else found

    def split(self, state: State, test: int, answer: int) -> State:
        """Return the state after an answer."""
        silent = state.failures > 0 and answer == self.silent
        masses = tuple(
            (cause, x if self.worst else x * self.cells[test][cause][answer])
            for cause, x in state.masses
            if answer in self.cells[test][cause]
        )
        return State(
            state.masses if silent else masses,
            state.asked | {test},
            state.opened | {self.groups[test]} - {-1},
            state.budget - self.price(state, test),
            state.failures - silent,
            self.told(state.states, test, answer),
        )

    def told(self, states: tuple[int, ...], test: int, answer: int) -> tuple[int, ...]:
        """Return which states are possible after an answer."""
        if self.questions is None:
            return states
        character = self.questions["character"][test]
        return (*states[:character], self.questions["parts"][test][answer], *states[character + 1 :])

    def price(self, state: State, test: int) -> Number:
        """Return what a test costs in a state."""
        return self.later[test] if self.groups[test] in state.opened else self.prices[test]

    def total(self, state: State, test: int, below: list[Number]) -> Number:
        """Return what a test and the states after it take."""
        price = self.price(state, test)
        if self.worst:
            return price + max(below, default=0)
        return price * sum(x * self.rows[cause][0] for cause, x in state.masses) + sum(below)

    def decided(self, state: State) -> tuple[Number, int]:
        """Return what the best decision loses, and its number after those of the tests; -1: there is none."""
        causes = [cause for cause, _ in state.masses]
        if not self.losses:
            settled = all(self.near[cause].issuperset(causes) for cause in causes)
            return (0 if settled else INFINITE), -1
        joined = max if self.worst else sum
        each = [
            (joined(x * self.rows[cause][2 + d] for cause, x in state.masses), len(self.prices) + d)
            for d in range(self.losses)
            if all(self.lost[cause][d] <= state.budget for cause in causes)
        ]
        best, guess = min(each, default=(INFINITE, -1))
        return best, guess if best < INFINITE else -1


def _bits(words: Words) -> set[int]:
    """Return the numbers in a set of bits."""
    return {i for i in range(64 * len(words)) if int(words[i // 64]) >> i % 64 & 1}
