"""What the states of a table cost at least whose tests may get several answers: verify/NOISY.md, N1 to N5.

All numbers are those of a certificate: masses are integers, and prices in `IntegerModel.coin`ths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..noisy.integer_model import IntegerModel, bits
from ..noisy.model import Model
from .priced_argument import least_depths
from .table import noisy_unit, whole_weights

INFINITE = 1 << 16384
"""More than any strategy costs."""
MOST_APART, MOST_COMPARED = 64, 300
"""Causes of a state of which every two are compared, and of a table (N4)."""
MOST_WORK, MOST_DEEP = 1_000_000, 100
"""Causes and tests of the states that are looked at ahead, added up, and how many stand behind each other."""


class TooFar(Exception):  # noqa: N818 - no error
    """More would have to be looked at than a reader waits for."""


@dataclass(frozen=True)
class NoisyState:
    """What is left after some answers.

    Attributes
    ----------
    masses: the causes that are possible, each with its mass; with 1 in the worst case.
    asked, opened: tests that were asked, and groups that are open, as far as they matter (N2); as bits.
    """

    masses: tuple[tuple[int, int], ...]
    asked: int = 0
    opened: int = 0

    @cached_property
    def members(self) -> int:
        """The causes as bits."""
        return sum(1 << cause for cause, _ in self.masses)


@dataclass(frozen=True)
class Counted:
    """What counting says of a state (N4); `INFINITE` stands for what is not possible.

    Attributes
    ----------
    mass: of all causes; 1 in the worst case.
    ending, decision: what is lost if nothing more is asked, and by which decision; -1: there are none.
    cheapest: the least that a test costs that says something.
    each: what each cause costs at least if a test is asked, with its mass.
    unit, depths: the least price later on, and the masses to be told apart, each with the tests that it meets
        at least; none where a path may end otherwise.
    apart: what each cause pays at least until the others are excluded, with its mass; none where that does
        not count.
    worst: whether the worst case counts.
    """

    mass: int
    ending: int
    decision: int
    cheapest: int
    each: list[tuple[int, int]]
    unit: int
    depths: list[tuple[int, int]]
    apart: list[tuple[int, int]]
    worst: bool

    @cached_property
    def sums(self) -> tuple[int, int, int]:
        """What `each`, `depths` and `apart` come to."""
        if self.worst:
            each, depths, apart = (
                max((one for _, one in some), default=0) for some in (self.each, self.depths, self.apart)
            )
        else:
            each, depths, apart = (sum(m * one for m, one in x) for x in (self.each, self.depths, self.apart))
        return min(each, INFINITE), self.unit * depths, min(apart, INFINITE)

    @cached_property
    def bound(self) -> int:
        """At least what the state costs."""
        return min(self.ending, max(self.sums) if self.cheapest < INFINITE else INFINITE)


@dataclass(frozen=True)
class NoisyLook:
    """The best test of a state, one test ahead: what is paid for it, and what the states after it cost."""

    test: int
    paid: int
    parts: list[int]


class NoisyBounds:
    """Bounds of the states of a model.

    Parameters
    ----------
    worst: whether the worst case counts, not the expected cost.

    Attributes
    ----------
    scale, coin: as which number a certificate has 1 of what all pay together, and of a price.
    root: the state before the first test.
    branches: how many answers that go on a test has at most.
    ends: whether some answer ends the path.
    """

    def __init__(self, model: Model, *, worst: bool) -> None:
        self.model, self.worst = model, worst
        self.integers = integers = IntegerModel(model)
        self.coin = integers.coin
        self.scale = noisy_unit(model) * integers.coin * whole_weights(model)
        more = self.scale // (integers.coin * integers.unit)
        self.root = NoisyState(tuple((i, 1 if worst else m * more) for i, m in integers.weights.items()))
        self.tests = range(integers.tests)
        self.ends = any(integers.ending)
        self.branches = max(map(len, integers.going))
        self.opening = [self._opening(test) for test in self.tests]
        self.least, self.stop = self._least_of_each()
        self.work = self.deep = 0
        self._helping: dict[int, int] = {}
        self._aparts: dict[tuple[int, int], int] = {}
        self._counts: dict[NoisyState, Counted] = {}
        self._looks: dict[NoisyState, tuple[int, NoisyLook | None]] = {}
        self._found: dict[tuple[NoisyState, int], tuple[int, bool]] = {}

    def claimed(self, bound: int) -> int:
        """Return a bound of a certificate: what is more than any strategy costs stands for no strategy."""
        lost = max((x or 0 for row in self.integers.losses or [] for x in row), default=0)
        most = (sum(self.integers.prices) + lost) * self.mass(self.root)
        return bound if bound <= most else INFINITE

    def _opening(self, test: int) -> int:
        """Return the least that opens the group of a test; `INFINITE`: it has none."""
        groups = self.model.groups
        if not groups or groups[test] is None:
            return INFINITE
        return min(p for p, group in zip(self.integers.prices, groups, strict=True) if group == groups[test])

    def _least_of_each(self) -> tuple[list[int], list[int]]:
        """Return for each cause the least loss of a decision, and the least price of a test that may end."""
        losses, causes = self.integers.losses or [], range(self.integers.causes)
        least = [min((x for row in losses if (x := row[i]) is not None), default=INFINITE) for i in causes]
        ending = [[t for t in self.tests if self.integers.fatal[t] >> i & 1] for i in causes]
        return least, [min((self.integers.later[t] for t in some), default=INFINITE) for some in ending]

    # -- states --------------------------------------------------------------------------------------------

    def helping(self, members: int) -> int:
        """Return the tests that help where these causes are left (N2), as bits."""
        if not self.worst:
            return self.integers.telling(members)
        if members not in self._helping:
            self._helping[members] = sum(
                1 << test
                for test in self.tests
                if not any(members & ~part == 0 for _, part in self.integers.going[test])
            )
        return self._helping[members]

    def useful(self, state: NoisyState) -> int:
        """Return the tests that are useful in a state (N2), as bits."""
        return self.integers.useful(self.helping(state.members), state.asked, state.opened)

    def askable(self, state: NoisyState) -> list[int]:
        """Return the useful tests that need not wait for others."""
        needs = self.integers.needs
        return [test for test in bits(self.useful(state)) if needs[test] & ~state.asked == 0]

    def paid(self, state: NoisyState, test: int) -> int:
        """Return what all pay for a test."""
        return self.integers.price(test, state.opened) * self.mass(state)

    def mass(self, state: NoisyState) -> int:
        """Return the mass of all causes; 1 in the worst case."""
        return 1 if self.worst else sum(mass for _, mass in state.masses)

    def after(self, state: NoisyState, test: int) -> list[tuple[int, NoisyState]]:
        """Return the answers that go on, each with the state after it."""
        integers, found = self.integers, []
        asked, opened = state.asked | 1 << test, state.opened | integers.group[test]
        for answer, part in integers.going[test]:
            if members := part & state.members:
                share = integers.shares[test][answer]
                masses = tuple(
                    (i, m if self.worst else m * share[i][0] // share[i][1])
                    for i, m in state.masses
                    if members >> i & 1
                )
                kept = integers.kept(self.helping(members), asked, opened)
                found.append((answer, NoisyState(masses, *kept)))
        return found

    # -- counting (N4) -------------------------------------------------------------------------------------

    def counted(self, state: NoisyState) -> Counted:
        """Return what counting says of a state."""
        if state not in self._counts:
            self.work += len(state.masses) + len(self.tests)
            self._counts[state] = self._counted(state)
        return self._counts[state]

    def _counted(self, state: NoisyState) -> Counted:
        integers = self.integers
        ending, decision = self._ending(state)
        helping = [*bits(self.helping(state.members) & ~state.asked)]
        cheapest = min((self._earliest(state, test) for test in helping), default=INFINITE)
        each, depths, apart, unit = list[tuple[int, int]](), list[tuple[int, int]](), [], 0
        if helping and integers.losses is not None:
            each = [
                (m, min(cheapest + self.least[i], max(cheapest, self.stop[i]), INFINITE))
                for i, m in state.masses
            ]
        elif helping:
            each = [(m, cheapest) for _, m in state.masses]
        if helping and integers.losses is None and not self.ends:
            unit = min(integers.later[test] for test in helping)
            depths = self._depths(state)
            if integers.causes <= MOST_COMPARED and len(state.masses) <= MOST_APART:
                apart = [(m, max(self._apart(i, j) for j, _ in state.masses)) for i, m in state.masses]
        return Counted(self.mass(state), ending, decision, cheapest, each, unit, depths, apart, self.worst)

    def _ending(self, state: NoisyState) -> tuple[int, int]:
        """Return what is lost if nothing more is asked, and by which decision."""
        if self.integers.losses is None:
            return (0 if self.integers.settled(state.members) else INFINITE), -1
        best, found = INFINITE, -1
        for number, (row, allowed) in enumerate(
            zip(self.integers.losses, self.integers.allowed, strict=True)
        ):
            if state.members & ~allowed == 0:
                each = [m * (row[i] or 0) for i, m in state.masses]
                lost = max(each) if self.worst else sum(each)
                if lost < best:
                    best, found = lost, number
        return best, found

    def _earliest(self, state: NoisyState, test: int) -> int:
        """Return the least that may be paid until a test was asked, its group opened by others (N3)."""
        price = self.integers.price(test, state.opened)
        return min(price, self.integers.later[test] + self.opening[test])

    def _depths(self, state: NoisyState) -> list[tuple[int, int]]:
        """Return the masses that are to be told apart, each with the tests that it meets at least."""
        if self.branches < 2:
            return []
        masses, left, parts = dict(state.masses), state.members, []
        while left:
            part, near = 0, left & -left
            while near:
                part, reached = part | near, 0
                for cause in bits(near):
                    reached |= self.integers.overlap[cause]
                near = reached & left & ~part
            parts.append(sum(masses[cause] for cause in bits(part)))
            left &= ~part
        if self.worst:
            depth = next(n for n in range(len(parts)) if self.branches**n >= len(parts))
            return [(1, depth)] * len(parts)
        return list(zip(parts, least_depths(parts, self.branches), strict=True))

    def _apart(self, cause: int, other: int) -> int:
        """Return the least that a test costs by which a cause may leave another behind."""
        if self.integers.overlap[cause] >> other & 1:
            return 0
        if (cause, other) not in self._aparts:
            some = (
                self.integers.later[test]
                for test, row in enumerate(self.model.chances)
                if row[cause].keys() - row[other].keys()
            )
            self._aparts[cause, other] = min(some, default=INFINITE)
        return self._aparts[cause, other]

    # -- looking ahead (N5) --------------------------------------------------------------------------------

    def look(self, state: NoisyState) -> tuple[int, NoisyLook | None]:
        """Return at least what a state costs, one test ahead, and its best test; None: to end is better.

        Raises TooFar.
        """
        if state not in self._looks:
            counted, best, found = self.counted(state), INFINITE, None
            if counted.bound < counted.ending:
                for test in self.askable(state):
                    self._require_near()
                    parts = [self.counted(after).bound for _, after in self.after(state, test)]
                    paid = self.paid(state, test)
                    total = self.joined(paid, parts)
                    if total < best:
                        best, found = total, NoisyLook(test, paid, parts)
            ends = counted.ending <= best
            self._looks[state] = max(counted.bound, min(counted.ending, best)), None if ends else found
        return self._looks[state]

    def cost(self, state: NoisyState, ahead: int, want: int) -> int:
        """Return at least what a state costs, so many tests ahead, as far as what is wanted; raise TooFar."""
        counted = self.counted(state)
        if not ahead or counted.bound >= want or counted.bound >= counted.ending:
            return counted.bound
        key = state, min(ahead, len(self.tests))
        value, exact = self._found.get(key, (0, False))
        if exact or value >= want:
            return value
        self._require_near()
        limit, asks = min(want, counted.ending), []
        for test in self.askable(state):
            after = [one for _, one in self.after(state, test)]
            total = self.joined(self.paid(state, test), [self.counted(one).bound for one in after])
            asks.append((total, test, after))
        self.deep += 1
        for total, test, after in sorted(asks, key=lambda ask: ask[:2]):
            if total >= limit:
                break
            limit = min(limit, self._followed(self.paid(state, test), after, self.further(ahead), limit))
        self.deep -= 1
        value = max(counted.bound, limit)
        self._found[key] = value, limit < want
        return value

    def _followed(self, paid: int, after: Sequence[NoisyState], ahead: int, want: int) -> int:
        """Return at least what a test costs by what the states after it cost, so many tests ahead."""
        bounds = [self.counted(one).bound for one in after]
        for at in sorted(range(len(after)), key=lambda at: -self.mass(after[at])):
            total = self.joined(paid, bounds)
            if total >= want:
                break
            bounds[at] = max(
                bounds[at], self.cost(after[at], ahead, self.need(paid, total, bounds[at], want))
            )
        return self.joined(paid, bounds)

    def further(self, ahead: int) -> int:
        """Return how far is looked ahead behind one more test: to the end, or one test less (N5)."""
        return ahead if ahead >= len(self.tests) else ahead - 1

    def joined(self, paid: int, bounds: Sequence[int]) -> int:
        """Return at least what a test costs with these bounds of the states after it."""
        return joined(paid, bounds, worst=self.worst)

    def need(self, paid: int, total: int, bound: int, want: int) -> int:
        """Return what a state has to cost so that a test costs what is wanted, of which so much is known."""
        if want >= INFINITE:
            return INFINITE
        return want - paid if self.worst else want - total + bound

    def _require_near(self) -> None:
        """Raise TooFar when enough was looked at."""
        if self.work > MOST_WORK or self.deep > MOST_DEEP:
            self.deep = 0
            raise TooFar


def joined(paid: int, bounds: Sequence[int], *, worst: bool) -> int:
    """Return at least what a test costs: what is paid, with these bounds of the states after it."""
    return min(INFINITE, paid + (max(bounds, default=0) if worst else sum(bounds)))
