"""`Worst`: the least cost that no cause exceeds, whatever is answered."""

from __future__ import annotations

from collections.abc import Hashable

from .bounds import INFINITE
from .scaled import MassState, bits
from .search import Lookahead


class Worst(Lookahead):
    """The least cost that no cause exceeds, whatever is answered, and whichever tests fail to answer."""

    adds = False

    def seen_by(self, state: MassState) -> MassState:
        """Return who is possible, what was asked as far as it matters, and how many tests may still fail."""
        asked, opened = self.scaled.kept(self.scaled.splitting(state.members), state.asked, state.opened)
        masses = dict.fromkeys(bits(state.members), 1)
        return MassState(state.members, asked, masses, 1, None, opened, state.lapses)

    def key(self, state: MassState) -> object:
        """Return all but the masses."""
        return state.members, state.asked, state.opened, state.lapses

    def decided(self, state: MassState) -> tuple[int, int]:
        """See `Lookahead`."""
        scaled, members = self.scaled, state.members
        if scaled.losses is None:
            return (0 if scaled.settled(members) else INFINITE), -1
        least, decision = INFINITE, -1
        for number, row in enumerate(scaled.losses):
            if members & ~scaled.allowed[number] == 0:
                most = max(row[cause] or 0 for cause in bits(members))
                if most < least:
                    least, decision = most, number
        return least, decision

    def helps(self, state: MassState) -> int:
        """See `Lookahead`."""
        return self.scaled.splitting(state.members)

    def useful(self, state: MassState) -> int:
        """See `Lookahead`."""
        return self.scaled.useful(self.helps(state), state.asked, state.opened)

    def after(self, state: MassState, test: int) -> list[MassState]:
        """See `Lookahead`; of answers that leave the same there is one state."""
        scaled = self.scaled
        parts = {part & state.members for _, part in scaled.going[test]} - {0}
        asked, opened = state.asked | 1 << test, state.opened | scaled.group[test]
        found = [self._state(part, asked, opened, state.lapses) for part in sorted(parts)]
        if state.lapses:
            found.append(self._state(state.members, asked, opened, state.lapses - 1))
        return found

    def _state(self, members: int, asked: int, opened: int, lapses: int) -> MassState:
        return self.seen_by(MassState(members, asked, {}, 1, None, opened, lapses))

    def same(self, state: MassState, test: int) -> Hashable:
        """See `Lookahead`: what matters is what a test leaves."""
        return frozenset(part & state.members for _, part in self.scaled.going[test]) - {0}

    def joined(self, values: list[int]) -> int:
        """Return the largest."""
        return max(values, default=0)

    def gain(self, state: MassState, after: list[MassState]) -> int:
        """Return how many causes are ruled out at least."""
        answered = [one.members.bit_count() for one in after if one.lapses == state.lapses]
        return state.members.bit_count() - max(answered, default=0)
