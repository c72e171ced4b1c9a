"""The plain twin of `priced_claims`: what a checker of proofs over costs knows of sets.

P1 to P8 are stated and proved in verify/PRICED.md. A set goes with what each of its secrets may still pay,
-1: any. It is *closed* if no guess that costs nothing tells anything of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

INFINITE = 1 << 60
SMALL = 10
"""Sets of so many secrets are searched to the end."""

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Set = tuple[int, ...]
Part = tuple[Ints, int, int]


def plus(a: int, b: int) -> int:
    """Return a sum of bounds."""
    return INFINITE if a >= INFINITE or b >= INFINITE else min(a + b, INFINITE - 1)


def times(weight: int, each: int) -> int:
    """Return what a weight costs."""
    return INFINITE if each >= INFINITE else weight * each


class Shown:
    """Bounds of sets, as a checker has them: by counting, small sets, one step ahead, and what is proved.

    Parameters
    ----------
    table: responses, shape (guesses, secrets).
    winning: the response that ends the game, or -1: to identify.
    weights: at least 1, int64, shape (secrets,).
    costs: not negative, int64, shape (guesses, responses).
    pay, end, unit, payer: see `reference_pricing.Pricer`.
    small: sets of so many secrets are searched to the end.
    """

    def __init__(
        self,
        table: NDArray[np.uint8] | NDArray[np.uint16],
        responses: int,
        winning: int,
        weights: Longs,
        costs: Longs,
        pay: Longs,
        end: Longs,
        unit: int,
        payer: int,
        small: int = SMALL,
    ) -> None:
        self.order = np.argsort(-weights, kind="stable").astype(np.int32)
        self.place = np.argsort(self.order).astype(np.int32)
        self.answers, self.costs = table[:, self.order].tolist(), costs.tolist()
        self.weights, self.pay, self.end = (a[self.order].tolist() for a in (weights, pay, end))
        self.responses, self.winning, self.win = responses, winning, winning >= 0
        self.unit, self.payer, self.small = unit, payer, small
        self.guesses = range(len(self.answers))
        self.counts(INFINITE, 1)

    def counts(self, penalty: int, rate: int) -> None:
        """Say what counts, and forget all that was known.

        A unit of weight that is lost with so much left costs penalty + rate * left, or INFINITE; what is paid
        counts if `rate` is 1, and not if it is 0.
        """
        self.penalty, self.rate = penalty, rate
        self.proved: dict[Set, dict[int, int]] = {}
        self.seen: dict[tuple[Set, int], tuple[int, bool]] = {}

    def forget(self) -> None:
        """Forget what was proved."""
        self.proved = {}

    def remember(self, candidates: Ints, left: int, bound: int) -> None:
        """Keep a bound that is proved."""
        of = self.proved.setdefault(self.members(candidates), {})
        of[left] = max(of.get(left, 0), bound)

    def known(self, candidates: Ints, left: int) -> int:
        """Return the best bound that was proved of exactly this set."""
        return self.remembered(self.members(candidates), left)

    def weak(self, candidates: Ints, left: int, bound: int) -> list[int]:
        """Return the guesses that are not shown to cost the bound on a closed set; none if it is shown."""
        members, most = self.members(candidates), self.branches(self.members(candidates))
        if max(self.counting(members, left, most), self.chain(members, left)) >= bound:
            return []
        return [
            g
            for g in self.guesses
            if self.tells(g, members) and self.asking(members, left, g, bound, most, 1, None) < bound
        ]

    def ask(self, candidates: Ints, left: int, guess: int, bound: int) -> tuple[int, list[Part]]:
        """Return at least what a guess costs (-1: none), and the parts that it leaves.

        A part is (candidates, left, at least what it costs), closed; the bounds go as far as is needed.
        """
        members, parts = self.members(candidates), list[Part]()
        shown = self.asking(members, left, guess, bound, self.branches(members), 1, parts)
        return shown, parts

    def members(self, candidates: Ints) -> Set:
        """Return the secrets by weight, the heaviest first."""
        return tuple(sorted(self.place[candidates].tolist()))

    def remembered(self, members: Set, left: int) -> int:
        """Return the best bound that was proved (P8)."""
        falls = self.penalty >= INFINITE or not self.rate
        found = self.proved.get(members, {}).items()
        return max(
            (b for at, b in found if at == left or (falls and left >= 0 and not 0 <= at <= left)), default=0
        )

    # -- what is paid ----------------------------------------------------------------------------------

    def lost(self, left: int) -> int:
        """Return what a unit of weight costs that is lost with so much left."""
        return INFINITE if self.penalty >= INFINITE else self.penalty + self.rate * left

    def per(self, cost: int, left: int) -> int:
        """Return what a unit of weight costs that pays this."""
        return self.lost(left) if 0 <= left < cost else self.rate * cost

    def weight(self, members: Sequence[int]) -> int:
        """Return the weight of some secrets."""
        return sum(self.weights[s] for s in members)

    def tells(self, g: int, members: Sequence[int]) -> bool:
        """Return whether not all secrets answer alike."""
        return len({self.answers[g][s] for s in members}) > 1

    def split(self, members: Sequence[int], g: int) -> dict[int, list[int]]:
        """Return the secrets of each response."""
        found: dict[int, list[int]] = {}
        for s in members:
            found.setdefault(self.answers[g][s], []).append(s)
        return found

    def open_parts(self, members: Set, left: int, g: int) -> tuple[int, list[tuple[Set, int]]]:
        """Return what is paid for a guess (-1: none), and the sets left when all free ones are asked (P2)."""
        total, waiting = 0, [(members, left)]
        if g >= 0:
            waiting = []
            for answer, part in self.split(members, g).items():
                cost = self.costs[g][answer]
                total = plus(total, times(self.weight(part), self.per(cost, left)))
                if (left < 0 or cost <= left) and answer != self.winning:
                    waiting.append((tuple(part), left - cost if left >= 0 else -1))
        found = []
        for some, rest in waiting:
            if len(some) == 1:
                if self.win:
                    total = plus(total, times(self.weights[some[0]], self.per(self.end[some[0]], rest)))
                continue
            for f in self.guesses:
                if self.tells(f, some) and not any(self.costs[f][self.answers[f][s]] for s in some):
                    parts = self.split(some, f).items()
                    waiting += [(tuple(part), rest) for answer, part in parts if answer != self.winning]
                    break
            else:
                found.append((some, rest))
        return total, found

    def branches(self, members: Set) -> int:
        """Return the most parts that a guess leaves, but the one it wins; 1 at least, or if none matter."""
        every = ({self.answers[g][s] for s in members} - {self.winning} for g in self.guesses)
        return max(1, *map(len, every)) if self.unit else 1

    def huffman(self, members: Set, most: int) -> int:
        """Return the least weighted depth of leaves of a tree with at most so many branches."""
        waiting, total, joining = [self.weights[s] for s in members], 0, 2 + (len(members) - 2) % (most - 1)
        while len(waiting) > 1:
            waiting.sort()
            joined = sum(waiting[:joining])
            waiting[:joining] = [joined]
            total, joining = total + joined, most
        return total

    def counting(self, members: Set, left: int, most: int) -> int:
        """Return at least what two secrets or more cost, secret by secret (P3) and by counting (P4)."""
        last = [self.end[s] if self.win else 0 for s in members]
        full = [
            times(self.weights[s], self.per(self.pay[s] + e, left))
            for s, e in zip(members, last, strict=True)
        ]
        least = [times(self.weights[s], self.per(e, left)) for s, e in zip(members, last, strict=True)]
        if self.win:
            first = max(range(len(members)), key=lambda i: (full[i] - least[i], -i))
            full[first] = least[first]
        total = deep = 0
        for paid in full:
            total = plus(total, paid)
        if not self.unit:
            return total
        if self.win:
            depth, room, width = 0, 0, 1
            for s in members:
                if room == 0:
                    depth, room, width = depth + 1, width, min(width * most, len(members))
                room -= 1
                deep = plus(deep, times(self.weights[s], self.per(depth * self.unit, left)))
        elif most < 2:
            return INFINITE
        else:
            reached, steps = (len(members) if left < 0 else 1), left // self.unit
            while reached < len(members) and steps > 0:
                reached, steps = reached * most, steps - 1
            if reached < len(members):
                deep = times(self.weight(members[reached:]), self.lost(left))
            elif self.penalty >= INFINITE:
                deep = self.unit * self.huffman(members, most)
        return max(total, deep)

    def chain(self, members: Set, left: int) -> int:
        """Return at least what a set costs where one response to a guess costs something at most (P5)."""
        if not self.payer:
            return 0
        spared = sorted(
            (
                self.weight([s for s in members if not self.costs[g][self.answers[g][s]]])
                for g in self.guesses
                if self.tells(g, members)
            ),
            reverse=True,
        )
        on_path, paid, best = self.weight(members), 0, 0
        heaviest = self.weights[members[0]]
        if left >= 0:
            reach = left // self.payer
            some = sum(spared[:reach])
            covered = max(some + heaviest, some + sum(spared[reach : reach + 1]))
            best = times(on_path - covered, self.lost(left)) if covered < on_path else 0
        if self.penalty >= INFINITE and best < INFINITE:
            for k, more in enumerate(spared):
                if k and on_path <= heaviest:
                    break
                on_path -= more
                if on_path <= 0:
                    break
                paid += on_path
        return max(best, self.payer * paid)

    # -- asking ----------------------------------------------------------------------------------------

    def asking(
        self, members: Set, left: int, g: int, need: int, most: int, claimed: int, out: list[Part] | None
    ) -> int:
        """Return at least what a set costs if the guess (-1: none) is asked first, as far as it is needed."""
        total, parts = self.open_parts(members, left, g)
        bounds = [self.counting(*part, most) for part in parts]
        if claimed:
            bounds = [max(b, self.remembered(*part)) for b, part in zip(bounds, parts, strict=True)]
        for bound in bounds:
            total = plus(total, bound)
        for small in (True, False) if claimed else (True,):
            for i, part in enumerate(parts):
                if total < need and (len(part[0]) <= self.small) == small:
                    rest = total - bounds[i]
                    bounds[i] = max(
                        bounds[i], self.ahead(*part, INFINITE if need >= INFINITE else need - rest)
                    )
                    total = plus(rest, bounds[i])
        if out is not None:
            out += [
                (np.sort(self.order[list(some)]), rest, bound)
                for (some, rest), bound in zip(parts, bounds, strict=True)
            ]
        return total

    def ahead(self, members: Set, left: int, need: int) -> int:
        """Return at least what a closed set costs, one step ahead (P6), as far as it is needed."""
        looked, whole = self.seen.get((members, left), (0, False))
        if whole or looked >= need:
            return looked
        most, least = self.branches(members), need
        floor = max(self.counting(members, left, most), self.chain(members, left))
        for g in self.guesses:
            if least > floor and self.tells(g, members):
                least = min(least, self.asking(members, left, g, least, most, 0, None))
        self.seen[members, left] = max(least, floor), least < need
        return max(least, floor)
