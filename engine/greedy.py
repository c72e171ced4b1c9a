"""Play a one-step valuation to the end for every secret."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from guesstree.cext import kernels

from .heuristics import VALUATIONS
from .problem import Found, Problem
from .state import Ints, everything, partition


def play_out(problem: Problem, method: str, hurry: Callable[[], bool] = lambda: False) -> Found | None:
    """Return the strategy of a valuation, or None when it gets stuck or needs more than the depth allowed.

    Ties go to a candidate, then to the smallest guess. Once `hurry` says so, states get the first guess
    that tells something instead, so that the strategy is complete at once.
    """
    found = Found()
    waiting = [(everything(problem.secrets), 0)]
    for candidates, depth in waiting:
        if problem.finished(candidates):
            found.add_leaf(depth)
            continue
        if depth == 0 and problem.first is not None:
            guess = problem.first
        elif hurry():
            guess = first_useful(problem, candidates)
        else:
            guess = best_guess(problem, candidates, method)
        if guess < 0 or depth >= problem.max_depth:
            return None
        cells = partition(problem.table, problem.responses, candidates, guess).parts()
        if len(cells) == 1 and cells[0][0] != problem.winning and depth > 0:
            return None
        found.add(candidates, guess)
        for response, cell in cells:
            if response == problem.winning:
                found.add_leaf(depth + 1)
            else:
                waiting.append((cell, depth + 1))
    return found


def best_guess(problem: Problem, candidates: Ints, method: str) -> int:
    """Return the guess that a valuation picks, or -1 when no guess tells anything."""
    guesses = problem.allowed(candidates)
    if not len(guesses):
        return -1
    table = problem.table if len(guesses) == len(problem.table) else problem.table[guesses]
    sizes = kernels.histograms(table, candidates, problem.responses)
    scores = VALUATIONS[method](sizes)
    if len(candidates) > 1:
        useless = sizes.max(axis=1) == len(candidates)
        if useless.all():
            return -1
        scores[useless] = np.iinfo(np.int64).max
    outside = ~np.isin(problem.own[guesses], candidates)
    return int(guesses[np.lexsort((outside, scores))[0]])


def first_useful(problem: Problem, candidates: Ints) -> int:
    """Return the first guess that names a candidate, or else that tells something, or -1."""
    named = problem.winner[candidates[0]]
    if named >= 0 and problem.winning >= 0:
        return int(named)
    for guess in problem.allowed(candidates):
        row = problem.table[guess, candidates]
        if (row != row[0]).any():
            return int(guess)
    return -1
