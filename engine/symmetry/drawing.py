"""Elements of a group of renamings drawn at random, each as likely as any other.

A chain of stabilisers (Sims 1970): each level fixes one more point, and knows for every point to which this
one is taken an element that does so. Every element of the group is one product, of one element of each level.
The chain is built from random elements (Leon 1980): what the levels leave of one goes to where it is missing.
It is done when they leave nothing of many in a row: each would leave something of a half at least of all
elements if they were not the whole group.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from ..stopping import heed

STALE = 40
"""Random elements in a row of which the levels leave nothing."""
POOL, MIXED = 10, 60
"""Elements that are multiplied to get random ones, and products before the first (Celler and others 1995)."""

Element = NDArray[np.int32]


class Level:
    """The elements of a group that fix the points of the levels above.

    Attributes
    ----------
    point: the next point.
    reached: the points that it is taken to, itself included.
    """

    def __init__(self, point: int, size: int) -> None:
        self.point, self._size = point, size
        self._generators: list[tuple[Element, Element]] = []
        self.reached = np.array([point])
        self._came = np.full(size, -1)

    def add(self, element: Element) -> None:
        """Add a generator, each with what takes it back."""
        back = np.empty_like(element)
        back[element] = np.arange(self._size, dtype=np.int32)
        self._generators.append((element, back))
        self._came = np.full(self._size, -1)  # the generator that came to a point first
        found = frontier = np.array([self.point])
        while len(frontier):
            fresh = []
            for number, (forth, _) in enumerate(self._generators):
                there = forth[frontier]
                there = there[(self._came[there] < 0) & (there != self.point)]
                self._came[there] = number
                fresh.append(there)
            frontier = np.concatenate(fresh)
            found = np.concatenate([found, frontier])
        self.reached = found

    def taken_back(self, element: Element) -> Element | None:
        """Return an element, then one that takes the point back to itself; None: none does."""
        while (place := int(element[self.point])) != self.point:
            if self._came[place] < 0:
                return None
            element = self._generators[self._came[place]][1][element]
        return element

    def after(self, element: Element, place: int) -> Element:
        """Return an element, then the one that takes the point to a place."""
        steps = []
        while place != self.point:
            steps.append(self._came[place])
            place = int(self._generators[steps[-1]][1][place])
        for number in reversed(steps):
            element = self._generators[number][0][element]
        return element


class Chain:
    """The group that permutations generate.

    Parameters
    ----------
    generators: permutations of the same points, int64, shape (points,).
    size: how many points there are.
    """

    def __init__(self, generators: Sequence[NDArray[np.int64]], size: int) -> None:
        self._identity = np.arange(size, dtype=np.int32)
        self.levels: list[Level] = []
        moving = [one.astype(np.int32) for one in generators if not np.array_equal(one, self._identity)]
        if not moving:
            return
        dice, stale = Random(1), 0
        pool = [moving[i % len(moving)] for i in range(max(POOL, len(moving)))]
        element = self._identity
        for made in range(1 << 62):
            heed()
            one, other = dice.sample(range(len(pool)), 2)
            pool[one] = pool[other][pool[one]] if dice.random() < 1 / 2 else pool[one][pool[other]]
            element = pool[one][element]
            if made < MIXED:
                continue
            stale = 0 if self._learn(element) else stale + 1
            if stale == STALE:
                return

    def _learn(self, element: Element) -> bool:
        """Add what the levels leave of an element to them; return whether they leave something."""
        depth, rest = 0, element
        for level in self.levels:
            back = level.taken_back(rest)
            if back is None:
                break
            depth, rest = depth + 1, back
        if depth == len(self.levels):
            moved = np.flatnonzero(rest != self._identity)
            if not len(moved):
                return False
            self.levels.append(Level(int(moved[0]), len(rest)))
        for level in self.levels[: depth + 1]:
            level.add(rest)
        return True

    @property
    def order(self) -> int:
        """How many elements the group has."""
        found = 1
        for level in self.levels:
            found *= len(level.reached)
        return found

    def draw(self, dice: Random) -> NDArray[np.int64]:
        """Return an element, each as likely as any other; int64, shape (points,)."""
        found = self._identity
        for level in reversed(self.levels):
            found = level.after(found, int(level.reached[dice.randrange(len(level.reached))]))
        return found.astype(np.int64)
