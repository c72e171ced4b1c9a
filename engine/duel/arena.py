"""What one of two players may do: states by their shape, and the moves that each has.

How a duel ends depends on a state only through its shape: what each move wins at once, and the shapes that it
leaves. States of the same shape are one, so that renamings of a game are used without being known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import GuesstreeError
from ..problem import Problem
from ..state import Ints
from ..stopping import heed

Choose = Callable[[Ints], Ints]
"""The guesses that are looked at in a state, by its candidates."""


class TooManyStatesError(GuesstreeError):
    """There are more states than were allowed."""


class Move(NamedTuple):
    """A guess by what it does: the weight of the secrets that it ends, and the shapes that it leaves."""

    won: int
    parts: tuple[int, ...]


@dataclass
class Arena:
    """The shapes that a player may get to, each after those that it leads to; the last is where it begins.

    Attributes
    ----------
    weights: of each shape, what its candidates weigh together.
    moves: of each shape, its moves, each once.
    guesses: the moves of the last shape with the first guess that makes each.
    states: how many sets of candidates have these shapes.
    """

    weights: list[int] = field(default_factory=list)
    moves: list[tuple[Move, ...]] = field(default_factory=list)
    guesses: list[tuple[int, Move]] = field(default_factory=list)
    states: int = 0

    @property
    def root(self) -> int:
        """The shape where the player begins."""
        return len(self.weights) - 1

    def totals(self) -> list[int]:
        """Return of each shape exactly the least total of guesses, weighted, over its moves."""
        found: list[int] = []
        for weight, moves in zip(self.weights, self.moves, strict=True):
            found.append(weight + min(sum(found[part] for part in move.parts) for move in moves))
        return found

    def ends(self) -> list[int]:
        """Return the weight that ends with guess 1, 2, ...; for a player with one move in each shape."""
        found: list[int] = []
        level = {self.root: 1}
        while level:
            below: dict[int, int] = {}
            found.append(0)
            for shape, many in level.items():
                (move,) = self.moves[shape]
                found[-1] += many * move.won
                for part in move.parts:
                    below[part] = below.get(part, 0) + many
            level = below
        return found


def explore(problem: Problem, candidates: Ints, choose: Choose, most: int) -> Arena:
    """Return the arena of some candidates, where `choose` says which guesses are looked at.

    A guess that neither ends the game nor tells anything is no move. Raises TooManyStatesError for more than
    `most` sets of candidates.
    """
    arena, shapes = Arena(), dict[tuple[int, frozenset[Move]], int]()
    known: dict[bytes, int] = {}
    own: list[tuple[int, Move]] = []

    def enter(members: Ints) -> int:
        key = members.tobytes()
        if key in known:
            return known[key]
        if len(known) + arena.states > most:
            raise TooManyStatesError(f"more than {most} states")
        heed()
        arena.states += 1
        nonlocal own
        found: dict[Move, int] = {}
        for guess, row in distinct(problem, choose(members), members):
            won, parts = 0, []
            for part in np.unique(row).tolist():
                inside = members[row == part]
                if part == len(members) or (problem.winning < 0 and len(inside) == 1):
                    won += int(problem.weights[inside].sum())
                else:
                    parts.append(enter(inside))
            found.setdefault(Move(won, tuple(sorted(parts))), guess)
        own = [(guess, move) for move, guess in found.items()]
        shape = int(problem.weights[members].sum()), frozenset(found)
        known[key] = shapes.setdefault(shape, len(arena.weights))
        arena.states -= 1
        if known[key] == len(arena.weights):
            arena.weights.append(shape[0])
            arena.moves.append(tuple(found))
        return known[key]

    enter(np.ascontiguousarray(candidates, dtype=np.int32))
    arena.guesses, arena.states = own, len(known)
    return arena


def distinct(problem: Problem, guesses: Ints, members: Ints) -> list[tuple[int, NDArray[np.int64]]]:
    """Return the guesses that part candidates differently, each with the part of every candidate.

    A part is called by its first candidate, by its place; what wins is a part called by their number. A guess
    that leaves all in one part, and wins nothing, is left out.
    """
    block = problem.block(guesses, members)
    parts = np.zeros(block.shape, dtype=np.int64)
    for response in np.unique(block).tolist():
        here = block == response
        called = len(members) if response == problem.winning else here.argmax(axis=1)[:, None]
        parts = np.where(here, called, parts)
    useful = np.flatnonzero((parts != 0).any(axis=1))
    if not len(useful):
        return []
    _, first = np.unique(parts[useful], axis=0, return_index=True)
    rows = useful[np.sort(first)]
    return [(int(guesses[row]), parts[row]) for row in rows.tolist()]
