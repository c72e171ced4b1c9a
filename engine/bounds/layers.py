"""Lower bounds for tables with costs: layer after layer of the costs is paid for what it must buy.

Costs may be split: where no question costs more than c, and c = a + b, every strategy pays what it would at
the costs a, and what it would at the costs b; so the least value at c is at least the sum of the least values
at a and at b. Of all that a question costs, a layer takes the same *price* times what it can tell at most:

- in bits: no question with k answers takes more than log2 k bits per unit of weight from what is not known,
  and all of it, W log W - sum w log w, must go (Shannon 1948);
- in questions: each counts 1, and Huffman's tree, or `covering`, says how many there must be.

The price is raised until some questions have nothing left to pay. They are free in the layers that follow, so
they are asked first, and what they cannot tell apart, class by class, is a table of its own, with fewer
answers, where the price goes on rising. A class that is small enough may be settled exactly at what is left
of the costs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..state import Ints, Table
from ..stopping import heed
from .counting import least_weighted
from .covering import covering

Longs = NDArray[np.int64]
Doubles = NDArray[np.float64]
Exactly = Callable[[Table, Longs, Doubles], tuple[float, bool]]
"""At least the value of a table with these weights and costs, and whether it is exactly that."""
LOSS = 1e-9
"""More than rounding can add to a bound, as a part of it."""


@dataclass(frozen=True)
class Layers:
    """How a table is bounded.

    Attributes
    ----------
    bits: whether a layer counts bits; else questions.
    exactly, most: what settles classes of at most so many secrets, or smaller ones where it does not; None:
        layers go on to the end.
    late: whether to stop; what was paid until then is a bound too. Classes that were not settled exactly by
        then still have their layers, which take little time.
    """

    bits: bool
    exactly: Exactly | None = None
    most: int = 0
    late: Callable[[], bool] = lambda: False

    def bound(self, table: Table, weights: Longs, costs: Doubles) -> float:
        """Return at least the least weighted cost to identify the secrets.

        Parameters
        ----------
        table: answers, shape (questions, secrets).
        weights: from 1, int64, shape (secrets,).
        costs: what each question costs at least, not negative, float64, shape (questions,).
        """
        total, waiting = 0.0, [(table, weights, costs)]
        while waiting and (self.most or not self.late()):
            heed()
            table, weights, costs = waiting.pop()
            kinds = kinds_of(table)
            telling = kinds > 1
            table, costs, kinds = table[telling], costs[telling], kinds[telling]
            free = costs <= 0
            if free.any() or not len(costs):
                rest, left = table[~free], costs[~free]
                if len(left):  # else nothing more is paid
                    waiting += [(rest[:, part], weights[part], left) for part in undivided(table[free])]
                continue
            if self.exactly is not None and len(weights) <= self.most and not self.late():
                value, exact = self.exactly(table, weights, costs)
                if not exact:
                    smaller = replace(self, most=self.most // 2)
                    value = max(value, smaller.bound(table, weights, costs))
                total += value
                continue
            worth = np.log2(kinds) if self.bits else np.ones(len(kinds))
            price = float((costs / worth).min())
            total += price * (
                unknown_bits(weights)
                if self.bits
                else questions_of(table, weights, int(kinds.max()), self.late)
            )
            left = costs - price * worth
            left[costs / worth <= price * (1 + LOSS)] = 0
            waiting.append((table, weights, np.maximum(left, 0)))
        return total * (1 - LOSS)


def kinds_of(table: Table) -> Longs:
    """Return how many answers each question has, int64, shape (questions,)."""
    if not table.shape[1]:
        return np.zeros(len(table), dtype=np.int64)
    ordered = np.sort(table, axis=1)
    return 1 + np.count_nonzero(ordered[:, 1:] != ordered[:, :-1], axis=1).astype(np.int64)


def undivided(table: Table) -> list[Ints]:
    """Return the sets of two secrets or more that no question tells apart."""
    number = np.zeros(table.shape[1], dtype=np.int64)
    for row in table:
        kinds, number = np.unique(number * (int(row.max()) + 1) + row, return_inverse=True)
        if len(kinds) == len(number):
            return []
    order = np.argsort(number, kind="stable").astype(np.int32)
    parts = np.split(order, np.flatnonzero(np.diff(number[order])) + 1)
    return [part for part in parts if len(part) > 1]


def unknown_bits(weights: Longs) -> float:
    """Return what is not known of secrets of these weights: W log2 W - sum of w log2 w."""
    total = float(weights.sum())
    return total * float(np.log2(total)) - float((weights * np.log2(weights)).sum())


def questions_of(table: Table, weights: Longs, most: int, late: Callable[[], bool]) -> float:
    """Return at least the weighted number of questions, each with at most so many answers."""
    ones = np.ones(len(table), dtype=np.int64)
    counted = float(least_weighted(weights.tolist(), most, win=False))
    return max(counted, covering(table, weights, ones, late)) if len(weights) > most else counted


def layered(
    table: Table,
    weights: Longs,
    costs: Doubles,
    exactly: Exactly | None = None,
    most: int = 0,
    late: Callable[[], bool] = lambda: False,
) -> float:
    """Return the best of the bounds in bits and in questions, see `Layers`, and by `covering`."""
    found = Layers(True, exactly, most, late).bound(table, weights, costs)
    telling = kinds_of(table) > 1
    whole = costs[telling].astype(np.int64)
    if not most and len(whole) and int(whole.min()) > 0:
        found = max(found, covering(table[telling], weights, whole, late))
    return max(found, Layers(False, exactly, most, late).bound(table, weights, costs))
