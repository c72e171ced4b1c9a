"""Coins whose weights lie in known ranges: few are weighed by looking ahead, many by a detecting scheme.

A coin is given by the odds of its weights: ``(1, 1)`` weighs 0 or 1, ``(1, 2, 1)`` weighs 0, 1 or 2, and 1
twice as often. Any weights within the ranges are found; odds only say which to find soonest.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import lru_cache
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from ..advise import Contradiction
from .detecting import Detecting

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Odds = tuple[int, ...]
Talk = Generator[Bools, int, Ints]
"""Yields which coins to weigh, shape (coins,); is sent what they weigh together; returns every weight."""

MOST_CASES = 1 << 12
"""So many combinations of weights are listed at most, to choose every weighing by what it tells."""
MOST_LOOKED_AT = 1 << 12
"""So many weighings are compared at most."""
MANY = 28.0
"""From so many bits of unknown weights on, a scheme beats looking ahead on one share after another."""


def weigh_ranges(odds: Sequence[Odds], total: int | None = None) -> Talk:
    """Find the weight of every coin; `total` is what they weigh together, where it is known.

    Raises Contradiction for results that no weights within the ranges give.
    """
    weights = np.zeros(len(odds), dtype=np.int64)
    unknown = [coin for coin, chances in enumerate(odds) if len(chances) > 1]
    asked = 0
    for share, known in _shares([len(odds[coin]) for coin in unknown], total):
        coins = [unknown[i] for i in share]
        rest = None if not known else total - int(weights.sum())  # type: ignore[operator]
        kinds = [odds[coin] for coin in coins]
        talk = _look_ahead(kinds, rest) if _cases(kinds) <= MOST_CASES else _at_once(kinds, rest)
        try:
            mask = next(talk)
            while True:
                wide = np.zeros(len(odds), dtype=np.bool_)
                wide[[coin for coin, taken in zip(coins, mask.tolist(), strict=True) if taken]] = True
                asked += 1
                mask = talk.send((yield wide))
        except StopIteration as end:
            weights[coins] = end.value
        except Contradiction as error:
            raise Contradiction(str(error), asked) from None
    return weights


def _cases(kinds: Sequence[Odds]) -> int:
    return prod(len(chances) for chances in kinds)


def _shares(sizes: Sequence[int], total: int | None) -> list[tuple[list[int], bool]]:
    """Return how to share coins out, each share with whether its total is known by then: the last one's."""
    bits = float(np.log2(sizes).sum()) if sizes else 0.0
    whole = [list(range(len(sizes)))]
    if prod(sizes) > MOST_CASES and bits < MANY:
        # Like coins go together, in shares of about equal bits.
        shares = -(-bits // float(np.log2(MOST_CASES)))
        whole, filled = [[]], 0.0
        for coin in sorted(range(len(sizes)), key=lambda i: sizes[i]):
            more = float(np.log2(sizes[coin]))
            cases = prod(sizes[i] for i in whole[-1]) * sizes[coin]
            if whole[-1] and (cases > MOST_CASES or filled + more > bits * len(whole) / shares + 0.5):
                whole.append([])
            whole[-1].append(coin)
            filled += more
    return [(share, total is not None and share is whole[-1]) for share in whole if share]


# -- looking ahead ---------------------------------------------------------------------------------------


class _Knot:
    """The weights still possible, the weighing to make, and what follows from each result."""

    def __init__(
        self, cases: NDArray[np.uint8], chances: NDArray[np.float64], labels: tuple[int, ...]
    ) -> None:
        self.cases, self.chances = cases, chances
        self.below: dict[int, _Knot | None] = {}
        if len(cases) > 1:
            self.mask = _telling(cases, chances, labels)
            self.results = cases[:, self.mask].sum(axis=1, dtype=np.int64)
            self.labels = tuple(2 * label + bool(m) for label, m in zip(labels, self.mask, strict=True))

    def after(self, result: int) -> _Knot | None:
        """Return what is known after a result; None: no weights give it."""
        if result not in self.below:
            kept = self.results == result
            self.below[result] = (
                _Knot(self.cases[kept], self.chances[kept], self.labels) if kept.any() else None
            )
        return self.below[result]


def _telling(cases: NDArray[np.uint8], chances: NDArray[np.float64], labels: tuple[int, ...]) -> Bools:
    """Return the weighing of most entropy; coins with equal labels are alike."""
    alike: dict[int, list[int]] = {}
    for coin, label in enumerate(labels):
        if cases[:, coin].min() < cases[:, coin].max():
            alike.setdefault(label, []).append(coin)
    groups = list(alike.values())
    counts = [range(len(group) + 1) for group in groups]
    while prod(map(len, counts)) > MOST_LOOKED_AT:  # drop the largest choice to none, half or all
        largest = max(range(len(counts)), key=lambda i: len(counts[i]))
        size = len(groups[largest])
        counts[largest] = range(0, size + 1, max(size // 2, 1)) if len(counts[largest]) > 3 else range(1)
    taken = np.array(list(product(*counts)))
    masks = np.zeros((len(taken), len(labels)), dtype=np.float32)
    for column, group in enumerate(groups):
        masks[:, group] = np.arange(len(group)) < taken[:, column : column + 1]
    sums = (masks @ cases.T.astype(np.float32)).astype(np.int64)
    width = int(sums.max()) + 1
    flat = (sums + width * np.arange(len(masks))[:, None]).ravel()
    parts = np.bincount(flat, np.tile(chances, len(masks)), width * len(masks))
    left = (parts * np.log2(np.maximum(parts, 1e-300))).reshape(len(masks), width).sum(axis=1)
    # Rounded, so that weighings that tell as much tie on every machine.
    best: Bools = masks[int(np.round(left / chances.sum(), 6).argmin())] > 0
    return best


@lru_cache(maxsize=256)
def _root(kinds: tuple[Odds, ...], total: int | None) -> _Knot | None:
    """Return the start of the game with these kinds of coins, sorted; it grows as games are played."""
    cases = np.array(list(product(*(range(len(chances)) for chances in kinds))), dtype=np.uint8)
    chances = np.ones(1)
    for kind in kinds:
        chances = np.multiply.outer(chances, np.array(kind, dtype=np.float64) / sum(kind)).ravel()
    if total is not None:
        kept = cases.sum(axis=1, dtype=np.int64) == total
        cases, chances = cases[kept], chances[kept]
        if not len(cases):
            return None
    order = {kind: number for number, kind in enumerate(dict.fromkeys(kinds), 1)}
    # A leading 1 keeps the labels of different kinds apart however many weighings follow.
    return _Knot(cases, chances, tuple(order[kind] << 32 for kind in kinds))


def _look_ahead(odds: Sequence[Odds], total: int | None) -> Talk:
    """Find the weights by the weighing that tells most, one after another."""
    order = sorted(range(len(odds)), key=lambda coin: odds[coin])
    knot = _root(tuple(odds[coin] for coin in order), total)
    if knot is None:
        raise Contradiction(f"no weights of {len(odds)} coins add up to {total}", 0)
    while len(knot.cases) > 1:
        mask = np.zeros(len(odds), dtype=np.bool_)
        mask[order] = knot.mask
        result = yield mask
        after = knot.after(result)
        if after is None:
            raise Contradiction(f"{int(mask.sum())} coins cannot weigh {result} together", 0)
        knot = after
    weights = np.zeros(len(odds), dtype=np.int64)
    weights[order] = knot.cases[0]
    return weights


# -- all at once -----------------------------------------------------------------------------------------


def _at_once(odds: Sequence[Odds], total: int | None) -> Talk:
    """Find the weights by one detecting scheme; where the total is known it spares the widest coin."""
    ranges = np.array([len(chances) - 1 for chances in odds], dtype=np.int64)
    spared = int(ranges.argmax()) if total is not None else -1
    coins = np.delete(np.arange(len(odds)), spared) if total is not None else np.arange(len(odds))
    scheme = _scheme(tuple(ranges[coins].tolist()))
    sums = np.zeros(scheme.rows, dtype=np.int64)
    for row in range(scheme.rows):
        mask = np.zeros(len(odds), dtype=np.bool_)
        mask[coins] = scheme.mask(row)
        sums[row] = yield mask
        if not 0 <= sums[row] <= ranges[mask].sum():
            raise Contradiction(f"{int(mask.sum())} coins cannot weigh {sums[row]} together", 0)
    weights = np.zeros(len(odds), dtype=np.int64)
    weights[coins] = scheme.decode(sums)
    if total is not None:
        weights[spared] = rest = total - int(weights.sum())
        if not 0 <= rest <= ranges[spared]:
            raise Contradiction(f"a total of {total} leaves {rest} for the last coin", 0)
    return weights


_scheme = lru_cache(maxsize=64)(lambda ranges: Detecting(np.array(ranges, dtype=np.int64)))
