"""Coin weighing: every set of weights is found, within the guarantee, and false sums are noticed."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from guesstree.engine.constructive import coins
from guesstree.engine.constructive.adaptive import play
from guesstree.engine.constructive.coins import MANY, weigh, weigh_bounded, weighings_at_most
from guesstree.engine.constructive.detecting import rows_for
from guesstree.engine.errors import Contradiction, GuesstreeError


def scale(weights: np.ndarray) -> Callable[[np.ndarray], int]:
    return lambda mask: int(weights[mask].sum())


@pytest.mark.parametrize("n", range(9))
def test_every_set_of_heavy_coins_is_found(n: int) -> None:
    for vector in product((0, 1), repeat=n):
        weights = np.array(vector, dtype=np.int64)
        for total in (None, sum(vector)):
            game = play(weigh(n, total), scale(weights))
            assert game.secret.tolist() == list(vector)
            assert game.questions <= rows_for(n if total is None else max(n - 1, 0))


@pytest.mark.parametrize(("n", "most"), [(1, 3), (2, 3), (3, 3), (4, 2), (5, 2), (3, None), (4, None)])
def test_every_set_of_weights_is_found(n: int, most: int | None) -> None:
    for vector in product(range(4 if most is None else most + 1), repeat=n):
        weights = np.array(vector)
        game = play(weigh_bounded(n, sum(vector), most), scale(weights))
        assert game.secret.tolist() == list(vector)
        assert game.questions <= weighings_at_most(n, sum(vector), most)


def random_weights(rng: np.random.Generator) -> tuple[np.ndarray, int]:
    n, most = int(rng.choice([5, 20, 100, 400])), int(rng.choice([1, 1, 2, 7]))
    return rng.integers(0, most + 1, n) * (rng.random(n) < rng.random() ** 2), most


def test_random_weights_are_found_within_the_guarantee() -> None:
    rng = np.random.default_rng(1)
    for _ in range(150):
        weights, most = random_weights(rng)
        n, total = len(weights), int(weights.sum())
        for cap in (most, None):
            game = play(weigh_bounded(n, total, cap), scale(weights))
            assert np.array_equal(game.secret, weights)
            assert game.questions <= weighings_at_most(n, total, cap)
        if most == 1:
            game = play(weigh(n), scale(weights))
            assert np.array_equal(game.secret, weights)
            assert game.questions <= rows_for(n) + (n >= MANY)


@pytest.mark.parametrize("cut", [2, 3, 5])
def test_halving_keeps_its_guarantee(monkeypatch: pytest.MonkeyPatch, cut: int) -> None:
    """Also where another cut is taken, and where the heavy coins are as far apart as can be."""
    at_most = coins._at_most
    monkeypatch.setattr(coins, "_first_cut", lambda n, total, cap: (at_most(n, total, cap, cut), cut))
    rng = np.random.default_rng(2)
    met = 0
    for trial in range(60):
        weights, most = random_weights(rng)
        if trial % 2:
            weights = np.zeros_like(weights)
            weights[:: int(rng.integers(1, 10))] = most
        n, total = len(weights), int(weights.sum())
        game = play(weigh_bounded(n, total, most), scale(weights))
        assert np.array_equal(game.secret, weights)
        assert game.questions <= weighings_at_most(n, total, most)
        met += game.questions == weighings_at_most(n, total, most) > 0
    assert met, "the guarantee is met"


def test_few_heavy_coins_cost_few_weighings() -> None:
    assert weighings_at_most(1000, 500, 1) == rows_for(999) == 252
    assert weighings_at_most(1000, 100, 1) == weighings_at_most(1000, 900, 1) == 218
    assert weighings_at_most(1000, 10, 1) == 56
    assert weighings_at_most(1000, 0) == weighings_at_most(1, 5) == weighings_at_most(0, 0) == 0
    # Grebinski and Kucherov: about 8n/log2(n) = 803, and 4(n + M)/log2(n) = 2007
    assert weighings_at_most(1000, 1000) == 705
    assert weighings_at_most(1000, 4000) == 962
    # and 6021 for 10,000 coins of as much weight
    assert weighings_at_most(10_000, 10_000) == 5611


def test_false_sums_are_noticed_or_explained() -> None:
    rng = np.random.default_rng(3)
    noticed = 0
    for _ in range(300):
        weights, most = random_weights(rng)
        n, total = len(weights), int(weights.sum())
        asked = play(weigh_bounded(n, total, most), scale(weights)).questions
        if not asked:
            continue
        wrong, by = int(rng.integers(asked)), int(rng.choice([-1, 1, 4]))
        said: list[tuple[np.ndarray, int]] = []

        def tamper(mask: np.ndarray) -> int:
            said.append((mask, int(weights[mask].sum()) + by * (len(said) == wrong)))  # noqa: B023
            return said[-1][1]  # noqa: B023

        try:
            found = play(weigh_bounded(n, total, most), tamper).secret
        except Contradiction as error:
            noticed += 1
            assert wrong + 1 <= error.step == len(said)
        else:
            assert int(found.sum()) == total
            assert ((found >= 0) & (found <= most)).all()
            assert all(int(found[mask].sum()) == result for mask, result in said)
    assert noticed > 50


def test_impossible_sums_are_named_at_once() -> None:
    with pytest.raises(Contradiction, match="weighing 1 gives 6; possible: 0 to 5") as error:
        play(weigh(5), lambda _: 6)
    assert error.value.step == 1
    with pytest.raises(Contradiction, match=r"weighing 1 gives -1; possible: 0 to "):
        play(weigh(4), lambda _: -1)
    with pytest.raises(Contradiction, match="weighing 1 gives 4; possible: 0 to 3"):
        play(weigh_bounded(10, 3), lambda _: 4)


@pytest.mark.parametrize(
    ("talk", "words"),
    [
        (lambda: weigh(5, 6), "a total of 6 for 5 coins; expected 0 to 5"),
        (lambda: weigh(5, -1), "a total of -1 for 5 coins; expected 0 to 5"),
        (lambda: weigh(-1), "-1 coins; expected 0 or more"),
        (lambda: weigh_bounded(3, 7, 2), "a total of 7 for 3 coins; expected 0 to 6"),
        (lambda: weigh_bounded(3, -2), "a total of -2 for 3 coins; expected 0 or more"),
        (lambda: weigh_bounded(0, 1), "a total of 1 for 0 coins; expected 0 to 0"),
    ],
)
def test_totals_that_cannot_be_are_named(talk: Callable[[], coins.Weighings], words: str) -> None:
    with pytest.raises(GuesstreeError) as error:
        play(talk(), lambda _: 0)
    assert words in str(error.value)
