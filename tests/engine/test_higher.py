"""Higher or lower: Knuth's optimal search trees, with gaps and with costs of comparisons."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from effort import seeds

from guesstree.api.strategy import strategy_of
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError
from guesstree.engine.games.higher import HigherOrLower
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.oracle import best, front
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.symmetry.found import Found
from guesstree.trees.check import check


def knuth(keys: list[int], gaps: list[int]) -> int:
    """Return the least weighted comparisons of a search tree, in O(n^2) steps (Knuth 1971).

    The root of keys i + 1 to j lies between those without the last and without the first key.
    """
    n = len(keys)
    weight = [[0] * (n + 1) for _ in range(n + 1)]
    cost = [[0] * (n + 1) for _ in range(n + 1)]
    root = [[0] * (n + 1) for _ in range(n + 1)]
    for i in range(n + 1):
        weight[i][i] = gaps[i]
        for j in range(i + 1, n + 1):
            weight[i][j] = weight[i][j - 1] + keys[j - 1] + gaps[j]
    for size in range(1, n + 1):
        for i in range(n + 1 - size):
            j = i + size
            low, high = (root[i][j - 1], root[i + 1][j]) if size > 1 else (j, j)
            found = min((cost[i][k - 1] + cost[k][j], k) for k in range(low, high + 1))
            cost[i][j], root[i][j] = found[0] + weight[i][j], found[1]
    return cost[0][n]


def priced(keys: list[int], gaps: list[int], costs: list[int]) -> int:
    """Return the same where each comparison has its own cost, over all roots."""

    @cache
    def least(i: int, j: int) -> int:
        if i == j:
            return 0
        weight = sum(keys[i:j]) + sum(gaps[i : j + 1])
        return min(least(i, k) + least(k + 1, j) + costs[k] * weight for k in range(i, j))

    return least(0, len(keys))


def text(numbers: list[int]) -> str:
    return "+".join(map(str, numbers))


def test_the_tree_of_a_textbook() -> None:
    """Cormen, Leiserson, Rivest and Stein, optimal search trees: 2.75, where gaps count one more."""
    game = parse("higher:0.15+0.10+0.05+0.10+0.20,gaps=0.05+0.10+0.05+0.05+0.05+0.10")
    total = solve(game).upper[0] * game.weight_unit
    assert total == Fraction(235, 100) == Fraction(275, 100) - Fraction(40, 100)
    assert len(game.secrets) == 11
    assert (game.secrets[0], game.secrets[2], game.secrets[-1]) == ("below 1", "between 1 and 2", "above 5")


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10, 31, 32, 100, 1000])
def test_equal_weights_are_halved(n: int) -> None:
    k = n.bit_length()
    full = 2 ** (k - 1)
    total = sum(i * 2 ** (i - 1) for i in range(1, k)) + k * (n - full + 1)
    solved = solve(f"higher:{n}")
    assert solved.upper == solved.lower == (total,)
    assert solve(f"higher:{n}", "worst").upper == (k,)


@pytest.mark.parametrize("seed", seeds(40, 1500))
def test_the_optimum_is_that_of_knuths_program(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    keys, gaps = rng.integers(0, 9, n).tolist(), rng.integers(1, 9, n + 1).tolist()
    keys[int(rng.integers(n))] = 9  # a number that is looked for
    for given, spec in (
        ([0] * (n + 1), f"higher:{text(keys)}"),
        (gaps, f"higher:{text(keys)},gaps={text(gaps)}"),
    ):
        game = parse(spec)
        counted = len(game.secrets) if game.weights is None else sum(game.weights)
        unit = Fraction(sum(keys) + sum(given), counted)
        assert solve(game).upper[0] * unit == knuth(keys, given)
        costs = rng.integers(0, 6, n).tolist()
        costs[0] = 3
        game = parse(f"{spec},costs={text(costs)}")
        assert solve(game).upper[0] * unit * game.cost_unit == priced(keys, given, costs)


@pytest.mark.parametrize("seed", seeds(10, 200))
def test_worst_cases_and_sums_are_those_of_the_oracle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 4))
    keys, gaps = rng.integers(0, 4, n).tolist(), rng.integers(0, 4, n + 1).tolist()
    keys[0], gaps[1], gaps[n] = 2, gaps[1] + 1, gaps[n] + 1
    gaps = [gap or 1 for gap in gaps]
    for spec in (
        f"higher:{text(keys)}",
        f"higher:{text(keys)},gaps={text(gaps)}",
        f"higher:{n},costs={text(gaps[1:])}",
    ):
        game = parse(spec)
        check_game(game)
        assert parse(game.spec).spec == game.spec
        pairs = front(game, game.facts.goals[0])
        for name in ("expected", "worst", "worst,expected"):
            assert solve(game, name).upper == best(pairs, OBJECTIVES[name].figures)
        assert check(game, strategy_of(solve(game))).valid


def test_the_mirror_is_found() -> None:
    for spec, order in (
        ("higher:7", 2),
        ("higher:1+2+1", 2),
        ("higher:1+2+3", 1),
        ("higher:3,costs=1+2+1", 2),
        ("higher:3,costs=1+2+3", 1),
        ("higher:3+3,gaps=1+2+1", 2),
    ):
        problem = Problem(parse(spec), OBJECTIVES["expected"])
        prices = np.arange(len(problem.own)) if problem.game.costs is None else problem.game.costs[:, 0]
        alike = (
            np.zeros(len(problem.own), np.uint64) if problem.game.costs is None else prices.astype(np.uint64)
        )
        group = problem.group_that_keeps(alike, problem.weights.astype(np.uint64))
        assert (group.order if isinstance(group, Found) else 1) == order


def test_a_lie_takes_more() -> None:
    """Ulam's problem in small: comparisons, one of which may be false."""
    assert solve("higher:4", "worst", goal="identify", lies=1).upper[0] > solve("higher:4", "worst").upper[0]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("higher:0", "0 numbers; expected 1 to 1000"),
        ("higher:1001", "1001 numbers; expected 1 to 1000"),
        ("higher:" + "1+" * 1000 + "1", "1001 numbers; expected 1 to 1000"),
        ("higher:" + "1+" * 5000 + "1", "expected at most 1000 numbers"),
        ("higher:", "expected how many numbers"),
        ("higher:-3", "expected how many numbers"),
        ("higher:1+\U0001f600", "expected how many numbers"),
        ("higher:0+0", "all weights are 0"),
        ("higher:1/0+1", "a number with 0 below the line"),
        ("higher:3,gaps=1+2", "2 gaps of 3 numbers; expected 4"),
        ("higher:3,costs=1+2", "2 costs of 3 numbers; expected 3"),
        ("higher:3,gaps=0+0+1+1", "number 1 has two gaps of 0 beside it"),
        ("higher:3,price=1", "expected gaps=W+W+... and costs=C+C+..., each once"),
        ("higher:2,costs=1+2,costs=1+2", "each once"),
    ],
)
def test_other_texts_are_refused_in_a_line(spec: str, words: str) -> None:
    with pytest.raises(GameError) as error:
        parse(spec)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_one_number_of_any_weight() -> None:
    for game in (HigherOrLower([Fraction(3)]), HigherOrLower([Fraction(3)], [Fraction(1), Fraction(2)])):
        again = parse(game.spec)
        assert (again.spec, again.secrets, again.weights) == (game.spec, game.secrets, game.weights)
