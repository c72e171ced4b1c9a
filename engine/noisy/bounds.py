"""Lower bounds of what strategies cost that ask at least one test, each with its proof.

Let p be the least that a useful test may cost, now or later. On every path something is asked, so every cause
pays p or more, wherever it ends. It ends in one of two ways.

*By an answer that ends the path.* Then it has paid for one of the tests that may get such an answer from it
and were not asked before; the cheapest costs e, infinite if there is none.

*By a decision.* Then it loses what the best decision for it loses, at least, the floor f. And no cause is
possible there that it may not end with (`IntegerModel.overlap`): for each such cause that is possible now, a
test was asked and gave an answer which the other cannot give. The cheapest such test costs s.

So a cause pays at least the lesser of max(p, e) and max(p, s) + f, by its mass, and in the worst case none
pays more than the worst case. Without an answer that ends the path, it is the second.

*Codes.* If no path ends by an answer, the ends are decisions. Those that decide for causes of the same
connected part of the overlaps joined, they are a code for the parts, with as many symbols as a test has
answers, at most: Huffman's is the shortest, and joining two ends of a code makes it only shorter. Each symbol
costs p or more, and the floors are lost beside that. In the worst case the longest word of a code counts.

*Pairs.* V(m + n) >= V(m) + V(n), so the values of disjoint pairs of causes add up. A pair is decided
together, or something is asked that tells it apart, or ends its path; that costs at least as much as the
cheapest such test, and then each pays at least as above. (What helps the pair in no such way is left out, see
`integer_model`.) In the worst case a pair costs no more than all causes. Pairs whose best decisions differ
say most.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from .integer_model import IntegerModel, Masses

INFINITE = 1 << 4096
"""More than any value."""


class Bounds:
    """What the causes of a model pay at least.

    Parameters
    ----------
    worst: whether for the worst case: then a test tells two causes apart only if no answer that goes on is
        possible for both, and a path ends by its answer only if it surely does. *Proof.* Some path of each
        cause avoids the other answers, and no path of it costs more than the worst case.

    Attributes
    ----------
    enders: for each cause the tests that may end its path, cheapest first.
    """

    def __init__(self, integers: IntegerModel, *, worst: bool) -> None:
        self.integers, self.worst = integers, worst
        self.order = sorted(range(integers.tests), key=lambda test: integers.least[test])
        ending = integers.surely if worst else integers.fatal
        self.enders = [
            [test for test in self.order if ending[test] >> cause & 1] for cause in range(integers.causes)
        ]
        self.endless = not any(self.enders)
        dear = len(set(integers.least)) > 1
        self.payers = [self._payers(cause) if dear else [] for cause in range(integers.causes)]
        self.flat = self.endless and not any(integers.floor) and not dear
        self.differ = integers.losses is not None and len(set(integers.best)) > 1
        self._pairs: dict[tuple[int, int], list[int]] = {}

    def _payers(self, cause: int) -> list[tuple[int, int]]:
        """Return what a cause pays at least to be decided while some of a set are possible, dearest first."""
        integers, least = self.integers, dict[int, int]()
        left = integers.everyone & ~integers.overlap[cause] & ~(1 << cause)
        for test in self.order:
            both = integers.everyone
            for _, part in integers.parts[test]:
                both &= part if part >> cause & 1 else both
            if left & ~both:
                price = integers.least[test]
                least[price] = least.get(price, 0) | left & ~both
                left &= both
        return sorted(least.items(), reverse=True)

    def least(self, masses: Masses, members: int, asked: int, branches: int, price: int) -> int:
        """Return at least the value of a state, by strategies that ask something.

        In the worst case all masses are 1. `branches`, `price`: the most answers of a test that may be asked,
        and the least that it may cost.
        """
        if self.flat:
            paid = price if self.worst else price * sum(masses.values())
        else:
            each = [m * self.pays(cause, members, asked, price) for cause, m in masses.items()]
            paid = max(each) if self.worst else sum(each)
        if price and (self.endless or not self._ends(members, asked)):
            paid = max(paid, self._code(masses, members, branches, price))
        if self.differ:
            paid = max(paid, self._paired(masses, asked))
        return min(paid, INFINITE)

    def pays(self, cause: int, members: int, asked: int, price: int) -> int:
        """Return what a cause pays at least; `members` of 0: whoever else is possible."""
        told = price
        for least, some in self.payers[cause]:
            if some & members:
                told = max(told, least)
                break
        told += self.integers.floor[cause]
        for test in self.enders[cause]:
            if not asked >> test & 1:
                return min(told, max(price, self.integers.least[test]))
        return told

    def _ends(self, members: int, asked: int) -> bool:
        """Return whether a path may end by an answer."""
        ending = self.integers.surely if self.worst else self.integers.fatal
        return any(members & some and not asked >> test & 1 for test, some in enumerate(ending))

    def _code(self, masses: Masses, members: int, branches: int, price: int) -> int:
        """Return at least what a code costs that tells the connected parts, and the floors."""
        integers, branches = self.integers, max(branches, 2)
        parts = integers.components(masses, members)
        if not self.worst:
            return price * huffman(parts, branches) + sum(
                m * integers.floor[cause] for cause, m in masses.items() if integers.floor[cause]
            )
        length = 0
        while branches**length < len(parts):
            length += 1
        return price * length + min(integers.floor[cause] for cause in masses)

    def _paired(self, masses: Masses, asked: int) -> int:
        """Return at least the value by disjoint pairs of causes whose best decisions differ."""
        waiting: dict[int, list[int]] = {}
        found = []
        for cause in sorted(masses, key=lambda cause: -masses[cause]):
            mine = self.integers.best[cause]
            other = next((one for one in waiting if one != mine), None)
            if other is None:
                waiting.setdefault(mine, []).append(cause)
                continue
            found.append(self._pair(masses, waiting[other].pop(0), cause, asked))
            if not waiting[other]:
                del waiting[other]
        alone = [masses[c] * self.pays(c, 0, asked, 0) for some in waiting.values() for c in some]
        return max([*found, *alone]) if self.worst else sum(found) + sum(alone)

    def _pair(self, masses: Masses, one: int, other: int, asked: int) -> int:
        """Return at least the value of two causes alone."""
        integers, price = self.integers, INFINITE
        together = INFINITE
        for row in integers.losses or ():
            first, second = row[one], row[other]
            if first is not None and second is not None:
                each = masses[one] * first, masses[other] * second
                together = min(together, max(each) if self.worst else sum(each))
        key = min(one, other), max(one, other)
        tests = self._pairs.get(key)
        if tests is None:
            both = 1 << one | 1 << other
            telling = integers.splitting(both) if self.worst else integers.telling(both)
            tests = self._pairs[key] = [test for test in self.order if telling >> test & 1]
        for test in tests:
            if not asked >> test & 1:
                price = integers.least[test]
                break
        if price == INFINITE:
            return together
        paid = [masses[cause] * self.pays(cause, 0, asked, price) for cause in (one, other)]
        return min(together, max(paid) if self.worst else sum(paid))


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
