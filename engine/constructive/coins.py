"""Coin weighing on a spring scale: which coins are heavy, or what each weighs, from sums of subsets.

Strategies are generators (see `adaptive`): a guess is a mask of the coins on the scale, bool, shape (n,); the
response is what they weigh together. `detecting` has the schemes whose sums are all asked at once.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from ..errors import Contradiction, GuesstreeError
from .detecting import Detecting, Mask, Numbers, rows_for

Weighings = Generator[Mask, int, Numbers]
MANY = 64
"""With so many coins the total is weighed first: one weighing more at most, far fewer when it is small."""


def weigh(n: int, total: int | None = None, most: int = 1) -> Weighings:
    """Find the weights of n coins, 0 to `most`; yield masks of coins, return the weights.

    Asks at most as many weighings as `weigh_at_once`, and one more from `MANY` coins on; with the total known
    at most as many as that for n - 1 coins. Fewer when few coins weigh more than 0, or less than `most`.
    Raises Contradiction when no weights have these sums (its step: when it is noticed), and GuesstreeError
    for a total that n coins cannot have.
    """
    if total is not None:
        return (yield from weigh_bounded(n, total, most))
    if _checked(n) >= MANY or (n and most == 1 and rows_for(n - 1) < rows_for(n)):
        total = yield np.ones(n, dtype=np.bool_)
        if not 0 <= total <= n * most:
            raise Contradiction(f"weighing 1 gives {total}; possible: 0 to {n * most}", 1)
        return (yield from _solve(n, total, min(most, total), asked=1))
    return (yield from weigh_at_once(n, most))


def weigh_at_once(n: int, most: int = 1) -> Weighings:
    """Find the weights of n coins, 0 to `most`, by weighings that are fixed beforehand: `rows_for(n)` for 1.

    Raises Contradiction when no weights have these sums: at once for a sum that the coins on the scale
    cannot have, otherwise at the last.
    """
    coins = np.arange(_checked(n), dtype=np.int64)
    found, _ = yield from _ask(
        n, coins, coins + 1, np.zeros_like(coins), np.full_like(coins, most), n * most, 0
    )
    return found


def weigh_bounded(n: int, total: int, most: int | None = None) -> Weighings:
    """Find the weights of n coins, integers from 0 to `most` (None: any), whose total is known.

    The coins are cut into blocks, and all blocks but one are weighed in one detecting scheme. Then blocks are
    halved, all blocks of a level in one scheme: one half is an unknown value, the other is what is left of
    the block, and a block is done when its weight is 0 or all it can be. The first cut is the one with the
    smallest worst case, see `weighings_at_most`; it may be into two, or into single coins. Raises
    Contradiction when no weights have these sums (its step: when it is noticed), and GuesstreeError for a
    total that the coins cannot have.
    """
    cap = total if most is None else min(most, total)
    if not 0 <= total <= cap * _checked(n):
        accepted = "0 or more" if most is None and n else f"0 to {(most or 0) * n}"
        raise GuesstreeError(f"a total of {total} for {n} coins; expected {accepted}")
    return (yield from _solve(n, total, cap, asked=0))


def counting_bound(n: int, most: int = 1) -> int:
    """Return at least how many weighings n coins of weights 0 to `most` need.

    A weighing has n most + 1 results at most, so t weighings tell at most (n most + 1)^t cases apart: this is
    the least t that makes it (most + 1)^n.
    """
    results, cases = n * most + 1, (most + 1) ** n
    t = int(n * np.log2(most + 1) / np.log2(results)) if n else 0
    while results**t < cases:
        t += 1
    while t and results ** (t - 1) >= cases:
        t -= 1
    return t


def weighings_at_most(n: int, total: int, most: int | None = None) -> int:
    """Return at most how many weighings `weigh_bounded` asks, whatever the weights are."""
    cap = total if most is None else min(most, total)
    return _first_cut(n, total, cap)[0]


def _first_cut(n: int, total: int, cap: int) -> tuple[int, int]:
    """Return at most how many weighings are asked, and into how many blocks to cut for this.

    Blocks of 1, 2, 4, 8, ... coins are tried: halving wastes least where it ends in single coins everywhere.
    """
    parts = {-(-n // (1 << j)) for j in range(max(n - 1, 0).bit_length())} | {min(n, 2)}
    return min((_at_most(n, total, cap, many), many) for many in sorted(parts))


def _at_most(n: int, total: int, cap: int, parts: int) -> int:
    """Return at most how many weighings are asked when n coins are first cut into so many blocks.

    The value of a block of weight w and s coins is at most w, at most cap s - w, and at most cap times the
    coins of its half. Either of the first two adds up to what it is for all coins, so take the smaller sum.
    For its first digit a value costs 1 of that sum, for the second 1 more, for the third 2, then 4, 8, ...:
    at a price that does not fall, so there are most digits when all blocks buy their next one in turn. A
    scheme for values of W digits in all asks at most `rows_for(W)`, see `Detecting`, and never more than
    there are values. Over all levels there are at most n - 1 values: each cuts a block in two. A cut into
    single coins is one scheme, whose weighings are counted.
    """
    spread = min(total, cap * n - total)
    if n < 2 or not spread:
        return 0
    if parts == n:
        return Detecting(np.full(n - 1, min(cap, spread), dtype=np.int64)).rows
    blocks, size = parts, -(-n // parts)
    rows = min(parts - 1, rows_for((parts - 1) * min(spread, cap * size).bit_length()))
    while size > 1:
        left, price, digits = spread, 1, 0
        for digit in range(min(spread, cap * (size // 2)).bit_length()):
            taken = min(blocks, left // price)
            digits, left = digits + taken, left - taken * price
            price *= 2 if digit else 1
        rows += min(blocks, spread, rows_for(digits))
        blocks, size = min(2 * blocks, n // 2), (size + 1) // 2
    return min(rows, n - 1)


def _solve(n: int, total: int, cap: int, *, asked: int) -> Weighings:
    """Do what `weigh_bounded` says, after `asked` weighings."""
    weights = np.zeros(n, dtype=np.int64)
    pieces = _first_cut(n, total, cap)[1]
    starts, ends, sums = np.array([[0], [n], [total]])
    while True:
        done = (sums == 0) | (sums == cap * (ends - starts)) | (ends - starts == 1)
        for start, end, weight in zip(starts[done], ends[done], sums[done], strict=True):
            weights[start:end] = weight // max(end - start, 1)
        starts, ends, sums = starts[~done], ends[~done], sums[~done]
        if not len(starts):
            return weights
        # Block i is cut into parts first[i], ..., first[i + 1] - 1; the last one is what is left of it.
        parts = np.minimum(ends - starts, pieces)
        pieces = 2
        block = np.repeat(np.arange(len(starts)), parts)
        first = np.cumsum(parts) - parts
        last = first + parts - 1
        nth = np.arange(len(block)) - first[block]
        sizes = (ends - starts)[block]
        lows, highs = (starts[block] + sizes * k // parts[block] for k in (nth, nth + 1))
        least = np.maximum(sums[block] - cap * (sizes - (highs - lows)), 0)
        ranges = np.minimum(sums[block], cap * (highs - lows)) - least
        unknown = ranges > 0
        unknown[last] = False
        found = least.copy()
        found[last] = 0
        found[unknown], asked = yield from _ask(
            n, lows[unknown], highs[unknown], least[unknown], ranges[unknown], int(sums.sum()), asked
        )
        found[last] = sums - np.add.reduceat(found, first)
        if (found < least).any() or (found > least + ranges).any():
            raise Contradiction(f"no weights have these {asked} sums", asked)
        starts, ends, sums = lows, highs, found


def _ask(
    n: int, starts: Numbers, ends: Numbers, least: Numbers, ranges: Numbers, total: int, asked: int
) -> Generator[Mask, int, tuple[Numbers, int]]:
    """Find the weights of disjoint blocks of coins, from `least` to `least + ranges`, in one scheme.

    Together they weigh at most `total`. Returns them and the number of weighings so far, `asked` before.
    """
    scheme = Detecting(ranges)
    sums = np.zeros(scheme.rows, dtype=np.int64)
    for row in range(scheme.rows):
        chosen = scheme.mask(row)
        steps = np.zeros(n + 1, dtype=np.int8)
        steps[starts[chosen]] += 1
        steps[ends[chosen]] -= 1
        response = yield np.cumsum(steps[:n], dtype=np.int8).astype(np.bool_)
        asked += 1
        low = int(least[chosen].sum())
        high = min(low + int(ranges[chosen].sum()), total)
        if not low <= response <= high:
            raise Contradiction(f"weighing {asked} gives {response}; possible: {low} to {high}", asked)
        sums[row] = response - low
    try:
        return least + scheme.decode(sums), asked
    except Contradiction:
        raise Contradiction(f"no weights have these {asked} sums", asked) from None


def _checked(n: int) -> int:
    """Return a number of coins; raise GuesstreeError when it is none."""
    if n < 0:
        raise GuesstreeError(f"{n} coins; expected 0 or more")
    return n
