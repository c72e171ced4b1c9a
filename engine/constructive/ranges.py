"""Coins whose weights lie in known ranges: few are weighed by looking ahead, many by a detecting scheme.

A coin is given by the odds of its weights: ``(1, 1)`` weighs 0 or 1, ``(1, 2, 1)`` weighs 0, 1 or 2, and 1
twice as often. Any weights within the ranges are found; odds only say which to find soonest.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from ..errors import Contradiction
from .detecting import Detecting

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Odds = tuple[int, ...]
Talk = Generator[Bools, int, Ints]
"""Yields which coins to weigh, shape (coins,); is sent what they weigh together; returns every weight."""

BITS = 12
MOST_CASES = 1 << BITS
"""So many combinations of weights are listed at most, to choose every weighing by what it tells."""
MOST_LOOKED_AT = 1 << 12
"""So many weighings are compared at most."""
MANY = 28.0
"""From so many bits of unknown weights on, a scheme beats looking ahead on one share after another."""


def weigh_ranges(odds: Sequence[Odds], total: int | None = None, slots: Sequence[int] | None = None) -> Talk:
    """Find the weight of every coin.

    Parameters
    ----------
    odds: what each coin may weigh.
    total: what all weigh together, where it is known.
    slots: coins of the same slot are not weighed together; None: any are.

    Raises Contradiction for results that no weights within the ranges give.
    """
    weights = np.zeros(len(odds), dtype=np.int64)
    unknown = [coin for coin, chances in enumerate(odds) if len(chances) > 1]
    places = list(range(len(odds))) if slots is None else list(slots)
    asked = 0
    sizes = [len(odds[coin]) for coin in unknown]
    at_once = bits_of(sizes) >= MANY and len({places[coin] for coin in unknown}) == len(unknown)
    shares = [list(range(len(unknown)))] if at_once else _shares(sizes)
    for share in filter(None, shares):
        coins = [unknown[i] for i in share]
        # The last share's total is what the others leave.
        rest = total - int(weights.sum()) if total is not None and share is shares[-1] else None
        kinds = [odds[coin] for coin in coins]
        if at_once or prod(map(len, kinds)) > MOST_CASES:
            talk = _at_once(kinds, rest)
        else:
            talk = _look_ahead(kinds, rest, [places[coin] for coin in coins])
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


def bits_of(sizes: Sequence[int]) -> float:
    """Return the binary digits that coins of so many possible weights are worth."""
    return float(np.log2(sizes).sum()) if len(sizes) else 0.0


def _shares(sizes: Sequence[int]) -> list[list[int]]:
    """Return how to share coins out for looking ahead: like coins together, about equal bits in each."""
    bits = bits_of(sizes)
    shares = max(-(-bits // BITS), 1)
    found: list[list[int]] = [[]]
    filled = 0.0
    for coin in sorted(range(len(sizes)), key=lambda i: sizes[i]):
        more = bits_of([sizes[coin]])
        cases = prod(sizes[i] for i in found[-1]) * sizes[coin]
        if found[-1] and (cases > MOST_CASES or filled + more > bits * len(found) / shares + 0.5):
            found.append([])
        found[-1].append(coin)
        filled += more
    return found


# -- looking ahead ---------------------------------------------------------------------------------------


class _Knot:
    """The weights still possible, the weighing to make, and what follows from each result."""

    def __init__(
        self,
        cases: NDArray[np.uint16],
        chances: NDArray[np.float64],
        labels: tuple[int, ...],
        slots: list[list[int]],
    ) -> None:
        self.cases, self.chances, self.slots = cases, chances, slots
        self.below: dict[int, _Knot | None] = {}
        if len(cases) > 1:
            self.mask = _telling(cases, chances, labels, slots)
            self.results = cases[:, self.mask].sum(axis=1, dtype=np.int64)
            self.labels = tuple(2 * label + bool(m) for label, m in zip(labels, self.mask, strict=True))

    def after(self, result: int) -> _Knot | None:
        """Return what is known after a result; None: no weights give it."""
        if result not in self.below:
            kept = self.results == result
            self.below[result] = (
                _Knot(self.cases[kept], self.chances[kept], self.labels, self.slots) if kept.any() else None
            )
        return self.below[result]


def _telling(
    cases: NDArray[np.uint16], chances: NDArray[np.float64], labels: tuple[int, ...], slots: list[list[int]]
) -> Bools:
    """Return the weighing of most entropy; coins with equal labels are alike, and so are slots of such."""
    open_ = (cases.min(axis=0) < cases.max(axis=0)).tolist()
    alike: dict[tuple[int, ...], list[dict[int, int]]] = {}
    for slot in slots:
        choices = {labels[coin]: coin for coin in slot if open_[coin]}
        if choices:
            signature = tuple(sorted(labels[coin] for coin in slot if open_[coin]))
            alike.setdefault(signature, []).append(choices)
    groups = list(alike.values())
    # Of like slots it only matters how many show a coin of each label, or none (-1).
    shown = [list(combinations_with_replacement([-1, *sorted(group[0])], len(group))) for group in groups]
    while prod(map(len, shown)) > MOST_LOOKED_AT:
        largest = max(range(len(shown)), key=lambda i: len(shown[i]))
        shown[largest] = shown[largest][::2]
    masks = np.zeros((prod(map(len, shown)), len(labels)), dtype=np.float32)
    repeat = len(masks)
    for group, options in zip(groups, shown, strict=True):
        repeat //= len(options)
        rows = np.zeros((len(options), len(labels)), dtype=np.float32)
        for row, option in enumerate(options):
            rows[
                row, [choices[label] for choices, label in zip(group, option, strict=True) if label >= 0]
            ] = 1
        masks += np.tile(np.repeat(rows, repeat, axis=0), (len(masks) // (repeat * len(options)), 1))
    sums = (masks @ cases.T.astype(np.float32)).astype(np.int64)
    width = int(sums.max()) + 1
    flat = (sums + width * np.arange(len(masks))[:, None]).ravel()
    parts = np.bincount(flat, np.tile(chances, len(masks)), width * len(masks))
    left = (parts * np.log2(np.maximum(parts, 1e-300))).reshape(len(masks), width).sum(axis=1)
    # Rounded, so that weighings that tell as much tie on every machine.
    best: Bools = masks[int(np.round(left / chances.sum(), 6).argmin())] > 0
    return best


Signature = tuple[tuple[Odds, ...], ...]
"""The kinds of coins in each slot, sorted."""


@lru_cache(maxsize=256)
def _root(signature: Signature, total: int | None) -> _Knot | None:
    """Return the start of the game with these slots of coins; it grows as games are played."""
    kinds = [kind for slot in signature for kind in slot]
    cases = np.array(list(product(*(range(len(chances)) for chances in kinds))), dtype=np.uint16)
    chances = np.ones(1)
    for kind in kinds:
        chances = np.multiply.outer(chances, np.array(kind, dtype=np.float64) / sum(kind)).ravel()
    if total is not None:
        kept = cases.sum(axis=1, dtype=np.int64) == total
        cases, chances = cases[kept], chances[kept]
        if not len(cases):
            return None
    numbers = iter(range(len(kinds)))
    slots = [[next(numbers) for _ in slot] for slot in signature]
    order = {kind: number for number, kind in enumerate(dict.fromkeys(kinds), 1)}
    # A leading 1 keeps the labels of different kinds apart however many weighings follow.
    return _Knot(cases, chances, tuple(order[kind] << 32 for kind in kinds), slots)


def _look_ahead(odds: Sequence[Odds], total: int | None, slots: Sequence[int]) -> Talk:
    """Find the weights by the weighing that tells most, one after another."""
    inside: dict[int, list[int]] = {}
    for coin in sorted(range(len(odds)), key=lambda coin: odds[coin]):
        inside.setdefault(slots[coin], []).append(coin)
    by_slot = sorted(inside.values(), key=lambda slot: [odds[coin] for coin in slot])
    order = [coin for slot in by_slot for coin in slot]
    knot = _root(tuple(tuple(odds[coin] for coin in slot) for slot in by_slot), total)
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
