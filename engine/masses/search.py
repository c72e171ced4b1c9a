"""The exact search for models that name causes: look ahead one question further, and again, and remember.

What is known of a state is a lower bound, and a strategy once there is one. To look `depth` questions ahead
is to bound every test by its price and what is known of the states that its answers leave, and to look
`depth - 1` questions ahead in those of the tests that promise less than the best strategy known. Bounds only
rise, and from some depth on nothing is left to look at: then the best strategy is optimal.

All numbers are integers, see `scaled.Scaled`.

Facts that hold throughout. Let V(m) be the least cost from masses m, where some tests were asked.

1. V(m + n) >= V(m) + V(n), and V(k m) = k V(m): each strategy costs a sum over the causes, linear in their
   masses, and the least of a sum is at least the sum of the least.
2. A test that costs nothing is asked at once: for a strategy and any test, the strategy that asks the test
   first and then goes on as before pays no more, and the answer is known where it would be asked later.
3. A test whose answers are equally likely for all causes still possible changes the masses by a factor only;
   leave it out of a strategy, and nobody pays more.
4. Of two tests with equal probabilities on all causes still possible, the cheaper is asked first: in a
   strategy that begins with the other, let the two change places; a path that has both pays the same.
5. In the worst case only who is still possible matters, and a test one of whose answers leaves all of them
   never helps: below that answer the strategy is one for the same state, and cheaper.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import gcd

from guesstree.cext import Outcome

from .scaled import MassState, Scaled, bits

INFINITE = 1 << 4096
"""More than any value."""
SHIFT = 64
"""Bits of a share behind the point: masses may be more than any float."""
ENTRY = 600
"""Bytes that an entry of the memory takes, about."""


class _Ended(Exception):  # noqa: N818 - no error
    """The search is to end: the budget is spent, or it was stopped."""


@dataclass
class Entry:
    """What is known of a state of some mass: at least its value, how far ahead was looked, the best test.

    The test is -1 until the value is exactly `lower`.
    """

    mass: int
    lower: int
    depth: int = 0
    test: int = -1

    def least(self, mass: int) -> int:
        """Return at least the value for another mass, rounded up: values are whole. Exactly, with a test."""
        return -(-self.lower * mass // self.mass)


@dataclass
class After:
    """A state that an answer leaves, with what is known of it."""

    state: MassState
    lower: int
    exact: bool


@dataclass
class Ask:
    """A test that may be asked, what it costs at least, and the states that it leaves to be settled."""

    total: int
    test: int
    paid: int
    after: list[After]


class Lookahead(ABC):
    """Search a model, and remember what is known of its states.

    Parameters
    ----------
    width: try so many tests of a state at most, the most promising; 0: all. Lower bounds are then none of the
        model, but what a strategy costs is what it costs.
    memory: bytes that may be taken to remember, about.

    Attributes
    ----------
    states, evaluations: states looked at, and how often.
    """

    adds = True
    """Whether what states cost together is their sum."""

    def __init__(self, scaled: Scaled, width: int = 0, memory: int = 1 << 30) -> None:
        self.scaled, self.width = scaled, width
        self.memo: dict[object, Entry] = {}
        self.most = max(memory // ENTRY, 1)
        self.states = self.evaluations = 0
        self._stopped, self._last = False, 0
        self._seen = Outcome(0, INFINITE, -1, "")

    def stop(self) -> None:
        """End the search soon, from another thread."""
        self._stopped = True

    def seen(self) -> Outcome:
        """Return what is known of the state that is searched."""
        return self._seen

    # -- what differs between objectives -------------------------------------------------------------------

    def seen_by(self, state: MassState) -> MassState:
        """Return as much of a state as the objective depends on."""
        return state

    @abstractmethod
    def key(self, state: MassState) -> object:
        """Return what a state is remembered by: all that its value depends on, but a factor of the masses."""

    @abstractmethod
    def static(self, state: MassState, branches: int, price: int) -> int:
        """Return at least the value of a state whose tests have so many answers at most, and this price."""

    @abstractmethod
    def parts(self, state: MassState) -> list[tuple[int, list[MassState]]]:
        """Return the tests that may help, and the states that their answers leave, the settled ones too."""

    def within(self, states: list[MassState]) -> bool:  # noqa: ARG002 - for those that keep a limit
        """Return whether the states after a test keep the limit of what is paid."""
        return True

    @abstractmethod
    def joined(self, values: list[int]) -> int:
        """Return what states cost together."""

    @abstractmethod
    def gain(self, state: MassState, after: list[MassState]) -> int:
        """Return how good a test looks by what it leaves; more is better."""

    # -- the search ----------------------------------------------------------------------------------------

    def search(self, state: MassState, beta: int = INFINITE, budget: int = 0) -> Outcome:
        """Search the value of a state below beta, with so many evaluations at most (0: any number)."""
        self._stopped, self._last = False, budget and self.evaluations + budget
        state = self.seen_by(state)
        if self.scaled.settled(state.members):
            return Outcome(0, 0, -1, "")
        entry = self.memo.get(self.key(state))
        depth, lower, exact = (0, 0, False) if entry is None else (entry.depth, *self.bound(state))
        while not exact and lower < beta:
            self._seen, depth = Outcome(lower, INFINITE, -1, ""), depth + 1
            try:
                found, exact = self.look(state, beta, depth, keep=True)
                lower = max(lower, found)
            except _Ended as end:
                return Outcome(min(lower, beta), INFINITE, -1, str(end))
        if lower >= beta:
            return Outcome(lower, INFINITE, -1, "")
        return Outcome(lower, lower, self.memo[self.key(state)].test, "")

    def choice(self, state: MassState) -> int:
        """Return the test that reaches the value of a state; raise ValueError when the search was stopped."""
        found = self.search(state)
        if found.ended:
            raise ValueError("stopped before the best test was found again")
        return found.guess

    def bound(self, state: MassState, branches: int = 0, price: int = 0) -> tuple[int, bool]:
        """Return at least the value of a state that is not settled, and whether it is exactly that.

        `branches`, `price`: see `static`.
        """
        entry = self.memo.get(self.key(state))
        if entry is None:
            return self.static(state, branches, price), False
        return entry.least(state.mass), entry.test >= 0

    def look(self, state: MassState, beta: int, depth: int, *, keep: bool = False) -> tuple[int, bool]:
        """Return at least the value of a state, looking ahead so far or until it is beta, and if it is exact.

        `keep`: remember it even if the memory is full.
        """
        # 1 known well enough?
        key = self.key(state)
        entry = self.memo.get(key)
        if entry is not None:
            lower = entry.least(state.mass)
            if entry.test >= 0 or lower >= beta or entry.depth >= depth:
                return lower, entry.test >= 0
        # 2 is it to end?
        if self._stopped or 0 < self._last <= self.evaluations:
            raise _Ended("stopped" if self._stopped else "budget")
        self.evaluations += 1
        self.states += entry is None
        # 3 every test, by what is known of the states that it leaves, those first that promise most
        asks = self.asks(state)
        best, test = INFINITE, -1
        for ask in asks:
            # 4 look further, until the test cannot be better than the best, or than beta
            for after in ask.after:
                bound = min(beta, best)
                if depth == 1 or ask.total >= bound:
                    break
                if not after.exact:
                    room = bound - (ask.total - after.lower if self.adds else ask.paid)
                    lower, after.exact = self.look(after.state, room, depth - 1)
                    after.lower = max(after.lower, lower)
                    ask.total = ask.paid + self.joined([one.lower for one in ask.after])
            if ask.total < best and all(after.exact for after in ask.after):
                best, test = ask.total, ask.test
        # 5 remember: no strategy costs less than the least of what its first test costs at least
        if entry is None:
            entry = Entry(state.mass, 0)
            if keep or len(self.memo) < self.most:
                self.memo[key] = entry
        lower = max(min(ask.total for ask in asks), entry.least(state.mass))
        entry.mass, entry.lower, entry.depth = state.mass, lower, depth
        entry.test = test if best <= lower else -1
        return lower, entry.test >= 0

    def asks(self, state: MassState) -> list[Ask]:
        """Return the tests that may be best, by what they cost at least."""
        found, prices = self.parts(state), self.scaled.prices
        # Below, all of these may be asked, those too that are left out here.
        branches = max(len(states) for _, states in found)
        price = min(prices[test] for test, _ in found)
        found = [one for one in found if self.within(one[1])]
        free = [one for one in found if not prices[one[0]]][:1]
        if self.width and not free:
            found.sort(key=lambda one: -(self.gain(state, one[1]) << SHIFT) // prices[one[0]])
            found = found[: self.width]
        asks = []
        for test, states in free or found:
            after = [
                After(one, *self.bound(one, branches, price))
                for one in states
                if not self.scaled.settled(one.members)
            ]
            after.sort(key=lambda one: -one.lower)
            paid = prices[test] * state.mass
            asks.append(Ask(paid + self.joined([one.lower for one in after]), test, paid, after))
        return sorted(asks, key=lambda ask: ask.total)


class Expected(Lookahead):
    """The least expected cost, times the mass, of strategies on which no path costs more than is left.

    With a limit the tests are those that some strategy within it begins with; a state outside of it is none.
    """

    def __init__(self, scaled: Scaled, width: int = 0, memory: int = 1 << 30) -> None:
        super().__init__(scaled, width, memory)
        self.worst = Worst(scaled, memory=memory)
        self.limited = False

    def stop(self) -> None:
        """End the search soon, from another thread."""
        super().stop()
        self.worst.stop()

    def search(self, state: MassState, beta: int = INFINITE, budget: int = 0) -> Outcome:
        """Search the value of a state below beta; where there is no strategy, `lower` is INFINITE."""
        self.limited = state.left >= 0
        if self.limited:
            least = self.worst.search(state, state.left + 1, budget)
            if least.ended or least.lower > state.left:
                return Outcome(0 if least.ended else INFINITE, INFINITE, -1, least.ended)
        return super().search(state, beta, budget)

    def within(self, states: list[MassState]) -> bool:
        """Return whether what is left after a test is enough for all states."""
        return not self.limited or all(map(self._enough, states))

    def _enough(self, state: MassState) -> bool:
        if state.left < 0 or self.scaled.settled(state.members):
            return state.left >= 0
        found = self.worst.search(state, state.left + 1)
        if found.ended:
            raise _Ended(found.ended)
        return found.lower <= state.left

    def key(self, state: MassState) -> object:
        """Return who is possible and what was asked, and masses where these do not tell them.

        Where the answers in each cell are equally likely they do, up to a factor: a cause with n of them has
        1/n of its mass after each, and a test that would tell nothing of the causes still possible has
        changed the masses of all by the same factor.
        """
        if self.scaled.even:
            return state.members, state.asked, state.left
        unit = gcd(*state.masses.values())
        return state.members, state.asked, state.left, tuple(mass // unit for mass in state.masses.values())

    def static(self, state: MassState, branches: int, price: int) -> int:
        """Return at least the value: the larger of two bounds.

        No two connected parts of the overlaps end together. So the ends, those joined that name causes of the
        same part, are a code for the parts, with at most so many symbols; Huffman's is the shortest, and
        joining two ends of a code only makes it shorter. Each symbol costs the price or more. And every cause
        pays what it pays at least, see `Scaled.payers`.
        """
        scaled, paid = self.scaled, 0
        for cause, mass in state.masses.items():
            for least, some in scaled.payers[cause]:
                if some & state.members:
                    paid += mass * least
                    break
        if not price:
            return paid
        return max(paid, price * huffman(scaled.components(state.masses, state.members), branches))

    def parts(self, state: MassState) -> list[tuple[int, list[MassState]]]:
        """Return the tests that tell something; of those with equal probabilities the cheapest."""
        scaled, members = self.scaled, state.members
        found: dict[object, tuple[int, list[tuple[int, int]]]] = {}
        for test in bits(scaled.telling(members) & ~state.asked):
            parts = [(answer, part & members) for answer, part in scaled.parts[test] if part & members]
            # With equally likely answers, who may give which tells the probabilities.
            same = tuple(sorted(part for _, part in parts)) if scaled.even else test
            if same not in found or scaled.prices[test] < scaled.prices[found[same][0]]:
                found[same] = test, parts
        return [
            (test, [self.after(state, test, answer, part) for answer, part in parts])
            for test, parts in found.values()
        ]

    def after(self, state: MassState, test: int, answer: int, part: int) -> MassState:
        """Return the state after an answer; masses of a settled one only where they matter, to a beam."""
        if not self.width and self.scaled.settled(part):
            return MassState(part, 0, {}, 0, state.left - self.scaled.prices[test])
        return self.scaled.after(state, test, answer, part)

    def joined(self, values: list[int]) -> int:
        """Return the sum."""
        return sum(values)

    def gain(self, state: MassState, after: list[MassState]) -> int:
        """Return how many causes are ruled out, weighted by the masses of the answers."""
        many = state.members.bit_count()
        return sum(one.mass * (many - one.members.bit_count()) for one in after)


class Worst(Lookahead):
    """The least cost that no cause exceeds, whatever is answered."""

    adds = False

    def seen_by(self, state: MassState) -> MassState:
        """Return who is possible."""
        return MassState(state.members, 0, {}, 1)

    def key(self, state: MassState) -> object:
        """Return who is possible."""
        return state.members

    def static(self, state: MassState, branches: int, price: int) -> int:
        """Return at least the value: what some cause pays, or the length of a code, see `Expected`."""
        scaled, paid = self.scaled, 0
        masses = dict.fromkeys(bits(state.members), 1)
        for cause in masses:
            paid = max([paid, *(least for least, some in scaled.payers[cause] if some & state.members)])
        many, length = len(scaled.components(masses, state.members)), 0
        while price and branches**length < many:
            length += 1
        return max(paid, price * length)

    def parts(self, state: MassState) -> list[tuple[int, list[MassState]]]:
        """Return the tests whose answers all rule somebody out; of those that tell the same the cheapest."""
        scaled, members = self.scaled, state.members
        found: dict[frozenset[int], int] = {}
        for test in range(scaled.tests):
            parts = frozenset(part & members for _, part in scaled.parts[test]) - {0}
            if members not in parts and scaled.prices[test] < scaled.prices[found.get(parts, test)] + (
                parts not in found
            ):
                found[parts] = test
        return [
            (test, [MassState(part, 0, {}, 1) for part in sorted(parts)]) for parts, test in found.items()
        ]

    def joined(self, values: list[int]) -> int:
        """Return the largest."""
        return max(values, default=0)

    def gain(self, state: MassState, after: list[MassState]) -> int:
        """Return how many causes are ruled out at least."""
        return state.members.bit_count() - max(one.members.bit_count() for one in after)


def huffman(weights: list[int], branches: int) -> int:
    """Return the total of Huffman's code with so many symbols: the least sum of weight times length."""
    if len(weights) <= branches:
        return sum(weights) if len(weights) > 1 else 0
    heap = weights + [0] * ((1 - len(weights)) % (branches - 1))
    heapify(heap)
    total = 0
    while len(heap) > 1:
        joined = sum(heappop(heap) for _ in range(branches))
        total += joined
        heappush(heap, joined)
    return total
