"""What can still be won of the parts that guesses make, with what is left of a budget."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..problem import Problem
from ..state import Ints
from .valuations import Prospect

Doubles = NDArray[np.float64]


def prospects(problem: Problem, guesses: Ints, candidates: Ints, left: int) -> list[tuple[Prospect, ...]]:
    """Return the parts that each guess makes of the candidates, with so much left to pay; ascending."""
    highest, bit = max(int(problem.costs.max(initial=0)), 1), price_of_a_bit(problem, candidates)
    masses, bits = weights_and_bits(problem, guesses, candidates)
    ordered = candidates[np.argsort(-problem.weights[candidates], kind="stable")]
    weights, found = problem.weights[ordered], []
    for guess, mass, needed in zip(guesses.tolist(), masses, bits, strict=True):
        row = problem.row(guess, ordered) if problem.game.facts.weighted else None
        parts = []
        for response in np.flatnonzero(mass).tolist():
            weight, cost = int(mass[response]), int(problem.costs[guess, response])
            won = response == problem.winning
            spare = (left - cost) // highest - (problem.goal == "win" and not won)
            many = max(spare + 1, 0)
            own = np.ones(weight, dtype=np.int64) if row is None else weights[row == response]
            # To identify some, all others have to be told from them, too, which may have a price.
            may_choose = problem.goal == "win" or len(own) <= many or problem.identifies_for_free
            sure = int(own[:many].sum()) if may_choose else 0
            if won:
                sure, needed[response] = weight if spare >= 0 else 0, 0
            parts.append(Prospect(weight, cost, spare, sure, float(needed[response]) * bit / highest))
        found.append(tuple(sorted(parts)))
    return found


def price_of_a_bit(problem: Problem, candidates: Ints) -> float:
    """Return what a bit of information costs now, by the guess that tells most for what it costs."""
    allowed = problem.allowed(candidates)
    masses = problem.masses(allowed, candidates)
    weight = max(int(problem.weights[candidates].sum()), 1)
    paid = (masses * problem.costs[allowed]).sum(axis=1) / weight
    heard = np.log2(weight) * weight - (masses * np.log2(np.maximum(masses, 1))).sum(axis=1)
    telling = (masses > 0).sum(axis=1) > 1
    return float((paid[telling] / (heard[telling] / weight)).min(initial=np.inf)) if telling.any() else 0.0


def weights_and_bits(problem: Problem, guesses: Ints, candidates: Ints) -> tuple[Any, Doubles]:
    """Return the weight of each part, and its entropy in bits, each of shape (guesses, responses)."""
    masses = problem.masses(guesses, candidates)
    whole = np.log2(np.maximum(masses, 1))
    if not problem.game.facts.weighted:
        return masses, whole
    own = problem.weights[candidates]
    block, spread = problem.block(guesses, candidates), np.zeros(masses.shape)
    for row, one in zip(block, spread, strict=True):
        np.add.at(one, row, own * np.log2(own))
    return masses, np.maximum(whole - spread / np.maximum(masses, 1), 0.0)
