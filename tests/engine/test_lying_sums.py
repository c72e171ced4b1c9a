"""Lies where sums or costs count: search against an oracle of its own, counting bounds, trees, files."""

import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from optimum import optimum
from tables import games, priced_games

from guesstree.api.strategy import strategy_of
from guesstree.cli.check import command as check_command
from guesstree.cli.solve import command as solve_command
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.oracle import (
    best,
    front,
    fronts_with_lies,
    least_with_lies,
    undominated,
    worst_with_lies,
)
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.allowance import SCALE, Decider, Mass
from guesstree.engine.search.least_sum import LeastSum
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check

SUMS = [name for name, one in OBJECTIVES.items() if not one.budgeted]


@tries(0.2)
@given(
    st.one_of(games(most_secrets=3, most_extra=2), priced_games(most_secrets=3, most_extra=2)),
    st.sampled_from(SUMS),
    st.booleans(),
)
def test_search_equals_the_oracle(game: TableGame, objective: str, identify: bool) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    try:
        found = optimum(game, objective, lies=1, goal=goal)
    except GuesstreeError as error:
        assert "apart" in str(error)
        return
    assert found == least_with_lies(game, goal, objective, 1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100))
def test_search_equals_the_oracle_with_two_lies(seed: int) -> None:
    dice = random.Random(seed)
    cells = [[dice.choice("ab") for _ in range(3)] for _ in range(3)]
    game = TableGame("table:random", ["x", "y", "z"], ["a", "b", "c"], cells, None)
    game.weights = [dice.randint(1, 5) for _ in range(3)]
    game.costs = np.array([[dice.randint(1, 4)] * len(game.responses) for _ in range(3)])
    objective = dice.choice(SUMS)
    try:
        found = optimum(game, objective, lies=2)
    except GuesstreeError as error:
        assert "apart" in str(error)
        return
    assert found == least_with_lies(game, "identify", objective, 2)


@tries(0.5)
@given(games(most_secrets=3, most_extra=3))
def test_the_oracle_is_the_others_where_they_say_the_same(game: TableGame) -> None:
    """Without lies it is the ordinary one; its worst case is that of the search for worst cases."""
    goal = "identify" if game.winning is None else "win"
    ordinary = front(game, goal)
    pairs = {(max(c for _, c in one), sum(c for _, c in one)) for one in fronts_with_lies(game, goal, 0)}
    assert undominated(pairs) == ordinary
    found = least_with_lies(game, goal, "worst", 1)
    assert (None if found is None else found[0]) == worst_with_lies(game, goal, 1, 12)
    assert best(ordinary, ("total",)) == least_with_lies(game, goal, "expected", 0)


@tries(0.5)
@given(priced_games(most_secrets=3, most_extra=2), st.integers(0, 1))
def test_counting_is_at_most_the_optimum(game: TableGame, lies: int) -> None:
    goal = "identify" if game.winning is None else "win"
    least = least_with_lies(game, goal, "expected", lies)
    if least is None:
        return
    problem = Problem(game, OBJECTIVES["expected"], goal=goal)
    decider = Decider(problem.table.astype(np.int32), problem.costs, problem.winning, lies)
    assert LeastSum(decider, problem.weights, 200).at_least() <= least[0]


def test_what_a_secret_takes_is_berlekamps_volume_where_all_questions_are_alike() -> None:
    mass = Mass(np.array([[0, 1]], dtype=np.int32), np.ones((1, 2), dtype=np.int64), -1)
    assert mass.of(1, 6) * 2**6 == SCALE * 7
    assert mass.of(2, 9) * 2**9 == SCALE * (1 + 9 + 36)
    assert mass.of(1, -1) > SCALE


@pytest.mark.parametrize(
    ("lies", "objective", "value"),
    [(1, "expected", (10,)), (1, "worst,expected", (4, 10))],
)
def test_known_values(lies: int, objective: str, value: tuple[int, ...]) -> None:
    game = parse("mastermind:2x2")
    assert optimum(game, objective, lies=lies) == value


def test_costs_beyond_those_that_are_counted_are_searched() -> None:
    game = TableGame("table:dear", ["x", "y", "ask"], ["x", "y"], [["W", "a"], ["a", "W"], ["a", "b"]], "W")
    game.weights, game.costs = [3, 1], np.array([[9001] * 3, [4099] * 3, [5000] * 3])
    assert optimum(game, "expected", lies=1) == least_with_lies(game, "win", "expected", 1) == (40103,)


def test_files_state_the_figures(tmp_path: Path) -> None:
    """Files state the figures with lies, and `check` computes them anew."""
    runner, path = CliRunner(), str(tmp_path / "best.json")
    run = runner.invoke(solve_command, ["mastermind:2x2", "--lies", "1", "--out", path])
    assert run.exit_code == 0, run.output
    assert "total 10, average 2.5000, worst case 4 over 4 secrets and all ways to lie" in run.output
    checked = runner.invoke(check_command, [path])
    assert checked.exit_code == 0, checked.output
    assert "total 10, average 2.5000, worst case 4 over 4 secrets and all ways to lie" in checked.output
    text = Path(path).read_text()
    Path(path).write_text(text.replace('"total": 10', '"total": 9'))
    assert "total 9, the tree has 10" in runner.invoke(check_command, [path]).output


@pytest.mark.parametrize("width", [None, 1])
def test_what_is_stopped_has_bounds(width: int | None) -> None:
    solution = solve("mastermind:2x4", "expected", lies=1, time_limit=1, width=width)
    assert solution.lower <= solution.upper
    assert check(solution.game, strategy_of(solution)).valid
