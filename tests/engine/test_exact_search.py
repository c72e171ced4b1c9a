"""The search of models by the kernel: values that rationals make certain, what is known before the end."""

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from models import ModelGame
from random_models import random_model
from taken import taken

from guesstree.engine.noisy import float_model, oracle
from guesstree.engine.noisy.exact_search import ExactSearch
from guesstree.engine.noisy.float_model import FloatModel
from guesstree.engine.noisy.integer_model import IntegerModel
from guesstree.engine.noisy.model import Model
from guesstree.engine.search.solve import solve


def pools(samples: int) -> Model:
    """Return the model of samples of which some are positive, tested one by one or in pools, with errors.

    One in ten is positive. A pool is found positive with 0.95 if some sample is, else with 0.02. A test costs
    1, a sample that is wrongly called positive 10, one that is missed 20.
    """
    causes = list(product([False, True], repeat=samples))
    chosen = [pool for pool in causes if any(pool)]
    yes = [[Fraction(95 if any(map(min, pool, cause)) else 2, 100) for cause in causes] for pool in chosen]

    def loss(call: tuple[bool, ...], cause: tuple[bool, ...]) -> int:
        return sum(10 * (said > true) + 20 * (true > said) for said, true in zip(call, cause, strict=True))

    return Model(
        chances=tuple(tuple({0: 1 - p, 1: p} for p in row) for row in yes),
        weights=tuple(prod(Fraction(1 if one else 9, 10) for one in cause) for cause in causes),
        prices=(1,) * len(chosen),
        losses=tuple(tuple(loss(call, cause) for cause in causes) for call in causes),
    )


def test_values_in_doubles_are_made_certain_by_rationals() -> None:
    """Three samples, with probabilities whose products no double holds; many first tests are equally good."""
    model = pools(3)
    found = FloatModel.of(model)
    assert found is not None and not found.whole
    solution = solve(ModelGame(model))
    assert solution.optimal and round(float(solution.upper[0]), 4) == 2.2991
    assert taken(model, solution.choose_after)[0] == solution.upper[0]


@pytest.mark.parametrize("error", ["13/34", "9/35", "10/39", "3/41"])
def test_masses_counted_in_integers_are_integers(error: str) -> None:
    """A double of such a share, times its denominator, is not its numerator."""
    p = Fraction(error)
    row = {0: 1 - p, 1: p}, {0: p, 1: 1 - p}
    model = Model(chances=(row, row), weights=(1, 1), prices=(1, 1), losses=((0, 99), (99, 0)))
    found = FloatModel.of(model)
    assert found is not None and found.whole
    solution = solve(ModelGame(model))
    assert solution.optimal and solution.upper[0] == 2 * oracle.expected(model)  # type: ignore[operator]


@pytest.mark.parametrize(("seed", "more"), [(26, 11), (105, 9)])
def test_a_full_memory_loses_no_strategy(seed: int, more: int) -> None:
    model = replace(random_model(random.Random(seed), more), failures=0)
    for worst in (False, True):
        given, scaled = FloatModel.of(model, worst=worst), IntegerModel(model)
        assert given is not None
        small, large = ExactSearch(scaled, given, memory=1), ExactSearch(scaled, given)
        root = scaled.root()
        found = small.search(root, ())
        assert found[:2] == large.search(root, ())[:2]

        def choose(history: Sequence[tuple[int, int]], known: ExactSearch = small) -> int:
            return known.choice(tuple(history))

        value = taken(model, choose)[worst]
        assert value * (1 if worst else root.mass) * scaled.coin == found.upper
        assert worst or small.kernel.entries < large.kernel.entries


def test_a_search_without_time_has_a_strategy_and_its_gap() -> None:
    model = pools(4)
    solution = solve(ModelGame(model), time_limit=0.6)
    assert not solution.optimal and solution.stopped == "time"
    assert solution.gap is not None and 0 < solution.gap < 0.5
    assert taken(model, solution.choose_after)[0] == solution.upper[0]


def test_a_beam_has_a_strategy_and_says_nothing_of_others() -> None:
    model = pools(3)
    narrow, wide = (solve(ModelGame(model), width=width) for width in (1, 7))
    best = solve(ModelGame(model)).upper[0]
    assert narrow.upper[0] >= wide.upper[0] == best > wide.lower[0] == narrow.lower[0]
    for solution in (narrow, wide):
        assert taken(model, solution.choose_after)[0] == solution.upper[0]


def test_numbers_beyond_doubles_are_searched_without_them() -> None:
    tiny = Fraction(1, 10**140)
    row = ({0: tiny, 1: 1 - tiny}, {0: 1 - tiny, 1: tiny})
    model = Model(chances=(row,) * 3, weights=(1, 1), prices=(1, 1, 1), losses=((0, 9), (9, 0)))
    assert FloatModel.of(model).rational and not FloatModel.of(model, worst=True).rational
    assert solve(ModelGame(model)).upper[0] == 2 * oracle.expected(model)  # type: ignore[operator]


def test_a_free_test_that_tells_nothing_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first test opens the group of the second, which then costs nothing, and tells nothing."""
    monkeypatch.setattr(float_model, "EXACT", 0)
    one, half = Fraction(1), Fraction(1, 2)
    model = Model(
        chances=(({0: one}, {0: half, 1: half}), ({1: one}, {1: one}), ({0: one}, {1: one})),
        weights=(1, 9),
        prices=(1, 100, 3),
        losses=((0, 99), (99, 0)),
        groups=(0, 0, None),
        later=(1, 0, 3),
        ends=(frozenset(), frozenset({0}), frozenset()),
    )
    solution = solve(ModelGame(model))
    assert solution.optimal and solution.upper[0] == 10 * Fraction("2.65")


def test_prices_that_doubles_do_not_tell_apart_are_searched_without_them() -> None:
    """The second test is the cheaper one, by less than a double shows."""
    little, p = Fraction(1, 10**30), Fraction(1, 3**40)
    row = ({0: 1 - p, 1: p}, {0: p, 1: 1 - p})
    model = Model(chances=(row, row), weights=(1, 1), prices=(1 + little, 1), losses=((0, 99), (99, 0)))
    solution = solve(ModelGame(model))
    assert solution.optimal and solution.upper[0] == 2 * oracle.expected(model)  # type: ignore[operator]
