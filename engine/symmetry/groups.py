"""Groups of renamings that leave every response as it is, and what they save.

Two guesses are *equivalent* after a history when some renaming fixes every guess of the history and takes
one to the other. Such a renaming keeps the candidates (as a set), so both guesses are worth the same: it is
enough to try the smallest of each class. No group is ever listed: positions and colours are handled by
structure, groups given by permutations by Schreier's lemma.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from math import comb, factorial, prod
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import kernels

from ..errors import GameError
from .drawing import Chain
from .order import order_text, product_text

Permutation = NDArray[np.int64]
MOST_COUNTED = 1 << 12
"""Secrets of which permutations are multiplied to say how many there are."""


class Symmetry(ABC):
    """A group acting on guesses and secrets that leaves every response as it is.

    Attributes
    ----------
    renaming: how kernels that see codes may go through the group: 0 not at all, 1 positions permuted and
        colours renamed, 2 positions permuted and colours renamed at each position on its own.
    """

    renaming = 0

    @abstractmethod
    def classes(self, history: Sequence[int]) -> NDArray[np.int32] | None:
        """Return the smallest equivalent guess of each guess after `history`, shape (guesses,).

        None stands for "every guess is alone in its class".
        """

    @abstractmethod
    def count(self, depth: int) -> int:
        """Return exactly the number of classes of sequences of `depth` guesses."""

    @abstractmethod
    def generators(self) -> list[tuple[Permutation, Permutation]]:
        """Return permutations (of guesses, of secrets) that generate the group."""

    @property
    def in_words(self) -> str:
        """How many renamings there are, such as ``4! x 6!``; empty for one, and where it is not known."""
        moved = [np.asarray(secrets) for _, secrets in self.generators()]
        if not moved or len(moved[0]) > MOST_COUNTED:
            return ""
        return order_text(Chain(moved, len(moved[0])).order)


def count_by_classes(symmetry: Symmetry, guesses: int, depth: int, history: tuple[int, ...] = ()) -> int:
    """Return exactly the number of classes of sequences, one class of next guesses after another.

    Independent of Burnside's lemma: it adds up the classes of continuations of one sequence per class.
    """
    if depth == 0:
        return 1
    classes = symmetry.classes(history)
    if classes is None:
        return guesses**depth
    representatives = np.flatnonzero(classes == np.arange(guesses))
    if depth == 1:
        return len(representatives)
    return sum(count_by_classes(symmetry, guesses, depth - 1, (*history, int(g))) for g in representatives)


class Trivial(Symmetry):
    """The group of one element: no two guesses are known to be equivalent."""

    def __init__(self, guesses: int) -> None:
        self._guesses = guesses

    def classes(self, history: Sequence[int]) -> None:
        """Return None: every guess is alone."""

    def count(self, depth: int) -> int:
        """Return exactly the number of sequences."""
        return self._guesses**depth

    def generators(self) -> list[tuple[Permutation, Permutation]]:
        """Return the empty list."""
        return []


def partitions(n: int, largest: int | None = None) -> Iterator[Counter[int]]:
    """Yield the partitions of n as {part: how often}."""
    if n == 0:
        yield Counter()
        return
    for part in range(min(n, largest or n), 0, -1):
        for rest in partitions(n - part, part):
            yield rest + Counter([part])


def permutations_with(cycles: Counter[int]) -> int:
    """Return how many permutations have these cycle lengths (Cauchy)."""
    n = sum(length * times for length, times in cycles.items())
    return factorial(n) // prod(length**times * factorial(times) for length, times in cycles.items())


def smallest(keys: NDArray[np.integer[Any]]) -> NDArray[np.int32] | None:
    """Turn equal rows of keys (guesses, columns) into the index of the first such row."""
    rows: NDArray[Any]
    base, columns = int(keys.max(initial=0)) + 1, keys.shape[1]
    if base**columns < 1 << 62:  # numbers are sorted faster than rows
        rows = keys.astype(np.int64) @ (base ** np.arange(columns, dtype=np.int64))
    else:
        rows = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.dtype.itemsize * columns))).ravel()
    _, first, inverse = np.unique(rows, return_index=True, return_inverse=True)
    if len(first) == len(keys):
        return None
    return first[inverse].astype(np.int32)


class Listed(Protocol):
    """All codes of a game."""

    @property
    def digits(self) -> NDArray[np.uint8]:
        """The codes as numbers 0.., shape (codes, positions)."""


class PositionsColours(Symmetry):
    """S_n x S_k: positions and colours permuted (Mastermind; with distinct symbols, Bulls and Cows).

    `codes` lists all codes in lexicographic order, only when classes are asked for: counting needs no list.
    `secrets` lists the secrets where these are others than the codes, which then are the guesses; with
    `holes` the symbol after the colours is an empty position, which no renaming changes.
    """

    renaming = 1

    def __init__(
        self,
        positions: int,
        colours: int,
        codes: Listed,
        *,
        distinct: bool = False,
        secrets: Listed | None = None,
        holes: bool = False,
    ) -> None:
        self._n, self._k, self._distinct = positions, colours, distinct
        self._listed, self._secrets, self._holes = codes, secrets or codes, holes
        self._cache: dict[tuple[int, ...], NDArray[np.int32] | None] = {}

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_cache": {}}  # what can be worked out again is not pickled

    @property
    def _codes(self) -> NDArray[np.uint8]:
        return self._listed.digits

    def classes(self, history: Sequence[int]) -> NDArray[np.int32] | None:
        """Return the smallest equivalent guess of each guess after `history`.

        After a history the smaller of the two factors is run through, the other one is solved for: n!
        position permutations with colours renamed by first occurrence, or k! colour permutations with
        positions of equal history sorted.
        """
        key = tuple(history)
        if key not in self._cache:
            past = self._codes[list(key)].astype(np.int64)
            by_position = not key or factorial(self._n) <= factorial(self._k)
            keys = self._keys_by_position(past) if by_position else self._keys_by_colour(past)
            self._cache[key] = smallest(keys)
        return self._cache[key]

    def _keys_by_position(self, past: NDArray[np.int64]) -> NDArray[np.integer[Any]]:
        if not len(past):  # only how often each colour occurs matters
            columns = [(self._codes == c).sum(axis=1, dtype=np.uint8) for c in range(self._k)]
            return np.sort(np.stack(columns, axis=1), axis=1)
        codes = self._codes.astype(np.int64)
        rows = np.arange(len(codes))
        best: NDArray[np.int64] | None = None
        unseen = np.array([c for c in range(self._k) if c not in past], dtype=np.int64)
        for order in permutations(range(self._n)):
            rename = colour_renaming(past[:, order], past, self._k, holes=self._holes)
            if rename is None:
                continue
            names = np.repeat(rename[None, :], len(codes), axis=0)
            used = np.zeros(len(codes), dtype=np.int64)
            image = np.zeros(len(codes), dtype=np.int64)
            for position in order:
                colour = codes[:, position]
                name = names[rows, colour]
                fresh = name < 0
                if fresh.any():
                    name[fresh] = unseen[used[fresh]]
                    names[rows[fresh], colour[fresh]] = name[fresh]
                    used[fresh] += 1
                image = image * len(rename) + name
            best = image if best is None else np.minimum(best, image)
        assert best is not None, "the identity always fixes the history"
        return best[:, None]

    def _keys_by_colour(self, past: NDArray[np.int64]) -> NDArray[np.int64]:
        codes = self._codes.astype(np.int64)
        columns = past[:, np.lexsort(past)]
        ends = np.flatnonzero((columns[:, 1:] != columns[:, :-1]).any(axis=0)) + 1
        blocks = np.split(np.arange(self._n), ends)
        best: NDArray[np.int64] | None = None
        for rename in permutations(range(self._k)):
            names = np.array([*rename, self._k], dtype=np.int64)  # holes stay holes
            renamed = names[past]
            order = np.lexsort(renamed)
            if not np.array_equal(renamed[:, order], columns):
                continue
            image = names[codes[:, order]]
            for block in blocks:
                image[:, block] = np.sort(image[:, block], axis=1)
            number = np.zeros(len(codes), dtype=np.int64)
            for position in range(self._n):
                number = number * len(names) + image[:, position]
            best = number if best is None else np.minimum(best, number)
        assert best is not None, "the identity always fixes the history"
        return best[:, None]

    def count(self, depth: int) -> int:
        """Return exactly the number of classes of sequences, by Burnside's lemma over cycle types.

        A code is fixed by (p, q) when the colours along each cycle of p follow q: a cycle of length l
        takes any colour whose own cycle length divides l. With distinct symbols the colours of a cycle
        are distinct, so it takes a whole cycle of length l, each used once. Where there are holes, any cycle
        may be left empty.
        """
        total = Fraction(0)
        colour_types = [(c, permutations_with(c)) for c in partitions(self._k)]
        for positions in partitions(self._n):
            for colours, times in colour_types:
                fixed = self._fixed(positions, colours)
                total += permutations_with(positions) * times * fixed**depth
        return int(total / (factorial(self._n) * factorial(self._k)))

    def _fixed(self, positions: Counter[int], colours: Counter[int]) -> int:
        if self._distinct:
            return prod(
                sum(
                    comb(times, empty) * prod(length * (colours[length] - i) for i in range(times - empty))
                    for empty in range(times * self._holes + 1)
                )
                for length, times in positions.items()
            )
        return prod(
            (sum(c * many for c, many in colours.items() if length % c == 0) + self._holes) ** times
            for length, times in positions.items()
        )

    @property
    def in_words(self) -> str:
        """How many ways there are to permute positions and colours."""
        return product_text([self._n, self._k])

    def generators(self) -> list[tuple[Permutation, Permutation]]:
        """Return a swap and a cycle of the positions and of the colours, as permutations of codes."""
        lists = (self._codes,) if self._secrets is self._listed else (self._codes, self._secrets.digits)
        perms = [
            [code_permutation(codes, codes[:, order]) for order in swap_and_cycle(self._n)]
            + [
                code_permutation(codes, np.array([*order, self._k], dtype=np.uint8)[codes])
                for order in swap_and_cycle(self._k)
            ]
            for codes in lists
        ]
        return list(zip(perms[0], perms[-1], strict=True))


class PositionwiseColours(Symmetry):
    """S_k wr S_n: positions permuted, colours permuted at each position on its own (black pegs only).

    `secrets` and `holes` are those of `PositionsColours`.
    """

    renaming = 2

    def __init__(
        self,
        positions: int,
        colours: int,
        codes: Listed,
        *,
        secrets: Listed | None = None,
        holes: bool = False,
    ) -> None:
        self._n, self._k, self._listed = positions, colours, codes
        self._secrets, self._holes = secrets or codes, holes

    def classes(self, history: Sequence[int]) -> NDArray[np.int32] | None:
        """Return the smallest equivalent guess of each guess after `history`.

        A position's column of colours counts only up to renaming, and positions with equal columns are
        interchangeable: sorting the renamed columns is a canonical form.
        """
        codes = self._listed.digits.astype(np.int64)
        past = codes[list(history)]
        keys = np.zeros_like(codes)
        kinds: dict[tuple[int, ...], int] = {}
        for position in range(self._n):
            names: dict[int, int] = {}
            column = tuple(
                names.setdefault(colour, len(names)) if colour < self._k else self._k  # a hole stays a hole
                for colour in past[:, position].tolist()
            )
            rename = np.array([*(names.get(c, len(names)) for c in range(self._k)), self._k], dtype=np.int64)
            kind = kinds.setdefault(column, len(kinds))
            keys[:, position] = kind * (self._k + 1) + rename[codes[:, position]]
        return smallest(np.sort(keys, axis=1))

    def count(self, depth: int) -> int:
        """Return exactly the number of classes: multisets of n columns, columns up to renaming."""
        ways = [1] + [0] * self._k  # ways[j]: columns so far that use j colours, up to renaming
        for _ in range(depth):
            more = [ways[0] * self._holes]
            ways = more + [ways[j] * (j + self._holes) + ways[j - 1] for j in range(1, self._k + 1)]
        return comb(sum(ways) + self._n - 1, self._n)

    @property
    def in_words(self) -> str:
        """How many ways there are to permute positions, and colours at each of them."""
        return product_text([self._n, *[self._k] * self._n])

    def generators(self) -> list[tuple[Permutation, Permutation]]:
        """Return a swap and a cycle of the positions, and of the colours of the first position."""
        lists = (self._listed,) if self._secrets is self._listed else (self._listed, self._secrets)
        perms = []
        for codes in (listed.digits for listed in lists):
            images = [codes[:, order] for order in swap_and_cycle(self._n)]
            for order in swap_and_cycle(self._k):
                image = codes.copy()
                image[:, 0] = np.array([*order, self._k], dtype=np.uint8)[codes[:, 0]]
                images.append(image)
            perms.append([code_permutation(codes, image) for image in images])
        return list(zip(perms[0], perms[-1], strict=True))


class Subsets(Symmetry):
    """S_n: positions permuted alone; guesses are non-empty subsets of them (coins on a scale).

    Parameters
    ----------
    guesses: subsets as rows of 0 and 1, position 0 the lowest digit, ascending; shape (guesses, n).
    secrets: one number for each position, in lexicographic order; shape (secrets, n).
    kinds: a number for each position; only positions of one kind are permuted. Empty: all are.
    every: whether all subsets are guesses, and not only some that permutations take to each other.
    """

    def __init__(
        self,
        guesses: NDArray[np.uint8],
        secrets: NDArray[np.uint8],
        kinds: Sequence[int] = (),
        *,
        every: bool = True,
    ) -> None:
        self._guesses, self._secrets, self._every = guesses, secrets, every
        self.kinds = np.array(kinds or [0] * guesses.shape[1], dtype=np.int64)

    def classes(self, history: Sequence[int]) -> NDArray[np.int32] | None:
        """Return the smallest equivalent guess of each guess after `history`.

        Positions of one kind that the same guesses had are interchangeable: only how many of each kind a
        guess takes matters.
        """
        rows = np.vstack([self.kinds, self._guesses[list(history)].astype(np.int64)])
        kinds = np.unique(rows, axis=1, return_inverse=True)[1].ravel()
        return smallest(np.sort(2 * kinds + self._guesses, axis=1))

    def count(self, depth: int) -> int:
        """Return exactly the number of classes: multisets of n columns, without those that leave a row empty.

        By inclusion and exclusion over the empty rows, where all subsets may be permuted; else one by one.
        """
        n = self._guesses.shape[1]
        if not self._every or len(set(self.kinds.tolist())) > 1:
            return count_by_classes(self, len(self._guesses), depth)
        return sum((-1) ** j * comb(depth, j) * comb(2 ** (depth - j) + n - 1, n) for j in range(depth + 1))

    def _members(self) -> list[list[int]]:
        """Return the positions of each kind."""
        return [np.flatnonzero(self.kinds == kind).tolist() for kind in np.unique(self.kinds)]

    @property
    def in_words(self) -> str:
        """How many ways there are to permute positions."""
        return product_text([len(some) for some in self._members()])

    def generators(self) -> list[tuple[Permutation, Permutation]]:
        """Return a swap and a cycle of the positions of each kind."""
        guesses, found = self._guesses[:, ::-1], []
        for some in self._members():
            for moved in swap_and_cycle(len(some)):
                order = np.arange(self._guesses.shape[1])
                order[some] = np.array(some)[moved]
                found.append(
                    (
                        code_permutation(guesses, self._guesses[:, order][:, ::-1]),
                        code_permutation(self._secrets, self._secrets[:, order]),
                    )
                )
        return found


class Generated(Symmetry):
    """A group given by permutations (of guesses, of secrets) that leave every response as it is."""

    def __init__(self, generators: Sequence[tuple[Sequence[int], Sequence[int]]]) -> None:
        if not generators:
            raise GameError("a generated symmetry needs at least one pair of permutations")
        self._generators = [
            (np.asarray(g, dtype=np.int64), np.asarray(s, dtype=np.int64)) for g, s in generators
        ]
        self._stabilisers: dict[tuple[int, ...], list[Permutation]] = {(): [g for g, _ in self._generators]}

    def _stabiliser(self, history: tuple[int, ...]) -> list[Permutation]:
        """Return generators of the subgroup that fixes every guess of the history (Schreier's lemma)."""
        if history not in self._stabilisers:
            above = self._stabiliser(history[:-1])
            identity = np.arange(len(self._generators[0][0]))
            reach = {history[-1]: identity}
            queue = [history[-1]]
            for point in queue:
                for perm in above:
                    image = int(perm[point])
                    if image not in reach:
                        reach[image] = perm[reach[point]]
                        queue.append(image)
            found: dict[bytes, Permutation] = {}
            for point in queue:
                for perm in above:
                    back = np.argsort(reach[int(perm[point])])
                    element = back[perm[reach[point]]]
                    if not np.array_equal(element, identity):
                        found[element.tobytes()] = element
            self._stabilisers[history] = list(found.values())
        return self._stabilisers[history]

    def classes(self, history: Sequence[int]) -> NDArray[np.int32] | None:
        """Return the smallest equivalent guess of each guess after `history`."""
        generators = self._stabiliser(tuple(history))
        if not generators:
            return None
        return orbits(len(generators[0]), generators).astype(np.int32)

    def count(self, depth: int) -> int:
        """Return exactly the number of classes of sequences, one class after another."""
        return count_by_classes(self, len(self._generators[0][0]), depth)

    def generators(self) -> list[tuple[Permutation, Permutation]]:
        """Return the permutations given."""
        return list(self._generators)


def colour_renaming(
    source: NDArray[np.int64], target: NDArray[np.int64], colours: int, *, holes: bool = False
) -> NDArray[np.int64] | None:
    """Return the renaming of colours that turns source into target (-1: free), or None; holes stay holes."""
    rename = [-1] * colours + [colours] * holes
    for a, b in zip(source.ravel().tolist(), target.ravel().tolist(), strict=True):
        if rename[a] not in (-1, b):
            return None
        rename[a] = b
    fixed = [colour for colour in rename if colour >= 0]
    return np.array(rename, dtype=np.int64) if len({*fixed}) == len(fixed) else None


def swap_and_cycle(n: int) -> list[list[int]]:
    """Return permutations of n things that generate all of them."""
    if n < 2:
        return []
    return [[1, 0, *range(2, n)], [*range(1, n), 0]]


def code_permutation(codes: NDArray[np.uint8], image: NDArray[np.uint8]) -> Permutation:
    """Return where each code goes, by its row number; codes are in lexicographic order."""
    base = int(codes.max()) + 1
    weights = base ** np.arange(codes.shape[1] - 1, -1, -1, dtype=np.int64)
    return np.searchsorted(codes @ weights, image @ weights).astype(np.int64)


def orbits(size: int, generators: Iterable[Permutation]) -> Permutation:
    """Return the smallest number that each of 0, 1, ..., size - 1 can be taken to, int64, shape (size,)."""
    return kernels.orbits(size, list(generators), np.arange(size))


def joined(orbit: Permutation, renaming: Permutation) -> Permutation:
    """Return the smallest number that each can be taken to where a renaming is added to those of orbits."""
    while True:
        first = np.arange(len(orbit))
        np.minimum.at(first, orbit, orbit[renaming])
        np.minimum.at(first, orbit[renaming], orbit)
        if np.array_equal(first[orbit], orbit):
            return orbit
        orbit = first[orbit]
