"""The exact search for models: look ahead one question further, and again, and remember.

What is known of a state is a lower bound, and a strategy once there is one. To look `depth` questions ahead
is to bound every test by its price and what is known of the states that its answers leave, and to look
`depth - 1` questions ahead in those of the tests that promise less than the best strategy known. What is
decided now is such a strategy, where it may be. Bounds only rise, and from some depth on nothing is left to
look at: then the best strategy is optimal.

All numbers are integers, see `integers.IntegerModel`. Bounds are those of `bounds.Bounds`.

Facts that hold throughout. Let V(m) be the least cost from masses m, where some tests were asked.

1. V(m + n) >= V(m) + V(n), and V(k m) = k V(m): each strategy costs a sum over the causes, linear in their
   masses, and the least of a sum is at least the sum of the least.
2. A test that costs nothing now is asked at once: for a strategy and any test, the strategy that asks the
   test first and then goes on as before pays no more, and the answer is known where it would be asked later.
   If it ends the path, or opens a group, or another test waits for it, so much the better. If it fails to
   answer, that is known there, too.
3. Tests that are not useful are left out, see `integers`.
4. Of two tests with equal probabilities on all causes still possible, and the same answers that end the path,
   the cheaper is asked first: in a strategy that begins with the other, let the two change places. A path
   that has both pays the same, provided that the price of the cheaper is what it will always be. Nobody else
   pays more, provided that the dearer opens no group that matters, and no useful test waits for it.
5. Of tests that only open a group that matters, for which no useful test waits, the cheapest is enough: once
   it is open the others are not useful.
6. In the worst case only who is still possible matters. There, 4 holds for tests that leave the same sets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass

from guesstree.cext import Outcome

from .bounds import INFINITE, Bounds
from .integer_model import Belief, IntegerModel, bits

SHIFT = 64
"""Bits of a share behind the point: masses may be more than any float."""
ENTRY = 600
"""Bytes that an entry of the memory takes, about."""


class Ended(Exception):  # noqa: N818 - no error
    """The search is to end: the budget is spent, or it was stopped."""


@dataclass
class Entry:
    """What is known of a state of some mass: at least its value, how far ahead was looked, the best choice.

    That is a test, or the number of tests and that of a decision; -1 until the value is exactly `lower`.
    """

    mass: int
    lower: int
    depth: int = 0
    test: int = -1

    def least(self, mass: int) -> int:
        """Return at least the value for another mass, rounded up: values are whole."""
        return INFINITE if self.lower >= INFINITE else -(-self.lower * mass // self.mass)


@dataclass
class After:
    """A state that an answer leaves, with what is known of it."""

    state: Belief
    lower: int
    exact: bool


@dataclass
class Ask:
    """A test that may be asked, what it costs at least, and the states that it leaves to be settled."""

    total: int
    test: int
    paid: int
    after: list[After]


class IterativeDeepening(ABC):
    """Search a model, and remember what is known of its states.

    Parameters
    ----------
    width: try so many tests of a state at most, the most promising; 0: all. Lower bounds are then none of the
        model, but what a strategy costs is what it costs.
    memory: bytes that may be taken to remember, about.

    Attributes
    ----------
    states, evaluations: different states looked at, and how often.
    """

    adds = True
    """Whether what states cost together is their sum."""

    def __init__(self, integers: IntegerModel, width: int = 0, memory: int = 1 << 30) -> None:
        self.integers, self.width = integers, width
        self.bounds = Bounds(integers, worst=not self.adds)
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

    def seen_by(self, state: Belief) -> Belief:
        """Return as much of a state as the objective depends on."""
        return state

    @abstractmethod
    def key(self, state: Belief) -> object:
        """Return what a state is remembered by: all that its value depends on, but a factor of the masses."""

    @abstractmethod
    def decided(self, state: Belief) -> tuple[int, int]:
        """Return what is lost if a state ends here, and the number of the decision, -1: to name who is left.

        INFINITE where no decision is allowed.
        """

    @abstractmethod
    def useful(self, state: Belief) -> int:
        """Return the tests that may help from a state on."""

    @abstractmethod
    def after(self, state: Belief, test: int) -> list[Belief]:
        """Return the states that a test leaves, the settled ones too, those first that it answered."""

    @abstractmethod
    def same(self, state: Belief, test: int) -> Hashable:
        """Return what is equal for two tests that may change places."""

    def within(self, state: Belief, price: int, after: list[Belief]) -> bool:  # noqa: ARG002 - for those that keep a limit
        """Return whether the states after a test keep the limit of what is paid."""
        return True

    @abstractmethod
    def joined(self, values: list[int]) -> int:
        """Return what states cost together."""

    @abstractmethod
    def gain(self, state: Belief, after: list[Belief]) -> int:
        """Return how good a test looks by what it leaves; more is better."""

    # -- the search ----------------------------------------------------------------------------------------

    def search(self, state: Belief, beta: int = INFINITE, budget: int = 0) -> Outcome:
        """Search the value of a state below beta, with so many evaluations at most (0: any number).

        Where there is no strategy, `lower` is INFINITE.
        """
        self._stopped, self._last = False, budget and self.evaluations + budget
        state = self.seen_by(state)
        entry = self.memo.get(self.key(state))
        depth, (lower, exact) = 0 if entry is None else entry.depth, self.bound(state)
        if exact and entry is None:
            return self._found(lower, beta, self._number(self.decided(state)[1]))
        while not exact and lower < beta:
            self._seen, depth = Outcome(lower, INFINITE, -1, ""), depth + 1
            try:
                found, exact = self.look(state, beta, depth, keep=True)
                lower = max(lower, found)
            except Ended as end:
                return Outcome(min(lower, beta), INFINITE, -1, str(end))
        return self._found(lower, beta, self.memo[self.key(state)].test if exact else -1)

    def _found(self, lower: int, beta: int, test: int) -> Outcome:
        return Outcome(lower, INFINITE, -1, "") if lower >= beta else Outcome(lower, lower, test, "")

    def _number(self, decision: int) -> int:
        """Return the number of a choice to decide; -1: nothing is chosen."""
        return -1 if decision < 0 else self.integers.tests + decision

    def choice(self, state: Belief) -> int:
        """Return the test that reaches the value of a state, or the number of tests and the decision.

        Raises ValueError when the search was stopped, or there is none.
        """
        found = self.search(state)
        if found.ended or found.upper >= INFINITE:
            raise ValueError("stopped before the best test was found again")
        return found.guess

    def bound(self, state: Belief, branches: int = 0, price: int = 0) -> tuple[int, bool]:
        """Return at least the value of a state, and whether it is exactly that.

        `branches`, `price`: see `Bounds.least`; of 0, nothing is known of the tests.
        """
        entry = self.memo.get(self.key(state))
        if entry is not None:
            return entry.least(state.mass), entry.test >= 0
        if self.integers.settled(state.members):
            return 0, True
        loss = self.decided(state)[0]
        if not self.useful(state):
            return loss, loss < INFINITE
        integers = self.integers
        lower = self.bounds.least(
            state.masses, state.members, state.asked, branches or integers.causes, price
        )
        return (loss, True) if loss <= lower and loss < INFINITE else (lower, False)

    def look(self, state: Belief, beta: int, depth: int, *, keep: bool = False) -> tuple[int, bool]:
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
            raise Ended("stopped" if self._stopped else "budget")
        self.evaluations += 1
        self.states += entry is None
        # 3 what is lost if nothing more is asked, and every test, by what is known of the states that it
        # leaves, those first that promise most
        least, decision = self.decided(state)
        best, test, asks = least, self._number(decision), self.asks(state)
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
        # 5 remember: no strategy costs less than to decide, or than what some first test costs at least
        if entry is None:
            entry = Entry(state.mass, 0)
            if keep or len(self.memo) < self.most:
                self.memo[key] = entry
        lower = max(min([least, *(ask.total for ask in asks)]), entry.least(state.mass))
        entry.mass, entry.lower, entry.depth = state.mass, lower, depth
        entry.test = test if best <= lower < INFINITE else -1
        return lower, entry.test >= 0

    def asks(self, state: Belief) -> list[Ask]:
        """Return the tests that may be best, by what they cost at least."""
        integers, useful = self.integers, self.useful(state)
        after = {test: self.after(state, test) for test in bits(useful)}
        # Below, all of these may be asked, those too that are left out here.
        branches = max((len(states) for states in after.values()), default=0)
        least = min((integers.least[test] for test in after), default=0)
        prices = {test: integers.price(test, state.opened) for test in after}
        found = [test for test in self.first(state, useful) if self.within(state, prices[test], after[test])]
        free = [test for test in found if not prices[test]][:1]
        if self.width and not free:
            score = self.scores(state, after, prices)
            found = sorted(found, key=lambda test: -score[test])[: self.width]
        asks = []
        for test in free or found:
            left = [After(one, *self.bound(one, branches, least)) for one in after[test]]
            left = [one for one in left if one.lower or not one.exact]
            left.sort(key=lambda one: -one.lower)
            paid = prices[test] * state.mass
            asks.append(Ask(paid + self.joined([one.lower for one in left]), test, paid, left))
        return sorted(asks, key=lambda ask: ask.total)

    def first(self, state: Belief, useful: int) -> list[int]:
        """Return the useful tests that may be asked first, without those of facts 4 and 5."""
        integers, opened = self.integers, state.opened
        needed, groups = integers.needed(useful), integers.cheaper(useful) & ~opened
        if integers.plain:
            askable = list(bits(useful))
        else:
            asked = state.asked
            # Tests that were asked and do not matter are not among those that are needed.
            askable = [test for test in bits(useful) if not integers.needs[test] & ~asked]
        helps = self.helps(state)
        kept: dict[Hashable, list[int]] = {}
        for test in sorted(askable, key=lambda test: integers.price(test, opened)):
            opens, waited = integers.group[test] & groups, needed >> test & 1
            if not helps >> test & 1 and not waited:
                rivals = kept.setdefault(("opens", opens), [])
                if not rivals:
                    rivals.append(test)
                continue
            rivals = kept.setdefault(self.same(state, test), [])
            steady = any(integers.price(one, opened) == integers.least[one] for one in rivals)
            if opens or waited or not steady:
                rivals.append(test)
        return sorted(test for tests in kept.values() for test in tests)

    @abstractmethod
    def helps(self, state: Belief) -> int:
        """Return the tests that help by what they answer, asked or not."""

    def scores(self, state: Belief, after: dict[int, list[Belief]], prices: dict[int, int]) -> dict[int, int]:
        """Return how good the tests look for their price: by what they leave, or what they lead to.

        A test that opens a group, or for which another waits, is as good as that one for the price of both.
        """
        integers = self.integers
        gain = {test: self.gain(state, states) for test, states in after.items()}
        score = {test: (gain[test] << SHIFT) // max(price, 1) for test, price in prices.items()}
        if integers.plain:
            return score
        found = dict(score)
        for test, price in prices.items():
            for other in after:
                waits = integers.needs[other] >> test & 1
                if other != test and (waits or integers.group[test] & integers.group[other]):
                    both = price + (
                        prices[other]
                        if not integers.group[test] & integers.group[other]
                        else integers.least[other]
                    )
                    found[test] = max(found[test], (gain[other] << SHIFT) // max(both, 1))
        return found
