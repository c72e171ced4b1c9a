"""Several boards of one game at once: each guess is answered on every board, and all are to be solved.

The secrets of the boards differ, as in Octordle (https://www.britannica.com/games/octordle/tutorial, 2026): a
guess is the secret of one board at most. Whoever plays to the end asks the secret of each board once, so the
number of guesses is that of the boards and of the *misses*, the guesses that are the secret of none. And it
is enough to make the misses few until all secrets are known: from then on every guess is a hit. (A strategy
that wins, ended where all is known, has no more misses than before; one that knows all, followed by the
secrets that were not asked, has no more either. Both hold for each outcome, so for averages and worst cases
alike.) Hence the game is one with costs, a miss 1 and a hit 0, in which the secrets are to be identified, and
whatever solves, checks, draws and certifies such games does so here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import perm, prod
from typing import overload

import numpy as np
from numpy.typing import NDArray

from .errors import GameError, SpaceError, shown
from .game import MAX_RESPONSES, MOST_RESPONSES, Game, GameFacts, Responses
from .notation import Look, plural
from .objective import EXPECTED, GOALS
from .problem import Problem, number_of_secrets
from .state import Ints, everything
from .symmetry.groups import Generated, Symmetry, Trivial

LEAST_BOARDS, MOST_BOARDS = 2, 32
MOST_TUPLES, MOST_CELLS = 1 << 16, 1 << 23
"""So many secrets, one for each board, are listed; and so many responses of guesses to them, or costs."""
MOST_EACH = 1 << 16
"""So many secrets may be on a board."""
BETWEEN = " | "
"""Stands between what belongs to one board and to the next."""


class Uncounted(Sequence[str]):
    """What is never listed: to count it, or to look at a label, is an error that says so."""

    def __init__(self, why: str) -> None:
        self.why = why

    def __len__(self) -> int:
        raise SpaceError(self.why)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        """Raise SpaceError."""
        raise SpaceError(self.why)

    def __iter__(self) -> Iterator[str]:
        raise SpaceError(self.why)


def require_board(board: Game, spec: str) -> Problem:
    """Return what is to be solved on each board; raise GameError for a game that there cannot be several of.

    Some guess has to name each secret, and only one: after it was asked, no other guess is free.
    """
    facts = board.facts
    unfit = {
        "a game in which a guess wins": not facts.winnable,
        "a game without weights, costs, or a budget": facts.weighted
        or facts.priced
        or board.budget is not None,
        "a game without tests that err or cells that are missing": facts.noisy or facts.by_kind,
        "a game in which every guess is always allowed": board.rules() is not None,
        "a game of one board": facts.boards > 1,
    }
    for expected, wrong in unfit.items():
        if wrong:
            raise GameError(f"{spec}: boards of {shown(board.spec)}; expected {expected}")
    problem = Problem(board, EXPECTED)
    if problem.secrets > MOST_EACH:
        many = plural(problem.secrets, board.look.secret)
        raise SpaceError(f"{spec}: {many} on each board; expected at most {MOST_EACH}")
    for labels in (board.secrets, board.responses):
        odd = next((label for label in labels if BETWEEN.strip() in label), None)
        if odd is not None:
            raise GameError(f"{spec}: {shown(odd)} has a '|', which stands between boards; expected none")
    counts = np.bincount(problem.own[problem.own >= 0], minlength=problem.secrets)
    if (counts != 1).any():
        secret = int(np.argmax(counts != 1))
        raise GameError(
            f"{spec}: {plural(int(counts[secret]), board.look.guess)} that win on "
            f"{shown(board.secrets[secret])}; expected one for each"
        )
    return problem


class BoardsGame(Game):
    """Secrets are one secret for each board, all different; guesses are those of the game on the boards.

    A response is that of each board. To ask a guess that is the secret of no board costs 1, else nothing. The
    goal is to identify the secrets; the guesses in all are what a strategy costs and one for each board.

    Parameters
    ----------
    board: the game on each board.
    boards: how many there are.
    sets: for each board the secrets that are possible there, by index, ascending; None: all.

    Attributes
    ----------
    problem: what is to be solved on each board.

    If there are too many secrets, they are not listed: then boards are played and advised on, not solved.
    Raises GameError for a game that there cannot be several of, see `require_board`, or too few secrets.
    """

    look = Look(cost="misses")
    beyond = "play or assist, or a shorter list"

    def __init__(self, spec: str, board: Game, boards: int, sets: Sequence[Ints] | None = None) -> None:
        self.spec, self.board, self.boards = spec, board, boards
        self.problem = require_board(board, spec)
        self.winning, self.guesses = None, board.guesses
        many = self.problem.secrets
        if many < boards:
            few = plural(many, board.look.secret)
            raise GameError(f"{spec}: {few} on {boards} boards; expected one for each board, all different")
        if board.tries is not None:
            self.tries = board.tries + boards - 1  # as Dordle, Quordle and Octordle have 7, 9 and 13
        self._all = sets is None
        self.sets = [everything(many)] * boards if sets is None else list(sets)
        self._rows = self._listed()
        if self._rows is None or (table := self._table_of(self._rows)) is None:
            why = f"the secrets of {boards} boards are only counted, too many for a search"
            self.secrets = self.responses = Uncounted(why)
            return
        self._table, given = table
        self.secrets = tuple(BETWEEN.join(board.secrets[s] for s in row) for row in self._rows.tolist())
        self.responses = tuple(BETWEEN.join(board.responses[r] for r in row) for row in given.tolist())
        self._index = {tuple(row): i for i, row in enumerate(given.tolist())}
        missed = (given != board.winning).all(axis=1).astype(np.int64)
        self.costs = np.repeat(missed[None, :], len(self.guesses), axis=0)

    def _listed(self) -> NDArray[np.int32] | None:
        """Return the secrets by those of each board, shape (secrets, boards); None: there are too many."""
        if prod(map(len, self.sets)) > MOST_TUPLES << 2 or (self._all and self._many > MOST_TUPLES):
            return None
        rows = np.array(list(product(*(some.tolist() for some in self.sets))), dtype=np.int32)
        rows = rows.reshape(-1, self.boards)
        ordered = np.sort(rows, axis=1)
        rows = rows[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]
        return rows if len(rows) <= MOST_TUPLES else None

    @property
    def _many(self) -> int:
        return perm(self.problem.secrets, self.boards)

    def _table_of(self, rows: NDArray[np.int32]) -> tuple[Responses, NDArray[np.int64]] | None:
        """Return every response, and what each is on each board, shape (responses, boards).

        None: there are too many.
        """
        each = len(self.board.responses)
        if len(self.guesses) * len(rows) > MOST_CELLS or each**self.boards >= 1 << 62:
            return None
        numbers = np.zeros((len(self.guesses), len(rows)), dtype=np.int64)
        guesses = everything(len(self.guesses))
        for i, some in enumerate(self.sets):
            place = np.searchsorted(some, rows[:, i])
            numbers = numbers * each + self.problem.block(guesses, some)[:, place]
        met, table = np.unique(numbers, return_inverse=True)
        if len(met) > MOST_RESPONSES or len(met) * len(guesses) > MOST_CELLS:
            return None
        powers = each ** np.arange(self.boards - 1, -1, -1, dtype=np.int64)
        kind = np.uint8 if len(met) <= MAX_RESPONSES else np.uint16
        return table.reshape(numbers.shape).astype(kind), met[:, None] // powers % each

    @property
    def facts(self) -> GameFacts:
        """What kind of game it is: of several boards."""
        if not isinstance(self.secrets, Uncounted):
            return replace(super().facts, boards=self.boards)
        return GameFacts(GOALS[1:], False, True, False, False, False, False, True, False, boards=self.boards)

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response, from the rules of each board."""
        assert self._rows is not None
        return self._index[tuple(self.board.respond(guess, s) for s in self._rows[secret].tolist())]

    def table(self) -> Responses:
        """Return every response, shape (guesses, secrets)."""
        number_of_secrets(self)
        return self._table

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return some of the responses, shape (guesses, secrets)."""
        return self._table[np.ix_(guesses, secrets)]

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return the response of each guess on the secret beside it."""
        return self._table[guesses, secrets]

    def own(self) -> NDArray[np.int32]:
        """Return -1 for each guess: none names the secrets of all boards."""
        return np.full(len(self.guesses), -1, dtype=np.int32)

    @property
    def symmetry(self) -> Symmetry:
        """The renamings of the game on the boards, done on all of them."""
        generators = self.board.symmetry.generators() if self._all and self._rows is not None else []
        if not generators:
            return Trivial(len(self.guesses))
        assert self._rows is not None
        many = self.problem.secrets
        powers = many ** np.arange(self.boards - 1, -1, -1, dtype=np.int64)
        numbers = self._rows.astype(np.int64) @ powers  # ascending, as the rows are in order
        lifted = []
        for guesses, secrets in generators:
            moved = np.searchsorted(numbers, np.asarray(secrets)[self._rows] @ powers)
            lifted.append((np.asarray(guesses).tolist(), moved.tolist()))
        return Generated(lifted)
