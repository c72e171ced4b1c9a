"""`Expected`: the least expected cost, of tests and of what is decided at the end."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import gcd, log2

from guesstree.cext import Outcome

from .bounds import INFINITE
from .scaled import MassState, Scaled, bits
from .search import SHIFT, Ended, Lookahead
from .worst import Worst


class Expected(Lookahead):
    """The least expected cost, times the mass, of strategies on which no path costs more than is left.

    With a limit the tests are those that some strategy within it begins with; a state outside of it is none.
    No test fails to answer.
    """

    def __init__(self, scaled: Scaled, width: int = 0, memory: int = 1 << 30) -> None:
        super().__init__(scaled, width, memory)
        self.worst = Worst(scaled, memory=memory)

    def stop(self) -> None:
        """End the search soon, from another thread."""
        super().stop()
        self.worst.stop()

    def search(self, state: MassState, beta: int = INFINITE, budget: int = 0) -> Outcome:
        """Search the value of a state below beta; where there is no strategy, `lower` is INFINITE."""
        if state.left is not None:
            least = self.worst.search(state, state.left + 1, budget)
            if least.ended or least.lower > state.left:
                return Outcome(0 if least.ended else INFINITE, INFINITE, -1, least.ended)
        return super().search(state, beta, budget)

    def seen_by(self, state: MassState) -> MassState:
        """Return the state without tests that fail to answer."""
        return state._replace(lapses=0) if state.lapses else state

    def within(self, state: MassState, price: int, after: list[MassState]) -> bool:
        """Return whether what is left after a test is enough for all states."""
        return state.left is None or (price <= state.left and all(map(self._enough, after)))

    def _enough(self, state: MassState) -> bool:
        assert state.left is not None
        if self.scaled.settled(state.members):
            return state.left >= 0
        found = self.worst.search(state, state.left + 1)
        if found.ended:
            raise Ended(found.ended)
        return found.lower <= state.left

    def key(self, state: MassState) -> object:
        """Return who is possible and what was asked, and masses where these do not tell them.

        Where the answers in each cell are equally likely they do, up to a factor: a cause with n of them has
        1/n of its mass after each, and a test that is left out of the state, since it would tell nothing of
        the causes still possible, has changed the masses of all by the same factor.
        """
        known = state.members, state.asked, state.opened, state.left
        if self.scaled.even:
            return known
        unit = gcd(*state.masses.values())
        return known, tuple(mass // unit for mass in state.masses.values())

    def decided(self, state: MassState) -> tuple[int, int]:
        """See `Lookahead`; a decision that may lose more than is left is not allowed."""
        scaled, members, masses, left = self.scaled, state.members, state.masses, state.left
        if scaled.losses is None:
            return (0 if scaled.settled(members) else INFINITE), -1
        least, decision = INFINITE, -1
        for number, row in enumerate(scaled.losses):
            if members & ~scaled.allowed[number] == 0 and (
                left is None or all((row[cause] or 0) <= left for cause in bits(members))
            ):
                loss = sum(m * (row[cause] or 0) for cause, m in masses.items())
                if loss < least:
                    least, decision = loss, number
        return least, decision

    def helps(self, state: MassState) -> int:
        """See `Lookahead`."""
        return self.scaled.telling(state.members)

    def useful(self, state: MassState) -> int:
        """See `Lookahead`."""
        return self.scaled.useful(self.helps(state), state.asked, state.opened)

    def after(self, state: MassState, test: int) -> list[MassState]:
        """See `Lookahead`; masses of a settled state only where they matter, to a beam."""
        scaled, members, found = self.scaled, state.members, []
        for answer, some in scaled.going[test]:
            part = some & members
            if part and not self.width and scaled.settled(part):
                left = None if state.left is None else state.left - scaled.price(test, state.opened)
                found.append(MassState(part, 0, {}, 0, left))
            elif part:
                found.append(scaled.after(state, test, answer, part))
        return found

    def same(self, state: MassState, test: int) -> Hashable:
        """See `Lookahead`: with equally likely answers, who may give which tells the probabilities."""
        if not self.scaled.even:
            return self.scaled.twin[test]
        ending, members = self.scaled.ending[test], state.members
        return tuple(
            sorted((part & members, a in ending) for a, part in self.scaled.parts[test] if part & members)
        )

    def joined(self, values: list[int]) -> int:
        """Return the sum."""
        return sum(values)

    def gain(self, state: MassState, after: list[MassState]) -> int:
        """Return how much a test tells of what is to be decided, and how often it ends the path.

        Where causes are named, that is how many are ruled out, weighted by the masses of the answers; where
        decisions lose something, it is the information on what is best to do.
        """
        going = sum(one.mass for one in after)
        if self.scaled.losses is None:
            many = state.members.bit_count()
            return sum(one.mass * (many - one.members.bit_count()) for one in after) + many * (
                state.mass - going
            )
        told = self._doubt(state) - sum(one.mass / state.mass * self._doubt(one) for one in after)
        return int(max(told + 1 - going / state.mass, 0.0) * (1 << SHIFT))

    def _doubt(self, state: MassState) -> float:
        """Return the entropy of what is best to do: to decide, or to ask for an answer that ends the path."""
        each: dict[Hashable, int] = {}
        for cause, mass in state.masses.items():
            kind = self.scaled.best[cause], *self.bounds.enders[cause]
            each[kind] = each.get(kind, 0) + mass
        return _entropy(mass / state.mass for mass in each.values())


def _entropy(shares: Iterable[float]) -> float:
    return -sum(share * log2(share) for share in shares if share)
