"""Tables asked by questions of two answers, against enumeration of every strategy for every object."""

import random
from fractions import Fraction

import pytest
from dichotomy import plain_of, random_content
from effort import seeds

from guesstree.api.strategy import strategy_of
from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.cells import answers_of
from guesstree.engine.tables.dichotomous import SplitTable
from guesstree.trees.check import check

BLOCK = 30
"""Tables of a test."""


def solved(game: SplitTable, objective: str) -> Fraction | None:
    """Return what the search proves of an objective, and check its strategy; None: there is no strategy."""
    try:
        found = solve(game, objective)
    except GuesstreeError:
        return None
    assert found.optimal
    report = check(game, strategy_of(found))
    assert report.valid, report.messages()
    return Fraction(found.upper[0])


@pytest.mark.parametrize("seed", seeds(2, 40))
def test_values_are_those_of_enumeration(seed: int) -> None:
    """Expected and worst cost, with sets, odds, orders, unknown cells, costs, weights, and decisions."""
    dice = random.Random(seed)
    for number in range(BLOCK):
        content = random_content(dice, decisions=number % 4 == 3)
        wanted = plain_of(content, answers_of).paid()
        try:
            game = SplitTable("table:random", content)
        except GameError as error:
            assert "nothing may be decided" in str(error) or "no test has two answers" in str(error)
            continue
        average = solved(game, "expected")
        assert (
            None if average is None else average / sum(content.weights or (1,) * len(content.secrets))
        ) == wanted.expected, content
        assert solved(game, "worst") == wanted.worst, content
