"""What is proven to come after a guess, beside the estimates of one-step methods."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from ..errors import GuesstreeError
from ..search.solve import solve
from .openings import ProvenGuess
from .position import Position
from .valued import Valued

MOST_CELLS = 1 << 14
"""Guesses times candidates of a state in which the best strategy after each guess is searched."""


def with_optima(
    position: Position, found: Sequence[Valued], proven: ProvenGuess | None = None
) -> list[Valued]:
    """Return guesses of a position with how many more come after each on average, where that is proven.

    That is where the position is small, and of the guess that is `proven`, or of a proven opening.
    """
    proven = proven or position.opening
    known = {} if proven is None else {proven.guess: proven.average - 1}
    small = len(position.candidates) * len(position.askable) <= MOST_CELLS
    counted = [valued.guess for valued in found if valued.to_come is not None]
    for valued in found if small else ():
        if valued.guess in counted and valued.guess not in known and valued.tells:
            known |= _searched(position, valued)
    return [replace(one, optimum=known.get(one.guess)) if one.guess in counted else one for one in found]


def _searched(position: Position, valued: Valued) -> dict[int, Fraction]:
    """Return how many guesses come after a guess with the best strategy; nothing where there is none."""
    game = position.rest() if position.history else position.game
    with suppress(GuesstreeError):
        solved = solve(game, goal=position.problem.goal, first=valued.label)
        if solved.optimal:
            each = len(game.secrets) if game.weights is None else sum(game.weights)
            return {valued.guess: Fraction(solved.upper[0]) / each - 1}
    return {}
