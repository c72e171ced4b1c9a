"""From a solution to its tree, with what the search claims of it."""

from guesstree.engine.solution import Solution
from guesstree.trees.lies import build_with_lies
from guesstree.trees.tree import Claims, Strategy, build


def strategy_of(solution: Solution) -> Strategy:
    """Build the decision tree of a solution by the game's own responses.

    Raises TreeError or GuesstreeError when the responses do not lead through the states of the search.
    """
    claims = Claims(
        objective=solution.objective,
        method=solution.method,
        lower=solution.lower,
        upper=solution.upper,
        parameters=dict(solution.parameters),
    )
    if solution.lies:
        return build_with_lies(solution.game, solution.goal, solution.lies, solution.choose, claims)
    return build(solution.game, solution.goal, solution.choose, claims)
