"""One-step valuations of a guess by the sizes of its parts, each an integer ranking with an exact tie rule.

The least score wins. Ties go to a guess that is a candidate, then to the smallest guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf, log2, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import GuesstreeError, unknown
from ..modules import load_module
from .logs import Logs

DIGITS = 12
"""Estimated chances are doubles; those that agree in so many decimals tie."""
Longs = NDArray[np.int64]
Sizes = Sequence[int]
ENTROPY_SCALE = 1 << 28
"""Units of n log2 n. A double keeps the product exact to a unit for n up to 2^20."""


@dataclass(frozen=True)
class Valuation:
    """A way to score a guess by the sizes of its parts.

    Attributes
    ----------
    name, author: what it is called, and who proposed it.
    figure: what people quote (largest part, expected size, bits of entropy, parts), from the sizes.
    best: ``min`` or ``max``, of that figure.
    part_scores: what a part of n secrets adds to the score, for n = 0 .. secrets, int64 and convex from 1 on;
        None: the score is the largest part.
    compare: exact comparison of two lists of sizes where scores are rounded (sign of a - b), or None.
    """

    name: str
    author: str
    best: str
    figure: Callable[[Sizes], Fraction | float | int]
    part_scores: Callable[[int], Longs] | None
    compare: Callable[[Sizes, Sizes], int] | None = None

    def scores(self, secrets: int) -> Longs:
        """Return the score of a part of each size, shape (secrets + 1,); empty: the largest part."""
        return np.zeros(0, dtype=np.int64) if self.part_scores is None else self.part_scores(secrets)

    def tolerance(self, parts: int) -> int:
        """Return by how much scores may differ and still need `compare`: the rounding of so many parts."""
        return 0 if self.compare is None else 4 * parts


def entropy_scores(secrets: int) -> Longs:
    """Return n log2 n in units of 2^-28, rounded, for n = 0 .. secrets."""
    n = np.arange(secrets + 1, dtype=np.float64)
    n[0] = 1  # an empty part adds nothing
    return np.rint(n * np.log2(n) * ENTROPY_SCALE).astype(np.int64)


def compare_entropy(a: Sizes, b: Sizes) -> int:
    """Return exactly the sign of sum n log n over a minus that over b, by comparing the products of n^n."""
    left, right = (prod(n**n for n in sizes if n) for sizes in (a, b))
    return (left > right) - (left < right)


def entropy(sizes: Sizes) -> float:
    """Return the entropy of a partition in bits."""
    total = sum(sizes)
    return log2(total) - sum(n * log2(n) for n in sizes if n) / total


def expected_size(sizes: Sizes) -> Fraction:
    """Return the expected size of the part that the secret is in."""
    return Fraction(sum(n * n for n in sizes), sum(sizes))


def count_parts(sizes: Sizes) -> int:
    """Return the number of parts that are not empty."""
    return sum(1 for n in sizes if n)


VALUATIONS = {
    valuation.name: valuation
    for valuation in (
        Valuation("max-part", "Knuth 1977", "min", max, None),
        Valuation(
            "expected-size",
            "Irving 1978",
            "min",
            expected_size,
            lambda secrets: np.arange(secrets + 1, dtype=np.int64) ** 2,
        ),
        Valuation("entropy", "Neuwirth 1982", "max", entropy, entropy_scores, compare_entropy),
        Valuation(
            "parts",
            "Kooi 2005",
            "max",
            count_parts,
            lambda secrets: -np.minimum(np.arange(secrets + 1, dtype=np.int64), 1),
        ),
    )
}
Paid = Sequence[tuple[int, int]]
"""(weight, cost) of every part that a guess makes: what its secrets weigh, and what each of them pays."""


@dataclass(frozen=True)
class CostValuation:
    """A way to score a guess by the weights of its parts and by what they pay.

    Attributes
    ----------
    name, author: what it is called, and who proposed it.
    figure: what people quote, from the parts; infinite where nothing is paid.
    best: ``min`` or ``max``, of that figure.
    key: what sorts guesses on one set, best first, exactly.
    powers: of the units of costs and of weights, in the figure.
    """

    name: str
    author: str
    best: str
    figure: Callable[[Paid], Fraction | float]
    key: Callable[[Paid], Any]
    powers: tuple[int, int] = (0, 0)


def paid_in_all(parts: Paid) -> int:
    """Return the weighted sum of what is paid: the expected cost times the weight of the set."""
    return sum(weight * cost for weight, cost in parts)


def expected_cost(parts: Paid) -> Fraction:
    """Return the expected cost: the sum of w c over the sum of w."""
    return Fraction(paid_in_all(parts), sum(weight for weight, _ in parts))


def reduction(parts: Paid) -> int:
    """Return by how much weight a set is expected to shrink, times its weight W: W^2 - sum of w^2."""
    return sum(weight for weight, _ in parts) ** 2 - sum(weight**2 for weight, _ in parts)


def reduction_per_cost(parts: Paid) -> Fraction | float:
    """Return the expected reduction per expected cost, (W^2 - sum of w^2) / sum of w c, or infinity."""
    paid = paid_in_all(parts)
    return Fraction(reduction(parts), paid) if paid else inf


def information(parts: Paid) -> Logs:
    """Return the information in bits times the weight W of the set: W log W - sum of w log w."""
    weights = [weight for weight, _ in parts]
    return Logs([(sum(weights), sum(weights)), *((-weight, weight) for weight in weights)])


def information_per_cost(parts: Paid) -> float:
    """Return the information per expected cost, in bits; infinite when free."""
    paid = paid_in_all(parts)
    return float(information(parts)) / paid if paid else inf


def _free_first(worth: Callable[[Paid], Any]) -> Callable[[Paid], Any]:
    """Return the order by worth per cost: free guesses first, among them those worth most."""

    def key(parts: Paid) -> Any:
        paid = paid_in_all(parts)
        return (paid > 0, -(worth(parts) / (paid or 1)))

    return key


COST_VALUATIONS = {
    valuation.name: valuation
    for valuation in (
        CostValuation(
            "least-cost", "folklore: the most frequent letter", "min", expected_cost, paid_in_all, (1, 0)
        ),
        CostValuation(
            "reduction-per-cost",
            "folklore",
            "max",
            reduction_per_cost,
            _free_first(lambda parts: Fraction(reduction(parts))),
            (-1, 1),
        ),
        CostValuation(
            "information-per-cost", "folklore", "max", information_per_cost, _free_first(information), (-1, 0)
        ),
    )
}
"""Valuations for games with weights and costs. Where all weigh and cost the same, `information-per-cost` is
`entropy`, and `reduction-per-cost` is `expected-size`."""


class Prospect(NamedTuple):
    """A part that a guess makes, and what the budget leaves for it.

    Attributes
    ----------
    weight, cost: what its secrets weigh, and what each of them pays for the guess.
    spare: how many more guesses the rest of the budget pays for, each at the highest price of the game,
        beside the one that wins where that is the goal; below 0: the part is lost.
    sure: a weight that can surely be won. To win: that of its `spare` + 1 heaviest secrets, guessed one after
        the other. To identify: all of it, if it has at most `spare` + 1 secrets, as k secrets are told apart
        by at most k - 1 guesses. Where free responses tell each secret from all others, that of its
        `spare` + 1 heaviest secrets: one is asked for after the other, each until another response comes,
        which has a price at most once for each.
    needed: about how many more guesses of that price have to be paid for: its entropy in bits, times what a
        bit costs now with the guess that tells most for what it costs.
    """

    weight: int
    cost: int
    spare: int
    sure: int
    needed: float


Prospects = Sequence[Prospect]


@dataclass(frozen=True)
class BudgetValuation:
    """A way to score a guess by what can be won with what is left of the budget.

    Attributes
    ----------
    name, author: what it is called, and who proposed it.
    won: the weight that can be won, by its parts; the most is the best.
    """

    name: str
    author: str
    won: Callable[[Prospects], int | float]
    best = "max"

    def figure(self, parts: Prospects) -> Fraction | float:
        """Return the chance to win: the share of the weight."""
        won, weight = self.won(parts), sum(part.weight for part in parts)
        return Fraction(won, weight) if isinstance(won, int) else won / weight

    def key(self, parts: Prospects) -> Any:
        """Return what sorts guesses on one set, best first."""
        paid = [(part.weight, part.cost) for part in parts]
        worth = -self.won(parts) if paid_in_all(paid) else 0
        return (paid_in_all(paid) > 0, worth, COST_VALUATIONS["reduction-per-cost"].key(paid))


def surely_won(parts: Prospects) -> int:
    """Return a weight that some strategy surely wins after the guess, see `Prospect`."""
    return sum(part.sure for part in parts)


def probably_won(parts: Prospects) -> float:
    """Return an estimate of the weight that can be won after the guess.

    How many guesses a secret still has to pay for is taken to be Poisson distributed, see `Prospect.needed`.
    """
    return round(sum(part.weight * at_most(part.spare, part.needed) for part in parts), DIGITS)


def at_most(most: int, mean: float) -> float:
    """Return the probability that a Poisson number with this mean is at most so many; 0 below 0."""
    if most < 0:
        return 0.0
    term = total = exp(-mean)
    for number in range(1, most + 1):
        term *= mean / number
        total += term
        if number > mean and term < total * 2**-60:
            break
    return min(total, 1.0)


BUDGET_VALUATIONS = {
    valuation.name: valuation
    for valuation in (
        BudgetValuation("sure-wins", "after Kooi 2005", surely_won),
        BudgetValuation("win-chance", "folklore", probably_won),
    )
}
"""Valuations that know the budget: with little left, a strategy should give up what it cannot afford.

Guesses that cost nothing come first, as they do no harm: a strategy may go on as if they had not been asked.
Ties go to the largest expected reduction per expected cost, which decides where nothing can be won any more.
"""
CONSISTENT = ("first-consistent", "random-consistent")
"""Methods that ask some candidate, unvalued."""
VOLUME = "volume"
"""The method for responses that may be false: the smallest volume left at most, see `onestep.lying`."""


def methods() -> tuple[str, ...]:
    """Return the names of all methods that are built in."""
    return (*VALUATIONS, *COST_VALUATIONS, *BUDGET_VALUATIONS, VOLUME, *CONSISTENT)


def own_valuation(name: str) -> Callable[[Sizes], float]:
    """Return a user's valuation ``module:function``: sizes of the parts -> score, the least wins.

    Raises GuesstreeError when there is no such function.
    """
    module, _, function = name.partition(":")
    try:
        found = getattr(load_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise GuesstreeError(f"method {name!r}: {error}; expected module:function") from None
    if not callable(found):
        raise GuesstreeError(f"method {name!r} is not a function of the sizes of the parts")
    return found


def check_method(name: str) -> None:
    """Raise GuesstreeError for a method that is neither built in nor a ``module:function`` that there is."""
    if isinstance(name, str) and ":" in name:
        own_valuation(name)
    elif not isinstance(name, str) or name not in methods():
        raise GuesstreeError(unknown("method", name, ("exact", *methods(), "module:function")))
