"""Guesses with what they would tell, as plain data."""

from __future__ import annotations

from fractions import Fraction
from math import isinf
from typing import Any

from guesstree.engine.advice.openings import ProvenGuess
from guesstree.engine.advice.position import Valued
from guesstree.engine.exact import as_plain
from guesstree.engine.game import Game
from guesstree.engine.onestep.valuations import COST_VALUATIONS, VALUATIONS


def valued_data(game: Game, valued: Valued) -> dict[str, Any]:
    """Return a guess with its figures; None: infinite, the guess is free."""
    data: dict[str, Any] = {"guess": game.guesses[valued.guess], "candidate": valued.candidate}
    data["equivalents"] = valued.equivalents
    if valued.volume is not None:
        return data | {"volume": valued.volume, "most": valued.most, "parts": valued.parts}
    data |= {name: _number(valuation.figure(valued.sizes)) for name, valuation in VALUATIONS.items()}
    data["sizes"] = valued.sizes
    if valued.paid:
        data |= {name: _number(valued.figure(name)) for name in COST_VALUATIONS}
    return data


def proven_data(game: Game, proven: ProvenGuess) -> dict[str, Any]:
    """Return the guess with which a proven strategy goes on, and what it takes from there on."""
    figures = {"total": as_plain(proven.total), "average": float(proven.average)}
    return {"guess": game.guesses[proven.guess], **figures}


def _number(figure: Fraction | float | int) -> float | int | None:
    if isinstance(figure, int):
        return figure
    return None if isinf(figure) else float(figure)
