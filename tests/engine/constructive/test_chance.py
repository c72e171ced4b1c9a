"""Random plans: whether they decide, against all pairs of sets, and how likely that is, against all plans."""

from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from guesstree.engine.constructive.chance import (
    confused_at_most,
    decides,
    least_random,
    tells_too_little,
)
from guesstree.engine.constructive.detecting import Detecting
from guesstree.engine.constructive.static import explanations, is_detecting, random_scheme
from guesstree.engine.errors import GuesstreeError


@pytest.mark.parametrize("coins", range(1, 10))
def test_plans_decide_iff_all_sets_have_different_sums(coins: int) -> None:
    found = set()
    for seed in range(30):
        for rows in range(1, coins + 4):
            matrix = random_scheme(coins, rows, seed)
            found.add(decides(matrix))
            assert decides(matrix) == is_detecting(matrix)
            assert not (tells_too_little(matrix) and decides(matrix))
    assert found == ({True, False} if coins > 1 else {True})


def test_constructed_plans_decide() -> None:
    for coins in (12, 17, 22):
        matrix = Detecting(np.ones(coins, dtype=np.int64)).matrix()
        assert decides(matrix)
        assert not tells_too_little(matrix)
    assert not decides(Detecting(np.ones(12, dtype=np.int64)).matrix()[:-1])
    with pytest.raises(GuesstreeError, match="31 coins; expected at most 30"):
        decides(random_scheme(31, 5, 0))


def test_expected_numbers_of_pairs_are_those_of_all_plans() -> None:
    """Of all plans of up to four coins and two random weighings: the exact means, and so the bounds."""
    for coins, weighings in product((2, 3, 4), (1, 2)):
        pairs = confused = known = 0
        for rows in product(product((0, 1), repeat=coins), repeat=weighings):
            matrix = np.array([[1] * coins, *rows])
            sums = [tuple((matrix @ v).tolist()) for v in product((0, 1), repeat=coins)]
            equal = sum(a == b for a, b in combinations(sums, 2))
            # Pairs that differ in the same way were counted once for each set that they have in common.
            ways = {
                tuple(np.subtract(a, b).tolist())
                for a, b in combinations(product((0, 1), repeat=coins), 2)
                if not (matrix @ np.subtract(a, b)).any()
            }
            confused += bool(equal)
            pairs += len(ways)
            known += 2 * equal
        plans = 2 ** (coins * weighings)
        assert Fraction(confused, plans) <= confused_at_most(coins, weighings)
        assert confused_at_most(coins, weighings) == min(Fraction(pairs, plans), 1)
        assert confused_at_most(coins, weighings, known=True) == min(Fraction(known, plans * 2**coins), 1)


def test_chances_are_rounded_up_by_little() -> None:
    for coins, weighings in ((10, 20), (30, 40), (60, 45)):
        exact = sum(
            Fraction(
                comb(coins, p) * comb(coins - p, p) * comb(2 * p, p) ** weighings, 2 * 4 ** (p * weighings)
            )
            for p in range(1, coins // 2 + 1)
        )
        assert exact <= confused_at_most(coins, weighings) <= exact * (1 + Fraction(1, 10**30))


def test_random_plans_decide_as_often_as_is_proven() -> None:
    weighings = least_random(12, Fraction(1, 10))
    assert confused_at_most(12, weighings) <= Fraction(1, 10) < confused_at_most(12, weighings - 1)
    decided = sum(decides(random_scheme(12, weighings + 1, seed)) for seed in range(100))
    assert decided >= 90
    known = least_random(12, Fraction(1, 10), known=True)
    rng = np.random.default_rng(0)
    schemes = [random_scheme(12, known + 1, seed) for seed in range(100)]
    alone = sum(len(list(explanations(m, m @ rng.integers(0, 2, 12)))) == 1 for m in schemes)
    assert alone >= 90
    assert known < weighings


def test_the_source_is_right_for_given_coins_and_wrong_for_all_at_once() -> None:
    """2n/log2(n) is 201: a few more tell given coins, for all coins at once it takes 1.6 times as many."""
    chance = Fraction(1, 100)
    assert least_random(1000, chance, known=True) == 210
    assert least_random(1000, chance) == 318
    assert tells_too_little(random_scheme(1000, 180, 0))
    # 20 coins: a plan of 12 random weighings tells 94 % of all sets from all others, but seldom tells all.
    assert confused_at_most(20, 12, known=True) <= Fraction(6, 100)
    assert sum(decides(random_scheme(20, 13, seed)) for seed in range(50)) == 3
