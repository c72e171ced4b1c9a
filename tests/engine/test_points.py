"""Points that change places in models of tests that err: the search with their renamings and without."""

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest
from effort import JOBS, seeds

import guesstree
from guesstree.cext import noisy, reference_noisy
from guesstree.engine.noisy.float_model import FloatModel
from guesstree.engine.noisy.model import Model, Points
from guesstree.engine.noisy.oracle import expected, worst
from guesstree.engine.noisy.points import for_kernel, hold
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve


def random_points(dice: random.Random, most: int = 3) -> Model:
    """Return a small model that renamings of some points keep: any odds, prices and losses that they keep."""
    many = dice.randint(2, most)
    kinds = tuple(sorted(dice.randint(0, dice.randint(0, 1)) for _ in range(many)))

    def profile(*sets: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Return how many points of each kind are in each part that the sets make of them."""
        parts = [tuple(one >> i & 1 for one in sets) for i in range(many)]
        return tuple(sorted(zip(kinds, parts, strict=True)))

    def by_profile(draw: Callable[[], object]) -> Callable[..., object]:
        known: dict[object, object] = {}

        def value(*sets: int) -> object:
            at = profile(*sets)
            if at not in known:
                known[at] = draw()
            return known[at]

        return value

    def cell() -> dict[int, Fraction]:
        some = dice.sample(range(2), 1 if dice.random() < sure else 2)
        parts = [dice.randint(1, 4) for _ in some]
        return {answer: Fraction(part, sum(parts)) for answer, part in zip(some, parts, strict=True)}

    sure = dice.choice([0, 0.3, 0.8])
    wanted = by_profile(lambda: dice.random() < 0.8)
    subsets = range(1 << many)
    causes = tuple(s for s in subsets if s.bit_count() == 1 or wanted(s))
    asked = by_profile(lambda: dice.random() < (0.5 if many > 2 else 0.8))
    tests = tuple(s for s in subsets if s and (s.bit_count() == 1 or asked(s)))
    chance, price = by_profile(cell), by_profile(lambda: dice.choice([1, 1, 2]))
    weight, loss = (
        by_profile(lambda: dice.randint(1, 9)),
        by_profile(lambda: dice.choice([0, 3, 20, Fraction(7, 2)])),
    )
    decisions = causes if dice.random() < 0.7 else (0,)
    model = Model(
        chances=tuple(tuple(chance(t, c) for c in causes) for t in tests),  # type: ignore[misc]
        weights=tuple(weight(c) for c in causes),  # type: ignore[misc]
        prices=tuple(price(t) for t in tests),  # type: ignore[misc]
        losses=tuple(tuple(loss(d, c) for c in causes) for d in decisions),  # type: ignore[misc]
        points=Points(kinds, causes, tests, decisions),
    )
    if dice.random() < 0.2:
        model = replace(model, failures=1, silent=2)
    return model


@pytest.mark.parametrize("seed", seeds(4, 60))
def test_values_agree_with_the_twin_which_renames_nothing(seed: int) -> None:
    dice, renamed = random.Random(seed), 0
    for _ in range(20):
        model = random_points(dice, 2 if dice.random() < 0.7 else 3)
        assert model.points is not None and hold(model, model.points)
        lowest = dice.random() < 0.3
        found = FloatModel.of(model, worst=lowest)
        renamed += found.given["points"] is not None
        if found.rational or len(model.chances) > 4:
            continue
        kernel = noisy.Searcher(**found.given, jobs=dice.choice(JOBS))
        twin = reference_noisy.Searcher(**found.given)
        for history in [*([()] if dice.random() < 0.5 else []), *histories(twin, model, dice, 6), ()]:
            least = twin.search(history).lower
            value = kernel.search(history)
            scale = 2.0**kernel.exponent
            assert value.lower * scale == pytest.approx(least, rel=1e-9), (seed, history)
            assert value.upper * scale == pytest.approx(least, rel=1e-9), (seed, history)
            name = kernel.choice(history)
            assert name < 0 or kernel.named(kernel.named(name, history), history, back=True) == name
    assert renamed


def histories(
    twin: reference_noisy.Searcher, model: Model, dice: random.Random, many: int
) -> list[tuple[tuple[int, int], ...]]:
    """Return some random paths."""
    found = []
    for _ in range(many):
        path: list[tuple[int, int]] = []
        for test in dice.sample(range(len(model.chances)), min(2, len(model.chances))):
            below = dict(twin.first_tests(tuple(path))).get(test, [])
            if not below:
                break
            path.append((test, dice.choice(below)[0]))
        found.append(tuple(path))
    return found


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_the_oracle_agrees(seed: int) -> None:
    dice = random.Random(1000 + seed)
    for _ in range(10):
        model = random_points(dice, 2)
        for value, lowest in ((expected(model), False), (worst(model), True)):
            if value is None or (model.failures and not lowest):
                continue
            found = FloatModel.of(model, worst=lowest)
            least = noisy.Searcher(**found.given).search()
            unit = found.unit * (1 if lowest else sum(map(Fraction, model.weights)))
            assert least.lower == pytest.approx(float(value * unit), rel=1e-9)


@pytest.mark.parametrize("jobs", JOBS)
@pytest.mark.parametrize(
    "spec",
    [
        "pools:2,sensitivity=90%,missed=9",
        "pools:3,prevalence=3%,sensitivity=95%,specificity=99%",
        "pools:3,prevalence=20%,specificity=90%,missed=6,false=30",
        "pools:3,prevalence=5%/5%/20%,sensitivity=90%,dilution=0.2",
        "pools:3,max=2,sensitivity=80%,specificity=80%,missed=11",
    ],
)
@pytest.mark.parametrize("objective", ["expected", "worst", "worst,expected"])
def test_whole_searches_agree(spec: str, objective: str, jobs: int) -> None:
    """Strategies are checked: a name that is taken back wrongly would cost more than is claimed."""
    found = guesstree.solve(spec, objective, jobs=jobs)
    assert found.optimal and found.strategy.check().valid
    game = parse(spec)
    assert game.model is not None and for_kernel(game.model) is not None
    game.model = replace(game.model, points=None)
    assert solve(game, objective).upper == found.upper


@pytest.mark.long
def test_four_samples_that_err_are_proven() -> None:
    found = guesstree.solve("pools:4,prevalence=5%,sensitivity=95%,specificity=99%")
    assert found.optimal and found.strategy.check().valid
    unit = found.game.figure_unit("total")
    assert float(found.upper[0] * unit) == pytest.approx(2.2735, abs=5e-5)


def test_declarations_that_do_not_hold_are_not_used() -> None:
    model = parse("pools:3,sensitivity=90%").model
    assert model is not None and model.points is not None and for_kernel(model) is not None
    points = model.points
    weights = (*model.weights[:3], Fraction(99), *model.weights[4:])
    prices = (2, *model.prices[1:])
    some = list(model.chances)
    some[0], some[1] = some[1], some[0]
    losses = list(map(list, model.losses or ()))
    losses[1][2] = 77
    broken = [
        replace(model, weights=weights),
        replace(model, prices=prices),
        replace(model, chances=tuple(some)),
        replace(model, losses=tuple(map(tuple, losses))),
        replace(model, points=replace(points, causes=points.causes[1:])),
        replace(model, points=replace(points, tests=(points.tests[1], *points.tests[1:]))),
        replace(model, points=replace(points, kinds=(0,) * 9)),
        replace(model, points=replace(points, causes=tuple(s << 1 for s in points.causes))),
        replace(model, groups=(0,) * 7, later=model.prices),
        replace(model, points=replace(points, kinds=(0, 1, 2))),
    ]
    assert [for_kernel(one) for one in broken] == [None] * len(broken)
    assert for_kernel(replace(model, points=replace(points, kinds=(0, 0, 1)))) is not None
    assert model.only([0, 1]).points is None


def test_states_that_differ_in_places_have_one_key() -> None:
    """After tests of different pools, whatever samples are in them."""
    model = parse("pools:3,prevalence=10%,sensitivity=90%,specificity=95%").model
    assert model is not None and model.points is not None
    kernel = noisy.Searcher(**FloatModel.of(model).given)
    tests = model.points.tests
    for pools in ([(1, 1)], [(3, 0)], [(3, 1), (1, 0)], [(7, 1), (3, 1), (4, 0)], [(3, 1), (6, 0)]):
        keys = set()
        for places in permutations(range(3)):
            moved = [(sum(1 << places[i] for i in range(3) if s >> i & 1), answer) for s, answer in pools]
            keys.add(kernel.key([(tests.index(s), answer) for s, answer in moved]))
        assert len(keys) == 1, pools
