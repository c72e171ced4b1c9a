"""Lower bounds of tables by layers of the costs and by the common path: never above the least cost."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from guesstree.api.strategy import strategy_of
from guesstree.engine.bounds.covering import covering, potential, reach
from guesstree.engine.bounds.layers import Layers, layered, unknown_bits
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.oracle import best, front
from guesstree.engine.problem import Problem
from guesstree.engine.search.counted import Counted
from guesstree.engine.search.deadline import Deadline
from guesstree.engine.search.layering import by_layers
from guesstree.engine.search.neighbourhood import Neighbourhood
from guesstree.engine.search.priced import Priced, PricedState
from guesstree.engine.search.session import Session
from guesstree.engine.search.solve import solve
from guesstree.engine.search.space import ANY, Resources
from guesstree.engine.state import Table
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check

Longs = NDArray[np.int64]


def made(answers: Table, weights: Longs, costs: Longs) -> TableGame:
    tests, causes = [f"t{i}" for i in range(len(answers))], [f"c{i}" for i in range(answers.shape[1])]
    cells = answers.astype(str).tolist()
    return TableGame("some", tests, causes, cells, None, weights.tolist(), costs.tolist())


def some_table(random: np.random.Generator, tests: int, causes: int, rare: float = 1) -> Table:
    """Return tests of 2 or 3 answers that tell all causes apart; `rare`: how often none is common."""
    while True:
        kinds = random.integers(2, 4, (tests, 1))
        answers = random.integers(0, kinds, (tests, causes))
        answers *= random.random((tests, causes)) < rare
        if len(np.unique(answers, axis=1).T) == causes:
            return answers.astype(np.uint8)


@pytest.mark.parametrize("seed", range(12))
def test_layers_are_at_most_what_the_oracle_finds(seed: int) -> None:
    random = np.random.default_rng(seed)
    answers = some_table(random, 7, 6, rare=0.4 if seed % 2 else 1)
    weights, costs = random.integers(1, 5, 6), random.integers(0 if seed % 3 == 0 else 1, 9, 7)
    game = made(answers, weights, costs)
    found = best(front(game, "identify"), ("total",))
    assert found is not None
    for bits in (True, False):
        assert Layers(bits).bound(answers, weights, costs.astype(float)) <= found[0]


@pytest.mark.parametrize("weight", [1, 3, (1 << 53) + 3, (1 << 53) + 7, (1 << 54) + 6, (1 << 55) + 12])
def test_bounds_are_at_most_the_least_cost_for_weights_that_no_double_holds(weight: int) -> None:
    """Of 8 causes, each with a test of its own, the least total is 1 + 2 + ... + 7 + 7 guesses."""
    answers, weights = np.eye(8, dtype=np.uint8), np.full(8, weight)
    found = [covering(answers, weights, np.ones(8, dtype=np.int64)), layered(answers, weights, np.ones(8))]
    for bound in found:
        assert 35 * weight * (1 - Fraction(1, 1 << 40)) < Fraction(bound) <= 35 * weight


@pytest.mark.parametrize("seed", range(10))
def test_bounds_of_rare_answers_are_at_most_the_least_cost(seed: int) -> None:
    random = np.random.default_rng(seed)
    answers = some_table(random, 16, 12, rare=0.25)
    weights = random.integers(1, 4, 12) if seed % 2 else np.ones(12, dtype=np.int64)
    exact = solve(made(answers, weights, np.ones(16, dtype=np.int64)))
    assert exact.optimal
    assert covering(answers, weights, np.ones(16, dtype=np.int64)) <= exact.upper[0]
    costs = random.integers(1, 30, 16)
    priced = solve(made(answers, weights, costs))
    assert priced.optimal
    assert layered(answers, weights, costs.astype(float)) <= priced.upper[0]


def test_covering_is_at_most_the_least_cost_and_says_something() -> None:
    parts = []
    for seed in range(12):
        random = np.random.default_rng(seed)
        answers = some_table(random, 14, 13, rare=0.12)
        weights = random.integers(1, 4, 13) if seed % 2 else np.ones(13, dtype=np.int64)
        costs = random.integers(1, 6, 14)
        exact = solve(made(answers, weights, costs))
        assert exact.optimal
        parts.append(covering(answers, weights, costs) / exact.upper[0])
    assert max(parts) <= 1
    assert sum(part > 0.6 for part in parts) > 2, parts


def test_the_common_path_of_single_tests_is_known() -> None:
    """One test for each of n causes but one: n - 1 questions at worst, n (n + 1) / 2 - 1 in all."""
    for n in (8, 20):
        answers = np.eye(n - 1, n, dtype=np.uint8)
        assert (
            covering(answers, np.ones(n, dtype=np.int64), np.ones(n - 1, dtype=np.int64))
            == n * (n + 1) / 2 - 1
        )


def test_masses_are_rounded_down() -> None:
    answers, weights = np.eye(19, 20, dtype=np.uint8), np.full(20, 10**9)
    ones = np.ones(19, dtype=np.int64)
    assert covering(answers, weights, ones) == 209e9
    assert covering(answers, weights, 7 * ones) == 7 * 209e9
    assert 100e9 < covering(answers, weights + np.arange(20), ones) <= 209 * (1e9 + 19)


def test_a_potential_is_that_of_full_trees() -> None:
    assert potential([2] * 40, 8).tolist() == [0, 0, 2, 5, 8, 12, 16, 20, 24]
    assert (potential([3] * 40, 9)[[1, 3, 9]] // 2).tolist() == [0, 3, 18]
    chain = potential([2, 1], 6)  # a question splits off one unit
    assert chain.tolist() == [0, 0, 2, 5, 9, 14, 20]


def test_reach_counts_no_secret_twice() -> None:
    """Two tests that rule out the same half leave the other half."""
    rules_out = np.array([[1, 1, 0, 0], [1, 1, 0, 0]], dtype=bool)
    assert reach(rules_out, np.array([25, 25, 25, 25]), np.array([1, 1]))[2] <= 60


def test_each_bit_of_a_full_tree_is_paid() -> None:
    """Cheap bits first: eight causes by three of four binary tests, all of which split evenly."""
    answers = np.array([[s >> k & 1 for s in range(8)] for k in range(3)], dtype=np.uint8)
    weights = np.ones(8, dtype=np.int64)
    costs = np.array([1.0, 10.0, 100.0])
    assert unknown_bits(weights) == 24
    assert layered(answers, weights, costs) == pytest.approx(8 * 111)


def test_classes_may_be_settled_exactly() -> None:
    random = np.random.default_rng(5)
    answers, weights = some_table(random, 12, 14), random.integers(1, 9, 14)
    costs = random.integers(1, 40, 12)
    truth = solve(made(answers, weights, costs)).upper[0]
    asked: list[Any] = []

    def exactly(table: Any, weights: Longs, costs: Any) -> tuple[float, bool]:
        asked.append(len(weights))
        return 0.0, False

    assert layered(answers, weights, costs.astype(float), exactly, 14) <= truth
    assert asked[0] == 14
    assert 1 < max(asked[1:]) <= 14


def test_what_is_late_is_left_out() -> None:
    answers = np.eye(7, 8, dtype=np.uint8)
    assert layered(answers, np.ones(8, dtype=np.int64), np.ones(7), late=lambda: True) == 0


def begun(game: TableGame) -> Session[PricedState]:
    """Return a run with the strategy of a beam of width 1."""
    problem = Problem(game, OBJECTIVES["expected"])
    run = Session(Priced(problem), Resources.of(problem, 1, 1 << 28), Deadline(None))
    run.start(())
    question = run.space.query("total")
    run.beam(1, question, run.worth(question))
    return run


def test_bounds_rise_with_larger_classes_and_subtrees_get_better() -> None:
    random = np.random.default_rng(2)
    answers, weights = some_table(random, 40, 90), random.integers(1, 9, 90)
    game = made(answers, weights, random.integers(1, 30, 40))
    run = begun(game)
    question, before = run.space.query("total"), run.upper("total")
    lowest = run.lower["total"]
    raised = [by_layers(run, most) for most in (0, 8, 40)]
    assert lowest < 0.8 * raised[0] < raised[1] < raised[2] <= run.lower["total"] < before

    rebuilt = Neighbourhood(run, question)
    assert rebuilt.costs[run.space.root(question).key] == before
    upper = [before]
    for most, width, deviations in ((16, 4, 1), (90, 4, 1), (90, 4, 2)):
        rebuilt.pass_over(most, width, deviations)
        upper.append(run.upper("total"))
    assert sorted(upper, reverse=True) == upper
    assert upper[-1] < upper[1] < before
    assert rebuilt.costs[run.space.root(question).key] == upper[-1]
    found = run.conclude()
    assert found.gap is not None
    assert found.gap < 0.2
    assert check(game, strategy_of(found)).valid


def test_subtrees_of_a_table_without_costs_get_better() -> None:
    random = np.random.default_rng(3)
    answers = some_table(random, 12, 40, rare=0.3)
    ones = np.ones(40, dtype=np.int64)
    game = made(answers, ones, ones[:12])
    game.weights = game.costs = None
    problem = Problem(game, OBJECTIVES["expected"])
    run = Session(Counted(problem), Resources.of(problem, 1, 1 << 28), Deadline(None))
    run.start(["parts"])
    before = run.upper("total")
    rebuilt = Neighbourhood(run, run.space.query("total"))
    for most in (8, 40):
        rebuilt.pass_over(most, 4, ANY)
    assert by_layers(run) <= run.lower["total"] <= run.upper("total") < before
    assert check(game, strategy_of(run.conclude())).valid
