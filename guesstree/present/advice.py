"""What a method advises in a position: computed once; terminal, pages and JSON lay it out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isinf
from typing import Any

from guesstree.api.advisor import Advisor
from guesstree.engine.advice.openings import ProvenGuess
from guesstree.engine.advice.optimum import with_optima
from guesstree.engine.advice.position import Position, Valued
from guesstree.engine.exact import as_plain
from guesstree.engine.game import Game
from guesstree.engine.onestep.valuations import BUDGET_VALUATIONS, COST_VALUATIONS, VALUATIONS


@dataclass(frozen=True)
class Advice:
    """The best guesses of a position.

    Attributes
    ----------
    by: who advises: a proof, or a method.
    note: what is proven of the best guess, or why nothing is; may be empty.
    proven: how a proven strategy goes on; None where none is known.
    best: the guess to ask, and the next best that tell something.
    """

    game: Game
    by: str
    note: str
    proven: ProvenGuess | None
    best: tuple[Valued, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the advice as plain data."""
        found = {} if self.proven is None else {"proven": proven_as_json(self.game, self.proven)}
        return found | {"best": [valued_as_json(self.game, valued) for valued in self.best]}


def advice_of(advisor: Advisor, position: Position, most: int) -> Advice:
    """Return what is advised in a position; raise GuesstreeError where the method has no guess."""
    best = tuple(with_optima(position, advisor.top(position, most), advisor.proven(position)))
    return Advice(position.game, advisor.by(position), advisor.note(position), advisor.proven(position), best)


def valued_as_json(game: Game, valued: Valued) -> dict[str, Any]:
    """Return a guess with its figures; None: infinite, the guess is free, or an optimum that is not known."""
    data: dict[str, Any] = {"guess": game.guesses[valued.guess], "candidate": valued.candidate}
    data["equivalents"] = valued.equivalents
    if valued.volume is not None:
        return data | {"volume": valued.volume, "most": valued.most, "parts": valued.parts}
    data |= {name: _number(valued.figure_of_sizes(name)) for name in VALUATIONS}
    data["sizes"] = valued.sizes
    if valued.to_come is not None:
        data["to_come"] = valued.to_come
        data["optimum"] = None if valued.optimum is None else float(valued.optimum)
    if valued.paid:
        data |= {name: _number(valued.figure(name)) for name in COST_VALUATIONS}
    if valued.prospects:
        data |= {name: _number(valued.figure(name)) for name in BUDGET_VALUATIONS}
    return data


def proven_as_json(game: Game, proven: ProvenGuess) -> dict[str, Any]:
    """Return the guess with which a proven strategy goes on, and what it takes from there on."""
    figures = {"total": as_plain(proven.total), "average": float(proven.average)}
    return {"guess": game.guesses[proven.guess], **figures}


def _number(figure: Fraction | float | int) -> float | int | None:
    if isinstance(figure, int):
        return figure
    return None if isinf(figure) else float(figure)
