"""`Expected`: the least expected cost, of tests and of what is decided at the end."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import gcd, log2

from guesstree.cext import Outcome

from .bounds import INFINITE
from .integer_model import Belief, IntegerModel, bits
from .iterative_deepening import SHIFT, Ended, IterativeDeepening
from .worst import Worst


class Expected(IterativeDeepening):
    """The least expected cost, times the mass, of strategies on which no path costs more than is left.

    With a limit the tests are those that some strategy within it begins with; a state outside of it is none.
    No test fails to answer.
    """

    def __init__(self, integers: IntegerModel, width: int = 0, memory: int = 1 << 30) -> None:
        super().__init__(integers, width, memory)
        self.worst = Worst(integers, memory=memory)

    def stop(self) -> None:
        """End the search soon, from another thread."""
        super().stop()
        self.worst.stop()

    def search(self, state: Belief, beta: int = INFINITE, budget: int = 0) -> Outcome:
        """Search the value of a state below beta; where there is no strategy, `lower` is INFINITE."""
        if state.left is not None:
            least = self.worst.search(state, state.left + 1, budget)
            if least.ended or least.lower > state.left:
                return Outcome(0 if least.ended else INFINITE, INFINITE, -1, least.ended)
        return super().search(state, beta, budget)

    def seen_by(self, state: Belief) -> Belief:
        """Return the state without tests that fail to answer."""
        return state._replace(failures=0) if state.failures else state

    def within(self, state: Belief, price: int, after: list[Belief]) -> bool:
        """Return whether what is left after a test is enough for all states."""
        return state.left is None or (price <= state.left and all(map(self._enough, after)))

    def _enough(self, state: Belief) -> bool:
        assert state.left is not None
        if self.integers.settled(state.members):
            return state.left >= 0
        found = self.worst.search(state, state.left + 1)
        if found.ended:
            raise Ended(found.ended)
        return found.lower <= state.left

    def key(self, state: Belief) -> object:
        """Return who is possible and what was asked, and masses where these do not tell them.

        Where the answers in each cell are equally likely they do, up to a factor: a cause with n of them has
        1/n of its mass after each, and a test that is left out of the state, since it would tell nothing of
        the causes still possible, has changed the masses of all by the same factor.
        """
        known = state.members, state.asked, state.opened, state.left
        if self.integers.even:
            return known
        unit = gcd(*state.masses.values())
        return known, tuple(mass // unit for mass in state.masses.values())

    def decided(self, state: Belief) -> tuple[int, int]:
        """See `IterativeDeepening`; a decision that may lose more than is left is not allowed."""
        integers, members, masses, left = self.integers, state.members, state.masses, state.left
        if integers.losses is None:
            return (0 if integers.settled(members) else INFINITE), -1
        least, decision = INFINITE, -1
        for number, row in enumerate(integers.losses):
            if members & ~integers.allowed[number] == 0 and (
                left is None or all((row[cause] or 0) <= left for cause in bits(members))
            ):
                loss = sum(m * (row[cause] or 0) for cause, m in masses.items())
                if loss < least:
                    least, decision = loss, number
        return least, decision

    def helps(self, state: Belief) -> int:
        """See `IterativeDeepening`."""
        return self.integers.telling(state.members)

    def useful(self, state: Belief) -> int:
        """See `IterativeDeepening`."""
        return self.integers.useful(self.helps(state), state.asked, state.opened)

    def after(self, state: Belief, test: int) -> list[Belief]:
        """See `IterativeDeepening`; masses of a settled state only where they matter, to a beam."""
        integers, members, found = self.integers, state.members, []
        for answer, some in integers.going[test]:
            part = some & members
            if part and not self.width and integers.settled(part):
                left = None if state.left is None else state.left - integers.price(test, state.opened)
                found.append(Belief(part, 0, {}, 0, left))
            elif part:
                found.append(integers.after(state, test, answer, part))
        return found

    def same(self, state: Belief, test: int) -> Hashable:
        """With equally likely answers, who may give which tells the probabilities."""
        if not self.integers.even:
            return self.integers.twin[test]
        ending, members = self.integers.ending[test], state.members
        return tuple(
            sorted((part & members, a in ending) for a, part in self.integers.parts[test] if part & members)
        )

    def joined(self, values: list[int]) -> int:
        """Return the sum."""
        return sum(values)

    def gain(self, state: Belief, after: list[Belief]) -> int:
        """Return how much a test tells of what is to be decided, and how often it ends the path.

        Where causes are named, that is how many are ruled out, weighted by the masses of the answers; where
        decisions lose something, it is the information on what is best to do.
        """
        going = sum(one.mass for one in after)
        if self.integers.losses is None:
            many = state.members.bit_count()
            return sum(one.mass * (many - one.members.bit_count()) for one in after) + many * (
                state.mass - going
            )
        told = self._doubt(state) - sum(one.mass / state.mass * self._doubt(one) for one in after)
        return int(max(told + 1 - going / state.mass, 0.0) * (1 << SHIFT))

    def _doubt(self, state: Belief) -> float:
        """Return the entropy of what is best to do: to decide, or to ask for an answer that ends the path."""
        each: dict[Hashable, int] = {}
        for cause, mass in state.masses.items():
            kind = self.integers.best[cause], *self.bounds.enders[cause]
            each[kind] = each.get(kind, 0) + mass
        return _entropy(mass / state.mass for mass in each.values())


def _entropy(shares: Iterable[float]) -> float:
    return -sum(share * log2(share) for share in shares if share)
