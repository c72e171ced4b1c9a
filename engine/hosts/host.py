"""`Host`: who picks no secret, but answers so that as many as possible are left.

This is the host of Absurdle (qntm, https://qntm.org/absurdle, 2022), who keeps the largest part, and the
one of evil Hangman (Keith Schwarz, "Evil Hangman", Nifty Assignments, SIGCSE 2011). What these do with
several parts of one size is not written there, so a rule is needed, and it is this: the response that gives
least away (`Look.gives_away`: fewer symbols in place, then fewer elsewhere, or fewer letters shown), and of
these the first in the order of the game's responses. The response that wins is given only where no other is
left. Weights do not count: the host keeps secrets, however likely each of them is.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from guesstree.cext import hosts as kernel

from ..state import Ints, split

if TYPE_CHECKING:
    from ..game import Game
    from ..problem import Problem


def ranks(game: Game) -> Ints:
    """Return the rank of each response; of parts of one size the least is given; shape (responses,)."""
    labels = game.responses
    order = sorted(range(len(labels)), key=lambda r: (game.look.gives_away(labels[r]), r))
    rank = np.empty(len(labels), dtype=np.int32)
    rank[order] = np.arange(len(labels))
    return rank


class Host:
    """The host who keeps the largest part.

    Parameters
    ----------
    problem: the game with a goal; to identify, no response wins.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    @cached_property
    def rank(self) -> Ints:
        """Which of several parts of one size the host prefers, the least; see `ranks`."""
        return ranks(self.problem.game)

    def answer(self, guess: int, candidates: Ints) -> tuple[int, Ints]:
        """Return the response to a guess, and which candidates are left."""
        parts = split(self.problem.row(guess, candidates), candidates)
        return min(
            parts,
            key=lambda part: (part[0] == self.problem.winning, -len(part[1]), int(self.rank[part[0]])),
        )

    def answers(self, candidates: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the response to each guess, how many candidates give it, and how many parts there are."""
        return kernel.kept(self.problem.table, candidates, self.rank, self.problem.winning)
