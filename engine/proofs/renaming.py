"""Renamings of codes that keep a history (L8), and renamings of what is left of a table (L9, P9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import kernels

from ..problem import Problem
from ..state import Ints, everything
from ..symmetry.automorphisms import Coloured
from ..symmetry.groups import Permutation, code_permutation, colour_renaming, swap_and_cycle

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"

Renaming = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]
"""Where each position goes, and each colour: of all positions, or of one position after the other."""

MOST_CELLS = 1 << 21
"""Responses of a part of a table whose renamings are looked for; a larger one takes too long."""

MOST_KEPT = 1 << 23
"""Numbers of codes that renamings take, kept for those that come again: 64 MB."""

MOST_PAIRED = 8
"""Renamings of which all pairs are put one after the other."""

OrbitsOf = Callable[[Ints, Sequence[Ints]], Ints | None]
"""What renamings of some secrets make equal: the least guess of each orbit; None: one is no renaming."""


@dataclass(frozen=True)
class SetRenaming:
    """A renaming of some secrets (P9).

    Attributes
    ----------
    to: where each secret goes, by its place among them.
    image: a guess that is equal to each guess.
    item: the renaming as a certificate has it.
    """

    to: Permutation
    image: Permutation
    item: str


class SetRenamings:
    """The renamings of some secrets, if a checker bears them out.

    Parameters
    ----------
    members: the secrets, rising.
    names: what a certificate calls all secrets.
    orbits_of: what finds the images of guesses: `orbits` of a checker.
    """

    def __init__(self, members: Ints, names: Sequence[str], orbits_of: OrbitsOf) -> None:
        self.members, self.names, self.orbits_of = members, names, orbits_of

    def of(self, to: Permutation) -> SetRenaming | None:
        """Return what takes each secret to the place in `to`, or None if that is no renaming."""
        orbit = self.orbits_of(self.members, [self.members[to]])
        return None if orbit is None else SetRenaming(to, orbit.astype(np.int64), self._cycles(to))

    def _cycles(self, to: Permutation) -> str:
        """Return a renaming as an item: the cycles in which secrets change places."""
        onward, found = dict(enumerate(to.tolist())), []
        for place in range(len(to)):
            cycle = [place]
            while (there := onward.pop(cycle[-1], place)) != place:
                cycle.append(there)
            if len(cycle) > 1:
                found.append(" ".join(self.names[self.members[one]] for one in cycle))
        return f"= {' / '.join(found)} ;"

    def fewer(self, guesses: Ints, renamings: Sequence[SetRenaming]) -> list[str]:
        """Return renamings that have the orbits of some guesses that all of them have, as few as is easy.

        Where one after the other is a renaming that does as much, it stands for both, if it is no longer:
        a cycle for changes of neighbours, and rows with columns.
        """
        kept = list(renamings)
        if kept:
            images = [renaming.image for renaming in kept]
            kept = [kept[at] for at in kernels.enough(len(images[0]), images, guesses.astype(np.int64))]
        many = count_orbits(guesses, kept)
        pairs = pairs_of(kept)
        while pairs:
            one, other = pairs.pop(0)
            both = self.of(other.to[one.to])
            rest = [renaming for renaming in kept if renaming is not one and renaming is not other]
            if both is None or len(both.item) > len(one.item + other.item):
                continue
            if count_orbits(guesses, [*rest, both]) == many:
                kept = [*rest, both]
                pairs = pairs_of(kept)
        return [renaming.item for renaming in kept]


def pairs_of(renamings: Sequence[SetRenaming]) -> list[tuple[SetRenaming, SetRenaming]]:
    """Return all pairs; of many renamings, neighbours only."""
    return list(permutations(renamings, 2) if len(renamings) <= MOST_PAIRED else pairwise(renamings))


def count_orbits(guesses: Ints, renamings: Sequence[SetRenaming]) -> int:
    """Return into how many classes of equal ones some guesses fall: of fewer renamings, no less."""
    return int((orbits_among(guesses, [renaming.image for renaming in renamings]) == guesses).sum())


def orbits_among(guesses: Ints, images: Sequence[Permutation]) -> Permutation:
    """Return the least of some guesses that each of them is equal to by images."""
    members = guesses.astype(np.int64)
    return kernels.orbits(len(images[0]), images, members) if images else members


def set_renamings(problem: Problem, members: Ints, alike: Ints) -> Iterator[Permutation]:
    """Yield renamings of some secrets that generate all, as far as they are found: where each goes, by place.

    They take each guess that may be asked, and tells these secrets apart, to one with the same parts, prices
    and wins; what others answer does not matter.

    Parameters
    ----------
    alike: what each of the secrets has in common with its image, not negative, shape (members,).
    """
    rows, many = problem.table[:, members].astype(np.uint16), problem.responses
    useful = (rows != rows[:, :1]).any(axis=1)
    if problem.candidates_only:
        own = problem.own[:, None] == members
        rows[own] += many  # a guess is the secret that it names
        useful &= own.any(axis=1)
    if not 0 < useful.sum() * len(members) <= MOST_CELLS:
        return
    rows = np.ascontiguousarray(rows[useful])
    met = kernels.histograms(rows, everything(len(members)), 2 * many) > 0
    responses = np.flatnonzero(met.any(axis=0))
    kinds = 1 * (responses == problem.winning) + 2 * (responses >= many)
    if problem.game.facts.priced:
        kinds = kinds + 4 * problem.costs[useful][:, responses % many]
    kinds = np.ascontiguousarray(np.where(met[:, responses], kinds, 0), dtype=np.uint64)
    dense: NDArray[np.uint16] = np.ascontiguousarray(np.searchsorted(responses, rows), dtype=np.uint16)
    alone = np.zeros(len(rows), dtype=np.uint64)
    for renaming in Coloured(dense, kinds, alone, alike.astype(np.uint64)).found():
        yield renaming.secrets


@dataclass(frozen=True)
class Equal:
    """Which of some guesses renamings make equal.

    Attributes
    ----------
    guesses: some guesses, rising.
    orbit: for each, the least that is equal to it.
    items: how a certificate says which are equal, of some of them.
    spared: whether only guesses that need lemmas are named equal, or none, if that is shorter.
    """

    guesses: Ints
    orbit: NDArray[np.int64]
    items: Callable[[Ints], list[str]]
    spared: bool

    def of(self, guesses: Ints) -> Equal:
        """Return which of fewer guesses are equal."""
        orbit = self.orbit[np.searchsorted(self.guesses, guesses)]
        _, first, number = np.unique(orbit, return_index=True, return_inverse=True)
        return replace(self, guesses=guesses, orbit=guesses[first][number].astype(np.int64))

    @property
    def first(self) -> Ints:
        """One of each."""
        return self.guesses[self.orbit == self.guesses]

    def said(self, weak: Sequence[int]) -> tuple[list[str], Sequence[int]]:
        """Return the items where some of `first` need lemmas, and guesses that may have lemmas instead."""
        if not self.spared:
            return self.items(self.guesses), ()
        same = self.guesses[np.isin(self.orbit, self.orbit[np.isin(self.guesses, weak)])]
        others = np.setdiff1d(same, weak).tolist()
        return self.items(same) if others else [], others


class CodeRenamings:
    """Permutations of positions and colours of codes: uint8, shape (codes, pegs), in lexicographic order.

    `separate`: whether each position may have its colours renamed alone, as with black pegs only.
    """

    def __init__(self, digits: NDArray[np.uint8], *, separate: bool) -> None:
        self.digits, self.pegs, self.separate = digits, digits.shape[1], separate
        self.colours = int(digits.max()) + 1
        self._images: dict[str, Permutation] = {}
        self._after: dict[tuple[int, ...], dict[str, Permutation]] = {}

    def after(self, history: Sequence[int]) -> dict[str, Permutation]:
        """Return where each code goes, by its number, by the items of what `keeping` yields."""
        past = tuple(history)
        if past not in self._after:
            if len(self._images) * len(self.digits) > MOST_KEPT:
                self._images.clear()
                self._after.clear()
            found = {item_of(renaming): renaming for renaming in self.keeping(past)}
            for item in found.keys() - self._images.keys():
                self._images[item] = self.image(found[item])
            self._after[past] = {item: self._images[item] for item in found}
        return self._after[past]

    def keeping(self, history: Sequence[int]) -> Iterator[Renaming]:
        """Yield renamings that leave every guess of a history as it is, and generate all of these."""
        past = self.digits[list(history)].astype(np.int64)
        return self._of_each(past) if self.separate else self._of_all(past)

    def image(self, renaming: Renaming) -> Permutation:
        """Return where each code goes, by its number."""
        position, colours = renaming
        moved = np.empty_like(self.digits)
        for x, to in enumerate(position):
            colour = np.array(colours[x if len(colours) > 1 else 0], dtype=np.uint8)
            moved[:, to] = colour[self.digits[:, x]]
        return code_permutation(self.digits, moved)

    def _of_all(self, past: NDArray[np.int64]) -> Iterator[Renaming]:
        """Yield renamings of the colours of all positions."""
        same, plain = tuple(range(self.pegs)), tuple(range(self.colours))
        for colour in self._unused(past.ravel().tolist()):
            yield same, (colour,)
        columns = alike([tuple(column) for column in past.T.tolist()])
        for members in columns.values():
            for order in swap_and_cycle(len(members)):
                yield moved(same, members, [members[i] for i in order]), (plain,)
        places, sources = list(columns.values()), np.array(list(columns), dtype=np.int64).T
        for way in self._columns(sources, [len(some) for some in places], ()):
            if way != tuple(range(len(places))):
                to = [x for i in way for x in places[i]]
                position = moved(same, [x for some in places for x in some], to)
                rename = dict(zip(sources.ravel().tolist(), sources[:, way].ravel().tolist(), strict=True))
                yield position, (self._filled(rename),)

    def _columns(
        self, sources: NDArray[np.int64], sizes: Sequence[int], order: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        """Yield the ways to put columns in the place of others with one renaming of the colours."""
        if len(order) == len(sizes):
            yield order
            return
        for i, size in enumerate(sizes):
            longer = *order, i
            if i in order or size != sizes[len(order)]:
                continue
            if colour_renaming(sources[:, : len(longer)], sources[:, longer], self.colours) is not None:
                yield from self._columns(sources, sizes, longer)

    def _of_each(self, past: NDArray[np.int64]) -> Iterator[Renaming]:
        """Yield renamings of the colours of one position, and of two positions that change places."""
        same, plain = tuple(range(self.pegs)), tuple(range(self.colours))
        columns = [tuple(column) for column in past.T.tolist()]
        for x in same:
            for colour in self._unused(columns[x]):
                yield same, (*same_but(plain, self.pegs, {x: colour}),)
        patterns = [tuple(map(column.index, column)) for column in columns]
        for members in alike(patterns).values():
            for x, y in pairwise(members):
                there = self._filled(dict(zip(columns[x], columns[y], strict=True)))
                back = way_back(there)
                yield (
                    moved(same, [x, y], [y, x]),
                    (*same_but(plain, self.pegs, {x: there, y: back}),),
                )

    def _unused(self, past: Iterable[int]) -> list[tuple[int, ...]]:
        """Return renamings of the colours that do not occur, enough to generate all."""
        plain, used = range(self.colours), {*past}
        free = [colour for colour in plain if colour not in used]
        return [moved(tuple(plain), free, [free[i] for i in order]) for order in swap_and_cycle(len(free))]

    def _filled(self, rename: Mapping[int, int]) -> tuple[int, ...]:
        """Return a renaming of some colours with the others put in the places that are left, in order."""
        taken = {*rename.values()}
        left = iter([colour for colour in range(self.colours) if colour not in taken])
        return tuple(rename[colour] if colour in rename else next(left) for colour in range(self.colours))


def alike(things: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], list[int]]:
    """Return the numbers of equal things."""
    found: dict[tuple[int, ...], list[int]] = {}
    for i, thing in enumerate(things):
        found.setdefault(thing, []).append(i)
    return found


def moved(same: tuple[int, ...], source: Sequence[int], target: Sequence[int]) -> tuple[int, ...]:
    """Return a permutation that takes some places to others, and leaves the rest."""
    to = list(same)
    for a, b in zip(source, target, strict=True):
        to[a] = b
    return tuple(to)


def same_but(plain: tuple[int, ...], pegs: int, other: dict[int, tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return renamings of the colours of each position: none but in some."""
    return [other.get(x, plain) for x in range(pegs)]


def inverse(renaming: Renaming) -> Renaming:
    """Return the renaming that takes everything back."""
    position, colours = renaming
    back = way_back(position)
    each = [way_back(colour) for colour in colours]
    return back, (each[0],) if len(each) == 1 < len(position) else tuple(each[x] for x in back)


def way_back(way: tuple[int, ...]) -> tuple[int, ...]:
    """Return a permutation that takes everything back."""
    return tuple(sorted(range(len(way)), key=way.__getitem__))


def after(first: Renaming, then: Renaming) -> Renaming:
    """Return the renaming that does one after the other."""
    (position, colours), (onward, renamed) = first, then
    each = [
        tuple(renamed[0 if len(renamed) == 1 else position[x]][c] for c in colour)
        for x, colour in enumerate(colours)
    ]
    return tuple(onward[x] for x in position), tuple(each)


def item_of(renaming: Renaming) -> str:
    """Return a renaming as an item of a certificate."""
    position, colours = renaming
    return f"= {symbols_of_way(position)} {'/'.join(map(symbols_of_way, colours))}"


def renaming_of(positions: str, colours: str) -> Renaming:
    """Return the renaming that two words of a certificate say."""
    each = tuple(tuple(map(SYMBOLS.index, way)) for way in colours.split("/"))
    return tuple(map(SYMBOLS.index, positions)), each


@lru_cache(1 << 16)
def symbols_of_way(way: tuple[int, ...]) -> str:
    """Return where a renaming takes each position or colour; few ways come again and again."""
    return symbols_of(way)


def symbols_of(places: Sequence[int]) -> str:
    """Return numbers below 36 as symbols."""
    return "".join(SYMBOLS[i] for i in places)
