"""Which guesses the renamings of a certificate make equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..problem import Problem
from ..state import Ints, everything
from ..symmetry.groups import orbits
from .renaming import CodeRenamings, renaming_of
from .statement import certificate_names, is_table


class Alike:
    """The guesses of a game that renamings make equal.

    Parameters
    ----------
    checker: what finds the images of guesses under a renaming of secrets.

    Attributes
    ----------
    codes: the renamings of codes, where certificates have those; None: they rename secrets.
    """

    def __init__(self, problem: Problem, checker: Any) -> None:
        self.problem, self.checker = problem, checker
        self.secret_number = {name: i for i, name in enumerate(certificate_names(problem)[1])}
        self.codes = None
        if problem.codes is not None and not is_table(problem.game):
            self.codes = CodeRenamings(problem.codes.digits, separate=problem.codes.symbols == 0)

    def orbits(self, members: Ints, renamings: Sequence[Sequence[str]]) -> NDArray[np.int64]:
        """Return which guesses renamings of a set make equal, by the least of each kind; shape (guesses,).

        `renamings`: the words of those that keep the set.
        """
        every = everything(len(self.problem.own))
        if not renamings:
            return every.astype(np.int64)
        if self.codes is not None:
            images = [self.codes.image(renaming_of(*words)) for words in renamings]
            return orbits(len(every), images)
        moved = [moved_by(words, members, self.secret_number) for words in renamings]
        found = self.checker.orbits(members, moved)
        return (every if found is None else found).astype(np.int64)


def moved_by(words: Sequence[str], members: Ints, numbers: Mapping[str, int]) -> Ints:
    """Return where a renaming in cycles takes each secret of a set, given the numbers of their names."""
    to, cycles = {int(s): int(s) for s in members}, [list[int]()]
    for word in words[:-1]:
        if word == "/":
            cycles.append([])
        else:
            cycles[-1].append(numbers[word])
    for cycle in cycles:
        to |= dict(zip(cycle, cycle[1:] + cycle[:1], strict=True))
    return np.array([to[int(s)] for s in members], dtype=np.int32)
