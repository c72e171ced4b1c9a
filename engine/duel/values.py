"""The value of a duel: the chance to win, and half of that to draw, by dynamic programming over two states.

Both see what the other knows, and chance alone decides on responses: so from the end backwards each state has
one value, whoever moves (Zermelo 1913; with chance, Shapley 1953). In a round the first player asks, then the
second; who ends in an earlier round wins. After the first has ended, the second has a last guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..stopping import heed
from .arena import Arena, Move

Tie = Literal["draw", "first"]
"""What it is if both end in the same round: a draw, which counts half, or won by who asks first."""
NEAR = 1e-12
"""Values that differ less are equal: they are sums and products of a few dozen doubles of at most 1."""
Values = NDArray[np.float64]


@dataclass
class Worth:
    """What the first player gets, by the shapes of both: the value, and the chance to win.

    `first[a, b]`: the first is to ask; `second[a, b]`: the second is, in the same round, and neither has
    ended. In `*_wins` the chance to win alone; `after`: if the first has ended and the second asks last.
    """

    first: Values
    first_wins: Values
    second: Values
    second_wins: Values
    after: Values
    after_wins: Values


class Moves:
    """The moves of all shapes of a player in arrays, so that all shapes are weighed at once."""

    def __init__(self, arena: Arena) -> None:
        self.weights = np.array(arena.weights, dtype=np.float64)
        none = len(arena.weights)  # a part of weight 0, for moves that leave none
        parts: list[int] = []
        begins, shapes, won = [], [], []
        for shape, moves in enumerate(arena.moves):
            for move in moves:
                begins.append(len(parts))
                shapes.append(shape)
                won.append(move.won)
                parts += move.parts or (none,)
        self.parts, self.begins = np.array(parts), np.array(begins)
        self.shapes, self.won = np.array(shapes), np.array(won, dtype=np.float64)
        self.share = np.append(self.weights, 0.0)[self.parts]
        self.firsts = np.flatnonzero(np.diff(self.shapes, prepend=-1))
        self.last = np.maximum.reduceat(self.won, self.firsts) / self.weights
        """The most that a last guess of each shape ends."""

    def least(self, value: Values, wins: Values) -> tuple[Values, Values]:
        """Return of each shape the least value after a move, and what wins then; nothing where it ends."""
        of = self.weights[self.shapes]
        values = np.add.reduceat(self.share * np.append(value, 0.0)[self.parts], self.begins) / of
        wins = np.add.reduceat(self.share * np.append(wins, 0.0)[self.parts], self.begins) / of
        least = np.minimum.reduceat(values, self.firsts)
        best = np.flatnonzero(values <= least[self.shapes] + NEAR)
        chosen = best[np.unique(self.shapes[best], return_index=True)[1]]
        return least, wins[chosen]


def worth(first: Arena, second: Arena, tie: Tie) -> Worth:
    """Return exactly, but for the rounding of doubles, what the first gets if both play best in their arenas.

    Every shape has a smaller number than those that lead to it, so that what a row needs is there.
    """
    theirs = Moves(second)
    size = (len(first.weights), len(second.weights))
    found = Worth(*(np.zeros(size) for _ in range(4)), *(np.zeros(size[1]) for _ in range(2)))
    found.after[:] = 1 - theirs.last / 2 if tie == "draw" else 1.0
    found.after_wins[:] = 1 - theirs.last if tie == "draw" else 1.0
    for a, moves in enumerate(first.moves):
        heed()
        options = [of_move(first, a, move, found) for move in moves]
        values = np.array([value for value, _ in options])
        chosen = (values >= values.max(axis=0) - NEAR).argmax(axis=0)
        found.first[a] = values.max(axis=0)
        found.first_wins[a] = np.array([wins for _, wins in options])[chosen, np.arange(size[1])]
        found.second[a], found.second_wins[a] = theirs.least(found.first[a], found.first_wins[a])
    return found


def of_move(first: Arena, shape: int, move: Move, known: Worth) -> tuple[Values, Values]:
    """Return what the first gets by a move of a shape, and wins, by the shape of the second."""
    weight = first.weights[shape]
    value, wins = move.won * known.after, move.won * known.after_wins
    for part in move.parts:
        value = value + first.weights[part] * known.second[part]
        wins = wins + first.weights[part] * known.second_wins[part]
    return value / weight, wins / weight
