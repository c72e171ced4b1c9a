"""The optimum of a game, and the tree that reaches it, which the checker has seen."""

from typing import Any

from guesstree.api.strategy import strategy_of
from guesstree.engine.errors import Infeasible
from guesstree.engine.game import Game
from guesstree.engine.search.solve import solve
from guesstree.trees.check import check


def optimum(game: Game, objective: str, **options: Any) -> tuple[Any, ...] | None:
    """Return the optimum, after the tree has passed the checker; None: there is no strategy."""
    try:
        solution = solve(game, objective, **options)
    except Infeasible:
        return None
    assert solution.optimal, (solution.lower, solution.upper)
    report = check(game, strategy_of(solution))
    assert report.valid and not report.dead, report.messages()
    assert report.figures is not None
    assert report.figures.compared.value(objective) == solution.upper
    return solution.upper
