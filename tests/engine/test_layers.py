"""Lower bounds of tables by layers of the costs and by the common path: never above the least cost."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from guesstree.engine.covering import covering, potential, reach
from guesstree.engine.games.table import TableGame
from guesstree.engine.layers import Layers, layered, unknown_bits
from guesstree.engine.oracle import best, front
from guesstree.engine.search.solve import solve
from guesstree.engine.state import Table

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

    def exactly(table: Any, weights: Longs, costs: Any) -> float:
        asked.append(len(weights))
        return 0.0

    assert layered(answers, weights, costs.astype(float), exactly, 14) <= truth
    assert asked == [14, 14]


def test_what_is_late_is_left_out() -> None:
    answers = np.eye(7, 8, dtype=np.uint8)
    assert layered(answers, np.ones(8, dtype=np.int64), np.ones(7), late=lambda: True) == 0


def test_a_long_search_of_a_table_ends_with_a_gap() -> None:
    random = np.random.default_rng(2)
    answers, weights = some_table(random, 60, 300), random.integers(1, 9, 300)
    found = solve(made(answers, weights, random.integers(1, 30, 60)), time_limit=1.0)
    assert found.stopped == "time"
    assert found.gap is not None
    assert found.gap < 0.5
