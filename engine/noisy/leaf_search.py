"""The search of a model for the best tree with limits of its leaves, in the numbers of `IntegerModel`.

Let V(s, l) be the least cost of a tree below a state s with at most l leaves, each of a mass of at least m,
where each leaf costs x. These facts of `exact_search` hold for it, too.

1. Tests that are not useful are left out. In a strategy that asks some of them, put in place of each the
   strategy below one of its answers, that with the least sum of what a unit of mass costs and of what its
   leaves cost. If the answers have the shares p of the mass, the trees below cost the sum of all p c, with x
   for each of their leaves n: at least the sum of all p (c + x n), and so at least the least c + x n. The
   tree that is kept has no more leaves than all of them, and each of its leaves has the mass that it had,
   divided by p: no less.
2. Of two tests that say the same, the cheaper is asked first: when they change places, the tree keeps its
   leaves with all that ends in them.
3. What bounds the cost without limits from below does so with limits.

What does not hold: free tests are not asked at once, as they make leaves, and states whose masses differ by a
factor are different ones, where leaves have a price or need a mass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from guesstree.cext import Outcome, leaves, reference_leaves

from ..leaf_limits import LeafLimits
from .float_model import FloatModel
from .integer_model import INFINITE, IntegerModel
from .model import Model

History = tuple[tuple[int, int], ...]
LOOK = 2
"""Tests on a path of the trees that are looked at first."""
MOST_LEAVES = 1 << 20


class LeafSearch:
    """Search a model for the best tree within limits of its leaves.

    Parameters
    ----------
    integers: the model in integers, in which values are returned.
    limits: of the leaves; the price is in units of the model's prices, the samples in those of its weights.
    worst: whether the worst case is sought, else the expected cost.
    limit, tests: see `ExactSearch`.
    first: the first test; -1: any.
    quick: whether only trees of two tests on a path are looked at.
    memory: bytes that may be taken to remember, about.
    """

    def __init__(
        self,
        model: Model,
        integers: IntegerModel,
        limits: LeafLimits,
        *,
        worst: bool = False,
        limit: int = -1,
        tests: int = -1,
        first: int = -1,
        quick: bool = False,
        memory: int = 1 << 30,
    ) -> None:
        price = Fraction(0) if worst else limits.leaf_price or Fraction(0)
        least = limits.min_samples or Fraction(0)
        if worst and not least:
            model = possible_only(model)
        price_in = Fraction(integers.leaf_price, integers.coin) if price else Fraction(0)
        many = most_leaves(model, limits.max_leaves, tests)
        floats = FloatModel.of(model, limited=limit >= 0, exact=True, leaves=(price_in, many))
        given, mass = dict(floats.given), floats.unit / floats.coin
        kernel = reference_leaves if floats.rational else leaves
        number: Any = Fraction if floats.rational else float
        given |= {"points": None, "even": False, "failures": model.failures if worst else 0}
        self.kernel = kernel.Searcher(
            **given,
            limit=reference_leaves.INFINITE if limit < 0 else limit,
            tests=integers.tests if tests < 0 else tests,
            leaves=limits.max_leaves or 0,
            least=number(least * mass),
            price=number(price_in * floats.unit * sum(map(Fraction, model.weights))),
            maximum=worst,
            first=first,
            memory=memory,
        )
        self.leaves, self.worst, self.quick = limits.max_leaves or 0, worst, quick
        self.ratio = Fraction(integers.coin, floats.coin)
        self.ratio *= 1 if worst else integers.unit / mass
        self._shares: dict[History, int] = {}
        self._stopped = False

    @property
    def states(self) -> int:
        """Different states looked at."""
        return int(self.kernel.states)

    @property
    def evaluations(self) -> int:
        """How often states were looked at."""
        return int(self.kernel.evaluations)

    def stop(self) -> None:
        """End the search soon, from another thread."""
        self.kernel.stop()

    def seen(self) -> Outcome:
        """Return what is known of the game."""
        lower, upper, guess, _ = self.kernel.seen()
        return Outcome(self.counted(lower), self.counted(upper), guess, "")

    def counted(self, value: Any) -> int:
        """Return in integers what the kernel says, which is exact."""
        if value == reference_leaves.INFINITE:
            return INFINITE
        found = Fraction(value) * self.ratio
        return -(-found.numerator // found.denominator)

    def search(self, beta: int = INFINITE) -> Outcome:
        """Search the game for a value below beta."""
        self._shares = {}
        given = reference_leaves.INFINITE
        if beta < INFINITE:
            most = Fraction(beta) / self.ratio
            given = -(-most.numerator // most.denominator)
        found = self.kernel.find(given, LOOK if self.quick else 0)
        lower, upper = self.counted(found.lower), self.counted(found.upper)
        if upper >= beta:
            return Outcome(lower, INFINITE, -1, found.ended)
        return Outcome(min(lower, upper), upper, found.guess, found.ended)

    def choice(self, history: History) -> int:
        """Return the test of the best tree after some answers of it, or the number of tests and the decision.

        Raises ValueError where nothing is known.
        """
        for length in range(len(history) + 1):
            path = history[:length]
            if path not in self._shares and length:
                self._share_out(path[:-1])
        guess, _, _ = self.kernel.below(history, self._shares.get(history, self.leaves))
        if guess < 0:
            raise ValueError("no tree is known below this state")
        return int(guess)

    def _share_out(self, history: History) -> None:
        """Say how many leaves each state after the best test has."""
        leaves = self._shares.get(history, self.leaves)
        guess, after, over = self.kernel.below(history, leaves)
        each = share_out([curve for _, curve in after], leaves - over, self.worst) if leaves else []
        for place, (answer, _) in enumerate(after):
            self._shares[(*history, (guess, answer))] = each[place] if leaves else 0


def share_out(curves: Sequence[Sequence[Any]], leaves: int, maximum: bool) -> list[int]:
    """Return how many of so many leaves each of some states has, so that all of them cost least."""
    ways: list[dict[int, tuple[Any, int]]] = [{0: (0, 0)}]
    for curve in curves:
        found: dict[int, tuple[Any, int]] = {}
        for taken, (before, _) in ways[-1].items():
            for own, cost in enumerate(curve, 1):
                both = max(before, cost) if maximum else before + cost
                if taken + own <= leaves and both < found.get(taken + own, (both + 1, 0))[0]:
                    found[taken + own] = both, own
        ways.append(found)
    taken, each = min(ways[-1], key=lambda n: (ways[-1][n][0], n)), list[int]()
    for found in reversed(ways[1:]):
        own = found[taken][1]
        each.append(own)
        taken -= own
    return each[::-1]


def possible_only(model: Model) -> Model:
    """Return the model in which what is possible counts alone, as the worst case has it."""
    chances = tuple(tuple(dict.fromkeys(cell, Fraction(1)) for cell in row) for row in model.chances)
    return replace(model, chances=chances, weights=(1,) * len(model.weights))


def most_leaves(model: Model, limit: int | None, tests: int) -> int:
    """Return at most how many leaves a tree has."""
    most = len(model.weights) if all(len(cell) == 1 for row in model.chances for cell in row) else 1
    answers = max(len({a for cell in row for a in cell}) for row in model.chances) + (model.failures > 0)
    if model.failures or most < len(model.weights):
        most = min(answers ** min(len(model.chances) if tests < 0 else tests, 20), MOST_LEAVES)
    return most if limit is None else min(most, limit)
