"""`Worst`: the least cost that no cause exceeds, whatever is answered."""

from __future__ import annotations

from collections.abc import Hashable

from .bounds import INFINITE
from .integer_model import Belief, bits
from .iterative_deepening import IterativeDeepening


class Worst(IterativeDeepening):
    """The least cost that no cause exceeds, whatever is answered, and whichever tests fail to answer."""

    adds = False

    def seen_by(self, state: Belief) -> Belief:
        """Return who is possible, what was asked as far as it matters, and how many tests may still fail."""
        asked, opened = self.integers.kept(self.integers.splitting(state.members), state.asked, state.opened)
        masses = dict.fromkeys(bits(state.members), 1)
        return Belief(state.members, asked, masses, 1, None, opened, state.failures)

    def key(self, state: Belief) -> object:
        """Return all but the masses."""
        return state.members, state.asked, state.opened, state.failures

    def decided(self, state: Belief) -> tuple[int, int]:
        """See `IterativeDeepening`."""
        integers, members = self.integers, state.members
        if integers.losses is None:
            return (0 if integers.settled(members) else INFINITE), -1
        least, decision = INFINITE, -1
        for number, row in enumerate(integers.losses):
            if members & ~integers.allowed[number] == 0:
                most = max(row[cause] or 0 for cause in bits(members))
                if most < least:
                    least, decision = most, number
        return least, decision

    def helps(self, state: Belief) -> int:
        """See `IterativeDeepening`."""
        return self.integers.splitting(state.members)

    def useful(self, state: Belief) -> int:
        """See `IterativeDeepening`."""
        return self.integers.useful(self.helps(state), state.asked, state.opened)

    def after(self, state: Belief, test: int) -> list[Belief]:
        """See `IterativeDeepening`; of answers that leave the same there is one state."""
        integers = self.integers
        parts = {part & state.members for _, part in integers.going[test]} - {0}
        asked, opened = state.asked | 1 << test, state.opened | integers.group[test]
        found = [self._state(part, asked, opened, state.failures) for part in sorted(parts)]
        if state.failures:
            found.append(self._state(state.members, asked, opened, state.failures - 1))
        return found

    def _state(self, members: int, asked: int, opened: int, failures: int) -> Belief:
        return self.seen_by(Belief(members, asked, {}, 1, None, opened, failures))

    def same(self, state: Belief, test: int) -> Hashable:
        """See `IterativeDeepening`: what matters is what a test leaves."""
        return frozenset(part & state.members for _, part in self.integers.going[test]) - {0}

    def joined(self, values: list[int]) -> int:
        """Return the largest."""
        return max(values, default=0)

    def gain(self, state: Belief, after: list[Belief]) -> int:
        """Return how many causes are ruled out at least."""
        answered = [one.members.bit_count() for one in after if one.failures == state.failures]
        return state.members.bit_count() - max(answered, default=0)
