"""The least allowances that a strategy keeps: the least weighted sum over secrets, or the least for each.

`allowance.Decider` decides allowances, and says why some are not kept: others that are no smaller are not
kept either, so in every strategy some secret pays more than those, a *cut*. Whether a sum can be reached is
decided by dividing the box of all allowances with at most that sum. In a box, allowances are decided that
have all of the sum, so that their cut says as much as it can; then the first secret of the cut pays more
than the cut, or it does not and the second one does, and so on. A box that a cut leaves one secret only is
made smaller.

A box is empty if its least allowances have a larger sum, or by counting (Kraft 1949): for any multiplier m
of 0 or more, the sum is at least that over secrets of the least of (weight x allowance + m x what the
secret takes of the tree), less m, because all that is taken is 1 at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..stopping import heed
from .allowance import SCALE, Amounts, Decider, HaltError

Longs = NDArray[np.int64]
MOST_COUNTED = 1 << 12
"""Counting bounds boxes whose allowances are below this."""
WIDENING = 20
"""Evaluations to find out whether a cut may say nothing of a secret."""
NEAR = 3
"""Multipliers are those of so many steps around the one where the secrets fill the tree."""


class LeastSum:
    """Looks for allowances with the least weighted sum.

    Parameters
    ----------
    weights: what each secret weighs; int64, shape (secrets,).
    most: what each secret may pay at most.
    """

    def __init__(self, decider: Decider, weights: Longs, most: int) -> None:
        self.decider, self.weights, self.most = decider, weights, most
        self.cuts = np.zeros((0, len(weights)), dtype=np.int64)

    @cached_property
    def taken(self) -> Longs:
        """What a secret takes of the tree at least that may pay 0, 1, ..."""
        of, lies = self.decider.mass.of, self.decider.root[0][1]
        return np.array([of(lies, amount) for amount in range(min(self.most + 1, MOST_COUNTED))])

    @property
    def least(self) -> int:
        """What each secret pays at least; above `most` if none can be settled."""
        return next((d for d, taken in enumerate(self.taken.tolist()) if taken <= SCALE), len(self.taken))

    @cached_property
    def multipliers(self) -> list[tuple[int, int]]:
        """Multipliers as fractions (p, q): paid for what is saved where secrets about fill the tree."""
        steps = (np.flatnonzero(np.diff(self.taken)) + 1).tolist()
        steps = [step for step in steps if step > self.least]
        full = (i for i, step in enumerate(steps) if int(self.taken[step]) * len(self.weights) <= SCALE)
        near = next(full, len(steps))
        found = set()
        for i in range(max(0, near - NEAR), min(len(steps), near + NEAR)):
            before = steps[i - 1] if i else self.least
            saved = int(self.taken[steps[i] - 1] - self.taken[steps[i]])
            middle = sorted(self.weights.tolist())[len(self.weights) // 2]
            found |= {((steps[i] - before) * weight, saved) for weight in {middle, int(self.weights.max())}}
        return sorted(found)

    @cached_property
    def priced(self) -> dict[tuple[int, int, int], NDArray[np.object_]]:
        """Weight x allowance x q + p x what is taken, for each multiplier and weight; Python integers."""
        amounts, taken = np.arange(len(self.taken)).astype(object), self.taken.astype(object)
        return {
            (p, q, weight): amounts * (weight * q) + taken * p
            for p, q in self.multipliers
            for weight in set(self.weights.tolist())
        }

    def bound(self, low: Longs, high: Longs) -> int:
        """Return at least the sum in a box."""
        found = int(self.weights @ low)
        if int(low.max()) >= len(self.taken):
            return found
        boxes = list(zip(self.weights.tolist(), low.tolist(), high.tolist(), strict=True))
        for p, q in self.multipliers:
            total = -p * SCALE
            for weight, least, most in boxes:
                total += self.priced[p, q, weight][least : most + 1].min()
                if most >= len(self.taken):  # there it may take nothing, and pays more
                    total -= p * int(self.taken[-1])
            found = max(found, -(-total // q))
        return found

    def at_least(self) -> int:
        """Return at least what every sum is, by counting."""
        low = np.full(len(self.weights), self.least, dtype=np.int64)
        return 0 if self.least > self.most else self.bound(low, np.full_like(low, self.most))

    def within(self, total: int, boxes_at_most: int) -> tuple[Amounts | None, bool]:
        """Return allowances that are kept and have at most this sum, or None, and whether that is certain.

        It is not where it takes more boxes than so many. Raises HaltError.
        """
        size = len(self.weights)
        boxes = [(np.full(size, self.least, dtype=np.int64), np.full(size, self.most, dtype=np.int64))]
        while boxes:
            if not boxes_at_most:
                return None, False
            boxes_at_most -= 1
            heed()
            if self.decider.stopped:
                raise HaltError
            low, high = boxes.pop()
            room = total - int(self.weights @ low)
            if room < 0 or (low > high).any():
                continue
            high = np.minimum(high, low + room // self.weights)
            cut = self._cut(low, high)
            if cut is None and self.bound(low, high) <= total:
                kept, found = self.decider.settle(self.decider.root, self.filled(low, high, room))
                if kept:
                    return found, True
                cut = np.array(self.widened(found, high))
                self.cuts = np.concatenate([self.cuts, [cut]])
            if cut is not None:
                boxes += self._divided(low, high, cut)
        return None, True

    def widened(self, cut: Amounts, high: Longs) -> Amounts:
        """Return a cut that says no less, of fewer secrets: those whose allowance alone is not to blame."""
        decider = self.decider
        for i, most in enumerate(high.tolist()):
            if cut[i] < most:
                before, decider.budget = decider.budget, decider.evaluations + WIDENING
                try:
                    kept, found = decider.settle(decider.root, (*cut[:i], most, *cut[i + 1 :]))
                except HaltError:
                    kept = True
                decider.budget = before
                cut = cut if kept else found
        return cut

    def _cut(self, low: Longs, high: Longs) -> Longs | None:
        """Return the cut that forbids the least of a box and leaves the fewest secrets, or None."""
        cuts = self.cuts[(low <= self.cuts).all(axis=1)]
        if not len(cuts):
            return None
        return np.asarray(cuts[int((high > cuts).sum(axis=1).argmin())])

    @staticmethod
    def _divided(low: Longs, high: Longs, cut: Longs) -> list[tuple[Longs, Longs]]:
        """Return the boxes that a cut leaves of a box."""
        found = []
        for i in np.flatnonzero(high > cut).tolist():
            above, high_before = low.copy(), high
            above[i] = cut[i] + 1
            found.append((above, high_before))
            high = high.copy()
            high[i] = cut[i]
        return found[::-1]

    def filled(self, low: Longs, high: Longs, room: int) -> Amounts:
        """Return allowances of a box that have so much more than its least, where the secrets save most."""
        found, weights = low.copy(), self.weights
        high = np.minimum(high, np.maximum(low, len(self.taken) - 2))
        while True:
            may = np.flatnonzero((weights <= room) & (found < high))
            if not len(may):
                return tuple(found.tolist())
            saved = (self.taken[found[may]] - self.taken[found[may] + 1]) / weights[may]
            i = int(may[np.lexsort((found[may], -saved))[0]])
            found[i] += 1
            room -= int(weights[i])


def least_for_all(decider: Decider, lower: int, beta: int) -> tuple[int, Amounts | None]:
    """Return at least what all secrets must be allowed to pay, below beta, and what they then pay.

    None, where that is beta or more. Raises HaltError, with the bound as its argument.
    """
    while lower < beta:
        try:
            kept, found = decider.settle(decider.root, (lower,) * len(decider.root))
        except HaltError:
            raise HaltError(lower) from None
        if kept:
            return max(found, default=0), found
        lower = min(found) + 1  # a larger amount for all is kept only if some secret pays more than the cut
    return beta, None


def lowered(decider: Decider, weights: Sequence[int], found: Amounts) -> Amounts:
    """Return amounts that are kept, lowered one by one while they are kept; stop when stopped."""
    waiting = sorted(range(len(found)), key=lambda s: -weights[s] * found[s])
    for s in waiting:
        while found[s] > 0:
            try:
                kept, amounts = decider.settle(decider.root, (*found[:s], found[s] - 1, *found[s + 1 :]))
            except HaltError:
                return found
            if not kept:
                break
            found = amounts
    return found
