"""Schemes for few coins: the least ones, random ones, and all that fits given sums."""

from itertools import combinations, product

import numpy as np
import pytest

from guesstree.engine.constructive.detecting import Detecting, rows_for
from guesstree.engine.constructive.static import (
    Search,
    explanations,
    is_detecting,
    least_scheme,
    random_scheme,
)
from guesstree.engine.errors import GuesstreeError

HYPERCUBE = [1, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8, 8]
"""Metric dimension of the hypercube of dimension 1, 2, ... (OEIS A303735)."""


def ones(n: int) -> np.ndarray:
    return np.ones(n, dtype=np.int64)


def test_the_article_weighs_five_coins_in_four_and_no_scheme_does_in_three() -> None:
    article = np.array([[c in row for c in "ABCDE"] for row in ("ADE", "BDE", "CE", "ABCDE")])
    assert is_detecting(article)
    least = least_scheme(5)
    assert len(least.matrix) == 4
    assert is_detecting(least.matrix)
    assert least.refuted > 0


@pytest.mark.parametrize("n", range(10))
def test_the_construction_is_least(n: int) -> None:
    """Proved by search; and one less than the metric dimension of the next hypercube, as published."""
    least = least_scheme(n)
    assert least.matrix.shape == (rows_for(n), n)
    assert is_detecting(least.matrix)
    assert n == 0 or rows_for(n) == HYPERCUBE[n] - 1


def test_the_published_dimensions_agree_up_to_twelve_coins() -> None:
    assert [rows_for(n) + 1 for n in range(13)] == HYPERCUBE


@pytest.mark.parametrize(("rows", "coins"), [(1, 2), (2, 3), (3, 4), (3, 5), (2, 2)])
def test_the_search_finds_what_listing_all_matrices_finds(rows: int, coins: int) -> None:
    columns = np.array(list(product((0, 1), repeat=rows)), dtype=bool)
    some = any(is_detecting(columns[list(pick)].T) for pick in combinations(range(len(columns)), coins))
    found = Search(rows).run(coins)
    assert (found is not None) == some
    assert found is None or is_detecting(found)


@pytest.mark.parametrize("canonical", [0, 2, 9])
def test_the_order_of_rows_saves_work_and_loses_nothing(
    canonical: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("guesstree.engine.constructive.static.CANONICAL", canonical)
    found = [[Search(rows).run(coins) is not None for coins in range(8)] for rows in range(5)]
    assert found == [[coins <= most for coins in range(8)] for most in (0, 1, 2, 4, 5)]


def test_explanations_are_all_vectors_with_these_sums() -> None:
    rng = np.random.default_rng(1)
    several = 0
    for _ in range(60):
        n, rows = int(rng.integers(0, 11)), int(rng.integers(0, 7))
        matrix = rng.integers(0, 2, (rows, n)).astype(bool)
        vectors = np.array(list(product((0, 1), repeat=n)), dtype=np.int64).reshape(2**n, n)
        sums = matrix @ vectors[rng.integers(len(vectors))] + (rng.random() < 0.2)
        expected = {
            tuple(v) for v in vectors.tolist() if np.array_equal(matrix @ np.array(v, dtype=int), sums)
        }
        found = [tuple(v.tolist()) for v in explanations(matrix, sums)]
        assert len(found) == len(set(found))
        assert set(found) == expected
        several += len(found) > 1
    assert several


def test_random_schemes_of_more_weighings_tell_random_coins() -> None:
    rng = np.random.default_rng(2)
    alone = {8: 0, 18: 0}
    for rows in alone:
        for seed in range(20):
            matrix = random_scheme(24, rows, seed)
            assert matrix[0].all()
            coins = rng.integers(0, 2, 24)
            found = list(explanations(matrix, matrix @ coins))
            assert any(np.array_equal(coins, vector) for vector in found)
            alone[rows] += len(found) == 1
    assert alone[8] <= 4
    assert alone[18] >= 19


def test_what_is_detecting_is_told_from_what_is_not() -> None:
    assert is_detecting(Detecting(ones(12)).matrix())
    assert not is_detecting(Detecting(ones(12)).matrix()[:-1])
    assert not is_detecting(np.array([[1, 1, 0], [0, 1, 1]], dtype=bool))


def test_too_many_coins_are_named() -> None:
    with pytest.raises(GuesstreeError, match="13 coins; expected 0 to 12"):
        least_scheme(13)
    with pytest.raises(GuesstreeError, match="53 coins; expected at most 52"):
        next(explanations(random_scheme(53, 5, 0), np.zeros(5, dtype=np.int64)))
