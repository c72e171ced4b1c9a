"""Responses numbered guess by guess, so that kernels count those of one guess and not those of a whole game.

A table of 70 tests with four answers each, all worded differently, has 280 labels, but no test has more than
four. Everything that is shown, written or typed uses the numbers of the game, places in `Game.responses`.
`Problem` counts in the numbers below where `Game.by_guess` says so: its table, its costs, its rules
and its winning response; `Problem.told` and `Problem.number` take one to the other.

With false responses, what may be said to a guess are its own answers then, and not the labels of others.
That makes no difference to any value. Say no secret gives z to a guess, and some give a, which does not win.
After z the same secrets are possible as after a; those that truly give a have one lie less, and all others as
many. So what settles the state after a settles that after z, and nobody pays more: a path with z in it costs
no secret more than one with a, unless z itself costs more, which no table can say.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .game import MAX_RESPONSES, Game, costs_of, response_table, rules_of
from .rules import Rules, Step
from .stopping import heed

NONE = -1


class Numbering:
    """How the responses of each guess are numbered from 0, in the order of the game.

    Parameters
    ----------
    game: one whose guesses get one response each. The response that wins is 0 for every guess.

    Attributes
    ----------
    told: the game's number of each, or -1: the guess has no more; int32, shape (guesses, responses).
    table: the responses in these numbers, C-contiguous, in one byte where they fit; shape (guesses, secrets).

    Raises SpaceError for a table that does not fit in memory.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        found = response_table(game)
        first = np.array([] if game.winning is None else [game.winning], dtype=np.int32)
        own, met = [], np.zeros(len(game.responses), dtype=bool)
        for row in found:
            heed()
            met[row], met[first] = True, False
            own.append(np.append(first, np.flatnonzero(met).astype(np.int32)))
            met[own[-1]] = False
        self.responses = max(map(len, own))
        self.told = np.full((len(own), self.responses), NONE, dtype=np.int32)
        kind = np.uint8 if self.responses <= MAX_RESPONSES else np.uint16
        self.table = np.empty(found.shape, dtype=kind)
        number = np.zeros(len(game.responses), dtype=kind)
        for labels, told, row, table in zip(own, self.told, found, self.table, strict=True):
            told[: len(labels)] = labels
            number[labels] = np.arange(len(labels), dtype=kind)
            table[:] = number[row]

    def number(self, guess: int, response: int) -> int:
        """Return the number of a response of the game among those of a guess; -1: the guess never gets it."""
        found = np.flatnonzero(self.told[guess] == response)
        return int(found[0]) if len(found) and response >= 0 else NONE

    def steps(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """Return guesses and responses of the game with responses in these numbers."""
        return tuple((guess, self.number(guess, response)) for guess, response in steps)

    def costs(self) -> NDArray[np.int64]:
        """Return what each response costs, shape (guesses, responses); one that a guess lacks, the least."""
        if self._game.costs is None:
            return np.ones(self.told.shape, dtype=np.int64)
        costs = np.take_along_axis(costs_of(self._game), np.maximum(self.told, 0).astype(np.intp), axis=1)
        most = np.iinfo(np.int64).max
        least = np.where(self.told < 0, most, costs).min(axis=1, keepdims=True)
        return np.ascontiguousarray(np.where(self.told < 0, least, costs))

    def rules(self) -> Rules | None:
        """Return the rules of the game, if it has any; a response that a guess lacks demands nothing."""
        rules = rules_of(self._game)
        return None if rules is None else rules.numbered(self.told)
