"""Bound costs from below by layers of costs (`engine.bounds.layers`); classes of few secrets are searched."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import priced as kernel

from ..bounds.counting import least_costs
from ..bounds.layers import Doubles, Longs, layered
from ..problem import Problem
from ..state import Table, everything
from .session import Session
from .space import S

MEMORY, BUDGET = 1 << 22, 1 << 14
"""What the search of one class may take: bytes for what it remembers, and evaluations."""
MOST_SUM = 1 << 60
MOST_SCALE = 1 << 20


def by_layers(session: Session[S], most: int = 0) -> float:
    """Raise the least total, and what it says of the worst case; return the bound that was found.

    `most`: classes of so many secrets are searched.

    The worst case is at least the average, whatever the weights. Only where secrets are to be identified: the
    bounds count what tells them apart.
    """
    problem = session.problem
    if (
        problem.winning >= 0
        or not (session.space.one_step and session.resources.tabled)
        or problem.secrets < 2
    ):
        return 0.0

    def exactly(table: Table, weights: Longs, costs: Doubles) -> tuple[float, bool]:
        return settled(session, table, weights, costs)

    weights, costs = problem.weights, question_costs(problem)
    bound = layered(problem.table, weights, costs, exactly if most else None, most, session.deadline.late)
    how = f"layers of costs, classes of {most}" if most else "layers of costs"
    session.raise_to("total", min(ceil(bound), session.upper("total")), how)
    session.raise_to("worst", min(ceil(Fraction(bound) / int(weights.sum())), session.upper("worst")), how)
    return bound


def question_costs(problem: Problem) -> NDArray[np.float64]:
    """Return the least that each question costs, float64, shape (questions,)."""
    if not problem.priced:
        return np.ones(len(problem.own))
    met = problem.sizes(everything(len(problem.own)), everything(problem.secrets)) > 0
    least = np.where(met, problem.costs, np.iinfo(np.int64).max).min(axis=1)
    return least.astype(np.float64)


def settled(session: Session[S], table: Table, weights: Longs, costs: Doubles) -> tuple[float, bool]:
    """Return at least the value of a small table, and whether the search came to its end.

    Costs are rounded down to multiples of a small unit.
    """
    questions, secrets = table.shape
    unit = min(MOST_SUM / (float(weights.sum()) * secrets * float(costs.max())), MOST_SCALE)
    answers = int(table.max()) + 1
    whole = np.repeat(np.floor(costs * unit).astype(np.int64)[:, None], answers, axis=1)
    searcher = kernel.Searcher(
        table=np.ascontiguousarray(table),
        secret_of_guess=np.full(questions, -1, dtype=np.int32),
        responses=answers,
        winning=-1,
        only_candidates=False,
        weights=weights,
        costs=whole,
        prices=np.zeros_like(whole),
        **vars(least_costs(table, whole, -1)),
        worst=False,
        penalty=0,
        rate=1,
        memory=MEMORY,
    )
    try:
        outcome = session.deadline.run(
            lambda: searcher.search(everything(secrets), kernel.UNLIMITED, evaluations=BUDGET),
            searcher.stop,
        )
    finally:
        session.retire(searcher)
    return float(outcome.lower) / unit, not outcome.ended
