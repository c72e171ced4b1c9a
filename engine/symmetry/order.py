"""How many renamings there are, in words: as a product of factorials where it is one, such as ``2 x 10!``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import factorial, prod

SMALL = 1000
"""A smaller product of 2s and 6s is written out."""
MOST_DIGITS = 15
LARGEST_PRIME = 1 << 12
MOST_STEPS = 1 << 12
"""Factorials that are tried before what is found is the best."""
NAMED = 4
"""Factorials from that of this number on are written as such."""


def order_text(order: int, *, complete: bool = True) -> str:
    """Return an order in words; empty for 1. If it is not `complete`, there are at least so many."""
    if order == 1:
        return ""
    least = "" if complete else "at least "
    found = factored(order)
    if found is not None:
        return least + product_text(found)
    if order < 10**MOST_DIGITS:
        return f"{least}{order}"
    power = (order.bit_length() - 1) * 30102 // 100000  # 2 is more than 10 to 0.30102
    return f"at least 10^{power}"


def product_text(factorials: Sequence[int]) -> str:
    """Return the product of the factorials of some numbers in words; empty for 1."""
    times = Counter(n for n in factorials if n > 1)
    small = prod(factorial(n) ** times[n] for n in range(2, NAMED))
    parts = [str(small)] if 1 < small < SMALL else []
    for n, many in sorted(times.items()):
        if n >= NAMED or small >= SMALL:
            name = f"{n}!" if n >= NAMED else str(factorial(n))
            parts.append(name if many == 1 else f"{name}^{many}")
    return " x ".join(parts)


def factored(order: int) -> list[int] | None:
    """Return numbers of whose factorials an order is the product, as few as there can be; None: none.

    The largest prime divides one of the factorials, of that prime or of a number below the next prime.
    """
    primes, found, steps = prime_factors(order), list[list[int]](), 0
    waiting: list[tuple[int, list[int]]] = [] if primes is None else [(order, [])]
    while waiting and steps < MOST_STEPS:
        rest, chosen = waiting.pop()
        if rest == 1:
            found.append(chosen)
            continue
        steps += 1
        largest = next(p for p in primes or () if rest % p == 0)
        most = chosen[-1] if chosen else order
        waiting += [(rest // value, [*chosen, n]) for n, value in _dividing(rest, largest, most)]
    return min(found, key=lambda one: (len(set(one)), len(one), [-n for n in one]), default=None)


def _dividing(order: int, prime: int, most: int) -> Iterator[tuple[int, int]]:
    """Yield numbers from a prime up to `most` whose factorials divide an order, and these, ascending."""
    n, value = prime, factorial(prime)
    while n <= most and order % value == 0:
        yield n, value
        n += 1
        value *= n


def prime_factors(order: int) -> list[int] | None:
    """Return the primes that divide an order, descending; None where one of them is large."""
    found, p = list[int](), 2
    while order > 1 and p < LARGEST_PRIME:
        if order % p == 0:
            found.append(p)
            while order % p == 0:
                order //= p
        p += 1
    return found[::-1] if order == 1 else None
