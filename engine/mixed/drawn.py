"""`Drawn`: a game whose secrets are drawn with weights, some of them perhaps never."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..game import CodeForm, Game, Responses, response_table
from ..rules import Rules, Step
from ..state import Ints
from ..symmetry.groups import Permutation, Symmetry


class Kept(Symmetry):
    """A group on the secrets that are kept, which none of its renamings takes to others."""

    def __init__(self, whole: Symmetry, kept: Ints, place: Ints) -> None:
        self._whole, self._kept, self._place = whole, kept, place

    def classes(self, history: Sequence[int]) -> NDArray[np.int32] | None:
        """Return the smallest equivalent guess of each guess after `history`."""
        return self._whole.classes(history)

    def count(self, depth: int) -> int:
        """Return exactly the number of classes of sequences."""
        return self._whole.count(depth)

    @property
    def in_words(self) -> str:
        """How many renamings the whole group has."""
        return self._whole.in_words

    def generators(self) -> list[tuple[Permutation, Permutation]]:
        """Return the permutations of guesses, and of the secrets that are kept."""
        place = self._place.astype(np.int64)
        return [(guesses, place[secrets[self._kept]]) for guesses, secrets in self._whole.generators()]


class Drawn(Game):
    """A game with other weights; secrets that are left out are never drawn.

    Parameters
    ----------
    game: what is played; its own weights do not count.
    kept: the secrets that are drawn, ascending; int32, shape (secrets,).
    weights: an integer from 1 for each of them; None: all alike.
    table: every response of the game, shape (guesses, secrets of the game); None: it is worked out.
    group: renamings of the game that take drawn secrets to drawn ones; None: those that it declares.
    """

    def __init__(
        self,
        game: Game,
        kept: Ints,
        weights: Sequence[int] | None = None,
        table: Responses | None = None,
        group: Symmetry | None = None,
    ) -> None:
        self._game, self._kept, self._table = game, kept, table
        self._place = np.full(len(game.secrets), -1, dtype=np.int32)
        self._place[kept] = np.arange(len(kept), dtype=np.int32)
        self._group = game.symmetry if group is None else group
        self._whole = len(kept) == len(game.secrets)
        self.spec, self.look = game.spec, game.look
        self.secrets = game.secrets if self._whole else [game.secrets[s] for s in kept.tolist()]
        self.guesses, self.responses, self.winning = game.guesses, game.responses, game.winning
        self.weights = weights
        self.costs, self.cost_unit = game.costs, game.cost_unit

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response that `guess` gets when `secret` is hidden."""
        return self._game.respond(guess, int(self._kept[secret]))

    @property
    def most_answers(self) -> int:
        """At most how many responses one guess gets."""
        return self._game.most_answers

    @property
    def symmetry(self) -> Symmetry:
        """The renamings of the game, which take drawn secrets to drawn ones."""
        return self._group if self._whole else Kept(self._group, self._kept, self._place)

    def refused(self, history: Sequence[Step], guess: int) -> str:
        """Return why a guess may not be asked after a history."""
        return self._game.refused(history, guess)

    def rules(self) -> Rules | None:
        """Return what the game refuses, as bits."""
        return self._game.rules()

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return the responses of some guesses on some secrets, shape (guesses, secrets)."""
        if self._table is None:
            self._table = response_table(self._game)
        return self._table[np.ix_(guesses, self._kept[secrets])]

    def code_form(self) -> CodeForm | None:
        """Return the codes behind the game where all are drawn."""
        return self._game.code_form() if self._whole else None

    def own(self) -> NDArray[np.int32]:
        """Return for each guess the drawn secret that it names, or -1; shape (guesses,)."""
        own = self._game.own()
        return np.where(own < 0, -1, self._place[own]).astype(np.int32)
