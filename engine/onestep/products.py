"""What a letter tells of phrases that are all combinations of one word from each of some lists.

Each word answers by itself, so the parts that a letter makes are the combinations of those of the lists:
their number, sums of their sizes or squares, and the entropy follow from each list alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, prod

from .logs import Logs

MOST_SIZES = 100
"""So many of the sizes of parts are listed, the largest."""
MOST_COMBINED = 1 << 20
"""So many parts are listed for a valuation of the user's own."""
Histogram = Sequence[int]


@dataclass(frozen=True)
class ProductParts:
    """The parts that a letter makes.

    Attributes
    ----------
    counts: for each list how many of its words give each answer; each at least 1.
    masses: what these words weigh.
    missed: what the phrases weigh that pay for the letter.
    """

    counts: tuple[tuple[int, ...], ...]
    masses: tuple[tuple[int, ...], ...]
    missed: int

    @property
    def many(self) -> int:
        """The number of parts."""
        return prod(map(len, self.counts))

    @property
    def weight(self) -> int:
        """What all phrases weigh."""
        return prod(map(sum, self.masses))

    @property
    def largest(self) -> int:
        """The size of the largest part."""
        return prod(map(max, self.counts))

    @property
    def expected_size(self) -> Fraction:
        """The expected size of the part that the phrase is in."""
        return Fraction(squares(self.counts), prod(map(sum, self.counts)))

    def sizes(self, most: int) -> list[int]:
        """Return the sizes of the largest parts, descending, `most` at most."""
        # The largest products of two lists are products of as many of the largest of each.
        found = [1]
        for one in self.counts:
            own = sorted(one, reverse=True)[:most]
            found = sorted((size * other for size in found for other in own), reverse=True)[:most]
        return found

    def key(self, name: str) -> object:
        """Return what compares letters by a valuation, exactly; the least is the best."""
        if name == "max-part":
            return self.largest
        if name == "expected-size":
            return squares(self.counts)
        if name == "entropy":
            return -information(self.counts)
        if name == "parts":
            return -self.many
        if name == "least-cost":
            return self.missed
        worth = Fraction(self.reduction) if name == "reduction-per-cost" else information(self.masses)
        return (self.missed > 0, -(worth / (self.missed or 1)))

    @property
    def reduction(self) -> int:
        """By how much weight the phrases are expected to shrink, times their weight."""
        return self.weight**2 - squares(self.masses)

    def figure(self, name: str) -> float:
        """Return what people quote for a valuation that knows costs; infinite when the letter is free."""
        if name == "least-cost":
            return float(Fraction(self.missed, self.weight))
        if not self.missed:
            return inf
        if name == "reduction-per-cost":
            return float(Fraction(self.reduction, self.missed))
        return float(information(self.masses) / self.missed)


def squares(lists: Sequence[Histogram]) -> int:
    """Return the sum of the squares of all products of one number from each list."""
    return prod(sum(n * n for n in one) for one in lists)


def information(lists: Sequence[Histogram]) -> Logs:
    """Return W log W - the sum of w log w over all products w of one number from each list; W is their sum.

    The logarithm of a product is a sum: each list adds its own information, times what the others weigh.
    """
    sums = [sum(one) for one in lists]
    terms: list[tuple[int, int]] = []
    for i, one in enumerate(lists):
        others = prod(sums[:i] + sums[i + 1 :])
        terms += [(others * sums[i], sums[i]), *((-others * w, w) for w in one)]
    return Logs(terms)


def bits(lists: Sequence[Histogram]) -> float:
    """Return the entropy of the parts in bits."""
    return float(information(lists) / prod(map(sum, lists)))
