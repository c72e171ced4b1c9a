"""Detecting schemes: what they tell, and what they cost."""

from itertools import product

import numpy as np
import pytest

from guesstree.engine.constructive.detecting import Detecting, rows_for
from guesstree.engine.errors import Contradiction, GuesstreeError


def ones(n: int) -> np.ndarray:
    return np.ones(n, dtype=np.int64)


def test_so_many_coins_are_told_by_the_sums_of_lindstroem() -> None:
    """OEIS A000788: the ones in the numbers up to m; and 2^k - 1 sums tell k 2^(k-1) coins."""
    most = [max(n for n in range(40) if rows_for(n) <= m) for m in range(9)]
    assert most == [0, 1, 2, 4, 5, 7, 9, 12, 13]
    assert all(rows_for(k << (k - 1)) == (1 << k) - 1 for k in range(1, 20))


@pytest.mark.parametrize("n", [*range(1, 65), 100, 1000, 2000])
def test_ones_cost_what_is_said(n: int) -> None:
    assert Detecting(ones(n)).rows == rows_for(n)


@pytest.mark.parametrize("n", range(11))
def test_all_vectors_have_different_sums(n: int) -> None:
    scheme = Detecting(ones(n))
    vectors = np.array(list(product((0, 1), repeat=n)), dtype=np.int64).reshape(2**n, n)
    sums = vectors @ scheme.matrix().astype(np.int64).T
    assert len({tuple(row) for row in sums.tolist()}) == 2**n
    for vector, result in zip(vectors, sums, strict=True):
        assert scheme.decode(result).tolist() == vector.tolist()


@pytest.mark.parametrize("n", [31, 32, 33, 80, 500, 3000])
def test_random_coins_are_decoded(n: int) -> None:
    rng = np.random.default_rng(n)
    scheme = Detecting(ones(n))
    matrix = scheme.matrix().astype(np.int64)
    for _ in range(20):
        coins = rng.integers(0, 2, n)
        assert np.array_equal(scheme.decode(matrix @ coins), coins)


def test_values_of_any_ranges_are_decoded_or_refused() -> None:
    """Sums that were tampered with are decoded to values that have them, or to none when there are none."""
    rng = np.random.default_rng(5)
    refused = 0
    for _ in range(400):
        ranges = rng.integers(1, int(rng.choice([2, 3, 5, 1000])), int(rng.integers(1, 50)))
        scheme = Detecting(ranges)
        values = rng.integers(0, ranges + 1)
        matrix = scheme.matrix().astype(np.int64)
        assert np.array_equal(scheme.decode(matrix @ values), values)
        wrong = matrix @ values
        wrong[rng.integers(scheme.rows)] += rng.choice([-3, -1, 1, 2])
        try:
            other = scheme.decode(wrong)
        except Contradiction as error:
            refused += 1
            assert error.step == scheme.rows
        else:
            assert np.array_equal(matrix @ other, wrong)
            assert (other >= 0).all()
            assert (other <= ranges).all()
    assert 0 < refused < 400


def test_refused_sums_have_no_explanation() -> None:
    ranges = np.array([1, 2, 1, 3, 1])
    scheme = Detecting(ranges)
    matrix = scheme.matrix().astype(np.int64)
    values = np.array(list(product(*(range(r + 1) for r in ranges))))
    true = {tuple(row) for row in (values @ matrix.T).tolist()}
    assert len(true) == len(values)
    for sums in product(*(range(int(row @ ranges) + 1) for row in matrix)):
        if sums not in true:
            with pytest.raises(Contradiction):
                scheme.decode(np.array(sums))


def test_wide_values_cost_no_more_than_their_digits() -> None:
    rng = np.random.default_rng(6)
    for _ in range(300):
        ranges = rng.integers(1, int(rng.choice([4, 9, 300])), int(rng.integers(1, 80)))
        digits = sum(int(r).bit_length() for r in ranges)
        assert Detecting(ranges).rows <= min(rows_for(digits), len(ranges))


@pytest.mark.parametrize("most", [1, 2, 3, 4, 9, 1000])
def test_weights_up_to_a_number_cost_what_is_counted(most: int) -> None:
    """A set of k elements has room for as many values as there are powers of most + 1 up to 2^(k - 1)."""
    places = [sum((most + 1) ** i <= 1 << k for i in range(k + 1)) for k in range(10)]
    room = np.cumsum([places[m.bit_count() - 1] for m in range(1, 512)])
    for n in (1, 2, 5, 17, 100, 400):
        scheme = Detecting(np.full(n, most))
        assert scheme.rows == int(np.searchsorted(room, n)) + 1
        matrix = scheme.matrix().astype(np.int64)
        for weights in np.random.default_rng(n).integers(0, most + 1, (5, n)):
            assert np.array_equal(scheme.decode(matrix @ weights), weights)


@pytest.mark.parametrize("n", [1, 5, 12, 40])
def test_equations_hold_for_all_values_and_name_each_once(n: int) -> None:
    scheme = Detecting(np.arange(n) % 3 + 1)
    matrix = scheme.matrix().astype(np.int64)
    told: set[int] = set()
    for equation in scheme.equations():
        weights = np.zeros(n, dtype=np.int64)
        for factor, value in equation.values + equation.known:
            weights[value] += factor
        assert np.array_equal(sum(factor * matrix[row] for factor, row in equation.sums), weights)
        assert {value for _, value in equation.known} <= told
        assert told.isdisjoint(value for _, value in equation.values)
        told |= {value for _, value in equation.values}
    assert told == set(range(n))


def test_a_range_of_nothing_is_refused() -> None:
    with pytest.raises(GuesstreeError, match="a value of range 0; expected integers from 1"):
        Detecting(np.array([1, 0]))
    with pytest.raises(
        GuesstreeError, match=r"values of up to 1099511627776 each; expected at most 2\^40 in all"
    ):
        Detecting(np.array([1, 1 << 40]))


def test_values_may_be_large() -> None:
    ranges = np.array([(1 << 39) - 1, 1, 1 << 20, 7, 1, (1 << 38)])
    scheme = Detecting(ranges)
    for values in (ranges, np.zeros_like(ranges), ranges // 2):
        assert np.array_equal(scheme.decode(scheme.matrix().astype(np.int64) @ values), values)
