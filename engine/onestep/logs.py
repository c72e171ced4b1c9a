"""`Logs`: sums of integers times logarithms of integers, compared exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal, localcontext
from functools import total_ordering
from math import fsum, gcd, log, log2


@total_ordering
class Logs:
    """The sum of m log2 n over pairs (m, n), divided by a positive integer.

    `m` are integers of either sign, `n` integers of at least 1.
    """

    def __init__(self, terms: Iterable[tuple[int, int]], divisor: int = 1) -> None:
        self.terms: Counter[int] = Counter()
        for many, number in terms:
            self.terms[number] += many
        self.divisor = divisor

    def __truediv__(self, divisor: int) -> Logs:
        return Logs(((many, number) for number, many in self.terms.items()), self.divisor * divisor)

    def __neg__(self) -> Logs:
        return Logs(((-many, number) for number, many in self.terms.items()), self.divisor)

    def __float__(self) -> float:
        return fsum(many * log2(number) for number, many in self.terms.items()) / self.divisor

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Logs) and self._against(other) == 0

    def __lt__(self, other: Logs) -> bool:
        return self._against(other) < 0

    def __hash__(self) -> int:
        raise TypeError("Logs are compared, never looked up")

    def _against(self, other: Logs) -> int:
        terms = Counter({number: many * other.divisor for number, many in self.terms.items()})
        for number, many in other.terms.items():
            terms[number] -= many * self.divisor
        return sign({number: many for number, many in terms.items() if many and number > 1})


def sign(terms: dict[int, int]) -> int:
    """Return exactly the sign of the sum of m log n, over numbers n of at least 2 and their m.

    Doubles decide unless the sum is within their rounding. If not, the numbers are written as products of
    powers of pairwise coprime ones: their logarithms are independent over the rationals (unique
    factorisation), so the sum is 0 only where every power cancels; otherwise digits enough tell the sign.
    """
    parts = [many * log(number) for number, many in terms.items()]
    total = fsum(parts)
    # Each part is within 4 roundings of 2^-53 of its value; the sum is rounded once.
    if abs(total) > 2**-50 * fsum(map(abs, parts)):
        return 1 if total > 0 else -1
    powers: Counter[int] = Counter()
    for base in coprime(terms):
        for number, many in terms.items():
            rest = number
            while rest % base == 0:
                rest //= base
                powers[base] += many
    powers = Counter({base: many for base, many in powers.items() if many})
    if not powers:
        return 0
    digits = 50
    while True:
        with localcontext() as context:
            context.prec = digits
            exact = [Decimal(many) * Decimal(base).ln() for base, many in powers.items()]
            total_exact = sum(exact, Decimal(0))
            room = sum(map(abs, exact), Decimal(0)) * len(exact) * Decimal(10) ** (3 - digits)
            if abs(total_exact) > room:
                return 1 if total_exact > 0 else -1
        digits *= 2


def coprime(numbers: Iterable[int]) -> list[int]:
    """Return pairwise coprime numbers above 1 of which each of `numbers` is a product of powers."""
    base: list[int] = []
    waiting = list(numbers)
    while waiting:
        number = waiting.pop()
        if number == 1:
            continue
        for i, other in enumerate(base):
            common = gcd(number, other)
            if common > 1:  # the product of all that is left shrinks, so this ends
                base.pop(i)
                waiting += [number // common, other // common, common]
                break
        else:
            base.append(number)
    return base
