"""Better strategies near those that are known: their large states are kept, small ones searched anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..problem import Problem
from ..solution import Solved
from ..state import Ints, everything, split
from .plan import Plan, completed

SMALL = 100
"""Secrets of a state that is searched anew, at most."""

Search = Callable[[Ints, Sequence[int]], Solved]
"""From secrets, ascending, and the weight of each, from 1, to the best strategy for these."""


def nearby(problem: Problem, plan: Plan, weights: Sequence[int], search: Search) -> Plan:
    """Return a strategy that asks what another one does while many secrets are possible, then what is best.

    It is best below those states, not best of all: mixtures are answered so in a fraction of the time. What
    may be asked must not depend on the history.

    Parameters
    ----------
    weights: integers from 0, shape (secrets,).
    search: answers states of at most `SMALL` secrets.
    """
    each = np.array(weights, dtype=object)
    if problem.goal == "identify" or problem.candidates_only:
        each = np.maximum(each, 1)  # secrets that are never drawn are told apart, too
    choices: dict[bytes, int] = {}
    paid = np.zeros(problem.secrets, dtype=np.int64)
    waiting = [everything(problem.secrets)]
    while waiting:
        candidates = waiting.pop()
        if problem.finished(candidates):
            continue
        drawn = candidates[each[candidates] > 0]
        if len(drawn) > SMALL:
            guess = plan.choices[candidates.tobytes()]
            choices[candidates.tobytes()] = guess
            answers = problem.row(guess, candidates)
            paid[candidates] += problem.costs[guess, answers]
            waiting += [part for response, part in split(answers, candidates) if response != problem.winning]
            continue
        solved = search(drawn, each[drawn].tolist()) if len(drawn) else None
        below = completed(problem, solved, drawn, candidates)
        choices |= below.choices
        paid += below.paid
    return Plan(choices, paid)
