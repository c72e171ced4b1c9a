"""Weighings planned beforehand that withstand false sums: told apart by enough sums, and decoded."""

from itertools import combinations, product

import numpy as np
import pytest

from guesstree.engine.constructive import plans
from guesstree.engine.constructive.plans import (
    FEW,
    LEAST,
    Checked,
    Joined,
    Listed,
    Plan,
    Repeated,
    plan,
    plan_at_least,
)
from guesstree.engine.constructive.static import Search, least_scheme
from guesstree.engine.errors import Contradiction, GuesstreeError


def matrix_of(found: Plan) -> np.ndarray:
    return np.array([found.mask(row) for row in range(found.rows)]).astype(np.int64)


def apart(found: Plan) -> int:
    """Return in how many sums any two different weights differ at least: slowly, over all differences."""
    values = range(-found.most, found.most + 1)
    differences = np.array(list(product(values, repeat=found.coins)), dtype=np.int64)
    sums = (differences @ matrix_of(found).T != 0).sum(axis=1)
    return int(sums[(differences != 0).any(axis=1)].min())


def small() -> list[Plan]:
    found: list[Plan] = [
        Listed(cols[:n], lies) for lies in FEW for cols in FEW[lies] for n in range(1, 10) if n <= len(cols)
    ]
    for lies in (0, 1, 2, 3):
        found += [
            Checked(n, most, lies) for n, most in ((1, 1), (2, 1), (5, 1), (8, 1), (1, 5), (3, 2), (4, 3))
        ]
    joined = [
        plan(9, 1, 2),
        plan(10, 1, 2),
        plan(8, 1, 3),
        plan(9, 1, 3),
        Joined([plan(3, 1, 1), plan(4, 1, 1)]),
    ]
    assert all(isinstance(one, Joined) for one in joined)
    return [*found, *joined, Repeated(4, 1, 1), Repeated(3, 2, 2)]


def test_any_two_weights_differ_in_enough_sums() -> None:
    for found in small():
        assert apart(found) >= 2 * found.lies + 1, (type(found), found.coins, found.most, found.lies)


def test_a_plan_without_lies_is_broken_by_one() -> None:
    assert apart(plan(5)) == 1


def test_every_false_sum_of_a_small_plan_is_found_out() -> None:
    joined = Joined([plan(3, 1, 1), plan(2, 1, 1)])
    for found in (plan(5, 1, 1), joined, Checked(2, 1, 1), Checked(2, 2, 1), Repeated(2, 1, 1)):
        matrix = matrix_of(found)
        for weights in product(range(found.most + 1), repeat=found.coins):
            true = matrix @ np.array(weights)
            assert found.decode(true.tolist())[1] == []
            for row, false in product(range(found.rows), range(-1, found.coins * found.most + 2)):
                given = [*true.tolist()[:row], false, *true.tolist()[row + 1 :]]
                got, wrong = found.decode(given)
                assert got.tolist() == list(weights)
                assert wrong == ([row] if false != true[row] else [])


@pytest.mark.parametrize(
    ("coins", "most", "lies"),
    [
        (8, 1, 2),
        (6, 1, 3),
        (12, 1, 1),
        (21, 1, 1),
        (16, 1, 2),
        (8, 1, 3),
        (14, 1, 3),
        (20, 1, 1),
        (20, 3, 2),
        (60, 1, 5),
        (150, 9, 2),
        (300, 1, 0),
        (300, 1, 4),
        (3, 200, 1),
    ],
)
def test_random_false_sums_are_found_out(coins: int, most: int, lies: int) -> None:
    found, rng = plan(coins, most, lies), np.random.default_rng(coins)
    matrix = matrix_of(found)
    for _ in range(20):
        weights = rng.integers(0, most + 1, coins)
        given = matrix @ weights
        rows = rng.choice(found.rows, int(rng.integers(lies + 1)), replace=False)
        given[rows] += rng.choice([-2, -1, 1, 7, coins * most], len(rows))
        got, wrong = found.decode(given.tolist())
        assert np.array_equal(got, weights)
        assert wrong == sorted(rows.tolist())
        asked = next(n for n in range(found.rows + 1) if found.settled(given[:n].tolist()) is not None)
        early = found.settled(given[:asked].tolist())
        assert early is not None and np.array_equal(early, weights)


def test_more_false_sums_than_allowed_are_named_or_explained() -> None:
    rng, named = np.random.default_rng(3), 0
    for found in (plan(6, 1, 1), plan(40, 1, 2), Repeated(9, 1, 1), plan(30, 4, 0)):
        matrix = matrix_of(found)
        for _ in range(30):
            given = matrix @ rng.integers(0, found.most + 1, found.coins)
            rows = rng.choice(found.rows, found.lies + 2, replace=False)
            given[rows] += rng.choice([-1, 1, 3], len(rows))
            try:
                weights, wrong = found.decode(given.tolist())
            except Contradiction as error:
                named += 1
                assert error.step == found.rows
            else:
                assert np.flatnonzero(matrix @ weights != given).tolist() == wrong
                assert len(wrong) <= found.lies
    assert named > 60


def test_what_plans_cost() -> None:
    assert [plan(n, 1, 1).rows for n in range(1, 12)] == [3, 5, 6, 7, 7, 8, 8, 9, 9, 10, 11]
    assert [plan(n, 1, 2).rows for n in range(1, 9)] == [5, 8, 9, 9, 9, 10, 11, 12]
    assert [plan(n, 1, 3).rows for n in range(1, 8)] == [7, 11, 13, 13, 14, 14, 15]
    assert plan(1000, 1, 3).rows == 252 + 6 * 10
    assert plan(1000, 3).rows <= 463  # as many as 2000 coins of weights 0 and 1 take


@pytest.mark.parametrize("lies", LEAST)
def test_no_plan_has_fewer_weighings(lies: int) -> None:
    """By exhaustive search, where that is quick."""
    for coins, least in enumerate(LEAST[lies], 1):
        assert plan_at_least(coins, 1, lies) == least <= plan(coins, 1, lies).rows
        if coins <= 6:
            assert len(least_scheme(coins, lies).matrix) == least == plan(coins, 1, lies).rows


@pytest.mark.long
@pytest.mark.parametrize(("coins", "lies"), [(8, 1), (8, 2), (7, 3)])
def test_no_plan_has_fewer_weighings_for_more_coins(coins: int, lies: int) -> None:
    """Up to 41,000 choices of columns; 9 coins with one false sum take no fewer than 8."""
    assert Search(LEAST[lies][coins - 1] - 1, 2 * lies + 1).run(coins) is None
    assert LEAST[lies][coins - 1] == plan(coins, 1, lies).rows


def test_bounds_of_plans() -> None:
    assert (plan_at_least(5), plan_at_least(1000), plan_at_least(1000, 1, 2)) == (4, 101, 105)
    assert (plan_at_least(12, 1, 4), plan_at_least(1, 1, 9), plan_at_least(20, 3)) == (15, 19, 7)
    for coins, most, lies in ((1, 1, 0), (3, 9, 0), (40, 2, 5), (12, 1, 4), (500, 7, 1)):
        assert plan_at_least(coins, most, lies) <= plan(coins, most, lies).rows


def test_the_factors_are_those_of_polynomials() -> None:
    """By definition: the polynomial through the sums, in its usual form, at the check points."""
    found = Checked(7, 2, 2)
    m, p = found._sums, found._p
    for i, symbol in product(range(1, m + 1), range(4)):
        value = 1
        for k in set(range(1, m + 1)) - {i}:
            value = value * (m + 1 + symbol - k) * pow(i - k, -1, p) % p
        alone = Checked(7, 2, 2)
        alone._scheme.mask = lambda row, i=i: np.full(7, row == i - 1)  # type: ignore[method-assign, misc]
        assert alone._factors[symbol].tolist() == [value] * 7


def test_errors_are_those_of_the_nearest_code_word_or_none() -> None:
    """Against all ways to choose them, for a small code."""
    p, n, checks = 7, 4, 2
    words = set()
    for coefficients in product(range(p), repeat=n - checks):
        words.add(tuple(sum(c * x**k for k, c in enumerate(coefficients)) % p for x in range(1, n + 1)))
    for given in product(range(p), repeat=n):
        near = [word for word in words if sum(a != b for a, b in zip(word, given, strict=True)) <= 1]
        found = plans._errors(given, checks, 1, p)
        assert (found is not None) == bool(near)
        if found is not None:
            assert near == [tuple((a - found.get(i, 0)) % p for i, a in enumerate(given))]
    assert len(words) == p ** (n - checks)
    assert min(sum(a != b for a, b in zip(*two, strict=True)) for two in combinations(words, 2)) == checks + 1


@pytest.mark.parametrize("numbers", [(0, 1, 0), (5, 0, 0), (5, 1, -1), (2, 1 << 40, 0)])
def test_numbers_that_are_none_are_named(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(GuesstreeError, match="expected at least 1 coin"):
        plan(*numbers)
